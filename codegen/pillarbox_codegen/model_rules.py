"""The words of derived and kept tables, as checked: a class for each.

Depends on: model_types, model_exprs, model_lookups.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from pillarbox_codegen.model_exprs import Expr
from pillarbox_codegen.model_lookups import With
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
    lookups: tuple[With, ...] = ()
    #: The key part that is a time, if one is.
    due: str | None = None

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables it is made from; the rows of the first fill an empty one."""
        return _once(self.source, *looked_at(self.lookups))


@dataclass(frozen=True, slots=True)
class Count:
    source: str
    each: tuple[EachVar, ...]
    when: Expr | None
    group: tuple[NamedExpr, ...]
    sums: tuple[NamedExpr, ...]
    #: The same count over each further source, whose fields its expressions read.
    further: tuple[Count, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables it is made from; the rows of each are added up."""
        return (self.source, *(count.source for count in self.further))


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
    #: All key parts behind the group, so that no two rows of one are equal.
    order: tuple[str, ...]
    first: int
    value: tuple[NamedExpr, ...]
    folds: tuple[Fold, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables it is made from; the rows of the first fill an empty one."""
        return (self.source,)


@dataclass(frozen=True, slots=True)
class Join:
    """The key of every driver is `by`, and so is that of the join."""

    drivers: tuple[str, ...]
    by: tuple[str, ...]
    lookups: tuple[With, ...]
    when: Expr | None
    row: tuple[NamedExpr, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables it is made from; the rows of its drivers fill an empty one."""
        return _once(*self.drivers, *looked_at(self.lookups))


@dataclass(frozen=True, slots=True)
class Runs:
    """Its key is that of its source; its fields name the first row of a run."""

    source: str
    group: tuple[str, ...]
    same: Expr
    longest: int

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables it is made from; the rows of the first fill an empty one."""
        return (self.source,)


@dataclass(frozen=True, slots=True)
class Refs:
    """Values of the list `field`, called `variable` one by one; `users_of` it is the index of their users."""

    name: str
    source: str
    field: str
    variable: str
    #: Of one value; its type may be optional.
    id: Expr

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables that it looks at."""
        return (self.source, users_of(self.name))


@dataclass(frozen=True, slots=True)
class Text:
    """Its key is that of its source; its field holds the words that are looked for."""

    source: str
    when: Expr | None
    of: Expr
    filters: tuple[NamedExpr, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The tables it is made from; the rows of the first fill an empty one."""
        return (self.source,)


@dataclass(frozen=True, slots=True)
class ItemList:
    """The word `list`: rows by group and position; the table `places_of` it finds an item of a group."""

    group: tuple[str, ...]
    item: tuple[str, ...]
    #: None: any number of items.
    limit: Expr | None

    @property
    def sources(self) -> tuple[str, ...]:
        """None: steps write it."""
        return ()


@dataclass(frozen=True, slots=True)
class Places:
    """(group, item) -> position, of a list."""

    of: str

    @property
    def sources(self) -> tuple[str, ...]:
        """None: the list writes it."""
        return ()


@dataclass(frozen=True, slots=True)
class Spread:
    """Steps on the space `origin` are repeated on the spaces `into`, one for each combination of `each`."""

    origin: tuple[Expr, ...]
    each: tuple[EachVar, ...]
    into: tuple[Expr, ...]
    when: Expr | None


@dataclass(frozen=True, slots=True)
class Ranges:
    """Closed ranges per group and space: the last key parts are the upper edge, the fields the lower one."""

    group: tuple[str, ...]
    space: tuple[str, ...]
    #: The types that were declared for the parts of an edge.
    over: tuple[Type, ...]
    #: None: the least or greatest that the parts hold.
    start: tuple[int, ...] | None
    end: tuple[int, ...] | None
    spread: Spread | None
    #: Whether the table `marks_of` it marks groups with a seed.
    seeded: bool

    @property
    def sources(self) -> tuple[str, ...]:
        """None: steps write it."""
        return ()


@dataclass(frozen=True, slots=True)
class SeedMarks:
    """Group -> the last upgrade that its ranges have, of a table of ranges."""

    of: str

    @property
    def sources(self) -> tuple[str, ...]:
        """None: the ranges write it."""
        return ()


@dataclass(frozen=True, slots=True)
class Holes:
    """The ranges that tell what was never fetched, by parts of a word's key."""

    table: str
    #: The group and the space.
    at: tuple[Expr, ...]
    #: The parts that the ranges are over, as they are declared.
    over: tuple[str, ...]
    #: Of a marker, the parts of a position that the ranges are over.
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Marker:
    """Its key is the group; its fields are the marks, the count, what is known, the flag."""

    over: str
    group: tuple[str, ...]
    when: Expr | None
    by: tuple[str, ...]
    #: None: every row counts.
    counts: Expr | None
    marks: tuple[str, ...]
    counted: str
    count: str
    known: str | None
    flag: str | None
    holes: Holes | None
    default: Expr | None
    stale: str

    @property
    def sources(self) -> tuple[str, ...]:
        """What it follows."""
        return (self.over,)


@dataclass(frozen=True, slots=True)
class AnchoredCount:
    """Its fields are the sums, then what the base says besides."""

    source: str
    each: tuple[EachVar, ...]
    when: Expr | None
    group: tuple[NamedExpr, ...]
    sums: tuple[NamedExpr, ...]
    #: Which groups have a base; None: all.
    anchored: Expr | None
    given: tuple[str, ...]
    base: tuple[str, ...]
    #: None: a base never has what is new here.
    covers: Expr | Literal["unknown"] | None
    holes: Holes | None
    stale: str

    @property
    def sources(self) -> tuple[str, ...]:
        """What it follows."""
        return (self.source,)


@dataclass(frozen=True, slots=True)
class Stale:
    """Its key is that of the table it is of, or one of its own; its fields are the version and the record."""

    of: str | None

    @property
    def sources(self) -> tuple[str, ...]:
        """None: steps and other words write it."""
        return ()


def users_of(name: str) -> str:
    """The index that finds the users of shared values."""
    return f"{name}_users"


def places_of(name: str) -> str:
    """The table that finds the items of a list."""
    return f"{name}_places"


def marks_of(name: str) -> str:
    """The table that marks which groups of these ranges have their seed."""
    return f"{name}_seeded"


def looked_at(lookups: tuple[With, ...]) -> tuple[str, ...]:
    """The tables that lookups read, and those that lead back from them."""
    return tuple(name for one in lookups for name in (one.table, one.via) if name is not None)


def _once(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


#: Every one says its `sources`; a word that nothing but steps writes has none.
Rule: TypeAlias = (
    Index | Count | Top | Join | ItemList | Places | Ranges | SeedMarks | Runs | Text | Refs
    | Marker | AnchoredCount | Stale
)  # fmt: skip
