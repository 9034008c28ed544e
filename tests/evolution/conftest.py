"""Versions of the tracker's package, and a box that one of them filled and others visit."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.evolution.changes import UNCHANGED, Change, changed_schema

from pillarbox_codegen.generate import generate

VISIT = Path(__file__).with_name("visit.py")
ROOT = Path(__file__).resolve().parents[2]

Told = dict[str, Any]


class Versions:
    """The packages of the changed schemas, generated when first asked for; and a box of the unchanged one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._packages: dict[str, Path] = {}
        box = folder / "filled.box"
        #: What the package saw after it had filled a box.
        self.filled = self.visit(UNCHANGED, box, "fill")
        self.filled_bytes = box.read_bytes()

    def visit(self, change: Change, box: Path, *verbs: str) -> Told:
        """Open a box with the package of a version, do things, and come back with what was seen."""
        told: Told = json.loads(self._run(change, str(VISIT), str(box), *verbs))
        assert told["package"] == str(self.packages_of(change))
        return told

    def verified(self, change: Change, box: Path) -> str:
        """What is printed of a box in which nothing is wrong, also by what the package of a version says."""
        return self._run(change, "-m", "pillarbox", "verify", "--level", "derived", str(box))

    def _run(self, change: Change, *arguments: str) -> str:
        """What Python prints, where the package of a version is the one that it finds."""
        packages = self.packages_of(change)
        done = subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(packages), str(ROOT / "runtime")])},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def packages_of(self, change: Change) -> Path:
        """The folder in which the package of a version lies."""
        if change.name not in self._packages:
            self._packages[change.name] = generated(change, self._folder)
        return self._packages[change.name]


def generated(change: Change, folder: Path, *, name: str = "tracker") -> Path:
    """The folder with the package of the changed schema in it."""
    packages = folder / "packages" / change.name
    for path, text in generate(changed_schema(change, folder / "schemas" / change.name, name=name)).items():
        target = packages / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return packages


class House:
    """A box filled by the unchanged package, and the packages that visit it."""

    def __init__(self, versions: Versions, folder: Path) -> None:
        self._versions = versions
        self.box = folder / "tracker.box"
        self.box.write_bytes(versions.filled_bytes)
        self.filled = versions.filled

    def visit(self, change: Change, *verbs: str) -> Told:
        """Open the box with the package of a version, do things, and come back with what was seen."""
        return self._versions.visit(change, self.box, *verbs)

    def verified(self, change: Change) -> str:
        """What is printed of the box in which nothing is wrong."""
        return self._versions.verified(change, self.box)

    def package(self, change: Change) -> Path:
        """The package of a version."""
        return self._versions.packages_of(change) / "pillarbox_tracker"

    def bytes_hash(self) -> str:
        """Changes with any byte of the file."""
        assert not Path(f"{self.box}-wal").exists()
        return hashlib.sha256(self.box.read_bytes()).hexdigest()


@pytest.fixture(scope="session")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Versions:
    return Versions(tmp_path_factory.mktemp("versions"))


@pytest.fixture
def house(versions: Versions, tmp_path: Path) -> House:
    return House(versions, tmp_path)
