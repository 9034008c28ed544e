"""The write-ahead log of one file: how long it is, and moving it into the file beside the commits.

Depends on: forked, errors, apsw.  Never on: transactions; a box and its lock.

Law: moving changes nothing that anybody reads, and nothing that a crash leaves.
"""

from __future__ import annotations

import threading
from array import array
from typing import Final

import apsw

from pillarbox.errors import StoreMissing
from pillarbox.storage.forked import wait_at_fork

_PASSIVE: Final = apsw.SQLITE_CHECKPOINT_PASSIVE
#: How far a log grows from one pass to the next, and in all: 4 MB and 16 MB, as `sqlite` has pages. Not
#: further, for a commit that makes its file longer takes half as long again as one that writes over it.
_PAGES_A_PASS: Final = 1_024
_PAGES_MAX: Final = 4_096


class LogMover:
    """Each pass has a thread and a connection of its own, so that no commit waits for it.

    One that waited would take as long as the disk needs for some thousand pages: hundreds of commits. The
    log begins anew with a commit when all of it was moved. Where commits never pause, some of it is always
    left, and it grows to its bound.
    """

    __slots__ = ("__weakref__", "_begun_at", "_path", "_synchronous", "_thread", "_vfs", "pages")

    def __init__(self, path: str, synchronous: str, vfs: str | None) -> None:
        """`synchronous` is as of the connection that commits: what is moved must be as safe."""
        self._path = path
        self._synchronous = synchronous
        self._vfs = vfs
        self._thread: threading.Thread | None = None
        #: In the log, as of the last commit.
        self.pages = 0
        #: As many were in it when the last pass began; 0 where there was none since the log began.
        self._begun_at = 0
        wait_at_fork(self)

    def count(self, _connection: object, _database: str, pages: int) -> int:
        """Hear of a commit; and because somebody hears, SQLite moves nothing inside of commits."""
        if pages < self.pages:
            self._begun_at = 0
        self.pages = pages
        return apsw.SQLITE_OK

    @property
    def waiting(self) -> int:
        """How many pages no pass has begun to move; all of them where the log is at its bound."""
        return self.pages if self.pages > _PAGES_MAX else self.pages - self._begun_at

    def begin(self, connection: apsw.Connection) -> bool:
        """Begin a pass when it is time for one; `connection` is the one that commits.

        False, and none goes on, where the log is at its bound, no thread can be had, or the file is not where
        it was.
        """
        if self.pages > _PAGES_MAX:
            self.wait()
            return False
        is_moving = self._thread is not None and self._thread.is_alive()
        if not is_moving and (not self._begun_at or self.pages - self._begun_at >= _PAGES_A_PASS):
            self.wait()
            if has_moved(connection):
                return False
            thread = threading.Thread(target=self._move, name="pillarbox-log")
            try:
                thread.start()
            except RuntimeError:  # there is no thread to be had, as where the interpreter ends
                return False
            self._thread = thread
            self._begun_at = self.pages
        return True

    def finish(self, connection: apsw.Connection) -> None:
        """Move what can be moved now, in this thread, by the connection that commits. Raises apsw.Error."""
        self.wait()  # or it has the lock that is needed here
        try:
            connection.wal_checkpoint(mode=_PASSIVE)
        except apsw.BusyError:
            return  # another process moves it just now; what that leaves is found after the next commit
        self.pages = self._begun_at = 0

    def wait(self) -> None:
        """Wait for the pass under way; it has a lock that others need to move anything."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def pause(self) -> bool:
        """As `Working`: the pass under way ends."""
        thread = self._thread
        if thread is not None:
            thread.join()
        return False

    def resume(self) -> None:
        """There is nothing to resume: the next pass begins with a commit."""

    def _move(self) -> None:
        try:
            connection = apsw.Connection(self._path, flags=apsw.SQLITE_OPEN_READWRITE, vfs=self._vfs)
            try:
                connection.pragma("synchronous", self._synchronous)
                connection.pragma("schema_version")  # the first read opens the log
                connection.wal_checkpoint(mode=_PASSIVE)
            finally:
                connection.close()
        except apsw.Error:
            return  # Whoever moves the rest will hear it.


def has_moved(connection: apsw.Connection) -> bool:
    """Whether the file lies under another name by now, or none.

    Then what is opened by its name may be another box, and this log would be moved into that.
    """
    moved = array("i", [0])
    connection.file_control("main", apsw.SQLITE_FCNTL_HAS_MOVED, moved.buffer_info()[0])
    return bool(moved[0])


def refuse_moved(connection: apsw.Connection, path: str) -> None:
    """Raises StoreMissing where it has: what is written now would be lost, or nobody would find it."""
    if has_moved(connection):
        raise StoreMissing(
            path,
            "the box that is open is not there any more: it was moved, removed or replaced",
            remedy="see what lies there now, and open the box again",
        )
