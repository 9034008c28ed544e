"""The command line: runs one verb and turns what comes of it into an exit code.

Depends on: errors, and verbs once click is known to be there.  Never on: what any verb does.
Law: 0 fine, 1 findings, 2 wrong use, 3 store problem, 4 network, 130 interrupted; an error raised on
purpose is one text on standard error, never a traceback, and anything with a traceback is a bug.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import NoReturn

from pillarbox.errors import PillarboxError, TransientError, UsageError


class ExitCode(IntEnum):
    """What a shell script may rely on."""

    FINE = 0
    FINDINGS = 1
    WRONG_USE = 2
    STORE = 3
    NETWORK = 4
    INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the verb that `arguments` (by default those of the process) name, and exit."""
    try:
        from pillarbox import verbs
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        _complain("the command line needs click; install it with `pip install 'pillarbox[cli]'`")
        sys.exit(ExitCode.WRONG_USE)
    end_with(lambda: verbs.run(arguments))


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


def exit_code_of(error: PillarboxError) -> ExitCode:
    """The exit code for an error: it follows from who must act."""
    match error:
        case UsageError():
            return ExitCode.WRONG_USE
        case TransientError():
            return ExitCode.NETWORK
        case _:
            return ExitCode.STORE


def _complain(text: str) -> None:
    print(f"pillarbox: {text}", file=sys.stderr)
