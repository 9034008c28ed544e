"""Asking about one instance of a keyed cursor, outside the queue, until the last answer is there.

Depends on: flight, making, answers, recipe, drafts, trails.  Never on: the queue, clocks.

Law: it writes nothing; what it found is a draft that expects the cursor where it was asked from (sync.md
K-8, K-12, D-2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import Any

from pillarbox.sync.answers import Taken, build_answer, take
from pillarbox.sync.build import Ready, Wants
from pillarbox.sync.claims import Instance, Position
from pillarbox.sync.cursor_parts import leads_on
from pillarbox.sync.decide import Owed, Situation
from pillarbox.sync.drafts import BatchDraft, Reading, ResetDraft, Snapshot
from pillarbox.sync.flight import Asking, Flight
from pillarbox.sync.making import Making
from pillarbox.sync.needs import ALONE, Fetched, reading
from pillarbox.sync.protocol import Act, Answer, AnswerKind, Answers, Difference, Poll, Remedy, ResetAsk
from pillarbox.sync.recipe import Recipe
from pillarbox.sync.signals import Refusal, Refused
from pillarbox.sync.trails import Trail


class Ending(Enum):
    """How an inquiry ended."""

    #: There is a draft.
    DRAFT = "draft"
    #: Refused for good: nothing more to ask (sync.md K-10).
    REFUSED = "refused"
    #: Refused, and not to be asked again in this session.
    STOPPED = "stopped"
    #: The tries are used up.
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Found:
    """What became of an inquiry. However it ended, there may be a draft of the answers before."""

    instance: Instance
    ending: Ending
    draft: BatchDraft | ResetDraft | None = None
    #: What its answers ask for besides the draft.
    readies: tuple[Ready, ...] = ()
    #: What a refusal asks for.
    acts: tuple[Act, ...] = ()
    #: The last answer.
    answer: Answer = None
    #: Whether the server has more than was asked for in one go.
    more: bool = False
    #: Whether its last answer says so, or owes it anew, and led nowhere: asked at once, it would be without
    #: end.
    is_stuck: bool = False
    #: Whether its answers lead to another place than it was asked from.
    leads_on: bool = True
    #: For how long it may not be asked about.
    wait_ms: int = 0

    @property
    def anew(self) -> tuple[Owed, ...]:
        """What its answers owe of it."""
        return tuple(it for ready in self.readies for it in ready.owed if it.debt.instance == self.instance)

    @property
    def asks(self) -> bool:
        """Whether its answers ask for anything."""
        return self.more or any(ready.polls or ready.owed for ready in self.readies)


@dataclass(slots=True)
class _Gathered:
    """What the answers so far brought."""

    readies: list[Ready] = field(default_factory=list)
    sets: dict[Instance, dict[int, Any]] = field(default_factory=dict)


class Inquiry:
    """One question, with all that it takes to answer it. `then` is called once, unless it is stopped."""

    def __init__(
        self,
        flight: Flight,
        owner: str,
        instance: Instance,
        then: Callable[[Found], None],
        *,
        cure: str = "",
        tries_max: int = 0,
    ) -> None:
        self._flight = flight
        self._owner = owner
        self.instance = instance
        self._then = then
        self._cure = cure
        self._tries_max = tries_max
        self._asked: Position = None
        self._gathered = _Gathered()
        #: Where its answers have led.
        self._trail: Trail | None = None
        #: How often the last answer was not taken, since nobody knows whether the server has what it needs.
        self._doubted = 0
        self._part: Asking | Making | Recipe | None = None
        self._over = False
        self._begin()

    def stop(self) -> None:
        """Nothing comes of it any more."""
        self._over = True
        if self._part is not None:
            self._part.stop()

    def _begin(self) -> None:
        self._gathered = _Gathered()
        self._flight.load(self._owner, Reading(frozenset({self.instance})), self._loaded)

    def _loaded(self, snapshot: Snapshot) -> None:
        if self._over:
            return
        self._asked = snapshot.positions[self.instance]
        protocol, cursor = self._flight.protocol, self.instance[0]
        difference = protocol.cursors[cursor].difference
        if self._cure and protocol.cures(self._cure, cursor):
            self._run(self._cure)
        elif difference is not None:
            self._ask(difference, self._asked)
        else:
            # It may be called otherwise now.
            recipe = next((it.name for it in protocol.resets.values() if it.cursor == cursor), None)
            self._run(recipe) if recipe and self._cure else self._end(Ending.REFUSED)

    # ------------------------------------------------------------------------------------- by difference

    def _ask(self, difference: Difference, position: Position) -> None:
        request = difference.request(self.instance[1], position)
        then = partial(self._answered, difference)
        self._part = self._flight.ask(
            self._owner,
            request,
            difference.backoff,
            then,
            tries_max=self._tries_max,
            flood_max_ms=self._flight.limits.debt_rest_ms,
        )

    def _answered(self, difference: Difference, answer: Answer) -> None:
        if answer is None:
            self._end(Ending.FAILED)
            return
        if isinstance(answer, Refused):
            self._refused(answer)
            return
        taken = take(difference, self.instance, answer, self._flight.log)
        if taken is None:
            self._again()
        elif taken.kind is AnswerKind.TOO_LONG and taken.reset is not None:
            self._run(taken.reset)
        else:
            what = reading(self._flight.protocol, taken.body.updates, self._flight.log)
            what = replace(what, instances=what.instances | {self.instance})
            build, made = partial(self._build, taken), partial(self._made, difference, taken)
            flood_max_ms = self._flight.limits.debt_rest_ms
            self._part = Making(self._flight, self._owner, what, build, made, flood_max_ms=flood_max_ms)

    def _refused(self, refused: Refused) -> None:
        remedy = self._flight.remedy(self.instance[0], refused)
        self._flight.log("K-10", "a keyed cursor was refused", code=refused.code, instance=self.instance)
        if remedy is Remedy.RETRY:
            self._again()
        elif remedy is Remedy.DONE:
            self._end(Ending.REFUSED)
        elif remedy is Remedy.STOP:
            self._end(Ending.STOPPED)
        elif isinstance(remedy, ResetAsk) and self._is_of_this(remedy):
            self._run(remedy.name)
        elif not isinstance(remedy, Remedy):
            self._end(Ending.REFUSED, acts=(remedy,))

    def _is_of_this(self, remedy: ResetAsk) -> bool:
        return self._flight.protocol.resets[remedy.name].cursor == self.instance[0]

    def _again(self) -> None:
        if isinstance(self._part, Asking):
            self._part.again()

    def _build(self, taken: Taken, snapshot: Snapshot, fetched: Fetched) -> Ready | Wants:
        """On the cursor as the answers before left it. Whether it has moved in the box is verified when it
        is written (sync.md D-2).
        """
        positions = {it: self._after(it, position) for it, position in snapshot.positions.items()}
        situation = Situation(
            self._flight.protocol, positions, self._flight.now, self._flight.author(), inside=self.instance[0]
        )
        readies = self._gathered.readies
        before = readies[-1].after if readies else ALONE
        return build_answer(situation, taken, snapshot.rows, fetched, before)

    def _after(self, instance: Instance, position: Position) -> Position:
        parts = self._gathered.sets.get(instance)
        if parts is None:
            return position
        known = list(position or self._flight.protocol.cursors[instance[0]].zero)
        for part, value in parts.items():
            known[part] = value
        return tuple(known)

    def _made(self, difference: Difference, taken: Taken, ready: Ready) -> None:
        gathered = self._gathered
        here = self._after(self.instance, self._asked)
        if isinstance(self._part, Making) and self._part.wait_ms:
            self._end(Ending.FAILED)
            return
        if ready.doubts and self._doubted < self._flight.limits.need_tries_max:
            self._doubted += 1
            self._ask(difference, here)
            return
        self._doubted = 0
        gathered.readies.append(ready)
        for instance, parts in ready.draft.sets.items():
            gathered.sets.setdefault(instance, {}).update(parts)
        there = self._after(self.instance, self._asked)
        kinds = self._flight.protocol.cursors[self.instance[0]].parts
        moves = leads_on(kinds, here, ready.draft.sets.get(self.instance, {}))
        self._trail = self._trail or Trail(kinds, self._asked)
        moves = moves and not self._trail.is_back(there)
        if moves and taken.again and len(gathered.readies) < self._flight.limits.again_max:
            self._ask(difference, there)
            return
        leads = leads_on(kinds, self._asked, gathered.sets.get(self.instance, {}))
        # Slices may go there and back.
        asks_on = taken.again or any(it.owes(self.instance) for it in gathered.readies)
        is_stuck = asks_on and not (moves and leads)
        if is_stuck:
            text = "there is said to be more, and none of it comes"
            self._flight.log("K-8", text, instance=self.instance)
        self._over = True
        self._then(
            Found(
                self.instance,
                Ending.DRAFT,
                self._joined(gathered),
                tuple(gathered.readies),
                answer=taken.answer,
                more=taken.again,
                is_stuck=is_stuck,
                leads_on=leads,
            )
        )

    def _joined(self, gathered: _Gathered) -> BatchDraft:
        """All answers as one draft, which expects what the first of them does."""
        expects: dict[Instance, Position] = {}
        for ready in reversed(gathered.readies):
            expects.update(ready.draft.expects)
        return BatchDraft(
            operations=tuple(it for ready in gathered.readies for it in ready.draft.operations),
            sets=gathered.sets,
            expects={**expects, self.instance: self._asked},
            lacks=frozenset(row for ready in gathered.readies for row in ready.draft.lacks),
            owes=tuple(debt for ready in gathered.readies for debt in ready.draft.owes),
        )

    # ----------------------------------------------------------------------------------------- by recipe

    def _run(self, name: str) -> None:
        protocol = self._flight.protocol
        if not protocol.cures(name, self.instance[0]):
            self._flight.log("K-7", "no such recipe", recipe=name)
            self._end(Ending.REFUSED)
            return
        self._gathered = _Gathered()
        then = partial(self._fetched, name)
        self._part = Recipe(
            self._flight,
            self._owner,
            protocol.resets[name],
            self.instance[1],
            then,
            tries_max=self._tries_max,
            flood_max_ms=self._flight.limits.debt_rest_ms,
        )

    def _fetched(self, name: str, answers: Answers | Refusal | Refused | None) -> None:
        if answers is None:
            self._end(Ending.FAILED)
        elif isinstance(answers, Refusal):
            self._end(Ending.STOPPED)
        elif isinstance(answers, Refused):
            remedy = self._flight.remedy(self.instance[0], answers)
            self._end(Ending.REFUSED, acts=(remedy,) if isinstance(remedy, Poll) else ())
        else:
            spec = self._flight.protocol.resets[name]
            draft = ResetDraft(spec, self.instance[1], answers, self._asked, self._flight.author())
            self._over = True
            self._then(Found(self.instance, Ending.DRAFT, draft))

    def _end(self, ending: Ending, acts: tuple[Act, ...] = ()) -> None:
        """There is no further answer. What came before is written: who begins anew each time never ends."""
        self._over = True
        part = self._part
        wait_ms = part.wait_ms if ending is Ending.FAILED and part is not None else 0
        came = _Gathered() if acts else self._gathered
        draft = self._joined(came) if came.readies else None
        self._then(Found(self.instance, ending, draft, tuple(came.readies), acts=acts, wait_ms=wait_ms))
