"""Schema folder in, package text out; and the writing of it.

Depends on: plan, the schema loader.  Never on: generated code, the runtime.

Law: `generate` is a function of the schema's text alone: no clock, no environment, no order of files on
disk. `write_package` makes the folder hold exactly the outputs, or leaves it as it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pillarbox_codegen import model
from pillarbox_codegen.plan import checks, keys, layouts, packed, rules, specs, tables, transaction, types
from pillarbox_codegen.plan.frame import Frame

#: In the order in which they are printed; what they give must not overlap.
_PLANS: Final[tuple[Callable[[model.Schema, Frame], dict[str, str]], ...]] = (
    types.outputs,
    checks.outputs,
    keys.outputs,
    layouts.outputs,
    packed.outputs,
    specs.outputs,
    tables.outputs,
    rules.outputs,
    transaction.outputs,
)


def generate_package(schema: model.Schema) -> dict[str, str]:
    """Every file of the schema's package: path -> text. The path begins with the package's name."""
    frame = frame_of(schema)
    outputs: dict[str, str] = {}
    for plan in _PLANS:
        for name, text in plan(schema, frame).items():
            outputs[f"{frame.package}/{name}"] = text
    return outputs


def frame_of(schema: model.Schema) -> Frame:
    """What all modules of the package share."""
    return Frame(f"pillarbox_{schema.name}", schema.name, _schema_hash(schema))


def _schema_hash(schema: model.Schema) -> str:
    """Over everything the schema says, docs included; where in its files it says so is left out."""
    nowhere = model.Place("", 0, 0)
    tables = {name: replace(table, place=nowhere) for name, table in schema.tables.items()}
    said = replace(schema, tables=tables, files={})
    return hashlib.sha256(repr(said).encode()).hexdigest()[:12]
