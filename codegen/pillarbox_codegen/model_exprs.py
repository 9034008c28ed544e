"""Expressions, as checked: each node knows its type.

Depends on: model_types.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from pillarbox_codegen.model_types import Type


@dataclass(frozen=True, slots=True)
class Literal_:
    """An integer, text, bool or none; `[a, b]` of constants is a `Tuple_`."""

    value: int | str | bool | None
    type: Type


@dataclass(frozen=True, slots=True)
class EnumValue:
    enum: str
    value: str
    type: Type


@dataclass(frozen=True, slots=True)
class Local:
    """A name bound in scope: parameter, field of the bare source row, let, each variable, part, `row`."""

    name: str
    kind: Literal["param", "field", "local", "part", "row"]
    type: Type


@dataclass(frozen=True, slots=True)
class Constant:
    """`seeds.NAME`; the value is typed by its use. Lists are tuples."""

    name: str
    value: int | str | bool | tuple[int | str | bool, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Path:
    """`of.field`. `lifted`: `of` may be none, so may the result. `mapped`: `of` is a list, and the result."""

    of: Expr
    field: str
    type: Type
    lifted: bool = False
    mapped: bool = False


@dataclass(frozen=True, slots=True)
class Lookup:
    """`table(key)` -> opt<row>. `key` has one expression per key part; none in any part gives none."""

    table: str
    key: tuple[Expr, ...]
    type: Type
    #: The identity that the key is of; none where it is the table's own.
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Tuple_:
    """`[a, b]` where a key or a list is expected; `type` says which (TupleOf or ListOf)."""

    items: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Unary:
    op: Literal["-", "not"]
    operand: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Binary:
    """`+ -` on ints and lists; `*` of ints, one of them a number that is written; comparisons (false with
    none); `and or`; `//`; `in` a list or tuple.
    """

    op: Literal["+", "-", "*", "==", "!=", "<", "<=", ">", ">=", "and", "or", "//", "in"]
    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Is:
    """`x is present`, `x is none`, `x is Case`."""

    of: Expr
    what: Literal["present", "none", "case"]
    case: str | None
    type: Type


@dataclass(frozen=True, slots=True)
class Has:
    """`flags has incoming`: a bit test; false when the flags are none."""

    of: Expr
    bit: int
    flag: str
    type: Type


@dataclass(frozen=True, slots=True)
class If:
    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Call:
    """A built-in: min max bits size first last any concat join case flags count sum every.

    `flags(a: p, b: q)` has `names` = the flag names; `case(x, Photo)` has `names` = ("Photo",).
    """

    function: str
    arguments: tuple[Expr, ...]
    type: Type
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Make:
    """`make(Type, field: e)`, or a mapping where a row or record is expected; what is not named defaults."""

    target: Type
    fields: tuple[tuple[str, Expr], ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Scan:
    """`table.prefix([..])`: rows whose keys begin so; or one of them.

    `floor`: the last that is not behind `at`, the key parts that follow the prefix; `ceiling`: the first
    that is not before it.
    """

    table: str
    prefix: tuple[Expr, ...]
    type: Type
    end: Literal["all", "first", "last", "floor", "ceiling"] = "all"
    at: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Spans:
    """`spans(rows, by: [..], of: ..)`; `by` and `of` are over the fields of one row, by bare name."""

    rows: Expr
    by: tuple[tuple[str, Expr], ...]
    of: Expr
    type: Type


Expr: TypeAlias = (
    Literal_
    | EnumValue
    | Local
    | Constant
    | Path
    | Lookup
    | Tuple_
    | Unary
    | Binary
    | Is
    | Has
    | If
    | Call
    | Make
    | Scan
    | Spans
)
