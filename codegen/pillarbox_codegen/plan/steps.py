"""Steps of operations and seeds as Python statements: the plain words, and where every word is registered.

Depends on: model, expr_python, statements, patches, step_writer, names, hints.  Never on: templates.

Law: the statements do to the tables of a transaction what the steps say, in their order; a `require` that
fails ends the function quietly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_code, compile_expr, compile_test
from pillarbox_codegen.plan import base_steps as base_steps  # registers its words, as kept_steps does
from pillarbox_codegen.plan import hints, names, patches, step_match
from pillarbox_codegen.plan import kept_steps as kept_steps
from pillarbox_codegen.plan.following import missed_text, missing_tables
from pillarbox_codegen.plan.keeps import asks_new_late, keep
from pillarbox_codegen.plan.step_writer import (
    BINDING,
    PLAIN,
    StepWriter,
    arguments_text,
    taken_names,
    write_lines,
)
from pillarbox_codegen.python_code import TRUE, Code, Condition, is_cheap, is_there, negated
from pillarbox_codegen.statements import RETURN, Branch, Line, Loop, Statement, branch, comprehension, loop

__all__ = ["arguments_text", "step_lines", "taken_names"]

step_lines = write_lines


def _require(writer: StepWriter, step: model.RequireStep, scope: Scope) -> Sequence[Statement]:
    failed = negated(compile_test(step.condition, scope))
    return branch(failed, [*writer.steps(step.otherwise, scope), RETURN])


def _if(writer: StepWriter, step: model.IfStep, scope: Scope) -> Sequence[Statement]:
    asked = compile_test(step.condition, scope)
    then = writer.steps(step.then, scope.proven(step.condition))
    return branch(asked, then, writer.steps(step.otherwise, scope))


def _put(writer: StepWriter, step: model.PutStep, scope: Scope) -> Sequence[Statement]:
    before, row, wanted = _row(writer, step, scope)
    table = writer.schema.tables[step.table]
    missed: list[Statement] = []
    if step.only == "old":
        fields = {part.name: f"{row}.{names.field(part.name)}" for part in table.key}
        missed = _missed(writer, table, fields)
    return [*before, *branch(wanted, [Line(f"{writer.table(step.table)}.put({row})")], missed)]


def _patch(writer: StepWriter, step: model.PatchStep, scope: Scope) -> Sequence[Statement]:
    return patches.patch(step, scope, writer.old(step.table, scope))


def _set_cursor(writer: StepWriter, step: model.SetCursorStep, scope: Scope) -> Sequence[Statement]:
    return patches.set_cursor(step, scope, writer.old(step.cursor, scope))


def _emit(writer: StepWriter, step: model.EmitStep, scope: Scope) -> Sequence[Statement]:
    event_class = writer.imports.use(".events", names.class_name(step.event))
    emit = writer.method("emit")
    return [Line(f"{emit}({event_class}({arguments_text(step.fields, scope)}))")]


def _do(writer: StepWriter, step: model.DoStep, scope: Scope) -> Sequence[Statement]:
    operation = writer.imports.use(".operations", names.class_name(step.operation))
    return [Line(f"self.{step.operation}({operation}({arguments_text(step.arguments, scope)}))")]


def _let(writer: StepWriter, step: model.LetStep, scope: Scope) -> tuple[Sequence[Statement], Scope]:
    lines = []
    for named in step.names:
        if named.name in writer.used_names:
            text = compile_expr(named.expr, scope)
            local, scope = writer.bind(scope, named.name, named.expr.type)
            if named.name not in writer.unread:
                writer.lets[named.name] = local
                lines.append(Line(f"{local} = {text}"))
    return lines, scope


def _row(writer: StepWriter, step: model.PutStep, scope: Scope) -> tuple[Sequence[Statement], str, Condition]:
    """Statements before, the text of the row, and the condition under which it is put."""
    row = compile_code(step.row, scope)
    if step.only == "any" and not step.keep:
        return (), row.text, TRUE
    before: list[Statement] = []
    if not is_cheap(row) or step.keep:
        local = Code(scope.fresh("row"))
        before, row = [Line(f"{local.text} = {row.text}")], local
    found = f"{writer.table(step.table)}.replaced_by({row.text})"
    if not step.keep:
        return before, row.text, _wanted(step, is_there(Code(found)))
    old = writer.old(step.table, scope)
    new = row.text
    if asks_new_late(step.keep):
        new = scope.fresh("new")
        before.append(Line(f"{new} = {row.text}"))
    before.append(Line(f"{old} = {found}"))
    kept = keep(step.keep, writer.schema.tables[step.table], scope, old=old, row=row.text, new=new)
    before += branch(is_there(Code(old)), kept)
    return before, row.text, TRUE if step.only == "any" else _wanted(step, is_there(Code(old)))


def _wanted(step: model.PutStep, standing: Condition) -> Condition:
    return standing if step.only == "old" else negated(standing)


def _remove(writer: StepWriter, step: model.RemoveStep, scope: Scope) -> Sequence[Statement]:
    table = writer.schema.tables[step.table]
    if not step.whole and not step.at:
        row, text = scope.fresh("row"), writer.table(step.table)
        key = ", ".join(f"{row}.{names.field(part.name)}" for part in table.key)
        removes = loop(row, f"{text}.all()", [Line(f"{writer.table(step.table)}.remove({key})")])
        return [*removes, *_missed(writer, table, {})]
    arguments = ", ".join(compile_expr(part, scope) for part in step.at)
    if step.upper is not None:
        upper = ", ".join(compile_expr(part, scope) for part in step.upper)
        low, high = (
            _end(writer, table, given, text) for given, text in ((step.at, arguments), (step.upper, upper))
        )
        ends = zip(table.key, step.at, step.upper, strict=False)
        shared = takewhile(lambda end: end[1] == end[2], ends)
        missed = _missed(writer, table, {part.name: compile_expr(expr, scope) for part, expr, _ in shared})
        return [Line(f"{writer.table(step.table)}.remove_between({low}, {high})"), *missed]
    if step.by is not None:
        return [Line(f"{writer.table(step.table)}.{names.remove_by(step.by)}({arguments})")]
    if table.role == "cursor":
        return [*_paid(writer, table, arguments), Line(f"{writer.table(step.table)}.remove({arguments})")]
    method = "remove" if step.whole else names.remove_methods(table)[len(step.at) - 1]
    return [Line(f"{writer.table(step.table)}.{method}({arguments})")]


def _paid(writer: StepWriter, cursor: model.Table, key: str) -> list[Statement]:
    """Of what is forgotten nothing is owed."""
    debts = None if writer.schema.protocol is None else writer.schema.protocol.debts
    if debts is None:
        return []
    packed = writer.imports.use("pillarbox.sync.debt_keys", "packed_key")
    stored = writer.imports.use(".keys", names.key_function(cursor.name))
    return [Line(f"{writer.table(debts)}.remove({cursor.id}, {packed}({stored}({key})))")]


def _missed(writer: StepWriter, table: model.Table, values: Mapping[str, str]) -> list[Statement]:
    """What is said to those who ask about rows that are not stored, of the rows with these parts of a key."""
    if table.name not in missing_tables(writer.schema):
        return []
    return [Line(f"{writer.table(table.name)}.{missed_text(table, values)}")]


def _end(writer: StepWriter, table: model.Table, given: Sequence[model.Expr], text: str) -> str:
    """The key or prefix at an end of a range."""
    whole = len(given) == len(table.key)
    function = names.key_function(table.name) if whole else names.prefix_function(table.name, len(given))
    return f"{writer.imports.use('.keys', function)}({text})"


def _put_result(writer: StepWriter, step: model.PutStep, scope: Scope) -> tuple[Sequence[Statement], Scope]:
    """A put of which a name tells what was written, and what that replaced."""
    result = step.mods.result
    assert result is not None, "a put without a name binds none"
    put_type: model.Type = model.PutResult(step.table)
    if step.mods.each is not None:
        local, after = writer.bind(scope, result, model.ListOf(put_type), again=False)
    elif step.mods.when is not None or step.only != "any":
        local, after = writer.bind(scope, result, model.Optional(put_type), again=False)
    else:
        _, row, _ = _row(writer, step, scope)
        local, after = writer.bind(scope, result, put_type, again=False)
        return [Line(f"{local} = {writer.table(step.table)}.put_was({row})")], after

    def body(inner: Scope) -> Sequence[Statement]:
        before, row, wanted = _row(writer, step, inner)
        put = f"{writer.table(step.table)}.put_was({row})"
        line = f"{local} = {put}" if step.mods.each is None else put
        return [*before, *branch(wanted, [Line(line)])]

    statements = writer.modified(step.mods, scope, body)
    if step.mods.each is not None:
        listed = comprehension(statements)
        if listed is not None:
            return [Line(f"{local} = [{listed}]")], after
    annotation = hints.annotation(writer.schema, writer.imports, put_type)
    if step.mods.each is None:
        return [Line(f"{local}: {annotation} | None = None"), *statements], after
    start = Line(f"{local}: list[{annotation}] = []")
    return [start, *(_appended(local, statement) for statement in statements)], after


def _appended(local: str, statement: Statement) -> Statement:
    """The statement, with what its last line gives appended to a list."""
    match statement:
        case Line(text):
            return Line(f"{local}.append({text})")
        case Loop(name, items, (*before, last)):
            return Loop(name, items, (*before, _appended(local, last)))
        case Branch(condition, (*before, last)):
            return Branch(condition, (*before, _appended(local, last)))
        case _:
            raise TypeError("a loop without a put")


#: A kind of steps of its own file is one line here.
PLAIN.update(
    {
        model.RequireStep: _require,
        model.IfStep: _if,
        model.MatchStep: step_match.match,
        model.PutStep: _put,
        model.PatchStep: _patch,
        model.RemoveStep: _remove,
        model.SetCursorStep: _set_cursor,
        model.EmitStep: _emit,
        model.DoStep: _do,
    }
)
#: Steps that give names to those after them; a put only where its name is used.
BINDING.update({model.LetStep: _let, model.PutStep: _put_result})
