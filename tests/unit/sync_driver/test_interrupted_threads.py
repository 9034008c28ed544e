"""Law: whenever who runs an engine in a thread is interrupted, it does not wait for ever, and that thread
ends.

The moments are the lines of who runs it; those on which nothing is called but a block begins are none.
"""

from __future__ import annotations

import linecache
import sys
import threading
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import anyio.from_thread
from tests.unit.sync_driver.small_server import Cable, SmallServer
from tests.waiting import wait_for

from pillarbox.sync import Engine, threaded
from pillarbox.sync.threaded import in_thread
from pillarbox_tracker import Box, open_box
from pillarbox_tracker.protocol import PROTOCOL

FILES = {threaded.__file__, anyio.from_thread.__file__}


class Interrupting:
    """Interrupts this thread, once, at the `moment`-th line."""

    def __init__(self, moment: int) -> None:
        self._left = moment

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename not in FILES:
            return None
        line = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
        if event == "line" and line not in ("try:", "finally:"):
            self._left -= 1
            if self._left == 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return self

    @property
    def came(self) -> bool:
        return self._left <= 0


def session(box: Box, moment: int) -> bool:
    """Whether the moment came."""
    interrupting = Interrupting(moment)
    sys.settrace(interrupting)
    try:
        with in_thread(Engine(box, PROTOCOL, Cable(SmallServer().answer))) as engine:
            engine.flush()
    except KeyboardInterrupt:
        assert interrupting.came, "nobody else interrupts"
    finally:
        sys.settrace(None)
    return interrupting.came


def engines(before: set[threading.Thread]) -> list[str]:
    """The threads that are there since then, whatever they are called: those that have begun."""
    now = [it for it in threading.enumerate() if it.ident and it not in before]
    return [it.name for it in now if it.name != "pillarbox-watcher"]


def test_whenever_it_is_interrupted_the_thread_ends(tmp_path: Path) -> None:
    done: list[int] = []
    is_over: list[bool] = []

    def all_moments() -> None:
        before = set(threading.enumerate())
        with open_box(tmp_path / "a.box", durability="relaxed") as box:
            for moment in count(1):
                if not session(box, moment):
                    is_over.append(True)
                    return
                wait_for(lambda: not engines(before))
                done.append(moment)

    thread = threading.Thread(target=all_moments, daemon=True)
    thread.start()
    wait_for(lambda: not thread.is_alive())
    assert is_over, f"it failed after moment {len(done)}"
    assert len(done) > 20
