"""The engine follows a server that names places by tokens and keeps questions until there is something."""

from __future__ import annotations

import random
from typing import Final

import pytest
from tests.property.mutants import Fault
from tests.sim.bot_server import BotServer, TellingBotServer

from pillarbox.sync import links
from pillarbox.sync.endless import Endless
from pillarbox.sync.job_poll import PollJob
from pillarbox.sync.job_reset import ResetJob
from pillarbox.testing.plugin import Simulator

#: Faults, and seeds of runs that notice them.
FAULTS: Final = (
    (
        Fault("a question that waits is forgotten", Endless, "stop", "one.asking.stop()", "pass"),
        (8, 10),
    ),
    (
        Fault(
            "an answer is applied though the token is another",
            PollJob,
            "_build",
            "!= self._asked",
            "is self",
        ),
        (20, 27),
    ),
    (
        Fault(
            "a token is written after its items",
            PollJob,
            "_made",
            "(OWNER, ready.draft, lambda it: self._done(taken, ready, it), self._failed)",
            "(OWNER, BatchDraft(ready.draft.operations), lambda _: self.core.flight.commit(OWNER,"
            " BatchDraft(sets=ready.draft.sets), lambda it: self._done(taken, ready, it), self._failed),"
            " self._failed)",
        ),
        (22, 49),
    ),
    (
        Fault(
            "after a recipe nobody asks",
            ResetJob,
            "_done",
            "self.core.poll_next(self.cursor, self.spec.name)",
            "pass",
        ),
        (5, 13),
    ),
)


@pytest.mark.parametrize("first", range(0, 80, 40))
def test_a_bot_takes_every_item_once(simulator: Simulator, first: int) -> None:
    """N-2, N-3, E-1, E-10, E-20: whatever is lost, nothing is taken twice or left out."""
    simulator.check(BotServer, range(first, first + 40))


def test_a_bot_takes_every_item_once_in_runs_that_nobody_has_seen(simulator: Simulator) -> None:
    first = random.SystemRandom().randrange(1 << 40)
    print(f"seeds from {first} on")

    simulator.check(BotServer, range(first, first + 20))


@pytest.mark.parametrize(("fault", "seeds"), FAULTS, ids=lambda it: str(it) if isinstance(it, Fault) else "")
def test_a_planted_fault_is_noticed(fault: Fault, seeds: tuple[int, ...], simulator: Simulator) -> None:
    """E-1, E-10, N-10: each seed of a fault is played with it and without it."""
    simulator.check(BotServer, seeds)

    with fault.planted():
        broken = any(simulator.play(BotServer, seed).violation is not None for seed in seeds)

    assert broken, f"{fault} lives"


#: The same of claims of a token.
LINKS: Final = (
    (
        Fault(
            "which token is held is not looked at",
            links,
            "_way",
            "begins.pop(here, None)",
            "begins.pop(min(begins, default=None), None)",
        ),
        (0, 1),
    ),
    (Fault("what is old is applied", links, "follow", "old += [", "apply += ["), (0, 1)),
)


@pytest.mark.parametrize("first", range(0, 80, 40))
def test_a_bot_that_is_told_by_token_takes_every_item_once(simulator: Simulator, first: int) -> None:
    """G-2, G-3, E-1, E-10: what is pushed follows on the token that is held, or is asked for."""
    simulator.check(TellingBotServer, range(first, first + 40))


@pytest.mark.parametrize(("fault", "seeds"), LINKS, ids=lambda it: str(it) if isinstance(it, Fault) else "")
def test_a_planted_fault_of_links_is_noticed(
    fault: Fault, seeds: tuple[int, ...], simulator: Simulator
) -> None:
    simulator.check(TellingBotServer, seeds)

    with fault.planted():
        broken = any(simulator.play(TellingBotServer, seed).violation is not None for seed in seeds)

    assert broken, f"{fault} lives"
