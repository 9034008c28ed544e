"""The parts of a view as Python: one constructor call each.

Depends on: model, expr_python, view_pieces, view_children, view_windows.  Never on: snapshots and
modules, which hold parts.

Law: a part names as its dependencies exactly the earlier parts that its expressions read.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import compile_expr, compile_loop, compile_parts, compile_test
from pillarbox_codegen.plan import hints
from pillarbox_codegen.plan.view_children import Children, asking
from pillarbox_codegen.plan.view_folds import over_entries, over_rows
from pillarbox_codegen.plan.view_pieces import Pieces, narrowed, value_annotation, where_there
from pillarbox_codegen.plan.view_scans import read_by, scan_call, terms_of_scan
from pillarbox_codegen.plan.view_windows import window
from pillarbox_codegen.plan.zeros import zero_row
from pillarbox_codegen.printing import literal, tuple_text
from pillarbox_codegen.python_code import FALSE, TRUE, Condition, Level, both, printed
from pillarbox_codegen.type_rules import INT64, present
from pillarbox_codegen.view_types import value_type
from pillarbox_codegen.walk import names_in

#: Parts that know which rows came and which went, of those that are lists.
_HOLDING = (model.ScanPart, model.WindowPart, model.SearchPart)
#: The attribute of a part that later ones read; `rows` of those that have several.
_READ = {
    model.GetPart: "row",
    model.RangePart: "row",
    model.AggregatePart: "value",
    model.ValuePart: "value",
    model.EachPart: "items",
}


@dataclass(frozen=True, slots=True)
class PartPlan:
    """`local = text`; `shown` where the snapshot has it."""

    name: str
    local: str
    text: str
    shown: bool
    #: `: Entries[..]`, where the text does not tell.
    annotation: str = ""
    #: Statements that stand before.
    before: tuple[str, ...] = ()
    held: bool = False


@dataclass
class Builder(Pieces):
    """Writes the parts of one view, in order."""

    parts: list[PartPlan] = field(default_factory=list)
    #: The parts by name, and the variables of their entries.
    made: dict[str, model.Part] = field(default_factory=dict)
    entry_locals: dict[str, str] = field(default_factory=dict)
    #: Statements that stand before the next part.
    before: list[str] = field(default_factory=list)

    def add(self, part: model.Part) -> None:
        """Write one part; later ones may read it."""
        name = part.common.name
        made = len(self.parts)
        self.made[name] = part
        if isinstance(part, model.EachPart):
            self._add_each(part)
        elif part.common.children:
            self._add_entries(part)
        elif isinstance(part, model.AggregatePart) and part.common.show:
            self._add_first(part)
        else:
            self._enter(name, self._text(part), shown=part.common.show != ())
        if part.common.held:
            self.parts[made:] = [replace(one, held=True) for one in self.parts[made:]]
        if isinstance(part, model.ChangesPart | model.WantedPart):
            return  # Nothing reads it.
        bound = self.scope.bind(**{name: f"{self.locals[name]}.{_READ.get(type(part), 'rows')}"})
        declared = {**(self.scope.declared or {}), name: value_type(self.schema.tables, part)}
        self.scope = replace(bound, declared=declared)

    def _add_entries(self, part: model.Part) -> None:
        """A hidden part, and one that shows its rows with their children."""
        name = part.common.name
        rows = self._enter(f"{name}_rows", self._text(part), shown=False)
        self.locals[name] = self.locals.pop(f"{name}_rows")
        nest = Children(self, name, part).nest()
        annotation = value_annotation(self.schema, self.imports, part, self.entries[name])
        local = self.entry_locals[name] = self.scope.fresh(name)
        self.parts.append(
            PartPlan(name, local, self.call("Entries", [rows, nest]), True, f": Entries[{annotation}]")
        )

    def _add_first(self, part: model.AggregatePart) -> None:
        """The first rows, hidden, and what of them is shown."""
        name = part.common.name
        whole = replace(part, common=replace(part.common, show=()))
        rows = self._enter(f"{name}_whole", self._text(whole), shown=False)
        self.locals[name] = self.locals.pop(f"{name}_whole")
        one = narrowed(part, self.shows[name])
        text = f"tuple([{one} for row in {rows}.value])"
        if part.of is None:
            text = f"{one} if (row := {rows}.value) is not None else None"
        local = self.scope.fresh(name)
        self.parts.append(
            PartPlan(name, local, self.call("Value", [f"lambda: {text}", f"after=({rows},)"]), True)
        )

    def _add_each(self, part: model.EachPart) -> None:
        """Values with their children."""
        name = part.common.name
        items = f"lambda: {self.listed(part.common.when, part.items)}"
        after = self.after("after", part.common.when, (part.items,))
        text = self.call("Each", [items, Children(self, name, part).nest(), *after])
        each = self.imports.use("pillarbox.views", "Each")
        item = hints.annotation(self.schema, self.imports, part.item)
        self.entry_locals[name] = self._enter(
            name, text, shown=True, annotation=f": {each}[{item}, {self.entries[name]}]"
        )

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
                made = window(self, part)
                self.before += made.functions
                return made.text
            case model.RangePart():
                return self.range(part)
            case model.SearchPart():
                return self.found(part)
            case model.AggregatePart():
                return self.aggregate(part)
            case model.ValuePart(_, of):
                after = self.after("after", None, (of,))
                term = f"lambda: {compile_expr(of, self.plain)}"
                return self.call("Value", [term, *after, *self.hidden(part)])
            case model.ChangesPart():
                return self.changes(part)
            case model.WantedPart(_, want):
                return self.call("Wanted", [literal(want)])
            case model.EachPart():
                raise TypeError("values have no part but that of their children")

    def _enter(self, name: str, text: str, *, shown: bool, annotation: str = "") -> str:
        local = self.scope.fresh(name)
        self.locals[name] = local
        self.parts.append(PartPlan(name, local, text, shown, annotation, tuple(self.before)))
        self.before.clear()
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

    def changes(self, part: model.ChangesPart) -> str:
        table = self.schema.tables[part.table]
        prefix = self.prefix(part.common.when, table, part.prefix)
        arguments = [self.spec(table.name), f"prefix=lambda: {prefix}"]
        if part.kind != "any":
            arguments.append(f"kind={literal(part.kind)}")
        if part.where is not None:
            arguments.append(f"where=lambda row: {self.of_row(part, part.where)}")
        after = self.after("after", part.common.when, part.prefix)
        row_after = self.after("row_after", None, () if part.where is None else (part.where,))
        return self.call("Changes", [*arguments, *self.shown(part), *after, *row_after])

    def get_each(self, part: model.GetEachPart) -> str:
        table = self.schema.tables[part.table]
        arguments = [self.spec(table.name), f"name=lambda row: {self.row_name(table)}"]
        if hints.is_int_key(self.schema, table):
            arguments.append("by_key=True")
        source = self._lone_source(part)
        if source is not None:
            arguments += [
                f"of={self.locals[source]}",
                f"keys=lambda row: {self.keys_of_row(part, table, source)}",
            ]
            others = [expr for expr in (part.where, *part.at) if expr is not None and not _is_list(expr)]
            after = self.after("row_after", part.common.when, others)
        elif part.over is not None:
            arguments.append(f"at=lambda: {where_there(*self.keys_of_items(part, table, part.over))}")
            read = [expr for expr in (part.over, part.where, *part.at) if expr is not None]
            after = self.after("after", part.common.when, read)
        else:
            arguments.append(f"at=lambda: {self.all_keys(part, table)}")
            after = self.after("after", part.common.when, part.at)
        return self.call("GetEach", [*arguments, *self.shown(part), *after])

    def _lone_source(self, part: model.GetEachPart) -> str | None:
        """The earlier part whose rows name all the keys, one row at a time."""
        if part.over is not None:
            source = part.over.name if isinstance(part.over, model.Local) else None
        else:
            lists = [expr for expr in part.at if _is_list(expr)]
            source = _root(lists[0]) if len(lists) == 1 else None
            if source in names_in(tuple(expr for expr in part.at if not _is_list(expr))):
                return None
        return source if source is not None and isinstance(self.made.get(source), _HOLDING) else None

    def keys_of_row(self, part: model.GetEachPart, table: model.Table, source: str) -> str:
        """The stored keys that one row of another part names: one or none."""
        if part.over is not None:
            condition, text = self.key_of_item(part, table, "row")
        else:
            condition, text = self._key_of_row(part, table, source)
        if condition == FALSE:
            return "()"
        key = f"({text},)"
        return key if condition == TRUE else f"{key} if {printed(condition).at(Level.OR)} else ()"

    def _key_of_row(self, part: model.GetEachPart, table: model.Table, source: str) -> tuple[Condition, str]:
        """The stored key that one row names by paths over all of them, and whether it has one."""
        assert self.scope.declared is not None, "views declare the types of their names"
        rows = self.scope.declared[source]
        assert isinstance(rows, model.ListOf)
        declared = {**self.scope.declared, "row": rows.item}
        scope = replace(self.scope.bind(row="row"), declared=declared)
        exprs = [_of_one_row(expr) if _is_list(expr) else expr for expr in part.at]
        there, texts = compile_parts(exprs, scope)
        return both((self.when(part.common.when), there)), self.key_text(table, texts)

    def all_keys(self, part: model.GetEachPart, table: model.Table) -> str:
        """The stored keys, as a list."""
        named = list(zip([item.name for item in table.key], part.at, strict=True))
        condition, code = compile_loop(named, self.scope, lambda texts: self.key_text(table, texts))
        return where_there(code, both((self.when(part.common.when), condition)))

    def scan(self, part: model.ScanPart) -> str:
        after = self.after("after", part.common.when, read_by(part))
        asked = asking(self, part.common.name, part)
        rest = [*self.condition(part), *self.shown(part), *after, *asked]
        return scan_call(self, part, terms_of_scan(self, part), rest)

    def range(self, part: model.RangePart) -> str:
        prefix = self.prefix(part.common.when, self.schema.tables[part.table], part.at)
        after = self.after("after", part.common.when, part.at)
        return self.one_range(part, prefix, [*self.shown(part), *after])

    def found(self, part: model.SearchPart) -> str:
        limit = () if part.limit is None else (part.limit,)
        asked = tuple(wanted for _, wanted in part.filters)
        after = self.after("after", part.common.when, (part.match, *asked, *limit))
        row_after = self.after("row_after", None, () if part.where is None else (part.where,))
        return self.matches(part, self.search(part), [*self.shown(part), *after, *row_after])

    def aggregate(self, part: model.AggregatePart) -> str:
        if part.deep or part.function == "first":
            return self._aggregate_anew(part)
        fold = self.fold(part)
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

    def _aggregate_anew(self, part: model.AggregatePart) -> str:
        """A term over rows, worked out when they moved."""
        exprs = [expr for expr in (part.of, part.where) if expr is not None]
        after = set(self.after_parts(part.common.when, exprs))
        if part.of_part is None:
            assert part.of_table is not None, "an aggregate is of a table or of a part"
            scan = self.scan(_scanned(self.schema, part))
            rows = self._enter(f"{part.common.name}_rows", scan, shown=False)
            one = "next(iter({}.rows), None)" if part.of is None else "{}.rows"
            return self.call("Value", [f"lambda: {one.format(rows)}", f"after=({rows},)", *self.hidden(part)])
        of = self.made[part.of_part]
        if part.deep:
            local = self.entry_locals[part.of_part]
            text = over_entries(self, part, of, local)
        else:
            local = self.locals[part.of_part]
            rows = f"{local}.in_order()" if isinstance(of, model.GetEachPart) else f"{local}.rows"
            text = over_rows(self, part, rows, self.plain.bind(row="row"))
        order = [f"*{local}.after", f"*{local}.row_after"] if isinstance(of, model.GetEachPart) else []
        depends = [local, *[one for one in self.locals.values() if one in after - {local}], *order]
        after_text = f"after={tuple_text(depends)}"
        return self.call("Value", [f"lambda: {text}", after_text, *self.hidden(part)])

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


def _scanned(schema: model.Schema, part: model.AggregatePart) -> model.ScanPart:
    """The hidden scan of as many rows as are wanted."""
    assert part.of_table is not None, "of a table"
    rule = schema.tables[part.of_table].rule
    rows = rule.source if isinstance(rule, model.Index) else part.of_table
    limit = model.Literal_(1, INT64) if part.of is None else part.of
    common = replace(part.common, show=())
    return model.ScanPart(common, part.of_table, rows, part.prefix, False, limit, part.where)


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
