"""The parts of views, as checked.

Depends on: model_exprs, model_types, model_windows.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from pillarbox_codegen.model_exprs import Expr
from pillarbox_codegen.model_types import Type
from pillarbox_codegen.model_windows import WindowPart


@dataclass(frozen=True, slots=True)
class BackHop:
    """Rows of `table` whose keys begin with these: each a field of the row of a step, 0 the changed one."""

    table: str
    at: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Back:
    """The way from a changed row of `table` to the keys of the rows that it hangs on.

    Where a field of `maybe` is absent in it, it leads nowhere.
    """

    table: str
    steps: tuple[BackHop, ...]
    key: tuple[tuple[int, str], ...]
    maybe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartCommon:
    name: str
    doc: str
    when: Expr | None
    #: None = every field; () = hidden; else the fields that count as seen.
    show: tuple[str, ...] | None
    #: What hangs on each row, in order: `with`. In its expressions `row` is the row of the part around it,
    #: and in those of an `each` `item` is the value.
    children: tuple[Part, ...] = ()
    #: Taken when the view is opened, and kept.
    held: bool = False
    #: Where `where` reads children: how changes of those lead back to rows of the part.
    back: tuple[Back, ...] = ()
    #: The shape that the children are, if it is all of them, and that which the part itself stands in.
    shape: str | None = None
    of_shape: str | None = None


@dataclass(frozen=True, slots=True)
class GetPart:
    common: PartCommon
    table: str
    at: tuple[Expr, ...]
    or_default: bool


@dataclass(frozen=True, slots=True)
class GetEachPart:
    """`at` is a list of key values (lone key part) or of tuples, or one expression per key part of
    which some are lists (the product).

    With `over`, a list, it is one expression per key part over `item`, for each item where `where` holds.
    """

    common: PartCommon
    table: str
    at: tuple[Expr, ...]
    over: Expr | None = None
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class ScanPart:
    """`rows` names the table whose rows the part yields: the scanned one, or the source of an index.

    Parts of `prefix` may be lists: each value is a lane, all in the order of the rest of the key or, `chain`,
    one behind the other. `starts_with` begins the part of the key that follows; `low` and `high` are the
    first parts that follow, of which those of `high` are not in it. An absent bound bounds nothing.
    """

    common: PartCommon
    table: str
    rows: str
    prefix: tuple[Expr, ...]
    newest_first: bool
    limit: Expr | None
    where: Expr | None
    starts_with: Expr | None = None
    low: tuple[Expr, ...] = ()
    high: tuple[Expr, ...] = ()
    chain: bool = False


@dataclass(frozen=True, slots=True)
class AggregatePart:
    """Over a table (`of_table`, `prefix`) or an earlier list part (`of_part`); `of` and `where` see `row`.

    Of `first`, `of` says how many rows; none is one row, and no list. `deep`: it is over the values of an
    `each`, or what hangs on the rows is read as well.
    """

    common: PartCommon
    function: Literal["count", "sum", "min", "max", "any", "every", "first"]
    of: Expr | None
    of_table: str | None
    of_part: str | None
    prefix: tuple[Expr, ...]
    where: Expr | None
    type: Type
    deep: bool = False


@dataclass(frozen=True, slots=True)
class ValuePart:
    """A term over what is earlier."""

    common: PartCommon
    of: Expr


@dataclass(frozen=True, slots=True)
class RangePart:
    """The first or last range of a group and space; all of them are a scan."""

    common: PartCommon
    table: str
    at: tuple[Expr, ...]
    pick: Literal["earliest", "latest"]


@dataclass(frozen=True, slots=True)
class SearchPart:
    """The rows of `rows`, the source of a table of words, in which the words of `match` are.

    `filters` are the places of the table's filters and what is asked for; an absent value asks for nothing.
    """

    common: PartCommon
    table: str
    rows: str
    match: Expr
    filters: tuple[tuple[int, Expr], ...]
    #: Those first in which most of what is looked for stands; else in the order of the keys.
    by_relevance: bool
    newest_first: bool
    limit: Expr | None
    where: Expr | None


@dataclass(frozen=True, slots=True)
class EachPart:
    """The values of a list. In the expressions of its children `item` is the value."""

    common: PartCommon
    items: Expr
    item: Type


@dataclass(frozen=True, slots=True)
class ChangesPart:
    """The rows under a prefix that the last commit touched; removed ones as they were."""

    common: PartCommon
    table: str
    prefix: tuple[Expr, ...]
    kind: Literal["inserted", "removed", "updated", "any"]
    where: Expr | None


@dataclass(frozen=True, slots=True)
class WantedPart:
    """The holes that live windows want filled under this name."""

    common: PartCommon
    want: str


Part: TypeAlias = (
    GetPart
    | GetEachPart
    | EachPart
    | ScanPart
    | WindowPart
    | RangePart
    | SearchPart
    | AggregatePart
    | ValuePart
    | ChangesPart
    | WantedPart
)
