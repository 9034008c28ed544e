"""Where the time of nested calls goes: each call is charged with its own time, not that of calls within.

Depends on: nothing.  Never on: what is measured.

Law: the charges add up to the time of the outermost calls; a wrapped call does what it did before.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Stopwatch:
    """Methods of classes, wrapped for as long as a block lasts."""

    def __init__(self) -> None:
        #: label -> (calls, seconds of its own).
        self.charges: dict[str, tuple[int, float]] = defaultdict(lambda: (0, 0.0))
        self._within: list[float] = []
        self._wrapped: list[tuple[type, str, Any]] = []

    def watch(self, kind: type, method: str, label: str | Callable[[Any], str]) -> None:
        """Charge calls of a method that the class itself defines; `label` may be made of the object."""
        original: Callable[..., Any] = vars(kind)[method]
        self._wrapped.append((kind, method, original))
        name_of: Callable[[Any], str] = (lambda _: label) if isinstance(label, str) else label

        def timed(this: Any, *arguments: Any, **options: Any) -> Any:
            self._within.append(0.0)
            begin = time.perf_counter()
            try:
                return original(this, *arguments, **options)
            finally:
                spent = time.perf_counter() - begin
                own = spent - self._within.pop()
                if self._within:
                    self._within[-1] += spent
                name = name_of(this)
                calls, seconds = self.charges[name]
                self.charges[name] = (calls + 1, seconds + own)

        setattr(kind, method, timed)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Take the wraps off afterwards."""
        try:
            yield
        finally:
            while self._wrapped:
                kind, method, original = self._wrapped.pop()
                setattr(kind, method, original)
