"""`with:` of a rule: rows of other tables, looked up by key.

Depends on: context, expr_check, expr_parse, walk.  Never on: the words that have it.

Law: every lookup can be turned round: from a changed row of the looked-up table the keys of the rows that
are made with it are found without a scan of everything, unless the schema says `via: all`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pillarbox_codegen.check_fields import check_field_name, check_name, text_value
from pillarbox_codegen.context import Context, at_start, row_types
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import ExprChecker, check
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope, path_of
from pillarbox_codegen.expr_syntax import AttrNode, CallNode, NameNode, Syntax
from pillarbox_codegen.findings import Invalid
from pillarbox_codegen.lookup_forms import form_of, forms_of
from pillarbox_codegen.model import Expr, Index, Join, KeyPart, Lookup, Optional, RowOf, Runs, Table, With
from pillarbox_codegen.names import FUNCTIONS, snake_problem
from pillarbox_codegen.type_rules import show
from pillarbox_codegen.walk import lookups_in, names_in
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode, YamlScalar

#: What leads back to rows of several drivers.
ALL_DRIVERS: Final = (
    "name a table with the keys of all drivers, such as a `count: {from: [..], sum: {n: 1}}` of them whose "
    "group begins with the key that is looked up; or say `via: all`"
)
#: Why a lookup cannot stand elsewhere in a rule that has `with`.
ELSEWHERE = "give the row a name in `with`, and use that name here"


@dataclass(frozen=True, slots=True)
class Own:
    """The key of the rows that a rule makes, or of the rows that it makes them from."""

    parts: Sequence[KeyPart]
    #: How expressions name each part: `number`, `rows.number`.
    paths: Mapping[str, str]
    #: The tables that the rule makes rows of; it reads a row of the first, where there is no other.
    drivers: Sequence[Table]

    @property
    def table(self) -> Table | None:
        """The table that the rule reads a row of, where it is one."""
        return self.drivers[0] if len(self.drivers) == 1 else None


def lookup_sources(body: YamlMap) -> list[YamlNode]:
    """The tables that a `with` looks at, with their places: those looked up, and those that lead back."""
    node = body.values.get("with")
    found: list[YamlNode] = []
    for _, value in node if isinstance(node, YamlMap) else ():
        row, via = _row_and_via(value)
        name = None if not isinstance(row, YamlScalar) else row.value.split("(")[0].strip()
        if isinstance(row, YamlScalar) and name:
            found.append(replace(row, value=name))
        if via is not None and text_value(via) != "all":
            found.append(via)
    return found


def check_lookups(context: Context, body: YamlMap, scope: Scope, own: Own) -> tuple[tuple[With, ...], Scope]:
    """The lookups, level by level, and the scope with their names. Raises Invalid after findings."""
    node = body.values.get("with")
    if node is None:
        return (), scope
    found: list[With] = []
    if isinstance(node, YamlMap):
        with context.findings.together() as block:
            for key, value in node:
                one = block.attempt(_check_one, context, key, value, scope, own, found)
                if one is None:
                    scope = scope.lose([key.value])
                    continue
                found.append(one)
                scope = scope.bind(one.name, "local", one.value.type)
    return tuple(sorted(found, key=lambda one: one.level)), replace(scope, no_lookups=ELSEWHERE)


def _row_and_via(node: YamlNode) -> tuple[YamlNode | None, YamlNode | None]:
    """The lookup and what leads back from it: `table(key)`, or `{row: table(key), via: ..}`."""
    if isinstance(node, YamlMap):
        return node.values.get("row"), node.values.get("via")
    return node, None


def _check_one(
    context: Context, key: YamlScalar, node: YamlNode, scope: Scope, own: Own, before: Sequence[With]
) -> With:
    check_name(context.findings, key, snake_problem)
    check_field_name(context.findings, key)
    if key.value in scope.names:
        text = f"`{key.value}` has a meaning here already"
        raise context.findings.add(key, "name-taken", text, "choose another name for what is looked up")
    row, via = _row_and_via(node)
    if isinstance(node, YamlMap):
        _check_keys(context, node)
    assert row is not None
    syntax = parse_node(row, context.findings)
    call = _called(syntax)
    if call is None or call.function in FUNCTIONS:
        text = "`with` gives names to rows that are looked up"
        raise context.findings.add(row, "lookup", text, "write `table(key)`, or `table(key).field`")
    lookup = _lookup(context, call, scope)
    inner = scope.bind(key.value, "local", Optional(RowOf(lookup.table)))
    value = check(context, _renamed(syntax, key.value), None, replace(inner, no_lookups=ELSEWHERE))
    table = context.tables[lookup.table]
    level = max((one.level + 1 for one in before if one.name in names_in(lookup.key)), default=0)
    back, through, everything = _way_back(context, via, row, lookup, own, before)
    return With(key.value, table.name, lookup.key, value, through, everything, back, level)


def _check_keys(context: Context, node: YamlMap) -> None:
    for word, key in node.keys.items():
        if word not in ("row", "via"):
            hint = did_you_mean(word, ["row", "via"]) or "its keys are `row` and `via`"
            raise context.findings.add(key, "unknown-key", f"a lookup has no key `{word[:60]}`", hint)
    if "row" not in node.values:
        raise context.findings.add(node, "missing-key", "a lookup needs `row`", "add `row: table(key)`")
    if not isinstance(node.values.get("via"), YamlScalar | None):
        raise context.findings.add(node.values["via"], "via", "`via` is one table, or `all`", ALL_DRIVERS)


def _called(syntax: Syntax) -> CallNode | None:
    """The call that a path begins with."""
    while isinstance(syntax, AttrNode):
        syntax = syntax.of
    return syntax if isinstance(syntax, CallNode) else None


def _renamed(syntax: Syntax, name: str) -> Syntax:
    """The path with a name in place of the call."""
    if isinstance(syntax, AttrNode):
        return replace(syntax, of=_renamed(syntax.of, name))
    return NameNode(name, syntax.at)


def _lookup(context: Context, call: CallNode, scope: Scope) -> Lookup:
    found = ExprChecker(context, replace(scope, no_lookups=None)).infer(call)
    assert isinstance(found, Lookup)
    if lookups_in(found.key):
        text = f"the key of `{found.table}` is itself looked up"
        raise context.add(call.at, "lookup", text, "give the inner row a name in `with`, before this one")
    return found


# ------------------------------------------------------------------------------------------ the way back


def _way_back(
    context: Context, via: YamlNode | None, row: YamlNode, lookup: Lookup, own: Own, before: Sequence[With]
) -> tuple[tuple[str, ...], str | None, bool]:
    """(the fields that hold the own key, the table in between, whether everything depends on the row)."""
    table = context.tables[lookup.table]
    types = {part.name: part.type for part in own.parts}
    held: dict[str, str] = {}
    for part, expr in zip(table.key, lookup.key, strict=True):
        name = own.paths.get(path_of(expr) or "")
        if name is not None and types[name] == part.type:
            held[name] = part.name
    missing = [part.name for part in own.parts if part.name not in held]
    if via is None:
        if missing:
            raise _lost(context, row, table, missing)
        return tuple(held[part.name] for part in own.parts), None, False
    if not missing:
        text = f"the key of `{table.name}` holds the whole key here, and leads back by itself"
        raise context.findings.add(via, "via", text, "leave `via` out")
    if text_value(via) == "all":
        return (), None, True
    back = _through(context, via, table, own)
    _check_all_drivers(context, via, lookup, own, before)
    _check_leads_back(context, via, lookup, own, before)
    return back, text_value(via), False


def _lost(context: Context, row: YamlNode, table: Table, missing: Sequence[str]) -> Invalid:
    names = one_of(missing)
    text = f"a changed row of `{table.name}` does not lead back to here: its key is looked up without {names}"
    hint = (
        f"say `{{row: {table.name}(..), via: TABLE}}` with a table or index whose key begins as that of "
        f"`{table.name}` and which holds {names}; or `via: all`: each change of it makes every row again"
    )
    return context.findings.add(row, "via", text, hint)


def _through(context: Context, via: YamlNode, table: Table, own: Own) -> tuple[str, ...]:
    """The fields of a row of `via` that hold the own key."""
    between = context.table(text_value(via), at_start(via))
    if between.role not in ("primary", "derived", "kept"):
        text = f"`{between.name}` is the table of a {between.role}"
        raise context.findings.add(via, "via", text, "name an index, or another table of rows")
    wanted = [part.type for part in table.key]
    found = [part.type for part in between.key[: len(wanted)]]
    if found != wanted:
        text = (
            f"the key of `{between.name}` begins with {_shown(between.key[: len(wanted)])}, "
            f"that of `{table.name}` is {_shown(table.key)}"
        )
        hint = "the index that leads back is ordered by the key that is looked up"
        raise context.findings.add(via, "via", text, hint)
    held = row_types(between)
    for part in own.parts:
        if held.get(part.name) != part.type:
            text = f"`{between.name}` does not hold `{part.name}` ({show(part.type)})"
            hint = "what leads back names each part of the key, under the same name and of the same type"
            raise context.findings.add(via, "via", text, hint)
    return tuple(part.name for part in own.parts)


def _check_all_drivers(
    context: Context, via: YamlNode, lookup: Lookup, own: Own, before: Sequence[With]
) -> None:
    """What follows one driver leads back to its rows alone. Raises Invalid where others look up as well."""
    between = context.tables[text_value(via)]
    source = between.rule.source if isinstance(between.rule, Index) else between.name
    if own.table is not None or source not in [table.name for table in own.drivers]:
        return
    if all(_is_within(context, table, source) for table in own.drivers):
        return
    #: What is none where `source` has no row.
    whole, theirs = [part.name for part in own.parts], {source}
    for one in before:
        of_source = one.table == source and [own.paths.get(path_of(expr) or "") for expr in one.key] == whole
        theirs |= {one.name} if of_source or _goes_through(one.key, theirs) else set()
    if not _goes_through(lookup.key, theirs):
        text = (
            f"`{between.name}` leads back to rows of `{source}` alone, and those of other drivers look up too"
        )
        raise context.findings.add(via, "via", text, ALL_DRIVERS)


def _is_within(context: Context, table: Table, source: str) -> bool:
    """Whether each key of the table is one of the source, as of a join of it."""
    if table.name == source:
        return True
    match table.rule:
        case Join(drivers=drivers):
            return all(_is_within(context, context.tables[name], source) for name in drivers)
        case Runs(source=name):
            return _is_within(context, context.tables[name], source)
    return False


def _goes_through(key: Sequence[Expr], names: Collection[str]) -> bool:
    """Whether a part of the key is a path from one of the names, and so is none where that is."""
    return any((path_of(expr) or "").partition(".")[0] in names for expr in key)


def _check_leads_back(
    context: Context, via: YamlNode, lookup: Lookup, own: Own, before: Sequence[With]
) -> None:
    """An index that leads back is ordered by what is looked up. Raises Invalid where it is not."""
    between = context.tables[text_value(via)]
    if not isinstance(between.rule, Index):
        return  # who fills it answers for it
    source = context.tables[between.rule.source]
    there = forms_of([source], [part.name for part in source.key], between.rule.lookups, context.tables)
    there |= {each.name: ("each", each.name) for each in between.rule.each}
    here = forms_of(own.drivers, [part.name for part in own.parts], before, context.tables)
    for item, expr in zip(between.rule.key, lookup.key, strict=False):
        if form_of(item.expr, there) != form_of(expr, here):
            text = f"`{item.name}` of `{between.name}` is made of other things than what is looked up here"
            hint = "the index that leads back has the same expressions in its key, over the same rows"
            raise context.findings.add(via, "via", text, hint)
    held = {item.name: item.expr for item in (*between.rule.key, *between.rule.value)}
    for part in own.parts:
        if form_of(held[part.name], there) != ("key", part.name):
            text = f"`{part.name}` of `{between.name}` is not the `{part.name}` of the row that it stands for"
            raise context.findings.add(via, "via", text, "name the key of the row as it is named there")


def _shown(parts: Iterable[KeyPart]) -> str:
    return f"[{', '.join(show(part.type) for part in parts)}]"


def field_paths(names: Iterable[str], holder: str | None = None) -> dict[str, str]:
    """How expressions name these fields: by themselves, and as fields of `holder`."""
    found = {name: name for name in names}
    return found if holder is None else found | {f"{holder}.{name}": name for name in names}
