"""verify and repair on the words text, owned and bound: what they find behind the package's back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.inspect.conftest import Run, verified, written

import pillarbox_tracker
from pillarbox.inspect.findings import Findings
from pillarbox.inspect.stored import opened
from pillarbox.inspect.verify import verify
from pillarbox.storage import SqliteEngine
from pillarbox_tracker import operations as o
from pillarbox_tracker import types as t
from pillarbox_tracker.box import PACKAGE

FINE = "nothing wrong (derived)"


def test_an_index_of_words_that_lost_a_text_is_found_and_made_again(path: Path, run: Run) -> None:
    written(path, "INSERT INTO t50_words(t50_words) VALUES('delete-all')")

    told = verified(path, run)
    done = run("repair", path, "--derived")

    assert told[0].startswith("table find_comments: its index of words differs from its texts, first at ")
    assert done.out == "table find_comments: 0 rows written, 0 removed\n"
    assert verified(path, run) == [f"{path}: {FINE}"]


def test_words_without_a_text_are_found_and_go(path: Path, run: Run) -> None:
    written(path, "INSERT INTO t50_words(rowid, words) VALUES(77, 'nobody said this')")

    assert "differs from its texts" in verified(path, run)[0]
    run("repair", path, "--derived")
    assert verified(path, run) == [f"{path}: {FINE}"]


def test_who_is_interrupted_while_words_are_compared_leaves_nothing_open(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(here: Iterator[object], there: Iterator[object]) -> None:
        raise KeyboardInterrupt(next(here), next(there))

    monkeypatch.setattr("pillarbox.inspect.derived.zip_longest", interrupted)
    with opened(str(path)) as engine:
        with pytest.raises(KeyboardInterrupt) as held:
            verify(engine, "derived", PACKAGE, Findings(print))

        assert isinstance(engine, SqliteEngine)
        assert engine._rows("SELECT name FROM temp.sqlite_schema") == [], held


def test_a_text_that_is_not_that_of_its_row_is_told_and_repaired(path: Path, run: Run) -> None:
    written(path, "DELETE FROM t50")

    told = verified(path, run)
    run("repair", path, "--derived")

    assert any("find_comments, key" in line and "it holds no row" in line for line in told)
    assert verified(path, run) == [f"{path}: {FINE}"]


def test_a_row_without_its_owner_is_told(path: Path, run: Run) -> None:
    with pillarbox_tracker.open_box(path) as box:
        box.replay([o.LookAt(user_id=t.UserId(1), project_id=t.ProjectId(1), number=1, now=5)])
    written(path, "DELETE FROM t20 WHERE k IN (SELECT min(k) FROM t20)")

    told = verified(path, run)

    assert any(line.startswith("table visits, key 1 1 1: its owner is not there") for line in told)


def test_rows_beyond_a_bound_are_told(path: Path, run: Run) -> None:
    user_and_project = "80000000000000078000000000000001"
    rows = (f"x'{user_and_project}800000{n:02x}', x'00{n:02x}00000000000000'" for n in range(21))
    written(path, *(f"INSERT INTO t51(k,v) VALUES({row})" for row in rows))

    told = verified(path, run)

    assert any("visits, key 7 1 0: its group has more than the 20 rows" in line for line in told)
