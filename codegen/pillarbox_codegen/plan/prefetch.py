"""Plans what replay reads ahead: the rows that operations will ask for by their parameters alone.

Depends on: model, expr_python, statements, writer_reads, steps, names.  Never on: templates.

Law: reading ahead changes how often is read, never what an operation does. Keys are collected that are
functions of parameters, and of `each` over parameters. Conditions are not looked at: of two branches both
are read for, and a key that a condition would prove to be there is asked whether it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_parts
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.patches import sets_every_part
from pillarbox_codegen.plan.steps import taken_names
from pillarbox_codegen.plan.writer_reads import put_reads
from pillarbox_codegen.python_code import TRUE, Condition
from pillarbox_codegen.statements import Line, Statement, branch, lines_of, loop
from pillarbox_codegen.touches import identity_of
from pillarbox_codegen.walk import lookups_in, names_in, scans_in


@dataclass(frozen=True, slots=True)
class PrefetchMethod:
    name: str
    class_name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrefetchPlan:
    """The visitor that collects; without methods no operation tells beforehand what it reads."""

    methods: tuple[PrefetchMethod, ...]


def plan_prefetch(schema: model.Schema, imports: Imports) -> PrefetchPlan:
    """What is collected by the methods of the operations."""
    methods = []
    for operation in schema.operations.values():
        lines = Collector(schema, imports).function(operation)
        class_name = imports.use(".operations", names.class_name(operation.name))
        methods.append(PrefetchMethod(operation.name, class_name, tuple(lines)))
    if not any(method.lines for method in methods):
        return PrefetchPlan(())
    imports.use("collections", "defaultdict")
    imports.use("collections.abc", "Callable")
    imports.use("typing", "Any")
    return PrefetchPlan(tuple(methods))


#: Kind of step -> the statements that collect what it reads, its loop and condition left aside. What is
#: not here asks for nothing but its lookups.
READS: Final[dict[type, Callable[[Collector, Any, Scope], Sequence[Statement]]]] = {}


@dataclass
class Collector:
    """Writes one method."""

    schema: model.Schema
    imports: Imports
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
            return [*before, *self.collected(there, step.table, "probe", f" += {items}")]
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
        read = READS.get(type(step))
        return [*found, *(self.lookups(step, scope) if read is None else read(self, step, scope))]

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
            return self.collected(there, step.table, "probe", f".append({row})")
        if step.only == "any" and step.mods.result is None:
            return ()
        parts = [model.Path(step.row, part.name, part.type) for part in table.key]
        return self.key(step.table, parts, scope)

    def inside(self, step: model.DoStep, scope: Scope) -> Scope:
        """The parameters of another operation, as far as they follow from those of this one."""
        known: dict[str, str] = {}
        for named in step.arguments:
            if isinstance(named.expr, model.Local | model.Path) and _is_known(named.expr, scope):
                there, (text,) = compile_parts([named.expr], scope)
                if there == TRUE:
                    known[named.name] = text
        declared = {param.name: param.type for param in self.schema.operations[step.operation].params}
        return replace(scope, names=known, declared=declared)

    # -------------------------------------------------------------------------------------- pieces

    def lookups(self, thing: object, scope: Scope) -> list[Statement]:
        """The rows that an expression, or all that a step is made of, looks up."""
        return [
            line
            for lookup in lookups_in(thing)
            for line in self.key(lookup.table, lookup.key, scope, lookup.by)
        ]

    def key(
        self, table: str, parts: Sequence[model.Expr], scope: Scope, by: str | None = None
    ) -> Sequence[Statement]:
        """A row that will be read, if its key is known by now; `by`: an identity, of which the key is."""
        if not all(_is_known(part, scope) for part in parts):
            return ()
        there, texts = compile_parts(parts, scope)
        function = self.imports.use(".keys", names.key_function(by or table))
        method = "preload" if by is None else names.preload_by(by)
        return self.collected(there, table, method, f".append({function}({', '.join(texts)}))")

    def collected(self, there: Condition, table: str, method: str, added: str) -> Sequence[Statement]:
        """What a method of the table is to read at once; `added`: how a list is lengthened by it."""
        line = f"self._asked[self._tx.{names.table_attribute(table)}.{method}]{added}"
        if line in self.seen:
            return ()
        self.seen.add(line)
        return branch(there, [Line(line)])


def _is_known(expr: model.Expr, scope: Scope) -> bool:
    """Whether the value follows from parameters alone."""
    return names_in(expr) <= set(scope.names) and not lookups_in(expr) and not scans_in(expr)


# -------------------------------------------------------------------------------- what each step reads


def _require(collector: Collector, step: model.RequireStep, scope: Scope) -> Sequence[Statement]:
    return [*collector.lookups(step.condition, scope), *collector.steps(step.otherwise, scope)]


def _if(collector: Collector, step: model.IfStep, scope: Scope) -> Sequence[Statement]:
    then, otherwise = collector.steps(step.then, scope), collector.steps(step.otherwise, scope)
    return [*collector.lookups(step.condition, scope), *then, *otherwise]


def _match(collector: Collector, step: model.MatchStep, scope: Scope) -> Sequence[Statement]:
    branches = [line for branch in step.branches for line in collector.steps(branch.steps, scope)]
    return [*collector.lookups(step.of, scope), *branches, *collector.steps(step.other or (), scope)]


def _put(collector: Collector, step: model.PutStep, scope: Scope) -> Sequence[Statement]:
    return [*collector.lookups(step.row, scope), *collector.put(step, scope)]


def _patch(collector: Collector, step: model.PatchStep, scope: Scope) -> Sequence[Statement]:
    values = tuple(change.value for change in step.changes)
    at = collector.key(step.table, step.at, scope, step.by)
    return [*collector.lookups((values, step.given), scope), *at]


def _set_cursor(collector: Collector, step: model.SetCursorStep, scope: Scope) -> Sequence[Statement]:
    if sets_every_part(step, collector.schema.tables[step.cursor]):
        return ()
    return collector.key(step.cursor, step.at, scope)


def _remove(collector: Collector, step: model.RemoveStep, scope: Scope) -> Sequence[Statement]:
    if not step.whole or identity_of(collector.schema.tables[step.table], collector.schema.tables) is None:
        return ()
    return collector.key(step.table, step.at, scope, step.by)


def _do(collector: Collector, step: model.DoStep, scope: Scope) -> Sequence[Statement]:
    given = collector.lookups(tuple(named.expr for named in step.arguments), scope)
    return [*given, *collector.steps(step.does, collector.inside(step, scope))]


READS.update(
    {
        model.RequireStep: _require,
        model.IfStep: _if,
        model.MatchStep: _match,
        model.PutStep: _put,
        model.PatchStep: _patch,
        model.SetCursorStep: _set_cursor,
        model.RemoveStep: _remove,
        model.DoStep: _do,
    }
)
