"""The laws of the tracker: who is told what, in which order, and who shares a view.

A model subscriber remembers the snapshot it had; after every commit each must have got one emission
exactly if a freshly loaded snapshot differs from that.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from tests.property.view_laws import Step, plain, starts, steps
from tests.unit.views.fakes import BY_RANK, ISSUES, PEOPLE, FakeStore, issue_key

from pillarbox.views import (
    Builder,
    Delivery,
    Emission,
    Get,
    Readers,
    Scan,
    Subscription,
    Tracker,
    View,
    Why,
    deliver,
)


class Board(msgspec.Struct, frozen=True):
    """Key of a view of one project's issues."""

    project: int
    limit: int


class Who(msgspec.Struct, frozen=True):
    """Key of a view of one person."""

    person_id: int


def _board(key: Board, readers: Readers) -> View[Any]:
    issues = Scan(
        BY_RANK,
        prefix=lambda: bytes((key.project,)),
        newest_first=True,
        limit=lambda: key.limit,
        source=ISSUES,
        source_key=lambda row: issue_key(row.project, row.number),
    )
    return View(key, (issues,), lambda: {"issues": issues.value}, names=("issues",))  # type: ignore[arg-type]


def _who(key: Who, readers: Readers) -> View[Any]:
    person = Get(PEOPLE, at=lambda: key.person_id)
    return View(key, (person,), lambda: {"person": person.value}, names=("person",))  # type: ignore[arg-type]


BUILDERS: dict[type, Builder] = {Who: _who, Board: _board}
KINDS = list(BUILDERS)
keys: st.SearchStrategy[Any] = st.builds(Board, st.integers(1, 2), st.integers(0, 3)) | st.builds(
    Who, st.integers(0, 3)
)


class Reader:
    """A model subscriber."""

    def __init__(self, key: Any, subscription: Subscription[Any], born: int, view_born: int) -> None:
        self.key = key
        self.subscription = subscription
        self.place = (KINDS.index(type(key)), view_born, born)
        self.has: Any = None
        self.got: list[Emission[Any]] = []
        subscription.listen(self.got.append)


class TrackerMachine(RuleBasedStateMachine):
    """Subscribes, closes and commits at random."""

    def __init__(self) -> None:
        super().__init__()
        self.store = FakeStore()
        self.tracker = Tracker(BUILDERS, self.store.readers)
        self.readers: list[Reader] = []
        self.born = count()

    @rule(start=starts)
    def fill(self, start: Step) -> None:
        self.commit(start)

    @rule(key=keys)
    def subscribe(self, key: Any) -> None:
        twins = [reader for reader in self.readers if reader.key == key]
        self.store.log.clear()

        subscription = self.tracker.subscribe(key)

        assert not twins or not self.store.log, "a live view is loaded again"
        born = next(self.born)
        reader = Reader(key, subscription, born, twins[0].place[1] if twins else born)
        assert [emission.why for emission in reader.got] == [Why.INITIAL]
        reader.has = reader.got.pop().snapshot
        assert reader.has == self.fresh(key)
        assert not twins or reader.has is twins[0].has, "equal keys do not share"
        self.readers.append(reader)

    @precondition(lambda self: self.readers)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        reader = data.draw(st.sampled_from(self.readers))
        self.readers.remove(reader)

        reader.subscription.close()

        self.expect([])

    @rule(step=steps)
    def commit(self, step: Step) -> None:
        record = step.commit(self.store)

        deliveries = self.tracker.replay(record) if step.replayed else self.tracker.refresh_all()

        self.expect(deliveries)

    @rule(step=steps, data=st.data())
    def close_within_the_round(self, step: Step, data: st.DataObject) -> None:
        """Those closed before they were served get nothing."""
        deliveries = self.tracker.replay(step.commit(self.store))
        if deliveries:
            leaving, _ = data.draw(st.sampled_from(deliveries))
            leaving.close()
            self.readers = [reader for reader in self.readers if reader.subscription is not leaving]
            deliveries = [delivery for delivery in deliveries if delivery[0] is not leaving]

        self.expect(deliveries)

    def expect(self, deliveries: list[Delivery]) -> None:
        """Deliver, and hold what came against the model."""
        by_subscription = {id(reader.subscription): reader for reader in self.readers}
        places = [by_subscription[id(subscription)].place for subscription, _ in deliveries]
        assert places == sorted(places), "out of order"
        assert len(set(places)) == len(places), "a subscription was served twice"
        deliver(deliveries)
        for reader in self.readers:
            fresh = self.fresh(reader.key)
            differs = plain(fresh) != plain(reader.has)
            assert len(reader.got) == differs, "not exactly one emission for a difference"
            if differs:
                emission = reader.got.pop()
                assert emission.why is Why.GENERIC
                assert emission.parts == tuple(fresh)
                assert plain(emission.snapshot) == plain(fresh)
                assert reader.subscription.latest is emission
                reader.has = emission.snapshot

    def fresh(self, key: Any) -> Any:
        """The snapshot as it should be."""
        return self.tracker.load_once(key, self.store.readers)

    @invariant()
    def nothing_is_left_without_readers(self) -> None:
        assert self.tracker.has_subscriptions == bool(self.readers)
        assert bool(self.tracker.interests) == bool(self.readers)


TestTracker = TrackerMachine.TestCase
