"""An engine on a box of the tracker and a small server, and what stands in that box.

Depends on: the engine, the generated tracker, the small server.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.unit.sync_driver.small_server import PROJECT, Cable, SmallServer
from tests.waiting import until

from pillarbox.sync import Engine, Refused
from pillarbox_tracker import Box
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.types import ProjectId


@asynccontextmanager
async def running(
    box: Box, server: SmallServer, **options: Any
) -> AsyncIterator[tuple[Engine[Any, Any], Cable]]:
    """An engine that has asked what it missed, and the connection by which it did."""
    cable = Cable(server.answer)
    async with Engine(box, PROTOCOL, cable, **options) as engine:
        await until(lambda: bool(cable.asked) and not engine.updating)
        yield engine, cable


class Guarded(SmallServer):
    """Answers nobody who is not signed in."""

    signed_in = True

    def answer(self, request: Any) -> Any:
        """As that of any server."""
        return super().answer(request) if self.signed_in else Refused("SIGNED_OUT")


def name(box: Box, number: int = PROJECT) -> str | None:
    """What a project is called there."""
    with box.reading() as tables:
        project = tables.projects.get(ProjectId(number))
    return None if project is None else project.name


def comments(box: Box) -> int:
    """How many there are."""
    with box.reading() as tables:
        return len(list(tables.comments.all()))


def owed(box: Box) -> int:
    """How many instances are owed something."""
    with box.reading() as tables:
        return len(list(tables.debts.all()))
