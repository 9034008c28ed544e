"""The folds of `top` and of `aggregate`: sums over rows.

Depends on: expr_make (arguments), expr_syntax.  Never on: where the rows come from.

Law: a fold of at least one row has a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from pillarbox_codegen.expr_make import count_arguments
from pillarbox_codegen.expr_syntax import CallNode, Syntax
from pillarbox_codegen.model import Expr, Fold, Type
from pillarbox_codegen.type_rules import BOOL, INT64, NO_ORDER, is_int, ordered, show

if TYPE_CHECKING:
    from pillarbox_codegen.expr_check import ExprChecker

FoldName: TypeAlias = Literal["count", "sum", "min", "max", "any", "every"]
FOLDS: dict[str, FoldName] = {
    "count": "count", "sum": "sum", "min": "min", "max": "max", "any": "any", "every": "every",
}  # fmt: skip


def fold(checker: ExprChecker, name: str, syntax: Syntax) -> Fold:
    """`count(cond)`, `sum(e)`, `min(e)`, `max(e)`, `any(c)` or `every(c)` over rows."""
    if not isinstance(syntax, CallNode) or syntax.function not in FOLDS or syntax.named:
        text = "a fold is a call of `count`, `sum`, `min`, `max`, `any` or `every`"
        raise checker.context.add(syntax.at, "syntax", text, "write `count(condition)` or `max(field)`")
    count_arguments(checker, syntax, 1, 1, f"{syntax.function}(expression)")
    function = FOLDS[syntax.function]
    of, type = folded(checker, function, syntax.arguments[0])
    return Fold(name, function, of, type)


def folded(checker: ExprChecker, function: FoldName, syntax: Syntax) -> tuple[Expr, Type]:
    """The expression of each row, and the type of the fold over rows of which there is at least one."""
    if function in ("count", "any", "every"):
        return checker.check(syntax, BOOL), INT64 if function == "count" else BOOL
    of = checker.infer(syntax)
    if function == "sum":
        of = of if is_int(of.type) else checker.fit(of, INT64, syntax.at)
        return of, INT64
    if not ordered(of.type, checker.context.types):
        raise checker.context.add(syntax.at, "type", f"values of {show(of.type)} have no order", NO_ORDER)
    return of, of.type
