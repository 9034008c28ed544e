"""Byte ranges of array elements inside one huge JSON value: the specification of `native/json_split.c`.

Depends on: interface, faults.  Never on: cffi, files, what the elements mean.

Law: the ranges do not depend on where the text is cut into chunks, and read + rest = text.

Containers on a path are walked byte by byte, strictly. Everything else, elements above all, is skipped: only
quotes, backslashes and brackets matter there, so that an element which no parser takes (`\\xHH` in a string,
say) is still found, and can be set aside alone. A backslash takes the meaning from a quote behind it wherever
it stands. Names on a path are compared as they are written: an escaped name is not the one that it means.
Brackets deeper than DEPTH_MAX are counted, not compared: whoever reads an element so deep would need a stack
without a limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, auto
from functools import partial
from struct import Struct
from typing import Final, NamedTuple, Protocol, TypeAlias

from pillarbox.errors import UsageError
from pillarbox.native.faults import JsonCorrupt
from pillarbox.native.interface import Status

#: Member names from the root down; None stands for every element of an array.
JsonPath: TypeAlias = tuple[str | None, ...]

PATHS_MAX: Final = 32
SEGMENTS_MAX: Final = 8
DEPTH_MAX: Final = 512


class RangeKind(IntEnum):
    """What a range holds."""

    #: An element of an array at the end of a path.
    ELEMENT = 1
    #: From the object that has such an array up to the array's bracket.
    OWNER = 2
    #: From behind the last such array of an object to behind the object.
    REST = 3
    #: A value on a path that is not the container which the path needs.
    OTHER = 4
    #: An element in which containers lie deeper than DEPTH_MAX, the text's own included.
    DEEP = 5


class JsonRange(NamedTuple):
    """Bytes begin .. end - 1 of the whole text, a RangeKind, and the number of the path it belongs to."""

    begin: int
    end: int
    kind: int
    path: int


_RANGE: Final = Struct("=QQII")
#: As `JsonRange._make`, which would be a frame of Python for each element of a file.
_AS_RANGE: Final = partial(tuple.__new__, JsonRange)


@dataclass(frozen=True, slots=True)
class JsonRanges:
    """Ranges as C writes them; an object of each is made when it is asked for."""

    packed: bytes

    def __len__(self) -> int:
        return len(self.packed) // _RANGE.size

    def __getitem__(self, at: int) -> JsonRange:
        """The range `at`, 0 <= at < len."""
        return JsonRange._make(_RANGE.unpack_from(self.packed, at * _RANGE.size))

    def __iter__(self) -> Iterator[JsonRange]:
        return map(_AS_RANGE, _RANGE.iter_unpack(self.packed))


class Splitter(Protocol):
    """A scan of one text, fed chunk by chunk.

    `fault` is what stopped the scan, once something did: ranges found before it are handed out all the same,
    nothing behind it is read, and `finish` raises it.
    """

    fault: JsonCorrupt | None

    def feed(self, chunk: bytes | bytearray | memoryview) -> JsonRanges:
        """The ranges that end in this chunk, in the order of their ends (OWNER: of its array)."""

    def finish(self) -> JsonRanges:
        """The ranges that end with the text. Raises JsonCorrupt if something stopped the scan, or the text
        ends inside its value; `offset` is then where the element begins that was cut, else the text's end."""


def check_paths(paths: Sequence[JsonPath]) -> None:
    """Raise UsageError for paths that no scan takes."""
    if not 0 < len(paths) <= PATHS_MAX:
        raise UsageError(f"{len(paths)} paths; pass 1 .. {PATHS_MAX}")
    for path in paths:
        if len(path) > SEGMENTS_MAX or "" in path:
            raise UsageError(f"the path {path!r}; pass at most {SEGMENTS_MAX} names, none of them empty")
    for path in paths:
        begun = [other for other in paths if other[: len(path)] == path]
        if len(begun) > 1:
            raise UsageError(f"the path {path!r} is the beginning of {begun[-1]!r}; pass one of them")


class _Phase(IntEnum):
    VALUE = auto()
    FIRST_VALUE = auto()
    NAME = auto()
    FIRST_NAME = auto()
    COLON = auto()
    COMMA = auto()
    IN_NAME = auto()
    IN_STRING = auto()
    IN_SCALAR = auto()
    IN_SKIPPED = auto()
    END = auto()


class _Fault(Exception):
    def __init__(self, status: Status) -> None:
        self.status = status


_SPACE: Final = re.compile(rb"[ \n\r\t]*")
_SCALAR_END: Final = re.compile(rb"[ \n\r\t,:\"\[\]{}]")
_STRING_MARK: Final = re.compile(rb"[\"\\]")
_SKIP_MARK: Final = re.compile(rb"[\"\\\[\]{}]")
_CLOSES: Final = {0x5B: 0x5D, 0x7B: 0x7D}  # "[" and "]", "{" and "}"
_ARRAY, _ARRAY_END, _OBJECT, _OBJECT_END = b"[]{}"
_QUOTE, _BACKSLASH, _COMMA, _COLON = b'"\\,:'


class _Level:
    """A container on a path that is open."""

    def __init__(self, opening: int, begin: int, matched: list[int]) -> None:
        self.opening, self.begin, self.matched = opening, begin, matched
        self.rest: tuple[int, int] | None = None


class PythonSplitter:
    """A `Splitter`. Raises UsageError for paths that no scan takes."""

    def __init__(self, paths: Sequence[JsonPath]) -> None:
        check_paths(paths)
        self.fault: JsonCorrupt | None = None
        self._paths = [tuple(None if name is None else name.encode() for name in path) for path in paths]
        self._phase = _Phase.VALUE
        self._position = 0
        self._chunk = b""
        self._at = 0
        self._found: list[bytes] = []
        self._levels: list[_Level] = []
        self._skipped: list[int] = []  # the opening brackets of a container on no path
        self._beyond = 0  # how many more are open in it, deeper than DEPTH_MAX
        self._array: int | None = None  # the path whose array the innermost level is
        self._candidates = list(range(len(paths)))  # the paths that the next value may be on
        self._name = bytearray()
        self._value: tuple[RangeKind, int] | None = None
        self._value_begin = 0
        self._in_string = False
        self._escaped = False  # the next byte is behind an odd run of backslashes

    def feed(self, chunk: bytes | bytearray | memoryview) -> JsonRanges:
        if self.fault is None:
            self._chunk, self._at = bytes(chunk), 0
            try:
                while self._at < len(self._chunk):
                    self._step()
            except _Fault as fault:
                self.fault = JsonCorrupt(fault.status, self._position + self._at)
            self._position += self._at
        return self._taken()

    def finish(self) -> JsonRanges:
        if self.fault is not None:
            raise self.fault
        self._at = 0
        if self._phase is _Phase.IN_SCALAR and not self._levels:
            self._end_value()
        if self._phase is not _Phase.END:
            offset = self._value_begin if self._value else self._position
            raise JsonCorrupt(Status.JSON_TRUNCATED, offset)
        return self._taken()

    def _taken(self) -> JsonRanges:
        found, self._found = self._found, []
        return JsonRanges(b"".join(found))

    # -------------------------------------------------------------------------------- walking

    def _step(self) -> None:
        if self._phase is _Phase.IN_SKIPPED:
            self._skip()
        elif self._phase is _Phase.IN_NAME:
            self._read_name()
        elif self._phase is _Phase.IN_STRING:
            if self._read_string() is not None:
                self._end_value()
        elif self._phase is _Phase.IN_SCALAR:
            self._read_scalar()
        else:
            space = _SPACE.match(self._chunk, self._at)
            assert space is not None
            self._at = space.end()
            if self._at < len(self._chunk):
                self._walk(self._chunk[self._at])

    def _walk(self, byte: int) -> None:
        phase = self._phase
        closes = byte in (_ARRAY_END, _OBJECT_END)
        if closes and phase in (_Phase.FIRST_VALUE, _Phase.FIRST_NAME, _Phase.COMMA):
            self._leave(byte)
        elif phase in (_Phase.VALUE, _Phase.FIRST_VALUE) and byte not in b",:]}":
            if phase is _Phase.FIRST_VALUE:
                self._candidates = self._levels[-1].matched
            self._begin_value(byte)
        elif phase in (_Phase.NAME, _Phase.FIRST_NAME) and byte == _QUOTE:
            self._name.clear()
            self._begin_token(_Phase.IN_NAME)
        elif phase is _Phase.COLON and byte == _COLON:
            self._begin_token(_Phase.VALUE)
        elif phase is _Phase.COMMA and byte == _COMMA:
            in_array = self._levels[-1].opening == _ARRAY
            self._candidates = self._levels[-1].matched
            self._begin_token(_Phase.VALUE if in_array else _Phase.NAME)
        else:
            raise _Fault(Status.JSON_SYNTAX)

    def _begin_token(self, phase: _Phase) -> None:
        self._phase = phase
        self._escaped = self._in_string = False
        self._at += 1

    def _begin_value(self, byte: int) -> None:
        self._value_begin = self._position + self._at
        if self._array is not None:
            self._value = RangeKind.ELEMENT, self._array
        elif self._candidates:
            if self._enter(byte):
                return
            self._value = RangeKind.OTHER, self._candidates[0]
        if byte in _CLOSES:
            self._open(byte)
            self._begin_token(_Phase.IN_SKIPPED)
        else:
            self._begin_token(_Phase.IN_STRING if byte == _QUOTE else _Phase.IN_SCALAR)

    def _enter(self, byte: int) -> bool:
        """Enter the container that a value on a path is; False when it is not what the path needs."""
        level, path = len(self._levels), self._candidates[0]
        ends = len(self._paths[path]) == level  # no path begins another, so where one ends no other goes on
        onward = []
        if not ends and byte in _CLOSES:
            onward = [at for at in self._candidates if (self._paths[at][level] is None) == (byte == _ARRAY)]
        if not onward and not (ends and byte == _ARRAY):
            return False
        begin = self._position + self._at
        if ends:
            self._array = path
            if level and self._levels[-1].opening == _OBJECT:
                self._found.append(_RANGE.pack(self._levels[-1].begin, begin, RangeKind.OWNER, path))
        self._levels.append(_Level(byte, begin, onward))
        self._begin_token(_Phase.FIRST_VALUE if byte == _ARRAY else _Phase.FIRST_NAME)
        return True

    def _leave(self, byte: int) -> None:
        if byte != _CLOSES[self._levels[-1].opening]:
            raise _Fault(Status.JSON_MISMATCH)
        self._at += 1
        end = self._position + self._at
        level = self._levels.pop()
        if self._array is not None:
            if self._levels and self._levels[-1].opening == _OBJECT:
                self._levels[-1].rest = end, self._array
            self._array = None
        elif level.rest is not None:
            self._found.append(_RANGE.pack(level.rest[0], end, RangeKind.REST, level.rest[1]))
        self._end_value()

    def _end_value(self) -> None:
        if self._value is not None:
            self._found.append(_RANGE.pack(self._value_begin, self._position + self._at, *self._value))
        self._value = None
        self._phase = _Phase.COMMA if self._levels else _Phase.END

    # ------------------------------------------------------------------ names, strings, skipping

    def _read_string(self) -> bytes | None:
        """Read on behind the closing quote, and give what was read before it; None when the chunk ends."""
        begin = self._at
        if self._escaped:
            self._escaped = False
            self._at += 1
        while mark := _STRING_MARK.search(self._chunk, self._at):
            self._at = mark.end()
            if self._chunk[mark.start()] == _QUOTE:
                return self._chunk[begin : mark.start()]
            if self._at == len(self._chunk):
                self._escaped = True
                return None
            self._at += 1
        self._at = len(self._chunk)
        return None

    def _read_name(self) -> None:
        begin = self._at
        rest = self._read_string()
        if rest is None:
            self._name += self._chunk[begin:]
            return
        name = bytes(self._name + rest)
        level = len(self._levels) - 1
        self._candidates = [at for at in self._levels[-1].matched if self._paths[at][level] == name]
        self._phase = _Phase.COLON

    def _read_scalar(self) -> None:
        end = _SCALAR_END.search(self._chunk, self._at)
        self._at = end.start() if end else len(self._chunk)
        if end:
            self._end_value()

    def _open(self, byte: int) -> None:
        if len(self._levels) + len(self._skipped) == DEPTH_MAX:
            self._beyond += 1
            if self._value and self._value[0] is RangeKind.ELEMENT:
                self._value = RangeKind.DEEP, self._value[1]
        else:
            self._skipped.append(byte)

    def _skip(self) -> None:
        """Read on behind the end of a container on no path."""
        chunk = self._chunk
        if self._escaped and chunk[self._at] in b'"\\':
            self._at += 1
        self._escaped = False
        while mark := _SKIP_MARK.search(chunk, self._at):
            byte = chunk[mark.start()]
            self._at = mark.start()
            if byte == _BACKSLASH:
                self._escaped = mark.end() == len(chunk)
                self._at += 2 if chunk[mark.end() : mark.end() + 1] in (b'"', b"\\") else 1
                continue
            if byte == _QUOTE:
                self._in_string = not self._in_string
            elif not self._in_string and self._skip_bracket(byte):
                return
            self._at += 1
        self._at = len(chunk)

    def _skip_bracket(self, byte: int) -> bool:
        """Tell whether the bracket closes the container that is skipped."""
        if byte in _CLOSES:
            self._open(byte)
            return False
        if self._beyond:
            self._beyond -= 1
            return False
        if byte != _CLOSES[self._skipped[-1]]:
            raise _Fault(Status.JSON_MISMATCH)
        self._skipped.pop()
        if self._skipped:
            return False
        self._at += 1
        self._end_value()
        return True
