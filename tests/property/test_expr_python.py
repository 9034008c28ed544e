"""Laws of compiled expressions: the Python text means what the expression means, and looks once."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec import structs
from tests.property.expr_meaning import World, meaning
from tests.property.expr_world import (
    BOOL,
    DOT,
    ID,
    INT,
    LINE,
    MARKS,
    NAMES,
    PAIR,
    ROW,
    SCHEMA,
    TEXT,
    TREE,
    classes,
    values,
)
from tests.property.mutants import Fault
from tests.property.typed_exprs import coalesced, comparisons, containments, exprs, measures, nears

import pillarbox.expr
from pillarbox_codegen import expr_compiler, expr_conditions, expr_values, model, python_code
from pillarbox_codegen.expr_compiler import Compiler
from pillarbox_codegen.expr_python import (
    USED,
    Scope,
    compile_condition,
    compile_expr,
    compile_items,
    compile_parts,
)
from pillarbox_codegen.model import ListOf, Optional
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.python_code import printed
from pillarbox_codegen.walk import names_in, nodes


class Stored:
    """A table that counts how often it is asked."""

    def __init__(self, rows: dict[tuple[Any, ...], Any]) -> None:
        self.rows = rows
        self.asked = 0

    def get(self, *key: Any) -> Any:
        self.asked += 1
        assert None not in key
        return self.rows.get(key)

    def rows_under(self, prefix: bytes) -> tuple[Any, ...]:
        self.asked += 1
        return tuple(self.rows[key] for _, key in self.between(prefix, None, None))

    def first_row(self, prefix: bytes, start: bytes | None = None) -> Any:
        self.asked += 1
        found = self.between(prefix, start, None)
        return self.rows[found[0][1]] if found else None

    def last_row(self, prefix: bytes, end: bytes | None = None) -> Any:
        self.asked += 1
        found = self.between(prefix, None, end)
        return self.rows[found[-1][1]] if found else None

    def between(self, prefix: bytes, start: bytes | None, end: bytes | None) -> list[tuple[bytes, Any]]:
        stored = sorted((classes().pairs_key(*key), key) for key in self.rows)
        return [
            (key, plain)
            for key, plain in stored
            if key.startswith(prefix)
            and (start is None or key >= start)
            and (end is None or key[: len(end)] <= end)
        ]


def reads_in(expr: model.Expr) -> int:
    """How often an expression may ask tables."""
    return sum(isinstance(node, model.Lookup | model.Scan) for node in nodes(expr))


@st.composite
def cases(draw: DrawFn, some: SearchStrategy[model.Expr]) -> tuple[model.Expr, World]:
    """An expression, and a world in which the names that it uses have values."""
    expr = draw(some)
    names = {name: draw(values(NAMES[name])) for name in sorted(names_in(expr) & NAMES.keys())}
    rows: dict[str, dict[tuple[Any, ...], Any]] = {"things": {}, "pairs": {}}
    if reads_in(expr):
        rows["things"] = {(row.id,): row for row in draw(st.lists(values(ROW), max_size=3))}
        rows["pairs"] = {(row.id, row.n): row for row in draw(st.lists(values(PAIR), max_size=3))}
    return expr, World(names, rows, classes())


def compiled(text: str, parameters: Iterable[str]) -> Any:
    """A function of some names in scope and the tables."""
    namespace = {**vars(classes()), **vars(pillarbox.expr), "replace": structs.replace}
    with warnings.catch_warnings():
        # Expressions of nothing but literals make Python ask whether they are meant.
        warnings.simplefilter("ignore", SyntaxWarning)
        exec(f"def function({', '.join(parameters)}):\n    return {text}", namespace)
    return namespace["function"]


def new_scope() -> Scope:
    names = {name: name for name in NAMES}
    return Scope(
        SCHEMA, Imports("package", ".module"), names, {*NAMES, *USED, "things", "pairs"}, lambda table: table
    )


def run(text: str, world: World) -> tuple[Any, int]:
    """The value, and how often tables were asked."""
    tables = {name: Stored(dict(rows)) for name, rows in world.rows.items()}
    arguments = {**world.names, **tables}
    value = compiled(text, arguments)(**arguments)
    return value, sum(table.asked for table in tables.values())


def same(one: Any, other: Any) -> bool:
    """Equal, and not merely as 1 and True, or 0.0 and -0.0 are."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float):
        return repr(one) == repr(other)
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def check_meaning(expr: model.Expr, world: World) -> None:
    text = compile_expr(expr, new_scope())
    note(text)

    value, asked = run(text, world)

    expected = meaning(expr, world)
    note(f"{value!r}, expected {expected!r}")
    assert same(value, expected)
    assert asked <= reads_in(expr)


@given(cases(exprs()))
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_the_text_means_what_the_expression_means_and_reads_no_row_twice(
    case: tuple[model.Expr, World],
) -> None:
    check_meaning(*case)


def check_condition(expr: model.Expr, world: World) -> None:
    text, opposite = compile_condition(expr, new_scope()), compile_condition(expr, new_scope(), opposite=True)
    note(f"{text}\n{opposite}")

    truth, lie = bool(run(text, world)[0]), bool(run(opposite, world)[0])

    assert truth == meaning(expr, world)
    assert lie == (not truth)


@given(cases(exprs((BOOL,)) | comparisons() | containments()))
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_a_condition_holds_where_its_opposite_does_not(case: tuple[model.Expr, World]) -> None:
    check_condition(*case)


@given(cases(exprs((ListOf(INT), ListOf(TEXT), ListOf(Optional(INT))))))
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_items_are_those_of_the_list_in_order(case: tuple[model.Expr, World]) -> None:
    expr, world = case
    text = compile_items(expr, new_scope())

    items = tuple(run(text, world)[0])

    assert same(items, meaning(expr, world))


@given(cases(exprs()))
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_without_proofs_from_outside_the_text_means_the_same(case: tuple[model.Expr, World]) -> None:
    expr, world = case
    there, (text,) = compile_parts([expr], replace(new_scope(), declared=NAMES))
    note(f"{text} if {printed(there).text}")

    value, _ = run(f"({text}) if {printed(there).text} else None", world)

    assert same(value, meaning(expr, world))


# -------------------------------------------------------------------------------------- planted faults


def check_all(case: tuple[model.Expr, World]) -> None:
    expr, world = case
    check_meaning(expr, world)
    if expr.type == BOOL:
        check_condition(expr, world)


ANY, ASKED = exprs(), exprs((BOOL,), depth=2)
LISTS = exprs((ListOf(INT), ListOf(TEXT), Optional(ListOf(INT))), depth=2)
BAGS = exprs((Optional(DOT), Optional(LINE)), depth=2)
MAYBE = exprs((Optional(INT), Optional(TEXT), INT), depth=2)

#: What to look at, and the fault.
FAULTS: tuple[tuple[SearchStrategy[model.Expr], str, Any, str, str, str], ...] = (
    (comparisons(), "turned around but not its sign", expr_conditions, "_compare", "_MIRRORED[op]", "op"),
    (comparisons(), "`!=` is true of none", expr_conditions, "_compare", 'op != "==" or (one', "(one"),
    (
        comparisons(),
        "none equals none",
        expr_conditions,
        "_compare",
        "one.nullable and other.nullable",
        "False",
    ),
    (
        comparisons(),
        "what is no number is ordered",
        expr_conditions,
        "_compare",
        'op not in ("==", "!=")',
        "False",
    ),
    (
        comparisons(),
        "none is true",
        expr_conditions,
        "_compare_bool",
        '"is", Code(str(wanted)), "is not"',
        '"is not", Code(str(not wanted)), "is"',
    ),
    (
        containments(),
        "none is in a list",
        expr_conditions,
        "_in",
        "right.type.item, model.Optional",
        "right.type, model.Optional",
    ),
    (ASKED, "the wrong bit", expr_conditions, "_bit_test", "& {1 << bit}", "& {2 << bit}"),
    (ASKED, "what may be absent is taken", Compiler, "solid", "if not value.nullable", "if True"),
    (
        ASKED,
        "present and absent are exchanged",
        expr_conditions,
        "condition_of",
        'what == "present"',
        'what == "none"',
    ),
    (coalesced(), "`//` skips zero", expr_compiler, "_is_empty", "and not value and", "and"),
    (coalesced(), "`//` loses a sign", expr_compiler, "_is_empty", "type_ != FLOAT64", "True"),
    (
        MAYBE,
        "branches are exchanged",
        Compiler,
        "_choice",
        "(then), self.closed(otherwise)",
        "(otherwise), self.closed(then)",
    ),
    (LISTS, "a sum is turned around", Compiler, "_spread", "[*first, *rest]", "[*rest, *first]"),
    (
        LISTS,
        "absent fields stay in a list",
        Compiler,
        "mapped",
        "for guard in self.solid(Value(code, nullable=True)).guards",
        "for guard in ()",
    ),
    (
        LISTS,
        "absent items stay in a list",
        Compiler,
        "mapped",
        "isinstance(list_type.item, model.Optional)",
        "False",
    ),
    (exprs((MARKS,), depth=2), "flags are numbered", expr_values, "_flags", "flag: 1 << bit", "flag: bit"),
    (BAGS, "any value of a bag is of the case", pillarbox.expr, "in_bag", "isinstance(value, case)", "value"),
    (
        nears(),
        "what is near is on the other side",
        expr_compiler,
        "scan",
        '("first", "ceiling")',
        '("first", "floor")',
    ),
    (
        measures(),
        "the least is the greatest",
        pillarbox.expr,
        "spans",
        "min(span.least, value)",
        "max(span.least, value)",
    ),
    (ANY, "no brackets", python_code.Code, "at", "self.level >= level", "True"),
    (ASKED, "the opposite of `and` is `and`", python_code, "negated", "return Some(", "return All("),
    (MAYBE, "the last is the first", pillarbox.expr, "last", "items[-1]", "items[0]"),
    (
        LISTS,
        "doubles are kept",
        pillarbox.expr,
        "join",
        "dict.fromkeys(chain.from_iterable(lists))",
        "chain(*lists)",
    ),
    (
        exprs((ListOf(TREE), ListOf(PAIR)), depth=2),
        "the others are those that were asked for",
        expr_values,
        "_chosen",
        '== "having"',
        '!= "having"',
    ),
    (
        exprs((PAIR,), depth=2),
        "a changed value is the same",
        expr_values,
        "_changed",
        "{naming.field(name)}={code.text}",
        "{naming.field(name)}={of.code.text}.{naming.field(name)}",
    ),
    (
        exprs((Optional(INT), Optional(ID)), depth=3),
        "rows are read twice",
        expr_compiler,
        "is_cheap",
        "is not None",
        "is not None or True",
    ),
)


@pytest.mark.parametrize(
    ("some", "fault"), [pytest.param(some, Fault(*rest), id=rest[0]) for some, *rest in FAULTS]
)
def test_planted_faults_are_found(some: SearchStrategy[model.Expr], fault: Fault) -> None:
    hard = settings(
        max_examples=4000,
        derandomize=True,
        phases=[Phase.generate],
        database=None,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    law = hard(given(cases(some))(check_all))
    with fault.planted(), pytest.raises((AssertionError, TypeError, AttributeError, KeyError, SyntaxError)):
        law()
