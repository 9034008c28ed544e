"""Sources: rows of other formats, the operations they become, and which of those are kept in order.

Depends on: context, expr_check, check_emissions, reaches, touches.  Never on: how a format is read.

Laws. A row of a source becomes operations by its own columns alone. Emissions that are not kept in order
with each other touch different tables, so that archives can be taken apart and replayed side by side.
"""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from pillarbox_codegen.check_emissions import check_emission
from pillarbox_codegen.check_fields import check_plain_fields, check_stored_type
from pillarbox_codegen.check_operations import param_scope
from pillarbox_codegen.check_tables import doc_of
from pillarbox_codegen.context import Context, Entry
from pillarbox_codegen.diagnostics import all_of, did_you_mean, one_of
from pillarbox_codegen.expr_check import check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.findings import where
from pillarbox_codegen.model import (
    Call,
    EachVar,
    Emission,
    Expr,
    Field,
    ListOf,
    Literal_,
    Local,
    Make,
    Operation,
    PatchStep,
    RowOf,
    Source,
    Type,
)
from pillarbox_codegen.reaches import reach, shared
from pillarbox_codegen.touches import touched
from pillarbox_codegen.type_rules import fits_key, present, show
from pillarbox_codegen.walk import names_in, nodes
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar

_NO_LOOKUPS: Final = "the operation it becomes can look rows up, in a `let` step"
#: A job is a file of the source's name; run by its path, it would hide these from all that it imports.
_MODULES: Final = sys.stdlib_module_names | {
    "apsw", "cffi", "click", "msgspec", "numpy", "pandas", "pillarbox", "py4j", "pyarrow", "pyspark", "rich",
}  # fmt: skip
_ADAPTER: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*\.)*[A-Za-z_][A-Za-z0-9_]*:[A-Za-z_][A-Za-z0-9_]*")


def check_sources(context: Context) -> dict[str, Source]:
    found: dict[str, Source] = {}
    for name, entry in context.sound("sources"):
        source = context.findings.attempt(_check_source, context, name, entry)
        if source is not None:
            found[name] = source
    return found


def _check_source(context: Context, name: str, entry: Entry) -> Source:
    if name in _MODULES:
        text = f"`{name}` is a module of Python, which the job of that name would hide"
        raise context.findings.add(entry.name, "name", text, f"choose another name, such as `{name}_rows`")
    columns = check_plain_fields(context, entry.body.values["columns"], check_stored_type)
    node = entry.body.values["emits"]
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        adapter = block.attempt(_check_adapter, context, entry.body.values["adapter"]) or ""
        group = block.attempt(_check_group, context, entry.body.values.get("group"), columns) or ()
        grouped = "group" in entry.body.values
        scope = param_scope(columns, _NO_LOOKUPS)
        emits = [block.attempt(_check_emission, context, item, scope, grouped) for item in node.items]
    sound = tuple(one for one in emits if one is not None)
    _check_overlaps(context, sound, node.items)
    return Source(name, doc_of(entry), adapter, columns, group, sound)


def _check_adapter(context: Context, node: YamlNode) -> str:
    adapter = node.value if isinstance(node, YamlScalar) else ""
    if not _ADAPTER.fullmatch(adapter) or any(map(keyword.iskeyword, re.split("[.:]", adapter))):
        text = f"`{adapter[:60]}` names no adapter"
        hint = "write `module:name`, such as `my_package.exports:rows`"
        raise context.findings.add(node, "adapter", text, hint)
    return adapter


# --------------------------------------------------------------------------------- groups and routes


def _check_group(context: Context, node: YamlNode | None, columns: Sequence[Field]) -> tuple[str, ...]:
    """The columns that name a group. Raises Invalid after findings."""
    if node is None:
        return ()
    assert isinstance(node, YamlList)
    known = {column.name: column for column in columns}
    names: list[str] = []
    with context.findings.together() as block:
        for item in node.items:
            assert isinstance(item, YamlScalar)
            block.attempt(_check_group_column, context, item, known, names)
            names.append(item.value)
    return tuple(names)


def _check_group_column(
    context: Context, item: YamlScalar, columns: dict[str, Field], before: Sequence[str]
) -> None:
    column = columns.get(item.value)
    if column is None:
        text = f"there is no column `{item.value[:60]}`"
        hint = did_you_mean(item.value, columns) or f"the columns are {one_of(columns)}"
        raise context.findings.add(item, "group", text, hint)
    if item.value in before:
        raise context.findings.add(item, "group", f"`{item.value}` is named twice", "name it once")
    context.definition(present(column.type))
    if not fits_key(present(column.type), context.types):
        text = f"{show(column.type)} cannot tell groups apart"
        raise context.findings.add(item, "group", text, "name columns of ints, ids, enums, text or bytes")


def _check_emission(context: Context, item: YamlNode, scope: Scope, grouped: bool) -> Emission:
    """One entry of `emits` with its `by`. Raises Invalid after a finding."""
    assert isinstance(item, YamlMap)
    node = item.values.get("by")
    keys = {name: key for name, key in item.keys.items() if name != "by"}
    values = {name: value for name, value in item.values.items() if name != "by"}
    emission = check_emission(context, YamlMap(item.file, item.line, item.column, keys, values), scope)
    if node is None and not grouped:
        text = f"nothing says what the rows of `{emission.operation}` belong to"
        hint = (
            "give the source a `group:`, or the emission `by: [columns]`; "
            "`by: []` keeps all its operations in one order"
        )
        raise context.findings.add(item.keys[emission.operation], "by", text, hint)
    by = None if node is None else _check_by(context, node, scope, emission.each)
    return replace(emission, by=by)


def _check_by(context: Context, node: YamlNode, scope: Scope, each: EachVar | None) -> tuple[Expr, ...]:
    assert isinstance(node, YamlList)
    if each is not None and isinstance(each.items.type, ListOf):
        scope = scope.bind(each.name, "local", each.items.type.item)
    with context.findings.together() as block:
        found = [block.attempt(_check_by_value, context, item, scope, each) for item in node.items]
    return tuple(one for one in found if one is not None)


def _check_by_value(context: Context, node: YamlNode, scope: Scope, each: EachVar | None) -> Expr:
    expr = check_node(context, node, None, scope)
    if each is not None and each.name in names_in(expr):
        text = f"`by` sees the columns of a record, and `{each.name}` is a name of `each`"
        hint = "name columns, or write `by: []`, which keeps all its operations in one order"
        raise context.findings.add(node, "by", text, hint)
    context.definition(present(expr.type))
    if not fits_key(present(expr.type), context.types):
        text = f"{show(expr.type)} cannot tell what rows belong to"
        hint = "`by` is a list of ints, ids, enums, texts or bytes, each made of columns"
        raise context.findings.add(node, "by", text, hint)
    return expr


# ------------------------------------------------------------------------------------------ overlaps


def _check_overlaps(context: Context, emits: Sequence[Emission], nodes: Sequence[YamlNode]) -> None:
    """Every table that is written by operations which nothing keeps in order. Raises Invalid."""
    places = [_place(emission, node) for emission, node in zip(emits, nodes, strict=True)]
    operations = [context.operations[emission.operation] for emission in emits]
    reaches = [reach(operation.steps, context.tables) for operation in operations]
    with context.findings.together() as block:
        for emission, operation, place in zip(emits, operations, places, strict=True):
            block.attempt(_check_lone_rows, context, emission, operation, place)
        everything = zip(emits, reaches, places, strict=True)
        for (one, first, above), (other, second, place) in combinations(everything, 2):
            both = shared(first, second, context.tables)
            if both and one.by != other.by:
                text = (
                    f"`{other.operation}` ({_way(other)}) and `{one.operation}` ({_way(one)}, "
                    f"{where(above)}) touch {all_of(sorted(both))}, and nothing keeps them in order"
                )
                hint = "give both the same `by`, or none; or let them touch different tables"
                context.findings.add(place, "overlap", text, hint)
                block.failed = True


def _check_lone_rows(context: Context, emission: Emission, operation: Operation, place: YamlNode) -> None:
    """What is one in the box, and written by all operations of an emission. Raises Invalid."""
    written = touched(operation, context.tables).written & context.tables.keys()
    bounded = sorted(name for name in written if context.tables[name].bound is not None)
    if bounded and emission.by != ():
        text = f"`{emission.operation}` writes `{bounded[0]}`, where a row may let any other one go"
        hint = "write `by: []`, which keeps all its operations in one order"
        raise context.findings.add(place, "overlap", text, hint)
    whole = [node.type for node in nodes(emission.arguments) if isinstance(node, Local)]
    told = [*nodes((operation.steps, emission.arguments)), *(_RowsOfColumn(type) for type in whole)]
    lone = sorted(name for name in written if _is_lone(context, name, told))
    if not lone or emission.by == ():
        return
    text = f"`{emission.operation}` writes `{lone[0]}`, which {_oneness(context, lone[0])}"
    word = "group" if context.tables[lone[0]].role == "kept" else "per"
    hint = f"write `by: []`, which keeps all its operations in one order, or give `{lone[0]}` a `{word}:`"
    raise context.findings.add(place, "overlap", text, hint)


@dataclass(frozen=True, slots=True)
class _RowsOfColumn:
    """A column, which may hold whole rows."""

    type: Type


def _is_lone(context: Context, name: str, told: Sequence[object]) -> bool:
    """Whether a table is one in the box: it has one row, or numbers rows or values whatever their group."""
    sequence = context.sequences.get(name)
    if sequence is None or sequence.intern is None:
        return not context.tables[name].key
    return not sequence.per and any(_numbers(context, name, node) for node in told)


def _numbers(context: Context, sequence: str, node: object) -> bool:
    """Whether a row or a patch gives what this sequence numbers; the empty value has no number."""
    for table, given in _given(context, node):
        for one in (field.computed for field in context.tables[table].fields):
            if one is not None and one.intern == sequence and (given & names_in(one.expr) or _says(one.expr)):
                return True
    return False


def _given(context: Context, node: object) -> Iterator[tuple[str, set[str]]]:
    """The tables of rows that are made or changed here, and the fields that then may hold something."""
    match node:
        case Make(target=RowOf(table), fields=given):
            defaults = {field.name for field in context.tables[table].fields if field.default}
            yield table, {name for name, _ in given} | defaults
        case Call(function="changed", type=RowOf(table), names=given):
            yield table, set(given)
        case PatchStep(table=table, given=None, changes=changes):
            yield table, {change.field for change in changes}
        case PatchStep(table=table):
            yield table, {field.name for field in context.tables[table].fields}
        case _RowsOfColumn(type):
            for one in nodes(type):
                if isinstance(one, RowOf):
                    yield one.table, {field.name for field in context.tables[one.table].fields}


def _says(expr: Expr | None) -> bool:
    """Whether it may be more than empty where all of its fields are."""
    return any(isinstance(node, Literal_) and node.value for node in nodes(expr))


def _oneness(context: Context, name: str) -> str:
    """What a table does that is one in the box."""
    sequence = context.sequences.get(name)
    if sequence is None:
        return "has one row in all of the box"
    return f"numbers all {'rows' if sequence.intern is None else 'values'} of the box"


def _place(emission: Emission, node: YamlNode) -> YamlNode:
    assert isinstance(node, YamlMap)
    return node.keys[emission.operation]


def _way(emission: Emission) -> str:
    """How an emission is routed, for an error."""
    if emission.by is None:
        return "kept in order within the group"
    return "kept in one order" if not emission.by else "kept in order within its own `by`"
