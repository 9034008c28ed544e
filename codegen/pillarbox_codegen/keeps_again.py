"""Whether what rows keep of those before them is kept just so when they are put again.

Depends on: model, walk.  Never on: findings, plans.

Law: where no field is named, putting the rows once more, right behind the first time, changes none of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from pillarbox_codegen.model import Binary, Expr, Keep, KeepField, Local, Optional, Path, Scalar, Table
from pillarbox_codegen.walk import fields_used


def kept_otherwise(table: Table, own: Sequence[Keep], *, several: bool, versions: bool = False) -> str | None:
    """The field of the old row by which what is kept may differ the next time; None: there is none.

    `own` is what the put itself keeps, before the table's rules see the row. `several`: rows of one key may
    come one after the other, so that the last of them stands when the first comes again. `versions`: nothing
    but such puts writes rows, and none of them goes.
    """
    rules = [rule for rule in table.upsert if isinstance(rule, Keep)]
    taken = {kept.field for rule in own for kept in rule.kept}
    for rule in rules:
        if rule.when is not None and (mixed := _used(rule.when, "new", table) & taken):
            return min(mixed)
    key = {part.name for part in table.key}
    for rule in (*own, *rules):
        if rule.when is None or (several and versions and _is_version(rule, (*own, *rules), table)):
            continue
        # A condition that holds makes its fields the old ones: it holds again if it asks for no others.
        standing = key | _standing(table, (*own, *rules), None if several else rule.when)
        others = _used(rule.when, "old", table) - standing
        if others:
            return min(others)
    return None


def _is_version(rule: Keep, rules: Sequence[Keep], table: Table) -> bool:
    """Whether a field says which of two rows stands: the greatest, or least, of all that came.

    Once all came it has no greater to come. What is kept with it is then of the last row that has it, or of
    the first, and so the next time. It has an order, and nothing else decides about it: a row that is not let
    raise it, and is kept in part, would be kept otherwise once others have raised it.
    """
    match rule.when:
        case Binary("<" | "<=" | ">" | ">=", Path(Local(one), field, type), Path(Local(other), same)) if {
            one,
            other,
        } == {"old", "new"} and field == same:
            keeping = [known for known in rules for kept in known.kept if kept.field == field]
            whole = any(isinstance(kept, KeepField) and kept.field == field for kept in rule.kept)
            is_ordered = not isinstance(type, Optional) and type != Scalar("float64")
            return is_ordered and whole and len(keeping) == 1 and field not in _made(table)
    return False


def _made(table: Table) -> set[str]:
    """The fields that do not stand as they are given."""
    made = {field.name for field in table.fields if field.computed is not None or field.fill is not None}
    return made | {rule.field for rule in table.upsert if not isinstance(rule, Keep)}


def _used(condition: Expr, name: str, table: Table) -> set[str]:
    fields = fields_used(condition, name)
    return {field.name for field in table.fields} if fields is None else fields


def _standing(table: Table, rules: Sequence[Keep], when: Expr | None) -> set[str]:
    """The fields that are kept whole wherever the condition holds; None: wherever at all."""
    given = [] if when is None else _conjuncts(when)
    return {
        kept.field
        for rule in rules
        if rule.when is None or all(one in given for one in _conjuncts(rule.when))
        for kept in rule.kept
        if isinstance(kept, KeepField)
    } - _made(table)


def _conjuncts(condition: Expr) -> list[Expr]:
    if isinstance(condition, Binary) and condition.op == "and":
        return [*_conjuncts(condition.left), *_conjuncts(condition.right)]
    return [condition]
