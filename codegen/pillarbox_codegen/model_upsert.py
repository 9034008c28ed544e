"""What of an old row outlives a write over it, as checked.

Depends on: model_exprs.  Never on: YAML, templates, the runtime.

Conditions see the two rows as `old` and `new`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pillarbox_codegen.model_exprs import Expr


@dataclass(frozen=True, slots=True)
class KeepField:
    """The field of the old row, whatever the new one has."""

    field: str


@dataclass(frozen=True, slots=True)
class KeepFlags:
    """These bits of the old row's flags, on or off."""

    field: str
    mask: int


@dataclass(frozen=True, slots=True)
class KeepCase:
    """The old values of one case of a union: in a bag, in a list (the first for the first), or alone."""

    field: str
    case: str


Kept: TypeAlias = KeepField | KeepFlags | KeepCase


@dataclass(frozen=True, slots=True)
class Keep:
    kept: tuple[Kept, ...]
    when: Expr | None = None


@dataclass(frozen=True, slots=True)
class Bump:
    """The field counts the writes that changed something; after its greatest value comes 0."""

    field: str
    when: Expr | None = None


@dataclass(frozen=True, slots=True)
class Renumber:
    """The field takes the next number of its sequence at each write that changes something."""

    field: str
    when: Expr | None = None


UpsertRule: TypeAlias = Keep | Bump | Renumber
