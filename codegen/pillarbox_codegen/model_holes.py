"""How what was never fetched is fetched, as checked.

Depends on: model_types, model_exprs, model_rules, model_operations, model_sync.  Never on: YAML, templates,
the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from pillarbox_codegen.model_exprs import Expr
from pillarbox_codegen.model_operations import Emission
from pillarbox_codegen.model_rules import EachVar, NamedExpr
from pillarbox_codegen.model_sync import Asked
from pillarbox_codegen.model_types import WireOf

HoleWay: TypeAlias = Literal["up", "down", "around"]


@dataclass(frozen=True, slots=True)
class HoleAsk:
    """What is asked while `when` holds; None: if no request before is. `ask` None: nobody can be asked."""

    when: Expr | None
    ask: Asked | None


@dataclass(frozen=True, slots=True)
class HoleRest:
    """The mark that stands in place of the one that was asked for, while `when` holds."""

    when: Expr | None
    row: tuple[NamedExpr, ...]


@dataclass(frozen=True, slots=True)
class HolePage:
    """What an answer brings. `rows` is the field of its rows, which are of the table `of`.

    `id`, `belongs` and `joins` are over `row`; `whole`: whether it is all there is of what was asked for;
    `joins`: whether a row is stored already, below the mark.
    """

    answer: WireOf
    rows: str
    of: str
    id: tuple[Expr, ...]
    belongs: Expr | None
    whole: Expr | None
    as_of: Expr | None
    rest: HoleRest | None
    joins: Expr | None
    emits: tuple[Emission, ...]
    #: The body that the answer brings.
    body: str | None = None
    #: What takes rows away that are stored and not on the page, over `absent`: their ids.
    absent: tuple[Emission, ...] = ()


@dataclass(frozen=True, slots=True)
class HoleStored:
    """The table whose keys end in ids, and what stands before these; over the parts of the group."""

    table: str
    at: tuple[Expr, ...]
    when: Expr | None


@dataclass(frozen=True, slots=True)
class HoleGuard:
    """A counter that moves with every change of rows that pages bring."""

    cursor: str
    part: str
    key: tuple[Expr, ...]
    when: Expr | None


@dataclass(frozen=True, slots=True)
class HoleChange:
    """Rows that an operation changes: those of a group, as far as it is said, with an id; (): any."""

    operation: str
    #: Place in the group -> what stands there.
    group: tuple[tuple[int, Expr], ...]
    id: tuple[Expr, ...]
    part: bool
    each: EachVar | None
    when: Expr | None


@dataclass(frozen=True, slots=True)
class HoleRule:
    """The holes that views want under a name. Of marks `width` parts of their key are the group."""

    name: str
    doc: str
    table: str
    #: None: a table of ranges.
    width: int | None
    #: Of marks: the table in whose order they stand.
    order: str | None
    ways: tuple[tuple[HoleWay, tuple[NamedExpr, ...]], ...]
    asks: tuple[HoleAsk, ...]
    pages: tuple[HolePage, ...]
    #: Places in the group.
    one_per: tuple[int, ...]
    guards: tuple[HoleGuard, ...]
    changes: tuple[HoleChange, ...]
    #: Operations that may write the rows, of which no more is said.
    spoiling: tuple[str, ...]
    limits: tuple[tuple[str, int], ...]
    highest_first: bool
    #: None: nobody can tell which rows are stored there.
    stored: HoleStored | None = None
