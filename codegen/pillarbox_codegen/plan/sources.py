"""Plans `sources.py`: the rows of import formats, the operations they become, and how these are routed.

Depends on: model, emissions, routes, structs, names, frame.  Never on: adapters, which read the formats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope
from pillarbox_codegen.plan import emissions, names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.routes import Routes, memo
from pillarbox_codegen.plan.steps import taken_names
from pillarbox_codegen.plan.structs import StructPlan, plan_struct


@dataclass(frozen=True, slots=True)
class PartPlan:
    """What makes the operations of one emission."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """The row of one source, what makes its operations, and the constant that holds it all."""

    name: str
    adapter: str
    struct: StructPlan
    #: (name, text of what is returned)
    routes: tuple[tuple[str, str], ...]
    #: One for each emission, where there are several.
    parts: tuple[PartPlan, ...]
    #: The function that makes all operations.
    function: str
    doc: str
    lines: tuple[str, ...]
    constant: str
    comment: str
    group: str
    #: `Emit(..)`, one for each emission.
    emits: tuple[str, ...]


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`sources.py`, where the schema has any."""
    if not schema.sources:
        return {}
    taken = {names.operations_function(name) for name in schema.sources}
    classes = {names.source_class(name) for name in schema.sources}
    constants = {names.source_constant(name) for name in schema.sources}
    imports = frame.imports(".sources", taken | classes | constants)
    imports.use_all("pillarbox.bulk", ["Emit", "Source"])
    imports.use("typing", "Final")
    operation = (
        imports.use(".operations", "Operation") if schema.operations else imports.use("typing", "Never")
    )
    sources = [
        _Planner(schema, imports, source, taken, operation).plan() for source in schema.sources.values()
    ]
    text = frame.module(
        doc=(
            f"What is imported into the schema {schema.name!r}: rows of other formats, as operations.\n\n"
            f"Operations of one route are kept in order; those of different routes touch different rows."
        ),
        imports=imports,
        template="sources.py.j2",
        sources=sources,
        operation=operation,
    )
    return {"sources.py": text}


@dataclass(frozen=True, slots=True)
class _Planner:
    """Plans one source; `taken` are names of the module, `operation` is the type of what rows become."""

    schema: model.Schema
    imports: Imports
    source: model.Source
    taken: set[str]
    operation: str

    def plan(self) -> SourcePlan:
        source = self.source
        routes = Routes(source, self.scope(), self.taken)
        group = routes.group()
        parts = [self.part(emission) for emission in source.emits] if len(source.emits) > 1 else []
        function = names.operations_function(source.name)
        called = ", ".join(f"*{part.name}(row)" for part in parts)
        lines = [f"return [{called}]"] if parts else self.listed(source.emits)
        makers = [part.name for part in parts] or [function] * len(source.emits)
        emits = [self.emit(each, make, routes) for each, make in zip(source.emits, makers, strict=True)]
        return SourcePlan(
            name=printing.literal(source.name),
            adapter=printing.literal(source.adapter),
            struct=self.struct(),
            routes=tuple(routes.functions.items()),
            parts=tuple(parts),
            function=function,
            doc=printing.docstring(f"What a row of `{source.name}` does.", 4),
            lines=tuple(lines),
            constant=names.source_constant(source.name),
            comment=f"The source `{source.name}`.",
            group=group,
            emits=tuple(emits),
        )

    def struct(self) -> StructPlan:
        source = self.source
        about = f"One row of `{source.name}`, as the adapter `{source.adapter}` reads it."
        return plan_struct(
            self.schema,
            self.imports,
            name=names.source_class(source.name),
            doc=f"{about}\n\n{source.doc}" if source.doc else about,
            fields=source.columns,
        )

    def part(self, emission: model.Emission) -> PartPlan:
        name = names.fresh(f"_{self.source.name}_{emission.operation}", self.taken)
        return PartPlan(name, tuple(self.listed([emission])))

    def listed(self, emits: Sequence[model.Emission]) -> list[str]:
        return emissions.listed(emits, self.scope(), self.operation)

    def emit(self, emission: model.Emission, make: str, routes: Routes) -> str:
        """The text of the emission in the constant."""
        given = {
            "make": make,
            "route": routes.of(emission),
            "memo": memo(self.schema, self.scope(), self.source, emission),
        }
        return f"Emit({', '.join(f'{name}={text}' for name, text in given.items() if text is not None)})"

    def scope(self) -> Scope:
        """What one function of a row names."""
        fields = {field.name: f"row.{names.field(field.name)}" for field in self.source.columns}
        return Scope(self.schema, self.imports, fields, taken_names(self.schema) | {"row"})
