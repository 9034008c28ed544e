"""Wraps Python statements that are too long for a line, the way the formatter would.

Depends on: printing.  Never on: the model, templates.

Law: the wrapped text has the same tokens as before (but for trailing commas and brackets around a whole
expression), and the formatter finds nothing to change in it.

Plans and templates print one statement a line and need not count columns. A statement that is too long is
opened at its last bracket, one item a line and each with a comma, which the formatter respects; where it
is an operation rather than a call, it is put in brackets and parted at its loosest operators.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, zip_longest
from typing import NamedTuple

from pillarbox_codegen.printing import WIDTH, width

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
_OPERATORS = {word: level for level, words in enumerate(_LOOSENESS) for word in words}
_ASSIGNMENTS = frozenset({":", "=", "+=", "-=", "|=", "&="})
#: Names that no operand ends with.
_WORDS = frozenset({*_OPERATORS, "return", "lambda", "yield", "raise"})
_UNARY = frozenset({"-", "+", "~", "not"})
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_EMPTY = frozenset({"()", "[]", "{}"})
_STRING = r"""(?:"(?!"")[^"\\\n]*(?:\\.[^"\\\n]*)*"|'(?!'')[^'\\\n]*(?:\\.[^'\\\n]*)*')"""


def _brackets(depth: int) -> str:
    """A pattern of brackets and what is in them, so many levels deep; found whole or not at all."""
    inner = f"|{_brackets(depth - 1)}" if depth else ""
    return rf"""[(\[{{](?:[^"'()\[\]{{}}\\\#]++|{_STRING}{inner})*+[)\]}}]"""


#: A token of nearly all that is printed, brackets together with what they hold. What else there is, such as
#: triple quotes, `tokenize` knows.
_PLAIN = re.compile(
    rf"""\ *(?:
    (?P<string>(?:[rR][bBfF]?|[bBfF][rR]?|[uU])?{_STRING})
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


class _Token(NamedTuple):
    """One that stands in no brackets; a bracket is one itself."""

    text: str
    start: int
    end: int
    operand_before: bool


def fit(text: str) -> str:
    """Wrap every statement line of a module that is longer than a line may be."""
    lines: list[str] = []
    columns = len if text.isascii() else width
    for line in text.split("\n"):
        if columns(line) <= WIDTH:
            lines.append(line)
        else:
            lines += _statement(line)
    return "\n".join(lines)


def _statement(line: str) -> list[str]:
    text = line.lstrip(" ")
    indent = len(line) - len(text)
    if text.startswith(("#", '"""')):
        return [line]
    if text.endswith("("):  # of a call that is opened already; what may be opened besides stands before it
        head = _tokens(text[:-1])
        return _hugged(indent, text, _taken_apart(text[:-1], head)[0], head)
    try:
        tokens = _tokens(text)
    except (tokenize.TokenError, SyntaxError):
        return [line]
    if text.startswith(("def ", "class ")):
        return _opened(indent, text, tokens)
    if text.endswith(","):
        return _item(indent, text[:-1], comma=True)
    lead, value, tail = _taken_apart(text, tokens)
    inner = _tokens(value)
    if _splits(value, inner) and not _hugs(indent, lead, value, tail, inner):
        return _bracketed(indent, lead, value, tail)
    pairs = _pairs(inner)
    if pairs and indent + width(lead) + pairs[0][0].end <= WIDTH:
        return _hugged(indent, text, lead, tokens)
    if tokens[0].text == "for" and indent + width(f") in {_begun(value + tail, inner)}") <= WIDTH:
        return _targets_opened(indent, "for (", lead[len("for ") : -len(" in ")], f" in {value}{tail}")
    targets = lead.removesuffix(" = ")
    if targets != lead and len(_items(targets)) > 1:
        return _targets_opened(indent, "(", targets, f" = {value}{tail}")
    if lead and (pairs or indent + 4 + width(value) <= WIDTH) and value not in _EMPTY:
        return _bracketed(indent, lead, value, tail)
    return _hugged(indent, text, "", tokens)


def _targets_opened(indent: int, head: str, targets: str, rest: str) -> list[str]:
    """Names that a value is given to, each on a line; `rest` is what stands behind them."""
    margin, names = " " * indent, _items(targets)
    comma = "," if len(names) > 1 else ""
    text = f"_{rest}"  # as if the closing bracket were a name
    after = _hugged(indent, text, "", _tokens(text)) if rest.startswith(" in") else _wrapped(margin + text)
    after[0] = after[0].replace("_", ")", 1)
    return [f"{margin}{head}", *(f"{margin}    {name}{comma}" for name in names), *after]


def _wrapped(line: str) -> list[str]:
    return [line] if width(line) <= WIDTH else _statement(line)


def _taken_apart(text: str, tokens: Sequence[_Token]) -> tuple[str, str, str]:
    """(what stands before the value, the value, what stands behind it) of a statement."""
    first = tokens[0].text
    if first in ("return", "assert", "yield", "del"):
        return f"{first} ", text[len(first) + 1 :], ""
    if first == "raise":
        value, cause, _ = text.partition(" from None")
        return "raise ", value[len("raise ") :], cause
    if first in ("if", "elif", "while"):
        return f"{first} ", text[len(first) + 1 : -1], ":"
    if first == "for":
        start = next(token.end for token in tokens if token.text == "in") + 1
        return text[:start], text[start:-1], ":"
    marks = [token for token in tokens if token.text in _ASSIGNMENTS]
    if first == "lambda" or not marks:
        return "", text, ""
    assigned = [token for token in marks if token.text != ":"]
    start = (assigned or marks)[-1].end + 1
    return text[:start], text[start:], ""


def _bracketed(indent: int, lead: str, value: str, tail: str) -> list[str]:
    """The value in brackets of its own."""
    return [f"{' ' * indent}{lead}(", *_body(indent + 4, value), f"{' ' * indent}){tail}"]


def _hugs(indent: int, lead: str, value: str, tail: str, tokens: Sequence[_Token]) -> bool:
    """Whether the formatter opens the brackets that are there rather than add some.

    It does so where an expression of one operator begins or ends with brackets that hold something (not with
    an index), if everything between the brackets fits in lines.
    """
    pairs = _pairs(tokens)
    if not pairs or len(_splits(value, tokens)) != 1:
        return False
    opening, closing = pairs[-1]
    ends = closing.end == len(value) and not (opening.text == "[" and opening.operand_before)
    if not ends and pairs[0][0].start != 0:
        return False
    starts = [0, *(closing.start for _, closing in pairs)]
    stops = [*(opening.end for opening, _ in pairs), len(value)]
    between = [value[start:stop] for start, stop in zip(starts, stops, strict=True)]
    between[0] = lead + between[0]
    between[-1] += tail
    return all(indent + width(one) <= WIDTH for one in between)


def _hugged(indent: int, text: str, lead: str, tokens: Sequence[_Token]) -> list[str]:
    """Opens, from left to right, each bracket behind which the line would go on beyond its end."""
    margin = " " * indent
    lines = [margin]
    start = 0
    pairs = [pair for pair in _pairs(tokens) if pair[0].start >= len(lead)]
    for (opening, closing), following in zip_longest(pairs, pairs[1:]):
        end = following[0].end if following else len(text)
        if width(lines[-1] + text[start:end]) <= WIDTH:
            lines[-1] += text[start : closing.end]
        else:
            lines[-1] += text[start : opening.end]
            lines += _contents(indent + 4, opening, text[opening.end : closing.start])
            lines.append(margin + closing.text)
        start = closing.end
    lines[-1] += text[start:]
    return lines


def _item(indent: int, text: str, *, comma: bool) -> list[str]:
    """One item of an opened bracket."""
    end = "," if comma else ""
    if indent + width(text + end) <= WIDTH:
        return [" " * indent + text + end]
    tokens = _tokens(text)
    body = _lambda_body(tokens)
    if body and _wants_brackets(indent, text[:body], text[body:]):
        margin = " " * indent
        return [f"{margin}{text[:body]}(", *_body(indent + 4, text[body:]), f"{margin}){end}"]
    if _splits(text, tokens):
        return _parted(indent, text, tokens, comma=comma)
    if len(tokens) > 1 and tokens[1].text == ":=" and indent + width(_begun(text, tokens)) > WIDTH:
        name, value = tokens[0].text, text[tokens[1].start :]
        return [" " * indent + name, *_item(indent, value, comma=comma)]
    return _hugged(indent, text + end, "", tokens)


def _begun(text: str, tokens: Sequence[_Token]) -> str:
    """What must stand on one line: all up to the first bracket that can be opened."""
    pairs = _pairs(tokens)
    return text[: pairs[0][0].end] if pairs else text


def _wants_brackets(indent: int, head: str, body: str) -> bool:
    """Whether the body of a lambda that is too long goes into brackets of its own: if that helps, all but
    calls and lists do, and these where not even their beginning fits behind the parameters.
    """
    tokens = _tokens(body)
    if _splits(body, tokens):
        return True
    begun = _begun(body, tokens)
    if indent + 4 + width(begun) > WIDTH:
        return False
    ends = tokens[-1].text in (")", "]", "}") and tokens[0].text not in _UNARY
    return not ends or indent + width(head + begun) > WIDTH


def _lambda_body(tokens: Sequence[_Token]) -> int:
    """Where the body of a lambda begins that is no part of something larger; 0 where there is none."""
    found = False
    for token in tokens:
        found = found or (token.text == "lambda")
        if found and token.text == ":":
            return token.end + 1
    return 0


def _body(indent: int, text: str) -> list[str]:
    """What stands alone inside brackets: on one line where it fits."""
    return _item(indent, text, comma=False)


def _parted(indent: int, text: str, tokens: Sequence[_Token], *, comma: bool) -> list[str]:
    """Parted before each of its loosest operators."""
    cuts = _splits(text, tokens)
    pieces = [text[start:end].strip() for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    lines = [line for piece in pieces[:-1] for line in _item(indent, piece, comma=False)]
    return lines + _item(indent, pieces[-1], comma=comma)


def _opened(indent: int, text: str, tokens: Sequence[_Token]) -> list[str]:
    """A `def` or `class`, opened at its first bracket that holds something; else its result is bracketed."""
    margin = " " * indent
    pairs = _pairs(tokens)
    if pairs:
        opening, closing = pairs[0]
        head, body, tail = text[: opening.end], text[opening.end : closing.start], text[closing.start :]
        return [margin + head, *_contents(indent + 4, opening, body), margin + tail]
    head, arrow, returned = text[:-1].partition(" -> ")
    if indent + 4 + width(returned) > WIDTH or not arrow:
        return [margin + text]
    return [f"{margin}{head} -> (", f"{margin}    {returned}", f"{margin}):"]


def _contents(indent: int, opening: _Token, body: str) -> list[str]:
    """What stands in an opened bracket: one item a line, each with a comma where that changes nothing."""
    items = _items(body)
    tuple_ = body.endswith(",")
    grouped = opening.text == "(" and not opening.operand_before and not tuple_
    indexed = opening.text == "[" and opening.operand_before and not tuple_
    if len(items) == 1 and (grouped or indexed or _is_generated(body)):
        return _body(indent, body)
    return [line for item in items for line in _item(indent, item, comma=True)]


# --------------------------------------------------------------------------------------- the tokens


@lru_cache(maxsize=2_048)
def _tokens(text: str) -> tuple[_Token, ...]:
    """Kept for a while: an item is looked at when its bracket is, and again when it is opened itself."""
    return _plain_tokens(text) or _any_tokens(text)


def _plain_tokens(text: str) -> tuple[_Token, ...]:
    """The tokens; nothing where some are not plain.

    Many times faster than `tokenize`, which would be most of what wrapping costs.
    """
    found: list[_Token] = []
    end = 0
    operand = False
    for match in _PLAIN.finditer(text):
        if match.start() != end:
            return ()
        kind = match.lastgroup
        assert kind is not None
        start, end = match.span(kind)
        if kind == "brackets":
            found.append(_token(_Token, (text[start], start, start + 1, operand)))
            found.append(_token(_Token, (text[end - 1], end - 1, end, False)))
            operand = True
        else:
            string = match[kind]
            found.append(_token(_Token, (string, start, end, operand)))
            operand = kind != "mark" and string not in _WORDS
    return tuple(found) if end == len(text) else ()


def _any_tokens(text: str) -> tuple[_Token, ...]:
    """As `_plain_tokens`, of any text. Raises TokenError and SyntaxError."""
    found: list[_Token] = []
    depth = 0
    operand = False
    for kind, string, (_, start), _, _ in tokenize.generate_tokens(io.StringIO(text).readline):
        if kind in _LAYOUT:
            continue
        step = _BRACKETS.get(string, 0)
        if step < 0:
            depth -= 1
        if not depth:
            found.append(_Token(string, start, start + len(string), operand))
        if step > 0:
            depth += 1
        operand = not depth and (string not in _WORDS if kind in _OPERANDS else step < 0)
    return tuple(found)


def _pairs(tokens: Sequence[_Token]) -> list[tuple[_Token, _Token]]:
    """The brackets that hold something."""
    return [
        (opening, closing)
        for opening, closing in pairwise(tokens)
        if opening.text in ("(", "[", "{") and opening.end < closing.start
    ]


def _items(body: str) -> list[str]:
    """The parts of a bracket's contents between its commas; not those of parameters, or of a loop's names."""
    cuts: list[_Token] = []
    named = False
    for token in _tokens(body):
        if token.text in ("lambda", ":", "for", "in"):
            named = token.text in ("lambda", "for")
        elif token.text == "," and not named:
            cuts.append(token)
    starts = [0, *(cut.end for cut in cuts)]
    ends = [*(cut.start for cut in cuts), len(body)]
    return [item for start, end in zip(starts, ends, strict=True) if (item := body[start:end].strip())]


def _is_generated(body: str) -> bool:
    """Whether the contents are a comprehension."""
    return any(token.text == "for" for token in _tokens(body))


def _splits(text: str, tokens: Sequence[_Token]) -> list[int]:
    """Where the loosest operators of an expression stand; nothing inside brackets or a lambda counts."""
    clauses = _clauses(tokens)
    if any(clauses):
        return clauses
    words = [token.text for token in tokens]
    # Of a clause, what it goes through or asks.
    start = words.index("in") + 1 if words[:1] == ["for"] else 1 if words[:1] == ["if"] else 0
    cuts: dict[int, list[int]] = {}
    before = ""
    for token in tokens[start:]:
        if token.text == "lambda":
            return []
        level = _OPERATORS.get(token.text)
        if level is not None and token.operand_before and before != "not":
            cuts.setdefault(level, []).append(token.start)
        before = token.text
    return cuts[min(cuts)] if cuts else []


def _clauses(tokens: Sequence[_Token]) -> list[int]:
    """Where the clauses of a comprehension begin: each `for`, and each `if` behind one that has no `else`."""
    words = [token for token in tokens if token.text in ("for", "if", "else")]
    found: list[int] = []
    for word, following in zip_longest(words, words[1:]):
        condition = word.text == "if" and found and (following is None or following.text != "else")
        if word.text == "for" or condition:
            found.append(word.start)
    return found
