"""All live views of one box: who shares which, and what a commit emits.

Depends on: view, interests, subscription, reads.  Never on: transactions, boxes, storage.

Law: a commit emits exactly one snapshot per subscription whose view differs, by view kind in schema
order, then by creation of the view, then by creation of the subscription; all of them are frozen before
the first is delivered. Equal keys share one view; it lives as long as it is subscribed to.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from operator import attrgetter
from typing import Any, TypeVar

from pillarbox.errors import UsageError
from pillarbox.tables import ChangeRecord
from pillarbox.views.interests import Interests
from pillarbox.views.reads import Readers, Reads
from pillarbox.views.subscription import Delivery, Subscription
from pillarbox.views.view import Builder, Emission, View, ViewFactory, ViewKey, Why

S = TypeVar("S")

_log = logging.getLogger("pillarbox")
_by_order = attrgetter("order")


class Tracker:
    """The live views of one box.

    `readers` see the commit that is being replayed. Every method but `close` of a subscription is to be
    called under the box's write lock; what they return is delivered after it is released, see `deliver`.
    """

    __slots__ = ("_created", "_factory", "_lock", "_on_error", "_readers", "_views", "interests")

    def __init__(
        self,
        builders: Mapping[type, Builder],
        readers: Readers,
        *,
        on_error: Callable[[BaseException], None] | None = None,
    ) -> None:
        self._factory = ViewFactory(builders)
        self._readers = readers
        self._on_error = _report if on_error is None else on_error
        self._created = count()
        self._views: dict[ViewKey[Any], View[Any]] = {}
        self.interests = Interests()
        #: Subscriptions are closed from any thread, under no lock of the box. No callback runs under it.
        self._lock = threading.RLock()

    @property
    def has_subscriptions(self) -> bool:
        """Whether any view is live."""
        return bool(self._views)

    def subscribe(self, key: ViewKey[S], *, every: bool = False, queue_max: int = 1_000) -> Subscription[S]:
        """A new subscription, which has its INITIAL emission. Loads the view unless it is live."""
        if queue_max < 1:
            raise UsageError(f"queue_max is {queue_max}; at least one emission must be allowed to wait")
        with self._lock:
            view = self._views.get(key)
            if view is None:
                view = self._factory.make(key, self._readers)
                view.order = (view.order[0], next(self._created))
                view.open(self.interests, Reads(self._readers, shared=self.interests))
                self._views[key] = view
            first: Emission[S] = Emission(view.snapshot, Why.INITIAL)
            subscription = Subscription(
                key, first, every=every, queue_max=queue_max, on_close=self._release, on_error=self._on_error
            )
            view.subscriptions.append(subscription)
        return subscription

    def load_once(self, key: ViewKey[S], readers: Readers) -> S:
        """The snapshot of a view through other readers, without keeping it. Needs no lock."""
        view = self._factory.make(key, readers)
        view.open(Interests(), Reads(readers))
        return view.snapshot

    def replay(self, record: ChangeRecord) -> list[Delivery]:
        """Fold one commit into the views it concerns; what is to be delivered, in order."""
        with self._lock:
            routed = self.interests.route(record.tables)
            if not routed:
                return []
            concerned = {sink.view for sink in routed}
            reads = Reads(self._readers, record.tables, self.interests)
            return self._round(concerned, lambda view: view.replay(reads, routed))

    def refresh_all(self) -> list[Delivery]:
        """Load all views anew, for want of a change record; what is to be delivered, in order."""
        with self._lock:
            reads = Reads(self._readers)
            return self._round(self._views.values(), lambda view: view.refresh(reads))

    def close(self) -> None:
        """End all subscriptions."""
        with self._lock:
            for view in list(self._views.values()):
                for subscription in tuple(view.subscriptions):
                    subscription.close()

    def _round(self, views: Iterable[View[Any]], differs: Callable[[View[Any]], bool]) -> list[Delivery]:
        """Replay views in order and freeze what they emit."""
        deliveries: list[Delivery] = []
        for view in sorted(views, key=_by_order):
            what: Emission[Any] | Exception
            try:
                if not differs(view):
                    continue
                what = Emission(view.snapshot, view.why, view.changed_parts)
            except Exception as error:
                # A view that cannot be read (a damaged row, say) ends; the commit and other views go on.
                what = error
                self._forget(view)
            for subscription in view.subscriptions:
                deliveries.append((subscription, what))
        return deliveries

    def _release(self, subscription: Subscription[Any]) -> None:
        """A subscription was closed: its view goes with the last one."""
        with self._lock:
            view = self._views.get(subscription.key)
            if view is None or subscription not in view.subscriptions:
                return  # Its view has failed.
            view.subscriptions.remove(subscription)
            if not view.subscriptions:
                self._forget(view)

    def _forget(self, view: View[Any]) -> None:
        view.close()
        del self._views[view.key]


def _report(error: BaseException) -> None:
    _log.error("a subscriber of a view failed", exc_info=error)
