"""What steps share: `each`, `when`, the names they bind, and keys.

Depends on: context, expr_check.  Never on: any one step.

Law: a name that a step binds names nothing else where it is seen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pillarbox_codegen.check_items import item_type
from pillarbox_codegen.context import Context
from pillarbox_codegen.expr_check import ExprChecker, check, check_condition
from pillarbox_codegen.expr_keys import key_parts
from pillarbox_codegen.expr_parse import TEXT_MAX, parse_node, parse_text
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import At
from pillarbox_codegen.model import EachVar, Expr, Modifiers, Table, Type
from pillarbox_codegen.names import snake_problem
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode, YamlScalar

_EACH: Final = re.compile(r"(?P<items>.*\S)\s+as\s+(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*", re.DOTALL)


#: The end of one list in an `each`.
_NAMED: Final = re.compile(r"\bas\s+[A-Za-z_][A-Za-z0-9_]*\s*$")


def check_each(context: Context, node: YamlNode, scope: Scope, **no_list: str) -> tuple[EachVar, Scope]:
    """`LIST as name`, and the scope that has the name. Raises Invalid after a finding.

    What is no list gets the `hint` of `item_type`, or that in `no_list`.
    """
    assert isinstance(node, YamlScalar)
    match = _EACH.fullmatch(node.value) if len(node.value) <= TEXT_MAX else None
    if match is None:
        text = "`each` names its variable"
        raise context.findings.add(node, "syntax", text, "write `each: LIST as name`")
    syntax = parse_text(node, match["items"], 0, context.findings)
    items = check(context, syntax, None, scope)
    type = item_type(context, items, node, **no_list)
    problem = snake_problem(match["name"])
    if problem is not None:
        raise context.findings.add(node, "name", *problem, offset=match.start("name"))
    refuse_taken(context, At(node, match.start("name")), match["name"], scope)
    return EachVar(match["name"], items), scope.bind(match["name"], "local", type)


def split_each(node: YamlNode) -> tuple[YamlScalar, YamlScalar] | None:
    """The first of several lists in an `each`, and the others; none where there is one."""
    if not isinstance(node, YamlScalar) or len(node.value) > TEXT_MAX:
        return None
    depth, quote = 0, ""
    for place, character in enumerate(node.value):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "," and depth == 0 and _NAMED.search(node.value[:place]):
            # Blanks keep the place of what is left.
            rest = " " * (place + 1) + node.value[place + 1 :]
            return replace(node, value=node.value[:place]), replace(node, value=rest)
    return None


def refuse_taken(context: Context, at: At, name: str, scope: Scope) -> None:
    """A step binds no name that is seen already. Raises Invalid."""
    if name in scope.names:
        text = f"`{name}` names something else here already"
        raise context.add(at, "name-taken", text, "choose another name")


def modifiers(context: Context, item: YamlMap, scope: Scope) -> tuple[Modifiers, Scope]:
    """The modifiers, and the scope that the step itself sees."""
    each: EachVar | None = None
    if "each" in item.values:
        each, scope = check_each(context, item.values["each"], scope)
    when = check_condition(context, item.values.get("when"), scope)
    scope = scope.assume(when)
    return Modifiers(each, when), scope


def body_of(item: YamlMap, word: str) -> YamlMap:
    """The mapping below the word of a step."""
    body = item.values[word]
    assert isinstance(body, YamlMap)
    return body


def step_key(
    context: Context, node: YamlNode, table: Table, scope: Scope, prefix: bool = False
) -> tuple[Expr, ...]:
    """The key that a step is at, or a prefix of one; none of its parts may be absent. Raises Invalid."""
    return parts_given(context, node, [(part.name, part.type) for part in table.key], scope, prefix=prefix)


def parts_given(
    context: Context, node: YamlNode, parts: Sequence[tuple[str, Type]], scope: Scope, prefix: bool = False
) -> tuple[Expr, ...]:
    """Parts of a key, or the first of them; none may be absent. Raises Invalid after a finding."""
    syntax = parse_node(node, context.findings)
    return key_parts(ExprChecker(context, scope), syntax, parts, may_be_none=False, prefix=prefix)
