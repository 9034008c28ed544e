"""Plans `holes.py`: how what views miss is asked for, and what the answers prove.

Depends on: model, asks, hole_changes, hole_stored, emissions, expr_python, names, hints, frame.
Never on: what views are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope, compile_expr, compile_test
from pillarbox_codegen.hole_names import WAYS, edge_names
from pillarbox_codegen.plan import emissions, hints, names
from pillarbox_codegen.plan.asks import asked_text
from pillarbox_codegen.plan.frame import Frame, Imports
from pillarbox_codegen.plan.hole_changes import note_lines, spoiling_text
from pillarbox_codegen.plan.hole_stored import GIVEN, bounds_of, local, rows_text, stored_lines
from pillarbox_codegen.plan.protocol_writer import Bodies, spreading
from pillarbox_codegen.plan.steps import arguments_text, taken_names
from pillarbox_codegen.python_code import TRUE
from pillarbox_codegen.reads import parameter
from pillarbox_codegen.statements import Line, Statement, branch, lines_of, with_lines
from pillarbox_codegen.walk import names_in

_SYNC = "pillarbox.sync.hole_specs"


@dataclass(frozen=True, slots=True)
class FunctionPlan:
    """A function of the module."""

    name: str
    parameters: str
    result: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HolesPlan:
    """The holes of one name: functions, and the text of what they are handed in as."""

    name: str
    functions: tuple[FunctionPlan, ...]
    #: Operations that may write the rows, of which no more is said; as a constant, if any.
    spoiling: str | None
    arguments: tuple[str, ...]


def outputs(schema: model.Schema, frame: Frame, bodies: Bodies) -> dict[str, str]:
    """The module, where anything is fetched."""
    if not schema.holes:
        return {}
    imports = frame.imports(".holes")
    imports.use_all("typing", ["Any", "Final"])
    imports.use("collections.abc", "Mapping")
    imports.use_all(_SYNC, ["Asking", "HoleSpec"])
    plans = [_Planner(schema, imports, rule, bodies).plan() for rule in schema.holes]
    text = frame.module(
        doc=f"How what views of the schema {schema.name!r} miss is fetched.",
        imports=imports,
        template="holes.py.j2",
        holes=plans,
    )
    return {"holes.py": text}


class _Planner:
    """Plans one entry."""

    def __init__(self, schema: model.Schema, imports: Imports, rule: model.HoleRule, bodies: Bodies) -> None:
        self.bodies = bodies
        self.schema = schema
        self.imports = imports
        self.rule = rule
        self.table = schema.tables[rule.table]
        self.functions: list[FunctionPlan] = []
        self.group = [part.name for part in self.table.key[: self._width()]]

    def _width(self) -> int:
        if self.rule.width is not None:
            return self.rule.width
        assert isinstance(self.table.rule, model.Ranges)
        return len(self.table.key) - len(self.table.rule.over)

    def plan(self) -> HolesPlan:
        rule = self.rule
        arguments = [
            printing.literal(rule.name),
            self.edges() if rule.width is not None else self.ranges(),
            self.ask(),
            f"{{{', '.join(map(self.page, rule.pages))}}}",
        ]
        every = tuple(range(len(self.group)))
        if rule.one_per != every or rule.width is not None:
            at = "hole.at" if rule.width is None else "hole.start"
            parts = printing.tuple_text([f"{at}[{place}]" for place in rule.one_per])
            arguments.append(f"one_per=lambda hole: {parts}")
        if rule.guards:
            arguments.append(f"guards={self.guards()}")
        arguments.append(f"notes={self.notes()}")
        if rule.limits:
            limits = ", ".join(f"{name}={value}" for name, value in rule.limits)
            arguments.append(f"limits={self.imports.use(_SYNC, 'HoleLimits')}({limits})")
        if rule.highest_first:
            arguments.append("highest_first=True")
        spoiling = spoiling_text(self.imports, rule)
        return HolesPlan(rule.name, tuple(self.functions), spoiling, tuple(arguments))

    # ------------------------------------------------------------------------------------- the table

    def ranges(self) -> str:
        assert isinstance(self.table.rule, model.Ranges)
        name = self.imports.use(_SYNC, "RangeStore")
        table = f"tx.{names.table_attribute(self.table.name)}"
        several = len(self.table.rule.over) > 1
        id, low, high = ("*id", "*low", "*high") if several else ("id", "low", "high")
        first, last = bounds_of(self.schema, self.table)
        has = f"lambda tx, at, id: {table}.covers(*at, {id})"
        cut = f"lambda tx, at, low, high: {table}.cut_range(*at, {low}, {high})"
        return f"{name}({has}, {cut}, {first}, {last}{self._stored()})"

    def _stored(self) -> str:
        """The function that tells which rows are stored, as an argument; nothing where none does."""
        rule = self.rule.stored
        if rule is None:
            return ""
        sequence = self.imports.use("collections.abc", "Sequence")
        parameters = (
            f"tx: {self._tx()}, at: tuple[Any, ...], low: Any, high: Any, limit: int | None, descending: bool"
        )
        lines = stored_lines(self.schema, self.imports, self.table, self.group, rule)
        return f", {self._function('stored', parameters, f'{sequence}[Any]', lines)}"

    def edges(self) -> str:
        name = self.imports.use(_SYNC, "EdgeStore")
        table, key = self.table, [part.name for part in self.table.key]
        attribute = f"tx.{names.table_attribute(table.name)}"
        stored = self.imports.use(".keys", names.key_function(table.name))
        of = ", ".join(f"row.{names.field(part)}" for part in key)
        move = self._function("move", f"tx: {self._tx()}, key: tuple[Any, ...], rest: Any", "None", [
            f"{attribute}.remove(*key)", "if rest is not None:", f"    {attribute}.put(rest)",
        ])  # fmt: skip
        assert self.rule.order is not None
        order = self.schema.tables[self.rule.order]
        prefix = names.prefix_methods(order)[len(self.group) - 1]
        under = ", ".join(f"key[{place}]" for place in range(len(self.group)))
        own = ", ".join(f"row.{names.field(part.name)}" for part in order.key)
        below = self._function("below", f"tx: {self._tx()}, key: Any", "Any", [
            f"rows = tx.{names.table_attribute(order.name)}"
            f".{prefix}({under}, newest_first=True, before=key, limit=1)",
            f"return next(({stored}({own}) for row in rows), None)",
        ])  # fmt: skip
        prefix = names.prefix_methods(table)[len(self.group) - 1]
        start = self.imports.use(".keys", names.key_class(table.name))
        rest = ", ".join(f"rest.{names.field(part)}" for part in key)
        lowest = self._function("lowest", f"tx: {self._tx()}, key: Any, rest: Any", "Any", [
            f"rows = {attribute}.{prefix}({under}, after={start}({rest}), before=key, limit=1)",
            f"return next((({of}) for row in rows), None)",
        ])  # fmt: skip
        return (
            f"{name}(mark=lambda tx, key: {attribute}.get(*key), move={move}, "
            f"key=lambda row: {stored}({of}), below={below}, lowest={lowest}, width={len(self.group)})"
        )

    def _tx(self) -> str:
        return self.imports.use(".transaction", "Transaction")

    # ------------------------------------------------------------------------------------ the request

    def ask(self) -> str:
        rule = self.rule
        request = self.imports.use(".requests", "Request")
        used = (rule.ways, tuple((ask.when, ask.ask) for ask in rule.asks))
        scope, lines = self.scope(used)
        scope = replace(scope, table=lambda name: f"tx.{names.table_attribute(name)}")
        if rule.ways:
            way = self.imports.use(_SYNC, "Way")
            words = (f"if asking.way is {way}.UP:", f"elif asking.way is {way}.DOWN:", "else:")
            for word, (_, named) in zip(words, rule.ways, strict=True):
                lines.append(word)
                lines += [f"    {local(it.name)} = {compile_expr(it.expr, scope)}" for it in named]
            scope = scope.bind(**{it.name: local(it.name) for it in rule.ways[0][1]})
        for ask in rule.asks:
            test = TRUE if ask.when is None else compile_test(ask.when, scope)
            text = "None" if ask.ask is None else asked_text(ask.ask, scope)
            lines += lines_of(branch(test, [Line(f"return {text}")]))
        result = f"{request} | None" if any(ask.ask is None for ask in rule.asks) else request
        return self._function("ask", f"tx: {self._tx()}, asking: Asking", result, lines)

    def scope(self, used: object, hidden: Iterable[str] = ()) -> tuple[Scope, list[str]]:
        """The names of a hole, and the lines that give those that are used; `hidden` are named otherwise."""
        texts = self._texts()
        seen = names_in(used) - set(hidden)
        lines = [f"{local(name)}{of} = {text}" for name, (of, text) in texts.items() if name in seen]
        taken = taken_names(self.schema) | GIVEN
        return Scope(self.schema, self.imports, {name: local(name) for name in texts}, taken), lines

    def _texts(self) -> dict[str, tuple[str, str]]:
        """Name -> the annotation that it needs, and its value."""
        texts = {"limit": ("", "asking.limit"), "half": ("", "asking.limit // 2")}
        parts = self.table.key[: len(self.group)] if self.rule.width is None else self.table.key
        of = {part.name: self._annotated(part.type) for part in parts}
        of |= {field.name: self._annotated(field.type) for field in self.table.fields}
        if self.rule.width is not None:
            texts |= {name: (type, f"asking.mark.{names.field(name)}") for name, type in of.items()}
            return texts
        endings = edge_names(self.table)
        uppers = self.table.key[-len(endings) :]
        for edge in ("lo", "hi"):
            for place, (ending, part) in enumerate(zip(endings, uppers, strict=True)):
                several = f"[{place}]" if len(endings) > 1 else ""
                texts[f"{edge}{ending}"] = self._annotated(part.type), f"asking.{edge}{several}"
        way = self.imports.use(_SYNC, "Way")
        texts |= {word: ("", f"asking.way is {way}.{word.upper()}") for word in WAYS}
        at = {name: (of[name], f"asking.hole.at[{place}]") for place, name in enumerate(self.group)}
        return texts | at

    def _annotated(self, type: model.Type) -> str:
        return f": {hints.annotation(self.schema, self.imports, type)}"

    # --------------------------------------------------------------------------------------- a page

    def page(self, page: model.HolePage) -> str:
        """`Answer: PageRule(..)`."""
        answer = hints.annotation(self.schema, self.imports, page.answer)
        kept = self.imports.use("msgspec.structs", "replace")
        row = {"row": "row"}
        alone = Scope(self.schema, self.imports, row, {"row", "answer"})
        ids = [compile_expr(part, alone) for part in page.id]
        field = names.field(page.rows)
        given = {
            "rows": f"lambda answer: answer.{field}",
            "keep": f"lambda answer, rows: {kept}(answer, {field}=tuple(rows))",
            "id": f"lambda row: {ids[0] if len(ids) == 1 else printing.tuple_text(ids)}",
            "emit": self._emit(page),
        }
        if page.whole is not None:
            covers = self.imports.use(_SYNC, "Covers")
            given["covers"] = self._whole(page, page.whole, covers)
        if page.belongs is not None:
            of = hints.annotation(self.schema, self.imports, model.RowOf(page.of))
            scope, lines = self._answer_scope(page, page.belongs)
            lines.append(f"return {compile_expr(page.belongs, scope.bind(row='row'))}")
            given["belongs"] = self._function(
                f"{page.answer.name}_belongs", f"{self._given(page)}, row: {of}", "bool", lines
            )
        if page.as_of is not None:
            own = Scope(self.schema, self.imports, self._fields(page), {"answer"})
            given["as_of"] = f"lambda answer: {compile_expr(page.as_of, own)}"
        if page.rest is not None:
            given["rest"] = self._rest(page, page.rest)
        if page.joins is not None:
            given["joins"] = self._joins(page, page.joins)
        if page.absent:
            given["absent"] = self._absent(page)
        rule = self.imports.use(_SYNC, "PageRule")
        return f"{answer}: {rule}({', '.join(f'{name}={text}' for name, text in given.items())})"

    def _fields(self, page: model.HolePage) -> dict[str, str]:
        assert self.schema.protocol is not None
        wire = self.schema.protocol.wire(page.answer)
        return {field.name: f"answer.{names.field(field.name)}" for field in wire.fields}

    def _emit(self, page: model.HolePage) -> str:
        scope, lines = self._answer_scope(page, page.emits)
        # A list of a large union takes long to check.
        if page.body is None:
            lines += emissions.listed(page.emits, scope, "Any")
            return self._function(
                f"{page.answer.name}_emit", f"_tx: {self._tx()}, {self._given(page)}", "list[Any]", lines
            )
        whole = self._body(page, page.body)
        if page.emits:
            emitted = scope.fresh("emitted")
            statements = emissions.statements_of(page.emits, scope, lambda text: f"{emitted}.append({text})")
            lines += [f"{emitted}: list[Any] = {whole}", *lines_of(statements), f"return {emitted}"]
        else:
            lines.append(f"return {whole}")
        return self._function(
            f"{page.answer.name}_emit", f"tx: {self._tx()}, {self._given(page)}", "list[Any]", lines
        )

    def _body(self, page: model.HolePage, body: str) -> str:
        """All that the body of an answer stands for, as the tables are."""
        function = self.imports.use(".bodies", self.bodies[body, page.answer.name, ""])
        spread, emit, standing = spreading(self.schema, self.imports)
        return f'{spread}({function}(answer, b""), {emit}, {standing}(tx))'

    def _answer_scope(self, page: model.HolePage, used: object) -> tuple[Scope, list[str]]:
        fields = self._fields(page)
        scope, lines = self.scope(used, fields)
        return scope.bind(**fields), lines

    def _given(self, page: model.HolePage) -> str:
        return f"asking: Asking, answer: {hints.annotation(self.schema, self.imports, page.answer)}"

    def _whole(self, page: model.HolePage, whole: model.Expr, covers: str) -> str:
        scope, lines = self._answer_scope(page, whole)
        test = compile_test(whole, scope)
        lines += lines_of(branch(test, [Line(f"return {covers}.ASKED")]))
        if test != TRUE:
            lines.append(f"return {covers}.REACHED")
        return self._function(f"{page.answer.name}_covers", self._given(page), covers, lines)

    def _joins(self, page: model.HolePage, joins: model.Expr) -> str:
        row = hints.annotation(self.schema, self.imports, model.RowOf(page.of))
        taken = taken_names(self.schema) | {"row", "tx"}
        scope = Scope(self.schema, self.imports, {"row": "row"}, taken)
        scope = replace(scope, table=lambda name: f"tx.{names.table_attribute(name)}")
        lines = [f"return {compile_expr(joins, scope)}"]
        return self._function(f"{page.answer.name}_joins", f"tx: {self._tx()}, row: {row}", "bool", lines)

    def _absent(self, page: model.HolePage) -> str:
        scope, lines = self._answer_scope(page, page.absent)
        rows, stored = "absent", self.rule.stored
        assert stored is not None
        assert isinstance(self.table.rule, model.Ranges)
        if len(self.table.rule.over) > 1:
            rows = scope.fresh("rows")
            lines.append(f"{rows} = {rows_text(self.schema, self.imports, self.group, stored, 'asking')}")
        lines += emissions.listed(page.absent, scope.bind(absent=rows), "Any")
        answer, asking = parameter("answer", lines), parameter("asking", lines)
        tx = "tx" if rows != "absent" else "_tx"
        kind = hints.annotation(self.schema, self.imports, page.answer)
        parameters = f"{tx}: {self._tx()}, {asking}: Asking, {answer}: {kind}, absent: tuple[Any, ...]"
        return self._function(f"{page.answer.name}_absent", parameters, "list[Any]", lines)

    def _rest(self, page: model.HolePage, rest: model.HoleRest) -> str:
        scope, lines = self._answer_scope(page, (rest.when, rest.row))
        row = self.imports.use(".types", names.row_class(self.table.name))
        test = TRUE if rest.when is None else compile_test(rest.when, scope)
        lines += lines_of(branch(test, [Line(f"return {row}({arguments_text(rest.row, scope)})")]))
        if test != TRUE:
            lines.append("return None")
        return self._function(f"{page.answer.name}_rest", self._given(page), f"{row} | None", lines)

    # ------------------------------------------------------------------------------- what may change

    def guards(self) -> str:
        guard = self.imports.use(_SYNC, "Guard")
        hole = self.imports.use("pillarbox.views", "Hole")
        start = "hole.at" if self.rule.width is None else "hole.start"
        taken = taken_names(self.schema) | {"hole", "guards"}
        group = {name: f"{start}[{place}]" for place, name in enumerate(self.group)}
        scope = Scope(self.schema, self.imports, group, taken)
        statements: list[Statement] = []
        for one in self.rule.guards:
            table = self.schema.tables[one.cursor]
            part = [field.name for field in table.fields].index(one.part)
            key = emissions.key_text(one.cursor, one.key, scope)
            test = TRUE if one.when is None else compile_test(one.when, scope)
            statements += branch(test, [Line(f"(({table.id}, {key}), {part})")])
        if all(isinstance(statement, Line) for statement in statements):
            lines = [f"return [{', '.join(lines_of(statements))}]"]
        else:
            added = with_lines(statements, lambda text: f"guards.append({text})")
            lines = [f"guards: list[{guard}] = []", *lines_of(added), "return guards"]
        return self._function("guards", f"hole: {hole}", f"list[{guard}]", lines)

    def notes(self) -> str:
        note = self.imports.use(_SYNC, "Note")
        lines = note_lines(self.schema, self.imports, self.rule)
        return self._function("notes", "operation: Any", f"list[{note}] | None", lines)

    def _function(self, name: str, parameters: str, result: str, lines: Sequence[str]) -> str:
        full = f"_{self.rule.name}_{name}"
        self.functions.append(FunctionPlan(full, parameters, result, tuple(lines)))
        return full
