"""Plans `updates.py` and `sync.py`: what a server says, what that claims and does, and the cursors.

Depends on: model, operations, emissions, expr_python, names, frame.  Never on: steps of operations.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope, compile_code, compile_test
from pillarbox_codegen.plan import emissions, names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.operations import TaggedPlan, plan_tagged
from pillarbox_codegen.plan.steps import taken_names
from pillarbox_codegen.python_code import Level
from pillarbox_codegen.statements import Line, branch, lines_of


@dataclass(frozen=True, slots=True)
class UpdatePlan:
    """One update: its struct, the lines that say what it claims, and those of what it becomes."""

    tagged: TaggedPlan
    claim_doc: str
    claim: tuple[str, ...]
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
    """Both modules, where the schema has updates."""
    if not schema.updates:
        return {}
    return {"updates.py": _updates(schema, frame), "sync.py": _sync(schema, frame)}


# ------------------------------------------------------------------------------------------- updates


def _updates(schema: model.Schema, frame: Frame) -> str:
    imports = frame.imports(".updates", {names.class_name(name) for name in schema.updates})
    imports.use_all("typing", ["Final", "Protocol", "TypeAlias", "TypeVar"])
    imports.use("pillarbox.codec", "TaggedCodec")
    imports.use("pillarbox.sync", "Claim")
    updates = [_plan_update(schema, imports, update) for update in schema.updates.values()]
    return frame.module(
        doc=(
            f"The updates of the schema {schema.name!r}: what a server tells, as plain data.\n\n"
            f"`claim` says which span of a counter an update covers, `emit` which operations it stands for; "
            f"`accept` calls the method of a visitor that has the update's name."
        ),
        imports=imports,
        template="updates.py.j2",
        updates=updates,
        union=" | ".join(update.tagged.struct.name for update in updates),
        operation=_operation_type(schema, imports),
    )


def _operation_type(schema: model.Schema, imports: Imports) -> str:
    if schema.operations:
        return imports.use(".operations", "Operation")
    return imports.use("typing", "Never")


def _plan_update(schema: model.Schema, imports: Imports, update: model.Update) -> UpdatePlan:
    scope = _scope(schema, imports, update, "update")
    claim = update.claim
    covered = f"The span of `{claim.cursor}.{claim.part}` that it covers" if claim else "It claims nothing"
    if claim and claim.unless:
        covered += ", if any"
    return UpdatePlan(
        tagged=plan_tagged(schema, imports, update, "update"),
        claim_doc=printing.docstring(f"{covered}.", 8),
        claim=_claim(schema, imports, update),
        emit_doc=printing.docstring(f"The operations of `{update.name}`.", 8),
        emit=tuple(emissions.listed(update.emits, scope)),
    )


def _scope(schema: model.Schema, imports: Imports, update: model.Update, owner: str) -> Scope:
    fields = {field.name: f"{owner}.{names.field(field.name)}" for field in update.fields}
    return Scope(schema, imports, fields, taken_names(schema) | {"operations"})


def _claim(schema: model.Schema, imports: Imports, update: model.Update) -> tuple[str, ...]:
    claim = update.claim
    if claim is None:
        return ("return None",)
    scope = _scope(schema, imports, update, "self")
    table = schema.tables[claim.cursor]
    key_function = imports.use(".keys", names.key_function(table.name))
    key = f"{key_function}({', '.join(compile_code(part, scope).text for part in claim.key)})"
    part = [field.name for field in table.fields].index(claim.part)
    end = compile_code(claim.end, scope)
    count = "1" if claim.count is None else compile_code(claim.count, scope).at(Level.UNARY)
    span = f"{end.at(Level.SUM)} - {count}, {end.text}"
    lines = [f"return Claim({table.id}, {key}, {part}, {span})"]
    if claim.unless is None:
        return tuple(lines)
    unless = branch(compile_test(claim.unless, scope), [Line("return None")])
    return (*lines_of(unless), *lines)


# ---------------------------------------------------------------------------------------------- sync


def _sync(schema: model.Schema, frame: Frame) -> str:
    imports = frame.imports(".sync")
    taken = {"cursor", "key", "parts", "tx"}
    cursors = [_plan_cursor(schema, imports, name, taken) for name in schema.cursors]
    imports.use("collections.abc", "Mapping")
    imports.use("typing", "Final")
    imports.use("pillarbox.errors", "UsageError")
    imports.use("pillarbox.storage", "StoredKey")
    imports.use_all("pillarbox.sync", ["Position", "UpdateProtocol"])
    imports.use(".replay", "replay")
    imports.use(".transaction", "Transaction")
    imports.use_all(".updates", ["Update", "claim", "emit"])
    if cursors:
        imports.use("msgspec.structs", "replace")
    return frame.module(
        doc=f"What a follower of the schema {schema.name!r} works with: `Follower(box, PROTOCOL)`.",
        imports=imports,
        template="sync.py.j2",
        cursors=cursors,
        operation=_operation_type(schema, imports),
        merges=imports.use(".merges", "MERGES") if schema.operations else None,
    )


def _plan_cursor(schema: model.Schema, imports: Imports, name: str, taken: set[str]) -> CursorPlan:
    table = schema.tables[name]
    row_class = imports.use(".types", names.class_name(name))
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
