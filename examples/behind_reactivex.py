"""A subscription as an Observable of ReactiveX, for a program that is built of those.

    pip install reactivex
    python -m examples.behind_reactivex

Pillarbox does not depend on it: `attach` is the whole adapter, and is handed an observer of any such library.
Subscribing to the Observable subscribes to the view, and disposing closes it, so a view that nobody observes
costs nothing. Emissions come in the thread that committed; `observe_on` moves them.

Depends on: the generated `pillarbox_messenger`; reactivex, where it is installed.  Never on: files, networks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from examples.chats import ADA, said

from pillarbox.views import Emission, Subscription
from pillarbox_messenger import open_box
from pillarbox_messenger.items import LastMessage
from pillarbox_messenger.types import Message
from pillarbox_messenger.views import History, HistorySnapshot

if TYPE_CHECKING:
    from reactivex import Observable

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)


class Observer(Protocol[S_contra]):
    """Who observes: any number of `on_next`, then at most one of the others."""

    def on_next(self, value: S_contra) -> None: ...

    def on_error(self, error: Exception) -> None: ...

    def on_completed(self) -> None: ...


def attach(subscription: Subscription[S], observer: Observer[Emission[S]]) -> Callable[[], None]:
    """Hand all emissions to an observer, and how they end; what comes back stops it."""

    def ended(error: BaseException | None) -> None:
        if isinstance(error, Exception):
            observer.on_error(error)
        else:
            observer.on_completed()

    subscription.listen(observer.on_next, ended=ended)
    return subscription.close


def observable(watch: Callable[[], Subscription[S]]) -> Observable[Emission[S]]:
    """The emissions of `watch()`, which is called anew for each observer."""
    import reactivex
    from reactivex.disposable import Disposable

    def subscribe(observer: Any, scheduler: Any = None) -> Any:
        return Disposable(attach(watch(), observer))

    made: Observable[Emission[S]] = reactivex.create(subscribe)
    return made


def main(write: Callable[[str], object] = print) -> int:
    """The end of a chat through a few operators, and the last message of the same chat through others."""
    try:
        from reactivex import operators as ops
    except ImportError:
        print("examples.behind_reactivex: needs reactivex; run `pip install reactivex`", file=sys.stderr)
        return 2

    def length(emission: Emission[HistorySnapshot]) -> int:
        return len(emission.snapshot.messages.entries)

    def text(emission: Emission[Message | None]) -> str:
        return emission.snapshot.text if emission.snapshot else "nothing"

    with open_box(":memory:") as box:
        lengths = observable(lambda: box.watch(History(ADA))).pipe(ops.map(length), ops.pairwise())
        last = observable(lambda: box.data.watch(LastMessage(ADA))).pipe(ops.map(text), ops.skip(1))
        lengths.subscribe(lambda pair: write(f"{pair[0]} -> {pair[1]}"), on_completed=lambda: write("end"))
        reading = last.subscribe(lambda said: write(f"last: {said}"))
        box.replay([said(1, "It rains in.")])
        reading.dispose()
        box.replay([said(2, "Still.")])
    return 0


if __name__ == "__main__":
    sys.exit(main())
