"""One run: a server, the network, processes on a box, and all that is planned for them.

Depends on: everything else of testing.  Never on: any schema; the server is handed in.

Law: a run is a function of the server's class, the seed and the knobs. At its end, when the server is
silent, the network polite and everybody has had the time they may take, nothing is missing (N-1, N-2, N-3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any, TypeAlias

from pillarbox.inspect.findings import Finding, Findings
from pillarbox.inspect.verify import verify
from pillarbox.storage import open_engine
from pillarbox.sync.claims import Instance
from pillarbox.sync.protocol import CursorSpec, SyncProtocol
from pillarbox.sync.signals import Flush, Resync
from pillarbox.testing.asking import check_asking
from pillarbox.testing.images import Images
from pillarbox.testing.knobs import Knobs, drawn
from pillarbox.testing.ledger import Ledger
from pillarbox.testing.network import Line
from pillarbox.testing.plan import Action, planned
from pillarbox.testing.process import Process
from pillarbox.testing.schedule import Runaway, Schedule
from pillarbox.testing.server import Server
from pillarbox.testing.trace import Trace, Violation

#: Of so many seeds one has all derived tables made anew and compared, for that takes longer than the run.
_VERIFIED_OF = 50
#: And one runs two machines side by side, which must make the same of everything.
_TWINS_OF = 10
#: How long everything is looked at, before everything must be there.
_LOOKED_MS = 12_000
#: And how much longer, a second at a time, while answers still come: pages may be of one entry, and slow.
_PAGING_S = 120
#: How long the account may be signed out; where that is longer than the run, for two idle polls more.
_OUT_MS = (50, 2_000, 1_000_000)
#: By then the first answer has come, whatever goes wrong.
_PATIENCE_MS = 60_000
#: Makes the server of a run.
ServerClass: TypeAlias = Callable[[Knobs, Random], Server]


@dataclass
class Run:
    """What is run: all of it from the seed, but for what is given."""

    seed: int
    knobs: Knobs | None = None
    #: Numbers of the planned actions that happen; None: all.
    keep: Sequence[int] | None = None


@dataclass
class Report:
    """What became of a run."""

    seed: int
    knobs: Knobs
    #: None: every law held.
    violation: Violation | None
    trace: Trace
    #: How many actions were planned.
    actions: int
    #: What took place -> how often.
    figures: dict[str, int] = field(default_factory=dict)


class World:
    """A run that is under way."""

    def __init__(self, run: Run, make: ServerClass, images: Images, *, keeps_trace: bool = False) -> None:
        self._run = run
        random = self._random("knobs")
        self.knobs = drawn(random) if run.knobs is None else run.knobs
        self.trace = Trace(keeps=keeps_trace)
        self.schedule = Schedule()
        self.server = make(self.knobs, self._random("server"))
        plan = planned(self._random("plan"), self.knobs)
        self.actions = len(plan)
        self._plan = [plan[number] for number in (range(len(plan)) if run.keep is None else run.keep)]
        self._end = plan[-1].time + 1 if plan else 1
        self.ledger = Ledger(self.server, self._protocol())
        self._path = images.fresh(self.server.package)
        self.processes = [self._process(number) for number in range(self.knobs.handles)]
        self._master = self.processes[0]

    def _protocol(self) -> SyncProtocol:
        protocol = self.server.protocol
        if self.knobs.idle_poll:
            return protocol
        cursors = {id: replace(spec, idle_poll_ms=0, pause=None) for id, spec in protocol.cursors.items()}
        return replace(protocol, cursors=cursors)

    def _random(self, name: str) -> Random:
        return Random(f"{self._run.seed}/{name}")

    def _process(self, number: int) -> Process:
        name = f"p{number + 1}"
        common: dict[str, Any] = {"knobs": self.knobs, "schedule": self.schedule, "server": self.server}
        line = Line(name, self._random(f"line {name}"), trace=self.trace, **common)
        return Process(
            name,
            self._path,
            master=number == 0,
            random=self._random(name),
            ledger=self.ledger,
            line=line,
            trace=self.trace,
            wrote=self._wake_others,
            **common,
        )

    def _wake_others(self, writer: Process) -> None:
        for process in self.processes:
            if process is not writer:
                self.schedule.after(5, process.wake)

    # ---------------------------------------------------------------------------------------- a run

    def play(self) -> Report:
        """Run to the end, or to the first law that does not hold."""
        violation: Violation | None = None
        try:
            self._play()
        except Violation as found:
            violation = found
        except Runaway as error:
            violation = Violation("N-10", str(error))
        finally:
            for process in self.processes:
                process.stop()
        figures = {**self.trace.counts, "steps": self.schedule.done}
        return Report(self._run.seed, self.knobs, violation, self.trace, self.actions, figures)

    def _play(self) -> None:
        for process in self.processes:
            process.has_twin = self._run.seed % _TWINS_OF == 0
            process.start()
        self._settle_in()
        began = self.schedule.now
        for action in self._plan:
            self.schedule.at(began + action.time, partial(self._act, action))
        self.schedule.run(began + self._end)
        self._come_to_rest()
        self._check_rest()

    def _settle_in(self) -> None:
        """Nothing happens until the box knows where it begins: of what was before, nobody would tell it."""
        cursors = [spec for spec in self.server.protocol.cursors.values() if not spec.keyed]
        while any(self.ledger.positions.get((spec.id, b"")) is None for spec in cursors):
            if self.schedule.now > _PATIENCE_MS:
                raise Violation("N-1", "no cursor was there after a minute")
            self.schedule.run(self.schedule.now + 10)

    def _act(self, action: Action) -> None:
        random = Random(action.salt)
        process = random.choice(self.processes)
        self.trace.say(self.schedule.now, "world", action.kind)
        match action.kind:
            case "change":
                self._push(self.server.change(random))
            case "own":
                self._own(random, process)
            case "forget":
                self.server.forget(random)
            case "refuse":
                self.server.refuse(random)
            case "allow":
                self.server.allow()
            case "cut":
                process.line.cut(random.choice((0, 20, 200, 2_000)))
            case "crash":
                process.doom(random.randrange(8))
            case "fail":
                process.fail_next()
            case "write":
                if process.is_alive:
                    process.write(tuple(self.server.write(random)))
            case "look" | "unlook":
                self._look(random, process, is_open=action.kind == "look")
            case "role":
                self._master = process
                for other in self.processes:
                    self.schedule.after(random.randint(0, 200), partial(self._tell_role, other))
            case "sign out":
                self._sign_out(random)
            case "ask":
                if process.is_alive:
                    process.ask(random.choice((Resync(), Flush())))

    def _tell_role(self, process: Process) -> None:
        process.take_role(process is self._master)

    def _sign_out(self, random: Random) -> None:
        self.server.sign_out()
        if self.server.is_out:
            if random.random() < 0.5:
                self._reconnect()
            self.schedule.after(random.choice(_OUT_MS), self._sign_in)

    def _sign_in(self) -> None:
        if self.server.is_out:
            self.server.sign_in()
            self.trace.say(self.schedule.now, "world", "signs in")
            self._reconnect()

    def _reconnect(self) -> None:
        for process in self.processes:
            process.line.cut(0)

    def _push(self, containers: Sequence[Any]) -> None:
        for process in self.processes:
            process.line.stir()
        for container in containers:
            for process in self.processes:
                process.line.push(container)

    def _own(self, random: Random, process: Process) -> None:
        if not process.line.is_up or process.box is None:
            return
        with process.box.reading() as tables:
            own, pushed = self.server.own(random, tables)
        self._push(pushed)
        if own is not None and random.random() > self.knobs.fails:  # else only the answer is lost
            after, writes = random.randint(1, self.knobs.answer_ms), random.random() < 0.5
            self.schedule.after(after, lambda: process.did(own, writes=writes))

    def _look(self, random: Random, process: Process, *, is_open: bool) -> None:
        views = list(self.server.views())
        if views and random.random() < 0.7:
            process.watch(random.choice(views), is_open=is_open)
            return
        can = set(self._watched()) - process.looking if is_open else process.looking
        if can and process.is_alive:
            process.look(random.choice(sorted(can)), is_open=is_open)

    def _watched(self) -> list[Instance]:
        return [it for it in self.server.watched() if self._cursor(it[0]).open_poll is not None]

    def _cursor(self, cursor: int) -> CursorSpec:
        return self.server.protocol.cursors[cursor]

    # --------------------------------------------------------------------------------------- at rest

    def _come_to_rest(self) -> None:
        """The server says its last word, everything works again, and somebody looks at everything."""
        if self.server.is_out:
            self.schedule.run(self.schedule.now + self._rest_ms())
        self._sign_in()
        self.server.allow()
        last = self.server.finish()
        for process in self.processes:
            process.line.is_polite = True
            process.calm()
        self.schedule.run(self.schedule.now + 3_500)  # every line is up, every process is there again
        if not self.knobs.lost_end:
            self._push(last)
        for process in self.processes:
            process.look_away()
        self.schedule.run(self.schedule.now + self._rest_ms())
        for process in self.processes:
            for instance in self._watched():
                process.look(instance, is_open=True)
            for key in self.server.views():
                process.watch(key, is_open=True)
        self.schedule.run(self.schedule.now + _LOOKED_MS)
        self._wait_for_pages()
        if any(process.wanted for process in self.processes):
            # It was opened again after it was filled, and is left alone for a while.
            cooldowns = [spec.limits.cooldown_ms for spec in self.ledger.protocol.holes.values()]
            self.schedule.run(self.schedule.now + max(cooldowns, default=0) + 1_000)
            self._wait_for_pages()

    def _wait_for_pages(self) -> None:
        for _ in range(_PAGING_S):
            if not any(process.waits for process in self.processes):
                return
            self.schedule.run(self.schedule.now + 1_000)

    def _rest_ms(self) -> int:
        """What everybody may take: two idle polls, and waits after failures before."""
        idle = max((spec.idle_poll_ms for spec in self.ledger.protocol.cursors.values()), default=0)
        return max(2 * idle, 90_000) + 30_000

    def _check_rest(self) -> None:
        for (cursor, key, part), log in self.server.logs.items():
            if not self.server.is_known((cursor, key, part)):
                continue
            position = self.ledger.positions.get((cursor, key))
            if position is None and self._cursor(cursor).keyed and not self.knobs.is_calm:
                continue  # What nobody knows of, nobody misses.
            if position is None or position[part] != log.end:
                name = f"{self._cursor(cursor).name}({key!r})"
                raise Violation("N-1", f"{name} is at {position}; its part {part} should be {log.end}")
        for process in self.processes:
            process.check_rest()
        box = self.processes[0].box
        assert box is not None
        with box.reading() as tables:
            if self.server.protocol.debts is not None and (owed := self.server.protocol.debts.all(tables)):
                raise Violation("N-3", f"still owed: {owed}")
            for text in self.server.wrong(tables):
                raise Violation("N-2", text)
        if self._run.seed % _VERIFIED_OF == 0:
            self._verify()
        if self.knobs.is_calm:
            check_asking(self.server, self.processes, self.knobs)

    def _verify(self) -> None:
        """N-5: every table that follows from others is what it would be if it were made anew."""
        found: list[Finding] = []
        engine = open_engine(str(self._path), durability="relaxed", read_only=True)
        try:
            verify(engine, "derived", self.server.package, Findings(found.append))
        finally:
            engine.close()
        if found:
            raise Violation("N-5", str(found[0]))
