"""The text of a type, such as `list<map<int32, opt<UserId>>>`, as a `model.Type`.

Depends on: context, findings.  Never on: what the type is for.

Law: every name in what comes back is declared; its own definition may still be faulty.
"""

from __future__ import annotations

import re
from typing import Final

from pillarbox_codegen.context import Context
from pillarbox_codegen.diagnostics import did_you_mean, nearest
from pillarbox_codegen.findings import Invalid
from pillarbox_codegen.model import (
    BagOf,
    ListOf,
    MapOf,
    Named,
    Optional,
    RowOf,
    Scalar,
    ScalarName,
    Type,
    UpdateOf,
)
from pillarbox_codegen.yaml_nodes import YamlNode, YamlScalar

DEPTH_MAX: Final = 8
TEXT_MAX: Final = 500

SCALARS: Final[dict[str, ScalarName]] = {
    "bool": "bool", "int8": "int8", "int16": "int16", "int32": "int32", "int64": "int64",
    "uint8": "uint8", "uint16": "uint16", "uint32": "uint32", "uint64": "uint64",
    "float64": "float64", "text": "text", "bytes": "bytes",
}  # fmt: skip
_WRAPPERS: Final = ("list", "map", "opt", "row", "bag")
_FOREIGN: Final = {
    "int": "int64", "integer": "int64", "long": "int64", "str": "text", "string": "text", "float": "float64",
    "double": "float64", "boolean": "bool", "byte": "uint8", "blob": "bytes", "optional": "opt<T>",
    "array": "list<T>", "dict": "map<K, V>", "set": "list<T>", "date": "int64", "datetime": "int64",
}  # fmt: skip
_NAMED: Final = "put what is inside into a record, which has a name"
_HINTS: Final = {"?": "what may be absent is of the type `opt<..>`", "[": "a list is of the type `list<..>`"}
#: How each of what holds others is written.
_FORMS: Final = {
    "list": "list<text>", "opt": "opt<text>", "map": '"map<text, int64>"', "row": "row<a_table>",
    "bag": "bag<A_union>",
}  # fmt: skip
_TOKEN: Final = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*|[<>,]|\S)")


def parse_type(context: Context, node: YamlNode, *, updates: bool = False) -> Type:
    """The type written in a scalar; `update` is one with `updates`. Raises Invalid after a finding."""
    assert isinstance(node, YamlScalar)
    if len(node.value) > TEXT_MAX:
        raise context.findings.add(node, "too-big", f"the type is longer than {TEXT_MAX} characters", _NAMED)
    tokens = [(match[1], match.start(1)) for match in _TOKEN.finditer(node.value)]
    reader = _Reader(context, node, [*tokens, ("", len(node.value.rstrip()))], updates)
    type = reader.type(0)
    reader.end()
    return type


class _Reader:
    def __init__(
        self, context: Context, node: YamlScalar, tokens: list[tuple[str, int]], updates: bool
    ) -> None:
        self._context = context
        self._node = node
        self._tokens = tokens
        self._next = 0
        self._updates = updates

    def end(self) -> None:
        text, offset = self._tokens[self._next]
        if text:
            raise self._find(
                offset, "type-syntax", f"`{text}` cannot follow here", _HINTS.get(text, "leave it out")
            )

    def _find(self, offset: int, code: str, text: str, hint: str | None = None) -> Invalid:
        return self._context.findings.add(self._node, code, text, hint, offset)

    def _take(self) -> tuple[str, int]:
        token = self._tokens[self._next]
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token

    def _expect(self, wanted: str, word: str) -> None:
        text, offset = self._take()
        if text != wanted:
            shown = f"`{text}`" if text else "the end"
            hint = f"`{word}` is written as {_FORMS[word]}"
            raise self._find(offset, "type-syntax", f"expected `{wanted}`, found {shown}", hint)

    def type(self, depth: int) -> Type:
        if depth > DEPTH_MAX:
            raise self._find(0, "too-deep", f"a type is at most {DEPTH_MAX} levels deep", _NAMED)
        name, offset = self._take()
        if not name or not (name[0].isalpha() or name[0] == "_"):
            hint = "write a scalar such as `int64` or `text`, or a type of the schema"
            raise self._find(offset, "type-syntax", "expected the name of a type", hint)
        if name in _WRAPPERS:
            return self._wrapped(name, offset, depth)
        if name in SCALARS:
            return Scalar(SCALARS[name])
        if name in self._context.entries("types"):
            return Named(name)
        if name == "update":
            return self._update(offset)
        raise self._find(offset, "unknown-type", f"there is no type `{name[:60]}`", self._hint(name))

    def _update(self, offset: int) -> UpdateOf:
        if not self._updates:
            text = "updates are in containers and answers only"
            raise self._find(offset, "bad-type", text, "keep what the update says, in a record or row")
        if not self._context.entries("updates"):
            raise self._find(offset, "unknown-type", "the schema has no updates", "declare one in `updates:`")
        return UpdateOf()

    def _hint(self, name: str) -> str:
        if name.lower() in _FOREIGN:
            return f"did you mean `{_FOREIGN[name.lower()]}`?"
        if name in self._context.case_unions:
            return f"{name} is a case of {self._context.case_unions[name]}; write that"
        if self._context.is_table(name):
            return f"a row of that table is `row<{name}>`"
        known = [*SCALARS, *_WRAPPERS, *self._context.entries("types")]
        near = nearest(name, known)
        if near is None:
            return "declare it in `types:`"
        return f"did you mean `{near}<..>`?" if near in _WRAPPERS else f"did you mean `{near}`?"

    def _wrapped(self, word: str, offset: int, depth: int) -> Type:
        self._expect("<", word)
        if word == "row":
            table, at = self._take()
            self._expect(">", word)
            if not self._context.is_table(table):
                hint = did_you_mean(table, self._context.table_names()) or "declare it in `tables:`"
                raise self._find(at, "unknown-table", f"there is no table `{table[:60]}`", hint)
            return RowOf(table)
        if word == "bag":
            return self._bag()
        item = self.type(depth + 1)
        if word == "map":
            self._expect(",", word)
            value = self.type(depth + 1)
            self._expect(">", word)
            return MapOf(item, value)
        self._expect(">", word)
        if word == "list":
            return ListOf(item)
        if isinstance(item, Optional):
            raise self._find(offset, "bad-type", "`opt` of `opt` says nothing more", "write `opt` once")
        return Optional(item)

    def _bag(self) -> BagOf:
        name, at = self._take()
        self._expect(">", "bag")
        entry = self._context.entries("types").get(name)
        if entry is None:
            raise self._find(at, "unknown-type", f"there is no type `{name[:60]}`", self._hint(name))
        if "union" not in entry.body.values:
            text = f"a bag holds values of a union, `{name[:60]}` is none"
            raise self._find(at, "bad-type", text, "write `list<..>`, or make it a union")
        return BagOf(Named(name))
