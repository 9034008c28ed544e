"""The law of renewal: whatever an interrupt left views in the midst of, `Tracker.renew` mends it.

Views of random trees, and one over two of them, come, go and fold commits, each of which may be interrupted
at any moment that Python knows.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.drawn_trees import trees
from tests.property.mutants import HARD, Fault
from tests.property.view_columns import ColumnRecipe, EntriesRecipe, close_children, each_value
from tests.property.view_laws import Step, plain, starts, steps
from tests.property.view_trees import ScanRecipe, Tree, view_of
from tests.unit.box.moments import Interrupt
from tests.unit.views.fakes import FakeStore, Issue, Person

from pillarbox import views
from pillarbox.views import (
    Delivery,
    Emission,
    Interests,
    Readers,
    Reads,
    Subscription,
    Tracker,
    View,
    Why,
    deliver,
    renewal,
    tracker,
)

FOLDING: Final = {str(path) for path in Path(views.__path__[0]).rglob("*.py")}
#: Places of trees: of a tree there may be several subscriptions, or none.
PLACES: Final = 3
#: No deed has a moment that late.
NEVER: Final = 1 << 30


class Shown(msgspec.Struct, frozen=True):
    """Key of the view of the tree at a place."""

    place: int

    if TYPE_CHECKING:

        @property
        def __snapshot__(self) -> type[Any]: ...


class Deed(NamedTuple):
    """Something that is done to the tracker, up to a moment; most have no moment that late."""

    what: Literal["come", "go"] | Step
    place: int
    moment: int


Deeds: TypeAlias = tuple[Step, list[Deed]]
_places = st.integers(0, PLACES - 1)
_moments = st.integers(1, 60) | st.integers(1, 600)
_deeds = st.builds(Deed, st.sampled_from(("come", "go")) | steps | steps, _places, _moments)
deeds: st.SearchStrategy[Deeds] = st.tuples(starts, st.lists(_deeds, min_size=1, max_size=6))
forests = st.lists(trees | close_children | each_value, min_size=PLACES, max_size=PLACES)
helds = st.sets(st.integers(0, 3))


class Audience:
    """A tracker of some trees, and who looks at them: first one subscription of each."""

    def __init__(self, forest: list[Tree], held: set[int], start: Step) -> None:
        self.store = FakeStore()
        start.commit(self.store)

        def make(key: Shown, _readers: Readers) -> View[Any]:
            view = view_of(forest[key.place], held)
            view.key = key
            return view

        self.make = make
        self.tracker = Tracker({Shown: make}, self.store.readers)
        self.looking: list[tuple[Subscription[Any], list[Emission[Any]], Any]] = []
        for place in range(PLACES):
            self.come(Shown(place))
        self.over = self.tracker.subscribe_over("all", [Shown(0), Shown(1)], tuple)

    def come(self, key: Shown) -> None:
        subscription = self.tracker.subscribe(key)
        told: list[Emission[Any]] = []
        subscription.listen(told.append)
        self.looking.append((subscription, told, subscription.live.held))

    def do(self, deed: Deed) -> None:
        """Do it, and mend what its interrupt has left."""
        for _, told, _ in self.looking:
            told.clear()
        leaving: list[Subscription[Any]] = []
        if deed.what == "go" and self.looking:
            leaving = [self.looking.pop(deed.place % len(self.looking))[0]]
        record = deed.what.commit(self.store) if isinstance(deed.what, Step) else None
        deliveries: list[Delivery] = []
        interrupt = Interrupt(deed.moment, FOLDING)
        with suppress(KeyboardInterrupt), interrupt:
            if record is not None:
                deliveries = self.tracker.replay(record)
            elif deed.what == "come":
                self.come(Shown(deed.place))
            for one in leaving:
                one.close()
        if interrupt.came:
            deliveries = self.tracker.renew()
        deliver(deliveries)
        if interrupt.came:
            for _, told, _ in self.looking:
                assert [emission.why for emission in told] == [Why.GENERIC], "not told once of what is there"
        for one in leaving:
            one.close()  # once more, for who was interrupted

    def check(self) -> None:
        """Each view is as if loaded with what it holds, listens to that, and was told of it."""
        for subscription, told, held in self.looking:
            live: Any = subscription.live
            interests = Interests()
            fresh = self.make(live.key, self.store.readers)
            fresh.open(interests, Reads(self.store.readers), held=held)
            assert live.held == held, "holds other values"
            assert plain(live.snapshot) == plain(fresh.snapshot), "is not as if loaded"
            listened = self.tracker.interests.registered(live)
            assert listened == interests.registered(fresh), "listens to other keys"
            if told:
                assert told[-1].snapshot is live.snapshot

        assert plain(self.over.live.snapshot) == plain(
            tuple(view.snapshot for view in self.over.live.follows)
        )

    def leave(self) -> None:
        """When all have gone nothing is left."""
        self.tracker.close()
        assert not self.tracker.has_subscriptions
        assert not self.tracker.interests, "something is still registered"


def check_renewal(forest: list[Tree], held: set[int], history: Deeds) -> None:
    """The law, over one history."""
    audience = Audience(forest, held, history[0])
    for deed in history[1]:
        audience.do(deed)
        audience.check()
    audience.leave()


@given(forests, helds, deeds)
def test_views_are_as_if_loaded_whatever_was_interrupted(
    forest: list[Tree], held: set[int], history: Deeds
) -> None:
    check_renewal(forest, held, history)


def test_what_hangs_on_held_rows_is_told_after_a_renewal() -> None:
    author = ColumnRecipe("get", ("row", 0), "people", False, ())
    tree: Any = (ScanRecipe("all issues", 1, None, False, "all", 1, "hidden"), EntriesRecipe(0, (author,)))
    audience = Audience([tree] * PLACES, {0}, Step(people=(Person(1),), issues=(Issue(1, 1, assignee=1),)))
    deliver(audience.tracker.renew())

    audience.do(Deed(Step(people=(Person(1, "other"),)), 0, NEVER))

    for subscription, told, _ in audience.looking:
        assert len(told) == 1
        assert not subscription.closed
    audience.check()


@pytest.mark.parametrize(
    "fault",
    [
        Fault("a torn view keeps its parts", View, "become", "fresh._parts", "self._parts"),
        Fault("a torn view keeps what it showed", View, "open", "self._snapshot = self._make()", "pass"),
        Fault("what is held is taken anew", renewal, "renewed", ", held=held", ""),
        Fault("nobody is told", renewal, "renewed", "[(one, what) for one in subscriptions]", "[]"),
        Fault(
            "who listens is kept",
            Tracker,
            "renew",
            "self.interests = interests =",
            "interests = self.interests; _ =",
        ),
        Fault("who has gone is kept", Tracker, "_looked_at", "self._views.remove(view)", "pass"),
    ],
    ids=str,
)
def test_planted_faults_are_found(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    @HARD
    @given(forests, helds, deeds)
    def law(forest: list[Tree], held: set[int], history: Deeds) -> None:
        check_renewal(forest, held, history)

    with fault.planted(), monkeypatch.context() as patched:
        patched.setattr(tracker, "renewed", renewal.renewed)  # as it is where it is called
        with pytest.raises((AssertionError, KeyError)):
            law()
