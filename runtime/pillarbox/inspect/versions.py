"""What a package makes of the boxes that another state of it wrote.

Depends on: layout, doubts, shape, stored, errors; git, by its command line.  Never on: any package by name;
none is imported.

Law: what is told of two states is what the one does with a box of the other; where that depends on rows,
which are in no layout, the tables are told that may refuse them.
"""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from pillarbox.box.opening import LAYOUT
from pillarbox.doubts import doubtful
from pillarbox.errors import UsageError
from pillarbox.inspect.shape import StoredLayout
from pillarbox.inspect.stored import looked_at
from pillarbox.layout import Difference, compare

Json: TypeAlias = Any
Layout: TypeAlias = Mapping[str, Json]

#: Of a generated package.
_FILE: Final = "layout.py"
_NAME: Final = "LAYOUT"
_GIT_S: Final = 60


@dataclass(frozen=True, slots=True)
class Foretold:
    """What opening makes of a box. Tables are named as people know them."""

    difference: Difference
    #: Derived tables of the box that are made again: by another rule, or from one that is made again.
    again: tuple[str, ...]
    #: Unique tables that are filled: rows that share a key of one keep the box from being opened.
    strict: tuple[str, ...]
    #: Tables of which all groups are put in doubt, for they counted by another rule.
    doubtful: tuple[str, ...]
    #: Sentences about sequences that come to rows with numbers.
    beyond: tuple[str, ...]


def foretold(package: Path, against: str) -> Foretold:
    """What the package in this folder makes of a box of what `against` names.

    That is another package, by its folder; a box, by its file; or a revision of git, of the package. Raises
    UsageError for what is none of these, and what `looked_at` raises.
    """
    before, now = _layout_before(package, against), _layout_of(package)
    found = compare(before, now)
    tables = now["tables"]
    filled = _followers(tables, found.rebuild)
    doubts = sorted(doubtful(tables, found.doubt, found.create, filled))
    return Foretold(
        found,
        again=tuple(_named(tables, number) for number in filled if number not in found.create),
        strict=tuple(_named(tables, number) for number in filled if _is_unique(tables[str(number)])),
        doubtful=tuple(_named(tables, number) for number in doubts),
        beyond=tuple(it.told(tables) for it in found.renumbered),
    )


def _followers(tables: Mapping[str, Json], numbers: Collection[int]) -> list[int]:
    """These tables and all derived ones that are made from them, near or far."""
    sources = {
        int(number): _sources(table["rule"]) for number, table in tables.items() if table["role"] == "derived"
    }
    found = set(numbers)
    while more := {number for number, of in sources.items() if number not in found and of & found}:
        found |= more
    return sorted(found)


def _sources(rule: Json) -> set[int]:
    """The tables whose rows a rule makes rows of; an index that only leads back to them is none of these."""
    found = {rule["source"], *rule.get("drivers", ())}
    found.update(table for _, table, *_ in rule.get("lookups", ()))
    return found.union(*(_sources(further) for further in rule.get("further", ())))


def _is_unique(table: Json) -> bool:
    return bool(table["rule"].get("unique", "no") != "no")


def _named(tables: Mapping[str, Json], number: int) -> str:
    return f"{tables[str(number)]['name']!r} ({number})"


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
