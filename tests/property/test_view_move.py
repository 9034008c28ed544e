"""The laws of moving: as if subscribed anew, with nothing read that was held, and readers that go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.property.mutants import HARD, Fault
from tests.property.view_laws import Step, plain, starts, steps
from tests.unit.views.fakes import BY_RANK, ISSUES, PEOPLE, FakeReader, FakeStore, issue_key

from pillarbox.errors import UsageError
from pillarbox.storage import StoredKey
from pillarbox.tables import Cell
from pillarbox.views import (
    Emission,
    Get,
    Readers,
    Scan,
    Subscription,
    Tracker,
    View,
    Why,
    WindowAt,
    deliver,
    lane,
)
from pillarbox.views import seed as seed_module
from pillarbox.views.lane import Lane
from pillarbox.views.parts import Part
from pillarbox.views.seed import SeededReads


class CountingReader(FakeReader):
    """Remembers which keys were scanned."""

    __slots__ = ("scanned",)

    scanned: list[tuple[int, StoredKey]]

    def scan_cells(
        self,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[tuple[StoredKey, Cell]]:
        found = super().scan_cells(low, high, newest_first=newest_first, limit=limit)
        self.scanned.extend((self.spec.id, key) for key, _ in found)
        return found


class Page(msgspec.Struct, frozen=True):
    """Key of a view of issues about a place, by rank from an end, and of a project's first issues."""

    project: int
    at: int
    before: int
    after: int
    newest_first: bool


class Who(msgspec.Struct, frozen=True):
    """Key of a view of one person."""

    person_id: int


def page(key: Page, readers: Readers) -> View[Any]:
    about = WindowAt(
        ISSUES,
        prefix=lambda: bytes((key.project,)),
        anchor=lambda: issue_key(key.project, key.at),
        before_max=lambda: key.before,
        after_max=lambda: key.after,
    )
    ranked = Scan(
        BY_RANK,
        prefix=lambda: bytes((key.project,)),
        limit=lambda: key.after,
        newest_first=key.newest_first,
        source=ISSUES,
        source_key=lambda row: issue_key(row.project, row.number),
    )
    people = Scan(PEOPLE, prefix=lambda: b"", limit=lambda: key.before, newest_first=key.newest_first)
    few = Scan(ISSUES, prefix=lambda: b"", limit=lambda: 2, where=lambda row: row.open)
    parts: tuple[Part, ...] = (about, ranked, people, few)
    names = ("about", "ranked", "people", "few")
    return View(
        key,  # type: ignore[arg-type]  # made without `__snapshot__`, which only types need
        parts,
        lambda: {name: part.value for name, part in zip(names, parts, strict=True)},
        names=names,
    )


def who(key: Who, readers: Readers) -> View[Any]:
    person = Get(PEOPLE, at=lambda: key.person_id)
    return View(key, (person,), lambda: {"person": person.value}, names=("person",))  # type: ignore[arg-type]


keys = st.builds(
    Page, st.integers(1, 2), st.integers(0, 5), st.integers(0, 3), st.integers(0, 3), st.booleans()
)


class Reader:
    """A model subscriber."""

    def __init__(self, subscription: Subscription[Any], got: list[Emission[Any]]) -> None:
        self.subscription, self.got = subscription, got
        self.has: Any = None


class MoveMachine(RuleBasedStateMachine):
    """Subscribes, moves, closes and commits at random."""

    def __init__(self) -> None:
        super().__init__()
        #: Stretches hold nothing beyond what is shown, so that most have more behind them.
        self.slack = patch.object(lane, "_SLACK_MIN", 0)
        self.slack.start()
        self.store = FakeStore()
        self.scanned: list[tuple[int, StoredKey]] = []
        for number, reader in list(self.store.readers.items()):
            counting = CountingReader(reader.spec, self.store.tables[number], self.store.log)
            counting.scanned = self.scanned
            self.store.readers[number] = counting
        self.tracker = Tracker({Page: page, Who: who}, self.store.readers, on_move=self.move_now)
        self.readers: list[Reader] = []

    def move_now(self, subscription: Subscription[Any], key: Any) -> None:
        deliver(self.tracker.move(subscription, key))

    @rule(key=keys)
    def subscribe(self, key: Page) -> None:
        got: list[Emission[Any]] = []
        reader = Reader(self.tracker.subscribe(key).listen(got.append), got)  # type: ignore[arg-type]
        reader.has = got.pop().snapshot
        self.readers.append(reader)

    @precondition(lambda self: self.readers)
    @rule(data=st.data(), key=keys)
    def move(self, data: st.DataObject, key: Page) -> None:
        reader = data.draw(st.sampled_from(self.readers))
        before: Page = reader.subscription.key
        held = _held(reader.subscription.live)
        self.scanned.clear()

        reader.subscription.move(key)  # type: ignore[arg-type]

        assert not held & set(self.scanned), "what was held is read again"
        assert reader.subscription.key == key
        fresh = self.fresh(key)
        if key == before:
            assert not reader.got
            return
        [emission] = reader.got
        reader.got.clear()
        assert emission.why is Why.UPDATE_VISIBLE
        assert emission.parts == tuple([name for name in fresh if fresh[name] != reader.has[name]])
        assert plain(emission.snapshot) == plain(fresh)
        reader.has = emission.snapshot

    @precondition(lambda self: self.readers)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        reader = data.draw(st.sampled_from(self.readers))
        self.readers.remove(reader)
        reader.subscription.close()
        with pytest.raises(UsageError, match="is closed"):
            reader.subscription.move(Page(1, 1, 1, 1, False))  # type: ignore[arg-type]

    @precondition(lambda self: self.readers)
    @rule(data=st.data())
    def move_to_another_kind(self, data: st.DataObject) -> None:
        with pytest.raises(UsageError, match="a key of another view"):
            data.draw(st.sampled_from(self.readers)).subscription.move(Who(1))  # type: ignore[arg-type]

    @rule(step=starts | steps)
    def commit(self, step: Step) -> None:
        record = step.commit(self.store)

        deliver(self.tracker.replay(record) if step.replayed else self.tracker.refresh_all())

        for reader in self.readers:
            fresh = self.fresh(reader.subscription.key)
            assert len(reader.got) == (plain(fresh) != plain(reader.has)), "not one emission a difference"
            if reader.got:
                reader.has = reader.got.pop().snapshot
                assert plain(reader.has) == plain(fresh)

    def fresh(self, key: Page) -> Any:
        """The snapshot as it should be."""
        return self.tracker.load_once(key, self.store.readers)  # type: ignore[arg-type]

    def teardown(self) -> None:
        self.slack.stop()

    @invariant()
    def only_what_is_looked_at_lives(self) -> None:
        assert {view.key for view in self.tracker._views} == {it.subscription.key for it in self.readers}
        assert bool(self.tracker.interests) == bool(self.readers)


def _held(view: View[Any]) -> set[tuple[int, StoredKey]]:
    """What a view is sure to know of tables and indexes: the keys that it holds."""
    lanes: Sequence[Lane[Any]] = view.lanes()
    return {(lane.spec.id, key) for lane in lanes if lane.span() is not None for key in lane.keys}


TestMove = MoveMachine.TestCase

FAULTS = (
    Fault("nothing is seeded", Tracker, "_view", "if seed is None:", "if True:"),
    Fault("the old view is kept", Tracker, "move", "self._let_go(live)", "pass"),
    Fault(
        "a moved subscription stays where it was",
        Tracker,
        "move",
        "live.subscriptions.remove(subscription)",
        "pass",
    ),
    Fault("a held stretch ends a key too late", Lane, "span", "next_key(self.keys[-1])", "high"),
    Fault("a held stretch begins too early", Lane, "span", "(self.keys[0], high)", "(low, high)"),
    Fault(
        "rows that a condition rejects are thought absent",
        Lane,
        "span",
        "not self._counts_all()",
        "False",
    ),
    Fault("lanes that were never read seem empty", Lane, "span", "not self.keys or", ""),
    Fault("known rows come in the wrong order", SeededReads, "cells", "rows.reverse()", "pass"),
    Fault(
        "pieces come in the wrong order",
        SeededReads,
        "cells",
        "reversed(pieces) if newest_first else pieces",
        "pieces",
    ),
    Fault(
        "a gap between known stretches is skipped",
        seed_module,
        "_pieces",
        "pieces.append((at, one.low, None))",
        "pass",
    ),
    Fault("what lies beyond is skipped", seed_module, "_pieces", "pieces.append((at, last, None))", "pass"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, LookupError, ValueError, TypeError)):
        run_state_machine_as_test(MoveMachine, settings=HARD)


def test_an_iterator_goes_on_with_the_other_key() -> None:
    store = FakeStore()
    store.commit(issues=())
    tracker = Tracker(
        {Who: who},
        store.readers,
        on_move=lambda subscription, key: deliver(tracker.move(subscription, key)),
    )
    subscription: Subscription[Any] = tracker.subscribe(Who(1), every=True)  # type: ignore[arg-type]

    subscription.move(Who(2))  # type: ignore[arg-type]
    first, moved = next(subscription), next(subscription)
    subscription.close()

    assert [first.why, moved.why] == [Why.INITIAL, Why.UPDATE_VISIBLE]
    assert first.snapshot == moved.snapshot  # nobody stands there: the move is answered all the same
    assert moved.parts == ()
    assert list(subscription) == []


def test_views_watched_together_do_not_move() -> None:
    store = FakeStore()
    tracker = Tracker(
        {Who: who},
        store.readers,
        on_move=lambda subscription, key: deliver(tracker.move(subscription, key)),
    )
    both: Subscription[Any] = tracker.subscribe_over("both", [Who(1), Who(2)], lambda it: it)  # type: ignore[list-item]

    with pytest.raises(UsageError, match="a key of another view"):
        both.move(Who(1))  # type: ignore[arg-type]
