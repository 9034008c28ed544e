"""Where the rows of a window come from: cases, and the lanes of each.

Depends on: check_view_parts (what words share).  Never on: anchors and holes.

Law: the rows of all lanes are of one table, and lanes in one order are of one table and end alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_view_parts import keys_of, prefix_of, source_of, table_of
from pillarbox_codegen.context import Context, at_start, row_types
from pillarbox_codegen.expr_check import check_condition, check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    Expr,
    KeyPart,
    KeysLane,
    Lane,
    ListOf,
    Named,
    RowOf,
    Scalar,
    Table,
    Type,
    WindowCase,
)
from pillarbox_codegen.type_rules import present, show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode


@dataclass(frozen=True, slots=True)
class Found:
    """A lane, and what was learned of it: `rest` follows its prefix, `item` is what `each` goes over."""

    node: YamlNode
    lane: Lane | KeysLane
    rows: str
    table: Table
    item: Type | None = None

    @property
    def rest(self) -> tuple[KeyPart, ...]:
        return self.table.key[len(self.lane.prefix) :] if isinstance(self.lane, Lane) else ()


@dataclass(frozen=True, slots=True)
class Lanes:
    """All lanes of a window. `rows` is the table of what is shown."""

    rows: str
    cases: tuple[WindowCase, ...]
    chain: bool
    found: tuple[Found, ...]

    @property
    def under(self) -> list[Found]:
        """Those under a prefix."""
        return [one for one in self.found if isinstance(one.lane, Lane)]

    @property
    def rest(self) -> tuple[KeyPart, ...]:
        """What follows the prefix of a lane, as the first calls it."""
        return self.under[0].rest if self.under else ()

    def one_rest(self, context: Context, place: YamlNode, what: str) -> tuple[KeyPart, ...]:
        """`rest`, where it is that of every lane. Raises Invalid after a finding at `place`."""
        for one in self.under:
            if not alike(one.rest, self.rest):
                ends = f"{names(self.rest)} or in {names(one.rest)}"
                text = f"{what} is of one order, and lanes end in {ends}"
                hint = "read lanes whose keys end in parts of the same types"
                raise context.findings.add(place, "key-parts", text, hint)
        return self.rest

    def one_key(self, context: Context, place: YamlNode) -> tuple[KeyPart, ...]:
        """The key of the rows in all lanes, which says as well in which it is."""
        if not self.under:
            text = "what is in the order of `keys` has no place in an order"
            raise context.findings.add(place, "part", text, "begin at `newest` or `oldest`")
        first = self.under[0]
        for one in self.under:
            if one.table is not first.table or len(one.rest) != len(first.rest):
                text = f"lanes of `{first.table.name}` and of `{one.table.name}` are in no common order"
                if one.table is first.table:
                    text = "the prefixes of lanes have different lengths, so a key is not in one lane"
                hint = "begin at `newest` or `oldest`, or read one table in all lanes"
                raise context.findings.add(place, "key-parts", text, hint)
        return first.table.key

    def item_scope(self, scope: Scope) -> Scope:
        """The scope of what is said once of every lane; `item` is known if it is the same in all."""
        items = {one.item for one in self.under}
        item = items.pop() if len(items) == 1 else None
        return scope if item is None else scope.bind("item", "row", item)


def alike(parts: Sequence[KeyPart], others: Sequence[KeyPart]) -> bool:
    """Whether the same values have the same order as both."""
    return [(part.type, part.desc) for part in parts] == [(part.type, part.desc) for part in others]


def names(parts: Sequence[KeyPart]) -> str:
    """How findings tell of parts of a key."""
    return " and ".join(f"`{part.name}`" for part in parts) or "nothing"


def check_cases(context: Context, node: YamlMap, scope: Scope) -> Lanes:
    """Where the rows come from. Raises Invalid after findings."""
    body = node.values["window"]
    items = body.items if isinstance(body, YamlList) else [body]
    cases: list[WindowCase] = []
    found: list[Found] = []
    with context.findings.together() as block:
        for item in items:
            listed = isinstance(body, YamlList)
            block.attempt(check_last, context, item, item is items[-1], listed, "case")
            case = block.attempt(_case, context, item, scope)
            if case is not None:
                cases.append(WindowCase(case[0], tuple(one.lane for one in case[1])))
                found += case[1]
    for one in found:
        if one.rows != found[0].rows:
            text = f"a lane shows rows of `{one.rows}`, and the first rows of `{found[0].rows}`"
            hint = "a window shows rows of one table; make two parts"
            raise context.findings.add(_of(one.node), "part", text, hint)
    chain = text_value(node.values.get("combine")) == "chain"
    if "combine" in node.values and not any(_has_many(case) for case in cases):
        hint = "leave `combine` out, or name `each` or `lanes`"
        raise context.findings.add(node.keys["combine"], "part", "one lane is combined with nothing", hint)
    if not chain:
        _check_merged(context, cases, found)
    return Lanes(found[0].rows, tuple(cases), chain, tuple(found))


def check_last(context: Context, node: YamlNode, is_last: bool, listed: bool, noun: str) -> None:
    """Of several cases or anchors only the last may, and must, hold without a condition."""
    when = node.keys.get("when") if isinstance(node, YamlMap) else None
    if when is not None and not listed:
        text = f"the only {noun} of a window holds always"
        hint = f"write `when` beside `window`, or a list of {noun}s, the last without `when`"
        raise context.findings.add(when, "part", text, hint)
    if when is not None and is_last:
        text = f"the last {noun} holds where no other does"
        raise context.findings.add(
            when, "part", text, f"leave its `when` out, or add another {noun} after it"
        )
    if when is None and not is_last:
        text = f"this {noun} holds always, so those after it never do"
        raise context.findings.add(node, "part", text, "add `when:`, or make it the last")


def _check_merged(context: Context, cases: Sequence[WindowCase], found: Sequence[Found]) -> None:
    """Rows are in one order by what follows the prefixes of their lanes."""
    left = list(found)
    for case in cases:
        of_case, left = left[: len(case.lanes)], left[len(case.lanes) :]
        first = of_case[0]
        for one in of_case:
            hint = "read one table in all lanes of a case, or add `combine: chain`"
            if isinstance(one.lane, KeysLane):
                text, hint = "rows in the order of `keys` are in no other order", "add `combine: chain`"
            elif one.table is not first.table:
                text = f"lanes of `{first.table.name}` and of `{one.table.name}` are in no common order"
            elif len(one.rest) != len(first.rest):
                text = "the prefixes of lanes have different lengths, so their rows are in no common order"
            else:
                continue
            raise context.findings.add(_of(one.node), "part", text, hint)


def _has_many(case: WindowCase) -> bool:
    first, *others = case.lanes
    return bool(others) or isinstance(first, KeysLane) or first.each is not None


def _of(node: YamlNode) -> YamlNode:
    assert isinstance(node, YamlMap)
    return node.values["of"]


def _case(context: Context, node: YamlNode, scope: Scope) -> tuple[Expr | None, list[Found]]:
    assert isinstance(node, YamlMap)
    when = check_condition(context, node.values.get("when"), scope)
    inner = scope.assume(when)
    lanes = node.values.get("lanes")
    if lanes is None:
        return when, [_lane(context, node, inner)]
    for word in ("each", "prefix"):
        if word in node.values:
            text = f"`{word}` is of one lane, and here are several"
            raise context.findings.add(node.keys[word], "part", text, f"say `{word}` in the lanes it is of")
    assert isinstance(lanes, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(_lane, context, item, inner) for item in lanes.items]
    return when, [one for one in found if one is not None]


def _lane(context: Context, node: YamlNode, scope: Scope) -> Found:
    assert isinstance(node, YamlMap)
    values = node.values
    if "keys" in values or "via" in values:
        return _keys_lane(context, node, scope)
    if "prefix" not in values:
        hint = "add `prefix:`, [] for the whole table"
        raise context.findings.add(node, "missing-key", "a lane needs `prefix`", hint)
    table = table_of(context, values["of"])
    each, item, inner = None, None, scope
    if "each" in values:
        _check_item(context, node, scope)
        each = check_node(context, values["each"], None, scope)
        item = _item_of(context, values["each"], each)
        inner = scope.bind("item", "row", item)
    prefix = prefix_of(context, values["prefix"], table, inner)
    if len(prefix) == len(table.key):
        text = f"this is a whole key of `{table.name}`, under which there is one row"
        raise context.findings.add(values["prefix"], "key-parts", text, "leave out what rows are ordered by")
    return Found(node, Lane(table.name, each, prefix), source_of(table, bare=False), table, item)


def _check_item(context: Context, node: YamlMap, scope: Scope) -> None:
    around = scope.names.get("item")
    if around is not None:
        kind = "key parameter" if around.kind == "param" else "part"
        text = f"the value that a lane is of is called `item`, and `item` is a {kind} already"
        raise context.findings.add(node.keys["each"], "name-taken", text, f"rename that {kind}")


def _item_of(context: Context, place: YamlNode, each: Expr) -> Type:
    listed = present(each.type)
    if not isinstance(listed, ListOf):
        hint = "name a list: an earlier part with rows, a field of theirs, or a key parameter"
        raise context.findings.add(place, "type", f"{show(each.type)} is no list", hint)
    if not isinstance(listed.item, Scalar | Named | RowOf):
        text = f"{show(listed.item)} is nothing that tells lanes apart"
        raise context.findings.add(place, "type", text, "list numbers, texts, ids, enums, records or rows")
    return listed.item


def _keys_lane(context: Context, node: YamlMap, scope: Scope) -> Found:
    """Rows in the order of a list of keys: their own, or those of rows that lead to them."""
    values = node.values
    if "keys" not in values:
        raise context.findings.add(node, "missing-key", "a lane with `via` needs `keys`", "add `keys:`")
    for word in ("each", "prefix"):
        if word in values:
            hint = f"leave `{word}` out, or `keys`"
            raise context.findings.add(
                node.keys[word], "part", "rows by their keys are under no prefix", hint
            )
    table = table_of(context, values["of"])
    rows = context.table(source_of(table, bare=False), at_start(values["of"]))
    via = table_of(context, values["via"]) if "via" in values else None
    if via is not None:
        known = row_types(via)
        for part in rows.key:
            if known.get(part.name) != part.type:
                text = f"a row of `{via.name}` has no `{part.name}`, which is in the key of `{rows.name}`"
                hint = "lead through a table whose rows have all parts of that key, called the same"
                raise context.findings.add(values["via"], "unknown-field", text, hint)
    keys = keys_of(context, values["keys"], rows if via is None else via, scope)
    return Found(node, KeysLane(table.name, keys, None if via is None else via.name), rows.name, table)
