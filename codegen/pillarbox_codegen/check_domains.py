"""Counters of cursors, as updates and answers name them: `CURSOR.PART`.

Depends on: context.  Never on: what they are claimed for.
"""

from __future__ import annotations

from pillarbox_codegen.check_fields import text_value
from pillarbox_codegen.context import Context, at_start
from pillarbox_codegen.diagnostics import one_of
from pillarbox_codegen.model import Type
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode


def counter_of(
    context: Context, node: YamlNode, *, tokens: bool = False
) -> tuple[str, str, dict[str, YamlNode]]:
    """The cursor, its part, and the part's own claim. Raises Invalid after a finding.

    `tokens`: whether one may stand for a counter, where it matters which is held and not which comes first.
    """
    name, dot, part = text_value(node).partition(".")
    entry = context.declared_one("cursors", name, at_start(node), "unknown-cursor", "cursor")
    cursor = context.cursors.get(name)
    if cursor is None:
        raise context.findings.silent()
    kinds = ("counter", "watermark", "token") if tokens else ("counter", "watermark")
    counters = [known.name for known in cursor.parts if known.kind in kinds]
    if not dot or part not in counters:
        known = one_of([f"{name}.{counter}" for counter in counters]) if counters else "another cursor"
        other = {known.name: known.kind for known in cursor.parts}.get(part)
        text = (
            f"`{text_value(node)}` is no counter"
            if other is None
            else f"`{name}.{part}` is a {other}, it counts nothing"
        )
        code = "unknown-cursor" if other is None else "claim"
        raise context.findings.add(node, code, text, f"claim {known}")
    holder = entry.body.values["parts"]
    assert isinstance(holder, YamlMap)
    body = holder.values[part]
    claim = body.values.get("claim") if isinstance(body, YamlMap) else None
    return name, part, dict(claim.values) if isinstance(claim, YamlMap) else {}


def type_of(context: Context, cursor: str, part: str) -> Type:
    """What a part of a cursor holds: `int64`, or `text` of a token."""
    return next(known.type for known in context.cursors[cursor].parts if known.name == part)
