"""Steps of operations and seeds as Python statements.

Depends on: model, expr_python, statements, patches, names.  Never on: templates.

Law: the statements do to the tables of a transaction what the steps say, in their order; a `require` that
fails ends the function quietly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import USED, Scope, compile_code, compile_expr, compile_items, compile_test
from pillarbox_codegen.plan import names, patches
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.python_code import TRUE, Code, Condition, is_cheap, is_there, negated
from pillarbox_codegen.statements import (
    RETURN,
    Branch,
    Line,
    Loop,
    Statement,
    branch,
    comprehension,
    lines_of,
    loop,
    without_last_return,
)
from pillarbox_codegen.walk import names_in

_Body: TypeAlias = Callable[[Scope], Sequence[Statement]]


def step_lines(
    schema: model.Schema,
    imports: Imports,
    steps: Sequence[model.Step],
    *,
    params: Mapping[str, str],
    transaction: str,
) -> list[str]:
    """The body of the function that takes these steps; nothing where there is nothing to do.

    `params` maps parameters to Python text; `transaction` is the text of the open transaction.
    """

    def written(transaction: str, in_loops: Iterable[str]) -> tuple[_Steps, list[Statement]]:
        steps_ = _Steps(schema, imports, transaction, taken_names(schema))
        return steps_, steps_.function(steps, params, in_loops)

    # What is used in loops and how often the transaction is named shows only once all is written.
    in_loops = written(transaction, ())[0].used_in_loops
    found, body = written(transaction, in_loops)
    if found.uses > 1 and transaction != "tx":
        body = [Line(f"tx = {transaction}"), *written("tx", in_loops)[1]]
    return lines_of(body)


def taken_names(schema: model.Schema) -> set[str]:
    """What no variable of a generated function may be called: what it uses itself, and `l`, so like a 1."""
    taken = set(USED) | {"l", "operation", "replace", "self", "tx", "update"}
    for definition in schema.types.values():
        if isinstance(definition, model.PackedId):
            taken.add(names.pack_function(definition.name))
            taken |= {names.part_function(definition.name, part.name) for part in definition.parts}
    return taken | {names.key_function(table) for table in schema.tables}


@dataclass
class _Steps:
    """Writes one function."""

    schema: model.Schema
    imports: Imports
    transaction: str
    taken: set[str]
    #: table -> the variable it is held in.
    held: dict[str, str] = field(default_factory=dict)
    used_in_loops: dict[str, None] = field(default_factory=dict)
    olds: dict[str, str] = field(default_factory=dict)
    #: How often the transaction is named.
    uses: int = 0
    loops: int = 0
    used_names: set[str] = field(default_factory=set)
    #: name in the schema -> (variable, type): a variable may be used again for the same.
    earlier: dict[str, tuple[str, model.Type]] = field(default_factory=dict)

    def function(
        self, steps: Sequence[model.Step], params: Mapping[str, str], in_loops: Iterable[str]
    ) -> list[Statement]:
        """The whole body; tables that are used in loops are held in variables."""
        self.used_names = names_in(tuple(steps))
        scope = Scope(self.schema, self.imports, params, self.taken, self.table)
        start = [(name, self.table(name)) for name in in_loops]
        self.held = {name: scope.fresh(names.table_attribute(name)) for name in in_loops}
        body = without_last_return(self.steps(steps, scope))
        return [*(Line(f"{self.held[name]} = {text}") for name, text in start), *body]

    def table(self, name: str) -> str:
        """The text of a table of the transaction."""
        if name in self.held:
            return self.held[name]
        self.uses += 1
        if self.loops:
            self.used_in_loops[name] = None
        return f"{self.transaction}.{names.table_attribute(name)}"

    def old(self, table: str, scope: Scope) -> str:
        """The variable that holds a row of the table before it is changed."""
        if table not in self.olds:
            self.olds[table] = scope.fresh("old" if "old" not in self.taken else f"old_{table}")
        return self.olds[table]

    # -------------------------------------------------------------------------------------- scopes

    def steps(self, steps: Sequence[model.Step], scope: Scope) -> list[Statement]:
        found: list[Statement] = []
        for step in steps:
            statements, scope = self.step(step, scope)
            found += statements
        return found

    def step(self, step: model.Step, scope: Scope) -> tuple[Sequence[Statement], Scope]:
        match step:
            case model.LetStep():
                return self.let(step, scope)
            case model.PutStep(mods=model.Modifiers(result=str(name))) if name in self.used_names:
                return self.put_result(step, name, scope)
            case _:
                return self.modified(step.mods, scope, lambda inner: self.plain(step, inner)), scope

    def bind(self, scope: Scope, name: str, type_: model.Type, *, again: bool = True) -> tuple[str, Scope]:
        """A variable for a name of the schema: that of an earlier such name, if it was of the same type."""
        local, before = self.earlier.get(name, ("", None))
        if not again or before != type_:
            local = scope.fresh(name)
            self.earlier[name] = (local, type_)
        return local, scope.bind(**{name: local})

    def modified(self, mods: model.Modifiers, scope: Scope, body: _Body) -> tuple[Statement, ...]:
        """Statements inside their loop and below their condition."""
        if mods.each is None:
            return branch(TRUE if mods.when is None else compile_test(mods.when, scope), body(scope))
        assert isinstance(mods.each.items.type, model.ListOf)
        items = compile_items(mods.each.items, scope)
        name, inner = self.bind(scope, mods.each.name, mods.each.items.type.item)
        self.loops += 1
        when = TRUE if mods.when is None else compile_test(mods.when, inner)
        statements = branch(when, body(inner))
        self.loops -= 1
        return loop(name, items, statements)

    # --------------------------------------------------------------------------------------- steps

    def plain(self, step: model.Step, scope: Scope) -> Sequence[Statement]:
        match step:
            case model.RequireStep(condition, otherwise):
                failed = negated(compile_test(condition, scope))
                return branch(failed, [*self.steps(otherwise, scope), RETURN])
            case model.IfStep(condition, then, otherwise):
                asked = compile_test(condition, scope)
                return branch(asked, self.steps(then, scope), self.steps(otherwise, scope))
            case model.PutStep(table):
                before, row, wanted = self.row(step, scope)
                return [*before, *branch(wanted, [Line(f"{self.table(table)}.put({row})")])]
            case model.PatchStep(table):
                return patches.patch(step, scope, self.old(table, scope))
            case model.RemoveStep():
                return self.remove(step, scope)
            case model.SetCursorStep(cursor):
                return patches.set_cursor(step, scope, self.old(cursor, scope))
            case model.EmitStep(event, given):
                self.uses += 1
                event_class = self.imports.use(".events", names.class_name(event))
                return [Line(f"{self.transaction}.emit({event_class}({arguments_text(given, scope)}))")]
            case model.LetStep():
                raise TypeError("`let` binds names")

    def let(self, step: model.LetStep, scope: Scope) -> tuple[Sequence[Statement], Scope]:
        lines = []
        for named in step.names:
            if named.name in self.used_names:
                text = compile_expr(named.expr, scope)
                local, scope = self.bind(scope, named.name, named.expr.type)
                lines.append(Line(f"{local} = {text}"))
        return lines, scope

    def row(self, step: model.PutStep, scope: Scope) -> tuple[Sequence[Statement], str, Condition]:
        """Statements before, the text of the row, and the condition under which it is put."""
        row = compile_code(step.row, scope)
        if step.only == "any":
            return (), row.text, TRUE
        before: Sequence[Statement] = ()
        if not is_cheap(row):
            local = Code(scope.fresh("row"))
            before, row = [Line(f"{local.text} = {row.text}")], local
        standing = is_there(Code(f"{self.table(step.table)}.replaced_by({row.text})"))
        return before, row.text, standing if step.only == "old" else negated(standing)

    def remove(self, step: model.RemoveStep, scope: Scope) -> Sequence[Statement]:
        table = self.schema.tables[step.table]
        if not step.whole and not step.at:
            row, text = scope.fresh("row"), self.table(step.table)
            key = ", ".join(f"{row}.{names.field(part.name)}" for part in table.key)
            return loop(row, f"{text}.all()", [Line(f"{self.table(step.table)}.remove({key})")])
        arguments = ", ".join(compile_expr(part, scope) for part in step.at)
        method = "remove" if step.whole else names.remove_methods(table)[len(step.at) - 1]
        return [Line(f"{self.table(step.table)}.{method}({arguments})")]

    def put_result(self, step: model.PutStep, result: str, scope: Scope) -> tuple[Sequence[Statement], Scope]:
        """A put of which a name tells what was written, and what that replaced."""
        put_type: model.Type = model.PutResult(step.table)
        if step.mods.each is not None:
            local, after = self.bind(scope, result, model.ListOf(put_type), again=False)
        elif step.mods.when is not None or step.only != "any":
            local, after = self.bind(scope, result, model.Optional(put_type), again=False)
        else:
            _, row, _ = self.row(step, scope)
            local, after = self.bind(scope, result, put_type, again=False)
            return [Line(f"{local} = {self.table(step.table)}.put_was({row})")], after

        def body(inner: Scope) -> Sequence[Statement]:
            before, row, wanted = self.row(step, inner)
            put = f"{self.table(step.table)}.put_was({row})"
            line = f"{local} = {put}" if step.mods.each is None else put
            return [*before, *branch(wanted, [Line(line)])]

        statements = self.modified(step.mods, scope, body)
        if step.mods.each is not None:
            listed = comprehension(statements)
            if listed is not None:
                return [Line(f"{local} = [{listed}]")], after
        annotation = names.annotation(self.schema, self.imports, put_type)
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


def arguments_text(given: Iterable[model.NamedExpr], scope: Scope) -> str:
    """`name=value, ..`"""
    return ", ".join(f"{names.field(named.name)}={compile_expr(named.expr, scope)}" for named in given)
