"""Without the native path boxes and pages work as with it; the whole suite passes with PILLARBOX_NATIVE=0."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1] / "box" / "test_transactions.py"


def test_boxes_work_with_the_native_path_turned_off() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(TESTS)]

    done = subprocess.run(
        command, env={**os.environ, "PILLARBOX_NATIVE": "0"}, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


def test_pages_are_made_and_stored_without_an_object(tmp_path: Path) -> None:
    code = """
import sys
from array import array
from pillarbox.native import KeyLayout, KeyPart, build_page, library, status, with_values
from pillarbox.storage import TableLayout, open_engine
assert not status().active
page = library().encode_keys(KeyLayout("issues", (KeyPart("number", "int32"),)), (array("q", [2, 1, 2]),))
rows = library().open_page(with_values(page, build_page([b"old", b"one", b"new"], None, 0)), 4)
rows = library().open_page(library().sort_pages([rows]), 4)
engine = open_engine(sys.argv[1], durability="relaxed")
table = TableLayout(1, "issues", int_key=False, key_width=4, heap=False)
engine.begin()
engine.create(table)
engine.put_many(table, rows.keys(), rows.values())
engine.commit()
print([value for _, value in engine.scan(table, None, None)])
engine.close()
"""
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PILLARBOX_NATIVE": "0"}

    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a.box")], env=settings, capture_output=True, text=True
    )

    assert (done.stdout, done.stderr) == ("[b'one', b'new']\n", "")
