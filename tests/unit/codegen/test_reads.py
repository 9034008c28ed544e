"""What generated functions read, held against Python's own grammar."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

import pytest

from pillarbox_codegen.reads import parameter, reads

GENERATED = Path(__file__).parents[3] / "generated"
MODULES = sorted(GENERATED.glob("*/*.py"))


def names(nodes: Iterable[ast.AST]) -> set[str]:
    return {name.id for node in nodes for name in ast.walk(node) if isinstance(name, ast.Name)}


class Reads(ast.NodeVisitor):
    """The names that statements read, by the grammar; and those that are set in ways that count as well."""

    def __init__(self) -> None:
        self.read: set[str] = set()
        self.also: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.read.add(node.id)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Lambda):
            self.also |= {argument.arg for argument in node.args.args}
        elif isinstance(node, ast.For | ast.comprehension):
            self.also |= names([node.target])
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            self.also |= names(node.targets)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            self.also.add(node.name)
        super().generic_visit(node)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_what_generated_statements_read_is_what_the_grammar_says(module: Path) -> None:
    for function in ast.walk(ast.parse(module.read_text())):
        if (
            not isinstance(function, ast.FunctionDef)
            or function.name == "__init__"
            or any(
                isinstance(node, ast.JoinedStr | ast.MatchAs | ast.Import | ast.ImportFrom | ast.FunctionDef)
                for statement in function.body
                for node in ast.walk(statement)
            )
        ):
            continue  # which no steps and no expressions become
        body = ast.Module(function.body[1:] if ast.get_docstring(function) else function.body, [])
        by_grammar = Reads()
        by_grammar.visit(body)

        found = set(reads(ast.unparse(body).split("\n")))

        assert by_grammar.read <= found <= by_grammar.read | by_grammar.also, function.name


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("tx.emit(Seen(n=n, t='the m of w: \"tx\"'))", {"tx", "Seen", "n"}),
        ("old = tx.things.get(old_key)", {"tx", "old_key"}),
        ("if (found := tx.old.get(n)) is not None and found == n:", {"tx", "n", "found"}),
        ("answer: tuple[int, ...] = answers['key']", {"answers"}),
        ("count += 1", set()),
        ("match case:", {"case"}),
        ("    case Moved(at=match):", {"Moved", "match"}),
        ("if case < 3 and match.n in case:", {"case", "match"}),
        ("match = case(match)", {"case", "match"}),
        ("return rev == end - count", {"rev", "end", "count"}),
        ("yield Told(n=1, t=b\"around\" r'claim_end')", {"Told"}),
    ],
)
def test_names_that_are_read_in_a_line(line: str, read: set[str]) -> None:
    assert set(reads([line])) == read


def test_a_parameter_that_is_only_named_in_a_text_is_not_read() -> None:
    assert parameter("key", ["return found.key('key', key=1)"]) == "_key"
    assert parameter("key", ["return found.key(key)"]) == "key"
