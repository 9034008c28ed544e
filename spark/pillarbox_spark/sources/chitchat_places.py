"""Where conversations lie in a `dataset.json`, and the utterances of one, also where some of it is no JSON.

What is no JSON ends where its quotes and brackets say so. Where those do not fit either, as where somebody
wrote a quote into a text, it ends before the next conversation, or utterance, that begins as all of them do:
no text looks like that, as a quote in a text has a backslash before it.

Depends on: nothing.  Never on: what anybody said.

Law: whatever has members of an utterance is in one place of the `utterances` of its conversation.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, SupportsIndex

_BLANKS: Final = r"[ \t\r\n]*"
_BEGIN: Final = re.compile(rf"(?:\xef\xbb\xbf)?{_BLANKS}\{{{_BLANKS}(\}}{_BLANKS}$)?")
_NAME: Final = re.compile(rf'("(?:[^"\\]|\\.)*"){_BLANKS}:{_BLANKS}')
_NEXT: Final = re.compile(rf"{_BLANKS}(?:,{_BLANKS}|(\}}{_BLANKS}$))")
_VALUE: Final = json.JSONDecoder(strict=False)

_UUID: Final = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
_CONVERSATION: Final = re.compile(rf'"{_UUID}"{_BLANKS}:{_BLANKS}\{{')
#: The last bracket of the last conversation.
_LAST: Final = re.compile(rf"\}}(?={_BLANKS}\}}{_BLANKS}$)")
_MESSAGES: Final = re.compile(rf'"messages"{_BLANKS}:{_BLANKS}\[')
_MEMBER: Final = rf'"(?:text|sender|timestamp)"{_BLANKS}:'
_UTTERANCE: Final = re.compile(rf"\{{{_BLANKS}({_MEMBER})")
_STRAY: Final = re.compile(_MEMBER)
#: The end of a member, with its comma or what became of that.
_MEMBER_BEFORE: Final = re.compile(rf'(?:[^"}}\]\[,]"|:{_BLANKS}(?:""|null|[0-9.]+)){_BLANKS},?{_BLANKS}$')
#: A text or a word; a bracket; what ends a value that has none. A lone quote is of a text without an end.
_TOKEN: Final = re.compile(
    r'("[^"\\]*(?:\\.[^"\\]*)*"|[^ \t\r\n,:"\[\]{}]+)|([\[{])|([\]}])|([,:"])', re.DOTALL
)
_AFTER_ELEMENT: Final = re.compile(rf"{_BLANKS}(?:[,\]]|$)")
_CLOSES: Final = {"[": "]", "{": "}"}
#: So far back is looked for what stands before a bracket, and for the name of a member.
_BLANKS_MAX: Final = 64
_LONG: Final = 1 << 14


class _Quiet(str):
    """A text in which errors of the parser look for no line: each would walk there from the beginning."""

    __slots__ = ()

    def count(self, sub: str, start: SupportsIndex | None = None, end: SupportsIndex | None = None, /) -> int:
        return 0

    def rfind(self, sub: str, start: SupportsIndex | None = None, end: SupportsIndex | None = None, /) -> int:
        return -1


def members(text: str) -> Iterator[tuple[str | None, int, int]]:
    """Name, as JSON, and place of each member of an object; None and the rest where it is none any more."""
    text = _Quiet(text)
    ends = _Ends(text)
    mark = _BEGIN.match(text)
    at = mark.end() if mark else 0
    while mark is None or mark[1] is None:
        name = _NAME.match(text, at) if mark else None
        end = ends.of(name.end()) if name else None
        if name is None or end is None:
            yield None, at, len(text)
            return
        yield name[1], name.end(), end
        at = end
        if mark := _NEXT.match(text, at):
            at = mark.end()


class _Ends:
    """Where the conversations of a text end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._begins: list[int] | None = None

    def of(self, at: int) -> int | None:
        """The end of the one that begins at `at`; None where the text ends before it does."""
        text = self._text
        if end := _strict_end(text, at):
            return end
        if self._begins is None:
            self._begins = [mark.start() for mark in _CONVERSATION.finditer(text, at)]
        if stop := _next(self._begins, at + 1):
            return _loose_end(text, at, stop) or at + len(text[at:stop].rstrip(" \t\r\n,"))
        if end := _loose_end(text, at, len(text)):
            return end
        last = _LAST.search(text, at)
        return last.end() if last else None


def utterances(text: str) -> list[tuple[int, int]]:
    """Where the utterances of a conversation lie, and whatever stands in the place of one."""
    text = _Quiet(text)
    begins = _begins(text)
    arrays = [mark.end() for mark in _MESSAGES.finditer(text)]
    places: list[tuple[int, int]] = []
    end = 0
    while True:  # brackets may not fit, so that there is more behind a list; it may be there twice
        said, array = _next(begins, end), _next(arrays, end)
        if array is not None and (said is None or array < said):
            end = max(_cut_array(text, array, 1, begins, places), array + 1)
        elif said is not None:
            end = _cut_array(text, said, 2, begins, places)
        else:
            return sorted([*places, *_strays(text, places)])


def _begins(text: str) -> list[int]:
    """Where utterances begin: not where a bracket stands between two members of one, which differ in name."""
    begins: list[int] = []
    for mark in _UTTERANCE.finditer(text):
        at = mark.start()
        is_behind_member = _MEMBER_BEFORE.search(text[max(0, at - _BLANKS_MAX) : at])
        if not is_behind_member or mark[1] in text[max(at - _LONG, *begins[-1:], 0) : at]:
            begins.append(at)
    return begins


def _strays(text: str, places: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What lies around these places and has members of an utterance, which begins as none does."""
    ends = [0, *(end for _, end in places)]
    begins = [*(begin for begin, _ in places), len(text)]
    return ((end, begin) for end, begin in zip(ends, begins, strict=True) if _STRAY.search(text, end, begin))


def _next(places: list[int], at: int) -> int | None:
    found = bisect_left(places, at)
    return places[found] if found < len(places) else None


def _cut_array(text: str, at: int, depth: int, begins: list[int], places: list[tuple[int, int]]) -> int:
    """Add what lies in the turns of a list from `at` on, where `depth` lists are open; where that ends."""
    while depth and at < len(text):
        mark = text[at]
        if mark == "]":
            depth -= 1
        elif mark == "[" and depth == 1:
            depth = 2
        elif mark not in " \t\r\n,":
            end = _end_of_utterance(text, at, begins)
            if places and _next(begins, at) != at and "," not in text[places[-1][1] : at]:
                places[-1] = places[-1][0], end  # the rest of a text that seemed to end the list
            else:
                places.append((at, end))
            at = end - 1
        at += 1
    return at


def _end_of_utterance(text: str, at: int, begins: list[int]) -> int:
    stop = _next(begins, at + 1) or len(text)
    end = _strict_end(text, at) or _loose_end(text, at, stop)
    if end and _AFTER_ELEMENT.match(text, end):
        return end
    return at + len(text[at:stop].rstrip(" \t\r\n,[]")) if text[at] not in "[]" else stop


def _strict_end(text: str, at: int) -> int | None:
    """Where a value of JSON ends; None for what is none."""
    try:
        return _VALUE.raw_decode(text, at)[1]
    except (ValueError, RecursionError):
        return None


def _loose_end(text: str, at: int, stop: int) -> int | None:
    """Where a value ends by its quotes and brackets; None where that is not before `stop`."""
    closes: list[str] = []
    for token in _TOKEN.finditer(text, at, stop):
        _, opening, closing, mark = token.groups()
        if opening:
            closes.append(_CLOSES[opening])
        elif (closing and (not closes or closes.pop() != closing)) or mark == '"' or (mark and not closes):
            return None
        if not closes:
            return token.end()
    return None
