"""Writing down a session: whatever the machine hears, in order and with its time.

Depends on: record_entries, protocol, shown, signals, box (packages).  Never on: transports, clocks.

Law: what is in a record is enough to step a machine through the same states on the same box, and where others
wrote to the box it says so. What cannot be written down is not heard either; else recording never hinders the
engine, a disk that is full ends the record alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import asdict
from os import PathLike
from typing import Any

import msgspec

from pillarbox.box.package import Package
from pillarbox.errors import UsageError
from pillarbox.sync import record_entries as entries
from pillarbox.sync.limits import Limits
from pillarbox.sync.news import HOLES
from pillarbox.sync.protocol import SyncProtocol
from pillarbox.sync.record_entries import Entry, Header, RecordWriter
from pillarbox.sync.shown import Shown, said
from pillarbox.sync.signals import (
    Answered,
    Asked,
    CommitFailed,
    Committed,
    Custom,
    Failed,
    Failure,
    Flood,
    Flush,
    Input,
    Loaded,
    Look,
    Poke,
    Received,
    Refused,
    Resync,
    RoleChanged,
    Send,
    SessionChanged,
    Started,
    Stopped,
    Ticked,
    Transient,
    Woken,
)
from pillarbox.views import holes_as_bytes

_log = logging.getLogger("pillarbox.sync")


class Unreadable(msgspec.Struct, frozen=True):
    """Stands for what a server said that was nothing of the schema."""

    text: str


class Recorder:
    """Writes the sessions of one box to one file, which may hold earlier ones.

    Raises UsageError where the file is the record of another kind of box, or the protocol has no wire forms.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        package: Package[Any, Any],
        protocol: SyncProtocol,
        limits: Limits,
        commits: Callable[[], int] = lambda: 0,
    ) -> None:
        """`commits`: as `Box.commits`, by which it is seen that others write."""
        container = protocol.encode_container, protocol.decode_container
        answer = protocol.encode_answer, protocol.decode_answer
        request = protocol.encode_request, protocol.decode_request
        asks = any(spec.difference is not None for spec in protocol.cursors.values())
        if None in (*answer, *request) and (asks or None in container):
            raise UsageError(
                "a session of this protocol cannot be recorded: it has no wire forms; a generated protocol "
                "has them, one that is written by hand needs `encode_request` and its like"
            )
        self._container, self._answer, self._request = container, answer, request
        self._operation = protocol.encode_operation or repr_of
        self._limits = asdict(limits)
        self._commits = commits
        #: How many commits there were before, of the engine, and of others that are noted.
        self._known = commits()
        self._writer: RecordWriter | None = None
        try:
            self._writer = RecordWriter(path, Header(package.name, package.layout_hash))
        except OSError as error:
            _log.error("this session is not recorded: %s", error)

    def heard(self, input: Input, /) -> Input:
        """As `driver.Record.heard`."""
        if self._writer is None:
            return input
        if isinstance(input, Committed) and input.facts.changed:
            self._known += 1
        self._note_others()
        entry = self._entry(input)
        self._write(entry)
        return _as_written(input, entry)

    def sent(self, output: Send, /) -> None:
        """As `driver.Record.sent`."""
        data = _encoded(self._request, output.request)
        if data is not None:
            self._write(entries.Sent(output.id.owner, output.id.number, data))

    def close(self) -> None:
        """The session is over."""
        self._note_others()
        self._end()

    def _end(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            try:
                writer.close()
            except OSError as error:
                _log.error("the record of this session may lack its end: %s", error)

    def _note_others(self) -> None:
        """What others wrote is not known, but that they did: a replay does not make these tables."""
        times = self._commits() - self._known
        if times > 0:
            self._known += times
            self._write(entries.Beside(times))

    def _write(self, entry: Entry) -> None:
        if self._writer is None:
            return
        try:
            self._writer.write(entry)
        except OSError as error:
            _log.error("the record of this session ends here: %s", error)
            self._end()

    def _entry(self, input: Input) -> Entry:
        now = input.now
        match input:
            case Started(_, marker, master):
                return entries.Began(now, marker, master, self._limits)
            case Received(_, container, did):
                data = _encoded(self._container, container)
                effect = self._effect(did)
                if data is None or effect is None:
                    return entries.Mumbled(now, str(Shown(container)))
                return entries.Said(now, data, effect)
            case Answered(_, id, answer):
                data = _encoded(self._answer, answer)
                if data is None:
                    return entries.Broke(now, *id, "Transient", f"no answer of the schema: {Shown(answer)}")
                return entries.Replied(now, *id, data)
            case Failed(_, id, failure):
                return entries.Broke(now, *id, type(failure).__name__, _value(failure))
            case SessionChanged():
                return entries.NewSession(now)
            case Ticked(_, id):
                return entries.Tick(now, *id)
            case RoleChanged(_, master):
                return entries.Role(now, master)
            case Woken():
                return entries.Awoke(now)
            case Asked(_, ticket, what):
                return _demanded(now, ticket, what)
            case Poke(_, owner, what):
                return entries.Poked(now, owner, holes_as_bytes(what) if owner.startswith(HOLES) else None)
            case Loaded(_, id):
                return entries.Stored(now, *id, None)
            case Committed(_, id, facts):
                return entries.Stored(now, *id, len(facts.events))
            case CommitFailed(_, id, reason, stale, ill):
                return entries.Unstored(now, *id, reason, stale, ill)
            case Stopped():
                return entries.Ended(now)

    def _effect(self, did: tuple[Any, ...]) -> tuple[bytes, ...] | None:
        try:
            return tuple(map(self._operation, did))
        except Exception as error:
            _log.error("what the program did is not recorded, nor done: %s", said(error))
        return None


def _as_written(input: Input, entry: Entry) -> Input:
    """What a replay hears of it: an answer or a container with a wrong field is not in the record."""
    match input, entry:
        case Answered(now, id), entries.Broke(_, _, _, _, str(reason)):
            return Failed(now, id, Transient(reason))
        case Received(now), entries.Mumbled(_, text):
            return Received(now, Unreadable(text))
    return input


def repr_of(operation: Any) -> bytes:
    """For eyes alone: of an operation that has no wire form."""
    return repr(operation).encode()


def _encoded(form: tuple[Any, Any], what: Any) -> bytes | None:
    """None where it is nothing of the schema: a codec writes much that it cannot read."""
    encode, decode = form
    if encode is None or decode is None:  # The schema has none of that kind.
        return None
    try:
        data: bytes = encode(what)
        if type(decode(data)) is type(what):
            return data
    except Exception as error:
        _log.warning("what is no part of the schema is recorded without what is in it: %s", said(error))
    return None


def _value(failure: Failure) -> str | int | None:
    match failure:
        case Transient(reason):
            return reason
        case Flood(wait_ms):
            return wait_ms
        case Refused(code):
            return code
    return None


def _demanded(now: int, ticket: int, what: Resync | Flush | Custom | Look) -> Entry:
    match what:
        case Look(cursor, key, is_open):
            return entries.Demanded(now, ticket, "open" if is_open else "close", cursor, key)
    return entries.Demanded(now, ticket, type(what).__name__.lower(), 0, 0)
