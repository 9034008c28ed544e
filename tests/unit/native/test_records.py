"""Pages of packed records, on both paths: what they hold, and which values and columns are refused."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.native_support import native

from pillarbox.codec import Packed, PackedField
from pillarbox.errors import RangeError, RecordCorrupt, UsageError
from pillarbox.native import Library, OptionalColumn, RecordLayout, TailColumn
from pillarbox.native.loader import PythonLibrary
from pillarbox.native.pages import build_page

FIELDS = (
    PackedField("late", "bool"),
    PackedField("title", "text", default="new"),
    PackedField("due", "int16", optional=True),
    PackedField("weight", "float64", default=0.0),
)
ISSUES = RecordLayout(Packed("issues", FIELDS))
COLUMNS = (
    array("b", [1, 0]),
    TailColumn.of([b"new", "é".encode()]),
    OptionalColumn(array("q", [-2, 99]), b"\1\0"),
    array("d", [1.5, -0.0]),
)


@pytest.fixture(params=["python", "native"])
def library(request: pytest.FixtureRequest) -> Library:
    return PythonLibrary() if request.param == "python" else native()


def with_column(at: int, column: Any) -> tuple[Any, ...]:
    """The good columns, but for one."""
    return (*COLUMNS[:at], column, *COLUMNS[at + 1 :])


def test_flags_fixed_fields_and_tails_stand_where_packed_puts_them(library: Library) -> None:
    page = library.encode_records(ISSUES, COLUMNS)

    # Title is new, and so absent; the weight of the other is 0.0, by whatever sign.
    first = b"\6" + b"\1" + b"\xfe\xff" + b"\0\0\0\0\0\0\xf8\x3f"
    other = b"\1" + b"\0" + b"\2\0\0\0\xc3\xa9"
    assert bytes(page) == build_page([first, other], None, 0)


def test_columns_come_back_with_absent_fields_filled(library: Library) -> None:
    page = library.open_page(bytes(library.encode_records(ISSUES, COLUMNS)), 0)

    late, title, due, weight = library.decode_records(ISSUES, page)

    assert isinstance(title, TailColumn)
    assert isinstance(due, OptionalColumn)
    assert (list(late), title.values()) == ([1, 0], [b"new", "é".encode()])  # type: ignore[arg-type]
    assert (list(due.values), due.present) == ([-2, 0], b"\1\0")  # type: ignore[arg-type]
    assert [(value, math.copysign(1, value)) for value in weight] == [(1.5, 1), (0.0, 1)]  # type: ignore[union-attr]


def test_a_page_without_rows_has_empty_columns(library: Library) -> None:
    page = library.open_page(build_page([], None, 0), 0)

    late, title, due, _ = library.decode_records(ISSUES, page)

    assert isinstance(title, TailColumn)
    assert isinstance(due, OptionalColumn)
    assert (list(late), title.values(), due.present) == ([], [], b"")  # type: ignore[arg-type]


def test_no_nan_equals_a_default_that_is_one(library: Library) -> None:
    layout = RecordLayout(Packed("issues", (PackedField("weight", "float64", default=math.nan),)))

    page = library.open_page(bytes(library.encode_records(layout, (array("d", [math.nan]),))), 0)

    assert page.keys()[0][:1] == b"\1"
    assert math.isnan(library.decode_records(layout, page)[0][0])  # type: ignore[index]


def test_the_first_row_at_fault_and_its_field_are_told(library: Library) -> None:
    columns = with_column(2, OptionalColumn(array("q", [1 << 15, 1 << 16]), b"\1\1"))

    with pytest.raises(RangeError, match=r"issues\.due in row 0 is 32768, which is not an int16"):
        library.encode_records(ISSUES, columns)


def test_what_an_absent_field_has_in_its_column_does_not_count(library: Library) -> None:
    columns = with_column(2, OptionalColumn(array("q", [-2, 1 << 40]), b"\1\0"))

    assert library.encode_records(ISSUES, columns) == library.encode_records(ISSUES, COLUMNS)


@pytest.mark.parametrize(
    ("at", "column", "said"),
    [
        (0, array("b", [1, 2]), r"issues\.late in row 1 is 2, which is not a bool"),
        (
            1,
            TailColumn.of([b"\xff", b""]),
            r"issues\.title in row 0 .* which is not text that UTF-8 can write",
        ),
        (0, COLUMNS[1], r"issues\.late is bool; pass a contiguous array of integers"),
        (1, COLUMNS[0], r"issues\.title is text; pass a TailColumn"),
        (1, TailColumn(b"ab", array("I", [0, 2, 1])), r"issues\.title is text; .* never decrease"),
        (2, COLUMNS[0], r"issues\.due is optional; pass an OptionalColumn"),
        (0, COLUMNS[2], r"issues\.late is not optional; pass no OptionalColumn"),
        (3, COLUMNS[0], r"issues\.weight is float64; pass a contiguous array of doubles"),
        (0, array("b", [1]), r"columns of different lengths, \[1, 2\]"),
        (2, OptionalColumn(array("q", [1, 2]), b"\1"), r"columns of different lengths, \[1, 2\]"),
    ],
)
def test_columns_that_do_not_fit_are_refused(library: Library, at: int, column: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        library.encode_records(ISSUES, with_column(at, column))


def test_a_missing_column_is_told(library: Library) -> None:
    with pytest.raises(UsageError, match="4 packed fields and 3 columns"):
        library.encode_records(ISSUES, COLUMNS[:3])


GOOD = b"\0\1"


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (b"", "not even flags"),
        (b"\x08\1", "flags 0x08 at offset 0"),
        (b"\0", "fixed fields end at offset 2"),
        (b"\0\2", "0x02 at offset 1 is no bool"),
        (b"\1\1\3\0\0\0new", "'title' is present with its default"),
        (b"\1\1\1\0\0\0\xff", "'title' at offset 2 is no UTF-8"),
        (b"\1\1\2\0\0\0a", "says 2 bytes, 1 are left"),
        (b"\1\1\2\0\0", "cut off"),
        (b"\4\1\0\0\0\0\0\0\0\x80", "'weight' is present with its default"),
        (GOOD + b"x", "the row ends at offset 2"),
    ],
)
def test_records_that_packed_cannot_have_written_are_refused(
    library: Library, record: bytes, said: str
) -> None:
    page = library.open_page(build_page([GOOD, record, b""], None, 0), 0)

    with pytest.raises(RecordCorrupt, match=said) as caught:
        library.decode_records(ISSUES, page)

    assert (caught.value.table, caught.value.value) == ("issues", record)


def test_a_page_of_keys_alone_holds_no_records(library: Library) -> None:
    page = library.open_page(build_page([b"aa"], None, 2), 2)

    with pytest.raises(UsageError, match="holds no records; open one with values"):
        library.decode_records(ISSUES, page)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ((replace(FIELDS[2], default=1),), r"issues\.due is optional and has a default"),
        ((PackedField("a", "int8"),) * 65, "has 65 packed fields; pages take 64"),
    ],
)
def test_layouts_that_no_page_holds_are_refused(fields: tuple[PackedField, ...], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        RecordLayout(Packed("issues", fields))


REFUSED: list[tuple[Callable[[Library], object], str]] = [
    (lambda library: library.sort_pages([]), "0 kinds of pages"),
    (
        lambda library: library.sort_pages(
            [library.open_page(build_page([b"a"], values, 1), 1) for values in (None, [b""])]
        ),
        "2 kinds of pages",
    ),
]


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_pages_of_several_tables_are_not_sorted_together(
    library: Library, call: Callable[[Library], object], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        call(library)
