"""The clauses of a comprehension: `for row in rows if row.open for label in row.labels`.

Depends on: model, expr_python, names.  Never on: what is made of the items.

Law: no list that a clause goes over gives a name by `:=`, which Python does not allow there.
"""

from __future__ import annotations

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_clause, compile_items
from pillarbox_codegen.expr_python_scope import gone_over
from pillarbox_codegen.plan import names
from pillarbox_codegen.python_code import Code, in_clause


def comprehension(scope: Scope, element: str, target: str, items: str, condition: str = "") -> Code:
    """`[element for target in items if condition]`"""
    return gone_over(scope, items, lambda listed: f"[{element} for {target} in {listed}{condition}]", "[]")


class Clauses:
    """Said one behind the other; `scope` has the variables of those that were."""

    def __init__(self, scope: Scope, *first: str) -> None:
        self.scope = scope
        #: Statements that have to come before.
        self.before: list[str] = []
        self._clauses = list(first)

    @property
    def text(self) -> str:
        """All of them, as they stand behind the element."""
        return "".join(f" {clause}" for clause in self._clauses)

    def over(self, variable: model.EachVar) -> None:
        """Go over a list."""
        items = compile_items(variable.items, self.scope)
        listed = self._named(items) if ":=" in items else in_clause(items)
        name = self.scope.fresh(names.local(variable.name))
        self._clauses.append(f"for {name} in {listed}")
        self.scope = self.scope.bind(**{variable.name: name})

    def where(self, condition: model.Expr) -> None:
        """Leave out where it does not hold."""
        self._clauses.append(f"if {compile_clause(condition, self.scope)}")

    def _named(self, items: str) -> str:
        """The name of a list. In a condition an empty one leaves out what gives nothing anyway."""
        name = self.scope.fresh("items")
        if self._clauses:
            self._clauses.append(f"if ({name} := {items})")
        else:
            self.before.append(f"{name} = {items}")
        return name
