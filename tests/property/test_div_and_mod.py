"""Laws of `div` and `mod`: together they are the number; what is left is from 0 up to the divisor."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.property.expr_world import SCHEMA
from tests.property.mutants import Fault

from pillarbox_codegen import expr_values
from pillarbox_codegen.expr_python import USED, Scope, compile_expr
from pillarbox_codegen.model import Binary, Call, Expr, Literal_, Local, Scalar, Unary
from pillarbox_codegen.plan.frame import Imports

INT = Scalar("int64")
A = Local("a", "local", INT)
NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.integers(-130, 130)
DIVISORS = st.integers(1, 2**63 - 1) | st.integers(1, 70)


def value(expr: Expr, a: int) -> int:
    """What the compiled expression gives."""
    scope = Scope(SCHEMA, Imports("p", ".m"), {"a": "a"}, {"a", *USED})
    found = eval(compile_expr(expr, scope), {"a": a})
    assert type(found) is int
    return found


def parted(function: str, of: Expr, by: int) -> Call:
    return Call(function, (of, Literal_(by, INT)), INT)


@given(NUMBERS, DIVISORS)
@example(-1, 60)
@example(60, 60)
def test_parts_are_together_the_number(a: int, by: int) -> None:
    whole, rest = value(parted("div", A, by), a), value(parted("mod", A, by), a)

    assert whole * by + rest == a
    assert 0 <= rest < by


@given(NUMBERS, DIVISORS, DIVISORS)
@example(-7, 2, 3)
def test_parts_stand_within_other_sums_as_they_are(a: int, by: int, other: int) -> None:
    whole, rest = a // by, a % by
    sums: dict[Expr, int] = {
        Binary("+", Binary("*", Literal_(other, INT), parted("div", A, by), INT), A, INT): other * whole + a,
        Binary("-", A, parted("mod", A, by), INT): a - rest,
        parted("div", Binary("-", A, Literal_(other, INT), INT), by): (a - other) // by,
        parted("mod", Unary("-", A, INT), by): -a % by,
        Unary("-", parted("div", A, by), INT): -whole,
        parted("mod", parted("div", A, by), other): whole % other,
        Binary("*", parted("mod", A, by), Literal_(other, INT), INT): rest * other,
    }

    assert {expr: value(expr, a) for expr in sums} == sums


OTHER_SIGN = Fault("what is left is told as the whole", expr_values, "_parted", 'if name == "div"', "if name")
NO_BRACKETS = Fault(
    "a sum is parted without brackets",
    expr_values,
    "_parted",
    "number.code.at(Level.PRODUCT)",
    "number.code.text",
)
FAULTS = [
    (test_parts_are_together_the_number, OTHER_SIGN),
    (test_parts_stand_within_other_sums_as_they_are, NO_BRACKETS),
]


@pytest.mark.parametrize(("law", "fault"), FAULTS, ids=lambda one: str(one) if isinstance(one, Fault) else "")
def test_planted_faults_are_found(law: Callable[[], None], fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        law()
