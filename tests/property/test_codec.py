"""The laws of the codecs: order, round trips, and that nothing else is accepted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st

from pillarbox.codec import (
    INT_RANGES,
    Packed,
    PackedField,
    RecordCodec,
    Unknown,
    escape,
    invert,
    successor,
    unescape,
)
from pillarbox.codec.walk import walk_of
from pillarbox.errors import RecordCorrupt

#: Bytes that make escaping and prefixes go wrong, if anything does.
raws = st.lists(st.sampled_from([0, 1, 0x61, 0xFE, 0xFF]), max_size=5).map(bytes)

# ----------------------------------------------------------------------------------------------- keys


@given(raws, raws, raws, raws)
def test_escaped_parts_compare_as_what_they_hold(
    first: bytes, second: bytes, rest: bytes, other_rest: bytes
) -> None:
    assert (escape(first) < escape(second)) == (first < second)
    if first != second:  # and what follows cannot turn that around
        assert (escape(first) + rest < escape(second) + other_rest) == (first < second)
        assert (invert(escape(first)) + rest < invert(escape(second)) + other_rest) == (first > second)


@given(raws, raws, raws)
def test_an_escaped_part_is_read_back_whatever_stands_around_it(head: bytes, raw: bytes, tail: bytes) -> None:
    assert unescape(head + escape(raw) + tail, len(head)) == (raw, len(head) + len(escape(raw)))


@given(raws)
def test_what_unescapes_at_all_is_what_escape_writes(data: bytes) -> None:
    try:
        raw, end = unescape(data, 0)
    except ValueError:
        return
    assert escape(raw) == data[:end]


@given(raws, raws)
def test_everything_with_a_prefix_is_below_its_successor_and_nothing_else_is(
    prefix: bytes, data: bytes
) -> None:
    above = successor(prefix)

    assert data.startswith(prefix) == (prefix <= data and (above is None or data < above))


# --------------------------------------------------------------------------------------------- packed


def values_of(type_: str) -> st.SearchStrategy[Any]:
    """Few values, the edges of the type among them."""
    if type_ in INT_RANGES:
        low, high = INT_RANGES[type_]
        return st.sampled_from([low, high, 0, 1])
    few: dict[str, st.SearchStrategy[Any]] = {
        "bool": st.booleans(),
        "float64": st.sampled_from([0.0, 1.5, float("inf")]),
        "text": st.sampled_from(["", "a", "ä\0", "x" * 20]),
        "bytes": st.sampled_from([b"", b"\0", b"\xff\xff"]),
    }
    return few[type_]


TELLING_BYTES = [*range(10), 0x7F, 0x80, 0xFE, 0xFF]
TYPES = [*INT_RANGES, "bool", "float64", "text", "bytes"]


@st.composite
def packed_rows(draw: st.DrawFn) -> tuple[Packed, tuple[Any, ...]]:
    """A packed layout, and a row of it."""
    fields, row = [], []
    for number in range(draw(st.integers(0, 6))):
        type_, kind = draw(st.sampled_from(TYPES)), draw(st.sampled_from(["plain", "optional", "default"]))
        values = values_of(type_)
        default = draw(values) if kind == "default" else None
        fields.append(PackedField(f"f{number}", type_, optional=kind == "optional", default=default))
        row.append(draw(values | st.none() if kind == "optional" else values))
    return Packed("rows", tuple(fields)), tuple(row)


def decoded(packed: Packed, data: bytes) -> tuple[Any, ...] | None:
    try:
        return packed.decode(data)
    except RecordCorrupt:
        return None


@given(packed_rows())
def test_a_packed_row_is_read_back(case: tuple[Packed, tuple[Any, ...]]) -> None:
    packed, row = case

    assert packed.decode(packed.encode(*row)) == row


@given(packed_rows())
def test_no_part_of_a_packed_row_is_another_row(case: tuple[Packed, tuple[Any, ...]]) -> None:
    packed, row = case
    data = packed.encode(*row)

    for size in range(len(data)):
        shorter = decoded(packed, data[:size])
        assert shorter is None


@given(packed_rows())
def test_packed_bytes_with_one_byte_changed_are_refused_or_what_encode_writes(
    case: tuple[Packed, tuple[Any, ...]],
) -> None:
    packed, row = case
    data = packed.encode(*row)

    for place in range(len(data)):
        for byte in TELLING_BYTES:
            changed = data[:place] + bytes((byte,)) + data[place + 1 :]
            found = decoded(packed, changed)
            if found is not None:
                assert packed.encode(*found) == changed


@st.composite
def spliced(draw: st.DrawFn) -> tuple[Packed, bytes]:
    """A packed layout, and a row whose defaults may be written out, with other bytes in its middle."""
    packed, row = draw(packed_rows())
    fields = [replace(field, optional=field.flagged, default=None) for field in packed.fields]
    data = Packed("rows", tuple(fields)).encode(*row)
    other = data[draw(st.integers(0, len(data))) :][: draw(st.integers(0, 9))]
    at = draw(st.integers(0, len(data)))
    gone = draw(st.sampled_from([len(other), len(other), 0, 1, 8]))
    return packed, data[:at] + draw(st.just(other) | st.binary(max_size=12)) + data[at + gone :]


@given(spliced())
def test_any_bytes_decode_to_a_row_or_are_refused(case: tuple[Packed, bytes]) -> None:
    packed, data = case

    found = decoded(packed, data)

    if found is not None:
        assert packed.encode(*found) == data


# -------------------------------------------------------------------------------------------- records
# `Older` and `Newer` are one row struct as two packages know it: only the newer one has the case Video.


class Link(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=1):
    url: str


class Image(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=2):
    width: int
    inner: tuple[Case, ...] = ()


class Video(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=9):
    anything: Any


class Album(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=2):
    """`Image`, as the newer package knows it."""

    width: int
    inner: tuple[NewerCase, ...] = ()


Case: TypeAlias = Link | Image
NewerCase: TypeAlias = Link | Album | Video


class Spot(msgspec.Struct, frozen=True, array_like=True, gc=False):
    x: int
    shown: Case | None = None
    around: tuple[Spot, ...] | None = None


class NewerSpot(msgspec.Struct, frozen=True, array_like=True, gc=False):
    x: int
    shown: NewerCase | None = None
    around: tuple[NewerSpot, ...] | None = None


class Older(msgspec.Struct, frozen=True, array_like=True, gc=False):
    number: int
    first: Case
    maybe: Case | None = None
    many: tuple[Case, ...] = ()
    maybe_many: tuple[Case, ...] | None = None
    by_name: tuple[tuple[str, Case], ...] = ()
    spot: Spot | None = None
    nested: tuple[tuple[Case | None, ...], ...] = ()


class Newer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    number: int
    first: NewerCase
    maybe: NewerCase | None = None
    many: tuple[NewerCase, ...] = ()
    maybe_many: tuple[NewerCase, ...] | None = None
    by_name: tuple[tuple[str, NewerCase], ...] = ()
    spot: NewerSpot | None = None
    nested: tuple[tuple[NewerCase | None, ...], ...] = ()


OLDER = RecordCodec(Older, "older")
NEWER = RecordCodec(Newer, "newer")
_fast = msgspec.msgpack.Decoder(Older).decode
_slow = walk_of(Older)

numbers = st.sampled_from([0, -1, 127, 128, 2**63 - 1, -(2**63), 2**64 - 1])
anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | numbers | st.floats(allow_nan=False) | st.sampled_from(["", "ä"]) | raws,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b"]), inner),
    max_leaves=6,
)


def rows_of(leaves: st.SearchStrategy[NewerCase]) -> st.SearchStrategy[Newer]:
    """Rows with union cases in every place where one can be, made of these and of albums of them."""
    cases = st.recursive(
        leaves,
        lambda inner: st.builds(Album, numbers, st.lists(inner, max_size=2).map(tuple)),
        max_leaves=4,
    )
    many = st.lists(cases, max_size=2).map(tuple)
    spots: st.SearchStrategy[NewerSpot] = st.recursive(
        st.builds(NewerSpot, numbers, st.none() | cases),
        lambda inner: st.builds(
            NewerSpot, numbers, st.none() | cases, st.lists(inner, max_size=2).map(tuple)
        ),
        max_leaves=3,
    )
    return st.builds(
        Newer,
        numbers,
        cases,
        st.none() | cases,
        many,
        st.none() | many,
        st.lists(st.tuples(st.sampled_from(["", "a"]), cases), max_size=2).map(tuple),
        st.none() | spots,
        st.lists(st.lists(st.none() | cases, max_size=2).map(tuple), max_size=2).map(tuple),
    )


links: st.SearchStrategy[NewerCase] = st.builds(Link, st.sampled_from(["", "u"]))
known_rows = rows_of(links)
newer_rows = rows_of(links | st.builds(Video, anything))


def unknown_in(value: object) -> bool:
    """Whether an `Unknown` is somewhere in a decoded value."""
    if isinstance(value, msgspec.Struct):
        return any(unknown_in(getattr(value, name)) for name in value.__struct_fields__)
    if isinstance(value, tuple):
        return any(map(unknown_in, value))
    return isinstance(value, Unknown)


def fast_decodes(data: bytes) -> bool:
    """Whether msgspec alone makes a row of it."""
    try:
        _fast(data)
    except ValueError:
        return False
    return True


@given(newer_rows)
@example(Newer(1, Video([2**64 - 1, -(2**63)]), many=(Album(1, (Album(2, (Video(None),)),)),)))
@example(Newer(1, Link("u"), spot=NewerSpot(1, None, (NewerSpot(2, Video(1)),)), nested=((None, Video(1)),)))
def test_what_a_newer_package_wrote_survives_an_older_one(row: Newer) -> None:
    written = NEWER.encode(row)

    passed_on = OLDER.encode(OLDER.decode(written))

    assert passed_on == written
    assert NEWER.decode(passed_on) == row


@given(known_rows)
def test_a_walk_and_the_fast_decoder_agree_on_rows_both_know(row: Newer) -> None:
    written = NEWER.encode(row)

    assert _slow(written) == _fast(written) == OLDER.decode(written)


@given(newer_rows, st.data())
def test_a_torn_row_is_refused_unless_an_unknown_case_is_all_that_is_odd(
    row: Newer, data: st.DataObject
) -> None:
    torn = bytearray(NEWER.encode(row))
    for _ in range(data.draw(st.integers(1, 3))):
        torn[data.draw(st.integers(0, len(torn) - 1))] = data.draw(st.integers(0, 255))
    del torn[data.draw(st.integers(len(torn) - 3, len(torn))) :]

    try:
        found = OLDER.decode(bytes(torn))
    except RecordCorrupt:
        assert not fast_decodes(bytes(torn))
        return
    if unknown_in(found):
        assert unknown_in(OLDER.decode(OLDER.encode(found)))
    else:
        assert repr(found) == repr(_fast(bytes(torn))) == repr(_slow(bytes(torn)))


@given(st.lists(st.tuples(newer_rows, st.booleans()), max_size=4))
def test_many_rows_decode_as_each_of_them_does_and_fail_where_one_does(
    drawn: list[tuple[Newer, bool]],
) -> None:
    written = [NEWER.encode(row)[: -1 if torn else None] for row, torn in drawn]

    def said(decode: Callable[[], list[Older]]) -> list[Older] | str:
        try:
            return decode()
        except RecordCorrupt as error:
            return str(error)

    assert said(lambda: OLDER.decode_many(written)) == said(lambda: list(map(OLDER.decode, written)))
