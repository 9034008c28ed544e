"""Counters: which updates follow on what is already applied.

Depends on: storage (key types only).  Never on: boxes, transports, clocks; plain data in, plain data out.

Law: a claim of positive count takes effect exactly once and in order. With L the cursor's position, a
span (start, end] applies when start = L and makes L := end; it is old when start < L; it shows a gap
when start > L, and then the rest of that domain is held too (sync.md G-2, G-3, G-4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from pillarbox.storage import StoredKey

U = TypeVar("U")
#: A cursor row: the table id of the cursor and the stored key of one instance of it.
Instance: TypeAlias = tuple[int, StoredKey]
#: The values of a cursor's parts, in the schema's order: integers, text where a part is a token; None: this
#: instance is not known yet.
Position: TypeAlias = tuple[Any, ...] | None


class Claim(NamedTuple):
    """A half-open span (start, end] of one counter; of a token, the one before and the one behind."""

    cursor: int
    key: StoredKey
    part: int
    start: Any
    end: Any

    @property
    def instance(self) -> Instance:
        """The cursor row whose part this claims."""
        return self.cursor, self.key

    @property
    def counts_nothing(self) -> bool:
        """Whether it counts nothing, so that no answer to a question brings what it is of."""
        return bool(self.start == self.end)

    @property
    def far(self) -> int | None:
        """How far it says that its counter is; None of a token, of which nobody can say that."""
        return self.end if isinstance(self.end, int) else None


class Verdict(Enum):
    """What to do with a claim."""

    APPLY = "apply"
    OLD = "old"
    GAP = "gap"
    #: Counters that no server may send: dropped, never stored (sync.md G-7).
    MALFORMED = "malformed"


class Gap(NamedTuple):
    """What is missing: the counter stands at `have`, the next claim begins at `next`.

    `have` is None when the cursor is not known at all.
    """

    cursor: int
    key: StoredKey
    part: int
    have: Any
    next: Any


@dataclass(frozen=True, slots=True)
class Plan(Generic[U]):
    """What becomes of a batch of updates."""

    #: In the order to apply them.
    apply: tuple[U, ...]
    #: cursor row -> part -> its new value, to be written in the transaction that applies.
    moves: Mapping[Instance, Mapping[int, Any]]
    old: tuple[U, ...]
    #: Beyond a gap: to be offered again together with what fills it.
    held: tuple[U, ...]
    malformed: tuple[U, ...]
    #: The first gap of each counter.
    gaps: tuple[Gap, ...]


def check(position: int | None, claim: Claim) -> Verdict:
    """Hold one claim against the position of its counter (sync.md G-2)."""
    if claim.end <= 0 or claim.start > claim.end:
        return Verdict.MALFORMED
    if position is None or claim.start > position:
        return Verdict.GAP
    return Verdict.APPLY if claim.start == position else Verdict.OLD


def plan(items: Sequence[tuple[U, Claim | None]], positions: Mapping[Instance, Position]) -> Plan[U]:
    """Sort a batch by counter and decide on each update.

    Updates with a claim go first, by counter and (start, end); those without one follow in the order
    they came, because they may speak of rows that the others bring.
    """
    apply: list[U] = []
    old: list[U] = []
    held: list[U] = []
    malformed: list[U] = []
    gaps: dict[tuple[Instance, int], Gap] = {}
    now: dict[tuple[Instance, int], int] = {}
    claimed = [(claim, update) for update, claim in items if claim is not None]
    claimed.sort(key=lambda item: (item[0].cursor, item[0].part, item[0].start, item[0].end))
    for claim, update in claimed:
        counter = (claim.instance, claim.part)
        if counter not in now:
            position = positions[claim.instance]
            have = None if position is None else position[claim.part]
        else:
            have = now[counter]
        verdict = check(have, claim)
        if verdict is Verdict.APPLY:
            now[counter] = claim.end
            apply.append(update)
        elif verdict is Verdict.OLD:
            old.append(update)
        elif verdict is Verdict.MALFORMED:
            malformed.append(update)
        else:
            gaps.setdefault(counter, Gap(claim.cursor, claim.key, claim.part, have, claim.start))
            held.append(update)
    apply += [update for update, claim in items if claim is None]
    moves: dict[Instance, dict[int, int]] = {}
    for (instance, part), end in now.items():
        moves.setdefault(instance, {})[part] = end
    return Plan(tuple(apply), moves, tuple(old), tuple(held), tuple(malformed), tuple(gaps.values()))
