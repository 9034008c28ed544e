"""Expressions in a form in which two rules can be compared: every name as the row and field it stands for.

Depends on: model.  Never on: syntax, findings.

Law: two expressions of one form have one value for rows of one key, if both are there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TypeAlias

from pillarbox_codegen.model import Expr, Local, Path, Table, With

#: Nested tuples of words, names and values.
Form: TypeAlias = object
#: What does not decide the value: how it is typed, and what typing has found out.
_UNSAID = frozenset({"type", "lifted", "mapped"})


def forms_of(
    rows: Sequence[Table], key: Sequence[str], lookups: Sequence[With], tables: Mapping[str, Table]
) -> dict[str, Form]:
    """Name -> form, for expressions over the row of each table under one key, and over these lookups.

    Of a lone table the names are those of its fields, and its row is `rows`; of several each names its row.
    """
    parts: list[Form] = [("key", part) for part in key]
    found: dict[str, Form] = dict(zip(key, parts, strict=True))
    if len(rows) == 1:
        row = _row(rows[0], parts)
        found |= {field.name: ("field", row, field.name) for field in rows[0].fields} | {"rows": row}
    else:
        found |= {table.name: _row(table, parts) for table in rows}
    for one in lookups:
        looked_up = _row(tables[one.table], [form_of(part, found) for part in one.key])
        found[one.name] = form_of(one.value, found | {one.name: looked_up})
    return found


def _row(table: Table, key: Sequence[Form]) -> Form:
    """The row under a key, with the fields that hold the key."""
    return "row", table.name, tuple(zip((part.name for part in table.key), key, strict=True))


def form_of(node: Expr | object, names: Mapping[str, Form]) -> Form:
    """The form of an expression over these names."""
    match node:
        case Local(name=name):
            return names.get(name, name)
        case Path(of=of, field=field):
            row = form_of(of, names)
            keyed = dict(row[2]) if isinstance(row, tuple) and row[0] == "row" else {}
            return keyed.get(field, ("field", row, field))
        case tuple():
            return tuple(form_of(item, names) for item in node)
        case _ if is_dataclass(node):
            held = (getattr(node, item.name) for item in fields(node) if item.name not in _UNSAID)
            return (type(node).__name__, *(form_of(one, names) for one in held))
        case _:
            return node
