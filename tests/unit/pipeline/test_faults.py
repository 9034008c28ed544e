"""Records and adapters at fault: those are put aside, whatever is wrong with them, and these are told so."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from os import mkfifo
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from tests.unit.pipeline import oracle
from tests.unit.pipeline.history import ADAPTER, ASIDE, JOB, MODULE, SOURCE, Happened, line

from pillarbox.bulk import Emit
from pillarbox.errors import StoreFailed, StoreMissing, UsageError
from pillarbox_spark import driver
from pillarbox_spark.adapters import Piece, Refused, Skipped, resolve
from pillarbox_spark.manifest import read_manifest
from pillarbox_spark.pipeline import Options, run
from pillarbox_spark.rows import Unmade, guarded
from pillarbox_spark.spill import SpillWriter, read_spill
from pillarbox_tracker.types import ProjectId, UserId

GOOD = [1, 1, 1, "a", 0, "x"]


@pytest.mark.parametrize("ending", ["lines", "loose"])
def test_values_of_wrong_types_keep_out_their_record_and_no_other(tmp_path: Path, ending: str) -> None:
    records: list[list[Any]] = [
        GOOD,
        ["x", 1, 1, "a", 0, "x"],
        [1, 1.5, 1, "a", 0, "x"],
        [1, 2, 1, None, 0, "x"],
        [1, 3, 1, "\ud800", 0, "x"],
        [1, 4, 2**70, "a", 0, "x"],
        [1, 5, 1, "a", 0],
        [1, 6, 1, "a", 0, ["x"]],
        [1, 7, 1, "b", 1, "y"],
    ]
    path = tmp_path / f"history.{ending}"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))

    report = run(JOB, [path], tmp_path / "out")

    assert (report.read, report.written) == (9, 2)
    assert report.quarantined == {
        "range-error": 1,
        "type-error": 1,
        "unicode-encode-error": 1,
        "wrong-type": 4,
    }
    told = oracle.quarantine_of(tmp_path / "out")
    assert [json.loads(one["raw"]) for one in told] == records[1:-1]
    assert told[0]["detail"] == (
        "Expected `int`, got `str` - at `project`; mend the record, or what the adapter makes of it"
    )
    for one, column in ((told[3], "name"), (told[4], "user")):
        assert f" came of `{column}`; mend the record, or what the source makes of it" in one["detail"]


def test_a_row_before_its_owner_is_counted_and_put_aside_and_the_rest_of_its_record_is_written(
    tmp_path: Path,
) -> None:
    path = tmp_path / "history.lines"
    path.write_text(line(1, 1, 1, "a", 0, ASIDE) + line(1, 1, 2, "b", 1, "x") + line(1, 1, 1, "a", 2, ASIDE))

    report = run(JOB, [path], tmp_path / "out")

    assert (report.read, report.written, report.quarantined) == (3, 2, {"orphaned": 1})
    assert read_manifest(tmp_path / "out").report["quarantined"] == {"orphaned": 1}
    assert "  orphaned" in report.to_text()
    (told,) = oracle.quarantine_of(tmp_path / "out")
    assert (told["record"], told["partly"], told["raw"]) == (0, True, line(1, 1, 1, "a", 0, ASIDE))
    assert told["detail"].startswith("a row of 'comments' belongs to IssuesKey(project_id=1, number=1)")
    assert report.tables["users"] == 2


def _no_attribute(row: Any) -> Iterator[Any]:
    yield row.said.nothing


def _no_member(row: Any) -> Iterator[Any]:
    yield {}[row.said]


def _by_zero(row: Any) -> Iterator[Any]:
    yield row.at // 0


def _too_deep(row: Any) -> Iterator[Any]:
    yield from _too_deep(row)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (_no_attribute, "attribute-error"),
        (_no_member, "key-error"),
        (_by_zero, "zero-division-error"),
        (_too_deep, "recursion-error"),
    ],
)
@pytest.mark.parametrize("ending", ["lines", "loose"])
def test_what_cannot_be_made_of_a_record_keeps_it_out(
    tmp_path: Path, ending: str, make: Callable[[Any], Iterator[Any]], reason: str
) -> None:
    path = tmp_path / f"history.{ending}"
    path.write_text(line(1, 1, 1, "a", 0, "x"))
    job = replace(JOB, source=replace(SOURCE, emits=(Emit(make),)))

    with patch(f"{MODULE}.JOB", job):
        report = run(job, [path], tmp_path / "out")

    assert (report.read, report.quarantined) == (1, {reason: 1})


@pytest.mark.parametrize("ending", ["lines", "loose"])
def test_an_operation_of_wrong_types_keeps_out_what_is_applied_with_it(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"history.{ending}"
    path.write_text(line(1, 1, 1, "a", 0, "x"))
    stranger = Emit(lambda row: [replaced(SOURCE.emits[0].make(row))], by_user)
    job = replace(JOB, source=replace(SOURCE, emits=(stranger, *SOURCE.emits[1:])))

    with patch(f"{MODULE}.JOB", job):
        report = run(job, [path], tmp_path / "out")

    assert (report.read, report.quarantined) == (1, {"wrong-type": 1})
    assert report.tables["issues"] == 1
    (told,) = oracle.quarantine_of(tmp_path / "out")
    assert told["raw"] == line(1, 1, 1, "a", 0, "x")
    assert "Expected `int`, got `str`" in told["detail"]
    assert "newer package" not in told["detail"]  # nothing is stored yet, and nothing is to be restored


by_user = SOURCE.emits[0].route


def replaced(operations: Any) -> Any:
    """An operation that adds users, with text where a number must be."""
    (operation,) = operations
    (user,) = operation.users
    return type(operation)((type(user)("nobody", user.login, user.name),))


def test_a_guarded_row_has_the_types_of_its_columns() -> None:
    made = guarded(Happened)(1, 1, 1, "a", 0, said="x")

    assert made == Happened(ProjectId(1), 1, UserId(1), "a", 0, "x")
    assert isinstance(guarded(Happened)(True, 1, 1, "a", 0, "x"), Unmade)


def test_a_row_that_cannot_be_made_tells_which_column_is_at_fault() -> None:
    made = guarded(Happened)(1, 1, 1, "a", "soon", "x")

    assert isinstance(made, Unmade)
    assert "at `at`" in str(made.error)


# ------------------------------------------------------------------------------- adapters and callers


def _index_raises(self: Any, file: int, path: Path, piece_bytes: int) -> Iterator[Any]:
    yield Piece(file, 0, 1, 0, 1, "1")
    raise KeyError("no such luck")


def _index_gone(self: Any, file: int, path: Path, piece_bytes: int) -> Iterator[Any]:
    yield from path.with_suffix(".gone").open()


def _index_strangers(self: Any, file: int, path: Path, piece_bytes: int) -> Iterator[Any]:
    yield "text"


def _index_other_file(self: Any, file: int, path: Path, piece_bytes: int) -> Iterator[Any]:
    yield Piece(file + 1, 0, 1, 0, 1, "1")


def _index_bad_refusal(self: Any, file: int, path: Path, piece_bytes: int) -> Iterator[Any]:
    yield Refused("torn", "mend it", 0, "text")  # type: ignore[arg-type]


def _index_exits(self: Any, file: int, path: Path, piece_bytes: int) -> Iterator[Any]:
    yield sys.exit(0)


def _index_bad_piece(self: Any, file: int, path: Path, piece_bytes: int) -> Iterator[Any]:
    yield Piece(file, 0, 1.0, 0, 1, "1")  # type: ignore[arg-type]


def _index_bad_group(self: Any, file: int, path: Path, piece_bytes: int) -> Iterator[Any]:
    yield Piece(file, 0, 1, 0, 1, 1)  # type: ignore[arg-type]


def _index_bad_skip(self: Any, file: int, path: Path, piece_bytes: int) -> Iterator[Any]:
    yield Skipped("a", None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("index", "kind", "said"),
    [
        (_index_raises, UsageError, r"history.lines: its index ended in KeyError\('no such luck'\); the"),
        (_index_gone, StoreMissing, "history.gone: No such file"),
        (
            _index_strangers,
            UsageError,
            "the adapter's index yields what is of type str; it must yield a Piece, a Refused",
        ),
        (_index_other_file, UsageError, "the adapter indexes file 1, .* it was asked for file 0"),
        (_index_exits, UsageError, r"its index ended in SystemExit\(0\); the adapter must yield a Refused"),
        (_index_bad_piece, UsageError, "`end` of a Piece is of type float, not int"),
        (_index_bad_group, UsageError, "`group` of a Piece is of type int, not str | None"),
        (_index_bad_skip, UsageError, "`why` of a Skipped is of type NoneType, not str"),
        (_index_bad_refusal, UsageError, "`raw` of a Refused is of type str, not bytes"),
    ],
)
def test_an_index_at_fault_is_told_so(tmp_path: Path, index: Any, kind: type[Exception], said: str) -> None:
    (tmp_path / "history.lines").write_text(line(1, 1, 1, "a", 0, "x"))

    with patch.object(type(ADAPTER), "index", index), pytest.raises(kind, match=said):
        run(JOB, [tmp_path / "history.lines"], tmp_path / "out")


def test_a_module_that_cannot_be_imported_and_a_class_are_no_adapters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torn_adapter.py").write_text("rows = undefined\n")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(UsageError, match=r"cannot be imported: it ends in NameError.*; mend it"):
        resolve("torn_adapter:rows")
    (tmp_path / "leaving_adapter.py").write_text("import sys\n\nsys.exit(0)\n")
    with pytest.raises(UsageError, match=r"cannot be imported: it ends in SystemExit\(0\); mend it"):
        resolve("leaving_adapter:rows")
    with pytest.raises(UsageError, match="is a class; name an object of it"):
        resolve(f"{MODULE}:Lines")
    with pytest.raises(UsageError, match="cannot be imported"):
        resolve(":rows")


def test_what_runs_write_is_not_read_and_what_is_read_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "in" / "history.lines"
    path.parent.mkdir()
    path.write_text(line(1, 1, 1, "a", 0, "x"))
    (tmp_path / "link").symlink_to(path.parent)

    with pytest.raises(UsageError, match="which holds what runs write; name another folder"):
        run(JOB, [path.parent], tmp_path / "link")
    into = Options(into=tmp_path / "link" / path.name, replace=True)
    with pytest.raises(UsageError, match="is to be read, and the box would replace it"):
        run(JOB, [path], tmp_path / "out", into)

    assert path.read_text() == line(1, 1, 1, "a", 0, "x")
    run(JOB, [path.parent], path.parent / "out")
    assert run(JOB, [path.parent], path.parent / "out").files == 1


OTHERS = {
    "newer": '{"version": 2, "package": "tracker", "source": "history", "run": "run-0123456789ab"}',
    "foreign": '{"name": "app", "icons": []}',
    "another_source": '{"version": 1, "package": "tracker", "source": "lore", "run": "run-0123456789ab"}',
    "another_schema": '{"version": 1, "package": "lore", "source": "history", "run": "run-0123456789ab"}',
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_a_folder_of_others_stays_as_it_is(text: str, tmp_path: Path) -> None:
    path = tmp_path / "history.lines"
    path.write_text(line(1, 1, 1, "a", 0, "x"))
    (tmp_path / "out" / "run-0123456789ab").mkdir(parents=True)
    (tmp_path / "out" / "manifest.json").write_text(text)

    with pytest.raises(UsageError, match="name another folder"):
        run(JOB, [path], tmp_path / "out", Options(into=tmp_path / "one.box"))

    assert (tmp_path / "out" / "manifest.json").read_text() == text
    assert {entry.name for entry in (tmp_path / "out").iterdir()} == {
        ".lock",
        "manifest.json",
        "run-0123456789ab",
    }
    assert not (tmp_path / "one.box").exists()


@pytest.mark.parametrize(("out", "into"), [("o\udcff", "one.box"), ("out", "one\udcff.box")])
def test_a_place_that_no_box_can_have_is_refused(tmp_path: Path, out: str, into: str) -> None:
    path = tmp_path / "history\udcff.lines"
    path.write_text(line(1, 1, 1, "a", 0, "x"))

    with pytest.raises(UsageError, match=r"udcff.* is not UTF-8, and SQLite opens no other names"):
        run(JOB, [path], tmp_path / out, Options(into=tmp_path / into))
    assert run(JOB, [path], tmp_path / "out").read == 1


@pytest.mark.parametrize("kind", ["text", "database", "pipe", "long name"])
def test_what_is_no_box_is_not_replaced(tmp_path: Path, kind: str) -> None:
    path, into = tmp_path / "history.lines", tmp_path / "one.box"
    path.write_text(line(1, 1, 1, "a", 0, "x"))
    if kind == "text":
        into.write_text("Dear diary")
    elif kind == "database":
        with closing(sqlite3.connect(into)) as database:
            database.execute("CREATE TABLE diary(day)")
    elif kind == "pipe":
        mkfifo(into)
    else:
        into = tmp_path / ("x" * 300)
    before = None if kind == "long name" else identity_of(into)

    with pytest.raises(StoreMissing if before is None else UsageError, match=r"no box, and only|too long"):
        run(JOB, [path], tmp_path / "out", Options(into=into, replace=True))

    assert before is None or identity_of(into) == before
    assert not (tmp_path / "out").exists()


def identity_of(path: Path) -> tuple[int, int, int]:
    """What changes where a file is replaced or written to; to look into it changes only its access time."""
    found = path.lstat()
    return found.st_ino, found.st_size, found.st_mtime_ns


@pytest.mark.parametrize(
    ("into", "said"),
    [
        (Path("/proc/one.box"), r"^/proc/one\.box: "),  # where nobody makes files, whoever asks
        (Path("x" * 240), r"/x{240}: File name too long; "),
    ],
)
def test_a_box_that_cannot_be_made_is_told_before_any_work(tmp_path: Path, into: Path, said: str) -> None:
    path = tmp_path / "history.lines"
    path.write_text(line(1, 1, 1, "a", 0, "x"))

    with pytest.raises(StoreMissing, match=said):
        run(JOB, [path], tmp_path / "out", Options(into=tmp_path / into))

    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("before", [None, b"", b"damaged"])
def test_a_box_is_replaced_also_where_it_is_damaged(tmp_path: Path, before: bytes | None) -> None:
    path, into = tmp_path / "history.lines", tmp_path / "one.box"
    path.write_text(line(1, 1, 1, "a", 0, "x"))
    run(JOB, [path], tmp_path / "out", Options(into=into))
    if before is not None:
        into.write_bytes(before and into.read_bytes()[:5_000])

    run(JOB, [path], tmp_path / "out", Options(into=into, replace=True))

    assert [row["user_id"] for row in oracle.box_rows(into, "users")] == [1]


def test_a_box_whose_name_is_a_pattern_is_made_again_after_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "history.lines"
    path.write_text(line(1, 1, 1, "a", 0, "x"))
    into = Options(into=tmp_path / "one[1].box")
    killed = patch.object(driver._Merged, "land", side_effect=StoreFailed("one", "killed"))
    with killed, pytest.raises(StoreFailed):
        run(JOB, [path], tmp_path / "out", into)

    run(JOB, [path], tmp_path / "out", into)

    assert [row["user_id"] for row in oracle.box_rows(tmp_path / "one[1].box", "users")] == [1]
    assert list(tmp_path.glob(".one*")) == []


def test_a_block_of_a_spill_is_written_before_it_takes_much_memory(tmp_path: Path) -> None:
    with SpillWriter(tmp_path / "spill") as writer:
        for record in range(3):
            writer.add((0, record, 0, [b"x" * (1 << 20)]))
        assert writer.count == 3
        writer.finish()

    assert [entry[1] for entry in read_spill(tmp_path / "spill")] == [0, 1, 2]
