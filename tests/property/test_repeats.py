"""What is shown or said to be repeatable is: a second time right behind the first changes no table.

The steps show it, or the schema says it (`idempotent`); what no counter guards may become nothing else.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from itertools import repeat
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.folding_world import folding_store
from tests.property.fresh import fresh_box
from tests.property.mutants import HARD, Fault
from tests.property.random_store import RandomStore, random_store
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_random_store import SHIPPED, play
from tests.unit.schema.test_findings_of_repeats import PARAMS, STEPS, TABLES

from pillarbox.box import Box
from pillarbox.bulk import differences
from pillarbox_codegen import keeps_again, repeats
from pillarbox_codegen.model import Index, ListOf, Operation, RowOf, Stale, Table
from pillarbox_codegen.plan import names
from pillarbox_codegen.reaches import meeting, reach
from pillarbox_codegen.type_rules import present

#: What does change a table a second time, and is harmless for a reason that no table shows.
ELSEWHERE: Final = {"add_secret_messages": "who works the log off tells what it had already"}

#: Takes the name of an operation; whether it is said or shown that a second time does nothing.
Chosen = Callable[[RandomStore, Operation], bool]


def is_shown(store: RandomStore, operation: Operation) -> bool:
    return repeats.doubt(operation, store.schema.tables) is None


def is_said(_store: RandomStore, operation: Operation) -> bool:
    return operation.idempotent and operation.name not in ELSEWHERE


def is_whole(store: RandomStore, name: str, operation: Any) -> bool:
    """Whether all rows in it have keys: of one without a number the box makes another each time.

    What is said of an operation is said of lists that have each row once.
    """
    for param in store.schema.operations[name].params:
        kind = present(param.type)
        kind = kind.item if isinstance(kind, ListOf) else kind
        if not isinstance(kind, RowOf):
            continue
        table = store.schema.tables[kind.table]
        filled = [names.field(part.name) for part in table.key if part.fill is not None]
        given = getattr(operation, names.field(param.name))
        rows = given if isinstance(given, tuple) else () if given is None else (given,)
        if not all(getattr(row, field) for row in rows for field in filled):
            return False
        if store.schema.operations[name].idempotent and not all(
            map(is_once, names_of(store, table), repeat(rows))
        ):
            return False
    return True


def names_of(store: RandomStore, table: Table) -> list[list[str]]:
    """The fields that tell rows of a table apart: those of its key, and of its identity."""
    rules = [one.rule for one in store.schema.tables.values()]
    own = [
        one
        for one in rules
        if isinstance(one, Index) and one.unique == "identity" and one.source == table.name
    ]
    return [[part.name for part in table.key], *([part.name for part in one.key] for one in own)]


def is_once(fields: Sequence[str], rows: Sequence[Any]) -> bool:
    """Whether no two rows are alike in these."""
    return len({tuple(getattr(row, names.field(name)) for name in fields) for row in rows}) == len(rows)


def changes_nothing(
    store: RandomStore, grounds: list[tuple[str, Any]], before: Sequence[Any], operation: Any
) -> None:
    """The law, over a box with rows on which some operations were replayed before."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        once, twice = Path(folder, "once.box"), Path(folder, "twice.box")
        with fresh_box(once, store.package) as box:
            store.lay(box, grounds)
            for one in (*before, operation):
                play(store, box, [one])
        shutil.copyfile(once, twice)
        with Box(twice, store.package, durability="relaxed") as box:
            play(store, box, [operation])

        doubts = [
            f"table {name!r}" for name, table in store.schema.tables.items() if isinstance(table.rule, Stale)
        ]
        found = [one for one in differences(store.package, once, twice) if not one.startswith((*doubts, "-"))]
        assert found == []


@cache
def every_way() -> RandomStore:
    """A schema with an operation for each way in which steps bear a second time, or do not."""
    operations = [
        f"  act_{place}: {{code: {70 + place}, params: {{{PARAMS}}}, steps: [{steps}]}}\n"
        for place, steps in enumerate(STEPS)
    ]
    return folding_store("every_way", f"schema: {{name: NAME}}\n{TABLES}{''.join(operations)}")


def law_of(store: RandomStore, chosen: Chosen, hard: settings, *, grounds: bool = False) -> None:
    """The law, for operations behind others that they meet; upon rows that they look for, where asked."""
    operations = store.schema.operations
    reaches = {one.name: reach(one.steps, store.schema.tables) for one in operations.values()}
    tried = [one.name for one in operations.values() if chosen(store, one)]

    def history_of(name: str) -> st.SearchStrategy[Any]:
        met = [other for other in operations if meeting(reaches[name], reaches[other])]
        before = st.lists(st.sampled_from([name, *met]).flatmap(store.operation_of), max_size=6)
        last = store.operation_of(name).filter(lambda one: is_whole(store, name, one))
        return st.tuples(store.grounds([name]) if grounds else st.just([]), before, last)

    @hard
    @given(history=st.sampled_from(tried).flatmap(history_of))
    def law(history: tuple[list[tuple[str, Any]], list[Any], Any]) -> None:
        changes_nothing(store, *history)

    law()


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("chosen", [is_shown, is_said])
def test_a_second_time_changes_nothing(name: str, chosen: Chosen) -> None:
    some = settings(max_examples=max(20, settings().max_examples // 2))

    law_of(random_store(name), chosen, some, grounds=True)


def test_what_steps_show_is_so() -> None:
    law_of(every_way(), is_shown, settings())


def fault(
    name: str, function: str, old: str, new: str, owner: type[Any] | ModuleType = repeats._Doubt
) -> Fault:
    return Fault(name, owner, function, old, new)


FAULTS = (
    fault("what takes a number passes", "_numbering", "sequences & missing", "sequences & set()"),
    fault("what goes again is new once", "_telling", "step.table in self.going or", "False or"),
    fault("what is not put is new once", "_telling", " and step.mods.when is None", ""),
    fault("what stood is new once", "_telling", ' if step.only != "old"', " if True"),
    fault("who is no more new is let be", "_step", "and not step.otherwise ", ""),
    fault("writes are not counted", "_counting", "if field is None or", "if True or"),
    fault("a list counts once", "_writing", "if step.mods.each is None else 2", "if True else 2", repeats),
    fault(
        "a replace counts once", "_writing", "2 if isinstance(step, ReplaceStep) else many", "many", repeats
    ),
    fault("each item comes last", "_step", "and any(_inner(step))", "and False"),
    fault("what is made comes first", "_writing", "step.create is not None", "False"),
    fault("an owner is always there", "_writing", "if coming and name in self.asked:", "if False:"),
    fault("what has no owner was put", "_telling", 'owned.orphans == "skip"', "False"),
    fault("a place hangs on no other", "_moving", "if counted or", "if False or"),
    fault("a base counts on nothing", "_basing", "if self._heard(name) & self.written and", "if False and"),
    fault("marks stay behind a base", "_basing", "== set(_BASES)", "== set()"),
    fault("what goes and comes is counted", "_counted", "if going else ()", "if False else ()"),
    fault("what is kept asks for all", "kept_otherwise", "if others:", "if False:", repeats),
    fault("one key comes once", "kept_otherwise", "None if several else rule.when", "rule.when", repeats),
    fault("any field is a version", "_is_version", "whole and len(keeping) == 1", "True", keeps_again),
    fault(
        "what is set is a version",
        "_keeping",
        "versions=puts and table.name not in self.going",
        "versions=True",
    ),
    fault(
        "any rule holds",
        "_standing",
        "all(one in given for one in _conjuncts(rule.when))",
        "True",
        keeps_again,
    ),
)


@pytest.mark.parametrize("planted", FAULTS, ids=str)
def test_a_planted_fault_is_found(planted: Fault) -> None:
    """Only what passes by the fault is tried."""
    store = every_way()
    doubted = {one.name for one in store.schema.operations.values() if not is_shown(store, one)}

    def passes(store: RandomStore, operation: Operation) -> bool:
        return operation.name in doubted and is_shown(store, operation)

    with planted.planted(), pytest.raises(AssertionError):
        law_of(store, passes, settings(HARD, max_examples=5_000))
