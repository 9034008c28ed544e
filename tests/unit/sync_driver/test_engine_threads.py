"""In which thread things are done; and an engine for a program that has no event loop."""

from __future__ import annotations

import threading
from typing import Literal

import pytest
from tests.unit.sync_driver.engines import Guarded, name, running
from tests.unit.sync_driver.small_server import PROJECT, Cable, SmallServer

from pillarbox.errors import AccountRefused, EngineStopped, UsageError
from pillarbox.sync import Engine, Refusal, in_thread
from pillarbox_tracker import Box
from pillarbox_tracker.containers import Done
from pillarbox_tracker.keys import project_key
from pillarbox_tracker.operations import PutProjects
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.requests import GetStanding
from pillarbox_tracker.types import Projects, UserId
from pillarbox_tracker.views import Project

pytestmark = pytest.mark.anyio


def test_a_program_without_an_event_loop_runs_it_in_a_thread(box: Box, server: SmallServer) -> None:
    cable = Cable(server.answer)
    told: list[bool] = []
    with in_thread(Engine(box, PROTOCOL, cable)) as engine:
        engine.on_updating(told.append)
        server.rename("one")
        engine.resync()
        engine.flush()
        assert name(box) == "one"
        assert engine.run_custom(lambda tx: tx.account.get() is not None)
        engine.did(Done(rev=2, count=1), [PutProjects(projects=(Projects(PROJECT, "own", "p5", UserId(1)),))])
        engine.flush()
        assert name(box) == "own"
        with engine.look("project", project_key(PROJECT)):
            engine.flush()
        assert not engine.updating

    assert GetStanding() in cable.asked
    with pytest.raises(EngineStopped):
        engine.resync()


def test_who_is_signed_out_is_told_in_a_thread_too(box: Box) -> None:
    """Q6."""
    server = Guarded()
    server.signed_in = False
    cable = Cable(server.answer)
    told: list[Refusal | None] = []
    with in_thread(Engine(box, PROTOCOL, cable)) as engine:
        engine.on_stopped(told.append)
        with pytest.raises(AccountRefused):
            engine.flush()
        assert engine.stopped == Refusal("SIGNED_OUT", GetStanding())
        server.signed_in = True
        engine.resync()
        engine.flush()
        assert engine.stopped is None

    assert told[-1] is None


def test_in_a_loop_of_its_own_it_writes_in_that_thread_and_who_writes_waits_for_nothing_there(
    box: Box, server: SmallServer
) -> None:
    cable = Cable(server.answer)
    threads: set[str] = set()

    def seen(_: object) -> None:
        """Of a view: called by who committed, in whose thread nothing can be waited for."""
        threads.add(threading.current_thread().name)
        with engine.look("project", project_key(PROJECT)):
            engine.resync()

    with in_thread(Engine(box, PROTOCOL, cable)) as engine, box.watch(Project(PROJECT)) as watching:
        loop: list[str] = []
        engine.on_events(lambda _: loop.append(threading.current_thread().name))
        watching.listen(seen)
        threads.clear()
        with box.transaction(), engine.look("project", project_key(PROJECT)):
            engine.resync()
            with pytest.raises(UsageError, match="inside a transaction"):
                engine.flush()
            with pytest.raises(UsageError, match="inside a transaction"):
                engine.did(Done(rev=2, count=1), [])
        with box.reading(), pytest.raises(UsageError, match="inside a `reading` block"):
            engine.flush()
        server.rename("one")
        engine.resync()
        engine.flush()
        assert name(box) == "one"
        assert threads == {engine.run_custom(lambda _: threading.current_thread().name)}


@pytest.mark.parametrize("place", ["thread", "loop"])
async def test_transactions_run_where_the_program_says(
    box: Box, server: SmallServer, place: Literal["thread", "loop"]
) -> None:
    async with running(box, server, transactions=place) as (engine, cable):
        cable.push(server.rename("one"))
        await engine.flush()
        thread = await engine.run_custom(lambda _: threading.get_ident())

    assert name(box) == "one"
    assert (thread == threading.get_ident()) == (place == "loop")


def test_what_a_block_in_a_thread_raises_comes_out_of_it(box: Box, server: SmallServer) -> None:
    cable = Cable(server.answer)
    with pytest.raises(ZeroDivisionError), in_thread(Engine(box, PROTOCOL, cable)):
        raise ZeroDivisionError
