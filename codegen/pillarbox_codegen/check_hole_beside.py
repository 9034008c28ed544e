"""What pages write besides their rows, and what is said of that while they are on their way.

Depends on: context, touches, walk.  Never on: requests, groups, ids.

Law: where an older page could undo what an operation wrote meanwhile, beside its rows, somebody has said
whether that matters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import all_of, one_of
from pillarbox_codegen.model import (
    AnchorStep,
    Body,
    Emission,
    HoleChange,
    HolePage,
    Operation,
    PatchStep,
    PlaceStep,
    PutStep,
    RangeStep,
    RemoveStep,
    ReorderStep,
    ReplaceStep,
    ShareStep,
    Table,
    UnplaceStep,
)
from pillarbox_codegen.touches import gone_with, touched
from pillarbox_codegen.walk import nodes
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode

#: More operations than these are not named.
_SHOWN_MAX = 3


def check_beside(
    context: Context,
    body: YamlMap,
    pages: Sequence[HolePage],
    changes: Sequence[HoleChange],
    spoiling: Collection[str],
) -> None:
    """Once for each page whose `emits` or `body` writes other tables, unless `also` tells of them."""
    if "also" in body.values:
        return
    heard = {change.operation for change in changes} | set(spoiling) | _of_pages_alone(context, pages)
    others = [operation for name, operation in context.operations.items() if name not in heard]
    own = {page.of for page in pages} | {text_value(body.values["table"])}
    node = body.values["answers"]
    assert isinstance(node, YamlMap)
    for page in pages:
        said = node.values[page.answer.name]
        assert isinstance(said, YamlMap)
        for place, name in _written_by(context, page, said):
            lost = undone(context.operations[name], others, own, context.tables)
            if lost:
                _tell(context, place, name, lost)
                break


def _tell(context: Context, place: YamlNode, name: str, lost: dict[str, list[str]]) -> None:
    names = list(dict.fromkeys(operation for found in lost.values() for operation in found))
    shown = one_of(names) if len(names) <= _SHOWN_MAX else f"`{names[0]}` and {len(names) - 1} others"
    text = (
        f"`{name}` writes {all_of(lost)}, which {shown} may change while a page is on its way; "
        "then the page undoes that"
    )
    hint = (
        f"say `also: [{', '.join(lost)}]`, so that such a page is asked for again, tell in `changes` what "
        "they do, or say `also: []` where an older row does no harm"
    )
    context.findings.add(place, "fetching", text, hint)


def _written_by(context: Context, page: HolePage, said: YamlMap) -> Iterator[tuple[YamlNode, str]]:
    """Where it stands, and the operation."""
    if page.body is not None:
        for name in _emitted(context, _bodies(context, page)):
            yield said.values["body"], name
    node = said.values.get("emits")
    items = node.items if isinstance(node, YamlList) else ()
    for entry, item in zip(page.emits, items, strict=True):
        assert isinstance(item, YamlMap)
        yield item.keys[entry.operation], entry.operation


def _bodies(context: Context, page: HolePage) -> tuple[Body, ...]:
    found = context.protocol.bodies.items()
    return tuple(body for (name, answer, _), body in found if (name, answer) == (page.body, page.answer.name))


def _emitted(context: Context, things: tuple[object, ...]) -> list[str]:
    """The operations that entries name, and those of the updates that lists of bodies become."""
    found: list[str] = []
    for node in nodes(things):
        if isinstance(node, Emission) and node.operation in context.operations:
            found.append(node.operation)
    for body in (thing for thing in things if isinstance(thing, Body)):
        for one in body.lists:
            names = (one.update,) if one.update else one.only or tuple(context.updates)
            emits = tuple(context.updates[name].emits for name in names if name in context.updates)
            found += _emitted(context, emits)
    return list(dict.fromkeys(found))


def _of_pages_alone(context: Context, pages: Sequence[HolePage]) -> set[str]:
    """Operations that nothing makes but these pages: two of them do not come at one time for one row."""
    own = {entry.operation for page in pages for entry in (*page.emits, *page.absent)}
    protocol = context.protocol
    elsewhere: tuple[object, ...] = (
        *(update.emits for update in context.updates.values()),
        *(update.brings for update in context.updates.values()),
        *protocol.opened.values(),
        *protocol.bodies.values(),
        *protocol.resets.values(),
    )
    return own - set(_emitted(context, elsewhere))


def undone(
    operation: Operation, others: Sequence[Operation], own: Collection[str], tables: Mapping[str, Table]
) -> dict[str, list[str]]:
    """Table, but its `own` -> the operations whose work there this one may undo when it comes later."""
    over, new = _writes(operation)
    over |= _going(operation, tables)  # with a row go those that it owns, also such as came meanwhile
    found: dict[str, list[str]] = {}
    for other in others:
        written = touched(other, tables).written & over
        written |= _going(other, tables) & new
        for table in sorted(written - set(own)):
            found.setdefault(table, []).append(other.name)
    return found


def _writes(operation: Operation) -> tuple[set[str], set[str]]:
    """Tables whose rows it writes over, and those that it adds rows to."""
    over: set[str] = set()
    new: set[str] = set()
    for node in nodes(operation.steps):
        match node:
            case PutStep(table=name, only="new"):
                new.add(name)
            case (
                PutStep(table=name) | PatchStep(table=name) | ReplaceStep(table=name)
                | RangeStep(table=name) | AnchorStep(table=name) | ShareStep(table=name)
                | PlaceStep(table=name) | UnplaceStep(table=name) | ReorderStep(table=name)
            ):  # fmt: skip
                over.add(name)
    return over, new - over


def _going(operation: Operation, tables: Mapping[str, Table]) -> set[str]:
    """Tables that it takes rows out of, near or far."""
    removing = {node.table for node in nodes(operation.steps) if isinstance(node, RemoveStep | ReplaceStep)}
    return gone_with(removing, tables)
