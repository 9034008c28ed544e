"""Making a draft: read, build, ask for what is needed, and build again.

Depends on: flight, gathering, build, needs, drafts.  Never on: the queue, clocks.

Law: every build begins with a read of its own and all answers so far; nothing is kept between two (E-12).
A request that came to nothing is no answer: what the server has of it nobody knows (A-9).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from pillarbox.sync.build import Ready, Wants
from pillarbox.sync.drafts import Reading, Snapshot
from pillarbox.sync.flight import Asking, Flight
from pillarbox.sync.gathering import gathered
from pillarbox.sync.needs import UNANSWERED, Fetched, reading
from pillarbox.sync.protocol import Backoff, Body, Request
from pillarbox.sync.signals import Refused

#: None: what was read does not fit; the builder has seen to it.
Build: TypeAlias = Callable[[Snapshot, Fetched], Ready | Wants | None]


class Making:
    """One draft in the making."""

    def __init__(
        self,
        flight: Flight,
        owner: str,
        what: Reading,
        build: Build,
        then: Callable[[Ready], None],
        *,
        flood_max_ms: int | None = None,
    ) -> None:
        """Floods are waited out; where there is a `flood_max_ms` they are tries, and a longer one ends it."""
        self._flight = flight
        self._owner = owner
        self._what = what
        self._build = build
        self._then = then
        self._flood_max_ms = flood_max_ms
        #: Where something was given up: for how long it may not be asked.
        self.wait_ms = 0
        self._fetched: dict[Request, Body | None] = {}
        #: None: it waits until it may be asked.
        self._asking: dict[Request, Asking | None] = {}
        self._stopped = False
        self._load()

    def stop(self) -> None:
        """Nothing comes of it any more."""
        self._stopped = True
        for asking in self._asking.values():
            if asking is not None:
                asking.stop()

    def _load(self) -> None:
        self._flight.load(self._owner, self._what, self._loaded)

    def _loaded(self, snapshot: Snapshot) -> None:
        if self._stopped:
            return
        made = self._build(snapshot, self._fetched)
        if isinstance(made, Wants):
            self._ask(made)
        elif made is not None:
            for rule, text, fields in made.log:
                self._flight.log(rule, text, **fields)
            self._then(made)

    def _ask(self, wants: Wants) -> None:
        """All at once; their order, not that of the answers, is the order in which they count."""
        self._what = self._what.joined(wants.what)
        if not wants.requests:
            self._load()
            return
        for request in wants.requests:
            self._fetched[request] = None
        for request, parts in gathered(self._flight.protocol, wants.requests).items():
            self._send(request, parts)
        if not self._asking:
            self._load()

    def _send(self, request: Request, parts: Sequence[Request], _reply: object = None) -> None:
        """Not before all of it may be asked for."""
        if wait_ms := self._flight.flooded(parts):
            if self._flood_max_ms is None:
                self._asking[request] = None
                send = partial(self._send, request, parts)
                self._flight.timer(self._owner, self._flight.now + wait_ms, send)
            else:
                self._give_up(request, parts, wait_ms)
            return
        self._asking[request] = self._flight.ask(
            self._owner,
            request,
            Backoff(),
            partial(self._answered, request, parts),
            tries_max=self._flight.limits.need_tries_max,
            flood_max_ms=self._flood_max_ms,
            counts_floods=self._flood_max_ms is not None,
            parts=parts,
        )

    def _give_up(self, request: Request, parts: Sequence[Request], wait_ms: int) -> None:
        """Nobody has answered it, and may not be asked for so long."""
        self._flight.log("A-9", "what an update needs cannot be asked for now", request=request)
        self.wait_ms = max(self.wait_ms, wait_ms)
        self._fetched |= dict.fromkeys(parts, UNANSWERED)

    def _answered(self, request: Request, parts: Sequence[Request], answer: object) -> None:
        asking = self._asking[request]
        assert asking is not None, "it was sent"
        if answer is None:
            self._give_up(request, parts, asking.wait_ms)
        elif isinstance(answer, Refused):
            self._flight.log("A-9", "what an update needs was not given", request=request, answer=answer)
        else:
            self._fetched |= dict.fromkeys(parts, self._body(request, answer))
        del self._asking[request]
        if not self._asking:
            self._load()

    def _body(self, request: Request, answer: object) -> Body | None:
        fetched = self._flight.protocol.fetched
        try:
            body = None if fetched is None else fetched(request, answer)
            iter(() if body is None else body.updates)  # It may be anything, and is gone through later.
        except Exception as error:  # Whatever a server sends must not stop the engine.
            self._flight.log("A-9", "an answer that cannot be read", answer=answer, error=repr(error))
            return None
        if body is not None and body.updates:
            more = reading(self._flight.protocol, body.updates, self._flight.log)
            self._what = self._what.joined(more)
        return body
