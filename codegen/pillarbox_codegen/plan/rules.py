"""Plans `rules.py`: for every derived table the functions that its maintainer calls.

Depends on: model, expr_python, names, frame.  Never on: tables, transactions.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope, compile_condition, compile_expr, compile_items
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.key_parts import part_code
from pillarbox_codegen.plan.structs import row_fields
from pillarbox_codegen.walk import names_in


@dataclass(frozen=True, slots=True)
class EntriesPlan:
    """What one source row means for an index or a count: a list of (key, cell or sums)."""

    template: str
    function: str
    doc: str
    row_class: str
    entry: str
    #: Conditions on the row alone under which there is nothing; before the entry is built.
    nothing: tuple[str, ...]
    #: `[{entry} for .. in .. if ..]`, or `[{entry}]`.
    entries: str
    source_key: SourceKeyPlan | None


@dataclass(frozen=True, slots=True)
class SourceKeyPlan:
    """From an index row to the stored key of its source row."""

    function: str
    doc: str
    row_class: str
    key_type: str
    key: str


@dataclass(frozen=True, slots=True)
class IdentityPlan:
    """The functions of an identity; the source key is part of it."""

    template: str
    table: str
    key_function: str
    cell_function: str
    owner_function: str
    row_class: str
    key_type: str
    key: str
    cell: str
    owner_key_type: str
    row: str
    source_key: SourceKeyPlan


@dataclass(frozen=True, slots=True)
class TopPlan:
    """A TopShape and the functions it names."""

    template: str
    table: str
    constant: str
    first: int
    row_class: str
    group_doc: str
    #: Conditions under which a row takes no part.
    nothing: tuple[str, ...]
    key_type: str
    group: str
    prefixes: str
    order: str
    #: Statements before `folded`, and the cell out of `rows`.
    fold: tuple[str, ...]
    folded: str
    #: Where the order of the first row is stored: the target row, its order, the function's name.
    target_row: str
    stored_order: tuple[str, ...]
    stored_name: str


RulePlan = EntriesPlan | IdentityPlan | TopPlan


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`rules.py`."""
    imports = frame.imports(".rules")
    rules = [
        _Planner(schema, imports, table).plan() for table in schema.tables.values() if table.rule is not None
    ]
    text = frame.module(
        doc=f"What the rows of the schema {schema.name!r} mean for its derived tables.",
        imports=imports,
        template="rules.py.j2",
        rules=rules,
    )
    return {"rules.py": text}


def source_names(schema: model.Schema, table: model.Table) -> dict[str, str] | None:
    """Key part of the source -> the field of an index row that holds it; None where one is missing."""
    assert isinstance(table.rule, model.Index)
    held: dict[str, str] = {}
    for part in (*table.rule.value, *table.rule.key):
        if isinstance(part.expr, model.Local) and part.expr.kind == "field":
            held[part.expr.name] = part.name
    parts = schema.tables[table.rule.source].key
    return {part.name: held[part.name] for part in parts} if all(p.name in held for p in parts) else None


def in_dependency_order(schema: model.Schema) -> list[model.Table]:
    """The derived tables, each after the one it is made from; otherwise in the schema's order."""
    done: dict[str, model.Table] = {}

    def visit(table: model.Table) -> None:
        if table.rule is None or table.name in done:
            return
        visit(schema.tables[table.rule.source])
        done[table.name] = table

    for table in schema.tables.values():
        visit(table)
    return list(done.values())


class _Planner:
    """Plans one derived table."""

    def __init__(self, schema: model.Schema, imports: Imports, table: model.Table) -> None:
        assert table.rule is not None, f"{table.name} is not derived"
        self.schema, self.imports, self.table = schema, imports, table
        self.source = schema.tables[table.rule.source]
        self.row_class = imports.use(".types", names.class_name(self.source.name))
        self.key_type = "int" if names.is_int_key(schema, table) else "bytes"

    def plan(self) -> RulePlan:
        rule = self.table.rule
        match rule:
            case model.Index(unique="identity"):
                return self._identity(rule)
            case model.Index():
                self.imports.use("pillarbox.tables", "Cell")
                self.imports.use("pillarbox.storage", "StoredKey")
                return self._index(rule)
            case model.Count():
                self.imports.use("pillarbox.storage", "StoredKey")
                return self._count(rule)
            case model.Top():
                return self._top(rule)
        raise AssertionError(f"{self.table.name} has no rule")

    # -------------------------------------------------------------------------------- shared pieces

    def scope(self, row: str = "row", *taken: str) -> Scope:
        """The source row's fields by bare name, as attributes of `row`."""
        fields = {field.name: f"{row}.{names.field(field.name)}" for field in row_fields(self.source)}
        return Scope(self.schema, self.imports, fields, {row, "l", "packed", *taken})

    def key(self, parts: Sequence[model.NamedExpr], scope: Scope) -> str:
        function = self.imports.use(".keys", names.key_function(self.table.name))
        return f"{function}({', '.join(compile_expr(part.expr, scope) for part in parts)})"

    def cell(self, values: Sequence[str]) -> str:
        if self.table.layout == "empty":
            return 'b""'
        packed = self.imports.use_module(".packed")
        return f"{packed}.{names.constant(self.table.name)}.encode({', '.join(values)})"

    def clauses(
        self, each: tuple[model.EachVar, ...], when: model.Expr | None
    ) -> tuple[Scope, tuple[str, ...], str]:
        """(scope with the variables, conditions that rule the row out, comprehension clauses)."""
        scope = self.scope()
        variables = {variable.name for variable in each}
        early = when is not None and not (variables & names_in(when))
        nothing = (compile_condition(when, scope, opposite=True),) if early and when is not None else ()
        clauses = []
        for variable in each:
            items = compile_items(variable.items, scope)
            name = scope.fresh(names.local(variable.name))
            clauses.append(f"for {name} in {items}")
            scope = scope.bind(**{variable.name: name})
        if when is not None and not early:
            clauses.append(f"if {compile_condition(when, scope)}")
        return scope, nothing, "".join(f" {clause}" for clause in clauses)

    # -------------------------------------------------------------------------------------- index

    def _index(self, rule: model.Index) -> EntriesPlan:
        scope, nothing, clauses = self.clauses(rule.each, rule.when)
        cell = self.cell([compile_expr(value.expr, scope) for value in rule.value])
        entry = f"({self.key(rule.key, scope)}, {cell})"
        return EntriesPlan(
            template="rule_entries.j2",
            function=names.rows_function(self.table.name),
            doc=printing.docstring(
                f"The rows of `{self.table.name}` that a row of `{rule.source}` stands for.", 4
            ),
            row_class=self.row_class,
            entry="Cell",
            nothing=nothing,
            entries=f"[{entry}{clauses}]",
            source_key=self._source_key(),
        )

    def _source_key(self) -> SourceKeyPlan | None:
        held = source_names(self.schema, self.table)
        if held is None:
            return None
        function = self.imports.use(".keys", names.key_function(self.source.name))
        return SourceKeyPlan(
            function=names.source_key_function(self.table.name),
            doc=printing.docstring(
                f"The stored key of the row of `{self.source.name}` that a row here stands for.",
                4,
            ),
            row_class=self.imports.use(".types", names.class_name(self.table.name)),
            key_type="int" if names.is_int_key(self.schema, self.source) else "bytes",
            key=f"{function}({', '.join(f'row.{names.field(field)}' for field in held.values())})",
        )

    def _identity(self, rule: model.Index) -> IdentityPlan:
        scope = self.scope()
        source_key = self._source_key()
        assert source_key is not None, f"{self.table.name}: an identity names its source row"
        specs = self.imports.use_module(".specs")
        return IdentityPlan(
            template="rule_identity.j2",
            table=self.table.name,
            key_function=names.identity_function(self.table.name, "key"),
            cell_function=names.identity_function(self.table.name, "cell"),
            owner_function=names.identity_function(self.table.name, "owner"),
            row_class=self.row_class,
            key_type=self.key_type,
            key=self.key(rule.key, scope),
            cell=self.cell([compile_expr(value.expr, scope) for value in rule.value]),
            owner_key_type=source_key.key_type,
            row=f"{specs}.{names.row_function(self.table.name)}(key, cell)",
            source_key=source_key,
        )

    # -------------------------------------------------------------------------------------- count

    def _count(self, rule: model.Count) -> EntriesPlan:
        scope, nothing, clauses = self.clauses(rule.each, rule.when)
        sums = printing.tuple_text([compile_expr(sum_.expr, scope) for sum_ in rule.sums])
        entry = f"({self.key(rule.group, scope)}, {sums})"
        return EntriesPlan(
            template="rule_entries.j2",
            function=names.sums_function(self.table.name),
            doc=printing.docstring(
                f"What a row of `{rule.source}` adds to the groups of `{self.table.name}`.", 4
            ),
            row_class=self.row_class,
            entry="tuple[int, ...]",
            nothing=nothing,
            entries=f"[{entry}{clauses}]",
            source_key=None,
        )

    # ---------------------------------------------------------------------------------------- top

    def _top(self, rule: model.Top) -> TopPlan:
        self.imports.use_all("typing", ["Any", "Final"])
        self.imports.use("collections.abc", "Sequence")
        self.imports.use("pillarbox.maintainers", "TopShape")
        scope = self.scope()
        group = [f"row.{names.field(part)}" for part in rule.group]
        function = self.imports.use(".keys", names.key_function(self.table.name))
        values = [[compile_expr(value, scope) for value in across.values] for across in rule.across]
        nothing = tuple(
            f"row.{names.field(across.part)} not in {printing.tuple_text(texts)}"
            for across, texts in zip(rule.across, values, strict=True)
        )
        fold, folded = self._fold(rule)
        parts = {part.name: part for part in self.source.key}
        order = [self._ordered(parts[name]) for name in rule.order]
        stored = not rule.folds
        specs = self.imports.use_module(".specs") if stored else ""
        return TopPlan(
            template="rule_top.j2",
            table=self.table.name,
            constant=names.constant(self.table.name),
            first=rule.first,
            row_class=self.row_class,
            group_doc=printing.docstring(f"The key of the group in `{self.table.name}` of a row.", 4),
            nothing=nothing,
            key_type=f"{self.key_type} | None" if nothing else self.key_type,
            group=f"{function}({', '.join(group)})",
            prefixes=printing.tuple_text(
                [self._prefix([*group, *fixed]) for fixed in itertools.product(*values)]
            ),
            order=printing.tuple_text(order),
            fold=fold,
            folded=folded,
            target_row=f"{specs}.{names.row_function(self.table.name)}(key, cell)" if stored else "",
            stored_order=(printing.tuple_text(order),) if stored else (),
            stored_name=f"_{self.table.name}_stored_order" if stored else "None",
        )

    def _prefix(self, parts: Sequence[str]) -> str:
        if not parts:
            return 'b""'
        function = self.imports.use(".keys", names.prefix_function(self.source.name, len(parts)))
        return f"{function}({', '.join(parts)})"

    def _ordered(self, part: model.KeyPart) -> str:
        """What compares as the part does in the source's keys."""
        value = f"row.{names.field(part.name)}"
        code = part_code(self.schema, self.source, part)
        if not part.desc:
            return value
        if code.format:
            return f"-{value}"
        self.imports.use_all("pillarbox.codec", code.uses)
        return code.encoded.replace(code.parameter, value, 1)

    def _fold(self, rule: model.Top) -> tuple[tuple[str, ...], str]:
        """Statements, and the cell of the first rows of a group, of which there is at least one."""
        if rule.folds:
            return (), self.cell([self._folded(fold) for fold in rule.folds])
        scope = self.scope()
        rest = [part for part in self.source.key if part.name not in rule.group]
        values = [f"row.{names.field(part.name)}" for part in rest]
        values += [compile_expr(value.expr, scope) for value in rule.value]
        return ("row = rows[0]",), self.cell(values)

    def _folded(self, fold: model.Fold) -> str:
        scope = self.scope("row", "rows")
        match fold.function:
            case "count":
                return f"sum(1 for row in rows if {compile_condition(fold.of, scope)})"
            case "any" | "every":
                function = "any" if fold.function == "any" else "all"
                return f"{function}({compile_condition(fold.of, scope)} for row in rows)"
        value = compile_expr(fold.of, scope)
        if isinstance(fold.of.type, model.Optional):
            found = scope.fresh("found")
            default = "" if fold.function == "sum" else ", default=None"
            values = f"{found} for row in rows if ({found} := {value}) is not None"
            return f"{fold.function}(({values}){default})" if default else f"{fold.function}({values})"
        return f"{fold.function}({value} for row in rows)"
