"""The laws of what is wanted: it is what all live windows miss, and a fetcher is told of exactly that."""

from __future__ import annotations

from typing import Any

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
from tests.property.window_world import IDS, ITEMS, RANGES, Item, Step, World

from pillarbox.box.fetching import Fetching
from pillarbox.views import (
    AtId,
    Emission,
    Hole,
    Ids,
    LaneAt,
    LaneWindow,
    RangeHoles,
    Readers,
    Subscription,
    Tracker,
    View,
    Want,
    Wanted,
    WantedHoles,
    Why,
    deliver,
)
from pillarbox.views import round as views_round
from pillarbox.views.demand import Demand


class Page(msgspec.Struct, frozen=True):
    """Key of a view of a lane about an id, or its newest end."""

    lane: int
    at: int | None
    wants: str


class Missing(msgspec.Struct, frozen=True):
    """Key of a view of what is wanted under two names."""


def page(key: Page, readers: Readers) -> View[Any]:
    lane = bytes((key.lane,))
    window = LaneWindow(
        ITEMS,
        lanes=lambda: [LaneAt(ITEMS, lane, holes=lane, item=key.lane)],
        anchor=lambda: (
            "newest" if key.at is None else AtId(lane, bytes((key.lane, key.at)), key.at, key.lane)
        ),
        before_max=lambda: 2,
        after_max=lambda: 2,
        ids=Ids(IDS, suffix=lambda row: bytes((row.time, row.id)), id=lambda row: row.id),
        holes=RangeHoles(RANGES, id_of=lambda row: row.id, edges=lambda row: (row.lower, row.upper)),
        want=Want(key.wants, lambda: 2),
    )
    return View(key, (window,), lambda: window.value, names=("window",))  # type: ignore[arg-type]


def missing(key: Missing, readers: Readers) -> View[Any]:
    parts = [Wanted("red"), Wanted("blue")]
    return View(key, parts, lambda: tuple(part.value for part in parts), names=("red", "blue"))  # type: ignore[arg-type]


keys = st.builds(Page, st.integers(1, 2), st.none() | st.integers(1, 7), st.sampled_from(["red", "blue"]))
_ids = st.integers(1, 7)
_spans = st.lists(
    st.tuples(st.integers(1, 2), _ids, st.integers(0, 3)).map(
        lambda it: (it[0], it[1], min(7, it[1] + it[2]))
    ),
    max_size=2,
).map(tuple)
_items = st.builds(lambda lane, id_: Item(lane, id_, id_), st.integers(1, 2), _ids)
holes = st.builds(
    lambda lane, start: Hole("blue", "ranges", (lane,), start, 1, 2), st.integers(1, 2), st.integers(1, 7)
)
steps = st.builds(
    Step,
    items=st.lists(_items, max_size=3).map(tuple),
    gone=st.lists(st.tuples(st.integers(1, 2), _ids), max_size=2).map(tuple),
    missing=_spans,
    fetched=_spans,
    replayed=st.sampled_from([True, True, False]),
)


class Log:
    """A fetcher that only remembers."""

    def __init__(self) -> None:
        self.running: list[Hole] = []

    def start(self, hole: Hole) -> None:
        assert hole not in self.running, "started twice"
        self.running.append(hole)

    def cancel(self, hole: Hole) -> None:
        self.running.remove(hole)


class WantedMachine(RuleBasedStateMachine):
    """Subscribes, closes and commits at random; what is wanted is watched all the while."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.tracker = Tracker(
            {Missing: missing, Page: page},
            self.world.readers,
            wants=["blue", "red"],
            on_unsettled=self.settle,
            on_move=self.move_now,
        )
        self.world.commit(Step(missing=((1, 1, 7), (2, 1, 7))))
        self.pages: list[tuple[Subscription[Any], list[Emission[Any]]]] = []
        #: (key, what it has, what came)
        self.watchers: list[tuple[Any, list[Any], list[Emission[Any]]]] = []
        self.log = Log()
        fetched: Any = self.tracker.subscribe(WantedHoles("red"))
        self.fetching = Fetching(fetched, self.log)
        #: What other processes want, as this one was told last.
        self.elsewhere: dict[str, frozenset[Hole]] = {}
        self.watch(Missing())
        self.watch(WantedHoles("blue"))
        self.watch(WantedHoles("blue", everywhere=True))

    @rule(elsewhere=st.dictionaries(st.sampled_from(["red", "blue"]), st.frozensets(holes, max_size=2)))
    def hear(self, elsewhere: dict[str, frozenset[Hole]]) -> None:
        self.elsewhere = elsewhere
        self.tracker.ask_demand(lambda demand: demand.hear(elsewhere))
        self.settle()

    def settle(self) -> None:
        deliver(self.tracker.settle())

    def move_now(self, subscription: Subscription[Any], key: Any) -> None:
        deliver(self.tracker.move(subscription, key))
        self.settle()

    def watch(self, key: Any) -> None:
        got: list[Emission[Any]] = []
        self.tracker.subscribe(key).listen(got.append)
        self.watchers.append((key, [got.pop().snapshot], got))

    @rule()
    def look(self) -> None:
        """A late subscriber begins with what is wanted by then; so does one that only reads."""
        if len(self.watchers) < 5:
            self.watch(Missing())
        assert self.tracker.load_once(Missing(), self.world.readers) == self.watchers[-1][1][0]  # type: ignore[arg-type]

    @rule(key=keys)
    def subscribe(self, key: Page) -> None:
        got: list[Emission[Any]] = []
        subscription: Subscription[Any] = self.tracker.subscribe(key)  # type: ignore[arg-type]
        subscription.listen(got.append)
        got.clear()
        self.pages.append((subscription, got))
        self.settle()

    @precondition(lambda self: self.pages)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(self.pages) - 1))
        self.pages.pop(at)[0].close()

    @precondition(lambda self: self.pages)
    @rule(data=st.data(), key=keys)
    def move(self, data: st.DataObject, key: Page) -> None:
        subscription, got = data.draw(st.sampled_from(self.pages))
        before, lone = subscription.key, key not in [it.key for it, _ in self.pages]
        live: Any = subscription.live

        subscription.move(key)

        # Moved to where it is, it goes on elsewhere if its anchor is found elsewhere by now.
        anew = key == before and subscription.live.held != live.held
        assert [it.why for it in got] == [Why.UPDATE_VISIBLE] * (key != before or anew)
        assert (subscription.live is live) == (not got)
        if lone:  # One that was there before may have found its anchor at another time.
            fresh: Any = self.tracker.load_once(key, self.world.readers)  # type: ignore[arg-type]
            assert subscription.latest.snapshot == fresh
        got.clear()

    @rule(step=steps)
    def commit(self, step: Step) -> None:
        before = {id(it): it.latest.snapshot for it, _ in self.pages}
        record = self.world.commit(step)

        deliver(self.tracker.replay(record) if step.replayed else self.tracker.refresh_all())

        for subscription, got in self.pages:
            if not got:
                continue
            [emission] = got
            got.clear()
            was, now = before[id(subscription)], emission.snapshot
            if step.replayed and not (step.items or step.gone):
                # Only holes changed, so whatever shows comes of that.
                moved = was.anchor != now.anchor
                assert emission.why is (Why.UPDATE_VISIBLE if moved else Why.FILL_HOLE)

    @invariant()
    def wanted_is_what_live_windows_miss(self) -> None:
        now: dict[str, set[Hole]] = {"red": set(), "blue": set()}
        for subscription, _ in self.pages:
            hole = subscription.latest.snapshot.hole
            if hole is not None:
                now[hole.name].add(hole)
        for key, has, got in self.watchers:
            wanted: Any = frozenset(now["blue"])
            if key == WantedHoles("blue", everywhere=True):
                wanted |= self.elsewhere.get("blue", frozenset())
            if isinstance(key, Missing):
                wanted = (frozenset(now["red"]), wanted)
            assert len(got) == (wanted != has[0]), "not one emission for a difference"
            if got:
                has[0] = got.pop().snapshot
            assert has[0] == wanted
        assert sorted(map(repr, self.log.running)) == sorted(map(repr, now["red"]))
        assert self.fetching.started == now["red"]
        untended = self.tracker.ask_demand(lambda demand: demand.untended())
        assert untended == frozenset(), "both are fetched here"

    def teardown(self) -> None:
        self.fetching.close()
        assert not self.log.running, "still fetching"
        self.tracker.close()
        self.settle()
        assert not self.tracker.interests, "something is still registered"


TestWanted = WantedMachine.TestCase

FAULTS = (
    Fault("demand is not released on close", Tracker, "_forget", "if view.wanted:", "if False:"),
    Fault("demand is not asked when a view opens", Tracker, "_view", "if view.traits & WANTS:", "if False:"),
    Fault("demand is not counted", Demand, "swap", "if counts[hole] > 1:", "if False:"),
    Fault("demand is counted once", Demand, "swap", "counts.get(hole, 0) + 1", "1"),
    Fault("what is wanted by nobody stays", Demand, "settle", "del self._settled[name]", "pass"),
    Fault("what is wanted elsewhere is not heard", Demand, "hear", "[*before, *elsewhere]", "()"),
    Fault("what was wanted elsewhere stays", Demand, "hear", "[*before, *elsewhere]", "elsewhere"),
    Fault("only what is wanted elsewhere is told", Demand, "settle", "here | elsewhere if", "elsewhere if"),
    Fault("who fetches is not known", Demand, "untended", "not any(self", "any(self"),
    Fault("what is wanted comes a round late", views_round, "_awaiting", "waiting.add(sink.view)", "pass"),
    Fault("closing tells nobody", Tracker, "_release", "self._on_unsettled()", "pass"),
    Fault(
        "what is there already is started again",
        Fetching,
        "_move",
        "difference(self._started, now)",
        "difference(frozenset(), now)",
    ),
    Fault("closing cancels nothing", Fetching, "_end", "self._move(frozenset())", "pass"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, KeyError, ValueError)):
        run_state_machine_as_test(WantedMachine, settings=HARD)
