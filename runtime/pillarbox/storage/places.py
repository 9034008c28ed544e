"""Where a box may lie: names that SQLite opens, files that are their owner's, and copies that are whole.

Depends on: errors.  Never on: SQLite.

Law: what has a name is whole; no file that was there before is touched, nor one that belongs to it.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress

from pillarbox.errors import (
    DataError,
    StoreError,
    StoreFailed,
    StoreFull,
    StoreMissing,
    StoreReadOnly,
    UsageError,
)


def ran_out(path: str, number: int | None) -> StoreError | None:
    """What to raise where the number of an error of the system says that there is no more of something."""
    match number:
        case errno.ENOSPC | errno.EDQUOT:
            return StoreFull(path)
        case errno.EFBIG:
            return StoreFull(path, "no file may grow so long", remedy="Raise that limit (`ulimit -f`)")
        case errno.EMFILE | errno.ENFILE:
            remedy = "close some, or allow more (`ulimit -n`), and try again"
            return StoreFailed(path, "too many files are open", remedy=remedy)
        case _:
            return None


def absolute(path: str) -> str:
    """The whole path. Raises UsageError for what SQLite opens no file by."""
    try:
        return _nameable(os.path.abspath(path))
    except FileNotFoundError as error:
        raise StoreMissing(path, "the folder that this program runs in is not there any more") from error
    except OSError as error:
        reason = f"the folder that this program runs in cannot be named ({error.strerror})"
        raise StoreFailed(path, reason, remedy="give the whole path") from error


def no_file(path: str) -> StoreMissing:
    """What to raise where no box can lie."""
    if os.path.isdir(path):
        return StoreMissing(path, "this is a folder", remedy="name the file of a box")
    if os.path.exists(path):
        return StoreMissing(path, "this is no regular file", remedy="name the file of a box")
    if os.path.lexists(path):
        return StoreMissing(path, "this is a link to what is not there")
    return StoreMissing(path, "there is no such file")


def resolved(path: str) -> str:
    """As `absolute`, past links: beside the file itself lies what all who open it, by any name, must find."""
    return _nameable(os.path.realpath(absolute(path)))


def _nameable(path: str) -> str:
    """The path, if by it the system means the file that SQLite does, which takes all names as UTF-8."""
    with suppress(UnicodeEncodeError):
        if "\0" not in path and os.fsencode(path) == path.encode():
            return path
    remedy = "name another"
    if (encoding := sys.getfilesystemencoding()) != "utf-8":
        remedy += f", or have Python take names as UTF-8, not as {encoding} (PYTHONUTF8=1)"
    raise UsageError(f"{path!r} is no name that a box can have: not UTF-8, or with a zero; {remedy}")


def refuse_lone_log(path: str) -> None:
    """Raises DataError where the log of a box lies there, and the box does not.

    SQLite would take that log away, even for who only reads, and with it the last commits of a box that was
    moved without it.
    """
    log = f"{path}-wal"
    try:
        is_lone = os.path.getsize(log) > 0 and not (os.path.exists(path) and os.path.getsize(path))
    except OSError:
        return
    if is_lone:
        raise DataError(
            f"{log} holds the last commits of a box that is not beside it; put it back, or remove this file"
        )


def create_private(path: str, told: str | None = None) -> None:
    """Make an empty file that only its owner may read; SQLite gives -wal and -shm the same mode.

    Errors tell it by its path, or as `told`: by the name that it is to have.
    """
    told = path if told is None else told
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    except OSError as error:
        denied = error.errno in (errno.EACCES, errno.EPERM, errno.EROFS)
        kind = StoreReadOnly if denied else StoreMissing
        failed = kind(told, f"the file cannot be created ({error.strerror})")
        raise ran_out(told, error.errno) or failed from error
    try:
        os.fchmod(handle, 0o600)  # whatever the umask took away
    finally:
        os.close(handle)


def refuse_taken(path: str) -> None:
    """Raises UsageError where something has that name, DataError where the log of a box lies beside it.

    Whoever opened a new file beside that log would read half of that box, and half of the new one.
    """
    if os.path.lexists(path):
        raise UsageError(f"{path} exists; name a file that does not, or move this one away")
    refuse_lone_log(path)


def give_name(part: str, path: str) -> None:
    """Call a finished file so, which stays under the name it has too, if it can have two.

    Raises UsageError where something has that name by now.
    """
    try:
        os.link(part, path)
    except OSError:
        refuse_taken(path)
        try:
            os.rename(part, path)  # there are file systems on which a file has one name only
        except OSError as error:
            failed = StoreFailed(path, f"the file cannot be given its name ({error.strerror})")
            raise ran_out(path, error.errno) or failed from error


def synced(path: str) -> None:
    """Wait until a file or a folder is on the disk. Raises StoreFull, StoreFailed."""
    try:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        failed = StoreFailed(path, f"it cannot be synced ({error.strerror})")
        raise ran_out(path, error.errno) or failed from error
