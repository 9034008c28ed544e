"""Seeds of groups and their upgrades: what the ranges of a group start with.

Depends on: context, check_ranges, check_modifiers.  Never on: operations.

Law: what a group starts with follows from its parts alone; upgrades have rising numbers, each once.
"""

from __future__ import annotations

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_modifiers import body_of, modifiers
from pillarbox_codegen.check_ranges import group_scope, range_of, ranges_table
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.expr_check import check_condition
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import Expr, GroupSeed, Ranges, RangeStep, SeedCase, Table, Upgrade
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode


def check_group_seeds(context: Context) -> tuple[dict[str, GroupSeed], dict[str, int]]:
    """What the groups of each table start with; the last upgrade that makes each derived table again."""
    cases: dict[str, tuple[SeedCase, ...]] = {}
    entry = context.entries("seeds").get("group")
    for key, node in entry.body if entry is not None and entry.sound else ():
        found = context.findings.attempt(_check_cases, context, key, node)
        if found is not None:
            cases[key.value] = found
    upgrades: dict[str, list[Upgrade]] = {}
    rebuilds: dict[str, int] = {}
    last = 0
    for node in _upgrades(context):
        number = int(text_value(node.values["number"]))
        if number <= last:
            text = f"upgrade {number} comes after upgrade {last}"
            hint = "numbers are permanent and rise: a new upgrade has the greatest number, at the end"
            context.findings.add(node.values["number"], "number-taken", text, hint)
        last = max(last, number)
        context.findings.attempt(_check_upgrade, context, node, number, upgrades, rebuilds)
    names = [name for name, table in context.tables.items() if _is_seeded(table)]
    seeds = {name: GroupSeed(cases.get(name, ()), tuple(upgrades.get(name, ()))) for name in names}
    return seeds, rebuilds


def _upgrades(context: Context) -> list[YamlMap]:
    entry = context.entries("seeds").get("upgrade")
    node = entry.body.values.get("upgrade") if entry is not None and entry.sound else None
    return [item for item in node.items if isinstance(item, YamlMap)] if isinstance(node, YamlList) else []


def _is_seeded(table: Table) -> bool:
    return isinstance(table.rule, Ranges) and table.rule.seeded


def _seeded_table(context: Context, node: YamlNode) -> Table:
    table = ranges_table(context, node)
    if not _is_seeded(table):
        text = f"`{table.name}` has no table that marks its groups"
        raise context.findings.add(node, "missing-key", text, "add `seeded: {id: NUMBER}` to its `ranges`")
    return table


def _check_cases(context: Context, key: YamlNode, node: YamlNode) -> tuple[SeedCase, ...]:
    table = _seeded_table(context, key)
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(_check_case, context, item, table) for item in node.items]
    return tuple(SeedCase(when, steps) for when, steps in filter(None, found))


def _check_case(context: Context, node: YamlNode, table: Table) -> tuple[Expr | None, tuple[RangeStep, ...]]:
    assert isinstance(node, YamlMap)
    assert isinstance(table.rule, Ranges)
    scope = group_scope(table.key[: len(table.rule.group)])
    when = check_condition(context, node.values.get("when"), scope)
    scope = scope.assume(when)
    steps = node.values["do"]
    assert isinstance(steps, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(_check_step, context, item, table, scope) for item in steps.items]
    return when, tuple(step for step in found if step is not None)


def _check_step(context: Context, item: YamlNode, table: Table, scope: Scope) -> RangeStep:
    assert isinstance(item, YamlMap)
    word = "add_range" if "add_range" in item.values else "cut_range"
    mods, inner = modifiers(context, item, scope)
    space, lower, upper = range_of(context, body_of(item, word), table, inner)
    return RangeStep(word == "add_range", table.name, (), space, lower, upper, mods)


def _check_upgrade(
    context: Context, node: YamlMap, number: int, upgrades: dict[str, list[Upgrade]], rebuilds: dict[str, int]
) -> bool:
    if "rebuild" in node.values:
        for word in ("table", "when", "do"):
            if word in node.values:
                text = f"`rebuild` and `{word}` are of two upgrades"
                raise context.findings.add(node.keys[word], "one-of", text, "give each its number")
        name = text_value(node.values["rebuild"])
        table = context.table(name, at_start(node.values["rebuild"]))
        if table.role != "derived":
            text = f"`{name}` is not made from other tables"
            raise context.findings.add(
                node.values["rebuild"], "word", text, "only derived tables are made again"
            )
        rebuilds[name] = number
        return True
    for word in ("table", "do"):
        if word not in node.values:
            text = f"an upgrade needs `{word}`, or `rebuild`"
            raise context.findings.add(node, "missing-key", text, f"add `{word}:`")
    table = _seeded_table(context, node.values["table"])
    when, steps = _check_case(context, node, table)
    upgrades.setdefault(table.name, []).append(Upgrade(number, when, steps))
    return True
