"""Run the benchmarks and print their tables: `python -m benchmarks.run [--quick] [SECTION ...]`.

Every table holds what it is compared with, measured in the same run. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import importlib

#: name -> module with a `main(quick: bool) -> None` that prints one table.
SECTIONS = {
    "live": "benchmarks.live_table",
    "messenger": "benchmarks.messenger_table",
    "processes": "benchmarks.processes_table",
    "sync": "benchmarks.sync_table",
    "replay": "benchmarks.replay_table",
    "native": "benchmarks.native_table",
    "ingest": "benchmarks.ingest_table",
    "chain": "benchmarks.chain_table",
    "views": "benchmarks.views_micro",
    "package": "benchmarks.package_table",
    "statements": "benchmarks.storage_statements",
}


def main() -> None:
    """Print the chosen sections, or all of them."""
    names = ", ".join(SECTIONS)
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.run",
        description="Run the benchmarks and print their tables. Each holds what it is compared with.",
    )
    parser.add_argument("section", nargs="*", metavar="SECTION", help=f"one of {names}; all by default")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter repetitions")
    options = parser.parse_args()
    unknown = [name for name in options.section if name not in SECTIONS]
    if unknown:
        parser.error(f"there is no section {unknown[0]!r}; there are {names}")
    for name in options.section or SECTIONS:
        importlib.import_module(SECTIONS[name]).main(options.quick)
        print()


if __name__ == "__main__":
    main()
