"""The word `join`: one row per key of its drivers, made with rows that are looked up.

Depends on: context, check_items, check_lookups.  Never on: other words.

Law: the key of a join is the key of each of its drivers, so that a changed driver row is one changed key.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_items import Derived, fields_of, named_values, refuse_twice, source_table
from pillarbox_codegen.check_lookups import ELSEWHERE, Own, check_lookups, field_paths, lookup_sources
from pillarbox_codegen.check_tables import is_packed
from pillarbox_codegen.context import Context, row_types
from pillarbox_codegen.expr_check import check_condition
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    Join,
    KeyPart,
    ListOf,
    Local,
    MapOf,
    Named,
    Optional,
    RowOf,
    Scalar,
    Table,
    Type,
)
from pillarbox_codegen.type_rules import show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode

#: What the row of a lone driver is called.
ROWS = "rows"


def join_sources(body: YamlMap) -> Iterable[YamlNode]:
    """The tables that a join looks at, with their places."""
    return [*_drivers(body), *lookup_sources(body)]


def check_join(context: Context, body: YamlMap) -> Derived:
    """The rule, and the key and fields of its rows. Raises Invalid after findings."""
    refuse_twice(context, _drivers(body))
    with context.findings.together() as block:
        found = [block.attempt(source_table, context, node) for node in _drivers(body)]
    drivers = [table for table in found if table is not None]
    key = _key(context, body, drivers)
    names = [part.name for part in key]
    own = Own(key, field_paths(names, ROWS if len(drivers) == 1 else None), drivers)
    lookups, scope = check_lookups(context, body, _scope(drivers, key), own)
    when = check_condition(context, body.values.get("when"), scope)
    row = named_values(context, body.values["row"], scope.assume(when))
    holder = body.values["row"]
    assert isinstance(holder, YamlMap)
    for item in row:
        if item.name in names:
            text = f"`{item.name}` is a key part already"
            raise context.findings.add(
                holder.keys[item.name], "name-taken", text, "leave it out, or rename it"
            )
        _check_stored(context, item.expr.type, holder.values[item.name])
    rule = Join(tuple(table.name for table in drivers), tuple(names), lookups, when, row)
    fields = fields_of(row)
    return Derived(rule, key, fields, "packed" if is_packed(context, fields) else "record")


def _drivers(body: YamlMap) -> list[YamlNode]:
    node = body.values.get("rows")
    return [] if node is None else node.items if isinstance(node, YamlList) else [node]


def _key(context: Context, body: YamlMap, drivers: Sequence[Table]) -> tuple[KeyPart, ...]:
    """The key of every driver, which `by` names. Raises Invalid where it is not."""
    node = body.values["by"]
    assert isinstance(node, YamlList)
    names = [text_value(item) for item in node.items]
    for table, at in zip(drivers, _drivers(body), strict=True):
        if [part.name for part in table.key] != names:
            text = f"the key of `{table.name}` is [{', '.join(part.name for part in table.key)}]"
            hint = "`by` names all parts of it, in this order; rows of another order come through an index"
            raise context.findings.add(node if table is drivers[0] else at, "join-key", text, hint)
        for part, other in zip(table.key, drivers[0].key, strict=True):
            if (part.type, part.desc) != (other.type, other.desc):
                first = drivers[0].name
                text = f"`{part.name}` is {_shown(part)} in `{table.name}`, {_shown(other)} in `{first}`"
                hint = "the drivers of a join have one key"
                raise context.findings.add(at, "join-key", text, hint)
    return tuple(KeyPart(part.name, part.type, part.desc, None, part.doc) for part in drivers[0].key)


def _shown(part: KeyPart) -> str:
    return f"{show(part.type)}{', descending' if part.desc else ''}"


def _scope(drivers: Sequence[Table], key: Sequence[KeyPart]) -> Scope:
    """The parts of the key by name; of a lone driver all fields and `rows`; of several a row or none each."""
    fields = {part.name: part.type for part in key}
    rows: dict[str, Type] = {table.name: Optional(RowOf(table.name)) for table in drivers}
    if len(drivers) == 1:
        fields = row_types(drivers[0])
        rows = {ROWS: RowOf(drivers[0].name)}
    names = {name: Local(name, "field", type) for name, type in fields.items()}
    names |= {name: Local(name, "row", type) for name, type in rows.items()}
    return replace(Scope(names), no_lookups=ELSEWHERE)


def _check_stored(context: Context, type: Type, node: YamlNode) -> None:
    """Raises Invalid where a value of the type cannot be stored."""
    match type:
        case Optional(item) | ListOf(item):
            _check_stored(context, item, node)
        case MapOf(key, value):
            _check_stored(context, key, node)
            _check_stored(context, value, node)
        case Scalar() | Named():
            return
        case _:
            text = f"{show(type)} is not stored in a field"
            raise context.findings.add(node, "type", text, "name the fields of it that are needed")
