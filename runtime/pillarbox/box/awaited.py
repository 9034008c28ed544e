"""The `await` twins of what a box does in the calling thread.

Depends on: worker, fate, views.  Never on: the box, which is made of this.

Law: a twin does what its namesake does, in another thread; the event loop goes on meanwhile.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from pillarbox.box.fate import Commit
from pillarbox.box.package import Tx
from pillarbox.box.worker import Worker
from pillarbox.views import Subscription, ViewKey
from pillarbox.views.loops import beside

S = TypeVar("S")
R = TypeVar("R")


class Awaited(ABC, Generic[Tx]):
    """Writes run on the writer thread, one after the other; reads on any."""

    _worker: Worker

    @abstractmethod
    def transact(self, work: Callable[[Tx], R]) -> R: ...

    @abstractmethod
    def replay(self, operations: Sequence[object]) -> Commit: ...

    @abstractmethod
    def get(self, key: ViewKey[S]) -> S: ...

    @abstractmethod
    def watch(self, key: ViewKey[S], *, every: bool = False, queue_max: int = 1_000) -> Subscription[S]: ...

    @abstractmethod
    def _check_open(self) -> None: ...

    async def transact_async(self, work: Callable[[Tx], R]) -> R:
        """As `transact`, on the box's writer thread; the event loop goes on meanwhile."""
        self._check_open()
        return await self._worker.run(lambda: self.transact(work))

    async def replay_async(self, operations: Sequence[object]) -> Commit:
        """As `replay`, on the box's writer thread; the event loop goes on meanwhile."""
        self._check_open()
        return await self._worker.run(lambda: self.replay(operations))

    async def get_async(self, key: ViewKey[S]) -> S:
        """As `get`, off the event loop."""
        return await beside(lambda: self.get(key))

    async def watch_async(
        self, key: ViewKey[S], *, every: bool = False, queue_max: int = 1_000
    ) -> Subscription[S]:
        """As `watch`, loading off the event loop; iterate the result with `async for`.

        Of who is cancelled meanwhile no subscription is left.
        """
        made: list[Subscription[S]] = []
        is_left: list[bool] = []

        def subscribed() -> Subscription[S]:
            made.append(self.watch(key, every=every, queue_max=queue_max))
            if is_left:  # by who looked before anything was made
                made[0].close()
            return made[0]

        try:
            return await beside(subscribed)
        except BaseException:
            is_left.append(True)
            for one in made:
                one.close()
            raise
