"""The words of derived and kept tables, as checked: a class for each.

Depends on: model_types, model_exprs.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from pillarbox_codegen.model_exprs import Expr
from pillarbox_codegen.model_types import Type


@dataclass(frozen=True, slots=True)
class KeyPart:
    name: str
    type: Type
    desc: bool = False
    fill: str | None = None
    doc: str = ""


@dataclass(frozen=True, slots=True)
class NamedExpr:
    name: str
    expr: Expr
    desc: bool = False


@dataclass(frozen=True, slots=True)
class EachVar:
    name: str
    items: Expr


@dataclass(frozen=True, slots=True)
class Index:
    source: str
    each: tuple[EachVar, ...]
    when: Expr | None
    key: tuple[NamedExpr, ...]
    value: tuple[NamedExpr, ...]
    unique: Literal["no", "yes", "identity"]

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables it is made from; the rows of the first fill an empty one."""
        return (self.source,)


@dataclass(frozen=True, slots=True)
class Count:
    source: str
    each: tuple[EachVar, ...]
    when: Expr | None
    group: tuple[NamedExpr, ...]
    sums: tuple[NamedExpr, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables it is made from; the rows of the first fill an empty one."""
        return (self.source,)


@dataclass(frozen=True, slots=True)
class Across:
    part: str
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    name: str
    function: Literal["count", "sum", "min", "max", "any", "every"]
    of: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Top:
    """`source` is a table whose key begins with the group parts (then the `across` parts)."""

    source: str
    group: tuple[str, ...]
    across: tuple[Across, ...]
    order: tuple[str, ...]
    first: int
    value: tuple[NamedExpr, ...]
    folds: tuple[Fold, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables it is made from; the rows of the first fill an empty one."""
        return (self.source,)


#: Every one says its `sources`; a word that nothing but steps writes has none.
Rule: TypeAlias = Index | Count | Top
