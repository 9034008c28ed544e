"""A syncing process that is killed again and again: it leaves a box each time, and in the end it is whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
#: PILLARBOX_KILLS asks for more of them; each takes some 150 ms.
KILLS = int(os.environ.get("PILLARBOX_KILLS", "200"))
SEED = int(os.environ.get("PILLARBOX_KILLS_SEED", "1"))


def test_a_process_that_is_killed_again_and_again_ends_equal_to_the_server(tmp_path: Path) -> None:
    """E-1, E-13, K-14: whatever the moment, the box opens, verifies and comes to what the server has."""
    command = [sys.executable, "-m", "tests.unit.sync_driver.killed", str(tmp_path), str(KILLS), str(SEED)]
    roots = (ROOT, *(ROOT / name for name in ("runtime", "generated", "codegen")))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, roots))}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["wrong"] == [], f"seed {SEED}"
    assert told["moved"] > KILLS // 10, "they were killed before they did anything"
