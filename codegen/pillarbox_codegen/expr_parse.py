"""The text of an expression as a tree of syntax.

Depends on: expr_syntax, expr_tokens, findings.  Never on: types, names, tables.

Law: parsing ends for every text, in time linear in its length, with a tree or with one finding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from pillarbox_codegen.diagnostics import one_of
from pillarbox_codegen.expr_syntax import (
    COMPARISONS,
    PREFIX,
    At,
    AttrNode,
    BinaryNode,
    CallNode,
    ConstNode,
    HasNode,
    IfNode,
    IsNode,
    ListNode,
    MapNode,
    NamedNode,
    NameNode,
    Syntax,
    UnaryNode,
    children,
)
from pillarbox_codegen.expr_tokens import SyntaxProblem, Token, tokens_of
from pillarbox_codegen.findings import Findings
from pillarbox_codegen.yaml_nodes import YamlList, YamlMap, YamlNode, YamlScalar

TEXT_MAX: Final = 2_000
DEPTH_MAX: Final = 40
_SPLIT: Final = "name parts of it with `let`"


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
                           _SPLIT)  # fmt: skip
    try:
        return _Parser(node, tokens_of(text), base).whole()
    except SyntaxProblem as problem:
        raise findings.add(node, problem.code, problem.text, problem.hint, base + problem.offset) from None


class _Parser:
    """Recursive descent, one method a level of precedence, loosest first."""

    def __init__(self, node: YamlScalar, tokens: list[Token], base: int) -> None:
        self._node = node
        self._tokens = tokens
        self._base = base
        self._next = 0
        self._depth = 0

    def whole(self) -> Syntax:
        if self._peek().kind == "end":
            raise SyntaxProblem(
                0, "the expression is empty", "write a value; the text 'a' has quotes of its own"
            )
        tree = self._expression()
        token = self._peek()
        if token.kind != "end":
            raise SyntaxProblem(token.offset, f"`{token.text}` cannot follow here", self._hint_after(token))
        if _depth(tree) > DEPTH_MAX:
            raise SyntaxProblem(0, f"the expression is deeper than {DEPTH_MAX} levels", _SPLIT, "too-deep")
        return tree

    def _hint_after(self, token: Token) -> str:
        if token.text in COMPARISONS or token.text in ("is", "has"):
            return "comparisons do not chain: join two of them with `and`"
        if token.text == "if":
            return "write `if CONDITION then A else B`"
        if token.text == "(":
            return "functions stand before what they take: `last(x)`, not `x.last()`"
        if token.text == "not":
            return "`not` stands in front of all that it turns round: write `not x in list`"
        if token.kind in ("name", "int", "text"):
            return "is an operator missing before it?"
        return "nothing is open that it closes: take it out" if token.text in (")", "]") else "take it out"

    def _peek(self) -> Token:
        return self._tokens[self._next]

    def _take(self) -> Token:
        token = self._tokens[self._next]
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token

    def _accept(self, *texts: str) -> Token | None:
        token = self._peek()
        if token.kind in ("mark", "word") and token.text in texts:
            return self._take()
        return None

    def _expect(self, *texts: str) -> Token:
        token = self._accept(*texts)
        if token is None:
            found = self._peek()
            shown = f"`{found.text}`" if found.kind != "end" else "the end"
            hint = f"write `{texts[-1]}` where that ends"
            raise SyntaxProblem(found.offset, f"expected {one_of(texts)}, found {shown}", hint)
        return token

    def _name(self, what: str) -> Token:
        token = self._take()
        if token.kind != "name":
            shown = f"`{token.text}`" if token.kind != "end" else "the end"
            raise SyntaxProblem(token.offset, f"expected {what}, found {shown}", f"write {what} there")
        return token

    def _at(self, token: Token) -> At:
        return At(self._node, self._base + token.offset)

    def _expression(self) -> Syntax:
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise SyntaxProblem(
                self._peek().offset, f"nested deeper than {DEPTH_MAX} levels", _SPLIT, "too-deep"
            )
        token = self._accept("if")
        tree = self._disjunction() if token is None else self._if(token)
        self._depth -= 1
        return tree

    def _if(self, token: Token) -> Syntax:
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
        nots: list[Token] = []
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

    def _is(self, left: Syntax, token: Token) -> Syntax:
        what = self._take()
        if what.text == "not":
            raise SyntaxProblem(
                what.offset, "`is not` is not a word", "write `not` before it: `not x is none`"
            )
        if what.kind != "name" and what.text != "none":
            text = "expected `present`, `none` or the case of a union"
            raise SyntaxProblem(what.offset, text, "values are compared with `==`")
        return IsNode(left, what.text, self._at(token), self._at(what))

    def _sum(self) -> Syntax:
        left = self._product()
        while token := self._accept("+", "-"):
            op: Literal["+", "-"] = "+" if token.text == "+" else "-"
            left = BinaryNode(op, left, self._product(), self._at(token))
        return left

    def _product(self) -> Syntax:
        left = self._minus(self._coalesce)
        while token := self._accept("*"):
            left = BinaryNode("*", left, self._minus(self._coalesce), self._at(token))
        return left

    def _minus(self, of: Callable[[], Syntax]) -> Syntax:
        minuses: list[Token] = []
        while token := self._accept("-"):
            minuses.append(token)
        tree = of()
        for token in reversed(minuses):
            tree = UnaryNode("-", tree, self._at(token))
        return tree

    def _coalesce(self) -> Syntax:
        left = self._postfix()
        while token := self._accept("//"):
            left = BinaryNode("//", left, self._minus(self._postfix), self._at(token))
        return left

    def _postfix(self) -> Syntax:
        tree = self._primary()
        while self._accept("."):
            token = self._take()
            if token.kind not in ("name", "word"):
                if token.kind == "int":
                    raise SyntaxProblem(
                        token.offset, "there are whole numbers only", "take others from a field or parameter"
                    )
                hint = "write the name of a field there, or leave the `.` out"
                raise SyntaxProblem(token.offset, "expected the name of a field after `.`", hint)
            if token.text == "prefix" and self._accept("("):
                call = self._call(token)
                tree = CallNode(PREFIX, (tree, *call.arguments), call.named, tree.at)
            else:
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
                raise SyntaxProblem(
                    token.offset, "the expression ends too early", "write what it goes on with"
                )
            case _, text:
                hint = "put it in parentheses" if text == "if" else "write a value before it, or leave it out"
                raise SyntaxProblem(token.offset, f"`{text}` cannot stand here", hint)

    def _items(self, end: str) -> list[Syntax]:
        items: list[Syntax] = []
        while not self._accept(end):
            if items:
                self._expect(",", end)
                if self._tokens[self._next - 1].text == end:
                    return items
            items.append(self._expression())
        return items

    def _call(self, function: Token) -> CallNode:
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
                text = "an argument without a name follows one with a name"
                raise SyntaxProblem(token.offset, text, "put it before them, or name it: `name: value`")
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
