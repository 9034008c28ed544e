"""The generated package: seconds to generate it, to type-check it cold, and milliseconds to import it.

Beside each shipped schema stands the smallest one, the starter of `pillarbox init`: what any schema costs.
Loading and generating are measured in this process, warm, the best of several runs; the verb that does both
and finds nothing to write, type-checking and importing in processes of their own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from shutil import copyfile
from typing import Final

from pillarbox_codegen.check import load_schema
from pillarbox_codegen.generate import generate_package
from pillarbox_codegen.packages import write

ROOT: Final = Path(__file__).parents[1]
STARTER: Final = "todo"


def main(quick: bool) -> None:
    """Print one table."""
    times = 2 if quick else 5
    print("generated package      tables  lines  load+check s  generate s  verb s  mypy cold, s  import ms")
    with tempfile.TemporaryDirectory(prefix="pillarbox-") as folder:
        out = Path(folder, "out")
        starter = Path(folder, "schema", STARTER)
        starter.mkdir(parents=True)
        source = files("pillarbox_codegen").joinpath("starter", f"{STARTER}.yaml")
        copyfile(str(source), starter / source.name)
        for schema in (starter, ROOT / "schema" / "tracker", ROOT / "schema" / "messenger"):
            _print_row(schema, out / schema.name, times)


def _print_row(folder: Path, out: Path, times: int) -> None:
    checking = _best(lambda: load_schema(folder), times)
    schema = load_schema(folder)
    making = _best(lambda: generate_package(schema), times)
    outputs = generate_package(schema)
    write(outputs, out)
    package = f"pillarbox_{schema.name}"
    verb = min(_verb_seconds(folder, out) for _ in range(times + 1))
    checked = _mypy_seconds(out, package)
    imported = min(_import_seconds(out, package) for _ in range(times))
    print(
        f"{package:22} {len(schema.tables):6} {sum(text.count(chr(10)) for text in outputs.values()):6}"
        f" {checking:13.2f} {making:11.2f} {verb:7.2f} {checked:13.1f} {imported * 1000:10.0f}"
    )


def _best(work: Callable[[], object], times: int) -> float:
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def _verb_seconds(folder: Path, out: Path) -> float:
    """`pillarbox generate` from its start to its end; the first time it compiles its templates as well."""
    start = time.perf_counter()
    _python(["-m", "pillarbox", "generate", str(folder), "--out", str(out)], out)
    return time.perf_counter() - start


def _mypy_seconds(out: Path, package: str) -> float:
    """A strict run over the package with an empty cache; what it imports is read as well."""
    start = time.perf_counter()
    _python(["-m", "mypy", "--strict", "--cache-dir", str(out / "cache"), "-p", package], out)
    return time.perf_counter() - start


def _import_seconds(out: Path, package: str) -> float:
    """In a process of its own: what it takes to end that process is no part of it."""
    code = f"from time import perf_counter as now; began = now(); import {package}; print(now() - began)"
    return float(_python(["-c", code], out))


def _python(arguments: Sequence[str], out: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(out), "MYPYPATH": str(out)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # modules are imported with their bytecode there
    run = [sys.executable, *arguments]
    return subprocess.run(
        run, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, env=environment
    ).stdout
