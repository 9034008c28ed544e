"""The tables that steps write.

Depends on: context.  Never on: what is written.
"""

from __future__ import annotations

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.model import Table
from pillarbox_codegen.yaml_nodes import YamlNode


def primary(context: Context, node: YamlNode) -> Table:
    """The primary table a step writes. Raises Invalid after a finding."""
    table = context.table(text_value(node), at_start(node))
    if table.role != "primary":
        hints = {
            "derived": f"write `{table.rule.sources[0]}`; it follows" if table.rule is not None else None,
            "kept": "use the steps of the word that keeps it",
            "cursor": "use the step `set_cursor`",
            "sequence": "it moves by itself where a field has `fill`",
        }
        text = f"`{table.name}` cannot be written by a step"
        raise context.findings.add(node, "read-only", text, hints.get(table.role))
    return table
