"""A server of halls, by hand: a token for each place in what is said in a hall, and in no other.

Depends on: pillarbox.testing, the package that is generated from halls.yaml.  Never on: what operations do.

What is said is told at once, with the token that it follows on, or in silence: then only the rank of the hall
grows, and whoever has seen a lower one asks. Who has been away for too long is told the newest alone, and
fetches the rest page by page; a page may bring nothing, though there is more.
"""

from __future__ import annotations

import atexit
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec.structs import replace
from tests.unit.codegen_ops.making import imported

from pillarbox.box import Package
from pillarbox.sync.claims import Instance
from pillarbox.sync.protocol import Answer, Container, Request, SyncProtocol, Tables, Update
from pillarbox.sync.signals import Failure, Refused
from pillarbox.testing import Domain, Own, Server
from pillarbox.views import ViewKey

_FOLDER: Final = TemporaryDirectory(prefix="pillarbox-")
atexit.register(_FOLDER.cleanup)
HALLS: Final = imported(Path(_FOLDER.name), (Path(__file__).parent / "halls.yaml").read_text())

ACCOUNT: Final[Domain] = (21, b"", 0)
NUMBERS: Final = (1, 2, 3)
#: Chances that something is said in silence, that what was said before it is told again, that it is an edit,
#: and that it takes something away.
_SILENT: Final = 0.2
_REPEATS: Final = 0.3
EDITS: Final = 0.25
REMOVES: Final = 0.15
#: So much, told at once, may be cut.
_LONG: Final = 2


def hall_of(update: Any) -> int:
    """The hall that something was said in."""
    return int(update.event.hall_id if isinstance(update, HALLS.updates.EventCame) else update.hall_id)


@dataclass
class Hall:
    """All that was ever said in it, the token behind each of that, and what is left."""

    number: int
    log: list[Update] = field(default_factory=list)
    #: Number of an event -> its row, and its place in the log.
    events: dict[int, tuple[Any, int]] = field(default_factory=dict)
    gone: list[int] = field(default_factory=list)
    rank: int = 0
    #: What lies before is not told one by one.
    horizon: int = 0
    #: How far it was told in a container with a number; and whether something was in one without.
    loud: int = 0
    is_unsure: bool = False
    #: How often the client has left it; tokens of an earlier stay are good no more.
    stay: int = 0

    def token(self, place: int) -> str:
        """In no order that anybody could see."""
        return f"{Random(f'{self.number}/{place}' + '+' * self.stay).getrandbits(40):x}"

    def place(self, token: str) -> int | None:
        """The one that a token stands for."""
        return next((it for it in range(len(self.log) + 1) if self.token(it) == token), None)

    @property
    def end(self) -> str:
        """The token behind all of it."""
        return self.token(len(self.log))


@dataclass
class HallServer(Server):
    """Three halls, and an account that counts what is pushed with a number."""

    _halls: dict[int, Hall] = field(init=False)
    _pending: list[Update] = field(default_factory=list, init=False)
    #: Halls whose rank grew since the last container with a number.
    _ranked: set[int] = field(default_factory=set, init=False)
    #: (hall, number) -> what may be known of where the hall stood when it was heard.
    _heard: dict[tuple[int, int], set[tuple[str, str]]] = field(default_factory=dict, init=False)
    _closed: set[int] = field(default_factory=set, init=False)
    #: Halls that the client is not in.
    left: set[int] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        self._halls = {number: Hall(number) for number in NUMBERS}
        self.log(ACCOUNT).append(1, None, ())  # before anybody listened
        for hall in [*self._halls.values()][1:]:
            self._say(self.random, hall)
            hall.loud = len(hall.log)

    @property
    def package(self) -> Package[Any, Any]:
        package: Package[Any, Any] = HALLS.box.PACKAGE
        return package

    @property
    def protocol(self) -> SyncProtocol:
        protocol: SyncProtocol = HALLS.protocol.PROTOCOL
        return protocol

    def mark(self, update: Update) -> Hashable:
        """Tokens have no logs here: the box itself shows how often, and where, it took an event."""
        return None

    # ------------------------------------------------------------------------------------- what happens

    def change(self, random: Random) -> Sequence[Container]:
        for _ in range(random.choice((1, 1, 3))):
            hall = self._halls[self._next(random)]
            update = self._say(random, hall)
            if hall.number in self.left:
                continue
            if random.random() < _SILENT:
                hall.rank += 1
                self._ranked.add(hall.number)
                continue
            if len(hall.log) > 1 and random.random() < _REPEATS:
                self._pending.append(hall.log[-2])
            self._pending.append(update)
        return () if random.random() < self.knobs.bundle else self._flushed(random)

    def _say(self, random: Random, hall: Hall) -> Update:
        prev, known, draw = hall.end, list(hall.events), random.random()
        number = random.choice(known) if known else 0
        number, draw = self._picked(random, hall, number, draw)
        if known and draw < REMOVES:
            del hall.events[number]
            hall.gone.append(number)
            update = HALLS.updates.EventRemoved(hall.number, number, prev, "")
        elif known and draw < REMOVES + EDITS:
            update = self._edited(hall, number)
        else:
            number = 1 + max([0, *hall.events, *hall.gone])
            event = HALLS.types.Events(hall.number, number, f"{number} said", 0)
            hall.events[number] = event, len(hall.log)
            update = HALLS.updates.EventCame(event, prev, "")
        hall.log.append(update)
        hall.log[-1] = update = replace(update, next=hall.end)
        self._heard.setdefault((hall.number, number), set()).add((prev, hall.end))
        return update

    def _next(self, random: Random) -> int:
        """The hall in which something happens."""
        return random.choice(NUMBERS)

    def _picked(self, random: Random, hall: Hall, number: int, draw: float) -> tuple[int, float]:
        """What something happens to, and how likely that was."""
        return number, draw

    def _edited(self, hall: Hall, number: int) -> Update:
        row, place = hall.events[number]
        version = row.version + 1
        row = replace(row, body=f"{number} said otherwise {version}", version=version)
        hall.events[number] = row, place
        return HALLS.updates.EventEdited(hall.number, number, row.body, version, hall.end, "")

    def _flushed(self, random: Random, *, numbered: bool = False) -> Sequence[Container]:
        some, self._pending = self._pending, []
        if random.random() < self.knobs.shuffled:
            random.shuffle(some)
        halls = {hall_of(update) for update in some}
        if not numbered and random.random() < self.knobs.unnumbered:
            for number in halls:
                self._halls[number].is_unsure = True
            return (HALLS.containers.Push(updates=tuple(some), halls=(), seq=0),)
        for number in halls:
            self._halls[number].loud = len(self._halls[number].log)
        rows = tuple(self._row(number) for number in sorted(self._ranked - self.left))
        self._ranked.clear()
        seq = self.log(ACCOUNT).append(1, None, ()).end
        return (HALLS.containers.Push(updates=tuple(some), halls=rows, seq=seq),)

    def _row(self, number: int) -> Any:
        return HALLS.types.Halls(number, self._halls[number].rank)

    def finish(self) -> Sequence[Container]:
        """Of what was told without a number, or asked for in vain, something is told with one: else nobody
        would miss it.
        """
        for hall in self._halls.values():
            is_in = hall.number not in self.left
            if is_in and (hall.is_unsure or hall.stay or self.random.random() < 0.3):
                self._pending.append(self._say(self.random, hall))
        return self._flushed(self.random, numbered=True)

    def own(self, random: Random, tables: Tables) -> tuple[Own | None, Sequence[Container]]:
        """The client edits what it sees, and is answered by two tokens."""
        rows = [row for row in tables.events.all() if row.number in self._halls[row.hall_id].events]
        rows = [row for row in rows if row.hall_id not in self.left]
        if not rows:
            return None, ()
        hall, number = self._halls[(row := random.choice(rows)).hall_id], row.number
        update = self._edited(hall, number)
        prev = hall.end
        hall.log.append(update)
        hall.log[-1] = update = replace(update, next=hall.end)
        self._pending.append(update)
        edit = HALLS.operations.EditEvent(hall.number, number, update.body, update.version)
        return Own(
            (edit,), HALLS.containers.Done(hall_id=hall.number, prev=prev, next=hall.end)
        ), self._flushed(random)

    def forget(self, random: Random) -> None:
        hall = self._halls[random.choice(NUMBERS)]
        hall.horizon = random.randint(hall.horizon, len(hall.log))

    def refuse(self, random: Random) -> None:
        self._closed.add(random.choice(NUMBERS))

    def allow(self) -> None:
        self._closed.clear()

    # ------------------------------------------------------------------------------------- what it answers

    def answer(self, request: Request) -> Answer | Failure:
        asked = HALLS.requests
        if isinstance(request, asked.GetAccount):
            return self._account(request.since or 0)
        hall = self._halls[request.hall_id]
        if hall.number in self.left:
            return Refused("CLOSED")
        if isinstance(request, asked.GetPage):
            place = hall.place(request.token)
            return Refused("VOID") if place is None else self._page(hall, place, request.limit)
        if hall.number in self._closed:
            hall.is_unsure = (
                True  # Who is told that takes it for done, and what was missing is missed by nobody.
            )
            return Refused("CLOSED")
        if isinstance(request, asked.GetNewest) or request.since is None:
            return self._cut(hall, 0)
        place = hall.place(request.since)
        if place is None:
            return Refused("VOID")
        is_long = len(hall.log) - place > _LONG and self.random.random() < 0.5
        if is_long or place < hall.horizon:
            return self._cut(hall, place)
        return self._news(hall, place, request.since)

    def _account(self, since: int) -> Answer:
        halls = [hall for hall in self._halls.values() if hall.number not in self.left]
        rows = tuple(self._row(hall.number) for hall in halls)
        told = [it for it in halls if it.log and it.loud == len(it.log)]
        heads = tuple(HALLS.types.Head(it.number, it.end) for it in told)
        # Of the newest something is told here as well: it may follow on what is there, or show a gap.
        newest = [it.log[-1] for it in told if self.random.random() < 0.3]
        end = self.log(ACCOUNT).end
        return HALLS.answers.AccountNews(
            updates=tuple(newest), halls=rows, heads=heads, seq=end, left=self._left_since(since)
        )

    def _left_since(self, seq: int) -> tuple[int, ...]:
        """Halls that were left behind that number, whether they were joined again or not."""
        return ()

    def _news(self, hall: Hall, place: int, since: str) -> Answer:
        some, more = self.paged(hall.log[place:])
        end = hall.token(place + len(some))
        for update in some:
            if isinstance(update, HALLS.updates.EventCame):
                self._heard[hall.number, update.event.number].add((since, end))
        return HALLS.answers.HallNews(updates=tuple(some), next=end, more=more)

    def _cut(self, hall: Hall, place: int) -> Answer:
        """What came behind the last places, and what became of everything else."""
        first = max(place, len(hall.log) - self.random.choice((1, 3, 6)))
        newest = tuple(row for row, at in hall.events.values() if at >= first)
        return HALLS.answers.HallCut(
            events=newest,
            prev=hall.token(first) if first > place else None,
            next=hall.end,
            edited=tuple(row for row, _ in hall.events.values() if row.version),
            gone=tuple(hall.gone),
        )

    def _page(self, hall: Hall, place: int, limit: int) -> Answer:
        low = max(0, place - self.random.choice((3, 6, 12)))
        rows = [row for row, at in hall.events.values() if low <= at < place]
        rows.sort(key=lambda row: -int(row.number))
        if len(rows) > limit:
            rows = rows[:limit]
            low = hall.events[rows[-1].number][1]
        return HALLS.answers.Page(events=tuple(rows), end=hall.token(low) if low else None)

    # ------------------------------------------------------------------------------------- what is true

    def asks_about(self, request: Request) -> Instance | None:
        """What was said in silence is a reason to ask that no process can be told to lack."""
        return None

    def views(self) -> Sequence[ViewKey[Any]]:
        return [HALLS.views.Hall(number) for number in NUMBERS]

    def wrong(self, tables: Tables) -> Iterator[str]:
        for hall in self._halls.values():
            if hall.number in self.left:
                continue
            rows = {row.number: row for row in tables.events.of_hall(hall.number)}
            order = [row.number for row in tables.timeline.all() if row.hall_id == hall.number]
            if order != list(hall.events):
                yield f"hall {hall.number} heard {order}, and there was said {list(hall.events)}"
            for number, (row, _) in hall.events.items():
                found = rows[number]
                if (found.body, found.version) != (row.body, row.version):
                    yield f"{number} of hall {hall.number} is {found.body!r}, and not {row.body!r}"
                seen = found.here, found.until
                if any(seen) and seen not in self._heard[hall.number, number]:
                    yield f"{number} of hall {hall.number} was heard at {seen}, where it never stood"
            position = self.protocol.position(tables, 22, HALLS.keys.hall_key(hall.number))
            if hall.log and position != (hall.end,):
                at = None if position is None else hall.place(position[0])
                yield f"hall {hall.number} is at {at}, and not at {len(hall.log)}"
