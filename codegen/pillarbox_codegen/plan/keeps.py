"""Plans what of an old row outlives a write over it: of every write of a table, or of one put.

Depends on: model, expr_python, statements, names.  Never on: tables, steps.

Law: every condition asks the two rows as they were given; what one rule keeps, the next one finds kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_test
from pillarbox_codegen.plan import names
from pillarbox_codegen.python_code import TRUE
from pillarbox_codegen.statements import Line, Statement, branch
from pillarbox_codegen.type_rules import present
from pillarbox_codegen.walk import names_in


def keep(
    rules: Sequence[model.Keep], table: model.Table, scope: Scope, *, old: str, row: str, new: str
) -> list[Statement]:
    """Statements that change the variable `row`; `new` names the row as it was given.

    Both are the same variable at first where no condition is asked after a change. Else `row` need not be set
    before, where the first rule has no condition.
    """
    inner = scope.bind(old=old, new=new)
    found: list[Statement] = []
    for rule in rules:
        now = row if found else new
        changes = ", ".join(
            f"{names.field(kept.field)}={_kept(kept, table, scope, old, now)}" for kept in _merged(rule.kept)
        )
        replace = scope.imports.use("msgspec.structs", "replace")
        change = Line(f"{row} = {replace}({now}, {changes})")
        found += branch(TRUE if rule.when is None else compile_test(rule.when, inner), [change])
    return found


def asks_new_late(rules: Sequence[model.Keep]) -> bool:
    """Whether a condition asks for the row as it was given after a rule may have changed it."""
    return any(rule.when is not None and "new" in names_in(rule.when) for rule in rules[1:])


def _merged(kept: Sequence[model.Kept]) -> list[model.Kept]:
    """Each field once."""
    return list({one.field: one for one in kept}.values())


def _kept(kept: model.Kept, table: model.Table, scope: Scope, old: str, row: str) -> str:
    """The text of the field's new value."""
    name = names.field(kept.field)
    was, now = f"{old}.{name}", f"{row}.{name}"
    match kept:
        case model.KeepField():
            return was
        case model.KeepFlags(_, mask):
            return f"{now} & ~{mask} | {was} & {mask}"
        case model.KeepCase(field, case):
            type_ = present(next(one.type for one in table.fields if one.name == field))
            class_name = scope.imports.use(".types", names.type_class(case))
            if not isinstance(type_, model.ListOf):
                both = f"isinstance({was}, {class_name}) and isinstance({now}, {class_name})"
                return f"{was} if {both} else {now}"
            if isinstance(type_, model.BagOf):
                function = scope.imports.use("pillarbox.codec", "kept_in_bag")
            else:
                function = scope.imports.use("pillarbox.expr", "kept_in_list")
            return f"{function}({was}, {now}, {class_name})"
