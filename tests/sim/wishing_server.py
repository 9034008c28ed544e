"""The tracker's server once more: the client stars projects, and is answered by a counter alone.

Depends on: tracker_server, the generated structs.  Never on: what operations do, how the client asks.

What was done is told to all others as an update, and to the client itself only now and then. A request that
comes again is answered as the first time. Another device of theirs may do what a wish is about meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from tests.sim.tracker_server import TrackerServer

from pillarbox.sync.protocol import Tables
from pillarbox.sync.signals import Failure
from pillarbox_tracker.answers import Answer
from pillarbox_tracker.containers import Container, Done
from pillarbox_tracker.operations import EnqueueStarProject
from pillarbox_tracker.requests import Request, StarProject
from pillarbox_tracker.types import ProjectId, UserId
from pillarbox_tracker.updates import Starred

#: Who is signed in; nobody else's stars are theirs.
ME: Final = UserId(77)
#: Chance that the client is told by a push as well what it did.
_TOLD: Final = 0.5


@dataclass
class WishingServer(TrackerServer):
    """Stars of the client, as it wants them and as they are."""

    #: Project -> whether it should have a star, as was wished last.
    _wished: dict[int, bool] = field(default_factory=dict, init=False)
    #: Project -> whether it has, and what was answered to who did that.
    _done: dict[int, tuple[bool, Done]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Nothing that was counted is kept for a later container, or an answer would be ahead of it."""
        self.knobs = replace(self.knobs, bundle=0.0)
        super().__post_init__()

    def write(self, random: Random) -> Sequence[Any]:
        if random.random() < 0.3 or not self.fold.projects:
            return super().write(random)
        return self._wish(random.choice(list(self.fold.projects)))

    def _wish(self, number: int) -> Sequence[Any]:
        starred = self._wished[number] = not self._wished.get(number, False)
        return (EnqueueStarProject(user_id=ME, project_id=ProjectId(number), starred=starred),)

    def answer(self, request: Request) -> Answer | Failure:
        return self._starred(request) if isinstance(request, StarProject) else super().answer(request)

    def _starred(self, request: StarProject) -> Done:
        number, starred = request.project_id, request.starred
        was, answer = self._done.get(number, (False, Done(rev=0, count=0)))
        if was == starred:
            return answer
        update = self._turned(self.random, number, starred)
        if self.random.random() < _TOLD:
            self._pending.append(update)
        return self._done[number][1]

    def _turned(self, random: Random, number: ProjectId, starred: bool) -> Starred:
        self.at += 1
        update: Starred = self._counted(
            random,
            lambda rev, n: Starred(user_id=ME, project_ids=(number,), starred=starred, rev=rev, count=n),
        )
        self._done[number] = starred, Done(rev=update.rev, count=update.count)
        return update

    def wrong(self, tables: Tables) -> Iterator[str]:
        yield from super().wrong(tables)
        stars, done = self._stars(tables)
        wanted = {number for number, starred in self._wished.items() if starred} & self.fold.projects.keys()
        if stars != wanted and not self.knobs.roles:
            yield f"the stars are {stars}, and wished were {wanted}"
        if done != wanted and not self.knobs.roles:
            yield f"the server has the stars {done}, and wished were {wanted}"

    def _stars(self, tables: Tables) -> tuple[set[int], set[int]]:
        """Here, and on the server."""
        live = self.fold.projects.keys()
        stars = {row.project_id for row in tables.stars.all() if row.user_id == ME}
        return stars & live, {number for number, (starred, _) in self._done.items() if starred} & live


@dataclass
class ManyDevices(WishingServer):
    """Another device does what is wished here, while the wish is not done; that is taken back then."""

    _doubled: list[int] = field(default_factory=list, init=False)

    def write(self, random: Random) -> Sequence[Any]:
        doubled, self._doubled = [it for it in self._doubled if it in self.fold.projects], []
        return self._wish(doubled[-1]) if doubled else super().write(random)

    def change(self, random: Random) -> Sequence[Container]:
        has = {number: starred for number, (starred, _) in self._done.items()}
        waits = [it for it, starred in self._wished.items() if starred != has.get(it, False)]
        waits = [it for it in waits if it in self.fold.projects]
        if not waits or random.random() < 0.5:
            return super().change(random)
        number = random.choice(waits)
        self._doubled.append(number)
        self._pending.append(self._turned(random, ProjectId(number), self._wished[number]))
        return self._flushed(random)
