"""`back`: the way from a changed row of a child to the rows of a list whose `where` reads that child.

Depends on: context, model, type_rules.  Never on: how parts are checked, YAML besides places.

Law: every child that `where` reads, and every one that its key goes through, leads back to the whole key of
a row, by fields that are called there as in the row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.context import Context, at_start, row_types
from pillarbox_codegen.diagnostics import all_of, one_of
from pillarbox_codegen.model import (
    AggregatePart,
    Back,
    BackHop,
    Binary,
    Expr,
    GetEachPart,
    GetPart,
    Index,
    Local,
    Optional,
    Part,
    Path,
    RangePart,
    RowOf,
    ScanPart,
    Table,
    Type,
    ValuePart,
)
from pillarbox_codegen.type_rules import present
from pillarbox_codegen.view_reads import children_read
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode

#: Name -> its type, and which row has it: 0 is the changed one, n that of step n; under what field.
_Known: TypeAlias = dict[str, tuple[Type, tuple[int, str]]]


def ways_back(
    context: Context, holder: YamlMap, children: Sequence[Part], where: Expr | None, rows: str
) -> tuple[Back, ...]:
    """Those of the children that `where` reads. Raises Invalid after findings."""
    read = children_read(children, where)
    ways: list[Back] = []
    with context.findings.together() as block:
        for child in children:
            node = holder.values[child.common.name]
            assert isinstance(node, YamlMap)
            if child.common.name in read:
                ways += block.attempt(_way_back, context, holder, children, child, rows) or ()
            elif "back" in node.values and child.common.of_shape is None:
                text = f"no `where` reads `{child.common.name}`, so nothing is to be led back"
                context.findings.add(node.keys["back"], "part", text, "leave `back` out")
                block.failed = True
    return tuple(ways)


def _way_back(
    context: Context, holder: YamlMap, children: Sequence[Part], child: Part, rows: str
) -> tuple[Back, ...]:
    """The ways of one child: of its table and, of an index, of the rows that are shown for it."""
    key, node = holder.keys[child.common.name], holder.values[child.common.name]
    assert isinstance(node, YamlMap)
    table = _table_of(child)
    given = node.values.get("back")
    if table is None:
        if isinstance(child, ValuePart | AggregatePart):
            if given is not None:
                text = f"`{child.common.name}` follows the children that it reads"
                raise context.findings.add(node.keys["back"], "part", text, "say `back` of those")
            return ()
        text = f"`where` cannot read `{child.common.name}`"
        raise context.findings.add(
            key, "part", text, "it reads get, get_each, scan, ranges, value and aggregate"
        )
    name, terms = table
    if given is None:
        text = (
            f"`where` reads `{child.common.name}`: a changed row of {name} must lead back to rows of {rows}"
        )
        hint = f"add `back: [tables]`: {_ways(context, name, terms, rows)}"
        raise context.findings.add(key, "part", text, hint)
    assert isinstance(given, YamlList)
    if isinstance(child, ScanPart) and children_read(child.common.children, child.where):
        text = f"`where` cannot read `{child.common.name}`, whose own `where` asks what hangs on its rows"
        raise context.findings.add(key, "part", text, "ask that another way")
    target, read = context.table(rows, at_start(key)), context.table(name, at_start(key))
    known, also = _known_of(read, terms, target), _names_here(context, children, target)
    ways = [_lead(context, given, read, known, also, target, ())]
    if isinstance(child, ScanPart) and child.rows != child.table:
        source = context.table(child.rows, at_start(key))
        own = _known_of_source(read, source, known)
        absent = [name for name, type in row_types(source).items() if isinstance(type, Optional)]
        maybe = tuple(name for name in absent if any(place == (0, name) for _, place in own.values()))
        ways.append(_lead(context, given, source, own, also, target, maybe))
    return tuple(ways)


def _lead(
    context: Context,
    given: YamlList,
    changed: Table,
    first: _Known,
    also: Sequence[tuple[str, str]],
    target: Table,
    maybe: tuple[str, ...],
) -> Back:
    """The way from a changed row through the tables that are given."""
    known, steps = dict(first), []
    for number, item in enumerate(given.items, start=1):
        step = context.table(text_value(item), at_start(item))
        steps.append(_step(context, item, step, known))
        known.update({field: (type, (number, field)) for field, type in row_types(step).items()})
        for name_there, name_here in also:
            if name_there in known:
                known[name_here] = known[name_there]
    whole = _whole_key(context, given, target, known)
    used = {
        field for places in (whole, *[step.at for step in steps]) for number, field in places if not number
    }
    return Back(changed.name, tuple(steps), whole, tuple(name for name in maybe if name in used))


def _known_of_source(index: Table, source: Table, known: _Known) -> _Known:
    """What the row that an index stands for tells: those parts of the index's key that are its fields."""
    fields = row_types(source)
    found: _Known = {}
    for name, (type, (step, field)) in known.items():
        if field in fields and present(fields[field]) == type and _is_field(index, field):
            found[name] = (type, (step, field))
    return found


def _table_of(child: Part) -> tuple[str, Sequence[Expr]] | None:
    """The table that a child reads, and the terms of the first parts of its key."""
    match child:
        case GetPart(_, table, at) | GetEachPart(_, table, at) | RangePart(_, table, at):
            return table, at
        case ScanPart():
            return child.table, child.prefix
        case AggregatePart(of_table=str(table), prefix=prefix):
            return table, prefix
        case _:
            return None


def _names_here(context: Context, children: Sequence[Part], rows: Table) -> list[tuple[str, str]]:
    """Parts of keys of children that are a field of the row, and how that is called there."""
    found = []
    for child in children:
        name, terms = _table_of(child) or (rows.name, ())
        for part, term in zip(context.tables[name].key, terms, strict=False):
            if _of_row(term) and part.name not in row_types(rows):
                assert isinstance(term, Path)
                found.append((part.name, term.field))
    return found


def _of_row(term: Expr | None) -> bool:
    """Whether it is a field of the row that the children hang on."""
    return (
        isinstance(term, Path)
        and isinstance(term.of, Local)
        and term.of.name == "row"
        and isinstance(term.of.type, RowOf)
    )


def _known_of(table: Table, terms: Sequence[Expr], rows: Table) -> _Known:
    """What a changed row tells of the row that it hangs on.

    A part of its key that is a field of the row is known by the name it has there. Any other is known by its
    own name, unless the row has a field of that name, which would be another.
    """
    known: _Known = {}
    taken = row_types(rows)
    for number, part in enumerate(table.key):
        term = terms[number] if number < len(terms) else None
        place = (part.type, (0, part.name))
        if isinstance(term, Path) and not term.mapped and (_of_row(term) or term.field not in taken):
            known[term.field] = place
            continue
        if part.name not in taken:
            known.setdefault(part.name, place)
    return known


def _step(context: Context, item: YamlNode, table: Table, known: _Known) -> BackHop:
    at = []
    for part in table.key:
        found = known.get(part.name)
        if found is None or found[0] != part.type or not _is_field(table, part.name):
            found = known.get(_listed(table, part.name))
        if found is None or found[0] != part.type:
            break
        at.append(found[1])
    if not at:
        text = f"the key of {table.name} begins with `{table.key[0].name}`, which is not known here"
        names = [name for name, (type, _) in known.items() if not isinstance(type, Optional)]
        hint = f"known are {all_of(names)}" if names else "nothing is known by a name"
        raise context.findings.add(item, "part", text, hint)
    return BackHop(table.name, tuple(at))


def _is_field(table: Table, name: str) -> bool:
    """Whether a part of the key is what its name says: of an index the field itself, or one of a list."""
    if not isinstance(table.rule, Index):
        return True
    expr = next((part.expr for part in table.rule.key if part.name == name), None)
    if isinstance(expr, Binary) and expr.op == "//":  # where `when` says that it is there
        expr = expr.left
    return expr is None or (isinstance(expr, Local) and expr.name == name)


def _listed(table: Table, name: str) -> str:
    """The list whose values a part of the key of an index is, a row for each; or nothing."""
    if not isinstance(table.rule, Index):
        return ""
    lists = {var.name: var.items.name for var in table.rule.each if isinstance(var.items, Local)}
    expr = next((part.expr for part in table.rule.key if part.name == name), None)
    return lists.get(expr.name, "") if isinstance(expr, Local) else ""


def _whole_key(context: Context, node: YamlNode, rows: Table, known: _Known) -> tuple[tuple[int, str], ...]:
    at = []
    for part in rows.key:
        found = known.get(part.name)
        if found is None or found[0] != part.type:
            text = f"this does not lead to `{part.name}`, of the key of {rows.name}"
            hint = "end with a table or index that has it, and whose key begins with what is known"
            raise context.findings.add(node, "part", text, hint)
        at.append(found[1])
    return tuple(at)


def _ways(context: Context, name: str, terms: Sequence[Expr], rows: str) -> str:
    """What may be said, by what is declared."""
    target = context.tables[rows]
    known = _known_of(context.tables[name], terms, target)
    if all(part.name in known for part in target.key):
        return "[] will do, since its key has that of the row"
    whole = {part.name for part in target.key}
    fitting = [
        table.name
        for table in context.tables.values()
        if table.name != rows
        and table.key
        and (table.key[0].name in known or _listed(table, table.key[0].name) in known)
        and whole <= set(row_types(table))
    ]
    if fitting:
        return f"such as [{fitting[0]}]"
    return f"an index of {rows} by {one_of(list(known)) if known else 'what the child is found by'} would do"
