"""How kept words are connected to what they follow.

Depends on: tables, rule.  Never on: which word follows.

Law: a follower behind an index hears each change of an index row once, with the index row before and after;
a source row with one index row before and one after changed it, whatever its key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic

from pillarbox.maintainers.index import RowsOf
from pillarbox.maintainers.rule import Net, OneSource
from pillarbox.storage import StoredKey
from pillarbox.tables import (
    Cell,
    DerivedTable,
    Entered,
    Follower,
    Heard,
    Misser,
    Row,
    TableSpec,
    TableWriter,
    identical,
)


class Between(Generic[Row]):
    """Follows a table that is made later, by following what it is made from."""

    __slots__ = ("_follower", "_misser")

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        #: Worked out here: a write may miss many rows, and whether somebody asks about them stays the same.
        self._misser = follower if isinstance(follower, Misser) else None

    @property
    def follows_new(self) -> bool:
        """As `Follower.follows_new`."""
        return self._follower.follows_new

    def missed(self, fields: Mapping[str, Any]) -> None:
        """Hand on what is known of a source row that is not stored."""
        if self._misser is not None:
            self._misser.missed(fields)


class Through(Between[Row]):
    """Follows an index by following its source."""

    __slots__ = ("_rows_of", "_spec")

    def __init__(self, rows_of: RowsOf[Row], spec: TableSpec[Any], follower: Follower) -> None:
        super().__init__(follower)
        self._rows_of = rows_of
        self._spec = spec

    def follow(self, changes: Sequence[Heard[Row]]) -> None:
        """Hand on what the changes do to the index."""
        found: list[Heard[Any]] = []
        rows_of, row = self._rows_of, self._spec.row
        for change in changes:
            _, old, new = change
            if old is None:
                after = dict(rows_of((new,))) if new is not None else {}
                gains: list[Heard[Any]] = [(key, None, row(key, cell)) for key, cell in after.items()]
                # What comes by a change of its source stays so.
                found += map(Entered, gains) if isinstance(change, Entered) else gains
                continue
            before = dict(rows_of((old,)))
            after = {} if new is None else dict(rows_of((new,)))
            if before != after:
                self._compare(before, after, found)
        if found:
            self._follower.follow(found)

    def follow_new(self, rows: Sequence[Row]) -> None:
        """Hand on the rows of the index that come with these."""
        rows_of, row = self._rows_of, self._spec.row
        entries = list(rows_of(rows))
        if len(dict(entries)) < len(entries):  # of one row one counts; of two rows, if only for now, both
            entries = [entry for each in rows for entry in dict(rows_of((each,))).items()]
        if entries:
            self._follower.follow_new([row(key, cell) for key, cell in entries])

    def _compare(
        self, before: dict[StoredKey, Cell], after: dict[StoredKey, Cell], found: list[Heard[Any]]
    ) -> None:
        row = self._spec.row
        if len(before) == len(after) == 1:
            ((was, old),), ((key, new),) = before.items(), after.items()
            found.append((key, row(was, old), row(key, new)))
            return
        for key in dict.fromkeys((*before, *after)):
            lost, got = before.get(key), after.get(key)
            if lost != got:
                was_row = None if lost is None else row(key, lost)
                change = (key, was_row, None if got is None else row(key, got))
                found.append(Entered(change) if lost is None else change)


class ThroughIdentity(Between[Row]):
    """Follows an identity by following its source: each source row has one row there."""

    __slots__ = ("_key_of", "_row_of")

    def __init__(
        self, key_of: Callable[[Row], StoredKey], row_of: Callable[[Row], Any], follower: Follower
    ) -> None:
        """`key_of` and `row_of` give the stored key and the row of a source row's identity."""
        super().__init__(follower)
        self._key_of = key_of
        self._row_of = row_of

    def follow(self, changes: Sequence[Heard[Row]]) -> None:
        """Hand on what the changes do to the identity."""
        found: list[Heard[Any]] = []
        key_of, row_of = self._key_of, self._row_of
        for change in changes:
            _, old, new = change
            if old is None:
                if new is not None:
                    gain = (key_of(new), None, row_of(new))
                    found.append(Entered(gain) if isinstance(change, Entered) else gain)
            elif new is None:
                found.append((key_of(old), row_of(old), None))
            else:
                before, after = row_of(old), row_of(new)
                if not identical(before, after):
                    found.append((key_of(new), before, after))
        if found:
            self._follower.follow(found)

    def follow_new(self, rows: Sequence[Row]) -> None:
        """Hand on the identities of these rows."""
        self._follower.follow_new(list(map(self._row_of, rows)))


class SettledFollower(OneSource):
    """A follower of a pure table: it hears the net changes, when all that the table is made from is settled.

    Wired among the rules, in dependency order; its target is never made again from its source.
    """

    __slots__ = ("_follower",)
    pure = False

    def __init__(self, source: TableWriter[Any], target: DerivedTable[Any], follower: Follower) -> None:
        super().__init__(source, target)
        self._follower = follower

    def add(self, rows: Sequence[Any]) -> None:
        """Rows of the source that are all new."""
        if self._follower.follows_new:
            self._follower.follow_new(rows)

    def apply(self, net: Net) -> None:
        """Changes of the source."""
        self._follower.follow(net)
