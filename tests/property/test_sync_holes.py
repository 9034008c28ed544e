"""Laws of fetching: what a page may write, what it proves, and how often it is asked for."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.property.hole_world import IDS, World
from tests.property.mutants import HARD, Fault

from pillarbox.sync import hole_drafts
from pillarbox.sync.hole_drafts import Look, Page
from pillarbox.sync.hole_notes import Notes
from pillarbox.sync.holes import Holes
from pillarbox_tracker.types import Start

ids = st.sampled_from(IDS)
changes = st.sampled_from(["add", "edit", "remove", "remove"])
races = st.tuples(st.just("race"), st.lists(st.tuples(changes, ids, st.booleans()), min_size=1, max_size=3))
actions = st.one_of(
    st.tuples(changes, ids),
    st.tuples(st.just("deliver"), st.booleans()),
    st.tuples(st.just("open"), st.sampled_from(Start), st.none() | ids, st.integers(1, 4)),
    st.tuples(st.sampled_from(["answer", "answer", "answer", "fail", "close"])),
    st.tuples(st.just("here"), ids),
    races,
    races,
    st.tuples(st.just("leave")),
    st.tuples(st.just("beside"), ids, ids),
    st.tuples(st.just("wait"), st.sampled_from([300, 30_000])),
)
runs = st.tuples(
    st.lists(ids, unique=True, max_size=6),
    st.integers(1, 3),
    st.sampled_from([True, False, False]),
    st.lists(actions, max_size=12),
)
#: What was seen is gone, and then the server tells what there is, and not what is gone.
ANEW: Final = [("open", Start.NEWEST, None, 6), *[("answer",)] * 3, ("remove", 4), ("anew",)]
anew_runs = st.tuples(
    st.lists(ids, unique=True, min_size=3),
    st.integers(1, 3),
    st.booleans(),
    st.lists(
        actions
        | st.tuples(st.just("anew"))
        | st.tuples(st.sampled_from(["write", "edit here"]), ids)
        | races,
        max_size=10,
    ).map(lambda some: [*ANEW, *some]),
)


def act(world: World, action: tuple[Any, ...]) -> None:
    """Do one thing."""
    match action:
        case ("add" | "edit" | "remove" as what, id):
            world.server.change(what, id)
        case ("deliver", told):
            world.deliver(told=told)
        case ("open", start, at, count):
            world.open_view(start, at, count)
        case ("answer",):
            world.answer()
        case ("fail",):
            world.fail()
        case ("close",):
            world.close_view()
        case ("leave",):
            while world.views:
                world.close_view()
        case ("here", id):
            world.remove_here(id)
        case ("write", id):
            world.write_here(id)
        case ("edit here", id):
            world.edit_here(id)
        case ("anew",):
            world.begin_anew()
        case ("wait", milliseconds):
            world.wait(milliseconds)
        case ("race", steps):
            race(world, steps)
        case ("beside", at, id):
            world.open_view(Start.NEWEST, at, 2)
            world.remove_here(id)
            world.answer()


def race(world: World, steps: list[tuple[str, int, bool]]) -> None:
    """Updates arrive while a page is on its way that was made before."""
    while world.position() < len(world.server.steps):
        world.deliver()
    world.open_view(Start.NEWEST, None, 3)
    for what, id, told in steps:
        world.server.change(what, id)
        world.deliver(told=told)
    world.answer()


def check_run(run: tuple[list[int], int, bool, list[tuple[Any, ...]]]) -> None:
    """E-15, E-16 and E-21 at every moment; at rest the window is as the server has it."""
    ids, page, dated, steps = run
    world = World(ids, page=page, dated=dated)
    try:
        for step in steps:
            act(world, step)
        world.open_view(Start.NEWEST, None, 20)
        world.rest()
        shown = world.box.get(world.views[-1].key).comments
        # A window trusts what is stored, also in a hole, as long as nothing can be missing beside it.
        doubted = world.missing() if world.is_anew else set()
        rows = {entry.row.comment: int(entry.row.body) for entry in shown.entries}
        there = {id: version for id, version in world.server.now.items() if id not in doubted}
        assert {id: version for id, version in rows.items() if id not in doubted} == there
        assert shown.hole is None, "the window grows until no hole is left"
        # Where two ids touch, nothing is left to ask for between them.
        assert world.missing() <= world.stored().keys()
    finally:
        world.close()


@given(runs)
def test_what_is_fetched_is_what_the_server_has(
    run: tuple[list[int], int, bool, list[tuple[Any, ...]]],
) -> None:
    """E-15, E-16, E-21, 8.3, 8.5."""
    check_run(run)


@given(anew_runs)
@example(([1, 4, 7], 1, False, [*ANEW, ("fail",), ("add", 2), ("beside", 2, 1), ("here", 2)]))
def test_what_is_gone_when_all_is_fetched_anew_goes(
    run: tuple[list[int], int, bool, list[tuple[Any, ...]]],
) -> None:
    """D-6, 8.5, E-21: what is stored in a hole goes with the page that shows that it is no more."""
    check_run(run)


FAULTS = (
    Fault("a short page closes its hole", hole_drafts, "covered", "covers is Covers.ASKED", "True"),
    Fault(
        "a page reaches one id further", hole_drafts, "covered", "return min(asked.hi, *ids), asked.hi",
        "return min(asked.hi, *ids) - 1, asked.hi",
    ),
    Fault(
        "upwards a page reaches one id further", hole_drafts, "covered", "max(asked.lo, *ids)",
        "max(asked.lo, *ids) + 1",
    ),
    Fault(
        "a hole is removed before its rows are here", Look, "apply", "values = tuple(",
        "isinstance(store, RangeStore) and store.cut(tx, hole.at, 1, 99); values = tuple(",
    ),
    Fault("a page is not stored", Page, "_write", "keep(self.answer, rows)", "keep(self.answer, ())"),
    Fault("a page revives what was removed", Notes, "settles", "id in self._settled", "False"),
    Fault("a page undoes an edit", Notes, "changes", "id in self._changed", "False"),
    Fault("nobody looks for other processes", Notes, "explain", "return before == now", "return True"),
    Fault(
        "what others moved counts as known", Notes, "explain", "part_of(here, part) != before", "False",
    ),
    Fault(
        "rows that are known are written", Page, "_is_missing",
        "store.has(tx, asked.hole.at, rule.id(row))", "True",
    ),
    Fault("an older page counts as current", Page, "_is_current", ">= (values[0] or 0)", ">= 0"),
    Fault(
        "two are asked for of one key", Holes, "_evaluate", "key not in self._fetches and", "",
    ),
    Fault("a hole is never left alone", Holes, "_end", "self._limits.cooldown_ms", "0"),
    Fault("what nobody wants goes on", Holes, "_follow", "elif fetch.leaving is None and", "elif False and"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_fault_in_fetching_is_noticed(fault: Fault) -> None:
    """E-15, E-16, E-21: each fault breaks the law of this file."""
    check = settings(HARD)(given(runs)(check_run))
    with fault.planted(), pytest.raises((AssertionError, KeyError, RuntimeError)):
        check()


ANEW_FAULTS = (
    Fault("what is gone stays", Page, "apply", "if gone else ()", "if False else ()"),
    Fault("what the program wrote is gone", Page, "_gone", "if id in stood.ids and", "if"),
    Fault("what lies behind the rows that stood is closed", Page, "apply", "max(low, stood.low)", "low"),
)


@pytest.mark.parametrize("fault", ANEW_FAULTS, ids=str)
def test_a_fault_in_fetching_anew_is_noticed(fault: Fault) -> None:
    """D-6, E-21."""
    check = settings(HARD)(given(anew_runs)(check_run))
    with fault.planted(), pytest.raises((AssertionError, KeyError, RuntimeError)):
        check()
