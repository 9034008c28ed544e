"""Python statements as a tree, printed the way a linter wants them: no empty blocks, no nested lone `if`.

Depends on: python_code, reads.  Never on: the model, plans.

Law: what is printed does what the tree says; a variable of a loop that nothing uses begins with `_`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pillarbox_codegen.python_code import FALSE, TRUE, Condition, Level, both, in_clause, negated, printed
from pillarbox_codegen.reads import parameter


@dataclass(frozen=True, slots=True)
class Line:
    """One simple statement."""

    text: str


@dataclass(frozen=True, slots=True)
class Return:
    """`return value`"""

    value: str


@dataclass(frozen=True, slots=True)
class Loop:
    """`for name in items:`"""

    name: str
    items: str
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """`if condition:`, with `else:` unless that has nothing to do."""

    condition: Condition
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """`match subject:`, with `case pattern:` for each; a body may be empty."""

    subject: str
    cases: tuple[tuple[str, tuple[Statement, ...]], ...]


Statement: TypeAlias = Line | Return | Loop | Branch | Match


def branch(
    condition: Condition, then: Sequence[Statement], otherwise: Sequence[Statement] = ()
) -> tuple[Statement, ...]:
    """The statements of a choice; none where there is nothing to choose."""
    if condition == TRUE or then == otherwise:
        return tuple(then)
    if condition == FALSE:
        return tuple(otherwise)
    if not then:
        return branch(negated(condition), otherwise)
    if len(then) == 1 and not otherwise and isinstance(then[0], Branch) and not then[0].otherwise:
        return (Branch(both((condition, then[0].condition)), then[0].then),)
    return (Branch(condition, tuple(then), tuple(otherwise)),)


def loop(name: str, items: str, body: Sequence[Statement]) -> tuple[Statement, ...]:
    """A loop; nothing where its body is."""
    return (Loop(name, items, tuple(body)),) if body else ()


def comprehension(statements: Sequence[Statement]) -> str | None:
    """`text for name in items if condition`, if all there is is a loop with one line."""
    match statements:
        case [Loop(name, items, (Line(text),))] if ":=" not in items:
            return f"{text} for {name} in {in_clause(items)}"
        case [Loop(name, items, (Branch(condition, (Line(text),), ()),))] if ":=" not in items:
            return f"{text} for {name} in {in_clause(items)} if {printed(condition).at(Level.OR)}"
        case _:
            return None


def with_lines(statements: Sequence[Statement], change: Callable[[str], str]) -> tuple[Statement, ...]:
    """The same statements, every line changed; what a function gives stays as it is."""
    return tuple(_with_lines(statement, change) for statement in statements)


def _with_lines(statement: Statement, change: Callable[[str], str]) -> Statement:
    match statement:
        case Line(text):
            return Line(change(text))
        case Return():
            return statement
        case Loop(name, items, body):
            return Loop(name, items, with_lines(body, change))
        case Branch(condition, then, otherwise):
            return Branch(condition, with_lines(then, change), with_lines(otherwise, change))
        case Match(subject, cases):
            return Match(subject, tuple((pattern, with_lines(body, change)) for pattern, body in cases))


RETURN = Line("return")


def without_last_return(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """The body of a function, without a `return` where it ends anyway."""
    if not statements:
        return ()
    *rest, last = statements
    if last == RETURN:
        return without_last_return(rest)
    if isinstance(last, Branch):
        then, otherwise = without_last_return(last.then), without_last_return(last.otherwise)
        shorter = branch(last.condition, then, otherwise)
        return (*rest, *shorter) if then or otherwise else without_last_return(rest)
    if isinstance(last, Match):
        return (*rest, Match(last.subject, tuple((p, without_last_return(body)) for p, body in last.cases)))
    return tuple(statements)


def lines_of(statements: Sequence[Statement], indent: int = 0) -> list[str]:
    """The statements, one a line, indented."""
    margin = " " * indent
    lines: list[str] = []
    for statement in statements:
        match statement:
            case Line(text):
                lines.append(margin + text)
            case Return(value):
                lines.append(f"{margin}return {value}")
            case Loop(name, items, body):
                inside = lines_of(body, indent + 4)
                lines += [f"{margin}for {parameter(name, inside)} in {items}:", *inside]
            case Branch():
                lines += _branch_lines(statement, margin, "if")
            case Match(subject, cases):
                lines.append(f"{margin}match {subject}:")
                for pattern, body in cases:
                    inside = lines_of(body, indent + 8) or [f"{margin}        pass"]
                    lines += [f"{margin}    case {pattern}:", *inside]
    return lines


def _branch_lines(statement: Branch, margin: str, word: str) -> list[str]:
    indent = len(margin) + 4
    lines = [f"{margin}{word} {printed(statement.condition).text}:", *lines_of(statement.then, indent)]
    match statement.otherwise:
        case ():
            return lines
        case (Branch() as other,):
            return [*lines, *_branch_lines(other, margin, "elif")]
        case otherwise:
            return [*lines, f"{margin}else:", *lines_of(otherwise, indent)]
