"""What a box does when the disk, the lock or the process fails under it."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.property.oracles import derived_rows
from tests.unit.box.faulty import FaultyEngine
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import (
    PACKAGE,
    Board,
    One,
    PutIssue,
    TrackerBox,
    issue,
    stored_rows,
)
from tests.unit.runtime.tracker_tables import TrackerTransaction
from tests.unit.storage.faulty_vfs import FaultyVfs
from tests.waiting import wait_for

from pillarbox.box import Box
from pillarbox.box import box as box_module
from pillarbox.errors import CommitUnknown, StoreBusy, StoreFailed, StoreFull
from pillarbox.storage import SqliteEngine, open_engine
from pillarbox.storage.log_mover import LogMover

ROOT = Path(__file__).parents[3]
FULL = StoreFull("a.box")
BROKEN = StoreFailed("a.box", "input/output error")


def assert_derived_fit(box: TrackerBox) -> None:
    """Derived tables are what the issues say, whatever happened."""
    stored = stored_rows(box)
    issues: list[Any] = [row for (row,) in stored["issues"]]
    for name, expected in derived_rows(issues).items():
        assert stored[name] == expected, name


# --------------------------------------------------------------------------------- failures of calls


@pytest.fixture(params=["memory", "file"])
def faulty(
    request: pytest.FixtureRequest, path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[TrackerBox, FaultyEngine]]:
    """A box with one issue, over an engine that fails on demand."""
    where = ":memory:" if request.param == "memory" else str(path)
    engine = FaultyEngine(open_engine(where, durability="relaxed"))
    monkeypatch.setattr(box_module, "open_engine", lambda *args, **options: engine)
    with Box(where, PACKAGE, durability="relaxed") as box:
        box.replay([PutIssue(issue(1, 1, 5))])
        yield box, engine
        engine.heal()


def raise_rank(tx: TrackerTransaction) -> None:
    stored = tx.issues.get(1, 1)
    assert stored is not None
    tx.issues.put(issue(1, 1, stored.rank + 1))


@pytest.mark.parametrize(
    "call", ["begin", "get", "put_one", "put_many", "remove_one", "remove_many", "commit"]
)
@pytest.mark.parametrize("skip", [0, 1, 2])
def test_whatever_call_fails_nothing_has_happened_and_the_next_transaction_works(
    faulty: tuple[TrackerBox, FaultyEngine], call: str, skip: int
) -> None:
    box, engine = faulty
    heard: list[Any] = []
    with box.watch(Board(1)) as subscription:
        subscription.listen(heard.append)
        before = stored_rows(box)
        engine.fail(call, FULL, skip=skip)
        try:
            box.transact(raise_rank)
        except StoreFull:
            assert stored_rows(box) == before
            assert len({it.snapshot for it in heard}) == 1, "nobody heard of it"
            engine.heal()
            box.transact(raise_rank)

    assert box.get(One(1, 1)).issue == issue(1, 1, 6)
    assert heard[-1].snapshot == box.get(Board(1))
    assert_derived_fit(box)
    assert (box.met.own, box.met.news) == (2, 0), "what failed is no news of others"


def test_a_commit_that_failed_and_landed_is_taken_as_done(
    faulty: tuple[TrackerBox, FaultyEngine], caplog: pytest.LogCaptureFixture
) -> None:
    box, engine = faulty
    heard: list[Any] = []
    with box.watch(One(1, 1)) as subscription:
        subscription.listen(heard.append)
        engine.fail("commit", BROKEN, landed=True)

        with caplog.at_level(logging.WARNING, "pillarbox"):
            box.transact(raise_rank)

    assert box.get(One(1, 1)).issue == issue(1, 1, 6)
    assert [it.snapshot.issue.rank for it in heard] == [5, 6]
    assert "yet it is in the file: taken as done" in caplog.text


@pytest.mark.parametrize("landed", [False, True])
def test_who_is_interrupted_while_a_commit_waits_for_the_disk_sees_what_is_in_the_file(
    faulty: tuple[TrackerBox, FaultyEngine], landed: bool
) -> None:
    """Python tells of Ctrl-C when the commit is done, and then somebody has to tell of the commit."""
    box, engine = faulty
    heard: list[Any] = []
    with box.watch(One(1, 1)) as subscription:
        subscription.listen(heard.append)
        engine.fail("commit", KeyboardInterrupt(), landed=landed)

        with pytest.raises(KeyboardInterrupt):
            box.transact(raise_rank)
        engine.heal()
        box.replay([PutIssue(issue(1, 2))])

        assert box.get(One(1, 1)).issue == issue(1, 1, 5 + landed)
        assert subscription.latest.snapshot.issue == issue(1, 1, 5 + landed)
        assert len({it.snapshot for it in heard}) == 1 + landed
        box.transact(raise_rank)
        assert subscription.latest.snapshot.issue == issue(1, 1, 6 + landed)


def test_a_commit_whose_fate_cannot_be_read_is_told_as_unknown(
    faulty: tuple[TrackerBox, FaultyEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    box, engine = faulty
    heard: list[Any] = []

    def unreadable(self: object, key: object) -> None:
        raise StoreBusy("a.box", waited_ms=1)

    with box.watch(One(1, 1)) as subscription:
        subscription.listen(heard.append)
        engine.fail("commit", BROKEN, landed=True)
        with monkeypatch.context() as patch:
            patch.setattr(type(box._own_tables[t.ISSUES.id]), "cell", unreadable)
            with pytest.raises(CommitUnknown, match=r"a commit failed .*look before you repeat"):
                box.transact(raise_rank)
        engine.heal()
        box.transact(raise_rank)

    assert heard[-1].snapshot.issue == box.get(One(1, 1)).issue == issue(1, 1, 7)


@pytest.mark.parametrize("landed", [False, True])
@pytest.mark.parametrize("other", [False, True])
def test_views_tell_what_became_of_a_commit_whose_fate_was_unknown(
    faulty: tuple[TrackerBox, FaultyEngine], monkeypatch: pytest.MonkeyPatch, landed: bool, other: bool
) -> None:
    """They are ahead of who listens, and loading them anew alone would tell nobody."""
    box, engine = faulty
    heard: list[Any] = []
    heard_of_board: list[Any] = []

    def unreadable(self: object, key: object) -> None:
        raise StoreBusy("a.box", waited_ms=1)

    with box.watch(One(1, 1)) as subscription, box.watch(Board(1)) as board:
        subscription.listen(heard.append)
        board.listen(heard_of_board.append)
        engine.fail("commit", BROKEN, landed=landed)
        with monkeypatch.context() as patch:
            patch.setattr(type(box._own_tables[t.ISSUES.id]), "cell", unreadable)
            with pytest.raises(CommitUnknown):
                box.transact(raise_rank)
        assert [it.snapshot.issue.rank for it in heard] == [5], "nobody knows yet"
        engine.heal()
        if other:
            box.replay([PutIssue(issue(1, 2))])
        else:
            assert box.poll()

        rank = 5 + landed
        assert subscription.latest.snapshot.issue.rank == box.get(One(1, 1)).issue.rank == rank  # type: ignore[union-attr]
        assert len(heard) == 1 + landed, "of what is as it was nobody is told"
        assert len({it.snapshot for it in heard}) == len(heard)
        assert board.latest.snapshot == box.get(Board(1))


def test_a_commit_after_which_a_third_value_stands_is_told_as_unknown(
    faulty: tuple[TrackerBox, FaultyEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    box, engine = faulty
    engine.fail("commit", BROKEN)
    monkeypatch.setattr(type(box._own_tables[t.ISSUES.id]), "cell", lambda self, key: issue(1, 1, 77))

    with pytest.raises(CommitUnknown, match="the file holds neither what was before nor what was written"):
        box.transact(raise_rank)


def test_an_interrupt_while_views_fold_a_commit_leaves_no_view_ahead_of_the_file(
    faulty: tuple[TrackerBox, FaultyEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    box, _ = faulty

    def interrupted(record: object) -> None:
        real(record)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    real = box._tracker.replay
    heard: list[Any] = []
    with box.watch(One(1, 1)) as subscription:
        subscription.listen(heard.append)
        with monkeypatch.context() as patch:
            patch.setattr(type(box._tracker), "replay", lambda self, record: interrupted(record))
            with pytest.raises(KeyboardInterrupt):
                box.transact(raise_rank)
        box.replay([PutIssue(issue(1, 2))])
        assert subscription.latest.snapshot.issue == issue(1, 1, 5)
        box.transact(raise_rank)
        assert subscription.latest.snapshot.issue == issue(1, 1, 6)


def test_an_interrupt_while_a_transaction_begins_leaves_none_open(
    faulty: tuple[TrackerBox, FaultyEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    box, _ = faulty

    def interrupted(self: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(type(box._tx), "_look_for_others", interrupted)
        with pytest.raises(KeyboardInterrupt):
            box.transact(raise_rank)

    box.transact(raise_rank)
    assert box.get(One(1, 1)).issue == issue(1, 1, 6)


@pytest.mark.parametrize("call", ["checkpoint", "checkpoint_beside"])
def test_a_checkpoint_that_fails_does_not_fail_the_commit_before_it(
    call: str,
    faulty: tuple[TrackerBox, FaultyEngine],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    box, engine = faulty
    monkeypatch.setattr(box_module, "_CHECKPOINT_BYTES", -1)
    # It has been done, and the rest is here.
    monkeypatch.setattr(LogMover, "begin", lambda self, connection: False)
    engine.fail(call, FULL)

    with caplog.at_level(logging.WARNING, "pillarbox"):
        box.transact(raise_rank)

    assert engine.calls[call] == 1
    assert "will be tried again" in caplog.text
    assert box.get(One(1, 1)).issue == issue(1, 1, 6)


# -------------------------------------------------------------------------------------- a full disk


def test_a_full_disk_is_told_and_leaves_nothing_half_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vfs = FaultyVfs()
    try:
        monkeypatch.setattr(
            box_module,
            "open_engine",
            lambda path, durability, **options: SqliteEngine(path, durability=durability, vfs="faulty"),
        )
        with Box(path, PACKAGE) as box:
            box.replay([PutIssue(issue(1, 1, 5))])
            before = stored_rows(box)
            vfs.error = apsw.FullError
            with pytest.raises(StoreFull, match=r"a\.box: the disk .* is full; nothing was committed"):
                box.replay([PutIssue(issue(1, number, 6)) for number in range(1, 100)])
            assert stored_rows(box) == before
            vfs.error = None
            box.replay([PutIssue(issue(1, number, 6)) for number in range(1, 100)])
            assert_derived_fit(box)
    finally:
        vfs.unregister()


# ----------------------------------------------------------------------------------- other processes


def process(path: Path, body: str) -> subprocess.Popen[str]:
    """A Python that opens the box at `path` as `box` and runs `body`; it prints READY when it may."""
    script = f"""
import sys, time
from pillarbox.box import Box
from tests.unit.runtime.tracker_package import PACKAGE, PutIssue, issue
with Box({str(path)!r}, PACKAGE, durability="relaxed") as box:
{textwrap.indent(textwrap.dedent(body), "    ")}
"""
    places = os.pathsep.join((str(ROOT / "runtime"), str(ROOT)))
    return subprocess.Popen(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": places},
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
    )


def test_a_second_writer_waits_and_is_then_told(filed: TrackerBox, path: Path) -> None:
    body = """
        with box.transaction() as tx:
            tx.issues.put(issue(1, 1, 5))
            print("READY", flush=True)
            sys.stdin.read(1)
    """
    with process(path, body) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "READY\n"

        with pytest.raises(StoreBusy, match=r"held the lock for more than 50 ms; end its transaction"):
            filed.replay([PutIssue(issue(1, 2))])

        assert filed.get(One(1, 1)).issue is None
        other.communicate("x")
    filed.replay([PutIssue(issue(1, 2))])
    assert filed.get(Board(1)).issues == (issue(1, 1, 5), issue(1, 2))


def test_views_follow_the_commits_of_another_process(filed: TrackerBox, path: Path) -> None:
    heard: list[Any] = []
    with filed.watch(Board(1)) as subscription:
        subscription.listen(heard.append)
        with process(path, "box.replay([PutIssue(issue(1, 1, 5)), PutIssue(issue(1, 2, 6))])") as other:
            other.communicate()

        wait_for(lambda: len(heard) == 2)  # by itself, without a poll

    assert heard[-1].snapshot == filed.get(Board(1))
    assert heard[-1].snapshot.issues == (issue(1, 2, 6), issue(1, 1, 5))
    assert filed.met.own == 0
    assert filed.met.news


def test_a_transaction_begins_on_what_the_other_process_committed(filed: TrackerBox, path: Path) -> None:
    with process(path, "box.replay([PutIssue(issue(1, 1, 5, slug=3))])") as other:
        other.communicate()

    with filed.transaction() as tx:
        assert tx.issues.get(1, 1) == issue(1, 1, 5, slug=3)
        tx.issues.put(issue(1, 2, 9, slug=4))

    assert filed.get(Board(1)).slugs == t.SlugCount(1, 2)
    assert_derived_fit(filed)


KILLED_WRITER = """
    print("READY", flush=True)
    rank = 0
    while True:
        rank = (rank + 1) % 200
        rows = [issue(project, number, rank, lane=rank % 3, labels=(1, rank % 2), slug=number)
                for project in (1, 2) for number in range(1, 20)]
        box.replay([PutIssue(row) for row in rows])
        print(rank, flush=True)
"""


def test_a_killed_writer_leaves_all_of_a_transaction_or_nothing(path: Path) -> None:
    Box(path, PACKAGE).close()
    ranks: set[int] = set()
    for attempt in range(20):
        with process(path, KILLED_WRITER) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "READY\n"
            for _ in range(attempt % 5):  # commits, however long they take
                writer.stdout.readline()
            time.sleep(0.0015 * attempt)
            writer.send_signal(signal.SIGKILL)
            writer.communicate()

        with Box(path, PACKAGE, durability="relaxed") as box:
            assert box.opened == "same"
            issues: list[Any] = [row for (row,) in stored_rows(box)["issues"]]
            assert len({row.rank for row in issues}) <= 1, "half of a transaction"
            assert len(issues) in (0, 38)
            ranks.update(row.rank for row in issues)
            assert_derived_fit(box)
    assert len(ranks) > 3, "the writers were killed before they wrote"
