"""What an update says about counters and rows, as methods of its struct, and the names its emissions see.

Depends on: model, brings, emissions, expr_python, statements, names.  Never on: what it becomes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope, compile_code, compile_items, compile_test
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.around import looked, row_function
from pillarbox_codegen.plan.brings import rows_of
from pillarbox_codegen.plan.emissions import key_text
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.steps import arguments_text, taken_names
from pillarbox_codegen.python_code import TRUE, Level
from pillarbox_codegen.reads import reads
from pillarbox_codegen.statements import Line, Statement, branch, comprehension, lines_of, loop, with_lines

#: What `emits` names besides the fields of the update -> its text.
_AROUND: Mapping[str, str] = {
    "batch_date": "around.date",
    "server_now": "around.now",
    "server_seconds": "(around.now // 1000)",
    "claim_end": "claim_end",
}


@dataclass(frozen=True, slots=True)
class MethodPlan:
    """A method without parameters."""

    name: str
    result: str
    doc: str
    lines: tuple[str, ...]


def methods_of(schema: model.Schema, imports: Imports, update: model.Update) -> tuple[MethodPlan, ...]:
    """Those that say something."""
    scope = Scope(schema, imports, _fields(update, "self"), taken_names(schema) | {"needed"})
    found = []
    if update.claim is not None:
        found.append(_claim(update.claim, scope))
    if update.beside is not None:
        found.append(_beside(update.beside, scope))
    if update.needs:
        found.append(_needs(update.needs, scope))
    if update.brings:
        found.append(_brings(update.brings, scope))
    return tuple(found)


def emit_scope(schema: model.Schema, imports: Imports, update: model.Update) -> Scope:
    """The names that the emissions of an update see."""
    taken = taken_names(schema) | {"around", "claim_end"}
    taken |= {row_function(table) for table in schema.tables}
    return Scope(
        schema,
        imports,
        {**_fields(update, "update"), **_AROUND},
        taken,
        lookup=looked(imports, "around"),
    )


def prelude(update: model.Update, lines: Sequence[str]) -> list[str]:
    """The lines that name what those of the emissions read besides the fields."""
    read = reads(lines)
    before, around = [], "self._around"
    if "around" in read:
        before, around = ["around = self._around"], "around"
    if "claim_end" in read:
        always = update.claim is not None and update.claim.unless is None
        nothing = "0" if update.claim is None or update.claim.after is None else '""'
        before.append(f"claim_end = {around}.end{f' or {nothing}' if always else ''}")
    return before


def _fields(update: model.Update, owner: str) -> dict[str, str]:
    return {field.name: f"{owner}.{names.field(field.name)}" for field in update.fields}


def _claim(claim: model.ClaimRule, scope: Scope) -> MethodPlan:
    table = scope.schema.tables[claim.cursor]
    part = [field.name for field in table.fields].index(claim.part)
    end = compile_code(claim.end, scope)
    count = "1" if claim.count is None else compile_code(claim.count, scope).at(Level.PRODUCT)
    span = f"{end.at(Level.SUM)} - {count}, {end.text}"
    if claim.after is not None:
        span = f"{compile_code(claim.after, scope).text}, {end.text}"
    claimed = scope.imports.use("pillarbox.sync", "Claim")
    lines = [f"return {claimed}({table.id}, {key_text(table.name, claim.key, scope)}, {part}, {span})"]
    what = "The span" if claim.after is None else "The step"
    doc = f"{what} of `{claim.cursor}.{claim.part}` that it covers"
    if claim.unless is not None:
        lines = [*lines_of(branch(compile_test(claim.unless, scope), [Line("return None")])), *lines]
        doc += ", if any"
    return MethodPlan("claim", f"{claimed} | None", printing.docstring(f"{doc}.", 8), tuple(lines))


def _beside(beside: model.BesideRule, scope: Scope) -> MethodPlan:
    table = scope.schema.tables[beside.cursor]
    if beside.word == "observes":
        doc = f"What it says was true at some position of `{beside.cursor}.{beside.part}`."
    else:
        doc = f"It is about the stream of `{beside.cursor}`, and comes behind its claims."
    line = f"return {table.id}, {key_text(table.name, beside.key, scope)}"
    instance = scope.imports.use("pillarbox.sync", "Instance")
    return MethodPlan("beside", f"{instance} | None", printing.docstring(doc, 8), (line,))


# ------------------------------------------------------------------------------------------------ needs


def _needs(needs: tuple[model.NeedRule, ...], scope: Scope) -> MethodPlan:
    needed = scope.imports.use("pillarbox.sync", "Need")
    always = list(takewhile(lambda need: need.each is None and need.when is None, needs))
    first = ", ".join(line for need in always for line in lines_of(_need(need, scope)))
    rest = [statement for need in needs[len(always) :] for statement in _need(need, scope)]
    inside = first if not rest else None if always else comprehension(rest)
    lines = _gathered(needed, inside, first, rest)
    doc = printing.docstring("The rows that must stand before it is applied.", 8)
    return MethodPlan("needs", f"Sequence[{needed}]", doc, tuple(lines))


def _brings(brings: tuple[model.Bring, ...], scope: Scope) -> MethodPlan:
    row = scope.imports.use("pillarbox.sync.protocol", "Row")
    statements = rows_of(brings, scope)
    inside = comprehension(statements)
    if inside is None and all(isinstance(statement, Line) for statement in statements):
        inside = ", ".join(lines_of(statements))
    lines = _gathered(row, inside, "", statements)
    doc = printing.docstring("The rows that it writes itself.", 8)
    return MethodPlan("brings", f"Sequence[{row}]", doc, tuple(lines))


def _gathered(type_: str, inside: str | None, first: str, rest: Sequence[Statement]) -> list[str]:
    """The list of what stands `inside` brackets; where that is not all, `first` and what `rest` gives."""
    if inside is not None:
        return [f"return [{inside}]"]
    added = with_lines(rest, lambda text: f"needed.append({text})")
    return [f"needed: list[{type_}] = [{first}]", *lines_of(added), "return needed"]


def _need(need: model.NeedRule, scope: Scope) -> tuple[Statement, ...]:
    if need.each is None:
        return _conditional(need, scope)
    items = compile_items(need.each.items, scope)
    name = scope.fresh(need.each.name)
    return loop(name, items, _conditional(need, scope.bind(**{need.each.name: name})))


def _conditional(need: model.NeedRule, scope: Scope) -> tuple[Statement, ...]:
    when = TRUE if need.when is None else compile_test(need.when, scope)
    needed, absent = (scope.imports.use("pillarbox.sync", name) for name in ("Need", "Absent"))
    table = scope.schema.tables[need.table]
    arguments = [f"({table.id}, {key_text(table.name, need.key, scope)})", f"{absent}.{need.absent.upper()}"]
    if need.request is not None:
        request = scope.imports.use(".requests", names.wire_class(need.request))
        arguments.append(f"{request}({arguments_text(need.arguments, scope)})")
    return branch(when, [Line(f"{needed}({', '.join(arguments)})")])
