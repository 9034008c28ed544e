"""One task: pieces of files into a shard, or spills into a shard.

Depends on: pillarbox.bulk, adapters, job, spill, parquet, quarantine, files.  Never on: Spark, the driver.

Law: a task may be killed, repeated or run twice at once: only files named in a told result count.
"""

from __future__ import annotations


def run_task(descriptor: str) -> str:
    """Run one task, in any process that sees the same files; the result is JSON, as the descriptor is."""
    raise NotImplementedError
