"""Conditions of the schema language as Python tests.

Depends on: model, python_code.  Never on: the statement around them. One half of `expr_python`.

Law: a test is true exactly where the condition is; of an absent value only `is none` is true.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

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
from pillarbox_codegen.type_rules import base, present

if TYPE_CHECKING:
    from pillarbox_codegen.expr_python import Compiler

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
        case model.Binary("or", left, right):
            return either((condition_of(compiler, left), condition_of(compiler, right)))
        case model.Binary("//", left, right):
            return _coalesce(compiler, left, right)
        case model.Binary("in", left, right):
            return _in(compiler, left, right)
        case model.Binary("==" | "!=" | "<" | "<=" | ">" | ">=" as op, left, right):
            return _compare(compiler, op, left, right)
        case model.Is(of, "case", str(name)):
            class_name = compiler.imports.use(".types", naming.type_class(name))
            return both(compiler.narrowed(compiler.value(of), class_name).guards)
        case model.Is(of, what):
            value = compiler.value(of)
            there = both((*value.guards, is_there(value.code)) if value.nullable else value.guards)
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
    if _is_constant(left) and not _is_constant(right):
        op, left, right = _MIRRORED[op], right, left
    if isinstance(right, model.Literal_ | model.Constant) and isinstance(right.value, bool):
        return _compare_bool(compiler, left, right.value is (op == "=="))
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


def _is_constant(expr: model.Expr) -> bool:
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
