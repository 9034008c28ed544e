"""Schema folder in, package text out. Writes nothing.

Depends on: plan, the schema loader.  Never on: generated code, the runtime, what is on disk already.

Law: `generate` is a function of the schema's text alone: no clock, no environment, no order of files on
disk, and no trace of where the folder lies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from pillarbox_codegen import model
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.collecting import uncollected
from pillarbox_codegen.plan import (
    around,
    box,
    checks,
    facets,
    items,
    jobs,
    keys,
    layout,
    layouts,
    merges,
    operations,
    outbox,
    packed,
    protocol,
    rules,
    sources,
    spark,
    specs,
    tables,
    transaction,
    types,
    updates,
    views,
    wire,
)
from pillarbox_codegen.plan.frame import Frame

#: In the order in which they are printed; what they give must not overlap.
_PLANS: Final[tuple[Callable[[model.Schema, Frame], dict[str, str]], ...]] = (
    types.outputs,
    facets.outputs,
    checks.outputs,
    keys.outputs,
    layouts.outputs,
    packed.outputs,
    specs.outputs,
    tables.outputs,
    rules.outputs,
    transaction.outputs,
    operations.outputs,
    merges.outputs,
    around.outputs,
    updates.outputs,
    wire.outputs,
    protocol.outputs,
    views.outputs,
    outbox.outputs,
    items.outputs,
    sources.outputs,
    layout.outputs,
    spark.outputs,
    jobs.outputs,
    box.outputs,
)


def generate(folder: Path) -> dict[str, str]:
    """Every file of the package that the schema in `folder` stands for: path -> text.

    Paths begin with the package's name. Raises SchemaErrors with all that is wrong with the schema.
    """
    return generate_package(load_schema(folder))


@uncollected
def generate_package(schema: model.Schema) -> dict[str, str]:
    """As `generate`, of a schema that is checked already."""
    frame = frame_of(schema)
    outputs: dict[str, str] = {}
    for plan in _PLANS:
        for name, text in plan(schema, frame).items():
            outputs[f"{frame.package}/{name}"] = text
    if not any(f"from {frame.package}.around import" in text for text in outputs.values()):
        outputs.pop(f"{frame.package}/around.py", None)  # what looked stands under conditions that never hold
    return outputs


def frame_of(schema: model.Schema) -> Frame:
    """What all modules of the package share."""
    return Frame(f"pillarbox_{schema.name}", schema.name, _schema_hash(schema))


def _schema_hash(schema: model.Schema) -> str:
    """Over everything the schema says, docs included; where in its files it says so is left out."""
    nowhere = model.Place("", 0, 0)
    tables = {name: replace(table, place=nowhere) for name, table in schema.tables.items()}
    said = replace(schema, tables=tables, files={})
    return hashlib.sha256(_spelled(said).encode()).hexdigest()[:12]


_SCALARS: Final = frozenset({str, int, bool, float, type(None)})


@cache
def _defaults(kind: type[Any]) -> tuple[tuple[str, object], ...] | None:
    """Names and defaults of the fields; None: no dataclass."""
    return tuple((field.name, field.default) for field in fields(kind)) if is_dataclass(kind) else None


def _spelled(thing: object) -> str:
    """What a part of the schema says; what has its default is not said, so that new words change no hash."""
    kind: Any = type(thing)
    if kind in _SCALARS:
        return repr(thing)
    if isinstance(thing, tuple):
        return f"({','.join(map(_spelled, thing))})"
    if isinstance(thing, dict):
        return f"{{{','.join(f'{key}:{_spelled(value)}' for key, value in thing.items())}}}"
    defaults = _defaults(kind)
    if defaults is None:
        return repr(thing)
    said = [
        f"{name}={_spelled(value)}"
        for name, default in defaults
        if (value := getattr(thing, name)) is not default and value != default
    ]
    return f"{kind.__name__}({','.join(said)})"
