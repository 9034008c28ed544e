"""The checked schema: frozen, typed, every name resolved. What the checker proves, the planner may assume.

Depends on: nothing.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

# --------------------------------------------------------------------------------------------- types

ScalarName: TypeAlias = Literal[
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float64", "text", "bytes",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scalar:
    name: ScalarName


@dataclass(frozen=True, slots=True)
class Named:
    """A type declared under `types:`; look it up in `Schema.types`."""

    name: str


@dataclass(frozen=True, slots=True)
class RowOf:
    """The row struct of a table, sequence or cursor."""

    table: str


@dataclass(frozen=True, slots=True)
class ListOf:
    item: Type


@dataclass(frozen=True, slots=True)
class MapOf:
    """Stored as pairs sorted by key."""

    key: Type
    value: Type


@dataclass(frozen=True, slots=True)
class Optional:
    item: Type


@dataclass(frozen=True, slots=True)
class CaseOf:
    """One case of a union: what `case(x, Photo)` and `make(Photo, ..)` give."""

    union: str
    case: str


@dataclass(frozen=True, slots=True)
class TupleOf:
    """Only in expressions: the type of `[a, b]` and of `put .. as` results' keys."""

    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class PutResult:
    """Only in expressions: `put .. as x` gives `x.was: opt<row>` and `x.row: row`."""

    table: str


@dataclass(frozen=True, slots=True)
class NoneType:
    """Only in expressions: the type of the literal `none`."""


Type: TypeAlias = Scalar | Named | RowOf | ListOf | MapOf | Optional | CaseOf | TupleOf | PutResult | NoneType


@dataclass(frozen=True, slots=True)
class Field:
    """A numbered field of a record, a parameter list or an event."""

    number: int
    name: str
    type: Type
    doc: str = ""
    #: A literal default (int, str, bool, float, None, or () for lists and maps); see `has_default`.
    default: int | str | bool | float | tuple[()] | None = None
    has_default: bool = False
    #: The sequence that numbers this field when it is 0 at the first put.
    fill: str | None = None


@dataclass(frozen=True, slots=True)
class IdType:
    name: str
    base: Scalar
    doc: str = ""


@dataclass(frozen=True, slots=True)
class PackedPart:
    name: str
    type: Type
    bits: int
    #: Distance of the part's lowest bit from the lowest bit of the id.
    shift: int
    signed: bool


@dataclass(frozen=True, slots=True)
class PackedId:
    name: str
    parts: tuple[PackedPart, ...]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class EnumType:
    name: str
    base: Scalar
    values: tuple[tuple[str, int], ...]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class FlagsType:
    name: str
    base: Scalar
    bits: tuple[tuple[str, int], ...]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class RecordType:
    name: str
    fields: tuple[Field, ...]
    reserved: tuple[int, ...] = ()
    doc: str = ""


@dataclass(frozen=True, slots=True)
class UnionCase:
    number: int
    name: str
    fields: tuple[Field, ...]
    reserved: tuple[int, ...] = ()
    doc: str = ""


@dataclass(frozen=True, slots=True)
class UnionType:
    name: str
    cases: tuple[UnionCase, ...]
    doc: str = ""


TypeDef: TypeAlias = IdType | PackedId | EnumType | FlagsType | RecordType | UnionType

# --------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Place:
    """Where a thing stands in the YAML: 1-based line and column."""

    file: str
    line: int
    column: int


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
    """`+ -` on ints and lists; comparisons (false with none); `and or`; `//`; `in` a list or tuple."""

    op: Literal["+", "-", "==", "!=", "<", "<=", ">", ">=", "and", "or", "//", "in"]
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
)

# -------------------------------------------------------------------------------------------- tables


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


@dataclass(frozen=True, slots=True)
class Count:
    source: str
    each: tuple[EachVar, ...]
    when: Expr | None
    group: tuple[NamedExpr, ...]
    sums: tuple[NamedExpr, ...]


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


Rule: TypeAlias = Index | Count | Top


@dataclass(frozen=True, slots=True)
class Table:
    """A table as stored: primary (`rule` is none), derived, of a sequence or of a cursor.

    For a derived table `key` and `fields` are inferred from the rule; the fields are numbered in order.
    """

    name: str
    id: int
    doc: str
    key: tuple[KeyPart, ...]
    fields: tuple[Field, ...]
    reserved: tuple[int, ...]
    layout: Literal["record", "packed", "empty"]
    storage: Literal["clustered", "heap"]
    role: Literal["primary", "derived", "sequence", "cursor"]
    rule: Rule | None
    place: Place


@dataclass(frozen=True, slots=True)
class Sequence:
    """`Schema.tables[name]` is its table: key = per, one field `next`."""

    name: str
    type: Scalar
    per: tuple[KeyPart, ...]
    start: int


@dataclass(frozen=True, slots=True)
class ClaimRule:
    """How an update names a span of a domain; `key` has one expression per key part of the cursor."""

    cursor: str
    part: str
    key: tuple[Expr, ...]
    end: Expr
    count: Expr | None
    unless: Expr | None


@dataclass(frozen=True, slots=True)
class CursorPart:
    number: int
    name: str
    kind: Literal["counter", "stamp"]


@dataclass(frozen=True, slots=True)
class Cursor:
    """`Schema.tables[name]` is its table: key = per, fields = parts."""

    name: str
    per: tuple[KeyPart, ...]
    parts: tuple[CursorPart, ...]


# ------------------------------------------------------------------------------------- operations


@dataclass(frozen=True, slots=True)
class Modifiers:
    each: EachVar | None = None
    when: Expr | None = None
    result: str | None = None


@dataclass(frozen=True, slots=True)
class LetStep:
    names: tuple[NamedExpr, ...]
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class RequireStep:
    condition: Expr
    otherwise: tuple[Step, ...]
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class IfStep:
    condition: Expr
    then: tuple[Step, ...]
    otherwise: tuple[Step, ...]
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class PutStep:
    table: str
    row: Expr
    only: Literal["any", "new", "old"]
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class PatchField:
    field: str
    how: Literal["set", "max", "min", "add", "flags"]
    value: Expr
    clear: Expr | None = None


@dataclass(frozen=True, slots=True)
class PatchStep:
    table: str
    at: tuple[Expr, ...]
    changes: tuple[PatchField, ...]
    create: Make | None
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class RemoveStep:
    """`whole`: `at` is a full key; else a proper prefix, under which everything goes."""

    table: str
    at: tuple[Expr, ...]
    whole: bool
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class SetCursorStep:
    cursor: str
    at: tuple[Expr, ...]
    set: tuple[NamedExpr, ...]
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class EmitStep:
    event: str
    fields: tuple[NamedExpr, ...]
    mods: Modifiers


Step: TypeAlias = LetStep | RequireStep | IfStep | PutStep | PatchStep | RemoveStep | SetCursorStep | EmitStep


@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    code: int
    doc: str
    params: tuple[Field, ...]
    merge: Literal["barrier", "batch", "tail"]
    idempotent: bool
    steps: tuple[Step, ...]
    reserved: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    code: int
    doc: str
    fields: tuple[Field, ...]
    reserved: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Emission:
    """One entry of `emits`: the operation and its arguments."""

    operation: str
    arguments: tuple[NamedExpr, ...]
    each: EachVar | None
    when: Expr | None
    #: Only of a source: what names the route of its operations. None: they go with the row's group.
    by: tuple[Expr, ...] | None = None


@dataclass(frozen=True, slots=True)
class Update:
    name: str
    code: int
    doc: str
    fields: tuple[Field, ...]
    claim: ClaimRule | None
    emits: tuple[Emission, ...]
    reserved: tuple[int, ...] = ()


# ------------------------------------------------------------------------------------------- views


@dataclass(frozen=True, slots=True)
class PartCommon:
    name: str
    doc: str
    when: Expr | None
    #: None = every field; () = hidden; else the fields that count as seen.
    show: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class GetPart:
    common: PartCommon
    table: str
    at: tuple[Expr, ...]
    or_default: bool


@dataclass(frozen=True, slots=True)
class GetEachPart:
    """`at` is a list of key values (lone key part) or of tuples, or one expression per key part of
    which some are lists (the product)."""

    common: PartCommon
    table: str
    at: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ScanPart:
    """`rows` names the table whose rows the part yields: the scanned one, or the source of an index."""

    common: PartCommon
    table: str
    rows: str
    prefix: tuple[Expr, ...]
    newest_first: bool
    limit: Expr | None
    where: Expr | None


@dataclass(frozen=True, slots=True)
class WindowPart:
    common: PartCommon
    table: str
    rows: str
    prefix: tuple[Expr, ...]
    anchor: Literal["newest", "oldest", "at"]
    at: tuple[Expr, ...]
    before: Expr
    after: Expr
    where: Expr | None


@dataclass(frozen=True, slots=True)
class AggregatePart:
    """Over a table (`of_table`, `prefix`) or an earlier list part (`of_part`); `of` and `where` see `row`."""

    common: PartCommon
    function: Literal["count", "sum", "min", "max", "any", "every"]
    of: Expr | None
    of_table: str | None
    of_part: str | None
    prefix: tuple[Expr, ...]
    where: Expr | None
    type: Type


Part: TypeAlias = GetPart | GetEachPart | ScanPart | WindowPart | AggregatePart


@dataclass(frozen=True, slots=True)
class View:
    name: str
    doc: str
    key: tuple[Field, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Source:
    name: str
    doc: str
    #: `module:name`.
    adapter: str
    columns: tuple[Field, ...]
    #: The columns that name the group of a row; none: every emission has a `by`.
    group: tuple[str, ...]
    emits: tuple[Emission, ...]


@dataclass(frozen=True, slots=True)
class Schema:
    """Everything, in file order within each kind (files sorted by path)."""

    name: str
    doc: str
    types: dict[str, TypeDef]
    tables: dict[str, Table]  # primary, derived, and those of sequences and cursors
    sequences: dict[str, Sequence]
    cursors: dict[str, Cursor]
    events: dict[str, Event]
    operations: dict[str, Operation]
    updates: dict[str, Update]
    views: dict[str, View]
    constants: dict[str, int | str | bool | tuple[int | str | bool, ...]]
    box_seed: tuple[Step, ...]
    sources: dict[str, Source]
    #: Which file declares what: `tables.issues` -> `tables.yaml`. Printed in generated headers.
    files: dict[str, str]
