"""Plans the methods of a writer over all rows whose keys begin alike: removing them, and making them others.

Depends on: model, names, writer_plans.  Never on: how one row is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.writer_plans import RemovePlan

#: Of a table and a number of key parts, the statements for rows that are not there.
Missed: TypeAlias = Callable[[model.Table, int], tuple[str, ...]]


def parameters(schema: model.Schema, imports: Imports, table: model.Table) -> tuple[list[str], list[str]]:
    """The parts of the key as parameters: their names, and those with their types."""
    parts = [names.parameter(part.name, table.name) for part in table.key]
    types = [names.annotation(schema, imports, part.type) for part in table.key]
    return parts, [f"{name}: {type_}" for name, type_ in zip(parts, types, strict=True)]


def _under(
    schema: model.Schema,
    imports: Imports,
    table: model.Table,
    method: str,
    doc: str,
    length: int,
    missed: tuple[str, ...] = (),
) -> RemovePlan:
    """A method over the rows whose keys begin with `length` given parts."""
    parts, annotated = parameters(schema, imports, table)
    prefix = imports.use(".keys", names.prefix_function(table.name, length))
    return RemovePlan(
        name=method,
        doc=printing.docstring(doc, 8),
        parameters="".join(f", {text}" for text in annotated[:length]),
        prefix=f"{prefix}({', '.join(parts[:length])})",
        missed=missed,
    )


def removes(
    schema: model.Schema, imports: Imports, table: model.Table, missed: Missed
) -> tuple[RemovePlan, ...]:
    """The methods that remove all rows under a beginning of the key."""
    plans = []
    for length, method in enumerate(names.remove_methods(table), start=1):
        doc = f"Remove the rows with this {_shared(table.key[:length])}; gives how many there were."
        plans.append(_under(schema, imports, table, method, doc, length, missed(table, length)))
    return tuple(plans)


def replaces(
    schema: model.Schema, imports: Imports, table: model.Table, lengths: Iterable[int]
) -> tuple[RemovePlan, ...]:
    """The methods that make the rows under a beginning of the key exactly those given."""
    plans = []
    for length in lengths:
        doc = (
            f"The rows with this {_shared(table.key[:length])} are exactly these; equal ones stay as "
            f"they are. Raises UsageError for a row of another one."
        )
        method = names.replace_methods(table)[length - 1]
        plans.append(_under(schema, imports, table, method, doc, length))
    return tuple(plans)


def _shared(parts: tuple[model.KeyPart, ...]) -> str:
    return printing.listed([part.name for part in parts])
