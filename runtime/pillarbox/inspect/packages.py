"""The generated package of a box: found by the name of its schema, and refused unless it wrote the box.

Depends on: box (packages), stored, errors.  Never on: any package by name.

Law: a package is handed out only if its layout is the one in the box.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, NamedTuple

from pillarbox.box.opening import LAYOUT
from pillarbox.box.package import Package
from pillarbox.errors import UsageError
from pillarbox.inspect.stored import Stored
from pillarbox.layout import compare
from pillarbox.sync.protocol import SyncProtocol

#: What names a package to the verbs.
_BY: Final = "--package"


def package_of(box: Stored, name: str | None, by: str = _BY) -> Package[Any, Any]:
    """The package `name`, or that of the box's schema. Raises UsageError where there is none that fits.

    `by` says in errors what names another one.
    """
    name = package_name(box, name, by)
    package = _loaded(name, by)
    if package.layout_hash != box.layout_hash:
        raise UsageError(
            f"{box.engine.path} has the layout {box.layout_hash}, the package {name} {package.layout_hash}; "
            f"{_way_out(box, package, by)}"
        )
    return package


def package_name(box: Stored, name: str | None, by: str = _BY) -> str:
    """What the package of a box is called, where it is not called `name`. Raises UsageError."""
    if name is not None:
        return name
    if not re.fullmatch(r"[a-z][a-z0-9_]*", box.layout.schema):
        raise UsageError(f"{box.engine.path}: {box.layout.schema!r} names no package; name one by {by}")
    return f"pillarbox_{box.layout.schema}"


def _way_out(box: Stored, package: Package[Any, Any], by: str) -> str:
    """What to do for a box and a package whose layouts differ."""
    named = f"name the package that wrote it last by {by}"
    difference = compare(json.loads(box.engine.meta(LAYOUT) or b"{}"), package.layout_tree)
    if difference.conflicts:
        more = f", and {len(difference.conflicts) - 1} more" if len(difference.conflicts) > 1 else ""
        return f"{difference.conflicts[0]}{more}: {named}"
    if difference.lacks:
        lacked = ", ".join(difference.lacks)
        way = "put that back into the schema (a table's id into its `reserved`, to drop it)"
        return f"the box has {lacked}, which the package lacks: {way}, or {named}"
    return f"open the box once with the package to bring it up, or {named}"


class Synced(NamedTuple):
    """A generated package, and the protocol of its server."""

    package: Package[Any, Any]
    protocol: SyncProtocol


def synced(name: str) -> Synced:
    """The package `name` with its protocol. Raises UsageError where its schema tells of no server."""
    package = _loaded(name)
    try:
        protocol = getattr(import_module(f"{name}.protocol"), "PROTOCOL", None)
    except ModuleNotFoundError as error:
        if error.name != f"{name}.protocol":
            raise
        protocol = None
    if not isinstance(protocol, SyncProtocol):
        raise UsageError(f"{name} knows no server: its schema has no `containers`; name one by --package")
    return Synced(package, protocol)


def named(text: str, option: str) -> Callable[[], Any]:
    """What `MODULE:NAME` names. Raises UsageError where there is no such thing, or it cannot be called."""
    module, _, name = text.partition(":")
    _look_here()
    try:
        found = getattr(import_module(module), name, None) if _is_name(module) and name else None
    except ModuleNotFoundError as error:
        if not _is_within(module, error.name):
            raise
        found = None
    if not callable(found):
        raise UsageError(f"{option} {text}: there is nothing to call; give it as module:name")
    make: Callable[[], Any] = found
    return make


def _look_here() -> None:
    with suppress(OSError):  # this folder is gone, or may not be seen
        if (here := os.getcwd()) not in sys.path:
            sys.path.append(here)  # as `python -m` does, for packages that are not installed


def _loaded(name: str, by: str = _BY) -> Package[Any, Any]:
    _look_here()
    try:
        module = import_module(name) if _is_name(name) else None
    except ModuleNotFoundError as error:
        if not _is_within(name, error.name):
            raise
        module = None
    if module is None:
        raise UsageError(
            f"there is no package {name!r}; install it, run this in the folder it lies in, or name another "
            f"by {by}"
        )
    package = getattr(module, "PACKAGE", None)
    if not isinstance(package, Package):
        raise UsageError(f"{name} is no generated package: it has no PACKAGE; name one that is, by {by}")
    return package


def _is_name(module: str) -> bool:
    """Whether a module can be called so; what cannot, the import system refuses with errors of its own."""
    return all(part.isidentifier() for part in module.split("."))


def _is_within(module: str, missing: str | None) -> bool:
    """Whether it is the module itself that is missing, or what it is to lie in; not what it imports."""
    return f"{module}.".startswith(f"{missing}.")
