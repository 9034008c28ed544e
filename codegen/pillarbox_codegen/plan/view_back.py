"""The way from a changed row back to the rows that it hangs on, as Python.

Depends on: model, view_pieces, names.  Never on: the conditions that need it.

Law: a row whose child the changed one is, by the fields of its key, is among those found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pillarbox_codegen import model
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.view_pieces import Pieces


def back_text(view: Pieces, way: model.Back, rows: str) -> str:
    """`Back(spec, lambda reads, found: [keys])`"""
    held, clauses = ["found"], []
    for step in way.steps:
        place = view.scope.fresh("place")
        key = view.key_text(view.schema.tables[step.table], _fields(held, step.at))
        under = view.imports.use("pillarbox.views", "rows_under")
        clauses.append(f" for {place} in {under}(reads, {view.spec(step.table)}, {key})")
        held.append(place)
    key = view.key_text(view.schema.tables[rows], _fields(held, way.key))
    found = f"lambda reads, found: [{key}{''.join(clauses)}]"
    if way.maybe:
        there = " and ".join(f"found.{names.field(field)} is not None" for field in way.maybe)
        found = f"{found} if {there} else []"
    return view.call("Back", [view.spec(way.table), found])


def _fields(held: Sequence[str], at: Iterable[tuple[int, str]]) -> list[str]:
    return [f"{held[step]}.{names.field(field)}" for step, field in at]
