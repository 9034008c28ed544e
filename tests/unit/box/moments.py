"""Every moment at which Python may heed Ctrl-C, one by one.

Depends on: nothing of the package.  Never on: what is interrupted.

Python looks for signals as a function begins or goes on, behind a call of what is written in C, and where a
loop goes back. Between these, and so between `with lock:` and the first line in it, nothing is interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from itertools import count
from opcode import opname
from types import FrameType, ModuleType
from typing import Any

#: A RESUME of these kinds looks for signals: as a function begins, and behind a `yield`.
_BEGINS = (0, 1)


class Interrupt:
    """Raises KeyboardInterrupt at the `moment`-th one in `files`, in the thread that is traced."""

    def __init__(self, moment: int, files: Collection[str]) -> None:
        self.left = moment
        self.came = False
        self._files = files
        #: Frames of which a call has entered another one.
        self._calling: set[FrameType | None] = set()

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> Any:
        self._calling.add(frame.f_back)
        if frame.f_code.co_filename not in self._files:
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        # Where the instruction before began: for the first that is told of, the one by which it begins.
        at = frame.f_lasti

        def look(frame: FrameType, event: str, _argument: Any) -> Any:
            nonlocal at
            if event == "opcode":
                entered = frame in self._calling
                self._calling.discard(frame)
                if at >= 0 and not entered and _heeds(frame.f_code.co_code, at, frame.f_lasti):
                    self.left -= 1
                    if self.left == 0:
                        sys.settrace(None)
                        self.came = True
                        raise KeyboardInterrupt
                at = frame.f_lasti
            elif event == "exception":
                at = -1  # a call that raised looked for nothing
            return look

        return look


def _heeds(code: bytes, at: int, then: int) -> bool:
    """Whether signals are looked for between the instruction at `at` and the one that comes then."""
    name = opname[code[at]]
    if name == "RESUME":
        return code[at + 1] in _BEGINS
    if "JUMP_BACKWARD" in name:
        return then < at and "NO_INTERRUPT" not in name
    return name.startswith("CALL")


def files_of(*modules: ModuleType) -> set[str]:
    """Where they are written."""
    return {str(module.__file__) for module in modules}


def interrupts(files: Collection[str], make: Callable[[int], Callable[[], object]]) -> Iterator[int]:
    """Do what `make` makes, interrupted at its first moment, what it makes next at the second, and so on.

    Gives each moment after it was interrupted, and at last the one that never came.
    """
    for moment in count(1):
        work = make(moment)
        interrupt = Interrupt(moment, files)
        sys.settrace(interrupt)
        try:
            work()
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(None)
        yield moment
        if not interrupt.came:
            assert moment > 1, "nothing of these files is done"
            return
