"""Law: whenever a write is interrupted, the next one works, and views show what is stored."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from tests.property.mutants import Fault
from tests.unit.runtime.tracker_package import PACKAGE, Board, PutIssue, TrackerBox, issue

from pillarbox import transaction as transaction_module
from pillarbox.box import Box
from pillarbox.box import box as box_module
from pillarbox.box import writing as writing_module
from pillarbox.box.writing import Writing
from pillarbox.storage import sqlite as sqlite_module

#: Those in which a transaction begins and ends.
FILES = {module.__file__ for module in (box_module, writing_module, transaction_module, sqlite_module)}
#: When Python heeds signals: as a function begins, and as a call of what is written in C is over.
HEEDED = ("call", "c_return")


class Interrupt:
    """Raises KeyboardInterrupt at the `moment`-th chance in `FILES`, in the thread that asks."""

    def __init__(self, moment: int) -> None:
        self.left = moment

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & inspect.CO_GENERATOR:
            return  # what a profiler raises there ends a generator that waits, which no signal does
        if event in HEEDED and code.co_filename in FILES:
            self.left -= 1
            if self.left == 0:
                sys.setprofile(None)
                raise KeyboardInterrupt


def by_call(box: TrackerBox, rank: int) -> None:
    box.transact(lambda tx: PACKAGE.replay(tx, [PutIssue(issue(1, 1, rank))]))


def by_block(box: TrackerBox, rank: int) -> None:
    with box.transaction() as tx:
        PACKAGE.replay(tx, [PutIssue(issue(1, 1, rank))])


def interrupted(write: Callable[[TrackerBox, int], None], box: TrackerBox, rank: int, moment: int) -> bool:
    """Whether the moment came before the write was over."""
    sys.setprofile(Interrupt(moment))
    try:
        write(box, rank)
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False


def try_all(write: Callable[[TrackerBox, int], None], path: Path) -> int:
    """How many moments there are, each of them tried on one box."""
    with Box(path, PACKAGE) as box, box.watch(Board(1)) as subscription:
        box._watcher.stop()  # nobody else takes the lock
        for moment in count(1):
            came = interrupted(write, box, moment % 100, moment)
            is_free = box._lock.acquire(blocking=False)
            box._lock.release()
            assert is_free, f"the box is locked for good after moment {moment}"
            if not came:
                return moment - 1
            box.replay([PutIssue(issue(1, 1, 100 + moment % 100))])
            assert subscription.latest.snapshot == box.get(Board(1)), moment
            assert subscription.latest.snapshot.issues == (issue(1, 1, 100 + moment % 100),)
    raise AssertionError("it never ended")


@pytest.mark.parametrize("write", [by_call, by_block])
def test_who_is_interrupted_at_any_moment_of_a_write_can_write_again(
    write: Callable[[TrackerBox, int], None], path: Path
) -> None:
    assert try_all(write, path) > 20


#: A lock behind an object, as a class for the block of a transaction would have it.
BEHIND = """
class Behind:
    def __init__(self, lock):
        self.lock = lock
    def __enter__(self):
        self.lock.acquire()
    def __exit__(self, *error):
        self.lock.release()
"""


def test_a_lock_behind_an_object_is_found(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[str, Any] = {}
    exec(compile(BEHIND, writing_module.__file__, "exec"), made)
    monkeypatch.setattr(writing_module, "Behind", made["Behind"], raising=False)
    planted = Fault("behind an object", Writing, "_run", "with self._lock:", "with Behind(self._lock):")

    with planted.planted(), pytest.raises(AssertionError, match="locked for good after moment"):
        try_all(by_call, path)
