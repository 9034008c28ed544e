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
from contextlib import suppress
from enum import IntEnum
from typing import Final, NoReturn

from pillarbox.errors import AccountError, PillarboxError, TransientError, UsageError


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
    try:
        sys.exit(run())
    except PillarboxError as error:
        _complain(str(error))
        sys.exit(exit_code_of(error))
    except KeyboardInterrupt:
        _complain("interrupted")
        sys.exit(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        _let_go_of_output()
        sys.exit(ExitCode.UNREAD)
    except OSError as error:
        if error.errno not in _OUTPUT_FAILS or error.filename is not None:
            raise
        _let_go_of_output()
        _complain(f"the output cannot be written: {error.strerror}; free some room, or send it elsewhere")
        sys.exit(ExitCode.STORE)


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
    with suppress(OSError):  # where nobody can be told, the exit code still tells
        print(f"pillarbox: {text}", file=sys.stderr)


def _let_go_of_output() -> None:
    """So that what could not be written is not tried again at the very end, which would change the code."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is None:
            continue
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
