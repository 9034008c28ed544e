"""What a transaction has seen spares the next one a read, and never shows it what is not so any more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.property.mutants import Fault
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import PACKAGE, PutIssue, TrackerBox, issue
from tests.unit.runtime.tracker_tables import TrackerTransaction

from pillarbox.box import Box
from pillarbox.storage import Engine
from pillarbox.tables import TableWriter
from pillarbox.transaction import Transaction


def seen(box: TrackerBox, number: int) -> t.Issue | None:
    """A row as a transaction sees it."""

    def work(tx: TrackerTransaction) -> t.Issue | None:
        row: t.Issue | None = tx.issues.row_at(t.ISSUES.key_of(issue(1, number)))
        return row

    return box.transact(work)


def reads(box: TrackerBox, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables that are read from now on."""
    found: list[str] = []
    engine: Engine = box._engine
    for name in ("get", "get_many"):
        real: Any = getattr(engine, name)

        def read(table: Any, keys: Any, real: Any = real) -> Any:
            found.append(table.name)
            return real(table, keys)

        monkeypatch.setattr(engine, name, read)
    return found


def test_what_a_transaction_wrote_is_not_read_by_the_next(
    box: TrackerBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    box.replay([PutIssue(issue(1, 1, 5))])
    found = reads(box, monkeypatch)

    assert seen(box, 1) == issue(1, 1, 5)

    assert "issues" not in found


def test_a_rollback_forgets_what_it_undoes(box: TrackerBox) -> None:
    box.replay([PutIssue(issue(1, 1, 5))])

    def work(tx: TrackerTransaction) -> None:
        tx.issues.put(issue(1, 1, 6))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        box.transact(work)

    assert seen(box, 1) == issue(1, 1, 5)


def unseen_commit(filed: TrackerBox, path: Path) -> None:
    filed._watcher.stop()
    filed.replay([PutIssue(issue(1, 1, 5))])
    with Box(path, PACKAGE) as other:
        other.replay([PutIssue(issue(1, 1, 6))])

    assert seen(filed, 1) == issue(1, 1, 6)


def test_what_another_box_commits_is_seen(filed: TrackerBox, path: Path) -> None:
    unseen_commit(filed, path)


@pytest.mark.parametrize(
    "fault",
    [
        Fault("others are not looked for", Transaction, "begin", "self._look_for_others()", "pass"),
        Fault("others change nothing", Transaction, "_look_for_others", "table.distrust()", "pass"),
        Fault("no table distrusts", TableWriter, "distrust", "self._cells.clear()", "pass"),
    ],
    ids=str,
)
def test_planted_faults_are_found(fault: Fault, filed: TrackerBox, path: Path) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        unseen_commit(filed, path)


def test_a_table_remembers_no_more_than_its_share(box: TrackerBox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pillarbox.tables.writer._KNOWN_MAX", 10)

    for number in range(1, 30):
        box.replay([PutIssue(issue(1, number))])

    assert len(box._tx.issues._cells) <= 10
