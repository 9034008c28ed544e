"""Build the shared object with the bare C compiler: `python -m pillarbox.native [--package]`.

Depends on: interface, installing, the folder `native/` of a checkout or sdist, a C compiler.
Never on: Python's headers.

Law: an object appears under its name whole or not at all, and only one that compiled without a warning.

It goes into the user's cache, under a name that tells its sources apart; with `--package`, which is what
builds a wheel, beside this module. Where SQLite's extension header is missing, the object lacks the table
function and has everything else.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from pillarbox.errors import StoreError
from pillarbox.native.interface import INTERFACE_HASH

HERE: Final = Path(__file__).resolve().parent
SOURCES: Final = HERE.parents[2] / "native"
OBJECT_NAME: Final = "pillarbox_native.so"
FLAGS: Final = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden")
_TIMEOUT_S: Final = 120
#: Older headers lack what keeps the table function out of schemas that somebody else wrote.
_PROBE: Final = b"#include <sqlite3ext.h>\n#if SQLITE_VERSION_NUMBER < 3031000\n#error too old\n#endif\n"


class BuildFailed(StoreError):
    """The shared object could not be built. Everything works without it, slower."""


def find_compiler() -> list[str]:
    """The command of the C compiler: $CC, else cc, gcc or clang. Raises BuildFailed."""
    named = shlex.split(os.environ.get("CC", ""))
    for candidate in [named] if named else [["cc"], ["gcc"], ["clang"]]:
        if shutil.which(candidate[0]):
            return candidate
    wanted = f"$CC names {named[0]!r}, which is not on the path" if named else "there is no cc, gcc or clang"
    raise BuildFailed(f"no C compiler: {wanted}; install gcc, or go on without the native path")


def source_files(sources: Path = SOURCES) -> list[Path]:
    """The C files of the object. Raises BuildFailed where this installation has none."""
    files = sorted(sources.glob("*.c"))
    if not files:
        raise BuildFailed(f"{sources} holds no C files; build from a checkout or an sdist")
    return files


def remedy() -> str:
    """What makes an object that fits."""
    if any(SOURCES.glob("*.c")):
        return "`python -m pillarbox.native` makes one"
    from pillarbox.installing import install_line  # what it needs takes longer to import than all of this

    again = install_line("pillarbox", "", "--force-reinstall", "--no-binary", "pillarbox")
    return f"with gcc installed, `{again}` makes one"


def user_cache() -> Path:
    """Where this user keeps what can be made again; where a user has no home, a folder that cannot be."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    try:
        # A relative name does not count, say those who defined the variable: it would be another each time.
        return Path(named if os.path.isabs(named) else Path.home() / ".cache") / "pillarbox"
    except RuntimeError:
        # A number without a name, as in containers; and nobody else's folder is to be trusted.
        return Path(os.devnull) / "pillarbox"


def cached_object(sources: Path = SOURCES) -> Path:
    """Where the object of these sources lies in the user's cache, built or not."""
    digest = sha256(INTERFACE_HASH.encode())
    for path in sorted(sources.glob("*.[ch]")):
        digest.update(path.read_bytes())
    return user_cache() / f"native-{digest.hexdigest()[:16]}.so"


def build(target: Path, *, sources: Path = SOURCES, extra: Sequence[str] = ()) -> Path:
    """Compile `sources` into `target`, with more flags if wanted. Raises BuildFailed."""
    compiler = find_compiler()
    flags = [*FLAGS, f"-DPBX_INTERFACE_HASH={INTERFACE_HASH}", *extra]
    if _has_sqlite_header(compiler):
        flags.append("-DPBX_WITH_SQLITE")
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            part = Path(folder) / OBJECT_NAME
            files = map(str, source_files(sources))
            _run([*compiler, *flags, "-shared", "-o", str(part), *files])
            os.replace(part, target)
    except OSError as error:
        raise BuildFailed(
            f"{target} cannot be written: {error.strerror}; name a cache by $XDG_CACHE_HOME"
        ) from error
    return target


def _has_sqlite_header(compiler: Sequence[str]) -> bool:
    probe = [*compiler, "-E", "-x", "c", "-"]
    done = subprocess.run(probe, input=_PROBE, capture_output=True, timeout=_TIMEOUT_S, check=False)
    return done.returncode == 0


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildFailed(f"the C compiler did not run: {error}") from error
    if done.returncode != 0:
        raise BuildFailed(f"the C compiler refused: {done.stderr.strip() or done.stdout.strip()}")


def main(arguments: Sequence[str]) -> int:
    """Build, say where, and answer the exit code: 0 built, 2 wrong use, 3 not built."""
    if arguments not in ([], ["--package"]):
        print("usage: python -m pillarbox.native [--package]", file=sys.stderr)
        return 2
    try:
        print(build(HERE / OBJECT_NAME if arguments else cached_object()))
    except BuildFailed as error:
        print(error, file=sys.stderr)
        return 3
    return 0
