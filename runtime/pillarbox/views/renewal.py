"""Live views made anew, where an interrupt has left them in the midst of something.

Depends on: view, round, interests, reads, deliveries, subscription.  Never on: trackers, who know who lives.

Law: whatever was interrupted, each view is then as if freshly loaded with what it holds, and everybody who
looks at it is told of that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pillarbox.views.deliveries import Delivery
from pillarbox.views.emission import Emission
from pillarbox.views.interests import Interests
from pillarbox.views.parts.part import WANTS
from pillarbox.views.reads import Readers, Reads
from pillarbox.views.round import Live, ask
from pillarbox.views.subscription import Subscription
from pillarbox.views.view import View, ViewFactory


class Careful:
    """Around what must not be left half done: whether an interrupt has left it so."""

    __slots__ = ("is_torn",)

    def __init__(self) -> None:
        self.is_torn = False

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        if kind is not None and not issubclass(kind, Exception):
            self.is_torn = True


class Unclaimed:
    """Closes the subscription that is made inside where an error or an interrupt keeps it from everybody."""

    __slots__ = ("made",)

    def __init__(self) -> None:
        self.made: Subscription[Any] | None = None

    def __enter__(self) -> None:
        self.made = None

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        made, self.made = self.made, None
        if kind is not None and made is not None:
            made.close()


def renewed(
    lives: Sequence[Live],
    factory: ViewFactory,
    readers: Readers,
    interests: Interests,
    end: Callable[[Any, Exception], None],
) -> list[Delivery]:
    """Make `lives`, in the order of emissions, anew over empty `interests`; what is to be delivered.

    `end` ends one that cannot be read.
    """
    reads = Reads(readers)
    found: list[Delivery] = []
    for live in lives:
        subscriptions = live.subscriptions
        what: Emission[Any] | Exception
        try:
            if isinstance(live, View):
                if live.order[0]:  # it shows what the others want
                    interests.demand.settle()
                held = live.held
                live.become(factory.make(live.key, readers))
                live.open(interests, reads, held=held)
                if live.traits & WANTS:
                    ask(interests.demand, live)
            what = live.whole()
        except Exception as error:
            what = error
            end(live, error)
        found += [(one, what) for one in subscriptions]
    return found
