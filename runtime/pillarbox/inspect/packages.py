"""The generated package of a box: found by the name of its schema, and refused unless it wrote the box.

Depends on: box (packages), stored, errors.  Never on: any package by name.

Law: a package is handed out only if its layout is the one in the box.
"""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from typing import Any

from pillarbox.box.package import Package
from pillarbox.errors import UsageError
from pillarbox.inspect.stored import Stored


def package_of(box: Stored, name: str | None) -> Package[Any, Any]:
    """The package `name`, or that of the box's schema. Raises UsageError where there is none that fits."""
    if name is None:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", box.layout.schema):
            raise UsageError(
                f"{box.engine.path}: {box.layout.schema!r} names no package; name one by --package"
            )
        name = f"pillarbox_{box.layout.schema}"
    package = _loaded(name)
    if package.layout_hash != box.layout_hash:
        raise UsageError(
            f"{box.engine.path} has the layout {box.layout_hash}, the package {name} {package.layout_hash}; "
            f"open the box once with the package to bring it up, or name the package that wrote it last"
        )
    return package


def _loaded(name: str) -> Package[Any, Any]:
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # as `python -m` does, for packages that are not installed
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise UsageError(
            f"there is no package {name}; install it, run this in the folder it lies in, or name another "
            f"by --package"
        ) from error
    package = getattr(module, "PACKAGE", None)
    if not isinstance(package, Package):
        raise UsageError(f"{name} is no generated package: it has no PACKAGE; name one that is, by --package")
    return package
