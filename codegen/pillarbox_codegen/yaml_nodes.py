"""Trees of YAML whose every node knows its place, down to the characters of a scalar.

Depends on: nothing.  Never on: how files are read, what nodes mean.

Law: a place is one of the file the node came from, line and column from 1. Nothing changes a node once its
file is read (to have Python forbid it would double the cost of making tens of thousands).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

_INTEGER: Final = re.compile(r"-?(0|[1-9][0-9]{0,19})")
_FLOAT: Final = re.compile(r"-?[0-9]{1,20}\.[0-9]{1,20}")
_ESCAPE_WIDTHS: Final = {"x": 2, "u": 4, "U": 8}


@dataclass(frozen=True, slots=True, eq=False)
class SourceFile:
    """One file: its path below the schema folder, with `/`, and its text without a byte order mark."""

    path: str
    text: str


@dataclass(slots=True, eq=False)
class YamlScalar:
    """`style` is None (plain), `'`, `"`, `|` or `>`; `start` and `end` are offsets into the file's text."""

    file: SourceFile
    line: int
    column: int
    value: str
    style: str | None
    start: int
    end: int


@dataclass(slots=True, eq=False)
class YamlMap:
    file: SourceFile
    line: int
    column: int
    keys: dict[str, YamlScalar] = field(default_factory=dict)
    values: dict[str, YamlNode] = field(default_factory=dict)

    def __iter__(self) -> Iterator[tuple[YamlScalar, YamlNode]]:
        return ((self.keys[name], value) for name, value in self.values.items())


@dataclass(slots=True, eq=False)
class YamlList:
    file: SourceFile
    line: int
    column: int
    items: list[YamlNode] = field(default_factory=list)


YamlNode: TypeAlias = YamlScalar | YamlMap | YamlList


def plain(node: YamlNode) -> Any:
    """Dicts, lists and scalars as JSON Schema sees them: only `true` and `false` are booleans."""
    if isinstance(node, YamlMap):
        return {name: plain(value) for name, value in node.values.items()}
    if isinstance(node, YamlList):
        return [plain(item) for item in node.items]
    return scalar_value(node)


def scalar_value(node: YamlScalar) -> str | int | float | bool | None:
    """What a scalar stands for. Quoted ones are text, whatever they hold."""
    text = node.value
    if node.style is not None:
        return text
    if text in ("true", "false"):
        return text == "true"
    if text in ("", "null", "~"):
        return None
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def place_in(node: YamlScalar, offset: int) -> tuple[int, int]:
    """Line and column (from 1) of the character at `offset` of a scalar's value.

    Quoted and folded scalars are walked: an escape, a doubled quote or a folded line break is one
    character of the value and several of the file.
    """
    text = node.file.text
    index, end = node.start, node.end
    if node.style in ("|", ">"):
        index = text.find("\n", index) + 1
        index = _skip_blank(text, index, end)
    elif node.style is not None:
        index += 1
    for _ in range(offset):
        if index >= end:
            break
        index = _next_character(text, index, end, node.style)
    index = _skip_escaped_breaks(text, index, end, node.style)
    before = text[:index]
    return before.count("\n") + 1, index - before.rfind("\n")


def _skip_escaped_breaks(text: str, index: int, end: int, style: str | None) -> int:
    while style == '"' and text.startswith("\\\n", index) and index < end:
        index = _skip_blank(text, index + 2, end)
    return index


def _next_character(text: str, index: int, end: int, style: str | None) -> int:
    index = _skip_escaped_breaks(text, index, end, style)
    char = text[index]
    if style == '"' and char == "\\" and index + 1 < end:
        return index + 2 + _ESCAPE_WIDTHS.get(text[index + 1], 0)
    if style == "'" and text.startswith("''", index):
        return index + 2
    line_end = index
    while line_end < end and text[line_end] in " \t\r":
        line_end += 1
    if line_end < end and text[line_end] == "\n" and style != "|":
        return _skip_blank(text, line_end, end)
    if char == "\n":
        return _skip_blank(text, index + 1, end)
    return index + 1


def _skip_blank(text: str, index: int, end: int) -> int:
    while index < end and text[index] in " \t\r\n":
        index += 1
    return index
