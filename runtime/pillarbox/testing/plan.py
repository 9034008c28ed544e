"""What is going to happen in a run, drawn before it begins.

Depends on: knobs.  Never on: servers, processes.

Law: each action has its own seed, so dropping one leaves the others as they are; that is how a failing run
is made small.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from pillarbox.testing.knobs import Knobs


class Action(NamedTuple):
    """One thing that happens."""

    time: int
    #: change, own, forget, refuse, allow, cut, crash, fail, write, look, unlook, ask, role, sign out.
    kind: str
    #: Everything about it that is left to chance follows from this.
    salt: int


def planned(random: Random, knobs: Knobs) -> tuple[Action, ...]:
    """The actions of a run, by time; the run is over when the last one is."""
    return tuple(sorted(_actions(random, knobs)))


def _actions(random: Random, knobs: Knobs) -> Iterator[Action]:
    time = 0
    for _ in range(knobs.changes):
        # Mostly one after the other, and sometimes nothing for a while.
        time += random.randint(0, knobs.pause_ms) if random.random() < 0.9 else random.randint(0, 3_000)
        yield Action(time, "change", random.getrandbits(32))
    end = time + 1
    for kind, times in (
        ("own", knobs.own),
        ("forget", knobs.expiries),
        ("refuse", knobs.refusals),
        ("allow", 2 * knobs.refusals),
        ("cut", knobs.cuts),
        ("crash", knobs.crashes),
        ("fail", knobs.failures),
        ("write", knobs.writes),
        ("look", knobs.looks),
        ("unlook", knobs.looks),
        ("ask", knobs.looks),
        ("role", knobs.roles if knobs.handles > 1 else 0),
        ("sign out", knobs.outs),
    ):
        for _ in range(times):
            yield Action(random.randrange(end), kind, random.getrandbits(32))
