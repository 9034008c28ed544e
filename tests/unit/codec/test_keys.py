"""Escaped key parts, prefixes, and what a key error tells."""

from __future__ import annotations

import pytest

from pillarbox.codec import KeyParts, escape, invert, key_corrupt, one_key, range_error, successor, unescape


@pytest.mark.parametrize(
    ("raw", "escaped"),
    [
        (b"", b"\0\0"),
        (b"ab", b"ab\0\0"),
        (b"\0", b"\0\xff\0\0"),
        (b"a\0\0b", b"a\0\xff\0\xffb\0\0"),
        (b"\xff\0", b"\xff\0\xff\0\0"),
    ],
)
def test_a_part_is_escaped_and_ended(raw: bytes, escaped: bytes) -> None:
    assert escape(raw) == escaped
    assert unescape(b"head" + escaped + b"tail", 4) == (raw, 4 + len(escaped))


@pytest.mark.parametrize("torn", [b"", b"ab", b"ab\0", b"\0\xff", b"\0\xff\0"])
def test_a_part_without_its_end_is_torn(torn: bytes) -> None:
    with pytest.raises(ValueError, match="the part at offset 1 does not end"):
        unescape(b"." + torn, 1)


def test_what_a_damaged_page_has_in_the_place_of_bytes_is_a_type_error_which_codecs_explain() -> None:
    for other in (7, 0.5, None, "text"):
        with pytest.raises(TypeError):
            unescape(other, 0)  # type: ignore[arg-type]


def test_a_zero_byte_that_nothing_could_have_written_is_told_with_its_place() -> None:
    with pytest.raises(ValueError, match="0x00 0x07 at offset 3 is no escape"):
        unescape(b".ab\0\x07\0\0", 1)


@pytest.mark.parametrize(
    ("prefix", "above"),
    [
        (b"", None),
        (b"\xff\xff", None),
        (b"a", b"b"),
        (b"a\xff\xff", b"b"),
        (b"\0", b"\x01"),
        (b"\xfe\xff", b"\xff"),
    ],
)
def test_the_successor_is_just_above_everything_with_the_prefix(prefix: bytes, above: bytes | None) -> None:
    assert successor(prefix) == above


@pytest.mark.parametrize(
    ("key", "above"),
    [(b"", b"\0"), (b"a", b"a\0"), (-(2**63), 1 - 2**63), (-1, 0), (2**63 - 2, 2**63 - 1), (2**63 - 1, None)],
)
def test_one_key_ends_before_the_next_that_a_store_may_have(
    key: bytes | int, above: bytes | int | None
) -> None:
    assert one_key(key) == (key, above)


def test_inverting_twice_changes_nothing() -> None:
    assert invert(b"\0\x01\xff") == b"\xff\xfe\0"
    assert invert(invert(bytes(range(256)))) == bytes(range(256))


@pytest.mark.parametrize(
    ("type_", "value", "range_"),
    [
        ("int8", 128, r"an int8 \(-128 \.\. 127\)"),
        ("int8", -129, r"an int8 \(-128 \.\. 127\)"),
        ("uint32", -1, r"a uint32 \(0 \.\. 4294967295\)"),
        ("int64", 2**63, r"an int64 \(-9223372036854775808 \.\. 9223372036854775807\)"),
        ("int64", "7", "an int64"),
        ("bool", 1, "a bool"),
        ("float64", "1.5", "a float64"),
        ("bytes", "text", "bytes of less than 4 GiB"),
        ("text", b"bytes", "a text"),
        ("text", "half \ud83d", "text that UTF-8 can write"),
    ],
)
def test_a_key_that_does_not_encode_names_the_part_and_its_range(
    type_: str, value: object, range_: str
) -> None:
    error = range_error("issues", ("project_id", "int64", 1), ("part", type_, value))

    assert error.field == "issues.part"
    assert error.value == value
    with pytest.raises(
        type(error), match=rf"issues\.part is .*, which is not {range_}.*; pass a value that fits"
    ):
        raise error


def test_a_key_whose_parts_all_fit_alone_is_still_told() -> None:
    error = range_error("issues", ("project_id", "int64", 1))

    assert str(error).startswith("issues is (1,), which is not a key of this table; ")


def test_parts_of_a_key_are_told_from_any_of_them_on() -> None:
    parts = KeyParts("issues", self="int64", table="int8", number="uint8")

    assert parts.range_error(1, 128).field == "issues.table"
    assert parts.range_error(1, -1, start=1).field == "issues.number"
    assert parts.range_error("1", 128, start=0).field == "issues.self"


def test_a_torn_key_tells_table_key_reason_and_remedy() -> None:
    error = key_corrupt("issues", b"\x80\0\x01", "it has 3 bytes, not 20")

    assert (error.table, error.key, error.reason) == ("issues", b"\x80\0\x01", "it has 3 bytes, not 20")
    assert str(error) == (
        "table 'issues', key 0x800001: it has 3 bytes, not 20; either a newer package wrote the row: update "
        "this one; or it is damaged: restore a backup, or fetch it again"
    )
