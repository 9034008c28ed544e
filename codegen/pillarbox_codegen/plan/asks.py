"""Requests as Python text.

Depends on: model, expr_python, names.  Never on: when they are asked.
"""

from __future__ import annotations

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.steps import arguments_text


def asked_text(asked: model.Asked, scope: Scope) -> str:
    """`GetPeople(ids=..)`."""
    return f"{asked_class(asked, scope)}({arguments_text(asked.arguments, scope)})"


def asked_class(asked: model.Asked, scope: Scope) -> str:
    """`GetPeople`, which makes the request where it has no arguments."""
    return scope.imports.use(".requests", names.wire_class(asked.request))
