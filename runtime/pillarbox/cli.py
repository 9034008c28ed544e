"""The command line: runs one verb and turns what comes of it into an exit code.

Depends on: errors, installing, and verbs once click is known to be there.  Never on: what any verb does.
Law: 0 fine, 1 findings, 2 wrong use, 3 store problem, 4 network, 130 interrupted, 141 nobody reads on; an
error raised on purpose is one text on standard error, never a traceback, and anything with a traceback is a
bug.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from enum import IntEnum
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING, Final, NoReturn, TextIO

from pillarbox.errors import AccountError, PillarboxError, TransientError, UsageError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class ExitCode(IntEnum):
    """What a shell script may rely on."""

    FINE = 0
    FINDINGS = 1
    WRONG_USE = 2
    STORE = 3
    NETWORK = 4
    INTERRUPTED = 130
    #: As of any other program in front of `head`: 128 and the number of SIGPIPE.
    UNREAD = 141


#: What a write to standard output fails with, where the fault is not ours. Errors of files have names.
_OUTPUT_FAILS: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the verb that `arguments` (by default those of the process) name, and exit."""
    end_with(lambda: _run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    try:
        from pillarbox import verbs  # here, as it takes long enough to be interrupted
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        from pillarbox.installing import install_line  # of no use where nothing is missing

        _complain(f"the command line needs click; install it with `{install_line('pillarbox', 'cli')}`")
        return ExitCode.WRONG_USE
    return verbs.run(arguments)


def end_with(run: Callable[[], int]) -> NoReturn:
    """Exit with the code that `run` returns, or with that of the error it raises."""
    _have_streams()
    code = _code_of(run)
    for stream in (sys.__stdout__, sys.__stderr__):
        _let_go_of(stream)  # by now all is told that anybody was to hear
    sys.exit(code)


def _code_of(run: Callable[[], int]) -> int:
    try:
        code = run()
        sys.stdout.flush()
        return code
    except PillarboxError as error:
        _complain(str(error))
        return exit_code_of(error)
    except KeyboardInterrupt as error:  # which says what stands, where that is not plain
        _complain(": ".join(["interrupted", *map(str, error.args)]))
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        return ExitCode.UNREAD
    except MemoryError:
        _complain("memory has run out; give this process more (`ulimit -v`), or less to do at once")
        return ExitCode.STORE
    except OSError as error:
        if error.errno not in _OUTPUT_FAILS or error.filename is not None:
            raise
        _complain(f"the output cannot be written: {error.strerror}; free some room, or send it elsewhere")
        return ExitCode.STORE


def exit_code_of(error: PillarboxError) -> ExitCode:
    """The exit code for an error: it follows from who must act."""
    match error:
        case UsageError():
            return ExitCode.WRONG_USE
        case TransientError() | AccountError():
            return ExitCode.NETWORK
        case _:
            return ExitCode.STORE


def _complain(text: str) -> None:
    print(f"pillarbox: {text}", file=sys.stderr)


def _have_streams() -> None:
    """Have standard streams that take every character, and that are there; an error stream that never fails.

    A terminal of few characters is shown the rest as escapes. Where a stream is closed, the next file that is
    opened would have its number, and what somebody writes to that number would be in the file.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
        elif mode == "w" and isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stderr, TextIOWrapper) and sys.stderr is sys.__stderr__:
        lossy, encoding = BufferedWriter(_Lossy(sys.stderr.fileno(), "w", closefd=False)), sys.stderr.encoding
        sys.stderr = TextIOWrapper(lossy, encoding, "backslashreplace", line_buffering=True)


class _Lossy(FileIO):
    """A file that loses what it cannot hold: where nobody can be told, the exit code still tells."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data) or memoryview(data).nbytes  # none of it, where others made it so
        except OSError:
            return memoryview(data).nbytes


def _let_go_of(stream: TextIO | None) -> None:
    """So that what could not be written is not tried again at the very end, which would change the code."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
