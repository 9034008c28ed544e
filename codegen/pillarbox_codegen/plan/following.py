"""Which writes kept words hear: those of a primary table, perhaps through indexes of it.

Depends on: model, owned.  Never on: what the words make of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pillarbox_codegen import model
from pillarbox_codegen.plan.owned import heard_owner


@dataclass(frozen=True, slots=True)
class Route:
    """From the primary table whose writes are heard to the table that is followed."""

    primary: str
    #: The indexes between them, in the order of their making; the last is the followed table.
    indexes: tuple[str, ...]


def route_to(schema: model.Schema, name: str) -> Route | None:
    """How the writes behind a table are heard; None where it is followed when the transaction settles."""
    table = schema.tables[name]
    if table.role != "derived":
        return Route(name, ())
    if not isinstance(table.rule, model.Index) or table.rule.lookups:
        return None
    route = route_to(schema, table.rule.source)
    return None if route is None else Route(route.primary, (*route.indexes, name))


def followed_tables(schema: model.Schema) -> set[str]:
    """The tables whose writes are heard."""
    sources = [
        source
        for table in schema.tables.values()
        if table.role == "kept" and table.rule is not None and not isinstance(table.rule, model.Refs)
        for source in table.rule.sources
    ]
    routes = [route_to(schema, source) for source in sources]
    owners = {heard_owner(schema, table.owned) for table in schema.tables.values() if table.owned is not None}
    return owners | {route.primary for route in routes if route is not None}


def missing_tables(schema: model.Schema) -> set[str]:
    """The tables of whose absent rows a word with a base hears."""
    rules = (table.rule for table in schema.tables.values())
    routes = [
        route_to(schema, rule.sources[0])
        for rule in rules
        if isinstance(rule, model.Marker | model.AnchoredCount)
    ]
    return {route.primary for route in routes if route is not None}


def missed_text(table: model.Table, values: Mapping[str, str]) -> str:
    """The call that says of a table which row was to be changed and is not there; nothing if none is known.

    `values` are texts by the parts of the table's key, or of its identity's.
    """
    rule = table.rule
    fields: dict[str, str] = {part.name: part.name for part in table.key}
    if isinstance(rule, model.Index):
        named = [part for part in rule.key if isinstance(part.expr, model.Local)]
        fields = {part.name: part.expr.name for part in named if isinstance(part.expr, model.Local)}
    known = [f"{fields[part]}={text}" for part, text in values.items() if part in fields]
    return f"missed({', '.join(known)})"
