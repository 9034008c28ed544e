"""The writer thread of a box: where its `await` twins do their work, one after the other.

Depends on: views.loops.  Never on: what the work is.

Law: work is done in the order in which it was handed over, by one thread, and the event loop waits for none.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pillarbox.views.loops import arrival, beside

R = TypeVar("R")


class Worker:
    """Starts its thread with the first work."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(
            max_workers=1, thread_name_prefix="pillarbox-writer", initializer=self._note_thread
        )
        self._thread: int | None = None

    async def run(self, work: Callable[[], R]) -> R:
        """Do it there; what it returns, or raises."""
        arrived = arrival()
        try:
            done = self._pool.submit(work)
        except RuntimeError:  # the box is being closed, which is for the work to meet
            return await beside(work)
        done.add_done_callback(lambda _: arrived.wake())
        try:
            await arrived.wait()
        finally:
            done.cancel()  # nobody waits any more: what has not begun need not
        return done.result()

    def stop(self) -> None:
        """Wait for what was handed over, unless this is its own thread."""
        self._pool.shutdown(wait=self._thread != threading.get_ident())

    def _note_thread(self) -> None:
        self._thread = threading.get_ident()
