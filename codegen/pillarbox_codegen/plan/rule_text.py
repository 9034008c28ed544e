"""Plans the word `text`: the words of a row, and the search for them.

Depends on: model, rule_base.  Never on: other words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import compile_condition, compile_expr
from pillarbox_codegen.plan import hints, names, reserved
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.kept_base import ReadingPlan
from pillarbox_codegen.plan.rule_base import Planner

#: What the search calls its own, and what it calls.
_OWN: Final = reserved.PARAMETERS | {"bits", "mark", "search_for", "text", "wanted"}


@dataclass(frozen=True, slots=True)
class TextPlan:
    """The function from a source row to the cell that holds its words."""

    template: str
    function: str
    doc: str
    row_class: str
    cell_type: str
    nothing: tuple[str, ...]
    cell: str


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """The method of a reader that finds rows by words."""

    #: `, project_id: ProjectId | None = None`, after the star.
    parameters: str
    #: The statements that collect `marks`, and what is handed on.
    marks: tuple[str, ...]
    handed: str
    search_for: str
    key_type: str
    doc: str


def plan_text(planner: Planner, rule: model.Text) -> TextPlan:
    """The words of a row."""
    scope = planner.scope()
    nothing = () if rule.when is None else (compile_condition(rule.when, scope, opposite=True),)
    marked = planner.imports.use("pillarbox.storage", "marked")
    of = compile_expr(rule.of, scope)
    marks = []
    for place, item in enumerate(rule.filters):
        value = compile_expr(item.expr, scope)
        marks.append(marks_text(planner.schema, planner.imports, place, item.expr.type, value))
    words = f"{marked}({of}, [{', '.join(marks)}])" if marks else f"{marked}({of})"
    return TextPlan(
        template="rule_text.j2",
        function=names.text_function(planner.table.name),
        doc=printing.docstring(f"What a row of `{rule.source}` is found by in `{planner.table.name}`.", 4),
        row_class=planner.row_class,
        cell_type=f"{planner.imports.use('pillarbox.tables', 'Cell')} | None" if nothing else "bytes",
        nothing=nothing,
        cell=planner.cell([words]),
    )


def plan_search(schema: model.Schema, imports: Imports, table: model.Table) -> ReadingPlan:
    """The search of an index of words."""
    assert isinstance(table.rule, model.Text)
    given, marks = [], []
    for place, item in enumerate(table.rule.filters):
        parameter = names.safe(item.name, _OWN)
        given.append(f", {parameter}: {hints.annotation(schema, imports, item.expr.type)} | None = None")
        marks += [f"if {parameter} is not None:"]
        marked = marks_text(schema, imports, place, item.expr.type, parameter)
        marks += [f"    wanted += [{marked}]"]
    source = schema.tables[table.rule.source]
    told = "".join(
        f" With `{item.name}`, only rows that have {_every(schema, item)}." for item in table.rule.filters
    )
    doc = (
        f"The stored keys of the rows of `{source.name}` in which all words of a text are, in key order or "
        f"its reverse. The last one may be the beginning of a word. Any text will do; without words it finds "
        f"nothing.{told} The rows are read by `{source.name}.rows_at(..)`."
    )
    search = SearchPlan(
        parameters="".join(given),
        marks=("wanted: list[str] = []", *marks) if marks else (),
        handed="text, wanted" if marks else "text",
        search_for=imports.use("pillarbox.storage", "search_for"),
        key_type=imports.use("pillarbox.storage", "StoredKey"),
        doc=printing.docstring(doc, 8),
    )
    base = f"{imports.use_module('pillarbox.maintainers')}.TextReader"
    return ReadingPlan(base, template="reader_text.j2", word=search)


def _every(schema: model.Schema, item: model.NamedExpr) -> str:
    return "all of its bits" if _is_flags(schema, item.expr.type) else "this value"


def _is_flags(schema: model.Schema, type_: model.Type) -> bool:
    return isinstance(type_, model.Named) and isinstance(schema.types[type_.name], model.FlagsType)


def marks_text(schema: model.Schema, imports: Imports, place: int, type_: model.Type, value: str) -> str:
    """The text of the mark of a value, or of the marks of its bits, as it stands in a list."""
    mark = imports.use("pillarbox.storage", "mark")
    if not _is_flags(schema, type_):
        return f"{mark}({place}, {value})"
    bits = imports.use("pillarbox.expr", "bits")
    return f"*({mark}({place}, bit) for bit in {bits}({value}))"
