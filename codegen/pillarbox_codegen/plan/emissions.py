"""What an update or a row of a source becomes: operations made of its own fields.

Depends on: model, expr_python, statements, names.  Never on: steps.

Law: operations come in the order of `emits`, those of one `each` in the order of its list.
"""

from __future__ import annotations

from collections.abc import Sequence

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_items, compile_test
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.steps import arguments_text
from pillarbox_codegen.python_code import TRUE
from pillarbox_codegen.statements import Line, Statement, branch, comprehension, lines_of, loop, with_lines


def listed(emits: Sequence[model.Emission], scope: Scope) -> list[str]:
    """The lines of a function that gives the operations as a list."""
    statements = _statements(emits, scope)
    inside = comprehension(statements)
    if inside is None and all(isinstance(statement, Line) for statement in statements):
        inside = ", ".join(lines_of(statements))
    if inside is not None:
        return [f"return [{inside}]"]
    operation = scope.imports.use(".operations", "Operation")
    appended = with_lines(statements, lambda text: f"operations.append({text})")
    return [f"operations: list[{operation}] = []", *lines_of(appended), "return operations"]


def yielded(emits: Sequence[model.Emission], scope: Scope) -> list[str]:
    """The lines of a generator of the operations."""
    statements = with_lines(_statements(emits, scope), lambda text: f"yield {text}")
    return lines_of(statements) or ["yield from ()"]


def _statements(emits: Sequence[model.Emission], scope: Scope) -> list[Statement]:
    """What makes the operations, each on a line of its own."""
    return [statement for emission in emits for statement in _emission(emission, scope)]


def _emission(emission: model.Emission, scope: Scope) -> Sequence[Statement]:
    each = emission.each
    if each is None:
        return _emitted(emission, scope)
    items = compile_items(each.items, scope)
    name = scope.fresh(each.name)
    return loop(name, items, _emitted(emission, scope.bind(**{each.name: name})))


def _emitted(emission: model.Emission, scope: Scope) -> Sequence[Statement]:
    when = TRUE if emission.when is None else compile_test(emission.when, scope)
    class_name = scope.imports.use(".operations", names.class_name(emission.operation))
    return branch(when, [Line(f"{class_name}({arguments_text(emission.arguments, scope)})")])
