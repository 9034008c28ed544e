"""`cases`, the values of one case out of a list, and `matches`, a record that asks and one that answers.

Depends on: context, expr_make (arguments), type_rules.  Never on: operators.

Law: `matches(filter, row)` is the condition that could be written field by field, and asks each field once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pillarbox_codegen.expr_make import count_arguments
from pillarbox_codegen.expr_syntax import At, CallNode, NameNode
from pillarbox_codegen.model import (
    Binary,
    Call,
    CaseOf,
    Expr,
    FlagsType,
    Is,
    ListOf,
    Literal_,
    Optional,
    Path,
    RecordType,
    RowOf,
    Type,
)
from pillarbox_codegen.type_rules import BOOL, INT64, optional, present, show

if TYPE_CHECKING:
    from pillarbox_codegen.expr_check import ExprChecker


def cases(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    """`cases(list, Case)`: the items that are of the case, in order."""
    count_arguments(checker, node, 2, 2, "cases(list, Case)")
    of, name = checker.infer(node.arguments[0]), node.arguments[1]
    if isinstance(of.type, Optional):
        checker.fit(of, of.type.item, node.arguments[0].at)
    if not isinstance(of.type, ListOf):
        text = f"`cases` takes a list, found {show(of.type)}"
        raise checker.context.add(
            node.arguments[0].at, "type", text, "of one value it is `case(value, Case)`"
        )
    if not isinstance(name, NameNode):
        text = "expected the name of a case"
        raise checker.context.add(name.at, "arguments", text, "write `cases(list, Case)`")
    one = Literal_(None, present(of.type.item))
    union = checker.union_case(one, name.name, node.arguments[0].at, name.at)
    return Call("cases", (of,), ListOf(CaseOf(union.name, name.name)), (name.name,))


def matches(checker: ExprChecker, node: CallNode, hint: Type | None) -> Expr:
    """`matches(filter, row)`: each field of the filter asks the row's field of the same name.

    What is absent or an empty list asks nothing; flags ask for all of theirs.
    """
    count_arguments(checker, node, 2, 2, "matches(filter, row)")
    context = checker.context
    asking, asked = (checker.infer(argument) for argument in node.arguments)
    record = context.definition(present(asking.type))
    if not isinstance(record, RecordType):
        text = f"a filter is a record, found {show(asking.type)}"
        raise context.add(node.arguments[0].at, "type", text, "name one, such as a key parameter")
    kind = present(asked.type)
    members = context.members(kind)
    plain = isinstance(kind, RowOf | CaseOf) or isinstance(context.definition(kind), RecordType)
    if members is None or not plain:
        text = f"`matches` asks a row or record, found {show(asked.type)}"
        raise context.add(node.arguments[1].at, "type", text, "name the row or record that is asked")
    there = replace(asking, type=present(asking.type))
    condition: Expr | None = None
    for field in record.fields:
        if field.name not in members:
            text = f"{show(kind)} has no `{field.name}`, which the filter asks for"
            raise context.add(node.at, "unknown-field", text, "fields of both are called the same")
        one = _asked(
            checker, Path(there, field.name, field.type), _field(asked, field.name, members), node.at
        )
        condition = one if condition is None else Binary("and", condition, one, BOOL)
    assert condition is not None, "a record has fields"
    if isinstance(asking.type, Optional):
        return Binary("or", Is(asking, "none", None, BOOL), condition, BOOL)
    return condition


def _field(of: Expr, name: str, members: Mapping[str, Type]) -> Path:
    """A field, absent where what has it is."""
    lifted = isinstance(of.type, Optional)
    return Path(of, name, optional(members[name]) if lifted else members[name], lifted)


def _asked(checker: ExprChecker, own: Path, other: Path, at: At) -> Expr:
    """What one field asks of the other."""
    wanted, given = present(own.type), present(other.type)
    there = replace(own, type=wanted)
    if isinstance(wanted, ListOf) and wanted.item == given:
        empty = Binary("==", Call("size", (there,), INT64), Literal_(0, INT64), BOOL)
        asked: Expr = Binary("or", empty, Binary("in", other, there, BOOL), BOOL)
    elif wanted != given:
        text = f"`{own.field}` is {show(wanted)} in the filter and {show(given)} in what is asked"
        hint = "they are of one type, or the filter has a list of it"
        raise checker.context.add(at, "type", text, hint)
    elif isinstance(checker.context.definition(wanted), FlagsType):
        asked = Binary("==", Binary("+", other, there, given), other, BOOL)
    else:
        asked = Binary("==", other, there, BOOL)
    if isinstance(own.type, Optional):
        return Binary("or", Is(own, "none", None, BOOL), asked, BOOL)
    return asked
