"""Telling the server how far this client is.

Depends on: flight, drafts, claims.  Never on: the queue, clocks.

Law: a value is confirmed only after the commit that made it durable, and once (sync.md G-10, E-8).
"""

from __future__ import annotations

from typing import Any, Final

from pillarbox.sync.claims import Instance
from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.flight import Flight

OWNER: Final = "confirm"


class Confirms:
    """The parts of cursors that the server wants to hear about."""

    def __init__(self, flight: Flight) -> None:
        self._flight = flight
        self._told: dict[tuple[Instance, int], Any] = {}

    def wrote(self, draft: BatchDraft) -> None:
        """It is durable. Errors are ignored: the next move tells more."""
        for instance, parts in draft.sets.items():
            before = draft.expects.get(instance)
            for part, value in parts.items():
                if before is None or before[part] != value:
                    self._confirm(instance, part, value)

    def _confirm(self, instance: Instance, part: int, value: Any) -> None:
        confirm = self._flight.protocol.cursors[instance[0]].parts[part].confirm
        if confirm is None or not value or self._told.get((instance, part)) == value:
            return
        if confirm.when is not None and not confirm.when(value):
            return
        self._told[instance, part] = value
        self._flight.send(OWNER, confirm.request(value), lambda _: None)
