"""The name of a wheel says whether the object is inside: what `setup.py` adds to setuptools."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.native_support import need_compiler

from pillarbox.native.build import OBJECT_NAME

ROOT = Path(__file__).parents[3]


class Distribution:
    def has_ext_modules(self) -> bool:
        return False


class Command:
    """As much of a command as `setup.py` asks of one; that of setuptools may be old here, or missing."""

    editable_mode = skip_build = False

    def __init__(
        self, distribution: Distribution, build_lib: Path, build: type[Command] | None = None
    ) -> None:
        self.distribution, self.build_lib, self.build = distribution, build_lib, build
        self.root_is_pure = not distribution.has_ext_modules()

    def run(self) -> None:
        self.run_command("build")

    def run_command(self, name: str) -> None:
        """As there, once for a distribution."""
        assert name == "build"
        build, self.build = self.build, None
        if build is not None:
            build(self.distribution, self.build_lib).run()

    def get_tag(self) -> tuple[str, str, str]:
        return ("py3", "none", "any") if self.root_is_pure else ("cp311", "cp311", "linux_x86_64")

    def warn(self, text: str) -> None:
        assert "the wheel works without it, slower" in text


@pytest.mark.parametrize(
    ("compiler", "native", "platform"),
    [(None, "1", "linux_x86_64"), ("false", "1", "any"), ("nowhere", "1", "any"), (None, "0", "any")],
    ids=["compiled", "the compiler refuses", "no compiler", "not wanted"],
)
def test_a_wheel_is_for_a_platform_only_with_the_object_inside(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiler: str | None, native: str, platform: str
) -> None:
    if compiler is None:
        need_compiler()
    else:
        monkeypatch.setenv("CC", compiler)
    monkeypatch.setenv("PILLARBOX_NATIVE", native)
    given: dict[str, Any] = {}
    names = {"setup": given.update, "Distribution": Distribution, "bdist_wheel": Command, "build_py": Command}
    for name in ("setuptools", "setuptools.command.bdist_wheel", "setuptools.command.build_py"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
        vars(sys.modules[name]).update(names)
    monkeypatch.setitem(sys.modules, "pillarbox.native", sys.modules["pillarbox.native"])
    monkeypatch.setattr(sys, "path", [*sys.path])
    runpy.run_path(str(ROOT / "setup.py"))

    wheel = given["cmdclass"]["bdist_wheel"](given["distclass"](), tmp_path, given["cmdclass"]["build_py"])
    wheel.run()

    assert wheel.get_tag() == ("py3", "none", platform)
    assert (tmp_path / "pillarbox" / "native" / OBJECT_NAME).exists() == (platform != "any")
