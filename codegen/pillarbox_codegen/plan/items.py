"""Plans `items.py`: single values out of what views show.

Depends on: model, view_classes, view_pieces, structs, names, hints, frame.  Never on: parts' wiring.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_expr
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.structs import StructPlan, plan_struct
from pillarbox_codegen.plan.view_classes import class_names, placed
from pillarbox_codegen.plan.view_pieces import rows_of, value_annotation

#: (view, mark and path) -> class, as `class_names` gives them.
Classes = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class ItemPlan:
    """One item: its key, the view it is of, and the term that takes it."""

    struct: StructPlan
    view: str
    #: What stands in the brackets after the view's key.
    arguments: str
    snapshot: str
    type: str
    take: str


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`items.py`, where the schema has any."""
    if not schema.items:
        return {}
    imports = frame.imports(".items", {names.class_name(item.name) for item in schema.items})
    imports.use("msgspec", "Struct")
    classes = class_names(schema)
    items = [_plan_item(schema, imports, classes, item) for item in schema.items]
    text = frame.module(
        doc=(
            f"The items of the schema {schema.name!r}.\n\n"
            f"An item is one value out of what a view shows: `box.data.get(item)` gives it, and "
            f"`box.data.watch(item)` tells of each commit that changes it."
        ),
        imports=imports,
        template="items.py.j2",
        items=items,
    )
    return {"items.py": text}


def _plan_item(schema: model.Schema, imports: Imports, classes: Classes, item: model.Item) -> ItemPlan:
    name = names.class_name(item.name)
    struct = plan_struct(
        schema, imports, name=name, doc=item.doc or f"The item `{item.name}`.", fields=item.key
    )
    own = {field.name: f"self.{names.field(field.name)}" for field in item.key}
    parts = {part.common.name: part for part in schema.views[item.view].parts}
    shown = {part: f"snapshot.{names.field(part)}" for part in parts if part not in own}
    taken = {"self", "snapshot"}
    arguments = [
        f"{names.field(field)}={compile_expr(expr, Scope(schema, imports, own, taken))}"
        for field, expr in item.at
    ]
    return ItemPlan(
        struct=struct,
        view=imports.use(".views", classes[item.view, ""]),
        arguments=", ".join(arguments),
        snapshot=imports.use(".views", classes[item.view, "snapshot"]),
        type=_annotation(schema, imports, classes, item.take.type),
        take=compile_expr(item.take, Scope(schema, imports, {**own, **shown}, taken)),
    )


def _annotation(schema: model.Schema, imports: Imports, classes: Classes, type_: model.Type) -> str:
    """The Python text of what an item has."""
    match type_:
        case model.Optional(inner):
            return f"{_annotation(schema, imports, classes, inner)} | None"
        case model.ListOf(inner):
            return f"tuple[{_annotation(schema, imports, classes, inner)}, ...]"
        case model.ShownOf(view, path, "entry"):
            return imports.use(".views", classes[view, f"+{path}"])
        case model.ShownOf(view, path, "row"):
            return imports.use(".views", classes[view, f".{path}"])
        case model.ShownOf(view, path):
            part = next(one.part for one in placed(schema.views[view].parts) if one.path == path)
            return value_annotation(schema, imports, part, _row(schema, imports, classes, view, path, part))
        case _:
            return hints.annotation(schema, imports, type_)


def _row(
    schema: model.Schema, imports: Imports, classes: Classes, view: str, path: str, part: model.Part
) -> str:
    """The class of a row of a part, as the snapshot has it; of a part without rows, nothing."""
    if isinstance(part, model.WantedPart):
        return ""
    for mark in "+.":
        if (view, mark + path) in classes:
            return imports.use(".views", classes[view, mark + path])
    return hints.annotation(schema, imports, model.RowOf(rows_of(part)))
