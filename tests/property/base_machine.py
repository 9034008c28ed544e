"""Random histories of a server and a client that follows it, for the words that hold a server's base.

The server adds, changes, moves, hides and deletes posts, and says what is seen. The client applies that in
order, jumps over stretches of it (new posts are then holes; the rest it still hears), asks for bases and
pages whose answers come late, early and in any order, rolls back and reopens its file.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, ClassVar, Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule
from tests.property.answered_client import ASSUMED_GROUP, Client
from tests.property.answered_rows import SPECS, row_of
from tests.property.answering_server import (
    GROUPS,
    LAST_ID,
    TAGS,
    BaseAnswer,
    Event,
    Gone,
    Moment,
    PageAnswer,
    Post,
    Put,
    Read,
    Server,
)

from pillarbox.storage import open_engine

groups = st.sampled_from(GROUPS)
few = st.integers(0, 7)
FORGOTTEN: Final = ("seen", "seen_late", "seen_at", "tagged", "talked", "guessed")


class Share:
    """How much of what a machine checks is sure, while a `with` block lasts."""

    def __init__(self, machine: type[BaseMachine]) -> None:
        self._machine = machine
        self._tally: dict[str, list[int]] = {}

    def __enter__(self) -> Share:
        self._machine.tally = self._tally
        return self

    def __exit__(self, *_: object) -> None:
        self._machine.tally = {}

    def of(self, word: str) -> float:
        checks, sure = self._tally[word]
        return sure / checks

    def __repr__(self) -> str:
        return str({word: f"{self.of(word):.0%}" for word in self._tally})


class BaseMachine(RuleBasedStateMachine):
    """Looks at `words`; with `gaps` there are holes and pages as well, for words that know of holes."""

    in_file = False
    gaps = True
    words: ClassVar[tuple[str, ...]] = ()
    #: Word -> (checks, of which something was sure), over all runs.
    tally: ClassVar[dict[str, list[int]]] = {}

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory() if self.in_file else None
        self.path = str(Path(self.folder.name) / "a.box") if self.folder else ":memory:"
        self.server = Server()
        #: How many events are applied, inside the transaction and as committed.
        self.cursor = self.committed = 0
        self.bases: list[BaseAnswer] = []
        self.pages: list[PageAnswer] = []
        self.engine = open_engine(self.path, durability="relaxed")
        self.client = Client(self.engine)
        self.engine.begin()
        for spec in SPECS:
            self.engine.create(spec.layout)
        self.engine.commit()

    def teardown(self) -> None:
        self.engine.close()
        if self.folder:
            self.folder.cleanup()

    # ------------------------------------------------------------------------------------- server

    @rule(group=groups, tags=st.integers(0, 3), mine=st.booleans(), hidden=st.booleans(), early=few)
    def post(self, group: int, tags: int, mine: bool, hidden: bool, early: int) -> None:
        number = self.server.now.given.get(group, 0) + 1
        if number <= LAST_ID:
            at = max(100 + number - early, 1)
            self.server.happen(
                Put(Post(group, number, at, tags, mine and bool(early & 1), hidden and bool(early & 2)))
            )

    @rule(which=few, change=st.sampled_from(("tags", "mine", "hidden", "at")), value=st.integers(0, 3))
    def change(self, which: int, change: str, value: int) -> None:
        post = self.some(which)
        if post is not None:
            fields: dict[str, Any] = {
                "tags": value,
                "mine": bool(value & 1),
                "hidden": bool(value & 1),
                "at": 100 + post.id + value,
            }
            self.server.happen(Put(Post(**{**post.__dict__, change: fields[change]})))

    @rule(which=few)
    def delete(self, which: int) -> None:
        post = self.some(which)
        if post is not None:
            self.server.happen(Gone(post.group, post.id))

    @rule(which=few)
    def read(self, which: int) -> None:
        post = self.some(which)
        if post is not None:
            self.server.happen(Read(post.group, post.id, post.at))

    def some(self, which: int) -> Post | None:
        """One of the newest posts."""
        posts = sorted(self.server.now.posts.values(), key=lambda post: (-post.id, post.group))
        return posts[which % len(posts)] if posts else None

    # ------------------------------------------------------------------------------------- client

    def begin(self) -> Client:
        if not self.client.is_open:
            self.client.begin()
            self.cursor = self.committed
        return self.client

    @rule(events=st.integers(1, 4), look=st.booleans())
    def follow(self, events: int, look: bool) -> None:
        """Apply the next events."""
        self.begin()
        self.follow_to(self.cursor + events)
        if look:
            self.check()

    def follow_to(self, clock: int) -> None:
        for event in self.server.events[self.cursor : clock]:
            self.apply(event)
            self.cursor += 1

    def apply(self, event: Event) -> None:
        tx = self.client
        match event:
            case Put(post) if not self.is_new(event) and tx.posts.stored(post.group, post.id) is None:
                tx.posts.missed(group=post.group, id=post.id)
            case Put(post):
                tx.posts.put(row_of(post))
            case Gone(group, id):
                tx.posts.remove(group, id)
            case Read(group, id, at):
                key = bytes((group,))
                tx.seen.advance_at(key, 0, (id,))
                tx.seen_late.advance_at(key, 0, (id,))
                tx.seen_at.advance_at(key, 0, (at, id))

    def is_new(self, event: Put) -> bool:
        """Whether this is the first word of a post."""
        group, number = event.post.group, event.post.id
        first = next(
            other
            for other in self.server.events
            if isinstance(other, Put) and (other.post.group, other.post.id) == (group, number)
        )
        return first is event

    @precondition(lambda self: self.gaps)
    @rule(holes_first=st.booleans(), bases=st.booleans())
    def jump(self, holes_first: bool, bases: bool) -> None:
        """All that is new is skipped and known to be missing; the rest is heard. Bases may come with it."""
        tx = self.begin()
        skipped = self.server.events[self.cursor :]
        new = [event for event in skipped if isinstance(event, Put) and self.is_new(event)]
        rest = [event for event in skipped if event not in new]
        if not holes_first:
            self.apply_all(rest)
        for group in GROUPS:
            missing = [event.post.id for event in new if event.post.group == group]
            if missing:
                tx.holes.add_range(group, min(missing), max(missing))
        if holes_first:
            self.apply_all(rest)
        self.cursor = self.server.clock
        for group in GROUPS if bases else ():
            self.ask_and_take(group)

    def apply_all(self, events: list[Event]) -> None:
        for event in events:
            self.apply(event)

    # ------------------------------------------------------------------------------------ answers

    @rule(group=groups)
    def ask_base(self, group: int) -> None:
        """The answer is made now, and comes later."""
        tx = self.begin()
        versions = {
            (word, key): row.version
            for word, table in tx.stale.items()
            for key in self.keys(word, group)
            if (row := table.row_at(key)) is not None
        }
        self.bases.append(BaseAnswer(group, self.server.clock, self.server.now, versions))

    @precondition(lambda self: self.bases)
    @rule(which=few, patient=st.booleans())
    def take_base(self, which: int, patient: bool) -> None:
        """Somebody patient first applies all that happened before the answer was made."""
        tx = self.begin()
        answer = self.bases.pop(-1 - which % len(self.bases))
        if patient:
            self.follow_to(answer.as_of)
        for (word, key), version in answer.versions.items():
            tx.stale[word].confirm_key(key, version)
        self.anchor(answer)

    @rule(group=groups, word=st.sampled_from(FORGOTTEN), truly=few)
    def forget(self, group: int, word: str, truly: int) -> None:
        """The client forgets what was said of a group; seldom, or it would know nothing."""
        for key in self.keys(word, group) if truly == 0 else ():
            getattr(self.begin(), word).remove_at(key)

    @rule(group=groups)
    def refresh(self, group: int) -> None:
        """A base that comes at once to who has applied everything."""
        self.begin()
        self.follow_to(self.server.clock)
        self.ask_and_take(group)
        self.check()

    def ask_and_take(self, group: int) -> None:
        self.ask_base(group)
        self.take_base(0, False)

    def anchor(self, answer: BaseAnswer) -> None:
        tx = self.client
        key, moment, group = bytes((answer.group,)), answer.moment, answer.group
        current = answer.as_of == self.cursor
        posts = moment.of(group)
        top = max((post.id for post in posts), default=0)
        seen, seen_at = (moment.seen.get(group, 0),), moment.seen_at.get(group, (0, 0))
        tx.seen.anchor_at(key, {0: seen}, moment.unseen(group), (top,), current=current)
        tx.seen_late.anchor_at(key, {0: seen}, moment.unseen(group), current=current)
        tx.seen_at.anchor_at(key, {0: seen_at}, moment.unseen_at(group), current=current)
        tx.talked.anchor_at(key, {0: moment.talked(group)}, {0: top}, current=current)
        tx.guessed.anchor_at(key, {0: moment.talked(group)}, {}, current=current)
        for tag in TAGS:
            count = moment.tagged(group, tag)
            tx.tagged.anchor_at(bytes((group, tag)), {0: count}, {0: top}, current=current)

    @precondition(lambda self: self.gaps)
    @rule(group=groups, low=st.integers(1, 12), width=few)
    def ask_page(self, group: int, low: int, width: int) -> None:
        high = low + width
        posts = tuple(post for post in self.server.now.of(group) if low <= post.id <= high)
        self.pages.append(PageAnswer(group, low, high, self.server.clock, posts))

    @precondition(lambda self: self.gaps)
    @rule(group=groups, low=st.integers(1, 12), width=few, look=st.booleans())
    def fetch(self, group: int, low: int, width: int, look: bool) -> None:
        """A page that comes at once to who has applied everything."""
        self.begin()
        self.follow_to(self.server.clock)
        self.ask_page(group, low, width)
        self.accept(self.pages.pop())
        if look:
            self.check()

    @precondition(lambda self: self.pages)
    @rule(which=few)
    def take_page(self, which: int) -> None:
        """A page that is older than what was applied is asked for again, and not taken."""
        self.begin()
        page = self.pages.pop(-1 - which % len(self.pages))
        if page.as_of >= self.cursor:
            self.accept(page)

    def accept(self, page: PageAnswer) -> None:
        tx = self.client
        for post in page.posts:
            self.apply_found(post)
        tx.holes.cut_range(page.group, page.low, page.high)
        if page.as_of > self.cursor:
            for word, table in tx.stale.items():
                for key in self.keys(word, page.group):
                    table.mark_key(key)

    def apply_found(self, post: Post) -> None:
        self.client.posts.put(row_of(post))

    # ----------------------------------------------------------------------------------- the ends

    @precondition(lambda self: self.client.is_open)
    @rule()
    def look(self) -> None:
        self.check()

    @precondition(lambda self: self.client.is_open)
    @rule()
    def commit(self) -> None:
        self.client.seal()
        self.client.commit()
        self.committed = self.cursor
        self.begin()
        self.check()

    @precondition(lambda self: self.client.is_open)
    @rule()
    def rollback(self) -> None:
        self.client.rollback()
        self.begin()
        self.check()

    @precondition(lambda self: self.in_file)
    @rule()
    def reopen(self) -> None:
        self.engine.close()
        self.engine = open_engine(self.path, durability="relaxed")
        self.client = Client(self.engine)
        self.begin()
        self.check()

    # ------------------------------------------------------------------------------------ the law

    def keys(self, word: str, group: int) -> list[bytes]:
        return [bytes((group, tag)) for tag in TAGS] if word == "tagged" else [bytes((group,))]

    def is_stale(self, word: str, key: bytes) -> bool:
        return self.client.stale[word].row_at(key) is not None

    def check(self) -> None:
        """What is not stale is what the server had at the cursor, and nothing is below zero."""
        moment = self.server.moments[self.cursor]
        stored = self.client.posts.rows_between(None, None)
        for word in self.words:
            for group in GROUPS:
                for key in self.keys(word, group):
                    self.check_one(word, key, moment)
                    if word == "tagged":
                        row = self.client.tagged.row_at(key)
                        others = sum(
                            it.group == group and it.tags >> key[1] & 1 and not it.mine for it in stored
                        )
                        assert (0 if row is None else row.others) == others, "a sum that no server gives"

    def check_one(self, word: str, key: bytes, moment: Moment) -> None:
        tx = self.client
        row = getattr(tx, word).row_at(key)
        tally = self.tally.setdefault(word, [0, 0])
        tally[0] += 1
        if row is None and not (word == "seen" and key[0] == ASSUMED_GROUP):
            return
        count, expected = 0 if row is None else self.told(word, row), self.true(word, key, moment)
        assert count >= 0
        if tx.stale[word].row_at(key) is None:
            tally[1] += 1
            assert count == expected, f"{word} of {list(key)}"

    def told(self, word: str, row: Any) -> int:
        count: int = row.unseen if word.startswith("seen") else row.posts
        return count

    def true(self, word: str, key: bytes, moment: Moment) -> int:
        group = key[0]
        match word:
            case "seen" | "seen_late":
                return moment.unseen(group)
            case "seen_at":
                return moment.unseen_at(group)
            case "tagged":
                return moment.tagged(group, key[1])
        return moment.talked(group)
