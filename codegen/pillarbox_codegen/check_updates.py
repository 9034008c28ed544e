"""Updates: what a server tells, what that claims and needs, and what it becomes.

Depends on: context, check_emissions, check_needs, check_relations, check_operations.  Never on: views,
sources.

Law: what an update becomes follows from its own fields, where its batch stands, and the rows that it needs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pillarbox_codegen.check_containers import check_brings
from pillarbox_codegen.check_domains import type_of
from pillarbox_codegen.check_emissions import check_entry
from pillarbox_codegen.check_fields import check_fields, text_value
from pillarbox_codegen.check_needs import check_needs, check_read
from pillarbox_codegen.check_operations import check_codes, code_of, param_scope
from pillarbox_codegen.check_relations import check_claim, check_observes, check_rides
from pillarbox_codegen.check_tables import doc_of
from pillarbox_codegen.context import Context, Entry
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import BesideRule, Bring, ClaimRule, Emitted, NeedRule, Type, Update
from pillarbox_codegen.type_rules import INT64, optional
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode

_RELATIONS: Final = ("claims", "observes", "rides")
_OWN_ONLY: Final = "claims and needs follow from the update's own fields"
_NEEDED: Final = "name it in `needs`, or let the operation it becomes look it up, in a `let` step"
#: What `emits` may name besides the fields of the update.
BATCH: Final[dict[str, Type]] = {"batch_date": INT64, "server_now": INT64, "server_seconds": INT64}
CLAIM_END: Final = "claim_end"


def check_updates(context: Context) -> None:
    check_codes(context, "updates")
    for name, entry in context.sound("updates"):
        update = context.findings.attempt(_check_update, context, name, entry)
        if update is not None:
            context.updates[name] = update


def _check_update(context: Context, name: str, entry: Entry) -> Update:
    fields, reserved = check_fields(context, entry.body.values["fields"], entry.body)
    own = param_scope(fields, _OWN_ONLY)
    with context.findings.together() as block:
        claim, beside = block.attempt(_check_relation, context, entry, own) or (None, None)
        needs = block.attempt(check_needs, context, entry.body.values.get("needs"), own)
        brings = block.attempt(_check_brings, context, entry.body.values.get("brings"), own)
        emits = block.attempt(_check_emits, context, entry, own, claim, needs)
    update = Update(name, code_of(entry), doc_of(entry), fields, claim, emits, reserved, beside, needs or ())
    return replace(update, brings=brings or (), when_old=_when_old(entry))


def _check_brings(context: Context, node: YamlNode | None, scope: Scope) -> tuple[Bring, ...]:
    """Rows that the update writes itself."""
    found = check_brings(context, node, scope)
    for item in node.items if isinstance(node, YamlList) else ():
        named = context.entries("brings").get(text_value(item))
        body = item if isinstance(item, YamlMap) else None if named is None else named.body
        if body is not None and "emits" in body.values:
            text = "what an update asks for is said once"
            place = item if named is not None else body.keys["emits"]
            raise context.findings.add(place, "unknown-key", text, "put it into its own `emits:`")
    return found


def _check_relation(
    context: Context, entry: Entry, scope: Scope
) -> tuple[ClaimRule | None, BesideRule | None]:
    """At most one relation to a counter."""
    given = [word for word in entry.body.values if word in _RELATIONS]
    if len(given) > 1:
        text = f"an update has one relation to a counter, this one {' and '.join(given)}"
        raise context.findings.add(entry.body.keys[given[1]], "one-of", text, "keep one of them")
    if not given:
        return None, None
    node = entry.body.values[given[0]]
    if given[0] == "claims":
        return check_claim(context, node, scope), None
    check = check_observes if given[0] == "observes" else check_rides
    return None, check(context, node, scope)


def _when_old(entry: Entry) -> bool:
    node = entry.body.values.get("claims")
    return isinstance(node, YamlMap) and text_value(node.values.get("when_old")) == "apply"


# --------------------------------------------------------------------------------------- emissions


def _check_emits(
    context: Context, entry: Entry, own: Scope, claim: ClaimRule | None, needs: tuple[NeedRule, ...] | None
) -> tuple[Emitted, ...] | None:
    """None where nothing is said."""
    node = entry.body.values.get("emits")
    if node is None:
        return None
    assert isinstance(node, YamlList)
    named = {need.table for need in needs or ()}
    known = frozenset(context.cursors) | (named if needs is not None else frozenset(context.tables))
    scope = replace(_around(context, entry, own, claim), no_lookups=_NEEDED, lookups=known)
    with context.findings.together() as block:
        found = [block.attempt(check_entry, context, item, scope) for item in node.items]
        for item, emitted in zip(node.items, found, strict=True):
            if emitted is not None and needs is not None:
                block.attempt(check_read, context, emitted, needs, item)
    return tuple(emitted for emitted in found if emitted is not None)


def _around(context: Context, entry: Entry, scope: Scope, claim: ClaimRule | None) -> Scope:
    """The scope with what is known of the batch, and of the claim where there is one."""
    names = dict(BATCH)
    if claim is not None:
        end = type_of(context, claim.cursor, claim.part)
        names[CLAIM_END] = end if claim.unless is None else optional(end)
    elif "claims" in entry.body.values:
        scope = scope.lose([CLAIM_END])
    for name, type in names.items():
        if name in scope.names:
            holder = entry.body.values["fields"]
            assert isinstance(holder, YamlMap)
            text = f"`{name}` is something else wherever an update becomes operations"
            raise context.findings.add(holder.keys[name], "name", text, "choose another name")
        scope = scope.bind(name, "param", type)
    return scope
