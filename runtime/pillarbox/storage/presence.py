"""Who else has a box open: a small file beside it, in which locks say who is there.

Depends on: forked, and the operating system.  Never on: SQLite's own files, whose locks a second handle
would drop.

Laws. Whoever is registered is seen by every other handle that looks afterwards, in this process or another,
until it closes or its process ends, however that ends; never longer. Nobody waits for anybody. Where the
system cannot say who is there, `meet` gives None.

Locks belong to the open file (OFD locks of Linux), so that the kernel drops them with the process, and two
handles of one process see each other. docs/decisions/0028 tells why not rows, and why not every commit asks
the kernel.
"""

from __future__ import annotations

import errno
import mmap
import os
import sys
import time
from contextlib import suppress
from struct import Struct
from typing import Final

from pillarbox.storage.forked import leave_at_fork

#: Beside the box, while somebody has it open.
SUFFIX: Final = "-presence"
#: What lies in the file: a token that changes with every arrival, and the bell.
_TOKEN_AT, _BELL_AT, _WIDTH, _SIZE = 0, 8, 8, 9
#: The byte that everybody locks who has the file open, so that the last one may remove it.
_GATE: Final = 0
#: Registered handles lock one byte each, anywhere behind this.
_SEATS_AT: Final = 1 << 20
_SEATS: Final = 1 << 40
_TRIES: Final = 50
_LOCK: Final = Struct("@hhqqi4x")


class Presence:
    """One handle on the file; close it."""

    def __init__(self, name: str, handle: int) -> None:
        self._name = name
        self._handle = handle
        self._shown = mmap.mmap(handle, _SIZE, prot=mmap.PROT_READ)
        #: As last seen, before it was asked who is there; no arrival makes it this.
        self._token = b""
        self._others = False
        self.is_registered = False
        leave_at_fork(self)

    @classmethod
    def meet(cls, path: str) -> Presence | None:
        """A handle beside the box at `path`; None where files cannot be made there, or locks do not work."""
        if not is_possible():
            return None
        name = path + SUFFIX
        try:
            for _ in range(_TRIES):
                handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                with suppress(OSError):  # whoever may write to the box is to be seen; the file has one owner
                    os.fchmod(handle, os.stat(path).st_mode & 0o666)
                try:
                    if _lock(handle, "read", _GATE, 1) and _is_at(handle, name):
                        os.ftruncate(handle, _SIZE)
                        return cls(name, handle)
                except BaseException:
                    os.close(handle)
                    raise
                os.close(handle)  # whose last user is about to remove it
                time.sleep(0.001)
        except OSError:
            pass
        return None

    def register(self) -> bool:
        """Be seen by the others from now on. False where that fails; it may be tried again."""
        if not self.is_registered and self._handle >= 0:
            seat = _SEATS_AT + int.from_bytes(os.urandom(_WIDTH), "little") % _SEATS
            with suppress(OSError):
                if _lock(self._handle, "write", seat, 1):
                    os.pwrite(self._handle, os.urandom(_WIDTH), _TOKEN_AT)
                    self.is_registered = True
        return self.is_registered

    def somebody_listens(self) -> bool:
        """Whether another handle is registered now. Asks the kernel only if there may be one."""
        token = self._shown[_TOKEN_AT : _TOKEN_AT + _WIDTH]
        if self._others or token != self._token:
            self._token = token
            self._others = _is_locked(self._handle, _SEATS_AT)
        return self._others

    def ring(self) -> None:
        """Wake those who wait for news. They look now and then anyway, so this may fail."""
        with suppress(OSError):
            os.pwrite(self._handle, b"\1", _BELL_AT)

    @property
    def bell(self) -> str:
        """The path of a file that is written to whenever somebody rings."""
        return f"/proc/self/fd/{self._handle}"

    def carried(self) -> None:
        """The locks are those of the process that this one was forked from, and go with it."""
        handle, self._handle = self._handle, -1
        self.is_registered = False
        if handle >= 0:
            os.close(handle)

    def close(self) -> None:
        """Be gone. The last one takes the file along. Closing twice is fine."""
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        self._shown.close()
        with suppress(OSError):
            if _lock(handle, "write", _GATE, 1) and _is_at(handle, self._name):
                os.unlink(self._name)
        os.close(handle)


def is_possible() -> bool:
    """Whether this system can tell at all who is there: where a lock is laid out as `_LOCK` says."""
    return sys.platform == "linux" and sys.maxsize >= 1 << 32


def _is_at(handle: int, name: str) -> bool:
    """Whether the open file is still the one of that name."""
    held = os.fstat(handle)
    try:
        named = os.stat(name)
    except FileNotFoundError:
        return False
    return (held.st_dev, held.st_ino) == (named.st_dev, named.st_ino)


def _lock(handle: int, kind: str, start: int, length: int) -> bool:
    """Lock bytes, changing the lock that the handle has on them; False where others have one."""
    import fcntl

    type_ = fcntl.F_WRLCK if kind == "write" else fcntl.F_RDLCK
    try:
        fcntl.fcntl(handle, fcntl.F_OFD_SETLK, _LOCK.pack(type_, os.SEEK_SET, start, length, 0))
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return False
        raise
    return True


def _is_locked(handle: int, start: int) -> bool:
    """Whether another handle has a lock at or behind a byte. What cannot be told counts as yes."""
    import fcntl

    asked = _LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, start, 0, 0)
    try:
        answer = fcntl.fcntl(handle, fcntl.F_OFD_GETLK, asked)
    except OSError:
        return True
    return bool(_LOCK.unpack(answer)[0] != fcntl.F_UNLCK)
