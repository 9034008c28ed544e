"""Plans `bodies.py`: what answers bring.

Depends on: protocol_incoming, protocol_writer, expr_python.  Never on: what is asked, cursors, recipes.
"""

from __future__ import annotations

from collections.abc import Sequence

from pillarbox_codegen import model
from pillarbox_codegen.expr_python import Scope, compile_code, compile_expr, compile_items
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.brings import brought_functions
from pillarbox_codegen.plan.clauses import comprehension
from pillarbox_codegen.plan.frame import Frame
from pillarbox_codegen.plan.protocol_incoming import asked, brings, operation_type
from pillarbox_codegen.plan.protocol_writer import Bodies, Piece, ProtocolWriter, call, given, returned
from pillarbox_codegen.python_code import Code, Level
from pillarbox_codegen.reads import parameter


def outputs(schema: model.Schema, frame: Frame) -> tuple[dict[str, str], Bodies]:
    """The module, where anything is brought, and the names of its functions."""
    assert schema.protocol is not None
    if not schema.protocol.bodies and not brought_functions(schema.protocol):
        return {}, {}
    imports = frame.imports(".bodies")
    imports.use_all("pillarbox.sync", ["Act", "Around", "Poll", "ResetAsk"])
    imports.use_all("pillarbox.sync.protocol", ["Body", "Row"])
    imports.use("pillarbox.storage", "StoredKey")
    writer = ProtocolWriter(schema, imports)
    writer.named()
    bodies = plan_bodies(writer)
    text = frame.module(
        doc=f"What answers bring that the server of the schema {schema.name!r} gives.",
        imports=writer.imports,
        template="protocol.py.j2",
        functions=writer.functions,
        constants=(),
    )
    return {"bodies.py": text}, bodies


def plan_bodies(writer: ProtocolWriter) -> Bodies:
    """The functions of the bodies: (body, answer, cursor) -> the name of the function."""
    found: Bodies = {}
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
            function = f"body_{name}_of_{at[1]}" if many else f"body_{name}"
            function = f"{function}_of_{at[2]}" if function in found.values() else function
            key = parameter("key", texts[at])
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
        brings(writer, body.brings, scope, add)
    if body.covered:
        places = ", ".join(writer.place(domain) for domain in body.covered)
        add("covered", ([], f"frozenset({{{places}}})"))
    if body.acts:
        asked(writer, body.acts, scope, add)
    return returned(before, call(writer.use("Body"), *arguments))


def _read(body: model.Body) -> object:
    return (body.side, body.lists, body.tail, body.brings, body.acts)


def _updates(writer: ProtocolWriter, lists: Sequence[model.BodyList], scope: Scope) -> str:
    found = [_one_list(writer, one, scope) for one in lists]
    if len(lists) > 1:
        return f"({', '.join(f'*{one.at(Level.BIT_OR)}' for one in found)})"
    made = lists[0].update or lists[0].only
    return f"tuple({found[0].text})" if made else found[0].text


def _one_list(writer: ProtocolWriter, one: model.BodyList, scope: Scope) -> Code:
    if not one.update and not one.only:
        return compile_code(one.items, scope)
    items = compile_items(one.items, scope)
    if one.update:
        made = writer.imports.use(".updates", names.class_name(one.update))
        assert one.field is not None
        item = scope.of_loop(one.field, one.items.type)
        texts = [f"{names.field(one.field)}={item}"]
        texts += [f"{names.field(other.name)}={compile_expr(other.expr, scope)}" for other in one.others]
        return comprehension(scope, f"{made}({', '.join(texts)})", item, items)
    kinds = [writer.imports.use(".updates", names.class_name(name)) for name in one.only]
    item = scope.of_loop("item", one.items.type)
    return comprehension(scope, item, item, items, f" if isinstance({item}, {' | '.join(kinds)})")
