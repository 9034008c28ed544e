"""Two processes at one box: what the journal tells, and what happens when one of them is killed or sleeps."""

from __future__ import annotations

import signal
import subprocess
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from tests.unit.box.test_failures import process
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import (
    PACKAGE,
    Board,
    One,
    PutIssue,
    TrackerBox,
    issue,
    layout_tree,
    package,
)
from tests.waiting import wait_for

from pillarbox.box import Box
from pillarbox.storage import journal as journal_module
from pillarbox.storage.journal import JOURNAL, REFRESH, Journal

_IMPORT = """
from tests.unit.runtime.tracker_package import Board
from tests.waiting import wait_for
"""
WRITER = """
    print("READY", flush=True)
    for line in sys.stdin:
        box.replay([PutIssue(issue(1, 1 + int(line) % 9, int(line)))])
        print(line, end="", flush=True)
"""
READER = """
    subscription = box.watch(Board(1))
    print("READY", flush=True)
    for line in sys.stdin:
        wait_for(lambda: subscription.latest.snapshot == box.get(Board(1)))
        print(box.met.commits, box.met.refreshes, flush=True)
"""


def head(box: TrackerBox) -> int:
    journal = Journal(box._engine)
    journal.look()
    return journal.head


def versions(box: TrackerBox) -> list[Any]:
    return [key for key, _ in box._engine.scan(JOURNAL, None, None)] if head(box) else []


@contextmanager
def running(path: Path, body: str) -> Iterator[subprocess.Popen[str]]:
    """Another process, once it is ready; killed when the block is over."""
    with process(path, f"{_IMPORT}\n{textwrap.dedent(body)}") as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "READY\n"
        try:
            yield other
        finally:
            other.kill()


def ask(other: subprocess.Popen[str], line: object) -> str:
    assert other.stdin is not None
    assert other.stdout is not None
    other.stdin.write(f"{line}\n")
    other.stdin.flush()
    return other.stdout.readline().strip()


# ------------------------------------------------------------------------------------ who is there


def test_alone_nothing_is_journaled_and_there_is_no_journal(filed: TrackerBox) -> None:
    with filed.watch(Board(1)):
        filed.replay([PutIssue(issue(1, 1))])

    assert filed.met.journaled == 0
    assert filed._engine.meta("journal") is None


def test_a_box_without_views_is_not_written_for(filed: TrackerBox, path: Path) -> None:
    with Box(path, PACKAGE) as other:
        other.get(Board(1))
        filed.replay([PutIssue(issue(1, 1))])

    assert filed.met.journaled == 0


def test_a_killed_reader_is_written_for_no_longer_and_its_journal_goes(filed: TrackerBox, path: Path) -> None:
    with running(path, READER) as reader:
        for number in (1, 2, 3):
            filed.replay([PutIssue(issue(1, number))])
        assert versions(filed) == [1, 2, 3]
        reader.send_signal(signal.SIGKILL)
        reader.wait()

        filed.replay([PutIssue(issue(1, 4))])

    assert filed.met.journaled == 3
    assert versions(filed) == [3], "the newest stays, for its number"


def test_the_last_one_takes_the_file_of_locks_along_also_after_a_kill(path: Path) -> None:
    with running(path, READER) as reader:
        reader.send_signal(signal.SIGKILL)
        reader.wait()
    assert path.with_name("a.box-presence").exists()

    Box(path, PACKAGE).close()

    assert not path.with_name("a.box-presence").exists()


# -------------------------------------------------------------------------------- what is replayed


def test_a_reader_replays_what_a_writer_did_and_loads_nothing_anew(filed: TrackerBox, path: Path) -> None:
    heard: list[Any] = []
    with running(path, WRITER) as writer, filed.watch(Board(1)) as subscription:
        subscription.listen(heard.append)
        for number in range(1, 30):
            ask(writer, number)
        wait_for(lambda: subscription.latest.snapshot == filed.get(Board(1)))

    assert filed.met.commits == 29
    assert filed.met.refreshes == 0
    assert heard[-1].parts == ("newest", "issues")


def test_a_killed_writer_leaves_views_that_are_right(filed: TrackerBox, path: Path) -> None:
    body = """
        print("READY", flush=True)
        rank = 0
        while True:
            rank = (rank + 1) % 200
            box.replay([PutIssue(issue(1, number, rank)) for number in range(1, 9)])
            print(rank, flush=True)
"""
    with filed.watch(Board(1)) as subscription:
        for attempt in range(5):
            with running(path, body) as writer:
                assert writer.stdout is not None
                for _ in range(1 + attempt):  # commits, however long they take
                    writer.stdout.readline()
                writer.send_signal(signal.SIGKILL)
                writer.wait()
            # Whoever looks already lets nobody else look: `poll` alone would not tell that it is done.
            wait_for(lambda: not filed.poll() and subscription.latest.snapshot == filed.get(Board(1)))

    # One that is killed amid its commit may leave a version that has moved, and nothing that tells why.
    assert filed.met.commits > filed.met.refreshes


def test_a_reader_that_slept_too_long_loads_anew(filed: TrackerBox, path: Path) -> None:
    with patch.object(journal_module, "ENTRIES_KEPT", 16), running(path, READER) as reader:
        reader.send_signal(signal.SIGSTOP)
        for number in range(300):
            filed.replay([PutIssue(issue(1, 1 + number % 9, number % 200))])
        assert len(versions(filed)) <= 18
        reader.send_signal(signal.SIGCONT)

        commits, refreshes = ask(reader, "?").split()

    assert refreshes == "1"
    assert int(commits) < 300


def test_a_reader_that_comes_in_the_middle_replays_from_there(filed: TrackerBox, path: Path) -> None:
    with running(path, READER):
        filed.replay([PutIssue(issue(1, 1))])
        with running(path, READER) as late:
            filed.replay([PutIssue(issue(1, 2))])
            filed.replay([PutIssue(issue(1, 3))])

            assert ask(late, "?") == "2 0"


def test_two_processes_that_write_in_turns_replay_each_other(filed: TrackerBox, path: Path) -> None:
    both = """
        subscription = box.watch(Board(1))
        print("READY", flush=True)
        for line in sys.stdin:
            box.replay([PutIssue(issue(1, 1 + int(line) % 9, int(line)))])
            right = subscription.latest.snapshot == box.get(Board(1))
            print(box.met.commits, box.met.refreshes, right, flush=True)
    """
    with running(path, both) as other, filed.watch(Board(1)) as subscription:
        for turn in range(1, 20):
            filed.replay([PutIssue(issue(1, 1 + turn % 9, turn, lane=1))])
            assert ask(other, turn + 100) == f"{turn} 0 True"

        wait_for(lambda: filed.met.commits == 19)
        assert filed.met.refreshes == 0
        # What was met is told just after it was counted.
        wait_for(lambda: subscription.latest.snapshot == filed.get(Board(1)))


def test_commits_that_gather_are_one_replay_and_what_ended_as_it_began_is_none(
    filed: TrackerBox, path: Path
) -> None:
    filed.replay([PutIssue(issue(1, 1, 5))])
    with Box(path, PACKAGE) as other:
        other._watcher.stop()
        heard: list[Any] = []
        other.watch(Board(1), every=True).listen(heard.append)
        for rank in (7, 6, 5):
            filed.replay([PutIssue(issue(1, 1, rank))])

        assert other.poll()

    assert (other.met.commits, other.met.replays, len(heard)) == (3, 1, 1), "the first emission alone"


# ---------------------------------------------------------------------------------- and what is not


def test_what_is_too_large_is_a_mark(filed: TrackerBox, path: Path) -> None:
    with Box(path, PACKAGE) as other, patch.object(journal_module, "ENTRY_BYTES_MAX", 200):
        other._watcher.stop()
        subscription = other.watch(Board(1))
        filed.replay([PutIssue(issue(1, number)) for number in range(1, 9)])

        assert other.poll()

        assert (other.met.replays, other.met.refreshes) == (0, 1)
        assert [value for _, value in filed._engine.scan(JOURNAL, None, None)] == [REFRESH]
        assert subscription.latest.snapshot == other.get(Board(1))


@pytest.mark.parametrize("torn", [b"", b"\x81", b"\xa1x", b"\x81\x01\x81\xa1x\x92\xc0\xc0"])
def test_an_entry_that_does_not_read_makes_the_views_load_anew(
    filed: TrackerBox, path: Path, torn: bytes
) -> None:
    with Box(path, PACKAGE) as other:
        other._watcher.stop()
        subscription = other.watch(Board(1))
        filed.replay([PutIssue(issue(1, 1, 5))])
        filed._engine.begin()
        filed._engine.put_many(JOURNAL, [1], [torn])
        filed._engine.commit()

        assert other.poll()

        assert (other.met.replays, other.met.refreshes) == (0, 1)
        assert subscription.latest.snapshot == other.get(Board(1))


def test_a_commit_past_the_box_makes_the_views_load_anew(filed: TrackerBox, path: Path) -> None:
    with Box(path, PACKAGE) as other:
        other._watcher.stop()
        subscription = other.watch(One(1, 1))
        filed.replay([PutIssue(issue(1, 1, 5))])
        other.poll()
        filed._engine.begin()
        filed._engine.remove_many(filed._own_tables[1].spec.layout, [bytes((1, 1))])
        filed._engine.commit()

        assert other.poll()

        assert (other.met.replays, other.met.refreshes) == (1, 1)
        assert subscription.latest.snapshot.issue is None


def test_a_log_that_begins_anew_is_no_commit(filed: TrackerBox, path: Path) -> None:
    """A reader sees that something moved, a moment before it sees what."""
    with Box(path, PACKAGE) as other:
        other._watcher.stop()
        subscription = other.watch(Board(1))
        filed.replay([PutIssue(issue(1, 1, 5))])
        assert other.poll()
        engine: Any = filed._engine
        engine.checkpoint()
        engine._connection.pragma("cache_size", 1)  # so that pages are written before the commit
        engine.begin()
        engine.put_many(filed._own_tables[1].spec.layout, [b"\xff"], [b"it rains in " * 100_000])
        assert other._others.moved()
        assert other._look() is None
        engine.rollback()
        filed.replay([PutIssue(issue(1, 2, 5))])

        assert other._look()

        assert (other.met.replays, other.met.refreshes) == (2, 0)
        assert subscription.latest.snapshot == other.get(Board(1))


def test_what_nothing_tells_of_is_waited_for_and_then_loaded_anew(filed: TrackerBox, path: Path) -> None:
    with Box(path, PACKAGE) as other:
        other._watcher.stop()
        other.watch(One(1, 1))
        filed._engine._run("VACUUM")  # type: ignore[attr-defined]  # of SQLite

        assert other._look() is None
        wait_for(other._look)

        assert (other.met.replays, other.met.refreshes) == (0, 1)


def test_a_layout_with_other_names_makes_the_views_load_anew(filed: TrackerBox, path: Path) -> None:
    filed._watcher.stop()
    with filed.watch(Board(1)) as subscription:
        tree = layout_tree()
        tree["tables"]["1"]["name"] = "tickets"
        with Box(path, package(tree)) as other:
            other.replay([PutIssue(issue(1, 1, 5))])

        assert filed.poll()

        assert (filed.met.replays, filed.met.refreshes) == (0, 1)
        assert subscription.latest.snapshot == filed.get(Board(1))


def test_where_no_locks_can_be_had_views_load_anew_as_ever(path: Path) -> None:
    with (
        patch("pillarbox.box.others.Presence.meet", return_value=None),
        Box(path, PACKAGE) as one,
        Box(path, PACKAGE) as other,
    ):
        subscription = other.watch(Board(1))
        one.replay([PutIssue(issue(1, 1, 5))])

        wait_for(lambda: subscription.latest.snapshot.issues)

        assert (one.met.journaled, other.met.refreshes) == (1, 1), "who cannot see others marks each commit"


def test_a_reader_that_may_only_read_loads_anew_once_and_then_replays(filed: TrackerBox, path: Path) -> None:
    with Box(path, PACKAGE, read_only=True) as reader:
        reader._watcher.stop()
        subscription = reader.watch(Board(1))
        for number in (1, 2, 3):
            filed.replay([PutIssue(issue(1, number))])
            reader.poll()

        assert (reader.met.refreshes, reader.met.commits) == (1, 2)
        assert subscription.latest.snapshot == reader.get(Board(1))


def test_events_are_for_those_in_the_process_that_committed(filed: TrackerBox, path: Path) -> None:
    told: list[object] = []
    with Box(path, PACKAGE) as other, other.watch(Board(1)):
        other._watcher.stop()
        other.on_event(told.append)
        with filed.transaction() as tx:
            tx.issues.put(issue(1, 1))
            tx.emit("it rains")

        assert other.poll()

    assert told == []


@pytest.mark.parametrize(
    ("table", "key"),
    [(t.BY_RANK.id, 1), (t.BY_RANK.id, b"\1"), (t.CURSORS.id, b"\1"), (t.CURSORS.id, 1 << 63)],
)
def test_an_entry_with_keys_of_another_kind_is_as_one_that_does_not_read(
    path: Path, table: int, key: bytes | int, caplog: pytest.LogCaptureFixture
) -> None:
    with Box(path, PACKAGE) as box, Box(path, PACKAGE) as other:
        box._watcher.stop()  # by hand, for once
        subscription = box.watch(Board(1))
        other.replay([PutIssue(issue(1, 1))])
        box.poll()
        refreshes = box.met.refreshes
        other._engine.begin()
        journal = Journal(other._engine)
        journal.look()
        journal.append(msgspec.msgpack.encode({table: {key: (None, b"")}}))
        other._engine.commit()

        box.poll()

        assert box.met.refreshes == refreshes + 1
        assert "cannot be read" in caplog.text
        assert subscription.latest.snapshot == box.get(Board(1))
