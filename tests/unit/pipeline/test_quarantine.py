"""What a quarantine line holds of records that are long, torn, or no text at all; and that each has one."""

from __future__ import annotations

import base64
import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.unit.pipeline import oracle
from tests.unit.pipeline.history import JOB, line

from pillarbox.errors import DataError, RangeError, StoreMissing, UniqueViolation, UsageError
from pillarbox_spark.adapters import Piece, Refused
from pillarbox_spark.files import WORK, Attempt
from pillarbox_spark.job import has_parts
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.quarantine import NO_RECORD, RAW_MAX, Origins, Refusals, gather, line_of, reason_of


def shown(raw: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(line_of("in.json", 3, Refused("torn", "mend it", 10, raw)))
    return found


def test_a_line_tells_where_why_and_what() -> None:
    assert shown("é\u2028\n".encode()) == {
        "file": "in.json",
        "record": 3,
        "begin": 10,
        "bytes": 6,
        "reason": "torn",
        "detail": "mend it",
        "raw": "é\u2028\n",
    }


def test_a_line_is_one_line_whatever_the_record_holds() -> None:
    text = line_of("in.json", 3, Refused("torn", "two\nlines", 10, b"a\nb\r\n"))

    assert text.count(b"\n") == 0


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"reason": 7}, "`reason` of a Refused is of type int, not str"),
        ({"detail": None}, "`detail` of a Refused is of type NoneType, not str"),
        ({"raw": "text"}, "`raw` of a Refused is of type str, not bytes"),
        ({"begin": True}, "`begin` of a Refused is of type bool, not int"),
        ({"size": "4"}, "`size` of a Refused is of type str, not int"),
        ({"reason": ""}, "the reason of a Refused is ''; give a short code"),
        ({"reason": "a\nb"}, r"is 'a\\nb'; give a short code"),
        ({"reason": "\ud800"}, r"is '\\ud800'; give a short code"),
        ({"raw": 7}, "`raw` of a Refused is of type int, not bytes"),
        ({"begin": -1}, "begins at byte -1; count from 0"),
        ({"size": 2}, "has 2 bytes, but 3 in `raw`"),
    ],
)
def test_a_refusal_that_no_line_could_hold_is_the_adapters_fault(fields: dict[str, Any], said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        Refused(**{"reason": "torn", "detail": "mend it", "begin": 0, "raw": b"raw", **fields})


def test_bytes_that_are_no_text_are_kept_as_base64() -> None:
    line = shown(b"\xff\x00")

    assert "raw" not in line
    assert base64.b64decode(line["raw_base64"]) == b"\xff\x00"


@pytest.mark.parametrize("spare", range(4))
def test_of_a_long_record_a_mebibyte_is_kept_cut_between_characters(spare: int) -> None:
    raw = b"x" * (RAW_MAX - spare) + "€".encode() * 10

    line = shown(raw)

    assert line["raw_cut"]
    assert line["bytes"] == len(raw)
    assert line["raw"].encode() == raw[: RAW_MAX - spare if spare < 3 else RAW_MAX]


def test_a_record_of_a_mebibyte_is_kept_whole() -> None:
    line = shown(b"x" * RAW_MAX)

    assert "raw_cut" not in line
    assert len(line["raw"]) == RAW_MAX


def test_a_long_record_that_is_no_text_is_cut_too() -> None:
    line = shown(b"\xff" + b"x" * RAW_MAX)

    assert line["raw_cut"]
    assert len(base64.b64decode(line["raw_base64"])) == RAW_MAX


def test_names_and_details_that_utf_8_cannot_hold_are_written_out() -> None:
    line = json.loads(line_of("in\udcff", NO_RECORD, Refused("torn", "\ud800", 0, b"")))

    assert (line["file"], line["detail"], line["record"]) == ("in\\udcff", "\\ud800", None)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (RangeError("n", 1, "0"), "range-error"),
        (OverflowError(), "range-error"),
        (UniqueViolation("t", source="s", key=(1,)), "unique-violation"),
        (TypeError(), "type-error"),
    ],
)
def test_errors_are_counted_by_their_class(error: Exception, reason: str) -> None:
    assert reason_of(error) == reason


class Adapter:
    """Records of a byte each; it notes how often it begins to read some."""

    def __init__(self) -> None:
        self.passes = 0

    def raws(self, path: Path, piece: Piece) -> Iterator[tuple[int, bytes]]:
        self.passes += 1
        for record in range(piece.records):
            yield piece.begin + record, f"{piece.context}{record}".encode()


def test_a_record_is_found_again_in_the_piece_that_holds_it() -> None:
    pieces = [
        Piece(file, 100 + first, 110 + first, first, records, None, f"{file}:{first}:")
        for file, first, records in [(1, 10, 10), (0, 0, 10), (1, 0, 10), (1, 20, 0), (1, 20, 5)]
    ]
    origins = Origins(Adapter(), {0: "zero", 1: "one"}, pieces)  # type: ignore[arg-type]

    found = [
        origins.refused(file, record, RangeError("n", 1, "0")) for file, record in [(0, 9), (1, 10), (1, 24)]
    ]

    assert [(path, refused.begin, refused.raw) for path, refused in found] == [
        ("zero", 109, b"0:0:9"),
        ("one", 110, b"1:10:0"),
        ("one", 124, b"1:20:4"),
    ]


def test_all_refused_records_of_a_piece_are_found_in_one_pass() -> None:
    adapter = Adapter()
    origins = Origins(adapter, {0: "zero"}, [Piece(0, 0, 10, 0, 10, None)])  # type: ignore[arg-type]

    found = [origins.refused(0, record, RangeError("n", 1, "0"))[1].raw for record in (0, 3, 3, 4, 9)]

    assert found == [b"0", b"3", b"3", b"4", b"9"]
    assert adapter.passes == 1
    assert origins.refused(0, 2, RangeError("n", 1, "0"))[1].raw == b"2"
    assert adapter.passes == 2


def test_a_record_that_is_not_found_again_is_told_so() -> None:
    origins = Origins(Adapter(), {0: "zero"}, [Piece(0, 0, 10, 0, 2, None)])  # type: ignore[arg-type]

    with pytest.raises(DataError, match="zero: record 2 is not found again"):
        origins.refused(0, 2, RangeError("n", 1, "0"))


def test_an_adapter_that_cannot_find_a_record_again_is_told_so() -> None:
    with pytest.raises(UsageError, match=r"finding record 0 again ended in AttributeError.*mend the adapter"):
        Origins(None, {0: "zero"}, [Piece(0, 0, 10, 0, 2, None)]).refused(0, 0, TypeError())  # type: ignore[arg-type]


def test_a_long_detail_is_cut() -> None:
    line = json.loads(line_of("in", 0, Refused("torn", "x" * 10_000, 0, b"")))

    assert line["detail"] == "x" * 2_000


def test_what_is_no_error_of_a_record_is_raised_again() -> None:
    with pytest.raises(StoreMissing):
        Origins(Adapter(), {}, []).refused(0, 0, StoreMissing("x", "gone"))  # type: ignore[arg-type]


def test_one_line_a_record_in_the_order_of_the_input(tmp_path: Path) -> None:
    (tmp_path / WORK).mkdir()
    spills = []
    for suffix, entries in {
        "a": [(0, NO_RECORD, 0), (0, NO_RECORD, 1), (0, 2, 3), (1, 0, 0)],
        "b": [(0, 2, 1), (0, 3, 0)],
    }.items():
        refusals = Refusals(Attempt(tmp_path, "test", 0), suffix)
        for file, record, emission in entries:
            refusals.add("in", file, record, emission, Refused(f"{suffix}{emission}", "", 0, b""))
        assert refusals.count == len(entries)
        spills += [tmp_path / path for path in refusals.publish()]

    counts = gather(spills, tmp_path / "lines")

    lines = [json.loads(line) for line in (tmp_path / "lines").read_text().splitlines()]
    assert [(line["record"], line["reason"]) for line in lines] == [
        (None, "a0"),
        (None, "a1"),
        (2, "b1"),
        (3, "b0"),
        (0, "a0"),
    ]
    assert counts == {"a0": 2, "a1": 1, "b0": 1, "b1": 1}


@pytest.mark.parametrize("cut", [Options(), Options(shard_bytes=1, piece_bytes=1, whole_bytes=1)])
@pytest.mark.parametrize("emission", [0, 3])
def test_what_no_box_takes_is_told_of_each_record_that_says_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, emission: int, cut: Options
) -> None:
    # Of these emissions what is said again is left out; both are of a number that is out of range.
    source = dataclasses.replace(JOB.source, emits=(JOB.source.emits[emission],))
    module = ModuleType("only_one_emission")
    job = dataclasses.replace(JOB, module=module.__name__, source=source)
    monkeypatch.setattr(module, "JOB", job, raising=False)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    fine, wrong = line(1, 1, 1, "a", 0, "x"), line(1 << 63, 1, 1 << 63, "a", 0, "x")
    path = tmp_path / "a.ndjson"
    path.write_text(fine * 2 + wrong * 3)

    report = run(job, [path], tmp_path / "out", cut)

    assert (report.read, report.written, report.quarantined) == (5, 2, {"range-error": 3})
    found = [(told["record"], told["raw"]) for told in oracle.quarantine_of(tmp_path / "out")]
    assert found == [(2, wrong), (3, wrong), (4, wrong)]


def test_a_line_says_whether_other_parts_of_its_record_may_be_written(tmp_path: Path) -> None:
    taken, wrong = line(1, 1, 1, "a", 0, "x"), line(1, 1, 1 << 63, "a", 0, "x")
    path = tmp_path / "a.ndjson"
    path.write_text(f"{taken}!torn\n{wrong}")

    run(JOB, [path], tmp_path / "out", Options())

    told = {found["record"]: found for found in oracle.quarantine_of(tmp_path / "out")}
    assert "partly" not in told[1], "what is refused as it is read is in no part written"
    assert told[2]["partly"]


@pytest.mark.parametrize(
    ("emissions", "parted"),
    [((0,), False), ((1,), False), ((1, 2), False), ((0, 1), True), ((1, 3), True), ((0, 4), True)],
)
def test_what_is_of_the_group_is_one_part_and_each_other_emission_one_more(
    emissions: tuple[int, ...], parted: bool
) -> None:
    source = dataclasses.replace(JOB.source, emits=tuple(JOB.source.emits[one] for one in emissions))

    assert has_parts(source) is parted
