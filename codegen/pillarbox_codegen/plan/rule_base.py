"""What planning a word of a table takes: the source row in scope, keys, cells, clauses.

Depends on: model, expr_python, names, hints, frame.  Never on: any word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_condition, compile_expr
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.clauses import Clauses
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.step_writer import functions_of
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
    #: Statements that leave where there is nothing, and that name what is gone over.
    before: tuple[str, ...]
    #: `[{entry} for .. in .. if ..]`, or `[{entry}]`.
    entries: str
    source_key: SourceKeyPlan | None
    #: Where rows are looked up: the parameters, the statements before anything else, and the functions.
    parameters: str = ""
    prelude: tuple[str, ...] = ()
    lookups: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceKeyPlan:
    """From an index row to the stored key of its source row."""

    function: str
    doc: str
    row_class: str
    key_type: str
    key: str


def source_names(schema: model.Schema, table: model.Table) -> dict[str, str] | None:
    """Key part of the source -> the field of an index row that holds it; None where one is missing."""
    assert isinstance(table.rule, model.Index)
    held: dict[str, str] = {}
    for part in (*table.rule.value, *table.rule.key):
        if isinstance(part.expr, model.Local) and part.expr.kind == "field":
            held[part.expr.name] = part.name
    parts = schema.tables[table.rule.source].key
    return {part.name: held[part.name] for part in parts} if all(p.name in held for p in parts) else None


class Planner:
    """Plans one table that a word keeps: what all words need for it."""

    def __init__(self, schema: model.Schema, imports: Imports, table: model.Table) -> None:
        assert table.rule is not None, f"{table.name} is not derived"
        self.schema, self.imports, self.table = schema, imports, table
        #: What it is made from first of all; the table itself where nothing but steps writes it.
        self.source = schema.tables[table.rule.sources[0]] if table.rule.sources else table
        self.key_type = "int" if hints.is_int_key(schema, table) else "bytes"

    @property
    def row_class(self) -> str:
        """The class of the source's rows."""
        return self.imports.use(".types", names.row_class(self.source.name))

    def scope(self, row: str = "row", *taken: str) -> Scope:
        """The source row's fields by bare name, as attributes of `row`."""
        fields = {field.name: f"{row}.{names.field(field.name)}" for field in row_fields(self.source)}
        known = {row, "l", "packed", *functions_of(self.schema), *taken}
        return Scope(self.schema, self.imports, fields, known)

    def key(self, parts: Sequence[model.NamedExpr], scope: Scope) -> str:
        function = self.imports.use(".keys", names.key_function(self.table.name))
        return f"{function}({', '.join(compile_expr(part.expr, scope) for part in parts)})"

    def cell(self, values: Sequence[str]) -> str:
        if self.table.layout == "empty":
            return 'b""'
        packed = self.imports.use_module(".packed")
        return f"{packed}.{names.constant(self.table.name)}.encode({', '.join(values)})"

    def clauses(
        self,
        each: tuple[model.EachVar, ...],
        when: model.Expr | None,
        scope: Scope | None = None,
        *,
        rows: str | None = None,
    ) -> tuple[Scope, tuple[str, ...], str]:
        """(scope with the variables, statements that come before, comprehension clauses).

        `rows`: the clauses go over these, and hold every condition.
        """
        scope = scope or self.scope()
        variables = {variable.name for variable in each}
        early = when is not None and not (variables & names_in(when))
        nothing: tuple[str, ...] = ()
        clauses = Clauses(scope, *(() if rows is None else (f"for row in {rows}",)))
        if early and when is not None:
            if rows is None:
                nothing = (f"if {compile_condition(when, scope, opposite=True)}:", "    return []")
            else:
                clauses.where(when)
        for variable in each:
            clauses.over(variable)
        if when is not None and not early:
            clauses.where(when)
        return clauses.scope, (*nothing, *clauses.before), clauses.text
