"""What a process does while the account is signed out, and everything it asks is refused for good.

Depends on: sync (protocol, signals), server, trace.  Never on: how the machine stops.

Law (N-12): who heard that nothing is told any more says so, until it hears more; and it asks only for a
reason: a new session, a caller, a container, another run or role, a long silence. Who waits for a flush is
told as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any, Final, Protocol

from pillarbox.sync.idle import OWNER as IDLE
from pillarbox.sync.protocol import CursorSpec, Remedy, SyncProtocol
from pillarbox.sync.signals import (
    Answered,
    Asked,
    Cancel,
    Failed,
    Flush,
    Id,
    Input,
    Output,
    Received,
    Refusal,
    Refused,
    RoleChanged,
    Send,
    SessionChanged,
    Settled,
    Started,
    Ticked,
    Woken,
)
from pillarbox.testing.server import Server
from pillarbox.testing.trace import Violation

#: For one of these something is asked again.
_REASONS: Final = (Started, SessionChanged, Asked, Received, RoleChanged, Woken)
#: What was under way when the reason came, what it asks for, and a flush beside it.
_REFUSED_MOST: Final = 3


class Steps(Protocol):
    """What is seen of a machine."""

    @property
    def stopped(self) -> Refusal | None:
        """Why nothing more is asked."""

    @property
    def is_resting(self) -> bool:
        """Whether nothing is left to do."""


class Signing:
    """Of one life of a process."""

    def __init__(self, name: str, server: Server) -> None:
        self._name = name
        self._server = server
        #: Type of a request about a box-wide cursor -> codes of refusals after which nothing is asked.
        self._stops = _stops(server.protocol)
        #: Requests that are under way, and are about a cursor.
        self._sent: dict[Id, Any] = {}
        #: What was asked about -> how often that was refused since there was a reason to ask.
        self._refused: Counter[Hashable] = Counter()
        #: Whether a box-wide cursor was refused since the account was signed out.
        self._knows = False
        #: Whether there was a new session since it is signed in.
        self._is_in = False
        #: Who waits for a flush, and asked for it after that.
        self._flushes: set[int] = set()
        #: Whether something failed that was no refusal.
        self._has_failed = False

    def step(self, given: Input, outputs: tuple[Output, ...], machine: Steps) -> None:
        """A machine made these of an input. Raises Violation."""
        self._hear(given)
        for output in outputs:
            if isinstance(output, Send) and self._about(output.request)[1]:
                self._sent[output.id] = output.request
            elif isinstance(output, Cancel):
                self._sent.pop(output.id, None)
            elif isinstance(output, Settled) and output.ticket in self._flushes:
                self._flushes.discard(output.ticket)
                if not self._has_failed and not isinstance(output.error, Refusal):
                    raise Violation("N-12", f"{self._name}: signed out, and a flush gives {output.error}")
        self._check(machine)

    def _check(self, machine: Steps) -> None:
        stopped = machine.stopped
        if stopped is None:
            if self._knows and machine.is_resting:
                raise Violation("N-12", f"{self._name}: it is signed out, and tells nobody")
        elif self._is_in and machine.is_resting:
            raise Violation("N-12", f"{self._name}: it is signed in, and has stopped: {stopped}")

    def _hear(self, given: Input) -> None:
        if self._server.is_out:
            self._is_in = False
        else:
            self._knows = self._has_failed = False
            self._is_in = self._is_in or isinstance(given, Started | SessionChanged)
            self._flushes.clear()
        if isinstance(given, _REASONS):
            self._refused.clear()
        elif isinstance(given, Ticked) and given.id.owner == IDLE:
            # Nobody tells who is banned that he is not any more.
            for kind in self._stops:
                del self._refused[kind]
        if isinstance(given, Asked) and isinstance(given.what, Flush) and self._server.is_out:
            self._flushes.add(given.ticket)
        elif isinstance(given, Answered):
            self._sent.pop(given.id, None)
        elif isinstance(given, Failed):
            self._failed(self._sent.pop(given.id, None), given.failure)

    def _failed(self, request: Any, failure: object) -> None:
        if request is None or not self._server.is_out:
            return
        about, codes = self._about(request)
        if not isinstance(failure, Refused):
            self._has_failed = True
        elif failure.code in codes:
            self._knows = self._knows or type(request) in self._stops
            self._refused[about] += 1
            if self._refused[about] > _REFUSED_MOST:
                raise Violation("N-12", f"{self._name}: {request} was refused, and is asked again")

    def _about(self, request: Any) -> tuple[Hashable, frozenset[str]]:
        """What a request is about, and the codes after which it is not asked again."""
        instance = self._server.asks_about(request)
        if instance is None:
            return request.__class__, self._stops.get(type(request), frozenset())
        return instance, _codes(self._server.protocol.cursors[instance[0]])


def _codes(spec: CursorSpec) -> frozenset[str]:
    errors = {} if spec.difference is None else spec.difference.errors
    return frozenset(code for code, remedy in errors.items() if remedy is Remedy.STOP)


def _stops(protocol: SyncProtocol) -> dict[type[Any], frozenset[str]]:
    found = {}
    for spec in protocol.cursors.values():
        if spec.keyed or spec.difference is None:
            continue
        found[type(spec.difference.request(b"", None))] = _codes(spec)
        if spec.first is not None:
            found[type(spec.first.request())] = _codes(spec)
    return found
