"""The tracker's server once more: now and then it signs the account out, and refuses everything.

Depends on: tracker_server.  Never on: how the engine stops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from tests.sim.tracker_server import TrackerServer

from pillarbox.sync.protocol import Tables
from pillarbox.sync.signals import Failure, Refused
from pillarbox.testing import Own
from pillarbox_tracker.answers import Answer
from pillarbox_tracker.containers import Container
from pillarbox_tracker.requests import Request

CODE: Final = "SIGNED_OUT"


@dataclass
class SigningServer(TrackerServer):
    """What happens while the account is signed out is pushed to nobody; its own words wait as well."""

    def sign_out(self) -> None:
        self.is_out = True

    def answer(self, request: Request) -> Answer | Failure:
        return Refused(CODE) if self.is_out else super().answer(request)

    def own(self, random: Random, tables: Tables) -> tuple[Own | None, Sequence[Container]]:
        return (None, ()) if self.is_out else super().own(random, tables)

    def _flushed(self, random: Random, **more: Any) -> list[Container]:
        found = super()._flushed(random, **more)
        return [] if self.is_out else found
