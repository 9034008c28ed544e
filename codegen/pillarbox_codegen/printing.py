"""Python text out of plain values: literals, docstrings, comments, import lines.

Depends on: nothing.  Never on: the model, templates.

Law: whatever the text says, what is printed is one literal, one docstring or one comment, and evaluates to
that text where it is a literal; the formatter finds nothing to change in it.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Sequence
from functools import cache

#: Columns of a line.
WIDTH = 110


def width(text: str) -> int:
    """Columns a line takes; wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


# ---------------------------------------------------------------------------------------- literals


def literal(value: object) -> str:
    """The Python literal of a text, number, bool, None, or tuple of those."""
    if isinstance(value, str):
        quote = "'" if value.count('"') > value.count("'") else '"'
        if value.isprintable() and "\\" not in value and quote not in value:
            return quote + value + quote
        return quote + "".join(_escaped(char, quote) for char in value) + quote
    if isinstance(value, tuple):
        return tuple_text([literal(item) for item in value])
    if isinstance(value, bool | int | float | bytes) or value is None:
        return repr(value)
    raise TypeError(f"no literal for {type(value).__name__}")


def tuple_text(items: Sequence[str]) -> str:
    """A tuple display of these expressions."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def targets(names: Sequence[str]) -> str:
    """What stands left of `=` to take a tuple apart."""
    return f"({names[0]},)" if len(names) == 1 else ", ".join(names)


def _escaped(char: str, quote: str) -> str:
    if char in "'\"":
        return f"\\{char}" if char == quote else char
    return repr(char)[1:-1]


# ------------------------------------------------------------------------------ docstrings, comments


def _plain(text: str) -> str:
    """One paragraph on one line, with nothing invisible in it."""
    words = " ".join(text.split())
    if words.isprintable():
        return words
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in words)


def _wrapped(text: str, columns: int) -> list[str]:
    if text.isascii():
        return textwrap.wrap(text, columns, break_long_words=False, break_on_hyphens=False)
    lines = [""]
    for word in text.split(" "):
        grown = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and width(grown) > columns:
            lines.append(word)
        else:
            lines[-1] = grown
    return lines


def docstring(text: str, indent: int = 0) -> str:
    """A docstring of one or more paragraphs (parted by a blank line), without a final newline.

    The first line is not indented, the others are; put it where the statement stands.
    """
    apart = re.split(r"\n\s*\n", text.strip()) if "\n" in text else [text]
    paragraphs = [_plain(paragraph) for paragraph in apart]
    paragraphs = [paragraph.replace("\\", "\\\\").replace('"""', "'''") for paragraph in paragraphs]
    start = " " if paragraphs[0].startswith('"') else ""
    end = " " if paragraphs[-1].endswith('"') else ""
    if len(paragraphs) == 1 and width(paragraphs[0]) + indent + 6 + len(start + end) <= WIDTH:
        return f'"""{start}{paragraphs[0]}{end}"""'
    margin = " " * indent
    blocks = []
    # The formatter would pull the quotes up to a lone line, however long that gets.
    columns = WIDTH - indent - (3 if len(paragraphs) == 1 else 0)
    for number, paragraph in enumerate(paragraphs):
        opened = "" if number else f'"""{start}'
        lines = _wrapped(opened + paragraph, columns)
        blocks.append(f"\n{margin}".join(lines))
    return f"\n\n{margin}".join(blocks) + f'\n{margin}"""'


def comment(text: str, indent: int = 0, mark: str = "#") -> list[str]:
    """Comment lines, indented."""
    margin = f"{' ' * indent}{mark} "
    # Linters and formatters take orders behind a hash; a doc gives none.
    plain = re.sub(r"(?<!\S)#+ ?", "", _plain(text))
    return [margin + line for line in _wrapped(plain, WIDTH - len(margin))]


# ----------------------------------------------------------------------------------------- imports


def natural(text: str) -> list[tuple[int, int, str]]:
    """Sorting key in which digits compare as numbers: `a_2` before `a_10`."""
    pieces = re.findall(r"\d+|\D", text)
    return [(0, int(piece), piece) if piece.isdigit() else (1, 0, piece) for piece in pieces]


@cache
def member_order(name: str) -> tuple[int, list[tuple[int, int, str]], list[tuple[int, int, str]]]:
    """Sorting key of imported names: constants, classes, the rest; within them without regard to case."""
    kind = 0 if len(name) > 1 and name.isupper() else 1 if name[:1].isupper() else 2
    return kind, natural(name.lower()), natural(name)


def from_import(module: str, names: Sequence[str]) -> str:
    """`from module import a, b`, one name a line where that is too long."""
    line = f"from {module} import {', '.join(names)}"
    if width(line) <= WIDTH:
        return line
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")"
