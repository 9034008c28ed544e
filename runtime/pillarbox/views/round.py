"""One pass over the live views that a commit concerns: who differs, and what is to be delivered.

Depends on: view, over, demand, emission, reads, deliveries.  Never on: trackers, which know who lives.

Law: views are replayed by kind in schema order, then by creation; after them the views of what others want,
then those that follow views. Each is replayed once, and what it emits is frozen before anything is
delivered.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import chain
from operator import attrgetter
from time import perf_counter
from typing import Any, Final, TypeAlias

from pillarbox.views.deliveries import Delivery
from pillarbox.views.demand import Demand
from pillarbox.views.emission import Emission
from pillarbox.views.interests import Routed
from pillarbox.views.over import Over
from pillarbox.views.parts.part import AWAITS, MOMENTARY, WANTS
from pillarbox.views.reads import Reads
from pillarbox.views.view import View

Live: TypeAlias = "View[Any] | Over[Any]"
#: What followed views emit.
_Followed: TypeAlias = "dict[View[Any], Emission[Any] | Exception]"

#: Sorts by the place in the order of emissions.
by_order: Final = attrgetter("order")


def replay_round(
    views: Collection[View[Any]],
    routed: Routed | None,
    reads: Reads,
    demand: Demand,
    end: Callable[[Any, Exception], None],
) -> list[Delivery]:
    """Replay `views`, and those that what they do concerns; what is to be delivered, in order.

    `reads` are as of the commit, and `routed` what it has for whom; None is for want of that. `end` ends what
    cannot be read.
    """
    deliveries: list[Delivery] = []
    followed: _Followed = {}
    momentary: list[Live] = []
    waiting: set[View[Any]] = set()
    ordered = sorted(views, key=by_order)
    while ordered and ordered[-1].traits & AWAITS:  # which are the last
        waiting.add(ordered.pop())
    began = perf_counter()
    for view in chain(ordered, _awaiting(waiting, routed, demand)):
        traits = view.traits
        try:
            told = view.refresh(reads) if routed is None else view.replay(reads, routed)
            if traits & WANTS:
                ask(demand, view)
        except Exception as error:
            # A view that cannot be read (a damaged row, say) ends; the commit and other views go on.
            _fail(view, error, deliveries, end)
            if view.followers:
                followed[view] = error
            continue
        now = perf_counter()
        view.seconds += now - began
        began = now
        if told is None:
            view.suppressed += 1
            continue
        view.emitted += 1
        for subscription in view.subscriptions:
            deliveries.append((subscription, told))
        if view.followers:
            followed[view] = told
        if traits & MOMENTARY:
            momentary.append(view)
    if followed:
        _replay_followers(followed, momentary, deliveries, end)
    for live in momentary:
        live.forget()
    return deliveries


def _awaiting(waiting: set[View[Any]], routed: Routed | None, demand: Demand) -> Iterator[View[Any]]:
    """The views that look at what the others want: asked for when all of these were replayed."""
    if demand.unsettled:
        for sink in demand.settle():
            if routed is not None:
                routed.setdefault(sink, [])
            waiting.add(sink.view)
    if waiting:
        yield from sorted(waiting, key=by_order)


def _replay_followers(
    followed: _Followed,
    momentary: list[Live],
    deliveries: list[Delivery],
    end: Callable[[Any, Exception], None],
) -> None:
    overs = {over: None for view in followed for over in view.followers}
    for over in sorted(overs, key=by_order):
        began = perf_counter()
        try:
            told = over.replay(followed)
        except Exception as error:
            _fail(over, error, deliveries, end)
            continue
        over.seconds += perf_counter() - began
        if told is None:
            over.suppressed += 1
            continue
        over.emitted += 1
        deliveries += [(one, told) for one in over.subscriptions]
        if momentary:
            momentary.append(over)


def _fail(
    live: Live, error: Exception, deliveries: list[Delivery], end: Callable[[Any, Exception], None]
) -> None:
    deliveries += [(one, error) for one in live.subscriptions]
    end(live, error)


def ask(demand: Demand, view: View[Any]) -> None:
    """Make known what a view wants now."""
    wanted = view.wants_now()
    if wanted != view.wanted:
        demand.swap(view.wanted, wanted)
        view.wanted = wanted
