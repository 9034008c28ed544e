"""Every view of the shipped schemas over any operations.

Law. After each commit a live view shows what one freshly loaded shows that holds the same values, and was
told of exactly if that differs from before, or if there is something to tell of the commit; what did not
change is the same object. A commit that is rolled back tells nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.property.random_store import Subject, random_store
from tests.property.test_random_store import SHIPPED, play

from pillarbox.box import Box
from pillarbox.storage import MEMORY
from pillarbox.views import Interests, Readers, Reads, Subscription
from pillarbox.views.lane import Lane
from pillarbox.views.nest import Nest
from pillarbox.views.parts.part import MOMENTARY

#: Edges of lanes are too far for values so few; what is planted here is met by them.
FAULTS = (
    Fault("a lane does not tell what left it", Lane, "fold", "left[key] = items[at]", "pass"),
    Fault("a prefix is one byte longer", Interests, "route", "key[:length]", "key[: length + 1]"),
    Fault(
        "only the first is told", Interests, "route", "in prefixes[prefix]:", "in list(prefixes[prefix])[:1]:"
    ),
    Fault("a child does not look again", Nest, "_woken", "came + again if again else came", "came"),
)


def loaded_like(box: Box[Any, Any], subscription: Subscription[Any], readers: Readers) -> Any:
    """What a view shows that is loaded anew, and holds the same as that of a subscription."""
    tracker = box._tracker
    view = tracker._factory.make(subscription.key, readers)
    interests = Interests(tracker.interests.demand.as_of_now())
    view.open(interests, Reads(readers), held=subscription.live.held)
    return view.snapshot


def views_are_as_if_loaded(name: str, hard: settings) -> None:
    """The law, for the views of a shipped schema."""
    store = random_store(name)

    def drawn(subject: Subject) -> st.SearchStrategy[Any]:
        done = store.operations(subject.operations, 4)
        history = st.lists(st.tuples(done, st.sampled_from((True, True, False))), max_size=8)
        keys = st.lists(store.view_keys(subject.views), min_size=1, max_size=6, unique=True)
        return st.tuples(keys, history)

    @hard
    @given(drawn=store.shown_subject().flatmap(drawn))
    def law(drawn: tuple[list[Any], list[tuple[list[Any], bool]]]) -> None:
        keys, history = drawn
        box = Box(MEMORY, store.package)
        told: dict[Any, list[Any]] = {key: [] for key in keys}
        watched = {key: box.watch(key, every=True).listen(told[key].append) for key in keys}
        shown = {key: told[key].pop().snapshot for key in keys}
        for operations, keep in history:
            play(store, box, operations, keep=keep)
            for key in keys:
                live, emissions = watched[key].live, told[key]
                with box.reading() as tables:
                    fresh = loaded_like(box, watched[key], tables.by_id())
                assert live.snapshot == fresh, f"{key} is not as if loaded"
                now = emissions[0].snapshot if emissions else fresh
                differs = fresh != shown[key] or bool(live.traits & MOMENTARY and now != fresh)
                assert len(emissions) == differs, f"{key} was told {len(emissions)} times"
                assert now == fresh or live.traits & MOMENTARY, f"{key} was told of something else"
                emissions.clear()
                check_identity(shown[key], live.snapshot)
                shown[key] = live.snapshot
        box.close()

    law()


@pytest.mark.parametrize("name", SHIPPED)
def test_live_views_are_as_if_loaded_after_every_commit(name: str) -> None:
    views_are_as_if_loaded(name, settings(max_examples=max(50, settings().max_examples)))


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        views_are_as_if_loaded("tracker", HARD)


def check_identity(before: Any, now: Any) -> None:
    """Of two snapshots, equal fields are one object, and so are equal entries of their lists."""
    for field in msgspec.structs.fields(now):
        old, new = getattr(before, field.name), getattr(now, field.name)
        assert old != new or old is new, f"{field.name} was made anew"
        held = list(entries(old))
        for entry in entries(new):
            equal = [other for other in held if other == entry]
            assert not equal or any(other is entry for other in equal), f"an entry of {field.name}"


def entries(value: Any) -> list[Any]:
    """What the identity of entries is asked of: those with a whole row, which say whose they are."""
    value = getattr(value, "entries", value)
    found = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
    return [item for item in found if is_whole(getattr(item, "row", item))]


def is_whole(row: Any) -> bool:
    """Whether this is a row as it is stored, and not some of its fields: two rows may show the same."""
    return isinstance(row, msgspec.Struct) and type(row).__module__.endswith(".types")
