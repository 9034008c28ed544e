"""Plans what the engine knows of each cursor: how it begins, what is asked, what follows on the answers.

Depends on: protocol_writer, asks, expr_python.  Never on: containers, recipes.
"""

from __future__ import annotations

from typing import Final

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import compile_clause, compile_code, compile_expr
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.asks import asked_class, asked_text
from pillarbox_codegen.plan.protocol_writer import Bodies, Piece, ProtocolWriter, call, given, mapping
from pillarbox_codegen.printing import literal, targets, tuple_text
from pillarbox_codegen.type_rules import INT64
from pillarbox_codegen.walk import names_in

_KINDS: Final = {"empty": "EMPTY", "full": "FULL", "slice": "SLICE", "too_long": "TOO_LONG"}


def plan_cursor(writer: ProtocolWriter, rule: model.CursorRule, bodies: Bodies) -> str:
    """The constants and functions of a cursor; gives the name of its constant."""
    cursor = writer.schema.cursors[rule.name]
    constant = f"_{rule.name.upper()}"
    confirms = dict(rule.confirms)
    parts = [_part(writer, rule.name, part, confirms.get(part.name)) for part in cursor.parts]
    arguments: list[Piece] = [
        given("id", str(writer.id_of(rule.name))),
        given("name", literal(rule.name)),
        given("keyed", str(bool(cursor.per))),
        given("parts", _tuple(parts)),
    ]
    if rule.difference is not None:
        arguments.append(given("difference", _difference(writer, rule, rule.difference, bodies)))
    if rule.first is not None:
        arguments.append(given("first", _first(writer, rule.name, rule.first)))
    if rule.unknown != "poll":
        arguments.append(given("unknown", f"Unknown.{rule.unknown.upper()}"))
    if rule.travels is not None:
        arguments.append(given("travels", writer.place(rule.travels)))
    if rule.inside is not None:
        arguments.append(given("inside", literal(rule.inside)))
    if isinstance(rule.idle_poll_ms, tuple):
        arguments.append(given("pause", _pause(writer, rule, rule.idle_poll_ms)))
    elif rule.idle_poll_ms:
        arguments.append(given("idle_poll_ms", f"{rule.idle_poll_ms:_}"))
    if rule.loop is not None:
        arguments.append(given("loop", _wait(writer, rule, rule.loop)))
    if rule.open_poll is not None:
        arguments.append(given("open_poll", _open_poll(writer, rule, rule.open_poll)))
    return writer.constant(constant, call(writer.use("CursorSpec"), *arguments))


def _tuple(items: list[Piece]) -> Piece:
    if len(items) == 1 and isinstance(items[0], str):
        return tuple_text([items[0]])
    wrapped = call("", *items)
    if len(items) == 1:
        inner = items[0]
        assert not isinstance(inner, str)
        return type(inner)(f"({inner.opening}", inner.items, f"{inner.closing},)")
    return wrapped


def _part(
    writer: ProtocolWriter, cursor: str, part: model.CursorPart, confirm: model.Confirm | None
) -> Piece:  # fmt: skip
    arguments: list[Piece] = [literal(part.name)]
    if part.kind != "counter":
        arguments.append(f"PartKind.{part.kind.upper()}")
    if part.hold_ms:
        arguments.append(f"hold_ms={part.hold_ms:_}")
    if part.zero_refused:
        arguments.append("zero_refused=True")
    if confirm is not None:
        arguments.append(given("confirm", _confirm(writer, cursor, part.name, confirm)))
    return call("PartSpec", *arguments)


def _confirm(writer: ProtocolWriter, cursor: str, part: str, confirm: model.Confirm) -> Piece:
    name = names.safe(names.field(part), {"answer", "key"})
    kind = writer.part_type(cursor, part)
    scope = writer.scope({part: name})
    asked = writer.function(
        f"_confirm_{cursor}_{part}",
        f"{name if part in names_in(confirm.ask.arguments) else f'_{name}'}: {kind}",
        writer.wire(model.WireOf("request", confirm.ask.request)),
        f"Say up to where `{cursor}.{part}` is kept.",
        [f"return {asked_text(confirm.ask, scope)}"],
    )
    if confirm.when is None:
        return call("Confirm", asked)
    when = writer.function(
        f"_confirms_{cursor}_{part}",
        f"{name}: {kind}",
        "bool",
        f"Whether to say up to where `{cursor}.{part}` is kept.",
        [f"return {compile_code(confirm.when, scope).text}"],
    )
    return call("Confirm", asked, when)


# ----------------------------------------------------------------------------------------- difference


def _difference(
    writer: ProtocolWriter, rule: model.CursorRule, difference: model.Difference, bodies: Bodies
) -> Piece:  # fmt: skip
    request = difference.ask.request
    answers = []
    for one in difference.answers:
        of = writer.answer_of(request, one.answer)
        answers.append((writer.wire(of), _answer(writer, rule.name, of, one, bodies)))
    arguments: list[Piece] = [
        given("request", _ask(writer, rule, difference)),
        given("answers", mapping(answers)),
    ]
    if difference.errors:
        errors = [(literal(code), _remedy(writer, remedy)) for code, remedy in difference.errors]
        arguments.append(given("errors", mapping(errors)))
    if difference.retry is not None:
        arguments.append(given("backoff", backoff_text(writer, difference.retry)))
    return call(writer.use("Difference"), *arguments)


def backoff_text(writer: ProtocolWriter, retry: model.Retry) -> str:
    return f"{writer.use('Backoff')}({retry.step_ms:_}, {retry.cap_ms:_})"


def _ask(writer: ProtocolWriter, rule: model.CursorRule, difference: model.Difference) -> str:
    """The function that makes the request out of where the cursor stands."""
    lines, keyed, position = _asking(writer, rule, difference.ask)
    stored = writer.imports.use("pillarbox.storage", "StoredKey")
    return writer.function(
        f"_ask_{rule.name}",
        f"{'key' if keyed else '_key'}: {stored}, {position}",
        writer.wire(model.WireOf("request", difference.ask.request)),
        f"Ask for what is missing of `{rule.name}`.",
        lines,
    )


def _wait(writer: ProtocolWriter, rule: model.CursorRule, ask: model.Asked) -> str:
    """The same for a request that the server keeps."""
    lines, _, position = _asking(writer, rule, ask)
    return writer.function(
        f"_wait_for_{rule.name}",
        position,
        writer.wire(model.WireOf("request", ask.request)),
        f"Ask for what comes next of `{rule.name}`, which is answered once it is there.",
        lines,
    )


def _asking(
    writer: ProtocolWriter, rule: model.CursorRule, ask: model.Asked
) -> tuple[list[str], bool, str]:  # fmt: skip
    """The lines that make a request, whether they read the key, and the parameter of the position."""
    cursor = writer.schema.cursors[rule.name]
    used = names_in(ask.arguments)
    lines, known = writer.key_lines(rule.name, ask.arguments, {})
    parts = {part.name: names.safe(names.field(part.name), {"key", "position"}) for part in cursor.parts}
    read = {name: text for name, text in parts.items() if name in used - set(known)}
    if read:
        taken_apart = targets([text if name in read else "_" for name, text in parts.items()])
        nothing = "0" if rule.first is not None else "None"
        empty = '""' if rule.first is not None else "None"
        zeros = tuple_text([empty if part.kind == "token" else nothing for part in cursor.parts])
        lines.append(f"{taken_apart} = position or {zeros}")
    positions = writer.imports.use("pillarbox.sync", "Position")
    scope = writer.scope({**read, **known})
    parameter = f"{'position' if read else '_position'}: {positions}"
    return [*lines, f"return {asked_text(ask, scope)}"], bool(known), parameter


def _answer(
    writer: ProtocolWriter, cursor: str, of: model.WireOf, rule: model.AnswerRule, bodies: Bodies
) -> Piece:  # fmt: skip
    kind = f"{writer.use('AnswerKind')}.{_KINDS[rule.kind]}"
    scope = writer.scope(writer.fields(of, "answer"))
    parameter = f"answer: {writer.wire(of)}"
    if rule.slice_when is None:
        arguments: list[Piece] = [f"{writer.use('always')}({kind})"]
    else:
        slices = compile_clause(rule.slice_when, scope)
        sliced = f"{writer.use('AnswerKind')}.SLICE"
        arguments = [
            writer.function(
                f"_kind_of_{of.name}_for_{cursor}",
                parameter,
                writer.use("AnswerKind"),
                f"Whether `{of.name}` tells all that is missing of `{cursor}`.",
                [f"return {sliced} if {slices} else {kind}"],
            )
        ]
    if rule.set is not None:
        after = set_function(writer, f"_{cursor}_after_{of.name}", cursor, of, rule.set)
        arguments.append(given("set", after))
    if rule.body is not None:
        keyed = cursor if writer.schema.cursors[cursor].per else ""
        arguments.append(given("body", writer.imports.use(".bodies", bodies[rule.body, of.name, keyed])))
    if rule.reset is not None:
        arguments.append(given("reset", literal(rule.reset)))
    if rule.again is not None:
        doc = f"Whether to ask again for what is missing of `{cursor}`."
        lines = [f"return {compile_code(rule.again, scope).text}"]
        again = writer.function(f"_again_after_{of.name}_for_{cursor}", parameter, "bool", doc, lines)
        arguments.append(given("again", again))
    return call(writer.use("AnswerRule"), *arguments)


def set_function(
    writer: ProtocolWriter, name: str, cursor: str, of: model.WireOf, values: model.PartValues
) -> str:
    """The function that says where the cursor stands after the answer."""
    scope = writer.scope(writer.fields(of, "answer"))
    parts = ", ".join(part for part, _ in values)
    text = writer.values(cursor, values, scope)
    if any(isinstance(expr.type, model.Optional | model.NoneType) for _, expr in values):
        text = f"{writer.use('told')}({text})"
    return writer.function(
        name,
        f"answer: {writer.wire(of)}",
        writer.values_type(cursor, values),
        f"Where `{cursor}` stands after `{of.name}`: {parts}.",
        [f"return {text}"],
    )


def _remedy(writer: ProtocolWriter, remedy: model.Remedy) -> Piece:
    match remedy.what:
        case "poll":
            return f"{writer.imports.use('pillarbox.sync', 'Poll')}({writer.id_of(remedy.name)})"
        case "reset":
            return f"{writer.imports.use('pillarbox.sync', 'ResetAsk')}({literal(remedy.name)})"
        case what:
            return f"{writer.use('Remedy')}.{what.upper()}"


# ------------------------------------------------------------------------------------ beginning, looking


def _first(writer: ProtocolWriter, cursor: str, first: model.First) -> Piece:
    answers: list[tuple[str, Piece]] = []
    for name, values in first.set:
        of = writer.answer_of(first.ask.request, name)
        function = set_function(writer, f"_first_{cursor}_by_{name}", cursor, of, values)
        answers.append((writer.wire(of), function))
    scope = writer.scope({})
    makes = (
        f"lambda: {asked_text(first.ask, scope)}" if first.ask.arguments else asked_class(first.ask, scope)
    )
    return call(writer.use("First"), given("request", makes), given("set", mapping(answers)))


def _open_poll(writer: ProtocolWriter, rule: model.CursorRule, poll: model.OpenPoll) -> Piece:
    assert rule.difference is not None
    if isinstance(poll.every_ms, int):
        every = f"{writer.use('always')}({poll.every_ms:_})"
    else:
        doc = f"How many milliseconds after an answer somebody who looks asks for `{rule.name}` again."
        lines = [*_by_answer(writer, rule, poll.every_ms, poll.missing_ms), f"return {poll.missing_ms:_}"]
        answer = writer.wire(model.WireOf("answer"))
        every = writer.function(f"_rest_of_{rule.name}", f"answer: {answer}", "int", doc, lines)
    return call(
        "OpenPoll",
        given("first_ms", f"{poll.first_ms:_}"),
        given("every_ms", every),
        given("missing_ms", f"{poll.missing_ms:_}"),
    )


def _pause(writer: ProtocolWriter, rule: model.CursorRule, values: tuple[tuple[str, model.Expr], ...]) -> str:
    """The function that says from an answer how long a cursor may be silent."""
    doc = f"How many milliseconds `{rule.name}` may be silent from an answer on; None: as long as before."
    lines = [*_by_answer(writer, rule, values), "return None"]
    answer = writer.wire(model.WireOf("answer"))
    return writer.function(f"_pause_of_{rule.name}", f"answer: {answer}", "int | None", doc, lines)


def _by_answer(
    writer: ProtocolWriter,
    rule: model.CursorRule,
    values: tuple[tuple[str, model.Expr], ...],
    missing: int | None = None,
) -> list[str]:
    """A value for each of some answers, `missing` where it says none."""
    assert rule.difference is not None
    lines = ["match answer:"]
    for name, expr in values:
        of = writer.answer_of(rule.difference.ask.request, name)
        if missing is not None and isinstance(expr.type, model.Optional | model.NoneType):
            expr = model.Binary("//", expr, model.Literal_(missing, INT64), INT64)
        text = compile_expr(expr, writer.scope(writer.fields(of, "answer")))
        lines += [f"    case {writer.wire(of)}():", f"        return {text}"]
    return lines
