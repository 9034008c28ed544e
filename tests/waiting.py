"""How a test waits: for a state, never for a time, on a machine that may be slow and busy with others.

Depends on: anyio.  Never on: what is tested.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import anyio

#: After so many seconds a test hangs. Far beyond what the slowest machine takes: no test may come near it.
SECONDS_MAX: Final = 120


async def until(is_so: Callable[[], object]) -> None:
    """Wait in an event loop, where all else goes on."""
    with anyio.fail_after(SECONDS_MAX):
        while not is_so():
            await anyio.sleep(0.001)


def wait_for(is_so: Callable[[], object]) -> None:
    """Wait in a thread, while others go on."""
    last = time.monotonic() + SECONDS_MAX
    while not is_so():
        assert time.monotonic() < last, "it did not come"
        time.sleep(0.005)
