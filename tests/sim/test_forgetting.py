"""A room that is left, and forgotten, in the very batch in which something was said in it."""

from __future__ import annotations

import atexit
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.unit.codegen_ops.making import imported

from pillarbox.box import Package
from pillarbox.sync.claims import Instance
from pillarbox.sync.protocol import Answer, Container, Request, SyncProtocol, Tables, Update
from pillarbox.sync.signals import Failure, Refused
from pillarbox.testing import POLITE, Domain, Server
from pillarbox.testing.plugin import Simulator

SCHEMA: Final = """
schema: {name: forgetting}
tables:
  rooms: {id: 1, key: {room: int32}}
  lines: {id: 2, key: {room: int32, n: int32}}
debts: {id: 9}
cursors:
  account:
    id: 21
    parts: {rev: {kind: counter, number: 1, zero: refused, claim: {end: rev, count: 1}}}
    idle_poll_ms: 60000
    difference:
      request: ask
      with: {since: rev // 0}
      answers: {told: {kind: full, set: {rev: rev}, body: all_told}}
  room:
    id: 22
    per: {room: int32}
    parts: {rev: {kind: counter, number: 1, zero: refused, claim: {key: room, end: rev, count: 1}}}
    difference:
      request: ask_room
      with: {room: room, since: rev // 0}
      errors: {GONE: done}
      answers: {told_of_room: {kind: full, set: {rev: rev}, body: room_told}}
requests:
  ask: {code: 1, fields: {since: [1, int64]}, answers: [told]}
  ask_room: {code: 2, fields: {room: [1, int32], since: [2, int64]}, answers: [told_of_room]}
answers:
  told: {code: 11, fields: {updates: [1, list<update>], rev: [2, int64]}}
  told_of_room: {code: 12, fields: {updates: [1, list<update>], rev: [2, int64]}}
bodies:
  all_told: {lists: [{list: updates, as: update}], covered: [account.rev]}
  room_told: {lists: [{list: updates, as: update}], covered: [room.rev]}
containers: {push: {code: 1, fields: {updates: [1, list<update>]}, items: updates}}
updates:
  joined:
    code: 1
    fields: {room: [1, int32], rev: [2, int64]}
    claims: account.rev
    emits: [{join_room: {room: room}}, {poll: room, key: room}]
  left:
    code: 2
    fields: {room: [1, int32], rev: [2, int64]}
    claims: account.rev
    emits: [{leave_room: {room: room}}]
  said:
    code: 3
    fields: {room: [1, int32], rev: [2, int64]}
    claims: room.rev
    emits: [{say: {room: room, n: rev}}]
operations:
  join_room: {code: 1, params: {room: [1, int32]}, steps: [{put: {into: rooms, row: {room: room}}}]}
  say:
    code: 2
    params: {room: [1, int32], n: [2, int64]}
    steps: [{put: {into: lines, row: {room: room, n: n}}}]
  leave_room:
    code: 3
    params: {room: [1, int32]}
    steps:
      - {remove: {from: rooms, at: room}}
      - {remove: {from: lines, under: room}}
      - {remove: {from: room, at: room}}
"""
_FOLDER: Final = TemporaryDirectory(prefix="pillarbox-")
atexit.register(_FOLDER.cleanup)
MADE: Final = imported(Path(_FOLDER.name), SCHEMA)
ACCOUNT: Final[Domain] = (21, b"", 0)
ROOM: Final[Domain] = (22, MADE.keys.room_key(5), 0)


@dataclass
class OneRoom(Server):
    """It is joined at first; lines are said in it, and in one container with the last of them it is left."""

    _is_in: bool = field(default=False, init=False)

    @property
    def package(self) -> Package[Any, Any]:
        package: Package[Any, Any] = MADE.box.PACKAGE
        return package

    @property
    def protocol(self) -> SyncProtocol:
        protocol: SyncProtocol = MADE.protocol.PROTOCOL
        return protocol

    def _count(self, domain: Domain, update: type[Any]) -> Any:
        rev = self.log(domain).end + 1
        told = update(room=5, rev=rev)
        self.logged(domain, 1, told, [(domain, rev)])
        return told

    def mark(self, update: Update) -> Hashable | None:
        claim = self.protocol.updates.claim(update)
        return None if claim is None else ((claim.cursor, claim.key, claim.part), claim.end)

    def change(self, random: Random) -> Sequence[Container]:
        made = MADE.updates
        told = [self._count(ROOM, made.Said)] if self._is_in else []
        if not self._is_in or random.random() < 0.3:
            told.append(self._count(ACCOUNT, made.Left if self._is_in else made.Joined))
            self._is_in = not self._is_in
        return [MADE.containers.Push(updates=tuple(told))]

    def answer(self, request: Request) -> Answer | Failure:
        match request:
            case MADE.requests.Ask(since):
                log, answer = self.log(ACCOUNT), MADE.answers.Told
            case MADE.requests.AskRoom(_, since):
                if not self._is_in:
                    return Refused("GONE")
                log, answer = self.log(ROOM), MADE.answers.ToldOfRoom
            case _:
                raise NotImplementedError(request)
        return answer(updates=tuple(entry.update for entry in log.after(since)), rev=log.end)

    def asks_about(self, request: Request) -> Instance | None:
        return ROOM[:2] if isinstance(request, MADE.requests.AskRoom) else None

    def is_known(self, domain: Domain) -> bool:
        return self._is_in or domain == ACCOUNT

    def is_excused(self, domain: Domain) -> bool:
        return not self._is_in and domain == ROOM

    def wrong(self, tables: Tables) -> Iterator[str]:
        lines = [row.n for row in tables.lines.all()]
        if lines != ([*range(1, self.log(ROOM).end + 1)] if self._is_in else []):
            yield f"{lines} are here, and {self.log(ROOM).end} were said (in: {self._is_in})"


def test_what_is_counted_and_then_forgotten_in_one_batch_is_no_broken_law(simulator: Simulator) -> None:
    """E-1, N-10: the counter does not move, since there is none any more; who joins again has to ask."""
    simulator.check(OneRoom, range(20), POLITE)
