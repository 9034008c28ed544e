"""Adding up what tasks told, and finding what does not add up.

Depends on: plan, wire, pillarbox.errors.  Never on: files, engines, how tasks are done.

Law: what is told here was told by every task exactly once, and read = written + quarantined follows from
counts that were kept apart: each task's of records read, taken and refused, and that of quarantine lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pillarbox.errors import DataError, TransientError
from pillarbox_spark.plan import Plan
from pillarbox_spark.wire import Result


class Results:
    """The results of one stage, as they come in. Of twins the first counts."""

    def __init__(self, tasks: Iterable[int]) -> None:
        self._wanted = set(tasks)
        self._found: dict[int, Result] = {}

    def add(self, result: Result) -> bool:
        """Take a result; whether it is news. Raises DataError when nobody asked for it."""
        if result.task not in self._wanted:
            raise DataError(f"a result came for task {result.task}, which is not of this stage; run again")
        if result.task in self._found:
            return False
        self._found[result.task] = result
        return True

    def all(self) -> list[Result]:
        """One of each task, by number. Raises TransientError when one is missing."""
        missing = sorted(self._wanted - self._found.keys())
        if missing:
            raise TransientError(
                f"{len(missing)} of {len(self._wanted)} tasks ended without a result, the first is task "
                f"{missing[0]}; run again"
            )
        return [self._found[task] for task in sorted(self._wanted)]


@dataclass(frozen=True, slots=True)
class Counts:
    """Records of a whole run."""

    read: int
    written: int


def count(plan: Plan, results: Sequence[Result], quarantined: Mapping[str, int]) -> Counts:
    """Records read and written, given the lines of quarantine by reason. Raises DataError."""
    at_once = plan.refused + sum(result.refused for result in results)
    passed = sum(result.passed for result in results)
    later = sum(quarantined.values()) - at_once
    if not 0 <= later <= passed:
        raise DataError(
            f"{at_once:,} records were refused when they were read, but {at_once + later:,} are in "
            f"quarantine; nothing was committed. Please report this with the input"
        )
    return Counts(plan.refused + sum(result.read for result in results), passed - later)


def check_spills(read: Sequence[Result], gathered: Sequence[Result]) -> None:
    """Raises DataError unless each bucket's task took what the others spilled for it."""
    spilled: defaultdict[int, int] = defaultdict(int)
    for result in read:
        for bucket, spill in result.spills.items():
            spilled[bucket] += spill.entries
    for result in gathered:
        if result.gathered != spilled[result.task]:
            raise DataError(
                f"bucket {result.task} was to gather {spilled[result.task]:,} entries, and gathered "
                f"{result.gathered:,}; nothing was committed. Run again"
            )


def rows_by_table(results: Sequence[Result], tables: Iterable[str]) -> dict[str, int]:
    """Rows of each table over all shards, but those that the seed put there."""
    told = [result.tables for result in results]
    return {name: sum(one[name].rows for one in told if name in one) for name in tables}


def lost_seeds(results: Sequence[Result], table: str) -> set[int]:
    """The seed's rows, by number, that a shard has changed or removed."""
    return {number for result in results if table in result.tables for number in result.tables[table].lost}
