"""Ingestion: the generated job beside plain Spark, which reads the same messages as newline JSON.

    python -m benchmarks.ingest_table [MESSAGES]

Plain is `read.schema(...).json` written as Parquet, and nothing else: no boxes, no indexes, no check.
The job writes shards with every table of the schema, typed Parquet and the manifest; `into` merges the
shards into one box as well. Each way runs in a process of its own, on two cores, after one run on a small
input: Java's start and the warming up are outside. Memory is that of the whole process tree, and so are the
microseconds of a core for each message, which other work on the machine moves less.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.export_generator import Written, write
from benchmarks.export_texts import Pools, pools
from benchmarks.measured import Phase, run_measured

FULL: Final = 1_000_000
SMALL: Final = 200_000
WARM: Final = 20_000

TITLES: Final = {
    "plain": "plain read.json -> Parquet",
    "spark": "job on Spark: shards, Parquet",
    "spark into": "job on Spark: shards, Parquet, one box",
    "inline": "job in process: shards, Parquet",
}


class Made(NamedTuple):
    """An input in both forms."""

    folder: Path
    written: Written

    @property
    def export(self) -> Path:
        return self.folder / "result.json"

    @property
    def lines(self) -> Path:
        return self.folder / "messages.ndjson"


def main(quick: bool) -> None:
    """Print the table; `quick`: only of the small input."""
    table(SMALL if quick else FULL)


def table(messages: int) -> None:
    """Print the table of an input of `messages`, and how memory grows to it from the small one."""
    sizes = sorted({min(SMALL, messages), messages})
    with tempfile.TemporaryDirectory(prefix="ingest-") as folder:
        texts = pools(1)
        inputs = {size: _make(Path(folder), size, texts) for size in (WARM, *sizes)}
        _print_title(inputs[messages].written, texts)
        found = {size: _measure(inputs[WARM], inputs[size], inline=size == sizes[0]) for size in sizes}
    _print_stages(found[messages])
    if len(sizes) == 2:
        small, full = (found[size] for size in sizes)
        growth = {way: full[way].peak_bytes / small[way].peak_bytes for way in full if way in small}
        shown = ", ".join(f"{TITLES[way]} x{times:.2f}" for way, times in growth.items())
        print(f"peak memory from {sizes[0]:,} to {sizes[1]:,} messages: {shown}")


def _print_title(written: Written, texts: Pools) -> None:
    sizes = f"{written.export_bytes / 1e6:,.0f} MB, as lines {written.lines_bytes / 1e6:,.0f} MB"
    kind = "real" if texts.real else "made-up"
    print(f"ingest of a generated account of {written.messages:,} messages ({sizes}, {kind} texts), 2 cores")
    print(
        f"{'':<42}{'messages':>10}{'seconds':>9}{'messages/s':>12}{'x plain':>9}{'core us':>9}{'peak MB':>9}"
    )


def _print_stages(found: Mapping[str, Phase]) -> None:
    for way, phase in found.items():
        if phase.told is not None:
            stages = ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in phase.told["seconds"].items())
            print(f"  {TITLES[way]}: {stages}; {phase.told['shards']} shards")


def _make(folder: Path, messages: int, texts: Pools) -> Made:
    own = folder / str(messages)
    own.mkdir()
    return Made(own, write(messages, own / "result.json", own / "messages.ndjson", texts=texts))


def _measure(warm: Made, made: Made, *, inline: bool) -> Mapping[str, Phase]:
    """Run every way and print its line as it comes."""
    ways = [("plain", warm.lines, made.lines), ("spark", warm.export, made.export)]
    if inline:
        ways.append(("inline", warm.export, made.export))
    found: dict[str, Phase] = {}
    for way, small, path in ways:
        out = str(made.folder / "out")
        for phase in run_measured(["-m", "benchmarks.ingest_run", way, str(small), str(path), out]):
            if phase.name not in found or phase.seconds < found[phase.name].seconds:
                found[phase.name] = phase
        for name in [name for name in TITLES if name.startswith(way) and name in found]:
            _print_line(name, made.written.messages, found[name], found["plain"])
    return found


def _print_line(way: str, messages: int, phase: Phase, plain: Phase) -> None:
    print(
        f"{TITLES[way]:<42}{messages:>10,}{phase.seconds:>9.2f}{messages / phase.seconds:>12,.0f}"
        f"{plain.seconds / phase.seconds:>9.2f}{phase.processor_seconds / messages * 1e6:>9.1f}"
        f"{phase.peak_bytes / 1e6:>9,.0f}",
        flush=True,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("messages", type=int, nargs="?", default=FULL)
    table(parser.parse_args().messages)
