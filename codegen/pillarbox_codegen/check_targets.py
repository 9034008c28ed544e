"""The tables that steps write.

Depends on: context.  Never on: what is written.
"""

from __future__ import annotations

from typing import Final

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.diagnostics import one_of
from pillarbox_codegen.model import AnchoredCount, ItemList, Marker, Ranges, Refs, Stale, Table
from pillarbox_codegen.yaml_nodes import YamlNode

#: The steps of the words that keep tables.
_KEPT: Final[dict[type, tuple[str, ...]]] = {
    AnchoredCount: ("anchor", "remove"),
    ItemList: ("place", "unplace", "reorder", "replace", "remove"),
    Marker: ("anchor", "advance", "remove"),
    Ranges: ("add_range", "cut_range", "remove"),
    Refs: ("hold", "rewrite"),
    Stale: ("mark", "confirm"),
}


def primary(context: Context, node: YamlNode) -> Table:
    """The primary table a step writes. Raises Invalid after a finding."""
    table = context.table(text_value(node), at_start(node))
    if table.role != "primary":
        text = f"`{table.name}` cannot be written by a step"
        raise context.findings.add(node, "read-only", text, _instead(table))
    return table


def _instead(table: Table) -> str | None:
    """How such a table is written."""
    match table.role:
        case "derived" if table.rule is not None:
            return f"write `{table.rule.sources[0]}`; it follows"
        case "cursor":
            return "use the step `set_cursor`, or `remove`"
        case "sequence":
            return "it moves by itself where a field has `fill`"
        case _:
            steps = _KEPT.get(type(table.rule))
            return f"use {one_of(steps)}" if steps else None
