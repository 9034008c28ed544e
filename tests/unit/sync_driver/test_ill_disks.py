"""A disk that is full, or a file that cannot be written: nothing is lost, nothing is asked without end.

The cursor stays where what it counts was written last, and once there is room the box is the server.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import pytest
from tests.unit.sync_driver.small_server import PROJECT, Cable, SmallServer
from tests.waiting import SECONDS_MAX, until

from pillarbox.errors import StoreBusy, StoreError, StoreFull, StoreReadOnly
from pillarbox.sync import Engine, Limits
from pillarbox.sync.protocol import Backoff
from pillarbox_tracker import Box
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.requests import GetChanges

pytestmark = pytest.mark.anyio
SOON = Limits(store_backoff=Backoff(10, 20))
FAILURES: tuple[Callable[[], StoreError], ...] = (
    lambda: StoreFull("a.box"),
    lambda: StoreReadOnly("a.box", "it is mounted so"),
    lambda: StoreBusy("a.box", waited_ms=5_000),
)


class Disk:
    """In the way of what is written to a box."""

    def __init__(self, box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
        self.failure: Callable[[], StoreError] | None = None
        self.failed = 0
        self._apply = box.apply
        monkeypatch.setattr(box, "apply", self.apply)

    def apply(self, work: Callable[[Any], Any]) -> Any:
        """As `Box.apply`."""
        if self.failure is not None:
            self.failed += 1
            raise self.failure()
        return self._apply(work)


def stands(box: Box) -> tuple[int, str | None]:
    """The cursor, and what it counts."""
    with box.reading() as tables:
        account, project = tables.account.get(), tables.projects.get(PROJECT)
    return 0 if account is None else account.rev, None if project is None else project.name


@pytest.mark.parametrize("place", ["thread", "loop"])
@pytest.mark.parametrize("failure", FAILURES, ids=lambda it: type(it()).__name__)
async def test_what_comes_while_nothing_can_be_written_is_in_the_box_once_it_can(
    box: Box,
    place: Any,
    failure: Callable[[], StoreError],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A-11, E-1, Q7."""
    server, disk = SmallServer(), Disk(box, monkeypatch)
    cable = Cable(server.answer)
    with anyio.fail_after(SECONDS_MAX):
        async with Engine(box, PROTOCOL, cable, transactions=place, limits=SOON) as engine:
            cable.push(server.rename("before"))
            await engine.flush()
            asked = len(cable.asked)
            disk.failure = failure
            for number in range(20):
                cable.push(server.rename(f"number {number}"))
                await anyio.sleep(0.002)
            await until(lambda: disk.failed >= 5)
            assert stands(box) == (1, "before")
            assert engine.updating
            assert {type(it) for it in cable.asked[asked:]} == {GetChanges}
            assert len(cable.asked) - asked <= disk.failed, "it asks no more often than it tries to write"
            disk.failure = None
            await engine.flush()

    assert stands(box) == (21, "number 19")
    assert "A-11: a commit wrote nothing" in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("place", ["thread", "loop"])
async def test_an_engine_that_cannot_write_ends_and_the_next_brings_it(
    box: Box, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, disk = SmallServer(), Disk(box, monkeypatch)
    cable = Cable(server.answer)
    with anyio.fail_after(SECONDS_MAX):
        async with Engine(box, PROTOCOL, cable, transactions=place, limits=SOON) as engine:
            await engine.flush()
            disk.failure = FAILURES[0]
            cable.push(server.rename("lost on the way"))
            await until(lambda: disk.failed >= 3)
        disk.failure = None
        assert stands(box) == (0, None)
        async with Engine(box, PROTOCOL, Cable(server.answer), transactions=place) as engine:
            await engine.flush()

    assert stands(box) == (1, "lost on the way")
