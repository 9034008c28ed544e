"""The step `match` as Python: a `match` that a type checker knows to be exhaustive.

Depends on: model, expr_python, statements, step_writer, names.  Never on: other steps.

Law: the branch is taken that is named like the value. Of cases that only a newer package knows, and of
several flags at once, that is `other`, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_code, compile_value
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.step_writer import StepWriter
from pillarbox_codegen.python_code import Code, both, is_path
from pillarbox_codegen.statements import Line, Match, Statement, branch
from pillarbox_codegen.type_rules import present

#: The pattern of an absent value.
_ABSENT: Final = "None"


def match(writer: StepWriter, step: model.MatchStep, scope: Scope) -> Sequence[Statement]:
    """The statements."""
    cases = [(told.name, tuple(writer.steps(told.steps, scope))) for told in step.branches]
    other = None if step.other is None else tuple(writer.steps(step.other, scope))
    return choice(step.of, cases, other, scope)


def choice(
    of: model.Expr,
    branches: Sequence[tuple[str | None, tuple[Statement, ...]]],
    other: tuple[Statement, ...] | None,
    scope: Scope,
) -> Sequence[Statement]:
    """Statements by the case, value or flag that `of` is; of no name: where it is absent."""
    cases = [(_pattern(of, name, scope), body) for name, body in branches]
    if not other and not any(body for _, body in cases):
        return ()
    value = compile_value(of, scope)
    if value.guards and is_path(value.code):
        # A branch may use what stands on the way to the value; a type checker knows of it by an `if` only.
        absent = dict(cases).get(_ABSENT, other or ())
        there = cases if value.nullable else [case for case in cases if case[0] != _ABSENT]
        inside = _told(of, scope, value.code.text, there, other)
        return branch(both(value.guards), inside, absent)
    before, subject = [], compile_code(of, scope)
    if not is_path(subject):
        local = scope.fresh("value")
        before, subject = [Line(f"{local} = {subject.text}")], Code(local)
    return [*before, *_told(of, scope, subject.text, cases, other)]


def _told(
    of: model.Expr,
    scope: Scope,
    subject: str,
    cases: Sequence[tuple[str, tuple[Statement, ...]]],
    other: tuple[Statement, ...] | None,
) -> Sequence[Statement]:
    """The `match` over a name or a path."""
    if other is not None:
        told = [(pattern, body) for pattern, body in cases if body or other]
        shown = (*told, *([("_", other)] if other else []))
        return [Match(subject, shown)] if shown else []
    full = [(pattern, body) for pattern, body in cases if body]
    empty = [pattern for pattern, body in cases if not body]
    definition = scope.schema.types[_named(of)]
    if isinstance(definition, model.FlagsType):
        return [Match(subject, tuple(full))] if full else []
    if isinstance(definition, model.UnionType):
        empty.append(f"{scope.imports.use('pillarbox.codec', 'Unknown')}()")
    never = scope.fresh("never")
    unreached = Line(f"{scope.imports.use('typing', 'assert_never')}({never})")
    rest = [(" | ".join(empty), ())] if empty else []
    return [Match(subject, (*full, *rest, (never, (unreached,))))]


def _named(of: model.Expr) -> str:
    type_ = present(of.type)
    assert isinstance(type_, model.Named), "the checker lets nothing else pass"
    return type_.name


def _pattern(of: model.Expr, name: str | None, scope: Scope) -> str:
    if name is None:
        return _ABSENT
    definition = scope.schema.types[_named(of)]
    match definition:
        case model.UnionType():
            return f"{scope.imports.use('.types', names.type_class(name))}()"
        case model.EnumType(enum):
            return f"{scope.imports.use('.types', names.type_class(enum))}.{names.member(name)}"
        case model.FlagsType(bits=bits):
            return str(1 << dict(bits)[name])
        case _:
            raise TypeError(f"{definition.name} has no branches")
