"""Every moment at which Python may heed Ctrl-C, one by one.

Depends on: nothing of the package.  Never on: what is interrupted.

Python looks for signals as a function begins or goes on, behind a call of what is written in C, and where a
loop goes back. Between these, and so between `with lock:` and the first line in it, nothing is interrupted.
Of loops we know before 3.12 alone: since then, what is raised where one goes back passes by the handlers
around it, which no Ctrl-C does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from itertools import count
from opcode import opname
from threading import get_ident
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any, Final, Self

#: A RESUME of these kinds looks for signals: as a function begins, and behind a `yield`.
_BEGINS: Final = (0, 1)
#: Among the tools that may watch a program, one that neither debuggers nor profilers take.
_TOOL: Final = 4


class Interrupt:
    """Raises KeyboardInterrupt at the `moment`-th one in `files`, in the thread of its `with` block."""

    def __init__(self, moment: int, files: Collection[str]) -> None:
        self.left = moment
        self.came = False
        self._files = files

    def __enter__(self) -> Self:
        if sys.version_info >= (3, 12):
            self._monitor()
        else:
            sys.settrace(_Tracer(self._pass, self._files))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if sys.version_info >= (3, 12):
            sys.monitoring.set_events(_TOOL, 0)
            sys.monitoring.free_tool_id(_TOOL)
        else:
            sys.settrace(None)

    def _pass(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.came = True
            raise KeyboardInterrupt

    if sys.version_info >= (3, 12):

        def _monitor(self) -> None:
            """Be told by Python, which since 3.12 knows itself what calls and is called."""
            monitoring, thread = sys.monitoring, get_ident()
            events = monitoring.events

            def begins(code: CodeType, offset: int) -> object:
                return passes(code, code.co_code[offset + 1] & 3 in _BEGINS)

            def calls(code: CodeType, *_more: object) -> object:
                return passes(code, False)

            def returns(code: CodeType, *_more: object) -> None:
                passes(code, True)

            def passes(code: CodeType, heeds: bool) -> object:
                if code.co_filename not in self._files:
                    return monitoring.DISABLE
                if heeds and get_ident() == thread:
                    self._pass()
                return None

            monitoring.use_tool_id(_TOOL, "moments")
            for event, callback in (
                (events.PY_START, begins),
                (events.PY_RESUME, begins),
                (events.CALL, calls),  # without which nothing is told of what C gives back
                (events.C_RETURN, returns),
            ):
                monitoring.register_callback(_TOOL, event, callback)
            monitoring.set_events(_TOOL, events.PY_START | events.PY_RESUME | events.CALL)


class _Tracer:
    """Tells of each moment before 3.12, where nobody but the instructions knows them."""

    def __init__(self, tell: Callable[[], None], files: Collection[str]) -> None:
        self._tell = tell
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
                    self._tell()
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
        with suppress(KeyboardInterrupt), interrupt:
            work()
        yield moment
        if not interrupt.came:
            assert moment > 1, "nothing of these files is done"
            return
