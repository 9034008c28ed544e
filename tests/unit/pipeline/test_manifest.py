"""Reading a manifest back, and what is told of one that cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pillarbox.errors import DataError, StoreMissing
from pillarbox_spark.files import FileFigures
from pillarbox_spark.manifest import MANIFEST, Manifest, ShardFile, TableSum, commit, read_manifest, sweep
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


def test_only_what_the_manifest_names_outlives_the_sweep(tmp_path: Path) -> None:
    for name in (BOX, f"{RUN}/boxes/b.box", f"{RUN}/work/c/d", "run-ba9876543210/boxes/a.box", "notes/mine"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    sweep(tmp_path, MANIFEST_OF_ONE)

    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {BOX, "notes/mine"}
