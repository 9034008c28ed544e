"""What a messenger's box must say of holes, counts and the order of chats, by plain dicts and sets.

Depends on: the structs and enums of the messenger schema.  Never on: the runtime, or anything else
that was generated.

Written from what the words promise (docs/schema) and what the schema chose (docs/messenger-choices.md). Ids
of messages go from 1 to 6; the point 7 stands for all beyond. Of threads and labels it knows nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeAlias

from pillarbox_messenger import types as t

CLOUD: Final = t.MessageNamespace.CLOUD
INCOMING: Final = t.MessageFlags.INCOMING
#: All ids end here; the last point of the model is the id 7 and all up to it.
LAST_ID: Final = 2**31 - 2
POINTS: Final = frozenset(range(1, 8))
#: Those of all messages (0), and of each tag.
HOLE_TAGS: Final = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 16384, 32768)
PINNED: Final = t.TagFlags.PINNED
MENTION: Final = t.TagFlags.UNSEEN_MENTION
#: What is counted: all messages, and those under these tags.
COUNTED: Final = (0, PINNED, MENTION)
#: Where the streams of the server stand here: what an answer says of another moment is in doubt.
APPLIED: Final = 5

#: Chat, namespace, id.
Name: TypeAlias = tuple[int, int, int]


class Known(NamedTuple):
    """What is stored of a message."""

    timestamp: int
    incoming: bool
    tags: int
    text: str


@dataclass
class Read:
    """What was read of a chat, and how many are left."""

    read_in: int = 0
    read_out: int = 0
    known_to: int = 0
    count: int = 0
    marked: bool = False


@dataclass
class Tagged:
    """How many messages carry a tag, of which the server counted those up to an id."""

    count: int = 0
    valid_to: int = 0


@dataclass
class Inclusion:
    """Which list a chat is said to be in; None: none."""

    group: int | None = None
    min_timestamp: int | None = None


def covered(lower: int, upper: int) -> frozenset[int]:
    """The points from `lower` to `upper`, both included."""
    return frozenset(point for point in POINTS if lower <= point <= upper)


@dataclass
class MessengerModel:
    """One box, after the operations that `messenger_operations` applied to it."""

    peers: tuple[int, ...]
    messages: dict[Name, Known] = field(default_factory=dict)
    #: (chat, tag) -> what is missing; in the beginning all.
    holes: dict[tuple[int, int], frozenset[int]] = field(default_factory=dict)
    reads: dict[int, Read] = field(default_factory=dict)
    doubted_reads: set[int] = field(default_factory=set)
    tagged: dict[tuple[int, int], Tagged] = field(default_factory=dict)
    doubted_tags: set[tuple[int, int]] = field(default_factory=set)
    #: What came into doubt in this transaction: no answer to an older question ends that.
    fresh_reads: set[int] = field(default_factory=set)
    fresh_tags: set[tuple[int, int]] = field(default_factory=set)
    pins: dict[int, list[int]] = field(default_factory=dict)
    inclusions: dict[int, Inclusion] = field(default_factory=dict)
    drafts: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.holes = {(peer, tag): POINTS for peer in self.peers for tag in HOLE_TAGS} | self.holes

    def begin(self) -> MessengerModel:
        """A model that the next transaction may change, and forget."""
        return replace(
            self,
            messages=dict(self.messages),
            holes=dict(self.holes),
            reads={peer: replace(read) for peer, read in self.reads.items()},
            doubted_reads=set(self.doubted_reads),
            tagged={key: replace(tagged) for key, tagged in self.tagged.items()},
            doubted_tags=set(self.doubted_tags),
            fresh_reads=set(),
            fresh_tags=set(),
            pins={group: list(pins) for group, pins in self.pins.items()},
            inclusions={peer: replace(said) for peer, said in self.inclusions.items()},
            drafts=dict(self.drafts),
        )

    # ------------------------------------------------------------------------------------ what is asked

    def newest(self, peer: int) -> tuple[int, int, int, str] | None:
        """(timestamp, namespace, id, text) of the newest message of a chat."""
        found = [(it.timestamp, name[1], name[2], it.text) for name, it in self.of_chat(peer)]
        return max(found, default=None)

    def of_chat(self, peer: int) -> list[tuple[Name, Known]]:
        return [(name, it) for name, it in self.messages.items() if name[0] == peer]

    def group_of(self, peer: int) -> int | None:
        """The list that a chat stands in."""
        said = self.inclusions.get(peer, Inclusion(0))
        if said.group is None:
            return None
        pinned = peer in self.pins.get(said.group, ())
        seen = pinned or self.newest(peer) is not None or said.min_timestamp is not None
        return said.group if seen else None

    def chats(self, group: int) -> list[int]:
        """The chats of a list in their order: pins as they were given, then those written to last."""
        members = {peer for peer in self.peers if self.group_of(peer) == group}
        pins = [peer for peer in self.pins.get(group, ()) if peer in members]
        others = sorted(members.difference(pins), key=lambda peer: (self.time_of(peer), peer), reverse=True)
        return pins + others

    def time_of(self, peer: int) -> int:
        newest = self.newest(peer)
        lowest = self.inclusions.get(peer, Inclusion()).min_timestamp
        return max(newest[0] if newest else 0, self.drafts.get(peer, 0), lowest or 0)

    def incoming(self, peer: int, tag: int) -> int:
        """How many of the incoming messages that are here carry a tag; 0: any."""
        return sum(
            name[1] == CLOUD and it.incoming and (not tag or bool(it.tags & tag))
            for name, it in self.of_chat(peer)
        )

    # ------------------------------------------------------------------------------------- what happens

    def write(self, name: Name, known: Known | None) -> None:
        """A message is this now; None: it is gone. Whoever counts hears of it."""
        old = self.messages.pop(name, None)
        if known is not None:
            self.messages[name] = known
        if name[1] == CLOUD and old != known:
            self.count_unread(name, old, known)
            self.count_tags(name, old, known)

    def count_unread(self, name: Name, old: Known | None, new: Known | None) -> None:
        peer, _, number = name
        was, now = old is not None and old.incoming, new is not None and new.incoming
        if (old and (old.timestamp, was)) == (new and (new.timestamp, now)) or not (was or now):
            return
        read = self.reads.get(peer)
        if read is None:
            self.doubt_read(peer)
        elif number > read.read_in and not (old is None and number <= read.known_to):
            # What changes goes and comes: where nothing was left, to take it off is a surprise.
            self.change_unread(peer, read, -int(was))
            self.change_unread(peer, read, int(now))

    def change_unread(self, peer: int, read: Read, more: int) -> None:
        if read.count + more < 0:
            self.doubt_read(peer)
        read.count = max(0, read.count + more)

    def count_tags(self, name: Name, old: Known | None, new: Known | None) -> None:
        peer, _, number = name
        for tag in COUNTED:
            was = old is not None and (not tag or bool(old.tags & tag))
            now = new is not None and (not tag or bool(new.tags & tag))
            if was == now:
                continue
            tagged = self.tagged.get((peer, tag))
            if tagged is None:
                self.doubt_tag(peer, tag)
                tagged = self.tagged[peer, tag] = Tagged()
            elif old is None and number <= tagged.valid_to:
                continue  # The server had it when it counted.
            tagged.count += int(now) - int(was)
            if tagged.count < 0:
                tagged.count = 0
                self.doubt_tag(peer, tag)

    def miss(self, peer: int, namespace: int, number: int | None = None) -> None:
        """A message that is not here, or any, was changed or deleted."""
        if namespace != CLOUD:
            return
        read = self.reads.get(peer)
        if read is None or number is None or number > read.read_in:
            self.doubt_read(peer)
        for tag in COUNTED:
            if (peer, tag) in self.tagged:
                self.doubt_tag(peer, tag)

    def doubt_read(self, peer: int) -> None:
        self.doubted_reads.add(peer)
        self.fresh_reads.add(peer)

    def doubt_tag(self, peer: int, tag: int) -> None:
        self.doubted_tags.add((peer, tag))
        self.fresh_tags.add((peer, tag))

    def put(self, message: t.Message) -> None:
        name = (message.peer_id, message.namespace, message.id)
        incoming = bool(message.flags & INCOMING)
        self.write(name, Known(message.timestamp, incoming, message.tags, message.text))

    def remove(self, peer: int, namespace: int, number: int) -> None:
        if (peer, namespace, number) in self.messages:
            self.write((peer, namespace, number), None)
        else:
            self.miss(peer, namespace, number)

    def set_tags(self, peer: int, number: int, put: int, take: int) -> None:
        old = self.messages.get((peer, CLOUD, number))
        if old is None:
            self.miss(peer, CLOUD, number)
        else:
            self.write((peer, CLOUD, number), old._replace(tags=old.tags & ~take | put))

    def open_hole(self, peer: int, tag: int, lower: int, upper: int) -> None:
        points = covered(lower, upper)
        if not points:
            return
        news = points - self.holes[peer, tag]
        for space in HOLE_TAGS if tag == 0 else (tag,):
            self.holes[peer, space] |= points
        if tag != 0 or not news:
            return
        highest = max(points)
        read = self.reads.get(peer)
        if read is not None and highest > read.read_in:
            self.doubt_read(peer)
        for counted in COUNTED:
            tagged = self.tagged.get((peer, counted))
            if tagged is not None and highest > tagged.valid_to:
                self.doubt_tag(peer, counted)

    def close_hole(self, peer: int, tag: int, lower: int, upper: int) -> None:
        for space in HOLE_TAGS if tag == 0 else (tag,):
            self.holes[peer, space] -= covered(lower, upper)

    def set_base(self, base: t.ReadBase) -> None:
        self.reads[base.peer_id] = Read(base.read_in, base.read_out, base.known_to, base.count, base.marked)

    def set_tag_base(self, peer: int, tag: int, count: int, valid_to: int) -> None:
        self.tagged[peer, tag] = Tagged(count, valid_to)

    def read_to(self, peer: int, number: int) -> None:
        read = self.reads.get(peer)
        if read is None:
            self.doubt_read(peer)
            return
        read.marked = False
        if number < read.read_in:
            return
        passed = [n for n in self.incoming_ids(peer) if read.read_in < n <= number]
        over = any(read.read_in < point <= number for point in self.holes[peer, 0])
        if over or len(passed) > read.count:
            self.doubt_read(peer)
        read.count = max(0, read.count - len(passed))
        if read.count and self.nothing_above(peer, number):
            read.count = 0
            self.doubt_read(peer)
        read.read_in = number

    def incoming_ids(self, peer: int) -> list[int]:
        return [name[2] for name, it in self.of_chat(peer) if name[1] == CLOUD and it.incoming]

    def nothing_above(self, peer: int, number: int) -> bool:
        """Whether all is read: nothing is above, or the newest is ours, and nothing is missing there."""
        ids = [name[2] for name, _ in self.of_chat(peer) if name[1] == CLOUD]
        newest = max(ids, default=0)
        if newest > number:
            if newest in self.incoming_ids(peer):
                return False
            number = newest
        return not any(point > number for point in self.holes[peer, 0])

    def include(self, peer: int) -> Inclusion:
        return self.inclusions.setdefault(peer, Inclusion())
