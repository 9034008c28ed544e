"""Pieces of parts as Python: keys, prefixes, conditions, dependencies.

Depends on: model, expr_python, names, hints, zeros.  Never on: any word of a view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_expr, compile_parts, compile_test
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.clauses import comprehension
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.rule_text import marks_text
from pillarbox_codegen.plan.zeros import zero
from pillarbox_codegen.python_code import FALSE, TRUE, Code, Condition, Level, both, printed
from pillarbox_codegen.type_rules import row_of
from pillarbox_codegen.view_reads import children_read
from pillarbox_codegen.walk import names_in, nodes

FOLDS: Final = {
    "count": "Count", "sum": "Sum", "min": "Min", "max": "Max", "any": "AnyOf", "every": "EveryOf",
}  # fmt: skip


def _listed_marks(marks: Sequence[tuple[Condition, str]]) -> str:
    """A list of those whose condition holds."""
    if len(marks) == 1 and marks[0][0] != TRUE:
        (asked, mark) = marks[0]
        return f"[{mark}] if {printed(asked).at(Level.OR)} else []"
    items = [
        mark if asked == TRUE else f"*([{mark}] if {printed(asked).at(Level.OR)} else [])"
        for asked, mark in marks
    ]
    return f"[{', '.join(items)}]"


@dataclass
class Pieces:
    """What expressions of views are made with."""

    schema: model.Schema
    imports: Imports
    scope: Scope
    #: Path of a part, such as `issues.author` -> the class its rows are narrowed to, and that of its entries.
    shows: Mapping[str, str]
    entries: Mapping[str, str]
    #: Part of the view -> its variable.
    locals: dict[str, str] = field(default_factory=dict)

    def call(self, word: str, arguments: Sequence[str]) -> str:
        return f"{self.imports.use('pillarbox.views', word)}({', '.join(arguments)})"

    def spec(self, table: str) -> str:
        return f"{self.imports.use_module('.specs')}.{names.constant(table)}"

    @property
    def plain(self) -> Scope:
        """The scope of expressions in which conditions further out count."""
        return replace(self.scope, declared=None)

    def when(self, expr: model.Expr | None) -> Condition:
        return TRUE if expr is None else compile_test(expr, self.plain)

    def beside(self, part: model.Part, expr: model.Expr) -> Scope:
        """The scope of an expression that stands in another function than the part's `when`.

        What that proves is not proven here: values that it speaks of may be absent.
        """
        apart = part.common.when is not None and names_in(part.common.when) & names_in(expr)
        return self.scope if apart else self.plain

    def of_row(self, part: model.Part, expr: model.Expr) -> str:
        """A term over `row`."""
        scope = self.beside(part, expr)
        if scope.declared is not None:
            scope = replace(scope, declared={**scope.declared, "row": _type_of_row(expr)})
        return compile_expr(expr, scope.bind(row="row"))

    def number(self, part: model.Part, expr: model.Expr, otherwise: str) -> str:
        """A number; what stands for it where it is absent, and nothing is read."""
        there, (text,) = compile_parts([expr], self.beside(part, expr))
        return text if there == TRUE else f"{text} if {printed(there).at(Level.OR)} else {otherwise}"

    def key_text(self, table: model.Table, texts: Sequence[str]) -> str:
        """The stored key, or what the stored keys begin with if some parts are not given."""
        if not texts and table.key:
            return 'b""'
        whole = len(texts) == len(table.key)
        function = names.key_function(table.name) if whole else names.prefix_function(table.name, len(texts))
        return f"{self.imports.use('.keys', function)}({', '.join(texts)})"

    def key(self, when: model.Expr | None, table: model.Table, parts: Iterable[model.Expr]) -> str:
        """A stored key or prefix; None where the condition does not hold or a part is absent."""
        condition = self.when(when)
        there, texts = compile_parts(parts, self.plain)
        condition = both((condition, there))
        return "None" if condition == FALSE else where_there(Code(self.key_text(table, texts)), condition)

    prefix = key

    def key_of_item(self, part: model.GetEachPart, table: model.Table, item: str) -> tuple[Condition, str]:
        """The stored key of one item of a list, and whether it has one."""
        scope = self.plain.bind(item=item)
        asked = TRUE if part.where is None else compile_test(part.where, scope)
        there, texts = compile_parts(part.at, scope)
        return both((self.when(part.common.when), asked, there)), self.key_text(table, texts)

    def keys_of_items(
        self, part: model.GetEachPart, table: model.Table, over: model.Expr
    ) -> tuple[Code, Condition]:
        """The stored keys of all items, and whether there is a list."""
        item = self.scope.fresh("item")
        there, (items,) = compile_parts([over], self.plain)
        condition, key = self.key_of_item(replace(part, common=replace(part.common, when=None)), table, item)
        asked = "" if condition == TRUE else f" if {printed(condition).at(Level.OR)}"
        return comprehension(self.scope, key, item, items, asked), both((self.when(part.common.when), there))

    def source(self, table: str, rows: str) -> list[str]:
        """The source rows that the rows of an index stand for."""
        if table == rows:
            return []
        function = self.imports.use(".rules", names.source_key_function(table))
        return [f"source={self.spec(rows)}", f"source_key={function}"]

    def shown(self, part: model.Part) -> list[str]:
        if part.common.children:
            return ["hidden=True"]
        if part.common.show:
            return [f"show=lambda row: {narrowed(part, self.shows[part.common.name])}"]
        return self.hidden(part)

    def hidden(self, part: model.Part) -> list[str]:
        return ["hidden=True"] if part.common.show == () else []

    def after(self, word: str, when: model.Expr | None, exprs: Iterable[model.Expr]) -> list[str]:
        """The earlier parts that these read."""
        found = self.after_parts(when, exprs)
        return [f"{word}=({', '.join(found)}{',' if len(found) == 1 else ''})"] if found else []

    def after_parts(self, when: model.Expr | None, exprs: Iterable[model.Expr]) -> list[str]:
        """The variables of the earlier parts that these read."""
        read = names_in((when, *exprs))
        return [self.locals[name] for name in self.locals if name in read]

    def key_or_zero(self, item: model.KeyPart, expr: model.Expr) -> str:
        """A key part of a row that is not there."""
        there, (text,) = compile_parts([expr], self.scope)
        if there == TRUE:
            return text
        otherwise = zero(self.schema, self.imports, item.type)
        return otherwise if there == FALSE else f"{text} if {printed(there).at(Level.OR)} else {otherwise}"

    def listed(self, when: model.Expr | None, items: model.Expr) -> str:
        """The values of a list; None where the condition does not hold or the list is absent."""
        there, (text,) = compile_parts([items], self.plain)
        return where_there(Code(text), both((self.when(when), there)))

    def search(self, part: model.SearchPart) -> str:
        """What is looked for; None where nothing is."""
        there, (words,) = compile_parts([part.match], self.plain)
        rule = self.schema.tables[part.table].rule
        assert isinstance(rule, model.Text)
        marks = []
        for place, wanted in part.filters:
            asked, (value,) = compile_parts([wanted], self.plain)
            mark = marks_text(self.schema, self.imports, place, rule.filters[place].expr.type, value)
            if asked != FALSE:
                marks.append((asked, mark))
        given = f"{words}, {_listed_marks(marks)}" if marks else words
        call = Code(f"{self.imports.use('pillarbox.storage', 'search_for')}({given})")
        return where_there(call, both((self.when(part.common.when), there)))

    def matches(self, part: model.SearchPart, search: str, rest: Sequence[str]) -> str:
        """The rows that a search finds, of which `search` is the text."""
        arguments = [self.spec(part.table), f"search=lambda: {search}", f"source={self.spec(part.rows)}"]
        best = ["by_relevance=True"] if part.by_relevance else []
        return self.call("Matches", [*arguments, *best, *self.search_options(part), *rest])

    def row_name(self, table: model.Table) -> str:
        """The key of a row, as callers hold it."""
        fields = [f"row.{names.field(item.name)}" for item in table.key]
        if len(fields) == 1:
            return fields[0]
        return f"{self.imports.use('.keys', names.key_class(table.name))}({', '.join(fields)})"

    def condition(self, part: model.ScanPart | model.SearchPart | model.WindowPart) -> list[str]:
        """The condition on rows, unless it reads what hangs on them."""
        if part.where is None or children_read(part.common.children, part.where):
            return []
        return [f"where=lambda row: {self.of_row(part, part.where)}"]

    def search_options(self, part: model.SearchPart) -> list[str]:
        """Order, limit and condition."""
        found = ["newest_first=True"] if part.newest_first else []
        if part.limit is not None:
            found.append(f"limit=lambda: {self.number(part, part.limit, 'None')}")
        return [*found, *self.condition(part)]

    def one_range(self, part: model.RangePart, prefix: str, rest: Sequence[str]) -> str:
        """The range at one end of what `prefix` is the text of."""
        end = ["newest_first=True"] if part.pick == "latest" else []
        return self.call("First", [self.spec(part.table), f"prefix=lambda: {prefix}", *end, *rest])

    def table_aggregate(self, part: model.AggregatePart, table: model.Table, prefix: str) -> str:
        """A fold over the rows of a table whose keys begin with what `prefix` is the text of."""
        arguments = [self.fold(part), self.spec(table.name), f"prefix=lambda: {prefix}"]
        if part.where is not None:
            arguments.append(f"where=lambda row: {self.of_row(part, part.where)}")
        terms = tuple(expr for expr in (part.of, part.where) if expr is not None)
        return self.call("Aggregate", [*arguments, *self.after("row_after", None, terms)])

    def fold(self, part: model.AggregatePart) -> str:
        """`Count()`, `Sum(lambda row: ..)`"""
        term = "" if part.of is None else f"lambda row: {self.of_row(part, part.of)}"
        return f"{self.imports.use('pillarbox.views', FOLDS[part.function])}({term})"


def narrowed(part: model.Part, shown: str) -> str:
    """What a snapshot shows of `row`."""
    fields = [f"{names.field(one)}=row.{names.field(one)}" for one in part.common.show or ()]
    return f"{shown}({', '.join(fields)})"


def value_annotation(schema: model.Schema, imports: Imports, part: model.Part, row: str) -> str:
    """The type of what a part shows, whose rows are shown as `row`."""
    match part:
        case model.GetPart(_, _, _, or_default):
            return row if or_default else f"{row} | None"
        case model.RangePart():
            return f"{row} | None"
        case model.GetEachPart(_, table):
            imports.use("collections.abc", "Mapping")
            return f"Mapping[{hints.key_annotation(schema, imports, schema.tables[table])}, {row}]"
        case model.ScanPart() | model.SearchPart() | model.EachPart() | model.ChangesPart():
            return f"tuple[{row}, ...]"
        case model.WantedPart():
            return f"frozenset[{imports.use('pillarbox.views', 'Hole')}]"
        case model.WindowPart():
            entry = f"{row} | {imports.use('pillarbox.views', 'Gap')}" if part.shows_gaps else row
            return f"{imports.use('pillarbox.views', 'Window')}[{entry}]"
        case model.AggregatePart() if part.common.show:
            return f"{row} | None" if part.of is None else f"tuple[{row}, ...]"
        case model.AggregatePart():
            return hints.annotation(schema, imports, part.type)
        case model.ValuePart(_, of):
            return hints.annotation(schema, imports, of.type)


def rows_of(part: model.Part) -> str:
    """The table whose rows a part has."""
    match part:
        case model.GetPart(_, table) | model.GetEachPart(_, table) | model.RangePart(_, table):
            return table
        case model.ChangesPart(_, table):
            return table
        case model.ScanPart() | model.WindowPart() | model.SearchPart():
            return part.rows
        case model.AggregatePart(function="first", type=type_):  # of rows, one or many
            return row_of(type_)
        case model.AggregatePart() | model.ValuePart() | model.EachPart() | model.WantedPart():
            raise TypeError("a part without rows")


def where_there(code: Code, condition: Condition) -> str:
    if condition in (TRUE, FALSE):
        return code.text if condition == TRUE else "None"
    return f"{code.at(Level.OR)} if {printed(condition).at(Level.OR)} else None"


def _type_of_row(expr: model.Expr) -> model.Type:
    """The type of `row` in a term that may use it."""
    rows = [node.type for node in nodes(expr) if isinstance(node, model.Local) and node.name == "row"]
    return rows[0] if rows else model.NoneType()
