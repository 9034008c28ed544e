"""How a subscriber takes the emissions of one view: by callback, iterator or async iterator.

Depends on: emission, loops, posting, queued.  Never on: trackers, parts.

Law: a subscriber gets emissions in the order of the commits, each at most once, and never one after
`close` has returned, except in a callback that was running by then. By default an emission that was not
taken in time is merged into the next: views are state, so only the latest matters. Who is interrupted
outside of the callback loses nothing: what was not told waits, and the next to come tells it.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Executor
from functools import partial
from queue import SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from pillarbox.errors import UsageError
from pillarbox.views.emission import Emission, merged
from pillarbox.views.loops import arrival, beside, turn
from pillarbox.views.posting import Posting, refuse_no_callbacks
from pillarbox.views.queued import QueueFull

if TYPE_CHECKING:
    import asyncio

    from pillarbox.views.view import ViewKey

S = TypeVar("S")


class Subscription(Generic[S]):
    """Emissions of one view, for one reader. Safe to use from any thread.

    Read it by `listen`, `for` or `async for`; the first emission is the INITIAL one. Loops end when the
    subscription is closed, here or by the box.

    With `every` up to `queue_max` emissions wait; one more closes the subscription, and after the waiting
    ones the reader gets QueueFull. An error in the view itself (a damaged row, say) ends it likewise.
    """

    __slots__ = (
        "_callback",
        "_closed",
        "_ended",
        "_ending",
        "_error",
        "_every",
        "_latest",
        "_lock",
        "_on_close",
        "_on_error",
        "_on_move",
        "_posting",
        "_pumping",
        "_queue",
        "_queue_max",
        "_wake",
        "key",
        "live",
    )

    #: What it is subscribed to. For the tracker.
    live: Any

    def __init__(
        self,
        key: Any,
        first: Emission[S],
        *,
        every: bool,
        queue_max: int,
        on_close: Callable[[Subscription[S]], None],
        on_error: Callable[[BaseException], None],
        on_move: Callable[[Subscription[S], Any], None] | None = None,
    ) -> None:
        self.key = key
        self._latest = first
        self._queue = [first]
        self._every = every
        self._queue_max = queue_max
        #: Until it was called.
        self._on_close: Callable[[Subscription[S]], None] | None = on_close
        self._on_error = on_error
        self._on_move = on_move
        #: Once more where its thread has it, for who closes in a finalizer or a handler of signals.
        self._lock = threading.RLock()
        self._closed = False
        self._error: BaseException | None = None
        self._callback: Callable[[Emission[S]], object] | None = None
        #: Is told by `_pump` that no more come; `_ending` is set while that is to be told, and what of.
        self._ended: Callable[[BaseException | None], object] | None = None
        self._ending: tuple[BaseException | None] | None = None
        #: Has `_pump` run where the callback is to be called; None is right here.
        self._posting: Posting | None = None
        #: Someone gives from the queue to the callback; nobody can before there is one.
        self._pumping = True
        #: Wakes the iterator that waits.
        self._wake: Callable[[], object] | None = None

    @property
    def latest(self) -> Emission[S]:
        """The emission that was delivered last. Looking does not take it."""
        return self._latest

    @property
    def closed(self) -> bool:
        """Whether no more emissions come."""
        return self._closed

    # ---------------------------------------------------------------------------------- reading

    def listen(
        self,
        callback: Callable[[Emission[S]], object],
        *,
        ended: Callable[[BaseException | None], object] | None = None,
        loop: asyncio.AbstractEventLoop | None = None,
        executor: Executor | None = None,
    ) -> Self:
        """Call `callback` with the emission that waits, and with each one to come.

        It is called in this thread now and later in the thread that committed, after its transaction, or in
        that which tells of another commit just then; or on `loop`, or on `executor`; never twice at a time.
        An error that it raises is reported and does not stop the others. It may subscribe, close, or open a
        transaction, which emits after this round. Raises UsageError for a coroutine function, and where there
        is a reader already. Where the loop is closed or the executor shut down, the next emission ends the
        subscription with that error.

        `ended` is called once, after the last callback and where that would have been: with None when the
        subscription was closed, here or by the box, or with the error that ended it, which is then not
        reported otherwise.
        """
        refuse_no_callbacks(callback, ended)
        where = executor if loop is None else loop
        posting = None if where is None else Posting(self._turn, where, self._lost)
        with self._lock:
            if self._callback is not None or self._wake is not None:
                raise UsageError(
                    f"the subscription of {self.key!r} has a reader already; subscribe once more"
                )
            self._callback, self._pumping = callback, False
            self._ended = ended
            self._posting = posting
            if self._closed and (ended is not None or self._error is not None):
                self._ending, self._error = (self._error,), None
        self._begin()
        return self

    def __iter__(self) -> Iterator[Emission[S]]:
        return self

    def __next__(self) -> Emission[S]:
        while True:
            arrived: SimpleQueue[None] = SimpleQueue()
            wake = partial(arrived.put, None)  # also for a handler of signals, in the midst of the wait
            try:
                with self._lock:
                    if self._queue:
                        return self._queue.pop(0)
                    self._end_of_queue(StopIteration)
                    self._wait_by(wake)
                arrived.get()
            finally:
                with self._lock:  # here, for an interrupt may come as a function begins
                    if self._wake is wake:
                        self._wake = None

    def __aiter__(self) -> AsyncIterator[Emission[S]]:
        return self

    async def __anext__(self) -> Emission[S]:
        if self._queue:  # else who is slower than those who write would have the loop for itself
            await turn()
        while True:
            arrived = arrival()
            try:
                with self._lock:
                    if self._queue:
                        return self._queue.pop(0)
                    self._end_of_queue(StopAsyncIteration)
                    self._wait_by(arrived.wake)
                await arrived.wait()
            finally:
                with self._lock:
                    if self._wake == arrived.wake:
                        self._wake = None

    def _end_of_queue(self, stop: type[Exception]) -> None:
        """Nothing waits: raise what there is to raise."""
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        if self._closed:
            raise stop

    def _wait_by(self, wake: Callable[[], object]) -> None:
        if self._callback is not None or self._wake is not None:
            raise UsageError(f"the subscription of {self.key!r} has a reader already; subscribe once more")
        self._wake = wake
        if self._queue or self._closed:  # since it was looked, by this thread
            wake()

    # ----------------------------------------------------------------------------------- moving

    def move(self, key: ViewKey[S]) -> None:
        """Go on with another key of the same kind of view, say with a window about another row.

        What the two have in common is not read again. There is one emission, UPDATE_VISIBLE, in the order of
        rounds: what was emitted before comes before it. It comes also where both show the same, with no
        `parts`, for it answers the move. With the key that it has the subscription stays where it is, without
        one, unless what it holds, as where its window stands, would be something else by now. Readers go on
        as they are.
        After an error the subscription is as it was. Raises UsageError for another kind of view, for views
        that are watched together, when it is closed, and inside a transaction of the same thread.
        """
        if self._on_move is None:
            raise UsageError(f"the subscription of {self.key!r} belongs to nothing that it could move in")
        self._on_move(self, key)

    async def move_async(self, key: ViewKey[S]) -> None:
        """As `move`, loading off the event loop."""
        await beside(lambda: self.move(key))

    # ----------------------------------------------------------------------------------- ending

    def close(self) -> None:
        """Take no more emissions. Waiting ones are dropped, waiting readers end. Closing twice is fine."""
        self._end(None, drop=True)

    def fail(self, error: BaseException) -> None:
        """End with an error, which the reader gets after the emissions that wait."""
        self._end(error, drop=False)

    def _end(self, error: BaseException | None, *, drop: bool) -> None:
        self.shut(error, drop=drop)
        self.tell_end()

    def shut(self, error: BaseException | None = None, *, drop: bool = True) -> None:
        """End, but for a listener, whom `tell_end` tells of it where no lock is held."""
        with self._lock:
            if not self._closed:
                self._closed = True
                if self._callback is None:
                    self._error = error
                elif error is not None or self._ended is not None:
                    self._ending = (error,)
            if drop:
                del self._queue[:]
            wake = self._wake
        if wake is not None:
            self._wake_up(wake)
        if self._on_close is not None:
            self._on_close(self)
            self._on_close = None

    def tell_end(self) -> None:
        """As `shut` says; once."""
        if self._ending is not None:
            self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --------------------------------------------------------------------------------- delivery

    def receive(self, what: Emission[S] | Exception) -> None:
        """Take one emission, or the error that ends it; skipped when closed.

        Called by who delivers; who was interrupted in it calls it with the same once more.
        """
        if isinstance(what, Exception):
            self.fail(what)
            return
        overflow = direct = False
        try:
            with self._lock:
                if (
                    self._pumping
                    or self._queue
                    or self._closed
                    or self._posting is not None
                    or what is self._latest
                ):
                    overflow = not self._put(what)
                else:  # Nothing waits: most emissions go straight to a callback.
                    self._pumping = direct = True
            if direct:
                self._latest = what
                try:
                    self._callback(what)  # type: ignore[misc]  # who has none has no pump
                except Exception as error:
                    self._on_error(error)
        finally:
            if direct:
                self._pumping = False
        if overflow:
            self.fail(QueueFull(self.key, self._queue_max))
        elif self._queue or self._ending is not None:
            wake = self._wake
            if self._callback is not None:
                self._begin()
            elif wake is not None:
                self._wake_up(wake)

    def _put(self, emission: Emission[S]) -> bool:
        """Under the lock, let an emission wait, unless closed or that was done; False where it cannot."""
        if not self._closed and emission is not self._latest:
            queue = self._queue
            if not queue:
                queue += (emission,)
            elif not self._every:
                queue[-1:] = (merged(queue[-1], emission),)
                if self._closed:  # in the midst of that, by this thread
                    del queue[:]
            elif len(queue) < self._queue_max:
                queue += (emission,)
            else:
                return False
            self._latest = emission
        return True

    def _wake_up(self, wake: Callable[[], object]) -> None:
        wake()
        with self._lock:
            if self._wake == wake:
                self._wake = None

    def _begin(self) -> None:
        """See that what waits is given to the callback, here or where that is to be called."""
        if self._posting is None:
            self._pump()
        elif not self._pumping:
            try:
                self._posting.post()
            except RuntimeError as error:  # The loop is closed, or the executor shut down.
                self._lost(error)

    def _lost(self, error: BaseException) -> None:
        self._posting = None
        self._end(error, drop=True)

    def _turn(self) -> bool:
        """Where a callback is called: give it what waits now; whether there is more by then."""
        return self._pump(len(self._queue) or 1) and bool(self._queue or self._ending is not None)

    def _pump(self, most: int = -1) -> bool:
        """Give what waits to the callback, `most` of it, and then the end; False if somebody does so."""
        pumping = False
        emission = ending = None
        try:
            while True:
                with self._lock:
                    if not pumping:
                        if self._pumping:
                            return False
                        self._pumping = pumping = True
                    if self._queue:
                        emission = self._queue[0]
                        del self._queue[0]
                    else:
                        ending, self._ending = self._ending, None
                        if ending is None:
                            self._pumping = pumping = False
                            return True
                try:
                    if emission is not None:
                        given, emission = emission, None
                        self._callback(given)  # type: ignore[misc]  # who has none has no pump
                    elif ending is not None:
                        (error,), ending = ending, None
                        if self._ended is not None:
                            self._ended(error)
                        elif error is not None:
                            self._on_error(error)
                except Exception as failed:
                    self._on_error(failed)
                most -= 1
                if not most:
                    return True
        finally:
            if pumping:  # all but the end of it
                with self._lock:
                    if emission is not None:
                        self._queue.insert(0, emission)
                    if ending is not None:
                        self._ending = ending
                    self._pumping = False
