"""What a table's writer looks at beside the row that is put: its identity, and the sequences it fills from.

Depends on: model, touches, refs_of, upserts.  Never on: what is printed.
"""

from __future__ import annotations

from pillarbox_codegen import model
from pillarbox_codegen.plan.refs_of import refs_of
from pillarbox_codegen.plan.upserts import computes
from pillarbox_codegen.touches import identity_of


def put_reads(schema: model.Schema, table: model.Table) -> bool:
    """Whether `put` reads the table first, and `probe` exists."""
    asks = table.owned is not None or table.bound is not None or refs_of(schema, table) is not None
    return (
        asks
        or bool(fills_of(table) or table.upsert or computes(table))
        or identity_of(table, schema.tables) is not None
    )


def sequences_of(table: model.Table) -> list[str]:
    """The sequences that number fields of this table's rows, each once."""
    interning = [field.computed.intern for field in table.fields if field.computed is not None]
    return list(dict.fromkeys([*fills_of(table).values(), *(name for name in interning if name is not None)]))


def fills_of(table: model.Table) -> dict[str, str]:
    """Filled field -> its sequence."""
    fills = {part.name: part.fill for part in table.key if part.fill}
    fills.update({field.name: field.fill for field in table.fields if field.fill})
    return fills
