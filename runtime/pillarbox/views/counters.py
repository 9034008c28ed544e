"""What live views did so far.

Depends on: nothing.  Never on: views, trackers.
"""

from __future__ import annotations

from typing import Any, Self

import msgspec


class ViewCounters(msgspec.Struct, frozen=True):
    """One live view, since it is live."""

    #: The view's key, or what names several that are watched together.
    key: Any
    #: How many subscribe to it now. A view without any is followed by others.
    subscriptions: int
    #: Commits and refreshes that changed what it shows.
    emitted: int
    #: Those that concerned it and changed nothing that it shows.
    suppressed: int
    #: How often it was loaded anew, for want of a change record.
    refreshed: int
    #: What all of these took. Loading it at first is not among them.
    seconds: float

    @classmethod
    def of(cls, live: Any) -> Self:
        """Of a view."""
        return cls(
            live.key, len(live.subscriptions), live.emitted, live.suppressed, live.refreshed, live.seconds
        )
