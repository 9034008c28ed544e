"""The classes of what views show, by name; those of shapes are shared.

Depends on: model, names.  Never on: how a class is written.

Law: two parts have one class exactly if they stand at one place of one shape and show the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from pillarbox_codegen import model
from pillarbox_codegen.plan import names, reserved


@dataclass(frozen=True, slots=True)
class Placed:
    """A part with its path in the view; in a shape also the shape, and its path there."""

    path: str
    part: model.Part
    shape: str | None
    inside: str


def placed(
    parts: Sequence[model.Part], above: str = "", shape: str | None = None, inside: str = ""
) -> Iterator[Placed]:
    """Every part; the children of rows before the part that has the rows."""
    for part in parts:
        path = f"{above}{part.common.name}"
        own = part.common.of_shape or shape
        there = (
            "" if own is None else part.common.name if part.common.of_shape else f"{inside}{part.common.name}"
        )
        yield from placed(part.common.children, f"{path}.", own, f"{there}." if there else "")
        yield Placed(path, part, own, there)


def class_names(schema: model.Schema) -> dict[tuple[str, str], str]:
    """The classes of a view by what they are of.

    (view, "") -> its key, (view, "snapshot") -> its snapshot; (view, ".part") -> the narrowed rows of a
    part, (view, "+part") -> its entries, with a path for the children of rows.
    """
    classes = {(view, ""): names.class_name(view) for view in schema.views}
    shared: dict[Hashable, str] = {}
    for view in schema.views.values():
        classes[view.name, "snapshot"] = names.safe(names.snapshot_class(view.name), classes.values())
        for one in placed(view.parts):
            for mark, needed in ((".", one.part.common.show), ("+", one.part.common.children)):
                if not needed:
                    continue
                shape, inside = _in_shape(one, mark)
                same: Hashable = None if shape is None else (shape, inside, mark, _entry_as(one.part))
                name = shared.get(same) if shape is not None else None
                if name is None:
                    place = f"{view.name}.{one.path}" if shape is None else f"{shape}.{inside}".rstrip(".")
                    name = names.safe(_wanted(place, mark), {*classes.values(), *reserved.CLASSES})
                    if shape is not None:
                        shared[same] = name
                classes[view.name, mark + one.path] = name
    return classes


def shapes_of_classes(schema: model.Schema) -> dict[str, str]:
    """The classes that are of a shape, and the shape."""
    classes = class_names(schema)
    found = {}
    for view in schema.views.values():
        for one in placed(view.parts):
            for mark in (".", "+"):
                name = classes.get((view.name, mark + one.path))
                shape, _ = _in_shape(one, mark)
                if name is not None and shape is not None:
                    found[name] = shape
    return found


def _in_shape(one: Placed, mark: str) -> tuple[str | None, str]:
    """The shape whose class it is: that of its children, of entries that have no others; else its own."""
    if mark == "+" and one.part.common.shape is not None:
        return one.part.common.shape, ""
    return one.shape, one.inside


def _wanted(place: str, mark: str) -> str:
    words = [names.class_name(word) for word in place.split(".")]
    above = "".join(word.rstrip("_") for word in words[:-1])
    return f"{above}{words[-1]}" if mark == "." else f"{above}{words[-1].rstrip('_')}Entry"


def shown_as(part: model.Part) -> Hashable:
    """What tells the classes of two parts apart: whose rows, which fields, and the same of each child."""
    match part:
        case model.AggregatePart(type=type_):
            return "value", type_, part.common.show
        case model.ValuePart(_, of):
            return "value", of.type
    optional = isinstance(part, model.GetPart) and part.or_default
    return type(part).__name__, optional, _entry_as(part)


def _entry_as(part: model.Part) -> Hashable:
    """The same of one of its rows, wherever it is from."""
    of_rows: Hashable
    match part:
        case model.EachPart(_, _, item):
            of_rows = item
        case model.ScanPart() | model.WindowPart() | model.SearchPart():
            of_rows = part.rows
        case model.WantedPart() | model.ValuePart():
            of_rows = None
        case model.AggregatePart(type=type_):
            of_rows = type_
        case _:
            of_rows = part.table
    children = [
        (child.common.name, child.common.doc, shown_as(child))
        for child in part.common.children
        if child.common.show != ()
    ]
    return of_rows, part.common.show, tuple(children)
