"""Items, as checked: single values out of what views show.

Depends on: model_exprs, model_types.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen.model_exprs import Expr
from pillarbox_codegen.model_types import Field


@dataclass(frozen=True, slots=True)
class Item:
    """`at` are terms over the item's key, `take` is one over that and the snapshot."""

    name: str
    doc: str
    view: str
    key: tuple[Field, ...]
    #: Field of the view's key -> its value; what is left out has its default.
    at: tuple[tuple[str, Expr], ...]
    take: Expr
