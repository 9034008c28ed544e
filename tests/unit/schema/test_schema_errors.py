"""How findings are shown, and that every code is known, tested and written down."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema import (
    test_findings_of_bases,
    test_findings_of_behaviour,
    test_findings_of_expressions,
    test_findings_of_fetching,
    test_findings_of_items,
    test_findings_of_joins,
    test_findings_of_lists,
    test_findings_of_merges,
    test_findings_of_names,
    test_findings_of_options,
    test_findings_of_outbox,
    test_findings_of_protocols,
    test_findings_of_repeats,
    test_findings_of_shape,
    test_findings_of_sources,
    test_findings_of_tables,
    test_findings_of_updates,
    test_yaml_source,
)
from tests.unit.schema.cases import write

from pillarbox_codegen.check import load_schema
from pillarbox_codegen.codes import CODES, as_markdown
from pillarbox_codegen.diagnostics import DIAGNOSTICS_MAX, Diagnostic, SchemaErrors, all_of, did_you_mean

ROOT = Path(__file__).resolve().parents[3]


def test_a_finding_is_shown_with_its_line_and_a_caret(tmp_path: Path) -> None:
    write(tmp_path, 'tables:\n  a: {id: 50, key: {b: "intt"}}\n')

    with pytest.raises(SchemaErrors) as caught:
        load_schema(tmp_path)

    assert caught.value.render().split("\n") == [
        f"{tmp_path}/case.yaml:2:25: [unknown-type] there is no type `intt`",
        '      a: {id: 50, key: {b: "intt"}}',
        "                            ^",
        "    did you mean `int8`?",
        "1 finding",
    ]
    assert str(caught.value) == caught.value.render()


def test_findings_are_sorted_by_place_and_told_once() -> None:
    later, earlier = Diagnostic("b.yaml", 1, 1, "yaml", "x"), Diagnostic("a.yaml", 9, 1, "yaml", "y")

    errors = SchemaErrors([later, earlier, later], {})

    assert errors.diagnostics == (earlier, later)


def test_more_findings_than_anyone_reads_are_counted() -> None:
    many = [Diagnostic("a.yaml", line, 1, "yaml", "x") for line in range(1, DIAGNOSTICS_MAX + 51)]

    errors = SchemaErrors(many, {})

    assert (len(errors.diagnostics), errors.left_out) == (DIAGNOSTICS_MAX, 50)
    assert errors.render().endswith(f"250 findings, the first {DIAGNOSTICS_MAX} are shown")


def test_a_long_line_is_shown_around_its_finding() -> None:
    line = "x" * 5_000 + "HERE" + "y" * 5_000

    shown = SchemaErrors([Diagnostic("a.yaml", 1, 5_001, "yaml", "z")], {"a.yaml": line}).render().split("\n")

    assert len(shown[1]) < 200
    assert shown[1][shown[2].index("^") :].startswith("HERE")


def test_a_word_that_is_near_nothing_gets_no_suggestion() -> None:
    assert did_you_mean("zebra", ["colour_of_the_day", "state"]) is None
    assert did_you_mean("stat", ["title", "state"]) == "did you mean `state`?"


def test_every_code_has_a_test_and_every_tested_code_is_known() -> None:
    behaviour = test_findings_of_behaviour
    cases = [
        *test_findings_of_shape.CASES, *test_findings_of_tables.CASES, *test_findings_of_expressions.CASES,
        *behaviour.STEPS, *behaviour.UPDATES, *behaviour.VIEWS,
        *test_findings_of_sources.CASES, *test_findings_of_names.CASES, *test_findings_of_joins.CASES,
        *test_findings_of_items.CASES, *test_findings_of_merges.CASES,
        *test_findings_of_options.CASES, *test_findings_of_lists.CASES, *test_findings_of_bases.CASES,
        *test_findings_of_protocols.CASES, *test_findings_of_updates.CASES,
        *test_findings_of_fetching.CASES, *test_findings_of_outbox.CASES, *test_findings_of_repeats.CASES,
    ]  # fmt: skip
    tested = {case.code for case in cases} | {code for code, _ in test_yaml_source.HOSTILE}
    elsewhere = {"folder", "file-name", "file-unreadable", "not-utf8"}  # whole files, in test_yaml_source

    assert tested | elsewhere == set(CODES)


def test_the_page_of_codes_is_the_table_in_the_code() -> None:
    page = ROOT / "docs/schema-errors.md"

    assert page.read_text(encoding="utf-8") == as_markdown()


@pytest.mark.parametrize(
    ("words", "said"), [(["a"], "`a`"), (["a", "b"], "`a` and `b`"), (["a", "b", "c"], "`a`, `b` and `c`")]
)
def test_words_are_listed_as_a_sentence_lists_them(words: list[str], said: str) -> None:
    assert all_of(words) == said
