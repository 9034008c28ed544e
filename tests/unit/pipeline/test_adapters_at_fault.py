"""Adapters and sources at fault are told so; what an adapter refuses comes out as it worded it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from tests.unit.pipeline import oracle
from tests.unit.pipeline.history import ADAPTER, JOB, MODULE, SOURCE, line

from pillarbox.bulk import Emit
from pillarbox.errors import (
    DataError,
    PillarboxError,
    RangeError,
    StoreMissing,
    UsageError,
)
from pillarbox_spark.adapters import Piece, Refused
from pillarbox_spark.pipeline import Options, run

CUT = Options(shard_bytes=60, piece_bytes=60, buckets=2)


@contextmanager
def adapter_with(**methods: Any) -> Iterator[None]:
    with patch.multiple(type(ADAPTER), **methods):
        yield


def _too_few(self: Any, path: Path, piece: Piece, row: Any) -> Iterator[Any]:
    yield row(1, 1, 1, "a", 0, "x")


def _raises(self: Any, path: Path, piece: Piece, row: Any) -> Iterator[Any]:
    yield row(1, 1, 1, "a", 0, "x")
    raise ValueError("no such luck")


def _out_of_range(self: Any, path: Path, piece: Piece, row: Any) -> Iterator[Any]:
    yield row(1, 1, 1, "a", 0, "x")
    raise RangeError("FileId.store", 2**40, "an integer of 31 bits")


def _gone(self: Any, path: Path, piece: Piece, row: Any) -> Iterator[Any]:
    yield from (path.with_suffix(".gone")).open()


def _leaves(self: Any, path: Path, piece: Piece, row: Any) -> Iterator[Any]:
    yield sys.exit(0)


def _strangers(self: Any, path: Path, piece: Piece, row: Any) -> Iterator[Any]:
    yield "text"


class _Panic(BaseException):
    """As the extensions of other languages raise."""


def _panics(self: Any, path: Path, piece: Piece, row: Any) -> Any:
    raise _Panic("no such luck")
    yield


@pytest.mark.parametrize("kind", [KeyboardInterrupt, MemoryError])
def test_what_is_no_fault_of_an_adapter_comes_out_as_it_is(
    history: Path, tmp_path: Path, kind: type[BaseException]
) -> None:
    def read(self: Any, path: Path, piece: Piece, row: Any) -> Any:
        raise kind
        yield

    with adapter_with(read=read), pytest.raises(kind):
        run(JOB, [history], tmp_path / "out")

    assert os.listdir(tmp_path / "out") == [".lock"]


@pytest.mark.parametrize(
    ("read", "kind", "said"),
    [
        (_too_few, DataError, "the index found 4 records from byte 0 on, and reading 1; run again when"),
        (
            _raises,
            UsageError,
            r"reading record 1 ended in ValueError\('no such luck'\); the adapter .* must yield a Refused",
        ),
        (
            _out_of_range,
            UsageError,
            r"reading record 1 ended in RangeError\('FileId.store is 1099511627776, ",
        ),
        (_gone, StoreMissing, "history.gone: No such file"),
        (_leaves, UsageError, r"reading record 0 ended in SystemExit\(0\); the adapter .* must yield"),
        (
            _panics,
            UsageError,
            r"reading record 0 ended in _Panic\('no such luck'\); the adapter .* must yield",
        ),
        (_strangers, UsageError, "record 0: the adapter .* yields a str; it must yield what `row` returns"),
    ],
)
def test_an_adapter_at_fault_is_told_so(
    history: Path, tmp_path: Path, read: Any, kind: type[PillarboxError], said: str
) -> None:
    history = history.rename(history.with_suffix(".loose"))

    with adapter_with(read=read), pytest.raises(kind, match=said):
        run(JOB, [history], tmp_path / "out")


def _none(self: Any, path: Path) -> Any:
    return None


def _no_files(self: Any, path: Path) -> Any:
    return []


def _ends(self: Any, path: Path) -> Any:
    raise ValueError("no such luck")


def _exits(self: Any, path: Path) -> Any:
    sys.exit(0)


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        (_none, r"history.lines: the adapter ended in TypeError\(.*when it was asked for the files of this"),
        (_no_files, "history.lines: the adapter finds no file here that it takes; name what is to be read"),
        (_ends, r"history.lines: the adapter ended in ValueError\('no such luck'\) when"),
        (_exits, r"history.lines: the adapter ended in SystemExit\(0\) when"),
    ],
)
def test_an_adapter_that_finds_no_files_is_told_so(
    history: Path, tmp_path: Path, inputs: Any, said: str
) -> None:
    with adapter_with(inputs=inputs), pytest.raises(UsageError, match=said):
        run(JOB, [history], tmp_path / "out")

    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (("text", b"x"), "`begin` of a Refused is of type str, not int"),
        ((0, "text"), "`raw` of a Refused is of type str, not bytes"),
        ((-1, b"x"), "a Refused begins at byte -1"),
        (5, "cannot unpack"),
    ],
)
def test_records_that_are_found_again_as_what_they_cannot_be_are_told(
    tmp_path: Path, found: Any, said: str
) -> None:
    (tmp_path / "history.lines").write_text(line(1, 1, 2**70, "a", 0, "x"))

    with (
        adapter_with(raws=lambda self, path, piece: iter([found])),
        pytest.raises(UsageError, match=f"finding record 0 again ended in .*{said}.*mend the adapter"),
    ):
        run(JOB, [tmp_path / "history.lines"], tmp_path / "out")


def test_an_adapter_that_gives_records_twice_is_told_so(history: Path, tmp_path: Path) -> None:
    def index(self: Any, file: int, path: Path, piece_bytes: int) -> Iterator[Piece]:
        yield from [Piece(file, 0, path.stat().st_size, 0, 4, group) for group in ("1", "2")]

    with (
        adapter_with(index=index),
        pytest.raises(UsageError, match="pieces must come in order and must not overlap"),
    ):
        run(JOB, [history], tmp_path / "out", CUT)


def test_a_record_that_only_some_parts_of_were_refused_has_one_line(tmp_path: Path) -> None:
    big = 2**40
    (tmp_path / "history.lines").write_text(line(1, big, 1, "a", 0, "x"))

    report = run(JOB, [tmp_path / "history.lines"], tmp_path / "out", Options(into=tmp_path / "one.box"))

    (told,) = oracle.quarantine_of(tmp_path / "out")
    assert (told["record"], told["begin"], told["reason"]) == (0, 0, "range-error")
    assert told["raw"] == line(1, big, 1, "a", 0, "x")
    assert (report.written, report.quarantined) == (0, {"range-error": 1})
    assert [row["user_id"] for row in oracle.box_rows(tmp_path / "one.box", "users")] == [1]
    assert "a" in [row["name"] for row in oracle.box_rows(tmp_path / "one.box", "labels")]
    assert oracle.box_rows(tmp_path / "one.box", "issues") == []


def test_nothing_is_written_of_a_record_whose_other_route_takes_no_such_value(tmp_path: Path) -> None:
    (tmp_path / "history.lines").write_text(line(1, 1, 2**70, "a", 0, "x"))

    report = run(JOB, [tmp_path / "history.lines"], tmp_path / "out", Options(into=tmp_path / "one.box"))

    assert (report.written, report.quarantined) == (0, {"range-error": 1})
    assert "a" not in [row["name"] for row in oracle.box_rows(tmp_path / "one.box", "labels")]
    for table in ("users", "issues", "stars"):
        assert oracle.box_rows(tmp_path / "one.box", table) == [], table


def test_what_the_machine_does_wrong_is_no_fault_of_a_record(history: Path, tmp_path: Path) -> None:
    def raises(row: Any) -> Iterator[Any]:
        raise StoreMissing("elsewhere", "gone")

    job = replace(JOB, source=replace(SOURCE, emits=(Emit(raises),)))

    with patch(f"{MODULE}.JOB", job), pytest.raises(StoreMissing, match="elsewhere: gone"):
        run(job, [history], tmp_path / "out")


def test_an_emission_without_group_or_route_is_refused(history: Path, tmp_path: Path) -> None:
    job = replace(JOB, source=replace(SOURCE, group=None))

    with patch(f"{MODULE}.JOB", job), pytest.raises(UsageError, match="has no `group`; give each of its"):
        run(job, [history], tmp_path / "out")


def test_refused_is_what_it_says(tmp_path: Path) -> None:
    """The adapter's own refusals come out as it worded them."""
    (tmp_path / "history.lines").write_text("! torn\n? lost\n")

    run(JOB, [tmp_path / "history.lines"], tmp_path / "out")

    lost, torn = oracle.quarantine_of(tmp_path / "out")
    refused = Refused("wrong-shape", "it begins with !; take it out", 0, b"! torn\n")
    assert (torn["reason"], torn["detail"], torn["begin"]) == (refused.reason, refused.detail, refused.begin)
    assert (lost["record"], lost["reason"], lost["begin"], lost["bytes"]) == (None, "damaged", 7, 7)
