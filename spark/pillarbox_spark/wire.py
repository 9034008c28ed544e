"""What goes between the driver and its tasks: descriptors out, results back, as ASCII.

Depends on: plan, parquet, files, msgspec, pillarbox.errors.  Never on: how tasks are done.

Law: decoding what was encoded gives it back, paths that are no UTF-8 included.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

import msgspec

from pillarbox.errors import UsageError
from pillarbox_spark.files import FileFigures
from pillarbox_spark.parquet import TableFile
from pillarbox_spark.plan import Load


class _Task(msgspec.Struct, frozen=True, kw_only=True):
    """What every task is told."""

    #: Its number in its stage.
    task: int
    #: The module of the job, and the folder of the run.
    job: str
    run: str
    #: Whether tables are written as Parquet too.
    parquet: bool


class ReadTask(_Task, frozen=True, kw_only=True, tag="read", tag_field="stage"):
    """Pieces to be read: what is of their groups into a shard, the rest into spills."""

    loads: tuple[Load, ...]
    #: The path of each file that they are pieces of, by its number.
    paths: dict[int, str]
    buckets: int


class GatherTask(_Task, frozen=True, kw_only=True, tag="gather", tag_field="stage"):
    """Spills of one bucket, from the run's folder on, into a shard."""

    spills: tuple[str, ...]


AnyTask: TypeAlias = ReadTask | GatherTask


class Shard(msgspec.Struct, frozen=True):
    """A box that a task built: its path from the run's folder on, and of each table rows and checksum."""

    box: str
    tables: dict[int, tuple[int, int]]


class Spill(msgspec.Struct, frozen=True):
    """What a task spilled for one bucket."""

    path: str
    entries: int


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one task. Paths are from the run's folder on."""

    stage: str
    task: int
    #: Records that were read; of these, how many were taken and how many refused at once.
    read: int = 0
    passed: int = 0
    refused: int = 0
    #: Entries that were taken out of spills.
    gathered: int = 0
    shard: Shard | None = None
    tables: dict[str, TableFile] = {}
    #: By bucket.
    spills: dict[int, Spill] = {}
    #: Spills of quarantine lines.
    quarantine: tuple[str, ...] = ()
    #: What must be there, and how, when the run is committed.
    files: dict[str, FileFigures] = {}


def encode(value: AnyTask | Result) -> str:
    """As ASCII."""
    return json.dumps(msgspec.to_builtins(value, str_keys=True))


def decode_task(text: str) -> AnyTask:
    """The descriptor of such text."""
    found: AnyTask = _decode(text, AnyTask)
    return found


def decode_result(text: str) -> Result:
    """The result of such text."""
    found: Result = _decode(text, Result)
    return found


def _decode(text: str, kind: Any) -> Any:
    try:
        return msgspec.convert(json.loads(text), kind, str_keys=True)
    except (ValueError, msgspec.ValidationError) as error:
        raise UsageError(
            f"this is neither a task nor a result ({error}); "
            f"all processes must run the same version of pillarbox"
        ) from error
