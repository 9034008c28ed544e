"""What one process asked the server.

Depends on: server, ledger, trace.  Never on: machines.

Law (N-11): the server is told that something is kept only when it is.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from pillarbox.sync.claims import Instance
from pillarbox.testing.ledger import Ledger
from pillarbox.testing.server import Server
from pillarbox.testing.trace import Violation


class Question(NamedTuple):
    """A request that a process made."""

    time: int
    request: Any
    #: How long nothing had been pushed, nor been answered about the box-wide cursor that it is about.
    silence_ms: int
    #: It is about an instance of which the box knew nothing, or that somebody looks at.
    has_reason: bool


class Questions:
    """All of them, in order."""

    def __init__(self, name: str, server: Server, ledger: Ledger) -> None:
        self._name = name
        self._server = server
        self._ledger = ledger
        self.all: list[Question] = []
        #: When an answer came that named counters, where nothing says what they count: that is asked for.
        self.stepped: list[int] = []
        outbox = server.protocol.outbox
        self._bare = tuple(
            answer
            for kind in (() if outbox is None else outbox.kinds.values())
            if kind.answered is None
            for answer in kind.containers
        )
        #: Type of a request about a box-wide cursor -> its answers: others put no idle poll off.
        self._answers = {
            type(spec.difference.request(b"", None)): frozenset(spec.difference.answers)
            for spec in server.protocol.cursors.values()
            if not spec.keyed and spec.difference is not None
        }
        #: When each was heard of last; and how long that was ago when silence was looked at.
        self._heard: dict[type[Any], int] = {}
        self._silence: dict[type[Any], int] = {}

    def heard(self, now: int) -> None:
        """Something was pushed, or a run begins: that goes for all."""
        self._heard = dict.fromkeys(self._answers, now)

    def looked(self, now: int) -> None:
        """Who is asked about after a silence is decided now: what comes before that is sent, is late."""
        self._silence = {kind: now - heard for kind, heard in self._heard.items()}

    def answered(self, now: int, answer: Any) -> None:
        """Something was answered, perhaps by a container."""
        self._heard.update((kind, now) for kind, answers in self._answers.items() if type(answer) in answers)
        if not isinstance(answer, self._bare):
            return
        if any(step.start < step.end for step in self._server.protocol.open(answer).steps):
            self.stepped.append(now)

    def add(self, now: int, request: Any, looking: Collection[Instance]) -> None:
        """It is sent. Raises Violation where it confirms what is not kept."""
        instance = self._server.asks_about(request)
        has_reason = instance is not None and (
            self._ledger.positions.get(instance) is None or instance in looking
        )
        kind = type(request)
        silence_ms = max(now - self._heard.get(kind, now), self._silence.pop(kind, 0))
        self.all.append(Question(now, request, silence_ms, has_reason))
        said = self._server.confirmed(request)
        if said is None:
            return
        (cursor, key, part), value = said
        position = self._ledger.positions.get((cursor, key))
        if position is None or position[part] < value:
            raise Violation("N-11", f"{self._name}: {request!r} was sent, and the box is at {position}")
