"""What generated code uses of the runtime is one number's worth: who changes it moves the number.

`interface.txt` lists every name of ours that generated modules import, with what it is called with, and of
classes those members that generated text may speak of. PILLARBOX_ACCEPT=1 rewrites it, once the number has
moved.
"""

from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import GenericAlias, ModuleType
from typing import Any, Final

import pytest

from pillarbox.errors import InterfaceDiffers
from pillarbox.interface import INTERFACE, check_interface
from pillarbox_codegen import packages
from pillarbox_codegen.generate import generate
from pillarbox_codegen.plan import frame

ROOT: Final = Path(__file__).parents[2]
LISTED: Final = Path(__file__).with_name("interface.txt")
SCHEMAS: Final = sorted(
    path.parent for where in ("schema", "tests") for path in (ROOT / where).rglob("schema.yaml")
)
OURS: Final = frozenset({"pillarbox", "pillarbox_spark"})


class Used:
    """What generated modules use: (module, name) of what is ours, and all names that members may have."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.imported: set[tuple[str, str]] = set()
        self.names: set[str] = set()
        for text in texts:
            self._modules: dict[str, str] = {}
            for node in ast.walk(ast.parse(text)):
                self._see(node)

    def _see(self, node: ast.AST) -> None:
        match node:
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in OURS:
                for alias in node.names:
                    self.imported.add((module, alias.name))
                    self._modules[alias.asname or alias.name] = f"{module}.{alias.name}"
            case ast.Import():
                self._modules |= {alias.asname or alias.name: alias.name for alias in node.names}
            case ast.Attribute(attr=name):
                self.names.add(name)
                of = self._modules.get(node.value.id, "") if isinstance(node.value, ast.Name) else ""
                if of.partition(".")[0] in OURS:
                    self.imported.add((of, name))
            case ast.ClassDef():
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef):
                        self.names.add(inner.name)
                    for target in getattr(inner, "targets", [getattr(inner, "target", None)]):
                        if isinstance(target, ast.Name):
                            self.names.add(target.id)

    def lines(self) -> Iterator[str]:
        """A line for each thing that is used."""
        for module, name in sorted(self.imported):
            if inspect.isclass(outer := named(module)):
                continue  # something of a class that was imported: see its members
            thing = getattr(outer, name, None) or named(f"{module}.{name}")
            if isinstance(thing, ModuleType):
                continue
            yield f"{module}.{name}{called_with(thing)}"
            if inspect.isclass(thing):
                yield from self._members(thing)

    def _members(self, kind: type[Any]) -> Iterator[str]:
        own = [base for base in kind.__mro__ if base.__module__.partition(".")[0] in OURS]
        for name in sorted({name for base in own for name in vars(base)} & self.names):
            if not name.startswith("__"):
                member = inspect.getattr_static(kind, name)
                member = getattr(member, "__func__", member)
                yield f"    .{name}{called_with(member) if inspect.isfunction(member) else ''}"


def named(path: str) -> Any:
    """The module of that name, or what a module has under it."""
    try:
        return import_module(path)
    except ModuleNotFoundError:
        module, _, name = path.rpartition(".")
        return getattr(import_module(module), name)


#: What stands in front of a parameter.
MARKS: Final[dict[object, str]] = {inspect.Parameter.KEYWORD_ONLY: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def called_with(thing: Any) -> str:
    """The names of its parameters, with `*` those that must be named, with `=` those that may be left out."""
    if isinstance(thing, GenericAlias) or (inspect.isclass(thing) and issubclass(thing, Enum)):
        return ""  # nothing that is generated calls it, and each Python says it otherwise
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return ""
    texts = (f"{MARKS.get(it.kind, '')}{it.name}{'' if it.default is it.empty else '='}" for it in parameters)
    return f"({', '.join(texts)})"


def test_what_generated_code_uses_changes_with_the_number_alone() -> None:
    texts = (text for schema in SCHEMAS for path, text in generate(schema).items() if path.endswith(".py"))
    said = f"interface {INTERFACE}\n" + "".join(f"{line}\n" for line in Used(texts).lines())
    before = LISTED.read_text(encoding="utf-8") if LISTED.exists() else ""
    if os.environ.get("PILLARBOX_ACCEPT") and before.partition("\n")[0] != f"interface {INTERFACE}":
        LISTED.write_text(said, encoding="utf-8")
        before = said
    assert said == before, (
        "packages that were generated before do not fit this runtime, or those of now the one before: "
        "add 1 to INTERFACE in pillarbox/interface.py and in pillarbox_codegen/plan/frame.py, run "
        "`make generate`, and this test with PILLARBOX_ACCEPT=1"
    )


def test_the_generator_writes_for_this_runtime() -> None:
    assert frame.INTERFACE == INTERFACE


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (INTERFACE - 1, "; generate it again: pillarbox generate SCHEMA --out /a"),
        (INTERFACE + 1, "; update pillarbox, which is the older one; or generate it again: "),
    ],
)
def test_a_package_for_another_runtime_is_refused(wanted: int, told: str) -> None:
    with pytest.raises(InterfaceDiffers) as caught:
        check_interface(wanted, "/a/pillarbox_mine/__init__.py")

    said = f"/a/pillarbox_mine was generated for interface {wanted} of pillarbox, and the one that is "
    assert str(caught.value).startswith(f"{said}installed has interface {INTERFACE}; ")
    assert told in str(caught.value)


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package for a later runtime, which uses what this one does not have."""
    folder = tmp_path_factory.mktemp("newer")
    packages.write(generate(ROOT / "schema/tracker"), folder)
    init, box, tables = (
        folder / "pillarbox_tracker" / name for name in ("__init__.py", "box.py", "tables.py")
    )
    text = init.read_text(encoding="utf-8")
    init.write_text(text.replace(f"check_interface({INTERFACE},", "check_interface(999,"), encoding="utf-8")
    for path in (box, tables):
        path.write_text("from pillarbox.tables import GoneSince\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("module", ["", ".box", ".tables", ".jobs.news"])
def test_it_is_refused_before_what_moved_is_looked_for(module: str, newer: Path) -> None:
    """Whatever of a package is imported first."""
    done = subprocess.run(
        [sys.executable, "-c", f"import pillarbox_tracker{module}"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(newer), str(ROOT / "runtime")])},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stderr.splitlines()[-1].startswith(
        f"pillarbox.errors.InterfaceDiffers: {newer}/pillarbox_tracker was generated for interface 999 of "
    )
