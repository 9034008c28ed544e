"""The step `match`: a branch for each case of a union, each value of an enum, or each flag.

Depends on: context, check_modifiers, expr_check, step_registry.  Never on: other steps.

Law: for every value there is a branch, or `other`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from pillarbox_codegen.check_modifiers import modifiers
from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import all_of, did_you_mean, one_of
from pillarbox_codegen.expr_check import check_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.model import (
    EnumType,
    Expr,
    FlagsType,
    Is,
    MatchBranch,
    MatchStep,
    Optional,
    Step,
    UnionType,
)
from pillarbox_codegen.names import snake
from pillarbox_codegen.step_registry import check_steps
from pillarbox_codegen.type_rules import BOOL, present, show
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode

_OWN_KEYS: Final = frozenset({"match", "each", "when", "other"})
_ABSENT: Final = "none"
#: So many names a finding lists.
SHOWN_MAX: Final = 12


def check_match(context: Context, item: YamlMap, scope: Scope) -> tuple[Step, Scope]:
    mods, inner = modifiers(context, item, scope)
    node = item.values["match"]
    of = check_node(context, node, None, inner)
    names = _names(context, of, node)
    branches: list[MatchBranch] = []
    with context.findings.together() as block:
        for key, value in item:
            if key.value in _OWN_KEYS:
                continue
            if key.value not in names:
                hint = did_you_mean(key.value, names) or f"it has {one_of(list(names)[:SHOWN_MAX])}"
                text = f"{show(of.type)} has no `{key.value[:60]}`"
                context.findings.add(key, "unknown-name", text, hint)
                block.failed = True
                continue
            known = known_in(context, of, names[key.value])
            steps = block.attempt(check_steps, context, value, inner.assume(known))
            branches.append(MatchBranch(names[key.value], steps or ()))
        other = None
        if "other" in item.values:
            other = block.attempt(check_steps, context, item.values["other"], inner) or ()
        missing = [name for name, known_as in names.items() if known_as not in {b.name for b in branches}]
        check_all(context, item, "match", missing, of)
    return MatchStep(of, tuple(branches), other, mods), scope


def _names(context: Context, of: Expr, node: YamlNode) -> dict[str, str | None]:
    """The key of a branch -> the case, value or flag that it is for; none for an absent value."""
    names: dict[str, str | None]
    match context.definition(present(of.type)):
        case UnionType(cases=cases):
            names = {snake(case.name): case.name for case in cases}
        case EnumType(values=pairs) | FlagsType(bits=pairs):
            names = {name: name for name, _ in pairs}
        case _:
            text = f"`match` takes a value of a union, an enum or flags, found {show(of.type)}"
            raise context.findings.add(node, "type", text, "use `if`")
    return {**names, _ABSENT: None} if isinstance(of.type, Optional) else names


def known_in(context: Context, of: Expr, name: str | None) -> Expr:
    """What is known in a branch for the case or value; of no name: for an absent one."""
    if name is None:
        return Is(of, "none", None, BOOL)
    if isinstance(context.definition(present(of.type)), UnionType):
        return Is(of, "case", name, BOOL)
    return Is(of, "present", None, BOOL)


def check_all(
    context: Context, item: YamlMap, word: Literal["match", "switch"], missing: Sequence[str], of: Expr
) -> None:
    """Each value is spoken of, or `other` is, and that only where there may be others."""
    one = "branch" if word == "match" else "case"
    if missing and "other" not in item.values:
        more = len(missing) - SHOWN_MAX
        first = ", ".join(f"`{name}`" for name in missing[:SHOWN_MAX])
        text = f"nothing is said of {f'{first} and {more} more' if more > 0 else all_of(missing)}"
        hint = f"add a {one} for each, or `other:`, perhaps of []"
        raise context.findings.add(item.keys[word], "step", text, hint)
    # Of a union a newer package may know more cases, and flags may be several.
    is_closed = isinstance(context.definition(present(of.type)), EnumType)
    if not missing and "other" in item.values and is_closed:
        text = f"every value has a {one} of its own"
        raise context.findings.add(item.keys["other"], "step", text, "leave `other` out")
