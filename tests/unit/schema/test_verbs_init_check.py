"""`pillarbox init` and `pillarbox check`: what they print, write and end with."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.unit.schema.cases import write

from pillarbox_codegen.verbs import check, init


def test_what_init_writes_passes_check(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "todo"

    begun = CliRunner().invoke(init, [str(folder)])
    checked = CliRunner().invoke(check, [str(folder)])

    assert begun.exit_code == 0
    assert begun.output.endswith(f"next: pillarbox check {folder}\n")
    assert checked.exit_code == 0
    assert checked.output == f"{folder}: todo: 1 table, 2 derived tables, 1 operation, 1 view: fine\n"


def test_init_leaves_a_folder_alone_that_holds_something(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()

    result = CliRunner().invoke(init, [str(tmp_path)])

    assert result.exit_code == 2
    assert "is not empty" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("where", ["file/below", "x" * 300])
def test_init_says_where_it_cannot_write(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").touch()

    result = CliRunner().invoke(init, [str(tmp_path / where)])

    assert result.exit_code == 2
    assert "cannot write into" in result.output
    assert "name a folder that you may write to" in result.output


def test_check_counts_the_tables_of_each_kind(tmp_path: Path) -> None:
    tables = "seen: {id: 1, stale: {by: {a: int32}}}, t: {id: 2, key: {a: int32}}"
    (tmp_path / "s.yaml").write_text(f"schema: {{name: s}}\ntables: {{{tables}}}\n")

    checked = CliRunner().invoke(check, [str(tmp_path)])

    assert checked.output == f"{tmp_path}: s: 1 table, 1 kept table: fine\n"


def test_check_tells_all_findings_and_ends_with_one(tmp_path: Path) -> None:
    write(tmp_path, "tables:\n  a: {id: 50, key: {b: intt}}\n  c: {id: 51, key: {d: intt}}\n")

    result = CliRunner().invoke(check, [str(tmp_path)])

    assert result.exit_code == 1
    assert result.output.endswith("2 findings\n")


def test_check_of_an_empty_folder_is_a_finding(tmp_path: Path) -> None:
    result = CliRunner().invoke(check, [str(tmp_path)])

    assert result.exit_code == 1
    assert "pillarbox init" in result.output


def test_check_of_nothing_is_wrong_use(tmp_path: Path) -> None:
    assert CliRunner().invoke(check, [str(tmp_path / "missing")]).exit_code == 2
    assert CliRunner().invoke(check, []).exit_code == 2
