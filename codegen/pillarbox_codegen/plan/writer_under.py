"""Plans the methods of a writer over all rows whose keys begin alike: removing them, and making them others.

Depends on: names, hints, kept_base (the text of a prefix), writer_plans.  Never on: how one row is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from pillarbox_codegen import model, printing
from pillarbox_codegen.diagnostics import all_of
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.kept_base import prefix_text
from pillarbox_codegen.plan.writer_plans import RemovePlan

#: Of a table and a number of key parts, the statements for rows that are not there.
Missed: TypeAlias = Callable[[model.Table, int], tuple[str, ...]]
#: The parts of a key as parameters: their names, and those with their types.
Parameters: TypeAlias = tuple[Sequence[str], Sequence[str]]
#: What methods that remove, find and replace rows call their own.
_OWN: Final = {"count", "key", "old", "owner", "rows"}


def parameter(table: model.Table, name: str) -> str:
    """The parameter of such a method that takes a part of this name."""
    return names.safe(names.parameter(name, table.name), _OWN)


def parameters(schema: model.Schema, imports: Imports, table: model.Table) -> Parameters:
    """Those of methods that take the whole key."""
    parts = [parameter(table, part.name) for part in table.key]
    types = [hints.annotation(schema, imports, part.type) for part in table.key]
    return parts, [f"{name}: {type_}" for name, type_ in zip(parts, types, strict=True)]


def removes(
    imports: Imports,
    table: model.Table,
    lengths: Iterable[int],
    given: Parameters,
    *,
    doc: str = "Remove the rows with this {}; gives how many there were.",
    missed: Missed = lambda _table, _length: (),
) -> tuple[RemovePlan, ...]:
    """The methods that remove all rows under beginnings of the key, of so many parts."""
    methods = names.remove_methods(table)
    return tuple(
        _under(imports, table, length, given, methods[length - 1], doc, missed(table, length))
        for length in lengths
    )


def replaces(
    imports: Imports, table: model.Table, lengths: Iterable[int], given: Parameters
) -> tuple[RemovePlan, ...]:
    """The methods that make the rows under beginnings of the key exactly those given."""
    methods = names.replace_methods(table)
    doc = (
        "The rows with this {} are exactly these; equal ones stay as they are. "
        "Raises UsageError for a row of another one."
    )
    return tuple(_under(imports, table, length, given, methods[length - 1], doc) for length in lengths)


def _under(
    imports: Imports,
    table: model.Table,
    length: int,
    given: Parameters,
    method: str,
    doc: str,
    missed: tuple[str, ...] = (),
) -> RemovePlan:
    values, annotated = given
    shared = all_of([part.name for part in table.key[:length]])
    return RemovePlan(
        name=method,
        doc=printing.docstring(doc.format(shared), 8),
        parameters="".join(f", {text}" for text in annotated[:length]),
        prefix=prefix_text(imports, table, length, values),
        missed=missed,
    )
