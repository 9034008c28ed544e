"""A server of the messenger, by hand: what it pushes, and what boxes should hold in the end.

Depends on: messenger_answers, the generated structs and the protocol's claims.  Never on: what operations do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from tests.sim.messenger_answers import MessengerAnswers, channel_of, shows
from tests.sim.messenger_fold import is_channel
from tests.sim.messenger_history import (
    ACCOUNT,
    CHANNEL,
    CHANNELS,
    CHATS,
    OWN,
    PEOPLE,
    PTS,
    QTS,
    SEQ,
    channel_pts,
)

from pillarbox.box import Package
from pillarbox.sync.claims import Instance, Position
from pillarbox.sync.protocol import SyncProtocol, Tables, Update
from pillarbox.testing import Domain, Own
from pillarbox.views import ViewKey
from pillarbox_messenger.box import PACKAGE
from pillarbox_messenger.containers import (
    AffectedHistory,
    AffectedMessages,
    Container,
    Updates,
    UpdatesCombined,
    UpdateShort,
    UpdateShortChatMessage,
    UpdateShortMessage,
    UpdateShortSentMessage,
    UpdatesTooLong,
)
from pillarbox_messenger.keys import channel_key
from pillarbox_messenger.operations import AddMessages, DeleteByGlobalIds, DeleteIds, ReadInbox
from pillarbox_messenger.protocol import PROTOCOL
from pillarbox_messenger.requests import (
    GetChannelDifference,
    ReceivedQueue,
    Request,
)
from pillarbox_messenger.types import (
    Message,
    MessageFlags,
    MessageNamespace,
    MessagePlace,
    PeerId,
)
from pillarbox_messenger.updates import (
    UpdateChannel,
    UpdateChannelTooLong,
    UpdateNewChannelMessage,
    UpdateNewMessage,
    UpdatePtsChanged,
    UpdateReadHistoryInbox,
    UpdateUserStatus,
)
from pillarbox_messenger.views import ChatList, MessageHistory

CLOUD: Final = MessageNamespace.CLOUD


@dataclass
class MessengerServer(MessengerAnswers):
    """The service, as one account sees it."""

    _pending: list[Update] = field(default_factory=list, init=False)
    #: Channels that could not be asked about at some time.
    _was_refused: set[PeerId] = field(default_factory=set, init=False)
    #: Chats that the client read: an answer made before the server knew of it may take that back.
    _read_here: set[PeerId] = field(default_factory=set, init=False)
    #: Chats that somebody who is told everything in order knows.
    _introduced: set[PeerId] = field(default_factory=set, init=False)

    @property
    def package(self) -> Package[Any, Any]:
        return PACKAGE

    @property
    def protocol(self) -> SyncProtocol:
        return PROTOCOL

    # ------------------------------------------------------------------------------ what happens

    def change(self, random: Random) -> Sequence[Container]:
        self.at += 1
        update = self._next(random)
        channel = channel_of(update)
        if channel is not None and shows(update) is not None and random.random() < self.knobs.hinted:
            update = UpdateChannelTooLong(channel, random.choice((None, self.log(channel_pts(channel)).end)))
        self._pending.append(update)
        asked: list[Container] = []
        if random.random() < self.knobs.asking:
            if random.random() < 0.3:
                asked.append(UpdatesTooLong())
            elif random.random() < 0.5:
                self._pending.append(UpdatePtsChanged())
            else:
                self._pending.append(UpdateChannel(random.choice(CHANNELS)))
        if random.random() < self.knobs.bundle:
            return asked
        return [*self._flushed(random), *asked]

    def finish(self) -> Sequence[Container]:
        """What was held back; and where silence is not broken by itself, a word of each counter."""
        self._is_over = True
        random, found = self.random, [*self._flushed(self.random)]
        if not self.knobs.idle_poll:
            for chat in (PEOPLE[1].peer_id, *CHANNELS):
                self.at += 1
                self._pending.append(self._said(random, chat))
            self.at += 1
            self._pending.append(self._secret(random))
            found += self._flushed(random, numbered=True)
        return found

    def own(self, random: Random, tables: Tables) -> tuple[Own | None, Sequence[Container]]:
        self.at += 1
        chat = random.choice([*self.fold.chats, PEOPLE[1].peer_id])
        kind = random.random()
        message = self._message(random, chat) if chat in self.fold.chats else None
        if chat in self._untold():
            return None, ()
        if message is not None and kind < 0.3:
            is_here = tables.message.get(chat, CLOUD, message.timestamp, message.id) is not None
            if not is_here:
                return None, ()
            update = self._deleted(random, message)
            done: Any = DeleteIds(chat, CLOUD, (message.id,))
            if not is_channel(chat):
                done = DeleteByGlobalIds((message.id,))
            answer: Container = _affected(chat, update)
        elif message is not None and kind < 0.6 and not is_channel(chat):
            top = self.fold.top(chat)
            update = self._counted(
                random,
                chat,
                lambda pts, n: UpdateReadHistoryInbox(
                    peer=chat, max_id=top, still_unread_count=0, pts=pts, pts_count=n
                ),
            )
            done = ReadInbox(chat, CLOUD, top)
            self._read_here.add(chat)
            answer = AffectedHistory(pts=update.pts, pts_count=update.pts_count, offset=0)
        else:
            update = self._said(random, chat, is_own=True)
            sent: Message = update.message
            self._sent.add((chat, sent.id))
            done = AddMessages((sent,), MessagePlace.ANYWHERE)
            answer = UpdateShortSentMessage(True, sent.id, update.pts, update.pts_count, self.at)
            if is_channel(chat):
                answer = _affected(chat, update)
        self._pending.append(update)
        mark = self.mark(update)
        return Own((done,), answer, () if mark is None else (mark,)), self._flushed(random)

    def forget(self, random: Random) -> None:
        channels = [channel_pts(channel) for channel in CHANNELS if channel_pts(channel) in self.logs]
        log = self.log(random.choice((PTS, *channels)))
        if log.entries:
            log.horizon = random.choice(log.entries[-3:]).end

    def refuse(self, random: Random) -> None:
        channel = random.choice(CHANNELS)
        self._refused.add(channel)
        self._was_refused.add(channel)

    def allow(self) -> None:
        self._refused.clear()

    # ------------------------------------------------------------------------------------ containers

    def _flushed(self, random: Random, *, numbered: bool = False) -> list[Container]:
        updates = [update for update in self._pending if channel_of(update) not in self._untold()]
        self._pending.clear()
        if not updates:
            return []
        self.at += 1
        if random.random() < self.knobs.shuffled:
            random.shuffle(updates)
        if not numbered and random.random() < self.knobs.unnumbered:
            return [self._unnumbered(random, updates)]
        others = tuple(update for update in updates if not is_of_account(update))
        marks = [mark for it in others if isinstance(it, UpdateUserStatus) and (mark := self.mark(it))]
        count = random.randint(2, 3) if random.random() < self.knobs.ranged else 1
        # All that travels with it, and its date, by which the client asks for it.
        entry = self.logged(SEQ, count, (others, self.at), marks)
        users, chats = self._peers(random, updates)
        if count == 1:
            return [Updates(updates=tuple(updates), users=users, chats=chats, date=self.at, seq=entry.end)]
        return [
            UpdatesCombined(
                updates=tuple(updates),
                users=users,
                chats=chats,
                date=self.at,
                seq_start=entry.start + 1,
                seq=entry.end,
            )
        ]

    def _unnumbered(self, random: Random, updates: Sequence[Update]) -> Container:
        if len(updates) == 1 and random.random() < 0.7:
            short = self._short(updates[0])
            if short is not None:
                return short
        users, chats = self._peers(random, updates)
        return Updates(updates=tuple(updates), users=users, chats=chats, date=self.at, seq=0)

    def _short(self, update: Update) -> Container | None:
        """As a container that brings nobody; where nothing may be asked for, only of who is known."""
        if not isinstance(update, (UpdateNewMessage, UpdateNewChannelMessage)):
            return UpdateShort(update, self.at)
        message = update.message
        if message.peer_id not in self._introduced and self.knobs.is_calm:
            return None
        if isinstance(update, UpdateNewChannelMessage):
            return None if self.knobs.is_calm else UpdateShort(update, self.at)
        out = not message.flags & MessageFlags.INCOMING
        said: dict[str, Any] = {"id": message.id, "message": message.text, "date": message.timestamp}
        said |= {"pts": update.pts, "pts_count": update.pts_count, "out": out}
        said |= {"mentioned": False, "media_unread": False}
        if message.peer_id in {chat.peer_id for chat in CHATS}:
            return UpdateShortChatMessage(from_id=message.author_id or OWN, chat_id=message.peer_id, **said)
        return UpdateShortMessage(user_id=message.peer_id, own_id=OWN, **said)

    def _peers(self, random: Random, updates: Sequence[Update]) -> tuple[Any, Any]:
        """Those whom it speaks of, and in a world that is not calm sometimes nobody."""
        if not self.knobs.is_calm and random.random() < 0.1:
            return (), ()
        self._introduced.update(it.message.peer_id for it in updates if isinstance(it, UpdateNewMessage))
        return PEOPLE, self._chats()

    # ------------------------------------------------------------------------------------ what is true

    def asks_about(self, request: Request) -> Instance | None:
        return (
            (CHANNEL, channel_key(request.channel_id)) if isinstance(request, GetChannelDifference) else None
        )

    def confirmed(self, request: Request) -> tuple[Domain, int] | None:
        return (QTS, request.max_qts) if isinstance(request, ReceivedQueue) else None

    def watched(self) -> Sequence[Instance]:
        return [channel_pts(it)[:2] for it in CHANNELS if channel_pts(it) in self.logs]

    def views(self) -> Sequence[ViewKey[Any]]:
        return [ChatList(20), *(MessageHistory(chat, 100) for chat in self.fold.chats)]

    def is_excused(self, domain: Domain) -> bool:
        return domain[0] == CHANNEL and domain[1] in {channel_key(it) for it in self._was_refused}

    def evidence(self, instance: Instance, before: Position, after: Position) -> Iterator[tuple[Domain, int]]:
        if instance != (ACCOUNT, SEQ[1]) or before is None or after is None:
            return
        for entry in self.log(SEQ).between(before[2], after[2]):
            for update in entry.update[0]:
                channel, end = channel_of(update), shows(update)
                if channel is not None and end is not None:
                    yield channel_pts(channel), end

    def wrong(self, tables: Tables) -> Iterator[str]:
        known = [chat for chat in self.fold.chats if self._is_here(tables, chat)]
        counted = [chat for chat in known if chat not in self._read_here]
        yield from self.fold.wrong_messages(tables, known)
        yield from self.fold.wrong_counts(tables, counted)
        yield from self.fold.wrong_marks(
            tables, [it for it in counted if not is_channel(it) or self._hears_all(it)]
        )
        stored = sorted(row.job for row in tables.log.all())
        if len(stored) != len(self.fold.secrets):
            yield f"{len(stored)} secret messages, not {len(self.fold.secrets)}"

    def _hears_all(self, channel: PeerId) -> bool:
        """Whether all of it is told, and in order: also what nothing counts."""
        return self._is_sure

    def _is_here(self, tables: Tables, chat: PeerId) -> bool:
        return not is_channel(chat) or tables.channel.get(chat) is not None


def is_of_account(update: Update) -> bool:
    """Whether a counter of the account counts it."""
    claim = PROTOCOL.updates.claim(update)
    return claim is not None and claim.cursor == ACCOUNT


def _affected(chat: PeerId, update: Any) -> AffectedMessages:
    channel = chat if is_channel(chat) else None
    return AffectedMessages(channel_id=channel, pts=update.pts, pts_count=update.pts_count)
