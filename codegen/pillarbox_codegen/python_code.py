"""Pieces of Python text that know how tightly they bind, and conditions that know their opposite.

Depends on: nothing.  Never on: the model, plans.

Law: a piece put into another keeps its meaning, with the fewest brackets that do it; a condition and its
negation are never both true, and never both false.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias


class Level(IntEnum):
    """How tightly a piece binds, loosest first."""

    TERNARY = 1
    OR = 2
    AND = 3
    NOT = 4
    COMPARE = 5
    BIT_OR = 6
    BIT_AND = 7
    SUM = 8
    PRODUCT = 9
    UNARY = 10
    ATOM = 11


@dataclass(frozen=True, slots=True)
class Code:
    """One Python expression."""

    text: str
    level: Level = Level.ATOM

    def at(self, level: Level) -> str:
        """The text where something is wanted that binds at least as tightly as `level`."""
        return self.text if self.level >= level else f"({self.text})"


_CHEAP = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*){0,3}")


_PATH = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


def is_path(code: Code) -> bool:
    """Whether it is a name or attributes of one: a type checker knows what conditions showed of it."""
    return _PATH.fullmatch(code.text) is not None


def in_clause(items: str) -> str:
    """A list as it stands in a clause of a comprehension, which ends at an `if`."""
    return f"({items})" if isinstance(ast.parse(items, mode="eval").body, ast.IfExp) else items


def looks_outside(comprehension: str) -> bool:
    """Whether it reads fields of anything but its own items."""
    nodes = list(ast.walk(ast.parse(comprehension, mode="eval")))
    own = {it.id for it in nodes if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)}
    of = [it.value for it in nodes if isinstance(it, ast.Attribute)]
    return any(isinstance(it, ast.Name) and it.id not in own for it in of)


def is_cheap(code: Code) -> bool:
    """Whether it may as well be written twice: a name, or a few attributes of one."""
    return _CHEAP.fullmatch(code.text) is not None


# --------------------------------------------------------------------------------------- conditions


@dataclass(frozen=True, slots=True)
class Test:
    """One test, and the opposite test. Where only truth counts any value will do; `.._value` are bools."""

    truth: Code
    opposite: Code
    truth_value: Code
    opposite_value: Code


@dataclass(frozen=True, slots=True)
class All:
    """True when every part is; of no parts, true."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """True when some part is; of no parts, false."""

    parts: tuple[Condition, ...]


Condition: TypeAlias = Test | All | Some

TRUE = All(())
FALSE = Some(())


def as_test(code: Code, opposite: Code | None = None, value: Code | None = None) -> Test:
    """A test; the opposite is `not code` if nothing better is given, the value the code itself."""
    opposite = opposite or Code(f"not {code.at(Level.NOT)}", Level.NOT)
    return Test(code, opposite, value or code, opposite)


def compare(left: Code, operator: str, right: Code, opposite: str) -> Test:
    """A comparison whose opposite is another comparison."""
    one, other = left.at(Level.BIT_OR), right.at(Level.BIT_OR)
    return as_test(
        Code(f"{one} {operator} {other}", Level.COMPARE), Code(f"{one} {opposite} {other}", Level.COMPARE)
    )


def is_there(code: Code) -> Test:
    """`code is not None`."""
    return compare(code, "is not", Code("None"), "is")


def both(parts: Iterable[Condition]) -> Condition:
    """All of these, without nesting; what is always true, or said already, is left out."""
    found: list[Condition] = []
    for part in parts:
        if part == FALSE:
            return FALSE
        for one in part.parts if isinstance(part, All) else (part,):
            if one not in found:
                found.append(one)
    return found[0] if len(found) == 1 else All(tuple(found))


def either(parts: Iterable[Condition]) -> Condition:
    """Some of these, without nesting; what is never true, or said already, is left out."""
    return negated(both(negated(part) for part in parts))


def negated(condition: Condition) -> Condition:
    """The opposite, with `not` as far inside as it goes."""
    match condition:
        case All(parts):
            return Some(tuple(negated(part) for part in parts))
        case Some(parts):
            return All(tuple(negated(part) for part in parts))
        case Test(truth, opposite, truth_value, opposite_value):
            return Test(opposite, truth, opposite_value, truth_value)


def printed(condition: Condition, *, as_value: bool = False) -> Code:
    """The condition as Python; `as_value` where a bool is wanted and not just something true or false."""
    match condition:
        case Test():
            return condition.truth_value if as_value else condition.truth
        case All(()):
            return Code("True")
        case Some(()):
            return Code("False")
        case All(parts):
            texts = [printed(part, as_value=as_value).at(Level.NOT) for part in parts]
            return Code(" and ".join(texts), Level.AND)
        case Some(parts):
            # `and` inside `or` gets brackets although it needs none: few know by heart which binds tighter.
            codes = [printed(part, as_value=as_value) for part in parts]
            texts = [f"({code.text})" if code.level <= Level.AND else code.text for code in codes]
            return Code(" or ".join(texts), Level.OR)


@dataclass(frozen=True, slots=True)
class Value:
    """`code` where all `guards` hold, else none. `nullable`: the code itself may be None as well."""

    code: Code
    guards: tuple[Condition, ...] = ()
    nullable: bool = False
