"""Who else has a box open, and what they say: a small file beside it, in which locks say who is there.

Depends on: forked, and the operating system.  Never on: SQLite's own files, whose locks a second handle
would drop; what is said.

Laws. Whoever is registered is seen by every other handle that looks afterwards, in this process or another,
until it closes or its process ends, however that ends; never longer. What one of them said last, whole, is
what every other hears from it, as long. Nobody waits for anybody. Where the system cannot say who is there,
`meet` gives None.

Locks belong to the open file (OFD locks of Linux), so that the kernel drops them with the process, and two
handles of one process see each other. docs/decisions/0028 tells why not rows, and why not every commit asks
the kernel; 0035 why what is said lies here.
"""

from __future__ import annotations

import errno
import mmap
import os
import sys
import time
import zlib
from collections.abc import Mapping
from contextlib import suppress
from struct import Struct
from typing import Final
from weakref import finalize

from pillarbox.storage.forked import leave_at_fork

#: Beside the box, while somebody has it open.
SUFFIX: Final = "-presence"
#: What lies in the file: a token that changes with every arrival, the bell, a token that changes with
#: whatever is said, and a byte that says nothing.
_TOKEN_AT, _BELL_AT, _SAID_AT, _WIDTH, _SIZE = 0, 8, 16, 8, 25
#: The byte that everybody locks who has the file open, so that the last one may remove it.
_GATE: Final = 0
#: The byte that those lock who wait to write.
_QUEUE: Final = 1
#: Registered handles lock one byte each, the first behind this that is free: their seats.
_SEATS_AT: Final = 1 << 20
_SEATS: Final = 1 << 16
#: What the holder of a seat says lies in a room of its own, behind its length and its checksum.
_ROOMS_AT: Final = 1 << 12
_ROOM: Final = 1 << 20
_SAID: Final = Struct("<II")
_TRIES: Final = 50
_LOCK: Final = Struct("@hhqqi4x")


class Presence:
    """One handle on the file; close it."""

    def __init__(self, name: str, handle: int) -> None:
        self._name = name
        self._handle = handle
        self._shown = mmap.mmap(handle, _SIZE, prot=mmap.PROT_READ)
        #: Of a box that is let go without being closed neither the handle is left, nor the locks.
        self._let_go = finalize(self, os.close, handle)
        #: As last seen, before it was asked who is there; no arrival makes it this.
        self._token = b""
        self._others = False
        #: None: it is not registered.
        self._seat: int | None = None
        #: What was heard last, by seats, and the token as it was then.
        self._heard: dict[int, bytes] = {}
        self._said_token = b""
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
                    os.fchmod(handle, os.stat(path).st_mode & 0o666 | 0o600)
                try:
                    if _lock(handle, "read", _GATE, 1) and _is_at(handle, name):
                        if os.fstat(handle).st_size < _SIZE:  # never less than it is: others may be here
                            os.pwrite(handle, b"\0", _SIZE - 1)
                        return cls(name, handle)
                except BaseException:
                    os.close(handle)
                    raise
                os.close(handle)  # whose last user is about to remove it
                time.sleep(0.001)
        except OSError:
            pass
        return None

    @property
    def is_registered(self) -> bool:
        """Whether it is seen by the others."""
        return self._seat is not None

    def register(self) -> bool:
        """Be seen by the others from now on. False where that fails; it may be tried again."""
        if self._seat is None and self._handle >= 0:
            with suppress(OSError):
                for seat in range(_SEATS):
                    if _lock(self._handle, "write", _SEATS_AT + seat, 1):
                        if self._read(seat) != b"":  # who was here before is not heard any more
                            self._write(seat, b"")
                        os.pwrite(self._handle, os.urandom(_WIDTH), _TOKEN_AT)
                        self._seat = seat
                        break
        return self.is_registered

    def somebody_listens(self) -> bool:
        """Whether another handle is registered now. Asks the kernel only if there may be one."""
        token = self._shown[_TOKEN_AT : _TOKEN_AT + _WIDTH]
        if self._others or token != self._token:
            self._token = token
            self._others = _is_locked(self._handle, _SEATS_AT, 0)
        return self._others

    @property
    def had_company(self) -> bool:
        """What `somebody_listens` said last, for any thread."""
        return self._others

    def wait(self) -> None:
        """Be seen to wait for the turn to write. Where that fails, nobody sees it."""
        self._queue("read")

    def wait_no_more(self) -> None:
        """The reverse of `wait`."""
        self._queue("no")

    def _queue(self, kind: str) -> None:
        if self._handle >= 0:
            with suppress(OSError):
                _lock(self._handle, kind, _QUEUE, 1)

    def somebody_waits(self) -> bool:
        """Whether another handle waits for its turn to write. Asks the kernel."""
        return self._handle >= 0 and _is_locked(self._handle, _QUEUE, 1)

    def say(self, what: bytes) -> bool:
        """Let the others hear this instead of what was said before, and wake them; 1 MiB at most.

        False where that fails, and for who is not registered: then nothing is heard, or what was before.
        """
        fits = self.has_room_for(what)
        with suppress(OSError):
            if self._seat is not None:
                self._write(self._seat, what if fits else b"")
                return fits
        return False

    @staticmethod
    def has_room_for(what: bytes) -> bool:
        """Whether so much can be said at once."""
        return len(what) <= _ROOM - _SAID.size

    def _write(self, seat: int, what: bytes) -> None:
        said = _SAID.pack(len(what), zlib.crc32(what)) + what
        if os.pwrite(self._handle, said, _ROOMS_AT + seat * _ROOM) < len(said):
            raise OSError(errno.ENOSPC, "no room for all of it")
        os.pwrite(self._handle, os.urandom(_WIDTH), _SAID_AT)  # last, and a ring as any write to the file

    def hear(self) -> Mapping[int, bytes]:
        """What the others say that say anything, by their seats; the same object as before while it is equal.

        While nobody says anything else, asks the kernel only whether those who spoke are still there.
        """
        if self._handle < 0:
            return self._heard
        token = self._shown[_SAID_AT : _SAID_AT + _WIDTH]
        if token != self._said_token or not all(
            _is_locked(self._handle, _SEATS_AT + seat, 1) for seat in self._heard
        ):
            heard: dict[int, bytes] = {}
            for seat in _seats(self._handle):
                said = self._read(seat)
                if said is None:  # it is being written: there will be another token
                    said = self._heard.get(seat)
                if said:
                    heard[seat] = said
            if heard != self._heard:
                self._heard = heard
            self._said_token = token
        return self._heard

    def _read(self, seat: int) -> bytes | None:
        """What is said from a seat; None where it is not whole."""
        try:
            head = os.pread(self._handle, _SAID.size, _ROOMS_AT + seat * _ROOM)
            if len(head) < _SAID.size:
                return b""
            length, checksum = _SAID.unpack(head)
            what = os.pread(self._handle, min(length, _ROOM), _ROOMS_AT + seat * _ROOM + _SAID.size)
        except OSError:
            return None
        return what if len(what) == length and zlib.crc32(what) == checksum else None

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
        self._seat = None
        if handle >= 0:
            self._shown.close()  # which holds the file as well
            self._let_go()

    def close(self) -> None:
        """Be gone. The last one takes the file along. Closing twice is fine."""
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        self._seat = None
        self._shown.close()
        with suppress(OSError):
            if _lock(handle, "write", _GATE, 1) and _is_at(handle, self._name):
                os.unlink(self._name)
        self._let_go()


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

    type_ = {"write": fcntl.F_WRLCK, "read": fcntl.F_RDLCK, "no": fcntl.F_UNLCK}[kind]
    try:
        fcntl.fcntl(handle, fcntl.F_OFD_SETLK, _LOCK.pack(type_, os.SEEK_SET, start, length, 0))
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return False
        raise
    return True


def _is_locked(handle: int, start: int, length: int) -> bool:
    """Whether another handle has a lock in there; 0 is all behind. What cannot be told counts as yes."""
    try:
        return _lock_in(handle, start, length) is not None
    except OSError:
        return True


def _seats(handle: int) -> list[int]:
    """The seats that other handles have."""
    found: list[int] = []
    stretches = [(0, _SEATS)]
    with suppress(OSError):
        while stretches:
            low, high = stretches.pop()
            at = _lock_in(handle, _SEATS_AT + low, high - low) if low < high else None
            if at is not None:  # some lock in there, which need not be the first
                seat = max(low, at - _SEATS_AT)
                found.append(seat)
                stretches += [(low, seat), (seat + 1, high)]
    return found


def _lock_in(handle: int, start: int, length: int) -> int | None:
    """Where one of the locks of other handles in there begins."""
    import fcntl

    answer = fcntl.fcntl(handle, fcntl.F_OFD_GETLK, _LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, start, length, 0))
    type_, _, at, *_ = _LOCK.unpack(answer)
    return None if type_ == fcntl.F_UNLCK else at
