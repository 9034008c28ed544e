"""What the engine never exceeds.

Depends on: protocol.  Never on: boxes, transports, clocks.

Law: nothing that a server sends makes a queue, a list or a wait of the engine grow beyond these.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pillarbox.errors import UsageError
from pillarbox.sync.protocol import Backoff


@dataclass(frozen=True, slots=True)
class Limits:
    """Numbers of one machine. Raises UsageError for one below 1."""

    #: Pieces of containers that wait, held ones among them; beyond it all are dropped and asked for.
    held_max: int = 10_000
    #: Jobs that callers queued; beyond it a ticket is settled with an error.
    queue_max: int = 1_000
    #: Tries for what an update needs; then it counts as absent.
    need_tries_max: int = 3
    #: Tries for one debt; then its round goes on without it.
    debt_tries_max: int = 4
    #: Until a debt is asked about again that its round went on without.
    debt_rest_ms: int = 5_000
    #: Debts that one round asks about at a time.
    round_max: int = 100
    #: Answers in a row about one instance, before what they brought is written.
    again_max: int = 100
    #: Pages of one step of a recipe.
    pages_max: int = 10_000
    #: Events that a waiting flush takes along: the newest.
    flush_events_max: int = 10_000
    #: After a failure of the store, which nobody else times.
    store_backoff: Backoff = field(default_factory=lambda: Backoff(100, 5_000))

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if isinstance(value, int) and value < 1:
                raise UsageError(f"Limits: {name} is {value}; it must be at least 1")
