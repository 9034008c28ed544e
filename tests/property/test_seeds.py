"""A seed decides which examples look for its fault, and there is none without a fault."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.property.seeds import SEEDS

TESTS = Path(__file__).resolve().parents[1]


def helped() -> int:
    return 1


FAULT = Fault("a fault of this test", sys.modules[__name__], "helped", "return 1", "return 2")


def drawn(seed: int | None) -> list[int]:
    """The examples that look for a fault which has this seed."""
    found: list[int] = []

    @settings(HARD, max_examples=20)
    @given(st.integers(0, 1_000_000))
    def law(value: int) -> None:
        assert helped() == 2
        found.append(value)

    with patch.dict(SEEDS, {} if seed is None else {FAULT.name: seed}), FAULT.planted():
        law()
    return found


def test_each_seed_has_examples_of_its_own_that_are_always_the_same() -> None:
    series = [drawn(seed) for seed in (None, 1, 2)]

    assert series == [drawn(seed) for seed in (None, 1, 2)]
    assert len(set(map(tuple, series))) == 3


def test_every_seed_is_that_of_one_fault() -> None:
    others = (path for path in TESTS.rglob("*.py") if path.name != "seeds.py")
    text = "\n".join(path.read_text(encoding="utf-8") for path in others)
    # By a comma, for faults may also be named where one is chosen.
    named = {name: text.count(f'"{name}",') for name in SEEDS}

    assert {name: times for name, times in named.items() if times != 1} == {}
