"""One pass over the live views that a commit concerns: who differs, and what is to be delivered.

Depends on: view, over, demand, emission, reads, subscription.  Never on: trackers, which know who lives.

Law: views are replayed by kind in schema order, then by creation; after them the views of what others want,
then those that follow views. Each is replayed once, and what it emits is frozen before anything is
delivered.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import attrgetter
from time import perf_counter
from typing import Any, Final, TypeAlias

from pillarbox.views.demand import Demand
from pillarbox.views.emission import Emission
from pillarbox.views.interests import Routed
from pillarbox.views.over import Over
from pillarbox.views.parts.part import MOMENTARY, WANTS
from pillarbox.views.reads import Reads
from pillarbox.views.subscription import Delivery
from pillarbox.views.view import View

Live: TypeAlias = "View[Any] | Over[Any]"

#: Sorts by the place in the order of emissions.
by_order: Final = attrgetter("order")


class Round:
    """`reads` are as of the commit, and `routed` what it has for whom; None is for want of that.

    `end` ends a view that cannot be read.
    """

    __slots__ = ("_deliveries", "_demand", "_end", "_followed", "_momentary", "_reads", "_routed")

    def __init__(
        self, demand: Demand, end: Callable[[Any, Exception], None], reads: Reads, routed: Routed | None
    ) -> None:
        self._demand = demand
        self._end = end
        self._reads = reads
        self._routed = routed
        self._deliveries: list[Delivery] = []
        #: What followed views emit.
        self._followed: dict[View[Any], Emission[Any] | Exception] = {}
        self._momentary: list[Live] = []

    def run(self, views: Collection[View[Any]]) -> list[Delivery]:
        """Replay `views`, and those that what they do concerns."""
        waiting: set[View[Any]] = set()
        for view in sorted(views, key=by_order) if len(views) > 1 else views:
            if view.order[0]:
                waiting.add(view)
            else:
                self._replay(view)
        if not self._demand.is_settled:
            for sink in self._demand.settle():
                if self._routed is not None:
                    self._routed.setdefault(sink, [])
                waiting.add(sink.view)
        if waiting:
            for view in sorted(waiting, key=by_order):
                self._replay(view)
        if self._followed:
            self._replay_followers()
        for live in self._momentary:
            live.forget()
        return self._deliveries

    def _replay(self, view: View[Any]) -> None:
        what: Emission[Any] | Exception
        routed, traits = self._routed, view.traits
        began = perf_counter()
        try:
            changed = view.refresh(self._reads) if routed is None else view.replay(self._reads, routed)
            if traits & WANTS:
                ask(self._demand, view)
            if not changed:
                view.suppressed += 1
                return
            what = view.emission()
            view.emitted += 1
        except Exception as error:
            # A view that cannot be read (a damaged row, say) ends; the commit and other views go on.
            what = error
        finally:
            view.seconds += perf_counter() - began
        if traits & MOMENTARY:
            self._momentary.append(view)
        if view.followers:
            self._followed[view] = what
        self._deliver(view, what)

    def _replay_followers(self) -> None:
        followed = self._followed
        overs = {over: None for view in followed for over in view.followers}
        for over in sorted(overs, key=by_order):
            what: Emission[Any] | Exception
            began = perf_counter()
            try:
                if not over.replay(followed):
                    over.suppressed += 1
                    continue
                what = over.emission()
                over.emitted += 1
                if self._momentary:
                    self._momentary.append(over)
            except Exception as error:
                what = error
            finally:
                over.seconds += perf_counter() - began
            self._deliver(over, what)

    def _deliver(self, live: Live, what: Emission[Any] | Exception) -> None:
        deliveries = self._deliveries
        for subscription in live.subscriptions:
            deliveries.append((subscription, what))
        if isinstance(what, Exception):
            self._end(live, what)


def ask(demand: Demand, view: View[Any]) -> None:
    """Make known what a view wants now."""
    wanted = view.wants_now()
    if wanted != view.wanted:
        demand.swap(view.wanted, wanted)
        view.wanted = wanted
