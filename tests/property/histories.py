"""Histories that are drawn once and for all, so that a planted fault is always found by the same one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import pytest
from tests.property.mutants import Fault


@dataclass(frozen=True)
class Histories:
    """`count` of them, each of `steps` actions with a choice; `run` raises where one is not as it should."""

    run: Callable[[list[tuple[str, int]]], object]
    names: Sequence[str]
    choices: range
    count: int
    steps: int

    def run_all(self) -> None:
        """Without a fault, nothing."""
        for seed in range(self.count):
            random = Random(seed)
            self.run([(random.choice(self.names), random.choice(self.choices)) for _ in range(self.steps)])

    def find(self, fault: Fault, *errors: type[Exception]) -> None:
        """One of them finds it, by a law that does not hold or by one of `errors`."""
        with fault.planted(), pytest.raises((AssertionError, *errors)):
            self.run_all()
