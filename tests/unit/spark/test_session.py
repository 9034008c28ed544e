"""What Spark is started with, and what is told when it does not start."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pillarbox_spark import session
from pillarbox_spark.java import Java

DOES_NOT_START = """
import sys
from pathlib import Path
from pillarbox.cli import end_with
from pillarbox_spark.java import Java
from pillarbox_spark.session import local_session

def start():
    with local_session(Java(Path(sys.argv[1]), "17", "PATH"), 1):
        raise AssertionError("it has started")

end_with(start)
"""


def test_a_spark_that_does_not_start_is_an_error_of_who_called_it(tmp_path: Path) -> None:
    binary = tmp_path / "bin" / "java"
    binary.parent.mkdir()
    binary.write_text("#!/bin/sh\necho 'no room' >&2; exit 1\n")
    binary.chmod(0o755)

    done = subprocess.run(
        [sys.executable, "-c", DOES_NOT_START, tmp_path],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert "no room" in done.stderr
    assert f"pillarbox: Spark does not start on Java 17, found on PATH ({tmp_path})" in done.stderr
    assert "`--engine inline`" in done.stderr
    assert "Traceback" not in done.stderr


def test_workers_import_what_this_process_does_on_the_same_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", ["", "/somewhere", *sys.path])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    told = session._for_spark(Java(Path("/jre"), "17", "PATH"))

    assert told["PYTHONPATH"].split(os.pathsep)[:2] == [os.getcwd(), "/somewhere"]
    assert told["PYSPARK_PYTHON"] == sys.executable
    assert "exec /jre/bin/java " in Path(told["JAVA_HOME"], "bin", "java").read_text()


def test_the_environment_is_as_before_whatever_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/mine")
    monkeypatch.delenv("SPARK_LOCAL_IP", raising=False)
    before = dict(os.environ)

    def fails() -> None:
        with session._environment({"JAVA_HOME": "/x", "SPARK_LOCAL_IP": "y"}):
            assert (os.environ["JAVA_HOME"], os.environ["SPARK_LOCAL_IP"]) == ("/x", "y")
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        fails()

    assert dict(os.environ) == before


def test_an_interrupt_that_tears_a_question_to_java_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    root = logging.getLogger()
    root.addFilter(session._is_news)
    try:
        for kind in (KeyboardInterrupt, OSError):
            try:
                raise kind("torn")
            except BaseException:
                logging.exception("while sending a command")
    finally:
        root.removeFilter(session._is_news)

    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [OSError]
