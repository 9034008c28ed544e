"""The word `window`: rows around an anchor, of one lane or several, cut where rows were never fetched.

Depends on: check_view_parts (what words share), check_window_lanes, check_window_holes, expr_keys.
Never on: views, which hold parts.

Law: whatever speaks of a place in the order of a window, or of an id in one of its lanes, is told in the
terms of that order and of those lanes.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_view_parts import common_of, prefix_of, source_of, table_of, where_of
from pillarbox_codegen.check_window_holes import check_holes, check_want
from pillarbox_codegen.check_window_lanes import Found, Lanes, check_cases, check_last
from pillarbox_codegen.context import Context, at_start, row_types
from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_check import ExprChecker, check_amount, check_condition
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    Constant,
    Expr,
    Lane,
    ListOf,
    Literal_,
    Part,
    RangeHoles,
    RowOf,
    Table,
    Type,
    WindowAnchor,
    WindowExpand,
    WindowPart,
)
from pillarbox_codegen.walk import names_in
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar

_At: TypeAlias = Literal["newest", "oldest", "at", "id"]
_LIKE_LANES = "its key has what tells lanes apart, then the id; its fields have what lanes are ordered by"


def check_window(
    context: Context, name: str, node: YamlMap, when: Expr | None, scope: Scope, earlier: list[Part]
) -> tuple[Part, Type]:
    """As `Check`."""
    values = node.values
    lanes = check_cases(context, node, scope)
    rows = context.table(lanes.rows, at_start(node))
    common = common_of(context, name, node, when, rows)
    with context.findings.together() as block:
        before = block.attempt(_count, context, node, "before", scope)
        after = block.attempt(_count, context, node, "after", scope)
        holes = block.attempt(check_holes, context, node, lanes, rows, scope)
        clip = block.attempt(_condition, context, node, "clip", scope)
        where = block.attempt(where_of, context, node, rows.name, scope)
        distinct = block.attempt(_distinct, context, values.get("distinct"), rows)
        expand = block.attempt(_expand, context, values.get("expand"), rows, scope)
        rank = block.attempt(_condition, context, node, "rank", scope)
        want = block.attempt(check_want, context, node, scope)
    width = len(holes.by) if isinstance(holes, RangeHoles) else 1
    ids = _ids(context, node, lanes, width) if "ids" in values else None
    anchors = _anchors(context, node, lanes, ids, scope)
    assert before is not None
    assert after is not None
    part = WindowPart(
        common=common, rows=rows.name, cases=lanes.cases, chain=lanes.chain, anchors=anchors,
        before=before, after=after, ids=None if ids is None else ids.name, holes=holes, clip=clip,
        where=where, distinct=distinct, expand=expand, rank=rank, want=want,
    )  # fmt: skip
    return part, ListOf(RowOf(rows.name))


def _count(context: Context, node: YamlMap, word: Literal["before", "after"], scope: Scope) -> Expr:
    """How many rows are shown to one side of the anchor."""
    around, own = node.values.get("around"), node.values.get(word)
    if around is not None and own is not None:
        text = f"`around` is the number to both sides, and `{word}` that to one"
        raise context.findings.add(node.keys[word], "one-of", text, "keep `around`, or `before` and `after`")
    count = around if own is None else own
    if count is None:
        hint = f"add `{word}:`, or `around:` for both sides"
        raise context.findings.add(node, "missing-key", f"the part `window` needs `{word}`", hint)
    return check_amount(context, count, scope)


def _condition(context: Context, node: YamlMap, word: Literal["clip", "rank"], scope: Scope) -> Expr | None:
    if word == "clip" and "clip" in node.values and "holes" not in node.values:
        hint = "add `holes:`, or leave `clip` out"
        raise context.findings.add(node.keys["clip"], "part", "without `holes` nothing is clipped", hint)
    return check_condition(context, node.values.get(word), scope)


# ------------------------------------------------------------------------------------------- anchors


def _ids(context: Context, node: YamlMap, lanes: Lanes, width: int) -> Table:
    """The table that tells where in its lane an id stands; an id is of so many parts."""
    place = node.values["ids"]
    table = table_of(context, place)
    if len(table.key) < width:
        text = f"the key of `{table.name}` is less than an id, which has {width} parts here"
        raise context.findings.add(place, "key-parts", text, _LIKE_LANES)
    if not lanes.under:
        raise context.findings.add(place, "part", "rows by their keys are in no lane", "leave `ids` out")
    for one in lanes.under:
        _check_lane_of_id(context, place, table, width, one)
    lanes.one_rest(context, node.keys["ids"], "a table of ids")
    known = row_types(table)
    for part in lanes.rest:
        if known.get(part.name) != part.type:
            text = f"a row of `{table.name}` has no `{part.name}`, by which the lanes are ordered"
            raise context.findings.add(place, "unknown-field", text, _LIKE_LANES)
    return table


def _check_lane_of_id(context: Context, place: YamlNode, table: Table, width: int, one: Found) -> None:
    """From the key of an id its lane follows."""
    assert isinstance(one.lane, Lane)
    terms = {part.name: expr for part, expr in zip(one.table.key, one.lane.prefix, strict=False)}
    types = {part.name: part.type for part in one.table.key}
    telling = table.key[: len(table.key) - width]
    for part in telling:
        if part.name not in terms or types[part.name] != part.type:
            text = f"`{part.name}` of the key of `{table.name}` is not in the prefix of `{one.table.name}`"
            raise context.findings.add(place, "key-parts", text, _LIKE_LANES)
    if one.item is not None and not any("item" in names_in(terms[part.name]) for part in telling):
        text = f"the key of `{table.name}` does not say which lane an id is in"
        raise context.findings.add(place, "key-parts", text, _LIKE_LANES)


def _anchors(
    context: Context, node: YamlMap, lanes: Lanes, ids: Table | None, scope: Scope
) -> tuple[WindowAnchor, ...]:
    holder = node.values["anchor"]
    items = holder.items if isinstance(holder, YamlList) else [holder]
    found = []
    with context.findings.together() as block:
        for item in items:
            listed = isinstance(holder, YamlList)
            block.attempt(check_last, context, item, item is items[-1], listed, "anchor")
            found.append(block.attempt(_anchor, context, item, lanes, ids, scope))
    anchors = tuple(anchor for anchor in found if anchor is not None)
    if ids is not None and not any(anchor.at == "id" for anchor in anchors):
        text = "no anchor is an `id`, so nobody asks where ids stand"
        raise context.findings.add(node.keys["ids"], "part", text, "leave `ids` out, or anchor by `id`")
    return anchors


def _anchor(context: Context, node: YamlNode, lanes: Lanes, ids: Table | None, scope: Scope) -> WindowAnchor:
    if isinstance(node, YamlScalar):
        return WindowAnchor(None, "newest" if node.value == "newest" else "oldest", (), False)
    assert isinstance(node, YamlMap)
    values = node.values
    when = check_condition(context, values.get("when"), scope)
    words: tuple[_At, ...] = ("newest", "oldest", "at", "id")
    at = next(word for word in words if word in values)
    key: tuple[Expr, ...] = ()
    if at in ("newest", "oldest") and "unread" in values:
        text = "nothing is read or unread at an end"
        raise context.findings.add(node.keys["unread"], "part", text, "say it of an `id` or of a place `at`")
    if at in ("at", "id"):
        if at == "id" and ids is None:
            text = "where an id stands is told by the table `ids`"
            raise context.findings.add(node.keys["id"], "part", text, "add `ids:` to the window")
        if at == "id":
            assert ids is not None
            wanted = ids.key
        elif lanes.chain:
            wanted = lanes.one_key(context, node.keys["at"])
        else:
            wanted = lanes.one_rest(context, node.keys["at"], "an anchor")
        parts = [(part.name, part.type) for part in wanted]
        syntax = parse_node(values[at], context.findings)
        key = key_parts(ExprChecker(context, scope.assume(when)), syntax, parts, may_be_none=False)
    return WindowAnchor(when, at, key, text_value(values.get("unread")) == "true")


# --------------------------------------------------------------------------------------------- options


def _distinct(context: Context, node: YamlNode | None, rows: Table) -> str | None:
    if node is None:
        return None
    field, known = text_value(node), row_types(rows)
    if field not in known:
        hint = did_you_mean(field, known) or f"it has {one_of(known)}"
        raise context.findings.add(node, "unknown-field", f"there is no field `{field[:60]}`", hint)
    return field


def _expand(context: Context, node: YamlNode | None, rows: Table, scope: Scope) -> WindowExpand | None:
    """What a row stands for: rows of its own table."""
    if node is None:
        return None
    assert isinstance(node, YamlMap)
    table = table_of(context, node.values["scan"])
    if source_of(table, bare=False) != rows.name:
        text = f"a scan of `{table.name}` gives no rows of `{rows.name}`, which the window shows"
        hint = f"scan `{rows.name}` or an index from it; other rows hang on these by `with`"
        raise context.findings.add(node.values["scan"], "part", text, hint)
    with context.findings.together() as block:
        when = block.attempt(check_condition, context, node.values.get("when"), scope)
        inner = scope.assume(when).bind("row", "row", RowOf(rows.name))
        prefix = block.attempt(prefix_of, context, node.values["prefix"], table, inner) or ()
        limit = block.attempt(_limit, context, node.values["limit"])
    assert limit is not None
    return WindowExpand(table.name, prefix, limit, when)


def _limit(context: Context, node: YamlNode) -> Expr:
    limit = check_amount(context, node, Scope({}))
    if not isinstance(limit, Literal_ | Constant):
        hint = "write a number, or a constant of `seeds`"
        raise context.findings.add(node, "part", "how many rows one stands for at most is a constant", hint)
    return limit
