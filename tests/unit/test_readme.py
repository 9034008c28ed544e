"""The README is true: its view is in the schema, and its program prints what it shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.unit.pages import Block, blocks
from tests.waiting import SECONDS_MAX

ROOT = Path(__file__).resolve().parents[2]


def the_block(language: str) -> Block:
    """The only block of that language."""
    (found,) = (block for block in blocks((ROOT / "README.md").read_text()) if block.language == language)
    return found


def test_the_program_prints_what_is_shown(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", the_block("python").text],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{ROOT / 'runtime'}:{ROOT / 'generated'}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS_MAX,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout == the_block("text").text


def test_the_program_is_short() -> None:
    assert len([line for line in the_block("python").text.splitlines() if line]) <= 20


def test_the_view_is_the_one_of_the_schema() -> None:
    page = (ROOT / "README.md").read_text()
    (file,) = re.findall(r"^A view, from `(schema/\S+\.yaml)`:$", page, re.MULTILINE)
    views = (ROOT / file).read_text().splitlines()
    shown = the_block("yaml").text.splitlines()
    start = views.index(shown[0])

    # The README leaves out the parts that it does not speak of.
    for line in shown:
        assert line in views[start:], line
