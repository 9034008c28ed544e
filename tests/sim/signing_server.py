"""The tracker's server once more: now and then it signs the account out, and refuses everything.

Depends on: tracker_server.  Never on: how the engine stops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from tests.sim.tracker_history import PROJECT
from tests.sim.tracker_server import TrackerServer

from pillarbox.sync.protocol import CursorSpec, Remedy, SyncProtocol, Tables
from pillarbox.sync.signals import Failure, Refused
from pillarbox.testing import Own
from pillarbox_tracker.answers import Answer
from pillarbox_tracker.containers import Container
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.requests import Request

CODE: Final = "SIGNED_OUT"


def _stopping(cursors: Mapping[int, CursorSpec]) -> dict[int, CursorSpec]:
    """Projects stop as the account does, each by itself."""
    spec = cursors[PROJECT]
    assert spec.difference is not None
    errors = {**spec.difference.errors, CODE: Remedy.STOP}
    return {**cursors, PROJECT: replace(spec, difference=replace(spec.difference, errors=errors))}


def _patient(protocol: SyncProtocol) -> SyncProtocol:
    """What is wanted waits until somebody has signed in, instead of being refused for good."""
    assert protocol.outbox is not None
    kinds = {it: replace(kind, retry=kind.retry | {CODE}) for it, kind in protocol.outbox.kinds.items()}
    return replace(protocol, outbox=replace(protocol.outbox, kinds=kinds))


#: What of a project was refused is asked for again by what its debt says.
STOPPING: Final = _patient(replace(PROTOCOL, cursors=_stopping(PROTOCOL.cursors)))


@dataclass
class SigningServer(TrackerServer):
    """What happens while the account is signed out is pushed to nobody; its own words wait as well."""

    @property
    def protocol(self) -> SyncProtocol:
        return STOPPING

    def sign_out(self) -> None:
        self.is_out = True

    def answer(self, request: Request) -> Answer | Failure:
        return Refused(CODE) if self.is_out else super().answer(request)

    def own(self, random: Random, tables: Tables) -> tuple[Own | None, Sequence[Container]]:
        return (None, ()) if self.is_out else super().own(random, tables)

    def _flushed(self, random: Random, **more: Any) -> list[Container]:
        found = super()._flushed(random, **more)
        return [] if self.is_out else found
