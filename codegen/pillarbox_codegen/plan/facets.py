"""Plans `facets.py`: for every facet of a union the function that answers it.

Depends on: model, expr_python, zeros, names, hints, frame.  Never on: tables and rules, which call these.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope, compile_expr
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.zeros import zero


@dataclass(frozen=True, slots=True)
class FacetPlan:
    """One function: (condition, text) of the cases that have answers of their own, and that of all others."""

    name: str
    parameter: str
    union: str
    annotation: str
    doc: str
    answers: tuple[tuple[str, str], ...]
    rest: str


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """`facets.py`, where there are any."""
    unions = [union for union in schema.types.values() if isinstance(union, model.UnionType) and union.facets]
    if not unions:
        return {}
    functions = {names.facet_function(union.name, facet.name) for union in unions for facet in union.facets}
    imports = frame.imports(".facets", functions)
    facets = [_plan(schema, imports, union, facet, functions) for union in unions for facet in union.facets]
    text = frame.module(
        doc=f"What values of the unions of the schema {schema.name!r} answer, whatever their case.",
        imports=imports,
        template="facets.py.j2",
        facets=facets,
    )
    return {"facets.py": text}


def _plan(
    schema: model.Schema, imports: Imports, union: model.UnionType, facet: model.Facet, taken: set[str]
) -> FacetPlan:
    base = frozenset({"value", *taken})
    named = set(base)
    fields = {case.name: case.fields for case in union.cases}

    def answer(case: str, expr: model.Expr, taken: set[str]) -> str:
        seen = {field.name: f"value.{names.field(field.name)}" for field in fields[case]}
        return compile_expr(expr, Scope(schema, imports, seen, taken))

    alike: dict[str, list[tuple[str, model.Expr]]] = {}
    for case, expr in facet.of:
        alike.setdefault(answer(case, expr, set(base)), []).append((case, expr))
    answers = []
    for cases in alike.values():
        classes = [imports.use(".types", names.type_class(case)) for case, _ in cases]
        # Once more, as the cases that differ stand in one function and give names of several types.
        answers.append((f"isinstance(value, {' | '.join(classes)})", answer(*cases[0], named)))
    rest = zero(schema, imports, facet.type)
    if rest == "False" and len(answers) == 1 and answers[0][1] == "True":
        rest = answers.pop()[0]
    return FacetPlan(
        name=names.facet_function(union.name, facet.name),
        parameter="value" if answers or "value" in rest else "_value",
        union=imports.use(".types", names.type_class(union.name)),
        annotation=hints.annotation(schema, imports, facet.type),
        doc=printing.docstring(facet.doc or f"`{facet.name}` of any `{union.name}`.", 4),
        answers=tuple(answers),
        rest=rest,
    )
