"""Plans `rules.py`: for every table that a word keeps, the functions that its maintainer calls.

Depends on: model, rule_base, frame, and a module for each word.  Never on: tables, transactions.
"""

from __future__ import annotations

from typing import TypeAlias

from pillarbox_codegen import model
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Frame
from pillarbox_codegen.plan.kept_list import ListRulePlan, plan_list
from pillarbox_codegen.plan.kept_ranges import SpacesPlan, plan_spaces
from pillarbox_codegen.plan.kept_refs import RefsPlan, plan_refs
from pillarbox_codegen.plan.owned import plan_options
from pillarbox_codegen.plan.rule_base import EntriesPlan, Planner
from pillarbox_codegen.plan.rule_base_of import ShapePlan, plan_anchored, plan_marker
from pillarbox_codegen.plan.rule_count import further_counts, plan_count
from pillarbox_codegen.plan.rule_index import IdentityPlan, plan_index
from pillarbox_codegen.plan.rule_join import JoinPlan, plan_join
from pillarbox_codegen.plan.rule_runs import RunsPlan, plan_runs
from pillarbox_codegen.plan.rule_text import TextPlan, plan_text
from pillarbox_codegen.plan.rule_top import TopPlan, plan_top

RulePlan: TypeAlias = (
    EntriesPlan
    | IdentityPlan
    | TopPlan
    | JoinPlan
    | ListRulePlan
    | SpacesPlan
    | RunsPlan
    | TextPlan
    | RefsPlan
    | ShapePlan
)


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`rules.py`."""
    imports = frame.imports(
        ".rules", {name for table in schema.tables for name in names.rule_functions(table)}
    )
    planners = [Planner(schema, imports, table) for table in schema.tables.values() if table.rule]
    rules = [rule for planner in planners for rule in (plan_rule(planner), *further_counts(planner))]
    text = frame.module(
        doc=f"What the rows of the schema {schema.name!r} mean for its derived tables.",
        imports=imports,
        template="rules.py.j2",
        rules=[*(rule for rule in rules if rule is not None), *plan_options(schema, imports)],
    )
    return {"rules.py": text}


def plan_rule(planner: Planner) -> RulePlan | None:
    """What a word needs of the rows it looks at; None where that is nothing."""
    match planner.table.rule:
        case model.Index() as rule:
            return plan_index(planner, rule)
        case model.Count() as rule:
            return plan_count(planner, rule)
        case model.Top() as rule:
            return plan_top(planner, rule)
        case model.Join() as rule:
            return plan_join(planner, rule)
        case model.Runs() as rule:
            return plan_runs(planner, rule)
        case model.Text() as rule:
            return plan_text(planner, rule)
        case model.Refs() as rule:
            return plan_refs(planner, rule)
        case model.ItemList() as rule:
            return plan_list(planner, rule)
        case model.Ranges() as rule:
            return plan_spaces(planner, rule)
        case model.Marker() as rule:
            return plan_marker(planner, rule)
        case model.AnchoredCount() as rule:
            return plan_anchored(planner, rule)
        case model.Places() | model.SeedMarks() | model.Stale():
            return None
        case None:
            raise AssertionError(f"{planner.table.name} has no rule")


def in_dependency_order(schema: model.Schema) -> list[model.Table]:
    """The tables that a word keeps, each after those it is made from; otherwise in the schema's order."""
    done: dict[str, model.Table] = {}

    def visit(table: model.Table) -> None:
        if table.rule is None or table.name in done:
            return
        for source in table.rule.sources:
            visit(schema.tables[source])
        done[table.name] = table

    for table in schema.tables.values():
        visit(table)
    return list(done.values())
