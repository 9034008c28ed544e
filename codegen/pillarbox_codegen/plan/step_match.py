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
    cases = [(_pattern(writer, step, told), tuple(writer.steps(told.steps, scope))) for told in step.branches]
    other = None if step.other is None else tuple(writer.steps(step.other, scope))
    if not other and not any(body for _, body in cases):
        return ()
    value = compile_value(step.of, scope)
    if value.guards and is_path(value.code):
        # A branch may use what stands on the way to the value; a type checker knows of it by an `if` only.
        absent = dict(cases).get(_ABSENT, other or ())
        there = cases if value.nullable else [case for case in cases if case[0] != _ABSENT]
        inside = _told(writer, step, scope, value.code.text, there, other)
        return branch(both(value.guards), inside, absent)
    before, subject = [], compile_code(step.of, scope)
    if not is_path(subject):
        local = scope.fresh("value")
        before, subject = [Line(f"{local} = {subject.text}")], Code(local)
    return [*before, *_told(writer, step, scope, subject.text, cases, other)]


def _told(
    writer: StepWriter,
    step: model.MatchStep,
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
    definition = writer.schema.types[_named(step)]
    if isinstance(definition, model.FlagsType):
        return [Match(subject, tuple(full))] if full else []
    if isinstance(definition, model.UnionType):
        empty.append(f"{writer.imports.use('pillarbox.codec', 'Unknown')}()")
    never = scope.fresh("never")
    unreached = Line(f"{writer.imports.use('typing', 'assert_never')}({never})")
    rest = [(" | ".join(empty), ())] if empty else []
    return [Match(subject, (*full, *rest, (never, (unreached,))))]


def _named(step: model.MatchStep) -> str:
    type_ = present(step.of.type)
    assert isinstance(type_, model.Named), "the checker lets nothing else pass"
    return type_.name


def _pattern(writer: StepWriter, step: model.MatchStep, branch: model.MatchBranch) -> str:
    if branch.name is None:
        return _ABSENT
    definition = writer.schema.types[_named(step)]
    match definition:
        case model.UnionType():
            return f"{writer.imports.use('.types', names.type_class(branch.name))}()"
        case model.EnumType(name):
            return f"{writer.imports.use('.types', names.type_class(name))}.{names.member(branch.name)}"
        case model.FlagsType(bits=bits):
            return str(1 << dict(bits)[branch.name])
        case _:
            raise TypeError(f"{definition.name} has no branches")
