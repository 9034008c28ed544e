"""Plans the word `runs`.

Depends on: model, rule_base, ranges_of.  Never on: other words.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import compile_expr
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.ranges_of import range_of
from pillarbox_codegen.plan.rule_base import Planner


@dataclass(frozen=True, slots=True)
class RunsPlan:
    """A RunsShape and the functions it names."""

    template: str
    table: str
    shape: str
    constant: str
    longest: int
    row_class: str
    range: str
    same: str
    cell: str
    #: The row of `key` and `cell`, and the stored key of the first row that it names.
    target_row: str
    first_type: str
    first: str


def plan_runs(planner: Planner, rule: model.Runs) -> RunsPlan:
    """The shape of runs, and the functions it names."""
    planner.imports.use_all("typing", ["Any", "Final"])
    shape = planner.imports.use("pillarbox.maintainers", "RunsShape")
    source, table = planner.source, planner.table
    group = [f"row.{names.field(part)}" for part in rule.group]
    rest = [part.name for part in source.key if part.name not in rule.group]
    specs = planner.imports.use_module(".specs")
    function = planner.imports.use(".keys", names.key_function(source.name))
    first = [*group, *(f"row.{names.field(f'first_{name}')}" for name in rest)]
    return RunsPlan(
        template="rule_runs.j2",
        table=table.name,
        shape=shape,
        constant=names.constant(table.name),
        longest=rule.longest,
        row_class=planner.row_class,
        range=range_of(planner.imports, source, group),
        same=compile_expr(rule.same, planner.scope()),
        cell=planner.cell([f"row.{names.field(name)}" for name in rest]),
        target_row=f"{specs}.{names.row_function(table.name)}(key, cell)",
        first_type=planner.key_type,
        first=f"{function}({', '.join(first)})",
    )
