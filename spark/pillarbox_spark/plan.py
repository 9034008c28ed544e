"""What a run will do: the inputs, their pieces, and which task takes which.

Depends on: adapters, files, msgspec, pillarbox.errors.  Never on: Spark, formats, what is in a record.

Laws. The same inputs and options give the same plan. Each piece is in one task. A group is whole in one
task, or all of its pieces spill; all pieces do where one is of nobody knows which group.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path
from typing import Final

import msgspec

from pillarbox.errors import DataError, PillarboxError, UsageError
from pillarbox_spark.adapters import NO_FAULTS_OF_ADAPTER, Adapter, Found, Piece, Refused, Skipped
from pillarbox_spark.files import errors_of_store

_BUCKETS_MAX: Final = 64
#: What spans groups is taken to be one part in so many of the input.
_SPANNING: Final = 8
#: Tasks are smaller than they may be where that keeps all that run at the same time at work; so many for one.
_SMALLER_MAX: Final = 2
#: So many sizes of tasks are looked at, to find the one that makes them alike.
_LIMITS: Final = 256
#: Names of files that are left out, of those of a folder.
_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """How to cut."""

    #: About how much input one task reads, at most.
    shard_bytes: int = 32 << 20
    #: How many tasks run at the same time.
    parallel: int = 1
    #: At most how much of it is one piece.
    piece_bytes: int = 4 << 20
    #: A group of more than this is read by several tasks, and replayed by another; None: `shard_bytes`.
    whole_bytes: int | None = None
    #: How many tasks gather what was spilled; None: enough for shards of the size, up to 64.
    buckets: int | None = None

    def __post_init__(self) -> None:
        """Refuse what cuts nothing."""
        for name in ("shard_bytes", "parallel", "piece_bytes", "whole_bytes", "buckets"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"{name} is {value}; pass 1 or more")


@dataclass(frozen=True, slots=True)
class Input:
    """A file that is read. It must not change while it is."""

    #: The whole name as it was given: of a link its own, whose end tells the format.
    path: str
    bytes: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class Load:
    """A piece in a task; `spills`: what it says of its group is not the task's own to apply."""

    piece: Piece
    spills: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is decided before the first task runs."""

    inputs: tuple[Input, ...]
    #: What each task reads, in canonical order.
    tasks: tuple[tuple[Load, ...], ...]
    buckets: int
    #: Records that the index refused; and what it left out, by what and why.
    refused: int
    skipped: Mapping[str, int]

    def to_json(self) -> str:
        """As ASCII, which is equal for equal plans."""
        return json.dumps(msgspec.to_builtins(self))

    @staticmethod
    def from_json(text: str) -> Plan:
        """The inverse of `to_json`."""
        return msgspec.convert(json.loads(text), Plan)


def find_inputs(adapter: Adapter, paths: Sequence[Path]) -> tuple[Input, ...]:
    """The files of all INPUT arguments, in canonical order. Raises UsageError when there are none."""
    if not paths:
        raise UsageError("there is nothing to read; name a file or a folder")
    return tuple(look_at(file) for path in paths for file in _inputs(adapter, path))


def left_out(paths: Sequence[Path], inputs: Sequence[Input]) -> dict[str, int]:
    """How much lies in each folder among INPUT, hidden files aside, that is no input."""
    # Not `Path.resolve`, which of links in a circle raises RuntimeError, up to Python 3.12.
    ends = [Path(realpath(file.path)) for file in inputs]
    read = {str(folder) for end in ends for folder in (end, *end.parents)}
    left: dict[str, int] = {}
    for path in paths:
        with errors_of_store(path):
            entries = sorted(path.iterdir()) if path.is_dir() else []
            names = [it.name for it in entries if it.name[0] != "." and realpath(it) not in read]
        if names:
            shown = ", ".join(map(repr, names[:_SHOWN])) + (", .." if names[_SHOWN:] else "")
            left[f"in {str(path)!r}: {shown}; the source takes no such files from a folder"] = len(names)
    return left


def _inputs(adapter: Adapter, path: Path) -> Sequence[Path]:
    try:
        with errors_of_store(path):
            found = tuple(map(Path, adapter.inputs(path)))
    except (PillarboxError, *NO_FAULTS_OF_ADAPTER):
        raise
    except BaseException as error:
        raise UsageError(
            f"{path}: the adapter ended in {error!r} when it was asked for the files of this INPUT; mend it"
        ) from error
    if not found:
        raise UsageError(f"{path}: the adapter finds no file here that it takes; name what is to be read")
    return found


def look_at(path: Path) -> Input:
    """A file as it is now, by its absolute name, and of a link what it leads to. Raises StoreError."""
    with errors_of_store(path):
        found = path.absolute()
        stat = found.stat()
    return Input(str(found), stat.st_size, stat.st_mtime_ns)


def check_unchanged(inputs: Sequence[Input]) -> None:
    """Raises DataError when a file is not as it was when the plan was made."""
    for file in inputs:
        if look_at(Path(file.path)) != file:
            raise DataError(f"{file.path} changed while it was read; run again when nothing writes to it")


def make_plan(
    adapter: Adapter,
    inputs: Sequence[Input],
    options: PlanOptions,
    on_refused: Callable[[int, Refused], None],
    on_piece: Callable[[Piece], None] = lambda piece: None,
) -> Plan:
    """Index all inputs and deal their pieces out to tasks. Raises what the adapter's index raises."""
    skipped: Counter[str] = Counter()
    pieces: list[Piece] = []
    refused = 0
    for number, file in enumerate(inputs):
        for found in _found(adapter, number, file, options.piece_bytes):
            if isinstance(found, Piece):
                _check_piece(file, number, found)
                if pieces:
                    _check_follows(file, pieces[-1], found)
                pieces.append(found)
                on_piece(found)
            elif isinstance(found, Refused):
                refused += 1
                on_refused(number, found)
            elif isinstance(found, Skipped):
                skipped[_named(found)] += 1
            else:
                raise UsageError(
                    f"{file.path}: the adapter's index yields what is of type {type(found).__name__}; "
                    f"it must yield a Piece, a Refused or a Skipped"
                )
    units = list(_units(pieces, options.whole_bytes or options.shard_bytes))
    tasks = tuple(map(_in_order, _dealt(units, options.shard_bytes, options.parallel)))
    buckets = options.buckets or _buckets(tasks, options.shard_bytes)
    return Plan(tuple(inputs), tasks, buckets, refused, dict(skipped))


def _found(adapter: Adapter, number: int, file: Input, piece_bytes: int) -> Iterator[Found]:
    """What the index of a file finds. Raises StoreError where it cannot be read, UsageError for all else."""
    try:
        with errors_of_store(Path(file.path)):
            yield from adapter.index(number, Path(file.path), piece_bytes)
    except (PillarboxError, *NO_FAULTS_OF_ADAPTER):
        raise
    except BaseException as error:
        raise UsageError(
            f"{file.path}: its index ended in {error!r}; the adapter must yield a Refused for what it "
            f"cannot take"
        ) from error


def _buckets(tasks: Sequence[Sequence[Load]], shard_bytes: int) -> int:
    loads = [load for loads in tasks for load in loads]
    spilled = sum(_size(load.piece) for load in loads if load.spills)
    spanning = sum(_size(load.piece) for load in loads) // _SPANNING
    return max(1, min(-(-(spilled + spanning) // shard_bytes), _BUCKETS_MAX))


def _check_piece(file: Input, number: int, piece: Piece) -> None:
    """Refuse a piece that is of no file, or of none of its bytes."""
    if piece.file != number or not 0 <= piece.begin <= piece.end or piece.first < 0:
        raise UsageError(
            f"{file.path}: the adapter indexes file {piece.file}, bytes {piece.begin:,} to {piece.end:,}, "
            f"records from {piece.first:,} on; it was asked for file {number}, from byte and record 0 on"
        )


def _check_follows(file: Input, last: Piece, piece: Piece) -> None:
    """Refuse an index that gives a record, or a byte, twice."""
    if last.file != piece.file:
        return
    if piece.begin < last.end or piece.first < last.first + max(last.records, 0):
        raise UsageError(
            f"{file.path}: the adapter indexes bytes {last.begin:,} to {last.end:,}, records from "
            f"{last.first:,} on, and then {piece.begin:,} to {piece.end:,}, records from {piece.first:,} "
            f"on; pieces must come in order and must not overlap"
        )


def _named(skipped: Skipped) -> str:
    return f"{skipped.what}: {skipped.why}"


@dataclass(frozen=True, slots=True)
class _Unit:
    """What cannot be dealt out to several tasks."""

    loads: tuple[Load, ...]
    bytes: int


def _units(pieces: Sequence[Piece], whole_bytes: int) -> Iterator[_Unit]:
    """Whole groups, and the pieces of those that spill one by one, in the order of their first pieces."""
    groups: dict[str | None, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(piece.group, []).append(piece)
    for members in groups.values():
        size = sum(map(_size, members))
        # A piece that may be of any group may be of each: none is known to be whole then.
        if None in groups or size > whole_bytes:
            yield from (_Unit((Load(piece, True),), _size(piece)) for piece in members)
        else:
            yield _Unit(tuple(Load(piece, False) for piece in members), size)


def _dealt(units: Sequence[_Unit], shard_bytes: int, parallel: int) -> list[list[Load]]:
    """Units into tasks that are as alike as can be, and so many that nobody waits for a last one."""
    tasks = _packed(units, shard_bytes)
    if len(tasks) < 2:
        return tasks
    most = min(-(-len(tasks) // parallel) * parallel, _SMALLER_MAX * len(tasks))
    limits = range(sum(unit.bytes for unit in units) // most, shard_bytes, max(1, shard_bytes // _LIMITS))
    at = bisect_left(limits, True, key=lambda limit: len(_packed(units, limit)) <= most)
    return _packed(units, limits[at]) if at < len(limits) else tasks


def _packed(units: Sequence[_Unit], limit: int) -> list[list[Load]]:
    """Units into tasks, next by next, each of `limit` bytes at most but where a unit alone is more."""
    tasks: list[list[Load]] = []
    left = 0
    for unit in units:
        if not tasks or unit.bytes > left:
            tasks.append([])
            left = limit
        tasks[-1] += unit.loads
        left -= unit.bytes
    return tasks


def _in_order(loads: Sequence[Load]) -> tuple[Load, ...]:
    return tuple(sorted(loads, key=lambda load: (load.piece.file, load.piece.first, load.piece.begin)))


def _size(piece: Piece) -> int:
    return piece.end - piece.begin
