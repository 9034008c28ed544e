"""What goes into the engine and what comes out of it: plain frozen data, one class each.

Depends on: protocol.  Never on: boxes, transports, clocks.

Law: an input carries all that its step may depend on, the time included (E-11).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from pillarbox.storage import StoredKey
from pillarbox.sync.protocol import Answer, Container, Operation, Request, SyncProtocol, Tables


class Id(NamedTuple):
    """Of a request, a transaction or a timer in flight: whose it is, and a number never given twice."""

    owner: str
    number: int


# --------------------------------------------------------------------------------------------- failures


@dataclass(frozen=True, slots=True)
class Transient:
    """It may work the next time."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Flood:
    """Asked too often: not before so many milliseconds."""

    wait_ms: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The server understood and will not, under a code of its own."""

    code: str


@dataclass(frozen=True, slots=True)
class SessionLost:
    """There is no connection; what was asked may or may not have had its effect."""


Failure: TypeAlias = Transient | Flood | Refused | SessionLost


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing more is asked: `request` was refused with a code that the schema answers with `stop`."""

    code: str
    request: Request


@dataclass(frozen=True, slots=True)
class Untaken:
    """What the server says of a cursor, and the store takes as little however often it comes."""

    #: Its name in the schema.
    cursor: str
    #: Of which instance; b"" of a cursor that is one in the box.
    key: StoredKey
    #: What the store said the last time.
    reason: str


# ------------------------------------------------------------------------------------------------ store


class ReadPlan(Protocol):
    """What to read in one read transaction."""

    def read(self, tables: Tables, protocol: SyncProtocol, /) -> Any:
        """The snapshot. Pure but for the reads."""


class Draft(Protocol):
    """What to write in one write transaction, all of it or nothing."""

    def apply(self, tx: Tables, protocol: SyncProtocol, /) -> Any:
        """Raises Stale, before it writes, where what it was built on does not stand any more (sync.md 6.5).

        What it gives back goes to `Facts.result`.
        """


class Stale(Exception):
    """A draft was built on rows that have changed since; it is built anew, nothing was written."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a commit did."""

    #: Of the operations, in order.
    events: tuple[object, ...] = ()
    result: Any = None
    #: Whether anything differs from before.
    changed: bool = True


# ----------------------------------------------------------------------------------------------- inputs


@dataclass(frozen=True, slots=True)
class Started:
    """The first input. `marker` tells this run from others: a random 64 bit number (sync.md P-5)."""

    now: int
    marker: int
    #: Whether the side machines run here (sync.md P-3).
    master: bool = True


@dataclass(frozen=True, slots=True)
class Received:
    """The server said something by itself, or beside the answer to a request.

    `did`: it answers what the program did; these are the effects of that, to be replayed with its counters.
    """

    now: int
    container: Container
    did: tuple[Operation, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer to `Send`."""

    now: int
    id: Id
    answer: Answer


@dataclass(frozen=True, slots=True)
class Failed:
    """A `Send` came to nothing."""

    now: int
    id: Id
    failure: Failure


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """A new connection: what was pushed meanwhile may be lost (sync.md 12).

    A transport says so without the time, which the driver fills in.
    """

    now: int = 0


@dataclass(frozen=True, slots=True)
class Ticked:
    """A timer is due."""

    now: int
    id: Id


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a `Load` read."""

    now: int
    id: Id
    snapshot: Any


@dataclass(frozen=True, slots=True)
class Committed:
    """A `Commit` is durable as far as the box's mode says."""

    now: int
    id: Id
    facts: Facts


@dataclass(frozen=True, slots=True)
class CommitFailed:
    """A `Commit`, or a `Load`, wrote nothing."""

    now: int
    id: Id
    reason: str
    #: It was built on what has changed since.
    stale: bool
    #: The store took it as little as it would have taken any other.
    ill: bool = False


@dataclass(frozen=True, slots=True)
class RoleChanged:
    """This process became the one that runs the side machines, or is it no more (sync.md P-3)."""

    now: int
    master: bool


#: The ticket of what nobody waits for.
NOBODY: Final = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """The caller wants something; it is settled once under this ticket (E-18), unless that is of nobody."""

    now: int
    ticket: int
    what: Resync | Flush | Custom | Look


@dataclass(frozen=True, slots=True)
class Woken:
    """Another process has written: the side machines look again."""

    now: int


@dataclass(frozen=True, slots=True)
class Poke:
    """Rows that the side machine `owner` follows are others now; `what` is a snapshot of its view."""

    now: int
    owner: str
    what: Any


@dataclass(frozen=True, slots=True)
class Stopped:
    """The last input: nothing is answered after it."""

    now: int


@dataclass(frozen=True, slots=True)
class Resync:
    """Poll every box-wide cursor (sync.md Q5)."""


@dataclass(frozen=True, slots=True)
class Flush:
    """Settle when all that the server sent before this is applied (sync.md Q10)."""


@dataclass(frozen=True, slots=True)
class Custom:
    """Run a draft of the caller's while no cursor moves (sync.md Q11)."""

    draft: Draft


@dataclass(frozen=True, slots=True)
class Look:
    """Somebody looks at an instance, or looks no more (sync.md K-9)."""

    cursor: int
    key: StoredKey
    open: bool


Input: TypeAlias = (
    Started
    | Received
    | Answered
    | Failed
    | SessionChanged
    | Ticked
    | Loaded
    | Committed
    | CommitFailed
    | RoleChanged
    | Asked
    | Woken
    | Poke
    | Stopped
)


# ---------------------------------------------------------------------------------------------- outputs


@dataclass(frozen=True, slots=True)
class Send:
    """Ask the server; `Answered` or `Failed` follows, unless it is cancelled."""

    id: Id
    request: Request


@dataclass(frozen=True, slots=True)
class Cancel:
    """The answer is not wanted any more; none is delivered after this."""

    id: Id


@dataclass(frozen=True, slots=True)
class SetTimer:
    """`Ticked` when the clock shows `due`."""

    id: Id
    due: int


@dataclass(frozen=True, slots=True)
class DropTimer:
    """No `Ticked` after this."""

    id: Id


@dataclass(frozen=True, slots=True)
class Load:
    """Read; `Loaded` or `CommitFailed` follows."""

    id: Id
    plan: ReadPlan


@dataclass(frozen=True, slots=True)
class Commit:
    """Write; `Committed` or `CommitFailed` follows."""

    id: Id
    draft: Draft


@dataclass(frozen=True, slots=True)
class Publish:
    """Tell the listeners: what these commits did is durable (sync.md A-14)."""

    events: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """The end of what was asked under a ticket."""

    ticket: int
    #: None: done. A Refusal: as long as the server refuses, nobody can do it; Untaken: as long as the store
    #: does.
    error: str | Refusal | Untaken | None = None
    result: Any = None


@dataclass(frozen=True, slots=True)
class Log:
    """Something that a person may want to know; `rule` is a number of the sync rules, such as G-7."""

    rule: str
    text: str
    fields: Mapping[str, Any]


Output: TypeAlias = Send | Cancel | SetTimer | DropTimer | Load | Commit | Publish | Settled | Log
