"""Plans `around.py`: functions that tell emissions where a cursor stands, and how a row stood.

Depends on: model, frame, names, hints.  Never on: what is made of them.

Law: of a cursor it is its place within the batch, of any other table the row as it stood before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.walk import lookups_in, names_in

#: What the functions call their own.
_LOCALS: Final = frozenset({"around", "parts"})
#: The row as it stood before, of one that comes along.
WAS: Final = "was"


@dataclass(frozen=True, slots=True)
class RowPlan:
    """A function that gives a row or None."""

    function: str
    parameters: str
    class_name: str
    doc: str
    lines: tuple[str, ...]


def row_function(table: str) -> str:
    """`issues_of(around, project_id, number)`"""
    return f"{table}_of"


def looked(imports: Imports, around: str) -> Callable[[str, str], str]:
    """The text of a look at a row, from the table and the text of its key."""

    def text(table: str, key: str) -> str:
        function = imports.use(".around", row_function(table))
        return f"{function}({', '.join(filter(None, (around, key)))})"

    return text


def carriers(protocol: model.Protocol) -> list[model.ContainerRule | model.Body]:
    """All that brings something."""
    return [*protocol.opened.values(), *protocol.bodies.values()]


def looked_at(protocol: model.Protocol) -> list[str]:
    """Tables of rows that come along and are asked about."""
    brings = [bring for rule in carriers(protocol) for bring in rule.brings]
    return [bring.table for bring in brings if WAS in names_in(bring.emits)]


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """The module, where emissions look at anything: one function for each table."""
    protocol = schema.protocol or model.Protocol()
    read = {lookup.table for update in schema.updates.values() for lookup in lookups_in(update.emits)}
    for rule in carriers(protocol):
        read |= {lookup.table for lookup in lookups_in((rule.acts, rule.brings))}
    read.update(looked_at(protocol))
    if not read:
        return {}
    imports = frame.imports(".around")
    rows = [_plan(schema, imports, schema.tables[name]) for name in schema.tables if name in read]
    text = frame.module(
        doc=f"What emissions of the schema {schema.name!r} see besides what is said to them.",
        imports=imports,
        template="around.py.j2",
        rows=rows,
    )
    return {"around.py": text}


def _plan(schema: model.Schema, imports: Imports, table: model.Table) -> RowPlan:
    parts = [(names.safe(names.parameter(part.name, table.name), _LOCALS), part) for part in table.key]
    annotated = [f"{name}: {hints.annotation(schema, imports, part.type)}" for name, part in parts]
    key = f"{imports.use('.keys', names.key_function(table.name))}({', '.join(name for name, _ in parts)})"
    row_class = imports.use(".types", names.row_class(table.name))
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
