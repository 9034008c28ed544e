"""The command line: exit codes, help without imports, what to install; and doctor."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TypeAlias

import pytest

from pillarbox import doctor, verbs
from pillarbox.__main__ import main as started
from pillarbox.cli import main
from pillarbox.errors import DataError, PillarboxError, StoreError, TransientError, UsageError
from pillarbox.installing import install_line
from pillarbox.interface import INTERFACE
from pillarbox.native import status

OpenStream: TypeAlias = Callable[[str], int]


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


class Interrupting:
    """Control-C comes just when something is imported."""

    def find_spec(self, *_: object) -> None:
        raise KeyboardInterrupt


# ---------------------------------------------------------------------------------- the output


def doctor_into(output: int, errors: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    """Run a verb that prints a lot, into an open file."""
    command = [sys.executable, "-m", "pillarbox", "doctor"]
    return subprocess.run(command, stdout=output, stderr=errors, text=True, check=False)


@pytest.fixture
def stream() -> Iterator[OpenStream]:
    """Opens what cannot be written to: a pipe whose reader is gone, or a device without room."""
    with ExitStack() as opened:

        def found(what: str) -> int:
            if what == "full":
                if not os.path.exists("/dev/full"):
                    pytest.skip("there is no such device here")
                return opened.enter_context(open("/dev/full", "wb")).fileno()
            reading, writing = os.pipe()
            os.close(reading)
            opened.callback(os.close, writing)
            return writing

        yield found


def test_an_output_that_nobody_reads_ends_the_verb_in_silence() -> None:
    reading, writing = os.pipe()
    os.close(reading)

    done = doctor_into(writing)

    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no such device here")
def test_an_output_for_which_there_is_no_room_is_a_store_problem() -> None:
    with open("/dev/full", "w") as full:
        done = doctor_into(full.fileno())
        mute = doctor_into(full.fileno(), full.fileno())

    assert done.returncode == mute.returncode == 3
    assert done.stderr.startswith(
        "pillarbox: the output cannot be written: No space left on device; free some"
    )
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no such device here")
def test_an_error_that_cannot_be_told_has_its_code_all_the_same() -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "pillarbox", "stat", "no such box"]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=full, check=False)

    assert done.returncode == 3


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no such device here")
def test_wrong_use_that_cannot_be_told_has_its_code_all_the_same() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-m", "pillarbox", "nope"], stderr=full, check=False)

    assert done.returncode == 2


@pytest.mark.parametrize("errors", ["gone", "full"])
def test_findings_that_cannot_be_told_have_their_code_all_the_same(errors: str, stream: OpenStream) -> None:
    code = "import sys; from pillarbox.cli import end_with\n"
    code += "def run(): [print('found' * 9_999, file=sys.stderr) for _ in range(3)]; return 1"

    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nend_with(run)"], stderr=stream(errors), check=False
    )

    assert done.returncode == 1


@pytest.mark.parametrize("output", ["gone", "full"])
def test_an_error_behind_an_output_that_nobody_reads_has_its_own_code(
    output: str, stream: OpenStream
) -> None:
    code = "from pillarbox.cli import end_with; from pillarbox.errors import UsageError\n"
    code += "def run(): print('held back'); raise UsageError('wrong')"
    command = [sys.executable, "-c", f"{code}\nend_with(run)"]

    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    into = stream(output)
    done = subprocess.run(command, stdout=into, stderr=subprocess.PIPE, text=True, env=env, check=False)

    assert (done.returncode, done.stderr) == (2, "pillarbox: wrong\n")


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"])
@pytest.mark.parametrize(("arguments", "code"), [("doctor", 0), ("nope", 2), ("stat 'no such box'", 3)])
def test_streams_that_are_closed_change_no_code(closed: str, arguments: str, code: int) -> None:
    command = f"'{sys.executable}' -m pillarbox {arguments} {closed}"

    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)

    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert done.stdout == "" or "1>&-" not in closed


def test_no_file_gets_the_number_of_a_stream_that_is_closed(tmp_path: Path) -> None:
    code = f"""if True:
        import os
        from pillarbox.cli import end_with
        def run():
            print("lost")
            os.write(2, b"lost")
            return open({str(tmp_path / "a")!r}, "w").fileno()
        end_with(run)"""
    (tmp_path / "run.py").write_text(code)

    done = subprocess.run(f"'{sys.executable}' '{tmp_path}/run.py' 0<&- 1>&- 2>&-", shell=True, check=False)

    assert done.returncode > 2
    assert (tmp_path / "a").read_text() == ""


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "utf-8"])
def test_characters_that_a_terminal_lacks_are_shown_as_escapes(encoding: str) -> None:
    code = r"""if True:
        import click
        from pillarbox.cli import end_with
        from pillarbox.errors import UsageError
        def run():
            print("печать \udc80")
            click.echo("эхо \udc80")
            raise UsageError("ошибка")
        end_with(run)"""
    environment = {**os.environ, "PYTHONIOENCODING": f"{encoding}:strict"}

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, check=False)

    assert done.returncode == 2, done.stderr
    assert done.stdout.count(b"\n") == 2
    assert rb"\udc80" in done.stdout  # of ascii click makes utf-8, and a question mark
    assert done.stderr.startswith(b"pillarbox: ")


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
