"""An end at any of the steps by which something asks the system to change files."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch


class Ended(BaseException):
    """Nobody catches it, as nobody hears of a kill."""


@contextmanager
def ended_at(step: int | None, steps: Collection[str]) -> Iterator[None]:
    """Raise before the step of that number; from then on nothing is done any more. None: at none.

    `steps` are functions of `os`.
    """
    count = 0

    def knife(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            nonlocal count
            count += 1
            if step is not None and count > step:
                raise Ended
            return real(*arguments, **named)

        return call

    with ExitStack() as patched:
        for name in steps:
            patched.enter_context(patch.object(os, name, knife(getattr(os, name))))
        yield
