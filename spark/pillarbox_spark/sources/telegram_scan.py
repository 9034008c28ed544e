"""One pass over an export: where its chats lie, and the messages of each.

Depends on: native.  Never on: what a chat or a message says.

Law: what is found takes memory by the number of chats and of runs of messages, not by their size.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from pillarbox.native import JsonCorrupt, JsonRange, RangeKind, library

CHAT_LISTS: Final = ("chats", "left_chats")
_CHAT_PATHS: Final = (("messages",), *((name, "list", None, "messages") for name in CHAT_LISTS))
#: The other sections, and the path to what is counted of each.
SECTIONS: Final = {
    "personal_information": ("personal_information",),
    "profile_pictures": ("profile_pictures",),
    "profile_music": ("profile_music",),
    "stories": ("stories",),
    "contacts": ("contacts", "list"),
    "frequent_contacts": ("frequent_contacts", "list"),
    "sessions": ("sessions", "list"),
    "web_sessions": ("web_sessions", "list"),
    "other_data": ("other_data",),
}
_SECTION_NAMES: Final = ("",) * len(_CHAT_PATHS) + tuple(SECTIONS)
_PATHS: Final = (*_CHAT_PATHS, *SECTIONS.values())
_LEFT: Final = _CHAT_PATHS.index(("left_chats", "list", None, "messages"))
_CHUNK_BYTES: Final = 1 << 22
#: The longest message that is read; a piece is read into memory as a whole.
MESSAGE_MAX: Final = 1 << 26
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Run:
    """Elements of an array that lie together."""

    begin: int
    end: int
    count: int
    #: Some are, where they lie, nested deeper than a scan compares.
    deep: bool = False


@dataclass(slots=True)
class FoundChat:
    """An object with messages: `begin` .. `end` is before their array, `rest` behind it."""

    begin: int
    end: int
    left: bool
    runs: list[Run] = field(default_factory=list)
    #: What comes next does not lie beside the last run.
    apart: bool = False
    #: None: the file ends before the object does.
    rest: tuple[int, int] | None = None


@dataclass(slots=True)
class Section:
    """What is there of a section: its elements, or its whole value as one."""

    begin: int
    end: int
    count: int


class Scan:
    """What one pass over a file finds. `run_bytes`: about the most that a run of messages may take."""

    def __init__(self, file: BinaryIO, run_bytes: int) -> None:
        self.chats: list[FoundChat] = []
        #: Values that stand where a chat or its messages should.
        self.odd: list[tuple[int, int]] = []
        #: Messages above MESSAGE_MAX bytes.
        self.long: list[tuple[int, int]] = []
        self.sections: dict[str, Section] = {}
        #: What stopped the scan.
        self.fault: JsonCorrupt | None = None
        #: Where the last complete thing ends.
        self.end = 0
        self._run_bytes = min(run_bytes, MESSAGE_MAX)
        self._open: dict[int, FoundChat] = {}
        self._read(file)

    def _read(self, file: BinaryIO) -> None:
        splitter = library().splitter(_PATHS)
        chunk = file.read(_CHUNK_BYTES)
        if chunk.startswith(BYTE_ORDER_MARK):
            chunk = chunk.replace(BYTE_ORDER_MARK, b"   ", 1)
        while chunk and splitter.fault is None:
            self._take(splitter.feed(chunk))
            chunk = file.read(_CHUNK_BYTES)
        try:
            self._take(splitter.finish())
        except JsonCorrupt as fault:
            self.fault = fault

    def _take(self, ranges: Iterable[JsonRange]) -> None:
        element, run_bytes = RangeKind.ELEMENT, self._run_bytes
        # One loop for all that a chunk holds, because this runs once for every message.
        path_before, run = -1, None
        begin = end = 0
        for begin, end, kind, path in ranges:
            if kind == element:
                if path == path_before and run is not None and end - run.begin <= run_bytes:
                    run.end = end
                    run.count += 1
                    continue
                run = self._element(begin, end, path)
                path_before = path
            else:
                run = None
                self._mark(begin, end, kind, path)
        self.end = max(self.end, end)

    def _element(self, begin: int, end: int, path: int) -> Run | None:
        """Add an element; the run that more may be added to."""
        if _SECTION_NAMES[path]:
            self._add_to_section(begin, end, path)
            return None
        chat = self._open[path]
        if end - begin > MESSAGE_MAX:
            self.long.append((begin, end))
            chat.apart = True
            return None
        if chat.runs and not chat.apart and end - chat.runs[-1].begin <= self._run_bytes:
            chat.runs[-1].end = end
            chat.runs[-1].count += 1
        else:
            chat.runs.append(Run(begin, end, 1))
            chat.apart = False
        return chat.runs[-1]

    def _mark(self, begin: int, end: int, kind: int, path: int) -> None:
        if kind == RangeKind.DEEP:
            if run := self._element(begin, end, path):
                run.deep = True
        elif _SECTION_NAMES[path]:
            if kind == RangeKind.OTHER:
                self._add_to_section(begin, end, path)
        elif kind == RangeKind.OWNER:
            chat = self._open.get(path)
            if chat is not None and chat.begin == begin:  # its second array of messages
                chat.apart = True
            else:
                self._open[path] = chat = FoundChat(begin, end, path == _LEFT)
                self.chats.append(chat)
        elif kind == RangeKind.REST:
            self._open.pop(path).rest = begin, end
        else:
            self.odd.append((begin, end))

    def _add_to_section(self, begin: int, end: int, path: int) -> None:
        section = self.sections.setdefault(_SECTION_NAMES[path], Section(begin, end, 0))
        section.end = end
        section.count += 1
