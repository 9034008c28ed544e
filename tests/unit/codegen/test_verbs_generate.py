"""`pillarbox generate`: exit codes, what it says, and schemas anywhere."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from pillarbox_codegen.verbs import init
from pillarbox_codegen.verbs_generate import generate

SCHEMA = "schema: {name: notes}\ntables:\n  notes: {id: 1, key: {note: int64}, record: {text: [1, text]}}\n"


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    folder = tmp_path / "somewhere else" / "my notes"
    folder.mkdir(parents=True)
    (folder / "notes.yaml").write_text(SCHEMA)
    return folder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(generate, [str(argument) for argument in arguments])


def test_a_schema_anywhere_becomes_a_package(schema: Path, tmp_path: Path) -> None:
    result = run(schema, "--out", tmp_path / "out")

    assert result.exit_code == 0, result.output
    assert (tmp_path / "out" / "pillarbox_notes" / "box.py").exists()
    assert "files" in result.output
    for path in (tmp_path / "out").rglob("*.py"):
        assert str(tmp_path) not in path.read_text()


def test_a_second_run_has_nothing_to_do(schema: Path, tmp_path: Path) -> None:
    run(schema, "--out", tmp_path / "out")

    result = run(schema, "--out", tmp_path / "out")

    assert "nothing to change" in result.output


def test_check_is_content_with_what_generate_wrote(schema: Path, tmp_path: Path) -> None:
    run(schema, "--out", tmp_path / "out")

    result = run(schema, "--out", tmp_path / "out", "--check")

    assert result.exit_code == 0, result.output


def test_check_lists_every_file_that_differs_and_writes_nothing(schema: Path, tmp_path: Path) -> None:
    package = tmp_path / "out" / "pillarbox_notes"
    run(schema, "--out", tmp_path / "out")
    (package / "box.py").unlink()
    (package / "old.py").write_text("")
    (schema / "notes.yaml").write_text(SCHEMA.replace("text: [1", "body: [1"))

    result = run(schema, "--out", tmp_path / "out", "--check")

    assert result.exit_code == 1
    assert "missing: pillarbox_notes/box.py\n" in result.output
    assert "orphan: pillarbox_notes/old.py\n" in result.output
    assert "stale: pillarbox_notes/types.py\n" in result.output
    assert "run `pillarbox generate" in result.output
    assert not (package / "box.py").exists()


def test_check_tells_which_files_generating_again_would_leave(schema: Path, tmp_path: Path) -> None:
    """Else who does as it says comes back to the same."""
    package = tmp_path / "out" / "pillarbox_notes"
    run(schema, "--out", tmp_path / "out")
    (package / "mine.py").write_text("mine = 1\n")
    (package / "old.py").write_text((package / "box.py").read_text())

    result = run(schema, "--out", tmp_path / "out", "--check")

    assert result.exit_code == 1
    assert f"{package / 'mine.py'} was not generated; move it away" in result.output
    assert f"{package / 'old.py'} was not generated" not in result.output
    (package / "mine.py").unlink()
    run(schema, "--out", tmp_path / "out")
    assert run(schema, "--out", tmp_path / "out", "--check").exit_code == 0


def test_a_faulty_schema_is_told_with_its_places_and_nothing_is_written(schema: Path, tmp_path: Path) -> None:
    (schema / "notes.yaml").write_text(SCHEMA.replace("int64", "int65"))

    result = run(schema, "--out", tmp_path / "out")

    assert result.exit_code == 1
    assert "notes.yaml:3:" in result.output
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_way_is_wrong_use(schema: Path, tmp_path: Path) -> None:
    (tmp_path / "out" / "pillarbox_notes").mkdir(parents=True)
    (tmp_path / "out" / "pillarbox_notes" / "box.py").write_text("mine = 1\n")

    result = run(schema, "--out", tmp_path / "out")

    assert result.exit_code == 2
    assert "was not generated" in result.output


def test_a_folder_that_cannot_be_made_is_wrong_use(schema: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    result = run(schema, "--out", tmp_path / "file" / "below")

    assert result.exit_code == 2
    assert "name a folder that you may write to" in result.output


@pytest.mark.parametrize(
    ("verb", "arguments"), [(generate, ["{schema}", "--out", ""]), (init, [""])], ids=["generate", "init"]
)
def test_a_folder_without_a_name_is_wrong_use(
    schema: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: click.Command, arguments: list[str]
) -> None:
    """As of a variable of the shell that is not set; the current folder is not meant."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)

    result = CliRunner().invoke(verb, [one.format(schema=schema) for one in arguments])

    assert result.exit_code == 2
    assert "a folder has a name; write . for the current one" in result.output
    assert list(here.iterdir()) == []
