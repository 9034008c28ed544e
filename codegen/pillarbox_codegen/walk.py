"""What expressions and steps are made of.

Depends on: model.  Never on: what is done about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Final

from pillarbox_codegen import model

#: What the annotation of a field is made of that holds no expression, step or type.
_PLAIN: Final = frozenset({"str", "int", "float", "bool", "bytes", "None", "tuple"})
_WORD: Final = re.compile(r"\w+")


def nodes(thing: object, *, own: bool = False) -> Iterator[object]:
    """An expression or step, or a tuple of them, and everything in it, types included.

    `own`: but for what other operations do, in which names are others.
    """
    pending = [thing]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending += reversed(node)
        else:
            kind: Any = type(node)
            names = _field_names(kind)
            if names is not None:
                yield node
                pending += [getattr(node, name) for name in names if not (own and name == "does")]


@cache
def _field_names(kind: type) -> tuple[str, ...] | None:
    """Those that may hold something, the last first; None: no dataclass."""
    if not is_dataclass(kind):
        return None
    holding = [field.name for field in fields(kind) if not _PLAIN.issuperset(_WORD.findall(str(field.type)))]
    return tuple(reversed(holding))


def names_in(thing: object) -> set[str]:
    """Fields, variables and parameters that it reads, however deep."""
    return {node.name for node in nodes(thing, own=True) if isinstance(node, model.Local)}


def scans_in(thing: object) -> bool:
    """Whether it reads rows under a prefix."""
    return any(isinstance(node, model.Scan) for node in nodes(thing))


def lookups_in(thing: object) -> list[model.Lookup]:
    """The rows that it looks up, in order."""
    return [node for node in nodes(thing) if isinstance(node, model.Lookup)]


def fields_used(thing: object, name: str) -> set[str] | None:
    """The fields that it reads of the row under a name, beside whether there is one; None: more than that."""
    if isinstance(thing, model.Local):
        return None if thing.name == name else set()
    if isinstance(thing, model.Path | model.Is) and _is_named(thing.of, name):
        if isinstance(thing, model.Path):
            return {thing.field}
        return set() if thing.what != "case" else None
    inner: tuple[object, ...] = ()
    if isinstance(thing, tuple):
        inner = thing
    elif is_dataclass(thing):
        inner = tuple(getattr(thing, field) for field in thing.__dataclass_fields__)
    found: set[str] = set()
    for one in inner:
        fields = fields_used(one, name)
        if fields is None:
            return None
        found |= fields
    return found


def _is_named(thing: object, name: str) -> bool:
    return isinstance(thing, model.Local) and thing.name == name
