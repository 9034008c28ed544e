"""The pieces of an export, and all that is in none of them.

Depends on: telegram_scan, telegram_chats, telegram_members.  Never on: what a message says.

Law: what is in no piece and in no section is refused, or is brackets and texts about the export.

What no path of the scan leads to is read as a small JSON text of its own, the leftover, with `0` in place of
all that was found: chats without an array of messages are there, and sections that nobody here knows.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from os import SEEK_END
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from pillarbox.native import JsonCorrupt, RangeKind, library
from pillarbox.native.interface import Status
from pillarbox_spark.adapters import Found, Piece, Refused, Skipped, opened
from pillarbox_spark.sources.telegram_chats import Chat, Owner, chat_of, owner_of
from pillarbox_spark.sources.telegram_members import Undecodable, readable
from pillarbox_spark.sources.telegram_scan import BYTE_ORDER_MARK, CHAT_LISTS, SECTIONS, FoundChat, Run, Scan

_PRIVATE: Final = frozenset(
    {"personal_information", "contacts", "frequent_contacts", "sessions", "web_sessions"}
)
_LISTED: Final = tuple(name for name, path in SECTIONS.items() if path == (name, "list"))
#: The most that is kept of what is refused; one more byte tells that there is more.
RAW_MAX: Final = 1 << 20
#: The most that is read of what a chat says of itself, and of what lies around all chats.
TEXT_MAX: Final = 1 << 24
#: What may stand before an element.
_BETWEEN: Final = b" \t\r\n,["
_BRACKETS: Final = _BETWEEN + b"]}"
#: A text, or a bracket.
_TOKEN: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)
_CLOSING: Final = {b"[": b"]", b"{": b"}"}
_UNREAD: Final = "is no JSON that can be read; mend it, or take it out"


def index(number: int, path: Path, piece_bytes: int) -> Iterator[Found]:
    """The pieces of file `number`, in order, then what is in none."""
    with opened(path) as file:
        export = _Export(file, Scan(file, piece_bytes))
        yield from _pieces(number, export.chats)
        yield from export.refused
        yield from export.skipped


def _pieces(number: int, chats: list[tuple[Chat, list[Run]]]) -> Iterator[Piece]:
    """In the order of the file; a chat may be around others. It is the first record of its first piece."""
    parts = [
        (run, chat if at == 0 else msgspec.structs.replace(chat, kept=None, broken=None), at == 0)
        for chat, runs in chats
        for at, run in enumerate(runs or [Run(chat.end, chat.end, 0)])
    ]
    first = 0
    for run, chat, opens in sorted(parts, key=lambda part: part[0].begin):
        context = msgspec.structs.replace(chat, opens=opens, deep=run.deep)
        records = run.count + opens
        text = msgspec.json.encode(context).decode()
        yield Piece(number, run.begin, run.end, first, records, chat.group, text)
        first += records


class _Export:
    """The chats of a file with what each says of itself, and what is left out or refused."""

    def __init__(self, file: BinaryIO, scan: Scan) -> None:
        self._file, self._scan = file, scan
        self._size = file.seek(0, SEEK_END)
        self.chats: list[tuple[Chat, list[Run]]] = []
        self.refused: list[Refused] = []
        self.skipped: list[Skipped] = []
        self._owner = self._find_owner()
        for found in scan.chats:
            self.chats.append((self._chat_of(found), found.runs))
        for begin, end in scan.odd:
            self._refuse("odd-value", "a chat, or its messages, should stand here; take it out", begin, end)
        for begin, end in scan.long:
            self._refuse("long-message", f"it takes {end - begin:,} bytes; make it shorter", begin, end)
        self._read_leftover(_Leftover(file, self._size, self._holes()))
        self._skip_sections()
        if scan.fault is not None:
            self._refuse_rest(scan.fault)

    def _find_owner(self) -> Owner:
        section = self._scan.sections.get("personal_information")
        return owner_of(_read(self._file, section.begin, section.end, TEXT_MAX)) if section else Owner()

    def _chat_of(self, found: FoundChat) -> Chat:
        """Of an object that says more than is read, only what stands before its messages."""
        rest = b"}"
        if found.rest is not None:
            begin, end = found.rest
            if end - begin > TEXT_MAX:
                self._refuse("long-chat", "a chat says too much behind its messages", begin, end)
            elif not self._reads(begin, end, b'{"":0%b'):
                self._refuse("broken-chat", f"what a chat says behind its messages {_UNREAD}", begin, end)
            else:
                rest = _read(self._file, begin, end, TEXT_MAX)
        text = _read(self._file, found.begin, found.end, TEXT_MAX) + b"[]" + rest
        chat = chat_of(text, found.begin, found.end, left=found.left, owner=self._owner)
        if chat.id is None and found.rest is not None and rest.strip(_BRACKETS):
            self._refuse("chat-without-id", "its chat has no id; give the chat its id", *found.rest)
        return chat

    def _reads(self, begin: int, end: int, within: bytes) -> bool:
        """Whether a stretch is JSON where it stands; what is too long to be read passes for it."""
        if end - begin > TEXT_MAX:
            return True
        try:
            msgspec.json.decode(readable(within % _read(self._file, begin, end, TEXT_MAX)))
        except Undecodable:
            return False
        return True

    # ------------------------------------------------------------------------------- the leftover

    def _holes(self) -> list[tuple[int, int]]:
        scan = self._scan
        # What follows a chat that the file ends in is refused as a whole.
        chats = [(chat.begin, chat.rest[1] if chat.rest else self._size) for chat in scan.chats]
        sections = [(section.begin, section.end) for section in scan.sections.values()]
        fault = scan.fault
        unread = [(fault.offset, self._size)] if fault and fault.status != Status.JSON_TRUNCATED else []
        return sorted(chats + sections + scan.odd + unread)

    def _read_leftover(self, leftover: _Leftover) -> None:
        if leftover.more is not None:
            self._refuse("long-rest", "too much lies around the chats; take it out", *leftover.more)
        for name in CHAT_LISTS:
            for begin, end in leftover.objects_of(name):
                self._add_empty_chat(leftover, begin, end, left=name == "left_chats")
        try:
            root = msgspec.json.decode(readable(leftover.text))
        except Undecodable:
            if leftover.more is None:  # else that is told
                self._refuse_around(leftover)
            return
        if not isinstance(root, dict):
            return
        if {"type", "id"} & root.keys():
            self._add_empty_chat(leftover, 0, len(leftover.text), left=False)
        elif not root.keys() & {*CHAT_LISTS, *SECTIONS}:
            self._refuse("no-export", "neither a chat nor an account's export is in it", 0, self._size)
        else:
            for name in sorted(_unknown(root)):
                self._skip(f"{name}: it is not known", private=False)

    def _refuse_around(self, leftover: _Leftover) -> None:
        """Refuse what lies around the chats and cannot be read; behind a fault, what is unknown.

        A bracket that lacks may make a list of chats a member of something else.
        """
        detail, fault = f"what lies around the chats {_UNREAD}", self._scan.fault
        if fault is None:
            self._refuse("broken-rest", detail, 0, self._size)
            return
        end = self._begin_of_rest(fault)
        if not _is_common(leftover.closed(end)):
            for part in leftover.parts(end):
                self._refuse("broken-rest", detail, *part)

    def _add_empty_chat(self, leftover: _Leftover, begin: int, end: int, *, left: bool) -> None:
        """Add a chat without an array of messages, which is in the leftover from `begin` to `end`."""
        place = leftover.place_of(begin), leftover.place_of(end)
        chat = chat_of(leftover.text[begin:end], *place, left=left, owner=self._owner)
        self.chats.append((chat, []))
        self._scan.end = max(self._scan.end, chat.end)

    def _skip_sections(self) -> None:
        for name, section in self._scan.sections.items():
            if self._reads(section.begin, section.end, b"[%b]"):
                self._skip(f"{name} ({section.count:,})", private=name in _PRIVATE)
            else:  # there may be chats in it, where its quotes do not fit
                self._refuse("broken-section", f"{name} {_UNREAD}", section.begin, section.end)

    # ---------------------------------------------------------------------------------- reporting

    def _skip(self, what: str, *, private: bool) -> None:
        why = "what it says of people is not loaded" if private else "no table holds it"
        self.skipped.append(Skipped(what, why))

    def _refuse(self, reason: str, detail: str, begin: int, end: int) -> None:
        raw = _read(self._file, begin, end, RAW_MAX + 1)
        self.refused.append(Refused(reason, detail, begin, raw, end - begin))

    def _refuse_rest(self, fault: JsonCorrupt) -> None:
        reason = "truncated" if fault.status == Status.JSON_TRUNCATED else "broken-syntax"
        self._refuse(reason, f"{fault}", self._begin_of_rest(fault), self._size)

    def _begin_of_rest(self, fault: JsonCorrupt) -> int:
        """From where on the file is refused: of one that is cut, from what is cut, where that is known."""
        begin = self._end_of_whole()
        is_cut = fault.status == Status.JSON_TRUNCATED and begin <= fault.offset < self._size
        if is_cut and not _read(self._file, begin, fault.offset, RAW_MAX).strip(_BETWEEN):
            return fault.offset
        return begin

    def _end_of_whole(self) -> int:
        """Where the last thing ends that is whole; an odd value may be in a chat which is not."""
        scan = self._scan
        if not scan.odd or scan.odd[-1][1] < scan.end:
            return scan.end
        ends = [section.end for section in scan.sections.values()]
        for chat in scan.chats:
            ends += [chat.end, *(run.end for run in chat.runs), *(chat.rest or ())]
        return max(ends, default=0)


def _unknown(root: dict[str, Any]) -> Iterator[str]:
    """The sections of an account's export that nobody here knows, and what else is beside the list of one."""
    yield from root.keys() - {"about", *CHAT_LISTS, *SECTIONS}
    for name in (*CHAT_LISTS, *_LISTED):
        section = root.get(name)
        if isinstance(section, dict):
            yield from (f"{name}.{inner}" for inner in section.keys() - {"about", "list"})


def _is_common(text: bytes) -> bool:
    """Whether it is an account's export, in which nothing is unknown."""
    try:
        root = msgspec.json.decode(readable(text))
    except Undecodable:
        return False
    return isinstance(root, dict) and not any(_unknown(root))


class _Leftover:
    """The text of a file outside of its holes, each of which is a `0`."""

    def __init__(self, file: BinaryIO, size: int, holes: list[tuple[int, int]]) -> None:
        parts: list[bytes] = []
        #: Where the parts begin, in the leftover and in the file.
        self._begins: list[int] = []
        self._places: list[int] = []
        #: The part that was too long, and so is not read on.
        self.more: tuple[int, int] | None = None
        at = length = 0
        for begin, end in [*holes, (size, size)]:
            if begin < at:  # inside of the hole before it
                continue
            part = _read(file, at, begin, TEXT_MAX - length + 1)
            if length + len(part) > TEXT_MAX:
                self.more = at, begin
                break
            self._begins.append(length)
            self._places.append(at)
            parts.append(part)
            length += len(part) + 1
            at = end
        self.text = b"0".join(parts)
        if self.text.startswith(BYTE_ORDER_MARK):
            self.text = self.text.replace(BYTE_ORDER_MARK, b"   ", 1)

    def parts(self, end: int) -> list[tuple[int, int]]:
        """Where in the file parts are that hold something, up to `end`."""
        found = []
        for begin, place, length in self._parts():
            if place < end and self.text[begin : begin + min(length, end - place)].strip(_BRACKETS):
                found.append((place, min(place + length, end)))
        return found

    def _parts(self) -> Iterator[tuple[int, int, int]]:
        """Of each part, where it begins, here and in the file, and its length."""
        for at, (begin, after) in enumerate(pairwise((*self._begins, len(self.text) + 1))):
            yield begin, self._places[at], after - begin - 1

    def closed(self, end: int) -> bytes:
        """The text up to `end` in the file, with the brackets closed that are open there."""
        kept = 0
        for begin, place, length in self._parts():
            if place < end:
                kept = begin + min(end - place, length + 1)  # and the hole behind it
        text = self.text[:kept]
        text = text.rstrip(_BETWEEN)
        if text.endswith(b":"):
            text += b"0"
        open_: list[bytes] = []
        for token in _TOKEN.findall(text):
            if token in _CLOSING:
                open_.append(_CLOSING[token])
            elif open_ and token in b"]}":
                open_.pop()
        return text + b"".join(reversed(open_))

    def place_of(self, at: int) -> int:
        """Where in the file a byte of the leftover is."""
        part = bisect_right(self._begins, at) - 1
        return self._places[part] + at - self._begins[part]

    def objects_of(self, name: str) -> list[tuple[int, int]]:
        """Where the objects that are left in a list of chats are."""
        splitter = library().splitter([(name, "list")])
        found = [(it.begin, it.end) for it in splitter.feed(self.text) if it.kind == RangeKind.ELEMENT]
        return [(begin, end) for begin, end in found if self.text[begin : begin + 1] == b"{"]


def _read(file: BinaryIO, begin: int, end: int, limit: int) -> bytes:
    file.seek(begin)
    return file.read(min(end - begin, limit))
