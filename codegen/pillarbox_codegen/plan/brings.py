"""Rows that come along with a container, a body or an update, as Python text.

Depends on: model, around, emissions, expr_python, names, statements.  Never on: what brings them.

Law: a row comes along where its condition holds, once for each item of its list, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_items, compile_test
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.around import carriers
from pillarbox_codegen.plan.emissions import key_text
from pillarbox_codegen.python_code import TRUE
from pillarbox_codegen.statements import Line, Statement, branch, loop
from pillarbox_codegen.walk import nodes

#: The fields of what brings it that a named piece reads.
Fields: TypeAlias = "tuple[tuple[str, model.Type], ...]"
#: What is done about one row, in the scope of its item.
Doing: TypeAlias = Callable[[model.Bring, Scope], Sequence[Statement]]


def fields_of(bring: model.Bring) -> Fields:
    """What it reads of what brings it, each once."""
    found: dict[str, model.Type] = {}
    said = nodes((bring.each, bring.when, bring.key, bring.emits))
    for field in (node for node in said if isinstance(node, model.Local) and node.kind == "param"):
        # Behind a condition that it is there a field has a narrower type; before it, its own.
        if isinstance(field.type, model.Optional) or field.name not in found:
            found[field.name] = field.type
    return tuple(sorted(found.items()))


def brought_functions(protocol: model.Protocol) -> dict[tuple[str, Fields], str]:
    """The functions of those with a name that ask something: one for each, and each types of its fields."""
    named = [bring for rule in carriers(protocol) for bring in rule.brings if bring.name and bring.emits]
    taken = {f"brought_{bring.name}" for bring in named}
    found: dict[tuple[str, Fields], str] = {}
    for bring in named:
        key, function = (bring.name, fields_of(bring)), f"brought_{bring.name}"
        if key not in found:
            found[key] = names.fresh(function, taken) if function in found.values() else function
    return found


def of_each(brings: Sequence[model.Bring], scope: Scope, doing: Doing) -> list[Statement]:
    """The statements that do something about each row that comes along."""
    found: list[Statement] = []
    for bring in brings:
        each, inner = bring.each, scope
        items = "" if each is None else compile_items(each.items, scope)
        name = "" if each is None else scope.of_loop(each.name, each.items.type)
        if each is not None:
            inner = scope.bind(**{each.name: name})
        when = TRUE if bring.when is None else compile_test(bring.when, inner)
        body = branch(when, doing(bring, inner))
        found += body if each is None else loop(name, items, body)
    return found


def rows_of(brings: Sequence[model.Bring], scope: Scope) -> list[Statement]:
    """The rows, each on a line of its own: `(3, users_key(u.user_id))`."""

    def row(bring: model.Bring, inner: Scope) -> Sequence[Statement]:
        return [Line(f"({scope.schema.tables[bring.table].id}, {key_text(bring.table, bring.key, inner)})")]

    return of_each(brings, scope, row)
