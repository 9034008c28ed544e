"""What `holes` calls the parts of a hole, besides those of its group.

Depends on: model.  Never on: checks, plans.
"""

from __future__ import annotations

from typing import Final

from pillarbox_codegen.model import HoleWay, Ranges, Table

#: Whether a range is asked for in this way.
WAYS: Final[tuple[HoleWay, ...]] = ("up", "down", "around")


def edge_names(table: Table) -> list[str]:
    """What follows `lo` and `hi`: nothing, or `_PART` for each part of an id of several."""
    assert isinstance(table.rule, Ranges)
    uppers = table.key[-len(table.rule.over) :]
    return [part.name.removeprefix("upper") for part in uppers]
