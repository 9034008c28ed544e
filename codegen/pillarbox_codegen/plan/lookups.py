"""Plans the lookups of a rule: the key that each asks for, and the way back from a changed row.

Depends on: model, expr_python, rule_base, names, hints.  Never on: the words that have them.

Their functions are named with a double underscore, which no name of a schema has: `inbox__issue_key`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import USED, Scope, compile_expr, compile_parts
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.rule_base import Planner
from pillarbox_codegen.python_code import TRUE, Condition, Level, printed
from pillarbox_codegen.walk import fields_used, names_in


@dataclass(frozen=True, slots=True)
class FunctionPlan:
    """A function that gives a stored key, or what is used of a row."""

    name: str
    doc: str
    #: `row: Issues, owner: Users | None`
    parameters: str
    result: str
    #: Names of lookups that stand for a part of a row, before they are used.
    prelude: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class Start:
    """What the functions of a rule are called with before any lookup."""

    #: (parameter, module of the generated package, class in it, what follows that)
    parameters: tuple[tuple[str, str, str, str], ...]
    #: What the names of the schema are in Python.
    names: Mapping[str, str]
    #: The table whose key the changed rows lead back to.
    own: model.Table


class LookupsPlanner:
    """Plans the lookups of one table."""

    def __init__(self, planner: Planner, start: Start, lookups: tuple[model.With, ...], used: object) -> None:
        """`used`: the expressions of the rule, but for those of its lookups."""
        self._planner = planner
        self._start = start
        self._lookups = lookups
        keys = tuple(one.key for one in lookups)
        #: Fields of each looked-up row that a rule's rows are made of; None: it is used as a whole.
        self._used = {
            one.name: fields_used((used, keys) if _is_row(one) else one.value, one.name) for one in lookups
        }
        self._taken = _taken(planner.schema) | {parameter[0] for parameter in start.parameters}
        #: The parameter that is handed each looked-up row.
        self._rows = {
            one.name: names.fresh(names.local(one.name if _is_row(one) else f"{one.name}_row"), self._taken)
            for one in lookups
        }

    @property
    def schema(self) -> model.Schema:
        return self._planner.schema

    @property
    def imports(self) -> Imports:
        return self._planner.imports

    def parameters(self, count: int | None = None) -> str:
        """`rows: Issues, owner: Users | None`: the start, and the first `count` lookups or all."""
        found = list(self._start.parameters)
        for one in self._lookups[:count]:
            found.append((self._rows[one.name], ".types", names.row_class(one.table), " | None"))
        return ", ".join(
            f"{name}: {self.imports.use(module, class_)}{more}" for name, module, class_, more in found
        )

    def scope(self, *exprs: object, count: int | None = None) -> tuple[Scope, tuple[str, ...]]:
        """The scope of a function with the first `count` lookups, and the statements that `exprs` need."""
        held = {one.name: self._rows[one.name] for one in self._lookups[:count]}
        scope = Scope(self.schema, self.imports, {**self._start.names, **held}, set(self._taken))
        used = names_in(exprs)
        prelude = []
        for one in self._lookups[:count]:
            if not _is_row(one) and one.name in used:
                local = scope.fresh(names.local(one.name))
                value = compile_expr(one.value, scope.bind(**{one.name: self._rows[one.name]}))
                prelude.append(f"{local} = {value}")
                scope = scope.bind(**{one.name: local})
        return scope, tuple(prelude)

    def functions(self) -> list[FunctionPlan]:
        """The functions that are named in `made`."""
        found: list[FunctionPlan] = []
        for one in self._lookups:
            found.append(self._key(one))
            if one.via is not None:
                found.append(self._prefix(one))
            if not one.all:
                found.append(self._own(one))
            if self._used[one.name] is not None:
                found.append(self._uses(one))
        return found

    def made(self, drivers: Iterable[str]) -> str:
        """`(Lookup(self.users, rules.inbox__user_key, ByKey(rules.inbox__user_own)), ..)`"""
        rules = self.imports.use_module(".rules")
        lookup = self.imports.use("pillarbox.maintainers", "Lookup")
        texts = []
        for one in self._lookups:
            back = self._back(rules, one, drivers)
            level = f", {one.level}" if one.level else ""
            if self._used[one.name] is not None:
                level += f", uses={rules}.{self._name(one, 'uses')}"
            table = f"self.{names.table_attribute(one.table)}"
            texts.append(f"{lookup}({table}, {rules}.{self._name(one, 'key')}, {back}{level})")
        return printing.tuple_text(texts)

    def _back(self, rules: str, one: model.With, drivers: Iterable[str]) -> str:
        if one.all:
            tables = printing.tuple_text([f"self.{names.table_attribute(name)}" for name in drivers])
            return f"{self.imports.use('pillarbox.maintainers', 'All')}({tables})"
        own = f"{rules}.{self._name(one, 'own')}"
        if one.via is None:
            return f"{self.imports.use('pillarbox.maintainers', 'ByKey')}({own})"
        table, prefix = f"self.{names.table_attribute(one.via)}", f"{rules}.{self._name(one, 'prefix')}"
        return f"{self.imports.use('pillarbox.maintainers', 'Via')}({table}, {prefix}, {own})"

    # ---------------------------------------------------------------------------------- one function

    def _name(self, one: model.With, what: str) -> str:
        return f"{self._planner.table.name}__{one.name}_{what}"

    def _key(self, one: model.With) -> FunctionPlan:
        count = sum(other.level < one.level for other in self._lookups)
        scope, prelude = self.scope(one.key, count=count)
        condition, texts = compile_parts(one.key, scope)
        table = self.schema.tables[one.table]
        made = f"{self.imports.use('.keys', names.key_function(table.name))}({', '.join(texts)})"
        return FunctionPlan(
            name=self._name(one, "key"),
            doc=printing.docstring(f"The key that `{one.name}` is looked up by in `{table.name}`.", 4),
            parameters=self.parameters(count),
            result=_key_type(self.schema, table) + ("" if condition == TRUE else " | None"),
            prelude=prelude,
            value=_guarded(made, condition),
        )

    def _prefix(self, one: model.With) -> FunctionPlan:
        assert one.via is not None
        table, via = self.schema.tables[one.table], self.schema.tables[one.via]
        whole = len(table.key) == len(via.key)
        function = names.key_function(via.name) if whole else names.prefix_function(via.name, len(table.key))
        return FunctionPlan(
            name=self._name(one, "prefix"),
            doc=printing.docstring(
                f"What keys of `{via.name}` begin with that lead back from a row of `{table.name}`.",
                4,
            ),
            parameters=f"row: {self.imports.use('.types', names.row_class(table.name))}",
            result=_key_type(self.schema, via) if whole else "bytes",
            prelude=(),
            value=self._call(function, (part.name for part in table.key)),
        )

    def _own(self, one: model.With) -> FunctionPlan:
        own = self._start.own
        held = self.schema.tables[one.table if one.via is None else one.via]
        return FunctionPlan(
            name=self._name(one, "own"),
            doc=printing.docstring(f"The key in `{own.name}` that a row of `{held.name}` leads back to.", 4),
            parameters=f"row: {self.imports.use('.types', names.row_class(held.name))}",
            result=_key_type(self.schema, own),
            prelude=(),
            value=self._call(names.key_function(own.name), one.back),
        )

    def _uses(self, one: model.With) -> FunctionPlan:
        table = self.schema.tables[one.table]
        used = self._used[one.name] or set()
        order = [name for name in _fields(table) if name in used]
        return FunctionPlan(
            name=self._name(one, "uses"),
            doc=printing.docstring(f"What `{self._planner.table.name}` uses of a row of `{table.name}`.", 4),
            parameters=f"row: {self.imports.use('.types', names.row_class(table.name))}",
            result=f"tuple[{self.imports.use('typing', 'Any')}, ...]",
            prelude=(),
            value=printing.tuple_text([f"row.{names.field(name)}" for name in order]),
        )

    def _call(self, function: str, fields: Iterable[str]) -> str:
        arguments = ", ".join(f"row.{names.field(field)}" for field in fields)
        return f"{self.imports.use('.keys', function)}({arguments})"


def lookups_of_index(planner: Planner, rule: model.Index) -> LookupsPlanner:
    """The lookups of an index: its rows are made from one source row each."""
    start = Start((_row("row", rule.source),), planner.scope().names, planner.source)
    return LookupsPlanner(planner, start, rule.lookups, replace(rule, lookups=()))


def lookups_of_join(planner: Planner, rule: model.Join) -> LookupsPlanner:
    """The lookups of a join: it is handed the row of a lone driver, or the key and a row or none of each."""
    if len(rule.drivers) == 1:
        held = {name: f"rows.{names.field(name)}" for name in _fields(planner.source)} | {"rows": "rows"}
        start = Start((_row("rows", rule.drivers[0]),), held, planner.table)
        return LookupsPlanner(planner, start, rule.lookups, (rule.when, rule.row))
    taken = _taken(planner.schema)
    own = names.fresh("own", taken)
    parameters = [(own, ".keys", names.key_class(planner.table.name), "")]
    held = {part: f"{own}.{names.key_field(part)}" for part in rule.by}
    for name in rule.drivers:
        held[name] = names.fresh(names.local(name), taken)
        parameters.append(_row(held[name], name, " | None"))
    start = Start(tuple(parameters), held, planner.table)
    return LookupsPlanner(planner, start, rule.lookups, (rule.when, rule.row))


def _row(parameter: str, table: str, more: str = "") -> tuple[str, str, str, str]:
    return parameter, ".types", names.row_class(table), more


def _fields(table: model.Table) -> list[str]:
    return [*(part.name for part in table.key), *(field.name for field in table.fields)]


def _is_row(one: model.With) -> bool:
    """Whether the name stands for the whole row."""
    return isinstance(one.value, model.Local)


def _key_type(schema: model.Schema, table: model.Table) -> str:
    return "int" if hints.is_int_key(schema, table) else "bytes"


def _guarded(value: str, condition: Condition) -> str:
    if condition == TRUE:
        return value
    return f"{value} if {printed(condition).at(Level.OR)} else None"


def _taken(schema: model.Schema) -> set[str]:
    """Names that the text of expressions uses, and that no parameter may hide."""
    found = {"l", "packed", "specs", *USED}
    found |= {names.key_function(table) for table in schema.tables}
    for definition in schema.types.values():
        if isinstance(definition, model.PackedId):
            found.add(names.pack_function(definition.name))
            found |= {names.part_function(definition.name, part.name) for part in definition.parts}
    return found
