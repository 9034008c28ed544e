"""The steps of lists and ranges, and `replace`, as Python statements.

Depends on: model, expr_python, statements, step_writer, names.  Never on: templates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_clause, compile_expr, compile_items
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.step_writer import PLAIN, StepWriter
from pillarbox_codegen.python_code import Code, as_test, in_clause, negated
from pillarbox_codegen.statements import Line, Statement, branch


def _range(writer: StepWriter, step: model.RangeStep, scope: Scope) -> Sequence[Statement]:
    values = [compile_expr(part, scope) for part in (*step.at, *step.space, *step.lower, *step.upper)]
    word = "add_range" if step.adds else "cut_range"
    return [Line(f"{writer.table(step.table)}.{word}({', '.join(values)})")]


def _place(writer: StepWriter, step: model.PlaceStep, scope: Scope) -> Sequence[Statement]:
    table = writer.schema.tables[step.table]
    rule = table.rule
    assert isinstance(rule, model.ItemList)
    group = [compile_expr(part, scope) for part in step.group]
    item = [compile_expr(part, scope) for part in step.item]
    at = (
        {"front": "0", "end": "None"}.get(step.at)
        if isinstance(step.at, str)
        else compile_expr(step.at, scope)
    )
    text = writer.table(step.table)
    if step.record is None and len(table.fields) > len(item):
        return [Line(f"{text}.move({', '.join((*group, *item, f'{at}'))})")]
    given = dict(zip(rule.group, group, strict=True)) | {"position": "0"}
    given |= dict(zip(rule.item, item, strict=True))
    given |= {named.name: compile_expr(named.expr, scope) for named in step.record or ()}
    row_class = writer.imports.use(".types", names.row_class(table.name))
    row = ", ".join(f"{names.field(name)}={value}" for name, value in given.items())
    return [Line(f"{text}.place({row_class}({row}), {at})")]


def _unplace(writer: StepWriter, step: model.UnplaceStep, scope: Scope) -> Sequence[Statement]:
    values = [compile_expr(part, scope) for part in (*step.group, *step.item)]
    done = f"{writer.table(step.table)}.unplace({', '.join(values)})"
    return _or_else(writer, done, step.otherwise, scope)


def _reorder(writer: StepWriter, step: model.ReorderStep, scope: Scope) -> Sequence[Statement]:
    def item(inner: Scope) -> str:
        parts = [compile_expr(part, inner) for part in step.item]
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"

    before, items = _listed(step.each, step.when, scope, item)
    arguments = [*(compile_expr(part, scope) for part in step.group), items]
    if step.same_set:
        arguments.append("same_set=True")
    done = f"{writer.table(step.table)}.reorder({', '.join(arguments)})"
    return [*before, *_or_else(writer, done, step.otherwise, scope)]


def _or_else(
    writer: StepWriter, done: str, otherwise: Sequence[model.Step], scope: Scope
) -> Sequence[Statement]:
    steps = writer.steps(otherwise, scope)
    return branch(negated(as_test(Code(done))), steps) if steps else [Line(done)]


def _replace(writer: StepWriter, step: model.ReplaceStep, scope: Scope) -> Sequence[Statement]:
    table = writer.schema.tables[step.table]
    before: Sequence[Statement] = ()
    if step.each is None:
        rows = compile_expr(step.rows, scope)
    else:
        before, rows = _listed(step.each, step.when, scope, lambda inner: compile_expr(step.rows, inner))
    method = "replace" if table.role == "kept" else names.replace_methods(table)[len(step.under) - 1]
    arguments = [*(compile_expr(part, scope) for part in step.under), rows]
    return [*before, Line(f"{writer.table(step.table)}.{method}({', '.join(arguments)})")]


def _listed(
    each: model.EachVar, when: model.Expr | None, scope: Scope, element: Callable[[Scope], str]
) -> tuple[Sequence[Statement], str]:
    """Statements before, and the text of a list with an element for each item that passes."""
    items = compile_items(each.items, scope)
    before: Sequence[Statement] = ()
    if ":=" in items:  # which Python does not allow there
        local = scope.fresh("items")
        before, items = [Line(f"{local} = {items}")], local
    name = scope.fresh(names.local(each.name))
    inner = scope.bind(**{each.name: name})
    text = element(inner)
    condition = "" if when is None else f" if {compile_clause(when, inner)}"
    if text == name and not condition:
        return before, items
    return before, f"[{text} for {name} in {in_clause(items)}{condition}]"


def _share(writer: StepWriter, step: model.ShareStep, scope: Scope) -> Sequence[Statement]:
    given = f"{compile_expr(step.id, scope)}, {compile_expr(step.value, scope)}"
    return [Line(f"{writer.table(step.table)}.{step.word}({given})")]


PLAIN.update(
    {
        model.RangeStep: _range,
        model.PlaceStep: _place,
        model.UnplaceStep: _unplace,
        model.ReorderStep: _reorder,
        model.ReplaceStep: _replace,
        model.ShareStep: _share,
    }
)
