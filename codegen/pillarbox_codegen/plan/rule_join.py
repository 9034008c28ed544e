"""Plans the word `join`.

Depends on: model, rule_base, lookups.  Never on: other words.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import compile_condition, compile_expr
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.lookups import FunctionPlan, lookups_of_join
from pillarbox_codegen.plan.rule_base import Planner


@dataclass(frozen=True, slots=True)
class JoinPlan:
    """The function that makes a cell, and those of its lookups."""

    template: str
    function: str
    doc: str
    parameters: str
    cell_type: str
    prelude: tuple[str, ...]
    #: The condition under which there is no row.
    nothing: tuple[str, ...]
    cell: str
    lookups: tuple[FunctionPlan, ...]


def join_function(table: str) -> str:
    """`inbox__cell(rows, ..)`, in rules: the cell of a join."""
    return f"{table}__cell"


def plan_join(planner: Planner, rule: model.Join) -> JoinPlan:
    """The functions of a join."""
    lookups = lookups_of_join(planner, rule)
    values = tuple(item.expr for item in rule.row)
    scope, prelude = lookups.scope(rule.when, values)
    nothing = () if rule.when is None else (compile_condition(rule.when, scope, opposite=True),)
    texts = [compile_expr(value, scope) for value in values]
    table = planner.table
    if table.layout == "record":
        row_class = planner.imports.use(".types", names.row_class(table.name))
        own = [compile_expr(model.Local(part.name, "field", part.type), scope) for part in table.key]
        fields = [*(part.name for part in table.key), *(field.name for field in table.fields)]
        given = zip(fields, [*own, *texts], strict=True)
        arguments = ", ".join(f"{names.field(field)}={text}" for field, text in given)
        cell, cell_type = f"{row_class}({arguments})", row_class
    else:
        cell, cell_type = planner.cell(texts), "bytes"
    return JoinPlan(
        template="rule_join.j2",
        function=join_function(table.name),
        doc=printing.docstring(f"What `{table.name}` holds under one key.", 4),
        parameters=lookups.parameters(),
        cell_type=f"{cell_type} | None" if nothing else cell_type,
        prelude=prelude,
        nothing=nothing,
        cell=cell,
        lookups=tuple(lookups.functions()),
    )
