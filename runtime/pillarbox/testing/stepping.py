"""A machine, and now and then another beside it that is given the same.

Depends on: sync (machine, signals), trace.  Never on: what drives machines.

Law (E-11): a step raises nothing, and what it gives depends on nothing but the inputs so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pillarbox.box import Box
from pillarbox.sync.machine import Machine
from pillarbox.sync.protocol import SyncProtocol
from pillarbox.sync.signals import Input, Log, Output
from pillarbox.testing.trace import Violation
from pillarbox.views import Hole, WantedHoles


class Stepping:
    """Of one life of a process."""

    def __init__(self, name: str, protocol: SyncProtocol, *, has_twin: bool) -> None:
        self._name = name
        self.machine = Machine(protocol)
        self._twin = Machine(protocol) if has_twin else None

    def step(self, given: Input) -> tuple[Output, ...]:
        """What follows on an input. Raises Violation."""
        outputs = self._step(self.machine, given)
        if self._twin is not None and not _alike(self._step(self._twin, given), outputs):
            raise Violation("E-11", f"{self._name}: two machines make different things of {given!r}")
        return outputs

    def wanted(self, box: Box[Any, Any]) -> list[Hole]:
        """What its fetchers of holes are still to fetch."""
        keys = [key for key in self.machine.views.values() if isinstance(key, WantedHoles)]
        return [hole for key in keys for hole in box.get(key)]

    def _step(self, machine: Machine, given: Input) -> tuple[Output, ...]:
        try:
            return machine.step(given)
        except Exception as error:
            raise Violation("E-11", f"{self._name}: a step raised {type(error).__name__}: {error}") from error


def _alike(first: Sequence[Output], second: Sequence[Output]) -> bool:
    """Whether they are equal; of what is logged, the text."""
    return [_shown(it) for it in first] == [_shown(it) for it in second]


def _shown(output: Output) -> object:
    return (output.rule, output.text) if isinstance(output, Log) else output
