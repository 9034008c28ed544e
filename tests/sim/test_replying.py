"""Messages that answer others, and channels that are joined: what is asked for because of a row.

`python -m pillarbox.testing --server tests.sim.replying_server:ReplyingServer` runs more of them.
"""

from __future__ import annotations

from typing import Final

import pytest
from tests.property.mutants import Fault
from tests.sim.replying_server import ReplyingServer

from pillarbox.sync import gathering
from pillarbox.sync.fold import Fold
from pillarbox.sync.needs import Needs
from pillarbox.testing import Knobs
from pillarbox.testing.plugin import Simulator

SEEDS: Final = range(60)
#: Nobody errs, and nobody asks by himself.
SILENT: Final = Knobs(idle_poll=False)
#: Faults, and the seeds of runs that notice them.
FAULTS: Final = (
    (
        Fault("what is missing is not asked for", Needs, "_note", "self._wants[request] = None", "pass"),
        2,
    ),
    (
        Fault(
            "of what is asked together the last comes", gathering, "_chunks", "items |= more", "items = more"
        ),
        21,
    ),
    (Fault("what was fetched is not written", Fold, "fetched", "self.operations += body.side", "pass"), 4),
    (Fault("rows that come ask for nothing", Fold, "sides", "self.asks(origin.brought)", "pass"), 2),
    (
        Fault("an unread cursor is none", Fold, "_look", "self._unread.add((cursor, key))", "pass"),
        7,
    ),
)


@pytest.mark.parametrize("first", SEEDS[::20])
def test_what_rows_ask_for_comes(simulator: Simulator, first: int) -> None:
    """A-3, K-5: what is answered to is there, and a channel that was joined is where the server is."""
    simulator.check(ReplyingServer, range(first, first + 20))


@pytest.mark.parametrize(("fault", "seed"), FAULTS, ids=str)
def test_a_planted_fault_breaks_a_law(fault: Fault, seed: int, simulator: Simulator) -> None:
    simulator.check(ReplyingServer, [seed])
    simulator.check(ReplyingServer, [seed], SILENT)

    with fault.planted():
        broken = [simulator.play(ReplyingServer, seed, knobs).violation for knobs in (None, SILENT)]

    assert any(broken)
