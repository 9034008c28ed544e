"""Builds the shared object into the package when a wheel is made. Everything else stands in pyproject.toml.

The object needs no Python headers and serves every Python, so the wheel is tagged by platform alone. Where no
C compiler is, or one that refuses, or with PILLARBOX_NATIVE=0, the wheel holds Python only and serves every
platform.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

RUNTIME = Path(__file__).resolve().parent / "runtime"
sys.path.insert(0, str(RUNTIME))
# The package as a bare folder: its __init__ would import what the runtime needs, which is not here yet.
sys.modules["pillarbox.native"] = ModuleType("pillarbox.native")
sys.modules["pillarbox.native"].__path__ = [str(RUNTIME / "pillarbox" / "native")]


class BuildObject(build_py):
    """Copies the packages, then compiles the object beside them."""

    def run(self) -> None:
        super().run()
        if self.editable_mode or os.environ.get("PILLARBOX_NATIVE") == "0":
            return
        from pillarbox.native.build import OBJECT_NAME, BuildFailed, build

        target = Path(self.build_lib) / "pillarbox" / "native" / OBJECT_NAME
        try:
            build(target)
        except BuildFailed as error:
            self.warn(f"{error} (the wheel works without it, slower)")
            target.unlink(missing_ok=True)
            self.distribution.is_refused = True


class PlatformWheel(bdist_wheel):
    """Any Python, this platform, once there is an object in the wheel."""

    def run(self) -> None:
        if not self.skip_build:
            self.run_command("build")  # first: a compiler that is there may still refuse
            self.root_is_pure = not self.distribution.has_ext_modules()
        super().run()

    def get_tag(self) -> tuple[str, str, str]:
        python, abi, platform = super().get_tag()
        return ("py3", "none", platform) if not self.root_is_pure else (python, abi, platform)


class WithObject(Distribution):
    """Not pure where an object will be built, or has been."""

    is_refused = False  # by the compiler, which is asked late

    def has_ext_modules(self) -> bool:
        from pillarbox.native.build import BuildFailed, find_compiler

        try:
            find_compiler()
        except BuildFailed:
            return False
        return not self.is_refused and os.environ.get("PILLARBOX_NATIVE") != "0"


setup(cmdclass={"build_py": BuildObject, "bdist_wheel": PlatformWheel}, distclass=WithObject)
