"""Records: what an older, a newer or a torn row decodes to."""

from __future__ import annotations

import copy
import pickle
from enum import IntEnum
from typing import Any, NewType, cast

import msgspec
import pytest

from pillarbox.codec import RecordCodec, Unknown, encoded
from pillarbox.errors import RangeError, RecordCorrupt

UserId = NewType("UserId", int)
packb = msgspec.msgpack.encode


class State(IntEnum):
    OPEN = 0
    CLOSED = 1


class Link(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=1):
    url: str


class Image(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=2):
    width: int
    inner: tuple[Link | Image, ...] = ()


class Place(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A record that holds a union, as one field among others."""

    x: int
    seen: Link | Image | None = None
    around: tuple[Place, ...] = ()


class Issue(msgspec.Struct, frozen=True, array_like=True, gc=False):
    project_id: int
    number: int
    title: str
    state: State
    _reserved_3: None = None
    author: UserId | None = None
    attached: Link | Image | None = None
    links: tuple[Link | Image, ...] = ()
    by_name: tuple[tuple[str, Link | Image], ...] = ()
    place: Place | None = None
    data: bytes = b""


class Plain(msgspec.Struct, frozen=True, array_like=True, gc=False):
    number: int
    title: str
    state: State = State.OPEN


ISSUES = RecordCodec(Issue, "issues")
PLAIN = RecordCodec(Plain, "plain")
FUTURE = [7, "anything", {"deep": [1, 2**64 - 1, -(2**63), None, b"\0", 1.5]}]


def test_a_row_is_its_fields_in_an_array() -> None:
    row = Plain(-1, "ä", State.CLOSED)

    assert PLAIN.encode(row) == b"\x93\xff\xa2\xc3\xa4\x01"
    assert PLAIN.decode(PLAIN.encode(row)) == row


def test_a_union_case_is_its_number_and_its_fields() -> None:
    row = Issue(1, 2, "t", State.OPEN, attached=Image(3, (Link("u"),)))

    assert msgspec.msgpack.decode(ISSUES.encode(row))[6] == [2, 3, [[1, "u"]]]
    assert ISSUES.decode(ISSUES.encode(row)) == row


def test_fields_that_an_older_writer_did_not_know_take_their_defaults() -> None:
    assert PLAIN.decode(packb([1, "t"])) == Plain(1, "t", State.OPEN)


def test_fields_that_a_newer_writer_added_are_ignored() -> None:
    assert PLAIN.decode(packb([1, "t", 1, "later", [2]])) == Plain(1, "t", State.CLOSED)


def test_the_same_holds_beside_and_inside_of_unknown_cases() -> None:
    row = [1, 2, "t", 0, None, 9, FUTURE, [[1, "u", "later"]], [], [3, None, [], "later"], b"", "later"]

    whole, short = ISSUES.decode(packb(row)), ISSUES.decode(packb(row[:7]))

    known = Issue(1, 2, "t", State.OPEN, author=UserId(9))
    assert whole.attached == short.attached == Unknown(7, packb(FUTURE))
    assert msgspec.structs.replace(short, attached=None) == known
    assert msgspec.structs.replace(whole, attached=None) == msgspec.structs.replace(
        known, links=(Link("u"),), place=Place(3)
    )


PLACES: dict[str, Any] = {
    "attached": lambda case: {6: case},
    "links": lambda case: {7: [[1, "u"], case, [2, 5]]},
    "by_name": lambda case: {8: [["a", [1, "u"]], ["b", case]]},
    "in a case": lambda case: {6: [2, 5, [case]]},
    "in a record": lambda case: {9: [1, case]},
    "in a record in itself": lambda case: {9: [1, None, [[2, [1, "u"], []], [3, case]]]},
}


@pytest.mark.parametrize("place", PLACES)
def test_an_unknown_case_survives_reading_and_writing(place: str) -> None:
    fields: list[Any] = [1, 2, "t", 1, None, None, None, [], [], None, b"d"]
    for position, value in PLACES[place](FUTURE).items():
        fields[position] = value
    complete = ISSUES.encode(ISSUES.decode(packb(fields)))

    again = ISSUES.decode(complete)

    assert packb(FUTURE) in complete
    assert ISSUES.encode(again) == complete
    assert "Unknown(tag=7" in repr(again)


def test_an_unknown_case_keeps_even_bytes_that_nobody_would_write_so() -> None:
    # The number 7 in nine bytes, a string in the long form.
    odd = b"\x92" + b"\xcf" + (7).to_bytes(8, "big") + b"\xdb\0\0\0\x01a"
    data = b"\x97\x01\x02\xa1t\x01\xc0\xc0" + odd

    row = ISSUES.decode(data)

    assert row.attached == Unknown(7, odd)
    assert odd in ISSUES.encode(row)


MISTYPED: dict[str, tuple[str, Any, str]] = {
    "a number for a text": ("title", 5, "Expected `str`, got `int`"),
    "bytes for a text": ("title", b"t", "Expected `str`, got `bytes`"),
    "nothing for a text": ("title", None, "Expected `str`, got `None`"),
    "a text for bytes": ("data", "d", "Expected `bytes`, got `str`"),
    "a bool for a number": ("author", True, "Expected `int | null`, got `bool`"),
    "a text for a number": ("number", "2", "Expected `int`, got `str`"),
    "an unknown number for an enum": ("state", 9, "Invalid enum value 9"),
    "a name for an enum": ("state", "OPEN", "Expected `int`, got `str`"),
    "an array for a record": ("place", (1, 2), "Place.seen: Expected `array`, got `int`"),
    "a text for a list": ("links", "abc", "Expected `array`, got `str`"),
    "a text in a list": ("links", ("abc",), "Expected `array`, got `str`"),
    "a field of a case": ("attached", Link(cast(Any, 5)), "Link.url: Expected `str`, got `int`"),
}


@pytest.mark.parametrize("case", MISTYPED)
@pytest.mark.parametrize("known", [True, False])
def test_what_would_not_read_is_not_encoded_and_told_by_field_and_value(case: str, known: bool) -> None:
    field, value, reason = MISTYPED[case]
    unknown: Any = Unknown(7, packb(FUTURE))
    good = Issue(1, 2, "t", State.OPEN, by_name=() if known else (("a", unknown),))
    assert ISSUES.decode(ISSUES.encode(good)) == good

    with pytest.raises(RangeError) as caught:
        ISSUES.encode(msgspec.structs.replace(good, **{field: value}))

    assert (caught.value.field, caught.value.value) == (f"issues.{field}", value)
    assert f"which is not of the type that the schema declares ({reason}" in str(caught.value)
    assert caught.value.__cause__ is None, "a wrong value is no damaged box, so no traceback speaks of one"


@pytest.mark.parametrize(
    ("field", "value"), [("state", 1), ("links", [Link("u")]), ("data", bytearray(b"d"))]
)
def test_what_reads_as_the_right_type_is_taken(field: str, value: Any) -> None:
    row = msgspec.structs.replace(Issue(1, 2, "t", State.OPEN), **{field: value})

    read = getattr(ISSUES.decode(ISSUES.encode(row)), field)

    assert read == (tuple(value) if field == "links" else value)


TORN: dict[str, tuple[RecordCodec[Any], bytes]] = {
    "nothing": (PLAIN, b""),
    "cut": (PLAIN, packb([1, "title"])[:-1]),
    "trailing bytes": (PLAIN, packb([1, "t"]) + b"\0"),
    "not an array": (PLAIN, packb({"number": 1})),
    "a field missing": (PLAIN, packb([1])),
    "a field of another type": (PLAIN, packb(["1", "t"])),
    "no UTF-8": (PLAIN, b"\x92\x01\xa1\xff"),
    "an enum value nobody knows": (PLAIN, packb([1, "t", 9])),
    "nested too deep": (PLAIN, b"\x91" * 100_000),
    "nested too deep inside of what is kept": (
        ISSUES,
        packb([1, 2, "t", 0, None, None])[:-2] + b"\x91" * 100_000,
    ),
    "an enum value beside an unknown case": (ISSUES, packb([1, 2, "t", 9, None, None, FUTURE])),
    "cut inside an unknown case": (ISSUES, packb([1, 2, "t", 0, None, None, FUTURE])[:-1]),
    "a case without its number": (ISSUES, packb([1, 2, "t", 0, None, None, []])),
    "a case with a name": (ISSUES, packb([1, 2, "t", 0, None, None, ["image", 1]])),
    "a case that is no array": (ISSUES, packb([1, 2, "t", 0, None, None, 7])),
    "a known case with a wrong field": (ISSUES, packb([1, 2, "t", 0, None, None, FUTURE, [[1, 5]]])),
    "a known case with too few fields": (ISSUES, packb([1, 2, "t", 0, None, None, FUTURE, [[2]]])),
    "a pair of three": (ISSUES, packb([1, 2, "t", 0, None, None, FUTURE, [], [["a", [1, "u"], 3]]])),
    "nil where a case belongs": (ISSUES, packb([1, 2, "t", 0, None, None, FUTURE, [None]])),
}


@pytest.mark.parametrize("cell", [None, 7, "text"])
def test_a_cell_of_a_damaged_page_that_holds_no_bytes_is_told_as_damage(cell: Any) -> None:
    with pytest.raises(RecordCorrupt, match="is stored in the place of bytes"):
        PLAIN.decode(cell)


def test_a_row_that_no_decoder_can_be_made_for_is_no_damage() -> None:
    codec: RecordCodec[Any] = RecordCodec(int | Link | list[int] | tuple[int, ...], "issues")  # type: ignore[arg-type]

    with pytest.raises(TypeError, match="more than one array-like"):
        codec.decode(packb([1]))


@pytest.mark.parametrize("case", TORN)
def test_torn_bytes_tell_table_reason_and_remedy(case: str) -> None:
    codec, data = TORN[case]

    with pytest.raises(RecordCorrupt) as caught:
        codec.decode(data)

    assert caught.value.value == data
    assert caught.value.reason
    assert str(caught.value).startswith(
        f"table {codec.name!r}: {caught.value.reason}, in the {len(data)} bytes 0x"
    )
    assert str(caught.value).endswith("or it is damaged: restore a backup, or fetch it again")


def test_the_reason_names_the_field_also_beside_an_unknown_case() -> None:
    with pytest.raises(RecordCorrupt, match=r"Issue\.links: Link\.url: Expected `str`, got `int`"):
        ISSUES.decode(TORN["a known case with a wrong field"][1])


@pytest.mark.parametrize(
    ("row", "field", "range_"),
    [
        (Plain(2**64, "t"), "plain.number", "an integer of 64 bits"),
        (Plain(1, "half \ud83d"), "plain.title", "text that UTF-8 can write"),
        (Plain(1, object()), "plain.title", "of the type that the schema declares"),  # type: ignore[arg-type]
    ],
)
def test_a_value_that_cannot_be_written_names_its_field(row: Plain, field: str, range_: str) -> None:
    with pytest.raises(RangeError) as caught:
        PLAIN.encode(row)

    assert (caught.value.field, caught.value.range) == (field, range_)


def test_an_unknown_case_is_a_value_like_the_known_ones() -> None:
    case = Unknown(7, b"\x91\x07")

    assert case == Unknown(7, b"\x91\x07")
    assert hash(case) == hash(Unknown(7, b"\x91\x07"))
    assert case != Unknown(7, b"\x92\x07\x01")
    assert case != b"\x91\x07"
    assert repr(case) == "Unknown(tag=7, raw=0x9107)"
    assert pickle.loads(pickle.dumps(case)) == case
    assert copy.deepcopy(case) == case
    with pytest.raises(AttributeError, match="immutable"):
        case.tag = 8
    with pytest.raises(AttributeError, match="immutable"):
        del case.raw


@pytest.mark.parametrize(
    "value", [Place(1, Image(3, (Link("u"),))), Place(2, cast(Any, Unknown(9, b"\x91\x09")))]
)
def test_any_value_can_be_held_as_its_bytes(value: Place) -> None:
    assert RecordCodec(Place, "places").decode(encoded(value)) == value


def test_a_value_that_cannot_be_held_as_bytes_is_refused() -> None:
    with pytest.raises(RangeError, match="of the type that the schema declares"):
        encoded("half \ud83d")
