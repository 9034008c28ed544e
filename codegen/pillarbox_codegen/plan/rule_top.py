"""Plans the word `top`.

Depends on: model, rule_base.  Never on: other words.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import compile_expr
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.folds import fold_text
from pillarbox_codegen.plan.key_parts import part_code
from pillarbox_codegen.plan.rule_base import Planner


@dataclass(frozen=True, slots=True)
class TopPlan:
    """A TopShape and the functions it names."""

    template: str
    table: str
    constant: str
    first: int
    row_class: str
    #: Conditions under which a row takes no part.
    nothing: tuple[str, ...]
    key_type: str
    group: str
    prefixes: str
    order: str
    #: Statements before `folded`, and the cell out of `rows`.
    fold: tuple[str, ...]
    folded: str
    #: Where the order of the first row is stored: the target row, its order, the function's name.
    target_row: str
    stored_order: tuple[str, ...]
    stored_name: str


def plan_top(planner: Planner, rule: model.Top) -> TopPlan:
    """The shape of a top, and the functions it names."""
    planner.imports.use_all("typing", ["Any", "Final"])
    planner.imports.use("collections.abc", "Sequence")
    planner.imports.use("pillarbox.maintainers", "TopShape")
    scope = planner.scope()
    group = [f"row.{names.field(part)}" for part in rule.group]
    function = planner.imports.use(".keys", names.key_function(planner.table.name))
    values = [[compile_expr(value, scope) for value in across.values] for across in rule.across]
    nothing = tuple(
        f"row.{names.field(across.part)} not in {printing.tuple_text(texts)}"
        for across, texts in zip(rule.across, values, strict=True)
    )
    fold, folded = _fold(planner, rule)
    parts = {part.name: part for part in planner.source.key}
    order = [_ordered(planner, parts[name]) for name in rule.order]
    stored = not rule.folds
    specs = planner.imports.use_module(".specs") if stored else ""
    return TopPlan(
        template="rule_top.j2",
        table=planner.table.name,
        constant=names.constant(planner.table.name),
        first=rule.first,
        row_class=planner.row_class,
        nothing=nothing,
        key_type=f"{planner.key_type} | None" if nothing else planner.key_type,
        group=f"{function}({', '.join(group)})",
        prefixes=printing.tuple_text(
            [_prefix(planner, [*group, *fixed]) for fixed in itertools.product(*values)]
        ),
        order=printing.tuple_text(order),
        fold=fold,
        folded=folded,
        target_row=f"{specs}.{names.row_function(planner.table.name)}(key, cell)" if stored else "",
        stored_order=(printing.tuple_text(order),) if stored else (),
        stored_name=f"_{planner.table.name}_stored_order" if stored else "None",
    )


def _prefix(planner: Planner, parts: Sequence[str]) -> str:
    if not parts:
        return 'b""'
    function = planner.imports.use(".keys", names.prefix_function(planner.source.name, len(parts)))
    return f"{function}({', '.join(parts)})"


def _ordered(planner: Planner, part: model.KeyPart) -> str:
    """What compares as the part does in the source's keys."""
    value = f"row.{names.field(part.name)}"
    code = part_code(planner.schema, planner.source, part)
    if not part.desc:
        return value
    if code.format:
        return f"-{value}"
    planner.imports.use_all("pillarbox.codec", ["escape", "invert"])
    return f"invert(escape({value}{'.encode()' if code.text else ''}))"


def _fold(planner: Planner, rule: model.Top) -> tuple[tuple[str, ...], str]:
    """Statements, and the cell of the first rows of a group, of which there is at least one."""
    if rule.folds:
        return (), planner.cell([_folded(planner, fold) for fold in rule.folds])
    scope = planner.scope()
    rest = [part for part in planner.source.key if part.name not in rule.group]
    values = [f"row.{names.field(part.name)}" for part in rest]
    values += [compile_expr(value.expr, scope) for value in rule.value]
    return ("row = rows[0]",), planner.cell(values)


def _folded(planner: Planner, fold: model.Fold) -> str:
    counts = fold.function == "count"
    of, where = (None, fold.of) if counts else (fold.of, None)
    return fold_text(fold.function, of, where, planner.scope("row", "rows"), "rows", some=True)
