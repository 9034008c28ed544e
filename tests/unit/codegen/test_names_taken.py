"""A schema may use any name that the checker lets pass, those that generated modules print included."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from pillarbox_codegen.generate import generate
from pillarbox_codegen.names import FUNCTIONS, snake, snake_problem
from pillarbox_codegen.plan import names

ROOT = Path(__file__).parents[3]
TRACKER = ROOT / "schema" / "tracker"


def tops(files: Iterable[Path]) -> Iterator[ast.stmt]:
    for file in files:
        yield from ast.parse(file.read_text()).body


def foreign() -> set[str]:
    """The classes that modules of the shipped packages import from elsewhere."""
    files = [file for file in (ROOT / "generated").rglob("*.py") if file.parent.name != "jobs"]
    imports = [node for node in tops(files) if isinstance(node, ast.ImportFrom)]
    elsewhere = [node for node in imports if not re.match("pillarbox_(tracker|messenger)", node.module or "")]
    found = {alias.asname or alias.name for node in elsewhere for alias in node.names}
    return {name for name in found if re.fullmatch("[A-Z][A-Za-z0-9]*", name) and not name.isupper()}


def free(name: str, text: str) -> bool:
    """Whether the tracker itself calls nothing so."""
    return not re.search(rf"\b({name}|{snake(name)}):", text)


_TEXT = "\n".join(file.read_text() for file in sorted(TRACKER.glob("*.yaml")))
TYPES = sorted(name for name in foreign() if free(name, _TEXT))
_ENDS = {"derived", "list", "places", "seeded", "stored"}
TABLES = sorted(
    name
    for name in {snake(name) for name in TYPES} | _ENDS
    if snake_problem(name) is None and name not in FUNCTIONS and free(name, _TEXT)
)


def with_types() -> str:
    """All of them in one table, one operation and one view."""
    fields = {f"f{number}": f"[{number}, opt<{name}>]" for number, name in enumerate(TYPES, 1)}
    record = ", ".join(f"{field}: {value}" for field, value in fields.items())
    rows = "rows: {scan: all_of_them, prefix: [], all: true, with: {it: {value: row.f1}}}"
    parts = ", ".join(f"{field}: {{value: rows.{field}}}" for field in fields)
    return "\n".join(
        [
            "types:",
            *(f"  {name}: {{record: {{a: [1, int32]}}}}" for name in TYPES),
            f"tables:\n  all_of_them: {{id: 1000, key: {{a: int32}}, record: {{{record}}}}}",
            "operations:\n  put_all: {code: 1000, steps: [{put: {into: all_of_them, row: row}}], params:",
            f"    {{row: [{len(TYPES) + 1}, row<all_of_them>], {record}}}}}",
            f"views:\n  all_of_it: {{key: {{a: int32}}, parts: {{{rows}, {parts}}}}}",
        ]
    )


def with_tables() -> str:
    """A table of each name, all of them put by one operation and shown by one view."""
    shape = "key: {a: int32, b: int32}, record: {v: [1, int32]}"
    params = [f"r{number}: [{number}, row<{name}>]" for number, name in enumerate(TABLES, 1)]
    steps = [f"{{put: {{into: {name}, row: r{number}}}}}" for number, name in enumerate(TABLES, 1)]
    parts = [f"p{number}: {{scan: {name}, prefix: [a], all: true}}" for number, name in enumerate(TABLES)]
    return "\n".join(
        [
            "tables:",
            *(f"  {name}: {{id: {number}, {shape}}}" for number, name in enumerate(TABLES, 1_000)),
            f"operations:\n  put_all: {{code: 1000, params: {{{', '.join(params)}}},",
            f"    steps: [{', '.join(steps)}]}}",
            f"views:\n  all_of_it: {{key: {{a: int32}}, parts: {{{', '.join(parts)}}}}}",
        ]
    )


def with_views() -> str:
    """A view of each name, with entries."""
    rows = "{scan: issues, prefix: [a], all: true, with: {by: {get: users, at: row.author_id, show: [name]}}}"
    views = [f"  {name}: {{key: {{a: ProjectId}}, parts: {{rows: {rows}}}}}" for name in TABLES]
    return "\n".join(["views:", *views])


def bound(body: list[ast.stmt]) -> Iterator[str]:
    """The names that a module binds."""
    for node in body:
        if isinstance(node, ast.ImportFrom | ast.Import):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


@pytest.mark.parametrize("more", [with_types, with_tables, with_views])
def test_no_module_binds_a_name_twice(tmp_path: Path, more: Callable[[], str]) -> None:
    folder = shutil.copytree(TRACKER, tmp_path / "tracker")
    (folder / "more.yaml").write_text(more())

    outputs = generate(folder)

    twice = {}
    for file, text in outputs.items():
        found = list(bound(ast.parse(text).body)) if file.endswith(".py") else []
        if again := {name for name in found if found.count(name) > 1}:
            twice[file] = again
    assert twice == {}


def test_rows_and_types_keep_names_that_the_runtime_has_too() -> None:
    assert names.row_class("entries") == "Entries"
    assert names.row_class("members") == "Members"
    assert names.type_class("PatchSet") == "PatchSet"
    assert names.row_class("struct") == "Struct_"
    assert names.type_class("NewType") == "NewType_"


def test_another_class_that_would_be_one_of_the_runtime_gets_an_underscore() -> None:
    assert names.class_name("record_corrupt") == "RecordCorrupt_"
    assert names.reader_class("seeded") == "SeededReader_"
