"""Plans `updates.py` and `sync.py`: what a server says, what that claims and does, and the cursors.

Depends on: model, operations, emissions, update_methods, names, frame.  Never on: steps of operations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import emissions, names
from pillarbox_codegen.plan.around import looked_at
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.operations import TaggedPlan, plan_tagged
from pillarbox_codegen.plan.update_methods import MethodPlan, emit_scope, methods_of, prelude

_OF_SYNC: Final = ("Around", "Claim", "Instance", "Need", "Told")


@dataclass(frozen=True, slots=True)
class UpdatePlan:
    """One update: its struct, what it says about counters and rows, and the lines of what it becomes."""

    tagged: TaggedPlan
    methods: tuple[MethodPlan, ...]
    emit_doc: str
    emit: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CursorPlan:
    """Reading and moving the rows of one cursor."""

    id: int
    table: str
    local: str
    #: The row of a key that has none yet.
    empty: str
    #: `row.rev`, .. in the order of the parts, and `rev=parts.get(0, row.rev)`, ..
    values: str
    moved: str


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """Both modules: that of updates where there are any, the other where anything is followed, too."""
    outputs = {"updates.py": _updates(schema, frame)} if schema.updates else {}
    if schema.updates or schema.is_followed:
        outputs["sync.py"] = _sync(schema, frame)
    return outputs


# ------------------------------------------------------------------------------------------- updates


def _updates(schema: model.Schema, frame: Frame) -> str:
    imports = frame.imports(".updates", {names.class_name(name) for name in schema.updates})
    imports.use_all("typing", ["Any", "Final", "Protocol", "TypeAlias", "TypeVar"])
    imports.use("collections.abc", "Sequence")
    iterator = imports.use("collections.abc", "Iterator")
    imports.use("pillarbox.codec", "TaggedCodec")
    of_sync = {name.lower(): imports.use("pillarbox.sync", name) for name in _OF_SYNC}
    updates = [_plan_update(schema, imports, update) for update in schema.updates.values()]
    brought = any(update.brings for update in schema.updates.values())
    old = [names.class_name(update.name) for update in schema.updates.values() if update.when_old]
    return frame.module(
        doc=(
            f"The updates of the schema {schema.name!r}: what a server tells, as plain data.\n\n"
            f"`claim` says which span of a counter an update covers, `emit` what it stands for; "
            f"`accept` calls the method of a visitor that has the update's name."
        ),
        imports=imports,
        template="updates.py.j2",
        updates=updates,
        union=" | ".join(update.tagged.struct.name for update in updates),
        iterator=iterator,
        emitted=_emitted_type(schema, imports),
        when_old=f"{{{', '.join(old)}}}" if old else "",
        brings=imports.use("pillarbox.sync.protocol", "Row") if brought else "",
        **of_sync,
    )


def _emitted_type(schema: model.Schema, imports: Imports) -> str:
    asked = [imports.use("pillarbox.sync", name) for name in ("Act", "Unhandled")]
    operation = [imports.use(".operations", "Operation")] if schema.operations else []
    return " | ".join([*operation, *asked])


def _plan_update(schema: model.Schema, imports: Imports, update: model.Update) -> UpdatePlan:
    if update.emits is None:
        unhandled = imports.use("pillarbox.sync", "Unhandled")
        emit_doc = f"Nothing is said of `{update.name}`: it is told as it is."
        lines = [f"yield {unhandled}(update)"]
    else:
        emit_doc = f"What `{update.name}` stands for."
        scope = emit_scope(schema, imports, update)
        lines = [*emissions.yielded(update.emits, scope)]
        lines = [*prelude(update, lines), *lines]
    return UpdatePlan(
        tagged=plan_tagged(schema, imports, update, "update"),
        methods=methods_of(schema, imports, update),
        emit_doc=printing.docstring(emit_doc, 8),
        emit=tuple(lines),
    )


# ---------------------------------------------------------------------------------------------- sync


def _sync(schema: model.Schema, frame: Frame) -> str:
    imports = frame.imports(".sync")
    taken = {"cursor", "key", "parts", "tx"}
    cursors = [_plan_cursor(schema, imports, name, taken) for name in schema.cursors]
    imports.use("collections.abc", "Mapping")
    imports.use("functools", "partial")
    imports.use("typing", "Any")
    imports.use("pillarbox.errors", "UsageError")
    imports.use("pillarbox.storage", "StoredKey")
    imports.use_all("pillarbox.sync", ["Around", "Position"])
    imports.use("pillarbox.sync.protocol", "Row")
    imports.use(".transaction", "Transaction")
    if cursors:
        imports.use("msgspec.structs", "replace")
    return frame.module(
        doc=f"Where the cursors of the schema {schema.name!r} stand, and how they are moved.",
        imports=imports,
        template="sync.py.j2",
        cursors=cursors,
        rows=_rows(schema),
    )


def _rows(schema: model.Schema) -> list[tuple[int, str]]:
    """Ids and texts of the tables of which somebody may need a row, or look at one."""
    protocol = schema.protocol or model.Protocol()
    needed = [need.table for update in schema.updates.values() for need in update.needs]
    needed += looked_at(protocol)
    return [(schema.tables[name].id, f"tx.{names.table_attribute(name)}") for name in dict.fromkeys(needed)]


def _plan_cursor(schema: model.Schema, imports: Imports, name: str, taken: set[str]) -> CursorPlan:
    table = schema.tables[name]
    row_class = imports.use(".types", names.row_class(name))
    local = names.safe(name, taken)
    text = f"tx.{names.table_attribute(name)}"
    fields = [names.field(field.name) for field in table.fields]
    return CursorPlan(
        id=table.id,
        table=text,
        local=local,
        empty=f"{row_class}(*{text}.spec.key_fields(key))" if table.key else f"{row_class}()",
        values=printing.tuple_text([f"{local}.{field}" for field in fields]),
        moved=", ".join(f"{field}=parts.get({place}, {local}.{field})" for place, field in enumerate(fields)),
    )
