"""Plans `views.py`: view keys, snapshots, and how the parts of each view are wired.

Depends on: model, view_parts, structs, names, frame.  Never on: operations.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.steps import taken_names
from pillarbox_codegen.plan.structs import StructPlan, plan_struct, row_fields
from pillarbox_codegen.plan.view_parts import Builder, PartPlan


@dataclass(frozen=True, slots=True)
class SnapshotPlan:
    """What a view shows: one field for each part."""

    name: str
    doc: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ViewPlan:
    """One view: its key, its snapshot and the rows in it, and the function that makes its parts."""

    key: StructPlan
    snapshot: SnapshotPlan
    shown: tuple[StructPlan, ...]
    builder: str
    doc: str
    parts: tuple[PartPlan, ...]
    #: The parts in a tuple, their values for the snapshot, and their names in a tuple.
    locals: str
    values: str
    names: str


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`views.py`."""
    classes = _class_names(schema)
    imports = frame.imports(".views", classes.values())
    imports.use_all("collections.abc", ["Mapping"])
    imports.use("typing", "Final")
    imports.use("pillarbox.views", "Builder")
    if schema.views:
        imports.use("typing", "TYPE_CHECKING")
        imports.use("msgspec", "Struct")
        imports.use_all("pillarbox.views", ["Readers", "View"])
    views = [_plan_view(schema, imports, classes, view) for view in schema.views.values()]
    text = frame.module(
        doc=(
            f"The views of the schema {schema.name!r}.\n\n"
            f"A view is named by its key: `box.watch(key)` gives snapshots, one for each commit that changes "
            f"what is shown."
        ),
        imports=imports,
        template="views.py.j2",
        views=views,
    )
    return {"views.py": text}


def _class_names(schema: model.Schema) -> dict[tuple[str, str], str]:
    """(view, "") -> its key's class, (view, "snapshot") -> its snapshot's, (view, ".part") -> its rows'."""
    classes = {(view, ""): names.class_name(view) for view in schema.views}
    for view in schema.views.values():
        classes[view.name, "snapshot"] = names.safe(names.snapshot_class(view.name), classes.values())
        for part in view.parts:
            if part.common.show:
                wanted = f"{names.class_name(view.name).rstrip('_')}{names.class_name(part.common.name)}"
                taken = {*classes.values(), *names.CLASSES}
                classes[view.name, f".{part.common.name}"] = names.safe(wanted, taken)
    return classes


def _plan_view(
    schema: model.Schema, imports: Imports, classes: dict[tuple[str, str], str], view: model.View
) -> ViewPlan:
    shows = {
        part.common.name: classes[view.name, f".{part.common.name}"]
        for part in view.parts
        if part.common.show
    }
    key_class, snapshot_class = classes[view.name, ""], classes[view.name, "snapshot"]
    key = plan_struct(
        schema, imports, name=key_class, doc=view.doc or f"The view `{view.name}`.", fields=view.key
    )
    shown = [
        _plan_shown(schema, imports, shows[part.common.name], view, part)
        for part in view.parts
        if part.common.show
    ]
    parts = _plan_parts(schema, imports, view, shows)
    return ViewPlan(
        key=key,
        snapshot=_plan_snapshot(schema, imports, snapshot_class, key_class, view, shows),
        shown=tuple(shown),
        builder=f"_{view.name}_view",
        doc=printing.docstring(f"The parts of `{key_class}`, not yet loaded.", 4),
        parts=tuple(parts),
        locals=printing.tuple_text([part.local for part in parts]),
        values=", ".join(f"{part.local}.value" for part in parts if part.shown),
        names=printing.literal(tuple(part.name for part in parts)),
    )


def _plan_shown(
    schema: model.Schema, imports: Imports, name: str, view: model.View, part: model.Part
) -> StructPlan:
    """The part of a row that a snapshot shows."""
    table = schema.tables[_table_of(part)]
    wanted = part.common.show or ()
    fields = [field for field in row_fields(table) if field.name in wanted]
    doc = f"What `{names.class_name(view.name)}` shows of a row of `{table.name}`."
    return plan_struct(schema, imports, name=name, doc=doc, fields=fields, defaults=False)


def _table_of(part: model.Part) -> str:
    """The table whose rows a part shows."""
    match part:
        case model.GetPart(_, table) | model.GetEachPart(_, table):
            return table
        case model.ScanPart() | model.WindowPart():
            return part.rows
        case model.AggregatePart():
            raise TypeError("an aggregate shows no rows")


def _plan_snapshot(
    schema: model.Schema,
    imports: Imports,
    name: str,
    key_class: str,
    view: model.View,
    shows: dict[str, str],
) -> SnapshotPlan:
    lines: list[str] = []
    for part in view.parts:
        if part.common.show == ():
            continue
        if part.common.doc:
            lines += [line.strip() for line in printing.comment(part.common.doc, 4, mark="#:")]
        lines.append(f"{names.field(part.common.name)}: {_annotation(schema, imports, part, shows)}")
    return SnapshotPlan(name, printing.docstring(f"What `{key_class}` shows.", 4), tuple(lines))


def _annotation(schema: model.Schema, imports: Imports, part: model.Part, shows: dict[str, str]) -> str:
    """The type of a part's value in the snapshot."""
    if isinstance(part, model.AggregatePart):
        return names.annotation(schema, imports, part.type)
    table = schema.tables[_table_of(part)]
    row = shows.get(part.common.name) or names.annotation(schema, imports, model.RowOf(table.name))
    match part:
        case model.GetPart():
            return row if part.or_default else f"{row} | None"
        case model.GetEachPart():
            return f"Mapping[{names.key_annotation(schema, imports, table)}, {row}]"
        case model.ScanPart():
            return f"tuple[{row}, ...]"
        case model.WindowPart():
            return f"{imports.use('pillarbox.views', 'Window')}[{row}]"


def _plan_parts(
    schema: model.Schema, imports: Imports, view: model.View, shows: dict[str, str]
) -> list[PartPlan]:
    taken = taken_names(schema) | {"key", "readers", "row", "rules", "specs"}
    for table in schema.tables.values():
        taken.add(names.source_key_function(table.name))
        taken |= {names.prefix_function(table.name, length) for length in range(1, len(table.key))}
    params = {field.name: f"key.{names.field(field.name)}" for field in view.key}
    declared = {field.name: field.type for field in view.key}
    builder = Builder(schema, imports, Scope(schema, imports, params, taken, declared=declared), shows)
    for part in view.parts:
        builder.add(part)
    return builder.parts
