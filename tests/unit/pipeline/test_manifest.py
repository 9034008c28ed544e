"""Reading a manifest back, and what is told of one that cannot be."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from pillarbox.errors import DataError, StoreMissing, UsageError
from pillarbox_spark.files import FileFigures
from pillarbox_spark.manifest import (
    MANIFEST,
    Manifest,
    ShardFile,
    TableSum,
    commit,
    read_manifest,
    refuse_others,
    sweep,
)
from pillarbox_spark.plan import Input

RUN = "run-0123456789ab"
BOX = f"{RUN}/boxes/a.box"
MANIFEST_OF_ONE = Manifest(
    package="tracker",
    source="history",
    layout_hash="00",
    run=RUN,
    inputs=(Input("in\udcff", 5, 6),),
    shards=(ShardFile(BOX, {20: TableSum(3, 1 << 63)}),),
    parquet={"issues": [f"{RUN}/tables/issues/a.parquet"]},
    quarantine=[],
    files={BOX: FileFigures(3, "00000000")},
    report={"read": 3},
)


def test_a_manifest_reads_back_as_it_was_written(tmp_path: Path) -> None:
    commit(tmp_path, MANIFEST_OF_ONE)

    assert read_manifest(tmp_path) == MANIFEST_OF_ONE
    assert json.loads((tmp_path / MANIFEST).read_text())["shards"][0]["box"] == BOX


def test_a_folder_without_a_committed_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing, match=r"manifest\.json: No such file"):
        read_manifest(tmp_path)


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b'{"version": 1}', b"\x00", b'"\xff"'])
def test_a_damaged_manifest_is_told(tmp_path: Path, text: bytes) -> None:
    (tmp_path / MANIFEST).write_bytes(text)

    with pytest.raises(DataError, match=r"is damaged .*; ingest again"):
        read_manifest(tmp_path)


def test_a_manifest_of_another_version_is_told(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text('{"version": 2}')

    with pytest.raises(
        DataError, match="of version 2, and this is pillarbox for version 1; update pillarbox"
    ):
        read_manifest(tmp_path)


def test_a_run_replaces_one_of_its_own_source_or_a_damaged_one(tmp_path: Path) -> None:
    refuse_others(tmp_path, "tracker", "history")
    commit(tmp_path, MANIFEST_OF_ONE)
    refuse_others(tmp_path, "tracker", "history")
    for text in (b"", b"{", b"\xff", b"[" * 100_000):
        (tmp_path / MANIFEST).write_bytes(text)
        refuse_others(tmp_path, "tracker", "history")
        with pytest.raises(DataError, match="is damaged"):
            read_manifest(tmp_path)


@pytest.mark.parametrize(
    ("package", "source", "told"),
    [
        (
            "tracker",
            "other",
            "holds a run of tracker.history, which this one of tracker.other would replace; ",
        ),
        (
            "other",
            "history",
            "holds a run of tracker.history, which this one of other.history would replace; ",
        ),
    ],
)
def test_a_run_replaces_none_of_another_source(package: str, source: str, told: str, tmp_path: Path) -> None:
    commit(tmp_path, MANIFEST_OF_ONE)

    with pytest.raises(UsageError, match=f"{told}name another folder"):
        refuse_others(tmp_path, package, source)


@pytest.mark.parametrize("version", [2, 0, "2", None, [1]])
def test_a_run_replaces_none_of_another_version(version: object, tmp_path: Path) -> None:
    tree = {"version": version, "package": "tracker", "source": "history", "shards": 7}
    (tmp_path / MANIFEST).write_text(json.dumps(tree))

    with pytest.raises(UsageError, match="update pillarbox, or name another folder"):
        refuse_others(tmp_path, "tracker", "history")


@pytest.mark.parametrize("text", ["[]", "{}", "7", '{"name": "app", "version": 1}', "null"])
def test_a_run_replaces_nothing_that_is_no_manifest(text: str, tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text(text)

    with pytest.raises(UsageError, match=r"manifest\.json is no manifest of a run"):
        refuse_others(tmp_path, "tracker", "history")


def test_only_what_the_manifest_names_outlives_the_sweep(tmp_path: Path) -> None:
    for name in (BOX, f"{RUN}/boxes/b.box", f"{RUN}/work/c/d", "run-ba9876543210/boxes/a.box", "notes/mine"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    sweep(tmp_path, MANIFEST_OF_ONE)

    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {BOX, "notes/mine"}


def test_what_a_sweep_cannot_remove_stays_and_fails_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network drive keeps what a process has open, under a name of its own, and refuses to remove that."""
    held, twin = (tmp_path / RUN / "boxes" / name for name in (".nfs01", "twin.box"))
    held.parent.mkdir(parents=True)
    for path in (tmp_path / BOX, held, twin):
        path.touch()
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path == held:
            raise OSError(errno.EBUSY, "Device or resource busy", str(path))
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)

    sweep(tmp_path, MANIFEST_OF_ONE)

    assert sorted(path.name for path in held.parent.iterdir()) == [".nfs01", "a.box"]
