"""The parts of a view as Python: one constructor call each.

Depends on: model, expr_python, names, zeros.  Never on: snapshots and modules, which hold the parts.

Law: a part names as its dependencies exactly the earlier parts that its expressions read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_expr, compile_loop, compile_parts, compile_test
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.zeros import zero, zero_row
from pillarbox_codegen.python_code import FALSE, TRUE, Code, Condition, Level, both, printed
from pillarbox_codegen.type_rules import present
from pillarbox_codegen.walk import names_in, nodes

_FOLDS = {"count": "Count", "sum": "Sum", "min": "Min", "max": "Max", "any": "AnyOf", "every": "EveryOf"}


@dataclass(frozen=True, slots=True)
class PartPlan:
    """`local = text`; `shown` where the snapshot has it."""

    name: str
    local: str
    text: str
    shown: bool


@dataclass
class Builder:
    """Writes the parts of one view, in order."""

    schema: model.Schema
    imports: Imports
    scope: Scope
    #: Part -> the class its rows are narrowed to.
    shows: Mapping[str, str]
    #: Part -> its variable.
    locals: dict[str, str] = field(default_factory=dict)
    parts: list[PartPlan] = field(default_factory=list)

    def add(self, part: model.Part) -> None:
        """Write one part; later ones may read it."""
        name = part.common.name
        self._enter(name, self._text(part), shown=part.common.show != ())
        value, type_ = self._value(part)
        bound = self.scope.bind(**{name: f"{self.locals[name]}.{value}"})
        self.scope = replace(bound, declared={**(self.scope.declared or {}), name: type_})

    def _text(self, part: model.Part) -> str:
        """What makes the part."""
        match part:
            case model.GetPart():
                return self.get(part)
            case model.GetEachPart():
                return self.get_each(part)
            case model.ScanPart():
                return self.scan(part)
            case model.WindowPart():
                return self.window(part)
            case model.AggregatePart():
                return self.aggregate(part)

    def _value(self, part: model.Part) -> tuple[str, model.Type]:
        """The attribute that later parts read, and its type."""
        match part:
            case model.GetPart(_, table, _, or_default):
                row = model.RowOf(table)
                return "row", row if or_default else model.Optional(row)
            case model.GetEachPart(_, table):
                return "rows", _mapping(self.schema, table)
            case model.ScanPart() | model.WindowPart():
                return "rows", model.ListOf(model.RowOf(part.rows))
            case model.AggregatePart():
                return "value", part.type

    def _enter(self, name: str, text: str, *, shown: bool) -> str:
        local = self.scope.fresh(name)
        self.locals[name] = local
        self.parts.append(PartPlan(name, local, text, shown))
        return local

    # --------------------------------------------------------------------------------------- parts

    def get(self, part: model.GetPart) -> str:
        table = self.schema.tables[part.table]
        arguments = [f"at=lambda: {self.key(part.common.when, table, part.at)}"]
        if part.or_default:
            key = {
                item.name: self.key_or_zero(item, expr) for item, expr in zip(table.key, part.at, strict=True)
            }
            arguments.append(f"default=lambda: {zero_row(self.schema, self.imports, table, key)}")
        after = self.after("after", part.common.when, part.at)
        return self.call("Get", [self.spec(table.name), *arguments, *self.shown(part), *after])

    def key_or_zero(self, item: model.KeyPart, expr: model.Expr) -> str:
        """A key part of a row that is not there."""
        there, (text,) = compile_parts([expr], self.scope)
        if there == TRUE:
            return text
        otherwise = zero(self.schema, self.imports, item.type)
        return otherwise if there == FALSE else f"{text} if {printed(there).at(Level.OR)} else {otherwise}"

    def get_each(self, part: model.GetEachPart) -> str:
        table = self.schema.tables[part.table]
        arguments = [self.spec(table.name), f"name=lambda row: {self.row_name(table)}"]
        source = self._lone_source(part)
        if source is not None:
            arguments += [
                f"of={self.locals[source]}",
                f"keys=lambda row: {self.keys_of_row(part, table, source)}",
            ]
            others = [expr for expr in part.at if not _is_list(expr)]
            after = self.after("row_after", part.common.when, others)
        else:
            arguments.append(f"at=lambda: {self.all_keys(part, table)}")
            after = self.after("after", part.common.when, part.at)
        return self.call("GetEach", [*arguments, *self.shown(part), *after])

    def _lone_source(self, part: model.GetEachPart) -> str | None:
        """The earlier part whose rows name all the keys, one row at a time."""
        lists = [expr for expr in part.at if _is_list(expr)]
        rest = [expr for expr in part.at if not _is_list(expr)]
        source = _root(lists[0]) if len(lists) == 1 else None
        return None if source is None or source in names_in(tuple(rest)) else source

    def keys_of_row(self, part: model.GetEachPart, table: model.Table, source: str) -> str:
        """The stored keys that one row of another part names: one or none."""
        assert self.scope.declared is not None, "views declare the types of their names"
        rows = self.scope.declared[source]
        assert isinstance(rows, model.ListOf)
        declared = {**self.scope.declared, "row": rows.item}
        scope = replace(self.scope.bind(row="row"), declared=declared)
        exprs = [_of_one_row(expr) if _is_list(expr) else expr for expr in part.at]
        there, texts = compile_parts(exprs, scope)
        condition = both((self.when(part.common.when), there))
        if condition == FALSE:
            return "()"
        key = f"({self.key_text(table, texts)},)"
        return key if condition == TRUE else f"{key} if {printed(condition).at(Level.OR)} else ()"

    def all_keys(self, part: model.GetEachPart, table: model.Table) -> str:
        """The stored keys, as a list."""
        named = list(zip([item.name for item in table.key], part.at, strict=True))
        condition, code = compile_loop(named, self.scope, lambda texts: self.key_text(table, texts))
        return _where_there(code, both((self.when(part.common.when), condition)))

    def row_name(self, table: model.Table) -> str:
        """The key of a row, as callers hold it."""
        fields = [f"row.{names.field(item.name)}" for item in table.key]
        if len(fields) == 1:
            return fields[0]
        return f"{self.imports.use('.keys', names.key_class(table.name))}({', '.join(fields)})"

    def scan(self, part: model.ScanPart) -> str:
        table = self.schema.tables[part.table]
        arguments = [
            self.spec(table.name),
            f"prefix=lambda: {self.prefix(part.common.when, table, part.prefix)}",
        ]
        arguments += self.source(part.table, part.rows)
        if part.newest_first:
            arguments.append("newest_first=True")
        if part.limit is not None:
            arguments.append(f"limit=lambda: {self.number(part, part.limit, 'None')}")
        if part.where is not None:
            arguments.append(f"where=lambda row: {self.of_row(part, part.where)}")
        limit = () if part.limit is None else (part.limit,)
        after = self.after("after", part.common.when, (*part.prefix, *limit))
        row_after = self.after("row_after", None, () if part.where is None else (part.where,))
        return self.call("Scan", [*arguments, *self.shown(part), *after, *row_after])

    def window(self, part: model.WindowPart) -> str:
        table = self.schema.tables[part.table]
        arguments = [
            self.spec(table.name),
            f"prefix=lambda: {self.prefix(part.common.when, table, part.prefix)}",
        ]
        arguments += self.source(part.table, part.rows)
        if part.anchor == "at":
            arguments.append(f"anchor=lambda: {self.key(None, table, (*part.prefix, *part.at))}")
        else:
            arguments.append(f'anchor="{part.anchor}"')
        arguments.append(f"before_max=lambda: {self.number(part, part.before, '0')}")
        arguments.append(f"after_max=lambda: {self.number(part, part.after, '0')}")
        read = (*part.prefix, *part.at, part.before, part.after)
        return self.call(
            "WindowAt", [*arguments, *self.shown(part), *self.after("after", part.common.when, read)]
        )

    def aggregate(self, part: model.AggregatePart) -> str:
        term = "" if part.of is None else f"lambda row: {self.of_row(part, part.of)}"
        fold = f"{self.imports.use('pillarbox.views', _FOLDS[part.function])}({term})"
        terms = tuple(expr for expr in (part.of, part.where) if expr is not None)
        if part.of_table is None:
            return self._aggregate_of_part(part, fold, terms)
        table = self.schema.tables[part.of_table]
        if isinstance(table.rule, model.Index):
            return self._aggregate_of_index(part, table, fold, terms)
        prefix = self.prefix(part.common.when, table, part.prefix)
        arguments = [fold, self.spec(table.name), f"prefix=lambda: {prefix}"]
        if part.where is not None:
            arguments.append(f"where=lambda row: {self.of_row(part, part.where)}")
        after = self.after("after", part.common.when, part.prefix)
        return self.call(
            "Aggregate", [*arguments, *after, *self.after("row_after", None, terms), *self.hidden(part)]
        )

    def _aggregate_of_part(self, part: model.AggregatePart, fold: str, terms: tuple[model.Expr, ...]) -> str:
        assert part.of_part is not None, "an aggregate is of a table or of a part"
        arguments = [fold, self.locals[part.of_part]]
        conditions = [expr for expr in (part.common.when, part.where) if expr is not None]
        if conditions:
            wanted = both(compile_test(expr, self.plain.bind(row="row")) for expr in conditions)
            arguments.append(f"where=lambda row: {printed(wanted, as_value=True).text}")
        row_after = self.after("row_after", part.common.when, terms)
        return self.call("Aggregate", [*arguments, *row_after, *self.hidden(part)])

    def _aggregate_of_index(
        self, part: model.AggregatePart, table: model.Table, fold: str, terms: tuple[model.Expr, ...]
    ) -> str:
        """An index stands for its source rows: a hidden scan holds them."""
        prefix = self.prefix(part.common.when, table, part.prefix)
        assert isinstance(table.rule, model.Index)
        arguments = [
            self.spec(table.name),
            f"prefix=lambda: {prefix}",
            *self.source(table.name, table.rule.source),
        ]
        after = self.after("after", part.common.when, part.prefix)
        scan = self.call("Scan", [*arguments, *after, "hidden=True"])
        rows = self._enter(f"{part.common.name}_rows", scan, shown=False)
        arguments = [fold, rows]
        if part.where is not None:
            arguments.append(f"where=lambda row: {self.of_row(part, part.where)}")
        return self.call("Aggregate", [*arguments, *self.after("row_after", None, terms), *self.hidden(part)])

    # -------------------------------------------------------------------------------------- pieces

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
        return "None" if condition == FALSE else _where_there(Code(self.key_text(table, texts)), condition)

    prefix = key

    def source(self, table: str, rows: str) -> list[str]:
        """The source rows that the rows of an index stand for."""
        if table == rows:
            return []
        function = self.imports.use(".rules", names.source_key_function(table))
        return [f"source={self.spec(rows)}", f"source_key={function}"]

    def shown(self, part: model.Part) -> list[str]:
        name = part.common.name
        if part.common.show:
            fields = [f"{names.field(one)}=row.{names.field(one)}" for one in part.common.show]
            return [f"show=lambda row: {self.shows[name]}({', '.join(fields)})"]
        return self.hidden(part)

    def hidden(self, part: model.Part) -> list[str]:
        return ["hidden=True"] if part.common.show == () else []

    def after(self, word: str, when: model.Expr | None, exprs: Iterable[model.Expr]) -> list[str]:
        """The earlier parts that these read."""
        read = names_in((when, *exprs))
        found = [self.locals[name] for name in self.locals if name in read]
        return [f"{word}=({', '.join(found)}{',' if len(found) == 1 else ''})"] if found else []


def _where_there(code: Code, condition: Condition) -> str:
    if condition in (TRUE, FALSE):
        return code.text if condition == TRUE else "None"
    return f"{code.at(Level.OR)} if {printed(condition).at(Level.OR)} else None"


def _mapping(schema: model.Schema, table: str) -> model.Type:
    key = schema.tables[table].key
    name = key[0].type if len(key) == 1 else model.TupleOf(tuple(part.type for part in key))
    return model.MapOf(name, model.RowOf(table))


def _type_of_row(expr: model.Expr) -> model.Type:
    """The type of `row` in a term that may use it."""
    rows = [node.type for node in nodes(expr) if isinstance(node, model.Local) and node.name == "row"]
    return rows[0] if rows else model.NoneType()


def _is_list(expr: model.Expr) -> bool:
    return isinstance(present(expr.type), model.ListOf)


def _root(expr: model.Expr) -> str | None:
    """The part at the root of a path over its rows."""
    match expr:
        case model.Path(model.Local(name, "part", model.ListOf()), mapped=True):
            return name
        case model.Path(of, mapped=True):
            return _root(of)
        case _:
            return None


def _of_one_row(expr: model.Expr) -> model.Expr:
    """The path of one row out of that over all rows."""
    match expr:
        case model.Path(of, field_name, model.ListOf(item)):
            return model.Path(_of_one_row(of), field_name, item)
        case model.Local(_, _, model.ListOf(item)):
            return model.Local("row", "row", item)
        case _:
            raise TypeError("a path over rows")
