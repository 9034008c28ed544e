"""All live views of one box: who shares which, and what a commit emits.

Depends on: alone, view, over, pool, queued, round, renewal, seed, interests, subscription, deliveries.
Never on: transactions, boxes, storage.

Law: a commit emits exactly one snapshot per subscription whose view differs, by view kind in schema
order, then by creation of the view, then by creation of the subscription; views of what others want come
after all of these, and views that follow views come last. All snapshots are frozen before the first is
delivered. Equal keys share one view, if the values that it holds are equal too; it lives as long as it is
subscribed to or followed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from itertools import count
from operator import attrgetter
from typing import Any, Final, TypeVar

from pillarbox.errors import UsageError
from pillarbox.tables import ChangeRecord
from pillarbox.views.alone import Alone, alone
from pillarbox.views.counters import ViewCounters
from pillarbox.views.deliveries import Delivery, report
from pillarbox.views.demand import Demand
from pillarbox.views.emission import Emission, Why, last_of
from pillarbox.views.interests import Interests
from pillarbox.views.over import Members, Over
from pillarbox.views.parts.part import AWAITS, WANTS
from pillarbox.views.pool import Pool
from pillarbox.views.queued import check_queue
from pillarbox.views.reads import Readers, Reads
from pillarbox.views.renewal import Careful, Unclaimed, renewed
from pillarbox.views.round import Live, ask, by_order, replay_round
from pillarbox.views.seed import SeededReads
from pillarbox.views.subscription import Subscription
from pillarbox.views.view import Builder, View, ViewFactory, ViewKey, hashable

R = TypeVar("R")
S = TypeVar("S")

#: First place of the order of a view that follows others.
_FOLLOWING: Final = 2
#: What wakes for a sink.
_view_of: Final = attrgetter("view")


class Tracker(Alone):
    """The live views of one box.

    `readers` see the commit that is being replayed. Every method but `close` of a subscription is to be
    called under the box's write lock; what they return is delivered after it is released, see `deliver`.
    """

    __slots__ = (
        "_created",
        "_ended",
        "_factory",
        "_on_error",
        "_on_move",
        "_on_unsettled",
        "_overs",
        "_readers",
        "_views",
        "careful",
        "interests",
        "unclaimed",
    )

    def __init__(
        self,
        builders: Mapping[type, Builder],
        readers: Readers,
        wants: Collection[str] = (),
        *,
        on_error: Callable[[BaseException], None] | None = None,
        on_unsettled: Callable[[], object] = lambda: None,
        on_move: Callable[[Subscription[Any], Any], None] | None = None,
    ) -> None:
        super().__init__()
        self._factory = ViewFactory(builders, wants)
        self._readers = readers
        self._on_error = report if on_error is None else on_error
        #: Called when a subscription was closed and `settle` has something to tell, by whoever closed it.
        self._on_unsettled = on_unsettled
        #: Calls `move` under the box's write lock, and has delivered what that gives.
        self._on_move = on_move
        self._created = count()
        self._views = Pool()
        self._overs: dict[Hashable, Over[Any]] = {}
        self.interests = Interests()
        #: Around everything that changes who looks at what, until what that gives waits to be delivered.
        self.careful: Final = Careful()
        self.unclaimed: Final = Unclaimed()
        #: What views that ended are to tell, until it was told.
        self._ended: list[Delivery] = []

    @property
    def is_torn(self) -> bool:
        """Whether an interrupt left views in the midst of something, so that `renew` is to be called."""
        return self.careful.is_torn

    @property
    def has_subscriptions(self) -> bool:
        """Whether any view is live."""
        return bool(self._views or self._overs)

    @alone
    def subscribe(self, key: ViewKey[S], *, every: bool = False, queue_max: int = 1_000) -> Subscription[S]:
        """A new subscription, which has its INITIAL emission. Loads the view unless it is live."""
        check_queue(queue_max)
        return self._subscription(self._view(key), every=every, queue_max=queue_max)

    @alone
    def subscribe_over(
        self,
        key: Hashable,
        keys: Sequence[ViewKey[Any]],
        make: Callable[[tuple[Any, ...]], S],
        *,
        members: Members | None = None,
        every: bool = False,
        queue_max: int = 1_000,
    ) -> Subscription[S]:
        """Subscribe to what `make` gives for the snapshots of these views, in the order of `keys`.

        It emits at most once a commit, exactly if what `make` gives differs. Equal keys share one, if the
        values that its views hold are equal too: `key` names `keys` and `make` together, and must not be a
        view key. The views live as long as it does.
        `members` name the views in `Emission.parts`, see Over.
        """
        check_queue(queue_max)
        over = self._overs.get(hashable(key))
        if over is None:
            over = self._follow(key, keys, make, members)
        return self._subscription(over, every=every, queue_max=queue_max)

    @alone
    def move(self, subscription: Subscription[Any], key: Any) -> list[Delivery]:
        """Let a subscription go on with another key; what is to be delivered, to which `settle` may add.

        Among the subscriptions of the other view it is the last one.
        """
        live: Live = subscription.live
        if subscription not in live.subscriptions:
            raise UsageError(f"the subscription of {subscription.key!r} is closed; subscribe anew")
        if not isinstance(live, View) or type(key) is not type(live.key):
            raise UsageError(
                f"a subscription of {live.key!r} cannot go on with {key!r}, a key of another view; "
                f"subscribe once more"
            )
        view = self._view(key, seed=live)
        if view is live:
            return []
        view.subscriptions += (subscription,)  # nothing interrupts these two lines
        subscription.key, subscription.live = key, view
        live.subscriptions.remove(subscription)
        parts = view.parts_unlike(live)
        self._let_go(live)
        first = view.first()
        return [(subscription, Emission(first.snapshot, Why.UPDATE_VISIBLE, parts, first.at))]

    def load_once(self, key: ViewKey[S], readers: Readers) -> S:
        """The snapshot of a view through other readers, without keeping it. Needs no lock."""
        view = self._factory.make(key, readers)
        if view.traits & AWAITS:
            with self._lock:
                interests = Interests(self.interests.demand.as_of_now())
        else:
            interests = Interests()
        view.open(interests, Reads(readers))
        return view.snapshot

    @alone
    def replay(self, record: ChangeRecord) -> list[Delivery]:
        """Fold one commit into the views it concerns; what is to be delivered, in order."""
        interests = self.interests
        if not interests.tables:
            return []  # a record is worked out for who asks: with nobody here, nobody does
        tables = record.tables
        routed = interests.route(tables)
        if not routed:
            return []
        reads = Reads(self._readers, tables, interests)
        return replay_round({*map(_view_of, routed)}, routed, reads, interests.demand, self._end)

    @alone
    def refresh_all(self, untold: Sequence[Delivery] = ()) -> list[Delivery]:
        """Load all views anew, for want of a change record; what is to be delivered, in order.

        `untold` is what the last `replay` gave, if nobody heard of it: of a view that is now as it was then,
        that is what is to be told, and of any other what differs is told of both. What was there for one
        emission only is lost.
        """
        reads = Reads(self._readers)
        for view in self._views:
            view.refreshed += 1
        deliveries = replay_round(list(self._views), None, reads, self.interests.demand, self._end)
        if not untold:
            return deliveries
        told, heard_not = dict(deliveries), dict(untold)
        missed = [each for each in untold if each[0] not in told and not each[0].live.is_momentary]
        deliveries = [(one, last_of(heard_not.get(one), what)) for one, what in deliveries]
        return sorted(missed + deliveries, key=lambda delivery: by_order(delivery[0].live))

    @alone
    def renew(self) -> list[Delivery]:
        """Make all live views anew, where an interrupt left them in the midst of something.

        Nobody knows then what they have not told: what is to be delivered tells every subscription of what is
        there now. As in a round, whose snapshot cannot be made ends; who looked at what had ended in the
        round that was interrupted is told of that.
        """
        found = self._ended
        self.interests = interests = Interests(self.interests.demand.anew())
        found = [*found, *renewed(self._looked_at(), self._factory, self._readers, interests, self._end)]
        self.careful.is_torn = False
        return found

    def _looked_at(self) -> list[Live]:
        """What is live with a reason, in the order of emissions; nothing else is any more."""
        for live in (*self._views, *self._overs.values()):
            live.subscriptions = [one for one in live.subscriptions if one.live is live]
        self._overs = overs = {key: over for key, over in self._overs.items() if over.subscriptions}
        for view in self._views:
            view.followers = tuple([over for over in view.followers if overs.get(over.key) is over])
            if not view.subscriptions and not view.followers:
                self._views.remove(view)
        return sorted([*self._views, *overs.values()], key=by_order)

    @alone
    def settle(self) -> list[Delivery]:
        """Tell what live views want, if that differs since views came and went; what is to be delivered.

        To be called after `subscribe` and the like, and, at some time, after a subscription was closed.
        """
        if self.is_settled:
            return []
        return replay_round((), {}, Reads(self._readers), self.interests.demand, self._end)

    @alone
    def ask_demand(self, work: Callable[[Demand], R]) -> R:
        """What `work` gives for what live views want, which nobody changes meanwhile."""
        return work(self.interests.demand)

    @property
    def is_settled(self) -> bool:
        """Whether `settle` would do nothing."""
        return not self.interests.demand.unsettled

    @alone
    def counters(self) -> tuple[ViewCounters, ...]:
        """What every live view did so far, in the order of emissions."""
        lives: list[Live] = [*self._views, *self._overs.values()]
        return tuple([ViewCounters.of(live) for live in sorted(lives, key=by_order)])

    @alone
    def failed(self, error: Exception) -> list[Delivery]:
        """What ends all subscriptions with an error, to be delivered, in order."""
        lives: list[Live] = [*self._overs.values(), *self._views]
        found: list[Delivery] = [(one, error) for live in lives for one in live.subscriptions]
        return sorted(found, key=lambda delivery: by_order(delivery[0].live))

    @alone
    def close(self) -> Callable[[], None]:
        """End all subscriptions; what is given tells their listeners, who are called under no lock."""
        lives: list[Live] = [*self._overs.values(), *self._views]
        ended: list[Subscription[Any]] = [one for live in lives for one in live.subscriptions]
        for subscription in ended:
            subscription.shut()

        def tell() -> None:
            for subscription in ended:
                subscription.tell_end()

        return tell

    # -------------------------------------------------------------------------- who lives, and ends

    def _view(self, key: ViewKey[S], seed: View[Any] | None = None) -> View[S]:
        """The live view of a key, which is loaded unless there is one that holds the same values.

        What `seed`, another live view, holds is not read again.
        """
        view: View[S] | None = self._views.lone(key)
        if view is not None:
            return view
        view = self._factory.make(key, self._readers)
        view.order = (*view.order[:2], next(self._created))
        if seed is None:
            reads = Reads(self._readers, shared=self.interests)
        else:
            reads = SeededReads(self._readers, self.interests, seed.lanes())
        if view.holds:
            view.take_held(self.interests, reads)
            held = view.held
            for other in self._views.of(key):
                if other.held == held:
                    view.close()
                    return other
        view.open(self.interests, reads)
        self._views.add(view)
        if view.traits & WANTS:
            ask(self.interests.demand, view)
        return view

    def _follow(
        self,
        key: Hashable,
        keys: Sequence[ViewKey[Any]],
        make: Callable[[tuple[Any, ...]], S],
        members: Members | None,
    ) -> Over[S]:
        """A live view over those of `keys`. After an error none of them is kept for it."""
        views: list[View[Any]] = []
        try:
            for each in keys:
                views.append(self._view(each))
            if any(view.holds for view in views):
                key = (key, *views)
                live = self._overs.get(key)
                if live is not None:
                    return live
            over = Over(key, views, make, members=members)
        except Exception:
            for view in dict.fromkeys(views):
                self._let_go(view)
            raise
        over.order = (_FOLLOWING, 0, next(self._created))
        for view in dict.fromkeys(views):
            view.followers += (over,)
        self._overs[key] = over
        return over

    def _subscription(self, live: Live, *, every: bool, queue_max: int) -> Subscription[Any]:
        subscription: Subscription[Any] = Subscription(
            live.key,
            live.first(),
            every=every or live.is_momentary,
            queue_max=queue_max,
            on_close=self._release,
            on_error=self._on_error,
            on_move=self._on_move,
        )
        subscription.live = live
        self.unclaimed.made = subscription
        live.subscriptions.append(subscription)
        return subscription

    def _release(self, subscription: Subscription[Any]) -> None:
        """A subscription was closed, at whatever moment."""
        self._leaving.append(subscription)
        with self._lock:
            if self._is_busy:
                return  # in this very thread, which lets go of it behind that
            self._sweep()
        if not self.is_settled:
            self._on_unsettled()

    def _leave(self, subscription: Subscription[Any]) -> None:
        """A view goes with the last of its subscriptions."""
        with self.careful:
            live: Live = subscription.live
            if subscription not in live.subscriptions:
                return  # Its view has failed.
            live.subscriptions.remove(subscription)
            if isinstance(live, View):
                self._let_go(live)
            elif not live.subscriptions:
                self._forget_over(live)

    def _let_go(self, view: View[Any]) -> None:
        """Close a view that nobody looks at any more."""
        if not view.subscriptions and not view.followers and view in self._views:
            self._forget(view)

    def _end(self, live: Live, error: Exception) -> None:
        """What cannot be made goes. Who looked at it is told by the round, or else by `renew`."""
        still = [each for each in self._ended if not each[0].closed]
        self._ended = still + [(one, error) for one in live.subscriptions]
        live.subscriptions = []
        if isinstance(live, View):
            live.fail(error)
            self._forget(live)
        else:
            self._forget_over(live)

    def _forget(self, view: View[Any]) -> None:
        view.close()
        self._views.remove(view)
        if view.wanted:
            self.interests.demand.swap(view.wanted, ())
            view.wanted = ()

    def _forget_over(self, over: Over[Any]) -> None:
        del self._overs[over.key]
        for view in dict.fromkeys(over.follows):
            view.followers = tuple([other for other in view.followers if other is not over])
            self._let_go(view)
