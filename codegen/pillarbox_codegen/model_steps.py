"""Steps of operations and seeds, as checked: a class for each.

Depends on: model_rules, model_exprs.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from pillarbox_codegen.model_exprs import Expr, Make
from pillarbox_codegen.model_rules import EachVar, NamedExpr
from pillarbox_codegen.model_upsert import Keep


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
class MatchBranch:
    """`name`: a case, an enum's value or a flag; none for an absent value."""

    name: str | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class MatchStep:
    """`other` none: every value has a branch."""

    of: Expr
    branches: tuple[MatchBranch, ...]
    other: tuple[Step, ...] | None
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class PutStep:
    table: str
    row: Expr
    only: Literal["any", "new", "old"]
    mods: Modifiers
    #: What this put keeps of the old row, before the table's own rules.
    keep: tuple[Keep, ...] = ()


@dataclass(frozen=True, slots=True)
class PatchField:
    field: str
    how: Literal["set", "max", "min", "add", "flags"]
    value: Expr
    clear: Expr | None = None
    #: From the field to the part of it that changes: fields of records, cases of unions and bags.
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PatchStep:
    table: str
    at: tuple[Expr, ...]
    changes: tuple[PatchField, ...]
    create: Make | None
    mods: Modifiers
    #: A patch as data; there are no `changes` then.
    given: Expr | None = None
    #: The identity that `at` is of; none where it is the table's own key.
    by: str | None = None


@dataclass(frozen=True, slots=True)
class RemoveStep:
    """`whole`: `at` is a full key; else a proper prefix, under which everything goes."""

    table: str
    at: tuple[Expr, ...]
    whole: bool
    mods: Modifiers
    #: The identity that `at` is of; none where it is the table's own key.
    by: str | None = None
    #: The prefix or key up to which all goes, from that in `at` on.
    upper: tuple[Expr, ...] | None = None


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


@dataclass(frozen=True, slots=True)
class ReplaceStep:
    """The rows under a prefix become `rows`: a list, or with `each` one row for each item that passes `when`.

    Of a word `list` the prefix is the group, and there is an `each`.
    """

    table: str
    under: tuple[Expr, ...]
    rows: Expr
    each: EachVar | None
    when: Expr | None
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class PlaceStep:
    """`record` none: the standing record stays."""

    table: str
    group: tuple[Expr, ...]
    item: tuple[Expr, ...]
    at: Expr | Literal["front", "end"]
    record: tuple[NamedExpr, ...] | None
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class UnplaceStep:
    table: str
    group: tuple[Expr, ...]
    item: tuple[Expr, ...]
    otherwise: tuple[Step, ...]
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class ReorderStep:
    """`item`: the parts of one item, for each that passes `when`."""

    table: str
    group: tuple[Expr, ...]
    item: tuple[Expr, ...]
    each: EachVar
    when: Expr | None
    same_set: bool
    otherwise: tuple[Step, ...]
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class RangeStep:
    """`add_range` or `cut_range`; the edges are closed."""

    adds: bool
    table: str
    at: tuple[Expr, ...]
    space: tuple[Expr, ...]
    lower: tuple[Expr, ...]
    upper: tuple[Expr, ...]
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class AsOf:
    """The counter that an answer was given at."""

    cursor: str
    part: str
    key: tuple[Expr, ...]
    end: Expr


@dataclass(frozen=True, slots=True)
class AnchorStep:
    """Sets the base of a marker or an anchored count, or parts of it; a position is a tuple.

    Without anything in `set` what was said of the group is forgotten.
    """

    table: str
    at: tuple[Expr, ...]
    set: tuple[tuple[str, tuple[Expr, ...]], ...]
    as_of: AsOf | None
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class AdvanceStep:
    """Moves a mark forward."""

    table: str
    at: tuple[Expr, ...]
    mark: str
    to: tuple[Expr, ...]
    flag: Expr | None
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class MarkStep:
    """`record` none: that of a key that is marked already stays."""

    table: str
    at: tuple[Expr, ...]
    record: tuple[NamedExpr, ...] | None
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class ConfirmStep:
    """`version` none: whatever was asked."""

    table: str
    at: tuple[Expr, ...]
    version: Expr | None
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class ShareStep:
    """`hold` or `rewrite` of a shared value; a value of none lets it go, or takes it out."""

    word: Literal["hold", "rewrite"]
    table: str
    id: Expr
    value: Expr
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class DoStep:
    """Another operation, whose steps are `does`."""

    operation: str
    arguments: tuple[NamedExpr, ...]
    does: tuple[Step, ...]
    mods: Modifiers


@dataclass(frozen=True, slots=True)
class SeedCase:
    """What the groups that pass `when` start with; the table and group of its steps are left out."""

    when: Expr | None
    steps: tuple[RangeStep, ...]


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What such groups get that were seeded before it was declared."""

    number: int
    when: Expr | None
    steps: tuple[RangeStep, ...]


@dataclass(frozen=True, slots=True)
class GroupSeed:
    """Of one table of ranges; upgrades by rising number."""

    cases: tuple[SeedCase, ...]
    upgrades: tuple[Upgrade, ...]


Step: TypeAlias = (
    LetStep
    | RequireStep
    | IfStep
    | MatchStep
    | PutStep
    | PatchStep
    | RemoveStep
    | SetCursorStep
    | EmitStep
    | ReplaceStep
    | PlaceStep
    | UnplaceStep
    | ReorderStep
    | RangeStep
    | AnchorStep
    | AdvanceStep
    | MarkStep
    | ConfirmStep
    | ShareStep
    | DoStep
)
