"""Notices commits of other processes: when they ring, and by looking now and then.

Depends on: bell, storage (forks), errors.  Never on: what is done about it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from pillarbox.box.bell import Bell
from pillarbox.errors import PillarboxError
from pillarbox.storage.forked import wait_at_fork

_log = logging.getLogger("pillarbox")
#: How long to let commits gather after a look that found some: as long as it took to look, at least and at
#: most this. So watching takes half a processor from those who commit, never more.
_GATHER_SECONDS: Final = (0.001, 0.02)
#: Between looks where rings are heard: for those who cannot ring, as a repair, or another program.
_HEARD_SECONDS: Final = 0.05
#: Where they are not: at first after news, and doubled at every look in vain up to the last. So also where
#: it cannot be looked, everywhere: who commits without a pause meets the others by itself, and is not to
#: hand over the interpreter for it each time.
_FIRST_SECONDS: Final = 0.001
_LAST_SECONDS: Final = 0.01
#: How long who forks waits for a look, in which others may be told of what it found.
_PAUSE_SECONDS: Final = 0.2


class Watcher:
    """A thread that calls `look` while `wanted()` holds, and ends by itself afterwards.

    `look` tells whether there was news; None where it could not look, and is to be asked again soon.
    """

    def __init__(self, look: Callable[[], bool | None], rung: str | None = None) -> None:
        """`rung` is the path of a file that is written to when there is news, if there is one."""
        self._look = look
        self._rung = rung
        self._bell: Bell | None = None
        self._lock = threading.RLock()  # a handler of signals may end what is awaited, in the midst of it
        self._thread: threading.Thread | None = None
        self._stopped = False
        #: Held around a look.
        self._looking = threading.RLock()
        wait_at_fork(self)

    def start(self, wanted: Callable[[], bool]) -> None:
        """Make sure that the thread runs."""
        with self._lock:
            if self._thread is None and not self._stopped:
                bell = Bell()
                thread = threading.Thread(
                    target=self._run, args=(bell, wanted), name="pillarbox-watcher", daemon=True
                )
                try:
                    thread.start()
                except RuntimeError:  # there is no thread to be had, and so none to wait for
                    bell.close()
                    raise
                self._bell, self._thread = bell, thread

    def wake(self) -> None:
        """Have it looked soon, if the thread runs."""
        with self._lock:
            if self._bell is not None:
                self._bell.wake()

    def stop(self) -> None:
        """End the thread for good. Safe from any thread, the watcher's own included."""
        with self._lock:
            self._stopped = True
            thread = self._thread
            if self._bell is not None:
                self._bell.wake()
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def pause(self) -> bool:
        """As `storage.forked` says: no look begins."""
        return self._looking.acquire(timeout=_PAUSE_SECONDS)

    def resume(self) -> None:
        """As `storage.forked` says."""
        self._looking.release()

    def _run(self, bell: Bell, wanted: Callable[[], bool]) -> None:
        told = ""
        seconds = _FIRST_SECONDS
        rung = self._rung
        while True:
            bell.wait(seconds)
            with self._lock:
                if self._stopped or not wanted():
                    self._bell = None
                    bell.close()
                    if not self._stopped:
                        self._thread = None
                    return
            if rung is not None:  # who subscribes has gone on by now, and need not wait for it
                bell.listen(rung)
                rung = None
            found: bool | None = False
            began = time.thread_time()
            try:
                with self._looking:
                    found = self._look()
                told = told if found is None else ""
            except BaseException as error:  # who listens may end its own thread, and not this one
                if repr(error) != told:  # the same error would come a hundred times a second
                    told = repr(error)
                    is_bug = not isinstance(error, PillarboxError)
                    said = str(error) or told
                    _log.error("looking for commits of other processes failed: %s", said, exc_info=is_bug)
            if found:
                least, most = _GATHER_SECONDS
                time.sleep(min(max(time.thread_time() - began, least), most))
            if found is not None and bell.is_heard:
                seconds = _HEARD_SECONDS
            elif found or seconds > _LAST_SECONDS:
                seconds = _FIRST_SECONDS
            else:
                seconds = min(2 * seconds, _LAST_SECONDS)
