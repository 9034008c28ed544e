"""The text of an expression as a tree of syntax; every node knows the character it begins at.

Depends on: yaml_source, findings.  Never on: types, names, tables.

Law: parsing ends for every text, in time linear in its length, with a tree or with one finding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from pillarbox_codegen.diagnostics import one_of
from pillarbox_codegen.findings import Findings
from pillarbox_codegen.yaml_source import YamlList, YamlMap, YamlNode, YamlScalar

TEXT_MAX: Final = 2_000
DEPTH_MAX: Final = 40

Comparison: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">=", "in"]
COMPARISONS: Final[dict[str, Comparison]] = {
    "==": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "in": "in",
}  # fmt: skip

WORDS: Final = frozenset(
    {"if", "then", "else", "or", "and", "not", "in", "is", "has", "true", "false", "none"}
)


class At(NamedTuple):
    """A character of a YAML node."""

    node: YamlNode
    offset: int


@dataclass(frozen=True, slots=True)
class ConstNode:
    value: int | str | bool | None
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class NameNode:
    name: str
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class AttrNode:
    of: Syntax
    name: str
    at: At = field(compare=False)
    name_at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class CallNode:
    """`named` holds `name: value` arguments, in order, each with where its name stands."""

    function: str
    arguments: tuple[Syntax, ...]
    named: tuple[NamedNode, ...]
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class NamedNode:
    name: str
    value: Syntax
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class ListNode:
    items: tuple[Syntax, ...]
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class MapNode:
    """A YAML mapping where a row or record is expected; text has no such form."""

    fields: tuple[NamedNode, ...]
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class UnaryNode:
    op: Literal["-", "not"]
    operand: Syntax
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class BinaryNode:
    op: Literal["+", "-", "and", "or", "//"] | Comparison
    left: Syntax
    right: Syntax
    at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class IsNode:
    """`what` is `present`, `none` or the name of a union case."""

    of: Syntax
    what: str
    at: At = field(compare=False)
    what_at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class HasNode:
    of: Syntax
    flag: str
    at: At = field(compare=False)
    flag_at: At = field(compare=False)


@dataclass(frozen=True, slots=True)
class IfNode:
    condition: Syntax
    then: Syntax
    otherwise: Syntax
    at: At = field(compare=False)


Syntax: TypeAlias = (
    ConstNode | NameNode | AttrNode | CallNode | ListNode | MapNode
    | UnaryNode | BinaryNode | IsNode | HasNode | IfNode
)  # fmt: skip


def parse_node(node: YamlNode, findings: Findings) -> Syntax:
    """A scalar is text to parse, a list a tuple of expressions, a mapping named fields. Raises Invalid."""
    match node:
        case YamlScalar():
            return parse_text(node, node.value, 0, findings)
        case YamlList():
            with findings.together() as block:
                items = [block.attempt(parse_node, item, findings) for item in node.items]
            return ListNode(tuple(item for item in items if item is not None), At(node, 0))
        case YamlMap():
            with findings.together() as block:
                fields = [(key, block.attempt(parse_node, value, findings)) for key, value in node]
            return MapNode(
                tuple(NamedNode(key.value, value, At(key, 0)) for key, value in fields if value is not None),
                At(node, 0),
            )


def parse_text(node: YamlScalar, text: str, base: int, findings: Findings) -> Syntax:
    """Parse `text`, which begins `base` characters into the scalar. Raises Invalid after a finding."""
    if len(text) > TEXT_MAX:
        raise findings.add(node, "too-big", f"the expression is longer than {TEXT_MAX:,} characters",
                           "name parts of it with `let`")  # fmt: skip
    try:
        return _Parser(node, _tokens(text), base).whole()
    except _SyntaxProblem as problem:
        raise findings.add(node, problem.code, problem.text, problem.hint, base + problem.offset) from None


# ---------------------------------------------------------------------------------------- tokens


class _Token(NamedTuple):
    kind: Literal["int", "text", "name", "word", "mark", "end"]
    text: str
    offset: int
    value: int | str = 0


class _SyntaxProblem(Exception):
    def __init__(self, offset: int, text: str, hint: str | None = None, code: str = "syntax") -> None:
        super().__init__(text)
        self.offset, self.text, self.hint, self.code = offset, text, hint, code


_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<int>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<mark>==|!=|<=|>=|//|[-+<>.,:()\[\]])"""
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
    "*": "there are `+` and `-` only",
    "/": "there are `+` and `-` only; `a // b` is b where a is absent",
    "%": "there are `+` and `-` only",
    "'": "close the text with the quote it began with",
    '"': "close the text with the quote it began with",
}


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    position = 0
    while True:
        match = _TOKEN.match(text, position)
        if match is None:
            rest = len(text) - len(text[position:].lstrip())
            if rest >= len(text):
                return [*tokens, _Token("end", "", len(text.rstrip()))]
            raise _SyntaxProblem(rest, f"`{text[rest]}` cannot stand here", _HINTS.get(text[rest]))
        kind = match.lastgroup
        assert kind is not None
        tokens.append(_token(kind, match[kind], match.start(kind)))
        position = match.end()


def _token(kind: str, text: str, offset: int) -> _Token:
    match kind:
        case "int":
            if len(text) > 20:
                raise _SyntaxProblem(offset, "the number has more than 20 digits", None, "range")
            return _Token("int", text, offset, int(text))
        case "text":
            return _Token("text", text, offset, _unescape(text[1:-1], offset + 1))
        case "name":
            if text in WORDS:
                return _Token("word", text, offset)
            return _Token("name", text, offset)
        case _:
            return _Token("mark", text, offset)


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
                hint = r"the escapes are \\ \' \" \n \t"
                raise _SyntaxProblem(offset + index, f"`\\{text[index + 1]}` is no escape", hint)
            char, index = escaped, index + 1
        out.append(char)
        index += 1
    return "".join(out)


# ---------------------------------------------------------------------------------------- parser


class _Parser:
    """Recursive descent, one method a level of precedence, loosest first."""

    def __init__(self, node: YamlScalar, tokens: list[_Token], base: int) -> None:
        self._node = node
        self._tokens = tokens
        self._base = base
        self._next = 0
        self._depth = 0

    def whole(self) -> Syntax:
        if self._peek().kind == "end":
            raise _SyntaxProblem(
                0, "the expression is empty", "write a value; the text 'a' has quotes of its own"
            )
        tree = self._expression()
        token = self._peek()
        if token.kind != "end":
            raise _SyntaxProblem(token.offset, f"`{token.text}` cannot follow here", self._hint_after(token))
        if _depth(tree) > DEPTH_MAX:
            raise _SyntaxProblem(0, f"the expression is deeper than {DEPTH_MAX} levels", None, "too-deep")
        return tree

    def _hint_after(self, token: _Token) -> str | None:
        if token.text in COMPARISONS or token.text in ("is", "has"):
            return "comparisons do not chain: join two of them with `and`"
        if token.kind in ("name", "int", "text"):
            return "is an operator missing before it?"
        return None

    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._tokens[self._next]
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token

    def _accept(self, *texts: str) -> _Token | None:
        token = self._peek()
        if token.kind in ("mark", "word") and token.text in texts:
            return self._take()
        return None

    def _expect(self, *texts: str) -> _Token:
        token = self._accept(*texts)
        if token is None:
            found = self._peek()
            shown = f"`{found.text}`" if found.kind != "end" else "the end"
            raise _SyntaxProblem(found.offset, f"expected {one_of(texts)}, found {shown}")
        return token

    def _name(self, what: str) -> _Token:
        token = self._take()
        if token.kind != "name":
            shown = f"`{token.text}`" if token.kind != "end" else "the end"
            raise _SyntaxProblem(token.offset, f"expected {what}, found {shown}")
        return token

    def _at(self, token: _Token) -> At:
        return At(self._node, self._base + token.offset)

    def _expression(self) -> Syntax:
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise _SyntaxProblem(
                self._peek().offset, f"nested deeper than {DEPTH_MAX} levels", None, "too-deep"
            )
        token = self._accept("if")
        tree = self._disjunction() if token is None else self._if(token)
        self._depth -= 1
        return tree

    def _if(self, token: _Token) -> Syntax:
        condition = self._expression()
        self._expect("then")
        then = self._expression()
        self._expect("else")
        return IfNode(condition, then, self._expression(), self._at(token))

    def _disjunction(self) -> Syntax:
        left = self._conjunction()
        while token := self._accept("or"):
            left = BinaryNode("or", left, self._conjunction(), self._at(token))
        return left

    def _conjunction(self) -> Syntax:
        left = self._negation()
        while token := self._accept("and"):
            left = BinaryNode("and", left, self._negation(), self._at(token))
        return left

    def _negation(self) -> Syntax:
        nots: list[_Token] = []
        while token := self._accept("not"):
            nots.append(token)
        tree = self._comparison()
        for token in reversed(nots):
            tree = UnaryNode("not", tree, self._at(token))
        return tree

    def _comparison(self) -> Syntax:
        left = self._sum()
        if token := self._accept(*COMPARISONS):
            return BinaryNode(COMPARISONS[token.text], left, self._sum(), self._at(token))
        if token := self._accept("is"):
            return self._is(left, token)
        if token := self._accept("has"):
            flag = self._name("the name of a flag")
            return HasNode(left, flag.text, self._at(token), self._at(flag))
        return left

    def _is(self, left: Syntax, token: _Token) -> Syntax:
        what = self._take()
        if what.text == "not":
            raise _SyntaxProblem(
                what.offset, "`is not` is not a word", "write `not` before it: `not x is none`"
            )
        if what.kind != "name" and what.text != "none":
            raise _SyntaxProblem(what.offset, "expected `present`, `none` or the case of a union")
        return IsNode(left, what.text, self._at(token), self._at(what))

    def _sum(self) -> Syntax:
        left = self._minus()
        while token := self._accept("+", "-"):
            op: Literal["+", "-"] = "+" if token.text == "+" else "-"
            left = BinaryNode(op, left, self._minus(), self._at(token))
        return left

    def _minus(self) -> Syntax:
        minuses: list[_Token] = []
        while token := self._accept("-"):
            minuses.append(token)
        tree = self._coalesce()
        for token in reversed(minuses):
            tree = UnaryNode("-", tree, self._at(token))
        return tree

    def _coalesce(self) -> Syntax:
        left = self._postfix()
        while token := self._accept("//"):
            left = BinaryNode("//", left, self._postfix(), self._at(token))
        return left

    def _postfix(self) -> Syntax:
        tree = self._primary()
        while self._accept("."):
            token = self._take()
            if token.kind not in ("name", "word"):
                if token.kind == "int":
                    raise _SyntaxProblem(token.offset, "there are whole numbers only")
                raise _SyntaxProblem(token.offset, "expected the name of a field after `.`")
            tree = AttrNode(tree, token.text, tree.at, self._at(token))
        return tree

    def _primary(self) -> Syntax:
        token = self._take()
        match token.kind, token.text:
            case (("int" | "text"), _):
                return ConstNode(token.value, self._at(token))
            case "word", "true" | "false":
                return ConstNode(token.text == "true", self._at(token))
            case "word", "none":
                return ConstNode(None, self._at(token))
            case "name", name:
                return self._call(token) if self._accept("(") else NameNode(name, self._at(token))
            case "mark", "[":
                return ListNode(tuple(self._items("]")), self._at(token))
            case "mark", "(":
                tree = self._expression()
                self._expect(")")
                return tree
            case "end", _:
                raise _SyntaxProblem(token.offset, "the expression ends too early")
            case _, text:
                hint = "put it in parentheses" if text == "if" else None
                raise _SyntaxProblem(token.offset, f"`{text}` cannot stand here", hint)

    def _items(self, end: str) -> list[Syntax]:
        items: list[Syntax] = []
        while not self._accept(end):
            if items:
                self._expect(",", end)
                if self._tokens[self._next - 1].text == end:
                    return items
            items.append(self._expression())
        return items

    def _call(self, function: _Token) -> Syntax:
        arguments: list[Syntax] = []
        named: list[NamedNode] = []
        while not self._accept(")"):
            if arguments or named:
                self._expect(",", ")")
                if self._tokens[self._next - 1].text == ")":
                    break
            token = self._peek()
            if token.kind == "name" and self._tokens[self._next + 1].text == ":":
                self._next += 2
                named.append(NamedNode(token.text, self._expression(), self._at(token)))
            elif named:
                raise _SyntaxProblem(token.offset, "an argument without a name follows one with a name")
            else:
                arguments.append(self._expression())
        return CallNode(function.text, tuple(arguments), tuple(named), self._at(function))


def _depth(tree: Syntax) -> int:
    deepest, pending = 0, [(tree, 1)]
    while pending:
        node, depth = pending.pop()
        deepest = max(deepest, depth)
        pending.extend((child, depth + 1) for child in children(node))
    return deepest


def children(node: Syntax) -> tuple[Syntax, ...]:
    match node:
        case AttrNode(of=of) | IsNode(of=of) | HasNode(of=of) | UnaryNode(operand=of):
            return (of,)
        case CallNode():
            return (*node.arguments, *(argument.value for argument in node.named))
        case ListNode():
            return node.items
        case MapNode():
            return tuple(argument.value for argument in node.fields)
        case BinaryNode():
            return node.left, node.right
        case IfNode():
            return node.condition, node.then, node.otherwise
        case _:
            return ()
