"""Emissions of one round on their way to those who subscribed.

Depends on: errors, emission, subscription.  Never on: trackers, which make rounds.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, TypeAlias

from pillarbox.errors import LayoutConflict, StoreError
from pillarbox.views.emission import Emission
from pillarbox.views.subscription import Subscription

_log = logging.getLogger("pillarbox")

#: One emission on its way to one subscription, or the error that ends it.
Delivery: TypeAlias = tuple[Subscription[Any], Emission[Any] | Exception]


def deliver(deliveries: Iterable[Delivery]) -> None:
    """Hand out one round, in order; a subscription that was closed meanwhile is skipped.

    Call it outside any lock: callbacks run in here.
    """
    for subscription, what in deliveries:
        subscription.receive(what)


def report(error: BaseException) -> None:
    """What becomes of an error that nobody takes."""
    trace = not isinstance(error, StoreError | LayoutConflict) and error  # these are told whole, to each
    _log.error("a subscriber of a view failed: %s", error, exc_info=trace)
