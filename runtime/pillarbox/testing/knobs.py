"""How mean a run is: each knob is one thing that a polite server, network or machine never does.

Depends on: nothing.

Law: with every knob at its default the world is as an example in a manual; what a default hides, a drawn
value shows.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from random import Random
from typing import Final


@dataclass(frozen=True, slots=True)
class Knobs:
    """Chances are 0..1 and times are milliseconds; counts are of one run."""

    # ---------------------------------------------------------------------------- how long it goes on
    #: How often the server's state changes, and the longest pause before it does.
    changes: int = 24
    pause_ms: int = 400
    #: Whether silence is ever broken by a poll. Without it the last containers of a run arrive.
    idle_poll: bool = True

    # ---------------------------------------------------------------------------------- the server
    #: Chance that an update travels in one container with the one before it.
    bundle: float = 0.0
    #: Chance that a container has no number of its own, and that it has several.
    unnumbered: float = 0.0
    ranged: float = 0.0
    #: Chance that updates of a container are not in order.
    shuffled: float = 0.0
    #: The most that an update counts for, and the chance that it counts for nothing.
    counts: int = 1
    zeros: float = 0.0
    #: Chance that something is not told, but that there is something; and of what only asks for more.
    hinted: float = 0.0
    asking: float = 0.0
    #: Updates in one answer, 0: all.
    page: int = 0
    #: Chance that an answer is that of a replica which has fallen behind.
    lag: float = 0.0
    #: How often so much is forgotten that a difference cannot be told any more.
    expiries: int = 0
    #: How often something may not be asked about for a while.
    refusals: int = 0
    #: How often the account is signed out for a while.
    outs: int = 0
    #: How often the client does something whose effect the server tells to everybody else.
    own: int = 0

    # --------------------------------------------------------------------------------- the network
    #: The longest way of a container, and of a request or its answer.
    push_ms: int = 10
    answer_ms: int = 20
    #: Chance that a container overtakes others, is lost, comes twice.
    overtakes: float = 0.0
    #: How far behind the others what is overtaken comes at most.
    behind_ms: int = 150
    lost: float = 0.0
    twice: float = 0.0
    #: Chance that a request fails, that it is one too many, that its answer comes after it was cancelled.
    fails: float = 0.0
    floods: float = 0.0
    late: float = 0.0
    #: How often connections break.
    cuts: int = 0
    #: Whether the last containers of the run are lost, so that only polls bring what they told.
    lost_end: bool = False

    # --------------------------------------------------------------------------------- the machine
    #: Processes on one box.
    handles: int = 1
    #: How often another of them becomes the master; for a moment two may think that they are.
    roles: int = 0
    #: The longest a transaction takes.
    store_ms: int = 2
    #: How often a process dies, and a commit fails.
    crashes: int = 0
    failures: int = 0
    #: How often somebody else writes into the box, and somebody looks at something.
    writes: int = 0
    looks: int = 0

    @property
    def loses_nothing(self) -> bool:
        """Whether every container arrives once, and nothing dies."""
        return not (self.lost or self.twice or self.cuts or self.crashes or self.lost_end)

    @property
    def is_calm(self) -> bool:
        """Whether, in such a world, nothing else gives a reason to ask the server."""
        asks = self.expiries, self.refusals, self.outs, self.own, self.page, self.lag, self.asking, self.looks
        errs = self.fails, self.floods, self.failures, self.late, self.handles > 1
        return self.loses_nothing and not any((*asks, *errs))

    def turned(self) -> str:
        """The knobs that are not polite, as text."""
        return " ".join(
            f"{field.name}={getattr(self, field.name)}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        )


POLITE: Final = Knobs()


def drawn(random: Random) -> Knobs:
    """The knobs of a run: calm ones for one in six, else each is turned in about half of the runs."""
    server = {
        "changes": random.choice((6, 12, 24, 40)),
        "pause_ms": random.choice((30, 150, 400, 1_000)),
        "bundle": random.choice((0.0, 0.3, 0.7)),
        "unnumbered": random.choice((0.0, 0.2, 0.6)),
        "ranged": random.choice((0.0, 0.3)),
        "shuffled": random.choice((0.0, 0.5)),
        "counts": random.choice((1, 3)),
        "zeros": random.choice((0.0, 0.2, 0.5)),
        "hinted": random.choice((0.0, 0.1)),
        "store_ms": random.choice((0, 2, 10)),
        "push_ms": random.choice((5, 40)),
        "answer_ms": random.choice((5, 60)),
        "writes": random.choice((0, 3)),
    }
    if random.random() < 1 / 6:
        server["overtakes"] = random.choice((0.0, 0.3))
        return Knobs(**server)  # type: ignore[arg-type]  # each value is of its field's type
    mean = {
        "idle_poll": random.random() < 0.6,
        "page": random.choice((0, 0, 1, 3)),
        "lag": random.choice((0.0, 0.0, 0.3)),
        "asking": random.choice((0.0, 0.0, 0.1)),
        "expiries": random.choice((0, 0, 1, 2)),
        "refusals": random.choice((0, 0, 1)),
        "own": random.choice((0, 3)),
        "answer_ms": random.choice((5, 60, 400, 1_500)),
        "overtakes": random.choice((0.0, 0.2, 0.5)),
        "behind_ms": random.choice((150, 1_500)),
        "lost": random.choice((0.0, 0.1, 0.3)),
        "twice": random.choice((0.0, 0.2)),
        "fails": random.choice((0.0, 0.1, 0.3)),
        "floods": random.choice((0.0, 0.1)),
        "late": random.choice((0.0, 0.5)),
        "cuts": random.choice((0, 0, 1, 3)),
        "handles": random.choice((1, 1, 1, 2)),
        "crashes": random.choice((0, 0, 1, 3)),
        "failures": random.choice((0, 0, 1, 3)),
        "looks": random.choice((0, 2)),
    }
    mean["lost_end"] = bool(mean["idle_poll"]) and random.random() < 0.3
    mean["roles"] = random.choice((0, 0, 2))
    mean["outs"] = random.choice((0, 0, 1, 2))
    return Knobs(**(server | mean))  # type: ignore[arg-type]  # each value is of its field's type
