"""Plans the tables of the word `ranges`: typed steps and reads, edges, spread, seeds.

Depends on: model, kept_base, expr_python, names, hints.  Never on: other words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import (
    Scope,
    compile_expr,
    compile_items,
    compile_test,
)
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.clauses import Clauses
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.kept_base import (
    KEPT,
    KeptPlan,
    ReadingPlan,
    kept_plan,
    parameter_of,
    prefix_text,
    typed,
)
from pillarbox_codegen.plan.key_parts import part_code, width
from pillarbox_codegen.plan.rule_base import Planner
from pillarbox_codegen.plan.writer_plans import RemovePlan
from pillarbox_codegen.plan.writer_under import removes
from pillarbox_codegen.python_code import TRUE, Code, compare
from pillarbox_codegen.reads import is_read
from pillarbox_codegen.statements import Line, Statement, branch, lines_of, loop

_FORGETTING: Final = "Forget the ranges with this {}; gives how many there were."


@dataclass(frozen=True, slots=True)
class RangesPlan:
    """What the methods of a table of ranges are made of."""

    #: `, shelf: ShelfId, ..` of group and space; of both edges behind them; of one point behind them.
    at: str
    stretch: str
    point: str
    prefix: str
    spaces: str
    lower: str
    upper: str
    edge: str
    removes: tuple[RemovePlan, ...]


@dataclass(frozen=True, slots=True)
class SpacesPlan:
    """The functions of `rules.py`: spaces that a step is about, and what is due in a group."""

    template: str
    function: str
    doc: str
    parameters: str
    prefix: str
    lines: tuple[str, ...]
    due: DuePlan | None


@dataclass(frozen=True, slots=True)
class DuePlan:
    function: str
    doc: str
    key_type: str
    lines: tuple[str, ...]


def _plan_ranges(schema: model.Schema, imports: Imports, table: model.Table) -> KeptPlan:
    rule = table.rule
    assert isinstance(rule, model.Ranges)
    held = len(rule.group) + len(rule.space)
    key = table.key[:held]
    values = [parameter_of(table, part.name) for part in key]
    edge = imports.use(".keys", names.edge_function(table.name))
    at = typed(schema, imports, table, key)
    lowers = typed(schema, imports, table, table.fields)
    uppers = typed(schema, imports, table, table.key[held:])
    taken = {parameter_of(table, part.name) for part in key}
    points = [
        (names.fresh("point" if len(rule.over) == 1 else f"point_{_last(part.name)}", taken), part.type)
        for part in table.key[held:]
    ]
    prefix = prefix_text(imports, table, held, values)
    least = max(1, len(rule.group) if rule.seeded else 1)
    spaces = f"({prefix},)"
    if rule.spread is not None:
        spaces = f"{imports.use_module('.rules')}.{names.spaces_function(table.name)}({', '.join(values)})"
    imports.use("pillarbox.maintainers", "Closest")
    word = RangesPlan(
        at="".join(f", {text}" for text in at),
        stretch="".join(f", {text}" for text in (*at, *lowers, *uppers)),
        point="".join(
            f", {text}"
            for text in (*at, *(f"{n}: {hints.annotation(schema, imports, t)}" for n, t in points))
        ),
        prefix=prefix,
        spaces=spaces,
        lower=f"{edge}({_names(lowers)})",
        upper=f"{edge}({_names(uppers)})",
        edge=f"{edge}({', '.join(name for name, _ in points)})",
        removes=removes(imports, table, range(least, held + 1), (values, at), doc=_FORGETTING),
    )
    packed = imports.use_module(".packed")
    specs = imports.use_module(".specs")
    constant = names.constant(table.name)
    imports.use("pillarbox.maintainers", "Edges")
    constants = [
        f"EDGES = Edges(specs.{constant}, {edge}, {packed}.{constant}, "
        f"start={_bound(rule.start)}, end={_bound(rule.end)})"
    ]
    if rule.seeded:
        constants.append(_seeds(schema, imports, table, rule, specs, packed))
    words = imports.use_module("pillarbox.maintainers")
    base = f"{words}.{'SeededReader' if rule.seeded else 'RangesReader'}"
    return kept_plan(
        imports, table,
        template="table_ranges.j2",
        base="SeededTable" if rule.seeded else "RangesTable",
        word=word,
        reading=ReadingPlan(
            base, tuple(constants), "reader_ranges.j2", word
        ),
    )  # fmt: skip


def _last(name: str) -> str:
    return name.removeprefix("upper_")


def _names(annotated: list[str]) -> str:
    return ", ".join(text.partition(":")[0] for text in annotated)


def _bound(edge: tuple[int, ...] | None) -> str:
    return "None" if edge is None else printing.tuple_text([printing.literal(value) for value in edge])


def _seeds(
    schema: model.Schema, imports: Imports, table: model.Table, rule: model.Ranges, specs: str, packed: str
) -> str:
    imports.use("pillarbox.maintainers", "Seeds")
    marks = names.constant(model.marks_of(table.name))
    size = width([part_code(schema, table, part) for part in table.key[: len(rule.group)]])
    seed = schema.group_seeds.get(table.name)
    version = max((one.number for one in seed.upgrades), default=0) if seed is not None else 0
    due = f"{imports.use_module('.rules')}.{names.due_function(table.name)}"
    return f"SEEDS = Seeds({specs}.{marks}, {packed}.{marks}, {due}, width={size}, version={version})"


def _plan_marks(schema: model.Schema, imports: Imports, table: model.Table) -> KeptPlan:
    return kept_plan(imports, table, template="table_kept.j2", base="SeedMarks")


KEPT[model.Ranges] = _plan_ranges
KEPT[model.SeedMarks] = _plan_marks


# ------------------------------------------------------------------------------------------- rules


def plan_spaces(planner: Planner, rule: model.Ranges) -> SpacesPlan | None:
    """The functions that a table of ranges needs in `rules.py`; None where it needs none."""
    if rule.spread is None and not rule.seeded:
        return None
    schema, imports, table = planner.schema, planner.imports, planner.table
    key = table.key[: len(rule.group) + len(rule.space)]
    values = [parameter_of(table, part.name) for part in key]
    scope = Scope(
        schema, imports, {part.name: value for part, value in zip(key, values, strict=True)},
        {"l", "spaces", "packed", *values},
    )  # fmt: skip
    return SpacesPlan(
        template="rule_spaces.j2",
        function=names.spaces_function(table.name),
        doc=printing.docstring(f"The spaces of `{table.name}` that a step on this one is about.", 4),
        parameters=", ".join(typed(schema, imports, table, key)),
        prefix=prefix_text(imports, table, len(key), values),
        lines=tuple(lines_of(_spread(planner, rule, scope, values))),
        due=_plan_due(planner, rule) if rule.seeded else None,
    )


def _spread(planner: Planner, rule: model.Ranges, scope: Scope, values: list[str]) -> tuple[Statement, ...]:
    spread = rule.spread
    if spread is None:
        return ()
    clauses = Clauses(scope)
    for variable in spread.each:
        clauses.over(variable)
    begin = len(rule.group)
    into = [*values[:begin], *(compile_expr(part, clauses.scope) for part in spread.into)]
    prefix = prefix_text(planner.imports, planner.table, len(into), into)
    if spread.when is not None and spread.each:
        clauses.where(spread.when)
    origin = [
        f"{value} == {compile_expr(part, scope)}"
        for value, part in zip(values[begin:], spread.origin, strict=True)
    ]
    added = f"spaces += [{prefix}{clauses.text}]" if spread.each else f"spaces.append({prefix})"
    whole: tuple[Statement, ...] = (*map(Line, clauses.before), Line(added))
    if spread.when is not None and not spread.each:
        whole = branch(compile_test(spread.when, scope), whole)
    lines = lines_of(whole)
    return (Line(f"if {' and '.join(origin)}:"), *(Line(f"    {line}") for line in lines))


def _plan_due(planner: Planner, rule: model.Ranges) -> DuePlan:
    schema, imports, table = planner.schema, planner.imports, planner.table
    marks = schema.tables[model.marks_of(table.name)]
    imports.use("pillarbox.maintainers", "Stretch")
    group = {part.name: f"group.{names.key_field(part.name)}" for part in marks.key}
    scope = Scope(schema, imports, group, {"l", "key", "version", "due", "group", "space"})
    seed = schema.group_seeds.get(table.name)
    cases = seed.cases if seed is not None else ()
    upgrades = seed.upgrades if seed is not None else ()
    fresh = [one for case in cases for one in _case(planner, rule, case, scope)]
    late = [
        one
        for upgrade in upgrades
        for one in branch(
            compare(Code("version"), "<", Code(str(upgrade.number)), ">="),
            _case(planner, rule, upgrade, scope),
        )
    ]
    unmarked = compare(Code("version"), "is", Code("None"), "is not")
    lines = ["due: list[Stretch] = []", *lines_of(branch(unmarked, fresh, late))]
    if is_read("group", lines):
        fields = imports.use(".keys", names.key_fields_function(marks.name))
        lines.insert(0, f"group = {fields}(key)")
    return DuePlan(
        function=names.due_function(table.name),
        doc=printing.docstring(
            f"What a group of `{table.name}` is owed whose mark tells this version, or has no mark.", 4
        ),
        key_type="int" if hints.is_int_key(schema, marks) else "bytes",
        lines=(*lines, "return due"),
    )


def _case(
    planner: Planner, rule: model.Ranges, case: model.SeedCase | model.Upgrade, scope: Scope
) -> tuple[Statement, ...]:
    body = [one for step in case.steps for one in _stretch(planner, rule, step, scope)]
    return branch(TRUE if case.when is None else compile_test(case.when, scope), body)


def _stretch(
    planner: Planner, rule: model.Ranges, step: model.RangeStep, scope: Scope
) -> tuple[Statement, ...]:
    table = planner.table
    inner = scope
    name, items = "", ""
    if step.mods.each is not None:
        items = compile_items(step.mods.each.items, scope)
        name = scope.fresh(names.local(step.mods.each.name))
        inner = scope.bind(**{step.mods.each.name: name})
    edge = planner.imports.use(".keys", names.edge_function(table.name))
    low, high = (
        f"{edge}({', '.join(compile_expr(part, inner) for part in parts)})"
        for parts in (step.lower, step.upper)
    )
    at = [f"group.{names.key_field(part)}" for part in rule.group]
    at += [compile_expr(part, inner) for part in step.space]
    lines, spaces = [], f"{names.spaces_function(table.name)}({', '.join(at)})"
    if ":=" in spaces:  # which Python does not allow in a comprehension
        local = scope.fresh("spaces")
        lines, spaces = [Line(f"{local} = {spaces}")], local
    lines.append(Line(f"due += [Stretch({step.adds}, space, {low}, {high}) for space in {spaces}]"))
    when = TRUE if step.mods.when is None else compile_test(step.mods.when, inner)
    body = branch(when, lines)
    return loop(name, items, body) if name else body
