"""The steps `anchor`, `advance`, `mark` and `confirm` as Python statements.

Depends on: model, expr_python, statements, step_writer, names.  Never on: templates.
"""

from __future__ import annotations

from collections.abc import Sequence

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_code, compile_expr
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.kept_bases import advance_method, called_for_anchor
from pillarbox_codegen.plan.step_writer import PLAIN, StepWriter
from pillarbox_codegen.python_code import Level
from pillarbox_codegen.statements import Line, Statement


def _anchor(writer: StepWriter, step: model.AnchorStep, scope: Scope) -> Sequence[Statement]:
    table = writer.schema.tables[step.table]
    called = called_for_anchor(table)
    arguments = [compile_expr(part, scope) for part in step.at]
    if not step.set:
        return [Line(f"{writer.table(step.table)}.remove({', '.join(arguments)})")]
    for name, parts in step.set:
        values = [compile_expr(part, scope) for part in parts]
        text = values[0] if len(values) == 1 else f"({', '.join(values)})"
        arguments.append(f"{called[name]}={text}")
    before: list[Statement] = []
    if step.as_of is not None:
        held = scope.fresh("held")
        key = ", ".join(compile_expr(part, scope) for part in step.as_of.key)
        before.append(Line(f"{held} = {writer.table(step.as_of.cursor)}.get({key})"))
        part = f"(0 if {held} is None else {held}.{names.field(step.as_of.part)})"
        end = compile_code(step.as_of.end, scope).at(Level.BIT_OR)
        arguments.append(f"{called['current']}={part} == {end}")
    return [*before, Line(f"{writer.table(step.table)}.anchor({', '.join(arguments)})")]


def _advance(writer: StepWriter, step: model.AdvanceStep, scope: Scope) -> Sequence[Statement]:
    arguments = [compile_expr(part, scope) for part in (*step.at, *step.to)]
    if step.flag is not None:
        arguments.append(f"flag={compile_expr(step.flag, scope)}")
    return [Line(f"{writer.table(step.table)}.{advance_method(step.mark)}({', '.join(arguments)})")]


def _mark(writer: StepWriter, step: model.MarkStep, scope: Scope) -> Sequence[Statement]:
    table = writer.schema.tables[step.table]
    arguments = [compile_expr(part, scope) for part in step.at]
    if step.record is None or len(table.fields) == 1:
        return [Line(f"{writer.table(step.table)}.mark({', '.join(arguments)})")]
    called = called_for_anchor(table)
    arguments += [f"{called[named.name]}={compile_expr(named.expr, scope)}" for named in step.record]
    return [Line(f"{writer.table(step.table)}.mark_as({', '.join(arguments)})")]


def _confirm(writer: StepWriter, step: model.ConfirmStep, scope: Scope) -> Sequence[Statement]:
    arguments = [compile_expr(part, scope) for part in step.at]
    if step.version is not None:
        arguments.append(compile_expr(step.version, scope))
    return [Line(f"{writer.table(step.table)}.confirm({', '.join(arguments)})")]


PLAIN.update(
    {
        model.AnchorStep: _anchor,
        model.AdvanceStep: _advance,
        model.MarkStep: _mark,
        model.ConfirmStep: _confirm,
    }
)
