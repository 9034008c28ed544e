"""The law of anchors that are found once: who shares a view, what is told first, what is found late."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from tests.property.mutants import HARD, Fault
from tests.property.test_view_wanted import steps
from tests.property.window_world import IDS, ITEMS, RANGES, Step, World

from pillarbox.views import (
    AtId,
    Emission,
    Get,
    Ids,
    LaneAt,
    LaneWindow,
    RangeHoles,
    Readers,
    Subscription,
    Tracker,
    View,
    Why,
    deliver,
)


class About(msgspec.Struct, frozen=True):
    """Key of a view of lane 1 about an id; the line under that id is held."""

    at: int


def about(key: About, readers: Readers) -> View[Any]:
    stamp = Get(IDS, at=lambda: bytes((1, key.at)))
    window = LaneWindow(
        ITEMS,
        lanes=lambda: [LaneAt(ITEMS, b"\1", holes=b"\1", item=1)],
        anchor=lambda: AtId(b"\1", bytes((1, key.at)), key.at, 1, unread=True),
        before_max=lambda: 2,
        after_max=lambda: 2,
        ids=Ids(IDS, suffix=lambda row: bytes((row.time, row.id)), id=lambda row: row.id),
        holes=RangeHoles(RANGES, id_of=lambda row: row.id, edges=lambda row: (row.lower, row.upper)),
    )
    return View(
        key,  # type: ignore[arg-type]  # made without `__snapshot__`, which only types need
        (stamp, window),
        lambda: (stamp.value is not None, window.value),
        names=("stamp", "window"),
        held=(stamp,),
    )


class Reader:
    """A model subscriber: what was true when it came; where its anchor was found, None while it was not."""

    def __init__(self, key: About, stored: bool, found: Any, subscription: Subscription[Any]) -> None:
        self.key, self.stored, self.found = key, stored, found
        self.subscription = subscription
        self.got: list[Emission[Any]] = []
        subscription.listen(self.got.append)
        self.first = self.got.pop()


class AnchorMachine(RuleBasedStateMachine):
    """Subscribes, closes and commits at random."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.tracker = Tracker({About: about}, self.world.readers)
        self.readers: list[Reader] = []

    def place(self, at: int) -> Any:
        """Where the anchor is found now, by definition."""
        if at in self.world.missing.get(1, ()):
            return None
        above = [id_ for lane, id_ in sorted(self.world.items) if lane == 1 and id_ >= at]
        return (self.world.items[1, above[0]].time, above[0]) if above else "newest"

    @rule(at=st.integers(1, 7))
    def subscribe(self, at: int) -> None:
        key, stored, found = About(at), (1, at) in self.world.items, self.place(at)
        twins = [it for it in self.readers if (it.key, it.stored, it.found) == (key, stored, found)]
        before = len(list(self.tracker._views))
        self.world.log.clear()

        reader = Reader(key, stored, found, self.tracker.subscribe(key))  # type: ignore[arg-type]

        assert len(list(self.tracker._views)) == before + (not twins)
        if twins:
            assert reader.first.snapshot is twins[0].subscription.latest.snapshot
            assert ("scan", "items") not in self.world.log, "rows were read to find out who shares"
        is_place = isinstance(found, tuple)
        assert reader.first.why is (Why.INITIAL_UNREAD if is_place else Why.INITIAL)
        assert reader.first.at == ((1, *found) if is_place else None)
        self.readers.append(reader)

    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        if self.readers:
            reader = data.draw(st.sampled_from(self.readers))
            self.readers.remove(reader)
            reader.subscription.close()

    @rule(step=steps)
    def commit(self, step: Step) -> None:
        record = self.world.commit(step)

        deliver(self.tracker.replay(record) if step.replayed else self.tracker.refresh_all())

        for reader in self.readers:
            if reader.found is None:
                reader.found = self.place(reader.key.at)
                if reader.found is not None:
                    [emission] = reader.got
                    assert emission.why is (Why.UPDATE_VISIBLE if step.replayed else Why.GENERIC)
            reader.got.clear()

    @invariant()
    def anchors_stay_where_they_were_found(self) -> None:
        for reader in self.readers:
            stored, window = reader.subscription.latest.snapshot
            assert stored is reader.stored
            if reader.found is None:
                assert window.loading
                assert window.anchor is None
            else:
                assert window.anchor == (reader.found if reader.found == "newest" else (1, *reader.found))
        assert bool(self.tracker.interests) == bool(self.readers)


TestAnchors = AnchorMachine.TestCase

FAULTS = (
    Fault(
        "found anchors do not matter", Tracker, "_view", "other.held == held", "other.held[:1] == held[:1]"
    ),
    Fault(
        "anchors are never found before",
        LaneWindow,
        "find",
        "self._given = lanes.find(reads, look.anchor)",
        "pass",
    ),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        run_state_machine_as_test(AnchorMachine, settings=HARD)
