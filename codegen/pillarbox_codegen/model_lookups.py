"""Lookups inside rules, as checked: which row is read, and how a change of it leads back.

Depends on: model_exprs.  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen.model_exprs import Expr


@dataclass(frozen=True, slots=True)
class With:
    """One name of a `with`: the row of `table` under `key`, or what `value` takes out of that row."""

    name: str
    table: str
    #: One expression a key part, over the rule's own row and the names before this one; none: no row.
    key: tuple[Expr, ...]
    #: In `value` alone, the local `name` is the row, which may be none.
    value: Expr
    #: The table that leads from a changed row to the rows made with it; none where the looked-up key does.
    via: str | None
    #: A change of the looked-up row concerns every row.
    all: bool
    #: For each part of the own key the field that holds it: of the looked-up row, or of the row of `via`.
    back: tuple[str, ...]
    #: Lookups of one level need none of each other. They are in the order of their levels.
    level: int
