"""What the store takes as little however often the server says it.

Depends on: limits, protocol, signals.  Never on: jobs, clocks, boxes.

Law: what was refused so often in a row is told, and nothing that a store would have refused of anybody; until
it is written, or nobody waits for it any more (sync.md A-11).
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Generic, TypeVar

from pillarbox.sync.claims import Instance
from pillarbox.sync.limits import Limits
from pillarbox.sync.protocol import SyncProtocol
from pillarbox.sync.signals import CommitFailed, Untaken

WhatT = TypeVar("WhatT")


@dataclass(slots=True)
class _Failures:
    """How often in a row something was not written."""

    times: int = 0
    #: Of those, how often it was not the store that was ill.
    refused: int = 0


class Untakens(Generic[WhatT]):
    """Of the box-wide cursors and their recipes; or of instances."""

    def __init__(self, protocol: SyncProtocol, limits: Limits) -> None:
        self._protocol = protocol
        self._tries_max = limits.untaken_tries_max
        self._failures: dict[WhatT, _Failures] = {}
        self._told: dict[WhatT, Untaken] = {}

    @property
    def first(self) -> Untaken | None:
        """What has been told for the longest time."""
        return next(iter(self._told.values()), None)

    def refused(self, what: WhatT, of: Instance, why: CommitFailed) -> int:
        """It was not written; for the so manieth time in a row."""
        failures = self._failures.setdefault(what, _Failures())
        failures.times += 1
        failures.refused += not why.ill
        if failures.refused >= self._tries_max:
            self._told[what] = Untaken(self._protocol.cursors[of[0]].name, of[1], why.reason)
        return failures.times

    def took(self, what: WhatT) -> None:
        """It is written, or nobody waits for it any more."""
        self._failures.pop(what, None)
        self._told.pop(what, None)

    def keep(self, waits: Container[WhatT]) -> None:
        """Nobody waits for any other."""
        for what in [it for it in self._failures if it not in waits]:
            self.took(what)
