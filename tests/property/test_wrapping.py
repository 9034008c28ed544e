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
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pillarbox_codegen.printing import WIDTH, width
from pillarbox_codegen.wrapping import _any_tokens, _plain_tokens, fit

CONFIG = Path(__file__).parents[2] / "pyproject.toml"
WORDS = (
    "row", "project_id", "number_of_all_things", "a", "updated_at", "by_label_key", "x1",
    "next_of_everything_here",
)  # fmt: skip
#: Of statements, and of what `tokenize` reads in ways of its own.
PIECES = """
a lambda if é ä1 r"x" u'' 'a' "b\\" f"{x}" br'(' '''t''' " ' # \\ $ ² ! 12 1_0 0x1f 0b1 1e5 1e-5 2.5 .5 1. 3j
1if ( ) [ ] { } , : ; . ... = == := -> - -= * ** **= // / < << <= <> != ~ @
"""


class Statements:
    """Makes statements of the kinds that generated modules hold, mostly too long for a line."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def next(self) -> str:
        depth = self._random.randint(1, 3)
        kinds = [
            lambda: f"return {self.expression(depth)}",
            lambda: f"{self.word()} = {self.expression(depth)}",
            lambda: f"{self.word()}: Final = {self.expression(depth)}",
            lambda: f"self.{self.word()} += {self.expression(depth)}",
            lambda: f"if {self.condition(depth)}:\n    pass",
            lambda: f"for item in {self.call(depth)}:\n    pass",
            lambda: self.call(depth),
            lambda: f"raise {self.call(depth)} from None",
            lambda: f"return {' + '.join(self.call(1) for _ in range(self._random.randint(2, 3)))}",
            lambda: f"def {self.word()}({self.parameters()}) -> {self.name()}:\n    pass",
        ]
        statement = self._random.choice(kinds)()
        levels = self._random.randint(1, 3)
        heads = "".join(f"{'    ' * level}def outer() -> None:\n" for level in range(levels))
        return heads + "\n".join("    " * levels + line for line in statement.split("\n"))

    def next_long(self) -> str:
        while True:
            text = self.next()
            if any(width(line) > WIDTH for line in text.split("\n")):
                return text

    def word(self) -> str:
        return self._random.choice(WORDS)

    def name(self) -> str:
        return ".".join(self.word() for _ in range(self._random.randint(1, 3)))

    def atom(self) -> str:
        plain = ["0", '"a text"', "None", "0xFFFF", "()", "State.OPEN"]
        return self._random.choice([self.name(), self.name(), self.name(), *plain])

    def parameters(self) -> str:
        words = self._random.sample(WORDS, self._random.randint(0, 6))
        return ", ".join(f"{word}: {self.name()}" for word in words)

    def call(self, depth: int) -> str:
        plain = [self.expression(depth - 1) for _ in range(self._random.randint(0, 3))]
        named = self._random.sample(WORDS, self._random.randint(0, 2))
        arguments = [*plain, *(f"{word}={self.expression(depth - 1)}" for word in named)]
        return f"{self.name()}({', '.join(arguments)})"

    def expression(self, depth: int) -> str:
        if depth <= 0:
            return self.atom()
        several = [self.expression(depth - 1) for _ in range(self._random.randint(2, 4))]
        operands = [self._random.choice([self.atom(), self.call(depth - 1)]) for _ in range(2)]
        return self._random.choice(
            [
                self.atom(),
                self.call(depth),
                self.call(depth),
                self.call(depth),
                self.condition(depth - 1),
                f"({', '.join(several)})",
                f"({several[0]},)",
                f"[{', '.join(several[1:])}]",
                f"{self.name()}[{self.name()}]({', '.join(several)})",
                f"{self.name()}({self.word()}=lambda {self.word()}: {self.condition(1)})",
                f"[{several[0]} for {self.word()} in {self.call(1)}]",
                f"[{several[0]} for {self.word()} in {self.name()} if {self.condition(1)}]",
                f"{self.name()} == {self.atom()}",
                f"{self.name()} in [{self.name()} for {self.word()} in {self.name()}]",
                f"{self.name()} in [{self.name()} for {self.word()} in {self.name()} if {self.condition(1)}]",
                f"{operands[0]} if {self.condition(depth - 1)} else {operands[1]}",
            ]
        )

    def condition(self, depth: int) -> str:
        several = [self.name() for _ in range(self._random.randint(2, 4))]
        tests = [
            self.name(),
            f"not {self.name()}",
            f"{self.name()} is not None",
            f"{self.name()} in ({', '.join(several)})",
            f"{self.name()} != {self._random.choice([self.atom(), self.call(depth - 1)])}",
        ]
        joined = " and ".join(self._random.sample(tests, self._random.randint(2, 3)))
        return self._random.choice([*tests, joined])


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


@given(
    st.lists(st.sampled_from(PIECES.split()), max_size=6),
    st.sampled_from(["", " "]),
)
def test_tokens_that_are_found_fast_are_those_that_python_finds(words: list[str], between: str) -> None:
    text = between.join(words)

    found = _plain_tokens(text)

    assert not found or found == _any_tokens(text)


@pytest.mark.parametrize("seed", range(4))
def test_the_formatter_leaves_wrapped_statements_alone(seed: int) -> None:
    statements = Statements(seed)

    wrapped = [fit(statements.next_long()) for _ in range(250)]

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
    assert result.stdout.rstrip("\n").split(between) == wrapped
