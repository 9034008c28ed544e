"""The text of an expression as tokens.

Depends on: nothing.  Never on: what tokens form.

Law: the tokens and the space between them are the whole text, or there is one problem.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

WORDS: Final = frozenset(
    {"if", "then", "else", "or", "and", "not", "in", "is", "has", "true", "false", "none"}
)


class Token(NamedTuple):
    kind: Literal["int", "text", "name", "word", "mark", "end"]
    text: str
    offset: int
    value: int | str = 0


class SyntaxProblem(Exception):
    def __init__(self, offset: int, text: str, hint: str | None = None, code: str = "syntax") -> None:
        super().__init__(text)
        self.offset, self.text, self.hint, self.code = offset, text, hint, code


_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<int>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<mark>==|!=|<=|>=|//|[-+*<>.,:()\[\]])"""
    r"""|(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))""",
    re.DOTALL,
)
_ESCAPES: Final = {"\\": "\\", "'": "'", '"': '"', "n": "\n", "t": "\t"}
_HINTS: Final = {
    "=": "compare with `==`",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`, or compare with `!=`",
    "?": "write `if a then b else c`, or `a // b` for what may be absent",
    "{": "a row or record in text is `make(Type, field: value)`",
    "/": "write `div(a, 60)`; `a // b` is b where a is absent",
    "%": "write `mod(a, 60)`",
    "'": "close the text with the quote it began with",
    '"': "close the text with the quote it began with",
}


def tokens_of(text: str) -> list[Token]:
    tokens: list[Token] = []
    position = 0
    while True:
        match = _TOKEN.match(text, position)
        if match is None:
            rest = len(text) - len(text[position:].lstrip())
            if rest >= len(text):
                return [*tokens, Token("end", "", len(text.rstrip()))]
            raise SyntaxProblem(rest, f"`{text[rest]}` cannot stand here", _hint(text[rest:]))
        kind = match.lastgroup
        assert kind is not None
        tokens.append(_token(kind, match[kind], match.start(kind)))
        position = match.end()


def _hint(rest: str) -> str:
    """What to do about the first of these characters."""
    quote, hint = rest[0], _HINTS.get(rest[0], "leave it out; what is meant as text has quotes of its own")
    if quote in ("'", '"') and f"\\{quote}" in rest:
        return (
            f"{hint}: a `\\` before it makes it a part of the text, and one that stands for itself is `\\\\`"
        )
    return hint


def _token(kind: str, text: str, offset: int) -> Token:
    match kind:
        case "int":
            if len(text) > 20:
                hint = "numbers have 64 bits, or up to 20 digits: declare what is longer as a text"
                raise SyntaxProblem(offset, "the number has more than 20 digits", hint, "range")
            return Token("int", text, offset, int(text))
        case "text":
            return Token("text", text, offset, _unescape(text[1:-1], offset + 1))
        case "name":
            if text in WORDS:
                return Token("word", text, offset)
            return Token("name", text, offset)
        case _:
            return Token("mark", text, offset)


def _unescape(text: str, offset: int) -> str:
    if "\\" not in text:
        return text
    out: list[str] = []
    index = 0
    while index < len(text):
        char = text[index]
        if char == "\\":
            escaped = _ESCAPES.get(text[index + 1])
            if escaped is None:
                escapes = r"the escapes are \\ \' \" \n \t"
                hint = f"{escapes}; inside the double quotes of YAML each backslash is written twice"
                raise SyntaxProblem(offset + index, f"`\\{text[index + 1]}` is no escape", hint)
            char, index = escaped, index + 1
        out.append(char)
        index += 1
    return "".join(out)
