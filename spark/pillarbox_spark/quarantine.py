"""The records that could not be taken, with reason, position and raw text.

Depends on: adapters, spill, files, pillarbox.errors.  Never on: Spark, formats.

Law: a quarantine file has one line for each record that is not in the shards as a whole.

Tasks write refusals as spills; the driver merges them in the order of the input, and where several parts
of one record were refused keeps the first.
"""

from __future__ import annotations

import base64
import re
import struct
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from pillarbox.errors import (
    DataError,
    OwnerMissing,
    PillarboxError,
    RangeError,
    RecordCorrupt,
    StoreError,
    UsageError,
)
from pillarbox_spark.adapters import NO_FAULTS_OF_ADAPTER, Adapter, Piece, Refused
from pillarbox_spark.files import WORK, Attempt, errors_of_store
from pillarbox_spark.spill import Entry, SpillWriter, merged

#: Bytes of a record that are kept.
RAW_MAX: Final = 1 << 20
#: What mapping or encoding a record raises when what is in it is not of the types that it should be.
FAULTS_OF_TYPE: Final = (
    TypeError,
    ValueError,
    AttributeError,
    LookupError,
    ArithmeticError,
    RecursionError,
    struct.error,
)
#: What mapping a record, or applying its operations, raises when the record is at fault.
FAULTS_OF_RECORD: Final = (PillarboxError, *FAULTS_OF_TYPE)
#: Characters of a reason's sentence that are kept: an error may quote all of a value.
_DETAIL_MAX: Final = 2_000
#: As the number of a record where there is none: what the index refused.
NO_RECORD: Final = -1

_HUMP: Final = re.compile(r"(?<!^)(?=[A-Z])")
#: A character of UTF-8 has four bytes at most.
_CUT_CHARACTER: Final = 3


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a quarantine file."""

    #: The path of the input; then which record of it, from 0, unless only the index saw it.
    file: str
    record: int | None
    #: Where it begins in the file, in bytes; and how many it has, as far as that can be told.
    begin: int
    bytes: int
    reason: str
    detail: str
    #: The record, as text where it is UTF-8; only its beginning, a MiB at most, where `raw_cut` says so.
    raw: str | None = None
    raw_base64: str | None = None
    raw_cut: bool = False
    #: Refused when operations were applied, and the record has other parts, which may be written.
    partly: bool = False


_ENCODE: Final = msgspec.json.Encoder().encode
_DECODE: Final = msgspec.json.Decoder(Line).decode


class WrongType(DataError):
    """A value of a record is not of the type that its operation gives it."""

    def __init__(self, told: object) -> None:
        super().__init__(f"{told}; mend the record, or what the adapter makes of it")


class Orphaned(DataError):
    """A row of a record was left out, as its owner was not there; the rest of the record is written."""

    def __init__(self, error: OwnerMissing) -> None:
        super().__init__(
            f"a row of {error.table!r} belongs to {error.key!r} of {error.owner!r}, which was not there yet, "
            f"so it was left out (`orphans: skip`); name the files that have the owners first"
        )


def decoded(decode: Callable[[bytes], Any], data: Iterable[bytes]) -> list[Any]:
    """The operations of a record, from what they were encoded to. Raises WrongType: encoding trusts types."""
    try:
        return [decode(one) for one in data]
    except DataError as error:
        cause = error.__cause__ or error
        raise WrongType(cause.reason if isinstance(cause, RecordCorrupt) else cause) from error


def reason_of(error: Exception) -> str:
    """The code that reports count an error by: its class in kebab-case."""
    kind = RangeError if isinstance(error, OverflowError) else type(error)
    return _HUMP.sub("-", kind.__name__).lower()


class Refusals:
    """Writes the quarantine lines of one task, in the order of its input; no file where there are none."""

    def __init__(self, attempt: Attempt, suffix: str) -> None:
        self._attempt = attempt
        self._suffix = f"{suffix}.refused"
        self._writer: SpillWriter | None = None
        #: How many there are.
        self.count = 0

    def add(
        self, path: str, file: int, record: int, emission: int, refused: Refused, *, partly: bool = False
    ) -> None:
        """One more; `path` is that of the file. `partly`: other parts of the record may be written."""
        if self._writer is None:
            self._writer = SpillWriter(self._attempt.part(self._suffix))
        self._writer.add((file, record, emission, [line_of(path, record, refused, partly=partly)]))
        self.count += 1

    def publish(self) -> tuple[str, ...]:
        """Finish; the spill's path from the run's folder on, if there is one."""
        if self._writer is None:
            return ()
        self._writer.finish()
        return (self._attempt.publish(self._suffix, WORK, lasting=False),)

    def close(self) -> None:
        """Give the file back."""
        if self._writer is not None:
            self._writer.close()


class Origins:
    """Finds records again that were refused after they had been read."""

    def __init__(self, adapter: Adapter, paths: Mapping[int, str], pieces: Iterable[Piece]) -> None:
        self._adapter = adapter
        self._paths = paths
        self._pieces = sorted(pieces, key=_begin_of)
        #: What is being read again: the piece, its records from there on, how many came, and the last.
        self._piece: Piece | None = None
        self._records: Iterator[tuple[int, bytes]] = iter(())
        self._came = 0
        self._last = (0, b"")

    def refused(self, file: int, record: int, error: Exception) -> tuple[str, Refused]:
        """The path of a record's file, and the record as refused by an error. Raises StoreError.

        An error of the machine, which is not the record's fault, is raised again.
        """
        if isinstance(error, StoreError):
            raise error
        piece = self._pieces[bisect_right(self._pieces, (file, record), key=_begin_of) - 1]
        path = self._paths[file]
        begin, raw = self._raw(Path(path), piece, record - piece.first)
        detail = str(error)
        if not isinstance(error, PillarboxError):
            values = " and ".join(getattr(error, "__notes__", ())) or "its values"
            detail = f"{error!r} came of {values}; mend the record, or what the source makes of it"
        return path, Refused(reason_of(error), detail, begin, raw)

    def _raw(self, path: Path, piece: Piece, record: int) -> tuple[int, bytes]:
        """One record of a piece. Asked for in order, as they are, all of a piece take one pass over it."""
        if self._piece is piece and record == self._came - 1:
            return self._last
        if self._piece is not piece or record < self._came:
            self._piece, self._records, self._came = piece, iter(()), 0
        try:
            with errors_of_store(path):
                if not self._came:
                    self._records = iter(self._adapter.raws(path, piece))
                for begin, raw in islice(self._records, record - self._came, record + 1 - self._came):
                    Refused("unread", "", begin, raw)  # raises where these are no place, or no bytes
                    self._last, self._came = (begin, raw), record + 1
        except (PillarboxError, *NO_FAULTS_OF_ADAPTER):
            raise
        except BaseException as error:
            raise UsageError(
                f"{path}: finding record {piece.first + record:,} again ended in {error!r}; mend the adapter"
            ) from error
        if self._came != record + 1:
            raise DataError(
                f"{path}: record {piece.first + record:,} is not found again; run again when nothing writes "
                f"to the file, or mend its adapter"
            )
        return self._last


def _begin_of(piece: Piece) -> tuple[int, int]:
    return piece.file, piece.first


def line_of(path: str, record: int, refused: Refused, *, partly: bool = False) -> bytes:
    """The line of one refused record, without its end."""
    text, coded = _shown(refused.raw)
    size = len(refused.raw) if refused.size is None else refused.size
    return _ENCODE(
        Line(
            file=_clean(path),
            record=None if record == NO_RECORD else record,
            begin=refused.begin,
            bytes=size,
            reason=refused.reason,
            detail=_clean(refused.detail[:_DETAIL_MAX]),
            raw=text,
            raw_base64=coded,
            raw_cut=size > min(len(refused.raw), RAW_MAX),
            partly=partly,
        )
    )


def gather(spills: Sequence[Path], target: Path) -> Mapping[str, int]:
    """Write the quarantine file from the refusals of all tasks; how many records there are, by reason."""
    counts: Counter[str] = Counter()
    with errors_of_store(target), target.open("wb") as file:
        for line in _one_a_record(merged(spills)):
            counts[_DECODE(line).reason] += 1
            file.write(line + b"\n")
    return dict(sorted(counts.items()))


def _one_a_record(entries: Iterable[Entry]) -> Iterable[bytes]:
    last: tuple[int, int] | None = None
    for file, record, _, (line,) in entries:
        if record == NO_RECORD or (file, record) != last:
            yield line
        last = file, record


def _shown(raw: bytes) -> tuple[str | None, str | None]:
    """Bytes as text or as base64, whichever can hold them."""
    kept = raw[:RAW_MAX]
    try:
        return kept.decode(), None
    except UnicodeDecodeError as error:
        if len(raw) > RAW_MAX and error.start >= len(kept) - _CUT_CHARACTER:
            return kept[: error.start].decode(), None
        return None, base64.b64encode(kept).decode()


def _clean(text: str) -> str:
    """Text that UTF-8 can hold: halves of characters are written out."""
    return text.encode("utf-8", "backslashreplace").decode()
