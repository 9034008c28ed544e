"""The page on ingesting is true: its program adds archives to a box that is in use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.unit.pages import blocks

from pillarbox_spark.pipeline import Options, run
from pillarbox_tracker import open_box
from pillarbox_tracker.jobs import issue_dump

ROOT = Path(__file__).resolve().parents[3]
DUMPS = sorted((ROOT / "tests/data/tracker").glob("*.ndjson"))


def rows_of(box: Path) -> dict[str, list[object]]:
    """What the archives say, table by table."""
    with open_box(box) as open_, open_.reading() as tables:
        return {
            name: list(getattr(tables, name).all()) for name in ("projects", "issues", "comments", "users")
        }


def test_its_program_adds_to_a_box_what_a_job_would_have_put_into_one(tmp_path: Path) -> None:
    page = (ROOT / "docs/ingest.md").read_text(encoding="utf-8")
    (program,) = [block.text for block in blocks(page) if block.file == "add.py"]
    run(issue_dump.JOB, DUMPS, tmp_path / "whole", Options(into=tmp_path / "whole.box"))
    run(issue_dump.JOB, DUMPS[:1], tmp_path / "part", Options(into=tmp_path / "part.box"))

    done = subprocess.run(
        [sys.executable, "-", str(tmp_path / "part.box"), str(DUMPS[1])],
        input=program,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert [line[:5] for line in done.stdout.splitlines()] == ["byte "]
    assert rows_of(tmp_path / "part.box") == rows_of(tmp_path / "whole.box")
