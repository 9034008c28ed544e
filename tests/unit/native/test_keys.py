"""Key pages: their bytes, and the errors of columns and keys."""

from __future__ import annotations

from array import array
from itertools import product
from struct import Struct

import pytest
from tests.native_support import native

from pillarbox.codec import INT32_BIAS, INT64_BIAS, escape, invert
from pillarbox.errors import KeyCorrupt, RangeError, UsageError
from pillarbox.native.layouts import Column, KeyLayout, KeyPart, TailColumn
from pillarbox.native.loader import Library, PythonLibrary
from pillarbox.native.pages import build_page

ISSUES = KeyLayout("issues", (KeyPart("project_id", "int64"), KeyPart("number", "int32", desc=True)))
BY_LABEL = KeyLayout("by_label", (KeyPart("label", "text", desc=True), KeyPart("open", "bool")))


@pytest.fixture(params=["python", "native"])
def library(request: pytest.FixtureRequest) -> Library:
    """Each path in turn."""
    return PythonLibrary() if request.param == "python" else native()


def test_keys_are_those_of_the_code_that_encodes_one_at_a_time(library: Library) -> None:
    projects, numbers = [-(1 << 63), -1, 0, (1 << 63) - 1], [-(1 << 31), -1, 0, (1 << 31) - 1]
    pack = Struct(">QI").pack

    page = library.encode_keys(ISSUES, (array("q", projects), array("i", numbers)))

    one_at_a_time = [
        pack(project + INT64_BIAS, (1 << 32) - 1 - (number + INT32_BIAS))
        for project, number in zip(projects, numbers, strict=True)
    ]
    assert library.open_page(page, 12).keys() == tuple(one_at_a_time)


def test_texts_are_escaped_and_inverted_as_one_at_a_time(library: Library) -> None:
    labels = [b"", b"a\0b", "é".encode()]

    page = library.encode_keys(BY_LABEL, (TailColumn.of(labels), array("B", [0, 1, 1])))

    expected = [
        invert(escape(label)) + flag for label, flag in zip(labels, (b"\0", b"\1", b"\1"), strict=True)
    ]
    assert library.open_page(page, 0).keys() == tuple(expected)


LEADS = b"\x80\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xff"
SECONDS, FURTHER = b"\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0", b"\x7f\x80\xbf\xc0"


@pytest.mark.parametrize("lead", LEADS)
def test_texts_are_utf8_where_python_says_so(lead: int) -> None:
    behind = [(), *product(SECONDS), *product(SECONDS, FURTHER), *product(SECONDS, FURTHER, FURTHER)]
    values = [bytes((lead, *rest)) for rest in behind]
    layout = KeyLayout("labels", (KeyPart("label", "text"),))

    taken = [value for value in values if is_taken(native(), layout, value)]

    assert taken == [value for value in values if value.decode(errors="ignore").encode() == value]


def is_taken(library: Library, layout: KeyLayout, value: bytes) -> bool:
    """Whether the value is a text."""
    try:
        library.encode_keys(layout, (TailColumn.of([value]),))
    except RangeError:
        return False
    return True


def test_the_first_row_at_fault_is_told_and_in_it_the_first_part(library: Library) -> None:
    columns = (array("Q", [1, 1 << 63, 1 << 63]), array("q", [1, 1 << 40, 2]))

    with pytest.raises(
        RangeError, match=r"issues\.project_id in row 1 is 9223372036854775808, which is not an int64"
    ):
        library.encode_keys(ISSUES, columns)


def test_an_earlier_row_counts_more_than_an_earlier_part(library: Library) -> None:
    columns = (array("Q", [1, 1, 1 << 63]), array("q", [1, 1 << 40, 2]))

    with pytest.raises(RangeError, match=r"issues\.number in row 1"):
        library.encode_keys(ISSUES, columns)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ((array("q", [1]),), "2 key parts and 1 columns"),
        ((array("q", [1]), array("q", [])), r"columns of different lengths, \[0, 1\]"),
        ((array("q", [1]), array("d", [1.0])), "number is int32; pass a contiguous array of integers"),
        ((array("q", [1]), TailColumn.of([b"x"])), "number is int32; pass a contiguous array"),
        (
            (array("q", [1]), memoryview(array("q", [1, 2, 3]))[::2]),
            "number is int32; pass a contiguous array",
        ),
    ],
)
def test_columns_that_do_not_fit_the_layout_are_refused(
    library: Library, columns: tuple[Column, ...], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        library.encode_keys(ISSUES, columns)


@pytest.mark.parametrize(
    "column",
    [
        array("q", [1]),
        TailColumn(b"abc", array("I", [0, 4])),
        TailColumn(b"abc", array("I", [2, 1])),
        TailColumn(b"abc", array("q", [0, 3])),
        TailColumn(b"", array("I", [])),
    ],
)
def test_a_column_that_holds_no_texts_is_refused(library: Library, column: Column) -> None:
    with pytest.raises(UsageError, match=r"by_label\.label is text; pass a TailColumn"):
        library.encode_keys(BY_LABEL, (column, array("B", [1])))


@pytest.mark.parametrize(
    ("key", "said"),
    [
        (b"", "its part label does not end"),
        (b"\xff", "its part label does not end"),
        (b"\xff\xfe\0", "its part label has 0x00 before something else"),
        (b"\x00\xff\xff\0", "its part label is not UTF-8"),
        (b"\xff\xff", "its part open does not end"),
        (b"\xff\xff\2", "its part open is neither 0 nor 1"),
        (b"\xff\xff\1\0", "bytes follow its last part"),
    ],
)
def test_a_key_that_does_not_decode_is_told_with_its_part(library: Library, key: bytes, said: str) -> None:
    good = invert(escape(b"fine")) + b"\1"
    page = library.open_page(build_page([good, key, b""], None, 0), 0)

    with pytest.raises(KeyCorrupt, match=said) as caught:
        library.decode_keys(BY_LABEL, page)

    assert (caught.value.table, caught.value.key) == ("by_label", key)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ((), "has 0 parts"),
        ((KeyPart("at", "float64"),), "a key has no part of type 'float64'"),
        (tuple(KeyPart(f"part{at}", "int8") for at in range(65)), "has 65 parts"),
    ],
)
def test_parts_that_no_key_has_are_refused(parts: tuple[KeyPart, ...], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        KeyLayout("issues", parts)
