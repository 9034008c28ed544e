"""Which methods of a table's class some step needs: a class has no others of their kind.

Depends on: model, names, hints, writer_plans, frame.  Never on: what the methods do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pillarbox_codegen import model
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.writer_plans import IdentifiedPlan
from pillarbox_codegen.plan.writer_under import parameter
from pillarbox_codegen.walk import nodes


@dataclass(frozen=True, slots=True)
class Uses:
    """What the steps of a schema do with its tables, each by name. Found once: it looks at every step."""

    #: Looked up, patched or removed by an identity.
    identified: frozenset[str]
    #: Removed from up to a key.
    ended: frozenset[str]
    #: (table, the length of a prefix under which rows are replaced).
    replaced: frozenset[tuple[str, int]]


def uses_of(schema: model.Schema) -> Uses:
    """What all operations do, and what a new box starts with."""
    steps = (*schema.box_seed, *(step for one in schema.operations.values() for step in one.steps))
    identified: set[str] = set()
    ended: set[str] = set()
    replaced: set[tuple[str, int]] = set()
    for node in nodes(steps):
        if isinstance(node, model.ReplaceStep):
            replaced.add((node.table, len(node.under)))
        elif isinstance(node, model.Lookup | model.PatchStep | model.RemoveStep) and node.by is not None:
            identified.add(node.table)
        if isinstance(node, model.RemoveStep) and node.upper is not None:
            ended.add(node.table)
    return Uses(frozenset(identified), frozenset(ended), frozenset(replaced))


def identified(
    schema: model.Schema,
    imports: Imports,
    table: model.Table,
    uses: Uses,
    identity: model.Table | None,
    missed: Callable[[model.Table], tuple[str, ...]],
) -> tuple[IdentifiedPlan, ...]:
    """Finding rows by the identity, if steps do; `missed` gives what is done where there is none."""
    if identity is None or table.name not in uses.identified:
        return ()
    parts = [parameter(identity, part.name) for part in identity.key]
    annotated = [
        f"{parameter}: {hints.annotation(schema, imports, part.type)}"
        for parameter, part in zip(parts, identity.key, strict=True)
    ]
    imports.use("collections.abc", "Iterable")
    imports.use("pillarbox.storage", "StoredKey")
    key = f"{imports.use('.keys', names.key_function(identity.name))}({', '.join(parts)})"
    return (IdentifiedPlan(identity.name, ", ".join(annotated), key, missed(identity)),)


def after_last(schema: model.Schema, imports: Imports, table: model.Table, uses: Uses) -> tuple[str, ...]:
    if table.name not in uses.ended:
        return ()
    if hints.is_int_key(schema, table):
        return (f"high + 1 if high < {2**63 - 1} else None",)
    imports.use("pillarbox.codec", "successor")
    return ("successor(high)",)


def replaced_under(table: model.Table, uses: Uses) -> list[int]:
    """The lengths of the prefixes under which steps replace rows of the table."""
    return sorted(length for name, length in uses.replaced if name == table.name)
