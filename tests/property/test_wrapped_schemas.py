"""A schema each of whose expressions needs names and branches makes a package that does the same.

Laws. What is generated of a schema with wrapped expressions is Python, and passes a strict type checker. A
history leaves the same rows in its box as in that of the schema as it was written, and views show the same.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct
from tests.property.fresh import fresh_box
from tests.property.mutants import HARD, Fault
from tests.property.random_store import SCHEMAS, RandomStore, Subject, random_store
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_verify import rows
from tests.property.wrapped_schemas import wrapped
from tests.unit.codegen_ops.making import mypy, written

from pillarbox.box import Box
from pillarbox.errors import PillarboxError
from pillarbox_codegen import expr_conditions
from pillarbox_codegen.expr_compiler import Compiler

DATA: Final = Path(__file__).parents[1] / "data/schemas"
#: Those with operations, of which there are histories.
SHIPPED: Final = ("tracker", "messenger")
PLAYED: Final = {*SHIPPED, "words", "grounds"}
OWN: Final = tuple(sorted(folder.name for folder in DATA.iterdir()))
SLOW: Final = [HealthCheck.too_slow, HealthCheck.data_too_large]
#: Where few expressions are wrapped, for the time it takes to find out which places refuse which.
SHARES: Final = {"messenger": 0.3}
DEEP: Final = settings().max_examples > 1_000
SEEDS: Final = range(5 if DEEP else 1)


class Made(NamedTuple):
    """A package of a wrapped schema in a folder of its own, and how many of its expressions are wrapped."""

    folder: Path
    name: str
    expressions: int


@cache
def made(name: str, seed: int) -> Made:
    folder = Path(tempfile.mkdtemp())
    origin = SCHEMAS / name if (SCHEMAS / name).exists() else DATA / name
    share = 1 if DEEP else SHARES.get(name, 1)
    title = f"wrapped_{seed}_{name}"
    schema, expressions = wrapped(
        origin, title, folder / "schema", seed, 1 if name in SHIPPED and not DEEP else 2, share
    )
    written(folder / "generated", schema)
    return Made(folder, f"pillarbox_{title}", expressions)


class Twins:
    """A package, and that of the same schema with wrapped expressions."""

    def __init__(self, name: str, made: Made) -> None:
        self.store: RandomStore = random_store(name)
        sys.path.insert(0, str(made.folder / "generated"))
        try:
            self.wrapped = import_module(made.name).PACKAGE
            self.modules = {
                name: import_module(f"{made.name}.{name}")
                for name in ("types", "operations", "views", "specs")
                if (made.folder / f"generated/{made.name}/{name}.py").exists()
            }
        finally:
            sys.path.pop(0)

    def moved(self, value: Any) -> Any:
        """A value of the one package as that of the other."""
        match value:
            case tuple():
                return tuple(map(self.moved, value))
            case Enum():
                return self._class_of(value)(value.value)
            case Struct() if type(value).__module__.startswith("pillarbox_"):
                fields = {name: self.moved(getattr(value, name)) for name in value.__struct_fields__}
                return self._class_of(value)(**fields)
            case _:
                return value

    def _class_of(self, value: object) -> Any:
        kind = type(value)
        return getattr(self.modules[kind.__module__.rpartition(".")[2]], kind.__name__)

    def drawn(self) -> st.SearchStrategy[History]:
        """What stands there at first, operations upon it, and views of what they leave."""

        def of(subject: Subject) -> st.SearchStrategy[History]:
            shown = (
                st.lists(self.store.view_keys(subject.views), max_size=4) if subject.views else st.just([])
            )
            done = self.store.operations(subject.operations, 8)
            return st.builds(History, self.store.grounds(subject.operations), done, shown)

        return self.store.subject().flatmap(of)

    def check(self, history: History) -> None:
        """It leaves the same in both, and the same is seen of it."""
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            paths = Path(folder, "written.box"), Path(folder, "wrapped.box")
            one = _played(self.store, fresh_box(paths[0], self.store.package), history)
            moved = History(*self.moved(tuple(map(tuple, history))))
            other = _played(self.store, fresh_box(paths[1], self.wrapped), moved)
            assert one == other
            assert rows(paths[0], self.store.package.specs) == rows(paths[1], self.wrapped.specs)


class History(NamedTuple):
    grounds: Sequence[tuple[str, Any]]
    operations: Sequence[Any]
    shown: Sequence[Any]


def _played(store: RandomStore, box: Box[Any, Any], history: History) -> list[str]:
    """What becomes of each operation, and what views show, as text: it names no modules."""
    with box:
        store.lay(box, history.grounds)
        changed = [_told(lambda one: box.replay([one]).changed, one) for one in history.operations]
        return changed + [_told(box.get, key) for key in history.shown]


def _told(ask: Callable[[Any], object], of: object) -> str:
    try:
        return repr(ask(of))
    except PillarboxError as error:
        return repr(error)


def do_the_same(name: str, made: Made, hard: settings) -> None:
    """The law of histories, for one schema."""
    twins = Twins(name, made)

    @hard
    @given(twins.drawn())
    def law(history: History) -> None:
        twins.check(history)

    law()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("names", [("tracker",), ("messenger",), OWN], ids=["tracker", "messenger", "own"])
def test_wrapped_expressions_type_check_and_do_the_same(
    names: Sequence[str], seed: int, tmp_path: Path
) -> None:
    found = {name: made(name, seed) for name in names}
    for one in found.values():
        (tmp_path / "generated").mkdir(exist_ok=True)
        (tmp_path / "generated" / one.name).symlink_to(one.folder / "generated" / one.name)

    assert mypy(tmp_path) == ""
    assert sum(one.expressions for one in found.values()) > 300
    most = max(10, settings().max_examples // 4)
    for name in PLAYED & found.keys():
        do_the_same(name, found[name], settings(max_examples=most, suppress_health_check=SLOW))


FAULTS: Final = (
    Fault("names are given in clauses", Compiler, "mapped", 'if ":=" in source_code.text:', "if False:"),
    Fault("what is absent is not", Compiler, "_coalesce", "both(value.guards), Value", "both(()), Value"),
    Fault(
        "a branch asks for itself",
        expr_conditions,
        "_if",
        "question = printed(condition)",
        "question = printed(yes)",
    ),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    random_store("words")  # as it is without one
    with fault.planted():
        broken = made("words", len(SEEDS) + FAULTS.index(fault))  # a schema that no sound one is made of
        with pytest.raises((AssertionError, SyntaxError, NameError)):
            do_the_same("words", broken, HARD)
