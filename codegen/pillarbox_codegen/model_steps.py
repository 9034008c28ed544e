"""Steps of operations and seeds, as checked: a class for each.

Depends on: model_rules, model_exprs.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from pillarbox_codegen.model_exprs import Expr, Make
from pillarbox_codegen.model_rules import EachVar, NamedExpr


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
