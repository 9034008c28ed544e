"""The engine of one process fills what a window of another one misses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from tests.unit.box.test_fetching import PROJECT, page, thread
from tests.unit.box.test_wants_elsewhere import line, tell, watching
from tests.unit.sync_driver.small_server import Cable, SmallServer
from tests.waiting import until

from pillarbox.sync import Engine
from pillarbox_tracker import open_box
from pillarbox_tracker.answers import CommentPage
from pillarbox_tracker.operations import OpenIssue, PutProjects
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.requests import GetComments
from pillarbox_tracker.types import Projects, UserId

pytestmark = pytest.mark.anyio


class Talkative(SmallServer):
    """Has a comment at each multiple of ten."""

    def answer(self, request: Any) -> Any:
        """What it says to a request."""
        if not isinstance(request, GetComments):
            return super().answer(request)
        found = page(request.lo, request.hi, request.number).comments
        return CommentPage(comments=found[-request.limit :], rev=0)


async def read(other: Any) -> str:
    return await anyio.to_thread.run_sync(line, other)


def pages(cable: Cable) -> list[GetComments]:
    return [it for it in cable.asked if isinstance(it, GetComments)]


async def test_the_engine_of_the_master_fetches_for_a_window_of_another_process(tmp_path: Path) -> None:
    path = tmp_path / "a.box"
    cable = Cable(Talkative().answer)
    with open_box(path, durability="relaxed") as box:
        box.replay([PutProjects((Projects(PROJECT, "Two", "two", UserId(1)),))])
        box.replay([OpenIssue(PROJECT, f"issue {number}", UserId(1), 100) for number in range(1, 8)])
        with watching(path) as other:
            assert await read(other) == "initial"

            async with Engine(box, PROTOCOL, cable):
                # The second is for who wants to know whether anything comes before the three.
                assert [await read(other) for _ in range(2)] == ["fill_hole 80 90 100"] * 2
                assert [(it.number, it.hi) for it in pages(cable)] == [(7, 2**31 - 1), (7, 79)]

                tell(other, "6")
                assert await read(other) == "update_visible"
                await until(lambda: [it.number for it in pages(cable)] == [7, 7, 6, 6])
                assert box.is_master


class Silent(Cable):
    """Answers nobody who asks for comments, and knows who gave up."""

    def __init__(self) -> None:
        super().__init__(Talkative().answer)
        self.given_up = 0

    async def send(self, request: Any, /) -> Any:
        """As `Transport.send`."""
        if not isinstance(request, GetComments):
            return await super().send(request)
        self.asked.append(request)
        try:
            await anyio.sleep_forever()
        finally:
            self.given_up += 1


async def test_what_a_killed_process_wanted_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "a.box"
    cable = Silent()
    with open_box(path, durability="relaxed") as box:
        box.replay([PutProjects((Projects(PROJECT, "Two", "two", UserId(1)),))])
        box.replay([OpenIssue(PROJECT, f"issue {number}", UserId(1), 100) for number in range(1, 8)])
        async with Engine(box, PROTOCOL, cable):
            with watching(path) as other:
                assert await read(other) == "initial"
                await until(lambda: pages(cable))
                assert not cable.given_up

            await until(lambda: cable.given_up)


async def test_who_is_not_the_master_asks_for_nobody(tmp_path: Path) -> None:
    path = tmp_path / "a.box"
    cables = [Cable(Talkative().answer) for _ in range(2)]
    with open_box(path, durability="relaxed") as box, open_box(path) as second:
        box.replay([PutProjects((Projects(PROJECT, "Two", "two", UserId(1)),))])
        box.replay([OpenIssue(PROJECT, "issue", UserId(1), 100)])
        async with Engine(box, PROTOCOL, cables[0]), Engine(second, PROTOCOL, cables[1]):
            await until(lambda: second.is_master and not box.is_master)
            with box.watch(thread(1)) as window:
                await until(lambda: not window.latest.snapshot.comments.hole_before)

    assert [len(pages(cable)) for cable in cables] == [0, 2]
