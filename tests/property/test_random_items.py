"""Every item of the shipped schemas, and views watched together, over any operations.

Law. What is read of items is what they take of their views freshly loaded, all of one commit. What is watched
tells of a commit once, and exactly if a value differs; it names the values that do, and the others are the
same objects as before. When nobody watches, nothing is kept.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.property.random_store import RandomStore, Subject, random_store
from tests.property.test_random_store import SHIPPED, play

from pillarbox.box import Box, data
from pillarbox.box.data import Data
from pillarbox.box.together import Together
from pillarbox.storage import MEMORY
from pillarbox.views import Emission, ItemMap, Subscription, Taking, items
from pillarbox.views.over import Over
from pillarbox_codegen.plan import names

TAKING_FAULTS = (
    Fault("one view that stayed is enough", Taking, "__call__", "if all(", "if any("),
    Fault("values are taken once and for all", Taking, "__call__", "_kept(was, term(snapshots))", "was"),
    Fault("what was taken before is forgotten", Taking, "__call__", "self._was, self._were = ", "_ = "),
    Fault(
        "what stayed is taken again", Taking, "__call__", "was if all(", "_kept(was, term(snapshots)) if all("
    ),
    Fault("equal values are made anew", items, "_kept", "was if was == now else now", "now"),
)
FAULTS = (
    Fault("every value is said to differ", data, "names_of_changed", "if old is not new", ""),
    Fault("an item looks at the first view", items, "_term", "take(snapshots[place])", "take(snapshots[0])"),
    Fault("it is told though nothing differs", Over, "replay", "if snapshot == self._snapshot:", "if False:"),
    Fault("it is never told", Over, "replay", "if snapshot == self._snapshot:", "if True:"),
    Fault("whoever watches as many shares", Data, "watch", '("items", *items)', '("items", len(items))'),
    Fault("names do not tell views apart", Together, "_watch_named", '"named views", names', '"named views"'),
    Fault("items are named as if all differ", Data, "watch_map", "if was[name] is not value", ""),
)

Form = Literal["items", "items under names", "a map among items", "views", "views under names"]
FORMS: tuple[Form, ...] = ("items", "items under names", "a map among items", "views", "views under names")


@dataclass(frozen=True)
class Watch:
    """`of` are items, or views; the names begin with the number `first`."""

    form: Form
    of: tuple[Any, ...]
    first: int

    @property
    def named(self) -> dict[Hashable, Any]:
        return dict(enumerate(self.of, self.first))

    def subscribe(self, box: Box[Any, Any]) -> Subscription[Any]:
        values: Any = box.data
        together: Any = box.watch_all
        match self.form:
            case "items":
                return values.watch(*self.of, every=True)  # type: ignore[no-any-return]
            case "items under names":
                return values.watch_map(self.named, every=True)  # type: ignore[no-any-return]
            case "a map among items":
                return values.watch(self.of[0], ItemMap(self.named), every=True)  # type: ignore[no-any-return]
            case "views":
                return together(*self.of, every=True)  # type: ignore[no-any-return]
            case _:
                return together(self.named, every=True)  # type: ignore[no-any-return]

    def fresh(self, box: Box[Any, Any]) -> Any:
        """What is to be seen, by nothing but `Box.get`."""
        if self.form in ("views", "views under names"):
            values = [box.get(key) for key in self.of]
        else:
            values = [item.__take__(box.get(item.__view__())) for item in self.of]
        match self.form:
            case "items":
                return values[0] if len(values) == 1 else tuple(values)
            case "views":
                return tuple(values)
            case "a map among items":
                return values[0], dict(enumerate(values, self.first))
            case _:
                return dict(enumerate(values, self.first))

    def read(self, box: Box[Any, Any]) -> Any:
        """What `box.data` reads; of views what a new subscription has."""
        values: Any = box.data
        match self.form:
            case "items":
                return values.get(*self.of)
            case "items under names":
                return values.get_map(self.named)
            case "a map among items":
                return values.get(self.of[0], ItemMap(self.named))
            case _:
                with self.subscribe(box) as twin:
                    return twin.latest.snapshot

    def values(self, snapshot: Any) -> dict[str, Any]:
        """The values of a snapshot by the names that they have in `parts`."""
        if isinstance(snapshot, tuple) and not (self.form == "items" and len(self.of) == 1):
            return {str(place): value for place, value in enumerate(snapshot)}
        if self.form in ("items under names", "views under names"):
            return {str(name): value for name, value in snapshot.items()}
        return {"0": snapshot}


@dataclass
class Reader:
    """Somebody who watches, and what they were told since they looked."""

    watch: Watch
    subscription: Subscription[Any]
    told: list[Emission[Any]] = field(default_factory=list)
    shown: Any = None


def watches(store: RandomStore, subject: Subject) -> st.SearchStrategy[Watch]:
    """Anything to watch of what the subject's operations write."""
    module: ModuleType = store.module(".items")
    near = [item for item in store.schema.items if item.view in subject.views] or list(store.schema.items)
    one = st.sampled_from(near).flatmap(
        lambda item: store.struct(getattr(module, names.class_name(item.name)), item.key)
    )
    few = st.lists(one, min_size=1, max_size=3).map(tuple)
    views = st.lists(store.view_keys(subject.views), min_size=1, max_size=3).map(tuple)
    first = st.integers(0, 1)

    def of(form: Form) -> st.SearchStrategy[Watch]:
        return st.builds(Watch, st.just(form), views if form.startswith("views") else few, first)

    return st.sampled_from(FORMS).flatmap(of)


def data_is_as_if_taken(name: str, hard: settings) -> None:
    """The law, for a shipped schema."""
    store = random_store(name)
    with_items = [
        subject
        for subject in store.subjects
        if any(item.view in subject.views for item in store.schema.items)
    ]

    def drawn(subject: Subject) -> st.SearchStrategy[Any]:
        history = st.lists(
            st.tuples(store.operations(subject.operations, 4), st.sampled_from((True, True, False))),
            max_size=6,
        )
        return st.tuples(st.lists(watches(store, subject), min_size=1, max_size=5), history)

    @hard
    @given(drawn=st.sampled_from(with_items).flatmap(drawn))
    def law(drawn: tuple[list[Watch], list[tuple[list[Any], bool]]]) -> None:
        wanted, history = drawn
        box = Box(MEMORY, store.package)
        readers = [Reader(watch, watch.subscribe(box)) for watch in wanted]
        for reader in readers:
            reader.subscription.listen(reader.told.append)
            reader.shown = reader.told.pop().snapshot
            assert reader.shown == reader.watch.fresh(box), "the first is not as if taken"
        for operations, keep in history:
            play(store, box, operations, keep=keep)
            for reader in readers:
                look(reader, box)
        for reader in readers:
            reader.subscription.close()
        assert not box._tracker.has_subscriptions, "a view is kept for nobody"
        box.close()

    law()


def look(reader: Reader, box: Box[Any, Any]) -> None:
    """What came of one commit."""
    watch, was = reader.watch, reader.shown
    fresh = watch.fresh(box)
    assert watch.read(box) == fresh, "what is read is not as if taken"
    assert len(reader.told) == (fresh != was), f"{watch} was told {len(reader.told)} times"
    if not reader.told:
        return
    emission = reader.told.pop()
    reader.shown = emission.snapshot
    assert emission.snapshot == fresh, f"{watch} is not as if taken"
    old, new = watch.values(was), watch.values(emission.snapshot)
    differ = {name for name in new if old[name] != new[name]}
    assert {part.partition(".")[0] for part in emission.parts} == differ, f"{emission.parts} differ"
    assert all(old[name] is new[name] for name in new if name not in differ), "made anew"


@pytest.mark.parametrize("name", SHIPPED)
def test_items_and_views_together_are_as_if_taken_after_every_commit(name: str) -> None:
    data_is_as_if_taken(name, settings(max_examples=max(50, settings().max_examples)))


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, AttributeError)):
        data_is_as_if_taken("tracker", HARD)


# ------------------------------------------------------------------------------------------- what is kept


class Shown:
    """A snapshot, which is not equal to any other."""

    def __init__(self, number: int) -> None:
        self.number = number


@dataclass(frozen=True)
class Half:
    """An item of one view or of both, whose value is made anew each time. `taken` counts how often."""

    views: tuple[int, ...]
    taken: list[int] = field(compare=False, hash=False)

    def __view__(self) -> Any:
        return self.views if len(self.views) > 1 else self.views[0]

    def __take__(self, snapshots: Any, /) -> tuple[int, ...]:
        self.taken.append(1)
        return tuple(one.number // 2 for one in (snapshots if len(self.views) > 1 else (snapshots,)))


def what_is_equal_stays(hard: settings) -> None:
    """The law of `Taking`."""

    @hard
    @given(
        of=st.lists(st.sampled_from([(1,), (2,), (1, 2), (2, 1)]), min_size=1, max_size=3),
        history=st.lists(st.lists(st.sampled_from([None, 0, 1, 2]), min_size=2, max_size=2), max_size=5),
    )
    def law(of: list[tuple[int, ...]], history: list[list[int | None]]) -> None:
        halves = [Half(views, []) for views in of]
        take = Taking(halves)
        shown: dict[Any, Shown] = {view: Shown(0) for view in take.views}
        was = take(tuple(shown.values()))
        for numbers in history:
            for half in halves:
                half.taken.clear()
            came = {view: Shown(one) for view, one in zip(shown, numbers, strict=False) if one is not None}
            shown |= came
            now = take(tuple(shown.values()))
            for place, half in enumerate(halves):
                assert now[place] == tuple(shown[view].number // 2 for view in half.views)
                assert now[place] != was[place] or now[place] is was[place], "made anew"
                assert len(half.taken) == bool(came.keys() & half.views), "taken though nothing changed"
            was = now

    law()


def test_a_value_that_stays_equal_is_the_same_object_and_not_taken_again() -> None:
    what_is_equal_stays(settings())


@pytest.mark.parametrize("fault", TAKING_FAULTS, ids=str)
def test_a_fault_planted_in_taking_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        what_is_equal_stays(HARD)
