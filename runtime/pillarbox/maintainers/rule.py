"""What the transaction knows of a maintainer.

Depends on: tables.  Never on: transactions, views, the schema.

Law of every pure word: after `apply` the target equals a function of its source, whatever was written
in between. The tests hold it against an oracle that shares no code with the classes here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

from pillarbox.storage import StoredKey
from pillarbox.tables import DerivedTable, TableWriter

#: (key, old row, new row) of each source row that changed; one of the two is a row.
Net: TypeAlias = Sequence[tuple[StoredKey, Any | None, Any | None]]


class Filler(Protocol):
    """What makes `target` out of `source`."""

    @property
    def source(self) -> TableWriter[Any]:
        """The table it follows."""

    @property
    def target(self) -> DerivedTable[Any]:
        """The table it writes, and nobody else does."""

    def add(self, rows: Sequence[Any]) -> None:
        """Fold in rows of the source that are all new.

        Fed with every stored row, it fills an empty target.
        """


class Rule(Filler, Protocol):
    """A pure word: keeps `target` in step with `source`."""

    def apply(self, net: Net) -> None:
        """Fold in changes of the source. Called once per settle, in dependency order."""
