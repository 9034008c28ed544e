"""Plans the word `count`.

Depends on: model, rule_base.  Never on: other words.
"""

from __future__ import annotations

from dataclasses import replace

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import compile_expr
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.rule_base import EntriesPlan, Planner


def further_counts(planner: Planner) -> list[EntriesPlan]:
    """The functions of a count for the sources after its first."""
    rule = planner.table.rule
    plans = []
    for count in rule.further if isinstance(rule, model.Count) else ():
        planner.source = planner.schema.tables[count.source]
        plans.append(replace(plan_count(planner, count), function=sums_of(planner.table.name, count.source)))
    return plans


def sums_of(table: str, source: str) -> str:
    """`totals__orders_sums(row)`, in rules: what a row of a further source adds."""
    return f"{table}__{source}_sums"


def plan_count(planner: Planner, rule: model.Count | model.AnchoredCount) -> EntriesPlan:
    """The function of a count, of its first source."""
    planner.imports.use("pillarbox.storage", "StoredKey")
    scope, before, clauses = planner.clauses(rule.each, rule.when)
    sums = printing.tuple_text([compile_expr(sum_.expr, scope) for sum_ in rule.sums])
    entry = f"({planner.key(rule.group, scope)}, {sums})"
    return EntriesPlan(
        template="rule_entries.j2",
        function=names.sums_function(planner.table.name),
        doc=printing.docstring(
            f"What a row of `{rule.source}` adds to the groups of `{planner.table.name}`.", 4
        ),
        row_class=planner.row_class,
        entry="tuple[int, ...]",
        before=before,
        entries=f"[{entry}{clauses}]",
        source_key=None,
    )
