"""From records to operations: those of a record's group at hand, those of other routes to the spills.

Depends on: adapters, job, quarantine, spill, plan, files, trial.  Never on: where operations are applied.

Laws. A record that cannot be mapped leaves nothing but its quarantine line. An emission is left out only
where the same route has just had the same, and a box takes that: between the two lies nothing of the route,
in any task.

What of a record is applied as a whole or not at all does not depend on how the input is cut: all
emissions of the record's group that have no `memo` together, and each other emission by itself.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self, TypeAlias

from pillarbox.bulk import Source
from pillarbox.errors import DataError, PillarboxError, RangeError, UsageError
from pillarbox_spark.adapters import NO_FAULTS_OF_ADAPTER, Adapter, Piece, Refused
from pillarbox_spark.files import WORK, Attempt, store_error
from pillarbox_spark.job import Job, has_parts
from pillarbox_spark.plan import Load
from pillarbox_spark.quarantine import FAULTS_OF_RECORD, Origins, Refusals
from pillarbox_spark.rows import Unmade, guarded
from pillarbox_spark.spill import SpillWriter
from pillarbox_spark.trial import Trial
from pillarbox_spark.wire import Spill

Make: TypeAlias = Callable[[Any], Iterable[Any]]
Memo: TypeAlias = Callable[[Any], Hashable]
Add: TypeAlias = Callable[[tuple[int, int, int], Sequence[Any]], None]

#: Routes whose last emission is remembered.
_SEEN_MAX: Final = 50_000
_NOTHING: Final = object()
_EMISSION: Final = attrgetter("emission")


@dataclass(frozen=True, slots=True)
class _Own:
    """An emission of the group that is applied by itself, so that repetitions can be left out."""

    emission: int
    make: Make
    memo: Memo


@dataclass(frozen=True, slots=True)
class _Away:
    """What goes to the spills together: under one route, at one position."""

    emission: int
    route: Callable[[Any], bytes]
    make: Make
    memo: Memo | None


class _Sent(NamedTuple):
    """What one record sends to the spills at one position, or why it cannot."""

    emission: int
    route: bytes
    #: What the memo says of it; `_NOTHING` where there is none.
    facts: Hashable
    data: list[bytes] | Exception


@dataclass(frozen=True, slots=True)
class _Ways:
    """Where the emissions of a source go."""

    #: What is applied here, together; the number of the first.
    make: Make
    first: int
    own: tuple[_Own, ...]
    #: Of the group as well, but spilled.
    cut: tuple[_Away, ...]
    #: Of other routes.
    away: tuple[_Away, ...]


def ways_of(source: Source, *, spills: bool) -> _Ways:
    """Sort the emissions of a source; `spills`: what is of the group goes to the spills as well.

    Raises UsageError when an emission has neither a route nor a group.
    """
    if source.group is None and not all(emit.route for emit in source.emits):
        raise UsageError(f"source {source.name!r} has no `group`; give each of its emissions `by`")
    emits = list(enumerate(source.emits))
    plain = [(number, emit) for number, emit in emits if emit.route is None and emit.memo is None]
    own = [_Own(number, emit.make, emit.memo) for number, emit in emits if emit.route is None and emit.memo]
    away = [_Away(number, emit.route, emit.make, emit.memo) for number, emit in emits if emit.route]
    make = _joined([emit.make for _, emit in plain])
    first = plain[0][0] if plain else 0
    if not spills or source.group is None:
        return _Ways(make, first, tuple(own), (), tuple(away))
    cut = [_Away(first, source.group, make, None)] if plain else []
    cut += [_Away(it.emission, source.group, it.make, it.memo) for it in own]
    return _Ways(_joined(()), 0, (), tuple(cut), tuple(away))


def _joined(makes: Sequence[Make]) -> Make:
    """Makes what all of them make, in order."""
    return makes[0] if len(makes) == 1 else lambda row: [made for make in makes for made in make(row)]


class Reading:
    """Reads the pieces of one task, in canonical order. Use it in a `with` block."""

    def __init__(
        self,
        job: Job,
        adapter: Adapter,
        paths: Mapping[int, str],
        loads: Sequence[Load],
        buckets: int,
        attempt: Attempt,
        add: Add | None,
    ) -> None:
        """`add` takes what is of the groups; without it every piece must spill."""
        self._job = job
        self._adapter = adapter
        self._paths = paths
        self._attempt = attempt
        self._add = add
        self._ways = {spills: ways_of(job.source, spills=spills) for spills in (False, True)}
        #: (emission, route) -> what it was made of, the last time.
        self._seen: dict[tuple[int, object], Hashable] = {}
        #: The same, of those that came again and that a box takes.
        self._repeated: dict[tuple[int, object], Hashable] = {}
        self._trial = Trial(job.package)
        self._spills: list[SpillWriter | None] = [None] * buckets
        self._end: tuple[int, int] | None = None
        self.origins = Origins(adapter, paths, (load.piece for load in loads))
        self.refusals = Refusals(attempt, "unread")
        #: Records that were read; of these, those that were taken and those of which nothing was.
        self.read = 0
        self.passed = 0
        self.refused = 0

    def piece(self, load: Load) -> None:
        """Read one piece. Raises UsageError where the adapter fails, StoreError where the disk does."""
        piece = load.piece
        if self._end != (piece.file, piece.first):
            self._forget()  # somebody else may read what lies between
        path = self._paths[piece.file]
        before = self.read
        self._rows(piece, path, self._ways[load.spills])
        read = self.read - before
        if piece.records not in (-1, read):
            raise DataError(
                f"{path}: the index found {piece.records:,} records from byte {piece.begin:,} on, and "
                f"reading {read:,}; run again when nothing writes to the file, or mend its adapter "
                f"{self._job.source.adapter}"
            )
        self._end = (piece.file, piece.first + read)

    def _rows(self, piece: Piece, path: str, ways: _Ways) -> None:
        """The loop over the records of a piece. Most of a run is spent here: one turn a record."""
        row_type = self._job.source.row
        file, make, first, own, cut, away = piece.file, ways.make, ways.first, ways.own, ways.cut, ways.away
        add: Any = self._add
        number = piece.first - 1
        try:
            for number, row in enumerate(self._records(piece, path), piece.first):
                if type(row) is not row_type:
                    self._refuse_row(file, path, number, row)
                    continue
                try:
                    operations = list(make(row))
                    kept = self._own_of(row, own, piece.group) if own else ()
                    parted = self._cut_of(row, cut) if cut else ()
                    sent = self._away_of(row, away) if away else ()
                except FAULTS_OF_RECORD as error:
                    self._refuse(file, number, error)
                    continue
                self.passed += 1
                if operations:
                    add((file, number, first), operations)
                for emission, facts, made in kept:
                    add((file, number, emission), made)
                    self._remember((emission, piece.group), facts)
                for it in sorted((*parted, *sent), key=_EMISSION) if parted else sent:
                    self._send(file, number, it)
        finally:
            self.read += number + 1 - piece.first

    def _records(self, piece: Piece, path: str) -> Iterator[Any]:
        number = piece.first
        try:
            for number, row in enumerate(  # noqa: B007 — the next one is the one that fails
                self._adapter.read(Path(path), piece, guarded(self._job.source.row)), piece.first + 1
            ):
                yield row
        except OSError as error:
            raise store_error(Path(path), error) from error
        except NO_FAULTS_OF_ADAPTER:
            raise
        except BaseException as error:
            if isinstance(error, PillarboxError) and not isinstance(error, RangeError):
                raise  # it is worded by the adapter, and says where; a packed id out of range knows no place
            raise UsageError(
                f"{path}: reading record {number:,} ended in {error!r}; "
                f"the adapter {self._job.source.adapter} must yield a Refused for what it cannot take"
            ) from error

    def _own_of(self, row: Any, own: Sequence[_Own], group: object) -> list[tuple[int, Hashable, list[Any]]]:
        found = []
        for it in own:
            facts = it.memo(row)
            key = it.emission, group
            if self._repeated.get(key, _NOTHING) != facts and not self._repeats(key, facts, row, it.make):
                found.append((it.emission, facts, list(it.make(row))))
        return found

    def _cut_of(self, row: Any, cut: Sequence[_Away]) -> list[_Sent]:
        """What a group that is not whole spills.

        Refused as it would be were the group whole: what cannot be made keeps out the record, what cannot be
        encoded could not be applied and keeps out itself.
        """
        found = []
        for it in cut:
            operations = list(it.make(row))
            try:
                sent = self._sent(row, it, operations)
            except FAULTS_OF_RECORD as error:
                sent = _Sent(it.emission, b"", None, error)
            if sent is not None:
                found.append(sent)
        return found

    def _away_of(self, row: Any, away: Sequence[_Away]) -> list[_Sent]:
        found = []
        for it in away:
            sent = self._sent(row, it, None)
            if sent is not None:
                found.append(sent)
        return found

    def _sent(self, row: Any, it: _Away, operations: Sequence[Any] | None) -> _Sent | None:
        """What goes out at one position, if the route has not just had the same; `operations`: if known."""
        route = it.route(row)
        facts = _NOTHING
        if it.memo is not None:
            facts = it.memo(row)
            key = it.emission, route
            if self._repeated.get(key, _NOTHING) == facts or self._repeats(key, facts, row, it.make):
                return None
        if operations is None:
            operations = list(it.make(row))
        return _Sent(it.emission, route, facts, list(map(self._job.encode, operations)))

    def _repeats(self, key: tuple[int, object], facts: Hashable, row: Any, make: Make) -> bool:
        """Whether this may be left out from now on. What no box takes comes each time, to be refused."""
        if self._seen.get(key, _NOTHING) != facts or not self._trial.takes(list(make(row))):
            return False
        self._repeated[key] = facts
        return True

    def _send(self, file: int, number: int, sent: _Sent) -> None:
        if isinstance(sent.data, Exception):
            path, refused = self.origins.refused(file, number, sent.data)
            self.refusals.add(path, file, number, sent.emission, refused, partly=has_parts(self._job.source))
            return
        if sent.data:
            bucket = bucket_of(sent.route, len(self._spills))
            writer = self._spills[bucket]
            if writer is None:
                writer = self._spills[bucket] = SpillWriter(self._attempt.part(f"{bucket}.spill"))
            writer.add((file, number, sent.emission, sent.data))
        if sent.facts is not _NOTHING:
            self._remember((sent.emission, sent.route), sent.facts)

    def _remember(self, key: tuple[int, object], facts: Hashable) -> None:
        if len(self._seen) >= _SEEN_MAX:
            self._forget()
        self._seen[key] = facts
        self._repeated.pop(key, None)

    def _forget(self) -> None:
        self._seen.clear()
        self._repeated.clear()

    def _refuse_row(self, file: int, path: str, number: int, row: Any) -> None:
        if isinstance(row, Refused):
            self.refused += 1
            self.refusals.add(path, file, number, 0, row)
        elif isinstance(row, Unmade):
            self._refuse(file, number, row.error)
        else:
            raise UsageError(
                f"{path}, record {number:,}: the adapter {self._job.source.adapter} yields a "
                f"{type(row).__name__}; it must yield what `row` returns, or a Refused"
            )

    def _refuse(self, file: int, number: int, error: Exception) -> None:
        self.refused += 1
        path, refused = self.origins.refused(file, number, error)
        self.refusals.add(path, file, number, 0, refused)

    def publish(self) -> dict[int, Spill]:
        """Finish the spills; by bucket, those that have entries."""
        found = {}
        for bucket, writer in enumerate(self._spills):
            if writer is not None:
                writer.finish()
                path = self._attempt.publish(f"{bucket}.spill", WORK, lasting=False)
                found[bucket] = Spill(path, writer.count)
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ExitStack() as stack:
            stack.callback(self.refusals.close)
            stack.callback(self._trial.close)
            for writer in self._spills:
                if writer is not None:
                    stack.callback(writer.close)


def bucket_of(route: bytes, buckets: int) -> int:
    """The bucket of a route: the same in every process."""
    return zlib.crc32(route) % buckets
