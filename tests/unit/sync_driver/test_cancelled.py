"""Law: whenever an engine is cancelled, it ends, and what is in the box is what its cursor says.

Whoever asked for something is told, events of what was committed are published, the box can be written, views
show what is stored, and the next engine goes on from there. The moments are all those at which a function of
the engine begins, or goes on behind an `await`: each by HYPOTHESIS_PROFILE=deep, else some of them.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable
from functools import partial
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import anyio
import anyio.from_thread
import pytest
from tests.property.mutants import Fault
from tests.unit.sync_driver.small_server import PROJECT, Cable, SmallServer
from tests.waiting import SECONDS_MAX, until

from pillarbox.errors import EngineStopped, PillarboxError, Unsettled
from pillarbox.sync import Engine, driver, ear, engine, inbox, news, store, talk
from pillarbox.sync.driver import Driver
from pillarbox_tracker import Box, open_box
from pillarbox_tracker.containers import Done
from pillarbox_tracker.operations import PutProjects
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.types import ProjectId, Projects, UserId
from pillarbox_tracker.updates import ProjectsChanged
from pillarbox_tracker.views import Project

#: Whether all moments are tried.
IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
FILES = {module.__file__ for module in (driver, ear, engine, inbox, news, store, talk)}


class Cancelling:
    """Cancels at the `moment`-th chance, in whichever thread that comes."""

    def __init__(self, moment: int, scope: anyio.CancelScope) -> None:
        self.left = moment
        self._scope = scope
        self._loop = threading.get_ident()

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename in FILES:
            self.left -= 1
            if self.left == 0:
                if threading.get_ident() == self._loop:
                    self._scope.cancel()
                else:
                    anyio.from_thread.run_sync(self._scope.cancel)


def put(name: str, number: int) -> PutProjects:
    return PutProjects((Projects(ProjectId(number), name, f"p{number}", UserId(1)),))


async def session(box: Box, server: SmallServer, place: Any, told: list[object]) -> None:
    """A bit of everything that a program does with an engine."""
    cable = Cable(server.answer)
    async with Engine(box, PROTOCOL, cable, transactions=place, marker=7) as running:
        running.on_events(told.extend)
        await running.flush()
        cable.push(server.rename("pushed"), server.say("said"))
        await until(lambda: told)
        await running.run_custom(lambda tx: PROTOCOL.replay(tx, [put("mine", 8)]))
        server.rename("lost")
        running.resync()
        await running.flush()
        rev = len(server.log) + 1
        project = Projects(PROJECT, "done", "p5", UserId(1))
        server.log.append(ProjectsChanged(projects=(project,), rev=rev, count=1))
        await running.did(Done(rev=rev, count=1), [put("done", 5)])
        await running.flush()


async def cancelled(box: Box, server: SmallServer, place: Any, moment: int) -> bool:
    """Whether the moment came before the session was over."""
    told: list[object] = []
    happened: list[object] = []
    stop = box.on_event(happened.append)
    with anyio.fail_after(SECONDS_MAX), anyio.CancelScope() as scope:
        cancelling = Cancelling(moment, scope)
        threading.setprofile(cancelling)
        sys.setprofile(cancelling)
        try:
            await session(box, server, place, told)
        except (EngineStopped, Unsettled):
            assert scope.cancel_called, "nobody else ends it"
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    stop()
    assert told == happened, f"A-14, E-9: after moment {moment}"
    return scope.cancel_called


def check(box: Box, server: SmallServer) -> None:
    """E-1: the cursor and what it counts are of one commit."""
    with box.reading() as tables:
        account, project = tables.account.get(), tables.projects.get(PROJECT)
    rev = 0 if account is None else account.rev
    update: Any = server.log[rev - 1] if rev else None
    change = update and update.projects[0]
    assert (project and project.name) == (change and change.name)


def try_all(path: Path, backend: str, place: Any, moments: Iterable[int]) -> int:
    """Up to the first moment that does not come: which that is."""
    server = SmallServer()
    with open_box(path, durability="relaxed") as box, box.watch(Project(PROJECT)) as subscription:
        for moment in moments:
            came = anyio.run(partial(cancelled, box, server, place, moment), backend=backend)
            assert box._lock.acquire(timeout=SECONDS_MAX), f"the box is locked for good after moment {moment}"
            box._lock.release()
            check(box, server)
            box.replay([put(f"free {moment}", 9)])
            assert subscription.latest.snapshot == box.get(Project(PROJECT)), moment
            anyio.run(follow, box, server, backend=backend)
            assert subscription.latest.snapshot == box.get(Project(PROJECT)), moment
            if not came:
                return moment
    raise AssertionError("it never ended")


async def follow(box: Box, server: SmallServer) -> None:
    """The next engine brings what the first did not."""
    with anyio.fail_after(SECONDS_MAX):
        async with Engine(box, PROTOCOL, Cable(server.answer), transactions="loop") as running:
            running.resync()
            await running.flush()
    check(box, server)
    with box.reading() as tables:
        account = tables.account.get()
    assert account is not None
    assert account.rev == len(server.log)


@pytest.mark.parametrize("place", ["loop", "thread"])
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_whenever_it_is_cancelled_it_ends_and_the_next_goes_on(
    tmp_path: Path, backend: str, place: str
) -> None:
    first = 1 + ["asyncio", "trio"].index(backend) + 2 * ["loop", "thread"].index(place)
    moments = count(1) if IS_DEEP else count(first, 5)
    assert try_all(tmp_path / "a.box", backend, place, moments) > 300


FAULTS = (
    Fault("what was committed is not published", Driver, "_end",
          "(*self._said, *self._hear(Stopped(self._now)))", "self._hear(Stopped(self._now))"),
    Fault("the box is not given back", engine.Engine, "__aexit__", "_kept.discard(self.box)", "pass"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault, tmp_path: Path) -> None:
    with fault.planted(), pytest.raises((AssertionError, BaseExceptionGroup, PillarboxError, TimeoutError)):
        try_all(tmp_path / "a.box", "asyncio", "thread", count(1, 3))
