"""Having a function called elsewhere: on an event loop, or by an executor.

Depends on: arguments, errors.  Never on: what the function does.

Law: the function is called after each `post`, unless that or a later one raises; one call for all that came
before it. It is called again for as long as it asks for that, behind what else waits there.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any

from pillarbox.arguments import misused, refuse_no_function
from pillarbox.errors import UsageError

if TYPE_CHECKING:
    import asyncio


class Posting:
    """Has one function called on a loop, or by an executor. Safe to use from any thread.

    An executor that takes a call and does not make it, as one of processes, is told to `lost`. The function
    gives whether it is to be called again: who is slower than what comes leaves the place to others, too.
    """

    __slots__ = ("_function", "_future", "_is_waiting", "_lost", "_where")

    def __init__(
        self,
        function: Callable[[], bool],
        where: asyncio.AbstractEventLoop | Executor,
        lost: Callable[[UsageError], object],
    ) -> None:
        """Raises UsageError for what is neither."""
        if not isinstance(where, Executor) and not hasattr(where, "call_soon_threadsafe"):
            wanted = "a loop of asyncio as `loop`, or an executor of concurrent.futures as `executor`"
            raise misused("where to call", where, wanted)
        self._function = function
        self._where = where
        self._lost = lost
        #: Whether a call is to come, and what the executor promised of it.
        self._is_waiting = False
        self._future: Future[None] | None = None

    def post(self) -> None:
        """See that the function is called. Raises RuntimeError where the loop is closed or the executor shut
        down, also where that came between an earlier post and its call.
        """
        if self._is_waiting and not self._is_lost():
            return
        self._is_waiting = True
        try:
            if isinstance(self._where, Executor):
                begun: list[bool] = []
                self._future = self._where.submit(partial(self._begin, begun))
                self._future.add_done_callback(partial(self._look, begun))
            else:
                self._where.call_soon_threadsafe(self._call)
        except BaseException:
            self._is_waiting = False
            raise

    def _is_lost(self) -> bool:
        """Whether the call that is to come never will."""
        if isinstance(self._where, Executor):
            return self._future is not None and self._future.cancelled()
        return self._where.is_closed()

    def _begin(self, begun: list[bool]) -> None:
        begun.append(True)
        self._call()

    def _look(self, begun: list[bool], done: Future[None]) -> None:
        """Heed what was neither called nor dropped, of which the next post tells."""
        if not begun and not done.cancelled():
            error = done.exception()
            self._lost(
                UsageError(
                    f"{self._where!r} did not call the callback: {error!r}; pass an executor that calls in "
                    f"threads of this process"
                )
            )

    def _call(self) -> None:
        self._is_waiting = False
        is_more = True  # for all we know, where it is interrupted
        try:
            is_more = self._function()
        finally:
            if is_more:
                self._again()

    def _again(self) -> None:
        try:
            self.post()
        except RuntimeError:  # there is no other turn
            while self._function():
                pass


def refuse_no_callbacks(callback: Callable[[Any], object], ended: Callable[[Any], object] | None) -> None:
    """Raise UsageError for what cannot be called, or does nothing when it is."""
    refuse_no_function("callback", callback, "a function of one emission")
    if ended is not None:
        refuse_no_function("ended", ended, "a function of an error or None, or leave it out")
    if iscoroutinefunction(callback) or (ended is not None and iscoroutinefunction(ended)):
        raise UsageError(
            "a callback is called, and nobody awaits what it gives back; loop over the subscription by "
            "`async for`, or pass a plain function"
        )
