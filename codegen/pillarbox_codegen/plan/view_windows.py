"""The word `window` as Python: one constructor call, and functions for what it looks at.

Depends on: model, names, statements, view_pieces, view_children (conditions on children), window_kinds.
Never on: other words of views.

Law: a window names as its dependencies exactly the earlier parts that its terms read; a window of one lane
without options is a `WindowAt`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_expr, compile_loop, compile_parts, compile_test
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.clauses import comprehension
from pillarbox_codegen.plan.key_parts import mark_function
from pillarbox_codegen.plan.view_children import asking
from pillarbox_codegen.plan.view_pieces import Pieces, where_there
from pillarbox_codegen.plan.window_kinds import first_lane, is_plain
from pillarbox_codegen.python_code import FALSE, TRUE, Code, Condition, Level, both, negated, printed
from pillarbox_codegen.statements import Branch, Line, Return, Statement, branch, lines_of
from pillarbox_codegen.view_reads import children_read


@dataclass(frozen=True, slots=True)
class WindowText:
    """`text` makes the part; `functions` are lines of statements that stand before it."""

    text: str
    functions: tuple[str, ...] = ()


def window(view: Pieces, part: model.WindowPart) -> WindowText:
    """What makes the part."""
    return WindowText(_one_lane(view, part)) if is_plain(part) else _Lanes(view, part).window()


def _one_lane(view: Pieces, part: model.WindowPart) -> str:
    """`WindowAt(..)`"""
    lane, anchor = part.lanes[0], part.anchors[0]
    assert isinstance(lane, model.Lane)
    table = view.schema.tables[lane.table]
    arguments = [
        view.spec(table.name),
        f"prefix=lambda: {view.prefix(part.common.when, table, lane.prefix)}",
        *view.source(lane.table, part.rows),
    ]
    if anchor.at == "at":
        arguments.append(f"anchor=lambda: {view.key(None, table, (*lane.prefix, *anchor.key))}")
    else:
        arguments.append(f'anchor="{anchor.at}"')
    arguments.append(f"before_max=lambda: {view.number(part, part.before, '0')}")
    arguments.append(f"after_max=lambda: {view.number(part, part.after, '0')}")
    read = (*lane.prefix, *anchor.key, part.before, part.after)
    after = view.after("after", part.common.when, read)
    return view.call("WindowAt", [*arguments, *view.shown(part), *after])


class _Lanes:
    """Writes one window of lanes."""

    def __init__(self, view: Pieces, part: model.WindowPart) -> None:
        self.view, self.part = view, part
        #: Statements of the view's function, indented.
        self.functions: list[str] = []
        self.tables = view.schema.tables
        #: Of terms over a row, in functions of their own.
        declared = {**(view.scope.declared or {}), "row": model.RowOf(part.rows)}
        self.of_row = replace(view.scope.bind(row="row"), declared=declared)
        #: Whether lanes need names, because an anchor is in one of them.
        self.named = part.ids is not None or (part.chain and any(one.at == "at" for one in part.anchors))

    def window(self) -> WindowText:
        """`LaneWindow(..)`"""
        view, part = self.view, self.part
        lanes = self._function("lanes", self._cases())
        anchor = f'"{part.anchors[0].at}"'
        if part.anchors[0].at not in ("newest", "oldest") or part.anchors[0].when is not None:
            anchor = self._function("anchor", self._anchors())
        arguments = [
            view.spec(part.rows),
            f"lanes={lanes}",
            f"anchor={anchor}",
            f"before_max=lambda: {view.number(part, part.before, '0')}",
            f"after_max=lambda: {view.number(part, part.after, '0')}",
            *(["chain=True"] if part.chain else []),
            *self._ids(),
            *self._holes(),
            *self._options(),
            *view.shown(part),
            *view.after("after", part.common.when, self._read()),
            *self._of_rows(),
        ]
        return WindowText(view.call("LaneWindow", arguments), tuple(self.functions))

    def _function(self, what: Literal["lanes", "anchor"], body: Sequence[Statement]) -> str:
        """A function that gives None where the part is not there; its name, or a lambda."""
        there = self.view.when(self.part.common.when)
        whole = (*branch(negated(there), (Return("None"),)), *body)
        match whole:
            case [Return(value)]:
                return f"lambda: {value}"
        if what == "lanes":
            sequence = self.view.imports.use("collections.abc", "Sequence")
            gives = f"{sequence}[{self.view.imports.use('pillarbox.views', 'AnyLane')}]"
        else:
            gives = self.view.imports.use("pillarbox.views", "AnchorAt")
        name = self.view.scope.fresh(f"{self.part.common.name}_{what}")
        self.functions += [*([] if self.functions else [""]), f"    def {name}() -> {gives} | None:"]
        self.functions += [*lines_of(whole, 8), ""]
        return name

    # --------------------------------------------------------------------------------------- lanes

    def _cases(self) -> tuple[Statement, ...]:
        found: list[Statement] = []
        for case in self.part.cases:
            lanes = self._case(case)
            found += lanes if case.when is None else [Branch(self.view.when(case.when), lanes)]
        return tuple(found)

    def _case(self, case: model.WindowCase) -> tuple[Statement, ...]:
        """`return [LaneAt(..), ..]`"""
        if len(case.lanes) == 1:
            lane = case.lanes[0]
            there, code = self._keys_at(lane) if isinstance(lane, model.KeysLane) else self._lane(lane)
            each = isinstance(lane, model.Lane) and lane.each is not None
            return (Return(where_there(code if each else Code(f"[{code.text}]"), there)),)
        items = [self._item(lane) for lane in case.lanes]
        return (Return(f"[{', '.join(items)}]"),)

    def _item(self, lane: model.Lane | model.KeysLane) -> str:
        """One lane, or several, among others of a list."""
        there, code = self._keys_at(lane) if isinstance(lane, model.KeysLane) else self._lane(lane)
        many = isinstance(lane, model.Lane) and lane.each is not None
        if there == TRUE:
            return f"*{code.at(Level.BIT_OR)}" if many else code.text
        text = code.at(Level.OR) if many else f"[{code.text}]"
        return "*()" if there == FALSE else f"*({text} if {printed(there).at(Level.OR)} else ())"

    def _lane(self, lane: model.Lane) -> tuple[Condition, Code]:
        """`LaneAt(..)`, or what gives one for each value."""
        if lane.each is None:
            return self._lane_at(lane, self.view)
        around, (items,) = compile_parts([lane.each], self.view.plain)
        there, at = self._lane_at(lane, replace(self.view, scope=self.view.scope.bind(item="item")))
        condition = "" if there == TRUE else f" if {printed(there).at(Level.OR)}"
        return around, comprehension(self.view.scope, at.text, "item", items, condition)

    def _lane_at(self, lane: model.Lane, pieces: Pieces) -> tuple[Condition, Code]:
        table = self.tables[lane.table]
        there, texts = compile_parts(lane.prefix, pieces.plain)
        arguments = [pieces.spec(lane.table), pieces.key_text(table, texts)]
        arguments += pieces.source(lane.table, self.part.rows)
        match self.part.holes:
            case model.RangeHoles(holes, at) | model.MarkerHoles(holes, at):
                arguments.append(f"holes={pieces.key(None, self.tables[holes], at)}")
        if self.named:
            arguments.append(f"item={self._name_of(lane, texts, pieces)}")
        return there, Code(pieces.call("LaneAt", arguments))

    def _name_of(self, lane: model.Lane, prefix: Sequence[str], pieces: Pieces) -> str:
        """What tells a lane from others: what its ids begin with, or its rows."""
        table = self.tables[lane.table]
        if self.part.ids is None:
            return pieces.key_text(table, prefix)
        texts = dict(zip([item.name for item in table.key], prefix, strict=False))
        ids = self.tables[self.part.ids]
        return pieces.key_text(ids, [texts[item.name] for item in ids.key[: -self._width]])

    @property
    def _width(self) -> int:
        """Of how many parts an id is."""
        return len(self.part.holes.by) if isinstance(self.part.holes, model.RangeHoles) else 1

    def _keys_at(self, lane: model.KeysLane) -> tuple[Condition, Code]:
        """`KeysAt(..)`"""
        view, rows = self.view, self.tables[self.part.rows]
        table = rows if lane.via is None else self.tables[lane.via]
        named = list(zip([item.name for item in table.key], lane.keys, strict=True))
        there, keys = compile_loop(named, view.plain, lambda texts: view.key_text(table, texts))
        arguments = [view.spec(rows.name), f"tuple({keys.text})"]
        if lane.via is not None:
            arguments += [f"via={view.spec(lane.via)}", f"source_key={self._key_through(table, rows)}"]
        return there, Code(view.call("KeysAt", arguments))

    def _key_through(self, via: model.Table, rows: model.Table) -> str:
        """The key of a row that one of `via` leads to."""
        if isinstance(via.rule, model.Index) and via.rule.source == rows.name:
            return self.view.imports.use(".rules", names.source_key_function(via.name))
        key = self.view.key_text(rows, [f"row.{names.field(item.name)}" for item in rows.key])
        return f"lambda row: {key}"

    # ------------------------------------------------------------------------------------- anchors

    def _anchors(self) -> tuple[Statement, ...]:
        found: list[Statement] = []
        for anchor in self.part.anchors:
            given = self._anchor(anchor)
            found += given if anchor.when is None else [Branch(self.view.when(anchor.when), given)]
        return tuple(found)

    def _anchor(self, anchor: model.WindowAnchor) -> tuple[Statement, ...]:
        if anchor.at in ("newest", "oldest"):
            return (Line(f'return "{anchor.at}"'),)
        there, texts = compile_parts(anchor.key, self.view.plain)
        unread = ["unread=True"] if anchor.unread else []
        if anchor.at == "id":
            return self._at_id(there, texts, unread)
        lane = first_lane(self.part)
        if not self.part.chain:
            text = self.view.call("Suffix", [self._rest(texts), *unread, *self._point(texts)])
            return (Return(where_there(Code(text), there)),)
        name = self._name_of(lane, texts[: len(lane.prefix)], self.view)
        rest = self._rest(texts[len(lane.prefix) :])
        point = self._point(texts[len(lane.prefix) :])
        text = self.view.call("Suffix", [rest, *unread, f"lane={name}", *point])
        return (Return(where_there(Code(text), there)),)

    def _point(self, rest: Sequence[str]) -> list[str]:
        """`point=..`, where every lane is in the order of what its holes are over."""
        holes = self.part.holes
        if not isinstance(holes, model.RangeHoles):
            return []
        lanes = [lane for lane in self.part.lanes if isinstance(lane, model.Lane)]
        for lane in lanes:
            if _order(self.tables[lane.table])[len(lane.prefix) :][: len(holes.by)] != holes.by:
                return []
        return [f"point={_joined(rest[: len(holes.by)])}"]

    def _at_id(self, there: Condition, texts: Sequence[str], unread: list[str]) -> tuple[Statement, ...]:
        assert self.part.ids is not None, "an anchor by id has a table of ids"
        ids = self.tables[self.part.ids]
        lane = self.view.scope.fresh("lane")
        named = Line(f"{lane} = {self.view.key_text(ids, texts[: -self._width])}")
        id = _joined(texts[-self._width :])
        text = self.view.call("AtId", [lane, self.view.key_text(ids, texts), id, f"lane={lane}", *unread])
        return (*branch(negated(there), (Return("None"),)), named, Return(text))

    def _rest(self, texts: Sequence[str]) -> str:
        """What follows the prefix of a lane, encoded."""
        lane = first_lane(self.part)
        table = self.tables[lane.table]
        function = names.rest_function(lane.table, len(lane.prefix))
        if not lane.prefix:
            if len(texts) < len(table.key):
                return self.view.key_text(table, texts)
            function = mark_function(self.view.schema, table)
        return f"{self.view.imports.use('.keys', function)}({', '.join(texts)})"

    def _ids(self) -> list[str]:
        """`ids=Ids(..)`"""
        if self.part.ids is None:
            return []
        ids, lane = self.tables[self.part.ids], first_lane(self.part)
        rest = self.tables[lane.table].key[len(lane.prefix) :]
        suffix = self._rest([f"row.{names.field(item.name)}" for item in rest])
        id = _joined([f"row.{names.field(item.name)}" for item in ids.key[-self._width :]])
        arguments = [self.view.spec(ids.name), f"suffix=lambda row: {suffix}", f"id=lambda row: {id}"]
        return [f"ids={self.view.call('Ids', arguments)}"]

    # ------------------------------------------------------------------------------- holes, options

    def _holes(self) -> list[str]:
        match self.part.holes:
            case None:
                return []
            case model.RangeHoles(name, _, by):
                table = self.tables[name]
                edges = [
                    _joined([f"row.{names.field(item.name)}" for item in parts])
                    for parts in (table.fields[: len(by)], table.key[-len(by) :])
                ]
                id = _joined([f"row.{names.field(one)}" for one in by])
                ranges = [self.view.spec(name), f"id_of=lambda row: {id}"]
                ranges.append(f"edges=lambda row: ({', '.join(edges)})")
                return [f"holes={self.view.call('RangeHoles', ranges)}"]
            case model.MarkerHoles(name):
                return [f"holes={self.view.call('MarkerHoles', [self.view.spec(name)])}"]
            case model.BoundaryHole(key):
                there, texts = compile_parts(key, self._apart)
                boundary = where_there(Code(self._rest(texts)), there)
                return [f"holes={self.view.call('Boundary', [f'lambda: {boundary}'])}"]

    @property
    def _apart(self) -> Scope:
        """The scope of a term in a function in which no condition is known to hold."""
        return self.view.scope if self.part.common.when is not None else self.view.plain

    def _options(self) -> Iterator[str]:
        part = self.part
        if part.clip is not None:
            yield f"clip=lambda: {compile_expr(part.clip, self._apart)}"
        if part.distinct is not None:
            yield f"distinct=lambda row: row.{names.field(part.distinct)}"
        if part.expand is not None:
            yield f"expand={self._expand(part.expand)}"
        if part.rank is not None:
            yield f"rank=lambda: {compile_expr(part.rank, self._apart)}"
        if part.want is not None:
            yield f"want={self._want(part.want)}"

    def _expand(self, expand: model.WindowExpand) -> str:
        table = self.tables[expand.table]
        there, texts = compile_parts(expand.prefix, self.of_row)
        prefix = where_there(Code(self.view.key_text(table, texts)), there)
        arguments = [
            self.view.spec(table.name),
            f"prefix=lambda row: {prefix}",
            f"limit={compile_expr(expand.limit, self.view.plain)}",
            *self.view.source(table.name, self.part.rows),
        ]
        if expand.when is not None:
            arguments.append(f"when=lambda: {compile_expr(expand.when, self._apart)}")
        return self.view.call("Expand", arguments)

    def _want(self, want: model.Want) -> str:
        conditions = [one for one in (self.part.common.when, want.when) if one is not None]
        there, (count,) = compile_parts([want.count], self.view.plain)
        condition = both((*(compile_test(one, self.view.plain) for one in conditions), there))
        text = "None" if condition == FALSE else where_there(Code(count), condition)
        return self.view.call("Want", [f'"{want.name}"', f"lambda: {text}"])

    # --------------------------------------------------------------------------------- dependencies

    def _read(self) -> list[model.Expr]:
        """The terms that are no terms over a row."""
        part = self.part
        found: list[model.Expr | None] = [part.before, part.after, part.clip, part.rank]
        for case in part.cases:
            found.append(case.when)
            for lane in case.lanes:
                found += lane.keys if isinstance(lane, model.KeysLane) else (lane.each, *lane.prefix)
        for anchor in part.anchors:
            found += (anchor.when, *anchor.key)
        match part.holes:
            case model.RangeHoles(_, key) | model.MarkerHoles(_, key) | model.BoundaryHole(key):
                found += key
        if part.expand is not None:
            found.append(part.expand.when)
        if part.want is not None:
            found += (part.want.when, part.want.count)
        return [expr for expr in found if expr is not None]

    def _of_rows(self) -> list[str]:
        """The condition on rows, and what terms over rows read besides."""
        view, part = self.view, self.part
        where, expand = part.where, () if part.expand is None else part.expand.prefix
        if where is not None and children_read(part.common.children, where):
            return asking(view, part.common.name, part, expand)
        read = expand if where is None else (where, *expand)
        return [*view.condition(part), *view.after("row_after", None, read)]


def _order(table: model.Table) -> tuple[str | None, ...]:
    """The field of the row shown that each part of the key is, None where it is none or descends."""
    if not isinstance(table.rule, model.Index):
        return tuple(None if part.desc else part.name for part in table.key)
    named = [(one.expr, one.desc) for one in table.rule.key]
    return tuple(
        expr.name if isinstance(expr, model.Local) and expr.kind == "field" and not desc else None
        for expr, desc in named
    )


def _joined(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
