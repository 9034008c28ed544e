"""What happens to a box, as checked: operations, the events they tell, and the updates that become them.

Depends on: model_types, model_exprs, model_tables, model_steps, model_merges.  Never on: YAML, templates, the
runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from pillarbox_codegen.model_exprs import Expr
from pillarbox_codegen.model_merges import Merge, RowFold
from pillarbox_codegen.model_rules import EachVar, NamedExpr
from pillarbox_codegen.model_steps import Step
from pillarbox_codegen.model_tables import ClaimRule
from pillarbox_codegen.model_types import Field


@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    code: int
    doc: str
    params: tuple[Field, ...]
    #: None: a barrier.
    merge: Merge | None
    idempotent: bool
    steps: tuple[Step, ...]
    reserved: tuple[int, ...] = ()
    #: How it becomes part of an earlier one, where that is there.
    fold: RowFold | None = None


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
class PollEntry:
    """Ask for what is missing of a cursor."""

    cursor: str
    key: tuple[Expr, ...]
    hint: Expr | None
    each: EachVar | None
    when: Expr | None


@dataclass(frozen=True, slots=True)
class ResetEntry:
    """Run a recipe; `cursor` is what it makes anew, whose key parts `key` are."""

    reset: str
    cursor: str
    key: tuple[Expr, ...]
    each: EachVar | None
    when: Expr | None


@dataclass(frozen=True, slots=True)
class SwitchCase:
    """The entries for one case of a union or value of an enum; of no name: for an absent value."""

    name: str | None
    emits: tuple[Emitted, ...]


@dataclass(frozen=True, slots=True)
class SwitchEntry:
    """Other entries for each case of a union or value of an enum.

    `other` is there exactly where not all of them have a case of their own.
    """

    of: Expr
    cases: tuple[SwitchCase, ...]
    other: tuple[Emitted, ...] | None
    each: EachVar | None
    when: Expr | None


#: What may stand in `emits`.
Emitted: TypeAlias = Emission | PollEntry | ResetEntry | SwitchEntry


@dataclass(frozen=True, slots=True)
class BesideRule:
    """With whose claims an update is sorted, behind them, without being checked."""

    cursor: str
    key: tuple[Expr, ...]
    #: `observes`: its values were true at some position of the counter `part`. `rides`: it tells about it.
    word: Literal["observes", "rides"]
    part: str | None


@dataclass(frozen=True, slots=True)
class NeedRule:
    """A row that must stand before an update is applied."""

    table: str
    key: tuple[Expr, ...]
    each: EachVar | None
    when: Expr | None
    absent: Literal["ignore", "skip", "poll", "discard"]
    #: The request that is sent where the row is absent, and its fields.
    request: str | None = None
    arguments: tuple[NamedExpr, ...] = ()


@dataclass(frozen=True, slots=True)
class Bring:
    """A row that comes along: nobody has to ask for it."""

    table: str
    key: tuple[Expr, ...]
    each: EachVar | None
    when: Expr | None
    #: What is asked about it, over `was`: the row as it stood before.
    emits: tuple[Emitted, ...] = ()
    #: Under which it is declared once, for all that bring it.
    name: str = ""


@dataclass(frozen=True, slots=True)
class Update:
    """What a server tells; of `claim` and `beside` there is at most one."""

    name: str
    code: int
    doc: str
    fields: tuple[Field, ...]
    claim: ClaimRule | None
    #: None: nothing is said of it but its fields.
    emits: tuple[Emitted, ...] | None
    reserved: tuple[int, ...] = ()
    beside: BesideRule | None = None
    needs: tuple[NeedRule, ...] = ()
    #: Rows that it writes itself.
    brings: tuple[Bring, ...] = ()
    #: Whether it is applied also where its claim is old.
    when_old: bool = False
