"""What a side machine may ask of the machine that it is part of.

Depends on: protocol, signals.  Never on: the queue, jobs.

Law: what sets a cursor goes through the queue; a side machine writes by itself only what sets none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from pillarbox.sync.debt_rows import Author
from pillarbox.sync.protocol import Act, Container, Operation, SyncProtocol
from pillarbox.sync.signals import Input, Output


class Host(Protocol):
    """The machine, as its side machines see it. All of it works within a step."""

    @property
    def protocol(self) -> SyncProtocol:
        """What the schema tells."""

    def receive(self, container: Container, did: tuple[Operation, ...] = ()) -> object:
        """As if the server had pushed it: an answer to an own request (sync.md G-19).

        `did`: what its first counter counts, where it does not bring that itself. What it gives, but for
        None, is told as `Taken` by a poke when it is written, or was dropped before.
        """

    def author(self) -> Author:
        """Of one more draft, for what that owes."""

    def act(self, act: Act) -> None:
        """What a commit asked for is durable; now do it. Of a keyed Poll the debt stands already."""


class Taken(NamedTuple):
    """What was received does not lie in memory any more."""

    #: As `Host.receive` gave it.
    of: object
    #: Else some of it was dropped, and may be told by nobody.
    is_written: bool
    #: Whether that was since the store took nothing, whatever it was, or others were first.
    is_ill: bool = False


class SideMachine(Protocol):
    """A part of the machine with requests, timers and commits of its own.

    It is given every Started, SessionChanged, RoleChanged, Woken and Stopped, each Poke of its name, and
    what comes back for the ids of its name. It runs only where this process is the master (sync.md P-3):
    of a RoleChanged it makes what it needs.
    """

    @property
    def owner(self) -> str:
        """Its name in `Id.owner` and `Poke.owner`."""

    def step(self, given: Input) -> Sequence[Output]:
        """What follows on an input."""
