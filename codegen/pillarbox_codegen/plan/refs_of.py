"""Which tables share values, and by what name `rules.py` knows how.

Depends on: model.  Never on: what is made of it.
"""

from __future__ import annotations

from pillarbox_codegen import model


def refs_of(schema: model.Schema, table: model.Table) -> model.Table | None:
    """The table of the values that the rows of this one share."""
    for other in schema.tables.values():
        if isinstance(other.rule, model.Refs) and other.rule.source == table.name:
            return other
    return None


def part_constant(table: model.Table) -> str:
    """`media` -> `MEDIA_PART`, in rules."""
    return f"{table.name.upper()}_PART"
