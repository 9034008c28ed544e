"""The registry of steps, and the walk over a list of them.

Depends on: context, expr_scope.  Never on: any one step; each word's file checks its own, and
check_steps names them all.

Law: steps are checked in order, and names bound by one are known to those after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from pillarbox_codegen.context import Context
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import Step
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
    steps: list[Step] = []
    with context.findings.together() as block:
        for item in node.items:
            assert isinstance(item, YamlMap)
            # The branches of a match may be called like steps.
            word = "match" if "match" in item.values else next(word for word in STEPS if word in item.values)
            found = block.attempt(STEPS[word], context, item, scope)
            if found is None:
                scope = scope.lose(_bound_names(item))
            else:
                step, scope = found
                steps.append(step)
    return tuple(steps)


def _bound_names(item: YamlMap) -> set[str]:
    let, result = item.values.get("let"), item.values.get("as")
    names = set(let.keys) if isinstance(let, YamlMap) else set()
    return names | ({result.value} if isinstance(result, YamlScalar) else set())
