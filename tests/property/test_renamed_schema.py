"""A schema under other names: those that generated code, its templates and the runtime have themselves.

Law: whatever names the checker lets pass, the generated package is clean: the linter finds nothing, not even
a name that hides another, the formatter changes nothing, and a box of it opens.

Hundreds of names of the tracker are exchanged at once; a name that the checker refuses is given up. They are
words of a list, so that no change of the runtime draws others; with the profile `deep` they are all words
that it has now, over many more seeds.
"""

from __future__ import annotations

import builtins
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from tests.unit.schema.cases import findings

from pillarbox_codegen.check import load_schema
from pillarbox_codegen.generate import generate_package
from pillarbox_codegen.model import Schema
from pillarbox_codegen.names import EXPRESSION_WORDS, FUNCTIONS, camel_problem, snake, snake_problem
from pillarbox_codegen.packages import write
from pillarbox_codegen.plan import reserved

ROOT: Final = Path(__file__).parents[2]
TRACKER: Final = ROOT / "schema" / "tracker"
IS_DEEP: Final = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
SEEDS: Final = 30 if IS_DEEP else 3
#: Names of templates, the runtime and the language, as they were once.
LISTED: Final = ROOT / "tests/data/words_of_code.txt"
ROUNDS_MAX: Final = 20
#: What follows from names of things by adding words to them; these keep theirs.
DERIVED: Final = ("_places", "_seeded", "_users", "_ages", "_numbers", "_groups")


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


@cache
def taken_words() -> frozenset[str]:
    """What generated modules may want for themselves."""
    if not IS_DEEP:
        return frozenset(words(LISTED.read_text("utf-8")))
    folders = (ROOT / "codegen/pillarbox_codegen/templates", ROOT / "runtime/pillarbox")
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".j2")]
    return frozenset({*words("\n".join(path.read_text("utf-8") for path in files)), *dir(builtins)})


@cache
def words_of_the_language() -> frozenset[str]:
    def said(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            for key, value in part.items():
                yield key
                if key not in ("description", "x-is", "title"):
                    yield from said(value)
        elif isinstance(part, list):
            for value in part:
                yield from said(value)
        elif isinstance(part, str):
            yield from words(part)

    text = (ROOT / "schema/pillarbox.schema.json").read_text("utf-8")
    known = words("row item old new base was now key text list map opt bag missing tracker")
    return frozenset({*said(json.loads(text)), *FUNCTIONS, *EXPRESSION_WORDS, *known})


def declared(part: object) -> Iterator[str]:
    """Every name that a checked schema gives to something."""
    if isinstance(part, dict):
        yield from (key for key in part if isinstance(key, str))
        for value in part.values():
            yield from declared(value)
    elif isinstance(part, tuple | list):
        for value in part:
            yield from declared(value)
    elif is_dataclass(part):
        for field in fields(part):
            value = getattr(part, field.name)
            if field.name in ("name", "field") and isinstance(value, str):
                yield value
            else:
                yield from declared(value)


class Renaming:
    """The tracker's files, and new names for what they declare."""

    def __init__(self, seed: int, folder: Path, types: Sequence[str] = ()) -> None:
        """`types` are names for types, before any that chance gives."""
        self.folder = folder
        self.files = {path: path.read_text("utf-8") for path in sorted(TRACKER.rglob("*.yaml"))}
        used = words("\n".join(self.files.values()))
        names = set(declared(load_schema(TRACKER)))
        kept = {n for n in names if any(n + end in used | names or n.endswith(end) for end in DERIVED)}
        kept |= {n for n in names if f"enqueue_{n}" in used} | words_of_the_language()
        free = sorted(taken_words() - used - words_of_the_language())
        random = Random(seed)
        random.shuffle(free)
        #: Old name -> new name.
        self.new = dict(
            zip(
                sorted(n for n in names - kept if n in used and snake_problem(n) is None),
                [word for word in free if snake_problem(word) is None],
                strict=False,
            )
        )
        free = [*types, *(word for word in free if word not in types)]
        camels = [word for word in free if camel_problem(word) is None and snake_problem(snake(word)) is None]
        old = sorted(n for n in names - kept if n in used and n[:1].isupper() and snake(n) not in used)
        self.new |= dict(zip(old, camels, strict=False))

    def checked(self) -> Schema:
        """The schema under its new names; those that are refused are given up, round by round."""
        for _ in range(ROUNDS_MAX):
            self._write()
            found = findings(self.folder)
            if not found:
                return load_schema(self.folder)
            told = words("\n".join(one.text for one in found))
            lines = {(self.folder / one.file).read_text("utf-8").split("\n")[one.line - 1] for one in found}
            named = {old for old, new in self.new.items() if new in told or snake(new) in told}
            refused = named or {old for old, new in self.new.items() if new in words("\n".join(lines))}
            self.new = {old: new for old, new in self.new.items() if old not in refused}
        raise AssertionError("the checker goes on refusing names")

    def _write(self) -> None:
        pattern = re.compile(rf"(?<![\w/])({'|'.join(sorted(self.new, key=len, reverse=True))})(?!\w)")
        for path, text in self.files.items():
            renamed = self.folder / path.relative_to(TRACKER)
            renamed.parent.mkdir(parents=True, exist_ok=True)
            text = pattern.sub(lambda found: self.new[found[1]], text)
            renamed.write_text(text.replace("name: tracker", "name: stranger"), encoding="utf-8")


def faults_of(seed: int, folder: Path, types: Sequence[str] = ()) -> tuple[int, str]:
    """How many things have other names, and what linter, formatter and Python say of the package."""
    renaming = Renaming(seed, folder / "schema", types)
    out = folder / "out"
    write(generate_package(renaming.checked()), out)
    config = ["--config", str(ROOT / "pyproject.toml")]
    sources = ["--config", f"src = [{str(out)!r}, {str(ROOT / 'runtime')!r}, {str(ROOT / 'spark')!r}]"]
    opening = f"import pillarbox_stranger as it\nwith it.open_box({str(folder / 'box')!r}): pass"
    commands = (
        ["-m", "ruff", "check", "--output-format", "concise", "--quiet", *config, *sources, "."],
        ["-m", "ruff", "format", "--diff", "--quiet", *config, "."],
        ["-W", "error", "-c", opening],
    )
    told = ""
    for command in commands:
        done = subprocess.run(
            [sys.executable, *command], cwd=out, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(out), str(ROOT / "runtime")])},
        )  # fmt: skip
        told += done.stdout + done.stderr
    return len(renaming.new), told


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_schema_with_any_names_becomes_a_clean_package(seed: int, tmp_path: Path) -> None:
    renamed, told = faults_of(seed, tmp_path)

    assert renamed > 250
    assert told == ""


def test_types_may_be_called_as_the_classes_of_templates(tmp_path: Path) -> None:
    assert faults_of(0, tmp_path, sorted(reserved.CLASSES))[1] == ""


@pytest.mark.parametrize(("kept", "name"), [("CLASSES", "StructError"), ("TYPES", "NewType")])
def test_names_that_are_not_kept_free_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str, name: str
) -> None:
    monkeypatch.setattr(reserved, kept, frozenset())

    assert faults_of(0, tmp_path, [name])[1]
