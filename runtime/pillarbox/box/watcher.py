"""Notices commits of other processes by looking now and then.

Depends on: nothing.  Never on: what is done about it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

_log = logging.getLogger("pillarbox")
#: One look costs about a microsecond, so this is how late news of another process may be.
_EVERY_SECONDS = 0.01


class Watcher:
    """A thread that calls `look` while `wanted()` holds, and ends by itself afterwards."""

    def __init__(self, look: Callable[[], object]) -> None:
        self._look = look
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    def start(self, wanted: Callable[[], bool]) -> None:
        """Make sure that the thread runs."""
        with self._lock:
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(
                    target=self._run, args=(wanted,), name="pillarbox-watcher", daemon=True
                )
                self._thread.start()

    def stop(self) -> None:
        """End the thread for good. Safe from any thread, the watcher's own included."""
        self._stop.set()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _run(self, wanted: Callable[[], bool]) -> None:
        told = ""
        while not self._stop.wait(_EVERY_SECONDS):
            with self._lock:
                if not wanted():
                    self._thread = None
                    return
            try:
                self._look()
                told = ""
            except Exception as error:
                if repr(error) != told:  # the same error would come a hundred times a second
                    told = repr(error)
                    _log.exception("looking for commits of other processes failed; it goes on")
