"""Every view of the shipped schemas over any operations.

Law. After each commit a live view shows what one freshly loaded shows, and was told of exactly if that
differs from before; what did not change is the same object. A commit that is rolled back tells nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.random_store import random_store
from tests.property.test_random_store import SHIPPED, play

from pillarbox.box import Box
from pillarbox.storage import MEMORY


@pytest.mark.parametrize("name", SHIPPED)
def test_live_views_are_as_if_loaded_after_every_commit(name: str) -> None:
    store = random_store(name)
    history = st.lists(st.tuples(store.operations(4), st.sampled_from((True, True, False))), max_size=6)

    @settings(max_examples=max(20, settings().max_examples // 2))
    @given(keys=st.lists(store.view_keys(), min_size=1, max_size=6, unique=True), history=history)
    def law(keys: list[Any], history: list[tuple[list[Any], bool]]) -> None:
        box = Box(MEMORY, store.package)
        told: dict[Any, list[Any]] = {key: [] for key in keys}
        for key in keys:
            box.watch(key, every=True).listen(told[key].append)
        shown = {key: told[key].pop().snapshot for key in keys}
        for operations, keep in history:
            play(store, box, operations, keep=keep)
            for key in keys:
                fresh, emissions = box.get(key), told[key]
                assert len(emissions) == (fresh != shown[key]), f"{key} was told {len(emissions)} times"
                now = emissions.pop().snapshot if emissions else shown[key]
                assert now == fresh, f"{key} is not as if loaded"
                check_identity(shown[key], now)
                shown[key] = now
        box.close()

    law()


def check_identity(before: Any, now: Any) -> None:
    """Of two snapshots, equal fields are one object, and so are equal entries of their lists."""
    for field in msgspec.structs.fields(now):
        old, new = getattr(before, field.name), getattr(now, field.name)
        assert old != new or old is new, f"{field.name} was made anew"
        held = list(entries(old))
        for entry in entries(new):
            equal = [other for other in held if other == entry]
            assert not equal or any(other is entry for other in equal), f"an entry of {field.name}"


def entries(value: Any) -> Any:
    """What the identity of entries is asked of."""
    value = getattr(value, "entries", value)
    if isinstance(value, Mapping):
        return value.values()
    return [item for item in value if isinstance(item, msgspec.Struct)] if isinstance(value, tuple) else ()
