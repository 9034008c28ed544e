"""The tree of an expression's syntax; every node knows the character it begins at.

Depends on: yaml_nodes.  Never on: types, names, tables.

Law: nodes are compared by what they say, never by where they stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from pillarbox_codegen.yaml_nodes import YamlNode

Comparison: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">=", "in"]
COMPARISONS: Final[dict[str, Comparison]] = {
    "==": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "in": "in",
}  # fmt: skip


#: The function of the call that `table.prefix(key)` is read as; no name is written so.
PREFIX: Final = ".prefix"


class At(NamedTuple):
    """A character of a YAML node."""

    node: YamlNode
    offset: int


@dataclass(frozen=True, slots=True)
class ConstNode:
    value: int | str | bool | None
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class NameNode:
    name: str
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class AttrNode:
    of: Syntax
    name: str
    at: At = field(compare=False)
    name_at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class CallNode:
    """`named` holds `name: value` arguments, in order, each with where its name stands."""

    function: str
    arguments: tuple[Syntax, ...]
    named: tuple[NamedNode, ...]
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class NamedNode:
    name: str
    value: Syntax
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class ListNode:
    items: tuple[Syntax, ...]
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class MapNode:
    """A YAML mapping where a row or record is expected; text has no such form."""

    fields: tuple[NamedNode, ...]
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class UnaryNode:
    op: Literal["-", "not"]
    operand: Syntax
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class BinaryNode:
    op: Literal["+", "-", "*", "and", "or", "//"] | Comparison
    left: Syntax
    right: Syntax
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class IsNode:
    """`what` is `present`, `none` or the name of a union case."""

    of: Syntax
    what: str
    at: At = field(compare=False)
    what_at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class HasNode:
    of: Syntax
    flag: str
    at: At = field(compare=False)
    flag_at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class IfNode:
    condition: Syntax
    then: Syntax
    otherwise: Syntax
    at: At = field(compare=False)


Syntax: TypeAlias = (
    ConstNode | NameNode | AttrNode | CallNode | ListNode | MapNode
    | UnaryNode | BinaryNode | IsNode | HasNode | IfNode
)  # fmt: skip


def children(node: Syntax) -> tuple[Syntax, ...]:
    match node:
        case AttrNode(of=of) | IsNode(of=of) | HasNode(of=of) | UnaryNode(operand=of):
            return (of,)
        case CallNode():
            return (*node.arguments, *(argument.value for argument in node.named))
        case ListNode():
            return node.items
        case MapNode():
            return tuple(argument.value for argument in node.fields)
        case BinaryNode():
            return node.left, node.right
        case IfNode():
            return node.condition, node.then, node.otherwise
        case _:
            return ()
