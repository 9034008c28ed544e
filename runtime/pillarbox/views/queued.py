"""How many emissions may wait for who takes each of them.

Depends on: arguments, errors.  Never on: subscriptions.
"""

from __future__ import annotations

from pillarbox.arguments import misused
from pillarbox.errors import UsageError


class QueueFull(UsageError):
    """A subscription with `every` fell too far behind. Read faster, allow more, or take only the latest."""

    def __init__(self, key: object, queue_max: int) -> None:
        self.key, self.queue_max = key, queue_max
        super().__init__(
            f"{queue_max:,} emissions of {key!r} were waiting when another came, so the subscription was "
            f"closed; take them faster, pass a greater `queue_max`, or do without `every`"
        )


def check_queue(queue_max: int) -> None:
    """Raises UsageError where none could wait, or it is no number."""
    if not isinstance(queue_max, int):
        raise misused("queue_max", queue_max, "an int of 1 or more")
    if queue_max < 1:
        raise UsageError(f"queue_max is {queue_max}; at least one emission must be allowed to wait")
