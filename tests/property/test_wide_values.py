"""Values at the ends of their types, through whole boxes.

Laws. Whatever fits its type is stored, or refused with an error of ours. A box that was built in slices
equals one that replayed the same records, in what it holds, in what it refused and in its figures.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.bulk_worlds import Record
from tests.property.mutants import HARD, Fault
from tests.property.random_store import RandomStore, random_store
from tests.property.test_bulk import IN_MEMORY, built, replayed

from pillarbox.bulk import ShardBuilder, differences
from pillarbox.codec import keys
from pillarbox_codegen import model

_WIDE: Final[dict[str, tuple[Any, ...]]] = {
    "bool": (False, True),
    "float64": (0.0, -0.0, float("inf"), -float("inf"), 5e-324),
    "text": ("", "a", "\0", "a\0b", "\uffff", "\U0001f600", "a" * 700, "\ud800"),
    "bytes": (b"", b"\0", b"\0\0", b"\0\xff", b"\xff" * 300),
    **{f"uint{bits}": (0, 1, (1 << bits) - 1) for bits in (8, 16, 32, 64)},
    **{f"int{bits}": (0, 1, -(1 << bits - 1), (1 << bits - 1) - 1) for bits in (8, 16, 32, 64)},
}


class WideStore(RandomStore):
    """The ends of each type beside two common values, so that rows still meet."""

    def __init__(self, near: RandomStore) -> None:
        super().__init__(near.schema)
        self._near = near

    def scalar(self, name: str) -> st.SearchStrategy[Any]:
        wide = _WIDE[name]
        return st.sampled_from(wide[:2]) | st.sampled_from(wide)

    def packed(self, definition: model.PackedId) -> st.SearchStrategy[Any]:
        return self._near.packed(definition)  # its parts are narrower than any scalar


def law_of(name: str, hard: settings) -> None:
    store = WideStore(random_store(name))
    history = store.subject().flatmap(
        lambda subject: st.lists(
            st.builds(Record, st.just(0), store.operations(subject.operations, 3)), min_size=1, max_size=8
        )
    )

    @hard
    @given(records=history, slice_records=st.integers(1, 5))
    def law(records: list[Record], slice_records: int) -> None:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            one, other = Path(folder, "replayed.box"), Path(folder, "built.box")
            refused = replayed(store.package, one, records)

            assert built(store.package, other, list(enumerate(records)), slice_records) == refused
            assert differences(store.package, one, other) == []

    law()


@pytest.mark.parametrize("name", ["tracker", "messenger", "types", "refs"])
def test_what_fits_is_stored_alike_or_refused_alike(name: str) -> None:
    law_of(name, settings(max_examples=max(10, settings().max_examples // 2)))


FAULTS: Final = (
    ("tracker", Fault("a key above the greatest", keys, "one_key", "if key < INT64_BIAS - 1 else None", "")),
    ("refs", Fault("figures of whole rows", ShardBuilder, "finish", "is not None", "is table")),
)


@pytest.mark.parametrize(("name", "fault"), FAULTS, ids=str)
def test_a_planted_fault_is_found(name: str, fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, OverflowError)):
        law_of(name, HARD)
