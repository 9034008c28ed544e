"""Which names an expression reads.

Depends on: model.  Never on: what is done about it.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from pillarbox_codegen import model


def names_in(expr: model.Expr) -> set[str]:
    """Fields, variables and parameters that the expression reads, however deep."""
    found: set[str] = set()
    pending: list[object] = [expr]
    while pending:
        node = pending.pop()
        if isinstance(node, model.Local):
            found.add(node.name)
        elif isinstance(node, tuple):
            pending += node
        elif is_dataclass(node):
            pending += [getattr(node, field.name) for field in fields(node)]
    return found
