"""What happens to a box, as checked: operations, the events they tell, and the updates that become them.

Depends on: model_types, model_exprs, model_tables, model_steps, model_merges.  Never on: YAML, templates, the
runtime.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen.model_exprs import Expr
from pillarbox_codegen.model_merges import Merge
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
