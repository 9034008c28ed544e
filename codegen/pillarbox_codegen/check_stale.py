"""The word `stale`: keys whose base must be asked for again.

Depends on: context, check_fields.  Never on: the words that mark keys, steps.

Law: a row has the key of the table it is of, or one of its own, then the version, then the record; a word
that marks a key knows no record, so every field of one has a default.
"""

from __future__ import annotations

from dataclasses import replace

from pillarbox_codegen.check_fields import check_fields, check_key_parts, text_value
from pillarbox_codegen.check_items import Derived
from pillarbox_codegen.context import Context, at_start, is_required
from pillarbox_codegen.model import Field, KeyPart, Scalar, Stale
from pillarbox_codegen.yaml_nodes import YamlMap

VERSION = Field(1, "version", Scalar("uint32"))


def check_stale(context: Context, body: YamlMap) -> Derived:
    if ("of" in body.values) == ("by" in body.values):
        text = "what is stale are the keys of a table, or keys of its own"
        raise context.findings.add(body, "one-of", text, "write `of: TABLE`, or `by: {part: type}`")
    of, key = _key(context, body)
    node = body.values.get("record")
    record, reserved = check_fields(context, node if isinstance(node, YamlMap) else None, body)
    seen = {VERSION.name, *(part.name for part in key)}
    for field in record:
        assert isinstance(node, YamlMap)
        if field.name in seen:
            text = f"a row has `{field.name}` already"
            hint = "it has the key, the `version` and the record side by side"
            raise context.findings.add(node.keys[field.name], "name-taken", text, hint)
        if is_required(field):
            text = f"a word that marks a key does not know `{field.name}`"
            raise context.findings.add(node.keys[field.name], "default", text, "give it a default")
    # The version comes first, so the numbers of the record begin behind it.
    fields = (VERSION, *(replace(field, number=field.number + 1) for field in record))
    return Derived(Stale(of), key, fields, reserved=tuple(number + 1 for number in reserved))


def _key(context: Context, body: YamlMap) -> tuple[str | None, tuple[KeyPart, ...]]:
    if "by" in body.values:
        return None, check_key_parts(context, body.values["by"])
    node = body.values["of"]
    table = context.table(text_value(node), at_start(node))
    return table.name, tuple(KeyPart(part.name, part.type, part.desc) for part in table.key)
