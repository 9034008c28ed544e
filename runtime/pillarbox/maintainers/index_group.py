"""The plain indexes of one table, settled together.

Depends on: index, rule.  Never on: what the rows mean.

Law: as if each index had settled by itself, in its place: it looks at its source alone, which is settled
before the first of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pillarbox.maintainers.index import Index, sides
from pillarbox.maintainers.rule import Nets, Rule
from pillarbox.tables import TableWriter


class IndexGroup:
    """One rule to wake where there may be a dozen, most of which have nothing to say of most rows."""

    __slots__ = ("_indexes", "source", "sources")
    pure = True

    def __init__(self, source: TableWriter[Any], indexes: list[Index[Any]]) -> None:
        self.source = source
        self.sources: tuple[TableWriter[Any], ...] = (source,)
        self._indexes = indexes

    def settle(self, nets: Nets) -> None:
        """As `Rule.settle` of each."""
        if not self.source.unsettled:
            return
        step = nets.of(self.source)
        if step.fresh is None:
            old, new = sides(step.net)
            for index in self._indexes:
                index.exchange(old, new)
        else:
            for index in self._indexes:
                index.add(step.fresh)


def grouped(rules: Iterable[Rule]) -> list[Rule | IndexGroup]:
    """Rules in dependency order, with the indexes of one table as one where the first of them stood."""
    found: list[Rule | IndexGroup] = []
    indexes: dict[TableWriter[Any], list[Index[Any]]] = {}
    for rule in rules:
        if type(rule) is not Index:
            found.append(rule)
        elif rule.source in indexes:
            indexes[rule.source].append(rule)
        else:
            indexes[rule.source] = [rule]
            found.append(IndexGroup(rule.source, indexes[rule.source]))
    return found
