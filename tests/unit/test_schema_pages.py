"""The pieces of schemas that pages show are of the language: keys, words and shapes are those of the checker.

What a piece only names (a table, a field, an operation of the reader's) it need not declare.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from tests.unit.committed import ROOT

from pillarbox_codegen.check import load_schema
from pillarbox_codegen.diagnostics import SchemaErrors

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
KINDS = list(json.loads((ROOT / "schema/pillarbox.schema.json").read_text())["properties"])
#: Where a piece stands that is not of one kind: what is around it, and how far it is indented there.
AROUND = (
    ("", 0),
    *((f"{kind}:\n", 2) for kind in KINDS if kind != "schema"),
    ("operations:\n  act:\n    code: 1\n    params: {}\n    steps:\n", 6),
    ("views:\n  v:\n    key: {}\n", 4),
    ("cursors:\n  c:\n    id: 1\n    parts: {}\n", 4),
    ("holes:\n  miss:\n    table: gaps\n    ask: {request: ask}\n", 4),
)
#: Pages of which a piece leaves out what is beside the point, and what that leaves to be found.
LEFT_OUT = {
    "docs/schema/expressions.md": {"duplicate-key"},  # two conditions, not one after the other
    "docs/schema/merge.md": {"missing-key"},  # the codes
    "docs/schema/fetching.md": {"missing-key"},  # what the first piece of the page says already
    "docs/schema/list.md": {"wrong-shape"},  # `[..]` stands for steps
    "docs/schema/protocol.md": {"missing-key", "unknown-key"},  # `..` stands for the rest
    "docs/schema/steps.md": {"missing-key"},  # the ids
}


def pieces() -> Iterator[tuple[Path, int, str]]:
    """Each block of YAML on a page, and its line."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in re.finditer(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            yield page, text.count("\n", 0, found.start()) + 1, textwrap.dedent(found.group(1))


def findings(folder: Path, piece: str, left_out: Collection[str] = ()) -> set[str]:
    """`code: text` of what is wrong with a piece, wherever it may stand, where that is least."""
    least: set[str] = {piece} | set(map(str, range(len(piece))))
    for head, depth in AROUND:
        text = head + textwrap.indent(piece, " " * depth)
        has_name = re.search(r"^schema:", text, re.MULTILINE)
        (folder / "page.yaml").write_text(text if has_name else f"schema: {{name: page}}\n{text}")
        try:
            load_schema(folder)
            return set()
        except SchemaErrors as errors:
            codes = {one.code for one in errors.diagnostics} - set(left_out)
            found = {f"{one.code}: {one.text}" for one in errors.diagnostics if one.code in codes}
            found = {one for one in found if not _only_names(one.split(":")[0])}
        if "yaml" not in codes and len(found) < len(least):
            least = found
    return least


def _only_names(code: str) -> bool:
    return code.startswith("unknown-") and code not in ("unknown-key", "unknown-word")


@pytest.mark.parametrize(
    ("page", "line", "piece"),
    list(pieces()),
    ids=lambda it: it.name if isinstance(it, Path) else str(it)[:20],
)
def test_a_piece_of_a_schema_on_a_page_is_of_the_language(
    tmp_path: Path, page: Path, line: int, piece: str
) -> None:
    left_out = LEFT_OUT.get(page.relative_to(ROOT).as_posix(), ())

    assert findings(tmp_path, piece, left_out) == set(), f"{page.name}, line {line}"


@pytest.mark.parametrize(
    ("piece", "found"),
    [
        ("Hint: {record: {at: [1, int64]}, doc: Said, and not meant.}", True),
        ("Hint: {record: {at: [1, int64]}, doc: 'Said, and not meant.'}", False),
        ("- {put: {in: issues, row: i}}", True),
        ("- {put: {into: issues, row: i}}", False),
        ("views:\n  board: {key: {}, parts: {all: {scam: issues, all: true}}}", True),
    ],
)
def test_a_piece_of_another_language_is_found(tmp_path: Path, piece: str, found: bool) -> None:
    assert bool(findings(tmp_path, piece)) is found
