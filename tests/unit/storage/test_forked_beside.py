"""Stores that a forked process opens for itself, while its parent has the same file open."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread, Timer
from unittest.mock import patch

import pytest
from tests.unit.storage.files import TABLE, filled
from tests.unit.storage.test_forked import in_child
from tests.waiting import SECONDS_MAX

from pillarbox.errors import StoreBusy, StoreFailed
from pillarbox.storage import SqliteEngine, inherited
from pillarbox.storage.presence import Presence

Turn = Callable[[], object]


@contextmanager
def child_beside(work: Callable[[Turn], object]) -> Iterator[Turn]:
    """A child that goes on when it is its turn: both have one until they give it to the other."""
    here, there = socket.socketpair()
    here.settimeout(SECONDS_MAX)

    def in_turns() -> None:
        signal.alarm(SECONDS_MAX)
        here.close()
        work(lambda: (there.send(b"x"), there.recv(1)))
        there.close()

    def forked() -> None:
        in_child(in_turns)

    ended: list[BaseException] = []
    thread = Thread(target=lambda: _noted(forked, ended))
    thread.start()
    assert here.recv(1) == b"x"
    there.close()
    try:
        yield lambda: (here.send(b"x"), here.recv(1))
    finally:
        with suppress(OSError):
            here.send(b"x")
        thread.join(SECONDS_MAX)
        here.close()
    assert not ended


def _noted(work: Callable[[], object], ended: list[BaseException]) -> None:
    try:
        work()
    except BaseException as error:
        ended.append(error)


def own(path: Path) -> SqliteEngine:
    return SqliteEngine(str(path), durability="relaxed", busy_ms=20)


def put(engine: SqliteEngine, key: bytes) -> None:
    engine.begin()
    engine.put_many(TABLE, [key], [b"new"])
    engine.commit()


def test_what_a_child_commits_stays_when_its_parent_closes_the_box(tmp_path: Path) -> None:
    path = tmp_path / "a.box"
    engine = filled(path)

    def child(turn: Turn) -> None:
        mine = own(path)
        put(mine, b"bb")
        turn()
        put(mine, b"cc")
        mine.close()

    with child_beside(child):
        assert engine.get(TABLE, b"bb") == b"new"
        engine.close()

    again = own(path)
    assert [again.get(TABLE, key) for key in (b"aa", b"bb", b"cc")] == [b"kept", b"new", b"new"]
    again.close()


def test_a_child_that_was_forked_amid_a_transaction_waits_for_it_and_no_longer(tmp_path: Path) -> None:
    path = tmp_path / "a.box"
    engine = filled(path)
    engine.begin()
    engine.put_many(TABLE, [b"bb"], [b"new"])

    def child(turn: Turn) -> None:
        mine = own(path)
        with pytest.raises(StoreBusy):
            mine.begin()
        mine.begin_read()
        assert mine.get(TABLE, b"bb") is None
        turn()
        assert mine.get(TABLE, b"bb") is None
        mine.end_read()
        put(mine, b"cc")
        assert mine.get(TABLE, b"bb") == b"new"
        mine.close()

    with child_beside(child):
        engine.commit()
        engine.checkpoint()
        put(engine, b"dd")

    assert engine.get(TABLE, b"cc") == b"new"
    engine.close()


def test_a_child_opens_nothing_that_another_thread_was_using_when_it_was_forked(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box")

    def child() -> None:
        with patch.object(inherited, "_file_of", lambda connection: None):
            with pytest.raises(StoreFailed, match="was forked while another thread was using the box"):
                own(tmp_path / "a.box")
            own(tmp_path / "b.box").close()

    in_child(child)

    put(engine, b"bb")
    engine.close()


def test_a_log_that_is_being_moved_is_moved_before_a_process_is_forked(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box")
    moving = Timer(0.1, lambda: None)
    moving.start()
    engine._log._thread = moving

    in_child(lambda: None)

    assert not moving.is_alive()
    engine.close()


def test_a_parent_that_is_gone_is_not_seen_any_more_while_its_child_lives(tmp_path: Path) -> None:
    one, other = Presence.meet(str(tmp_path / "a.box")), Presence.meet(str(tmp_path / "a.box"))
    assert one is not None
    assert other is not None
    assert one.register()

    with child_beside(lambda turn: turn()):
        assert other.somebody_listens()
        one.close()
        assert not other.somebody_listens()

    other.close()
    assert os.listdir(tmp_path) == []
