"""The page on looking into a box is true: its verbs print what it shows, on boxes as it has them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.unit.inspect.conftest import ADA, Run

from pillarbox_tracker import open_box
from pillarbox_tracker.operations import OpenIssue, PutUsers
from pillarbox_tracker.types import Login, ProjectId, UserId, Users

PAGE = (Path(__file__).resolve().parents[3] / "docs/inspect.md").read_text(encoding="utf-8")
#: Command -> what the page shows below it.
SHOWN = {
    command: re.sub(r"^ {4}", "", shown, flags=re.MULTILINE)
    for command, shown in re.findall(r"^ {4}\$ pillarbox (.+)\n((?: {4}.+\n)+)", PAGE, re.MULTILINE)
}


@pytest.fixture
def boxes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that the page speaks of, in the current folder."""
    monkeypatch.chdir(tmp_path)
    for day in ("monday", "tuesday"):
        with open_box(f"{day}.box", durability="relaxed") as box:
            box.replay([PutUsers((Users(ADA, Login("ada"), "Ada"),))])
    with open_box("tuesday.box", durability="relaxed") as box:
        bob = Users(UserId(8), Login("bob"), "Bob")
        box.replay([PutUsers((Users(ADA, Login("ada"), "Ada L.", seen_at=5), bob))])
    with open_box("tracker.box", durability="relaxed") as box:
        for now in range(100, 103):
            box.replay([OpenIssue(project_id=ProjectId(1), title="No tea", author_id=ADA, now=now)])


@pytest.mark.usefixtures("boxes")
@pytest.mark.parametrize("command", SHOWN)
def test_a_verb_prints_what_the_page_shows(command: str, run: Run) -> None:
    assert run(*shlex.split(command)).out == SHOWN[command]


def test_the_page_shows_verbs() -> None:
    assert [command.split()[0] for command in SHOWN] == ["keys", "diff"]
