# ruff: noqa: E501 -- a table reads best with one case a line
"""Names that would meet, or mislead, in the generated code; each finding has its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case, findings, parts

from pillarbox_codegen.names import snake

CASES = [
    # functions
    Case("function-taken", "types:\n  «FileID: {packed: int64, parts: {store: {type: int32, bits: 8}}}".replace("store", "other"), "both give `file_id(..)`"),
    Case("function-taken", "types:\n  «FileIdStore: {packed: int64, parts: {other: {type: int32, bits: 8}}}", "both give `file_id_store(..)`"),
    Case("function-taken", "types:\n  HTTPLink: {record: {a: [1, int32]}}\n  «HttpLink: {record: {a: [1, int32]}}", "`HttpLink` and `HTTPLink` (case.yaml:2:3)"),
    Case("function-taken", "types:\n  Note: {union: {URLNote: [1, {a: [1, int32]}], «UrlNote: [2, {a: [1, int32]}]}}", "check_url_note"),
    Case("function-taken", "types:\n  URLNote: {record: {a: [1, int32]}}\ntables:\n  «url_note: {id: 50, key: {a: int32}, record: {b: [1, int32]}}", "check_url_note"),
    # constants
    Case("constant-taken", "types:\n  AB: {enum: {one: 1}}\ntables:\n  «ab: {id: 50, key: {a: int32}}", "the class AB (case.yaml:2:3)"),
    Case("constant-taken", "types:\n  Abc: {enum: {one: 1}}\n  «ABC: {enum: {one: 1}}", "rename one of the two"),
    Case("constant-taken", "types:\n  Pair: {union: {AB: [1, {a: [1, int32]}]}}\ncursors:\n  «ab: {id: 50, parts: {rev: {kind: counter, number: 1}}}", "the class AB"),
    # names that read like a digit
    Case("ambiguous", "types:\n  «I: {id: int64}", "call it `I`"),
    Case("ambiguous", "types:\n  Pair: {union: {«O: [1, {a: [1, int32]}]}}"),
    Case("ambiguous", "types:\n  Kind: {enum: {«i: 1}}"),
    Case("ambiguous", "types:\n  Kind: {flags: {«o: 1}}"),
    Case("ambiguous", "types:\n  Pair: {record: {«l: [1, int32]}}", "call it `l`"),
    Case("ambiguous", "types:\n  Pair: {packed: int64, parts: {«l: {type: int32, bits: 8}}}"),
    Case("ambiguous", "tables:\n  «i: {id: 50, key: {a: int32}}"),
    Case("ambiguous", "tables:\n  extra: {id: 50, key: {«l: int32}}"),
    Case("ambiguous", "tables:\n  extra: {id: 50, index: {from: issues, key: [project_id, number, {«l: updated}]}}"),
    Case("ambiguous", "tables:\n  extra: {id: 50, index: {from: issues, key: [project_id, number], value: {«l: updated}}}"),
    Case("ambiguous", "tables:\n  extra: {id: 50, top: {of: issues, group: [project_id], value: {«l: number}}}"),
    Case("ambiguous", "tables:\n  extra: {id: 50, top: {of: issues, group: [project_id], first: 3, fold: {«l: count(updated > 1)}}}"),
    Case("ambiguous", "operations:\n  «l: {code: 9, steps: []}"),
    Case("ambiguous", "updates:\n  «i: {code: 9, fields: {}}"),
    Case("ambiguous", "events:\n  «o: {code: 9, fields: {}}"),
    Case("ambiguous", parts("«l: {scan: projects, prefix: [], all: true}")),
    Case("ambiguous", "sources:\n  rows: {adapter: a:b, columns: {«l: int32}, emits: []}"),
    # jobs
    Case("name", "sources:\n  «json: {adapter: a:b, columns: {a: int32}, emits: []}", "such as `json_rows`"),
    Case("name", "sources:\n  «pyspark: {adapter: a:b, columns: {a: int32}, emits: []}", "would hide"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.text[-90:]!r}")
def test_the_finding_is_at_its_mark(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("spark", "`pillarbox_spark` is a package of Pillarbox itself"),
        ("codegen", "`pillarbox_codegen` is a package of Pillarbox itself"),
        ("x" * 61, "the name is 61 characters long, at most 60 are read"),
        ("class", "`class` is a word of the language"),
        ("Todo", "`Todo` is not a name in snake_case"),
    ],
)
def test_a_schema_may_not_be_called_everything(name: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_text(f"schema: {{name: {name}}}\n", encoding="utf-8")

    (found,) = findings(tmp_path)

    assert (found.code, found.line, found.column, found.text) == ("name", 1, 16, told)
    assert found.suggestion


FINE = {
    "tables of one letter": "tables:\n  l: {id: 50, key: {a: int32}}\n  t: {id: 51, key: {a: int32}, record: {b: [1, int32]}}\n  x2: {id: 52, key: {a: int32}}",
    "variables": 'tables:\n  extra: {id: 50, index: {from: issues, each: {l: labels}, key: [project_id, number, {label: l}]}}',
    "fields i and o": "types:\n  Pair: {record: {i: [1, int32], o: [2, int32]}}",
    "a value l": "types:\n  Kind: {enum: {l: 1}}",
    "types that nothing is generated for": "types:\n  WorkID: {id: int64}\n  WorkId: {id: int64}",
}  # fmt: skip


@pytest.mark.parametrize("text", FINE.values(), ids=FINE)
def test_what_meets_nothing_is_accepted(tmp_path: Path, text: str) -> None:
    assert accepted(tmp_path, text).tables


@pytest.mark.parametrize(
    ("name", "function"),
    [("FileId", "file_id"), ("FileID", "file_id"), ("HTTPLink2", "http_link2"), ("A", "a")],
)
def test_functions_are_called_in_snake_case(name: str, function: str) -> None:
    assert snake(name) == function
