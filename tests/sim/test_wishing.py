"""Wishes that are answered by a counter alone, where the schema says what it counts.

`python -m pillarbox.testing --server tests.sim.wishing_server:WishingServer` runs more of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
from tests.property.mutants import Fault
from tests.sim.tracker_server import TrackerServer
from tests.sim.wishing_server import ManyDevices, WishingServer

from pillarbox.sync.outbox import Outbox
from pillarbox.sync.outbox_drafts import Finish
from pillarbox.sync.protocol import SyncProtocol, Tables
from pillarbox.testing import Knobs
from pillarbox.testing.plugin import Simulator
from pillarbox_tracker.operations import Star
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.replay import Replay

#: Nothing is lost, late or refused, and nobody looks: nothing has to be asked for.
CALM: Final = Knobs(writes=12, counts=3)
MEAN: Final = Knobs(writes=20, changes=40, fails=0.3, lost=0.2, crashes=2, cuts=1, own=3)
#: Few wishes, and much at a time: of the last ones some wait when another device does the same.
HASTY: Final = Knobs(writes=8, counts=3, changes=16, pause_ms=100)
#: The kind of wish.
STARRING: Final = 43
#: Faults, and runs that notice them.
FAULTS: Final = (
    (
        Fault(
            "what an answer counts is not done",
            Outbox,
            "_answered",
            "tuple(it for it in follows if not isinstance(it, Poll))",
            "()",
        ),
        CALM,
    ),
    (
        Fault(
            "what an answer counts is done at once",
            Outbox,
            "_answered",
            "self._host.receive(given.answer, did)\n"
            "        follows = tuple(it for it in follows if isinstance(it, Poll))",
            "self._host.receive(given.answer, ())",
        ),
        CALM,
    ),
    (
        Fault("an answer's counters are not heard", Outbox, "_answered", "kind.containers)", "())"),
        CALM,
    ),
    (
        Fault(
            "a wish that was replaced goes too", Finish, "apply", "now.revision == self.row.revision", "True"
        ),
        MEAN,
    ),
)


@pytest.mark.parametrize("first", range(0, 40, 20))
def test_what_was_wished_is_done_on_both_sides(simulator: Simulator, first: int) -> None:
    """N-2, N-6, N-8: the counter of an answer moves with what it counts, once and in order."""
    simulator.check(WishingServer, range(first, first + 20))


def test_an_answer_that_counts_costs_no_question(simulator: Simulator) -> None:
    """N-10, decision 0034: what it counts is known here, and written with it."""
    simulator.check(WishingServer, range(10), CALM)


def test_what_was_wished_last_stands_whatever_other_devices_did_meanwhile(simulator: Simulator) -> None:
    """N-2, N-6: also where that makes a wish and its opposite out of date before either is sent."""
    simulator.check(ManyDevices, range(12, 24), HASTY)
    simulator.check(ManyDevices, range(3), MEAN)


#: As `cancel: starred` would have it: docs/schema/outbox.md.
VANISHES: Final = Fault(
    "a wish vanishes with its opposite",
    Replay,
    "enqueue_star_project",
    "    tx.outbox.put(\n        Outbox(",
    "    tried = old is not None and old.tried\n"
    "    if old is not None and not tried and old.payload.starred != operation.starred:\n"
    "        tx.outbox.remove(old.kind, old.number)\n"
    "        return\n"
    "    tx.outbox.put(\n        Outbox(\n            tried=tried,",
)


@dataclass
class Undoing(ManyDevices):
    """The same where a wish vanishes with its opposite; what tells of stars ends that.

    What it was not told yet stands then, though it was taken back last; here and there alike.
    """

    #: Operations that the engine does to what a wish shows.
    met: tuple[type[Any], ...] = (Star,)

    @property
    def protocol(self) -> SyncProtocol:
        outbox = PROTOCOL.outbox
        assert outbox is not None
        kinds = {**outbox.kinds, STARRING: replace(outbox.kinds[STARRING], marks=True, met=self.met)}

        def numbers(tables: Tables, kind: int) -> list[int]:
            return [row.number for row in tables.outbox.of_kind(kind)]

        return replace(PROTOCOL, outbox=replace(outbox, kinds=kinds, numbers=numbers))

    def wrong(self, tables: Tables) -> Iterator[str]:
        yield from TrackerServer.wrong(self, tables)
        stars, done = self._stars(tables)
        if stars != done and not self.knobs.roles:
            yield f"the stars are {stars}, and the server has {done}"


@dataclass
class UndoingBlindly(Undoing):
    """And where nothing ends it."""

    met: tuple[type[Any], ...] = ()


def test_a_wish_vanishes_with_its_opposite_where_nobody_else_wrote_meanwhile(simulator: Simulator) -> None:
    """N-2, N-6."""
    with VANISHES.planted():
        simulator.check(Undoing, range(12, 30), HASTY)
        simulator.check(Undoing, range(3), MEAN)


def test_a_wish_that_vanishes_though_others_wrote_is_noticed(simulator: Simulator) -> None:
    """N-2, N-6."""
    with VANISHES.planted():
        broken = [simulator.play(UndoingBlindly, seed, HASTY).violation for seed in range(12, 30)]

    assert any(broken)


@pytest.mark.parametrize(("fault", "knobs"), FAULTS, ids=lambda it: str(it) if isinstance(it, Fault) else "")
def test_a_planted_fault_is_noticed(fault: Fault, knobs: Knobs, simulator: Simulator) -> None:
    seeds = (*range(3), 39)
    simulator.check(WishingServer, seeds, knobs)

    with fault.planted():
        broken = [simulator.play(WishingServer, seed, knobs).violation for seed in seeds]

    assert any(broken)
