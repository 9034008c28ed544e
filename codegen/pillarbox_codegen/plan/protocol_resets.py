"""Plans recipes: what each step asks for, and the commit.

Depends on: protocol_writer, protocol_cursors, asks, expr_python.  Never on: containers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_code, compile_expr, compile_items, compile_test
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.asks import asked_text
from pillarbox_codegen.plan.emissions import is_always, statements_of
from pillarbox_codegen.plan.protocol_cursors import backoff_text
from pillarbox_codegen.plan.protocol_incoming import act_type, operation_type
from pillarbox_codegen.plan.protocol_writer import (
    Bodies,
    Group,
    Piece,
    ProtocolWriter,
    call,
    given,
    spreading,
)
from pillarbox_codegen.printing import literal
from pillarbox_codegen.python_code import TRUE
from pillarbox_codegen.reads import parameter
from pillarbox_codegen.statements import Line, Statement, branch, lines_of, loop
from pillarbox_codegen.walk import names_in

#: What spreads a body.
_OF_BODIES: Final = ("emit", "spread", "standing")


def plan_reset(writer: ProtocolWriter, reset: model.Reset, bodies: Bodies) -> str:
    """The constant and functions of a recipe; gives the name of its constant."""
    steps = [_fetch(writer, reset, step) for step in reset.fetch]
    fetch: Piece = Group("(", tuple(steps), ")")
    if len(steps) == 1:
        fetch = Group(f"({steps[0].opening}", steps[0].items, f"{steps[0].closing},)")
    arguments: list[Piece] = [
        given("name", literal(reset.name)),
        given("cursor", str(writer.id_of(reset.cursor))),
        given("fetch", fetch if steps else "()"),
        given("commit", _commit(writer, reset, bodies)),
        given("set", _set(writer, reset)),
    ]
    if not reset.retries:
        arguments.append(given("retry", "False"))
    if reset.retry is not None:
        arguments.append(given("backoff", backoff_text(writer, reset.retry)))
    return writer.constant(f"_RESET_{reset.name.upper()}", call(writer.use("ResetSpec"), *arguments))


def _known(
    writer: ProtocolWriter,
    reset: model.Reset,
    used: object,
    paging: model.Fetch | None = None,
    also: Collection[str] = (),
) -> tuple[list[str], dict[str, str]]:
    """The lines that give what is read its name, and the names; `paging` is the step whose pages come.

    `also` are functions that are called beside them.
    """
    taken = {"answers", "key", "tables", "emitted", *also}
    read = names_in(used)
    lines: list[str] = []
    known: dict[str, str] = {}
    for step in reset.fetch:
        if step.name not in read:
            continue
        local = names.safe(names.field(step.name), taken)
        known[step.name] = local
        kind = writer.wire(step.answer)
        if step.more is None:
            lines.append(f"{local}: {kind} = answers[{literal(step.name)}]")
        elif step is paging:
            lines.append(f"{local}: tuple[{kind}, ...] = answers.get({literal(step.name)}, ())")
        else:
            lines.append(f"{local}: tuple[{kind}, ...] = answers[{literal(step.name)}]")
    key, parts = writer.key_lines(reset.cursor, used, known)
    return [*key, *lines], {**parts, **known}


def _parameters(writer: ProtocolWriter, lines: Sequence[str], *, keyed: bool = True) -> str:
    """`key` and `answers`, with an underscore where they are not read."""
    stored = writer.imports.use("pillarbox.storage", "StoredKey")
    of = f"{parameter('answers', lines)}: {writer.use('Answers')}"
    return f"{parameter('key', lines)}: {stored}, {of}" if keyed else of


def _fetch(writer: ProtocolWriter, reset: model.Reset, step: model.Fetch) -> Group:
    before, known = _known(writer, reset, step.ask, step)
    lines = [*before, f"return {asked_text(step.ask, writer.scope(known))}"]
    asked = writer.function(
        f"_ask_{reset.name}_for_{step.name}",
        _parameters(writer, lines),
        writer.wire(model.WireOf("request", step.ask.request)),
        f"Ask for `{step.name}` of the recipe `{reset.name}`.",
        lines,
    )
    kind = f"({writer.wire(step.answer)},)"
    arguments: list[Piece] = [literal(step.name), asked, kind]
    if step.more is not None:
        before, known = _known(writer, reset, step.more, step)
        lines = [*before, f"return {compile_code(step.more, writer.scope(known)).text}"]
        more = writer.function(
            f"_more_{step.name}_of_{reset.name}",
            _parameters(writer, lines, keyed=False),
            "bool",
            f"Whether there are more `{step.name}`.",
            lines,
        )
        arguments.append(given("more", more))
    return call(writer.use("Fetch"), *arguments)


def _set(writer: ProtocolWriter, reset: model.Reset) -> str:
    before, known = _known(writer, reset, reset.set)
    lines = [*before, f"return {writer.values(reset.cursor, reset.set, writer.scope(known))}"]
    doc = f"Where `{reset.cursor}` stands after the recipe `{reset.name}`."
    kind = writer.values_type(reset.cursor, reset.set)
    return writer.function(f"_{reset.name}_set", _parameters(writer, lines), kind, doc, lines)


def _commit(writer: ProtocolWriter, reset: model.Reset, bodies: Bodies) -> str:
    has_bodies = any(isinstance(entry, model.BodyEntry) for entry in reset.commit)
    before, known = _known(writer, reset, reset.commit, also=_OF_BODIES if has_bodies else ())
    scope = writer.scope(known, lambda table: f"tables.{names.table_attribute(table)}")
    emitted = scope.fresh("emitted")
    always: list[model.Emitted] = []
    for entry in reset.commit:
        if isinstance(entry, model.BodyEntry) or not is_always(entry):
            break
        always.append(entry)
    first = lines_of(statements_of(always, scope, str))
    statements: list[Statement] = []
    for entry in reset.commit[len(always) :]:
        if isinstance(entry, model.BodyEntry):
            statements += _body(writer, reset, entry, bodies, scope, emitted)
        else:
            statements += statements_of([entry], scope, lambda text: f"{emitted}.append({text})")
    kind = f"list[{operation_type(writer)} | {act_type(writer)}]"
    lines = [
        *before, f"{emitted}: {kind} = [{', '.join(first)}]", *lines_of(statements), f"return {emitted}",
    ]  # fmt: skip
    if not first and not statements:
        lines = ["return []"]
    tables = parameter("tables", lines)
    transaction = writer.imports.use(".transaction", "Transaction")
    parameters = f"{tables}: {transaction}, {_parameters(writer, lines)}"
    doc = reset.doc or f"What the recipe `{reset.name}` writes, and what it asks for."
    return writer.function(f"_{reset.name}_commit", parameters, kind, doc, lines)


def _body(
    writer: ProtocolWriter,
    reset: model.Reset,
    entry: model.BodyEntry,
    bodies: Bodies,
    scope: Scope,
    into: str,
) -> Sequence[Statement]:
    """The statements that add what a body makes of an answer."""
    keyed = reset.cursor if writer.schema.cursors[reset.cursor].per else ""
    function = writer.imports.use(".bodies", bodies[entry.body, entry.answer.name, keyed])
    spread, emit, standing = spreading(writer.schema, writer.imports)
    items, name, inner = "", "", scope
    if entry.each is not None:
        items = compile_items(entry.each.items, scope)
        name = scope.of_loop(entry.each.name, entry.each.items.type)
        inner = scope.bind(**{entry.each.name: name})
    when = TRUE if entry.when is None else compile_test(entry.when, inner)
    line = f"{into} += {spread}({function}({compile_expr(entry.of, inner)}, key), {emit}, {standing}(tables))"
    body = branch(when, [Line(line)])
    return body if entry.each is None else loop(name, items, body)
