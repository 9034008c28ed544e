"""What a package makes of the boxes that another state of it wrote.

Depends on: layout, shape, stored, errors; git, by its command line.  Never on: any package by name; none is
imported.

Law: what is told of two states is what the one does with a box of the other.
"""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from pillarbox.box.opening import LAYOUT
from pillarbox.errors import UsageError
from pillarbox.inspect.shape import StoredLayout
from pillarbox.inspect.stored import looked_at
from pillarbox.layout import Difference, compare

Layout: TypeAlias = Mapping[str, Any]

#: Of a generated package.
_FILE: Final = "layout.py"
_NAME: Final = "LAYOUT"
_GIT_S: Final = 60


def difference(package: Path, against: str) -> Difference:
    """How the package in this folder differs from what `against` names.

    That is another package, by its folder; a box, by its file; or a revision of git, of the package. Raises
    UsageError for what is none of these, and what `looked_at` raises.
    """
    return compare(_layout_before(package, against), _layout_of(package))


def _layout_before(package: Path, against: str) -> Layout:
    path = Path(against)
    if path.is_dir():
        return _layout_of(path)
    if not path.exists():
        return _layout_at(package, against)
    with looked_at(against) as box:
        layout: Layout = json.loads(box.engine.meta(LAYOUT) or b"")
        return layout


def _layout_of(package: Path) -> Layout:
    path = package / _FILE
    try:
        text = path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"{path}: {error.strerror or error}; give the folder of a generated package"
        ) from error
    return _read(text, str(path))


def _layout_at(package: Path, revision: str) -> Layout:
    """The layout of the package as a revision has it."""
    if revision.startswith("-"):
        raise UsageError(f"{revision}: no revision of git begins so")
    command = ["git", "-C", str(package), "show", f"{revision}:./{_FILE}"]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_GIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"{revision} is no file and no folder, and git cannot be asked: {error}") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["it ended with an error"]
        raise UsageError(
            f"{revision} is no file and no folder, and git has no {_FILE} of {package} there: {said[0]}"
        )
    return _read(done.stdout, f"{revision}:{package / _FILE}")


def _read(text: bytes, place: str) -> Layout:
    """The layout in the text of a module, of which nothing is run."""
    try:
        for node in ast.parse(text).body:
            if isinstance(node, ast.AnnAssign) and node.value and ast.unparse(node.target) == _NAME:
                layout: Layout = json.loads(ast.literal_eval(node.value))
                StoredLayout(layout)  # or it is none
                return layout
    except (SyntaxError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"{place} cannot be read ({error}); it is to be as `pillarbox generate` writes it"
        ) from error
    raise UsageError(f"{place} holds no {_NAME}; give the folder of a generated package")
