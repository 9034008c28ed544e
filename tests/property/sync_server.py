"""A server with a log, as the tests of the engine have one: it says only what is so, as late as it likes.

Depends on: the hand-written protocol of the unit tests.  Never on: the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    PROJECT,
    QTS,
    RESETS,
    REV,
    SEQ,
    A,
    C,
    Page,
    State,
    TooLong,
    U,
    body,
    protocol,
    push,
    seq,
)

from pillarbox.sync.claims import Claim, Instance
from pillarbox.sync.protocol import AnswerKind, Poll

#: Two that travel with containers and are cured by a recipe, one that travels alone and waits.
KEYED: Final[tuple[Instance, ...]] = ((CHANNEL, 5), (CHANNEL, 6), (PROJECT, 1))
#: Counters that the laws follow.
COUNTERS: Final[tuple[Instance, ...]] = ((ACCOUNT, b""), *KEYED)


def _everything(_tables: Any, _key: Any, answers: Mapping[str, Any]) -> list[Any]:
    """The account is made anew, as it was when the recipe began."""
    acts = [act for page in answers["pages"] for act in page.acts]
    return [f"reset:{ACCOUNT}:b'':{answers['state'].at[REV]}", *acts]


#: A recipe that gives up leaves what it was for unrepaired (4.4): here none does, so that rest is the server.
PROTOCOL: Final = protocol(
    resets={
        "everything": replace(RESETS["everything"], commit=_everything),
        "channel": replace(RESETS["channel"], retry=True),
    }
)


class Server:
    """What happened there, as moments: each is one container, and one step of seq."""

    def __init__(self) -> None:
        self.moments: list[tuple[U, ...]] = []
        self.ends: dict[Instance, int] = dict.fromkeys(COUNTERS, 0)
        #: What no container with a claim ever brings.
        self.whispers: list[U] = []

    def happen(self, choice: int) -> None:
        """One moment: up to three updates. Or something that is only whispered."""
        if choice > 20:
            instance: Instance = (PROJECT, 1)
            self.ends[instance] += 1
            end = self.ends[instance]
            self.whispers.append(U(f"{PROJECT}:1:{end - 1}:{end}:w", Claim(*instance, 0, end - 1, end)))
            return
        made: list[U] = []
        for place in range(1 + choice % 3):
            instance = COUNTERS[(choice // 3 + place) % 4]
            count = (1, 2, 1, 0)[(choice + place) % 4]
            self.ends[instance] += count
            end = self.ends[instance]
            if end > 0:
                claim = Claim(*instance, 0, end - count, end)
                made.append(
                    U(f"{instance[0]}:{instance[1]!r}:{end - count}:{end}:{len(self.moments)}", claim)
                )
        self.moments.append(tuple(made))

    def container(self, place: int, choice: int) -> C:
        """A moment as it is pushed: whole, or in two, or with what moves its counter said twice."""
        updates = self.moments[place]
        claim = seq(place + 1)
        if choice % 4 == 1:
            return push(*(it for it in updates if it.claim and it.claim.cursor == ACCOUNT))
        if choice % 4 == 2:
            return push(*(it for it in updates if it.claim and it.claim.cursor != ACCOUNT), claim=claim)
        if choice % 8 == 3:
            return push(*(it for it in updates if it.claim and it.claim.cursor != ACCOUNT))
        return push(*reversed(updates), claim=claim)

    def answer(self, request: Any, choice: int) -> Any:
        """What it says to a request, as things are now."""
        if request[0] == "state":
            return State((self.ends[ACCOUNT, b""], 0, len(self.moments), 0))
        if request[0] == "pages":
            return self._page(request[1])
        if request[0] == "difference":
            _, cursor, key, position = request
            if cursor == ACCOUNT:
                return self._account(position, choice)
            return self._keyed((cursor, key), position, choice)
        raise AssertionError(f"what is {request}?")

    def _page(self, key: Any) -> Page:
        if key == b"":
            asks = tuple(Poll(*instance) for instance in KEYED)
            return Page((), acts=asks)
        end = self.ends[CHANNEL, key]
        return Page((f"reset:{CHANNEL}:{key!r}:{end}",), at=end)

    def _account(self, position: Any, choice: int) -> A | TooLong:
        at, seen = position[REV], position[SEQ]
        behind = len(self.moments) - seen
        if behind > 5 and choice % 3 == 0:
            return TooLong()
        until = len(self.moments) if choice % 2 else min(len(self.moments), seen + 2)
        found = [it for moment in self.moments[:until] for it in moment if _is_new(it, at)]
        found += [
            it
            for moment in self.moments[seen:until]
            for it in moment
            if it.claim and it.claim.cursor != ACCOUNT
        ]
        end = max([at, *(it.claim.end for it in found if it.claim and it.claim.cursor == ACCOUNT)])
        kind = AnswerKind.FULL if until == len(self.moments) else AnswerKind.SLICE
        if not found and choice % 2:
            return A(AnswerKind.EMPTY, set={SEQ: until})
        return A(kind, {REV: end, SEQ: until}, body(*found, covered=((ACCOUNT, REV), (ACCOUNT, QTS))))

    def _keyed(self, instance: Instance, position: Any, choice: int) -> A | TooLong:
        at = 0 if position is None else position[0]
        told = (*self.moments, tuple(self.whispers))
        log = [it for moment in told for it in moment if it.claim and it.claim.instance == instance]
        log.sort(key=lambda it: it.claim or Claim(*instance, 0, 0, 0))
        found = [it for it in log if it.claim and it.claim.end > at]
        if len(found) > 3 and choice % 3 == 0 and instance[0] == CHANNEL:
            return TooLong()
        some = found[:2] if choice % 2 else found
        end = max([at, *(it.claim.end for it in some if it.claim)])
        return A(
            AnswerKind.FULL,
            {0: end},
            body(*some, covered=((instance[0], 0),)),
            again=len(some) < len(found),
        )


def _is_new(update: U, at: int) -> bool:
    return update.claim is not None and update.claim.cursor == ACCOUNT and update.claim.end > at
