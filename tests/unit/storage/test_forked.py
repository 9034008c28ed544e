"""Stores in a process that was forked after they were opened."""

from __future__ import annotations

import os
import signal
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Event, Thread
from weakref import getweakrefs

import pytest
from tests.unit.runtime.tracker_package import PACKAGE
from tests.unit.storage.files import TABLE, filled
from tests.waiting import SECONDS_MAX

from pillarbox.box import Box
from pillarbox.errors import BoxClosed
from pillarbox.storage import SqliteEngine
from pillarbox.storage.forked import Living
from pillarbox.storage.presence import Presence


def in_child(work: Callable[[], object]) -> None:
    """Do it in a fork of this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # from Python 3.12 on, where there are threads
        child = os.fork()
    if not child:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0


def test_a_child_can_do_nothing_with_what_its_parent_opened(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box")

    def child() -> None:
        for use in (engine.begin, engine.begin_read, engine.data_version, lambda: engine.get(TABLE, b"aa")):
            with pytest.raises(BoxClosed, match="was opened before the process was forked; open it again"):
                use()
        engine.close()
        own = SqliteEngine(str(tmp_path / "a.box"), durability="relaxed")
        assert own.get(TABLE, b"aa") == b"kept"
        own.close()

    in_child(child)

    engine.begin()
    engine.put_many(TABLE, [b"bb"], [b"new"])
    engine.commit()
    other = SqliteEngine(str(tmp_path / "a.box"), durability="relaxed")
    assert other.get(TABLE, b"bb") == b"new"
    other.close()
    engine.close()


def test_a_child_does_not_wait_for_threads_that_its_parent_has(tmp_path: Path) -> None:
    with Box(tmp_path / "a.box", PACKAGE, durability="relaxed") as box:
        held, go = Barrier(3), Event()

        def write() -> None:
            with box.transaction():
                held.wait(SECONDS_MAX)
                go.wait(SECONDS_MAX)

        def read() -> None:
            with box.reading():
                held.wait(SECONDS_MAX)
                go.wait(SECONDS_MAX)

        threads = [Thread(target=write), Thread(target=read)]
        for thread in threads:
            thread.start()
        held.wait(SECONDS_MAX)

        def child() -> None:
            signal.alarm(SECONDS_MAX)
            with pytest.raises(BoxClosed, match="was opened before the process was forked"):
                box.replay([])
            with pytest.raises(BoxClosed, match="was opened before the process was forked"), box.reading():
                pass
            box.close()

        in_child(child)
        go.set()
        for thread in threads:
            thread.join(SECONDS_MAX)
        assert not box.replay([]).changed


def test_a_child_neither_takes_the_locks_of_its_parent_nor_keeps_them(tmp_path: Path) -> None:
    one, other = Presence.meet(str(tmp_path / "a.box")), Presence.meet(str(tmp_path / "a.box"))
    assert one is not None
    assert other is not None
    assert one.register()

    def child() -> None:
        assert not one.register()
        one.close()
        other.close()

    in_child(child)

    assert other.somebody_listens()
    assert len(os.listdir(tmp_path)) == 1
    one.close()
    assert not other.somebody_listens()
    other.close()
    assert os.listdir(tmp_path) == []


def test_what_goes_tells_nobody_who_would_take_an_interrupt_for_himself(tmp_path: Path) -> None:
    engine = filled(tmp_path / "a.box")
    with Box(tmp_path / "b.box", PACKAGE) as box:
        for thing in (engine, box):
            assert [found.__callback__ for found in getweakrefs(thing)] == [None]
    engine.close()


def test_what_has_gone_is_forgotten() -> None:
    living: Living[Thread] = Living()
    kept = [Thread() for _ in range(3)]
    for thing in kept:
        living.add(thing)

    for _ in range(1_000):
        living.add(Thread())

    assert living.all()[:3] == kept
    assert len(living) < 100
