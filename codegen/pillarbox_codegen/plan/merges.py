"""Plans `merges.py`: which operations become fewer before they are replayed, and what keeps them apart.

Depends on: model, reaches, names, frame.  Never on: steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.reaches import Reach, meeting, reach
from pillarbox_codegen.walk import nodes


@dataclass(frozen=True, slots=True)
class EndPlan:
    """An operation, and those that must not be merged across it."""

    name: str
    ended: str


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """One module, where the schema has operations."""
    if not schema.operations:
        return {}
    imports = frame.imports(".merges")
    imports.use("typing", "Final")
    imports.use("pillarbox.sync.optimiser", "Merges")
    batches, tails, folds = [], [], []
    for operation in schema.operations.values():
        match operation.merge:
            case model.BatchMerge(items, by):
                others = printing.tuple_text([printing.literal(names.field(name)) for name in by])
                batches.append((_class(imports, operation), printing.literal(names.field(items)), others))
            case model.TailMerge(keys):
                fields = printing.tuple_text([printing.literal(names.field(name)) for name in keys])
                tails.append((_class(imports, operation), fields))
        if operation.fold is not None:
            folds.append((_class(imports, operation), _fold(schema, imports, operation.fold)))
    text = frame.module(
        doc=f"Which operations of the schema {schema.name!r} are merged before they are replayed.",
        imports=imports,
        template="merges.py.j2",
        batches=batches,
        tails=tails,
        folds=folds,
        ends=_ends(schema, imports),
    )
    return {"merges.py": text}


def _class(imports: Imports, operation: model.Operation) -> str:
    return imports.use(".operations", names.class_name(operation.name))


def _fold(schema: model.Schema, imports: Imports, fold: model.RowFold) -> str:
    name, into = imports.use("pillarbox.sync.optimiser", "Fold"), schema.operations[fold.into]
    key, at = (
        printing.tuple_text([printing.literal(names.field(one)) for one in some])
        for some in (fold.key, fold.at)
    )
    changes = "None"
    if fold.set is not None:
        pairs = [[printing.literal(names.field(one)) for one in pair] for pair in fold.set]
        changes = "{" + ", ".join(f"{field}: {param}" for field, param in pairs) + "}"
    return f"{name}({_class(imports, into)}, {key}, {at}, {changes})"


def _ends(schema: model.Schema, imports: Imports) -> list[EndPlan]:
    merged = [operation for operation in schema.operations.values() if operation.merge is not None]
    reaches = {name: reach(one.steps, schema.tables) for name, one in schema.operations.items()}
    found = []
    for operation in schema.operations.values():
        ended = [one for one in merged if one is not operation and _meet(one, operation, reaches)]
        if ended:
            classes = ", ".join(_class(imports, one) for one in ended)
            found.append(EndPlan(_class(imports, operation), f"frozenset({{{classes}}})"))
    return found


def _meet(one: model.Operation, other: model.Operation, reaches: dict[str, Reach]) -> bool:
    """Whether the order of the two matters: of two tails, where they set the same part of a cursor."""
    if not meeting(reaches[one.name], reaches[other.name]):
        return False
    parts = [_parts(it.steps) for it in (one, other) if isinstance(it.merge, model.TailMerge)]
    return len(parts) < 2 or parts[0] is None or parts[1] is None or bool(parts[0] & parts[1])


def _parts(steps: Sequence[model.Step]) -> set[tuple[str, str]] | None:
    """(cursor, part) of all that a tail sets; None where it writes other tables, too."""
    found = set()
    for node in nodes(tuple(steps)):
        if isinstance(node, model.PutStep | model.PatchStep | model.RemoveStep):
            return None
        if isinstance(node, model.SetCursorStep):
            found |= {(node.cursor, value.name) for value in node.set}
    return found
