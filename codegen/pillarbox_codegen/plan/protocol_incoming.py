"""Plans how containers are taken apart, and what an answer brings that updates need.

Depends on: protocol_writer, brings, expr_python.  Never on: cursors, recipes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_expr
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.brings import rows_of
from pillarbox_codegen.plan.protocol_writer import Bodies, Piece, ProtocolWriter, call, given, returned
from pillarbox_codegen.printing import tuple_text
from pillarbox_codegen.walk import lookups_in


def plan_containers(writer: ProtocolWriter) -> str:
    """The functions of each container, and the name of the one that takes any."""
    opened = writer.use("Opened")
    lines = ["match container:"]
    for name, rule in writer.protocol.opened.items():
        of = model.WireOf("container", name)
        scope = writer.scope(writer.fields(of, "container"))
        before, arguments = _opened(writer, rule, scope)
        kind = writer.wire(of)
        if not before and not arguments:
            lines += [f"    case {kind}():", f"        return {opened}()"]
            continue
        writer.function(
            f"_open_{name}",
            f"container: {kind}",
            opened,
            f"`{name}`, taken apart.",
            returned(before, call(opened, *arguments)),
        )
        lines += [f"    case {kind}():", f"        return _open_{name}(container)"]
    container = writer.wire(model.WireOf("container"))
    return writer.function("_open", f"container: {container}", opened, "A container, taken apart.", lines)


def _opened(
    writer: ProtocolWriter, rule: model.ContainerRule, scope: Scope
) -> tuple[list[str], list[Piece]]:  # fmt: skip
    before: list[str] = []
    arguments: list[Piece] = []

    def add(name: str, found: tuple[list[str], str]) -> None:
        before.extend(found[0])
        arguments.append(given(name, found[1]))

    if rule.items is not None:
        add("updates", ([], compile_expr(rule.items, scope)))
    if rule.claim is not None:
        add("claim", ([], writer.one_claim(rule.claim, scope)))
    if rule.steps:
        add("steps", writer.collected(writer.claims(rule.steps, scope), scope, "steps", "Claim"))
    if rule.stamps:
        add("stamps", ([], tuple_text([_stamp(writer, stamp, scope) for stamp in rule.stamps])))
    if rule.side:
        add("side", writer.emitted(rule.side, scope, "side", operation_type(writer)))
    if rule.brings:
        brings(writer, rule.brings, scope, add)
    if rule.date is not None:
        add("date", ([], compile_expr(rule.date, scope)))
    if rule.acts:
        asked(writer, rule.acts, scope, add)
    return before, arguments


def _stamp(writer: ProtocolWriter, stamp: tuple[str, str, model.Expr], scope: Scope) -> str:
    cursor, part, value = stamp
    key = writer.imports.use(".keys", names.key_function(cursor))
    text = compile_expr(value, scope)
    return f"{writer.use('Stamp')}({writer.id_of(cursor)}, {key}(), {writer.part(cursor, part)}, {text})"


#: Takes the name of a field, and the lines and the text that give its value.
Add: TypeAlias = Callable[[str, tuple[list[str], str]], None]


def brings(writer: ProtocolWriter, rows: Sequence[model.Bring], scope: Scope, add: Add) -> None:
    """Rows that come along, and what is asked about them."""
    stored = writer.use("Row")
    add("brings", writer.collected(rows_of(rows, scope), scope, "rows", stored, "frozenset"))
    if any(row.emits for row in rows):
        add("brought", writer.brought(rows, scope))


def asked(writer: ProtocolWriter, acts: Sequence[model.Emitted], scope: Scope, add: Add) -> None:
    """What is asked for, as it is or once it is seen where cursors stand."""
    if lookups_in(acts):
        add("asks", writer.asks(acts, scope, "asks"))
    else:
        add("acts", writer.emitted(acts, scope, "acts", act_type(writer)))


def operation_type(writer: ProtocolWriter) -> str:
    return writer.imports.use(".operations", "Operation") if writer.schema.operations else "Never"


def act_type(writer: ProtocolWriter) -> str:
    return writer.imports.use("pillarbox.sync", "Act")


def plan_fetched(writer: ProtocolWriter, bodies: Bodies) -> str | None:
    """The function that says what the answer to a need brings; none where no answer has a body."""
    brought = [wire for wire in writer.protocol.answers.values() if wire.body is not None]
    if not brought:
        return None
    lines = ["match answer:"]
    for wire in brought:
        function = writer.imports.use(".bodies", bodies[wire.body or "", wire.name, ""])
        kind = writer.wire(model.WireOf("answer", wire.name))
        lines += [f"    case {kind}():", f'        return {function}(answer, b"")']
    body = writer.use("Body")
    lines.append(f"return {body}()")
    request, answer = (writer.wire(model.WireOf(kind)) for kind in ("request", "answer"))
    parameters = f"_request: {request}, answer: {answer}"
    doc = "What comes with the answer to a request that an update needed."
    return writer.function("_fetched", parameters, body, doc, lines)
