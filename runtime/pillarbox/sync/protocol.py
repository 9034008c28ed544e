"""A server's protocol, as the generated code tells it to the engine: frozen data and pure functions.

Depends on: claims, cursor_parts, debt_rows, hole_specs, optimiser, outbox_specs, errors, storage (key types
only).  Never on: boxes, transports, clocks.

Law: the engine knows a protocol by this alone, so two schemas that say the same here are followed alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, NamedTuple, Never, TypeAlias, TypeVar

from pillarbox.errors import UsageError
from pillarbox.storage import StoredKey
from pillarbox.sync.claims import Claim, Instance, Position
from pillarbox.sync.cursor_parts import OpenPoll, PartKind, PartSpec, Unknown
from pillarbox.sync.debt_rows import DebtTable
from pillarbox.sync.hole_specs import HoleSpec
from pillarbox.sync.optimiser import Merges
from pillarbox.sync.outbox_specs import OutboxSpec

T = TypeVar("T")

#: Structs of the schema's package. The engine hands them on and never looks inside.
Operation: TypeAlias = Any
Update: TypeAlias = Any
Container: TypeAlias = Any
Request: TypeAlias = Any
Answer: TypeAlias = Any
#: A transaction of the box, or what `Box.reading` gives.
Tables: TypeAlias = Any
#: A row of a table: the table's id and the stored key.
Row: TypeAlias = tuple[int, StoredKey]
#: What a recipe fetched: name of the step -> its answer, or the tuple of its pages.
Answers: TypeAlias = Mapping[str, Any]


# ------------------------------------------------------------------------------------ what updates ask


class Poll(NamedTuple):
    """Ask for what is missing of a cursor. Of a keyed one it is owed until it is done (sync.md K-13)."""

    cursor: int
    key: StoredKey = b""
    #: Up to where the server said it is; None: not said.
    hint: int | None = None


class ResetAsk(NamedTuple):
    """Run the recipe of this name."""

    name: str
    key: StoredKey = b""


Act: TypeAlias = Poll | ResetAsk


class Unhandled(NamedTuple):
    """An update that the schema types and says nothing else of. Told as an event once it is applied."""

    update: Update


class Absent(Enum):
    """What becomes of an update when a row that it needs is not there (sync.md A-9)."""

    IGNORE = "ignore"
    #: The update alone is left out.
    SKIP = "skip"
    #: The update is left out and its cursor polled.
    POLL = "poll"
    #: Nothing of the batch is written; the cursor is polled. In an answer the update is left out.
    DISCARD = "discard"


class Need(NamedTuple):
    """A row that must stand before an update is applied; with `request` it is asked for first."""

    row: Row
    absent: Absent
    request: Request | None = None


@dataclass(frozen=True, slots=True)
class Around:
    """What the emissions of an update may read besides its own fields."""

    #: Of the batch: that of its oldest container without a claim, 0 where none has one (sync.md G-12).
    date: int = 0
    #: Milliseconds of the driver's clock.
    now: int = 0
    #: Of the update's own claim; in an answer that covers it, what the answer sets. None: it has none.
    end: Any = None
    #: Where cursors stand within the batch.
    position: Callable[[int, StoredKey], Position] = lambda _cursor, _key: None
    #: Rows as they stood before the batch.
    row: Callable[[Row], Any] = lambda _row: None


#: What is asked for once it is seen where cursors and rows stand.
Asks: TypeAlias = Callable[[Around], Sequence[Act]]


@dataclass(frozen=True)
class UpdateRules:
    """What is known of updates."""

    claim: Callable[[Update], Claim | None]
    #: Operations, acts and `Unhandled`, in order.
    emit: Callable[[Update, Around], Sequence[Any]]
    #: The keyed cursor with whose claims it is sorted, behind them, without being checked (sync.md K-1, K-4).
    beside: Callable[[Update], Instance | None]
    needs: Callable[[Update], Sequence[Need]]
    #: Rows that it writes itself, so that others with it need not ask for them; None: nothing is said of any.
    brings: Callable[[Update], Sequence[Row]] | None = field(default=None, kw_only=True)
    #: Applied also where its claim is old, without moving the counter (sync.md G-5).
    when_old: frozenset[type[Any]] = frozenset()


def _none(update: Update, *_around: Around) -> Never:
    raise UsageError(f"this schema has no updates, so {update!r} is none")


#: Of a server that tells by rows alone, or nothing by itself.
NO_UPDATES: Final = UpdateRules(claim=_none, emit=_none, beside=_none, needs=_none)


# -------------------------------------------------------------------------------------------- containers


class Stamp(NamedTuple):
    """A value that is set, unchecked, when what brought it applied."""

    cursor: int
    key: StoredKey
    part: int
    value: int


@dataclass(frozen=True, slots=True)
class Opened:
    """A container, taken apart (sync.md U-1)."""

    updates: tuple[Update, ...] = ()
    #: Of all in it that has no box-wide claim of its own; None: it always applies.
    claim: Claim | None = None
    #: Counters moved without an update, as answers to own requests do (sync.md U-9, G-19).
    steps: tuple[Claim, ...] = ()
    #: Set when `claim` applied, not without one (sync.md G-11, G-12).
    stamps: tuple[Stamp, ...] = ()
    #: Replayed before the updates of each bucket that applies (sync.md G-6).
    side: tuple[Operation, ...] = ()
    #: Rows that `side` writes: nobody has to ask for them.
    brings: frozenset[Row] = frozenset()
    #: What follows on these rows, as they stood before; asked wherever `side` is replayed (sync.md K-5).
    brought: Asks | None = None
    #: Orders containers without a claim.
    date: int = 0
    acts: tuple[Act, ...] = ()
    asks: Asks | None = None


# ------------------------------------------------------------------------------- differences and resets


class AnswerKind(Enum):
    """What an answer to a difference is (sync.md 5)."""

    EMPTY = "empty"
    FULL = "full"
    SLICE = "slice"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class Body:
    """What an answer brings: updates without claims."""

    side: tuple[Operation, ...] = ()
    updates: tuple[Update, ...] = ()
    #: Replayed behind everything else.
    tail: tuple[Operation, ...] = ()
    brings: frozenset[Row] = frozenset()
    #: What follows on these rows, as they stood before (sync.md K-5).
    brought: Asks | None = None
    #: Claims of these (cursor, part) are not checked: the answer's new position covers them (sync.md G-8).
    covered: frozenset[tuple[int, int]] = frozenset()
    acts: tuple[Act, ...] = ()
    asks: Asks | None = None


def spread(body: Body, emit: Callable[[Update, Around], Sequence[Any]], around: Around) -> list[Any]:
    """Everything of a body in the order in which it is replayed, where there is no batch."""
    emitted = [one for update in body.updates for one in emit(update, around)]
    asked = [act for asks in (body.brought, body.asks) if asks is not None for act in asks(around)]
    return [*body.side, *emitted, *body.tail, *body.acts, *asked]


def told(values: Mapping[int, T | None]) -> dict[int, T]:
    """Where a cursor stands, of what an answer says: parts of which it says nothing stay as they are."""
    return {part: value for part, value in values.items() if value is not None}


def always(value: T) -> Callable[[Any], T]:
    """The function that gives the same for any answer."""
    return lambda _answer: value


@dataclass(frozen=True, slots=True)
class AnswerRule:
    """What one type of answer does; `key` is that of the instance asked about, b"" of a box-wide cursor."""

    kind: Callable[[Answer], AnswerKind]
    #: Part -> its new value; parts that are not named stay (sync.md C-4).
    set: Callable[[Answer], Mapping[int, Any]] | None = None
    body: Callable[[Answer, StoredKey], Body] | None = None
    #: Of a TOO_LONG without a body: the recipe to run instead.
    reset: str | None = None
    #: Whether to ask again at once, though it is no slice (sync.md K-8).
    again: Callable[[Answer], bool] | None = None


class Remedy(Enum):
    """What follows on a refusal."""

    RETRY = "retry"
    #: As if the answer were empty.
    DONE = "done"
    #: The answer is given up and nothing is asked again by itself (sync.md Q6).
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Backoff:
    """Each try waits `step_ms` more than the one before, at most `cap_ms` (sync.md 12)."""

    step_ms: int = 200
    cap_ms: int = 5_000


@dataclass(frozen=True, slots=True)
class Difference:
    """How what is missing of a cursor is asked for."""

    request: Callable[[StoredKey, Position], Request]
    answers: Mapping[type[Any], AnswerRule]
    #: Code of a refusal -> what follows; others: RETRY. A Poll asks for another cursor (sync.md K-10).
    errors: Mapping[str, Remedy | Poll | ResetAsk] = field(default_factory=dict)
    backoff: Backoff = Backoff()


@dataclass(frozen=True, slots=True)
class Fetch:
    """One step of a recipe; it may read what the steps before it brought."""

    name: str
    request: Callable[[StoredKey, Answers], Request]
    answers: tuple[type[Any], ...]
    #: Whether to ask for another page; then the name stands for the tuple of pages.
    more: Callable[[Answers], bool] | None = None


@dataclass(frozen=True, slots=True)
class ResetSpec:
    """A recipe that makes a cursor and its rows anew: all of it in one commit, or nothing (sync.md D-6)."""

    name: str
    cursor: int
    fetch: tuple[Fetch, ...]
    #: What to replay, in the order given; it may read the tables as they stand.
    commit: Callable[[Tables, StoredKey, Answers], Sequence[Any]]
    set: Callable[[StoredKey, Answers], Mapping[int, Any]]
    #: Whether a failed request is tried again (sync.md D-7); else the recipe ends without effect (4.4).
    retry: bool = True
    backoff: Backoff = Backoff()


# ----------------------------------------------------------------------------------------------- cursors


@dataclass(frozen=True, slots=True)
class First:
    """Where a box-wide cursor that is not there yet begins (sync.md C-7)."""

    request: Callable[[], Request]
    set: Mapping[type[Any], Callable[[Answer], Mapping[int, Any]]]


@dataclass(frozen=True, slots=True)
class CursorSpec:
    """What one difference recovers together."""

    id: int
    name: str
    keyed: bool
    parts: tuple[PartSpec, ...]
    difference: Difference | None = None
    #: None: a cursor that is not there is polled from nothing (its request is made with None).
    first: First | None = None
    unknown: Unknown = Unknown.POLL
    #: The (cursor, part) of the container claim with which keyed claims wait and drop; None: alone.
    travels: tuple[int, int] | None = None
    #: The recipe that cures a gap seen in an answer of a box-wide cursor; None: its difference (sync.md K-7).
    inside: str | None = None
    #: 0: never (sync.md G-20), unless an answer says otherwise.
    idle_poll_ms: int = 0
    #: How long it may be silent from an answer to its difference on; None: that does not say.
    pause: Callable[[Answer], int | None] | None = None
    #: Of a box-wide one: the question that the server answers once there is something, asked without end
    #: beside the queue; its answers are those of the difference. None: nothing is asked so.
    loop: Callable[[Position], Request] | None = None
    open_poll: OpenPoll | None = None

    @property
    def zero(self) -> tuple[Any, ...]:
        """Its parts where nothing was told yet."""
        return tuple("" if part.kind is PartKind.TOKEN else 0 for part in self.parts)

    @property
    def counter(self) -> int | None:
        """The part that hints are about: the first that counts."""
        kinds = [part.kind for part in self.parts]
        for kind in (PartKind.COUNTER, PartKind.WATERMARK):
            if kind in kinds:
                return kinds.index(kind)
        return None


@dataclass(frozen=True, slots=True)
class Gather:
    """How requests of one type, each for some items, become one for all of them (sync.md A-3, A-4)."""

    items: Callable[[Request], Sequence[Any]]
    #: The request with other items.
    made: Callable[[Request, tuple[Any, ...]], Request]
    most: int


@dataclass(frozen=True)
class SyncProtocol:
    """Everything of a schema that the engine works with."""

    updates: UpdateRules
    open: Callable[[Container], Opened]
    cursors: Mapping[int, CursorSpec]
    resets: Mapping[str, ResetSpec]
    #: None where nothing is ever owed: no cursor is keyed, and no recipe is asked for.
    debts: DebtTable | None
    replay: Callable[[Tables, Sequence[Operation]], None]
    #: The values of a cursor row's parts, or None when there is no such row; reads in `Box.reading` too.
    position: Callable[[Tables, int, StoredKey], Position]
    #: Set some parts of a cursor row.
    advance: Callable[[Tables, int, StoredKey, Mapping[int, Any]], None]
    #: The row of a table, or None.
    row: Callable[[Tables, Row], Any]
    merges: Merges | None = None
    #: What the answer to a request of a `Need` brings; its updates are applied unchecked.
    fetched: Callable[[Request, Answer], Body] | None = None
    #: Type of a request of a `Need` -> how several are sent as one.
    gathers: Mapping[type[Any], Gather] = field(default_factory=dict)
    #: Type of a request -> the types of its answers; one that is not named may have any.
    answers: Mapping[type[Any], tuple[type[Any], ...]] = field(default_factory=dict)
    #: Wire forms, for records of sessions.
    encode_container: Callable[[Container], bytes] | None = None
    decode_container: Callable[[bytes], Container] | None = None
    encode_request: Callable[[Request], bytes] | None = None
    decode_request: Callable[[bytes], Request] | None = None
    encode_answer: Callable[[Answer], bytes] | None = None
    decode_answer: Callable[[bytes], Answer] | None = None
    encode_operation: Callable[[Operation], bytes] | None = None
    decode_operation: Callable[[bytes], Operation] | None = None
    #: None where nothing is kept to be told.
    outbox: OutboxSpec | None = None
    #: Name under which views want holes -> how those are filled.
    holes: Mapping[str, HoleSpec] = field(default_factory=dict)

    def cures(self, recipe: str, cursor: int) -> bool:
        """Whether there is a recipe of this name, and it is of this cursor: an earlier schema may say so."""
        return recipe in self.resets and self.resets[recipe].cursor == cursor
