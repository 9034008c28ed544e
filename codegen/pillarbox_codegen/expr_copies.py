"""`having` and `without`, some items of a list, and `changed`, a value in which some of it is another.

Depends on: expr_make (arguments), type_rules.  Never on: operators, the text they become.

Law: `having(list, ..)` and `without(list, ..)` are all items of the list, each in one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pillarbox_codegen.diagnostics import did_you_mean, one_of
from pillarbox_codegen.expr_make import refuse_repeats
from pillarbox_codegen.expr_syntax import CallNode
from pillarbox_codegen.model import (
    BagOf,
    Binary,
    Call,
    CaseOf,
    Expr,
    ListOf,
    Local,
    Named,
    Optional,
    Path,
    RecordType,
    RowOf,
    Type,
    UnionType,
)
from pillarbox_codegen.type_rules import BOOL, optional, show

if TYPE_CHECKING:
    from pillarbox_codegen.expr_check import ExprChecker

#: The item that is asked; no name of a schema looks like this.
ITEM: Final = "_item"


def choose(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    """`having(list, field: value)`: the items whose fields are these; `without`: the others."""
    of = _one_and_named(checker, node, f"{node.function}(list, field: value, ..)")
    members = checker.context.members(of.type.item) if isinstance(of.type, ListOf) else None
    if not isinstance(of.type, ListOf) or members is None:
        text = f"`{node.function}` takes a list of what has fields, found {show(of.type)}"
        hint_text = "name a list of rows, records or cases"
        raise checker.context.add(node.arguments[0].at, "type", text, hint_text)
    item = Local(ITEM, "local", of.type.item)
    condition: Expr | None = None
    for named in node.named:
        if named.name not in members:
            raise _no_field(checker, node, of.type.item, named.name, members)
        field = Path(item, named.name, members[named.name])
        value = checker.check(named.value, optional(members[named.name]))
        one = Binary("==", field, value, BOOL)
        condition = one if condition is None else Binary("and", condition, one, BOOL)
    assert condition is not None, "there are named values"
    return Call(node.function, (of, condition), of.type)


def changed(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    """`changed(x, field: value)`: of a row, record or case its fields, of a bag its cases."""
    of = _one_and_named(checker, node, "changed(value, field: value, ..)")
    of = checker.narrowed(of, node.named[0].name)
    members = _changeable(checker, of.type)
    if members is None:
        text = f"`changed` takes a row, record, case or bag, found {show(of.type)}"
        raise checker.context.add(
            node.arguments[0].at, "type", text, "name one of these; what is plain is set"
        )
    values = []
    for named in node.named:
        if named.name not in members:
            raise _no_field(checker, node, of.type, named.name, members)
        values.append(checker.check(named.value, members[named.name]))
    return Call("changed", (of, *values), of.type, tuple(named.name for named in node.named))


def _changeable(checker: ExprChecker, type: Type) -> dict[str, Type] | None:
    context = checker.context
    if isinstance(type, BagOf):
        union = context.definition(type.item)
        assert isinstance(union, UnionType)
        return dict(context.case_types(type.item)) if isinstance(type.item, Named) else None
    if isinstance(type, RowOf | CaseOf) or isinstance(context.definition(type), RecordType):
        return context.members(type)
    return None


def _one_and_named(checker: ExprChecker, node: CallNode, usage: str) -> Expr:
    """The value that a function is of, which is there, where it has named values besides."""
    if len(node.arguments) != 1 or not node.named:
        text = f"`{node.function}` takes one value, then named ones"
        raise checker.context.add(node.at, "arguments", text, f"write `{usage}`")
    refuse_repeats(checker.context, node.named)
    of = checker.infer(node.arguments[0])
    if isinstance(of.type, Optional):
        checker.fit(of, of.type.item, node.arguments[0].at)
    return of


def _no_field(
    checker: ExprChecker, node: CallNode, type: Type, name: str, members: dict[str, Type]
) -> Exception:
    at = next(named.at for named in node.named if named.name == name)
    hint = did_you_mean(name, members) or f"it has {one_of(members)}"
    return checker.context.add(at, "unknown-field", f"{show(type)} has no field `{name[:60]}`", hint)
