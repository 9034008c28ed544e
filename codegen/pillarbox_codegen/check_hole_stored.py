"""Which rows are stored where something may be missing, and what becomes of those that a page does not have.

Depends on: context, check_hole_scope, check_emissions, check_modifiers.  Never on: requests.

Law: of a group and space the ids of stored rows are those of one stretch of a table's keys, or not known.
"""

from __future__ import annotations

from pillarbox_codegen.check_emissions import check_emission
from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_hole_scope import Holed
from pillarbox_codegen.check_modifiers import refuse_taken, step_key
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.expr_check import check_condition
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import Emission, HoleStored, ListOf, RowOf
from pillarbox_codegen.type_rules import show
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode

#: What `emits` of rows that a page does not have calls their ids; of ids of several parts, the rows.
ABSENT = "absent"


def check_stored(context: Context, node: YamlNode | None, of: Holed) -> HoleStored | None:
    """The table in whose keys the ids stand last. Raises Invalid after a finding."""
    if node is None:
        return None
    assert isinstance(node, YamlMap)
    if of.width is not None:
        text = "among the rows of marks there are no ids that could be missing"
        raise context.findings.add(node, "fetching", text, "leave `stored` out")
    place = node.values["in"]
    table = context.table(text_value(place), at_start(place))
    ids, rest = table.key[-len(of.over) :], table.key[: -len(of.over)]
    if [part.type for part in ids] != list(of.over) or any(part.desc for part in ids):
        wanted = ", ".join(map(show, of.over))
        text = f"the key of `{table.name}` does not end in what the holes are over: {wanted}"
        raise context.findings.add(place, "key-parts", text, "name a table or an index that is in this order")
    scope = of.group_scope
    when = check_condition(context, node.values.get("when"), scope)
    scope = scope.assume(when)
    given = node.values.get("at")
    at = step_key(context, given, table, scope, prefix=True) if given is not None else ()
    if len(at) != len(rest):
        names = ", ".join(part.name for part in rest)
        text = f"before the ids stand {len(rest)} parts in the key of `{table.name}`, {len(at)} given"
        raise context.findings.add(given or node, "key-parts", text, f"write `at: [{names}]`")
    return HoleStored(table.name, at, when)


def check_absent(
    context: Context, node: YamlNode | None, of: Holed, scope: Scope, stored: HoleStored | None
) -> tuple[Emission, ...]:
    """What takes rows away that a page does not have. Raises Invalid after findings."""
    if node is None:
        return ()
    assert isinstance(node, YamlList)
    if stored is None:
        text = "which rows are stored there is not said"
        hint = "add `stored: {in: TABLE, at: KEY}` beside `answers`"
        raise context.findings.add(node, "fetching", text, hint)
    refuse_taken(context, at_start(node), ABSENT, scope)
    item = of.over[0] if len(of.over) == 1 else RowOf(stored.table)
    scope = scope.bind(ABSENT, "local", ListOf(item))
    with context.findings.together() as block:
        found = [block.attempt(check_emission, context, item, scope) for item in node.items]
    return tuple(one for one in found if one is not None)
