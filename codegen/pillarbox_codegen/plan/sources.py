"""Plans `sources.py`: the rows of import formats, and the operations they become.

Depends on: model, emissions, structs, names, frame.  Never on: adapters, which read the formats.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope
from pillarbox_codegen.plan import emissions, names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.steps import taken_names
from pillarbox_codegen.plan.structs import StructPlan, plan_struct


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """The row of one source, and the generator of its operations."""

    struct: StructPlan
    function: str
    doc: str
    lines: tuple[str, ...]


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`sources.py`, where the schema has any."""
    if not schema.sources:
        return {}
    imports = frame.imports(".sources", {names.source_class(name) for name in schema.sources})
    imports.use("collections.abc", "Iterator")
    operation = (
        imports.use(".operations", "Operation") if schema.operations else imports.use("typing", "Never")
    )
    sources = [_plan_source(schema, imports, source) for source in schema.sources.values()]
    text = frame.module(
        doc=f"What is imported into the schema {schema.name!r}: rows of other formats, as operations.",
        imports=imports,
        template="sources.py.j2",
        sources=sources,
        operation=operation,
    )
    return {"sources.py": text}


def _plan_source(schema: model.Schema, imports: Imports, source: model.Source) -> SourcePlan:
    fields = {field.name: f"row.{names.field(field.name)}" for field in source.columns}
    scope = Scope(schema, imports, fields, taken_names(schema) | {"row"})
    about = f"One row of `{source.name}`, as the adapter `{source.adapter}` reads it."
    struct = plan_struct(
        schema,
        imports,
        name=names.source_class(source.name),
        doc=f"{about}\n\n{source.doc}" if source.doc else about,
        fields=source.columns,
    )
    return SourcePlan(
        struct=struct,
        function=f"{source.name}_operations",
        doc=printing.docstring(f"What a row of `{source.name}` does.", 4),
        lines=tuple(emissions.yielded(source.emits, scope)),
    )
