"""Who writes without a pause lets others in: real processes, in turns."""

from __future__ import annotations

import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest
from tests.waiting import SECONDS_MAX

from pillarbox.storage.presence import is_possible

#: Writes transactions of PAUSE seconds, one after the other, and tells the log who it is from inside each.
_WRITER = """
import os, sys, time
from pillarbox_tracker import open_box
path, log, name, pause, count = sys.argv[1:]
with open_box(path, durability="relaxed", busy_ms=60_000) as box:
    told = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    print("open", flush=True)
    sys.stdin.readline()
    for _ in range(int(count)):
        with box.transaction():
            os.write(told, name.encode())
            time.sleep(float(pause))
"""


@pytest.mark.skipif(not is_possible(), reason="here processes cannot see each other")
def test_two_that_write_without_a_pause_take_turns(path: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    writers = [_writer(path, log, name) for name in "AB"]
    try:
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("go\n")
            writer.stdin.flush()
        assert [writer.wait(SECONDS_MAX) for writer in writers] == [0, 0]
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()

    order = log.read_text()
    assert order.count("A") == order.count("B") == 60
    runs = [len(list(run)) for _, run in groupby(order)]
    # Left to chance, one has the lock some twenty times, and up to a hundred, before the other gets it.
    assert len(runs) > 20
    assert max(runs[1:-1]) <= 6


def _writer(path: Path, log: Path, name: str) -> subprocess.Popen[str]:
    """One that waits with its box open."""
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path), str(log), name, "0.03", "60"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "open\n"
    return writer
