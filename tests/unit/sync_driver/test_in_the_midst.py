"""Handlers of signals and finalizers run in the midst of anything: what they ask of an engine it hears of."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from types import FrameType
from typing import Any

import anyio
import pytest
from tests.unit.sync_driver.engines import running
from tests.unit.sync_driver.small_server import SmallServer
from tests.waiting import SECONDS_MAX, until

from pillarbox.errors import UsageError
from pillarbox.sync import engine as engine_module
from pillarbox.sync import inbox, news
from pillarbox_tracker import Box
from pillarbox_tracker.keys import project_key

pytestmark = pytest.mark.anyio
FILES = {module.__file__ for module in (engine_module, inbox, news)}


@contextmanager
def handled(call: Any) -> Iterator[None]:
    """A handler of a signal that calls this."""
    before = signal.signal(signal.SIGUSR1, lambda *_: call())
    try:
        yield
    finally:
        signal.signal(signal.SIGUSR1, before)


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="there are no such signals")
async def test_what_a_handler_of_a_signal_asks_wakes_the_event_loop(box: Box, server: SmallServer) -> None:
    """While nothing else does: the loop waits for the system, and a handler alone does not wake it."""
    async with running(box, server) as (engine, cable):
        await engine.flush()
        cable.asked.clear()
        asked = anyio.Event()
        answer = cable._answer

        def answered(request: Any) -> Any:
            asked.set()
            return answer(request)

        cable._answer = answered
        with handled(engine.resync), anyio.fail_after(SECONDS_MAX):
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1)).start()
            await asked.wait()


class Interrupting:
    """Does something at the `moment`-th call that the engine makes, in its midst."""

    def __init__(self, moment: int, work: Any) -> None:
        self._left = moment
        self._work = work

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename in FILES:
            self._left -= 1
            if self._left == 0:
                self._work()

    @property
    def came(self) -> bool:
        return self._left <= 0


async def test_who_looks_in_the_midst_of_a_look_waits_for_nobody(box: Box, server: SmallServer) -> None:
    async with running(box, server) as (engine, _cable):
        moments: list[int] = []

        def look() -> None:
            with engine.look("project", project_key(5)):
                engine.resync()

        def all_moments() -> None:
            for moment in count(1):
                interrupting = Interrupting(moment, look)
                sys.setprofile(interrupting)
                look()
                sys.setprofile(None)
                if not interrupting.came:
                    return
                moments.append(moment)

        thread = threading.Thread(target=all_moments, daemon=True)
        thread.start()
        with anyio.fail_after(SECONDS_MAX):
            await until(lambda: not thread.is_alive())
            assert len(moments) > 5
            await engine.flush()
            assert not engine._looks


async def test_what_waits_to_be_asked_again_waits_once(box: Box, server: SmallServer) -> None:
    """However often it is wanted, also while the engine is at something else."""
    async with running(box, server) as (engine, _cable):
        waiting: list[int] = []

        def work(_tx: object) -> None:
            for _ in range(1_000):
                engine.resync()
            assert engine._driver is not None
            box_of_it = engine._driver.inbox
            waiting.append(len(box_of_it._waiting) + len(box_of_it._outside))

        with anyio.fail_after(SECONDS_MAX):
            await engine.run_custom(work)
            await engine.flush()
        assert waiting[0] < 10


@pytest.mark.parametrize("key", [None, "five", 2**63, object()])
async def test_what_is_no_key_is_not_looked_at(box: Box, server: SmallServer, key: Any) -> None:
    """Where it was told, it could not be recorded, or not be read from the record."""
    async with running(box, server) as (engine, _cable):
        with pytest.raises(UsageError, match="is no key of the cursor 'project'; pass what"):
            engine.look("project", key).__enter__()
        await engine.flush()
