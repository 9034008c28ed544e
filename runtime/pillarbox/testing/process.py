"""One process: a machine, a box on a file, and a driver whose every wait is virtual.

Depends on: sync (machine, signals), box, and what stands beside it here.  Never on: clocks, threads.

Law: the machine is given what a real driver gives it, and may die before and after every output, and between
a commit and its acknowledgement; what is left is the file.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from pillarbox.box import Box
from pillarbox.sync.claims import Instance
from pillarbox.sync.idle import OWNER as IDLE
from pillarbox.sync.machine import Machine
from pillarbox.sync.protocol import Container
from pillarbox.sync.signals import (
    Answered,
    Asked,
    Cancel,
    Commit,
    Committed,
    DropTimer,
    Failed,
    Id,
    Input,
    Load,
    Log,
    Look,
    Output,
    Poke,
    Publish,
    Received,
    RoleChanged,
    Send,
    SessionChanged,
    SetTimer,
    Settled,
    Started,
    Ticked,
    Woken,
)
from pillarbox.testing.gaps import Gaps
from pillarbox.testing.knobs import Knobs
from pillarbox.testing.ledger import Done, Ledger
from pillarbox.testing.network import Ends, Line
from pillarbox.testing.questions import Questions
from pillarbox.testing.schedule import Schedule
from pillarbox.testing.server import Own, Server
from pillarbox.testing.signing import Signing
from pillarbox.testing.stepping import Stepping
from pillarbox.testing.storing import Hooks, Storing
from pillarbox.testing.timers import Timers
from pillarbox.testing.told import Told
from pillarbox.testing.trace import Trace, Violation
from pillarbox.views import Subscription, ViewKey


class Died(Exception):
    """The process ended in the middle of a step."""


class Process:
    """A process that may run, die and run again."""

    def __init__(
        self,
        name: str,
        path: Path,
        *,
        master: bool,
        random: Random,
        knobs: Knobs,
        schedule: Schedule,
        server: Server,
        ledger: Ledger,
        line: Line,
        trace: Trace,
        wrote: Callable[[Process], None],
    ) -> None:
        self.name = name
        self.line = line
        self.questions = Questions(name, server, ledger)
        #: What is looked at here, and the views that are shown.
        self.looking: set[Instance] = set()
        self.shown: dict[ViewKey[Any], Subscription[Any]] = {}
        self._path = path
        self._master = master
        self._random = random
        self._knobs = knobs
        self._schedule = schedule
        self._server = server
        self._ledger = ledger
        self._trace = trace
        self._wrote = wrote
        self.is_alive = False
        self.box: Box[Any, Any] | None = None
        self.machine: Machine | None = None
        #: Given the same inputs, to see whether it makes the same of them; only where somebody looks.
        self.has_twin = False
        self._dies_in: int | None = None
        self._ticket = 0
        self._reset()

    def _reset(self) -> None:
        self._timers = Timers(self._schedule, self._ticked)
        self._sent: set[Id] = set()
        self._told = Told()
        self._gaps = Gaps(self._server, self._ledger, self._knobs)
        self._signing = Signing(self.name, self._server)
        self._tickets: set[int] = set()
        self._views: dict[str, Any] = {}
        self.questions.heard(self._schedule.now)
        self.looking.clear()
        self.shown.clear()

    # --------------------------------------------------------------------------------- life and death

    def start(self) -> None:
        """Open the box and run."""
        if self.is_alive:
            return
        self._timers.clear()  # what an earlier life waited for is nothing to this one
        self._reset()
        self.is_alive = True
        self.box = Box(self._path, self._server.package, durability="relaxed")
        self.box._watcher.stop()  # there are no threads here: others are met when they ring
        self._storing = self._opened(self.box)
        self._stepping = Stepping(self.name, self._ledger.protocol, has_twin=self.has_twin)
        self.machine = self._stepping.machine
        self.line.attach(Ends(self._received, self._answered, self._connected))
        self._trace.say(self._schedule.now, self.name, "started")
        self._give(Started(self._schedule.now, self._random.getrandbits(63), self._master))

    def _opened(self, box: Box[Any, Any]) -> Storing:
        return Storing(
            self.name,
            box,
            self._ledger,
            random=self._random,
            knobs=self._knobs,
            schedule=self._schedule,
            trace=self._trace,
            hooks=Hooks(self._stored, self._committed),
        )

    def die(self) -> None:
        """End, whatever it was doing, and be there again after a while."""
        self._dies_in = None
        if not self.is_alive:
            return
        self._trace.say(self._schedule.now, self.name, "died")
        self.stop()
        self._schedule.after(self._random.choice((0, 50, 3_000)), self.start)

    def stop(self) -> None:
        """End."""
        self.is_alive = False
        self.machine = None
        self._storing.stop()
        self.line.attach(None)
        if self.box is not None:
            self.box.close()
            self.box = None

    def doom(self, outputs: int) -> None:
        """Die at the so manieth output from now, before it or after it."""
        self._dies_in = outputs

    def take_role(self, master: bool) -> None:
        """It is the master now, or is it no more; one that is dead hears of it when it is there again."""
        if master == self._master:
            return
        self._master = master
        self._trace.say(self._schedule.now, self.name, "master" if master else "follows")
        self._views.clear()
        self._give(RoleChanged(self._schedule.now, master))
        self._poke()

    def calm(self) -> None:
        """Nothing goes wrong here any more."""
        self._dies_in, self._storing.failures = None, 0

    def fail_next(self) -> None:
        """The next commit fails."""
        self._storing.failures += 1

    # ------------------------------------------------------------------------------------- inputs

    def _give(self, given: Input) -> None:
        if not self.is_alive or self.machine is None:
            return
        if self._sent:
            self._gaps.rest(self._schedule.now)
        self._gaps.check(self._schedule.now)
        outputs = self._stepping.step(given)
        self._signing.step(given, outputs, self.machine)
        try:
            for output in outputs:
                self._doom()
                self._carry_out(output)
                self._doom()
        except Died:
            self.die()
            return
        waits = self._storing.waiting or self._sent or self._timers.due
        if self.machine is not None and not self.machine.is_resting and not waits:
            raise Violation("E-20", f"{self.name}: it has work, and waits for nothing")

    def _doom(self) -> None:
        if self._dies_in is not None:
            self._dies_in -= 1
            if self._dies_in < 0:
                raise Died

    def _received(self, container: Container, did: tuple[Any, ...] = ()) -> None:
        opened = self._server.protocol.open(container)
        for update in opened.updates:
            mark = self._server.mark(update)
            if mark is not None and mark not in self._server.homes:
                self._ledger.delivered[mark] += 1
        self._gaps.see(self._schedule.now, opened)
        self.questions.heard(self._schedule.now)
        self._give(Received(self._schedule.now, container, did))

    def _answered(self, id: Id, what: Any, is_failure: bool) -> None:
        self._gaps.rest(self._schedule.now)
        self._sent.discard(id)
        if is_failure:
            self._give(Failed(self._schedule.now, id, what))
        else:
            self._ledger.named_by(what)
            self.questions.answered(self._schedule.now, what)
            self._give(Answered(self._schedule.now, id, what))

    def _ticked(self, id: Id) -> None:
        if id.owner == IDLE:
            self.questions.looked(self._schedule.now)
        self._give(Ticked(self._schedule.now, id))

    def _connected(self) -> None:
        self._give(SessionChanged(self._schedule.now))

    def wake(self) -> None:
        """Another process has written."""
        self._give(Woken(self._schedule.now))
        self._poke()

    def ask(self, what: Any) -> None:
        """Something that the caller wants; it is settled once."""
        self._ticket += 1
        self._tickets.add(self._ticket)
        self._trace.say(self._schedule.now, self.name, "asked", what)
        self._give(Asked(self._schedule.now, self._ticket, what))

    def look(self, instance: Instance, *, is_open: bool) -> None:
        """Somebody begins to look at an instance, or ends."""
        if is_open != (instance in self.looking):
            (self.looking.add if is_open else self.looking.discard)(instance)
            self.ask(Look(*instance, is_open))

    def watch(self, key: ViewKey[Any], *, is_open: bool) -> None:
        """An app begins to show a view, or ends."""
        if self.box is None or is_open == (key in self.shown):
            return
        self._trace.say(self._schedule.now, self.name, "shows" if is_open else "hides", key)
        if is_open:
            self.shown[key] = self.box.watch(key)
        else:
            self.shown.pop(key).close()
        self._poke()

    def look_away(self) -> None:
        """Nobody looks at anything any more."""
        for instance in sorted(self.looking):
            self.look(instance, is_open=False)

    def did(self, own: Own, *, writes: bool) -> None:
        """The caller did something, and the answer came, which carries only counters.

        Either it writes what it did and hands over the answer, or it hands over both.
        """
        if not self.is_alive or self.box is None:
            return
        if writes:
            self.box.replay(own.operations)
            self._wrote(self)
            self._received(own.answer)
        else:
            self._received(own.answer, (*map(Done, own.marks), *own.operations))

    def write(self, operations: tuple[Any, ...]) -> None:
        """Somebody else writes into the box."""
        if self.box is not None:
            self._trace.say(self._schedule.now, self.name, "wrote", operations)
            self.box.replay(operations)
            self._wrote(self)
            self._poke()

    # ------------------------------------------------------------------------------------ outputs

    def _carry_out(self, output: Output) -> None:
        now = self._schedule.now
        if isinstance(output, Send):
            self._trace.say(now, self.name, "sends", output.id, output.request)
            self.questions.add(now, output.request, self.looking)
            self._sent.add(output.id)
            self._gaps.rest(now)
            self._gaps.asked(output.request)
            self.line.send(output.id, output.request)
        elif isinstance(output, Cancel):
            self._sent.discard(output.id)
            self.line.cancel(output.id)
        elif isinstance(output, SetTimer):
            self._trace.say(now, self.name, "timer", output.id, output.due)
            self._timers.set(output.id, output.due)
        elif isinstance(output, DropTimer):
            self._timers.drop(output.id)
        elif isinstance(output, (Load, Commit)):
            self._storing.later(output)
        elif isinstance(output, Publish):
            self._trace.say(now, self.name, "publishes", output.events)
            self._told.published(output.events)
        elif isinstance(output, Settled):
            if output.ticket not in self._tickets:
                raise Violation("E-18", f"{self.name}: ticket {output.ticket} is settled, and not once")
            self._tickets.discard(output.ticket)
        elif isinstance(output, Log):
            self._trace.say(now, self.name, "logs", output.rule, output.text, dict(output.fields))

    def _committed(self) -> bool:
        """Whether it dies before it hears of it."""
        self._wrote(self)
        self._poke()
        if self._dies_in is None or self._random.random() < 0.5:
            return False
        self.die()
        return True

    def _stored(self, known: Any) -> None:
        if isinstance(known, Committed):
            self._told.committed(known.facts.events)
        self._give(known)

    def _poke(self) -> None:
        """What side machines look at may be another."""
        if self.machine is None or self.box is None or not self._master:
            return
        self.box.poll()
        for owner, key in self.machine.views.items():
            snapshot = self.box.get(key)
            if self._views.get(owner) != snapshot:
                self._views[owner] = snapshot
                self._schedule.after(1, partial(self._poked, owner, snapshot))

    def _poked(self, owner: str, what: Any) -> None:
        self._give(Poke(self._schedule.now, owner, what))

    # ------------------------------------------------------------------------------------ at rest

    @property
    def waits(self) -> bool:
        """Whether something is asked, read or written here."""
        return bool(self._storing.waiting or self._sent - self.line.kept)

    @property
    def wanted(self) -> list[Any]:
        """What is still to be fetched, if it is to be fetched here."""
        return self._stepping.wanted(self.box) if self._master and self.box is not None else []

    def check_rest(self) -> None:
        """N-3, N-9: nothing waits, and everything that was committed was told."""
        machine = self.machine
        assert machine is not None
        if machine.held:
            raise Violation("N-3", f"{self.name}: {machine.held} items are still held")
        if waiting := self._storing.waiting | self._sent - self.line.kept:
            raise Violation("N-3", f"{self.name}: still waits for {waiting}")
        if not machine.is_resting:
            raise Violation("N-3", f"{self.name}: the queue is not empty; timers {self._timers.due}")
        if wanted := self.wanted:
            raise Violation("N-4", f"{self.name}: still wanted: {wanted}")
        if machine.updating:
            raise Violation("N-3", f"{self.name}: it is still updating")
        if machine.stopped is not None:
            raise Violation("N-3", f"{self.name}: it has stopped: {machine.stopped}")
        if self._tickets:
            raise Violation("E-18", f"{self.name}: tickets {sorted(self._tickets)} were never settled")
        self._told.check_rest()
