"""Processes that die at a moment of one's choice, and what is then in their files.

Depends on: apsw.  Never on: what they do.

A moment is a write, a sync or a cut that SQLite asks of a file, and a name that is given or taken. A process
is forked, so a planted fault is in it; it dies by a kill, half of the write done where that is wanted.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import apsw

#: Of the module `os`; each is a moment as well.
_CALLS: Final = ("link", "unlink", "rename", "replace", "fsync")
#: Nobody lives so long.
_NEVER: Final = 1 << 40


class _Doom(apsw.VFS):
    """The file system of a process that dies at its `moment`-th moment."""

    def __init__(self, moment: int, *, torn: bool) -> None:
        #: The usual one.
        self.base = apsw.vfs_names()[0]
        super().__init__("doom", self.base, makedefault=True)
        self.count = 0
        self._moment = moment
        self._torn = torn
        for name in _CALLS:
            setattr(os, name, self._counted(getattr(os, name)))

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return _DoomedFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self.pass_moment()
        super().xDelete(filename, syncdir)

    def _counted(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            self.pass_moment()
            return real(*arguments, **options)

        return call

    def pass_moment(self, half: Callable[[], object] = lambda: None) -> None:
        """Die if it is time, after half of what is to be done."""
        self.count += 1
        if self.count == self._moment:
            if self._torn:
                half()
            os.kill(os.getpid(), signal.SIGKILL)


class _DoomedFile(apsw.VFSFile):
    def __init__(self, doom: _Doom, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__(doom.base, name, flags)
        self._doom = doom

    def xWrite(self, data: bytes, offset: int) -> None:
        write = super().xWrite
        self._doom.pass_moment(lambda: write(data[: len(data) // 2], offset))
        write(data, offset)

    def xSync(self, flags: int) -> None:
        self._doom.pass_moment()
        super().xSync(flags)

    def xLock(self, level: int) -> None:
        try:
            super().xLock(level)
        except (
            apsw.IOError
        ) as error:  # of a file that may only be read, which SQLite takes for a lock of others
            raise apsw.BusyError from error

    def xTruncate(self, newsize: int) -> None:
        self._doom.pass_moment()
        super().xTruncate(newsize)


def moments_of(act: Callable[[], object]) -> int:
    """How many moments an act has, which is done."""
    told, tell = os.pipe()
    if _ended(_forked(act, _NEVER, torn=False, tell=tell)):
        raise AssertionError("it died of something else")
    os.close(tell)
    with os.fdopen(told, "rb") as pipe:
        return int(pipe.read())


def killed(act: Callable[[], object], moment: int, *, torn: bool = False) -> bool:
    """Begin an act in a process that dies at a moment, counted from 1; whether it did, or was done before."""
    return _ended(_forked(act, moment, torn=torn))


def _forked(act: Callable[[], object], moment: int, *, torn: bool, tell: int | None = None) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        doom = _Doom(moment, torn=torn)
        act()
        if tell is not None:
            os.write(tell, str(doom.count).encode())
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _ended(pid: int) -> bool:
    """Wait for a process; whether it was killed."""
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0, "an act failed in its process; its traceback stands above"
    return False


def stored(path: Path) -> dict[str, list[Any]] | None:
    """All that is in a box, by SQLite alone; None where there is none. It must not be damaged."""
    if not path.exists():
        return None
    connection = apsw.Connection(str(path))
    try:
        assert connection.pragma("integrity_check") == "ok"
        return _rows(connection)
    finally:
        connection.close()


def _rows(connection: apsw.Connection) -> dict[str, list[Any]]:
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type='table'")]
    return {name: sorted(connection.execute(f'SELECT * FROM "{name}"'), key=repr) for name in names}


@contextmanager
def looking(path: Path) -> Iterator[None]:
    """A process looks at a box, and what it sees stays the same for as long as the block lasts."""
    ready, say = os.pipe()
    wait, end = os.pipe()
    pid = os.fork()
    if not pid:
        code = 1
        try:
            os.close(end)
            _look(path, lambda: os.write(say, b"."), lambda: os.read(wait, 1))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(say)
    os.close(wait)
    try:
        os.read(ready, 1)
        yield
    finally:
        os.close(ready)
        os.close(end)
        _ended(pid)


def _look(path: Path, say: Callable[[], object], wait: Callable[[], object]) -> None:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.execute("BEGIN")
    seen = _rows(connection)
    say()
    wait()
    assert _rows(connection) == seen, "what was looked at has changed"
    connection.execute("COMMIT")
    assert connection.pragma("quick_check") == "ok"
    connection.close()
