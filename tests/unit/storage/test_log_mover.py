"""Moving the log beside the commits: what it leaves, and what it never holds up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from tests.unit.storage.faulty_vfs import FaultyVfs
from tests.unit.storage.files import TABLE, filled

from pillarbox.errors import StoreFull
from pillarbox.storage import SqliteEngine, log_mover
from pillarbox.storage.log_mover import LogMover


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SqliteEngine]:
    engine = filled(tmp_path / "a.box")
    yield engine
    engine.close()


def commit(engine: SqliteEngine, number: int) -> None:
    engine.begin()
    engine.put_many(TABLE, [number.to_bytes(2, "big")], [b"v" * 200])
    engine.commit()


def passes() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "pillarbox-log"]


def test_a_pass_moves_what_was_committed_and_the_log_begins_anew(engine: SqliteEngine) -> None:
    for number in range(300):
        commit(engine, number)
    before = engine.wal_bytes()

    assert engine.checkpoint_beside()
    engine._log.wait()
    commit(engine, 300)

    assert Path(engine.path).stat().st_size > 200 * 300
    assert engine.wal_bytes() < before
    assert len(engine.scan(TABLE, None, None)) == 302


def test_the_next_pass_waits_until_the_log_has_grown(
    engine: SqliteEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = counted(engine, monkeypatch)
    reader = engine.reader()
    reader.begin_read()  # who reads keeps the log in use
    for number in range(10):
        commit(engine, number)
        assert engine.checkpoint_beside()
        engine._log.wait()
    assert len(begun) == 1

    monkeypatch.setattr(log_mover, "_PAGES_A_PASS", 2)
    for number in range(10, 20):
        commit(engine, number)
        assert engine.checkpoint_beside()
        engine._log.wait()

    assert 4 <= len(begun) <= 11
    reader.end_read()
    reader.close()


def test_what_a_pass_was_begun_for_does_not_wait_any_more(
    engine: SqliteEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(engine, 1)
    reader = engine.reader()
    reader.begin_read()  # who reads keeps the log in use
    before = engine.wal_bytes()

    assert engine.checkpoint_beside()
    engine._log.wait()
    assert engine.wal_bytes() == 0
    commit(engine, 2)
    came = engine.wal_bytes()
    assert came > 0

    monkeypatch.setattr(log_mover, "_PAGES_MAX", 1)  # at its bound all of it waits
    assert engine.wal_bytes() == before + came
    reader.end_read()
    reader.close()


def test_a_log_that_began_anew_is_moved_again(engine: SqliteEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = counted(engine, monkeypatch)
    for number in range(3):
        commit(engine, number)
        commit(engine, number + 10)

        assert engine.checkpoint_beside()
        engine._log.wait()

    assert len(begun) == 3


def test_a_log_at_its_bound_is_left_to_the_checkpoint(
    engine: SqliteEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(engine, 1)
    assert engine.checkpoint_beside()
    monkeypatch.setattr(log_mover, "_PAGES_MAX", 0)

    assert not engine.checkpoint_beside()

    assert not passes()
    engine.checkpoint()
    assert engine.wal_bytes() == 0


def counted(engine: SqliteEngine, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one for each pass that begins."""
    begun: list[int] = []
    move = LogMover._move

    def moving(mover: LogMover) -> None:
        begun.append(mover.pages)
        move(mover)

    monkeypatch.setattr(LogMover, "_move", moving)
    return begun


def test_a_checkpoint_waits_for_the_pass(engine: SqliteEngine) -> None:
    for number in range(300):
        commit(engine, number)

    assert engine.checkpoint_beside()
    engine.checkpoint()

    assert not passes()
    assert engine.wal_bytes() == 0


def test_a_checkpoint_while_another_process_moves_the_log_leaves_the_rest_for_later(
    engine: SqliteEngine,
) -> None:
    commit(engine, 1)
    reader = engine.reader()
    reader.begin_read()  # the other waits for who reads, and has the lock meanwhile
    other = apsw.Connection(engine.path)
    other.pragma("schema_version")
    sizes: list[int] = []

    def waits(_: int) -> bool:
        engine.checkpoint()
        sizes.append(engine.wal_bytes())
        return False

    other.set_busy_handler(waits)
    with pytest.raises(apsw.BusyError):
        other.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)
    other.close()
    reader.end_read()
    reader.close()

    assert sizes[0] > 0
    engine.checkpoint()
    assert engine.wal_bytes() == 0


def test_closing_waits_for_the_pass(tmp_path: Path) -> None:
    engine = filled(tmp_path / "b.box")
    commit(engine, 1)
    engine.checkpoint_beside()

    engine.close()

    assert not passes()
    again = SqliteEngine(str(tmp_path / "b.box"), durability="relaxed")
    assert len(again.scan(TABLE, None, None)) == 2
    again.close()


@pytest.mark.parametrize("name", ["another", None])
def test_the_log_of_a_file_that_is_not_where_it_was_is_moved_into_no_other(
    engine: SqliteEngine, tmp_path: Path, name: str | None
) -> None:
    path = Path(engine.path)
    if name is None:
        path.unlink()
    else:
        filled(tmp_path / name).close()
        (tmp_path / name).replace(path)
    before = path.read_bytes() if path.exists() else None
    for number in range(300):
        commit(engine, number)

    assert not engine.checkpoint_beside()

    engine.checkpoint()
    assert len(engine.scan(TABLE, None, None)) == 301
    assert (path.read_bytes() if path.exists() else None) == before


def test_where_no_thread_can_be_had_the_log_is_left_to_the_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = filled(tmp_path / "b.box")
    commit(engine, 1)

    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Thread, "start", start)

    assert not engine.checkpoint_beside()

    engine.checkpoint()
    assert engine.wal_bytes() == 0
    engine.close()


def test_a_pass_that_fails_leaves_the_telling_to_the_checkpoint(tmp_path: Path) -> None:
    vfs = FaultyVfs()
    try:
        engine = filled(tmp_path / "c.box", vfs="faulty")
        commit(engine, 1)
        vfs.error = apsw.FullError

        assert engine.checkpoint_beside()
        engine._log.wait()

        with pytest.raises(StoreFull):
            engine.checkpoint()
        vfs.error = None
        engine.close()
    finally:
        vfs.unregister()
