"""Plans what a table does to a row before it is written over another: what it keeps, what counts the writes.

Depends on: model, keeps, statements, names.  Never on: the rest of the table's class.

Law: a write that changes nothing but what counts the writes changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope, compile_expr, compile_loop, compile_test
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.checks import needs_check
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.keeps import asks_new_late, keep
from pillarbox_codegen.plan.step_writer import taken_names
from pillarbox_codegen.plan.structs import row_fields
from pillarbox_codegen.python_code import TRUE, Level, printed
from pillarbox_codegen.statements import Line, Statement, branch, lines_of
from pillarbox_codegen.type_rules import INT_RANGES

#: The text of the call that gives the next number of a filled field of `row`.
Next = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class MethodPlan:
    """One private method; `call` are the statements of `put_was` that use it."""

    head: str
    doc: str
    lines: tuple[str, ...]
    call: tuple[str, ...]


def keeps(table: model.Table) -> bool:
    """Whether a put over a row keeps something, so that a patch must say that it does not."""
    return any(isinstance(rule, model.Keep) for rule in table.upsert)


def plan_upsert(schema: model.Schema, imports: Imports, table: model.Table, next_: Next) -> list[MethodPlan]:
    """The methods, in the order of their calls."""
    if not table.upsert and not computes(table):
        return []
    row_class = imports.use(".types", names.row_class(table.name))
    scope = Scope(schema, imports, {"old": "old", "new": "new"}, {"old", "new", "row", "self", "replace"})
    plans = []
    kept = [rule for rule in table.upsert if isinstance(rule, model.Keep)]
    if kept:
        plans.append(_kept(kept, table, scope, row_class))
    if computes(table):
        plans.append(_computed(schema, imports, table, row_class))
    counted = [rule for rule in table.upsert if not isinstance(rule, model.Keep)]
    if counted:
        plans.append(_counted(counted, table, scope, row_class, next_))
    return plans


def computes(table: model.Table) -> bool:
    """Whether fields follow from the row that is written."""
    return any(field.computed is not None for field in table.fields)


def _computed(schema: model.Schema, imports: Imports, table: model.Table, row_class: str) -> MethodPlan:
    fields = {field.name: f"row.{names.field(field.name)}" for field in row_fields(table)}
    scope = Scope(schema, imports, fields, taken_names(schema) | {"row"})
    lines, texts, stands = [], [], []
    for field in table.fields:
        if field.computed is not None:
            local, own = scope.fresh(names.local(field.name)), names.field(field.name)
            lines.append(f"{local} = {_value(schema, imports, field.computed, scope)}")
            texts.append(f"{own}={local}")
            stands.append(f"row.{own} == {local}")
    replace = imports.use("msgspec.structs", "replace")
    check = []
    if needs_check(schema, table):
        check = [f"    {imports.use('.checks', names.check_function(table.name))}(row)"]
    return MethodPlan(
        head=f"_computed(self, row: {row_class}) -> {row_class}",
        doc=printing.docstring("The row with the fields that follow from the others.", 8),
        lines=(
            *lines,
            f"return row if {' and '.join(stands)} else {replace}(row, {', '.join(texts)})",
        ),
        call=("given, row = row, self._computed(row)", "if row is not given:", *check)
        if check
        else ("row = self._computed(row)",),
    )


def _value(schema: model.Schema, imports: Imports, computed: model.Computed, scope: Scope) -> str:
    """The text of the field's value."""
    assert computed.expr is not None, "the checker fills it in"
    if computed.intern is None:
        return compile_expr(computed.expr, scope)
    sequence = schema.sequences[computed.intern]
    key = imports.use(".keys", names.key_function(sequence.name))
    empty = '""' if sequence.intern == model.Scalar("text") else 'b""'

    def number(value: str) -> str:
        group = [f"row.{names.field(part.name)}" for part in sequence.per]
        own, none = (f"{key}({', '.join([*group, one])})" for one in (value, empty))
        return f"self._next_{sequence.name}.number({own}, {none})"

    if not computed.many:
        return number(compile_expr(computed.expr, scope))
    there, numbers = compile_loop([("item", computed.expr)], scope, lambda texts: number(texts[0]))
    text = f"tuple({numbers.text})"
    return text if there == TRUE else f"{text} if {printed(there).at(Level.OR)} else ()"


def _kept(rules: Sequence[model.Keep], table: model.Table, scope: Scope, row_class: str) -> MethodPlan:
    late = asks_new_late(rules)
    row = "row" if late else "new"
    body = keep(rules, table, scope, old="old", row=row, new="new")
    unset = late and rules[0].when is not None
    lines = [*(["row = new"] if unset else []), *lines_of(body), f"return {row}"]
    return MethodPlan(
        head=f"_kept(self, old: {row_class}, new: {row_class}) -> {row_class}",
        doc=printing.docstring("The new row with what it keeps of the old one.", 8),
        lines=tuple(lines),
        call=("if keep and was is not None:", "    row = self._kept(was, row)"),
    )


def _counted(
    rules: Sequence[model.Bump | model.Renumber],
    table: model.Table,
    scope: Scope,
    row_class: str,
    next_: Next,
) -> MethodPlan:
    replace = scope.imports.use("msgspec.structs", "replace")
    fields = ", ".join(f"{names.field(rule.field)}=old.{names.field(rule.field)}" for rule in rules)
    asked = any(rule.when is not None for rule in rules)
    row = "row" if asked else "new"
    changes = []
    for rule in rules:
        value = next_(rule.field, row) if isinstance(rule, model.Renumber) else _bumped(rule, table)
        changes.append(f"{names.field(rule.field)}={value}")
    body: list[Statement] = []
    if asked:
        for rule, change in zip(rules, changes, strict=True):
            condition = TRUE if rule.when is None else compile_test(rule.when, scope)
            body += branch(condition, [Line(f"{row} = {replace}({row}, {change})")])
    last = row if asked else f"{replace}(new, {', '.join(changes)})"
    return MethodPlan(
        head=f"_counted(self, old: {row_class}, new: {row_class}) -> {row_class}",
        doc=printing.docstring("The new row, counted as one more write unless it changes nothing.", 8),
        lines=(
            f"{row} = {replace}(new, {fields})",
            f"if {row} == old:",
            f"    return {row}",
            *lines_of(body),
            f"return {last}",
        ),
        call=("if was is not None:", "    row = self._counted(was, row)"),
    )


def _bumped(rule: model.Bump, table: model.Table) -> str:
    type_ = next(field.type for field in table.fields if field.name == rule.field)
    assert isinstance(type_, model.Scalar)
    value = f"old.{names.field(rule.field)}"
    return f"{value} + 1 if {value} < {INT_RANGES[type_.name][1]} else 0"
