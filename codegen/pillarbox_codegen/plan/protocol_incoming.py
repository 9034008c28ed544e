"""Plans how containers are taken apart, and what answers bring.

Depends on: protocol_writer, expr_python.  Never on: cursors, recipes.
"""

from __future__ import annotations

from collections.abc import Sequence

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_expr, compile_items
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.protocol_writer import Piece, ProtocolWriter, call, given, returned
from pillarbox_codegen.printing import tuple_text


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
        add("brings", _brings(writer, rule.brings, scope))
    if rule.date is not None:
        add("date", ([], compile_expr(rule.date, scope)))
    if rule.acts:
        add("acts", writer.emitted(rule.acts, scope, "acts", act_type(writer)))
    return before, arguments


def _stamp(writer: ProtocolWriter, stamp: tuple[str, str, model.Expr], scope: Scope) -> str:
    cursor, part, value = stamp
    key = writer.imports.use(".keys", names.key_function(cursor))
    text = compile_expr(value, scope)
    return f"{writer.use('Stamp')}({writer.id_of(cursor)}, {key}(), {writer.part(cursor, part)}, {text})"


def _brings(writer: ProtocolWriter, brings: Sequence[model.Bring], scope: Scope) -> tuple[list[str], str]:
    return writer.collected(writer.brings(brings, scope), scope, "brings", writer.use("Row"), "frozenset")


def operation_type(writer: ProtocolWriter) -> str:
    return writer.imports.use(".operations", "Operation") if writer.schema.operations else "Never"


def act_type(writer: ProtocolWriter) -> str:
    return writer.imports.use("pillarbox.sync", "Act")


# -------------------------------------------------------------------------------------------- bodies


def plan_bodies(writer: ProtocolWriter) -> dict[tuple[str, str, str], str]:
    """The functions of the bodies: (body, answer, cursor) -> the name of the function."""
    found: dict[tuple[str, str, str], str] = {}
    for name in dict.fromkeys(body.name for body in writer.protocol.bodies.values()):
        bodies = {at: body for at, body in writer.protocol.bodies.items() if at[0] == name}
        texts = {at: tuple(_body(writer, body)) for at, body in bodies.items()}
        for at, body in bodies.items():
            same = [other for other, text in texts.items() if text == texts[at]]
            if same[0] != at:
                found[at] = found[same[0]]
                continue
            of = [writer.wire(bodies[other].of) for other in same]
            many = len(same) < len(bodies)
            function = f"_body_{name}_of_{at[1]}" if many else f"_body_{name}"
            function = f"{function}_of_{at[2]}" if function in found.values() else function
            key = "key" if any("key_fields(key)" in line for line in texts[at]) else "_key"
            stored = writer.imports.use("pillarbox.storage", "StoredKey")
            found[at] = writer.function(
                function,
                f"answer: {' | '.join(dict.fromkeys(of))}, {key}: {stored}",
                writer.use("Body"),
                body.doc or f"What `{name}` makes of an answer.",
                texts[at],
            )
    return found


def _body(writer: ProtocolWriter, body: model.Body) -> list[str]:
    fields = writer.fields(body.of, "answer")
    before: list[str] = []
    if body.cursor:
        before, parts = writer.key_lines(body.cursor, _read(body), fields)
        fields = {**parts, **fields}
    scope = writer.scope(fields)
    arguments: list[Piece] = []

    def add(name: str, found: tuple[list[str], str]) -> None:
        before.extend(found[0])
        arguments.append(given(name, found[1]))

    if body.side:
        add("side", writer.emitted(body.side, scope, "side", operation_type(writer)))
    if body.lists:
        add("updates", ([], _updates(writer, body.lists, scope)))
    if body.tail:
        add("tail", writer.emitted(body.tail, scope, "tail", operation_type(writer)))
    if body.brings:
        add("brings", _brings(writer, body.brings, scope))
    if body.covered:
        places = ", ".join(writer.place(domain) for domain in body.covered)
        add("covered", ([], f"frozenset({{{places}}})"))
    if body.acts:
        add("acts", writer.emitted(body.acts, scope, "acts", act_type(writer)))
    return returned(before, call(writer.use("Body"), *arguments))


def _read(body: model.Body) -> object:
    return (body.side, body.lists, body.tail, body.brings, body.acts)


def _updates(writer: ProtocolWriter, lists: Sequence[model.BodyList], scope: Scope) -> str:
    if len(lists) == 1:
        text = _one_list(writer, lists[0], scope)
        return f"tuple({text})" if text.startswith("[") else text
    return f"({', '.join(f'*{_one_list(writer, one, scope)}' for one in lists)})"


def _one_list(writer: ProtocolWriter, one: model.BodyList, scope: Scope) -> str:
    items = compile_items(one.items, scope)
    if one.update:
        made = writer.imports.use(".updates", names.class_name(one.update))
        assert one.field is not None
        item = scope.of_loop(one.field, one.items.type)
        texts = [f"{names.field(one.field)}={item}"]
        texts += [f"{names.field(other.name)}={compile_expr(other.expr, scope)}" for other in one.others]
        return f"[{made}({', '.join(texts)}) for {item} in {items}]"
    if one.only:
        kinds = [writer.imports.use(".updates", names.class_name(name)) for name in one.only]
        item = scope.of_loop("item", one.items.type)
        return f"[{item} for {item} in {items} if isinstance({item}, {' | '.join(kinds)})]"
    return items


def plan_fetched(writer: ProtocolWriter, bodies: dict[tuple[str, str, str], str]) -> str | None:
    """The function that says what the answer to a need brings; none where no answer has a body."""
    brought = [wire for wire in writer.protocol.answers.values() if wire.body is not None]
    if not brought:
        return None
    lines = ["match answer:"]
    for wire in brought:
        function = bodies[wire.body or "", wire.name, ""]
        kind = writer.wire(model.WireOf("answer", wire.name))
        lines += [f"    case {kind}():", f'        return {function}(answer, b"")']
    body = writer.use("Body")
    lines.append(f"return {body}()")
    request, answer = (writer.wire(model.WireOf(kind)) for kind in ("request", "answer"))
    parameters = f"_request: {request}, answer: {answer}"
    doc = "What comes with the answer to a request that an update needed."
    return writer.function("_fetched", parameters, body, doc, lines)
