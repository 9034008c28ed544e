"""Packages made of a schema's text, imported for a test."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final

from tests.type_checker import type_errors

from pillarbox.storage import Engine, open_engine
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.expr_python import USED, Scope, compile_expr
from pillarbox_codegen.generate import generate_package
from pillarbox_codegen.model import LetStep, Schema
from pillarbox_codegen.plan.frame import Imports


def loaded_schema(folder: Path, text: str) -> Schema:
    """The schema of one file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schema.yaml").write_text(text)
    return load_schema(folder)


def written(folder: Path, schema: Schema) -> Path:
    """The generated package, in files below the folder."""
    for path, text in generate_package(schema).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return folder


class Package(SimpleNamespace):
    """Modules of a generated package as attributes, imported when they are first named."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def __getattr__(self, name: str) -> Any:
        module: ModuleType = importlib.import_module(f"{self._name}.{name}")
        setattr(self, name, module)
        return module


ROOT: Final = Path(__file__).resolve().parents[3]
#: The name of a schema -> the text of the package that Python has of it.
_TEXTS: Final[dict[str, str]] = {}


def imported(folder: Path, text: str) -> Package:
    """The package of a schema. Python has one of a name: that of another text must have another name."""
    schema = loaded_schema(folder / "schema", text)
    assert _TEXTS.setdefault(schema.name, text) == text, f"another test has made a package `{schema.name}`"
    sys.path.insert(0, str(written(folder / "generated", schema)))
    try:
        package = Package(f"pillarbox_{schema.name}")
        assert package.box is not None
        for module in ("operations", "events", "updates", "sync", "views", "sources", "types"):
            if (folder / f"generated/pillarbox_{schema.name}/{module}.py").exists():
                getattr(package, module)
        return package
    finally:
        sys.path.pop(0)


def version(folder: Path, text: str, alias: str) -> ModuleType:
    """The package of a schema under another name, so that Python has several of one: versions of it."""
    schema = loaded_schema(folder / "schema", text)
    name, made = f"pillarbox_{schema.name}", written(folder / "generated", schema)
    for path in made.rglob("*.py"):
        path.write_text(path.read_text("utf-8").replace(name, alias), "utf-8")
    (made / name).rename(made / alias)
    sys.path.insert(0, str(made))
    try:
        for module in ("box", "types", "transaction", "tables", "operations"):
            if (made / alias / f"{module}.py").exists():
                importlib.import_module(f"{alias}.{module}")
        return importlib.import_module(alias)
    finally:
        sys.path.remove(str(made))


def ruff(folder: Path, *arguments: str) -> str:
    """What ruff finds in the packages made in a folder, under the rules of this repository."""
    command = [sys.executable, "-m", "ruff", *arguments, "--config", str(ROOT / "pyproject.toml")]
    done = subprocess.run([*command, str(folder / "generated")], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


def mypy(folder: Path) -> str:
    """What a strict type checker finds in the packages made in a folder."""
    return type_errors(str(folder / "generated"))


class Bench:
    """One open transaction over an engine in memory, and operations applied in it."""

    def __init__(self, package: Package, engine: Engine | None = None) -> None:
        self.package = package
        self.engine = engine if engine is not None else new_engine(package)
        self.tx = package.transaction.Transaction(self.engine)
        self.tx.begin()

    def replay(self, *operations: object) -> None:
        self.package.replay.replay(self.tx, operations)

    def commit(self) -> Any:
        """The change record; a new transaction is open afterwards."""
        record = self.tx.seal()
        self.tx.commit()
        self.tx.begin()
        return record


def new_engine(package: Package) -> Engine:
    """An engine in memory with all tables."""
    engine = open_engine(":memory:", durability="relaxed")
    engine.begin()
    for spec in package.specs.ALL:
        engine.create(spec.layout)
    engine.commit()
    return engine


def compiler(folder: Path, declarations: str, params: str) -> Callable[[str], str]:
    """From the text of an expression over parameters to its Python text; parameters are named as they are."""

    def compiled(expression: str) -> str:
        steps = f"[{{let: {{it: {json.dumps(expression)}}}}}]"
        probe = f"operations: {{probe: {{code: 1, params: {{{params}}}, steps: {steps}}}}}"
        schema = loaded_schema(folder, f"schema: {{name: probing}}\n{declarations}\n{probe}\n")
        operation = schema.operations["probe"]
        (step,) = operation.steps
        assert isinstance(step, LetStep)
        names = {param.name: param.name for param in operation.params}
        scope = Scope(schema, Imports("p", ".m"), names, {*names, *USED}, lambda table: table)
        return compile_expr(step.names[0].expr, scope)

    return compiled
