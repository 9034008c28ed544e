"""What reads an import format: finds the records of a file, and turns each into a row.

Depends on: pillarbox.errors.  Never on: Spark, any format, any generated package.

Law: every record of a file comes out of `read` exactly once, as a row or as a Refused that says why not.

An adapter is named in a schema as `module:name`. The plain kind is a function `rows(path, row)`, which
yields rows (made by calling `row`) and Refused; a file is then one piece. The other kind is an `Adapter`,
which can cut one file into pieces for several tasks.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from io import BufferedReader
from itertools import repeat
from pathlib import Path
from types import UnionType
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from pillarbox.errors import DataError, UsageError


@dataclass(frozen=True, slots=True)
class Piece:
    """Records that lie together in one file. `begin` and `end` are bytes of the file."""

    #: Which input, counted from 0.
    file: int
    begin: int
    end: int
    #: The number of its first record in the file, counted from 0.
    first: int
    #: How many records it holds, as far as the index has seen; -1 where it has not looked.
    records: int
    #: The group that all its records are of; None where only reading tells.
    group: str | None
    #: What encloses the records, as the adapter needs it. Goes through JSON.
    context: str = ""

    def __post_init__(self) -> None:
        """Raise TypeError for what no task could be told."""
        _check_types(self, {"file": int, "begin": int, "end": int, "first": int, "records": int})
        _check_types(self, {"group": str | None, "context": str})


@dataclass(frozen=True, slots=True)
class Refused:
    """A record that cannot be taken."""

    #: A short code in kebab-case, which reports count by.
    reason: str
    #: One sentence: what is wrong, and what to do.
    detail: str
    #: Where it begins, in bytes of the file; in bytes of what the file unpacks to, where it is packed.
    begin: int
    #: The record as it stands in the file, as far as it can be told.
    raw: bytes
    #: How many bytes it has, where `raw` is only its beginning.
    size: int | None = None

    def __post_init__(self) -> None:
        """Raise TypeError or ValueError for what no quarantine, or no report, could hold."""
        _check_types(self, {"reason": str, "detail": str, "begin": int, "raw": bytes, "size": int | None})
        if not self.reason or not self.reason.isprintable():
            raise ValueError(f"the reason of a Refused is {self.reason!r}; give a short code, as `bad-json`")
        if self.begin < 0:
            raise ValueError(f"a Refused begins at byte {self.begin:,}; count from 0")
        if self.size is not None and self.size < len(self.raw):
            raise ValueError(
                f"a Refused has {self.size:,} bytes, but {len(self.raw):,} in `raw`; leave out `size`, or "
                f"give that of the whole record"
            )


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something an index leaves out on purpose: reports name it."""

    what: str
    why: str

    def __post_init__(self) -> None:
        """Raise TypeError for what no report could hold."""
        _check_types(self, {"what": str, "why": str})


def _check_types(found: object, kinds: Mapping[str, type | UnionType]) -> None:
    for name, kind in kinds.items():
        value = getattr(found, name)
        if not isinstance(value, kind) or isinstance(value, bool):
            whole = kind.__name__ if isinstance(kind, type) else kind
            raise TypeError(
                f"`{name}` of a {type(found).__name__} is of type {type(value).__name__}, not {whole}"
            )


#: What an adapter may end in that is none of its faults. All else is: it may be a program, which ends itself,
#: or lean on what panics, or is cancelled, none of which is an Exception.
NO_FAULTS_OF_ADAPTER: Final = (KeyboardInterrupt, GeneratorExit, MemoryError)

Row: TypeAlias = Any
Found: TypeAlias = Piece | Refused | Skipped


@runtime_checkable
class Adapter(Protocol):
    """Reads one format. Stateless: tasks in other processes import it by its name."""

    def inputs(self, path: Path) -> Sequence[Path]:
        """The files of one INPUT argument, in canonical order. Raises UsageError when there is none."""

    def index(self, file: int, path: Path, piece_bytes: int) -> Iterator[Found]:
        """The pieces of one file, in order, each about `piece_bytes` at most; and what is in no piece."""

    def read(self, path: Path, piece: Piece, row: Callable[..., Row]) -> Iterator[Row | Refused]:
        """The records of one piece, in order. `inspect.unwrap(row)` is the class of the rows."""

    def raws(self, path: Path, piece: Piece) -> Iterator[tuple[int, bytes]]:
        """Where each record of the piece begins in the file, and its bytes, in order; for quarantine."""


def resolve(name: str) -> Adapter:
    """The adapter that `module:name` names. Raises UsageError, telling what is missing."""
    module, colon, attribute = name.partition(":")
    if not colon:
        raise UsageError(f"adapter {name!r}: write it as `module:name`")
    try:
        found: object = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(
            f"adapter {name!r} cannot be imported: {error}; install it, or correct its name"
        ) from error
    except NO_FAULTS_OF_ADAPTER:
        raise
    except BaseException as error:
        raise UsageError(f"adapter {name!r} cannot be imported: it ends in {error!r}; mend it") from error
    if isinstance(found, type):
        raise UsageError(f"adapter {name!r} is a class; name an object of it")
    if isinstance(found, Adapter):
        return found
    if callable(found):
        return _Plain(found)
    raise UsageError(f"adapter {name!r} is neither an Adapter nor a function of (path, row)")


class _Plain:
    """A function as an adapter: each file is one piece, whose groups only reading tells."""

    def __init__(self, rows: Callable[[Path, Callable[..., Row]], Iterator[Row | Refused]]) -> None:
        self._rows = rows

    def inputs(self, path: Path) -> Sequence[Path]:
        return files_of(path)

    def index(self, file: int, path: Path, piece_bytes: int) -> Iterator[Found]:
        with opened(path) as whole:
            size = whole.seek(0, os.SEEK_END)
        yield Piece(file, 0, size, 0, -1, None)

    def read(self, path: Path, piece: Piece, row: Callable[..., Row]) -> Iterator[Row | Refused]:
        opened(path).close()  # a function may open it as it likes, and would wait at a pipe
        return self._rows(path, row)

    def raws(self, path: Path, piece: Piece) -> Iterator[tuple[int, bytes]]:
        return repeat((0, b""))


def files_of(path: Path, pattern: str = "*") -> Sequence[Path]:
    """A file, or the files of a folder by name, hidden ones aside. Raises UsageError when there is none."""
    if path.is_file():
        return (path,)
    _refuse_stray(path)
    if not path.is_dir():
        what = "neither a file nor a folder" if path.exists() else "there is no such file"
        raise UsageError(f"{path}: {what}; name what is to be read")
    seen = sorted(entry for entry in path.glob(pattern) if not entry.name.startswith("."))
    for entry in seen:
        _refuse_stray(entry)
    found = tuple(entry for entry in seen if entry.is_file())
    if not found:
        what = "no file in this folder" if pattern == "*" else f"no {pattern} in this folder"
        raise UsageError(f"{path}: {what}; name what is to be read, of folders in it each by itself")
    return found


def opened(path: Path) -> BufferedReader:
    """Open a file to read its bytes; adapters do by this. Raises OSError, or DataError for what is no file.

    It was one when the inputs were found; whoever opens a pipe waits, for ever where nobody writes into it.
    """
    return open(path, "rb", opener=open_file)


def open_file(path: str, flags: int) -> int:
    """What `opened` opens by, for who wants another buffer, or none."""
    handle = os.open(path, flags | os.O_NONBLOCK)  # which means nothing of a file, and of a pipe not to wait
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return handle
    os.close(handle)
    what = "a folder" if stat.S_ISDIR(mode) else "a pipe" if stat.S_ISFIFO(mode) else "no file"
    raise DataError(f"{path} is {what} by now, and was a file before; put the file back, and run again")


def _refuse_stray(path: Path) -> None:
    if path.is_symlink() and not path.exists():
        raise UsageError(f"{path} is a link that leads nowhere; mend it, or take it away")
