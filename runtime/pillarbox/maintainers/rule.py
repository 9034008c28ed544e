"""What the transaction knows of a maintainer.

Depends on: tables.  Never on: transactions, views, the schema.

Law of every pure word: after `settle` the target equals a function of its sources, whatever was written
in between. The tests hold it against an oracle that shares no code with the classes here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from pillarbox.storage import StoredKey
from pillarbox.tables import DerivedTable, TableWriter

#: (key, old row, new row) of each source row that changed; one of the two is a row.
Net: TypeAlias = Sequence[tuple[StoredKey, Any | None, Any | None]]


class Step(Struct, frozen=True, gc=False):
    """What happened to one source since the last settle: rows that are all new, or else a net."""

    fresh: list[Any] | None
    net: Net


class Nets:
    """What happened to each source, worked out once for all rules: none of them writes its sources."""

    __slots__ = ("_nets", "_steps")

    def __init__(self) -> None:
        self._steps: dict[TableWriter[Any], Step] = {}
        #: Of tables whose rows are all new, where somebody asked for it.
        self._nets: dict[TableWriter[Any], Net] = {}

    def of(self, source: TableWriter[Any]) -> Step:
        """What happened to a table that is unsettled."""
        step = self._steps.get(source)
        if step is None:
            fresh = source.fresh()
            step = self._steps[source] = Step(fresh, source.net() if fresh is None else ())
        return step

    def net(self, source: TableWriter[Any]) -> Net:
        """The net of a table, of new rows as well; empty where nothing happened."""
        if not source.unsettled:
            return ()
        step = self.of(source)
        if step.fresh is None:
            return step.net
        net = self._nets.get(source)
        if net is None:
            keys = map(source.spec.key_of, step.fresh)
            net = self._nets[source] = [(key, None, row) for key, row in zip(keys, step.fresh, strict=True)]
        return net

    def keys(self, source: TableWriter[Any]) -> Iterable[StoredKey]:
        """The keys of the net of a table."""
        return source.changed_keys() if source.unsettled else ()


class Filler(Protocol):
    """What makes `target` out of `source`."""

    @property
    def source(self) -> TableWriter[Any]:
        """The table whose rows, all of them, fill an empty target."""

    @property
    def sources(self) -> tuple[TableWriter[Any], ...]:
        """All tables it looks at, `source` among them."""

    @property
    def target(self) -> DerivedTable[Any]:
        """The table it writes, and nobody else does."""

    def add(self, rows: Sequence[Any]) -> None:
        """Fold in rows of the source that are all new.

        Fed with every stored row, it fills an empty target.
        """


class Rule(Filler, Protocol):
    """A word that follows its sources when the transaction settles."""

    #: Whether its target can be made again from its sources at any time.
    pure: bool

    def settle(self, nets: Nets) -> None:
        """Fold in what happened to its sources.

        Called once per settle, in dependency order; not at all where neither they nor the target were
        written.
        """


class OneSource:
    """A pure word that looks at one table."""

    __slots__ = ("source", "sources", "target")
    pure = True

    def __init__(self, source: TableWriter[Any], target: DerivedTable[Any]) -> None:
        self.source = source
        self.sources: tuple[TableWriter[Any], ...] = (source,)
        self.target = target

    def settle(self, nets: Nets) -> None:
        """As `Rule.settle`: `add` where every row is new, else `apply`."""
        if self.source.unsettled:
            step = nets.of(self.source)
            if step.fresh is None:
                self.apply(step.net)
            else:
                self.add(step.fresh)

    def add(self, rows: Sequence[Any]) -> None:
        """As `Filler.add`."""
        raise NotImplementedError

    def apply(self, net: Net) -> None:
        """Fold in changes of the source."""
        raise NotImplementedError
