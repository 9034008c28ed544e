"""What every simulated server is made of: a log for each counter, and the questions a world asks.

Depends on: sync (the protocol only), box.Package.  Never on: machines, boxes that are open.

Law: a log only grows, and what it tells from a position on does not depend on who asks. What a box should
hold is worked out by the server itself, from plain values, with nothing of the runtime.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, TypeAlias

from pillarbox.box import Package
from pillarbox.storage import StoredKey
from pillarbox.sync.claims import Instance, Position
from pillarbox.sync.protocol import Answer, Container, Operation, Request, SyncProtocol, Tables, Update
from pillarbox.sync.signals import Failure
from pillarbox.testing.knobs import Knobs
from pillarbox.views import ViewKey

#: One counter: the cursor, the key of one instance, the part.
Domain: TypeAlias = tuple[int, StoredKey, int]


class Entry(NamedTuple):
    """What one span of a counter stands for."""

    start: int
    end: int
    update: Update
    #: What must be applied when the counter moves over it, each once.
    marks: tuple[Hashable, ...]


class SpanLog:
    """Everything that one counter ever counted, from its first value on."""

    def __init__(self, start: int = 0) -> None:
        self.entries: list[Entry] = []
        self.end = start
        #: What lies before is not told any more.
        self.horizon = start

    def append(self, count: int, update: Update, marks: Sequence[Hashable]) -> Entry:
        """The next span; a `count` of 0 is an update that the counter does not count."""
        entry = Entry(self.end, self.end + count, update, tuple(marks))
        self.end = entry.end
        self.entries.append(entry)
        return entry

    def after(self, position: int) -> list[Entry]:
        """What somebody at this position has not seen; what counts nothing is told once more at its place."""
        return [entry for entry in self.entries if entry.start >= position]

    def between(self, low: int, high: int) -> list[Entry]:
        """What moving from one position to another must have applied."""
        return [entry for entry in self.entries if low < entry.end <= high and entry.start < entry.end]


@dataclass(frozen=True)
class Own:
    """Something that the client did: what the caller writes, and the answer that carries only counters."""

    operations: tuple[Operation, ...]
    answer: Container
    #: Of the update that everybody else is told.
    marks: tuple[Hashable, ...] = ()


@dataclass
class Server(ABC):
    """A server of one schema; subclass it, and the world asks it what a real one would be asked."""

    knobs: Knobs
    random: Random
    logs: dict[Domain, SpanLog] = field(default_factory=dict, init=False)
    #: What must be applied with a counter -> that counter.
    homes: dict[Hashable, Domain] = field(default_factory=dict, init=False)
    #: Whether the account is signed out: nothing is told, and every question refused.
    is_out: bool = field(default=False, init=False)

    # ------------------------------------------------------------------------------- what it is

    @property
    @abstractmethod
    def package(self) -> Package[Any, Any]:
        """The generated package of the schema."""

    @property
    @abstractmethod
    def protocol(self) -> SyncProtocol:
        """The generated protocol of the schema."""

    # ----------------------------------------------------------------------------- what happens

    @abstractmethod
    def change(self, random: Random) -> Sequence[Container]:
        """Something happens; what is pushed to everybody because of it, now."""

    def finish(self) -> Sequence[Container]:
        """The last of a run: what was held back, and without idle polls something of each counter."""
        return ()

    @abstractmethod
    def answer(self, request: Request) -> Answer | Failure:
        """What it says to a request that reached it now."""

    def keeps(self, request: Request) -> int:
        """How many milliseconds it keeps a question that it has nothing to tell to; 0: it answers at once."""
        return 0

    def own(self, random: Random, tables: Tables) -> tuple[Own | None, Sequence[Container]]:
        """The client does something that it sees in its box; and what everybody is told, the client too."""
        return None, ()

    def forget(self, random: Random) -> None:
        """Lose the older part of a log, so that some difference cannot be told."""
        return None

    def refuse(self, random: Random) -> None:
        """Something may not be asked about for a while."""
        return None

    def allow(self) -> None:
        """Everything may be asked about again."""
        return None

    def sign_out(self) -> None:
        """Set `is_out`; a server that signs nobody out leaves it."""
        return None

    def sign_in(self) -> None:
        """The account is signed in again; the world makes every connection anew."""
        self.is_out = False

    def write(self, random: Random) -> Sequence[Operation]:
        """What somebody on the client's side writes, beside everything that the server tells."""
        return ()

    # ------------------------------------------------------------------------------- what is true

    def mark(self, update: Update) -> Hashable | None:
        """Names an update that takes effect once, wherever it is met; None: it may do so again."""
        claim = self.protocol.updates.claim(update)
        return None if claim is None or claim.end <= claim.start else claim

    @abstractmethod
    def wrong(self, tables: Tables) -> Iterator[str]:
        """What of the tables of a box is not as it should be, now that it has been told everything."""

    def views(self) -> Sequence[ViewKey[Any]]:
        """What an app shows of its box; who watches wants what these lack."""
        return ()

    def is_known(self, domain: Domain) -> bool:
        """Whether a box should have come to know of this counter by the end."""
        return True

    def evidence(self, instance: Instance, before: Position, after: Position) -> Iterator[tuple[Domain, int]]:
        """What the move of a cursor makes nobody tell again: counters of keyed cursors, and how far they are.

        The box must have come so far, or owe it.
        """
        return iter(())

    def asks_about(self, request: Request) -> Instance | None:
        """The instance of a keyed cursor that a request asks about; None: it asks about none."""
        return None

    def confirmed(self, request: Request) -> tuple[Domain, int] | None:
        """What a request says is kept at the client; None: it is no such request."""
        return None

    def is_excused(self, domain: Domain) -> bool:
        """Whether a box may leave it at what it has of this counter: the server refused to tell more."""
        return False

    def watched(self) -> Sequence[Instance]:
        """Keyed cursors that somebody may look at."""
        return ()

    # ------------------------------------------------------------------------------- for subclasses

    def log(self, domain: Domain) -> SpanLog:
        """The log of a counter; a new one starts at 0."""
        return self.logs.setdefault(domain, SpanLog())

    def logged(self, domain: Domain, count: int, update: Update, marks: Sequence[Hashable]) -> Entry:
        """Count something."""
        for mark in marks:
            self.homes[mark] = domain
        return self.log(domain).append(count, update, marks)

    def paged(self, entries: Sequence[Any]) -> tuple[Sequence[Any], bool]:
        """As many as fit an answer, and whether there are more."""
        most = self.knobs.page
        return (entries[:most], len(entries) > most) if most else (entries, False)

    def told_since(self, domain: Domain, position: int) -> tuple[Sequence[Entry], bool]:
        """What one answer tells of a counter, and whether there is more.

        What counts nothing fills no page, or asking again would never end.
        """
        entries, most = self.log(domain).after(position), self.knobs.page
        counting = [place for place, entry in enumerate(entries) if entry.end > entry.start]
        if not most or len(counting) <= most:
            return entries, False
        return entries[: counting[most - 1] + 1], True
