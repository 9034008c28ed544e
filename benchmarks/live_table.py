"""The live benchmark: from the start of a transaction to all affected snapshots, beside floor and re-query.

The harness and its floor are the workload "chat" of a shared folder; name it with PILLARBOX_SHARED when
it is not `../shared`. Each adapter runs in a process of its own, all within the same minutes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.aims import print_aim

ROOT = Path(__file__).resolve().parent.parent
#: adapter -> the numbers of views it can stand; re-querying everything takes seconds a transaction beyond.
ADAPTERS = {
    "floor": "10,100,1000,10000",
    "pillarbox": "10,100,1000,10000",
    "apsw.key": "10,100,1000,10000",
    "sqlite3": "10,100,1000",
}
FLOOR_TIMES: Final = 2.5
GROWTH_TIMES: Final = 2.0
TRANSACTIONS_A_SECOND: Final = 12_000
BATCH_MS: Final = 20.0
IDLE_BYTES: Final = 4_096
SUBSCRIBE_MS: Final = 0.1


@dataclass
class Figures:
    """What the aims ask of one adapter."""

    p50: dict[int, float] = field(default_factory=dict)
    p99: dict[int, float] = field(default_factory=dict)
    a_second: dict[int, float] = field(default_factory=dict)
    emissions: dict[int, float] = field(default_factory=dict)
    #: What the first subscription of the box took, and what each of the others did, on average.
    first_ms: float | None = None
    subscribe_ms: dict[int, float] = field(default_factory=dict)
    batch_ms: float | None = None
    wrong: int = 0

    def take(self, phase: dict[str, Any]) -> None:
        """One line of the harness."""
        if phase["phase"] == "batch":
            self.batch_ms = phase["ms"]
        elif phase["phase"] == "first":
            self.first_ms = phase["ms"]
        elif phase["phase"] == "live":
            views = phase["V"]
            if self.first_ms is not None and not self.p50:  # it is one of these
                phase["sub_ms"] = (views * phase["sub_ms"] - self.first_ms) / (views - 1)
            self.a_second[views], self.subscribe_ms[views] = phase["tps"], phase["sub_ms"]
            self.p50[views], self.p99[views] = phase["p50"], phase["p99"]
            self.emissions[views] = phase["emits"] / phase["affected"]
        self.wrong += phase.get("bad", 0)


def main(quick: bool) -> None:
    """Print p50, p99, transactions/s and emissions per affected view at each number of views, and aims."""
    harness = Path(os.environ.get("PILLARBOX_SHARED", ROOT.parent / "shared")) / "bench" / "live"
    if not (harness / "run.py").is_file():
        print(f"live: the harness is not in {harness}; set PILLARBOX_SHARED to the shared folder")
        return
    for peers in (None, 10_000):
        title = "1,000 chats" if peers is None else "LB_P=10000: 10,000 chats, views unshared"
        print(f"live benchmark, file-backed, relaxed, {title}")
        print(
            f"{'adapter':<12}{'V':>7}{'p50 ms':>9}{'p99 ms':>9}{'tx/s':>9}{'x floor':>9}"
            f"{'emits/affected':>16}{'subscribe ms':>14}{'bad':>5}"
        )
        found = {adapter: Figures() for adapter in ADAPTERS}
        for adapter, sizes in ADAPTERS.items():
            if peers is not None and adapter == "sqlite3":
                continue
            for phase in _run(harness, adapter, sizes, peers, quick):
                found[adapter].take(phase)
                _print(adapter, phase, found["floor"])
        _print_aims(found["pillarbox"], found["floor"])
        print()
    _print_idle()


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


def _print(adapter: str, phase: dict[str, Any], floor: Figures) -> None:
    if phase["phase"] == "fail":
        print(f"{adapter:<12}{phase['V']:>7} failed: {phase['error']}")
    elif phase["phase"] == "batch":
        print(
            f"{adapter:<12}{phase['V']:>7}  {phase['batch']} messages in one transaction: "
            f"{phase['ms']:.1f} ms"
        )
    elif phase["phase"] == "first":
        print(f"{adapter:<12}{'':>7}  the first subscription: {phase['ms']:.3f} ms; below, the others")
    elif phase["phase"] == "live":
        views, p50 = phase["V"], phase["p50"]
        ratio = f"{p50 / floor.p50[views]:.1f}" if views in floor.p50 else "-"
        emissions = phase["emits"] / phase["affected"]
        print(
            f"{adapter:<12}{views:>7}{p50:>9.3f}{phase['p99']:>9.3f}{phase['tps']:>9.0f}{ratio:>9}"
            f"{emissions:>16.2f}{phase['sub_ms']:>14.3f}{phase['bad']:>5}"
        )


def _print_aims(ours: Figures, floor: Figures) -> None:
    for views, p50 in ours.p50.items():
        if views in floor.p50:
            print_aim(f"p50 at V = {views:,}, times the floor", p50 / floor.p50[views], most=FLOOR_TIMES)
    sizes = sorted(ours.p50)
    if len(sizes) > 1:
        growth = ours.p50[sizes[-1]] / ours.p50[sizes[0]]
        print_aim(f"p50 at V = {sizes[-1]:,}, times that at V = {sizes[0]}", growth, most=GROWTH_TIMES)
    if 1_000 in ours.a_second:
        print_aim("transactions/s at V = 1,000", ours.a_second[1_000], least=TRANSACTIONS_A_SECOND)
    if ours.batch_ms is not None:
        print_aim("1,000 messages in one transaction, V = 1,000, ms", ours.batch_ms, most=BATCH_MS)
    for views, emissions in ours.emissions.items():
        print_aim(f"emissions per affected view at V = {views:,}", emissions, least=1, most=1)
    if ours.subscribe_ms:
        if ours.first_ms is not None:
            print_aim("the first subscription of a box, ms", ours.first_ms, most=SUBSCRIBE_MS)
        worst = max(ours.subscribe_ms.values())
        print_aim("to subscribe further, ms, at worst", worst, most=SUBSCRIBE_MS)
    print_aim("snapshots that were wrong", ours.wrong, most=0)


def _print_idle() -> None:
    """In a process of its own, that has allocated nothing else."""
    command = [sys.executable, "-m", "benchmarks.idle_views"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode != 0:
        print(f"idle views failed: {done.stderr.strip()[-400:]}")
        return
    print(f"{'memory of an idle view, unshared':<36}{'bytes':>9}{'of it rows':>12}{'besides':>9}")
    for line in map(json.loads, done.stdout.splitlines()):
        besides = line["bytes"] - line["rows"]
        print(f"{line['views']:<36}{line['bytes']:>9,}{line['rows']:>12,}{besides:>9,}")
        if line["mixed"]:
            print_aim("bytes of an idle view besides its rows, mixed", besides, most=IDLE_BYTES)
