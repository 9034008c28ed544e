"""What hangs on the rows of a part, as Python: a nest with a column for each child.

Depends on: model, expr_python, names, view_folds, view_pieces.  Never on: parts of views, which hold nests.

Law: a column names exactly the earlier columns and the parts of the view that its terms read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import compile_expr, compile_loop
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.view_back import back_text
from pillarbox_codegen.plan.view_folds import EMPTY, over_rows
from pillarbox_codegen.plan.view_pieces import Pieces, narrowed, rows_of
from pillarbox_codegen.plan.view_scans import read_by, scan_call, terms_of_scan
from pillarbox_codegen.plan.zeros import zero_row
from pillarbox_codegen.python_code import FALSE, TRUE, Code, Condition, Level, both, printed
from pillarbox_codegen.view_reads import children_read, terms_of
from pillarbox_codegen.view_types import value_type
from pillarbox_codegen.walk import names_in


class Children:
    """Writes the nest of one part; `path` is its name in the view, such as `issues.author`."""

    def __init__(self, view: Pieces, path: str, part: model.Part, *, asked: bool = False) -> None:
        self.view, self.path, self.part = view, path, part
        #: Written for a condition: what the children show does not matter.
        self.asked = asked
        #: What the children hang on, as expressions name it.
        self.subject = "item" if isinstance(part, model.EachPart) else "row"
        held = part.item if isinstance(part, model.EachPart) else model.RowOf(rows_of(part))
        declared = {**(view.scope.declared or {}), self.subject: held}
        scope = replace(view.scope.bind(**{self.subject: self.subject}), declared=declared)
        #: The pieces of expressions over a row and its earlier children.
        self.pieces = replace(view, scope=scope)
        #: Earlier children: their parameters in terms, and their numbers.
        self.parameters: dict[str, str] = {}
        self.numbers: dict[str, int] = {}

    def nest(self) -> str:
        """`Nest([..], name=.., make=..)`"""
        columns = []
        for child in self.part.common.children:
            columns.append(self.column(child))
            self.enter(child)
        name = f"name=lambda {self.subject}: {self._identity()}"
        return self.view.call("Nest", [f"[{', '.join(columns)}]", name, f"make={self._make()}"])

    def enter(self, child: model.Part) -> None:
        """Later children may read this one."""
        name = child.common.name
        self.numbers[name] = len(self.numbers)
        parameter = self.parameters[name] = self.view.scope.fresh(name)
        scope = self.pieces.scope.bind(**{name: parameter})
        declared = {**(scope.declared or {}), name: value_type(self.view.schema.tables, child)}
        self.pieces = replace(self.pieces, scope=replace(scope, declared=declared))

    def _identity(self) -> str:
        if isinstance(self.part, model.EachPart):
            return self._identity_of_item(self.part.item)
        rows = self.view.schema.tables[rows_of(self.part)]
        fields = [f"row.{names.field(part.name)}" for part in rows.key]
        return fields[0] if len(fields) == 1 else printing.tuple_text(fields)

    def _identity_of_item(self, item: model.Type) -> str:
        """A row is told by its key, so that a newer one of it is no other value."""
        if not isinstance(item, model.RowOf):
            return self.subject
        fields = [f"item.{names.field(part.name)}" for part in self.view.schema.tables[item.table].key]
        return fields[0] if len(fields) == 1 else printing.tuple_text(fields)

    def _make(self) -> str:
        """What makes an entry out of the row and all that its columns show."""
        entry = self.view.entries[self.path]
        if self.part.common.show is None:
            return entry
        return f"lambda row, *shown: {entry}({narrowed(self.part, self.view.shows[self.path])}, *shown)"

    def test(self, part: model.Part, where: model.Expr) -> list[str]:
        """The condition over the row and the children that it reads."""
        needs = [str(self.numbers[name]) for name in self._read((where,))]
        return [
            f"{self._lambda((where,))} {self.pieces.of_row(part, where)}",
            f"needs={printing.tuple_text(needs)}",
        ]

    # ------------------------------------------------------------------------------------- columns

    def column(self, child: model.Part) -> str:
        match child:
            case model.GetPart():
                return self._get(child)
            case model.GetEachPart():
                return self._get_each(child)
            case model.ScanPart():
                return self._scan(child)
            case model.RangePart():
                return self._range(child)
            case model.SearchPart():
                return self._found(child)
            case model.AggregatePart():
                return self._aggregate(child)
            case model.ValuePart(_, of):
                return self._term(child.common, compile_expr(of, self.pieces.plain), (of,))
            case model.EachPart(common, items):
                items_of = (
                    f"items={self._lambda((common.when, items))} {self.pieces.listed(common.when, items)}"
                )
                depends = self._depends(common, (common.when, items))
                return self.pieces.call("EachColumn", [items_of, *self._shown(child), *depends])
            case model.WindowPart() | model.ChangesPart() | model.WantedPart():
                raise TypeError("it hangs on no row")

    def _get(self, child: model.GetPart) -> str:
        pieces, table = self.pieces, self.view.schema.tables[child.table]
        read = (child.common.when, *child.at)
        head = self._lambda(read)
        arguments = [pieces.spec(table.name), f"key={head} {pieces.key(child.common.when, table, child.at)}"]
        if child.or_default:
            key = {
                item.name: pieces.key_or_zero(item, expr)
                for item, expr in zip(table.key, child.at, strict=True)
            }
            arguments.append(f"default={head} {zero_row(pieces.schema, pieces.imports, table, key)}")
        return pieces.call("GetColumn", [*arguments, *self._shown(child), *self._depends(child.common, read)])

    def _get_each(self, child: model.GetEachPart) -> str:
        pieces, table = self.pieces, self.view.schema.tables[child.table]
        read = (child.common.when, *child.at, child.over, child.where)
        if child.over is not None:
            code, condition = pieces.keys_of_items(child, table, child.over)
        else:
            code, condition = self._product(child, table)
        keys = code.text
        if condition == FALSE:
            keys = "()"
        elif condition != TRUE:
            keys = f"{code.at(Level.OR)} if {printed(condition).at(Level.OR)} else ()"
        arguments = [
            pieces.spec(table.name),
            f"keys={self._lambda(read)} {keys}",
            f"name=lambda row: {pieces.row_name(table)}",
        ]
        return pieces.call(
            "GetEachColumn", [*arguments, *self._shown(child), *self._depends(child.common, read)]
        )

    def _product(self, child: model.GetEachPart, table: model.Table) -> tuple[Code, Condition]:
        """The stored keys of all combinations, and whether there are any."""
        pieces = self.pieces
        named = list(zip([item.name for item in table.key], child.at, strict=True))
        there, code = compile_loop(named, pieces.scope, lambda texts: pieces.key_text(table, texts))
        return code, both((pieces.when(child.common.when), there))

    def _scan(self, child: model.ScanPart) -> str:
        """What differs from row to row is in the arguments: rows with equal ones share a scan."""
        own = terms_of_scan(self.pieces, child)
        limit_differs = child.limit is not None and bool(
            names_in(child.limit) & {*self.numbers, self.subject}
        )
        asked = [] if child.where is None else self._read((child.where,))
        differing = [own.stretch, *own.bounds, *([("limit", own.limit or "None")] if limit_differs else [])]
        several = len(differing) + len(asked) > 1
        given = self.view.scope.fresh("given" if several else "prefix")
        texts = [text for _, text in differing] + [self.parameters[name] for name in asked]
        of = f"({', '.join(texts)})" if several else texts[0]
        places = [f"{given}[{place}]" if several else given for place in range(len(texts))]
        named = list(zip([word for word, _ in differing], places, strict=False))
        shared = replace(
            own,
            stretch=named[0],
            bounds=tuple(named[1 : 1 + len(own.bounds)]),
            limit=dict(named).get("limit", own.limit),
        )
        view = self._with_given(dict(zip(asked, places[len(differing) :], strict=True)))
        rest = view.condition(child)
        rest += [] if child.common.children else self._shown(child)
        rest += view.after("after", None, () if child.limit is None or limit_differs else (child.limit,))
        rest += asking(view, f"{self.path}.{child.common.name}", child)
        make = f"make=lambda {given}: {scan_call(view, child, shared, rest)}"
        nest = self._shown(child) if child.common.children else []
        read = (child.common.when, *read_by(child if limit_differs else replace(child, limit=None)))
        of = f"of={self._lambda(read, *asked)} {of}"
        depends = self._depends(child.common, read, *asked)
        return self.pieces.call("PartColumn", [of, make, "empty=()", *nest, *depends])

    def _with_given(self, given: Mapping[str, str]) -> Pieces:
        """The pieces of the view, for which values of earlier children have these texts."""
        declared = {**(self.view.scope.declared or {})}
        declared.update({name: (self.pieces.scope.declared or {})[name] for name in given})
        return replace(self.view, scope=replace(self.view.scope.bind(**given), declared=declared))

    def _range(self, child: model.RangePart) -> str:
        prefix = self.view.scope.fresh("prefix")
        own, nest = ([], self._shown(child)) if child.common.children else (self._shown(child), [])
        make = f"make=lambda {prefix}: {self.view.one_range(child, prefix, own)}"
        table = self.view.schema.tables[child.table]
        return self._ranged(child.common, table, child.at, [make, "empty=None", *nest])

    def _found(self, child: model.SearchPart) -> str:
        view, search = self.view, self.view.scope.fresh("search")
        own, nest = ([], self._shown(child)) if child.common.children else (self._shown(child), [])
        own += view.after("after", None, () if child.limit is None else (child.limit,))
        own += view.after("row_after", None, () if child.where is None else (child.where,))
        make = f"make=lambda {search}: {view.matches(child, search, own)}"
        read = (child.common.when, child.match, *(wanted for _, wanted in child.filters))
        of = f"of={self._lambda(read)} {self.pieces.search(child)}"
        depends = self._depends(child.common, read)
        return self.pieces.call("PartColumn", [of, make, "empty=()", *nest, *depends])

    def _aggregate(self, child: model.AggregatePart) -> str:
        view = self.view
        if child.of_table is None:
            assert child.of_part is not None, "an aggregate is of a table or of an earlier child"
            of = next(one for one in self.part.common.children if one.common.name == child.of_part)
            rows = self.parameters[child.of_part]
            rows = f"{rows}.values()" if isinstance(of, model.GetEachPart) else rows
            text = over_rows(self.pieces, child, rows, self.pieces.plain.bind(row="row"))
            return self._term(child.common, text, (child.common.when, child.of, child.where), child.of_part)
        table = view.schema.tables[child.of_table]
        prefix = view.scope.fresh("prefix")
        make = f"make=lambda {prefix}: {view.table_aggregate(child, table, prefix)}"
        return self._ranged(child.common, table, child.prefix, [make, f"empty={EMPTY[child.function]}"])

    def _ranged(
        self, common: model.PartCommon, table: model.Table, prefix: Sequence[model.Expr], rest: list[str]
    ) -> str:
        read = (common.when, *prefix)
        of = f"of={self._lambda(read)} {self.pieces.key(common.when, table, prefix)}"
        return self.pieces.call("PartColumn", [of, *rest, *self._depends(common, read)])

    def _term(
        self, common: model.PartCommon, text: str, read: Iterable[model.Expr | None], *more: str
    ) -> str:
        given = tuple(read)
        depends = self._depends(common, given, *more)
        return self.pieces.call("ValueColumn", [f"{self._lambda(given, *more)} {text}", *depends])

    # -------------------------------------------------------------------------------------- pieces

    def _read(self, exprs: Iterable[model.Expr | None], *more: str) -> list[str]:
        """The earlier children that these read, in order."""
        found = names_in(tuple(exprs)) | set(more)
        return [name for name in self.numbers if name in found]

    def _lambda(self, exprs: Iterable[model.Expr | None], *more: str) -> str:
        given = [self.parameters[name] for name in self._read(exprs, *more)]
        return f"lambda {', '.join([self.subject, *given])}:"

    def _depends(self, common: model.PartCommon, exprs: Iterable[model.Expr | None], *more: str) -> list[str]:
        read, hidden = tuple(exprs), common.show == ()
        needs = [str(self.numbers[name]) for name in self._read(read, *more)]
        return [
            *([f"needs={printing.tuple_text(needs)}"] if needs else []),
            *self.view.after("after", None, [expr for expr in read if expr is not None]),
            *(["hidden=True"] if hidden and not self.asked else []),
        ]

    def _shown(self, child: model.Part) -> list[str]:
        path = f"{self.path}.{child.common.name}"
        if self.asked:
            return []
        if child.common.children:
            return [f"nest={Children(self.view, path, child).nest()}"]
        if child.common.show:
            return [f"show=lambda row: {narrowed(child, self.view.shows[path])}"]
        return []


def asking(
    view: Pieces, path: str, part: model.ScanPart | model.WindowPart, more: Sequence[model.Expr] = ()
) -> list[str]:
    """`where=Where(..)` where the condition reads what hangs on rows, and what of the view rows depend on.

    `more` are other terms over rows. The columns of a condition are its own, and only those that it reads.
    """
    if part.where is None:
        return []
    read = children_read(part.common.children, part.where)
    if not read:
        return view.after("row_after", None, (part.where,))
    asked = [child for child in part.common.children if child.common.name in read]
    writer = Children(view, path, part, asked=True)
    columns = []
    for child in asked:
        columns.append(writer.column(child))
        writer.enter(child)
    ways = [back_text(view, way, part.rows) for way in part.common.back]
    arguments = [
        view.spec(part.rows),
        f"[{', '.join(columns)}]",
        *writer.test(part, part.where),
        f"back=[{', '.join(ways)}]",
    ]
    terms = (part.where, *more, *(term for child in asked for term in terms_of(child)))
    exprs = [expr for expr in terms if expr is not None]
    return [f"where={view.call('Where', arguments)}", *view.after("row_after", None, exprs)]
