"""What a process told its listeners, beside what its commits did.

Depends on: trace.  Never on: machines.

Law (N-9, E-8, E-9): events leave once, in the order of the commits, and only after those are acknowledged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from pillarbox.sync.protocol import Unhandled
from pillarbox.testing.trace import Violation


class Told:
    """Of one life of a process."""

    def __init__(self) -> None:
        self._due: deque[object] = deque()

    def committed(self, events: Sequence[object]) -> None:
        """The process was told that this is durable."""
        self._due.extend(events)

    def published(self, events: Sequence[object]) -> None:
        """The process told it. Raises Violation."""
        for event in events:
            if isinstance(event, Unhandled):
                continue
            if not self._due:
                raise Violation("N-9", f"{event!r} was told, and no commit that is over did it")
            expected = self._due.popleft()
            if event != expected:
                raise Violation("N-9", f"{event!r} was told where {expected!r} was next")

    def check_rest(self) -> None:
        """Nothing is left to be told. Raises Violation."""
        if self._due:
            raise Violation("N-9", f"{len(self._due)} events were never told, first {self._due[0]!r}")
