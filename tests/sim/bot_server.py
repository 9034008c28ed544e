"""A server of bots, by hand: one line of items, a token for each place in it, and questions that wait.

Depends on: pillarbox.testing, the package that is generated from bot.yaml.  Never on: what operations do.
"""

from __future__ import annotations

import atexit
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.unit.codegen_ops.making import imported

from pillarbox.box import Package
from pillarbox.sync.protocol import Answer, Container, Request, SyncProtocol, Tables, Update
from pillarbox.sync.signals import Failure, Refused
from pillarbox.testing import Server

_FOLDER: Final = TemporaryDirectory(prefix="pillarbox-")
atexit.register(_FOLDER.cleanup)
BOT: Final = imported(Path(_FOLDER.name), (Path(__file__).parent / "bot.yaml").read_text())


@dataclass
class BotServer(Server):
    """It tells every item once to who goes on from the token that came with those before it."""

    _items: list[Any] = field(default_factory=list, init=False)
    #: Token -> how many items lie before it.
    _places: dict[str, int] = field(default_factory=dict, init=False)
    #: What lies before is not told one by one any more.
    _horizon: int = field(default=0, init=False)

    @property
    def package(self) -> Package[Any, Any]:
        package: Package[Any, Any] = BOT.box.PACKAGE
        return package

    @property
    def protocol(self) -> SyncProtocol:
        protocol: SyncProtocol = BOT.protocol.PROTOCOL
        return protocol

    def mark(self, update: Update) -> Hashable:
        """Nothing here counts: the box itself has how often it took an item."""
        return None

    def change(self, random: Random) -> Sequence[Container]:
        for _ in range(random.choice((1, 1, 3))):
            number = len(self._items) + 1
            ends = _name(number - 1), _name(number)
            self._items.append(BOT.types.Item(number, f"item {number}", *ends))
        return (BOT.containers.Called(),) if random.random() < self.knobs.asking else ()

    def forget(self, random: Random) -> None:
        self._horizon = random.randint(self._horizon, len(self._items))

    def keeps(self, request: Request) -> int:
        if not isinstance(request, BOT.requests.GetItems) or not request.wait_ms:
            return 0
        return int(request.wait_ms) if self._place(request.since) == len(self._items) else 0

    def answer(self, request: Request) -> Answer | Failure:
        if isinstance(request, BOT.requests.GetAll):
            return BOT.answers.AllItems(next=self._token(len(self._items)), items=tuple(self._items))
        place = self._place(request.since)
        if place is None or place < self._horizon:
            return Refused("UNKNOWN_TOKEN")
        some, more = self.paged(self._items[place:])
        token = self._token(place + len(some))
        return BOT.answers.ItemsAfter(next=token, items=tuple(some), more=more)

    def _place(self, token: str | None) -> int | None:
        return 0 if token is None else self._places.get(token)

    def _token(self, place: int) -> str:
        """Another one each time, in no order that anybody could see."""
        token = f"{self.random.getrandbits(40):x}"
        self._places[token] = place
        return token

    def wrong(self, tables: Tables) -> Iterator[str]:
        numbers = [row.number for row in tables.items.all()]
        if numbers != [item.number for item in self._items]:
            yield f"the box took {numbers}, and there are {len(self._items)} items"
        often = {row.number: row.times for row in tables.counts.all() if row.times != 1}
        if often:
            yield f"these were taken more than once: {often}"
        position = self.protocol.position(tables, 10, b"")
        place = None if position is None else self._place(position[0])
        if place != len(self._items):
            yield f"the token of the box is that of {place}, not of {len(self._items)}"


def _name(place: int) -> str:
    """What stands for a place in what is pushed; which of two comes first nobody can see."""
    return f"{Random(place).getrandbits(40):x}"


@dataclass
class TellingBotServer(BotServer):
    """It tells items by themselves as well, each with the token that it follows on and the one behind it."""

    def change(self, random: Random) -> Sequence[Container]:
        known = len(self._items)
        super().change(random)
        updates = [BOT.updates.ItemCame(item) for item in self._items[known:]]
        if random.random() < 0.5:
            return (BOT.containers.Told(tuple(random.sample(updates, len(updates)))),)
        return tuple(BOT.containers.Told((update,)) for update in updates)

    def _token(self, place: int) -> str:
        token = _name(place)
        self._places[token] = place
        return token
