"""Conditions of the schema language as Python tests.

Depends on: model, python_code.  Never on: the statement around them. One half of `expr_compiler`.

Law: a test is true exactly where the condition is; of an absent value only `is none` is true.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pillarbox_codegen import model
from pillarbox_codegen.plan import names as naming
from pillarbox_codegen.python_code import (
    FALSE,
    TRUE,
    Code,
    Condition,
    Level,
    Test,
    as_test,
    both,
    compare,
    either,
    is_there,
    negated,
    printed,
)
from pillarbox_codegen.type_rules import BOOL, base, present

if TYPE_CHECKING:
    from pillarbox_codegen.expr_compiler import Compiler

_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def condition_of(compiler: Compiler, expr: model.Expr) -> Condition:
    """The test of an expression of type bool."""
    match expr:
        case model.Literal_(bool(known)) | model.Constant(_, bool(known)):
            return TRUE if known else FALSE
        case model.Unary("not", operand):
            return negated(condition_of(compiler, operand))
        case model.Binary("and", left, right):
            return both((condition_of(compiler, left), condition_of(compiler, right)))
        case model.Binary("or"):
            return _some(compiler, expr)
        case model.Binary("//", left, right):
            return _coalesce(compiler, left, right)
        case model.Binary("in", left, right):
            return _in(compiler, left, right)
        case model.Binary("==" | "!=" | "<" | "<=" | ">" | ">=" as op, left, right):
            return _compare(compiler, op, left, right)
        case model.Is(of, "case", str(name)):
            return _is_of(compiler, of, [name])
        case model.Is(of, what):
            there = _there(compiler, of)
            return there if what == "present" else negated(there)
        case model.Has(of, bit):
            value = compiler.solid(compiler.value(of))
            return both((*value.guards, _bit_test(value.code, bit)))
        case model.If(when, then, otherwise):
            conditions = [condition_of(compiler, part) for part in (when, then, otherwise)]
            return _if(*conditions)
        case model.Call("any", (argument,)):
            return _any(compiler, argument)
        case _:
            value = compiler.value(expr)
            return both((*value.guards, as_test(value.code)))


def _some(compiler: Compiler, expr: model.Binary) -> Condition:
    """`a or b or ..`; what asks one value for several of its cases asks once."""
    operands = list(_alternatives(expr))
    cases: dict[model.Expr, list[str]] = {}
    for one in operands:
        if isinstance(one, model.Is) and one.case is not None:
            cases.setdefault(one.of, []).append(one.case)
    found: list[Condition] = []
    for one in operands:
        if not isinstance(one, model.Is) or one.case is None:
            found.append(condition_of(compiler, one))
        elif one.of in cases:
            found.append(_is_of(compiler, one.of, cases.pop(one.of)))
    return either(found)


def _alternatives(expr: model.Expr) -> Iterator[model.Expr]:
    match expr:
        case model.Binary("or", left, right):
            yield from _alternatives(left)
            yield from _alternatives(right)
        case _:
            yield expr


def _is_of(compiler: Compiler, of: model.Expr, cases: Sequence[str]) -> Condition:
    """Whether a value is of one of these cases."""
    value = compiler.value(of)
    kinds = [compiler.imports.use(".types", naming.type_class(name)) for name in dict.fromkeys(cases)]
    kind = kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})"
    return both((*value.guards, as_test(Code(f"isinstance({value.code.text}, {kind})"))))


def _there(compiler: Compiler, expr: model.Expr) -> Condition:
    """Whether a value is there."""
    value = compiler.value(expr)
    if value.nullable:
        return both((*value.guards, is_there(value.code)))
    match expr:
        case model.Path(of):  # a field that cannot be absent is there with what it is a field of
            return _there(compiler, of)
        case model.Call("case", (of,), _, (name,)):
            return condition_of(compiler, model.Is(of, "case", name, BOOL))
        case _:
            return both(value.guards)


def _bit_test(code: Code, bit: int) -> Test:
    masked = Code(f"{code.at(Level.BIT_AND)} & {1 << bit}", Level.BIT_AND)
    return as_test(masked, value=Code(f"{masked.text} != 0", Level.COMPARE))


def _coalesce(compiler: Compiler, left: model.Expr, right: model.Expr) -> Condition:
    if left.type == model.NoneType():
        return condition_of(compiler, right)
    value = compiler.solid(compiler.value(left))
    there, asked = both(value.guards), as_test(value.code)
    return _if(there, asked, condition_of(compiler, right))


def _if(condition: Condition, yes: Condition, no: Condition) -> Condition:
    if condition in (TRUE, FALSE):
        return yes if condition == TRUE else no
    if yes in (TRUE, FALSE):
        return either((condition, no)) if yes == TRUE else both((negated(condition), no))
    if no in (TRUE, FALSE):
        return either((negated(condition), yes)) if no == TRUE else both((condition, yes))

    def branches(one: Condition, other: Condition, *, as_value: bool) -> Code:
        then, otherwise = (printed(branch, as_value=as_value) for branch in (one, other))
        question = printed(condition).at(Level.OR)
        return Code(f"{then.at(Level.OR)} if {question} else {otherwise.text}", Level.TERNARY)

    return Test(
        branches(yes, no, as_value=False),
        branches(negated(yes), negated(no), as_value=False),
        branches(yes, no, as_value=True),
        branches(negated(yes), negated(no), as_value=True),
    )


def _compare(compiler: Compiler, op: str, left: model.Expr, right: model.Expr) -> Condition:
    known = [_number_or_text(compiler, side) for side in (left, right)]
    if None not in known:
        return TRUE if _ORDERS[op](*known) else FALSE
    if _is_constant(compiler, left) and not _is_constant(compiler, right):
        op, left, right = _MIRRORED[op], right, left
    if right.type == BOOL and (wanted := condition_of(compiler, right)) in (TRUE, FALSE):
        return _compare_bool(compiler, left, (wanted == TRUE) is (op == "=="))
    one, other = compiler.value(_plain(compiler, left)), compiler.value(_plain(compiler, right))
    # `None == x` is false in Python as it is here, unless both are None.
    if op != "==" or (one.nullable and other.nullable):
        one = compiler.solid(one)
    if op != "==":
        other = compiler.solid(other)
    guards = (*one.guards, *other.guards)
    if op not in ("==", "!=") and model.Scalar("float64") in (present(left.type), present(right.type)):
        # What is not a number is neither less than another nor not less.
        text = f"{one.code.at(Level.BIT_OR)} {op} {other.code.at(Level.BIT_OR)}"
        return both((*guards, as_test(Code(text, Level.COMPARE))))
    return both((*guards, compare(one.code, op, other.code, _OPPOSITES[op])))


def _compare_bool(compiler: Compiler, expr: model.Expr, wanted: bool) -> Condition:
    """Whether a bool that may be absent is this one."""
    if not isinstance(expr.type, model.Optional):
        condition = condition_of(compiler, expr)
        return condition if wanted else negated(condition)
    value = compiler.value(expr)
    if value.nullable:
        return both((*value.guards, compare(value.code, "is", Code(str(wanted)), "is not")))
    asked = as_test(value.code)
    return both((*value.guards, asked if wanted else negated(asked)))


def _in(compiler: Compiler, left: model.Expr, right: model.Expr) -> Condition:
    if right == model.Tuple_((), right.type):
        return FALSE
    if isinstance(right, model.Constant):
        assert isinstance(right.value, tuple)
        assert isinstance(right.type, model.ListOf)
        constants = [model.Constant(right.name, value, right.type.item) for value in right.value]
        known = _number_or_text(compiler, left)
        if known is not None or not constants:
            return TRUE if known in [_number_or_text(compiler, one) for one in constants] else FALSE
    value = compiler.value(_plain(compiler, left))
    assert isinstance(right.type, model.ListOf)
    if isinstance(right.type.item, model.Optional):
        value = compiler.solid(value)
    items = compiler.items(_plain(compiler, right))
    return both((*value.guards, *items.guards, compare(value.code, "in", items.code, "not in")))


def _any(compiler: Compiler, argument: model.Expr) -> Condition:
    if isinstance(argument, model.Tuple_):
        return either(condition_of(compiler, item) for item in argument.items)
    if isinstance(argument, model.Path) and argument.mapped:
        value = compiler.looped(compiler.mapped(argument), "any(", ")")
    else:
        value = compiler.items(argument)
        value = replace(value, code=Code(f"any({value.code.text})"))
    return both((*value.guards, as_test(value.code)))


def _number_or_text(compiler: Compiler, expr: model.Expr) -> int | str | None:
    """What a constant is as it is stored; None for everything else."""
    match expr:
        case model.EnumValue(_, value) | model.Constant(_, str(value)):
            definition = compiler.schema.types[expr.type.name] if isinstance(expr.type, model.Named) else None
            if isinstance(definition, model.EnumType):
                return dict(definition.values)[value]
            if isinstance(definition, model.FlagsType):
                return 1 << dict(definition.bits)[value]
            return value
        case model.Literal_(int() | str() as value) | model.Constant(_, int() as value):
            return value
        case _:
            return None


def _is_constant(compiler: Compiler, expr: model.Expr) -> bool:
    if isinstance(expr, model.Tuple_):
        return all(_is_constant(compiler, item) for item in expr.items)
    if expr.type == BOOL:
        return condition_of(compiler, expr) in (TRUE, FALSE)
    return isinstance(expr, model.Literal_ | model.EnumValue | model.Constant)


def _plain(compiler: Compiler, expr: model.Expr) -> model.Expr:
    """A constant beside which an id stands, as the plain number or text that equals it."""
    types = compiler.schema.types
    match expr:
        case model.Tuple_(items, model.ListOf()):
            return model.Tuple_(tuple(_plain(compiler, item) for item in items), expr.type)
        case model.Constant(name, tuple(values), model.ListOf(item)):
            return model.Constant(name, values, model.ListOf(_plain_type(item, types)))
        case model.Constant(name, value, type_):
            return model.Constant(name, value, _plain_type(type_, types))
        case model.Literal_(int() | str() as value, type_):
            return model.Literal_(value, _plain_type(type_, types))
        case _:
            return expr


def _plain_type(type_: model.Type, types: dict[str, model.TypeDef]) -> model.Type:
    definition = types[type_.name] if isinstance(type_, model.Named) else None
    return (base(type_, types) or type_) if isinstance(definition, model.IdType | model.PackedId) else type_
