"""Which path is taken, and what is said about it."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from tests.native_support import built, need_compiler

from pillarbox.installing import install_line
from pillarbox.native import loader
from pillarbox.native.build import build
from pillarbox.native.interface import INTERFACE_HASH


def chosen(**environment: str) -> str:
    """What a fresh process says about its path, with these variables set."""
    code = "from pillarbox.native import library, status; print(library().name, '|', status())"
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_zero_turns_the_native_path_off() -> None:
    assert chosen(PILLARBOX_NATIVE="0") == "python | Python path: PILLARBOX_NATIVE=0 turns the native one off"


def test_an_object_that_is_named_is_used() -> None:
    path = built()

    said = chosen(PILLARBOX_NATIVE=str(path))

    assert said.startswith(f"native | {path}, with")
    assert INTERFACE_HASH in said


@pytest.mark.parametrize("name", ["object.so", "./object.so"])
def test_an_object_that_is_named_from_the_working_folder_is_used_from_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "object.so").symlink_to(built())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PILLARBOX_NATIVE", name)

    status = loader._chosen.__wrapped__()[1]

    assert (status.active, status.path) == (True, str(tmp_path / "object.so"))


def test_the_object_in_the_cache_is_used(tmp_path: Path) -> None:
    need_compiler()
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "pillarbox.native"]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)

    said = chosen(PILLARBOX_NATIVE="1", XDG_CACHE_HOME=str(tmp_path))

    assert said.startswith(f"native | {done.stdout.strip()}, with")


def test_without_an_object_the_way_to_make_one_is_told(tmp_path: Path) -> None:
    said = chosen(PILLARBOX_NATIVE=str(tmp_path / "none.so"))

    assert said.startswith(f"python | Python path: no object at {tmp_path}/none.so;")
    assert "python -m pillarbox.native" in said


def test_without_sources_what_brings_them_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a wheel that was built where no compiler was."""
    monkeypatch.setattr("pillarbox.native.build.SOURCES", tmp_path)
    monkeypatch.setenv("PILLARBOX_NATIVE", str(tmp_path / "none.so"))

    _, status = loader._chosen.__wrapped__()

    again = install_line("pillarbox", "", "--force-reinstall", "--no-binary", "pillarbox")
    assert f"`{again}` makes one" in status.reason
    assert "python -m" not in status.reason


def test_an_object_that_fits_is_found_behind_one_that_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = built()
    (tmp_path / "pillarbox_native.so").write_bytes(b"stale")
    monkeypatch.setattr(loader, "HERE", tmp_path)
    monkeypatch.setattr(loader, "cached_object", lambda: good)
    monkeypatch.delenv("PILLARBOX_NATIVE", raising=False)

    _, status = loader._chosen.__wrapped__()

    assert (status.active, status.path) == (True, str(good))


def test_a_file_that_is_no_object_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "object.so"
    path.write_bytes(b"\x7fELF and nothing more")

    library, status = loader.load(path)

    assert (library.name, status.active) == ("python", False)
    assert "cannot be loaded" in status.reason


def test_a_library_of_somebody_else_is_refused() -> None:
    import _ctypes

    library, status = loader.load(Path(_ctypes.__file__))

    assert (library.name, status.active) == ("python", False)
    assert "cannot be loaded" in status.reason


def test_an_object_built_from_another_header_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_compiler()
    monkeypatch.setattr("pillarbox.native.build.INTERFACE_HASH", "0123456789abcdef")
    path = build(tmp_path / "object.so")

    library, status = loader.load(path)

    assert (library.name, status.active) == ("python", False)
    assert "interface 0123456789abcdef, this package" in status.reason


def test_without_cffi_the_python_path_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    path = built()

    def refuse(name: str) -> ModuleType:
        if name == "cffi":
            raise ImportError("No module named 'cffi'")
        return import_module(name)

    monkeypatch.setattr(loader, "import_module", refuse)

    library, status = loader.load(path)

    assert (library.name, status.active) == ("python", False)
    assert "pip install cffi" in status.reason
