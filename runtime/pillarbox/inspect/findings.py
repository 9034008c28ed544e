"""What verifying a box finds, told as it is found, bounded per table.

Depends on: nothing.  Never on: what is looked for.

Law: every finding is counted; of each table the first ones are told, so that a box which is wrong all over
says so on one screen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

SHOWN_MAX: Final = 20


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: in a table, or in the file where `table` is None; `key` as people write it."""

    table: str | None
    key: str | None
    text: str

    def __str__(self) -> str:
        where = "the file" if self.table is None else f"table {self.table}"
        return f"{where}{'' if self.key is None else f', key {self.key}'}: {self.text}"


class Findings:
    """Takes findings, and tells the first of each table to `tell`."""

    def __init__(self, tell: Callable[[Finding], None], *, shown_max: int = SHOWN_MAX) -> None:
        self._tell = tell
        self._shown_max = shown_max
        self._counts: Counter[str | None] = Counter()

    def add(self, table: str | None, key: str | None, text: str) -> None:
        """Count a finding, and tell it if it is among the first of its table."""
        self._counts[table] += 1
        if self._counts[table] <= self._shown_max:
            self._tell(Finding(table, key, text))

    @property
    def total(self) -> int:
        """How many there are, told or not."""
        return self._counts.total()

    def untold(self) -> Iterator[tuple[str | None, int]]:
        """(table, how many were not told), where there are such."""
        for table, count in self._counts.items():
            if count > self._shown_max:
                yield table, count - self._shown_max
