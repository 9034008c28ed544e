"""The packed layout: what is written, and every way in which it can be torn."""

from __future__ import annotations

from typing import Any

import pytest

from pillarbox.codec import Packed, PackedField
from pillarbox.errors import RangeError, RecordCorrupt, UsageError

PLAIN = Packed("counts", (PackedField("open", "uint32"), PackedField("late", "int16")))
MIXED = Packed(
    "labels",
    (
        PackedField("name", "text"),
        PackedField("color", "uint32", default=7),
        PackedField("hidden", "bool"),
        PackedField("since", "int64", optional=True),
        PackedField("icon", "bytes", optional=True),
    ),
)


def test_rows_of_fixed_fields_are_flags_and_the_fields_in_order() -> None:
    assert PLAIN.encode(1, -2) == b"\0\x01\0\0\0\xfe\xff"
    assert PLAIN.decode(b"\0\x01\0\0\0\xfe\xff") == (1, -2)


def test_defaults_and_absent_values_take_no_bytes() -> None:
    assert MIXED.encode("ab", 7, True, None, None) == b"\0\x01\x02\0\0\0ab"
    assert MIXED.decode(b"\0\x01\x02\0\0\0ab") == ("ab", 7, True, None, None)


def test_present_fields_are_flagged_and_tails_come_last() -> None:
    row = ("ab", 8, False, -1, b"\0")

    data = MIXED.encode(*row)

    assert data == b"\x07\x08\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\x02\0\0\0ab\x01\0\0\0\0"
    assert MIXED.decode(data) == row


def test_a_row_without_fields_is_its_flags() -> None:
    empty = Packed("nothing", ())

    assert empty.encode() == b"\0"
    assert empty.decode(b"\0") == ()


def test_a_row_from_before_a_default_was_added_has_the_default() -> None:
    older = Packed("counts", (PackedField("open", "uint32"),))
    newer = Packed("counts", (PackedField("open", "uint32"), PackedField("kind", "uint8", default=3)))

    assert newer.decode(older.encode(5)) == (5, 3)


TORN = {
    "the value is empty, not even flags": b"",
    "flags 0x08 at offset 0 announce fields nobody knows": b"\x08\x01\0\0\0\0",
    "the fixed fields end at offset 2, the value at 1": b"\0",
    "0x02 at offset 1 is no bool": b"\0\x02\0\0\0\0",
    "the length of 'name' at offset 2 is cut off": b"\0\x01\x01\0\0",
    "'name' at offset 2 says 4294967295 bytes, 2 are left": b"\0\x01\xff\xff\xff\xffab",
    "the row ends at offset 8, the value at 9": b"\0\x01\x02\0\0\0ab!",
    "'name' at offset 2 is no UTF-8: invalid start byte": b"\0\x01\x01\0\0\0\xff",
    "field 'color' is present with its default": b"\x01\x07\0\0\0\x01\0\0\0\0",
}


@pytest.mark.parametrize("reason", TORN)
def test_a_torn_row_tells_what_is_wrong_and_where(reason: str) -> None:
    with pytest.raises(RecordCorrupt) as caught:
        MIXED.decode(TORN[reason])

    assert (caught.value.table, caught.value.reason) == ("labels", reason)
    assert str(caught.value).endswith("or it is damaged: restore a backup, or fetch it again")


@pytest.mark.parametrize(
    "data", [b"", b"\0", b"\x01\x01\0\0\0\xfe\xff", b"\0\x01\0\0\0\xfe", b"\0\x01\0\0\0\xfe\xff\0"]
)
def test_rows_of_fixed_fields_are_as_strict(data: bytes) -> None:
    with pytest.raises(RecordCorrupt, match="table 'counts': "):
        PLAIN.decode(data)


def test_an_error_can_be_told_the_key_later() -> None:
    with pytest.raises(RecordCorrupt) as caught:
        PLAIN.decode(b"\x01")

    assert str(caught.value.at(b"\x01\x02")).startswith("table 'counts', key 0x0102: flags 0x01 at offset 0")
    assert str(caught.value.at(-7)).startswith("table 'counts', key -7: ")


@pytest.mark.parametrize(
    ("row", "field"),
    [
        (("a", 2**32, True, None, None), "labels.color"),
        (("a", -1, True, None, None), "labels.color"),
        (("a", "red", True, None, None), "labels.color"),
        (("a", 7, True, 2**63, None), "labels.since"),
        (("half \ud83d", 7, True, None, None), "labels.name"),
        ((None, 7, True, None, None), "labels.name"),
        ((b"a", 7, True, None, None), "labels.name"),
        (("a", 7, True, None, "a"), "labels.icon"),
        (("a", 7, True, None, 5), "labels.icon"),
        (("a", 7, None, None, None), "labels.hidden"),
        (("a", 7, 2, None, None), "labels.hidden"),
    ],
)
def test_a_value_that_does_not_fit_names_its_field(row: tuple[object, ...], field: str) -> None:
    with pytest.raises(RangeError) as caught:
        MIXED.encode(*row)

    assert caught.value.field == field


def test_a_plain_value_that_does_not_fit_names_its_field_too() -> None:
    with pytest.raises(
        RangeError, match=r"counts\.late is 32768, which is not an int16 \(-32768 \.\. 32767\)"
    ):
        PLAIN.encode(1, 32768)


@pytest.mark.parametrize("packed", [PLAIN, MIXED])
@pytest.mark.parametrize("count", [0, 1, 6])
def test_the_number_of_values_must_be_that_of_the_fields(packed: Packed, count: int) -> None:
    with pytest.raises(UsageError, match=rf"was given {count} values; pass one for each"):
        packed.encode(*["a", 7, True, None, None, None][:count])


def test_eight_fields_at_most_fit_the_flags() -> None:
    fields = tuple(PackedField(f"f{number}", "uint8", optional=True) for number in range(9))

    assert Packed("wide", fields[:8]).encode(*range(8)) == b"\xff" + bytes(range(8))
    with pytest.raises(UsageError, match=r"'wide' has 9 packed fields.* use the `record` layout"):
        Packed("wide", fields)


@pytest.mark.parametrize("cell", [None, 7, 0, "text", ""])
@pytest.mark.parametrize("codec", [PLAIN, MIXED])
def test_a_cell_of_a_damaged_page_that_holds_no_bytes_is_told_as_damage(codec: Packed, cell: Any) -> None:
    with pytest.raises(RecordCorrupt, match="is stored in the place of bytes"):
        codec.decode(cell)
