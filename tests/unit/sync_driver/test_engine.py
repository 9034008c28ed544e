"""The engine as a program uses it, on the tracker and on both event loops; alone, and beside another one."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
import pytest
from tests.unit.sync_driver.engines import Guarded, comments, name, owed, running
from tests.unit.sync_driver.scripted import ManualClock
from tests.unit.sync_driver.small_server import PROJECT, Cable, SmallServer
from tests.waiting import SECONDS_MAX, until

from pillarbox.errors import AccountRefused, ChangeUntaken, EngineStopped, UsageError
from pillarbox.sync import Engine, Limits, Refusal, SessionChanged, Untaken
from pillarbox.sync.limits import DriverLimits
from pillarbox_tracker import Box, open_box
from pillarbox_tracker.containers import Done
from pillarbox_tracker.events import CommentAdded
from pillarbox_tracker.keys import project_key
from pillarbox_tracker.operations import PutProjects, RemoveProject
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.requests import GetChanges, GetProjectChanges, GetStanding
from pillarbox_tracker.transaction import Transaction
from pillarbox_tracker.types import ProjectId, Projects, UserId

pytestmark = pytest.mark.anyio


def has(what: list[object], count: int) -> bool:
    return len(what) == count


async def test_what_is_pushed_is_in_the_box_and_in_its_views(box: Box, server: SmallServer) -> None:
    async with running(box, server) as (engine, cable):
        cable.push(server.rename("one"), server.rename("two"))
        await engine.flush()

        assert name(box) == "two"
        with box.reading() as tables:
            assert PROTOCOL.position(tables, 110, b"") == (2, 2, 2)


async def test_all_that_comes_while_a_commit_runs_is_one_commit(
    box: Box, server: SmallServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Q3: however it comes, what waits is taken as one batch."""
    begun, go_on, commits = threading.Event(), threading.Event(), []
    apply = box.apply

    def slow(work: Any) -> Any:
        begun.set()
        assert go_on.wait(SECONDS_MAX)
        commits.append(work)
        return apply(work)

    async with running(box, server) as (engine, cable):
        await engine.flush()
        monkeypatch.setattr(box, "apply", slow)
        cable.push(server.rename("first"))
        await until(begun.is_set)
        for number in range(30):
            cable.push(server.rename(f"name {number}"))
            await anyio.sleep(0)
        go_on.set()
        await engine.flush()

    assert name(box) == "name 29"
    assert len(commits) == 2


async def test_what_was_lost_is_asked_for(box: Box, server: SmallServer) -> None:
    """G-3, G-16: after a gap that nothing closes the difference is asked for."""
    async with running(box, server) as (_, cable):
        server.rename("lost")
        cable.push(server.rename("seen"))
        await until(lambda: name(box) == "seen")

    assert GetChanges(since=0, seq=0) in cable.asked[2:]


async def test_what_the_program_did_is_written_with_the_counter_that_counts_it(
    box: Box, server: SmallServer
) -> None:
    """G-19, E-1: behind what was counted before it, and once."""
    async with running(box, server) as (engine, cable):
        before, own = server.rename("before"), server.rename("own")
        effect = PutProjects(projects=(Projects(PROJECT, "own", "p5", UserId(1)),))
        await engine.did(Done(rev=2, count=1), [effect])
        cable.push(before)
        await until(lambda: name(box) == "own")
        asked = len(cable.asked)
        cable.push(own)
        await engine.flush()

        with box.reading() as tables:
            assert PROTOCOL.position(tables, 110, b"") == (2, 2, 2)
    assert not any(isinstance(it, GetChanges) for it in cable.asked[asked:])
    with pytest.raises(EngineStopped):
        await engine.did(Done(rev=2, count=1), [effect])


async def test_who_has_no_room_to_tell_what_it_did_hears_that_the_engine_stops(
    box: Box, server: SmallServer
) -> None:
    """The law of the engine: nobody waits for ever."""
    ends: list[str] = []

    async def tell(engine: Engine[Any, Any]) -> None:
        try:
            await engine.did(Done(rev=2, count=1), ())
            ends.append("taken")
        except EngineStopped:
            ends.append("stopped")

    limits = DriverLimits(waiting_max=1)
    with anyio.fail_after(SECONDS_MAX):
        async with (
            anyio.create_task_group() as tasks,
            running(box, server, driver_limits=limits) as (engine, _),
        ):
            for _ in range(30):
                tasks.start_soon(tell, engine)
            while not ends:
                await anyio.lowlevel.checkpoint()

    assert len(ends) == 30
    assert {ends[0], ends[-1]} == {"taken", "stopped"}


async def test_events_are_told_after_their_commit_in_the_order_of_commits(
    box: Box, server: SmallServer
) -> None:
    """A-14: published only after the commit. E-9: in order, each once."""
    told: list[object] = []
    async with running(box, server) as (engine, cable):

        def tell(events: tuple[object, ...]) -> None:
            with box.reading() as tables:
                stored = len(list(tables.comments.all()))
            told.extend((event.comment.body, stored) for event in events if isinstance(event, CommentAdded))

        stop = engine.on_events(tell)
        for text in ("a", "b", "c"):
            count = len(told) + 1
            cable.push(server.say(text))
            await until(partial(has, told, count))
        stop()
        cable.push(server.say("d"))
        await engine.flush()

    assert told == [("a", 1), ("b", 2), ("c", 3)]


async def test_a_changed_session_asks_what_was_missed(box: Box, server: SmallServer) -> None:
    async with running(box, server) as (_, cable):
        server.rename("while it was away")
        cable.push(SessionChanged())
        await until(lambda: name(box) == "while it was away")


async def test_a_resync_asks_what_was_missed(box: Box, server: SmallServer) -> None:
    """Q5: an explicit resync polls."""
    async with running(box, server) as (engine, _):
        told: list[bool] = []
        engine.on_updating(told.append)
        server.rename("never pushed")
        engine.resync()
        await until(lambda: name(box) == "never pushed" and told == [True, False])
        assert not engine.updating


async def test_who_is_signed_out_is_told_and_when_signed_in_again_it_goes_on(box: Box) -> None:
    """Q6, Q10, D-4."""
    server = Guarded()
    async with running(box, server) as (engine, cable):
        told: list[Refusal | None] = []
        engine.on_stopped(told.append)
        assert engine.stopped is None
        server.signed_in = False
        cable.push(SessionChanged())
        await until(lambda: engine.stopped is not None)
        assert not engine.updating
        with pytest.raises(AccountRefused, match=r"GetChanges.* with SIGNED_OUT") as raised:
            await engine.flush()
        assert engine.stopped == Refusal("SIGNED_OUT", raised.value.request)
        assert await engine.run_custom(lambda tx: tx.account.get() is not None), "the box can be written"

        server.signed_in = True
        server.rename("while it was out")
        cable.push(SessionChanged())
        await until(lambda: engine.stopped is None)
        await engine.flush()
        assert name(box) == "while it was out"

    assert told == [Refusal("SIGNED_OUT", raised.value.request), None]


async def test_who_is_told_what_the_store_refuses_hears_why_until_that_is_mended(
    box: Box, server: SmallServer
) -> None:
    """A-11, Q10: two projects may not share a slug. Nothing of it is lost: it is asked for all the while."""
    mine = PutProjects(projects=(Projects(ProjectId(6), "mine", "p5", UserId(1)),))
    async with running(box, server) as (engine, cable):
        told: list[Untaken | None] = []
        engine.on_untaken(told.append)
        await engine.flush()
        box.replay([mine])
        cable.push(server.rename("theirs"))

        with pytest.raises(ChangeUntaken, match=r"UniqueViolation.* 'projects' ") as raised:
            await engine.flush()
        assert engine.untaken == Untaken("account", b"", raised.value.reason)
        assert engine.updating
        with pytest.raises(ChangeUntaken):
            await engine.flush()

        box.replay([RemoveProject(ProjectId(6))])
        await until(lambda: engine.untaken is None)
        await engine.flush()
        assert name(box) == "theirs"

    assert told == [Untaken("account", b"", raised.value.reason), None]


async def test_who_was_signed_out_while_nothing_happened_learns_it_by_a_flush(box: Box) -> None:
    """Q10: it asks the server something, whatever is missing."""
    server = Guarded()
    async with running(box, server) as (engine, cable):
        server.signed_in = False
        asked = len(cable.asked)
        for _ in range(2):
            with pytest.raises(AccountRefused):
                await engine.flush()
        assert cable.asked[asked:] == [GetStanding()]
        server.signed_in = True
        engine.resync()
        await engine.flush()
        assert engine.stopped is None


async def test_who_looks_at_something_has_it_asked_for_until_it_looks_away(
    box: Box, server: SmallServer
) -> None:
    """K-9: while somebody looks, the instance is polled."""
    clock = ManualClock(1_700_000_000_000)
    async with running(box, server, clock=clock) as (engine, cable):

        def asks() -> int:
            return sum(isinstance(it, GetProjectChanges) for it in cable.asked)

        async def later() -> None:
            await anyio.sleep(0.002)
            clock.move(100_000)

        async def asked_again(count: int) -> None:
            while asks() < count:  # the clock goes on only while nothing has been asked
                await later()

        cable.push(server.say("so that the project is known"))
        await until(lambda: comments(box) == 1)
        with engine.look("project", project_key(PROJECT)):
            before = asks()
            with engine.look("project", project_key(PROJECT)):
                await asked_again(before + 1)
            await asked_again(before + 2)
            assert asks() == before + 2
        count = asks()
        for _ in range(20):
            await later()
        assert asks() <= count + 1, "one may have been under way"
        count = asks()
        await later()
        assert asks() == count


async def test_only_what_has_a_key_is_looked_at(box: Box, server: SmallServer) -> None:
    async with running(box, server) as (engine, _):
        for name in ("account", "nothing"):
            with pytest.raises(UsageError, match=f"'{name}' is no cursor with a key; .*: project"):
                engine.look(name, b"").__enter__()


async def test_work_of_the_program_runs_while_no_cursor_moves(box: Box, server: SmallServer) -> None:
    """Q11: custom jobs see a stable cursor; errors go to who asked."""

    def work(tx: Transaction) -> int:
        account = tx.account.get()
        return 0 if account is None else account.rev

    def fail(tx: Transaction) -> None:
        tx.projects.put(Projects(PROJECT, "half", "h", UserId(1)))
        raise ZeroDivisionError

    async with running(box, server) as (engine, cable):
        cable.push(server.rename("one"))
        await engine.flush()
        assert await engine.run_custom(work) == 1
        with pytest.raises(ZeroDivisionError):
            await engine.run_custom(fail)
        assert name(box) == "one"
        cable.push(server.rename("two"))
        await engine.flush()
        assert name(box) == "two"


async def test_what_the_program_writes_meanwhile_is_no_hindrance(box: Box, server: SmallServer) -> None:
    async with running(box, server) as (engine, cable):
        for number in range(20):
            cable.push(server.rename(f"name {number}"))
            mine = PutProjects((Projects(PROJECT, "mine", "m", UserId(1)),))
            await anyio.to_thread.run_sync(box.replay, (mine,))
        cable.push(server.rename("last"))
        await engine.flush()

        assert name(box) == "last"


async def test_whoever_flushes_waits_for_all_that_was_pushed_before(box: Box, server: SmallServer) -> None:
    """Q10: it settles when everything before it is applied."""
    async with running(box, server) as (engine, cable):
        for number in range(50):
            cable.push(server.rename(f"name {number}"))
            await engine.flush()
            assert name(box) == f"name {number}"


async def test_questions_that_nobody_waits_for_keep_nobody_from_asking(box: Box, server: SmallServer) -> None:
    """Without an answer for long, a program may have asked often."""
    hears = anyio.Event()

    class Slow(Cable):
        async def send(self, request: Any, /) -> Any:
            await hears.wait()
            return await super().send(request)

    async with Engine(box, PROTOCOL, Slow(server.answer), limits=Limits(queue_max=5)) as engine:
        for _ in range(20):
            engine.resync()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(engine.flush)
            await anyio.sleep(0.01)
            hears.set()


async def test_two_engines_on_one_box_apply_all_of_it_once(path: Path, box: Box, server: SmallServer) -> None:
    """P-4: both may poll; the loser's cursor does not match, and it polls again."""
    told: list[object] = []

    def tell(events: tuple[object, ...]) -> None:
        told.extend(event for event in events if isinstance(event, CommentAdded))

    with open_box(path, durability="relaxed") as other:
        async with running(box, server) as (one, first), running(other, server) as (two, second):
            one.on_events(tell)
            two.on_events(tell)
            for number in range(1, 31):
                push = server.say(f"{number}")
                if number % 3:
                    first.push(push)
                if number % 4:
                    second.push(push)
                if number % 5 == 0:
                    await anyio.sleep(0.005)
            with two.look("project", project_key(PROJECT)):
                await until(lambda: comments(box) == 30 and not owed(box))

    assert len(told) == 30


async def test_an_engine_that_leaves_the_role_alone_is_not_master(box: Box, server: SmallServer) -> None:
    """P-3: the side machines run in one process."""
    async with running(box, server, master="leave") as (engine, cable):
        assert not box.is_master
        cable.push(server.rename("one"))
        await engine.flush()
        assert name(box) == "one"
    async with running(box, server):
        assert box.is_master
