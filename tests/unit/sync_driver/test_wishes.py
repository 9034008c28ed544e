"""Wishes on their way through the whole engine: from a transaction to what the server said of them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.sync_driver.engines import running
from tests.unit.sync_driver.scripted import ManualClock
from tests.unit.sync_driver.small_server import PROJECT, SmallServer
from tests.waiting import until

from pillarbox.sync import Refused, Transient
from pillarbox_tracker import Box
from pillarbox_tracker.answers import Standing
from pillarbox_tracker.containers import Done
from pillarbox_tracker.operations import EnqueuePostComment, EnqueueSeeIssues, EnqueueStarProject, Star
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.replay import replay
from pillarbox_tracker.requests import ConfirmKept, PostComment, SeeIssues, StarProject
from pillarbox_tracker.types import UserId

pytestmark = pytest.mark.anyio

ME = UserId(1)


class WishServer(SmallServer):
    """A server that does what it is told, unless `says` has something else to say first."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens: list[int] = []
        self.says: list[Any] = []

    def answer(self, request: Any) -> Any:
        """What it says to a request; a comment is said once for each token."""
        if isinstance(request, PostComment | StarProject | SeeIssues) and self.says:
            return self.says.pop(0)
        match request:
            case PostComment():
                self.tokens.append(request.token)
                return self.say(request.body)
            case StarProject():
                return Done(rev=0, count=0)
            case SeeIssues():
                return Standing(rev=0, seq=0, at=77)
        return super().answer(request)


def do(box: Box, *operations: Any) -> None:
    with box.transaction() as tx:
        replay(tx, operations)


async def send_delayed(clock: ManualClock) -> None:
    """A wish that waits for its delay, half a second, no longer does."""
    await until(lambda: clock.sleepers == 2)  # its timer, and that of the next poll
    clock.move(500)


def waits(box: Box) -> int:
    with box.reading() as tables:
        return len(list(tables.outbox.all()))


def bodies(box: Box) -> list[str]:
    with box.reading() as tables:
        return [comment.body for comment in tables.comments.all()]


def comment(token: int) -> EnqueuePostComment:
    return EnqueuePostComment(project_id=PROJECT, number=1, token=token, body=f"no {token}")


async def test_what_is_wished_is_sent_and_what_the_answer_brings_is_stored(box: Box) -> None:
    """L-3, G-19: the answer is a container with the comment."""
    server = WishServer()
    async with running(box, server):
        do(box, comment(7), comment(8))
        await until(lambda: waits(box) == 0 and len(bodies(box)) == 2)

    assert server.tokens == [7, 8]
    assert bodies(box) == ["no 7", "no 8"]


async def test_what_was_wished_before_the_engine_ran_is_sent_when_it_does(box: Box) -> None:
    """L-4: at the next start."""
    server = WishServer()
    do(box, comment(7))

    async with running(box, server):
        await until(lambda: waits(box) == 0)

    assert server.tokens == [7]


async def test_a_failure_is_tried_again(box: Box) -> None:
    """L-4."""
    server = WishServer()
    server.says = [Transient("no network")]
    async with running(box, server) as (_, cable):
        do(box, comment(7))
        await until(lambda: waits(box) == 0)

    assert server.tokens == [7]
    assert len([it for it in cable.asked if isinstance(it, PostComment)]) == 2


async def test_a_refusal_puts_back_what_was_shown(box: Box) -> None:
    """L-4: here the star, after its delay."""
    server = WishServer()
    server.says = [Refused("FORBIDDEN")]
    async with running(box, server):
        do(box, EnqueueStarProject(user_id=ME, project_id=PROJECT, starred=True))
        with box.reading() as tables:
            assert tables.stars.get(ME, PROJECT) is not None
        await until(lambda: waits(box) == 0)

    with box.reading() as tables:
        assert tables.stars.get(ME, PROJECT) is None


async def test_an_answer_of_its_own_becomes_operations(box: Box) -> None:
    """L-3, paper 1.9: `answers`."""
    server = WishServer()
    async with running(box, server) as (_, cable):
        do(box, EnqueueSeeIssues(user_id=ME, project_id=PROJECT, numbers=(1,), at=5))
        await until(lambda: waits(box) == 0)

    assert SeeIssues(project_id=PROJECT, numbers=(1,), at=5) in cable.asked


async def test_what_an_answer_counts_is_written_with_its_counter_and_nobody_asks(box: Box) -> None:
    """G-19, E-1: though the difference that was under way brought back what was there before."""
    server, clock = WishServer(), ManualClock(1_700_000_000_000)
    server.rename("one")
    async with running(box, server, clock=clock) as (_, cable):
        do(box, EnqueueStarProject(user_id=ME, project_id=PROJECT, starred=True))
        asked = len(cable.asked)
        server.says.append(Done(rev=2, count=1))
        with box.transaction() as tx:  # an older word of the server
            replay(tx, [Star(user_id=ME, project_id=PROJECT, starred=False)])
        await send_delayed(clock)
        await until(lambda: position(box) == 2)
        clock.move(700)
        await until(lambda: waits(box) == 0)

        with box.reading() as tables:
            assert tables.stars.get(ME, PROJECT) is not None
    assert {type(it) for it in cable.asked[asked:]} <= {ConfirmKept, StarProject}


async def test_what_an_answer_counts_waits_for_what_was_counted_before(box: Box) -> None:
    """G-3, G-19: in its place; what comes before it may be what it writes over."""
    server, clock = WishServer(), ManualClock(1_700_000_000_000)
    async with running(box, server, clock=clock) as (_, cable):
        before = server.rename("one")
        server.says.append(Done(rev=2, count=1))
        do(box, EnqueueStarProject(user_id=ME, project_id=PROJECT, starred=True))
        await send_delayed(clock)
        await until(lambda: waits(box) == 0)
        assert position(box) == 0
        cable.push(before)
        await until(lambda: position(box) == 2)


def position(box: Box) -> int:
    with box.reading() as tables:
        found = PROTOCOL.position(tables, 110, b"")
    return -1 if found is None else int(found[0])
