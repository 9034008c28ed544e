"""What a strict type checker says of the typed surface: all of it of right uses, and where wrong ones are."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import pytest
from tests.unit.pages import blocks

ROOT: Final = Path(__file__).resolve().parents[2]
RIGHT: Final = sorted((ROOT / "tests/unit/typed").glob("test_*.py"))

#: Pages whose programs are right uses as well.
PAGES: Final = ("README.md", "docs/watching.md")

HEAD: Final = """\
from collections.abc import Callable
from typing import assert_type

from pillarbox.views import Emission, Subscription
from pillarbox_messenger import Box as Post
from pillarbox_messenger import items as mi
from pillarbox_messenger import types as mt
from pillarbox_messenger import views as mv
from pillarbox_tracker import Box
from pillarbox_tracker import items as ti
from pillarbox_tracker import keys as tk
from pillarbox_tracker import types as tt
from pillarbox_tracker import views as tv
from pillarbox_tracker.transaction import Tables, Transaction

INBOX, ADA, EVE = tt.ProjectId(1), tt.UserId(7), mt.PeerId(5)
NAME, LATE, VIEW = ti.ProjectName(INBOX), ti.Late(INBOX), tv.Project(INBOX)


class Viewless:
    def __take__(self, snapshot: tv.ProjectSnapshot, /) -> int:
        return 1


class Takeless:
    def __view__(self) -> tv.Project:
        return VIEW


def on_text(emission: Emission[str]) -> None: ...
"""

#: A line, and the code of the error in it.
WRONG: Final = [
    # what is asked for
    ("box.data.get(VIEW)", "call-overload"),
    ("box.data.get(ti.ProjectName)", "call-overload"),
    ("box.data.get('name')", "call-overload"),
    ("box.data.get()", "call-overload"),
    ("box.data.get(None)", "call-overload"),
    ("box.data.get([NAME, LATE])", "call-overload"),
    ("box.data.get(Viewless())", "call-overload"),
    ("box.data.get(Takeless())", "call-overload"),
    ("box.data.get(NAME, VIEW)", "call-overload"),
    (f"box.data.get({', '.join(['LATE'] * 9)})", "call-overload"),
    ("box.data.get(item=NAME)", "call-overload"),
    ("box.data.get_map([NAME])", "call-overload"),
    ("box.data.get_map({1: VIEW})", "arg-type"),
    ("box.data.get_map(NAME)", "call-overload"),
    ("box.data.watch(VIEW)", "call-overload"),
    (f"box.data.watch({', '.join(['LATE'] * 9)})", "call-overload"),
    ("box.data.watch(NAME, every=1.5)", "call-overload"),
    ("box.data.watch(NAME, limit=3)", "call-overload"),
    ("box.data.watch_map({1: VIEW})", "arg-type"),
    ("box.get(NAME)", "arg-type"),
    ("box.get(tv.Project)", "arg-type"),
    ("box.watch(LATE)", "arg-type"),
    ("box.watch_all(VIEW, LATE)", "call-overload"),
    ("box.watch_all()", "call-overload"),
    ("box.watch_all([VIEW])", "call-overload"),
    (f"box.watch_all({', '.join(['VIEW'] * 9)})", "call-overload"),
    ("box.watch_all({1: LATE})", "arg-type"),
    # keys
    ("ti.ProjectName(ADA)", "arg-type"),
    ("ti.ProjectName(1)", "arg-type"),
    ("ti.ProjectName('1')", "arg-type"),
    ("ti.ProjectName()", "call-arg"),
    ("ti.ProjectName(INBOX, 1)", "call-arg"),
    ("ti.IssueTitle(project=INBOX, number=1)", "call-arg"),
    ("tv.Issue(INBOX, '1')", "arg-type"),
    ("mi.PeerName(INBOX)", "arg-type"),
    ("NAME.project_id = INBOX", "misc"),
    # what comes
    ("name: str = box.data.get(NAME)", "assignment"),
    ("late: str = box.data.get(LATE)", "assignment"),
    ("name, late = box.data.get(LATE)", "misc"),
    ("name, late, more = box.data.get(NAME, LATE)", "misc"),
    ("box.data.get(NAME).upper()", "union-attr"),
    ("box.data.get(NAME, LATE)[2]", "misc"),
    ("assert_type(box.data.get(NAME, LATE), tuple[bool, str | None])", "assert-type"),
    ("assert_type(box.data.get_map({1: NAME}), dict[int, str])", "assert-type"),
    ("assert_type(post.data.get(mi.IsContact(EVE)), int)", "assert-type"),
    ("assert_type(post.data.watch(mi.IsContact(EVE)), Subscription[int])", "assert-type"),
    ("box.data.get_map({1: NAME})['1']", "index"),
    ("box.data.get_map({1: NAME, 2: LATE})[1].upper()", "attr-defined"),
    ("box.watch_all({1: VIEW, 2: tv.People()}).latest.snapshot[1].project", "attr-defined"),
    ("box.get(VIEW).project.name", "union-attr"),
    ("box.get(VIEW).projekt", "attr-defined"),
    ("box.get(tv.Issue(INBOX, 1)).audit", "attr-defined"),
    ("box.get(VIEW).newest = None", "misc"),
    ("box.get(tv.Cards(INBOX, 3)).cards[0].row.state", "attr-defined"),
    ("box.get(tv.Issue(INBOX, 1)).comments[0]", "index"),
    ("box.get(tv.Issue(INBOX, 1)).comments.earlier[0]", "index"),
    ("box.get(tv.Issue(INBOX, 1)).comments.anchor.number", "union-attr"),
    ("box.watch(VIEW).latest.at[0]", "index"),
    ("post.get(mv.BasicPeer(EVE)).is_contact.name", "attr-defined"),
    ("box.watch_all(VIEW).latest.snapshot.project", "attr-defined"),
    ("box.watch_all({1: VIEW}).latest.snapshot['1']", "index"),
    ("box.watch_all(VIEW, tv.People()).latest.snapshot[0].users", "attr-defined"),
    ("box.data.watch(NAME).listen(on_text)", "arg-type"),
    ("box.watch(VIEW).listen(on_text)", "arg-type"),
    ("box.data.watch(NAME).latest.snapshot.project", "union-attr"),
    ("box.watch(VIEW).move(tv.People())", "arg-type"),
    ("box.watch(VIEW).move(NAME)", "arg-type"),
    # tables
    ("read.issues.all(after=ADA)", "arg-type"),
    ("read.users.all(before=tk.IssuesKey(INBOX, 1))", "arg-type"),
    ("read.overdue.all(after=tk.IssuesKey(INBOX, 1))", "arg-type"),
    ("read.issues.of_project(INBOX, after=ADA)", "arg-type"),
    ("read.issues.of_project(INBOX, newest=True)", "call-arg"),
    ("read.issues.of_project(INBOX, limit='2')", "arg-type"),
    ("read.issues.of_project(ADA)", "arg-type"),
    ("read.account.all()", "attr-defined"),
    ("tx.issues.put_was(INBOX)", "arg-type"),
    ("tx.issues.put_was(tx.issues.all()[0]).row.name", "attr-defined"),
    ("tx.by_state.all(after=tk.IssuesKey(INBOX, 1))", "arg-type"),
    ("tx.labels.replaced_by(tx.labels.all()[0]).name", "union-attr"),
]  # fmt: skip


@cache
def checked() -> tuple[list[str], dict[int, set[str]]]:
    """The lines about right uses, and the codes that the file of wrong ones has at each line."""
    body = [
        f"def wrong_{place}(box: Box, post: Post, tx: Transaction, read: Tables) -> None:\n    {line}\n"
        for place, (line, _) in enumerate(WRONG)
    ]
    folder = Path(mkdtemp())
    file = folder / "wrong_uses.py"
    file.write_text(HEAD + "\n" + "\n".join(body))
    programs: list[Path] = []
    for page in PAGES:
        for block in blocks((ROOT / page).read_text(encoding="utf-8")):
            if block.language == "python":
                programs.append(folder / f"program_{len(programs)}.py")
                programs[-1].write_text(block.text)
    arguments = ["--config-file", "pyproject.toml", "--no-error-summary", "--hide-error-context"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *arguments, *map(str, [*RIGHT, *programs, file])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr, done.stderr
    others: list[str] = []
    found: dict[int, set[str]] = {}
    for line in done.stdout.splitlines():
        # By its name: the checker remembers what it said of the same text in another folder.
        error = re.match(rf".*\b{file.name}:(\d+): error: .*\[([\w-]+)\]$", line)
        if error:
            found.setdefault(int(error[1]), set()).add(error[2])
        elif re.match(r"(.*/)?(typed/test_\w+|program_\d+)\.py:\d+: error: ", line):
            others.append(line)
    return others, found


def test_right_uses_pass_without_a_cast() -> None:
    about_right_uses, _ = checked()

    assert about_right_uses == []
    assert len(RIGHT) == 3
    for right in RIGHT:
        assert "cast" not in right.read_text().replace("without a cast", "")
        assert "type: ignore" not in right.read_text()


def line_of(place: int) -> int:
    """Where a wrong line stands in the file."""
    return HEAD.count("\n") + 1 + 3 * place + 2


@pytest.mark.parametrize("place", range(len(WRONG)), ids=[line for line, _ in WRONG])
def test_a_wrong_use_fails_to_type_check(place: int) -> None:
    _, found = checked()

    assert found.get(line_of(place)) == {WRONG[place][1]}


def test_nothing_else_in_the_file_of_wrong_uses_is_wrong() -> None:
    _, found = checked()

    assert sorted(found) == [line_of(place) for place in range(len(WRONG))]


def test_what_make_installs_is_seen_by_a_type_checker_elsewhere(tmp_path: Path) -> None:
    made = ["make", "--dry-run", "--always-make", f"BIN={tmp_path}/venv/bin", ".venv/ready"]
    recipe = subprocess.run(made, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    (paths,) = [line for line in recipe.replace("\\\n", "").splitlines() if "purelib" in line]
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    subprocess.run(["sh", "-c", paths], cwd=ROOT, check=True)
    (tmp_path / "mine.py").write_text(
        "from pillarbox_tracker.types import ProjectId\nreveal_type(ProjectId(1))\n"
    )

    command = [sys.executable, "-m", "mypy", "--config-file=", "--python-executable", "venv/bin/python"]
    told = subprocess.run([*command, "mine.py"], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert 'Revealed type is "pillarbox_tracker.types.ProjectId"' in told.stdout, told.stdout
