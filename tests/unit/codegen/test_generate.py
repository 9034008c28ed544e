"""The generator as a function: of the schema's text alone."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.codegen.builders import field, part, schema, table

from pillarbox_codegen.generate import frame_of, generate, generate_package

ROOT = Path(__file__).parents[3]
TRACKER = ROOT / "schema" / "tracker"
PROGRAM = (
    "import hashlib, sys; from pathlib import Path; from pillarbox_codegen.generate import generate;"
    "print(hashlib.sha256(repr(generate(Path(sys.argv[1]))).encode()).hexdigest())"
)


def digest(folder: Path, seed: str) -> str:
    environment = {
        **os.environ,
        "PYTHONHASHSEED": seed,
        "PYTHONPATH": str(ROOT / "codegen"),
        "TZ": f"UTC+{seed}",
    }
    command = [sys.executable, "-c", PROGRAM, str(folder)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_the_text_depends_on_nothing_but_the_schema(tmp_path: Path) -> None:
    shutil.copytree(TRACKER, tmp_path / "moved" / "copy")

    digests = {digest(TRACKER, "1"), digest(TRACKER, "2"), digest(tmp_path / "moved" / "copy", "3")}

    assert len(digests) == 1


@pytest.mark.parametrize("name", ["messenger", "tracker"])
def test_every_public_thing_has_a_docstring(name: str) -> None:
    missing = []
    for path, text in generate(ROOT / "schema" / name).items():
        tree = ast.parse(text) if path.endswith(".py") else ast.Module([], [])
        public = [
            node
            for owner in ast.walk(tree)
            if isinstance(owner, ast.Module | ast.ClassDef)
            for node in owner.body
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
        ]
        missing += [f"{path}: {node.name}" for node in public if ast.get_docstring(node) is None]

    assert missing == []


def test_the_hash_follows_what_the_schema_says_and_not_where_it_says_it() -> None:
    key, record = [part("a", "int64")], [field(1, "b", "text")]
    plain = schema("probe", tables=[table("t", 1, key, record)])
    documented = schema("probe", tables=[table("t", 1, key, record, doc="A doc.")])

    hashes = [frame_of(each).schema_hash for each in (plain, plain, documented)]

    assert hashes[0] == hashes[1] != hashes[2]


def test_paths_begin_with_the_package_and_hold_one_folder() -> None:
    paths = generate_package(schema("probe"))

    assert {path.partition("/")[0] for path in paths} == {"pillarbox_probe"}
    assert {path.count("/") for path in paths} == {1}
    assert "pillarbox_probe/py.typed" in paths


def test_a_row_of_a_sequence_that_interns_is_told_as_what_it_is(tmp_path: Path) -> None:
    sequences = "numbers: {id: 2, type: int32, per: {}}, labels: {id: 3, type: int32, intern: text, per: {}}"
    (tmp_path / "s.yaml").write_text(f"schema: {{name: s}}\nsequences: {{{sequences}}}\n")

    types = generate(tmp_path)["pillarbox_s/types.py"]

    assert '"""The next number that the sequence `numbers` gives."""' in types
    assert '"""The number that the sequence `labels` gives a value."""' in types
