"""Putting off the collection of garbage while much is made that stays.

Depends on: nothing.  Never on: what is made.

Law: after `uncollected` work collection is as it was before, whatever happened in between.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def kept_to_the_end() -> None:
    """For a process that ends soon: nothing made so far is looked through again, not even at its end.

    To find at the end that all of a schema may go would be a seventh of what the command line does.
    """
    gc.freeze()


def uncollected(work: Callable[P, R]) -> Callable[P, R]:
    """For work of a second or two: to look through all of a schema again and again is a quarter of it."""

    @wraps(work)
    def paused(*args: P.args, **kwargs: P.kwargs) -> R:
        if not gc.isenabled():
            return work(*args, **kwargs)
        gc.disable()
        try:
            return work(*args, **kwargs)
        finally:
            gc.enable()

    return paused
