"""Shards into one box, table by table.

Depends on: box (its opening and packages), maintainers, storage, errors.  Never on: how shards were made.

Law: with shards that were built from the operations of different routes, the merged box equals one that
replayed all of them, whatever the order of the shards. What each shard changed of the common seed is laid
over it; rows that two shards write are added (`count`), made again from their merged sources (`top`, and
what looks rows up, and whatever is made from what was added or made again), or refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from pillarbox.box.opening import LAYOUT_HASH, bring_up, fill
from pillarbox.box.package import Package, Rd, Tx
from pillarbox.errors import (
    DataError,
    RangeError,
    ShardsOverlap,
    StoreMissing,
    StoreReadOnly,
    UniqueViolation,
    UsageError,
)
from pillarbox.maintainers import (
    AnchoredCountTable,
    Count,
    Identity,
    Index,
    Runs,
    SharedTable,
    StaleTable,
    Top,
    UniqueIndex,
)
from pillarbox.storage import Attached, ScratchEngine, StoredKey, synced
from pillarbox.storage.places import give_name, refuse_taken
from pillarbox.tables import Cell, TableSpec

#: Rows of a `count` that are added up at a time.
_SLICE_ROWS: Final = 10_000


def merge(
    package: Package[Tx, Rd], shards: Sequence[str | PathLike[str]], into: str | PathLike[str]
) -> Mapping[int, int]:
    """Write a new box at `into` that holds what the shards hold; table id -> rows.

    The file has that name only once it is whole and on the disk. Raises UsageError when `into` exists or a
    shard is of another package, ShardsOverlap when two shards have written one row, DataError when their sums
    are too great together, StoreError when a disk fails.
    """
    target = os.path.abspath(fspath(into))
    refuse_taken(target)
    part = f"{target}.{uuid4().hex[:12]}.part"
    try:
        engine = ScratchEngine(part)
    except (StoreMissing, StoreReadOnly) as error:
        raise type(error)(target, error.reason) from error  # nobody has heard of the other name
    try:
        merger = _Merger(package, engine)
        for shard in shards:
            merger.take(fspath(shard))
        merger.complete()
        rows = {spec.id: engine.count(spec.layout) for spec in package.specs}
        engine.finish()
        try:
            give_name(part, target)
        finally:
            Path(part).unlink(missing_ok=True)
        synced(os.path.dirname(target))
    finally:
        engine.close()
    return rows


class _TooGreat(Exception):
    """The sums of a row do not fit it; `error` says which."""

    def __init__(self, key: tuple[object, ...], error: RangeError) -> None:
        self.key, self.error = key, error
        super().__init__(key)


def _summed(
    spec: TableSpec[Any], key: StoredKey, sum_of: Callable[..., Cell | None], *cells: Any
) -> Cell | None:
    """What `sum_of` makes of the cells of one row."""
    try:
        return sum_of(*cells)
    except RangeError as error:
        raise _TooGreat(spec.key_fields(key), error) from error


class _Merger:
    """The box that is being made of shards."""

    def __init__(self, package: Package[Any, Any], engine: ScratchEngine) -> None:
        self._package = package
        self._engine = engine
        self._tx = package.transaction(engine)
        bring_up(engine, package, self._tx)
        rules = self._tx.rules_for({spec.id for spec in package.specs})
        self._rules = {rule.target.spec.id: rule for rule in rules}
        #: Sources before what is made from them.
        self._specs = [spec for spec in package.specs if spec.id not in self._rules]
        self._specs += [rule.target.spec for rule in self._rules.values()]
        self._seed: dict[int, dict[StoredKey, bytes]] = {
            spec.id: dict(engine.scan(spec.layout, None, None)) for spec in package.specs
        }
        #: What shards made of rows of the seed: table id -> key -> (the shard, the value or None).
        self._changed: dict[int, dict[StoredKey, tuple[str, bytes | None]]] = {}
        #: Tables to be made again. Of a `top` of seeded rows nobody can tell which shard added to it, and
        #: what looks rows up, or at neighbours, may have looked in vain for those of another shard.
        self._stale = self._tx.followers_of(
            {
                id_
                for id_, rule in self._rules.items()
                if (isinstance(rule, Top) and self._seed[id_])
                or len(rule.sources) > 1
                or isinstance(rule, Runs)
            }
        )
        tables = [getattr(self._tx, name, None) for name in dir(self._tx)]
        #: Tables of values that rows of several shards may share.
        self._shared = {table.spec.id for table in tables if isinstance(table, SharedTable)}
        #: Tables of what is in doubt, which several shards may say alike, and their indexes.
        self._doubts = {table.spec.id for table in tables if isinstance(table, StaleTable)}
        for id_, rule in self._rules.items():
            if isinstance(rule, Index) and rule.source.spec.id in self._doubts:
                self._doubts.add(id_)  # one row there, one here, and who makes it is as good as the other
        #: Of each unique index, the table whose rows share its keys.
        self._unique = {
            id_: rule.source.spec.name
            for id_, rule in self._rules.items()
            if isinstance(rule, (Identity, UniqueIndex))
        }
        self._anchored = {table.spec.id: table for table in tables if isinstance(table, AnchoredCountTable)}
        #: `runs` that no shard has a row of: no row of their sources belongs to one, and none is to be made.
        self._unused = {id_ for id_, rule in self._rules.items() if isinstance(rule, Runs)}
        self._taken: list[str] = []

    # ----------------------------------------------------------------------------------- one shard

    def take(self, path: str) -> None:
        """Lay what a shard has over what is here."""
        engine = self._engine
        with engine.attached(path) as shard:
            if shard.meta(LAYOUT_HASH) != self._package.layout_hash.encode():
                raise UsageError(
                    f"{path} was not built by the package {self._package.name!r} as it is now; build it again"
                )
            self._unused -= {
                id_ for id_ in self._unused if shard.count(self._package.specs_by_id[id_].layout)
            }
            engine.begin()
            try:
                for spec in self._specs:
                    if spec.id not in self._stale and not self._take_table(spec, shard, path):
                        break
                else:
                    spec = None
                engine.commit()
            except _TooGreat as found:
                engine.rollback()
                error = found.error
                raise DataError(
                    f"{error.field} of the row {found.key!r} is {error.value} with what {path} adds to the "
                    f"shards before it, which is not {error.range}; a replay would have refused a record "
                    f"here: take those with such values out of the archive"
                ) from error
            except BaseException:
                engine.rollback()
                raise
            if spec is not None:
                raise self._overlap(spec, shard, path)
        self._taken.append(path)

    def _take_table(self, spec: TableSpec[Any], shard: Attached, path: str) -> bool:
        """Whether a table could be laid over what is here."""
        rule = self._rules.get(spec.id)
        if spec.id in self._shared:  # of values that differ, the first one stays
            shard.take(spec.layout)
            return True
        if isinstance(rule, Count):
            if self._add(spec, rule, shard):
                self._stale |= self._tx.followers_of({spec.id}) - {spec.id}
            return True
        if spec.id in self._anchored:
            return self._add_up(spec, self._anchored[spec.id], shard, path)
        known = self._compare_seed(spec, shard, path)
        if spec.id in self._doubts:
            known += self._alike(spec, shard)
        if shard.take(spec.layout) + known == shard.count(spec.layout):
            return True
        if not isinstance(rule, Top):
            return False
        self._stale |= self._tx.followers_of({spec.id})
        return True

    def _alike(self, spec: TableSpec[Any], shard: Attached) -> int:
        """How many rows the shard has that are here, key and value."""
        count = 0
        after: StoredKey | None = None
        while found := shard.shared(spec.layout, after, _SLICE_ROWS):
            after = found[-1][0]
            count += sum(there == here for key, there, here in found if key not in self._seed[spec.id])
        return count

    def _add_up(
        self, spec: TableSpec[Any], table: AnchoredCountTable[Any], shard: Attached, path: str
    ) -> bool:
        """Add a shard's sums to those here; whether that could be told, as it can where no base was given.

        Of the seed's, one shard may change each: what they share cannot be taken off again.
        """
        self._compare_seed(spec, shard, path)
        seed = self._seed[spec.id]
        after: StoredKey | None = None
        gone: list[StoredKey] = []
        while found := shard.shared(spec.layout, after, _SLICE_ROWS):
            after = found[-1][0]
            sums: list[tuple[StoredKey, Cell | None]] = []
            for key, there, here in found:
                if key in seed:
                    continue
                cell = _summed(spec, key, table.together, here, there)
                if cell is None:
                    return False
                sums.append((key, cell if table.stands(key, cell) else None))
            if sums:
                self._put(spec, sums, gone)
                self._stale |= self._tx.followers_of({spec.id}) - {spec.id}
        shard.take(spec.layout)
        self._engine.remove_many(spec.layout, sorted(gone))  # after the copy, which would bring them back
        return True

    def _compare_seed(self, spec: TableSpec[Any], shard: Attached, path: str) -> int:
        """Note what the shard made of the seed's rows; how many of their keys it has."""
        known = 0
        changed = self._changed.setdefault(spec.id, {})
        for key, value in self._seed[spec.id].items():
            found = shard.get(spec.layout, key)
            known += found is not None
            if found == value:
                continue
            if key in changed:
                raise ShardsOverlap(spec.name, key=spec.key_fields(key), one=changed[key][0], other=path)
            changed[key] = (path, found)
        return known

    def _add(self, spec: TableSpec[Any], rule: Count[Any], shard: Attached) -> bool:
        """Add a shard's sums to those here, less the seed's; whether there was anything to add."""
        layout, seed = spec.layout, self._seed[spec.id]
        gone: list[StoredKey] = []
        added = self._add_seeded(spec, rule, shard, gone)
        after: StoredKey | None = None
        while found := shard.shared(layout, after, _SLICE_ROWS):
            added = True
            after = found[-1][0]
            new = [each for each in found if each[0] not in seed]
            sums = [(key, _summed(spec, key, rule.total, (here, there))) for key, there, here in new]
            self._put(spec, sums, gone)
        shard.take(layout)
        self._engine.remove_many(layout, sorted(gone))  # after the copy, which would bring them back
        return added

    def _add_seeded(
        self, spec: TableSpec[Any], rule: Count[Any], shard: Attached, gone: list[StoredKey]
    ) -> bool:
        layout, added = spec.layout, False
        sums: list[tuple[StoredKey, Cell | None]] = []
        for key, value in self._seed[spec.id].items():
            there = shard.get(layout, key)
            added = added or there != value
            here = self._engine.get(layout, key)
            sums.append((key, _summed(spec, key, rule.total, (here, there), value)))
        self._put(spec, sums, gone)
        return added

    def _put(
        self, spec: TableSpec[Any], sums: Sequence[tuple[StoredKey, Cell | None]], gone: list[StoredKey]
    ) -> None:
        puts = [(key, cell) for key, cell in sums if cell is not None]
        self._engine.put_many(spec.layout, [key for key, _ in puts], [cell for _, cell in puts])
        gone += [key for key, cell in sums if cell is None]

    def _overlap(self, spec: TableSpec[Any], shard: Attached, path: str) -> ShardsOverlap:
        """Which row of `shard` another one has written as well, and which one."""
        seed, source = self._seed[spec.id], self._unique.get(spec.id)
        for taken in self._taken:
            with self._engine.attached(taken) as other:
                for key, *values in shard.shared(spec.layout, None, len(seed) + 1, other=other):
                    if key in seed:
                        continue
                    fields, where = spec.key_fields(key), {"one": taken, "other": path}
                    if source is None:
                        return ShardsOverlap(spec.name, key=fields, **where)
                    rows = [spec.row(key, spec.cell_from(value)) for value in reversed(values)]
                    return ShardsOverlap(spec.name, key=fields, source=source, rows=rows, **where)
        raise AssertionError(f"no shard shares a row of {spec.name} with {path}")

    # ------------------------------------------------------------------------------------ the whole

    def complete(self) -> None:
        """Write what shards made of the seed, and make again what has to be."""
        engine, tx = self._engine, self._tx
        tx.begin()
        try:
            for number, changed in self._changed.items():
                layout = self._package.specs_by_id[number].layout
                keys = sorted(changed)
                puts = [(key, value) for key in keys if (value := changed[key][1]) is not None]
                engine.put_many(layout, [key for key, _ in puts], [value for _, value in puts])
                engine.remove_many(layout, [key for key in keys if changed[key][1] is None])
            for number in self._stale:
                engine.clear(self._package.specs_by_id[number].layout)
            fill(tx, self._stale - (self._unused if self._taken else set()))
            tx.unite()
            tx.commit()
        except UniqueViolation as error:  # it speaks of a transaction, and which shards had the rows is lost
            tx.rollback()
            raise ShardsOverlap(error.table, key=error.key, source=error.source) from error
        except BaseException:
            tx.rollback()
            raise
