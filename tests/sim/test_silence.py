"""Two cursors that are one in the box: what is told of the one is no word of the other."""

from __future__ import annotations

import atexit
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.unit.codegen_ops.making import imported

from pillarbox.box import Package
from pillarbox.sync.protocol import Answer, Container, Request, SyncProtocol, Tables
from pillarbox.testing import POLITE, Domain, Server
from pillarbox.testing.plugin import Simulator

_FOLDER: Final = TemporaryDirectory(prefix="pillarbox-")
atexit.register(_FOLDER.cleanup)
#: Of letters there is a count; calls are waited for, and there are none.
POST: Final = imported(
    Path(_FOLDER.name),
    """
schema: {name: silent_post}
tables:
  letters: {id: 1, key: {number: int32}, record: {}}
operations:
  put_letter: {code: 1, params: {number: [1, int32]}, steps: [{put: {into: letters, row: {number: number}}}]}
cursors:
  letters_read:
    id: 10
    parts: {seq: {kind: counter, number: 1, claim: {end: seq, count: 1}}}
    idle_poll_ms: 60000
    difference:
      request: get_letters
      with: {since: seq // 0}
      answers: {letters_after: {kind: full, set: {seq: seq}, body: letters_after}}
  calls:
    id: 11
    parts: {next: {kind: token, number: 1}}
    loop: {with: {since: next, wait_ms: 1000}}
    difference:
      request: get_calls
      with: {since: next}
      answers: {calls_after: {kind: empty, set: {next: next}}}
updates:
  letter_came:
    code: 1
    fields: {seq: [1, int64]}
    claims: letters_read.seq
    emits: [{put_letter: {number: seq}}]
containers:
  post: {code: 1, fields: {update: [1, update]}, items: "[update]"}
requests:
  get_letters: {code: 1, fields: {since: [1, int64]}, answers: [letters_after]}
  get_calls:
    code: 2
    fields: {since: [1, opt<text>], wait_ms: {number: 2, type: int32, default: 0}}
    answers: [calls_after]
answers:
  letters_after: {code: 10, fields: {updates: [1, list<update>], seq: [2, int64]}}
  calls_after: {code: 11, fields: {next: [1, text]}}
bodies:
  letters_after: {lists: [{list: updates, as: update}], covered: [letters_read.seq]}
""",
)
LETTERS: Final[Domain] = (10, b"", 0)


@dataclass
class PostServer(Server):
    """Nobody ever calls, so that is said again and again."""

    _letters: int = field(default=0, init=False)

    @property
    def package(self) -> Package[Any, Any]:
        package: Package[Any, Any] = POST.box.PACKAGE
        return package

    @property
    def protocol(self) -> SyncProtocol:
        protocol: SyncProtocol = POST.protocol.PROTOCOL
        return protocol

    def change(self, random: Random) -> Sequence[Container]:
        self._letters += 1
        told = POST.updates.LetterCame(self._letters)
        self.logged(LETTERS, 1, told, [self.mark(told)])
        return (POST.containers.Post(told),)

    def keeps(self, request: Request) -> int:
        return int(request.wait_ms) if isinstance(request, POST.requests.GetCalls) else 0

    def answer(self, request: Request) -> Answer:
        if isinstance(request, POST.requests.GetCalls):
            return POST.answers.CallsAfter("none")
        told = tuple(entry.update for entry in self.log(LETTERS).after(request.since))
        return POST.answers.LettersAfter(updates=told, seq=self._letters)

    def wrong(self, tables: Tables) -> Iterator[str]:
        numbers = [row.number for row in tables.letters.all()]
        if numbers != list(range(1, self._letters + 1)):
            yield f"letters {numbers} are here, and there are {self._letters}"


def test_what_one_cursor_is_told_breaks_no_silence_of_the_other(simulator: Simulator) -> None:
    """N-10, G-20: a poll after a silence has a reason, whatever was answered about something else."""
    simulator.check(PostServer, range(3), POLITE)
