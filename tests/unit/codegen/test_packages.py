"""Packages on disk: compared file by file, written whole or not at all, strangers left alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pillarbox_codegen import packages
from pillarbox_codegen.packages import ForeignFile
from pillarbox_codegen.plan.frame import MARK

OURS = f"{MARK}probe.\n"
OUTPUTS = {
    "pillarbox_probe/__init__.py": OURS,
    "pillarbox_probe/types.py": f"{OURS}x = 1\n",
    "pillarbox_probe/py.typed": "",
}


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()
    }


def test_a_missing_folder_is_written_whole(tmp_path: Path) -> None:
    difference = packages.write(OUTPUTS, tmp_path / "new" / "folder")

    assert contents(tmp_path / "new" / "folder") == OUTPUTS
    assert sorted(difference.missing) == sorted(OUTPUTS)


def test_what_was_written_compares_equal_and_is_not_written_again(tmp_path: Path) -> None:
    packages.write(OUTPUTS, tmp_path)
    stamp = (tmp_path / "pillarbox_probe" / "types.py").stat().st_mtime_ns

    difference = packages.write(OUTPUTS, tmp_path)

    assert difference.lines() == []
    assert packages.compare(OUTPUTS, tmp_path).lines() == []
    assert (tmp_path / "pillarbox_probe" / "types.py").stat().st_mtime_ns == stamp


def test_stale_missing_and_orphaned_files_are_told_and_mended(tmp_path: Path) -> None:
    packages.write(OUTPUTS, tmp_path)
    package = tmp_path / "pillarbox_probe"
    (package / "types.py").write_text(OURS + "x = 2\n")
    (package / "py.typed").unlink()
    (package / "views.py").write_text(OURS)
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "types.pyc").write_bytes(b"")

    told = packages.compare(OUTPUTS, tmp_path).lines()
    packages.write(OUTPUTS, tmp_path)

    assert told == [
        "missing: pillarbox_probe/py.typed",
        "stale: pillarbox_probe/types.py",
        "orphan: pillarbox_probe/views.py",
    ]
    assert packages.compare(OUTPUTS, tmp_path).lines() == []


def test_folders_that_the_schema_has_no_more_go_with_their_last_file(tmp_path: Path) -> None:
    jobs = tmp_path / "pillarbox_probe" / "jobs"
    more = {f"pillarbox_probe/jobs/{name}.py": OURS for name in ("__init__", "news", "posts")}
    packages.write({**OUTPUTS, **more}, tmp_path)
    (jobs / "__pycache__").mkdir()
    (jobs / "__pycache__" / "news.pyc").write_bytes(b"")

    fewer = {name: text for name, text in more.items() if "posts" not in name}
    told = packages.compare({**OUTPUTS, **fewer}, tmp_path).lines()
    packages.write({**OUTPUTS, **fewer}, tmp_path)
    left = sorted(path.name for path in jobs.iterdir())
    packages.write(OUTPUTS, tmp_path)

    assert told == ["orphan: pillarbox_probe/jobs/posts.py"]
    assert left == ["__init__.py", "__pycache__", "news.py"]
    assert not jobs.exists()


def test_a_folder_with_files_of_others_stays(tmp_path: Path) -> None:
    packages.write({**OUTPUTS, "pillarbox_probe/jobs/news.py": OURS}, tmp_path)
    (tmp_path / "pillarbox_probe" / "jobs" / "mine.py").write_text("mine = 1\n")

    packages.write(OUTPUTS, tmp_path)

    assert contents(tmp_path) == {**OUTPUTS, "pillarbox_probe/jobs/mine.py": "mine = 1\n"}


def test_files_of_others_are_told_but_never_touched(tmp_path: Path) -> None:
    packages.write(OUTPUTS, tmp_path)
    (tmp_path / "pillarbox_probe" / "notes.md").write_text("mine")
    (tmp_path / "pillarbox_other").mkdir()
    (tmp_path / "pillarbox_other" / "x.py").write_text(OURS)

    packages.write(OUTPUTS, tmp_path)

    assert packages.compare(OUTPUTS, tmp_path).lines() == ["orphan: pillarbox_probe/notes.md"]
    assert (tmp_path / "pillarbox_probe" / "notes.md").read_text() == "mine"
    assert (tmp_path / "pillarbox_other" / "x.py").exists()


def test_a_file_of_others_in_the_place_of_an_output_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "pillarbox_probe").mkdir()
    (tmp_path / "pillarbox_probe" / "types.py").write_text("mine = 1\n")

    with pytest.raises(ForeignFile, match="was not generated; move it away"):
        packages.write(OUTPUTS, tmp_path)

    assert contents(tmp_path) == {"pillarbox_probe/types.py": "mine = 1\n"}


def test_a_failure_before_the_end_leaves_every_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages.write(OUTPUTS, tmp_path)
    before = contents(tmp_path)
    newer = {name: f"{text}y = 1\n" if text else text for name, text in OUTPUTS.items()}
    monkeypatch.setattr(Path, "write_text", _failing_at_call(2, Path.write_text))

    with pytest.raises(OSError, match="full"):
        packages.write(newer, tmp_path)

    monkeypatch.undo()
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["pillarbox_probe"]


def _failing_at_call(number: int, real: Callable[..., int]) -> Callable[..., int]:
    calls = iter(range(1, 1_000))

    def write_text(path: Path, text: str, **options: str) -> int:
        if next(calls) == number:
            raise OSError("the disk is full")
        return real(path, text, **options)

    return write_text


def test_lines_end_alike_everywhere(tmp_path: Path) -> None:
    packages.write(OUTPUTS, tmp_path)

    raw = (tmp_path / "pillarbox_probe" / "types.py").read_bytes()

    assert b"\r" not in raw
    assert os.linesep.encode() == b"\n" or raw.count(b"\n") == 2
