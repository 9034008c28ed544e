"""What the tools say of a box that holds a journal."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.unit.inspect.conftest import Run, in_the_place_of_bytes, written

from pillarbox.storage import open_engine
from pillarbox.storage.journal import JOURNAL, Journal
from pillarbox_tracker import open_box, specs
from pillarbox_tracker import operations as o
from pillarbox_tracker.types import Login, UserId, Users
from pillarbox_tracker.views import People


@pytest.fixture
def journaled(path: Path) -> Path:
    """The box of the other tests, into which somebody wrote while another one listened."""
    with open_box(path, durability="relaxed") as box, open_box(path, durability="relaxed") as other:
        other.watch(People())
        for number in (71, 72):
            box.replay([o.PutUsers(users=(Users(UserId(number), Login(f"zoe{number}"), "Zoë"),))])
        assert box.met.journaled == 2
    return path


def test_stat_tells_what_the_journal_holds(path: Path, journaled: Path, run: Run) -> None:
    lines = run("stat", journaled).out.splitlines()

    assert lines[3].split()[:6] == ["journal", "2", "entries,", "versions", "1", "to"]


@pytest.mark.parametrize("level", ["quick", "records", "derived"])
def test_a_journal_is_nothing_wrong(journaled: Path, run: Run, level: str) -> None:
    assert run("verify", journaled, "--level", level).code == 0


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (b"\x01", "an entry of the journal does not read"),
        (msgspec.msgpack.encode({9999: {b"x": (None, b"")}}), "a table 9999 that the layout does not know"),
        (msgspec.msgpack.encode({specs.USERS.id: {5: (None, b"\xc1")}}), "table 'users'"),
        (msgspec.msgpack.encode({specs.ISSUES.id: {b"": (None, b"")}}), "table 'issues'"),
    ],
)
def test_an_entry_that_does_not_read_is_found(journaled: Path, run: Run, entry: bytes, reason: str) -> None:
    written(journaled, f"UPDATE t{JOURNAL.id} SET v=x'{entry.hex()}' WHERE k=2")

    ran = run("verify", journaled)

    assert ran.code == 1
    assert reason in ran.out
    assert "other processes load anew instead" in ran.out


def test_an_entry_that_is_no_bytes_is_found(journaled: Path, run: Run) -> None:
    written(journaled, *in_the_place_of_bytes(f"t{JOURNAL.id}", "k=2"))

    ran = run("verify", journaled)

    assert ran.code == 1
    assert f"non-BLOB value in t{JOURNAL.id}.v" in ran.out
    assert f"table {JOURNAL.name}, key 2: its entry does not read" in ran.out


def test_a_gap_is_found(journaled: Path, run: Run) -> None:
    written(journaled, f"UPDATE t{JOURNAL.id} SET k=4 WHERE k=2")

    assert "version 2 should come here" in run("verify", journaled).out


def test_a_repair_tells_other_processes_to_load_anew(journaled: Path, run: Run) -> None:
    written(journaled, "DELETE FROM t21 WHERE k IN (SELECT min(k) FROM t21)")

    assert run("repair", journaled, "--derived").code == 0

    engine = open_engine(str(journaled), durability="relaxed")
    journal = Journal(engine)
    journal.look()
    assert (journal.head, journal.since(2)) == (3, None)
    engine.close()
