"""The word `ranges`: closed ranges of numbers per group and space, and its steps.

Depends on: context, check_items, check_modifiers.  Never on: other words.

Law: an edge is of fixed width, and every number of its parts is a point; a step names one group, one space
and two edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pillarbox_codegen.check_fields import check_key_parts, text_value
from pillarbox_codegen.check_items import Also, Derived, each_and_when
from pillarbox_codegen.check_modifiers import body_of, modifiers, parts_given
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.expr_check import ExprChecker
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import ListNode, NameNode, Syntax
from pillarbox_codegen.model import (
    Constant,
    EnumType,
    EnumValue,
    Expr,
    Field,
    FlagsType,
    KeyPart,
    Literal_,
    Local,
    Ranges,
    RangeStep,
    Scalar,
    SeedMarks,
    Spread,
    Step,
    Table,
    Type,
    Unary,
)
from pillarbox_codegen.type_rules import INT_RANGES, base, show
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode

_NO_LOOKUPS = "which spaces a step spreads to follows from the group alone"


def check_ranges(context: Context, body: YamlMap) -> Derived:
    with context.findings.together() as block:
        group = block.attempt(check_key_parts, context, body.values["group"]) or ()
        space = block.attempt(check_key_parts, context, body.values.get("space")) or ()
        over = block.attempt(_over, context, body.values["over"]) or ()
    parts = [(part.name, part.type) for part in over]
    with context.findings.together() as block:
        start = block.attempt(_constant_edge, context, body.values.get("from"), parts)
        end = block.attempt(_constant_edge, context, body.values.get("to"), parts)
        spread = block.attempt(_spread, context, body.values.get("spread"), group, space)
    _check_order(context, body, over, start, end)
    lone = len(over) == 1
    types = [_stored(context, part.type) for part in over]
    key = (*group, *space)
    uppers = tuple(
        KeyPart("upper" if lone else f"upper_{part.name}", type, part.desc)
        for part, type in zip(over, types, strict=True)
    )
    lowers = tuple(
        Field(number, "lower" if lone else f"lower_{part.name}", type)
        for number, (part, type) in enumerate(zip(over, types, strict=True), 1)
    )
    _check_distinct(context, body, key, [*uppers, *lowers])
    rule = Ranges(
        tuple(part.name for part in group), tuple(part.name for part in space),
        tuple(part.type for part in over), start, end, spread, "seeded" in body.values,
    )  # fmt: skip
    also: tuple[Also, ...] = ()
    if "seeded" in body.values:
        _check_fixed(context, body.values["group"], group)
        also = (_marks(body.values["seeded"], group),)
    return Derived(rule, (*key, *uppers), lowers, also=also)


def _marks(node: YamlNode, group: tuple[KeyPart, ...]) -> Also:
    assert isinstance(node, YamlMap)
    doc = "Which groups have their seed, and up to which upgrade."
    fields = (Field(1, "version", Scalar("uint32")),)
    return Also("seeded", int(text_value(node.values["id"])), doc, SeedMarks, group, fields)


def _over(context: Context, node: YamlNode) -> tuple[KeyPart, ...]:
    parts = check_key_parts(context, node, fills=True)
    assert isinstance(node, YamlMap)
    for part in parts:
        scalar = base(part.type, context.types)
        if part.fill is not None:
            raise context.findings.add(
                node, "fill", "`fill` means nothing here", "it is for the keys of tables"
            )
        if scalar is None or scalar.name not in INT_RANGES:
            text = f"ranges are of numbers, `{part.name}` is {show(part.type)}"
            hint = "use an int, an enum, flags, or an id that is a number"
            raise context.findings.add(node.values[part.name], "bad-type", text, hint)
    return parts


def _stored(context: Context, type: Type) -> Type:
    """What an edge is stored as: of an enum its number, since an edge may lie between two values."""
    definition = context.definition(type)
    return definition.base if isinstance(definition, EnumType) else type


def _check_fixed(context: Context, node: YamlNode, group: Iterable[KeyPart]) -> None:
    for part in group:
        scalar = base(part.type, context.types)
        if scalar is None or scalar.name in ("text", "bytes"):
            text = f"groups with a seed are of fixed width, `{part.name}` is {show(part.type)}"
            place = node.values[part.name] if isinstance(node, YamlMap) else node
            raise context.findings.add(place, "bad-type", text, "use a number or an id that is one")


def _check_distinct(
    context: Context, body: YamlMap, key: Sequence[KeyPart], edges: Sequence[KeyPart | Field]
) -> None:
    seen: set[str] = set()
    for item in (*key, *edges):
        if item.name in seen:
            text = f"a row of ranges has two parts called `{item.name}`"
            holder = next(
                (node for word in ("space", "group")
                 if isinstance(node := body.values.get(word), YamlMap) and item.name in node.keys),
                None,
            )  # fmt: skip
            place = body if holder is None else holder.keys[item.name]
            raise context.findings.add(place, "name-taken", text, "edges are called `upper` and `lower`")
        seen.add(item.name)


# ---------------------------------------------------------------------------------------- constants


def _constant_edge(
    context: Context, node: YamlNode | None, parts: Sequence[tuple[str, Type]]
) -> tuple[int, ...] | None:
    if node is None:
        return None
    scope = Scope({}, no_lookups="it is one constant for all groups")
    return tuple(_number(context, node, expr) for expr in parts_given(context, node, parts, scope))


def _number(context: Context, node: YamlNode, expr: Expr) -> int:
    match expr:
        case Literal_(value=int(value)) | Constant(value=int(value)):
            return value
        case Unary(op="-", operand=Literal_(value=int(value))):
            return -value
        case EnumValue(enum=name, value=value):
            definition = context.types[name]
            assert isinstance(definition, EnumType | FlagsType)
            if isinstance(definition, EnumType):
                return dict(definition.values)[value]
            return 1 << dict(definition.bits)[value]
    raise context.findings.add(
        node, "type", "this is not a constant", "write a number, or a constant of `seeds`"
    )


def _check_order(
    context: Context, body: YamlMap, over: Sequence[KeyPart], start: tuple[int, ...] | None,
    end: tuple[int, ...] | None,
) -> None:  # fmt: skip
    if start is None or end is None:
        return

    def turned(edge: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(-value if part.desc else value for part, value in zip(over, edge, strict=True))

    if turned(start) > turned(end):
        text = "`from` comes after `to`, so that there is nothing between them"
        raise context.findings.add(body.values["to"], "range", text, "exchange the two")


# ------------------------------------------------------------------------------------------- spread


def _spread(
    context: Context, node: YamlNode | None, group: tuple[KeyPart, ...], space: tuple[KeyPart, ...]
) -> Spread | None:
    if node is None:
        return None
    assert isinstance(node, YamlMap)
    if not space:
        text = "there is no space to spread to"
        raise context.findings.add(node, "step", text, "declare `space:`, or leave `spread` out")
    scope = group_scope(group)
    parts = [(part.name, part.type) for part in space]
    each, when, inner = each_and_when(context, node, scope)
    with context.findings.together() as block:
        origin = block.attempt(parts_given, context, node.values["from"], parts, scope) or ()
        into = block.attempt(parts_given, context, node.values["into"], parts, inner) or ()
    return Spread(origin, each, into, when)


def group_scope(group: Iterable[KeyPart]) -> Scope:
    """The parts of a group by bare name; tables cannot be read."""
    return Scope({part.name: Local(part.name, "field", part.type) for part in group}, no_lookups=_NO_LOOKUPS)


# ------------------------------------------------------------------------------------------- steps


def check_add_range(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    return _check_step(context, item, "add_range", scope)


def check_cut_range(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    return _check_step(context, item, "cut_range", scope)


def _check_step(context: Context, item: YamlMap, word: str, scope: Scope) -> tuple[Step, Scope]:
    body = body_of(item, word)
    table = ranges_table(context, body.values["table"])
    mods, inner = modifiers(context, item, scope)
    assert isinstance(table.rule, Ranges)
    group = table.key[: len(table.rule.group)]
    with context.findings.together() as block:
        at = block.attempt(_named_parts, context, body, "at", group, inner) or ()
        step = block.attempt(range_of, context, body, table, inner)
    assert step is not None
    space, lower, upper = step
    return RangeStep(word == "add_range", table.name, at, space, lower, upper, mods), scope


def ranges_table(context: Context, node: YamlNode) -> Table:
    """The table of ranges that is named. Raises Invalid after a finding."""
    table = context.table(text_value(node), at_start(node))
    if not isinstance(table.rule, Ranges):
        text = f"`{table.name}` is no table of ranges"
        raise context.findings.add(node, "word", text, "this step is for tables of the word `ranges`")
    return table


def range_of(
    context: Context, body: YamlMap, table: Table, scope: Scope
) -> tuple[tuple[Expr, ...], tuple[Expr, ...], tuple[Expr, ...]]:
    """(space, lower edge, upper edge) of a step on these ranges."""
    assert isinstance(table.rule, Ranges)
    begin = len(table.rule.group)
    spaces = table.key[begin : begin + len(table.rule.space)]
    with context.findings.together() as block:
        space = block.attempt(_named_parts, context, body, "space", spaces, scope) or ()
        edges = block.attempt(_edges, context, body.values["range"], table, scope)
    assert edges is not None
    return space, *edges


def _named_parts(
    context: Context, body: YamlMap, word: str, parts: Sequence[KeyPart], scope: Scope
) -> tuple[Expr, ...]:
    node = body.values.get(word)
    if node is None and parts:
        names = ", ".join(part.name for part in parts)
        raise context.findings.add(body, "key-parts", f"these ranges are of each {names}", f"add `{word}:`")
    if node is None:
        return ()
    if not parts:
        text = f"these ranges have no {'group' if word == 'at' else 'space'}"
        raise context.findings.add(body.keys[word], "key-parts", text, f"leave `{word}` out")
    return parts_given(context, node, [(part.name, part.type) for part in parts], scope)


def _edges(
    context: Context, node: YamlNode, table: Table, scope: Scope
) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    assert isinstance(table.rule, Ranges)
    syntax = parse_node(node, context.findings)
    uppers = table.key[-len(table.rule.over) :]
    if isinstance(syntax, NameNode) and syntax.name == "all" and "all" not in scope.names:
        start, end = table.rule.start, table.rule.end
        return _outermost(context, uppers, start, 0), _outermost(context, uppers, end, 1)
    if not isinstance(syntax, ListNode) or len(syntax.items) != 2:
        text = "a range is its two edges, both inside"
        raise context.findings.add(node, "step", text, "write `[lower, upper]`, or `all`")
    parts = [(part.name, type) for part, type in zip(uppers, table.rule.over, strict=True)]
    lower, upper = (_edge(context, scope, item, parts) for item in syntax.items)
    return lower, upper


def _edge(
    context: Context, scope: Scope, syntax: Syntax, parts: Sequence[tuple[str, Type]]
) -> tuple[Expr, ...]:
    return key_parts(ExprChecker(context, scope), syntax, parts, may_be_none=False)


def _outermost(
    context: Context, uppers: Sequence[KeyPart], bound: tuple[int, ...] | None, side: int
) -> tuple[Expr, ...]:
    """The first edge there is, or (`side` 1) the last."""
    values = []
    for place, part in enumerate(uppers):
        scalar = base(part.type, context.types)
        assert scalar is not None
        span = INT_RANGES[scalar.name]
        value = span[1 - side if part.desc else side] if bound is None else bound[place]
        values.append(Literal_(value, part.type))
    return tuple(values)
