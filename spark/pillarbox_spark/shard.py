"""The shard of one task: a finished box, its Parquet, and what it refused.

Depends on: pillarbox.bulk, job, parquet, quarantine, wire, files.  Never on: where operations come from.

Law: what is published is whole, and is what `finish` tells, byte by byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

from pillarbox.bulk import RefusedRecord, ShardBuilder
from pillarbox_spark.files import BOXES, Attempt, FileFigures, figures_of
from pillarbox_spark.job import Job
from pillarbox_spark.parquet import ShardTables, TableFile
from pillarbox_spark.quarantine import Orphaned, WrongType, decoded
from pillarbox_spark.wire import Shard

#: File, record, emission.
Position: TypeAlias = tuple[int, int, int]

_BOX: Final = "box"
#: Operations that are applied at a time.
_SLICE_RECORDS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Finished:
    """A shard whose files have their final names."""

    shard: Shard
    tables: dict[str, TableFile]
    #: The files that must be there when the run is committed.
    files: dict[str, FileFigures]
    #: In the order of the input, also what is only `Orphaned`; `record` is (file, record, emission).
    refused: Sequence[RefusedRecord]


class ShardWriter:
    """Builds the shard of one attempt. Use it in a `with` block: what is not finished has no final name."""

    def __init__(self, job: Job, attempt: Attempt, *, parquet: bool) -> None:
        self._job = job
        self._attempt = attempt
        self._tables = ShardTables(job.parquet, job.package, attempt, files=parquet)
        self._builder = ShardBuilder(
            job.package,
            attempt.part(_BOX),
            slice_records=_SLICE_RECORDS,
            told=self._tables.told(),
        )
        self._mistyped: list[RefusedRecord] = []
        #: Add operations that are applied as a whole or not at all, at (file, record, emission).
        self.add: Callable[[Position, Sequence[Any]], None] = self._builder.add

    def add_encoded(self, record: Position, data: Sequence[bytes]) -> None:
        """Add operations as they were encoded, which is done of values of wrong types as well."""
        try:
            operations = decoded(self._job.decode, data)
        except WrongType as error:
            self._mistyped.append(RefusedRecord(record, error.with_traceback(None)))
        else:
            self._builder.add(record, operations)

    def finish(self, run: Path) -> Finished:
        """Finish and publish. Raises StoreError."""
        self._builder.flush()
        written = self._tables.finish(self._builder.rows)
        built = self._builder.finish()
        self._builder.close()
        box = self._attempt.publish(_BOX, BOXES, lasting=True)
        sums = {number: (table.rows, table.checksum) for number, table in built.tables.items()}
        tables = {}
        for table in self._job.parquet:
            of = written[table.id]
            tables[table.name] = TableFile(built.tables[table.id].rows - of.seeded, of.paths, of.lost)
        orphaned = [RefusedRecord(it.record, Orphaned(it.error)) for it in built.orphaned]
        paths = [box, *(path for of in tables.values() for path in of.paths)]
        return Finished(
            Shard(box, sums),
            tables,
            {path: figures_of(run / path) for path in paths},
            sorted((*built.refused, *self._mistyped, *orphaned), key=lambda refused: refused.record),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ExitStack() as stack:
            stack.callback(self._builder.close)
            stack.callback(self._tables.close)
