"""The side machines of one machine, and what each is told.

Depends on: host, outbox, outbox_drafts, holes, drafts, signals.  Never on: the queue, jobs, clocks.

Law: what comes back goes to the one whose name its id bears; what concerns all goes to all. While they are
held they hear of ends of commits alone, and of the rest behind that, in the order in which it came: so none
begins to write what it owes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pillarbox.sync.claims import Instance, Position
from pillarbox.sync.drafts import BatchDraft, RoundDraft, Wrote
from pillarbox.sync.flight import Flight
from pillarbox.sync.hole_drafts import Page
from pillarbox.sync.holes import GivenOut, Holes, NotDone
from pillarbox.sync.host import Host, SideMachine, Taken
from pillarbox.sync.outbox import OWNER as OUTBOX
from pillarbox.sync.outbox import Outbox
from pillarbox.sync.outbox_drafts import Finish, Finished
from pillarbox.sync.signals import (
    Answered,
    Cancel,
    Commit,
    CommitFailed,
    Committed,
    Draft,
    Facts,
    Failed,
    Id,
    Input,
    Load,
    Loaded,
    Output,
    Poke,
    Send,
)


class Sides:
    """The outbox and the fetchers of holes, as far as the schema has them."""

    def __init__(self, flight: Flight, host: Host) -> None:
        self._flight = flight
        self._machines: dict[str, SideMachine] = {}
        self._views: dict[str, Any] = {}
        self._holes: list[str] = []
        #: What they wait for, but for timers; and of that the commits that may owe something.
        self._waiting: set[Id] = set()
        self._writing: set[Id] = set()
        #: What they have not heard of, while they are held: whose it is, of what concerns all None.
        self._unheard: list[tuple[str | None, Input]] | None = None
        flight.on_commit.append(self.given_out)
        flight.on_failed.append(self.not_done)
        flight.on_written.append(self._written)
        for spec in host.protocol.holes.values():
            holes = Holes(spec, host.act, flight.author)
            self._add(holes, holes.view)
            self._holes.append(holes.owner)
        if host.protocol.outbox is not None:
            self._add(Outbox(host.protocol.outbox, host), host.protocol.outbox.view)

    def _add(self, machine: SideMachine, view: Any) -> None:
        self._machines[machine.owner] = machine
        self._views[machine.owner] = view

    @property
    def views(self) -> Mapping[str, Any]:
        """Owner -> the key of the view that its pokes are about."""
        return self._views

    @property
    def works(self) -> bool:
        """Whether any waits for an answer or a transaction, or for being let go."""
        return bool(self._waiting or self._unheard)

    @property
    def writes(self) -> bool:
        """Whether a commit of any is on its way that may owe what nobody knows of yet."""
        return bool(self._writing)

    def hold(self) -> None:
        """Till they are let go they write no more than what is being written."""
        if self._unheard is None:
            self._unheard = []

    def let_go(self) -> None:
        """They hear of all that came meanwhile."""
        unheard, self._unheard = self._unheard or (), None
        for owner, given in unheard:
            self.all(given) if owner is None else self.own(owner, given)

    def all(self, given: Input) -> None:
        """It concerns every one."""
        if self._unheard is not None:
            self._unheard.append((None, given))
            return
        for machine in self._machines.values():
            self._take(machine.step(given))

    def own(self, owner: str, given: Input) -> bool:
        """Hand it to the one of this name; tells whether there is one."""
        machine = self._machines.get(owner)
        if machine is None:
            return False
        if isinstance(given, Answered | Failed | Loaded | Committed | CommitFailed):
            self._waiting.discard(given.id)
            self._writing.discard(given.id)
        if owner not in self._holes and _is_undone(given):
            self.not_done()
        if self._unheard is not None and not isinstance(given, Committed | CommitFailed):
            self._unheard.append((owner, given))
        else:
            self._take(machine.step(given))
        return True

    def taken(self, what: Taken) -> None:
        """What the outbox was answered, and handed over, is written or was dropped."""
        self.own(OUTBOX, Poke(self._flight.now, OUTBOX, what))

    def given_out(self, draft: Draft) -> None:
        """A commit of the machine's own goes out: pages that are on their way may be older (E-21)."""
        if not self._holes:
            return
        drafts: Sequence[Any] = draft.parts if isinstance(draft, RoundDraft) else (draft,)
        known = all(isinstance(one, BatchDraft) for one in drafts)
        operations = [it for one in drafts for it in one.operations] if known else None
        moves: dict[Instance, tuple[Position, Position]] = {}
        for one in drafts:
            if isinstance(one, BatchDraft):
                moves.update(_moves(one))
        self._tell_holes(GivenOut(operations, moves))

    def not_done(self) -> None:
        """Such a commit wrote nothing: what it was to settle is as it was (E-21)."""
        self._tell_holes(NotDone())

    def _written(self, facts: Facts) -> None:
        """Of a round that is written, parts may have been left out."""
        if isinstance(facts.result, Wrote) and (facts.result.stale or facts.result.void):
            self.not_done()

    def _tell_holes(self, what: GivenOut | NotDone) -> None:
        for owner in self._holes:
            self._take(self._machines[owner].step(Poke(self._flight.now, owner, what)))

    def _take(self, outputs: Sequence[Output]) -> None:
        for output in outputs:
            if isinstance(output, Send | Load | Commit):
                self._waiting.add(output.id)
            if isinstance(output, Commit) and isinstance(output.draft, Finish | Page):
                self._writing.add(output.id)
            if isinstance(output, Commit) and isinstance(output.draft, Finish) and output.draft.operations:
                self._tell_holes(GivenOut(output.draft.operations, {}))
            elif isinstance(output, Cancel):
                self._waiting.discard(output.id)
        self._flight.put(*outputs)


def _is_undone(given: Input) -> bool:
    """Whether the end of a wish has not done what it was given out to do: a refusal may count no more."""
    if isinstance(given, Committed):
        return isinstance(given.facts.result, Finished) and not given.facts.result.happened
    return isinstance(given, CommitFailed)


def _moves(draft: BatchDraft) -> dict[Instance, tuple[Position, Position]]:
    """Where the cursors that it sets stood, and where they will stand."""
    moves: dict[Instance, tuple[Position, Position]] = {}
    for instance, parts in draft.sets.items():
        before = draft.expects.get(instance)
        after = list(before or (0,) * (1 + max(parts, default=0)))
        for part, value in parts.items():
            after[part] = value
        moves[instance] = before, tuple(after)
    return moves
