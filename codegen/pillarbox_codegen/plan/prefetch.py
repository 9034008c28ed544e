"""Plans what replay reads ahead: the rows that operations will ask for by their parameters alone.

Depends on: model, expr_python, statements, writers, steps, names.  Never on: templates.

Law: reading ahead changes how often is read, never what an operation does. Keys are collected that are
functions of parameters, and of `each` over parameters. Conditions are not looked at: of two branches both
are read for, and a key that a condition would prove to be there is asked whether it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope, compile_parts
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.patches import sets_every_part
from pillarbox_codegen.plan.steps import taken_names
from pillarbox_codegen.plan.writers import identity_of, put_reads
from pillarbox_codegen.python_code import Condition
from pillarbox_codegen.statements import Line, Statement, branch, lines_of, loop
from pillarbox_codegen.walk import lookups_in, names_in


@dataclass(frozen=True, slots=True)
class ReadPlan:
    """What is collected for one table, and how it is read."""

    attribute: str
    annotation: str
    #: The table of the transaction, and its method that reads all at once.
    table: str
    method: str


@dataclass(frozen=True, slots=True)
class PrefetchMethod:
    name: str
    class_name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrefetchPlan:
    """The visitor that collects."""

    slots: str
    tables: tuple[ReadPlan, ...]
    methods: tuple[PrefetchMethod, ...]


def plan_prefetch(schema: model.Schema, imports: Imports) -> PrefetchPlan:
    """`tables` is empty where no operation tells beforehand what it reads."""
    reads: dict[str, ReadPlan] = {}
    methods = []
    for operation in schema.operations.values():
        lines = _Collector(schema, imports, reads).function(operation)
        class_name = imports.use(".operations", names.class_name(operation.name))
        methods.append(PrefetchMethod(operation.name, class_name, tuple(lines)))
    tables = tuple(reads[attribute] for attribute in sorted(reads))
    slots = printing.literal(tuple(sorted([*reads, "_tx"])))
    return PrefetchPlan(slots, tables, tuple(methods))


@dataclass
class _Collector:
    """Writes one method."""

    schema: model.Schema
    imports: Imports
    reads: dict[str, ReadPlan]
    #: What is collected already.
    seen: set[str] = field(default_factory=set)

    def function(self, operation: model.Operation) -> list[str]:
        params = {param.name: f"operation.{names.field(param.name)}" for param in operation.params}
        declared = {param.name: param.type for param in operation.params}
        scope = Scope(self.schema, self.imports, params, taken_names(self.schema), declared=declared)
        return lines_of(self.steps(operation.steps, scope))

    # --------------------------------------------------------------------------------------- steps

    def steps(self, steps: Sequence[model.Step], scope: Scope) -> list[Statement]:
        return [statement for step in steps for statement in self.step(step, scope)]

    def step(self, step: model.Step, scope: Scope) -> Sequence[Statement]:
        each = step.mods.each
        if each is None:
            return self.plain(step, scope)
        before = self.lookups(each.items, scope)
        if not _is_known(each.items, scope):
            return before
        if isinstance(step, model.PutStep) and self.takes_whole(step, each):
            there, (items,) = compile_parts([each.items], scope)
            return [*before, *self.collected(there, self.rows(step.table), "+=", items)]
        there, (items,) = compile_parts([each.items], scope)
        assert isinstance(each.items.type, model.ListOf)
        name = scope.fresh(each.name)
        inner = replace(
            scope.bind(**{each.name: name}),
            declared={**(scope.declared or {}), each.name: each.items.type.item},
        )
        return [*before, *branch(there, loop(name, items, self.plain(step, inner)))]

    def plain(self, step: model.Step, scope: Scope) -> list[Statement]:
        """What the step reads by itself, its loop left aside."""
        found = [] if step.mods.when is None else self.lookups(step.mods.when, scope)
        match step:
            case model.RequireStep(condition, otherwise):
                return [*found, *self.lookups(condition, scope), *self.steps(otherwise, scope)]
            case model.IfStep(condition, then, otherwise):
                found += self.lookups(condition, scope)
                return [*found, *self.steps(then, scope), *self.steps(otherwise, scope)]
            case model.LetStep(named):
                return [*found, *(line for one in named for line in self.lookups(one.expr, scope))]
            case model.PutStep():
                return [*found, *self.lookups(step.row, scope), *self.put(step, scope)]
            case model.PatchStep(table, at):
                values = [change.value for change in step.changes]
                found += [line for value in values for line in self.lookups(value, scope)]
                return [*found, *self.key(table, at, scope)]
            case model.SetCursorStep(cursor, at):
                reads = not sets_every_part(step, self.schema.tables[cursor])
                return [*found, *(self.key(cursor, at, scope) if reads else ())]
            case model.RemoveStep(table, at, whole):
                reads = whole and identity_of(self.schema, self.schema.tables[table]) is not None
                return [*found, *(self.key(table, at, scope) if reads else ())]
            case model.EmitStep(_, fields):
                return [*found, *(line for one in fields for line in self.lookups(one.expr, scope))]

    def takes_whole(self, step: model.PutStep, each: model.EachVar) -> bool:
        """Whether each item is put as it is, into a table that reads."""
        is_item = isinstance(step.row, model.Local) and step.row.name == each.name
        return is_item and put_reads(self.schema, self.schema.tables[step.table])

    def put(self, step: model.PutStep, scope: Scope) -> Sequence[Statement]:
        table = self.schema.tables[step.table]
        if not isinstance(step.row, model.Local) or not _is_known(step.row, scope):
            return ()
        if put_reads(self.schema, table):
            there, (row,) = compile_parts([step.row], scope)
            return self.collected(there, self.rows(step.table), "append", row)
        if step.only == "any" and step.mods.result is None:
            return ()
        parts = [model.Path(step.row, part.name, part.type) for part in table.key]
        return self.key(step.table, parts, scope)

    # -------------------------------------------------------------------------------------- pieces

    def lookups(self, expr: model.Expr, scope: Scope) -> list[Statement]:
        """The rows that an expression looks up."""
        return [line for lookup in lookups_in(expr) for line in self.key(lookup.table, lookup.key, scope)]

    def key(self, table: str, parts: Sequence[model.Expr], scope: Scope) -> Sequence[Statement]:
        """A row that will be read, if its key is known by now."""
        if not all(_is_known(part, scope) for part in parts):
            return ()
        there, texts = compile_parts(parts, scope)
        function = self.imports.use(".keys", names.key_function(table))
        return self.collected(there, self.keys(table), "append", f"{function}({', '.join(texts)})")

    def collected(self, there: Condition, attribute: str, how: str, text: str) -> Sequence[Statement]:
        line = f"self.{attribute} += {text}" if how == "+=" else f"self.{attribute}.append({text})"
        if line in self.seen:
            return ()
        self.seen.add(line)
        return branch(there, [Line(line)])

    def keys(self, table: str) -> str:
        """The list of a table's keys."""
        kind = f"list[{self.imports.use('pillarbox.storage', 'StoredKey')}]"
        return self._list(f"_keys_of_{table}", kind, table, "preload")

    def rows(self, table: str) -> str:
        """The list of rows that will be put into a table."""
        kind = f"list[{self.imports.use('.types', names.class_name(table))}]"
        return self._list(f"_rows_of_{table}", kind, table, "probe")

    def _list(self, attribute: str, kind: str, table: str, method: str) -> str:
        self.reads[attribute] = ReadPlan(attribute, kind, names.table_attribute(table), method)
        return attribute


def _is_known(expr: model.Expr, scope: Scope) -> bool:
    """Whether the value follows from parameters alone."""
    return names_in(expr) <= set(scope.names) and not lookups_in(expr)
