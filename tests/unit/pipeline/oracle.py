"""What a run must come to, by the plainest way: each part of each record replayed by itself, in order.

Depends on: history, pillarbox.box, pyarrow.  Never on: the pipeline, but for what it has written.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.dataset
from pyspark.sql.pandas.types import to_arrow_schema
from tests.unit.pipeline.history import ADAPTER, JOB, SOURCE

from pillarbox.box import Box
from pillarbox.errors import PillarboxError, RangeError
from pillarbox_spark.adapters import Piece, Refused, Skipped
from pillarbox_spark.manifest import Manifest, read_manifest
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.operations import AddComments

ALL: int = 1 << 62


@dataclass
class Expected:
    read: int = 0
    #: (file, record, reason), of those that only the index saw with None; in order.
    quarantined: list[tuple[str, int | None, str]] = field(default_factory=list)
    skipped: int = 0


def replayed(files: Sequence[Path], path: Path) -> Expected:
    """Replay files in canonical order into a new box."""
    expected = Expected()
    with Box(path, PACKAGE, durability="relaxed") as box:
        for number, file in enumerate(files):
            pieces = []
            for found in ADAPTER.index(number, file, ALL):
                if isinstance(found, Piece):
                    pieces.append(found)
                elif isinstance(found, Skipped):
                    expected.skipped += 1
                else:
                    expected.read += 1
                    expected.quarantined.append((str(file), None, found.reason))
            for piece in pieces:
                for record, row in enumerate(ADAPTER.read(file, piece, _made), piece.first):
                    expected.read += 1
                    reason = _taken(box, row)
                    if reason is not None:
                        expected.quarantined.append((str(file), record, reason))
    return expected


def _made(*values: Any) -> Any:
    try:
        return SOURCE.row(*values)
    except TypeError:
        return Refused("type-error", "", 0, b"")


def _taken(box: Box[Any, Any], row: Any) -> str | None:
    """Apply a record; why it was refused, in whole or in part."""
    if isinstance(row, Refused):
        return row.reason
    try:
        made = [list(emit.make(row)) if emit.route is None else [] for emit in SOURCE.emits]
        for number, emit in enumerate(SOURCE.emits):
            if emit.route is not None:
                emit.route(row)
                made[number] = list(emit.make(row))
                for operation in made[number]:
                    JOB.encode(operation)
    except (PillarboxError, OverflowError):
        return "range-error"
    reasons = []
    for operations in _parts(made):
        try:
            box.replay(operations)
        except RangeError:
            reasons.append("range-error")
        else:
            reasons += ["orphaned"] * any(_is_orphaned(box, operation) for operation in operations)
    return reasons[0] if reasons else None


def _parts(made: Sequence[list[Any]]) -> Iterator[list[Any]]:
    """What is applied together, in the order of the first emission of each."""
    plain = [n for n, emit in enumerate(SOURCE.emits) if emit.route is None and emit.memo is None]
    for number, operations in enumerate(made):
        if number == plain[0]:
            yield [operation for one in plain for operation in made[one]]
        elif number not in plain:
            yield operations


def _is_orphaned(box: Box[Any, Any], operation: Any) -> bool:
    """Whether a comment found no issue: none of them ever goes, so it is still not there."""
    if not isinstance(operation, AddComments):
        return False
    with box.reading() as tables:
        return any(
            one.body and tables.issues.get(one.project_id, one.number) is None for one in operation.comments
        )


# --------------------------------------------------------------------------- what a run has written


def quarantine_of(out: Path) -> list[dict[str, Any]]:
    """The lines of the quarantine files of the committed run."""
    manifest = read_manifest(out)
    return [
        json.loads(line) for name in manifest.quarantine for line in (out / name).read_text().split("\n")[:-1]
    ]


def reasons_of(expected: Expected) -> dict[str, int]:
    return dict(Counter(reason for _, _, reason in expected.quarantined))


def parquet_rows(out: Path, table: str) -> list[dict[str, Any]]:
    """All rows of a table's Parquet files by the declared schema, in order of their text."""
    (kind,) = (kind for kind in JOB.parquet if kind.name == table)
    files = [out / name for name in read_manifest(out).parquet.get(table, [])]
    if not files:
        return []
    read = pyarrow.dataset.dataset(files, schema=to_arrow_schema(kind.schema)).to_table()
    return sorted(read.to_pylist(), key=repr)


def box_rows(path: Path, table: str) -> list[dict[str, Any]]:
    """The same rows out of a box."""
    (kind,) = (kind for kind in JOB.parquet if kind.name == table)
    with Box(path, PACKAGE, read_only=True) as box, box.reading() as tables:
        rows = tables.by_id()[kind.id].rows_between(None, None)
    names = kind.schema.fieldNames()
    plain = [{name: _plain(getattr(row, name)) for name in names} for row in rows]
    return sorted(plain, key=repr)


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    return list(value) if isinstance(value, tuple) else value


def left_over(out: Path, manifest: Manifest) -> list[str]:
    """Files of the folder that neither the manifest names nor a run keeps for itself."""
    kept = {*manifest.files, "manifest.json", "report.json", "report.txt", ".lock"}
    names = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    return sorted(names - kept)
