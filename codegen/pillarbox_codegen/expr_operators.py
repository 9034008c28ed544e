"""Operators of expressions with types: what they take, and of which type the result is.

Depends on: context, expr_constants, expr_fits, expr_scope, type_rules.  Never on: names, paths and calls,
which the checker that is handed in resolves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from pillarbox_codegen.expr_constants import adapt, literal, texts_hint
from pillarbox_codegen.expr_fits import shadowed_hint
from pillarbox_codegen.expr_scope import path_of
from pillarbox_codegen.expr_syntax import (
    AttrNode,
    BinaryNode,
    CallNode,
    ConstNode,
    IfNode,
    ListNode,
    NameNode,
    Syntax,
    UnaryNode,
)
from pillarbox_codegen.findings import Invalid
from pillarbox_codegen.model import (
    Binary,
    Constant,
    EnumType,
    Expr,
    FlagsType,
    IdType,
    If,
    ListOf,
    Literal_,
    NoneType,
    Optional,
    PackedId,
    Type,
    Unary,
)
from pillarbox_codegen.type_rules import (
    BOOL,
    INT64,
    NO_ORDER,
    TEXT,
    comparable,
    is_int,
    optional,
    ordered,
    plain_list,
    present,
    show,
    unify,
)

if TYPE_CHECKING:
    from pillarbox_codegen.expr_check import ExprChecker


def unary(checker: ExprChecker, node: UnaryNode, hint: Type | None) -> Expr:
    """`not` of a condition, `-` of a number."""
    if node.op == "not":
        return Unary("not", checker.check(node.operand, BOOL), BOOL)
    if isinstance(node.operand, ConstNode) and type(node.operand.value) is int:
        return literal(checker.context, ConstNode(-node.operand.value, node.at), hint)
    return Unary("-", _integer(checker, node.operand), INT64)


def _integer(checker: ExprChecker, syntax: Syntax) -> Expr:
    expr = checker.infer(syntax)
    if is_int(expr.type):
        return expr
    if is_int(present(expr.type)):
        return checker.fit(expr, INT64, syntax.at)
    raise _no_number(checker, expr, syntax)


def _no_number(checker: ExprChecker, expr: Expr, syntax: Syntax) -> Invalid:
    text = f"`+` and `-` take numbers, flags or lists, `*` takes numbers, found {show(expr.type)}"
    hint = "texts are put together by `concat(a, b)`" if present(expr.type) == TEXT else None
    return checker.context.add(syntax.at, "type", text, hint or "name one of these; nothing is converted")


def binary(checker: ExprChecker, node: BinaryNode, hint: Type | None) -> Expr:
    """Two sides and what stands between them."""
    match node.op:
        case "and" | "or":
            left = checker.check(node.left, BOOL)
            scope = checker.scope.assume(left, truth=node.op == "and")
            return Binary(node.op, left, checker.within(scope).check(node.right, BOOL), BOOL)
        case "//":
            return _coalesce(checker, node, hint)
        case "+" | "-":
            return _sum(checker, node, hint)
        case "*":
            return _product(checker, node)
        case "in":
            return _contains(checker, node)
        case _:
            return _compare(checker, node)


def _coalesce(checker: ExprChecker, node: BinaryNode, hint: Type | None) -> Expr:
    left = checker.infer(node.left, None if hint is None else optional(hint))
    if path_of(left) in checker.scope.proven:
        checker.infer(node.right, left.type)
        return left
    if not isinstance(left.type, Optional | NoneType):
        text = f"the left side of `//` is never absent, it is {show(left.type)}"
        raise checker.context.add(node.left.at, "never-none", text, "leave `//` and what follows it out")
    right = checker.infer(node.right, present(left.type))
    type = unify(present(left.type), right.type, checker.context.types)
    if type is None:
        text = f"the sides of `//` are {show(left.type)} and {show(right.type)}"
        raise checker.context.add(node.right.at, "type", text, _alike_hint(checker, left, right))
    return Binary("//", left, right, type)


def _sum(checker: ExprChecker, node: BinaryNode, hint: Type | None) -> Expr:
    left, right = _pair(checker, node.left, node.right, _wide(hint), wide=True)
    if isinstance(left.type, ListOf) and isinstance(right.type, ListOf):
        type = unify(plain_list(left.type), plain_list(right.type), checker.context.types)
        if type is None:
            verb, between = ("join", "and") if node.op == "+" else ("leave out of", "what is in")
            text = f"cannot {verb} {show(left.type)} {between} {show(right.type)}"
            raise checker.context.add(node.at, "type", text, "nothing is converted: give lists of one type")
        return Binary("+", left, right, type) if node.op == "+" else Binary("-", left, right, type)
    if left.type == right.type and isinstance(checker.context.definition(left.type), FlagsType):
        return Binary("+" if node.op == "+" else "-", left, right, left.type)
    for expr, syntax in ((left, node.left), (right, node.right)):
        if is_int(present(expr.type)):
            checker.fit(expr, INT64, syntax.at)
        else:
            raise _no_number(checker, expr, syntax)
    return Binary("+" if node.op == "+" else "-", left, right, INT64)


def _product(checker: ExprChecker, node: BinaryNode) -> Expr:
    """One side is written as a number: of two that are computed the length could double with each name."""
    left, right = _integer(checker, node.left), _integer(checker, node.right)
    if not isinstance(left, Literal_ | Constant) and not isinstance(right, Literal_ | Constant):
        text = "one side of `*` is a number or a constant, `seeds.NAME`"
        remedy = "name the constant in `seeds`; of several numbers write the product, `6 * a` for `2 * 3 * a`"
        raise checker.context.add(node.at, "type", text, remedy)
    return Binary("*", left, right, INT64)


def _pair(
    checker: ExprChecker, left: Syntax, right: Syntax, hint: Type | None = None, *, wide: bool = False
) -> tuple[Expr, Expr]:
    """Both sides, the one that can be typed by itself first, so that it tells what the other is.

    `wide`: but not how great a number may be.
    """
    of = _wide if wide else present
    if _needs_hint(checker, left) and not _needs_hint(checker, right):
        second = checker.infer(right, hint)
        first = checker.infer(left, of(second.type))
    else:
        first = checker.infer(left, hint)
        second = checker.infer(right, of(first.type))
    first = adapt(checker.context, first, of(second.type), left.at)
    return first, adapt(checker.context, second, of(first.type), right.at)


@overload
def _wide(type: Type) -> Type: ...
@overload
def _wide(type: None) -> None: ...
def _wide(type: Type | None) -> Type | None:
    """The type, where it is of a number that of all numbers: sums are in 64 bits."""
    if type is None:
        return None
    return INT64 if is_int(present(type)) else present(type)


def _needs_hint(checker: ExprChecker, node: Syntax) -> bool:
    match node:
        case NameNode(name=name):
            return name not in checker.scope.names
        case ListNode(items=items):
            return not items or any(_needs_hint(checker, item) for item in items)
        case ConstNode():
            return True
        case AttrNode(of=NameNode(name="seeds")):
            return "seeds" not in checker.scope.names
        case CallNode(function="flags"):
            return True
        case IfNode(then=then, otherwise=otherwise):
            return _needs_hint(checker, then) and _needs_hint(checker, otherwise)
        case _:
            return False


def _compare(checker: ExprChecker, node: BinaryNode) -> Expr:
    left, right = _pair(checker, node.left, node.right)
    types = checker.context.types
    if isinstance(left.type, NoneType) or isinstance(right.type, NoneType):
        text = "a comparison with none is never true"
        raise checker.context.add(node.at, "type", text, "ask `is none` or `is present`")
    if not comparable(left.type, right.type, types):
        text = f"cannot compare {show(left.type)} with {show(right.type)}"
        shadowed = shadowed_hint(left, right.type, types) or shadowed_hint(right, left.type, types)
        raise checker.context.add(node.at, "type", text, shadowed or _alike_hint(checker, left, right))
    if node.op not in ("==", "!=") and not ordered(left.type, types):
        raise checker.context.add(node.at, "type", f"values of {show(left.type)} have no order", NO_ORDER)
    return Binary(node.op, left, right, BOOL)


def _alike_hint(checker: ExprChecker, *sides: Expr) -> str:
    """What to do with values that are not alike, such as that of an enum which was written as a text."""
    for side, other in (sides, sides[::-1]):
        match checker.context.definition(present(side.type)):
            case EnumType(values=values) if isinstance(other, Literal_):
                if other.value in [name for name, _ in values]:
                    return f"write `{other.value}`, without quotes"
            case IdType(base=of) if not is_int(of):
                pass
            case PackedId(name=name) | IdType(name=name) if is_int(present(other.type)):
                return f"nothing is converted: `make({name}, ..)` makes an id of a number"
    told = texts_hint(checker.context, *(side.type for side in sides))
    return told or "nothing is converted: declare both of one type"


def _contains(checker: ExprChecker, node: BinaryNode) -> Expr:
    if _needs_hint(checker, node.left) and not _needs_hint(checker, node.right):
        right = checker.infer(node.right)
        item = right.type.item if isinstance(right.type, ListOf) else None
        left = checker.infer(node.left, item)
    else:
        left = checker.infer(node.left)
        right = checker.infer(node.right, ListOf(present(left.type)))
    if isinstance(right.type, Optional):
        checker.fit(right, right.type.item, node.right.at)
    if not isinstance(right.type, ListOf):
        text = f"the right side of `in` must be a list, found {show(right.type)}"
        hint = "write a list, `[a, b]`, or compare with `==`"
        raise checker.context.add(node.right.at, "type", text, hint)
    left = adapt(checker.context, left, right.type.item, node.left.at)
    if not comparable(left.type, right.type.item, checker.context.types):
        text = f"{show(left.type)} is never in {show(right.type)}"
        raise checker.context.add(node.at, "type", text, _alike_hint(checker, left, right))
    return Binary("in", left, right, BOOL)


def branches(checker: ExprChecker, node: IfNode, hint: Type | None) -> Expr:
    """`if a then b else c`; each branch knows what the condition has shown."""
    condition = checker.check(node.condition, BOOL)
    holds = checker.within(checker.scope.assume(condition))
    fails = checker.within(checker.scope.assume(condition, truth=False))
    if _needs_hint(holds, node.then) and not _needs_hint(fails, node.otherwise):
        otherwise = fails.infer(node.otherwise, hint)
        then = holds.infer(node.then, _known(hint, otherwise.type))
    else:
        then = holds.infer(node.then, hint)
        asks = _needs_hint(fails, node.otherwise)
        otherwise = fails.infer(node.otherwise, _known(hint, then.type) if asks else hint)
    then = adapt(checker.context, then, present(otherwise.type), node.then.at)
    otherwise = adapt(checker.context, otherwise, present(then.type), node.otherwise.at)
    type = unify(then.type, otherwise.type, checker.context.types)
    if type is None:
        text = f"the branches are {show(then.type)} and {show(otherwise.type)}"
        raise checker.context.add(node.at, "type", text, "both must give values of one type")
    return If(condition, then, otherwise, type)


def _known(hint: Type | None, other: Type) -> Type | None:
    """What is known of a branch: the other one tells what the hint does not, and of what a list is."""
    told = _told(other)
    if hint is None or (isinstance(told, ListOf) and not isinstance(present(hint), ListOf)):
        return told
    return hint


def _told(type: Type) -> Type | None:
    """What one branch tells of the other: not how great a number is, and of what is absent nothing."""
    return None if isinstance(type, NoneType) or is_int(present(type)) else present(type)
