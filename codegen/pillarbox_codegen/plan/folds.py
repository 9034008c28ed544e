"""Folds over rows as Python text: `sum(1 for row in rows if row.open)`.

Depends on: model, expr_python.  Never on: what the rows are of.
"""

from __future__ import annotations

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_condition, compile_expr, compile_test
from pillarbox_codegen.python_code import TRUE, Level, printed


def fold_text(
    function: str,
    of: model.Expr | None,
    where: model.Expr | None,
    scope: Scope,
    rows: str,
    *,
    some: bool = False,
    target: str = "row",
) -> str:
    """The value over `rows`, of which `target` is one, known to `scope`.

    A minimum over nothing is None; `some`: there are rows, and all count.
    """
    test = TRUE if where is None else compile_test(where, scope)
    wanted = "" if test == TRUE else f" if {printed(test).at(Level.OR)}"
    if of is None:
        return f"sum(1 for {target} in {rows}{wanted})" if wanted else f"len({rows})"
    if function in ("any", "every"):
        name = "any" if function == "any" else "all"
        return f"{name}({compile_condition(of, scope)} for {target} in {rows}{wanted})"
    value = compile_expr(of, scope)
    clauses = f"for {target} in {rows}{wanted}"
    if isinstance(of.type, model.Optional):
        found = scope.fresh("found")
        clauses += f" if ({found} := {value}) is not None"
        value, some = found, False
    if function == "sum" or some:
        return f"{function}({value} {clauses})"
    return f"{function}(({value} {clauses}), default=None)"
