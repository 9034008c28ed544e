"""The word `text`: rows found by their words.

Depends on: context, check_items, expr_check.  Never on: other words.

Law: a row of the index has the key of its source row, and a part of a filter is a value that can be a word.
"""

from __future__ import annotations

from pillarbox_codegen.check_items import Derived, check_key_items, each_and_when, source_table
from pillarbox_codegen.context import Context, row_scope
from pillarbox_codegen.expr_check import check
from pillarbox_codegen.expr_parse import parse_node
from pillarbox_codegen.expr_scope import Scope
from pillarbox_codegen.expr_syntax import CallNode, ConstNode, ListNode, Syntax
from pillarbox_codegen.model import Expr, Field, KeyPart, Scalar, Text
from pillarbox_codegen.yaml_nodes import YamlMap, YamlNode

TEXT = Scalar("text")


def check_text(context: Context, body: YamlMap) -> Derived:
    """The rule, and the key and the field of its rows. Raises Invalid after findings."""
    source = source_table(context, body.values["from"])
    _, when, scope = each_and_when(context, body, row_scope(source))
    of = _of(context, body.values["of"], scope)
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


def _of(context: Context, node: YamlNode, scope: Scope) -> Expr:
    """The text, or those of a list with blanks between them. Raises Invalid after a finding."""
    syntax = parse_node(node, context.findings)
    texts = syntax.items if isinstance(syntax, ListNode) else (syntax,)
    if not texts:
        raise context.findings.add(node, "wrong-shape", "no text is named", "name a field: `[title]`")
    for text in texts:
        if isinstance(text, CallNode) and text.function == "concat" and len(text.arguments) > 1:
            hint = "give a list of texts: `[a, b]`"
            raise context.add(text.at, "glued", "`concat` joins the words at its seams", hint)
    if not isinstance(syntax, ListNode):
        return check(context, syntax, TEXT, scope)
    parted: list[Syntax] = []
    for text in texts:
        parted += [text] if not parted else [ConstNode(" ", text.at), text]
    return check(context, CallNode("concat", tuple(parted), (), syntax.at), TEXT, scope)
