"""Plans which rows are stored where something may be missing, as Python text.

Depends on: model, expr_python, statements, names, hints.  Never on: requests, answers.

Law: no name of a schema hides a parameter of the functions that holes are handed in as.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_expr, compile_test
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.clauses import comprehension
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.steps import taken_names
from pillarbox_codegen.printing import tuple_text
from pillarbox_codegen.python_code import negated
from pillarbox_codegen.statements import Line, branch, lines_of
from pillarbox_codegen.type_rules import INT_RANGES, base
from pillarbox_codegen.walk import names_in

#: Parameters of the functions of holes, and what their bodies call things themselves.
GIVEN: Final = frozenset(
    {"absent", "after", "answer", "asking", "at", "before", "descending", "guards", "high", "hole", "limit",
     "low", "operation", "row", "tx"}
)  # fmt: skip


def local(name: str) -> str:
    """A local variable of such a function that stands for something of the schema."""
    return names.safe(names.local(name), GIVEN)


def bounds_of(schema: model.Schema, table: model.Table) -> tuple[str, str]:
    """The first and the last id of a table of ranges."""
    rule = table.rule
    assert isinstance(rule, model.Ranges)
    spans = []
    for type in rule.over:
        scalar = base(type, schema.types)
        assert scalar is not None
        spans.append(INT_RANGES[scalar.name])
    first = rule.start or tuple(span[0] for span in spans)
    last = rule.end or tuple(span[1] for span in spans)
    if len(spans) == 1:
        return str(first[0]), str(last[0])
    return str(first), str(last)


def stored_lines(
    schema: model.Schema, imports: Imports, table: model.Table, group: Sequence[str], rule: model.HoleStored
) -> list[str]:
    """The function that gives the ids of the rows that are stored under `at`, from `low` to `high`."""
    stored = schema.tables[rule.table]
    scope = Scope(schema, imports, {name: local(name) for name in group}, taken_names(schema) | GIVEN)
    used = names_in((rule.at, rule.when))
    lines = [
        f"{local(part.name)}: {hints.annotation(schema, imports, part.type)} = at[{place}]"
        for place, part in enumerate(table.key[: len(group)])
        if part.name in used
    ]
    if rule.when is not None:
        unless = negated(compile_test(rule.when, scope))
        lines += lines_of(branch(unless, [Line("return ()")]))
    under = "".join(f"{compile_expr(part, scope)}, " for part in rule.at)
    if len(over := stored.key[len(rule.at) :]) > 1:
        key = imports.use(".keys", names.key_function(stored.name))
        beyond = imports.use("pillarbox.codec", "successor")
        edges = f"{key}({under}*low), {beyond}({key}({under}*high))"
        bounds = f"{edges}, newest_first=descending, limit=limit"
        rows = f"tx.{names.table_attribute(stored.name)}.rows_between({bounds})"
        id = tuple_text([f"row.{names.field(part.name)}" for part in over])
        return [*lines, f"return {comprehension(scope, id, 'row', rows).text}"]
    first, last = bounds_of(schema, table)
    key = imports.use(".keys", names.key_class(stored.name))
    prefix = names.prefix_methods(stored)[len(rule.at) - 1] if rule.at else "all"
    bounds = "newest_first=descending, after=after, before=before, limit=limit"
    rows = f"tx.{names.table_attribute(stored.name)}.{prefix}({under}{bounds})"
    return [
        *lines,
        f"after = {key}({under}low - 1) if low > {first} else None",
        f"before = {key}({under}high + 1) if high < {last} else None",
        f"return {comprehension(scope, f'row.{names.field(stored.key[-1].name)}', 'row', rows).text}",
    ]


def rows_text(
    schema: model.Schema, imports: Imports, group: Sequence[str], rule: model.HoleStored, asking: str
) -> str:
    """The rows that are stored under the ids `absent`, of several parts each."""
    at = {name: f"{asking}.hole.at[{place}]" for place, name in enumerate(group)}
    scope = Scope(schema, imports, at, taken_names(schema) | GIVEN)
    under = "".join(f"{compile_expr(part, scope)}, " for part in rule.at)
    found = f"tx.{names.table_attribute(rule.table)}.get({under}*id)"
    return f"[row for id in absent if (row := {found}) is not None]"
