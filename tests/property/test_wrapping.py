"""Wrapped statements: the same tokens as before, and nothing that the formatter would change.

Statements are made by a seeded generator rather than by strategies: the formatter is asked about
hundreds at a time, and the first one that differs is told as it is.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tokenize
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pillarbox_codegen import wrapping
from pillarbox_codegen.outer_tokens import OPERATORS, any_tokens, plain_tokens
from pillarbox_codegen.printing import WIDTH, width
from pillarbox_codegen.wrapping import fit

CONFIG = Path(__file__).parents[2] / "pyproject.toml"
WORDS = (
    "row", "project_id", "number_of_all_things", "a", "updated_at", "by_label_key", "x1",
    "next_of_everything_here",
)  # fmt: skip
#: Columns of the longest statement that the formatter is asked about.
LONGEST = 900
#: Of statements, and of what `tokenize` reads in ways of its own.
PIECES = """
a lambda if é ä1 r"x" u'' 'a' "b\\" f"{x}" br'(' '''t''' " ' # \\ $ ² ! 12 1_0 0x1f 0b1 1e5 1e-5 2.5 .5 1. 3j
1if ( ) [ ] { } , : ; . ... = == := -> - -= * ** **= // / < << <= <> != ~ @
"""


#: How tightly expressions bind, loosest first: what binds less than is wanted goes into brackets.
TERNARY, OR, AND, NOT, COMPARE, BIT_OR, BIT_AND, SUM, PRODUCT, UNARY, ATOM = range(11)


class Expressions:
    """Random trees of expressions, of every kind that Python has and a generated module may hold."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def word(self) -> str:
        return self.random.choice(WORDS)

    def name(self) -> str:
        return ".".join(self.word() for _ in range(self.random.randint(1, 3)))

    def atom(self) -> str:
        plain = ["0", '"a text"', "None", "0xFFFF", "()", "State.OPEN"]
        return self.random.choice([self.name(), self.name(), self.name(), *plain])

    def several(self, depth: int, least: int = 0, most: int = 3) -> str:
        return ", ".join(self.at(TERNARY, depth) for _ in range(self.random.randint(least, most)))

    def names(self) -> str:
        return ", ".join(self.random.sample(WORDS, self.random.randint(0, 2)))

    def call(self, depth: int) -> str:
        named = [f"{word}={self.at(TERNARY, depth)}" for word in self.names().split(", ") if word]
        return f"{self.name()}({', '.join([*filter(None, [self.several(depth)]), *named])})"

    def joined(self, operator: str, level: int, depth: int, most: int = 3) -> str:
        return f" {operator} ".join(self.at(level, depth) for _ in range(self.random.randint(2, most)))

    def clauses(self, depth: int) -> str:
        condition = f" if {self.at(OR, depth)}" if self.random.random() < 0.5 else ""
        names = ", ".join(self.word() for _ in range(self.random.choice([1, 1, 2])))
        return f"for {names} in {self.at(OR, depth)}{condition}"

    def at(self, level: int, depth: int) -> str:
        """An expression that binds at least so tightly."""
        bound, text = self.tree(depth)
        return text if bound >= level else f"({text})"

    def tree(self, depth: int) -> tuple[int, str]:
        """How tightly it binds, and the text."""
        if depth <= 0:
            return ATOM, self.atom()
        inner = depth - 1
        compare = self.random.choice(["==", "!=", "<", ">=", "in", "not in", "is", "is not"])
        sign = self.random.choice("+-")
        kinds: tuple[Callable[[], tuple[int, str]], ...] = (
            lambda: (TERNARY, f"{self.joined('if', OR, inner, 2)} else {self.at(TERNARY, inner)}"),
            lambda: (OR, self.joined("or", AND, inner)),
            lambda: (AND, self.joined("and", NOT, inner)),
            lambda: (NOT, f"not {self.at(NOT, inner)}"),
            lambda: (COMPARE, f"{self.at(BIT_OR, inner)} {compare} {self.at(BIT_OR, inner)}"),
            lambda: (COMPARE, f"{self.name()} {compare} {self.atom()}"),
            lambda: (COMPARE, f"{self.at(BIT_OR, inner)} <= {self.atom()} < {self.at(BIT_OR, inner)}"),
            lambda: (BIT_OR, f"{self.at(BIT_OR, inner)} | {self.at(BIT_AND, inner)}"),
            lambda: (BIT_AND, f"{self.at(BIT_AND, inner)} & {self.at(SUM, inner)}"),
            lambda: (SUM, f"{self.at(SUM, inner)} {sign} {self.at(PRODUCT, inner)}"),
            lambda: (PRODUCT, f"{self.at(PRODUCT, inner)} * {self.at(UNARY, inner)}"),
            lambda: (UNARY, f"-{self.at(ATOM, inner)}"),
            lambda: (ATOM, f"({self.word()} := {self.at(TERNARY, inner)})"),
            lambda: (ATOM, f"({self.several(inner, 2)})"),
            lambda: (ATOM, f"({self.at(TERNARY, inner)},)"),
            lambda: (ATOM, f"[{self.several(inner)}]"),
            lambda: (ATOM, f"{{{self.several(inner, 1)}}}"),
            lambda: (ATOM, f"{{{self.atom()}: {self.at(TERNARY, inner)}, {self.atom()}: {self.atom()}}}"),
            lambda: (ATOM, f"[{self.at(TERNARY, inner)} {self.clauses(inner)}]"),
            lambda: (ATOM, f"{self.word()}({self.at(TERNARY, inner)} {self.clauses(inner)})"),
            lambda: (ATOM, f"{{{self.atom()}: {self.at(TERNARY, inner)} {self.clauses(inner)}}}"),
            lambda: (ATOM, f"{self.name()}({self.word()}={self.function(inner)})"),
            lambda: (ATOM, f"{self.name()}[{self.at(TERNARY, inner)}]"),
            lambda: (ATOM, f"{self.call(inner)}.{self.word()}"),
            lambda: (ATOM, f"{self.call(inner)}.{self.call(inner)}"),
            *[lambda: (ATOM, self.call(inner))] * 5,
        )  # fmt: skip
        return self.random.choice(kinds)()

    def type(self, depth: int) -> str:
        """An annotation."""
        items = ", ".join(self.type(depth - 1) for _ in range(self.random.randint(1, 2)) if depth)
        one = f"{self.name()}[{items}]" if items else self.name()
        return f"{one} | {self.random.choice([self.name(), 'None'])}" if self.random.random() < 0.4 else one

    def function(self, depth: int) -> str:
        return f"lambda {self.names()}: {self.at(TERNARY, depth)}".replace("lambda :", "lambda:")


class Statements:
    """Makes statements of the kinds that generated modules hold, mostly too long for a line."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._made = Expressions(self._random)

    def next(self) -> str:
        depth, made = self._random.randint(1, 4), self._made
        value = made.at(TERNARY, depth)
        kinds = [
            f"return {value}",
            f"{made.word()} = {value}",
            f"{made.word()}, {made.word()} = {value}",
            f"{made.word()}: Final = {value}",
            f"{made.word()}: {made.type(depth)} = {self._random.choice([made.atom(), made.call(1)])}",
            f"self.{made.word()} += {value}",
            f"assert {value}",
            f"for {made.word()} in {value}:\n    pass",
            f"for {made.word()}, {made.word()} in {made.call(depth)}:\n    pass",
            f"raise {made.call(depth)} from None",
            f"def {made.word()}({self._parameters()}) -> {made.name()}:\n    pass",
            made.call(depth),
        ]
        if not value.startswith("("):  # of brackets around all of a condition, the formatter thinks little
            kinds.append(f"if {value}:\n    pass")
        statement = self._random.choice(kinds)
        levels = self._random.randint(1, 3)
        heads = "".join(f"{'    ' * level}def outer() -> None:\n" for level in range(levels))
        return heads + "\n".join("    " * levels + line for line in statement.split("\n"))

    def next_long(self) -> str:
        while True:
            text = self.next()
            if WIDTH < max(width(line) for line in text.split("\n")) <= LONGEST:
                return text

    def _parameters(self) -> str:
        words = self._random.sample(WORDS, self._random.randint(0, 6))
        return ", ".join(f"{word}: {self._made.name()}" for word in words)


def tokens(text: str) -> list[str]:
    """Everything but layout, commas and round brackets."""
    skipped = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    found = tokenize.generate_tokens(io.StringIO(text).readline)
    return [
        token.string for token in found if token.type not in skipped and token.string not in ("(", ")", ",")
    ]


@given(seed=st.integers(0, 1 << 32))
def test_a_wrapped_statement_is_the_same_program(seed: int) -> None:
    text = Statements(seed).next()

    wrapped = fit(text)

    assert tokens(wrapped) == tokens(text)
    assert ast.dump(ast.parse(wrapped)) == ast.dump(ast.parse(text))
    if all(width(line) <= WIDTH for line in text.split("\n")):
        assert wrapped == text


def test_before_a_bracket_that_is_open_already_others_are_opened() -> None:
    name = "A_NAME_OF_A_TABLE" * 3

    wrapped = fit(f"{name}: Final = TableSpec[{name}](\n    1,\n)")

    assert wrapped == f"{name}: Final = TableSpec[\n    {name}\n](\n    1,\n)"


@given(
    st.lists(st.sampled_from(PIECES.split()), max_size=6),
    st.sampled_from(["", " "]),
)
def test_tokens_that_are_found_fast_are_those_that_python_finds(words: list[str], between: str) -> None:
    text = between.join(words)

    found = plain_tokens(text)

    assert not found or found == any_tokens(text)


@pytest.mark.parametrize("seed", range(4))
def test_the_formatter_leaves_wrapped_statements_alone(seed: int) -> None:
    assert changed_by_the_formatter(seed) == []


@pytest.mark.parametrize(
    ("what", "instead"),
    [
        ("OPERATORS", {**OPERATORS, "and": 1.5}),
        ("_hugs", lambda *_: False),
        ("_wants_brackets", lambda *_: True),
        ("_typed", lambda *_: []),
    ],
)
def test_the_formatter_tells_statements_that_are_wrapped_otherwise(
    what: str, instead: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wrapping, what, instead)

    assert changed_by_the_formatter(0)


def changed_by_the_formatter(seed: int) -> list[tuple[str, str]]:
    """Of some hundred statements that are too long, those that it wraps otherwise, and how."""
    statements = Statements(seed)
    wrapped = [fit(statements.next_long()) for _ in range(300)]
    between = "\n\n\n"
    command = [
        sys.executable,
        "-m",
        "ruff",
        "format",
        "--config",
        str(CONFIG),
        "--stdin-filename",
        "a.py",
        "-",
    ]
    result = subprocess.run(
        command, input=between.join(wrapped) + "\n", capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    formatted = result.stdout.rstrip("\n").split(between)
    return [(ours, theirs) for ours, theirs in zip(wrapped, formatted, strict=True) if ours != theirs]
