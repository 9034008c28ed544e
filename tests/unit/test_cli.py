"""The command line: exit codes, help without imports, what to install; and doctor."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from unittest.mock import Mock

import pytest

from pillarbox import doctor, verbs
from pillarbox.__main__ import main as started
from pillarbox.cli import main
from pillarbox.errors import DataError, PillarboxError, StoreError, TransientError, UsageError
from pillarbox.installing import install_line
from pillarbox.interface import INTERFACE
from pillarbox.native import status


def exit_code(*arguments: str) -> int:
    """What the process would end with."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert isinstance(caught.value.code, int)
    return caught.value.code


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter: what is imported, or missing, there is of no concern here."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> PlantVerb:
    return PlantVerb(monkeypatch, tmp_path)


class PlantVerb:
    """Installs one verb, `planted`, whose module has the given source."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.monkeypatch, self.folder = monkeypatch, folder

    def __call__(self, source: str) -> None:
        (self.folder / "planted_verbs.py").write_text(source)
        self.monkeypatch.syspath_prepend(self.folder)
        self.monkeypatch.delitem(sys.modules, "planted_verbs", raising=False)
        verb = EntryPoint(name="planted", value="planted_verbs:planted", group=verbs.GROUP)
        self.monkeypatch.setattr(verbs, "_installed_verbs", lambda: {"planted": verb})


def command(*body: str) -> str:
    """Source of a verb whose body is the given lines."""
    lines = ["import click", "@click.command()", "@click.pass_context", "def planted(ctx):"]
    return "\n".join([*lines, '    """Do one thing. And another."""', *(f"    {line}" for line in body)])


# ------------------------------------------------------------------------------------------ help


def test_help_names_each_verb_with_its_first_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("--help") == 0

    printed = capsys.readouterr().out
    assert "doctor    Tell what is installed, and which fast paths are active\n" in printed
    assert "0 fine, 1 findings, 2 wrong use, 3 store problem, 4 network, 130" in printed


def test_help_imports_no_verb_and_nothing_heavy() -> None:
    done = run_python(
        "import sys\n"
        "from pillarbox.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: print('IMPORTED', *sys.modules)\n"
    )

    imported = set(done.stdout.rpartition("IMPORTED")[2].split())
    assert "pillarbox.verbs" in imported
    assert imported.isdisjoint(
        {"pillarbox.doctor", "pillarbox.box", "pillarbox_codegen.verbs", "pillarbox_codegen.model"}
        | {"apsw", "asyncio", "jinja2", "jsonschema_rs", "msgspec", "pyspark", "rich", "yaml"}
    )


def test_help_survives_a_verb_whose_source_is_broken(
    plant: PlantVerb, capsys: pytest.CaptureFixture[str]
) -> None:
    plant("def planted(:")

    assert exit_code("--help") == 0
    assert "planted" in capsys.readouterr().out


# ------------------------------------------------------------------------------------ exit codes


@pytest.mark.parametrize("arguments", [(), ("nope",), ("--nope",), ("doctor", "--nope")])
def test_wrong_use_ends_with_2(arguments: tuple[str, ...]) -> None:
    assert exit_code(*arguments) == 2


@pytest.mark.parametrize(
    ("verb", "told"), [("verfy", "did you mean 'verify'?"), ("zzz", "`pillarbox --help` lists them")]
)
def test_a_verb_that_is_not_there_is_told_with_what_helps(
    verb: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(verb) == 2
    assert f"there is no verb {verb!r}; {told}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return None", 0),
        ("ctx.exit(1)", 1),
        ("raise click.UsageError('x')", 2),
        ("raise click.Abort", 130),
        ("raise KeyboardInterrupt", 130),
        ("raise MemoryError", 3),
    ],
)
def test_a_verb_ends_the_process_its_own_way(plant: PlantVerb, body: str, code: int) -> None:
    plant(command(body))

    assert exit_code("planted") == code


@pytest.mark.parametrize(
    ("error", "code"), [(UsageError, 2), (StoreError, 3), (DataError, 3), (TransientError, 4)]
)
def test_an_error_on_purpose_is_one_line_and_the_code_of_who_must_act(
    error: type[PillarboxError], code: int, plant: PlantVerb, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(
        command(
            "from pillarbox import errors", f"raise errors.{error.__name__}('a.box: full; free some room')"
        )
    )

    assert exit_code("planted") == code
    assert capsys.readouterr().err == "pillarbox: a.box: full; free some room\n"


def test_any_other_exception_is_a_bug_and_shows_itself(plant: PlantVerb) -> None:
    plant(command("raise ZeroDivisionError"))

    with pytest.raises(ZeroDivisionError):
        main(["planted"])


def test_who_is_interrupted_while_verbs_are_loaded_has_the_code_of_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr("pillarbox.verbs")
    monkeypatch.delitem(sys.modules, "pillarbox.verbs")
    monkeypatch.setattr("pillarbox.cli.sys.meta_path", [Interrupting()])

    assert exit_code("doctor") == 130
    assert capsys.readouterr().err == "pillarbox: interrupted\n"


def test_who_is_interrupted_still_earlier_has_the_code_of_it_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr("pillarbox.cli")
    monkeypatch.delitem(sys.modules, "pillarbox.cli")
    monkeypatch.setattr(sys, "meta_path", [Interrupting()])

    with pytest.raises(SystemExit) as ended:
        started()

    assert ended.value.code == 130
    assert capsys.readouterr().err == "pillarbox: interrupted\n"


def test_who_is_interrupted_before_any_verb_runs_has_the_code_of_it_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pillarbox.cli._have_streams", Mock(side_effect=KeyboardInterrupt))

    with pytest.raises(SystemExit) as ended:
        started()

    assert ended.value.code == 130
    assert capsys.readouterr().err == "pillarbox: interrupted\n"


class Interrupting:
    """Control-C comes just when something is imported."""

    def find_spec(self, *_: object) -> None:
        raise KeyboardInterrupt


def test_a_file_that_a_verb_forgot_to_explain_is_a_bug(plant: PlantVerb) -> None:
    plant(command("open('/', 'w')"))

    with pytest.raises(IsADirectoryError):
        main(["planted"])


# ------------------------------------------------------------------------------- what to install


def test_without_click_it_says_what_to_install() -> None:
    done = run_python("import sys; sys.modules['click'] = None\nfrom pillarbox.cli import main; main([])")

    assert done.returncode == 2
    line = install_line("pillarbox", "cli")
    assert done.stderr == f"pillarbox: the command line needs click; install it with `{line}`\n"


@pytest.mark.parametrize(
    "source", ["import no_such.part\n" + command("pass"), command("import no_such.part")]
)
def test_a_verb_whose_library_is_missing_says_what_to_install(
    source: str, plant: PlantVerb, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(source)

    assert exit_code("planted") == 2
    printed = capsys.readouterr().err
    assert "`pillarbox planted` needs no_such, which is not installed" in printed
    assert "`pip install planted_verbs`" in printed


def test_the_verbs_of_our_packages_name_the_extra_of_their_package() -> None:
    installed = verbs._installed_verbs()

    assert verbs._install_line(installed["generate"]) == install_line("pillarbox", "codegen")
    assert verbs._install_line(installed["doctor"]) == install_line("pillarbox")


def test_a_module_missing_from_the_verbs_own_package_is_a_bug(plant: PlantVerb) -> None:
    plant("import planted_verbs.part")

    with pytest.raises(ModuleNotFoundError):
        main(["planted"])


def test_a_verb_that_is_no_command_is_wrong_use(plant: PlantVerb, capsys: pytest.CaptureFixture[str]) -> None:
    plant("planted = 3")

    assert exit_code("planted") == 2
    assert "no click command" in capsys.readouterr().err


# ---------------------------------------------------------------------------------------- doctor


def test_doctor_reports_and_ends_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("doctor") == 0

    printed = capsys.readouterr().out
    subjects = [line.partition("  ")[0] for line in printed.splitlines()]
    assert subjects[:7] == ["pillarbox", "python", "sqlite", "msgspec", "native", "batches", "java"]
    assert {"extra cli", "extra codegen", "pillarbox_messenger", "pillarbox_tracker"} <= set(subjects)
    assert f"{status()}\n" in printed


def test_what_another_package_cannot_tell_is_a_line_of_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        EntryPoint(name=name, value=value, group=doctor.GROUP)
        for name, value in (("absent", "no_such_module:told"), ("home", "platform:node"))
    ]
    monkeypatch.setattr(doctor, "entry_points", lambda group: lines)

    report = dict(doctor.report())

    assert report["absent"] == "no_such_module:told fails: No module named 'no_such_module'"
    assert report["home"] == platform.node()


def test_doctor_answers_without_apsw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "apsw", None)

    report = dict(doctor.report())

    assert report["sqlite"].startswith("apsw cannot be imported")


def test_doctor_names_the_packages_that_an_extra_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_is_installed", lambda name: name != "jinja2")

    report = dict(doctor.report())

    assert report["extra codegen"] == f"missing jinja2; `{install_line('pillarbox', 'codegen')}`"
    assert report["extra cli"] == "installed"


def test_doctor_tells_a_generated_package_from_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = "# schema-hash: cc886f559f67\n"
    head = f"{old}__interface__ = check_interface({INTERFACE}, __file__)\n"
    for name, text in (("pillarbox_mine", head), ("pillarbox_old", old), ("pillarbox_other", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)

    found = dict(doctor.generated_packages())

    assert found["pillarbox_mine"] == f"schema cc886f559f67, {tmp_path / 'pillarbox_mine'}"
    assert "/pillarbox_old; it cannot be used: " in found["pillarbox_old"]
    assert found["pillarbox_old"].endswith(f"again: pillarbox generate SCHEMA --out {tmp_path}")
    assert found["pillarbox_other"].startswith("not a generated package")


def test_doctor_sees_the_packages_of_this_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pillarbox_here").mkdir()
    (tmp_path / "pillarbox_here" / "__init__.py").write_text("# schema-hash: cc886f559f67\n")
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    monkeypatch.chdir(tmp_path)

    assert exit_code("doctor") == 0

    assert f"schema cc886f559f67, {tmp_path / 'pillarbox_here'}; " in capsys.readouterr().out


def test_doctor_answers_where_folders_and_packages_may_not_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def hidden(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "pillarbox_hidden").mkdir()
    init = tmp_path / "pillarbox_hidden" / "__init__.py"
    init.touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(os, "getcwd", hidden)
    monkeypatch.setattr(doctor, "_origin", hidden)

    assert exit_code("doctor") == 0

    assert f"  {init} cannot be read: Permission denied; make it readable\n" in capsys.readouterr().out


def test_the_module_runs_as_the_script_does() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pillarbox", "--version"], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (0, "pillarbox, version 0.1.0\n")
