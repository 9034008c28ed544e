"""The tokens of Python text that stand in no brackets, found much faster than by `tokenize`.

Depends on: nothing.  Never on: what is done with them.

Law: what is found fast is what `tokenize` finds.
"""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

#: Loosest first, as the formatter tells them apart. A split puts the operator at the start of the next line.
_LOOSENESS = (
    ("if", "else"),
    ("or", "and"),
    ("in", "is", "not", "==", "!=", "<", "<=", ">", ">="),
    ("|",),
    ("^",),
    ("&",),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "//", "%", "@"),
)
OPERATORS = {word: level for level, words in enumerate(_LOOSENESS) for word in words}
#: Names that no operand ends with.
_WORDS = frozenset(keyword.kwlist) - {"False", "None", "True"}
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
#: A pattern of a text on one line, without what stands before its quotes.
STRING = r"""(?:"(?!"")[^"\\\n]*(?:\\.[^"\\\n]*)*"|'(?!'')[^'\\\n]*(?:\\.[^'\\\n]*)*')"""


def _brackets(depth: int) -> str:
    """A pattern of brackets and what is in them, so many levels deep; found whole or not at all."""
    inner = f"|{_brackets(depth - 1)}" if depth else ""
    return rf"""[(\[{{](?:[^"'()\[\]{{}}\\\#]++|{STRING}{inner})*+[)\]}}]"""


#: A token of nearly all that is printed, brackets together with what they hold. What else there is, such as
#: triple quotes, `tokenize` knows.
_PLAIN = re.compile(
    rf"""\ *(?:
    (?P<string>(?:[rR][bBfF]?|[bBfF][rR]?|[uU])?{STRING})
    |(?P<name>[^\W\d]\w*)
    |(?P<brackets>{_brackets(20)})
    |(?P<number>(?:0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)(?![\w.]))
    |(?P<mark>\*\*=?|//=?|<<=?|>>=?|->|\.\.\.|!=|[-+*/%@&|^=<>:]=|[-+*/%@&|^=<>:,;~]|\.(?!\d))
    )""",
    re.ASCII | re.VERBOSE,
)
#: A named tuple made in one call: most of them are looked at once.
_token = tuple.__new__
_OPERANDS = frozenset({tokenize.NAME, tokenize.NUMBER, tokenize.STRING})
_LAYOUT = frozenset({tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER, tokenize.INDENT, tokenize.DEDENT})


class Token(NamedTuple):
    """One that stands in no brackets; a bracket is one itself."""

    text: str
    start: int
    end: int
    operand_before: bool


@lru_cache(maxsize=2_048)
def tokens_of(text: str) -> tuple[Token, ...]:
    """Kept for a while: an item is looked at when its bracket is, and again when it is opened itself."""
    return plain_tokens(text) or any_tokens(text)


def plain_tokens(text: str) -> tuple[Token, ...]:
    """The tokens; nothing where some are not plain.

    Many times faster than `tokenize`, which would be most of what wrapping costs.
    """
    found: list[Token] = []
    end = 0
    operand = False
    for match in _PLAIN.finditer(text):
        if match.start() != end:
            return ()
        kind = match.lastgroup
        assert kind is not None
        start, end = match.span(kind)
        if kind == "brackets":
            found.append(_token(Token, (text[start], start, start + 1, operand)))
            found.append(_token(Token, (text[end - 1], end - 1, end, False)))
            operand = True
        else:
            string = match[kind]
            found.append(_token(Token, (string, start, end, operand)))
            operand = kind != "mark" and string not in _WORDS
    return tuple(found) if end == len(text) else ()


def any_tokens(text: str) -> tuple[Token, ...]:
    """As `plain_tokens`, of any text. Raises TokenError and SyntaxError."""
    found: list[Token] = []
    depth = 0
    operand = False
    for kind, string, (_, start), _, _ in tokenize.generate_tokens(io.StringIO(text).readline):
        if kind in _LAYOUT:
            continue
        step = _BRACKETS.get(string, 0)
        if step < 0:
            depth -= 1
        if not depth:
            found.append(Token(string, start, start + len(string), operand))
        if step > 0:
            depth += 1
        operand = not depth and (string not in _WORDS if kind in _OPERANDS else step < 0)
    return tuple(found)


def pairs_of(tokens: Sequence[Token]) -> list[tuple[Token, Token]]:
    """The brackets that hold something."""
    return [
        (opening, closing)
        for opening, closing in pairwise(tokens)
        if opening.text in ("(", "[", "{") and opening.end < closing.start
    ]
