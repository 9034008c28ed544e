"""Runs equal a walk over all rows in order, whatever is put and removed between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test
from tests.property.law_machine import LawMachine, Rows
from tests.property.mutants import HARD, Fault

from pillarbox.errors import PillarboxError
from pillarbox.maintainers import Runs
from pillarbox.maintainers.runs import _Walk

few = st.integers(0, 2)


def runs_of(keyed: Iterable[tuple[Any, Any]], longest: int) -> dict[Any, Any]:
    """Key -> key of the first row of its run, from (key, value) in order."""
    found = {}
    for value, block in groupby(keyed, key=lambda it: it[1]):
        keys = [key for key, _ in block]
        if value is not None:
            found.update({key: keys[place - place % longest] for place, key in enumerate(keys)})
    return found


class Model:
    def __init__(self) -> None:
        self.shots: dict[tuple[int, int, int], tuple[int | None, str]] = {}
        self.lines: dict[int, str] = {}

    def copy(self) -> Model:
        other = Model()
        other.shots, other.lines = dict(self.shots), dict(self.lines)
        return other

    def rows(self) -> Rows:
        scenes: dict[Any, Any] = {}
        ranked_scenes: dict[Any, Any] = {}
        for roll in range(3):
            shots = sorted((key, it) for key, it in self.shots.items() if key[0] == roll)
            scenes |= runs_of(((key, scene) for key, (scene, _) in shots), 3)
            ranked = sorted(((key, it) for key, it in shots if it[1]), key=lambda it: (-it[0][1], it[0][2]))
            ranked_scenes |= runs_of(((key, scene) for key, (scene, _) in ranked), 100)
        speeches = runs_of(sorted(self.lines.items()), 2)
        return {
            "shots": {(*key, *fields) for key, fields in self.shots.items()},
            "scenes": {(*key, *first[1:]) for key, first in scenes.items()},
            "lines": set(self.lines.items()),
            "speeches": set(speeches.items()),
            "ranked": {(*key, scene) for key, (scene, note) in self.shots.items() if note},
            "ranked_scenes": {(*key, *first[1:]) for key, first in ranked_scenes.items()},
            "scene_sizes": {(*first, n) for first, n in Counter(scenes.values()).items()},
        }


class RunsMachine(LawMachine):
    schema = "runs"
    model_class = Model

    @rule(
        shots=st.lists(
            st.tuples(few, st.integers(0, 3), few, st.none() | few | st.just(0), st.sampled_from(("", "a"))),
            min_size=1,
            max_size=8,
        )
    )
    def put(self, shots: list[tuple[int, int, int, int | None, str]]) -> None:
        self.begin()
        for shot in shots:
            self.tx.shots.put(self.made("Shots", *shot))
            self.model.shots[shot[:3]] = shot[3:]

    @rule(roll=few, scene=few)
    def put_a_roll(self, roll: int, scene: int) -> None:
        """One long block, so that pieces of it are cut anew."""
        self.put([(roll, at, n, scene, "") for at in range(3) for n in range(3)])

    @rule(keys=st.lists(st.tuples(few, st.integers(0, 3), few), min_size=1, max_size=4))
    def remove(self, keys: list[tuple[int, int, int]]) -> None:
        self.begin()
        for key in keys:
            self.tx.shots.remove(*key)
            self.model.shots.pop(key, None)

    @rule(n=st.sampled_from([-(2**63), -1, 0, 1, 2, 2**63 - 1]), speaker=st.sampled_from(("x", "x", "y")))
    def say(self, n: int, speaker: str) -> None:
        self.begin()
        self.tx.lines.put(self.made("Lines", n, speaker))
        self.model.lines[n] = speaker

    @rule(n=st.sampled_from([-(2**63), -1, 0, 1, 2, 2**63 - 1]))
    def unsay(self, n: int) -> None:
        self.begin()
        self.tx.lines.remove(n)
        self.model.lines.pop(n, None)


class FileMachine(RunsMachine):
    in_file = True


TestInMemory = RunsMachine.TestCase
TestInMemory.settings = settings(stateful_step_count=30)
TestInFile = FileMachine.TestCase
TestInFile.settings = settings(stateful_step_count=30, max_examples=30)

FAULTS = (
    Fault("a row that goes keeps its run", Runs, "_mend", "target.put_cell(key, None)", "pass"),
    Fault("a row that goes says nothing", Runs, "apply", "or old is None or new is None", ""),
    Fault("a change of value says nothing", Runs, "apply", "before != after or old", "old"),
    Fault(
        "new rows without values part nothing", Runs, "_may_matter", "has_value or bool(", "has_value and ("
    ),
    Fault("new rows with values are passed over", Runs, "_may_matter", "has_value or", "False or"),
    Fault("new rows are only looked at", Runs, "add", "None, same_of(row)", "None, None"),
    Fault("a row without a value parts nothing", Runs, "_mattering", "if seen is None or (", "if True or ("),
    Fault("the row at a change is all", _Walk, "mend", "if settled and at != key:", "if settled:"),
    Fault("a changed row is all", _Walk, "mend", "if settled and at != key:", "if at != key:"),
    Fault("a change inside of a walk is new", _Walk, "mend", "key < self._at", "key <= self._at"),
    Fault(
        "rows left out are beside", _Walk, "_next", "ahead.pop()\n        self._beside = False", "ahead.pop()"
    ),
    Fault("rows not read are beside", _Walk, "_next", "low, self._beside = key, False", "low = key"),
    Fault("runs have no end", _Walk, "_place", "and piece.rows < shape.longest", ""),
    Fault("neighbours are alike", _Walk, "_place", "and piece.value == value", ""),
    Fault("what follows a piece stands", _Walk, "_place", "bool(piece.first == at)", "True"),
    Fault("nothing is below", _Walk, "_place", "self._below(at, value)", "None"),
    Fault("below is one row", _Walk, "_below", "rows)", "1)"),
    Fault("below is any row", _Walk, "_below", "!= value", "is None"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, PillarboxError)):
        run_state_machine_as_test(RunsMachine, settings=HARD)
