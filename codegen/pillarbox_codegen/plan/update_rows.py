"""Functions that read rows of the batch for updates: where a cursor stands, and rows that updates need.

Depends on: model, names, structs.  Never on: what is made of them.

Law: of a cursor it is its place within the batch, of any other table the row as it stood before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.walk import lookups_in


@dataclass(frozen=True, slots=True)
class RowPlan:
    """A function that gives a row or None."""

    function: str
    parameters: str
    class_name: str
    doc: str
    lines: tuple[str, ...]


def row_function(table: str) -> str:
    """`_issues_of(around, project_id, number)`"""
    return f"_{table}_of"


def rows_read(schema: model.Schema, imports: Imports) -> list[RowPlan]:
    """One function for each table that the emissions of updates read."""
    read = {lookup.table for update in schema.updates.values() for lookup in lookups_in(update.emits)}
    return [_plan(schema, imports, schema.tables[name]) for name in schema.tables if name in read]


def _plan(schema: model.Schema, imports: Imports, table: model.Table) -> RowPlan:
    parts = [(names.parameter(part.name, table.name), part) for part in table.key]
    annotated = [f"{name}: {names.annotation(schema, imports, part.type)}" for name, part in parts]
    key = f"{imports.use('.keys', names.key_function(table.name))}({', '.join(name for name, _ in parts)})"
    row_class = imports.use(".types", names.class_name(table.name))
    if table.role == "cursor":
        doc = f"Where `{table.name}` stands within the batch."
        lines = _cursor_lines(table, row_class, key, [name for name, _ in parts])
    else:
        doc = f"The row of `{table.name}`, as it stood before the batch."
        lines = [f"row: {row_class} | None = around.row(({table.id}, {key}))", "return row"]
    return RowPlan(
        function=row_function(table.name),
        parameters=", ".join([f"around: {imports.use('pillarbox.sync', 'Around')}", *annotated]),
        class_name=row_class,
        doc=printing.docstring(doc, 4),
        lines=tuple(lines),
    )


def _cursor_lines(table: model.Table, row_class: str, key: str, parameters: Sequence[str]) -> list[str]:
    given = [f"{names.field(part.name)}={name}" for part, name in zip(table.key, parameters, strict=True)]
    given += [f"{names.field(field.name)}=parts[{place}]" for place, field in enumerate(table.fields)]
    return [
        f"parts = around.position({table.id}, {key})",
        f"return None if parts is None else {row_class}({', '.join(given)})",
    ]
