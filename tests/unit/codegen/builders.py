"""Checked schemas made by hand, for tests of the generator that should not hang on the loader."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pillarbox_codegen import model

NOWHERE = model.Place("test.yaml", 1, 1)


def scalar(name: model.ScalarName) -> model.Scalar:
    return model.Scalar(name)


def part(
    name: str, type_: model.Type | model.ScalarName, *, desc: bool = False, fill: str | None = None
) -> model.KeyPart:
    return model.KeyPart(name, model.Scalar(type_) if isinstance(type_, str) else type_, desc, fill)


def field(
    number: int,
    name: str,
    type_: model.Type | model.ScalarName,
    *,
    default: int | str | bool | float | None = None,
    fill: str | None = None,
    doc: str = "",
) -> model.Field:
    kind = model.Scalar(type_) if isinstance(type_, str) else type_
    return model.Field(number, name, kind, doc, default, default is not None, fill)


def table(
    name: str,
    id_: int,
    key: Iterable[model.KeyPart],
    fields: Iterable[model.Field] = (),
    *,
    layout: Literal["record", "packed", "empty"] | None = None,
    storage: Literal["clustered", "heap"] = "clustered",
    role: Literal["primary", "derived", "sequence", "cursor"] = "primary",
    rule: model.Rule | None = None,
    reserved: tuple[int, ...] = (),
    doc: str = "",
) -> model.Table:
    columns = tuple(fields)
    if layout is None:
        layout = "record" if columns else "empty"
    return model.Table(name, id_, doc, tuple(key), columns, reserved, layout, storage, role, rule, NOWHERE)


def schema(
    name: str,
    *,
    types: Iterable[model.TypeDef] = (),
    tables: Iterable[model.Table] = (),
    sequences: Iterable[model.Sequence] = (),
    doc: str = "",
) -> model.Schema:
    """A schema of types and tables; a sequence's table is given among the tables."""
    return model.Schema(
        name=name,
        doc=doc,
        types={definition.name: definition for definition in types},
        tables={each.name: each for each in tables},
        sequences={sequence.name: sequence for sequence in sequences},
        cursors={},
        events={},
        operations={},
        updates={},
        views={},
        constants={},
        box_seed=(),
        sources={},
        files={},
    )
