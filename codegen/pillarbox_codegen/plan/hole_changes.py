"""What operations change of rows that pages bring, as Python text.

Depends on: model, expr_python, statements, names.  Never on: requests, answers.
"""

from __future__ import annotations

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope, compile_expr, compile_items, compile_test
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.steps import taken_names
from pillarbox_codegen.python_code import TRUE
from pillarbox_codegen.statements import Line, Statement, branch, comprehension, lines_of, loop, with_lines


def spoiling_name(rule: model.HoleRule) -> str:
    """The constant with the operations of which no more is known."""
    return f"_{rule.name.upper()}_SPOILING"


def spoiling_text(imports: Imports, rule: model.HoleRule) -> str | None:
    """`NAME: Final = (..)`, if there are any."""
    if not rule.spoiling:
        return None
    classes = [imports.use(".operations", names.class_name(name)) for name in rule.spoiling]
    return f"{spoiling_name(rule)}: Final = {printing.tuple_text(classes)}"


def note_lines(schema: model.Schema, imports: Imports, rule: model.HoleRule) -> list[str]:
    """The lines of a function that tells what an operation changes; None: nobody knows."""
    changes: dict[str, list[model.HoleChange]] = {}
    for change in rule.changes:
        changes.setdefault(change.operation, []).append(change)
    taken = taken_names(schema) | {"operation", "notes"}
    alike: dict[tuple[str, ...], list[str]] = {}
    for operation, those in changes.items():
        alike.setdefault(tuple(_listed(schema, imports, those, set(taken))), []).append(operation)
    lines: list[str] = []
    for operations in alike.values():
        names_here = set(taken)
        noted = _listed(schema, imports, changes[operations[0]], names_here)
        if _names_stay(noted):
            taken = names_here
        classes = [imports.use(".operations", names.class_name(operation)) for operation in operations]
        kind = classes[0] if len(classes) == 1 else printing.tuple_text(classes)
        lines += [f"if isinstance(operation, {kind}):", *(f"    {line}" for line in noted)]
    if "    return notes" in lines:
        lines.insert(0, f"notes: list[{imports.use('pillarbox.sync.hole_specs', 'Note')}] = []")
    if rule.spoiling:
        lines.append(f"return None if isinstance(operation, {spoiling_name(rule)}) else []")
    else:
        lines.append("return []")
    return lines


def _listed(
    schema: model.Schema, imports: Imports, changes: list[model.HoleChange], taken: set[str]
) -> list[str]:
    operation = schema.operations[changes[0].operation]
    fields = {param.name: f"operation.{names.field(param.name)}" for param in operation.params}
    scope = Scope(schema, imports, fields, taken)
    statements = [statement for change in changes for statement in _noted(change, scope)]
    inside = comprehension(statements)
    if inside is None and all(isinstance(statement, Line) for statement in statements):
        inside = ", ".join(lines_of(statements))
    if inside is not None:
        return [f"return [{inside}]"]
    return [*lines_of(with_lines(statements, lambda text: f"notes.append({text})")), "return notes"]


def _names_stay(lines: list[str]) -> bool:
    """Whether the function has names of theirs from there on, of one type each."""
    return len(lines) > 1 or ":=" in lines[0]


def _noted(change: model.HoleChange, scope: Scope) -> tuple[Statement, ...]:
    if change.each is None:
        return _one(change, scope)
    items = compile_items(change.each.items, scope)
    name = scope.fresh(change.each.name)
    return loop(name, items, _one(change, scope.bind(**{change.each.name: name})))


def _one(change: model.HoleChange, scope: Scope) -> tuple[Statement, ...]:
    note = scope.imports.use("pillarbox.sync.hole_specs", "Note")
    given = []
    if change.group:
        parts = [f"({place}, {compile_expr(expr, scope)})" for place, expr in change.group]
        given.append(printing.tuple_text(parts))
    ids = [compile_expr(part, scope) for part in change.id]
    if ids:
        text = ids[0] if len(ids) == 1 else printing.tuple_text(ids)
        given.append(text if given else f"id={text}")
    if change.part:
        given.append("part=True")
    when = TRUE if change.when is None else compile_test(change.when, scope)
    return branch(when, [Line(f"{note}({', '.join(given)})")])
