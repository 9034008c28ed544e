"""Generated packages of odd schemas: reviewed text, and that nobody finds fault with any of it.

Each folder holds a schema and, as `NAME.py.txt`, those of its modules that were read by a person.
PILLARBOX_ACCEPT=1 rewrites them; review the difference as code.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.type_checker import type_errors

from pillarbox_codegen import packages
from pillarbox_codegen.generate import generate

ROOT = Path(__file__).parents[2]
CASES = sorted(path.parent for path in Path(__file__).parent.glob("generated/*/schema.yaml"))
SUFFIX = ".txt"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages of all cases."""
    folder = tmp_path_factory.mktemp("generated")
    for case in CASES:
        packages.write(generate(case), folder)
    return folder


def run(*arguments: str, cwd: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_generated_modules_match_the_reviewed_files(case: Path) -> None:
    reviewed = sorted(case.rglob(f"*.py{SUFFIX}"))
    outputs = generate(case)

    modules = {path: path.relative_to(case).as_posix().removesuffix(SUFFIX) for path in reviewed}
    actual = {path: outputs[f"pillarbox_{case.name}/{module}"] for path, module in modules.items()}

    assert reviewed, "create empty files for the modules to keep, and run with PILLARBOX_ACCEPT=1"
    if os.environ.get("PILLARBOX_ACCEPT"):
        for path, text in actual.items():
            path.write_text(text, encoding="utf-8")
    assert actual == {path: path.read_text(encoding="utf-8") for path in reviewed}


def test_the_formatter_finds_nothing_to_change(written: Path) -> None:
    result = run("-m", "ruff", "format", "--diff", "--config", str(ROOT / "pyproject.toml"), ".", cwd=written)

    assert result.returncode == 0, result.stdout + result.stderr


def test_the_linter_finds_nothing_to_say(written: Path) -> None:
    sources = f"src = [{str(written)!r}, {str(ROOT / 'runtime')!r}, {str(ROOT / 'spark')!r}]"
    arguments = ["check", "--config", str(ROOT / "pyproject.toml"), "--config", sources]

    result = run("-m", "ruff", *arguments, ".", cwd=written)

    assert result.returncode == 0, result.stdout + result.stderr


def test_every_package_is_strictly_typed(written: Path) -> None:
    names = [name for case in CASES for name in ("-p", f"pillarbox_{case.name}")]

    assert type_errors(*names, path=written) == ""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_box_of_the_package_opens_and_opens_again(case: Path, written: Path, tmp_path: Path) -> None:
    path = os.pathsep.join([str(written), str(ROOT / "runtime")])
    program = (
        f"import pillarbox_{case.name} as package, sys\n"
        f"from pillarbox_{case.name} import layouts\n"
        "for _ in range(2):\n"
        "    with package.open_box(sys.argv[1]) as box:\n"
        "        print(box.opened, end=' ')\n"
    )

    result = run("-W", "error", "-c", program, str(tmp_path / "box"), cwd=tmp_path, path=path)

    assert result.stdout == "created same ", result.stderr
