"""Wraps Python statements that are too long for a line, the way the formatter would.

Depends on: outer_tokens, printing.  Never on: the model, templates.

Law: the wrapped text has the same tokens as before (but for trailing commas and brackets around a whole
expression), and the formatter finds nothing to change in it.

Plans and templates print one statement a line and need not count columns. A statement that is too long is
opened at its last bracket, one item a line and each with a comma, which the formatter respects; where it
is an operation rather than a call, it is put in brackets and parted at its loosest operators.
"""

from __future__ import annotations

import tokenize
from collections.abc import Sequence
from itertools import zip_longest

from pillarbox_codegen.outer_tokens import OPERATORS, Token, pairs_of, tokens_of
from pillarbox_codegen.printing import WIDTH, width

_ASSIGNMENTS = frozenset({":", "=", "+=", "-=", "|=", "&="})
_UNARY = frozenset({"-", "+", "~", "not"})
_EMPTY = frozenset({"()", "[]", "{}"})


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
        head = tokens_of(text[:-1])
        return _hugged(indent, text, _taken_apart(text[:-1], head)[0], head)
    try:
        tokens = tokens_of(text)
    except (tokenize.TokenError, SyntaxError):
        return [line]
    if text.startswith(("def ", "class ")):
        return _opened(indent, text, tokens)
    if text.endswith(","):
        return _item(indent, text[:-1], comma=True)
    lead, value, tail = _taken_apart(text, tokens)
    inner = tokens_of(value)
    if indent + width(lead + "(") > WIDTH and (typed := _typed(indent, lead, value)):
        return typed
    if _splits(inner) and not _hugs(indent, lead, value, tail, inner):
        return _bracketed(indent, lead, value, tail)
    pairs = pairs_of(inner)
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
    after = _hugged(indent, text, "", tokens_of(text)) if rest.startswith(" in") else _wrapped(margin + text)
    after[0] = after[0].replace("_", ")", 1)
    return [f"{margin}{head}", *(f"{margin}    {name}{comma}" for name in names), *after]


def _typed(indent: int, lead: str, value: str) -> list[str]:
    """A field whose type is opened, and its value; nothing where there is no type that can be opened."""
    name, _, annotation = lead.removesuffix(" = ").partition(": ")
    tokens = tokens_of(annotation)
    margin = " " * indent
    if _splits(tokens):
        lines = _bracketed(indent, f"{name}: ", annotation, "")
    elif pairs := pairs_of(tokens):
        opening, closing = pairs[0]
        inside = _contents(indent + 4, opening, annotation[opening.end : closing.start])
        lines = [f"{margin}{name}: {annotation[: opening.end]}", *inside, margin + closing.text]
    else:
        return []
    after = _wrapped(f"{margin}_ = {value}")  # as if the closing bracket were a name
    return [*lines[:-1], after[0].replace("_", lines[-1][-1], 1), *after[1:]]


def _wrapped(line: str) -> list[str]:
    return [line] if width(line) <= WIDTH else _statement(line)


def _taken_apart(text: str, tokens: Sequence[Token]) -> tuple[str, str, str]:
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


def _hugs(indent: int, lead: str, value: str, tail: str, tokens: Sequence[Token]) -> bool:
    """Whether the formatter opens the brackets that are there rather than add some.

    It does so where an expression of one operator begins or ends with brackets that hold something (not with
    an index), if everything between the brackets fits in lines.
    """
    pairs = pairs_of(tokens)
    if not pairs or len(_splits(tokens)) != 1:
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


def _hugged(indent: int, text: str, lead: str, tokens: Sequence[Token]) -> list[str]:
    """Opens, from left to right, each bracket behind which the line would go on beyond its end."""
    margin = " " * indent
    lines = [margin]
    start = 0
    pairs = [pair for pair in pairs_of(tokens) if pair[0].start >= len(lead)]
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
    tokens = tokens_of(text)
    body = _lambda_body(tokens)
    if body and _wants_brackets(indent, text[:body], text[body:]):
        margin = " " * indent
        return [f"{margin}{text[:body]}(", *_body(indent + 4, text[body:]), f"{margin}){end}"]
    if _splits(tokens):
        return _parted(indent, text, tokens, comma=comma)
    if len(tokens) > 1 and tokens[1].text == ":=" and indent + width(_begun(text, tokens)) > WIDTH:
        name, value = tokens[0].text, text[tokens[1].start :]
        return [" " * indent + name, *_item(indent, value, comma=comma)]
    return _hugged(indent, text + end, "", tokens)


def _begun(text: str, tokens: Sequence[Token]) -> str:
    """What must stand on one line: all up to the first bracket that can be opened."""
    pairs = pairs_of(tokens)
    return text[: pairs[0][0].end] if pairs else text


def _wants_brackets(indent: int, head: str, body: str) -> bool:
    """Whether the body of a lambda that is too long goes into brackets of its own: if that helps, all but
    calls and lists do, and these where not even their beginning fits behind the parameters.
    """
    tokens = tokens_of(body)
    if _splits(tokens):
        return True
    begun = _begun(body, tokens)
    if indent + 4 + width(begun) > WIDTH:
        return False
    ends = tokens[-1].text in (")", "]", "}") and tokens[0].text not in _UNARY
    return not ends or indent + width(head + begun) > WIDTH


def _lambda_body(tokens: Sequence[Token]) -> int:
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


def _parted(indent: int, text: str, tokens: Sequence[Token], *, comma: bool) -> list[str]:
    """Parted before each of its loosest operators."""
    cuts = _splits(tokens)
    pieces = [text[start:end].strip() for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    lines = [line for piece in pieces[:-1] for line in _item(indent, piece, comma=False)]
    return lines + _item(indent, pieces[-1], comma=comma)


def _opened(indent: int, text: str, tokens: Sequence[Token]) -> list[str]:
    """A `def` or `class`, opened at its first bracket that holds something; else its result is bracketed."""
    margin = " " * indent
    pairs = pairs_of(tokens)
    if pairs:
        opening, closing = pairs[0]
        head, body, tail = text[: opening.end], text[opening.end : closing.start], text[closing.start :]
        return [margin + head, *_contents(indent + 4, opening, body), margin + tail]
    head, arrow, returned = text[:-1].partition(" -> ")
    if indent + 4 + width(returned) > WIDTH or not arrow:
        return [margin + text]
    return [f"{margin}{head} -> (", f"{margin}    {returned}", f"{margin}):"]


def _contents(indent: int, opening: Token, body: str) -> list[str]:
    """What stands in an opened bracket: one item a line, each with a comma where that changes nothing."""
    items = _items(body)
    tuple_ = body.endswith(",")
    grouped = opening.text == "(" and not opening.operand_before and not tuple_
    indexed = opening.text == "[" and opening.operand_before and not tuple_
    if len(items) == 1 and (grouped or indexed or _is_generated(body)):
        return _body(indent, body)
    return [line for item in items for line in _item(indent, item, comma=True)]


def _items(body: str) -> list[str]:
    """The parts of a bracket's contents between its commas; not those of parameters, or of a loop's names."""
    cuts: list[Token] = []
    named = False
    for token in tokens_of(body):
        if token.text in ("lambda", ":", "for", "in"):
            named = token.text in ("lambda", "for")
        elif token.text == "," and not named:
            cuts.append(token)
    starts = [0, *(cut.end for cut in cuts)]
    ends = [*(cut.start for cut in cuts), len(body)]
    return [item for start, end in zip(starts, ends, strict=True) if (item := body[start:end].strip())]


def _is_generated(body: str) -> bool:
    """Whether the contents are a comprehension."""
    return any(token.text == "for" for token in tokens_of(body))


def _splits(tokens: Sequence[Token]) -> list[int]:
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
        level = OPERATORS.get(token.text)
        if level is not None and token.operand_before and before != "not":
            cuts.setdefault(level, []).append(token.start)
        before = token.text
    return cuts[min(cuts)] if cuts else []


def _clauses(tokens: Sequence[Token]) -> list[int]:
    """Where the clauses of a comprehension begin: each `for`, and each `if` behind one that has no `else`."""
    words = [token for token in tokens if token.text in ("for", "if", "else")]
    found: list[int] = []
    for word, following in zip_longest(words, words[1:]):
        condition = word.text == "if" and found and (following is None or following.text != "else")
        if word.text == "for" or condition:
            found.append(word.start)
    return found
