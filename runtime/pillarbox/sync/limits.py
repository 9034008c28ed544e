"""What the engine never exceeds.

Depends on: protocol.  Never on: boxes, transports, clocks.

Law: nothing that a server sends makes a queue, a list or a wait of the engine grow beyond these.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    #: Tries for what an update needs; then it is left out of a push, to be told again, and an answer is asked
    #: for anew, as often at most; only then what it needs counts as absent.
    need_tries_max: int = 3
    #: Tries for one debt; then its round goes on without it.
    debt_tries_max: int = 4
    #: How often in a row the store does not take what something is answered with, before that is told.
    untaken_tries_max: int = 3
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
        _refuse_below_one(self, self.__slots__)


@dataclass(frozen=True, slots=True)
class DriverLimits:
    """What is bounded between a machine and the world. Raises UsageError for one below 1."""

    #: Of what the server says by itself; more is not read until the machine has caught up.
    waiting_max: int = 1_000
    #: How long an answer may take, before it counts as lost. Above that of a long poll.
    answer_ms: int = 90_000
    #: How long not to listen after `Transport.listen` raised or ended: first, doubled each time, and most.
    listen_ms: tuple[int, int] = (1_000, 30_000)
    #: How long to wait at most before something is asked again, whatever a `Flood` says: a day.
    flood_ms: int = 86_400_000
    #: How long a transport may take to end what was cancelled, before that is logged. It is waited for.
    let_go_ms: int = 5_000

    def __post_init__(self) -> None:
        _refuse_below_one(self, self.__slots__)


def _refuse_below_one(limits: object, names: Iterable[str]) -> None:
    for name in names:
        value = getattr(limits, name)
        numbers = value if isinstance(value, tuple) else (value,)
        if any(isinstance(it, int) and it < 1 for it in numbers):
            raise UsageError(f"{type(limits).__name__}: {name} is {value}; it must be at least 1")
