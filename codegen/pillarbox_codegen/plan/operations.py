"""Plans `events.py`, `operations.py` and `replay.py`: what may be done to a box, and its doing.

Depends on: model, steps, prefetch, structs, frame.  Never on: updates, which become operations.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.prefetch import PrefetchPlan, plan_prefetch
from pillarbox_codegen.plan.steps import step_lines
from pillarbox_codegen.plan.structs import StructPlan, plan_struct


@dataclass(frozen=True, slots=True)
class TaggedPlan:
    """A struct with a code, and the method of a visitor that takes it."""

    struct: StructPlan
    method: str
    doc: str


@dataclass(frozen=True, slots=True)
class MethodPlan:
    """What one operation does; no lines: nothing."""

    name: str
    class_name: str
    doc: str
    lines: tuple[str, ...]


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """The three modules; those of events and operations only where the schema has any."""
    files = {"replay.py": _replay(schema, frame) if schema.operations else _replay_of_nothing(schema, frame)}
    if schema.events:
        files["events.py"] = _events(schema, frame)
    if schema.operations:
        files["operations.py"] = _operations(schema, frame)
    return files


# --------------------------------------------------------------------------------- events, operations


def _events(schema: model.Schema, frame: Frame) -> str:
    imports = frame.imports(".events", {names.class_name(name) for name in schema.events})
    imports.use("typing", "TypeAlias")
    structs = [
        plan_struct(
            schema,
            imports,
            name=names.class_name(event.name),
            doc=event.doc or f"The event `{event.name}`.",
            fields=event.fields,
            reserved=event.reserved,
            tag=event.code,
            beside=[one.fields for one in schema.events.values()],
        )
        for event in schema.events.values()
    ]
    return frame.module(
        doc=f"What operations of the schema {schema.name!r} tell once their transaction has committed.",
        imports=imports,
        template="events.py.j2",
        structs=structs,
        union=" | ".join(struct.name for struct in structs),
    )


def plan_tagged(
    schema: model.Schema, imports: Imports, thing: model.Operation | model.Update, noun: str
) -> TaggedPlan:
    """The struct of an operation or update."""
    fields, beside = (
        (thing.params, [one.params for one in schema.operations.values()])
        if isinstance(thing, model.Operation)
        else (thing.fields, [one.fields for one in schema.updates.values()])
    )
    doc = thing.doc or f"The {noun} `{thing.name}`."
    struct = plan_struct(
        schema,
        imports,
        name=names.class_name(thing.name),
        doc=doc,
        fields=fields,
        reserved=thing.reserved,
        tag=thing.code,
        beside=beside,
    )
    # What `Emit` returns are lists.
    method = names.safe(thing.name, {"list"}) if noun == "update" else thing.name
    return TaggedPlan(struct, method, printing.docstring(doc, 8))


def _operations(schema: model.Schema, frame: Frame) -> str:
    imports = frame.imports(".operations", {names.class_name(name) for name in schema.operations})
    operations = [
        plan_tagged(schema, imports, operation, "operation") for operation in schema.operations.values()
    ]
    imports.use_all("typing", ["Final", "Protocol", "TypeAlias", "TypeVar"])
    imports.use("pillarbox.codec", "TaggedCodec")
    return frame.module(
        doc=(
            f"The operations of the schema {schema.name!r}: what may be done to a box, as plain data.\n\n"
            f"`replay` applies them; `accept` calls the method of a visitor that has the operation's name."
        ),
        imports=imports,
        template="operations.py.j2",
        operations=operations,
        union=" | ".join(operation.struct.name for operation in operations),
    )


# ------------------------------------------------------------------------------------ replay and seed


def _replay(schema: model.Schema, frame: Frame) -> str:
    imports = frame.imports(".replay")
    methods = [_method(schema, imports, operation) for operation in schema.operations.values()]
    prefetch = plan_prefetch(schema, imports)
    imports.use_all("collections.abc", ["Iterable", "Sequence"])
    errors = ["MISTYPED", *(["RangeError"] if prefetch.methods else []), "UsageError"]
    imports.use_all("pillarbox.errors", errors)
    imports.use("pillarbox.codec", "refuse_mistyped")
    imports.use_all(".operations", ["OPERATIONS", "Operation"])
    imports.use(".transaction", "Transaction")
    return frame.module(
        doc=f"What the operations of the schema {schema.name!r} do, and what a new box starts with.",
        imports=imports,
        template="replay.py.j2",
        methods=methods,
        prefetch=prefetch,
        seed=_seed(schema, imports),
    )


def _method(schema: model.Schema, imports: Imports, operation: model.Operation) -> MethodPlan:
    params = {param.name: f"operation.{names.field(param.name)}" for param in operation.params}
    return MethodPlan(
        name=operation.name,
        class_name=imports.use(".operations", names.class_name(operation.name)),
        doc=printing.docstring(operation.doc or f"Apply `{operation.name}`.", 8),
        lines=tuple(step_lines(schema, imports, operation.steps, params=params, transaction="self._tx")),
    )


def _replay_of_nothing(schema: model.Schema, frame: Frame) -> str:
    imports = frame.imports(".replay")
    imports.use_all("collections.abc", ["Iterable", "Sequence"])
    imports.use("typing", "Never")
    imports.use("pillarbox.errors", "UsageError")
    imports.use(".transaction", "Transaction")
    return frame.module(
        doc=f"The schema {schema.name!r} has no operations; what a new box starts with.",
        imports=imports,
        template="replay_of_nothing.py.j2",
        schema_name=schema.name,
        seed=_seed(schema, imports),
    )


def _seed(schema: model.Schema, imports: Imports) -> list[str]:
    return step_lines(schema, imports, schema.box_seed, params={}, transaction="tx")


__all__ = ["MethodPlan", "PrefetchPlan", "TaggedPlan", "outputs", "plan_tagged"]
