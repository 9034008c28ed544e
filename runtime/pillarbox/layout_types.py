"""The types in a layout, as the generator prints them: their texts, and what values of them are stored as.

Depends on: nothing.  Never on: storage or tables; a layout is plain data.

Law: a text is taken apart into what the generator put together, at any depth.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Json: TypeAlias = Any


def kind_of(named: Json) -> str:
    """Which of the kinds of types it is that has a name."""
    for kind in ("record", "union", "enum", "flags", "packed", "id"):
        if kind in named:
            return kind
    raise ValueError(f"a layout type of no known kind: {sorted(named)}")


def base_of(head: str, named: Json | None) -> str:
    """Ids and flags are stored as what they stand for: a plain int64 and an id over it are the same bytes.

    An enum is not, since it does not take every number.
    """
    if named is None:
        return head
    if "id" in named:
        return str(named["id"])
    if "packed" in named:
        return "int64"
    return str(named["base"]) if "flags" in named else head


def by_number(values: Mapping[str, int]) -> dict[str, str]:
    """The values of an enum by their numbers, as text."""
    return {str(number): name for name, number in values.items()}


def with_article(kind: str) -> str:
    """A kind, as it stands in a sentence."""
    return f"an {kind}" if kind in ("id", "enum") else f"a {kind}"


def split(text: str) -> tuple[str, list[str]]:
    """`map<int32, opt<X>>` -> ("map", ["int32", "opt<X>"])."""
    head, opened, rest = text.partition("<")
    if not opened:
        return text, []
    arguments, depth, start = [], 0, 0
    inner = rest[:-1]
    for position, character in enumerate(inner):
        if character == "<":
            depth += 1
        elif character == ">":
            depth -= 1
        elif character == "," and depth == 0:
            arguments.append(inner[start:position].strip())
            start = position + 1
    arguments.append(inner[start:].strip())
    return head, arguments


def default_of(field: Json, types: Mapping[str, Json]) -> Json:
    """The default of a field as a row would hold it; of an optional enum, layouts once had its name there."""
    default = field["default"]
    head, arguments = split(field["type"])
    named = types.get(arguments[0] if head == "opt" else head, {})
    return named["enum"].get(default, default) if "enum" in named and isinstance(default, str) else default


def is_optional(field: Json) -> bool:
    """Whether the value of a field may be absent."""
    return split(field["type"])[0] == "opt"


def may_be_left_out(table: Json, field: Json) -> bool | None:
    """Whether packed rows may lack a field of their table; None where a layout of before does not tell.

    Of what is filled when a row is made, the stored row lacks nothing.
    """
    if "default" not in field:
        return False
    if is_optional(field):
        return True
    return field["number"] not in table["whole"] if "whole" in table else None
