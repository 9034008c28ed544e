"""What the plans of `protocol.py` share: its functions, the names they see, and calls of many arguments.

Depends on: model, brings, emissions, expr_python, printing, names, hints.  Never on: what a function is for.

Law: a call that is too long for a line has its arguments on lines of their own, as the formatter has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Final, TypeAlias

from pillarbox_codegen import model, printing
from pillarbox_codegen.expr_python import Scope, compile_code, compile_expr, compile_test
from pillarbox_codegen.plan import hints, names
from pillarbox_codegen.plan.around import WAS, carriers, looked, row_function
from pillarbox_codegen.plan.brings import brought_functions, fields_of, of_each
from pillarbox_codegen.plan.emissions import key_text, statements_of
from pillarbox_codegen.plan.frame import Imports
from pillarbox_codegen.plan.steps import taken_names
from pillarbox_codegen.python_code import TRUE, Level, negated, printed
from pillarbox_codegen.statements import (
    Line,
    Statement,
    branch,
    comprehension,
    lines_of,
    with_lines,
)
from pillarbox_codegen.walk import names_in

#: Functions that `protocol.py` imports.
_IMPORTED: Final = frozenset(
    {"advance", "beside", "brings", "claim", "emit", "needs", "replay", "row_at", "spread", "standing"}
    | {
        f"{verb}_{of}"
        for verb in ("decode", "encode")
        for of in ("answer", "container", "operation", "request")
    }
)


@dataclass(frozen=True, slots=True)
class FunctionPlan:
    name: str
    parameters: str
    result: str
    doc: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConstantPlan:
    """A constant, whose value may take several lines."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """`opening items closing`."""

    opening: str
    items: tuple[Piece, ...]
    closing: str


#: A text that is not broken, or a group that may be; items may be given names.
Piece: TypeAlias = "str | Group"


def call(function: str, *arguments: Piece) -> Group:
    return Group(f"{function}(", arguments, ")")


def given(name: str, value: Piece) -> Piece:
    """`name=value`."""
    return _led(f"{name}=", value)


def mapping(entries: Sequence[tuple[str, Piece]]) -> Group:
    return Group("{", tuple(_led(f"{key}: ", value) for key, value in entries), "}")


def _led(words: str, value: Piece) -> Piece:
    if isinstance(value, str):
        return f"{words}{value}"
    return Group(f"{words}{value.opening}", value.items, value.closing)


def piece_lines(piece: Piece, before: str = "", after: str = "", *, within: int = 0) -> list[str]:
    """The lines of a piece that follows `before`, with `after` behind it; `within` columns are taken."""
    flat = f"{before}{_flat(piece)}{after}"
    if isinstance(piece, str) or within + printing.width(flat) <= printing.WIDTH or not piece.items:
        return [flat]
    inside = [f"    {line}" for item in piece.items for line in piece_lines(item, "", ",", within=within + 4)]
    return [f"{before}{piece.opening}", *inside, f"{piece.closing}{after}"]


def _flat(piece: Piece) -> str:
    if isinstance(piece, str):
        return piece
    return f"{piece.opening}{', '.join(map(_flat, piece.items))}{piece.closing}"


#: (body, answer, cursor) -> the function of that body.
Bodies: TypeAlias = "dict[tuple[str, str, str], str]"


def spreading(schema: model.Schema, imports: Imports) -> tuple[str, str, str]:
    """`spread`, and the `emit` and `standing` that it is given, where a body is read outside of a batch."""
    spread, standing = imports.use("pillarbox.sync.protocol", "spread"), imports.use(".sync", "standing")
    if schema.updates:
        return spread, imports.use(".updates", "emit"), standing
    return spread, f"{imports.use('pillarbox.sync.protocol', 'NO_UPDATES')}.emit", standing


@dataclass
class ProtocolWriter:
    """Collects the functions and constants of the module."""

    schema: model.Schema
    imports: Imports
    functions: list[FunctionPlan] = field(default_factory=list)
    constants: list[ConstantPlan] = field(default_factory=list)

    @property
    def protocol(self) -> model.Protocol:
        assert self.schema.protocol is not None
        return self.schema.protocol

    def use(self, name: str) -> str:
        """A name of the engine's vocabulary."""
        return self.imports.use("pillarbox.sync.protocol", name)

    def wire(self, of: model.WireOf) -> str:
        return hints.annotation(self.schema, self.imports, of)

    def answer_of(self, request: str, name: str) -> model.WireOf:
        """The answer of this name that the request may have."""
        return next(one for one in self.protocol.requests[request].answers if one.name == name)

    def fields(self, of: model.WireOf, owner: str) -> dict[str, str]:
        return {one.name: f"{owner}.{names.field(one.name)}" for one in self.protocol.wire(of).fields}

    @cached_property
    def taken(self) -> frozenset[str]:
        """What nothing in a function is called: what it may use, and its parameters."""
        parameters = {"answer", "answers", "container", "key", "position", "tables"}
        functions = {*_IMPORTED, *map(row_function, self.schema.tables)}
        for name, of, within in self.protocol.bodies:
            functions |= {f"body_{name}", f"body_{name}_of_{of}", f"body_{name}_of_{of}_of_{within}"}
        brought = brought_functions(self.protocol).values()
        return frozenset(taken_names(self.schema) | parameters | functions).union(brought)

    def scope(self, known: Mapping[str, str], table: Callable[[str], str] | None = None) -> Scope:
        return Scope(self.schema, self.imports, known, {*self.taken, *known.values()}, table)

    def function(self, name: str, parameters: str, result: str, doc: str, lines: Sequence[str]) -> str:
        """Enter a function; gives its name."""
        self.functions.append(
            FunctionPlan(name, parameters, result, printing.docstring(doc, 4), tuple(lines))
        )
        return name

    def constant(self, name: str, value: Piece) -> str:
        self.constants.append(ConstantPlan(name, tuple(piece_lines(value, f"{name}: Final = "))))
        return name

    # --------------------------------------------------------------------------------------- cursors

    def id_of(self, table: str) -> int:
        return self.schema.tables[table].id

    def part(self, cursor: str, part: str) -> int:
        """The place of a part in the positions of its cursor."""
        return [one.name for one in self.schema.tables[cursor].fields].index(part)

    def place(self, domain: tuple[str, str]) -> str:
        """`(110, 0)`."""
        return f"({self.id_of(domain[0])}, {self.part(*domain)})"

    def values(self, cursor: str, values: model.PartValues, scope: Scope) -> str:
        """`{0: answer.rev, ..}`."""
        texts = [f"{self.part(cursor, name)}: {compile_code(expr, scope).text}" for name, expr in values]
        return f"{{{', '.join(texts)}}}"

    def part_type(self, cursor: str, part: str) -> str:
        """`int`, or `str` of a token."""
        kinds = {one.name: one.kind for one in self.schema.cursors[cursor].parts}
        return "str" if kinds[part] == "token" else "int"

    def values_type(self, cursor: str, values: model.PartValues) -> str:
        """`dict[int, int]`: what `values` gives."""
        kinds = sorted({self.part_type(cursor, name) for name, _ in values}) or ["int"]
        return f"dict[int, {' | '.join(kinds)}]"

    def key_lines(
        self, cursor: str, used: object, known: Mapping[str, str]
    ) -> tuple[list[str], dict[str, str]]:
        """The line that takes the key of a cursor apart, if it is read, and the names of its parts."""
        table = self.schema.tables[cursor]
        read = names_in(used) - set(known)
        taken = taken_names(self.schema) | {"answer", "answers", "key", "position", "tables"}
        parts = {part.name: names.safe(names.field(part.name), taken) for part in table.key}
        if not read & set(parts):
            return [], {}
        specs = self.imports.use_module(".specs")
        targets = [text if name in read else "_" for name, text in parts.items()]
        line = f"{printing.targets(targets)} = {specs}.{names.constant(table.name)}.key_fields(key)"
        return [line], {name: text for name, text in parts.items() if name in read}

    # ------------------------------------------------------------------------------- what comes out

    def claim_text(self, claim: model.ClaimRule, scope: Scope) -> str:
        """`Claim(110, account_key(), 0, start, end)`."""
        end = compile_code(claim.end, scope)
        if claim.after is not None:
            start = compile_code(claim.after, scope).text
        elif claim.first is not None:
            start = f"{compile_code(claim.first, scope).at(Level.SUM)} - 1"
        else:
            count = "1" if claim.count is None else compile_code(claim.count, scope).at(Level.PRODUCT)
            start = f"{end.at(Level.SUM)} - {count}"
        key = key_text(claim.cursor, claim.key, scope)
        name = self.imports.use("pillarbox.sync", "Claim")
        counter = f"{self.id_of(claim.cursor)}, {key}, {self.part(claim.cursor, claim.part)}"
        return f"{name}({counter}, {start}, {end.text})"

    def claims(self, claims: Sequence[model.ClaimRule], scope: Scope) -> list[Statement]:
        found: list[Statement] = []
        for claim in claims:
            line = Line(self.claim_text(claim, scope))
            unless = TRUE if claim.unless is None else negated(compile_test(claim.unless, scope))
            found += branch(unless, [line])
        return found

    def one_claim(self, claim: model.ClaimRule, scope: Scope) -> str:
        """The claim, or None."""
        text = self.claim_text(claim, scope)
        if claim.unless is None:
            return text
        condition = printed(negated(compile_test(claim.unless, scope)))
        return f"{text} if {condition.at(Level.OR)} else None"

    def asks(self, acts: Sequence[model.Emitted], scope: Scope, name: str) -> tuple[list[str], str]:
        """A function within a function that gives what is asked once it is seen where cursors stand."""
        around, asked = scope.fresh("around"), scope.fresh("asked")
        scope = replace(scope, lookup=looked(self.imports, around))
        statements = statements_of(acts, scope, lambda text: f"{asked}.append({text})")
        return self._nested(name, around, asked, statements, scope)

    def brought(self, brings: Sequence[model.Bring], scope: Scope) -> tuple[list[str], str]:
        """The same for rows that come along, beside how they stood before."""
        around, asked = scope.fresh("around"), scope.fresh("asked")
        own = [bring for bring in brings if bring.emits and not bring.name]
        statements = [*self._asked(own, scope, around, asked)]
        for bring in brings:
            if bring.emits and bring.name:
                fields = fields_of(bring)
                function = self.imports.use(".bodies", brought_functions(self.protocol)[bring.name, fields])
                given = ", ".join([around, *(scope.names[name] for name, _ in fields)])
                statements.append(Line(f"{asked} += {function}({given})"))
        return self._nested("brought", around, asked, statements, scope)

    def named(self) -> None:
        """The functions of rows that come along under a name: what is asked about them, once for all."""
        functions = brought_functions(self.protocol)
        rules = [bring for rule in carriers(self.protocol) for bring in rule.brings if bring.name]
        brings = {(bring.name, fields_of(bring)): bring for bring in rules}
        act, of = (self.imports.use("pillarbox.sync", name) for name in ("Act", "Around"))
        for (name, fields), function in functions.items():
            taken = self.taken | {"around", "asked"}
            known = {field: names.safe(names.field(field), taken) for field, _ in fields}
            scope = self.scope(known)
            around, asked = scope.fresh("around"), scope.fresh("asked")
            types = [
                f"{known[field]}: {hints.annotation(self.schema, self.imports, kind)}"
                for field, kind in fields
            ]
            body = lines_of(self._asked([brings[name, fields]], scope, around, asked))
            self.function(
                function,
                ", ".join([f"{around}: {of}", *types]),
                f"list[{act}]",
                f"What is asked about `{name}`, rows that come along.",
                [f"{asked}: list[{act}] = []", *body, f"return {asked}"],
            )

    def _asked(self, brings: Sequence[model.Bring], scope: Scope, around: str, asked: str) -> list[Statement]:
        look = looked(self.imports, around)
        scope = replace(scope, lookup=look)

        def asking(bring: model.Bring, inner: Scope) -> Sequence[Statement]:
            was = scope.of_loop(WAS, model.RowOf(bring.table))
            key = ", ".join(compile_expr(part, inner) for part in bring.key)
            inner = inner.bind(**{WAS: was})
            acts = statements_of(bring.emits, inner, lambda text: f"{asked}.append({text})")
            seen = [Line(f"{was} = {look(bring.table, key)}")] if WAS in names_in(bring.emits) else []
            return [*seen, *acts]

        return of_each(brings, scope, asking)

    def _nested(
        self, name: str, around: str, asked: str, statements: Sequence[Statement], scope: Scope
    ) -> tuple[list[str], str]:
        function, act = scope.fresh(name), self.imports.use("pillarbox.sync", "Act")
        of = self.imports.use("pillarbox.sync", "Around")
        lines = [f"{asked}: list[{act}] = []", *lines_of(statements), f"return {asked}"]
        head = f"def {function}({around}: {of}) -> list[{act}]:"
        return ["", head, *(f"    {line}" for line in lines), ""], function

    def emitted(
        self, entries: Sequence[model.Emitted], scope: Scope, name: str, kind: str
    ) -> tuple[list[str], str]:
        """Lines to put before, and the text of a tuple of operations or acts."""
        if any(isinstance(entry, model.SwitchEntry) for entry in entries):
            local = scope.fresh(name)
            statements = statements_of(entries, scope, lambda text: f"{local}.append({text})")
            return [f"{local}: list[{kind}] = []", *lines_of(statements)], f"tuple({local})"
        return self.collected(statements_of(entries, scope, lambda text: text), scope, name, kind)

    def collected(
        self, statements: Sequence[Statement], scope: Scope, name: str, kind: str, into: str = "tuple"
    ) -> tuple[list[str], str]:
        """Lines to put before, and the text of the tuple or frozenset of what the statements give."""
        inside = comprehension(statements)
        if inside is not None:
            return [], f"tuple([{inside}])" if into == "tuple" else f"frozenset({inside})"
        if all(isinstance(statement, Line) for statement in statements):
            texts = lines_of(statements)
            return [], printing.tuple_text(texts) if into == "tuple" else f"frozenset({{{', '.join(texts)}}})"
        local = scope.fresh(name)
        if into == "tuple":
            first = lines_of(list(takewhile(lambda statement: isinstance(statement, Line), statements)))
            filled = with_lines(statements[len(first) :], lambda text: f"{local}.append({text})")
            return [f"{local}: list[{kind}] = [{', '.join(first)}]", *lines_of(filled)], f"tuple({local})"
        filled = with_lines(statements, lambda text: f"{local}.add({text})")
        return [f"{local}: set[{kind}] = set()", *lines_of(filled)], f"frozenset({local})"


def returned(before: Sequence[str], value: Piece) -> list[str]:
    """The lines that end a function with this value."""
    return [*before, *piece_lines(value, "return ", within=4)]
