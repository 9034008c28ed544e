"""The page on watching is true: its programs print what it shows."""

from __future__ import annotations

from pathlib import Path

from tests.unit.pages import blocks, follow

PAGE = Path(__file__).resolve().parents[2] / "docs/watching.md"


def test_the_page_prints_what_it_shows(tmp_path: Path) -> None:
    differences = follow(PAGE.read_text(encoding="utf-8"), tmp_path)

    assert not differences, "\n\n".join(differences)


def test_the_page_has_programs() -> None:
    assert len([block for block in blocks(PAGE.read_text(encoding="utf-8")) if block.file]) == 5
