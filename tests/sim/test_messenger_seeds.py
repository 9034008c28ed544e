"""The engine follows a simulated messenger, in worlds from calm to mean; what seeds found once stays found.

`python -m pillarbox.testing --server tests.sim.messenger_server:MessengerServer` runs more of them.
"""

from __future__ import annotations

from typing import Final

import pytest
from tests.property.mutants import Fault
from tests.sim.messenger_server import MessengerServer

from pillarbox.sync.hole_drafts import Page
from pillarbox.sync.recipe import Recipe
from pillarbox.testing.plugin import Simulator

#: Runs of every kind: one in six is calm, one in ten has a second machine, one in fifty verifies its tables.
SEEDS: Final = range(100)
#: Seeds of faults that were found, and what they were.
FOUND: Final = {
    96: "what a chat asked for says of reading may be ahead of what is applied",
    127: "a recipe left channels of its page where they stood, and owed nobody (E-13)",
    267: "events of a slice were lost to a poll that waited behind it (N-9)",
    294: "in an answer, what rides behind a claim saw the counter as before (K-4)",
    311: "a difference tells messages first, so that counts of reading are of another moment (D-1)",
    402: "events of a slice were lost to a poll that waited behind it (N-9)",
    1187: "a message that was deleted stood above the newest one of the server, and was known (D-6)",
    2481: "what was asked for a chat was written though another process had gone on (A-4, E-13)",
    27: "what a step held of ranges outlived its transaction, and another process's hole was not seen",
    82: "a page left the message at the edge of its hole out, and closed it (8.4)",
    30811: "an own change that a difference had undone was counted and never told again (E-1)",
    31252: "rows of an answer that came to nothing were left out of a page that had them (E-21)",
    789: "an instance of which only stamps are known is one that is not known",
}


@pytest.mark.parametrize("first", SEEDS[::10])
def test_the_service_is_followed(simulator: Simulator, first: int) -> None:
    """N-1, N-2, N-3: nothing is missing, nothing is wrong, nothing is owed. Secret messages stay with D-6."""
    simulator.check(MessengerServer, range(first, first + 10))


@pytest.mark.parametrize("seed", FOUND, ids=str)
def test_what_was_found_stays_found(simulator: Simulator, seed: int) -> None:
    simulator.check(MessengerServer, [seed])


def test_what_a_recipe_was_refused_is_still_owed(simulator: Simulator) -> None:
    """4.4, E-13: what shows the gap was passed, so nobody shows it again."""
    seeds = (42, 67, 102)
    simulator.check(MessengerServer, seeds)

    fault = Fault("a refused recipe pays", Recipe, "_is_over", "isinstance(remedy, Poll)", "True")
    with fault.planted():
        broken = [simulator.play(MessengerServer, seed).violation is not None for seed in seeds]

    assert any(broken)


def test_what_is_gone_when_all_is_told_anew_has_to_go(simulator: Simulator) -> None:
    """D-6, 8.5: pages take away what they do not have; without that these seeds break N-2."""
    seeds = (111, 176, 186)
    simulator.check(MessengerServer, seeds)

    with Fault(
        "what is gone from a chat stays", Page, "apply", "if gone else ()", "if False else ()"
    ).planted():
        broken = [simulator.play(MessengerServer, seed).violation is not None for seed in seeds]

    assert any(broken)
