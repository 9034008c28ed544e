"""A server of an exchange, by hand: each instrument is counted, and who missed something gets a snapshot.

Depends on: pillarbox.testing, the package generated from exchange.yaml.  Never on: what operations do.
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
from pillarbox.sync.claims import Instance
from pillarbox.sync.protocol import Answer, Container, Operation, Request, SyncProtocol, Tables, Update
from pillarbox.sync.signals import Failure, Refused
from pillarbox.testing import Domain, Server
from pillarbox.views import ViewKey

_FOLDER: Final = TemporaryDirectory(prefix="pillarbox-")
atexit.register(_FOLDER.cleanup)
SCHEMA: Final = (Path(__file__).parent / "exchange.yaml").read_text()
EXCHANGE: Final = imported(Path(_FOLDER.name), SCHEMA)

ACCOUNT: Final[Domain] = (21, b"", 0)
NAMES: Final = {1: "AAA", 2: "BBB"}


def _book(number: int) -> Domain:
    return (22, EXCHANGE.keys.book_key(number), 0)


@dataclass
class ExchangeServer(Server):
    """It tells what happens to a book once, when it happens; of an account it tells everything again."""

    _levels: dict[int, dict[tuple[int, int], int]] = field(init=False)
    _trades: dict[int, list[Any]] = field(init=False)
    _orders: dict[int, Any] = field(default_factory=dict, init=False)
    #: Token of an order -> what told of it first.
    _placed: dict[int, Any] = field(default_factory=dict, init=False)
    _refused: set[int] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        self._levels = {number: {} for number in NAMES}
        self._trades = {number: [] for number in NAMES}
        for number, name in NAMES.items():
            row = self.made().types.Instruments(number, name)
            self._count(ACCOUNT, self.made().updates.Listed, instrument=row)

    @classmethod
    def made(cls) -> Any:
        """The package of the schema, or of one with a mistake in it."""
        return EXCHANGE

    @property
    def package(self) -> Package[Any, Any]:
        package: Package[Any, Any] = self.made().box.PACKAGE
        return package

    @property
    def protocol(self) -> SyncProtocol:
        protocol: SyncProtocol = self.made().protocol.PROTOCOL
        return protocol

    # ------------------------------------------------------------------------------------- what happens

    def _count(self, domain: Domain, update: type[Any], **values: Any) -> Any:
        seq = self.log(domain).end + 1
        told = update(**values, seq=seq, count=1)
        self.logged(domain, 1, told, [(domain, seq)])
        return told

    def mark(self, update: Update) -> Hashable | None:
        claim = self.protocol.updates.claim(update)
        return None if claim is None else ((claim.cursor, claim.key, claim.part), claim.end)

    def change(self, random: Random) -> Sequence[Container]:
        return self._trade_or_set(random, random.choice(tuple(NAMES)))

    def finish(self) -> Sequence[Container]:
        if self.knobs.idle_poll:
            return ()
        return [said for number in NAMES for said in self._trade_or_set(self.random, number)]

    def _trade_or_set(self, random: Random, number: int) -> Sequence[Container]:
        if random.random() < 0.5:
            trades = self._trades[number]
            trade = self.made().types.Trades(number, len(trades) + 1, random.randint(1, 9), 1)
            trades.append(trade)
            told = self._count(_book(number), self.made().updates.Traded, instrument_id=number, trade=trade)
        else:
            side, price, size = random.choice((0, 1)), random.randint(1, 3), random.choice((0, 1, 5))
            self._levels[number].pop((side, price), None)
            if size:
                self._levels[number][side, price] = size
            level = self._level(number, side, price, size)
            told = self._count(_book(number), self.made().updates.LevelSet, instrument_id=number, level=level)
        return (self.made().containers.Push(told),)

    def _level(self, number: int, side: int, price: int, size: int) -> Any:
        return self.made().types.Levels(number, self.made().types.Side(side), price, size)

    def write(self, random: Random) -> Sequence[Operation]:
        token, number = random.getrandbits(40), random.choice(tuple(NAMES))
        wish = self.made().operations.EnqueuePlaceOrder(token, number, random.randint(1, 9))
        return (wish,)

    def forget(self, random: Random) -> None:
        log = self.log(ACCOUNT)
        log.horizon = random.randint(log.horizon, log.end)

    def refuse(self, random: Random) -> None:
        self._refused.add(random.choice(tuple(NAMES)))

    def allow(self) -> None:
        self._refused.clear()

    # ------------------------------------------------------------------------------------- what it answers

    def asks_about(self, request: Request) -> Instance | None:
        if isinstance(request, self.made().requests.GetBook):
            return _book(request.instrument_id)[:2]
        return None

    def answer(self, request: Request) -> Answer | Failure:
        asked, end = self.made().requests, self.log(ACCOUNT).end
        match request:
            case asked.GetStanding():
                return self.made().answers.Standing(0)
            case asked.GetEvents(since):
                return self._events(since)
            case asked.GetBook(number):
                return Refused("NOT_ENTITLED") if number in self._refused else self._snapshot(number)
            case asked.ListAll():
                rows = tuple(self.made().types.Instruments(*it) for it in NAMES.items())
                return self.made().answers.AllThereIs(
                    instruments=rows, orders=tuple(self._orders.values()), seq=end
                )
            case asked.GetTrades(number, limit, max_id, min_id):
                trades, seq = self._trades[number], self.log(_book(number)).end
                page = trades[min_id:][:limit] if max_id is None else trades[: max_id - 1][-limit:]
                return self.made().answers.Page(trades=tuple(page), seq=seq)
            case asked.PlaceOrder():
                return self.made().containers.Push(self._place(request))
        raise NotImplementedError(request)

    def _events(self, since: int) -> Answer:
        log = self.log(ACCOUNT)
        if since < log.horizon:
            return self.made().answers.TooOld()
        told, more = self.told_since(ACCOUNT, since)
        heads = tuple(self.made().types.Head(number, self.log(_book(number)).end) for number in NAMES)
        updates = tuple(entry.update for entry in told)
        return self.made().answers.Events(
            updates=updates, seq=told[-1].end if more else log.end, heads=heads, more=more
        )

    def _snapshot(self, number: int) -> Answer:
        log = self.log(_book(number))
        log.horizon = log.end  # what lies before is never told one by one again
        rows = tuple(self._level(number, *at, size) for at, size in sorted(self._levels[number].items()))
        return self.made().answers.Snapshot(
            instrument_id=number, seq=log.end, levels=rows, last=len(self._trades[number])
        )

    def _place(self, asked: Any) -> Update:
        if asked.token not in self._placed:
            order = self.made().types.Orders(asked.token, asked.instrument_id, asked.size, True)
            self._orders[asked.token] = order
            self._placed[asked.token] = self._count(ACCOUNT, self.made().updates.OrderChanged, order=order)
        return self._placed[asked.token]

    # ------------------------------------------------------------------------------------- what is true

    def views(self) -> Sequence[ViewKey[Any]]:
        return [self.made().views.Tape(number, 100) for number in NAMES]

    def wrong(self, tables: Tables) -> Iterator[str]:
        for number in NAMES:
            levels = {(row.side, row.price): row.size for row in tables.levels.of_instrument(number)}
            if levels != self._levels[number]:
                yield f"the book of {number} is {levels}, and not {self._levels[number]}"
            trades = tables.trades.of_instrument(number)
            if trades != self._trades[number]:
                yield f"{len(trades)} trades of {number} are here, and there are {len(self._trades[number])}"
        orders = {row.token: row for row in tables.orders.all()}
        if orders != self._orders:
            yield f"the orders are {orders}, and not {self._orders}"
