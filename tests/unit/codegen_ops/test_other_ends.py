"""Ranges that may go from another point, or to another, by a later schema: a box is as one made by that."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.test_verify import found_in
from tests.unit.codegen_ops.making import version

from pillarbox.box import Box, opening
from pillarbox.errors import LayoutConflict
from pillarbox.inspect.verbs_versions import breaking

NAME: Final = "pillarbox_other_ends"
SCHEMA: Final = """
schema: {name: other_ends}
tables:
  holes: {id: 1, ranges: {group: {p: int32}, over: {c: int32}, from: 1, to: 9}}
  late: {id: 2, ranges: {group: {}, over: {at: {type: int32, desc: true}, n: int32}, from: [9, 0], to: [1, 9]}}
operations:
  add: {code: 1, params: {p: [1, int32], a: [2, int32], b: [3, int32]}, steps: [{add_range: {table: holes, at: "[p]", range: "[a, b]"}}, {add_range: {table: late, range: "[[b, p], [a, p]]"}}]}
  cut: {code: 2, params: {p: [1, int32], a: [2, int32], b: [3, int32]}, steps: [{cut_range: {table: holes, at: "[p]", range: "[a, b]"}}, {cut_range: {table: late, range: "[[b, p], [a, p]]"}}]}
"""  # noqa: E501
ENDS: Final = {
    "sooner": (("to: 9}", "to: 5}"), ("[1, 9]", "[3, 1]")),
    "later": (("from: 1", "from: 4"), ("[9, 0]", "[6, 1]")),
    "between": (
        ("from: 1, to: 9", "from: 4, to: 5"),
        ("from: [9, 0], to: [1, 9]", "from: [6, 1], to: [6, 2]"),
    ),
}
Steps = list[tuple[str, int, int, int]]
_point: Final = st.integers(0, 10)
steps_of: Final = st.lists(
    st.tuples(st.sampled_from(("Add", "Add", "Cut")), st.integers(1, 2), _point, _point),
    min_size=1,
    max_size=6,
)


@cache
def package(*changes: tuple[str, str]) -> ModuleType:
    """The package of the schema with these texts changed, under a name of its own."""
    text = SCHEMA
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return version(Path(tempfile.mkdtemp()), text, f"{NAME}_{package.cache_info().misses}")


def written(path: Path, package: ModuleType, steps: Steps) -> list[object]:
    """What a box holds after these steps, as values."""
    with Box(path, package.PACKAGE) as box:
        box.replay([getattr(package.operations, how)(p=p, a=a, b=b) for how, p, a, b in steps])
        with box.reading() as tables:
            return [str(row) for table in (tables.holes, tables.late) for row in table.all()]


@pytest.mark.parametrize("rows", [1, 1000])
@pytest.mark.parametrize("changes", ENDS.values(), ids=ENDS)
@settings(max_examples=20)
@given(before=steps_of, after=steps_of)
def test_what_lies_beyond_goes(
    rows: int, changes: tuple[tuple[str, str], ...], before: Steps, after: Steps
) -> None:
    first, then = package(), package(*changes)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "_SLICE_ROWS", rows)
        late, fresh = Path(folder, "late.box"), Path(folder, "fresh.box")
        written(late, first, before)
        assert written(late, then, []) == written(fresh, then, before)
        assert written(late, then, after) == written(fresh, then, after)
        assert found_in(late, then.PACKAGE, "derived") == []


def test_it_is_foretold_and_a_box_is_not_read_before(tmp_path: Path) -> None:
    first, then = package(), package(*ENDS["sooner"])
    written(tmp_path / "a.box", first, [("Add", 1, 2, 8)])

    told = CliRunner().invoke(
        breaking, [str(Path(then.__file__ or "").parent), "--against", str(tmp_path / "a.box")]
    )

    assert "table 'holes' (1) is clipped to its `from` and `to`" in told.output
    with pytest.raises(LayoutConflict, match="is older than the package, and it is opened read-only"):
        Box(tmp_path / "a.box", then.PACKAGE, read_only=True)
