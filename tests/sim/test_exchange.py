"""The engine follows an exchange: a counter an instrument, snapshots for who missed something, a tape."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import pytest
from tests.sim.exchange_server import SCHEMA, ExchangeServer
from tests.unit.codegen_ops.making import imported

from pillarbox.testing.plugin import Simulator

#: Mistakes in the schema: what is said, what should be, and seeds of runs that notice.
MISTAKES: Final = {
    "what_was_lost_is_asked_for_by_nobody": (
        "    emits:\n      - {poll: book, key: h.instrument_id, hint: h.seq, each: heads as h}\n",
        "",
        (10, 15),
    ),
    "a_hole_begins_too_late": ("+ 1, last]", "+ 2, last]", (0, 2)),
    "a_snapshot_takes_no_level_away": (
        '{replace: {table: levels, under: "[instrument_id]", rows: levels}}',
        "{put: {into: levels, row: l}, each: levels as l}",
        (8, 16),
    ),
}


@pytest.mark.parametrize("first", range(0, 80, 40))
def test_the_box_holds_what_the_exchange_does(simulator: Simulator, first: int) -> None:
    """N-1 .. N-4, N-6, N-10: books, the whole tape, and each order once."""
    simulator.check(ExchangeServer, range(first, first + 40))


def test_what_comes_before_an_idle_poll_is_sent_takes_no_reason_from_it(
    simulator: Simulator,
) -> None:
    """N-10, G-20: a push came between the end of a silence and the question that it leads to."""
    simulator.check(ExchangeServer, [245638530887])


def test_the_box_holds_what_the_exchange_does_in_runs_that_nobody_has_seen(simulator: Simulator) -> None:
    first = random.SystemRandom().randrange(1 << 40)
    print(f"seeds from {first} on")

    simulator.check(ExchangeServer, range(first, first + 20))


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_the_schema_is_noticed(name: str, simulator: Simulator, tmp_path: Path) -> None:
    old, new, seeds = MISTAKES[name]
    assert SCHEMA.count(old) == 1, "the mistake is made in one place"
    text = SCHEMA.replace(old, new).replace("{name: exchange,", f"{{name: exchange_where_{name},")
    package = imported(tmp_path, text)
    mistaken = type("Mistaken", (ExchangeServer,), {"made": classmethod(lambda cls: package)})

    broken = [seed for seed in seeds if simulator.play(mistaken, seed).violation is not None]

    assert broken == list(seeds)
