"""The word `text`: rows found by their words.

Depends on: context, check_items, expr_check.  Never on: other words.

Law: a row of the index has the key of its source row, and a part of a filter is a value that can be a word.
"""

from __future__ import annotations

from pillarbox_codegen.check_items import Derived, check_key_items, each_and_when, source_table
from pillarbox_codegen.context import Context, row_scope
from pillarbox_codegen.expr_check import check_node
from pillarbox_codegen.model import Field, KeyPart, Scalar, Text
from pillarbox_codegen.yaml_nodes import YamlMap

TEXT = Scalar("text")


def check_text(context: Context, body: YamlMap) -> Derived:
    """The rule, and the key and the field of its rows. Raises Invalid after findings."""
    source = source_table(context, body.values["from"])
    _, when, scope = each_and_when(context, body, row_scope(source))
    of = check_node(context, body.values["of"], TEXT, scope)
    filters = check_key_items(context, body.values["filter"], scope) if "filter" in body.values else ()
    key = tuple(KeyPart(part.name, part.type, part.desc, None, part.doc) for part in source.key)
    if any(part.name == "words" for part in key):
        text = f"a part of the key of {source.name} is called `words`, as the field here is"
        raise context.findings.add(body.values["from"], "name-taken", text, "rename that part")
    for place, item in enumerate(filters):
        if item.name in {other.name for other in filters[:place]}:
            text = f"two parts of the filter are called `{item.name}`"
            raise context.findings.add(
                body.values["filter"], "name-taken", text, "name one: `{name: expression}`"
            )
        if item.desc:
            text = f"a filter has no order, and `{item.name}` says `desc`"
            raise context.findings.add(body.values["filter"], "filter", text, "leave `desc` out")
        if item.name in ("text", "newest_first", "limit"):
            text = f"`{item.name}` is what a search has besides its filters"
            raise context.findings.add(
                body.values["filter"], "name-taken", text, "name it: `{name: expression}`"
            )
    words = Field(1, "words", TEXT)
    return Derived(Text(source.name, when, of, filters), key, (words,), storage="words")
