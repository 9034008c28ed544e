"""What is awaited of a box and of its subscriptions does alike in each event loop that engines run in."""

from __future__ import annotations

import threading
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from tests.waiting import SECONDS_MAX, until

from pillarbox.errors import UsageError
from pillarbox.views import Subscription
from pillarbox_tracker import open_box
from pillarbox_tracker.items import IssueTitle
from pillarbox_tracker.operations import OpenIssue
from pillarbox_tracker.transaction import Transaction
from pillarbox_tracker.types import ProjectId, UserId
from pillarbox_tracker.views import Issue, IssueSnapshot

INBOX, ADA = ProjectId(1), UserId(7)


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


pytestmark = pytest.mark.anyio


def opened(title: str) -> OpenIssue:
    return OpenIssue(INBOX, title, ADA, 100)


async def test_a_loop_follows_what_other_threads_and_its_own_write() -> None:
    titles: list[str] = []
    with open_box(":memory:") as box, box.data.watch(IssueTitle(INBOX, 1)) as watched:
        with anyio.fail_after(SECONDS_MAX):
            async for emission in watched:
                titles.append(emission.snapshot)
                if emission.snapshot == "It rains in.":
                    break
                await box.replay_async([opened("It rains in.")])

    assert titles == ["no such issue", "It rains in."]


async def test_who_waits_goes_on_by_what_another_thread_writes_and_by_the_end() -> None:
    taken: list[str] = []
    with open_box(":memory:") as box:
        watched = await box.watch_async(Issue(INBOX, 1), every=True)

        async def follow() -> None:
            async for emission in watched:
                taken.append(emission.snapshot.issue.title if emission.snapshot.issue else "nothing")

        with anyio.fail_after(SECONDS_MAX):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(follow)
                await anyio.lowlevel.checkpoint()
                await anyio.to_thread.run_sync(box.replay, [opened("It rains in.")])
                await until(lambda: len(taken) == 2)
                await anyio.to_thread.run_sync(watched.close)

    assert taken == ["nothing", "It rains in."]


async def test_who_is_cancelled_while_it_subscribes_leaves_no_live_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, go = threading.Event(), threading.Event()
    made: list[Subscription[IssueSnapshot]] = []
    with open_box(":memory:") as box:
        watch = box.watch

        def slowly(key: Issue, *, every: bool, queue_max: int) -> Subscription[IssueSnapshot]:
            begun.set()
            assert go.wait(SECONDS_MAX)
            made.append(watch(key, every=every, queue_max=queue_max))
            return made[0]

        async def subscribe() -> None:
            with anyio.CancelScope() as scope:
                scopes.append(scope)
                (await box.watch_async(Issue(INBOX, 1))).close()

        monkeypatch.setattr(box, "watch", slowly)
        scopes: list[anyio.CancelScope] = []
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(subscribe)
            await until(begun.is_set)
            scopes[0].cancel()
            await anyio.lowlevel.checkpoint()
            go.set()
        await until(lambda: made)
        await until(lambda: made[0].closed)

        assert not box._tracker.has_subscriptions


async def test_who_is_cancelled_leaves_the_subscription_to_the_next_reader() -> None:
    with open_box(":memory:") as box, box.watch(Issue(INBOX, 1)) as watched:
        await anext(watched)
        with anyio.move_on_after(0.01) as scope:
            await anext(watched)
        box.replay([opened("It rains in.")])
        with anyio.fail_after(SECONDS_MAX):
            emission = await anext(watched)

    assert scope.cancelled_caught
    assert emission.snapshot.issue is not None


async def test_twins_work_off_the_loop_and_give_and_raise_what_the_others_do(tmp_path: Path) -> None:
    here = threading.get_ident()

    def where(_: Transaction) -> int:
        return threading.get_ident()

    def fails(_: Transaction) -> None:
        raise LookupError("no")

    with open_box(tmp_path / "a.box") as box:
        assert await box.transact_async(where) != here
        with pytest.raises(LookupError, match="no"):
            await box.transact_async(fails)
        await box.replay_async([opened("It rains in."), opened("No tea.")])
        snapshot = await box.get_async(Issue(INBOX, 2))
        with box.watch(Issue(INBOX, 1)) as watched:
            await watched.move_async(Issue(INBOX, 2))
            assert watched.latest is not None
            assert watched.latest.snapshot == snapshot

    assert snapshot.issue is not None
    with pytest.raises(UsageError):
        await box.transact_async(where)


async def test_work_that_nobody_waits_for_any_more_and_that_has_not_begun_is_left_out() -> None:
    may, begun = threading.Event(), threading.Event()

    def slow(_: Transaction) -> None:
        begun.set()
        may.wait(SECONDS_MAX)

    done: list[str] = []
    with open_box(":memory:") as box:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(box.transact_async, slow)
            await until(begun.is_set)
            with anyio.move_on_after(0.01):
                await box.transact_async(lambda _: done.append("too late"))
            may.set()
        await box.transact_async(lambda _: done.append("after"))

    assert done == ["after"]
