"""The native path equals the Python path, errors included, on good, nearly good and hostile input."""

from __future__ import annotations

from array import array
from functools import cache
from itertools import pairwise
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native_support import built, native, need_compiler, outcome
from tests.property.native_worlds import PYTHON, both, damaged

from pillarbox.codec import INT_RANGES, invert
from pillarbox.native.faults import PageCorrupt
from pillarbox.native.layouts import Column, KeyLayout, KeyPart, TailColumn
from pillarbox.native.loader import SQLITE_ENTRY, Library, load
from pillarbox.native.pages import Page, build_page


@pytest.fixture(autouse=True)
def _compiler() -> None:
    need_compiler()


# ------------------------------------------------------------------------------------------ pages


@st.composite
def rows(draw: st.DrawFn) -> tuple[int, list[bytes], list[bytes] | None]:
    """A key width (0: keys vary), keys, and values or None."""
    width = draw(st.sampled_from([0, 1, 3, 8]))
    sizes = {"max_size": 5} if width == 0 else {"min_size": width, "max_size": width}
    keys = draw(st.lists(st.binary(**sizes), max_size=6))
    if draw(st.booleans()):
        keys.sort()
    size = len(keys)
    values = draw(st.none() | st.lists(st.binary(max_size=4), min_size=size, max_size=size))
    return width, keys, values


def seen(page: Page) -> object:
    """Everything a page tells."""
    single = [page.key(row) for row in range(page.count)]
    return page.count, page.keys(), page.values(), single, bool(page.values_at)


@given(rows())
def test_an_opened_page_holds_the_rows_it_was_built_from(case: tuple[int, list[bytes], Any]) -> None:
    width, keys, values = case

    data = build_page(keys, values, width)

    for library in (PYTHON, native()):
        page = library.open_page(data, width)
        assert seen(page) == (len(keys), tuple(keys), tuple(values or ()), keys, values is not None)


@given(st.data(), rows())
def test_any_bytes_are_the_same_page_or_the_same_fault(
    data: st.DataObject, case: tuple[int, list[bytes], Any]
) -> None:
    width, keys, values = case
    torn = data.draw(damaged(build_page(keys, values, width)))

    def answer(library: Library) -> object:
        page = library.open_page(torn, width)
        return seen(page), outcome(lambda: library.check_ascending(page))

    assert outcome(lambda: answer(native())) == outcome(lambda: answer(PYTHON))


@given(rows(), st.integers(-1, 7), st.integers(-1, 7))
def test_a_slice_is_the_page_of_its_rows(case: tuple[int, list[bytes], Any], begin: int, end: int) -> None:
    width, keys, values = case
    page = PYTHON.open_page(build_page(keys, values, width), width)

    slices = both(lambda library: library.slice_page(page, begin, end))

    assert slices[0] == slices[1]
    if 0 <= begin <= end <= len(keys):
        assert slices[0] == build_page(keys[begin:end], values and values[begin:end], width)


@cache
def connection() -> apsw.Connection:
    """A database in memory that has loaded the object."""
    if not load(built())[1].has_table_function:
        pytest.skip("built without sqlite3ext.h; install libsqlite3-dev")
    opened = apsw.Connection(":memory:")
    opened.enable_load_extension(True)
    opened.load_extension(str(built()), SQLITE_ENTRY)
    opened.execute("CREATE TABLE pages(page BLOB)")
    return opened


@given(st.data(), rows())
def test_the_table_function_answers_the_rows_of_a_page_or_refuses_it(
    data: st.DataObject, case: tuple[int, list[bytes], Any]
) -> None:
    width, keys, values = case
    torn = data.draw(damaged(build_page(keys, values, width)))
    connection().execute("DELETE FROM pages")
    connection().execute("INSERT INTO pages VALUES (?)", (torn,))

    def expected() -> list[Any]:
        page = PYTHON.open_page(torn, width)
        filled = page.values() if page.values_at else [None] * page.count
        return list(zip(page.keys(), filled, strict=True))

    try:
        answer = expected()
    except PageCorrupt as error:
        answer = [f"the page is torn at byte {error.offset} (status {error.status:d})"]
    bound = "SELECT k, v FROM pillarbox_page(?, ?)"
    stored = "SELECT k, v FROM pages p, pillarbox_page(p.page, ?)"
    assert queried(bound, (torn, width)) == answer
    assert queried(stored, (width,)) == answer


def queried(sql: str, bindings: tuple[Any, ...]) -> list[Any]:
    """The rows, or what SQLite says."""
    try:
        return connection().execute(sql, bindings).fetchall()
    except apsw.SQLError as error:
        return [str(error).removeprefix("pillarbox_page: ")]


@given(st.builds(bytes.__mul__, st.binary(max_size=9), st.integers(0, 20)), st.integers(0, (1 << 64) - 1))
def test_a_hash_is_the_same(data: bytes, seed: int) -> None:
    assert native().hash64(data, seed) == PYTHON.hash64(data, seed)


# ------------------------------------------------------------------------------------------- keys

FORMATS = "bBhHiIqQ"
texts = st.sampled_from([b"", b"a", b"\0", b"\0\0", b"a\0b", "é😀".encode(), b"\x7f"])
not_texts = st.sampled_from(
    [b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80"]
)
parts = st.builds(
    KeyPart,
    name=st.sampled_from(["one", "two", "three"]),
    type=st.sampled_from([*INT_RANGES, "bool"]) | st.sampled_from(["text", "bytes"]),
    desc=st.booleans(),
)
fixed_parts = parts.filter(lambda part: not part.is_tail)
layouts = st.builds(
    KeyLayout,
    table=st.just("issues"),
    parts=st.one_of(
        st.lists(parts, min_size=1, max_size=4), st.lists(fixed_parts, min_size=1, max_size=4)
    ).map(tuple),
)


def near(part: KeyPart) -> list[int]:
    """Values at the edges of the part, and next to them on both sides."""
    low, high = INT_RANGES.get(part.type, (0, 1))
    return [low - 1, low, low + 1, -1, 0, 1, high - 1, high, high + 1]


@st.composite
def column(draw: st.DrawFn, part: KeyPart, size: int, *, fits: bool) -> TailColumn | array[int]:
    """A column of `size` values; unless `fits`, some may not be what the part takes."""
    if part.is_tail:
        wanted = texts if fits and part.type == "text" else texts | not_texts
        return TailColumn.of(draw(st.lists(wanted, min_size=size, max_size=size)))
    code = "Q" if part.type == "uint64" else "q"
    code = code if fits else draw(st.sampled_from(FORMATS))
    low, high = INT_RANGES[f"{'u' * code.isupper()}int{8 * array(code).itemsize}"]
    if fits:
        part_low, part_high = INT_RANGES.get(part.type, (0, 1))
        low, high = max(low, part_low), min(high, part_high)
    values = [value for value in near(part) if low <= value <= high] or [0]
    return array(code, draw(st.lists(st.sampled_from(values), min_size=size, max_size=size)))


@st.composite
def filled(draw: st.DrawFn, *, fits: bool) -> tuple[KeyLayout, tuple[Column, ...]]:
    """A layout and columns for it, now and then with more rows than C looks at in one go."""
    layout = draw(layouts)
    size = draw(st.integers(0, 4))
    columns = [draw(column(part, size, fits=fits)) for part in layout.parts]
    ahead = draw(st.sampled_from([0, 0, 0, 300]))
    return layout, tuple(_behind_zeros(one, ahead) for one in columns)


def _behind_zeros(one: TailColumn | array[int], ahead: int) -> Column:
    if isinstance(one, TailColumn):
        return TailColumn.of([b""] * ahead + one.values())
    return array(one.typecode, [0] * ahead) + one


def plain(columns: tuple[Column, ...]) -> list[list[Any]]:
    """The values, whatever holds them."""
    return [one.values() if isinstance(one, TailColumn) else list(one) for one in columns]


@given(filled(fits=True))
def test_keys_decode_to_their_columns_and_order_as_their_rows_do(
    case: tuple[KeyLayout, tuple[Column, ...]],
) -> None:
    layout, columns = case
    fields = list(zip(*plain(columns), strict=True))

    for library in (PYTHON, native()):
        page = library.open_page(bytes(library.encode_keys(layout, columns)), layout.width)
        assert plain(library.decode_keys(layout, page)) == plain(columns)
        in_order = sorted(zip(page.keys(), fields, strict=True), key=lambda pair: pair[0])
        for (before_key, before), (key, row) in pairwise(in_order):
            assert (before_key == key) == (before == row)
            assert before_key == key or is_before(layout, before, row)


def is_before(layout: KeyLayout, before: tuple[Any, ...], row: tuple[Any, ...]) -> bool:
    """Whether a row comes before another, by its fields alone."""
    for part, one, other in zip(layout.parts, before, row, strict=True):
        if one != other:
            return bool(one > other) if part.desc else bool(one < other)
    return False


@given(filled(fits=False))
def test_any_columns_give_the_same_page_or_the_same_error(
    case: tuple[KeyLayout, tuple[Column, ...]],
) -> None:
    layout, columns = case

    answers = both(lambda library: library.encode_keys(layout, columns))

    assert answers[0] == answers[1]


good_tails = st.sampled_from([b"\0\0", b"a\0\0", b"a\0\xffb\0\0", "é".encode() + b"\0\0"])
bad_tails = st.sampled_from([b"", b"\0", b"a", b"a\0", b"\0\1\0\0", b"a\0\xfe\0\0", b"\xff\0\0", b"\xc3\0\0"])


@st.composite
def stored_part(draw: st.DrawFn, part: KeyPart, *, is_good: bool) -> bytes:
    """A part as it is stored, or nearly so."""
    if part.is_tail:
        piece = draw(good_tails if is_good else bad_tails)
    elif part.type == "bool":
        piece = draw(st.sampled_from([b"\0", b"\1"] if is_good else [b"\2", b"\x80", b""]))
    else:
        width = part.width if is_good else part.width - 1
        piece = draw(st.sampled_from([b"\0", b"\1", b"\x7f", b"\x80", b"\xff"])) * width
    return invert(piece) if part.desc else piece


@st.composite
def stored_keys(draw: st.DrawFn, layout: KeyLayout) -> list[bytes]:
    """Up to four keys, most of them good, now and then behind more good ones than C looks at in one go."""
    keys = []
    for _ in range(draw(st.integers(0, 4))):
        wrong = draw(st.sampled_from([None, None, *range(len(layout.parts))]))
        pieces = [draw(stored_part(part, is_good=at != wrong)) for at, part in enumerate(layout.parts)]
        keys.append(b"".join(pieces) + draw(st.sampled_from([b"", b"", b"", b"\0"])))
    if layout.width:
        keys = [key[: layout.width].ljust(layout.width, b"\2") for key in keys]
    zeros = b"".join(
        [invert(one) if part.desc else one for part in layout.parts for one in [_ZERO[part.width]]]
    )
    return [zeros] * draw(st.sampled_from([0, 0, 0, 300])) + keys


_ZERO = {0: b"\0\0", **{width: bytes(width) for width in (1, 2, 4, 8)}}


@given(st.data(), layouts)
def test_any_key_page_decodes_to_the_same_columns_or_the_same_error(
    data: st.DataObject, layout: KeyLayout
) -> None:
    keys = data.draw(stored_keys(layout))
    page = PYTHON.open_page(build_page(keys, None, layout.width), layout.width)

    answers = both(lambda library: plain(library.decode_keys(layout, page)))

    assert answers[0] == answers[1]
