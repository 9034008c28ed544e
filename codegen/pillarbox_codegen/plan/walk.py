"""Walks over expressions.

Depends on: model.  Never on: what is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from pillarbox_codegen import model


def nodes(expr: model.Expr) -> Iterator[object]:
    """The expression and everything in it, types included."""
    pending: list[object] = [expr]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending += node
        elif is_dataclass(node):
            yield node
            pending += [getattr(node, field.name) for field in fields(node)]


def locals_in(expr: model.Expr, kind: str) -> set[str]:
    """The names of one kind that an expression reads."""
    return {node.name for node in nodes(expr) if isinstance(node, model.Local) and node.kind == kind}
