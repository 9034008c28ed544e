"""Boxes that share a file, played in one thread, and a model of what each is to be told of the others.

Depends on: the tracker of tests, box.  Never on: how boxes tell each other.

Laws. What a box replays of others is exactly the difference between the state it showed and the state now.
It loads anew exactly if others did what no journal tells since. A commit is journaled exactly if another box
listens, or if the one that commits cannot tell. A view shows what a fresh one does, and is told of it
exactly once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from hypothesis import strategies as st
from tests.unit.runtime.tracker_package import PACKAGE, Board, One, PutIssue, RemoveIssue, TrackerBox, issue

from pillarbox.box import Box
from pillarbox.box import others as others_module
from pillarbox.errors import PillarboxError, StoreFailed
from pillarbox.storage import journal as journal_module
from pillarbox.storage.journal import JOURNAL, Journal
from pillarbox.storage.presence import Presence
from pillarbox.tables import ChangeRecord

BOXES: Final = 3
#: So small that journals overflow in a few steps.
KEPT: Final = 4
BYTES: Final = 600
LUMP: Final = 2
#: A commit of more changed keys than this is told as the mark.
KEYS: Final = 30

State = dict[int, dict[Any, Any]]


class Step(NamedTuple):
    """One thing that happens: its kind, by which box, with what."""

    kind: str
    who: int
    what: Any = None


_numbers: Final = st.integers(1, 4)
_change: Final = st.builds(
    lambda project, number, rank, lane: PutIssue(issue(project, number, rank, lane=lane)),
    st.integers(1, 2), _numbers, st.integers(0, 3), st.integers(0, 2),
) | st.builds(RemoveIssue, st.integers(1, 2), _numbers)  # fmt: skip
_changes: Final = st.lists(_change, min_size=1, max_size=3)
_key: Final = st.builds(Board, st.integers(1, 2), st.integers(1, 3)) | st.builds(
    One, st.integers(1, 2), _numbers
)
_who: Final = st.integers(0, BOXES - 1)
_step: Final = st.one_of(
    st.builds(Step, st.just("commit"), _who, _changes),
    st.builds(Step, st.just("commit"), _who, _changes),
    st.builds(Step, st.just("poll"), _who, st.none()),
    st.builds(Step, st.just("watch"), _who, _key),
    st.builds(
        Step,
        st.sampled_from(("rush", "flood", "repair", "vacuum", "checkpoint", "leave", "go_blind")),
        _who,
        st.none(),
    ),
    st.builds(Step, st.sampled_from(("torn", "reopen")), _who, st.none() | _changes),
    st.builds(Step, st.just("within"), _who, st.tuples(_changes, _key)),
)
#: Nobody who watches, or some, and then anything.
histories: Final = st.tuples(st.lists(_key, max_size=2), st.lists(_step, max_size=25)).map(
    lambda drawn: [*(Step("watch", who, key) for who, key in enumerate(drawn[0])), *drawn[1]]
)


@contextmanager
def small_journals() -> Iterator[None]:
    """Journals that a few steps fill."""
    with (
        patch.object(journal_module, "ENTRIES_KEPT", KEPT),
        patch.object(journal_module, "BYTES_KEPT", BYTES),
        patch.object(journal_module, "_LUMP", LUMP),
        patch.object(others_module, "_KEYS_MAX", KEYS),
    ):
        yield


@dataclass
class Reader:
    """A subscription, what it was told since the last look, and what it showed then."""

    subscription: Any
    shown: Any
    heard: list[Any]


class Member:
    """One box, what it showed last, and what it is to be told."""

    def __init__(self, path: Path, *, is_blind: bool = False) -> None:
        #: It cannot see the others, nor they it.
        self.is_blind = is_blind
        with patch.object(Presence, "meet", lambda path: None) if is_blind else nullcontext():
            self.box: TrackerBox = Box(path, PACKAGE, durability="relaxed", busy_ms=20)
        self.box._watcher.stop()  # it looks when a step says so
        self.readers: list[Reader] = []
        self.is_registered = self.is_certain = False
        #: A commit of its own failed, so that views are ahead of the file; they may tell what they told.
        self.is_stale = self.may_repeat = False
        #: The last version that it knows, and whether the journal has all since.
        self.head = 0
        self.is_reached = True
        #: Of the commits of others since the last look: whether the journal tells it. None: it says nothing,
        #: and no row changed.
        self.behind: list[bool | None] = []
        self.state: State = {}
        self.replays: list[tuple[ChangeRecord, State]] = []
        self.refreshes = 0
        self.real: Any = self.box._tracker
        self.box._others._tracker = self  # type: ignore[assignment]  # stands before it

    @property
    def has_subscriptions(self) -> bool:
        return bool(self.real.has_subscriptions)

    def replay(self, record: ChangeRecord) -> Any:
        self.replays.append((record, self.state))
        return self.real.replay(record)

    @property
    def is_torn(self) -> bool:
        return bool(self.real.is_torn)

    def refresh_all(self, untold: Any = ()) -> Any:
        self.refreshes += 1
        return self.real.refresh_all(untold)


class SharedWorld:
    """Plays steps and holds every law after each."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.link = path.with_name(f"link to {path.name}")
        self.link.symlink_to(path)
        #: One of them came by another name.
        self.members = [Member(self.link if who == 0 else path) for who in range(BOXES)]

    def close(self) -> None:
        for member in self.members:
            member.box.close()
        self.link.unlink()

    def play(self, step: Step) -> None:
        for member in self.members:  # before a commit of its own takes old entries away
            member.is_reached = self._reaches(member)
        getattr(self, f"_{step.kind}")(self.members[step.who], step.what)

    # ------------------------------------------------------------------------------------- steps

    def _commit(self, member: Member, operations: list[Any]) -> None:
        self._write(member, lambda: bool(member.box.replay(operations).changed))

    def _rush(self, member: Member, _: Any) -> None:
        """No more commits than a journal keeps, but of more bytes than it does, before anybody looks."""
        for _ in range(KEPT):
            rank = self._new_rank()
            self._commit(member, [PutIssue(issue(project, 1, rank)) for project in (1, 2)])

    def _flood(self, member: Member, _: Any) -> None:
        rank = self._new_rank()
        rows = [issue(project, number, rank % 100) for project in (1, 2) for number in range(1, 9)]
        self._write(member, lambda: bool(member.box.replay([PutIssue(row) for row in rows]).changed))

    def _torn(self, member: Member, changes: list[Any] | None) -> None:
        """A commit of one's own that does not land, after which one's views are loaded anew.

        With changes, another one makes these before it looks.
        """
        rank = self._new_rank()
        with patch.object(member.box._engine, "commit", side_effect=StoreFailed("a.box", "torn")):
            try:
                member.box.replay([PutIssue(issue(1, 1, rank))])
            except StoreFailed:
                self._met(member)
                self._check(member)
                member.is_stale = member.may_repeat = True
                member.is_certain = member.is_registered
            except PillarboxError:  # refused before it came to that
                self._met(member)
        if changes is not None:
            self._commit(self._next(member), changes)
            self._poll(member, None)

    def _poll(self, member: Member, _: Any) -> None:
        assert member.box.poll() == bool(member.behind or member.is_stale)
        self._met(member)
        self._check(member)

    def _watch(self, member: Member, key: Any, *, amid: bool = False) -> None:
        heard: list[Any] = []
        subscription = member.box.watch(key, every=True)
        if not member.is_registered and not member.is_blind:
            member.is_registered, member.is_certain, member.behind = True, not amid, []
        self._met(member)
        subscription.listen(heard.append)
        member.readers.append(Reader(subscription, heard.pop().snapshot, heard))
        self._check(member)

    def _leave(self, member: Member, _: Any) -> None:
        for reader in member.readers:
            reader.subscription.close()
        member.readers = []

    def _reopen(self, member: Member, changes: list[Any] | None) -> None:
        """With changes, another one makes these then, who may have been told of the one that closed."""
        other = self._next(member)
        member.box.close()
        self.members[self.members.index(member)] = Member(self.path)
        if changes is not None:
            self._commit(other, changes)

    def _go_blind(self, member: Member, _: Any) -> None:
        member.box.close()
        self.members[self.members.index(member)] = Member(self.path, is_blind=True)

    def _vacuum(self, member: Member, _: Any) -> None:
        self._foreign(member, "VACUUM")

    def _repair(self, member: Member, _: Any) -> None:
        """Somebody writes rows past the box, and says so."""
        member.box._engine.begin()
        self._meet_if(member)
        member.box._others._journal.mark()
        member.box._own_tables[1]._engine.remove_many(member.box._own_tables[1].spec.layout, [b"\xff\xff"])
        member.box._engine.commit()
        member.box._others._journal.look()
        for other in self.members:
            if other is not member:
                other.behind.append(False)

    def _checkpoint(self, member: Member, _: Any) -> None:
        member.box._engine.checkpoint()

    def _within(self, member: Member, what: tuple[list[Any], Any]) -> None:
        """Another box begins to watch while this one is in a transaction."""
        operations, key = what
        other = self._next(member)

        def write() -> bool:
            was = self._dump()
            with member.box.transaction() as tx:
                self._met(member)
                self._watch(other, key, amid=True)
                for operation in operations:
                    operation.apply(tx)
            return self._dump() != was

        self._write(member, write)

    def _next(self, member: Member) -> Member:
        return self.members[(self.members.index(member) + 1) % BOXES]

    def _new_rank(self) -> int:
        """Above that of any row."""
        return max((row.rank for row in self._dump()[1].values()), default=0) + 1

    # -------------------------------------------------------------------------------------- laws

    def _foreign(self, member: Member, sql: str) -> None:
        member.box._engine._run(sql)  # type: ignore[attr-defined]  # of SQLite
        for other in self.members:
            if other is not member and other.box._engine.data_version() != other.box._others._seen:
                other.behind.append(None)

    def _meet_if(self, member: Member) -> None:
        if member.box._others.moved():
            member.box._others.meet()
        member.box._drain()
        self._met(member)
        self._check(member)

    def _write(self, member: Member, write: Any) -> None:
        head = self._head(member)
        was = self._dump()
        try:
            changed = write()
        except PillarboxError:
            changed = False
        self._met(member, was)
        now = self._dump()
        listened = any(other.is_registered for other in self.members if other is not member)
        journaled = changed and (listened or member.is_blind)
        assert self._head(member) == head + journaled, "journaled, or not"
        assert len(self._versions(member)) <= KEPT + KEPT // LUMP, "it grows"
        member.head = self._head(member)
        if changed:
            keys = sum(len(it) for it in difference(was, now).values())
            member.is_certain = member.is_registered
            for other in self.members:
                if other is not member:
                    other.behind.append(listened and keys <= KEYS and not member.is_blind)
        member.state = now
        self._check(member)

    def _met(self, member: Member, now: State | None = None) -> None:
        """The member has looked: it replayed, or loaded anew, or there was nothing."""
        now = self._dump() if now is None else now
        told = [it for it in member.behind if it is not None]
        if not (member.behind or member.is_stale) or not member.readers:
            assert (member.replays, member.refreshes) == ([], 0), "there was no need to look"
        elif told and all(told) and member.is_reached and member.is_certain and not member.is_stale:
            assert len(member.replays) == 1, "it was not replayed"
            assert member.refreshes == 0, "it was loaded anew, though the journal tells all"
            assert member.replays[0][0].tables == difference(member.state, now), "not what was done"
        else:
            assert (member.replays, member.refreshes) == ([], 1), "no journal tells that"
        if member.behind and member.is_registered:
            member.is_certain = True
        member.is_stale, member.head = False, self._head(member)
        member.behind, member.replays, member.refreshes, member.state = [], [], 0, now

    def _check(self, member: Member) -> None:
        for reader in member.readers:
            fresh = member.box.get(reader.subscription.key)
            told = [reader.shown, *(emission.snapshot for emission in reader.heard)]
            if not member.may_repeat:
                assert all(one != other for one, other in pairwise(told)), "it was told what it knew"
            assert told[-1] == fresh, "not as if loaded"
            assert len(told) <= 3, "once for what others did, and once for what was done here"
            reader.shown = fresh
            reader.heard.clear()
        member.may_repeat = member.is_stale

    def _reaches(self, member: Member) -> bool:
        """Whether the journal has an entry for each commit that the member did not see."""
        versions = self._versions(member)
        missed = set(range(member.head + 1, max(versions, default=0) + 1))
        return len(missed) <= KEPT and missed <= versions

    def _versions(self, member: Member) -> set[int]:
        if not self._head(member):
            return set()
        return {key for key, _ in member.box._engine.scan(JOURNAL, None, None) if isinstance(key, int)}

    def _head(self, member: Member) -> int:
        journal = Journal(member.box._engine)
        journal.look()
        return journal.head

    def _dump(self) -> State:
        with self.members[0].box.reading() as tables:
            return {number: dict(table.scan_cells(None, None)) for number, table in tables.by_id().items()}


def difference(was: State, now: State) -> dict[int, dict[Any, tuple[Any, Any]]]:
    """As a change record has it."""
    found = {
        number: {
            key: (old, new)
            for key in {**was[number], **rows}
            if (old := was[number].get(key)) != (new := rows.get(key))
        }
        for number, rows in now.items()
    }
    return {number: changes for number, changes in found.items() if changes}


assert JOURNAL.id not in {spec.id for spec in PACKAGE.specs}
