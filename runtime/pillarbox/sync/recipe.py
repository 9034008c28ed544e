"""A recipe: several requests, one after the other, whose answers are written as one.

Depends on: flight, protocol.  Never on: the queue, clocks.

Law: nothing is written before the last answer is there; each step may read what the ones before it brought
(sync.md D-6, D-7). After a refusal it begins anew: what steps brought, such as the name of a page, may be
good no more. Only what the schema says of its code ends it (K-10).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pillarbox.storage import StoredKey
from pillarbox.sync.flight import Asking, Flight
from pillarbox.sync.protocol import Answers, Fetch, Poll, Remedy, Request, ResetSpec
from pillarbox.sync.signals import Refusal, Refused


class Recipe:
    """Fetches one recipe. `then` is given the answers, what was refused for good, or None where it came to
    nothing: what was missing still is.
    """

    def __init__(
        self,
        flight: Flight,
        owner: str,
        spec: ResetSpec,
        key: StoredKey,
        then: Callable[[Answers | Refusal | Refused | None], None],
        *,
        tries_max: int = 0,
        flood_max_ms: int | None = None,
    ) -> None:
        self._flight = flight
        self._owner = owner
        self._spec = spec
        self._key = key
        self._then = then
        self._tries_max = tries_max if spec.retry else 1
        self._flood_max_ms = flood_max_ms
        self._answers: dict[str, Any] = {}
        self._step = 0
        #: What was asked for last in this step.
        self._page: Request = None
        #: How often it began anew.
        self._failures = 0
        self._asking: Asking | None = None
        self._next()

    @property
    def wait_ms(self) -> int:
        """Where it came to nothing: for how long nothing of it may be asked."""
        return 0 if self._asking is None else self._asking.wait_ms

    def stop(self) -> None:
        """Nothing comes of it any more."""
        if self._asking is not None:
            self._asking.stop()

    def _next(self) -> None:
        if self._step == len(self._spec.fetch):
            self._then(self._answers)
        elif (request := self._request()) is not None:
            self._asking = self._flight.ask(
                self._owner,
                request,
                self._spec.backoff,
                self._answered,
                tries_max=self._tries_max,
                tries=self._failures,
                flood_max_ms=self._flood_max_ms,
            )

    def _request(self) -> Request:
        """What the step asks for; None, once it is told, where it comes to nothing."""
        step = self._spec.fetch[self._step]
        try:
            request = step.request(self._key, self._answers)
        except Exception as error:  # Made of what a server sent.
            self._flight.log("D-6", "a step cannot be asked for", step=step.name, error=repr(error))
            self._then(None)
            return None
        if step.more is not None and request == self._page:
            self._flight.log("D-7", "a page leads to itself; the recipe is given up", step=step.name)
            self._then(None)
            return None
        self._page = request
        return request

    def _answered(self, answer: Any) -> None:
        step, asking = self._spec.fetch[self._step], self._asking
        refusal = self._flight.refusal(self._spec.cursor, self._page, answer)
        if answer is None or refusal is not None:
            self._then(refusal)
        elif isinstance(answer, Refused) and self._is_over(answer):
            self._then(answer)
        elif isinstance(answer, Refused) or type(answer) not in step.answers:
            self._flight.log("D-7", "a step of a recipe was not answered", step=step.name, answer=answer)
            self._failures += 1
            self._answers, self._step, self._page = {}, 0, None
            if asking is not None and (request := self._request()) is not None:
                asking.again(request)
        else:
            self._take(step, answer)

    def _is_over(self, refused: Refused) -> bool:
        """Whether the schema says of an instance that nothing of it is missing then, or who knows what is."""
        if not self._flight.protocol.cursors[self._spec.cursor].keyed:
            return False
        remedy = self._flight.remedy(self._spec.cursor, refused)
        return remedy is Remedy.DONE or isinstance(remedy, Poll)

    def _take(self, step: Fetch, answer: Any) -> None:
        if step.more is None:
            self._answers[step.name] = answer
            self._step += 1
            self._page = None
        else:
            pages = (*self._answers.get(step.name, ()), answer)
            self._answers[step.name] = pages
            if len(pages) >= self._flight.limits.pages_max:
                self._flight.log("D-7", "too many pages; the recipe is given up", step=step.name)
                self._then(None)
                return
            if not self._more(step):
                self._step += 1
                self._page = None
        self._next()

    def _more(self, step: Fetch) -> bool:
        try:
            return step.more is not None and step.more(self._answers)
        except Exception as error:  # Made of what a server sent.
            self._flight.log("D-7", "a page cannot be read", step=step.name, error=repr(error))
            return False
