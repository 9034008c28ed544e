"""The live benchmark: from the start of a transaction to all affected snapshots, beside floor and re-query.

The harness and its floor are the workload "chat" of a shared folder; name it with PILLARBOX_SHARED when
it is not `../shared`. Each adapter runs in a process of its own, all within the same minutes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
#: adapter -> the numbers of views it can stand; re-querying everything takes seconds a transaction beyond.
ADAPTERS = {
    "floor": "10,1000,10000",
    "pillarbox": "10,1000,10000",
    "apsw.key": "10,1000,10000",
    "sqlite3": "10,1000",
}


def main(quick: bool) -> None:
    """Print p50, p99, transactions/s and emissions per affected view at each number of views."""
    harness = Path(os.environ.get("PILLARBOX_SHARED", ROOT.parent / "shared")) / "bench" / "live"
    if not (harness / "run.py").is_file():
        print(f"live: the harness is not in {harness}; set PILLARBOX_SHARED to the shared folder")
        return
    for peers in (None, 10_000):
        title = "1,000 chats" if peers is None else "LB_P=10000: 10,000 chats, views unshared"
        print(f"live benchmark, file-backed, relaxed, {title}")
        print(
            f"{'adapter':<12}{'V':>7}{'p50 ms':>9}{'p99 ms':>9}{'tx/s':>9}{'x floor':>9}"
            f"{'emits/affected':>16}{'bad':>5}"
        )
        floor: dict[int, float] = {}
        for adapter, sizes in ADAPTERS.items():
            if peers is not None and adapter == "sqlite3":
                continue
            for phase in _run(harness, adapter, sizes, peers, quick):
                _print(adapter, phase, floor)


def _run(harness: Path, adapter: str, sizes: str, peers: int | None, quick: bool) -> list[dict[str, Any]]:
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join([str(harness), str(ROOT / "benchmarks" / "live"), *sys.path])
    if peers is not None:
        environment["LB_P"] = str(peers)
    seconds = "1" if quick else "3"
    command = [sys.executable, str(harness / "run.py"), adapter, "--vs", sizes, "--secs", seconds]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=harness)
    if done.returncode != 0:
        print(f"{adapter:<12} failed: {done.stderr.strip()[-400:]}")
        return []
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def _print(adapter: str, phase: dict[str, Any], floor: dict[int, float]) -> None:
    if phase["phase"] == "fail":
        print(f"{adapter:<12}{phase['V']:>7} failed: {phase['error']}")
    elif phase["phase"] == "batch":
        print(
            f"{adapter:<12}{phase['V']:>7}  {phase['batch']} messages in one transaction: "
            f"{phase['ms']:.1f} ms"
        )
    elif phase["phase"] == "live":
        views, p50 = phase["V"], phase["p50"]
        if adapter == "floor":
            floor[views] = p50
        ratio = f"{p50 / floor[views]:.1f}" if views in floor else "-"
        emissions = phase["emits"] / phase["affected"]
        print(
            f"{adapter:<12}{views:>7}{p50:>9.3f}{phase['p99']:>9.3f}{phase['tps']:>9.0f}{ratio:>9}"
            f"{emissions:>16.2f}{phase['bad']:>5}"
        )
