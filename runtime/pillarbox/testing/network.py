"""The way between one process and the server, and all that goes wrong on it.

Depends on: sync (signals only), schedule, server, knobs, trace.  Never on: machines.

Law: what arrives is what was sent, in its order unless it overtakes, as often as chance has it; a request
ends in one answer or one failure, or in silence once it was cancelled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from pillarbox.sync.protocol import Answer, Container, Request
from pillarbox.sync.signals import Failure, Flood, Id, SessionLost, Transient
from pillarbox.testing.knobs import Knobs
from pillarbox.testing.schedule import Schedule
from pillarbox.testing.server import Server
from pillarbox.testing.trace import Trace, Violation


@dataclass
class Ends:
    """Whom a line tells of what arrived."""

    received: Callable[[Container], None]
    #: An answer, or a failure where the last is true.
    answered: Callable[[Id, Any, bool], None]
    connected: Callable[[], None]


class Line:
    """A connection that breaks and comes back. Its process may come and go meanwhile."""

    def __init__(
        self, name: str, random: Random, knobs: Knobs, schedule: Schedule, server: Server, trace: Trace
    ) -> None:
        self._name = name
        self._random = random
        self._knobs = knobs
        self._schedule = schedule
        self._server = server
        self._trace = trace
        self.ends: Ends | None = None
        #: A new number for each connection: what was under way on an older one does not arrive.
        self._session = 1
        self.is_up = True
        #: Nothing goes wrong any more.
        self.is_polite = False
        self._arrives = 0
        self._asked: dict[Id, Request] = {}
        self._cancelled: set[Id] = set()
        #: Questions that the server keeps until there is something to tell, each with its connection.
        self._kept: dict[Id, tuple[Request, int]] = {}

    # ------------------------------------------------------------------------------------- pushes

    def push(self, container: Container) -> None:
        """The server says something by itself."""
        if not self.is_up or self._happens(self._knobs.lost):
            self._trace.say(self._schedule.now, self._name, "lost", container)
            return
        for _ in range(1 + self._happens(self._knobs.twice)):
            self._under_way(container)

    def _under_way(self, container: Container) -> None:
        now, session = self._schedule.now, self._session
        time = now + self._random.randint(1, max(1, self._knobs.push_ms))
        if self._happens(self._knobs.overtakes):  # by those that come after it
            time += self._random.randint(1, max(1, self._knobs.behind_ms))
        else:
            time = self._arrives = max(time, self._arrives)

        def arrive() -> None:
            if session == self._session and self.ends is not None:
                self._trace.say(self._schedule.now, self._name, "received", container)
                self.ends.received(container)

        self._schedule.at(time, arrive)

    # ----------------------------------------------------------------------------------- requests

    def send(self, id: Id, request: Request) -> None:
        """Ask; what comes of it is told once, unless it is cancelled."""
        session = self._session
        self._asked[id] = request
        if not self.is_up:
            self._back(id, SessionLost(), True, self._way())
        elif self._happens(self._knobs.floods):
            self._back(id, Flood(self._random.choice((50, 500, 2_000))), True, self._way())
        elif self._happens(self._knobs.fails):
            reached = self._random.random() < 0.5  # and only the answer is lost
            if reached:
                self._server.answer(request)
            self._back(id, Transient("no answer"), True, self._way())
        else:
            self._schedule.after(self._way(), lambda: self._reach(id, request, session))

    def _reach(self, id: Id, request: Request, session: int) -> None:
        if session != self._session or id not in self._asked:
            return
        keeps = 0 if id in self._cancelled else self._server.keeps(request)
        if not keeps:
            self._answer(id, request)
            return
        if any(session == self._session for _, session in self._kept.values()):
            raise Violation("N-10", f"{self._name}: {request!r} is asked while such a question waits")
        self._kept[id] = request, session
        self._schedule.after(keeps, lambda: self._let_go(id))

    def stir(self) -> None:
        """Something has happened at the server."""
        for id, (request, _) in list(self._kept.items()):
            if not self._server.keeps(request):
                self._let_go(id)

    def _let_go(self, id: Id) -> None:
        request, session = self._kept.pop(id, (None, 0))
        if request is not None and session == self._session and id in self._asked:
            self._answer(id, request)

    def _answer(self, id: Id, request: Request) -> None:
        answer: Answer | Failure = self._server.answer(request)
        self._back(id, answer, isinstance(answer, Failure), self._way())

    @property
    def kept(self) -> set[Id]:
        """Questions of this connection that wait at the server."""
        return {id for id, (_, session) in self._kept.items() if session == self._session}

    def _back(self, id: Id, what: Any, is_failure: bool, delay: int) -> None:
        session = self._session

        def arrive() -> None:
            if self.ends is None or session != self._session or id not in self._asked:
                return
            if id in self._cancelled and not self._happens(self._knobs.late):
                return
            del self._asked[id]
            self._trace.say(self._schedule.now, self._name, "failed" if is_failure else "answered", id, what)
            self.ends.answered(id, what, is_failure)

        self._schedule.after(delay, arrive)

    def cancel(self, id: Id) -> None:
        """Nobody waits for it any more; it may come all the same, but what the server keeps."""
        self._cancelled.add(id)
        self._kept.pop(id, None)

    # --------------------------------------------------------------------------------- connection

    def attach(self, ends: Ends | None) -> None:
        """Another run of the process; what the one before asked for does not arrive."""
        self.ends = ends
        self._session += 1
        self._asked.clear()
        self._cancelled.clear()
        self._kept.clear()

    def cut(self, down_ms: int) -> None:
        """The connection breaks, and is there again so much later."""
        if not self.is_up:
            return
        self._trace.say(self._schedule.now, self._name, "cut", down_ms)
        self._session += 1
        self.is_up = False
        for id in list(self._asked):
            self._back(id, SessionLost(), True, self._random.randint(0, 5))
        self._schedule.after(down_ms, self._connect)

    def _connect(self) -> None:
        self.is_up = True
        self._trace.say(self._schedule.now, self._name, "connected")
        if self.ends is not None:
            self.ends.connected()

    # ------------------------------------------------------------------------------------- chance

    def _way(self) -> int:
        return self._random.randint(1, max(1, self._knobs.answer_ms))

    def _happens(self, chance: float) -> bool:
        return not self.is_polite and chance > 0 and self._random.random() < chance
