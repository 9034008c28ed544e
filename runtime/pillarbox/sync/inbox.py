"""Where everything waits that the machine is to hear of: in order, and not without bound.

Depends on: signals.  Never on: boxes, transports.

Law: inputs leave in the order in which they came in, each once; of what anybody may send without being asked
at most `bound` wait, and who brings more waits too.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any, TypeAlias, cast

import anyio
import anyio.lowlevel

from pillarbox.errors import UsageError
from pillarbox.sync.signals import Input

#: Makes an input for the time at which it is its turn; None: it is not wanted any more.
Post: TypeAlias = Callable[[int], Input | None]


class Inbox:
    """Made and used in the event loop; `soon` alone is for other threads."""

    def __init__(self, bound: int) -> None:
        self._waiting: deque[tuple[Post, bool]] = deque()
        #: Of any thread, until the event loop has its turn, or says something itself.
        self._outside: deque[Post] = deque()
        self._news = anyio.Event()
        self._room = anyio.Semaphore(bound, fast_acquire=True)
        self._thread = threading.get_ident()
        # Of the two event loops that there are, one says it like this and one like that.
        loop: Any = anyio.lowlevel.current_token().native_token
        self._from_outside = cast(
            Callable[[Callable[[], None]], object],
            loop.run_sync_soon if hasattr(loop, "run_sync_soon") else loop.call_soon_threadsafe,
        )

    def put(self, post: Post) -> None:
        """At the end, at once. For what was asked for: its number is bounded by that of the questions."""
        self._let_in()
        self._append(post, counts=False)

    async def bring(self, post: Post) -> None:
        """At the end, when there is room, or when nobody takes any more."""
        await self._room.acquire()
        self._let_in()
        self._append(post, counts=True)

    def soon(self, post: Post) -> None:
        """As `put`, from any thread, in the order of the calls; when the event loop is gone, nothing.

        Also from what comes in the midst of the event loop, as finalizers and handlers of signals do: it
        touches nothing that the loop may be at, and wakes it.
        """
        self._outside.append(post)
        try:
            self._from_outside(self._let_in)
        except RuntimeError:  # nobody is there to hear of it
            self._outside.clear()

    def _let_in(self) -> None:
        while True:
            try:
                post = self._outside.popleft()
            except IndexError:  # not asked before, for what comes in the midst may take out as well
                return
            self._append(post, counts=False)

    def refuse_others(self) -> None:
        """For who is about to wait. Raises UsageError in another event loop: that is not woken from here."""
        if threading.get_ident() != self._thread:
            raise UsageError(
                "this engine runs in the event loop of another thread, and is awaited there; "
                "hand the call over with `anyio.from_thread.run`, or run the engine by `in_thread`"
            )

    def end(self) -> None:
        """Nobody takes any more: who waits for room waits no longer."""
        for _ in range(self._room.statistics().tasks_waiting):
            self._room.release()

    async def take(self) -> Post:
        """The next, as soon as there is one. Lets others run first."""
        await anyio.lowlevel.checkpoint()
        self._let_in()
        while not self._waiting:
            self._news = anyio.Event()
            await self._news.wait()
        post, counts = self._waiting.popleft()
        if counts:
            self._room.release()
        return post

    @property
    def waits(self) -> bool:
        """Whether there is one."""
        return bool(self._waiting or self._outside)

    def _append(self, post: Post, *, counts: bool) -> None:
        self._waiting.append((post, counts))
        self._news.set()
