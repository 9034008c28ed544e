"""Whether a cursor gets anywhere by what is asked about it.

Depends on: context, model.  Never on: expressions.

Law: what an answer brings moves the cursor over it, and what moves a cursor is brought; nothing is passed
over in silence, nor asked for again without an end.
"""

from __future__ import annotations

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import one_of
from pillarbox_codegen.model import Asked, Body, Cursor, NoneType, Optional, PartValues
from pillarbox_codegen.walk import names_in
from pillarbox_codegen.yaml_nodes import YamlMap


def check_moves(
    context: Context, cursor: Cursor, node: YamlMap, body: str | None, given: PartValues
) -> None:  # fmt: skip
    """What an answer to a difference sets, beside what it brings. Raises Invalid after a finding."""
    kind, values, keys = text_value(node.values["kind"]), node.values, node.keys
    if kind in ("full", "slice") and "body" not in values and "emits" not in values:
        text = f"what is in an answer of the kind `{kind}` is written, and nothing is said of it"
        raise context.findings.add(node, "difference", text, "give `body:` or `emits:`, or say `kind: empty`")
    if "body" not in values:
        return
    moved, parts = {name for name, _ in given}, _moving(cursor)
    if parts and not any(name in moved for name in parts):
        text = f"this body is asked for and written again and again, since `{cursor.name}` stays where it is"
        raise context.findings.add(keys["body"], "difference", text, f"add `set:` with {one_of(parts)}")
    covered = _covered(context, cursor, body)
    left = [part.name for part in cursor.parts if part.kind in ("counter", "token") and part.name in covered]
    always = {name for name, value in given if not isinstance(value.type, Optional | NoneType)}
    left = [name for name in left if name not in always]
    if left:
        how = "may stay where it is" if moved & {*left} else "is not set"
        text = f"what `{body}` brings of {one_of(left)} is not checked, and comes again, since it {how}"
        hint = f"add {one_of(left)} to `set`, or take it out of `covered`"
        raise context.findings.add(keys["body"], "difference", text, hint)
    lost = [name for name in _claimed(context, cursor, body) if name in moved and name not in covered]
    if lost:
        text = f"what `{body}` brings of {one_of(lost)} beyond a gap is dropped, "
        text += f"and `{cursor.name}` moves over it"
        hint = f"add {one_of([f'{cursor.name}.{name}' for name in lost])} to `covered` of the body"
        raise context.findings.add(keys["body"], "difference", text, hint)


def check_goes_on(context: Context, cursor: Cursor, node: YamlMap, asked: Asked) -> None:
    """Whether a question that waits says where it goes on. Raises Invalid after a finding."""
    parts = _moving(cursor)
    if not names_in(asked.arguments) & set(parts):
        text = "the question that waits does not say where it goes on, so all is told each time"
        raise context.findings.add(node, "difference", text, f"name {one_of(parts)} in `with`")


def _moving(cursor: Cursor) -> list[str]:
    return [part.name for part in cursor.parts if part.kind != "stamp"]


def _covered(context: Context, cursor: Cursor, body: str | None) -> set[str]:
    """The parts of the cursor whose claims the body does not check."""
    return {part for rule in _checked(context, body) for of, part in rule.covered if of == cursor.name}


def _claimed(context: Context, cursor: Cursor, body: str | None) -> list[str]:
    """The parts of the cursor that show gaps, and that updates which the body may bring claim."""
    brought: set[str] = set()
    for rule in _checked(context, body):
        for one in rule.lists:
            brought |= {one.update} if one.update else {*(one.only or context.updates)}
    claims = [context.updates[name].claim for name in brought if name in context.updates]
    parts = {claim.part for claim in claims if claim is not None and claim.cursor == cursor.name}
    return [part.name for part in cursor.parts if part.kind in ("counter", "token") and part.name in parts]


def _checked(context: Context, body: str | None) -> list[Body]:
    """A body, as it is checked for each answer that has it."""
    return [rule for (name, _, _), rule in context.protocol.bodies.items() if name == body]
