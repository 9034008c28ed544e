"""Which methods of a table's class some step needs: a class has no others of their kind.

Depends on: model, names, writer_plans, frame.  Never on: what the methods do.
"""

from __future__ import annotations

from collections.abc import Callable

from pillarbox_codegen import model
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.writer_plans import IdentifiedPlan
from pillarbox_codegen.walk import nodes


def identified(
    schema: model.Schema,
    imports: Imports,
    table: model.Table,
    identity: model.Table | None,
    missed: Callable[[model.Table], tuple[str, ...]],
) -> tuple[IdentifiedPlan, ...]:
    """Finding rows by the identity, if steps do; `missed` gives what is done where there is none."""
    used = any(
        isinstance(node, model.Lookup | model.PatchStep | model.RemoveStep)
        and node.by is not None
        and node.table == table.name
        for node in nodes(_all_steps(schema))
    )
    if identity is None or not used:
        return ()
    parts = [names.parameter(part.name, identity.name) for part in identity.key]
    annotated = [
        f"{parameter}: {names.annotation(schema, imports, part.type)}"
        for parameter, part in zip(parts, identity.key, strict=True)
    ]
    imports.use("collections.abc", "Iterable")
    imports.use("pillarbox.storage", "StoredKey")
    key = f"{imports.use('.keys', names.key_function(identity.name))}({', '.join(parts)})"
    return (IdentifiedPlan(identity.name, ", ".join(annotated), key, missed(identity)),)


def after_last(schema: model.Schema, imports: Imports, table: model.Table) -> tuple[str, ...]:
    used = any(
        isinstance(node, model.RemoveStep) and node.upper is not None and node.table == table.name
        for node in nodes(_all_steps(schema))
    )
    if not used:
        return ()
    if names.is_int_key(schema, table):
        return (f"high + 1 if high < {2**63 - 1} else None",)
    imports.use("pillarbox.codec", "successor")
    return ("successor(high)",)


def _all_steps(schema: model.Schema) -> tuple[model.Step, ...]:
    return (*schema.box_seed, *(step for one in schema.operations.values() for step in one.steps))


def replaced_under(schema: model.Schema, table: model.Table) -> list[int]:
    """The lengths of the prefixes under which steps replace rows of the table."""
    found = {
        len(node.under)
        for node in nodes(_all_steps(schema))
        if isinstance(node, model.ReplaceStep) and node.table == table.name
    }
    return sorted(found)
