"""`pillarbox schema summary`: what it counts, what it says, what it ends with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pillarbox_codegen.check import load_schema
from pillarbox_codegen.summary import Word, summarize, words_of
from pillarbox_codegen.verbs_schema import NO_REASON, schema

SHIPPED = Path(__file__).resolve().parents[3] / "schema"
SMALL = """\
schema: {name: small}
sequences:
  numbers: {id: 50, type: int32, per: {}, start: 1}
types:
  Shade: {enum: {light: 0, dark: 1}}
  Spot: {record: {x: [1, int32], y: [2, int32]}}
  Thing: {union: {Ball: [1, {size: [1, int32]}], Stick: [2, {}]}}
tables:
  things:
    id: 51
    key: {number: {type: int32, fill: numbers}}
    record: {thing: [1, Thing], names: [2, list<text>]}
  by_name: {id: 52, index: {from: things, each: {n: names}, key: [{name: n}, number]}}
operations:
  put_thing: {code: 1, params: {thing: [1, row<things>]}, steps: [{put: {into: things, row: thing}}]}
  drop_things:
    code: 2
    params: {numbers: [1, list<int32>]}
    steps: [{remove: {from: things, at: n}, each: numbers as n}]
views:
  one: {key: {number: int32}, parts: {thing: {get: things, at: number}}}
"""


def write(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "all.yaml").write_text(text)
    return folder


def run(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(schema, ["summary", str(folder), *options])


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write(tmp_path / "small", SMALL)


def test_everything_that_is_declared_is_counted(small: Path) -> None:
    found = summarize(load_schema(small), 7)

    assert found.tables == 3
    assert found.roles == {"primary": 1, "derived": 1, "sequence": 1}
    assert found.maintainers == {"index": 1, "sequence": 1}
    assert found.types == {"enum": 1, "record": 1, "union": 1}
    assert (found.records, found.cases, found.fields) == (3, 2, 3)
    assert found.operations == 2
    assert found.steps == {"put": 1, "remove": 1}
    assert found.parts == {"get": 1}
    assert (found.views, found.updates, found.lines) == (1, 0, 7)


def test_words_are_maintainers_steps_and_parts(small: Path) -> None:
    assert set(words_of(load_schema(small))) == {
        Word("maintainer", "index"),
        Word("maintainer", "sequence"),
        Word("step", "put"),
        Word("step", "remove"),
        Word("part", "get"),
    }


def test_the_text_has_a_line_for_each_kind(small: Path) -> None:
    result = run(small)

    assert result.exit_code == 0, result.output
    assert [line.split()[0] for line in result.output.splitlines()[1:-1]] == [
        "tables", "maintainers", "types", "records", "operations", "updates", "views", "items", "lines",
    ]  # fmt: skip
    assert result.output.endswith("no schema beside it to compare words with\n")


def test_json_says_the_same(small: Path) -> None:
    result = run(small, "--json")

    found = json.loads(result.output)
    assert found["name"] == "small"
    assert (found["tables"], found["records"], found["operations"], found["lone"]) == (3, 3, 2, None)


def test_a_word_that_no_schema_beside_it_uses_is_told(small: Path) -> None:
    write(
        small.parent / "other",
        SMALL.replace(
            "remove: {from: things, at: n}", "put: {into: things, row: {number: n, thing: make(Stick)}}"
        ),
    )

    result = run(small)

    assert f"    step remove: {NO_REASON}\n" in result.output
    assert result.output.count(": no reason given") == 1


def test_words_without_a_reason_are_told_in_a_line_for_each_kind(small: Path) -> None:
    write(small.parent / "other", "schema: {name: other, doc: Nothing.}\n")

    lines = run(small).output.partition("uses:\n")[2].splitlines()

    kinds = [line.split()[0] for line in lines]
    assert len(kinds) == len(set(kinds)) > 1
    assert all(line.endswith(f": {NO_REASON}") for line in lines)
    assert any("step put, remove:" in line or "step remove, put:" in line for line in lines), lines


def test_a_schema_gives_the_reason_for_a_word_of_its_own(small: Path) -> None:
    write(
        small.parent / "other",
        SMALL.replace(
            "remove: {from: things, at: n}", "put: {into: things, row: {number: n, thing: make(Stick)}}"
        ),
    )
    write(small, SMALL.replace("name: small", "name: small, alone: {remove: Only here is a limit.}"))

    assert "    step remove: Only here is a limit.\n" in run(small).output


def test_a_schema_with_findings_beside_it_is_passed_over(small: Path) -> None:
    write(small.parent / "other", "schema: {name: other}\ntables: {a: {id: 1, key: {b: intt}}}\n")

    assert run(small).output.endswith("no schema beside it to compare words with\n")


def test_findings_end_it_with_one(tmp_path: Path) -> None:
    write(tmp_path, "schema: {name: faulty}\ntables:\n  a: {id: 50, key: {b: intt}}\n")

    result = run(tmp_path)

    assert result.exit_code == 1
    assert "intt" in result.output


@pytest.mark.parametrize("name", ["messenger", "tracker"])
def test_a_shipped_schema_gives_a_reason_for_every_word_of_its_own(name: str) -> None:
    others = [load_schema(path) for path in sorted(SHIPPED.iterdir()) if path.is_dir() and path.name != name]

    lone = summarize(load_schema(SHIPPED / name), 0, others).lone

    assert lone is not None
    assert [one.word for one in lone if one.reason is None] == []
