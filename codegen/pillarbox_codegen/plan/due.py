"""Plans what an index with `due` adds to its reader.

Depends on: model, names, kept_base.  Never on: rules.
"""

from __future__ import annotations

from pillarbox_codegen import model
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.kept_base import ReadingPlan


def plan_due(imports: Imports, table: model.Table, rule: model.Index) -> ReadingPlan:
    """`DUE = pillarbox.tables.DueShape(1, reminders_prefix_1, reminders_prefix_2)`."""
    position = [part.name for part in table.key].index(rule.due or "")

    def prefix(length: int) -> str:
        whole = length == len(table.key)
        function = names.key_function(table.name) if whole else names.prefix_function(table.name, length)
        return imports.use(".keys", function)

    group = prefix(position) if position else "None"
    # By its module: the reader of a table `due` has the name of the base.
    module = imports.use_module("pillarbox.tables")
    shape = f"DUE = {module}.DueShape({position}, {group}, {prefix(position + 1)})"
    return ReadingPlan(f"{module}.DueReader", (shape,))
