"""breaking: what a package says of the boxes of another state of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.unit.inspect.conftest import Run

from pillarbox.inspect.versions import foretold
from pillarbox.storage import open_engine
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.layout import LAYOUT

Make = Callable[..., Path]


@pytest.fixture
def package(tmp_path: Path) -> Make:
    """Make the folder of a package of the tracker, of which the layout is changed."""

    def make(change: Callable[[dict[str, Any]], object] = bool, folder: str = "pillarbox_tracker") -> Path:
        layout = json.loads(LAYOUT)
        change(layout)
        made = tmp_path / folder
        made.mkdir(exist_ok=True)
        (made / "layout.py").write_text(f"LAYOUT: Final = {json.dumps(layout)!r}\n")
        return made

    return make


def table(layout: Mapping[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(it for it in layout["tables"].values() if it["name"] == name)
    return found


def shorter(layout: dict[str, Any]) -> None:
    table(layout, "users")["fields"].pop()


def other(layout: dict[str, Any]) -> None:
    table(layout, "users")["fields"][1]["type"] = "bytes"


def test_a_state_that_is_the_same_is_told_as_that(package: Make, path: Path, run: Run) -> None:
    made = package()

    assert run("breaking", made, "--against", path) == (0, f"a box of {path} opens as it is\n", "")
    assert run("breaking", made, "--against", made).code == 0


def test_what_is_new_is_told_and_breaks_nothing(package: Make, run: Run) -> None:
    now, before = package(), package(shorter, "before")

    done = run("breaking", now, "--against", before)

    assert done == (
        0,
        f"a box of {before} is brought along when it is opened:\n"
        "  the package has field 'seen_at' (6) of table 'users' (3)\n",
        "",
    )


def test_what_is_given_up_is_told(package: Make, run: Run) -> None:
    def given_up(layout: dict[str, Any]) -> None:
        number = next(number for number, it in layout["tables"].items() if it["name"] == "newest_active")
        del layout["tables"][number]
        layout["reserved"] = [int(number)]

    done = run("breaking", package(given_up), "--against", package(folder="before"))

    assert done.code == 0
    assert re.search(r"table 'newest_active' \(\d+\) is dropped with all its rows", done.out)


def test_a_rule_that_is_another_makes_its_table_again(package: Make, run: Run) -> None:
    def sums_more(layout: dict[str, Any]) -> None:
        table(layout, "star_counts")["rule"]["sums"][0][1] = ["NamedExpr", "stars", ["Literal_", 2], False]

    done = run("breaking", package(sums_more), "--against", package(folder="before"))

    assert done.code == 0
    assert "  derived table 'star_counts' (10) is made again\n" in done.out


def test_what_follows_from_a_table_made_again_is_told_as_well(package: Make) -> None:
    before = package(folder="before")
    transaction = PACKAGE.transaction(open_engine(":memory:", durability="relaxed"))
    derived = [spec for spec in PACKAGE.specs if spec.role == "derived"]

    for spec in derived:
        now = package(lambda layout, name=spec.name: table(layout, name)["rule"].update(rebuild=9))

        told = foretold(now, str(before))

        followers = [PACKAGE.specs_by_id[number] for number in sorted(transaction.followers_of({spec.id}))]
        assert told.again == tuple(f"{it.name!r} ({it.id})" for it in followers)
    assert len(derived) > 20


def test_a_unique_table_that_is_filled_is_told_for_rows_may_not_fit_it(package: Make, run: Run) -> None:
    before = package(lambda layout: layout["tables"].pop("2"), "before")

    done = run("breaking", package(), "--against", before)

    assert done == (
        0,
        f"a box of {before} is brought along when it is opened:\n"
        "  the package has table 'project_slugs' (2)\n"
        "  unique table 'project_slugs' (2) is filled: a box with rows that share a key is refused\n",
        "",
    )


def test_a_box_that_would_only_be_read_is_a_finding(package: Make, run: Run) -> None:
    done = run("breaking", package(shorter), "--against", package(folder="before"))

    assert done.code == 1
    assert "can be read and not written, since the package lacks:\n  field " in done.out
    assert done.out.endswith("put that back into the schema (a table's id into its `reserved`, to drop it)\n")


def test_a_box_that_would_be_refused_is_a_finding_with_each_reason(package: Make, run: Run) -> None:
    before = package(folder="before")

    done = run("breaking", package(other), "--against", before)

    assert done.code == 1
    assert done.out.startswith(f"a box of {before} is refused:\n  field ")
    assert "is bytes, the box wrote " in done.out


def test_a_revision_of_git_is_asked_for_the_package(package: Make, run: Run) -> None:
    made = package()
    git(made, "init", "-q")
    git(made, "add", ".")
    git(made, "commit", "-q", "-m", "one")
    package(other)

    done, unknown = run("breaking", made, "--against", "HEAD"), run("breaking", made, "--against", "v9")

    assert done.code == 1
    assert done.out.startswith("a box of HEAD is refused:\n")
    assert unknown.code == 2
    assert f"v9 is no file and no folder, and git has no layout.py of {made} there: " in unknown.err


def git(folder: Path, *arguments: str) -> None:
    """Run git without the settings of whoever runs this."""
    who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", "-C", str(folder), *arguments], env={**os.environ, **who, **alone}, check=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("LAYOUT = (", "cannot be read"),
        ("LAYOUT: Final = 1 + open('x')\n", "cannot be read"),
        ("LAYOUT: Final = '{'\n", "cannot be read"),
        ("LAYOUT: Final = 7\n", "cannot be read"),
        ("LAYOUT: Final = '[]'\n", "cannot be read"),
        ("LAYOUT: Final = '{}'\n", "cannot be read"),
        ("OTHER: int = 7\n", "holds no LAYOUT"),
    ],
)
def test_what_is_no_layout_is_refused(package: Make, run: Run, text: str, said: str) -> None:
    made, wrong = package(), package(folder="wrong")
    (wrong / "layout.py").write_text(text)

    for now, before in ((made, wrong), (wrong, made)):
        done = run("breaking", now, "--against", before)

        assert done.code in (2, 3), done
        assert str(wrong) in done.err
        assert said in done.err


def test_other_words_are_refused(package: Make, tmp_path: Path, run: Run) -> None:
    made = package()

    assert run("breaking", tmp_path / "no", "--against", made).code == 2
    assert run("breaking", made, "--against", tmp_path).code == 2
    assert run("breaking", made, "--against", "--output=x").code == 2
    assert run("breaking", made, "--against", made / "layout.py").code == 3
    assert "no revision of git begins so" in run("breaking", made, "--against", "-x").err
