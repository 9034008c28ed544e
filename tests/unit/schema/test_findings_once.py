"""A fault is told where it stands, and not again wherever something of it is used."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from tests.unit.schema.cases import findings

TRACKER: Final = Path(__file__).parents[3] / "schema/tracker"
#: A type that is all in one line, and its name.
TYPE: Final = re.compile(r"^  ([A-Z]\w*): \{(?!patch).*\}$", re.MULTILINE)
#: A field, parameter or column of a type that is used by others.
FIELD: Final = re.compile(r"\[\d+, (UserId|ProjectId|int64|text)\]")

#: A word of which others make use: it makes tables or cases, or says what something is for.
WORD: Final = re.compile(
    r"^    (index|join|list|marker|owned|ranges|refs|runs|stale|text|top|union|upsert|body):", re.MULTILINE
)


@cache
def texts() -> dict[str, str]:
    return {
        path.relative_to(TRACKER).as_posix(): path.read_text() for path in sorted(TRACKER.rglob("*.yaml"))
    }


def told(folder: Path, file: str, begin: int, end: int, instead: str) -> list[str]:
    """What is found where a text of one file is another."""
    for name, text in texts().items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text if name != file else text[:begin] + instead + text[end:])
    return [one.headline() for one in findings(folder)]


TYPES: Final = [
    (file, *match.span(), match[1]) for file, text in texts().items() for match in TYPE.finditer(text)
]
FIELDS: Final = [(file, *match.span(1)) for file, text in texts().items() for match in FIELD.finditer(text)][
    ::9
]
WORDS: Final = [(file, *match.span(1)) for file, text in texts().items() for match in WORD.finditer(text)]


@pytest.mark.parametrize(("file", "begin", "end", "name"), TYPES, ids=[name for _, _, _, name in TYPES])
def test_a_faulty_type_is_told_once(tmp_path: Path, file: str, begin: int, end: int, name: str) -> None:
    (finding,) = told(tmp_path, file, begin, end, f"  {name}: {{record: {{field: [1, Nobody]}}}}")

    assert "[unknown-type] there is no type `Nobody`" in finding


@pytest.mark.parametrize(("file", "begin", "end"), FIELDS)
def test_a_field_of_no_type_is_told_once(tmp_path: Path, file: str, begin: int, end: int) -> None:
    (finding,) = told(tmp_path, file, begin, end, "Nobody")

    assert "[unknown-type] there is no type `Nobody`" in finding


@pytest.mark.parametrize(("file", "begin", "end"), WORDS)
def test_a_misspelt_word_is_told_once(tmp_path: Path, file: str, begin: int, end: int) -> None:
    word = texts()[file][begin:end]

    (finding,) = told(tmp_path, file, begin, end, f"{word}x")

    assert f"has no key `{word}x`" in finding


#: Faults of one constant, each with the code of its finding; the others are used all over.
CONSTANTS: Final = [
    ("faulty: {a: 1}", "wrong-shape"),
    ("Faulty: 1", "name"),
    ("faulty: [[1]]", "wrong-shape"),
]


@pytest.mark.parametrize(("instead", "code"), CONSTANTS)
def test_a_faulty_constant_is_told_once(tmp_path: Path, instead: str, code: str) -> None:
    text = texts()["schema.yaml"]
    begin = text.index("inbox_project: 1")

    (finding,) = told(tmp_path, "schema.yaml", begin, begin, f"{instead}\n    ")

    assert f"[{code}]" in finding


def test_a_constant_of_no_shape_is_not_missed_where_it_is_used(tmp_path: Path) -> None:
    text = texts()["schema.yaml"]
    begin = text.index("inbox_project: 1")
    end = begin + len("inbox_project: 1")

    (finding,) = told(tmp_path, "schema.yaml", begin, end, "inbox_project: {value: 1}")

    assert "[wrong-shape]" in finding
