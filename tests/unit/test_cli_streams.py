"""The command line and its streams: unread, full, closed, or of few characters."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest

OpenStream: TypeAlias = Callable[[str], int]


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
