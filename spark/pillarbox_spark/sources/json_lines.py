"""Newline JSON: one record a line, in a file as it is or packed with gzip.

Depends on: adapters, packing, unpacking, msgspec.  Never on: what records mean, Spark, generated packages.

Law: every line that is not blank comes out once, as a row or refused, and the same ones whatever the pieces.

A format of one's own is a struct, and a function that makes a row of one:

    ADAPTER = JsonLines(Issue, lambda issue, row: row(number=issue.number, title=issue.title))
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader, FileIO
from pathlib import Path
from typing import BinaryIO, Final, Generic, NamedTuple, TypeVar

import msgspec

from pillarbox.errors import UsageError
from pillarbox_spark.adapters import Found, Piece, Refused, Row, files_of, open_file, opened
from pillarbox_spark.sources.packing import GZIP, beginning, refuse_packed
from pillarbox_spark.sources.unpacking import Unpacked

#: What the names of such files end in; nothing else is read of a folder.
ENDINGS: Final = (".ndjson", ".jsonl", ".ndjson.gz", ".jsonl.gz")
#: The longest line that is taken, in bytes.
LINE_MAX: Final = 64 << 20
#: As much is kept of a longer one: a byte more than a quarantine shows, which so knows that it is cut.
_HEAD: Final = (1 << 20) + 1
_BLOCK: Final = 1 << 20
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_SPACE: Final = b" \t\r\n"
_BLANK: Final = (b"", _BYTE_ORDER_MARK)
MEND: Final = "mend it in the file, or take it out"
#: Of what holds zero bytes, which no JSON does.
_RECODE: Final = f"it has zero bytes: where that is UTF-16, save the file as UTF-8, else {MEND}"

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a record of the right shape cannot be a row, in the words of Refused."""

    reason: str
    detail: str


class JsonLines(Generic[Record]):
    """An Adapter: decodes each line into `shape`, and makes a row of that by `make(record, row)`.

    An uncompressed file is cut between lines. A packed one is one piece, and its offsets are those of what it
    unpacks to. A line above `line_max` bytes is refused, and no more than that is held of it.
    """

    def __init__(
        self,
        shape: type[Record],
        make: Callable[[Record, Callable[..., Row]], Row | Unfit],
        *,
        line_max: int = LINE_MAX,
    ) -> None:
        self._decoder = msgspec.json.Decoder(shape)
        self._make = make
        self._line_max = line_max

    def inputs(self, path: Path) -> Sequence[Path]:
        """The file, or the files of the folder that end as newline JSON does, by name."""
        found = files_of(path)
        if path.is_dir():
            found = tuple(file for file in found if file.name.lower().endswith(ENDINGS))
        if not found:
            raise UsageError(f"{path}: no file in it ends in {', '.join(ENDINGS)}; name the file itself")
        refuse_packed(found, but=GZIP)
        return found

    def index(self, file: int, path: Path, piece_bytes: int) -> Iterator[Found]:
        """Pieces of whole lines; only a line by itself is above `piece_bytes`."""
        with opened(path) as whole:
            size = whole.seek(0, os.SEEK_END)
        if is_packed(path):
            yield Piece(file, 0, size, 0, -1, None)
            return
        begin = first = records = 0
        for line in _lines(path, 0, size, self._line_max):
            if records and line.end - begin > piece_bytes:
                yield Piece(file, begin, line.begin, first, records, None)
                begin, first, records = line.begin, first + records, 0
            records += 1
        if records:
            yield Piece(file, begin, size, first, records, None)

    def read(self, path: Path, piece: Piece, row: Callable[..., Row]) -> Iterator[Row | Refused]:
        """Rows, and what is refused: bad-json, wrong-shape, too-long, damaged, and as `make` says."""
        for line in self._records(path, piece):
            made = line.fault or self._made(line.text, row)
            yield refused(made, line.begin, line.text, line.size) if isinstance(made, Unfit) else made

    def raws(self, path: Path, piece: Piece) -> Iterator[tuple[int, bytes]]:
        """Where each line begins, and the line; of one that is too long, its beginning."""
        return ((line.begin, line.text) for line in self._records(path, piece))

    def _records(self, path: Path, piece: Piece) -> Iterator[_Line]:
        return _lines(path, piece.begin, sys.maxsize if is_packed(path) else piece.end, self._line_max)

    def _made(self, text: bytes, row: Callable[..., Row]) -> Row | Unfit:
        record = decoded(self._decoder, text.removeprefix(_BYTE_ORDER_MARK))
        return record if isinstance(record, Unfit) else self._make(record, row)


def refused(why: Unfit, begin: int, raw: bytes, size: int | None = None) -> Refused:
    """A record that cannot be taken, and where it stands; `size` is that of all of it, where `raw` is cut."""
    return Refused(why.reason, why.detail, begin, raw, size)


def decoded(decoder: msgspec.json.Decoder[Record], text: bytes | memoryview) -> Record | Unfit:
    """What a JSON text holds, or why it cannot be told: bad-json, wrong-shape."""
    try:
        return decoder.decode(text)
    except msgspec.ValidationError as error:
        return Unfit("wrong-shape", f"{error}; {MEND}")
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        mend = _RECODE if 0 in text else MEND
        return Unfit("bad-json", f"{error}; {mend}")
    except RecursionError:
        return Unfit("bad-json", f"nested too deep to be read; {MEND}")


def is_packed(path: Path) -> bool:
    """Tell whether a file is one of gzip, by its name or by how it begins."""
    return path.suffix == ".gz" or beginning(path).startswith(GZIP)


class _Line(NamedTuple):
    """A line that is not blank: its bytes begin .. end - 1, and its text without what ends it."""

    begin: int
    end: int
    text: bytes
    #: What is wrong with it before anybody looks into it.
    fault: Unfit | None = None
    #: How many bytes it has, where `text` is only its beginning.
    size: int | None = None


def _lines(path: Path, begin: int, end: int, line_max: int) -> Iterator[_Line]:
    """The lines that begin at begin .. end - 1; of a damaged packed file, what is left there too."""
    with Unpacked(opened(path)) if is_packed(path) else FileIO(path, opener=open_file) as file:
        if begin:
            file.seek(begin)
        stream: BinaryIO = BufferedReader(file, _BLOCK)
        while begin < end:
            text = stream.readline(line_max + 1)
            line_end, fault, size = begin + len(text), None, None
            if not text.endswith(b"\n"):
                if len(text) > line_max:
                    line_end += _rest_of_line(stream)
                    text, size = text[:_HEAD], line_end - begin
                    fault = Unfit("too-long", f"{size:,} bytes, above {line_max:,}; {MEND}")
                elif isinstance(file, Unpacked) and file.damage:
                    yield _Line(begin, line_end, text, _damaged(path, file.damage))
                    return
                elif not text:
                    return
            text = text.rstrip(_SPACE)
            if fault or text not in _BLANK:
                yield _Line(begin, line_end, text, fault, size)
            begin = line_end


def _damaged(path: Path, damage: str) -> Unfit:
    """What there is to say of a packed file, or of one that is only called like that."""
    if len(begun := beginning(path)) >= len(GZIP) and not begun.startswith(GZIP):
        damage = "it is called as what gzip packs, and is not packed by it; take `.gz` off its name, or"
        return Unfit("damaged", f"{damage} get the file again")
    return Unfit("damaged", f"{damage}; get the file again")


def _rest_of_line(stream: BinaryIO) -> int:
    """Pass over the rest of a line, and tell how many bytes it was."""
    passed = 0
    while part := stream.readline(_BLOCK):
        passed += len(part)
        if part.endswith(b"\n"):
            break
    return passed
