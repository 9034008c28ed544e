"""Newline JSON: every line comes out once, however it is cut, packed or broken."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.sources.reading import check, fields, index, read, reasons

from pillarbox.errors import UsageError
from pillarbox_spark.adapters import Refused
from pillarbox_spark.quarantine import line_of
from pillarbox_spark.sources import json_lines
from pillarbox_spark.sources.json_lines import JsonLines, Unfit


class Issue(msgspec.Struct):
    number: int
    title: str = ""


def issue_row(issue: Issue, row: Callable[..., Any]) -> Any:
    return Unfit("no-number", "0 is no number") if issue.number == 0 else row(number=issue.number)


#: Lines of more than this are too long for it.
LINE_MAX = 40
ADAPTER = JsonLines(Issue, issue_row, line_max=LINE_MAX)


def written(path: Path, data: bytes, packed: bool = False) -> Path:
    target = path / ("issues.ndjson.gz" if packed else "issues.ndjson")
    target.write_bytes(gzip.compress(data) if packed else data)
    return target


# ------------------------------------------------------------------------------------------------- laws

GOOD = st.integers(-9, 9).map(lambda number: json.dumps({"number": number}).encode())
SPACE = st.sampled_from([b"", b"  ", b"\t", b"\r", b" " * (LINE_MAX + 2)])


@st.composite
def mutilated(draw: st.DrawFn) -> bytes:
    """A line with bytes taken out, doubled or replaced; no newline comes in."""
    line = bytearray(draw(GOOD))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(line)))
        line[at : at + draw(st.integers(0, 4))] = draw(
            st.sampled_from([b"", b"{", b"}", b'"', b"\\", b"\xff", b"\x00", b"9" * 30, b"\xef\xbb\xbf"])
        )
    return bytes(line)


LINES = st.lists(
    GOOD | SPACE | mutilated() | st.just(b'{"number": 1, "title": "' + b"x" * LINE_MAX), max_size=12
)
ENDS = st.sampled_from([b"\n", b"\r\n"])


@given(lines=LINES, end=ENDS, last=st.booleans(), packed=st.booleans(), piece_bytes=st.integers(1, 200))
def test_every_line_that_is_not_blank_is_a_row_or_refused_once_and_in_order(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[bytes],
    end: bytes,
    last: bool,
    packed: bool,
    piece_bytes: int,
) -> None:
    data = end.join(lines) + end * last
    path = written(tmp_path_factory.mktemp("lines"), data, packed)

    taken = check(ADAPTER, path, piece_bytes)

    kept = [line for line in lines if line.strip(b" \t\r\n") or len(line) > LINE_MAX]
    assert len(taken) == len(kept)
    for line, one in zip(kept, taken, strict=True):
        if isinstance(one, Refused):
            assert one.raw == line[: LINE_MAX + 1].rstrip(b" \t\r\n")
        else:
            assert one == {"number": json.loads(line.decode("utf-8-sig"))["number"]}


@given(numbers=st.lists(st.integers(1, 9), min_size=1, max_size=30), cut=st.integers(1, 60))
def test_of_a_packed_file_that_breaks_off_the_rest_is_one_refused_record(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[int], cut: int
) -> None:
    packed = gzip.compress(b"".join(b'{"number": %d}\n' % number for number in numbers))
    path = tmp_path_factory.mktemp("cut") / "issues.ndjson.gz"
    path.write_bytes(packed[: max(len(packed) - cut, 1)])

    *rows, refused = read(ADAPTER, path)

    assert rows == [{"number": number} for number in numbers[: len(rows)]]
    assert isinstance(refused, Refused)
    assert refused.reason == "damaged"
    assert refused.begin == len(rows) * len(b'{"number": 1}\n')


@pytest.mark.parametrize("damage", ["breaks off", "goes on", "is changed"])
def test_of_a_packed_file_all_before_the_damage_is_read(tmp_path: Path, damage: str) -> None:
    numbers = [number * number % 9_973 + 1 for number in range(20_000)]
    packed = gzip.compress(b"".join(b'{"number": %d}\n' % number for number in numbers))
    path = tmp_path / "issues.ndjson.gz"
    path.write_bytes(
        {
            "breaks off": packed[: len(packed) * 2 // 3],
            "goes on": packed + b"what somebody added",
            "is changed": packed[:-8] + b"\0\0\0\0" + packed[-4:],
        }[damage]
    )

    *rows, refused = read(ADAPTER, path)

    assert len(rows) == 20_000 if damage != "breaks off" else 10_000 < len(rows) < 20_000
    assert rows == [{"number": number} for number in numbers[: len(rows)]]
    assert isinstance(refused, Refused)
    assert refused.reason == "damaged"


# --------------------------------------------------------------------------------------------- what is said


def test_a_file_that_is_only_called_as_packed_is_told_so(tmp_path: Path) -> None:
    """As one is that was unpacked on its way here, and kept its name."""
    path = tmp_path / "issues.ndjson.gz"
    path.write_bytes(b'{"number": 1}\n')

    (refused,) = read(ADAPTER, path)

    assert isinstance(refused, Refused)
    assert refused.reason == "damaged"
    assert refused.detail.endswith("not packed by it; take `.gz` off its name, or get the file again")


@pytest.mark.parametrize(
    ("line", "reason", "detail"),
    [
        (b"{", "bad-json", "Input data was truncated; mend it in the file, or take it out"),
        (b"{}{}", "wrong-shape", "Object missing required field `number`"),
        (b'{"number": 1}{}', "bad-json", "trailing characters"),
        (b'{"number": "1"}', "wrong-shape", "Expected `int`, got `str` - at `$.number`"),
        (b'{"number": 1, "title": "\xff"}', "bad-json", "utf-8"),
        (b'{"number": 1, "title": "\\x41"}', "bad-json", "invalid escape character"),
        (b'{"number": 1, "title": "\\ud800 more"}', "bad-json", "surrogate"),
        (b'{"number": 0}', "no-number", "0 is no number"),
    ],
)
def test_a_line_that_is_no_record_is_refused_with_reason_place_and_text(
    tmp_path: Path, line: bytes, reason: str, detail: str
) -> None:
    path = written(tmp_path, b'{"number": 1}\n' + line + b"\n" + b'{"number": 2}\n')

    first, refused, last = read(ADAPTER, path)

    assert (first, last) == ({"number": 1}, {"number": 2})
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.begin, refused.raw) == (reason, 14, line)
    assert detail.casefold() in refused.detail.casefold()  # the wording is that of the parser


def test_of_a_line_that_is_too_long_the_beginning_is_shown(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"number": 1, "title": "' + b"x" * 30 + b'"}\n{"number": 2}\n')

    refused, row = read(ADAPTER, path)

    assert row == {"number": 2}
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.raw) == ("too-long", b'{"number": 1, "title": "' + b"x" * 17)
    assert "57 bytes, above 40" in refused.detail
    told = json.loads(line_of("in", 0, refused))
    assert (told["bytes"], told["raw_cut"]) == (57, True)


def test_a_line_that_is_nested_too_deep_is_refused(tmp_path: Path) -> None:
    adapter = JsonLines(dict[str, Any], lambda record, row: row(**record))
    path = written(tmp_path, b'{"a": ' + b"[" * 100_000 + b"\n")

    assert reasons(read(adapter, path)) == ["bad-json"]


def test_of_a_line_above_the_limit_no_more_than_the_limit_is_held(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"title": "' + b"x" * (24 << 20) + b'"}\n{"number": 2}')
    adapter = JsonLines(Issue, issue_row, line_max=2 << 20)

    tracemalloc.start()
    refused, row = read(adapter, path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert row == {"number": 2}
    assert isinstance(refused, Refused)
    assert refused.reason == "too-long"
    assert refused.detail.startswith("25,165,838 bytes, above 2,097,152")
    assert len(refused.raw) == (1 << 20) + 1
    assert peak < 16 << 20


def test_a_byte_order_mark_is_no_part_of_the_first_record(tmp_path: Path) -> None:
    path = written(tmp_path, b'\xef\xbb\xbf{"number": 1}\n')

    assert read(ADAPTER, path) == [{"number": 1}]


def test_of_utf_16_is_told_what_to_do(tmp_path: Path) -> None:
    path = written(tmp_path, '{"number": 1}\n{"number": 2}'.encode("utf-16"))

    found = read(ADAPTER, path)

    assert len(found) == 2
    for refused in found:
        assert isinstance(refused, Refused)
        assert refused.reason == "bad-json"
        assert "where that is UTF-16, save the file as UTF-8" in refused.detail


def changed(packed: bytes, at: int) -> bytes:
    return packed[:at] + b"\xff" * 16 + packed[at + 16 :]


def unpacked(packed: bytes) -> bytes:
    """What is behind a header of gzip, without a look at its checksum."""
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed[10:])


def unpacks(packed: bytes) -> bool:
    try:
        unpacked(packed)
    except zlib.error:
        return False
    return True


@pytest.mark.parametrize("block", [16, 1 << 20])
def test_of_a_packed_file_with_other_bytes_in_it_all_before_them_is_read(
    tmp_path: Path, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_lines, "_BLOCK", block)
    numbers = [number * number % 9_973 + 1 for number in range(5_000)]
    packed = gzip.compress(b"".join(b'{"number": %d}\n' % number for number in numbers))
    at = next(filter(lambda at: not unpacks(changed(packed, at)[:8_000]), range(7_000, 0, -1)))
    whole = unpacked(packed[:at]).count(b"\n")
    path = tmp_path / "issues.ndjson.gz"
    path.write_bytes(changed(packed, at))

    found = read(ADAPTER, path)

    assert 1_000 < whole < 5_000
    assert found[:whole] == [{"number": number} for number in numbers[:whole]]
    assert reasons(found)[-1] == "damaged"


@pytest.mark.parametrize("data", [b"", b"\n", b" \r\n\t\n  ", b"\xef\xbb\xbf", b"\xef\xbb\xbf \r\n\n"])
def test_a_file_without_records_has_no_piece(tmp_path: Path, data: bytes) -> None:
    assert index(ADAPTER, written(tmp_path, data)) == ([], [])


def test_a_packed_file_is_known_by_how_it_begins_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "issues.ndjson"
    path.write_bytes(gzip.compress(b'{"number": 1}\n'))

    assert read(ADAPTER, path) == [{"number": 1}]


@pytest.mark.parametrize(
    "data",
    [b"no gzip", b"\x1f\x8b\x07"],
    ids=["text", "torn"],
)
def test_what_only_looks_packed_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "issues.ndjson.gz"
    path.write_bytes(data)

    assert reasons(read(ADAPTER, path)) == ["damaged"]


def test_of_members_of_one_name_the_last_counts(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"number": 1, "number": 2}\n')

    assert read(ADAPTER, path) == [{"number": 2}]


def test_a_piece_is_about_as_long_as_it_may_be(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"number": 1}\n' * 100)

    pieces, _ = index(ADAPTER, path, 100)

    assert {piece.end - piece.begin for piece in pieces[:-1]} == {7 * 14}
    assert [piece.records for piece in pieces] == [7] * 14 + [2]
    assert [piece.first for piece in pieces] == list(range(0, 100, 7))


# ----------------------------------------------------------------------------------------------- inputs


def test_of_a_folder_newline_json_is_read_by_name(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.ndjson.gz", "c.NDJSON", "LICENSE", "d.json", "e.gz"):
        (tmp_path / name).touch()
    (tmp_path / "f.ndjson").mkdir()

    assert [path.name for path in ADAPTER.inputs(tmp_path)] == ["a.ndjson.gz", "b.jsonl", "c.NDJSON"]
    assert ADAPTER.inputs(tmp_path / "d.json") == (tmp_path / "d.json",)


def test_a_folder_without_newline_json_is_told(tmp_path: Path) -> None:
    (tmp_path / "LICENSE").touch()

    with pytest.raises(UsageError, match=r"no file in it ends in \.ndjson, \.jsonl"):
        ADAPTER.inputs(tmp_path)


def test_rows_are_what_the_caller_makes_of_them(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"number": 1}\n')

    assert read(ADAPTER, path, row=lambda number: number) == [1]
    assert fields(number=1) == {"number": 1}
