"""Fetching: how the holes that views want under a name are asked for, and what the answers prove.

Depends on: context, check_asks, check_hole_pages, check_hole_changes, check_hole_beside, check_hole_scope.
Never on: views, but for what they want.

Law: every way in which a hole can be wanted is asked for, with what the hole tells and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from pillarbox_codegen.check_asks import check_ask
from pillarbox_codegen.check_domains import counter_of
from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_hole_beside import check_beside
from pillarbox_codegen.check_hole_changes import check_changes
from pillarbox_codegen.check_hole_pages import check_page
from pillarbox_codegen.check_hole_scope import Holed, asking_scope, holed
from pillarbox_codegen.check_hole_stored import check_stored
from pillarbox_codegen.check_modifiers import refuse_taken, step_key
from pillarbox_codegen.check_tables import doc_of
from pillarbox_codegen.check_window_holes import holes_table
from pillarbox_codegen.context import Context, Entry, at_start
from pillarbox_codegen.diagnostics import all_of, did_you_mean, one_of
from pillarbox_codegen.expr_check import check_condition, check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.hole_names import WAYS
from pillarbox_codegen.model import (
    HoleAsk,
    HoleGuard,
    HolePage,
    HoleRule,
    HoleStored,
    HoleWay,
    NamedExpr,
    Type,
    View,
    WindowPart,
)
from pillarbox_codegen.type_rules import show, unify
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode

_Ways: TypeAlias = tuple[tuple[HoleWay, tuple[NamedExpr, ...]], ...]


def check_sync_holes(context: Context, views: Mapping[str, View]) -> tuple[HoleRule, ...]:
    """All that is fetched."""
    wanted = {
        part.want.name: holes_table(part)
        for view in views.values()
        for part in view.parts
        if isinstance(part, WindowPart) and part.want is not None
    }
    known = len(views) == len(context.entries("views"))  # else nobody can say that none wants it
    found = [
        context.findings.attempt(_check_entry, context, name, entry, wanted)
        for name, entry in context.sound("holes")
        if known or name in wanted
    ]
    return tuple(rule for rule in found if rule is not None)


def _check_entry(context: Context, name: str, entry: Entry, wanted: Mapping[str, str]) -> HoleRule:
    body = entry.body
    table = context.table(text_value(body.values["table"]), at_start(body.values["table"]))
    _check_wanted(context, name, entry, table.name, wanted)
    of = holed(context, body, table)
    with context.findings.together() as block:
        ways, named = block.attempt(_ways, context, body.values.get("ways"), of) or ((), {})
        guards = block.attempt(_guards, context, body.values.get("guards"), of) or ()
        one_per = block.attempt(_one_per, context, body.values.get("one_per"), of) or ()
        order = block.attempt(_order, context, body, of)
        stored = block.attempt(check_stored, context, body.values.get("stored"), of)
    with context.findings.together() as block:
        asks = block.attempt(_asks, context, body.values["ask"], asking_scope(of, named)) or ()
        pages = block.attempt(_pages, context, body, of, guards, stored) or ()
    _check_answers(context, body, asks, pages)
    changes, spoiling = check_changes(context, body, of, pages)
    check_beside(context, body, pages, changes, spoiling)
    limits = body.values.get("limits")
    numbers = (
        [(key.value, int(text_value(value))) for key, value in limits] if isinstance(limits, YamlMap) else []
    )
    return HoleRule(
        name, doc_of(entry), table.name, of.width, order, ways, asks, pages, one_per, guards, changes,
        spoiling, tuple(numbers), text_value(body.values.get("highest_first")) == "true", stored,
    )  # fmt: skip


def _check_wanted(context: Context, name: str, entry: Entry, table: str, wanted: Mapping[str, str]) -> None:
    if name not in wanted:
        text = f"no view wants holes under the name `{name[:60]}`"
        hint = did_you_mean(name, wanted) or "name it as `want: {name: ..}` of a window does"
        raise context.findings.add(entry.name, "fetching", text, hint)
    if wanted[name] != table:
        text = f"what views want as `{name}` are holes of `{wanted[name]}`"
        raise context.findings.add(entry.body.values["table"], "fetching", text, f"write `{wanted[name]}`")


# ---------------------------------------------------------------------------------------------- what is asked


def _ways(context: Context, node: YamlNode | None, of: Holed) -> tuple[_Ways, dict[str, Type]]:
    """What each way names, and the types of that."""
    if node is None:
        return (), {}
    assert isinstance(node, YamlMap)
    if of.width is not None:
        text = "what a mark tells is always asked for downwards"
        raise context.findings.add(node, "fetching", text, "leave `ways` out, and write it in `with`")
    missing = [way for way in WAYS if way not in node.values]
    if missing:
        text = f"nothing is said of {all_of(missing)}"
        raise context.findings.add(node, "missing-key", text, "a view may ask in each way")
    found: dict[HoleWay, dict[str, NamedExpr]] = {}
    with context.findings.together() as block:
        for way in WAYS:
            values = block.attempt(_named, context, node.values[way], of.scope)
            if values is not None:
                found[way] = values
    types = _check_alike(context, node, found)
    return tuple((way, tuple(found[way][name] for name in types)) for way in WAYS), types


def _named(context: Context, node: YamlNode, scope: Scope) -> dict[str, NamedExpr]:
    assert isinstance(node, YamlMap)
    found: dict[str, NamedExpr] = {}
    with context.findings.together() as block:
        for key, value in node:
            block.attempt(refuse_taken, context, at_start(key), key.value, scope)
            expr = block.attempt(check_node, context, value, None, scope)
            if expr is not None:
                found[key.value] = NamedExpr(key.value, expr)
    return found


def _check_alike(
    context: Context, node: YamlMap, found: Mapping[HoleWay, Mapping[str, NamedExpr]]
) -> dict[str, Type]:
    """Each way names the same values, each of one type; name -> that type."""
    types = {name: named.expr.type for name, named in found["up"].items()}
    for way in WAYS[1:]:
        body = node.values[way]
        assert isinstance(body, YamlMap)
        for name in sorted(set(types) ^ set(found[way])):
            text = f"`{name}` is not named in every way"
            raise context.findings.add(body, "fetching", text, "give it in `up`, `down` and `around`")
        for name, named in found[way].items():
            joined = unify(types[name], named.expr.type, context.types)
            if joined is None:
                text = f"`{name}` is {show(named.expr.type)} here, and {show(types[name])} in `up`"
                raise context.findings.add(body.values[name], "type", text, "give values of one type")
            types[name] = joined
    return types


def _asks(context: Context, node: YamlNode, scope: Scope) -> tuple[HoleAsk, ...]:
    items: Sequence[YamlNode] = node.items if isinstance(node, YamlList) else (node,)
    found: list[HoleAsk] = []
    with context.findings.together() as block:
        for place, item in enumerate(items):
            assert isinstance(item, YamlMap)
            is_last = place == len(items) - 1
            if ("when" in item.values) == is_last:
                text = (
                    "the last request is made in all other cases"
                    if is_last
                    else "no request after this is made"
                )
                hint = "leave its `when` out" if is_last else "give it a `when`, or put it last"
                raise context.findings.add(item, "fetching", text, hint)
            when = block.attempt(check_condition, context, item.values.get("when"), scope)
            inner = scope.assume(when)
            if text_value(item.values["request"]) == "none":
                found.append(HoleAsk(when, None))
            else:
                ask = block.attempt(
                    check_ask, context, item.values["request"], item.values.get("with"), inner
                )
                found += [] if ask is None else [HoleAsk(when, ask)]
            scope = scope.assume(when, False)
    return tuple(found)


# ------------------------------------------------------------------------------------------- what is answered


def _pages(
    context: Context, body: YamlMap, of: Holed, guards: Sequence[HoleGuard], stored: HoleStored | None
) -> tuple[HolePage, ...]:
    node = body.values["answers"]
    assert isinstance(node, YamlMap)
    with context.findings.together() as block:
        found = [block.attempt(check_page, context, key, value, of, guards, stored) for key, value in node]
    pages = tuple(page for page in found if page is not None)
    if stored is not None and not any(page.absent for page in pages):
        text = "which rows are stored is of no use, since no page takes any away"
        raise context.findings.add(body.keys["stored"], "fetching", text, "add `absent:` to an answer")
    return pages


def _check_answers(
    context: Context, body: YamlMap, asks: Sequence[HoleAsk], pages: Sequence[HolePage]
) -> None:
    """Every page is an answer to one of the requests; other answers end a fetch without a result."""
    node = body.values["answers"]
    assert isinstance(node, YamlMap)
    requests = [context.protocol.requests[it.ask.request] for it in asks if it.ask is not None]
    known = {answer for request in requests for answer in request.answers}
    for page in pages:
        if page.answer not in known:
            text = f"no request is answered with `{page.answer.name}`"
            hint = f"they are with {one_of(sorted(answer.name for answer in known))}"
            raise context.findings.add(node.keys[page.answer.name], "unknown-answer", text, hint)


# ---------------------------------------------------------------------------------------------------- guards


def _guards(context: Context, node: YamlNode | None, of: Holed) -> tuple[HoleGuard, ...]:
    if node is None:
        return ()
    items: Sequence[YamlNode] = node.items if isinstance(node, YamlList) else (node,)
    with context.findings.together() as block:
        found = [block.attempt(_guard, context, item, of) for item in items]
    return tuple(guard for guard in found if guard is not None)


def _guard(context: Context, node: YamlNode, of: Holed) -> HoleGuard:
    given = node.values if isinstance(node, YamlMap) else {"domain": node}
    cursor, part, _ = counter_of(context, given["domain"], tokens=True)
    table = context.table(cursor, at_start(given["domain"]))
    scope = of.group_scope
    when = check_condition(context, given.get("when"), scope)
    scope = scope.assume(when)
    if bool(table.key) != ("key" in given):
        text = f"`{cursor}` counts for each {one_of([it.name for it in table.key])}" if table.key else (
            f"`{cursor}` is one in the box, it has no key"
        )  # fmt: skip
        raise context.findings.add(node, "key-parts", text, "give `key:`" if table.key else "leave `key` out")
    key = step_key(context, given["key"], table, scope) if table.key else ()
    return HoleGuard(cursor, part, key, when)


def _one_per(context: Context, node: YamlNode | None, of: Holed) -> tuple[int, ...]:
    """Places in the group; all of them where nothing is said."""
    names = [part.name for part in of.group]
    if node is None:
        return tuple(range(len(names)))
    assert isinstance(node, YamlList)
    found: list[int] = []
    for item in node.items:
        name = text_value(item)
        if name not in names:
            hint = did_you_mean(name, names) or f"it has {one_of(names)}"
            raise context.findings.add(item, "unknown-name", f"the group has no part `{name[:60]}`", hint)
        found.append(names.index(name))
    return tuple(found)


def _order(context: Context, body: YamlMap, of: Holed) -> str | None:
    """The table whose rows the marks stand among."""
    node = body.values.get("order")
    if node is None:
        if of.width is not None:
            text = "marks stand among the rows of a table"
            raise context.findings.add(body, "missing-key", text, "name it: `order: TABLE`")
        return None
    if of.width is None:
        raise context.findings.add(node, "fetching", "ranges are of ids", "leave `order` out")
    table = context.table(text_value(node), at_start(node))
    if [part.type for part in table.key] != [part.type for part in of.table.key]:
        names = ", ".join(part.name for part in of.table.key)
        text = f"the key of `{table.name}` is another than that of the marks"
        raise context.findings.add(node, "key-parts", text, f"name one with the key [{names}]")
    return table.name
