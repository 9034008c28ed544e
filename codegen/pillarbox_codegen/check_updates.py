"""Updates: what a server tells, and the operations it becomes.

Depends on: context, expr_check, check_modifiers, check_steps, check_operations.  Never on: views, sources.

Law: an update becomes operations by its own fields alone.
"""

from __future__ import annotations

from typing import Final

from pillarbox_codegen.check_domains import counter_of
from pillarbox_codegen.check_fields import check_fields
from pillarbox_codegen.check_modifiers import check_each
from pillarbox_codegen.check_operations import check_codes, code_of, param_scope
from pillarbox_codegen.check_steps import check_arguments
from pillarbox_codegen.check_tables import doc_of
from pillarbox_codegen.context import Context, Entry, at_start
from pillarbox_codegen.expr_check import ExprChecker, check_node
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import ListNode
from pillarbox_codegen.model import ClaimRule, EachVar, Emission, Expr, Update
from pillarbox_codegen.type_rules import BOOL, INT64
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode

NO_LOOKUPS: Final = "the operation it becomes can look rows up, in a `let` step"


def check_updates(context: Context) -> None:
    check_codes(context, "updates")
    for name, entry in context.sound("updates"):
        update = context.findings.attempt(_check_update, context, name, entry)
        if update is not None:
            context.updates[name] = update


def _check_update(context: Context, name: str, entry: Entry) -> Update:
    fields, reserved = check_fields(context, entry.body.values["fields"], entry.body)
    scope = param_scope(fields, NO_LOOKUPS)
    with context.findings.together() as block:
        claim = block.attempt(_check_claim, context, entry, scope)
        emits = block.attempt(_check_emissions, context, entry, scope) or ()
    return Update(name, code_of(entry), doc_of(entry), fields, claim, emits, reserved)


# ------------------------------------------------------------------------------------------ claims


def _check_claim(context: Context, entry: Entry, scope: Scope) -> ClaimRule | None:
    node = entry.body.values.get("claims")
    if node is None:
        return None
    given = node.values if isinstance(node, YamlMap) else {"domain": node}
    domain = given["domain"]
    cursor, part, defaults = counter_of(context, domain)
    chosen = {**defaults, **given}
    place = node if isinstance(node, YamlMap) else domain
    if "end" not in chosen:
        text = f"`{cursor}.{part}` has no claim of its own to start from"
        raise context.findings.add(place, "claim", text, "give `end:`, and `count:` where there is one")
    table = context.table(cursor, at_start(domain))
    if table.key and "key" not in chosen:
        names = ", ".join(part.name for part in table.key)
        raise context.findings.add(place, "claim", f"`{cursor}` counts for each {names}", "give `key:`")
    # A default is an expression over the fields of the update: what is missing there is said here.
    with context.findings.at(place if not isinstance(node, YamlMap) else None):
        checker = ExprChecker(context, scope)
        parts = [(part.name, part.type) for part in table.key]
        syntax = (
            parse_node(chosen["key"], context.findings) if "key" in chosen else ListNode((), at_start(place))
        )
        key = key_parts(checker, syntax, parts, may_be_none=False)
        end = check_node(context, chosen["end"], INT64, scope)
        count = check_node(context, chosen["count"], INT64, scope) if "count" in chosen else None
        unless = check_node(context, chosen["unless"], BOOL, scope) if "unless" in chosen else None
    return ClaimRule(cursor, part, key, end, count, unless)


# --------------------------------------------------------------------------------------- emissions


def _check_emissions(context: Context, entry: Entry, scope: Scope) -> tuple[Emission, ...]:
    node = entry.body.values.get("emits")
    if node is None:
        return ()
    assert isinstance(node, YamlList)
    with context.findings.together() as block:
        found = [block.attempt(check_emission, context, item, scope) for item in node.items]
    return tuple(one for one in found if one is not None)


def check_emission(context: Context, item: YamlNode, scope: Scope) -> Emission:
    """One entry of `emits`. Raises Invalid after a finding."""
    assert isinstance(item, YamlMap)
    names = [name for name in item.values if name not in ("each", "when")]
    if len(names) != 1:
        text = f"an emission names one operation, this one {len(names)}"
        place = item.keys[names[1]] if names else item
        raise context.findings.add(place, "step", text, "write `- {operation: {parameter: expression}}`")
    name = names[0]
    context.declared_one("operations", name, at_start(item.keys[name]), "unknown-operation", "operation")
    operation = context.operations.get(name)
    if operation is None:
        raise context.findings.silent()
    each: EachVar | None = None
    if "each" in item.values:
        each, scope = check_each(context, item.values["each"], scope)
    when: Expr | None = None
    if "when" in item.values:
        when = check_node(context, item.values["when"], BOOL, scope)
        scope = scope.assume(when)
    body = item.values[name]
    assert isinstance(body, YamlMap)
    types = {param.name: param.type for param in operation.params}
    required = {param.name for param in operation.params if not param.has_default}
    arguments = check_arguments(
        context, body, dict(body.values), types, required, f"the operation {name}", scope
    )
    return Emission(name, arguments, each, when)
