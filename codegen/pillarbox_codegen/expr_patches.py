"""Patches made in expressions: `make(PatchType, field: value, other: max(value), third: unset)`.

Depends on: context, expr_syntax, type_rules.  Never on: steps.

Law: each field has one change, of a kind that its type can take.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_syntax import CallNode, NamedNode, NameNode, Syntax
from pillarbox_codegen.model import (
    Call,
    Expr,
    Field,
    FlagsType,
    Literal_,
    Make,
    Named,
    Optional,
    PatchType,
)
from pillarbox_codegen.type_rules import INT64, changes_of, optional, present, show

if TYPE_CHECKING:
    from pillarbox_codegen.expr_check import ExprChecker

#: The function of a `Call` that stands for one change; its `names` say which.
CHANGE = "change"


def make_patch(checker: ExprChecker, patch: PatchType, named: Sequence[NamedNode]) -> Make:
    """The patch with these changes."""
    context = checker.context
    fields = {field.name: field for field in patch.fields}
    found: list[tuple[str, Expr]] = []
    with context.findings.together() as block:
        for one in named:
            if one.name not in fields:
                hint = did_you_mean(one.name, fields) or (
                    f"it has {one_of(fields)}" if fields else "it has none"
                )
                text = f"{show(patch.of)} has no field `{one.name[:60]}` to change"
                context.add(one.at, "unknown-field", text, hint)
                block.failed = True
                continue
            change = block.attempt(_change, checker, fields[one.name], one.value)
            if change is not None:
                found.append((one.name, change))
    return Make(Named(patch.name), tuple(found), Named(patch.name))


def _change(checker: ExprChecker, field: Field, syntax: Syntax) -> Expr:
    match syntax:
        case NameNode(name="unset") if "unset" not in checker.scope.names:
            return _made(checker, field, "unset", (), syntax)
        case CallNode(function="max" | "min" | "add" as how, arguments=(argument,), named=()):
            value = checker.check(argument, INT64 if how == "add" else present(field.type))
            return _made(checker, field, how, (value,), syntax)
        case CallNode(function="flags", arguments=(), named=named) if _changes_flags(checker, field, named):
            given = {one.name: checker.check(one.value, field.type) for one in named}
            none: Expr = Literal_(0, field.type)
            return _made(checker, field, "flags", (given.get("set", none), given.get("clear", none)), syntax)
    value = checker.infer(syntax, field.type)
    if not isinstance(field.type, Optional) and isinstance(value.type, Optional):
        # What may be absent where the field may not: no change then.
        return Call(CHANGE, (checker.fit(value, optional(field.type), syntax.at),), field.type, ("set",))
    return _made(checker, field, "set", (checker.fit(value, field.type, syntax.at),), syntax)


def _changes_flags(checker: ExprChecker, field: Field, named: Sequence[NamedNode]) -> bool:
    definition = checker.context.definition(field.type)
    return isinstance(definition, FlagsType) and {one.name for one in named} <= {"set", "clear"}


def _made(checker: ExprChecker, field: Field, how: str, arguments: tuple[Expr, ...], syntax: Syntax) -> Expr:
    if how not in changes_of(field, checker.context.types):
        text = f"`{field.name}` is {show(field.type)}, which has no `{how}`"
        raise checker.context.add(syntax.at, "type", text, "write the new value")
    return Call(CHANGE, arguments, field.type, (how,))
