"""A session that was written down runs again into the same box, whatever happened in it.

Law. From a box that is as it was when the record began, a replay of any beginning of the record makes the
tables, byte for byte, that the session had made by then; and asks the server the same.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import Fault
from tests.property.test_bulk import IN_MEMORY
from tests.sim.tracker_server import TrackerServer
from tests.unit.sync_driver.test_recording import dumped

from pillarbox.box import Box
from pillarbox.errors import DataError, ReplayDiverged
from pillarbox.sync import recording
from pillarbox.sync.limits import Limits
from pillarbox.sync.machine import Machine
from pillarbox.sync.news import followed
from pillarbox.sync.record_entries import read_record
from pillarbox.sync.recording import Recorder
from pillarbox.sync.replaying import Replayed, _Replay, replay_record
from pillarbox.sync.signals import (
    Answered,
    Asked,
    Cancel,
    Commit,
    CommitFailed,
    DropTimer,
    Failed,
    Failure,
    Flood,
    Flush,
    Id,
    Input,
    Load,
    Look,
    Poke,
    Received,
    Refused,
    Resync,
    RoleChanged,
    Send,
    SessionChanged,
    SessionLost,
    SetTimer,
    Started,
    Stopped,
    Ticked,
    Transient,
    Woken,
)
from pillarbox.sync.store import Store
from pillarbox.testing import Knobs
from pillarbox_tracker import PACKAGE, open_box
from pillarbox_tracker.answers import Changes, CommentPage
from pillarbox_tracker.containers import Done
from pillarbox_tracker.keys import project_key
from pillarbox_tracker.operations import LoseComments
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.requests import GetComments
from pillarbox_tracker.types import ProjectId, Start
from pillarbox_tracker.views import Thread

KNOBS: Final = Knobs(
    bundle=0.3, unnumbered=0.1, ranged=0.2, shuffled=0.3, counts=3, hinted=0.2, asking=0.1, page=3
)
SHOWN: Final = Thread(project_id=ProjectId(1), number=1, start=Start.UNSEEN, count=5, whole=True)
PROJECT: Final = 111


class Session:
    """A box that is kept in step by hand, and its record."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.path, self.record = folder / "a.box", folder / "a.record"
        self.random = Random(seed)
        self.server = TrackerServer(KNOBS, Random(seed))
        with open_box(self.path, durability="relaxed") as box:
            box.replay([LoseComments(project_id=ProjectId(1), number=1, lower=1)])
            for _ in range(4):
                box.replay(self.server.write(self.random))
        shutil.copy(self.path, folder / "before.box")
        self.box: Box[Any, Any] = open_box(self.path, durability="relaxed")
        self.shown = self.box.watch(SHOWN)
        self.views = followed(PROTOCOL)
        self.news: dict[str, Any] = {}
        self.watched = [self._watch(owner, key) for owner, key in self.views.items()]
        self.now = 1_000
        self.runs = self.tickets = 0
        self.moments: list[tuple[bytes, Any]] = []
        self.pushes: list[Any] = []
        self._begin()

    def _watch(self, owner: str, key: Any) -> Any:
        subscription = self.box.watch(key)
        subscription.listen(lambda emission: self.news.update({owner: emission.snapshot}))
        return subscription

    def _begin(self) -> None:
        """Another engine on the same box and record."""
        self.runs += 1
        self.recorder = Recorder(self.record, PACKAGE, PROTOCOL, Limits())
        self.machine = Machine(PROTOCOL, Limits())
        self.store = Store(self.box, PROTOCOL)
        self.works: list[Load | Commit] = []
        self.sent: dict[Id, Any] = {}
        self.timers: dict[Id, int] = {}
        self.news = {owner: self.box.get(key) for owner, key in self.views.items()}
        self.step(Started(self.now, self.runs, True))

    def step(self, given: Input) -> None:
        """As the driver."""
        outputs = self.machine.step(self.recorder.heard(given))
        for output in outputs:
            if isinstance(output, Send):
                self.recorder.sent(output)
        for output in outputs:
            match output:
                case Send(id, request):
                    self.sent[id] = request
                case SetTimer(id, due):
                    self.timers[id] = due
                case Cancel(id):
                    self.sent.pop(id)
                case DropTimer(id):
                    self.timers.pop(id)
                case Load() | Commit():
                    self.works.append(output)

    # ------------------------------------------------------------------------------------------- actions

    def happen(self, _choice: int) -> None:
        self.pushes += self.server.change(self.random)

    def hear(self, choice: int) -> None:
        """What is pushed, in some order, or nothing that anybody knows."""
        if choice < 2:
            wrong = {"no": "container"} if choice else Done(rev="9", count=1)  # type: ignore[arg-type]
            self.step(Received(self.now, wrong))
        elif self.pushes:
            self.step(Received(self.now, self.pushes.pop(choice % len(self.pushes))))

    def lose(self, choice: int) -> None:
        if self.pushes:
            self.pushes.pop(choice % len(self.pushes))

    def work(self, choice: int) -> None:
        """All that the store has to do, of which the first may fail."""
        while self.works:
            work = self.works.pop(0)
            if choice == 0:
                self.step(CommitFailed(self.now, work.id, "full", False, ill=True))
            else:
                self.step(self.store.run(work)(self.now))
            choice = 1

    def answer(self, choice: int) -> None:
        """One question; now and then with what is no answer."""
        for id in list(self.sent)[choice % 3 :][:1]:
            request = self.sent.pop(id)
            if choice == 0:  # What the driver makes of an answer of another type.
                answer: Any = Transient("an answer of the type list")
            elif choice == 1:
                answer = Changes(updates=(), rev="9", seq=1, at=0, more=False)  # type: ignore[arg-type]
            elif isinstance(request, GetComments):
                answer = CommentPage(rev=0)
            else:
                answer = self.server.answer(request)
            if isinstance(answer, Transient | Flood | Refused | SessionLost):
                self.step(Failed(self.now, id, answer))
            else:
                self.step(Answered(self.now, id, answer))

    def fail(self, choice: int) -> None:
        failures: tuple[Failure, ...] = (Transient("cut"), Flood(300), Refused("GONE"), SessionLost())
        for id in list(self.sent)[:1]:
            del self.sent[id]
            self.step(Failed(self.now, id, failures[choice % 4]))

    def tick(self, _choice: int) -> None:
        """The next timer is due."""
        if self.timers:
            at, id = min((at, id) for id, at in self.timers.items())
            del self.timers[id]
            self.now = max(self.now, at)
            self.step(Ticked(self.now, id))

    def poke(self, _choice: int) -> None:
        """What a side machine follows is another."""
        for owner in list(self.news):
            self.step(Poke(self.now, owner, self.news.pop(owner)))

    def world(self, choice: int) -> None:
        """Something of the session, of other processes, or of the program."""
        self.tickets += 1
        kinds: tuple[Callable[[], Input], ...] = (
            lambda: SessionChanged(self.now),
            lambda: Woken(self.now),
            lambda: RoleChanged(self.now, self.tickets % 3 > 0),
            lambda: Asked(self.now, self.tickets, Resync()),
            lambda: Asked(self.now, self.tickets, Flush()),
            lambda: Asked(self.now, self.tickets, Look(PROJECT, project_key(1), self.tickets % 2 > 0)),
        )
        self.step(kinds[choice % len(kinds)]())

    def restart(self, choice: int) -> None:
        """The engine ends, or is killed; another begins."""
        if choice % 2:
            self.step(Stopped(self.now))
        self.recorder.close()
        self._begin()

    def note(self, _choice: int) -> None:
        """What the record and the box are at this moment."""
        self.moments.append((self.record.read_bytes(), dumped(self.path)))

    def close(self) -> None:
        self.note(0)
        self.recorder.close()
        self.box.close()


ACTIONS: Final[dict[str, Callable[[Session, int], None]]] = {
    "happen": Session.happen,
    "hear": Session.hear,
    "lose": Session.lose,
    "work": Session.work,
    "answer": Session.answer,
    "fail": Session.fail,
    "tick": Session.tick,
    "poke": Session.poke,
    "world": Session.world,
    "restart": Session.restart,
}
NAMES: Final = (*ACTIONS, *("happen", "hear", "answer") * 6, *("work",) * 12, *("poke", "tick", "world") * 3)
histories = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 11)), max_size=80)


def run(history: Sequence[tuple[str, int]], seed: int, noted: int) -> list[Replayed]:
    """A session and replays of its record: as it was after so many actions, and as a whole."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as name:
        folder = Path(name)
        session = Session(folder, seed)
        try:
            for place, (action, choice) in enumerate(history):
                if place == noted:
                    session.note(0)
                ACTIONS[action](session, choice)
        finally:
            session.close()
        return [replays(folder, *moment) for moment in session.moments]


def replays(folder: Path, record: bytes, tables: Any) -> Replayed:
    """The law."""
    path = folder / "b.record"
    path.write_bytes(record)
    shutil.copy(folder / "before.box", folder / "b.box")
    with open_box(folder / "b.box", durability="relaxed") as box:
        done = replay_record(read_record(path), box, PROTOCOL)
    assert dumped(folder / "b.box") == tables
    return done


@settings(max_examples=max(20, settings().max_examples // 3))
@given(histories, st.integers(0, 1_000), st.integers(0, 80))
def test_any_beginning_of_a_session_runs_again_into_the_same_tables(
    history: list[tuple[str, int]], seed: int, noted: int
) -> None:
    run(history, seed, noted)


# -------------------------------------------------------------------------------------- planted faults

FAULTS: Final = (
    Fault("a refusal is written down as a failure", Recorder, "_entry",
          "type(failure).__name__", "'Transient'"),
    Fault("a role is not written down", Recorder, "_entry",
          "entries.Role(now, master)", "entries.Role(now, True)"),
    Fault("what was read is not written down", Recorder, "_entry",
          "entries.Stored(now, *id, None)", "entries.Awoke(now)"),
    Fault("holes are not written down", Recorder, "_entry",
          "holes_as_bytes(what) if owner.startswith(HOLES) else None", "None"),
    Fault("who looked away is written down as looking", recording, "_demanded",
          '"open" if is_open else "close"', '"open"'),
    Fault("what is no container is one", recording, "_encoded",
          "if type(decode(data)) is type(what):", "if True:"),
    Fault("what is not written down is heard", recording, "_as_written",
          "match input, entry:", "match input, None:"),
    Fault("a run has another marker", _Replay, "take",
          "Started(now, marker, master)", "Started(now, 0, master)"),
    Fault("what failed is done", _Replay, "take",
          "self._work(Id(owner, of))", "self._store.run(self._work(Id(owner, of)))(now)"),
    Fault("requests are not compared", _Replay, "_compare", "now = self._sends.popleft()", "return"),
)  # fmt: skip


def run_many() -> None:
    """Fixed histories, so that a fault is always found by the same one."""
    commits = 0
    for seed in range(40):
        random = Random(seed)
        history = [(random.choice(NAMES), random.randrange(12)) for _ in range(80)]
        commits += sum(done.commits for done in run(history, seed, 40))
    assert commits > 100, "hardly anything was written"


def test_without_a_fault_the_fixed_histories_are_as_they_should() -> None:
    run_many()


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, ReplayDiverged, DataError)):
        run_many()
