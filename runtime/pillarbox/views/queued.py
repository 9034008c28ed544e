"""How many emissions may wait for who takes each of them.

Depends on: arguments, errors.  Never on: subscriptions.
"""

from __future__ import annotations

from pillarbox.arguments import refuse_no_number
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
    refuse_no_number("queue_max", queue_max, 1)
