"""The registry of steps, and the walk over a list of them.

Depends on: context, check_modifiers, expr_check.  Never on: any one step; each word's file checks its own,
and check_steps names them all.

Law: steps are checked in order, and names bound by one are known to those after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from pillarbox_codegen.check_modifiers import check_each, split_each
from pillarbox_codegen.context import Context
from pillarbox_codegen.expr_check import check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import IfStep, Literal_, Modifiers, Step
from pillarbox_codegen.type_rules import BOOL
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar

#: Checks one step; gives it, and the scope that the steps after it see. Raises Invalid after findings.
CheckStep: TypeAlias = Callable[[Context, YamlMap, Scope], tuple[Step, Scope]]

#: Word -> its check. Filled by check_steps.
STEPS: Final[dict[str, CheckStep]] = {}


def check_steps(context: Context, node: YamlNode | None, scope: Scope) -> tuple[Step, ...]:
    """Steps in order; names bound by one are known to those after it. Raises Invalid after findings."""
    if node is None:
        return ()
    assert isinstance(node, YamlList)
    scope = replace(scope, is_step=True)
    steps: list[Step] = []
    with context.findings.together() as block:
        for item in node.items:
            assert isinstance(item, YamlMap)
            found = block.attempt(_check_step, context, item, scope)
            if found is None:
                scope = _behind_faulty(context, item, scope)
            else:
                step, scope = found
                steps.append(step)
    return tuple(steps)


def _check_step(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    each = item.values.get("each")
    parts = None if each is None else split_each(each)
    if parts is not None:
        return _check_product(context, item, scope, *parts), scope
    # The branches of a match may be called like steps.
    word = "match" if "match" in item.values else next(word for word in STEPS if word in item.values)
    return STEPS[word](context, item, scope)


def _check_product(
    context: Context, item: YamlMap, scope: Scope, first: YamlScalar, rest: YamlScalar
) -> Step:
    """A step for each of one list, and in that for each of others."""
    if "as" in item.values:
        text = "the result of a step in more than one loop has no name"
        raise context.findings.add(item.keys["as"], "step", text, "name it in a step of the first list")
    each, inner = check_each(context, first, scope)
    values = {**item.values, "each": rest}
    step, _ = _check_step(context, YamlMap(item.file, item.line, item.column, item.keys, values), inner)
    return IfStep(Literal_(True, BOOL), (step,), (), Modifiers(each))


def _behind_faulty(context: Context, item: YamlMap, scope: Scope) -> Scope:
    """The scope behind a step that has findings, with as few that follow from these as may be."""
    scope = scope.lose(_bound_names(item))
    if "require" not in item.values or "when" in item.values or "each" in item.values:
        return scope
    # It may be its `else` that is faulty; what is found in the condition is not told a second time.
    condition = context.findings.attempt(check_node, context, item.values["require"], BOOL, scope)
    return scope if condition is None else scope.assume(condition)


def _bound_names(item: YamlMap) -> set[str]:
    let, result = item.values.get("let"), item.values.get("as")
    names = set(let.keys) if isinstance(let, YamlMap) else set()
    return names | ({result.value} if isinstance(result, YamlScalar) else set())
