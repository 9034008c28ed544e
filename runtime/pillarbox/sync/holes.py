"""Fetching what views miss: which holes are asked for, when, and how often.

Depends on: hole_drafts, hole_notes, hole_specs, protocol, signals.  Never on: boxes, transports, clocks.

Law: of holes with one key at most one is asked for at a time, and none once nobody waited for it during
`recycle_ms` (E-16); a hole that was asked for is left alone for a while, whatever came of it (sync.md 8.3).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias

from pillarbox.sync.debt_rows import Author
from pillarbox.sync.hole_drafts import Asked, Before, Look, Page
from pillarbox.sync.hole_notes import Moves, Notes
from pillarbox.sync.hole_specs import HoleSpec
from pillarbox.sync.protocol import Act
from pillarbox.sync.signals import (
    Answered,
    Cancel,
    Commit,
    CommitFailed,
    Committed,
    DropTimer,
    Failed,
    Flood,
    Id,
    Input,
    Log,
    Output,
    Poke,
    Publish,
    RoleChanged,
    Send,
    SessionChanged,
    SessionLost,
    SetTimer,
    Started,
    Stopped,
    Ticked,
    Woken,
)
from pillarbox.views import Hole, WantedHoles


class GivenOut(NamedTuple):
    """A poke: this commit is given out now. Without it, pages whose cursors move are asked for again."""

    #: None: a draft of which nobody knows what it does.
    operations: Sequence[Any] | None
    moves: Moves


class NotDone:
    """A poke: a commit that was given out wrote nothing."""


class Phase(Enum):
    """Where a fetch is on its way."""

    LOOKING = "looking"
    ASKING = "asking"
    WRITING = "writing"


@dataclass(slots=True)
class _Fetch:
    """A hole that is being filled."""

    hole: Hole
    #: What it waits for.
    id: Id
    phase: Phase = Phase.LOOKING
    notes: Notes = field(default_factory=Notes)
    #: Those of its page, which is being written.
    paged: Notes | None = None
    before: Before | None = None
    tries: int = 1
    #: How many sessions there had been when it was asked for.
    session: int = 0
    #: Runs since nobody wants the hole any more.
    leaving: Id | None = None


_Handler: TypeAlias = "Callable[[Holes, Any], None]"


class Holes:
    """A side machine of the engine, for the holes of one name. It is poked with snapshots of `view`."""

    def __init__(self, spec: HoleSpec, act: Callable[[Act], None], author: Callable[[], Author]) -> None:
        """`act` is called with what a page asks for, once its commit stands; `author` names another draft."""
        self._spec = spec
        self._act = act
        self._author = author
        self._limits = spec.limits
        self._master = False
        self._numbers = 0
        self._wanted: frozenset[Hole] = frozenset()
        #: By what at most one is asked for.
        self._fetches: dict[Hashable, _Fetch] = {}
        #: Until when a hole is left alone.
        self._cooling: dict[Hole, int] = {}
        #: Until when the server wants none of a key to be asked for, whatever happens meanwhile.
        self._flooded: dict[Hashable, int] = {}
        #: Those of them for which there was no connection: they are left alone until there is one.
        self._cut_off: set[Hole] = set()
        self._sessions = 0
        #: The timer for the first of these that is wanted, and when it is due.
        self._next: tuple[Id, int] | None = None
        self._out: list[Output] = []

    @property
    def owner(self) -> str:
        """Its name in ids and pokes."""
        return f"holes.{self._spec.name}"

    @property
    def view(self) -> WantedHoles:
        """The key of the view of what is wanted."""
        return WantedHoles(self._spec.name)

    @property
    def is_resting(self) -> bool:
        """Whether nothing is asked for."""
        return not self._fetches

    def step(self, input: Input) -> Sequence[Output]:
        """What follows on one input. Inputs that are none of its business change nothing."""
        self._out = []
        handler = _HANDLERS.get(type(input))
        if handler is not None:
            handler(self, input)
        return tuple(self._out)

    # -------------------------------------------------------------------------------- what is wanted

    def _started(self, input: Started) -> None:
        self._master = input.master

    def _role_changed(self, input: RoleChanged) -> None:
        """Only the master fetches (sync.md P-3)."""
        self._master = input.master
        if not input.master:
            self._drop_all()

    def _session_changed(self, input: SessionChanged) -> None:
        """Who looks at a hole need not wait any longer for what failed for want of a connection."""
        self._sessions += 1
        self._ask_cut_off(input.now)

    def _ask_cut_off(self, now: int) -> None:
        for hole in self._cut_off:
            self._cooling.pop(hole, None)
        self._cut_off.clear()
        self._evaluate(now)

    def _stopped(self, _input: Stopped) -> None:
        self._master = False
        self._drop_all()

    def _drop_all(self) -> None:
        """What is being written is written all the same, and told."""
        self._wanted = frozenset()
        for key, fetch in list(self._fetches.items()):
            if fetch.phase is not Phase.WRITING:
                self._drop(key)
        self._wait_until(None)

    def _poked(self, input: Poke) -> None:
        match input.what:
            case GivenOut(operations=operations, moves=moves):
                for fetch in self._fetches.values():
                    fetch.notes.add(self._spec, self._spec.group(fetch.hole), operations, moves)
                if operations is None:  # as recipes do, which open holes that were filled before
                    self._cooling = {}
                    self._evaluate(input.now)
            case NotDone():
                for fetch in self._fetches.values():
                    fetch.notes.doubt()
                    if fetch.paged is not None:
                        fetch.paged.doubt()
            case wanted:
                self._wanted = wanted
                self._evaluate(input.now)

    def _woken(self, input: Woken) -> None:
        self._evaluate(input.now)

    def _evaluate(self, now: int) -> None:
        """Let go of what nobody wants, and start what nobody is at."""
        if not self._master:
            return
        self._cooling = {hole: until for hole, until in self._cooling.items() if until > now}
        self._flooded = {key: until for key, until in self._flooded.items() if until > now}
        self._cut_off &= self._cooling.keys()
        for key, fetch in list(self._fetches.items()):
            self._follow(now, key, fetch)
        waiting: list[int] = []
        for hole in self._in_order():
            key = self._spec.one_per(hole)
            until = max(self._cooling.get(hole, now), self._flooded.get(key, now))
            if until > now:
                waiting.append(until)
            elif key not in self._fetches and len(self._fetches) < self._limits.parallel:
                self._start(key, hole)
        self._wait_until(min(waiting, default=None))

    def _in_order(self) -> Iterable[Hole]:
        """What is wanted, in an order that depends on nothing else."""
        holes = sorted(self._wanted, key=repr)
        if self._spec.highest_first:
            holes.sort(key=lambda hole: hole.start, reverse=True)
        return holes

    def _follow(self, now: int, key: Hashable, fetch: _Fetch) -> None:
        """A request goes on for a while when nobody waits for it, lest a view that moves asks twice."""
        if fetch.hole in self._wanted:
            if fetch.leaving is not None:
                self._out.append(DropTimer(fetch.leaving))
                fetch.leaving = None
        elif fetch.leaving is None and fetch.phase is not Phase.WRITING:
            if self._limits.recycle_ms == 0:
                self._drop(key)
                return
            fetch.leaving = self._new_id()
            self._out.append(SetTimer(fetch.leaving, now + self._limits.recycle_ms))

    def _wait_until(self, due: int | None) -> None:
        """When something that is wanted may be asked for again."""
        if self._next is not None and self._next[1] != due:
            self._out.append(DropTimer(self._next[0]))
            self._next = None
        if due is not None and self._next is None:
            self._next = (self._new_id(), due)
            self._out.append(SetTimer(*self._next))

    # ----------------------------------------------------------------------------------- the request

    def _start(self, key: Hashable, hole: Hole) -> None:
        fetch = self._fetches[key] = _Fetch(hole, self._new_id())
        self._out.append(Commit(fetch.id, Look(self._spec, hole)))

    def _committed(self, input: Committed) -> None:
        found = self._waiting(input.id)
        if found is None:
            return
        key, fetch = found
        if fetch.phase is Phase.LOOKING:
            before: Before = input.facts.result
            if before.request is None:
                self._end(input.now, key)
                return
            fetch.before, fetch.phase, fetch.id = before, Phase.ASKING, self._new_id()
            fetch.session = self._sessions
            self._out.append(Send(fetch.id, before.request))
            return
        asked: Asked = input.facts.result
        if events := (*input.facts.events, *asked.unhandled):
            self._out.append(Publish(events))
        for act in asked.acts:
            self._act(act)
        self._end(input.now, key)

    def _answered(self, input: Answered) -> None:
        found = self._waiting(input.id)
        if found is None:
            return
        key, fetch = found
        assert fetch.before is not None, "it was looked what there is to ask for"
        if type(input.answer) not in self._spec.answers:
            self._log("8.4", f"{type(input.answer).__name__} is no answer to it", fetch)
            self._end(input.now, key)
            return
        self._stay(fetch)
        fetch.phase, fetch.id = Phase.WRITING, self._new_id()
        fetch.paged = fetch.notes.as_of_now()
        page = Page(self._spec, fetch.before, input.answer, fetch.paged, self._author())
        self._out.append(Commit(fetch.id, page))

    def _failed(self, input: Failed) -> None:
        """Nothing is tried again in its place; the view still asks, when the time has come (sync.md H-4)."""
        found = self._waiting(input.id)
        if found is None:
            return
        key, fetch = found
        if isinstance(input.failure, SessionLost):
            self._cut_off.add(fetch.hole)
        self._log("H-4", f"nothing came: {input.failure}", fetch)
        wait = input.failure.wait_ms if isinstance(input.failure, Flood) else 0
        self._end(input.now, key, at_least=wait)
        if fetch.hole in self._cut_off and fetch.session != self._sessions:  # of the one before the last
            self._ask_cut_off(input.now)

    def _commit_failed(self, input: CommitFailed) -> None:
        """A page that is out of date is asked for once more, if somebody still waits for it."""
        found = self._waiting(input.id)
        if found is None:
            return
        key, fetch = found
        again = input.stale and fetch.phase is Phase.WRITING and fetch.hole in self._wanted
        if again and self._master and fetch.tries < self._limits.tries:
            fetch.tries += 1
            fetch.phase, fetch.id = Phase.LOOKING, self._new_id()
            fetch.notes, fetch.paged = Notes(), None
            self._out.append(Commit(fetch.id, Look(self._spec, fetch.hole)))
            return
        self._log("E-21" if input.stale else "H-4", f"nothing was written: {input.reason}", fetch)
        self._end(input.now, key)

    def _ticked(self, input: Ticked) -> None:
        if self._next is not None and self._next[0] == input.id:
            self._next = None
        else:
            for key, fetch in list(self._fetches.items()):
                if fetch.leaving == input.id:
                    fetch.leaving = None
                    self._drop(key)
        self._evaluate(input.now)

    # --------------------------------------------------------------------------------------- the end

    def _end(self, now: int, key: Hashable, *, at_least: int = 0) -> None:
        """Done, whatever came of it: it is left alone, and others have room."""
        fetch = self._fetches.pop(key)
        self._stay(fetch)
        self._cooling[fetch.hole] = now + self._limits.cooldown_ms
        if at_least:
            self._flooded[key] = now + at_least
        self._evaluate(now)

    def _drop(self, key: Hashable) -> None:
        """What comes of it is not wanted."""
        fetch = self._fetches.pop(key)
        self._stay(fetch)
        if fetch.phase is Phase.ASKING:
            self._out.append(Cancel(fetch.id))

    def _stay(self, fetch: _Fetch) -> None:
        if fetch.leaving is not None:
            self._out.append(DropTimer(fetch.leaving))
            fetch.leaving = None

    # ----------------------------------------------------------------------------------------- small

    def _new_id(self) -> Id:
        self._numbers += 1
        return Id(self.owner, self._numbers)

    def _waiting(self, id: Id) -> tuple[Hashable, _Fetch] | None:
        """The fetch that waits for this; what nobody waits for any more is let go."""
        for key, fetch in self._fetches.items():
            if fetch.id == id:
                return key, fetch
        return None

    def _log(self, rule: str, text: str, fetch: _Fetch) -> None:
        self._out.append(Log(rule, text, {"name": self._spec.name, "hole": fetch.hole}))


_HANDLERS: Final[dict[type, _Handler]] = {
    Started: Holes._started,
    RoleChanged: Holes._role_changed,
    SessionChanged: Holes._session_changed,
    Stopped: Holes._stopped,
    Poke: Holes._poked,
    Woken: Holes._woken,
    Committed: Holes._committed,
    CommitFailed: Holes._commit_failed,
    Answered: Holes._answered,
    Failed: Holes._failed,
    Ticked: Holes._ticked,
}
