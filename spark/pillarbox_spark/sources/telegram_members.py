"""JSON as an export has it: escapes that no parser takes, elements of a stretch of an array, members kept.

Depends on: native, msgspec.  Never on: what an element means.

Law: what `mended` changes are `\\xHH` behind an odd run of backslashes, and text without them is unchanged.
What `repaired` changes is no JSON before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import msgspec
from msgspec import Raw

from pillarbox.errors import DataError
from pillarbox.native import JsonCorrupt, RangeKind, library

#: A member of an object: its name, and its value as it stands.
Member: TypeAlias = tuple[str, bytes]

#: What decoders raise: the last two for bytes that are no UTF-8, and for what is nested too deep.
Undecodable: Final = (msgspec.MsgspecError, ValueError, RecursionError)

#: It begins with letters as they are, so that the search for it is quick.
_HEX_ESCAPE: Final = re.compile(rb"\\x(?=[0-9A-Fa-f]{2})")
#: Up to the end of its line. Inside of a text a backslash is before each quote.
_BARE_PATH: Final = re.compile(
    rb'("document_id": )(?!(?:null|true|false)\b)([A-Za-z(][^\r\n"\\]*[^\r\n"\\,])(?=,?\r?\n)'
)
_BACKSLASH: Final = ord("\\")
_ELEMENTS: Final = msgspec.json.Decoder(list[Raw])
_OBJECT: Final = msgspec.json.Decoder(dict[str, Raw])


def mended(text: bytes) -> bytes:
    """The text with each `\\xHH`, as which the writer puts control characters, made `\\u00HH`."""
    # Most texts have none, and this is told ten times as fast.
    return _HEX_ESCAPE.sub(_json_escape, text) if b"\\x" in text else text


def _json_escape(match: re.Match[bytes]) -> bytes:
    text, at = match.string, match.start()
    while at and text[at - 1] == _BACKSLASH:
        at -= 1
    # An even run of backslashes before this one: it begins an escape.
    return b"\\u00" if (match.start() - at) % 2 == 0 else b"\\x"


def readable(text: bytes) -> bytes:
    """A text of names and the like, mended, with U+FFFD for what is no UTF-8 in it."""
    return _unstrayed(mended(text)).decode(errors="replace").encode()


def repaired(element: bytes) -> bytes:
    """An element without what else versions of the writer are known to do wrong.

    One (4.1.1) puts no quotes around the path in `document_id`. Raises Undecodable for what is no UTF-8.
    """
    text = _BARE_PATH.sub(rb'\1"\2"', _unstrayed(element))
    text.decode()
    return text


def _unstrayed(text: bytes) -> bytes:
    """Without the last two bytes of U+2028 and U+2029, which the writer leaves behind their escapes."""
    return text.replace(b"\\u2028\x80\xa8", b"\\u2028").replace(b"\\u2029\x80\xa9", b"\\u2029")


def elements_of(stretch: bytes, count: int) -> Sequence[Raw] | Sequence[bytes]:
    """The `count` elements that a stretch of an array holds, mended. Raises DataError for another number."""
    text = mended(b"[%b]" % stretch)
    try:
        elements = _ELEMENTS.decode(text)
        if len(elements) == count:
            return elements
    except Undecodable:
        pass
    # Some element is no JSON: what the index cut at, cuts it out here as well.
    return [text[begin:end] for begin, end in _cut(text, count)]


def places_of(stretch: bytes, count: int) -> list[tuple[int, int]]:
    """Where each of the `count` elements of a stretch begins and ends in it. Raises DataError as above."""
    return [(begin - 1, end - 1) for begin, end in _cut(b"[%b]" % stretch, count)]


def deep_of(stretch: bytes) -> frozenset[int]:
    """Which elements of a stretch are nested too deep, counted from 0, wherever the array lies."""
    ranges = library().splitter([()]).feed(b"[%b]" % stretch)
    return frozenset(number for number, one in enumerate(ranges) if one.kind == RangeKind.DEEP)


def _cut(array: bytes, count: int) -> list[tuple[int, int]]:
    splitter = library().splitter([()])
    try:
        places = [(begin, end) for begin, end, _, _ in (*splitter.feed(array), *splitter.finish())]
    except JsonCorrupt as error:
        raise DataError(f"{error}: the file changed after it was indexed; run it again") from error
    if len(places) != count:
        raise DataError(
            f"{len(places)} elements where the index saw {count}: the file changed after it; run it again"
        )
    return places


def members_of(text: bytes) -> list[Member]:
    """The members of an object, in order. Raises Undecodable for what is none, or is no JSON."""
    return [(name, bytes(value)) for name, value in _OBJECT.decode(text).items()]


def repeated_members_of(text: bytes) -> list[Member]:
    """As `members_of`, but of members of one name every one is there, in order.

    The writer repeats `text` where an action has a member of that name. Values are written anew.
    """
    _OBJECT.decode(text)
    pairs = json.loads(text, object_pairs_hook=_Pairs)
    return [(name, msgspec.json.encode(_plain(value))) for name, value in pairs.items]


class _Pairs:
    """An object while it is read."""

    def __init__(self, items: list[tuple[str, object]]) -> None:
        self.items = items


def _plain(value: object) -> object:
    if isinstance(value, _Pairs):
        return {name: _plain(inner) for name, inner in value.items}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def object_of(members: Iterable[Member]) -> bytes | None:
    """These members as a JSON object without blanks; None when there is none."""
    text = b",".join(b"%b:%b" % (msgspec.json.encode(name), value) for name, value in members)
    return compact(b"{%b}" % text) if text else None


def compact(text: bytes | Raw) -> bytes:
    """The same JSON without blanks, so that it does not depend on the layout of a file.

    Raises Undecodable for what is no UTF-8.
    """
    shown = msgspec.json.format(bytes(text), indent=-1)
    shown.decode()
    return shown
