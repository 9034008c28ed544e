"""The server of halls once more: the client leaves halls, and joins them again.

Depends on: halls_server.  Never on: what operations do, how the client asks.

Of a hall that was left nothing is told, and whoever joins it again begins anew: the tokens of an earlier stay
are good for nothing. What is still on its way when a hall is left comes all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from tests.sim.halls_server import ACCOUNT, EDITS, HALLS, NUMBERS, REMOVES, Hall, HallServer, hall_of

from pillarbox.sync.protocol import Answer, Container, Tables

#: The chances that somebody leaves a hall, or joins it, and that what was told in a page goes right then.
_MOVES: Final = 0.2
_TAKEN_BACK: Final = 0.7


@dataclass
class LeavingServer(HallServer):
    """The same halls; not all of them are where the client is."""

    #: Hall -> the number of the container that last said that it was left.
    _said_left: dict[int, int] = field(default_factory=dict, init=False)
    #: Hall -> numbers of the events of the page that was told last.
    _paged: dict[int, tuple[int, ...]] = field(default_factory=dict, init=False)

    def change(self, random: Random) -> Sequence[Container]:
        if random.random() >= _MOVES:
            return super().change(random)
        number = random.choice(NUMBERS)
        if number in self.left:
            return self._join(random, number)
        return self._leave(random, number)

    def _leave(self, random: Random, number: int) -> Sequence[Container]:
        self.left.add(number)
        self._pending = [update for update in self._pending if hall_of(update) != number]
        self._halls[number].stay += 1
        self._halls[number].is_unsure = False
        self._pending.append(HALLS.updates.HallLeft(number))
        self._said_left[number] = self.log(ACCOUNT).end + 1
        return self._flushed(random, numbered=True)

    def _join(self, random: Random, number: int) -> Sequence[Container]:
        """Its row comes along; what was said there is told of by nothing but what is said there next."""
        self.left.discard(number)
        self._ranked.add(number)
        self._halls[number].loud = len(self._halls[number].log)
        return self._flushed(random, numbered=True)

    def _next(self, random: Random) -> int:
        return random.choice(sorted(self._paged) or NUMBERS)

    def _picked(self, random: Random, hall: Hall, number: int, draw: float) -> tuple[int, float]:
        """What is in a page that may still be on its way goes, or is edited."""
        paged = [it for it in self._paged.pop(hall.number, ()) if it in hall.events]
        if not paged or random.random() >= _TAKEN_BACK:
            return number, draw
        return random.choice(paged), draw * (REMOVES + EDITS)

    def _page(self, hall: Hall, place: int, limit: int) -> Answer:
        page = super()._page(hall, place, limit)
        self._paged[hall.number] = tuple(row.number for row in page.events)
        return page

    def _left_since(self, seq: int) -> tuple[int, ...]:
        return tuple(number for number, said in sorted(self._said_left.items()) if said > seq)

    def wrong(self, tables: Tables) -> Iterator[str]:
        yield from super().wrong(tables)
        for number in sorted(self.left):
            key = HALLS.keys.hall_key(number)
            if (position := self.protocol.position(tables, 22, key)) is not None:
                yield f"hall {number} was left, and stands at {position}"
            found = list(tables.events.of_hall(number))
            found += [row for row in tables.timeline.all() if row.hall_id == number]
            if found:  # The row of the hall may come along with something old, once more.
                yield f"hall {number} was left, and there is still {found}"
