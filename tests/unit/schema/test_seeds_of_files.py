"""What several files say of constants and of groups is put together: each stands beside its tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from pillarbox_codegen.check import load_schema
from pillarbox_codegen.diagnostics import SchemaErrors

MAIL = """
schema: {name: seeded}
tables:
  mail_holes: {id: 1, ranges: {group: {box: int32}, over: {mail: int32}, seeded: {id: 2}}}
seeds:
  constants: {first: 1}
  group:
    mail_holes: [{do: [{add_range: {range: all}}]}]
"""
CALENDAR = """
tables:
  day_holes: {id: 3, ranges: {group: {box: int32}, over: {day: int32}, seeded: {id: 4}}}
seeds:
  constants: {last: 9}
  group:
    day_holes: [{do: [{add_range: {range: "[seeds.first, seeds.last]"}}]}]
"""


def _written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return folder


def test_each_file_has_its_own_groups_and_constants(tmp_path: Path) -> None:
    schema = load_schema(_written(tmp_path, calendar=CALENDAR, mail=MAIL))

    assert set(schema.group_seeds) == {"mail_holes", "day_holes"}
    assert set(schema.constants) == {"first", "last"}


@pytest.mark.parametrize(("again", "name"), [("{first: 2}", "first"), ("{last: 9, first: 2}", "first")])
def test_what_two_files_declare_is_told_where_both_stand(tmp_path: Path, again: str, name: str) -> None:
    calendar = CALENDAR.replace("{last: 9}", again).replace("seeds.last", "9")

    with pytest.raises(SchemaErrors) as refused:
        load_schema(_written(tmp_path, a_mail=MAIL, calendar=calendar))

    (finding,) = refused.value.diagnostics
    assert (finding.code, finding.file) == ("name-taken", "calendar.yaml")
    assert f"`{name}` is declared already (a_mail.yaml:6:15)" in finding.text


def test_what_a_box_starts_with_is_one_list(tmp_path: Path) -> None:
    """Its steps have an order, which two files have not."""
    more = "seeds: {box: [{require: true}]}\n"

    with pytest.raises(SchemaErrors) as refused:
        load_schema(_written(tmp_path, a_mail=f"{MAIL}  box: [{{require: true}}]\n", more=more))

    (finding,) = refused.value.diagnostics
    assert (finding.code, finding.file) == ("name-taken", "more.yaml")
    assert finding.suggestion == "keep all of `box` in one list, whose order counts"
