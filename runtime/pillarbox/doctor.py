"""`pillarbox doctor`: what this installation consists of, and which path the fast work takes.

Depends on: click, importlib.metadata.  Never on: a box, or any package it reports on.
Law: it always answers; what is absent or broken is a line of the report, not an error.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import (
    PackageNotFoundError,
    entry_points,
    metadata,
    packages_distributions,
    requires,
    version,
)
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

import click

from pillarbox.errors import InterfaceDiffers
from pillarbox.installing import install_line
from pillarbox.interface import check_interface
from pillarbox.native import status

GROUP = "pillarbox.doctor"

NOT_GENERATED = frozenset({"pillarbox_codegen", "pillarbox_spark"})


@click.command()
def doctor() -> None:
    """Tell what is installed, and which fast paths are active."""
    with suppress(OSError):  # this folder is gone, or may not be seen
        sys.path.append(os.getcwd())  # as the other verbs do, for packages that are not installed
    lines = list(report())
    width = max(len(subject) for subject, _ in lines)
    for subject, finding in lines:
        click.echo(f"{subject:<{width}}  {finding}")


def report() -> Iterator[tuple[str, str]]:
    """Pairs of subject and finding, in the order they are printed."""
    yield "pillarbox", _version("pillarbox")
    yield "python", f"{platform.python_version()} on {platform.platform()}"
    yield "sqlite", _sqlite()
    yield "msgspec", _version("msgspec")
    yield "native", str(status())
    yield "batches", _batches()
    yield from told_by_others()
    for extra, missing in missing_by_extra().items():
        remedy = f"missing {', '.join(missing)}; `{install_line('pillarbox', extra)}`"
        yield f"extra {extra}", remedy if missing else "installed"
    found = list(generated_packages())
    yield from found
    if not found:
        yield "generated", "no package found; `pillarbox generate SCHEMA --out DIR` writes one"


def told_by_others() -> Iterator[tuple[str, str]]:
    """What other packages add to the report, each through the entry-point group `pillarbox.doctor`."""
    for line in entry_points(group=GROUP):
        try:
            yield line.name, str(line.load()())
        except Exception as error:  # whatever it is, the rest of the report is still wanted
            yield line.name, f"{line.value} fails: {error}"


def missing_by_extra() -> dict[str, list[str]]:
    """For each extra of this distribution the packages it names that are not installed."""
    try:
        extras = metadata("pillarbox").get_all("Provides-Extra") or []
    except PackageNotFoundError:
        return {}
    missing: dict[str, list[str]] = {extra: [] for extra in extras}
    for requirement in requires("pillarbox") or []:
        marker = re.search(r"extra == ['\"]([\w-]+)['\"]", requirement)
        name = re.match(r"[\w.-]+", requirement)
        if marker and name and not _is_installed(name.group()):
            missing[marker.group(1)].append(name.group())
    return missing


def generated_packages() -> Iterator[tuple[str, str]]:
    """Name and origin of each generated package that could be imported; none of them is."""
    names = {module.name for module in iter_modules()} | set(packages_distributions())
    for name in sorted(names):
        if not name.startswith("pillarbox_") or name in NOT_GENERATED:
            continue
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            try:
                yield name, _origin(Path(spec.origin))
            except OSError as error:
                yield name, f"{spec.origin} cannot be read: {error.strerror}; make it readable"


def _origin(init: Path) -> str:
    """What a generated package says about itself, read and not run: it may be one that is refused."""
    text = init.read_text(encoding="utf-8", errors="replace")
    schema_hash = re.search(r"^# schema-hash: (\w+)$", text, re.MULTILINE)
    if schema_hash is None:
        return f"not a generated package: {init} has no schema hash"
    said = f"schema {schema_hash.group(1)}, {init.parent}"
    wanted = re.search(r"^__interface__ = check_interface\((\d+),", text, re.MULTILINE)
    try:
        check_interface(int(wanted.group(1)) if wanted else 0, str(init))
    except InterfaceDiffers as error:
        return f"{said}; it cannot be used: {error}"
    return said


def _sqlite() -> str:
    try:
        import apsw
    except ImportError as error:
        return f"apsw cannot be imported ({error}); `pip install --force-reinstall apsw`"
    return f"{apsw.sqlite_lib_version()} in apsw {apsw.apsw_version()}"


def _batches() -> str:
    try:
        from pillarbox.storage.batches import report as batches
    except ImportError as error:
        return f"nothing is stored without apsw ({error})"
    return batches()


def _is_installed(distribution: str) -> bool:
    try:
        version(distribution)
    except PackageNotFoundError:
        return False
    return True


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return f"not installed; `{install_line(distribution)}`"
