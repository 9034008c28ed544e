"""What expressions and steps are made of.

Depends on: model.  Never on: what is done about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass

from pillarbox_codegen import model


def nodes(thing: object) -> Iterator[object]:
    """An expression or step, or a tuple of them, and everything in it, types included."""
    pending = [thing]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending += reversed(node)
        elif is_dataclass(node):
            yield node
            pending += [getattr(node, name) for name in reversed(node.__dataclass_fields__)]


def names_in(thing: object) -> set[str]:
    """Fields, variables and parameters that it reads, however deep."""
    return {node.name for node in nodes(thing) if isinstance(node, model.Local)}


def scans_in(thing: object) -> bool:
    """Whether it reads rows under a prefix."""
    return any(isinstance(node, model.Scan) for node in nodes(thing))


def lookups_in(thing: object) -> list[model.Lookup]:
    """The rows that it looks up, in order."""
    return [node for node in nodes(thing) if isinstance(node, model.Lookup)]
