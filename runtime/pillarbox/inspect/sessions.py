"""A record of a session as lines of text.

Depends on: sync (record entries), packages.  Never on: boxes.

Law: a line for each entry, in order; what does not decode is shown as what it is, bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pillarbox.errors import DataError
from pillarbox.inspect.packages import Synced
from pillarbox.sync import record_entries as entries
from pillarbox.sync.record_entries import Entry, Record

_Decode = Callable[[bytes], Any] | None


def lines(record: Record, synced: Synced) -> Iterator[str]:
    """What is in a record, with the contents as the package reads them."""
    yield f"{record.header.package}, layout {record.header.layout_hash}, {len(record.entries):,} entries"
    began = now = 0
    for entry in record.entries:
        if isinstance(entry, entries.Began):
            began = entry.now
        now = getattr(entry, "now", now)
        yield f"{(now - began) / 1_000:10.3f}  {entry.word:<8}  {_contents(entry, synced)}".rstrip()


def _contents(entry: Entry, synced: Synced) -> str:
    protocol = synced.protocol
    match entry:
        case entries.Began(_, marker, master):
            return f"run {marker}, {'master' if master else 'not master'}"
        case entries.Said(_, container):
            return _shown(protocol.decode_container, container)
        case entries.Replied(_, owner, number, answer):
            return f"{owner} {number}  {_shown(protocol.decode_answer, answer)}"
        case entries.Sent(owner, number, request):
            return f"{owner} {number}  {_shown(protocol.decode_request, request)}"
        case entries.Broke(_, owner, number, kind, value):
            return f"{owner} {number}  {kind}{'' if value is None else f': {value}'}"
        case entries.Stored(_, owner, number, events):
            return f"{owner} {number}  {'read' if events is None else f'written, {events} events'}"
        case entries.Unstored(_, owner, number, reason, stale):
            return f"{owner} {number}  {'stale' if stale else 'failed'}: {reason}"
        case entries.Tick(_, owner, number):
            return f"{owner} {number}"
        case entries.Demanded(_, _, what, cursor, key):
            return f"{what} {cursor} {key!r}" if what in ("open", "close") else what
        case entries.Mumbled(_, text) | entries.Poked(_, text):
            return text
        case entries.Beside(times):
            return f"others wrote {times} times, which is not in the record"
        case entries.Role(_, master):
            return "master" if master else "not master"
    return ""


def _shown(decode: _Decode, data: bytes) -> str:
    if decode is None:
        return f"0x{data.hex()}"
    try:
        return repr(decode(data))
    except DataError:
        return f"0x{data.hex()}"
