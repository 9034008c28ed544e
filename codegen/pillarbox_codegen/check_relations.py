"""What an update says about counters: `claims`, `observes`, `rides`.

Depends on: context, check_domains, check_modifiers, expr_check.  Never on: what the update becomes.

Law: what comes back has one expression for each part of the cursor's key.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext

from pillarbox_codegen.check_domains import counter_of, type_of
from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.check_modifiers import step_key
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.expr_check import check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import BesideRule, ClaimRule, Expr, Type
from pillarbox_codegen.type_rules import BOOL, INT64, TEXT
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode


def check_claim(context: Context, node: YamlNode, scope: Scope) -> ClaimRule:
    """`DOMAIN`, or `{domain, key, end, count | after, unless}`; what is not given is the part's own claim.

    Raises Invalid after a finding.
    """
    given = node.values if isinstance(node, YamlMap) else {"domain": node}
    domain = given["domain"]
    cursor, part, defaults = counter_of(context, domain, tokens=True)
    chosen = {**defaults, **given}
    place = node if isinstance(node, YamlMap) else domain
    type = type_of(context, cursor, part)
    if "end" not in chosen:
        text = f"`{cursor}.{part}` has no claim of its own to start from"
        rest = "`after:`" if type == TEXT else "`count:` where there is one"
        raise context.findings.add(place, "claim", text, f"give `end:`, and {rest}")
    if type == TEXT and "after" not in chosen:
        text = f"`{cursor}.{part}` is a token: what claims it says on which token it follows"
        raise context.findings.add(place, "claim", text, "give `after:`")
    refuse_other_spans(context, f"{cursor}.{part}", type, chosen)

    def own(word: str, type: Type, scope: Scope) -> Expr | None:
        if word not in chosen:
            return None
        with _default(context, word, given, defaults):
            return check_node(context, chosen[word], type, scope)

    # A default is an expression over the fields of the update: what is missing there is said here.
    with context.findings.at(None if isinstance(node, YamlMap) else place):
        unless = own("unless", BOOL, scope)
        scope = scope.assume(unless, truth=False)
        with _default(context, "key", given, defaults):
            key = _key(context, cursor, chosen, place, scope, "claim")
        end, count, after = own("end", type, scope), own("count", INT64, scope), own("after", TEXT, scope)
    assert end is not None, "it was asked for above"
    return ClaimRule(cursor, part, key, end, count, unless, after=after)


def _default(
    context: Context, word: str, given: Mapping[str, YamlNode], defaults: Mapping[str, YamlNode]
) -> AbstractContextManager[None]:
    """A block that checks one word of a claim: where it is the part's own, it is shared."""
    own = word in defaults and word not in given
    return context.findings.shared(defaults[word]) if own else nullcontext()


def refuse_other_spans(context: Context, domain: str, type: Type, given: Mapping[str, YamlNode]) -> None:
    """A counter has numbers in its span, a token one that it follows on. Raises Invalid after a finding."""
    if type == TEXT and "count" in given:
        text = f"`{domain}` is a token, it counts nothing"
        raise context.findings.add(given["count"], "claim", text, "leave `count` out")
    if type != TEXT and "after" in given:
        text = f"`{domain}` is no token: which claims come before one is said by how many it counts"
        raise context.findings.add(given["after"], "claim", text, "give `count:`, or leave `after` out")


def check_observes(context: Context, node: YamlNode, scope: Scope) -> BesideRule:
    """`DOMAIN`, or `{domain, key}`. Raises Invalid after a finding."""
    given = node.values if isinstance(node, YamlMap) else {"domain": node}
    domain = given["domain"]
    cursor, part, defaults = counter_of(context, domain, tokens=True)
    _refuse_lone(context, cursor, domain, "observes")
    at = context.findings.at(None if "key" in given else domain)
    with at, _default(context, "key", given, defaults):
        key = _key(context, cursor, {**defaults, **given}, domain, scope, "observes")
    return BesideRule(cursor, key, "observes", part)


def check_rides(context: Context, node: YamlNode, scope: Scope) -> BesideRule:
    """`{cursor, key}`. Raises Invalid after a finding."""
    assert isinstance(node, YamlMap)
    place = node.values["cursor"]
    cursor = text_value(place)
    context.declared_one("cursors", cursor, at_start(place), "unknown-cursor", "cursor")
    _refuse_lone(context, cursor, place, "rides")
    return BesideRule(cursor, _key(context, cursor, node.values, place, scope, "rides"), "rides", None)


def _refuse_lone(context: Context, cursor: str, place: YamlNode, word: str) -> None:
    """What counts once in the box has its claims before all that claims nothing. Raises Invalid."""
    if not context.table(cursor, at_start(place)).key:
        text = f"`{cursor}` is one in the box: what claims nothing comes behind its claims anyway"
        raise context.findings.add(place, "claim", text, f"leave `{word}` out")


def _key(
    context: Context, cursor: str, given: Mapping[str, YamlNode], place: YamlNode, scope: Scope, word: str
) -> tuple[Expr, ...]:
    table = context.table(cursor, at_start(place))
    if not table.key and "key" not in given:
        return ()
    if "key" not in given:
        names = ", ".join(part.name for part in table.key)
        code = "claim" if word == "claim" else "missing-key"
        raise context.findings.add(place, code, f"`{cursor}` counts for each {names}", "give `key:`")
    return step_key(context, given["key"], table, scope)
