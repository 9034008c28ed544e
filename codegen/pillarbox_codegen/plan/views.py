"""Plans `views.py`: view keys, snapshots, and how the parts of each view are wired.

Depends on: model, view_parts, structs, names, hints, frame.  Never on: operations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.steps import taken_names
from pillarbox_codegen.plan.structs import StructPlan, plan_struct, row_fields
from pillarbox_codegen.plan.view_classes import class_names, placed, shapes_of_classes
from pillarbox_codegen.plan.view_parts import Builder, PartPlan
from pillarbox_codegen.plan.view_pieces import rows_of, value_annotation


@dataclass(frozen=True, slots=True)
class SnapshotPlan:
    """What a view shows: one field for each part."""

    name: str
    doc: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ViewPlan:
    """One view: its key, its snapshot and what is in it, and the function that makes its parts."""

    key: StructPlan
    #: How `type` and `property` are written below fields that may be called so.
    builtin: str
    snapshot: SnapshotPlan
    #: Rows of which not all is shown, and rows with what hangs on them, inner ones first.
    shown: tuple[StructPlan, ...]
    entries: tuple[SnapshotPlan, ...]
    builder: str
    doc: str
    parts: tuple[PartPlan, ...]
    #: The parts in a tuple, their values for the snapshot, and their names in a tuple.
    locals: str
    values: str
    names: str
    #: `, held=(..)`, if values are.
    held: str


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`views.py`."""
    classes = class_names(schema)
    imports = frame.imports(".views", classes.values())
    imports.use_all("collections.abc", ["Mapping"])
    imports.use("typing", "Final")
    imports.use("pillarbox.views", "Builder")
    if schema.views:
        imports.use("typing", "TYPE_CHECKING")
        imports.use("msgspec", "Struct")
        imports.use_all("pillarbox.views", ["Readers", "View"])
    shapes = shapes_of_classes(schema)
    written: set[str] = set()
    views = [_plan_view(schema, imports, classes, shapes, view, written) for view in schema.views.values()]
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


def _plan_view(
    schema: model.Schema,
    imports: Imports,
    classes: dict[tuple[str, str], str],
    shapes: Mapping[str, str],
    view: model.View,
    written: set[str],
) -> ViewPlan:
    """One view; classes of shapes that are `written` already are not written again."""

    def new(name: str | None) -> bool:
        if name is None or name in written:
            return False
        written.add(name)
        return True

    paths = [(one.path, one.part) for one in placed(view.parts)]
    shows, entries = (
        {path: classes[view.name, mark + path] for path, _ in paths if (view.name, mark + path) in classes}
        for mark in (".", "+")
    )
    shown = _Shown(schema, imports, view, shows, entries, shapes)
    key_class, snapshot_class = classes[view.name, ""], classes[view.name, "snapshot"]
    key = plan_struct(
        schema, imports, name=key_class, doc=view.doc or f"The view `{view.name}`.", fields=view.key
    )
    parts = _plan_parts(schema, imports, view, shows, entries)
    held = [part.local for part in parts if part.held]
    hidden = any(field.name in ("type", "property") for field in view.key)
    return ViewPlan(
        key=key,
        builtin=f"{imports.use_module('builtins')}." if hidden else "",
        snapshot=SnapshotPlan(
            snapshot_class, printing.docstring(f"What `{key_class}` shows.", 4), shown.lines(view.parts, "")
        ),
        shown=tuple(shown.narrowed(path, part) for path, part in paths if new(shows.get(path))),
        entries=tuple(shown.entry(path, part) for path, part in paths if new(entries.get(path))),
        builder=f"_{view.name}_view",
        doc=printing.docstring(f"The parts of `{key_class}`, not yet loaded.", 4),
        parts=tuple(parts),
        locals=printing.tuple_text([part.local for part in parts]),
        values=", ".join(f"{part.local}.value" for part in parts if part.shown),
        names=printing.literal(tuple(part.name for part in parts)),
        held=f", held={printing.tuple_text(held)}" if held else "",
    )


@dataclass(frozen=True, slots=True)
class _Shown:
    """Plans what is in the snapshots of one view."""

    schema: model.Schema
    imports: Imports
    view: model.View
    #: Path of a part -> the class of its narrowed rows, and that of its entries.
    shows: Mapping[str, str]
    entries: Mapping[str, str]
    #: Class -> the shape that it is of, not of the view alone.
    shapes: Mapping[str, str]

    def _told(self, name: str) -> str:
        """What a class is of."""
        shape = self.shapes.get(name)
        return f"`{names.class_name(self.view.name)}`" if shape is None else f"the shape `{shape}`"

    def narrowed(self, path: str, part: model.Part) -> StructPlan:
        """The part of a row that is shown."""
        table = self.schema.tables[rows_of(part)]
        wanted = part.common.show or ()
        fields = [field for field in row_fields(table) if field.name in wanted]
        doc = f"What {self._told(self.shows[path])} shows of a row of `{table.name}`."
        return plan_struct(
            self.schema, self.imports, name=self.shows[path], doc=doc, fields=fields, defaults=False
        )

    def entry(self, path: str, part: model.Part) -> SnapshotPlan:
        """A row with what hangs on it."""
        if isinstance(part, model.EachPart):
            of, held = "value", f"item: {hints.annotation(self.schema, self.imports, part.item)}"
        else:
            of, held = f"row of `{rows_of(part)}`", f"row: {self._row(path, part)}"
        doc = f"A {of} in {self._told(self.entries[path])}, with what hangs on it."
        lines = (held, *self.lines(part.common.children, f"{path}."))
        return SnapshotPlan(self.entries[path], printing.docstring(doc, 4), lines)

    def lines(self, parts: Sequence[model.Part], above: str) -> tuple[str, ...]:
        """One field for each part that is shown."""
        found: list[str] = []
        for part in parts:
            if part.common.show == ():
                continue
            if part.common.doc:
                found += [line.strip() for line in printing.comment(part.common.doc, 4, mark="#:")]
            found.append(
                f"{names.field(part.common.name)}: {self._annotation(f'{above}{part.common.name}', part)}"
            )
        return tuple(found)

    def _annotation(self, path: str, part: model.Part) -> str:
        plain = isinstance(part, model.AggregatePart) and not part.common.show
        if plain or isinstance(part, model.ValuePart | model.WantedPart):
            return value_annotation(self.schema, self.imports, part, "")
        row = self.entries.get(path) or self._row(path, part)
        return value_annotation(self.schema, self.imports, part, row)

    def _row(self, path: str, part: model.Part) -> str:
        row = model.RowOf(rows_of(part))
        return self.shows.get(path) or hints.annotation(self.schema, self.imports, row)


def _plan_parts(
    schema: model.Schema,
    imports: Imports,
    view: model.View,
    shows: Mapping[str, str],
    entries: Mapping[str, str],
) -> list[PartPlan]:
    taken = taken_names(schema) | {
        "all",
        "beginning",
        "bits",
        "iter",
        "key",
        "mark",
        "next",
        "readers",
        "item",
        "row",
        "rows_under",
        "rules",
        "search_for",
        "specs",
        "sum",
    }
    for table in schema.tables.values():
        taken |= {names.source_key_function(table.name), names.between_function(table.name)}
        taken |= {names.prefix_function(table.name, length) for length in range(1, len(table.key))}
        taken |= {names.rest_function(table.name, start) for start in range(1, len(table.key))}
    params = {field.name: f"key.{names.field(field.name)}" for field in view.key}
    declared = {field.name: field.type for field in view.key}
    scope = Scope(schema, imports, params, taken, declared=declared)
    builder = Builder(schema, imports, scope, shows, entries)
    for part in view.parts:
        builder.add(part)
    return builder.parts
