"""Plans `protocol.py`: how a server is followed, as data and functions that the engine is given.

`bodies.py` and `holes.py`, which it names, come with it.

Depends on: bodies, sync_holes, protocol_incoming, protocol_cursors, protocol_resets, frame.
Never on: expressions.
"""

from __future__ import annotations

from typing import Final

from pillarbox_codegen import model
from pillarbox_codegen.plan import names, sync_holes
from pillarbox_codegen.plan.bodies import outputs as plan_bodies
from pillarbox_codegen.plan.frame import Frame
from pillarbox_codegen.plan.protocol_cursors import plan_cursor
from pillarbox_codegen.plan.protocol_incoming import plan_containers, plan_fetched
from pillarbox_codegen.plan.protocol_resets import plan_reset
from pillarbox_codegen.plan.protocol_writer import Bodies, Piece, ProtocolWriter, call, given, mapping
from pillarbox_codegen.printing import literal, tuple_text

#: What the engine calls things; no class of a schema may take these names in the module.
_VOCABULARY: Final = (
    "AnswerKind", "AnswerRule", "Answers", "Backoff", "Body", "CursorSpec", "Difference",
    "Fetch", "First", "Gather", "Opened", "Remedy", "ResetSpec", "Row", "Stamp", "SyncProtocol",
    "UpdateRules", "always", "spread",
)  # fmt: skip
_OF_DEBTS: Final = ("Debt", "DebtTable")
_OF_PARTS: Final = ("Confirm", "OpenPoll", "PartKind", "PartSpec", "Unknown")


def outputs(schema: model.Schema, frame: Frame) -> dict[str, str]:
    """The modules, where an engine has anything to do."""
    protocol = schema.protocol
    if protocol is None or not schema.is_followed:
        return {}
    outputs, bodies = plan_bodies(schema, frame)
    imports = frame.imports(".protocol", {"PROTOCOL"})
    imports.use_all("pillarbox.sync", ["Act", "Claim", "Instance", "Poll", "Position", "ResetAsk"])
    imports.use_all("pillarbox.sync.protocol", _VOCABULARY)
    imports.use_all("pillarbox.sync.cursor_parts", _OF_PARTS)
    imports.use_all("pillarbox.sync.debt_rows", _OF_DEBTS)
    imports.use("pillarbox.storage", "StoredKey")
    imports.use_all("typing", ["Any", "Final"])
    writer = ProtocolWriter(schema, imports)
    value = call("SyncProtocol", *_arguments(writer, protocol, bodies))
    writer.constant("PROTOCOL", value)
    return {
        **outputs,
        **sync_holes.outputs(schema, frame, bodies),
        "protocol.py": frame.module(
            doc=(
                f"How the server of the schema {schema.name!r} is followed: what is asked when, and what "
                f"becomes of what it says.\n\n`PROTOCOL` is what the engine is given."
            ),
            imports=imports,
            template="protocol.py.j2",
            functions=writer.functions,
            constants=writer.constants,
        ),
    }


def _arguments(writer: ProtocolWriter, protocol: model.Protocol, bodies: Bodies) -> list[Piece]:
    writer.imports.use_all(".sync", ["advance", "position", "row_at"])
    arguments: list[Piece] = [given("updates", _update_rules(writer))]
    opening = plan_containers(writer) if protocol.containers else _no_containers(writer)
    arguments.append(given("open", opening))
    cursors: list[tuple[str, Piece]] = [
        (str(writer.id_of(name)), plan_cursor(writer, rule, bodies))
        for name, rule in protocol.cursors.items()
    ]
    resets: list[tuple[str, Piece]] = [
        (literal(name), plan_reset(writer, reset, bodies)) for name, reset in protocol.resets.items()
    ]
    arguments += [
        given("cursors", mapping(cursors)),
        given("resets", mapping(resets)),
        given("debts", _debts(writer, protocol.debts) if protocol.debts else "None"),
        given("replay", writer.imports.use(".replay", "replay")),
        given("position", "position"),
        given("advance", "advance"),
        given("row", "row_at"),
    ]
    if writer.schema.operations:
        arguments.append(given("merges", writer.imports.use(".merges", "MERGES")))
    fetched = plan_fetched(writer, bodies) if writer.schema.updates and protocol.requests else None
    if fetched is not None:
        arguments.append(given("fetched", fetched))
    if protocol.requests:
        arguments.append(given("answers", _answers(writer)))
    if any(wire.gather for wire in protocol.requests.values()):
        arguments.append(given("gathers", _gathers(writer)))
    for kind in ("container", "request", "answer"):
        if protocol.wires(kind):
            for verb in ("encode", "decode"):
                name = f"{verb}_{kind}"
                arguments.append(given(name, writer.imports.use(f".{kind}s", name)))
    if writer.schema.operations and protocol.wires("container"):
        for name in ("encode_operation", "decode_operation"):
            arguments.append(given(name, writer.imports.use(".operations", name)))
    if writer.schema.outbox is not None:
        arguments.append(given("outbox", writer.imports.use(".outbox", "OUTBOX")))
    if writer.schema.holes:
        arguments.append(given("holes", writer.imports.use(".holes", "HOLES")))
    return arguments


def _update_rules(writer: ProtocolWriter) -> Piece:
    if not writer.schema.updates:
        return writer.use("NO_UPDATES")
    rules = ["claim", "emit", "beside", "needs"]
    if any(update.brings for update in writer.schema.updates.values()):
        rules.append("brings")
    writer.imports.use_all(".updates", [*rules, "WHEN_OLD"])
    updates: list[Piece] = [given(name, name) for name in rules]
    return call("UpdateRules", *updates, given("when_old", "WHEN_OLD"))


def _no_containers(writer: ProtocolWriter) -> str:
    error = writer.imports.use("pillarbox.errors", "UsageError")
    lines = [f'raise {error}(f"this schema has no containers, so {{container!r}} is none")']
    return writer.function("_open", "container: Any", "Opened", "Nothing is sent unasked.", lines)


def _answers(writer: ProtocolWriter) -> Piece:
    entries: list[tuple[str, Piece]] = []
    for wire in writer.protocol.requests.values():
        request = writer.wire(model.WireOf("request", wire.name))
        entries.append((request, tuple_text([writer.wire(answer) for answer in wire.answers])))
    return mapping(entries)


def _gathers(writer: ProtocolWriter) -> Piece:
    """How requests for rows become one."""
    replace = writer.imports.use("msgspec.structs", "replace")
    entries: list[tuple[str, Piece]] = []
    for wire in writer.protocol.requests.values():
        if wire.gather is not None:
            field = names.field(wire.gather[0])
            made = f"lambda request, items: {replace}(request, {field}=items)"
            rule = call(writer.use("Gather"), f"lambda request: request.{field}", made, str(wire.gather[1]))
            entries.append((writer.wire(model.WireOf("request", wire.name)), rule))
    return mapping(entries)


def _debts(writer: ProtocolWriter, name: str) -> Piece:
    """The functions that read and write what is owed."""
    tables = f"tables: {writer.imports.use('.transaction', 'Transaction')}"
    row = writer.imports.use(".types", names.row_class(name))
    table = f"tables.{names.table_attribute(name)}"
    packed = writer.imports.use("pillarbox.sync.debt_keys", "packed_key")
    stored = writer.imports.use("pillarbox.sync.debt_keys", "stored_key")
    made = f"Debt(row.cursor, {stored}(row.at), row.hint, row.cure, row.run, row.since)"
    writer.function(
        "_debts", tables, "list[Debt]", "All that is owed.", [f"return [{made} for row in {table}.all()]"]
    )
    fields = ", ".join(f"{name}=debt.{name}" for name in ("hint", "cure", "run", "since"))
    owed = f"{row}(cursor=debt.cursor, at={packed}(debt.key), {fields})"
    doc = "Write down what is owed; one debt an instance."
    writer.function("_owe", f"{tables}, debt: Debt", "None", doc, [f"{table}.put({owed})"])
    lines = ["cursor, key = instance", f"{table}.remove(cursor, {packed}(key))"]
    writer.function("_pay", f"{tables}, instance: Instance", "None", "Nothing is owed any more.", lines)
    return call("DebtTable", given("all", "_debts"), given("owe", "_owe"), given("pay", "_pay"))
