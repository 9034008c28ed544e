"""Schemas each of whose expressions is another one of the same value, which needs a name or branches.

Depends on: the checker's parser and findings, which it stands between.  Never on: what is generated.

Law: what is wrapped has the value of what was written; what a place refuses to hold is tried in other shapes,
and stands there as it was written in the end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from pillarbox_codegen import check_computed, check_modifiers, expr_parse, findings
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.diagnostics import SchemaErrors
from pillarbox_codegen.expr_parse import parse_text
from pillarbox_codegen.expr_syntax import (
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
    NameNode,
    Syntax,
    UnaryNode,
)
from pillarbox_codegen.findings import Findings
from pillarbox_codegen.model import Schema
from pillarbox_codegen.yaml_nodes import SourceFile, YamlList, YamlMap, YamlNode, YamlScalar

#: What the shapes name; it goes into every schema.
ZOO: Final = """\
types:
  WrapZoo: {record: {a: [1, int32], b: {number: 2, type: text, default: ""}, kept: [3, opt<int32>]}}
"""
#: Conditions that hold, and that nobody knows to hold who does not compute them.
_TRUE: Final = (
    "(first([1]) // 2) > 0",
    "first([1]) in [1, 2]",
    "not ((last([2, 3]) // 2) < 0)",
    "any(having([make(WrapZoo, a: first([1]) // 2)], a: first([1]) // 3).a == [1])",
    "size(without([make(WrapZoo, a: first([1]) // 2)], a: first([2]) // 3)) > 0",
    "1 in [make(WrapZoo, a: first([1]) // 2), make(WrapZoo, a: 2)].a",
    "first((if (first([1]) // 2) > 0 then [make(WrapZoo, a: 1)] else []).a) is present",
    "(first([make(WrapZoo, a: 1, kept: 4)]).kept // 2) == 4",
    "any([first([1]) is none, (first(tokens('b')) // 'c') == 'b'])",
    "size([first([1]) // 2, 2] - [first([1]) // 2]) == 1 and max(first([1]) // 0, 1) == 1",
    "first(spans([make(WrapZoo, a: 1, kept: 2)], by: [a], of: kept)).a is present",
)
#: X stands for what is wrapped, T for one of the conditions.
_ANY: Final = (
    "if T then X else X",
    "if not (T) then X else X",
    "first([X]) // X",
    "last([X, X]) // X",
    "if T then first([X]) // X else if T then X else X",
    "if X is present then X else X",
    "if T and (if T then T else T) then X else X",
)
_CONDITIONS: Final = (
    "X and T",
    "T and X",
    "not (not X)",
    "X or not (T)",
    "any([X])",
    "if T then X else false",
    "X == true",
    "not (if T then not X else X)",
)
_LISTS: Final = ("if T then X else []", "X + (if T then [] else [])")


class Site(NamedTuple):
    """Where an expression begins: the place of a scalar, and how far into it."""

    file: str
    line: int
    column: int
    base: int


#: Arguments that are names and no values, by their function.
_NAMES: Final = {"make": (0,), "case": (1,), "cases": (1,), PREFIX: (0,)}


@cache
def _parsed(text: str) -> Syntax:
    return parse_text(
        YamlScalar(SourceFile("shape", text), 1, 1, text, None, 0, len(text)), text, 0, Findings()
    )


def _filled(tree: Any, holes: dict[str, Syntax], at: At) -> Any:
    """The tree with its holes filled, as if all of it stood at one place."""
    match tree:
        case At():
            return at
        case tuple():
            return tuple(_filled(one, holes, at) for one in tree)
        case NameNode(name=name) if name in holes:
            return holes[name]
        case _ if hasattr(tree, "__dataclass_fields__"):
            return type(tree)(**{it.name: _filled(getattr(tree, it.name), holes, at) for it in fields(tree)})
        case _:
            return tree


def _is_condition(tree: Syntax) -> bool:
    match tree:
        case IsNode() | HasNode() | UnaryNode(op="not") | CallNode(function="any"):
            return True
        case BinaryNode(op=op):
            return op not in ("+", "-", "*", "//")
        case _:
            return False


#: After so many rounds all of what is declared around a finding is refused, as one by one it would take long.
PATIENCE: Final = 4


@dataclass
class Wrapping:
    """How the expressions of one schema are wrapped: those of one seed always in the same shapes."""

    seed: int
    #: How many shapes are tried at a site; all but the last of them have more of them inside.
    tries: int
    #: How many of the expressions are wrapped.
    share: float
    #: How many shapes a site did not take.
    refused: Counter[Site] = field(default_factory=Counter)
    #: What was wrapped in this round.
    wrapped: set[Site] = field(default_factory=set)
    #: What there were findings of in this round, and what they said.
    faulty: list[tuple[YamlNode, str]] = field(default_factory=list)
    rounds: int = 0
    files: dict[str, SourceFile] = field(default_factory=dict)

    def parse(self, node: YamlScalar, text: str, base: int, found: Findings) -> Syntax:
        """Instead of the parser's own: the tree in its shape."""
        tree = parse_text(node, text, base, found)
        if isinstance(tree, ConstNode) or _is_end(node):  # `first: 1` is one row or none, and no list of them
            return tree
        site = Site(node.file.path, node.line, node.column, base)
        if self.refused[site] >= self.tries or Random(repr((site, self.seed))).random() >= self.share:
            return tree
        self.wrapped.add(site)
        self.files[site.file] = node.file
        random = Random(repr((self.seed, site, self.refused[site])))
        return _Shapes(random, deep=self.refused[site] + 1 < self.tries).whole(tree)

    def refuse(self) -> None:
        """What there were findings of gets other shapes, or none any more."""
        self.rounds += 1
        late, refused, elsewhere = self.rounds > PATIENCE, set[Site](), set[str]()
        for node, text in self.faulty:
            below = {(node.file.path, it.line, it.column) for it in _scalars(node)}
            found = {site for site in self.wrapped if site[:3] in below}
            around = self._within(node.file, node.line)
            refused |= found if found and not late else around
            elsewhere.update(() if found or around else self._words(node, text))
        if late or not refused:  # some faults are in what this is made of
            for file in self.files.values():
                for line, name in _declared(file):
                    refused |= self._within(file, line) if name in elsewhere else set()
        self.refused.update(refused or self.wrapped)
        self.wrapped.clear()
        self.faulty.clear()

    def _within(self, file: SourceFile, line: int) -> set[Site]:
        """The sites in what is declared at a line."""
        lines = _declaration(file, line)
        return {site for site in self.wrapped if site.file == file.path and site.line in lines}

    def _words(self, node: YamlNode, text: str) -> list[str]:
        """What may be a name in a finding, and in the declaration that it is of."""
        declared = _declaration(node.file, node.line)
        lines = node.file.text.split("\n")[declared.start - 1 : declared.stop - 1]
        return re.findall(r"\w+", "\n".join((text, *lines)))


def _is_end(node: YamlScalar) -> bool:
    """Whether it is an end of a range: what both ends say in the same words is known of the rows in between.

    In other words of the same value it is not, and a removal that meets no row asks about no group then.
    """
    line = node.file.text.split("\n")[node.line - 1]
    return re.search(r"\bbetween: \[[^]]*(\][^]]*)?$", line[: node.column - 1]) is not None


def _declaration(file: SourceFile, line: int) -> range:
    """The lines of what is declared at a line."""
    starts = [start for start, _ in _declared(file)]
    first = max((start for start in starts if start <= line), default=1)
    return range(first, min((start for start in starts if start > line), default=1 << 30))


@cache
def _declared(file: SourceFile) -> list[tuple[int, str]]:
    """The line and name of each thing that is declared in a file."""
    lines = enumerate(file.text.split("\n"), 1)
    return [(at, match[1]) for at, line in lines if (match := re.match(r"  (\w+):", line))]


def _scalars(node: YamlNode) -> Iterator[YamlScalar]:
    match node:
        case YamlMap():
            for _, value in node:
                yield from _scalars(value)
        case YamlList(items=items):
            for item in items:
                yield from _scalars(item)
        case YamlScalar():
            yield node


@dataclass
class _Shapes:
    """Draws the shapes of one expression; `deep`: some of what it is made of has shapes of its own."""

    random: Random
    deep: bool

    def whole(self, tree: Syntax) -> Syntax:
        if isinstance(tree, ListNode) and self.random.random() < 0.8:  # mostly a key: its parts
            return replace(tree, items=tuple(self._shape(item) for item in tree.items))
        return self._shape(self._inside(tree) if self.deep else tree)

    def _inside(self, tree: Syntax) -> Syntax:
        match tree:
            case BinaryNode(left=left, right=right):
                return replace(tree, left=self._some(left), right=self._some(right))
            case AttrNode(of=AttrNode() | CallNode() as of) | IsNode(of=of) | HasNode(of=of):
                return replace(tree, of=self._some(of))
            case IfNode(condition=condition, then=then, otherwise=otherwise):
                return replace(
                    tree,
                    condition=self._some(condition),
                    then=self._some(then),
                    otherwise=self._some(otherwise),
                )
            case UnaryNode(op="not", operand=operand):
                return replace(tree, operand=self._some(operand))
            case ListNode(items=items):
                return replace(tree, items=tuple(self._some(item) for item in items))
            case CallNode(function=function, arguments=arguments, named=named):
                names = _NAMES.get(function, ())  # of tables, types and cases
                arguments = tuple(it if n in names else self._some(it) for n, it in enumerate(arguments))
                named = tuple(replace(it, value=self._some(it.value)) for it in named)
                return replace(tree, arguments=arguments, named=named)
            case _:
                return tree

    def _some(self, tree: Syntax) -> Syntax:
        tree = self._inside(tree)
        return self._shape(tree) if self.random.random() < 0.3 else tree

    def _shape(self, tree: Syntax) -> Syntax:
        shapes: tuple[str, ...] = _ANY
        if _is_condition(tree) and self.random.random() < 0.7:
            shapes = _CONDITIONS
        elif isinstance(tree, ListNode) and self.random.random() < 0.5:
            shapes = _LISTS
        true = _filled(_parsed(self.random.choice(_TRUE)), {}, tree.at)
        holes = {"X": tree, "T": true}
        shaped: Syntax = _filled(_parsed(self.random.choice(shapes)), holes, tree.at)
        return shaped


@contextmanager
def _between(wrapping: Wrapping) -> Iterator[None]:
    """The parser wraps what it reads, and what findings are of is noted."""
    add = Findings.add

    def noted(self: Findings, node: YamlNode, code: str, text: str, *rest: Any) -> Any:
        wrapping.faulty.append((node, text))
        return add(self, node, code, text, *rest)

    with pytest.MonkeyPatch.context() as patch:
        for module in (expr_parse, check_computed, check_modifiers):
            patch.setattr(module, "parse_text", wrapping.parse)
        patch.setattr(Findings, "add", noted)
        patch.setattr(findings, "FINDINGS_MAX", 100_000)
        yield


def wrapped(
    folder: Path, name: str, into: Path, seed: int, tries: int = 1, share: float = 1
) -> tuple[Schema, int]:
    """The schema of a folder under another name, with its expressions wrapped, and how many are."""
    for file in folder.rglob("*.yaml"):
        target = into / file.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(re.sub(r"(?m)^(schema: *\{?\s*name: )\w+", rf"\g<1>{name}", file.read_text()))
    (into / "wrap_zoo.yaml").write_text(ZOO)
    wrapping = Wrapping(seed, tries, share)
    while True:
        with _between(wrapping):
            try:
                return load_schema(into), len(wrapping.wrapped)
            except SchemaErrors:
                assert wrapping.wrapped, "it is faulty as it was written"
                wrapping.refuse()
