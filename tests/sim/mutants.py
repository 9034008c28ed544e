"""Faults planted in the engine, each with the seeds of runs that notice it.

Depends on: the engine's source, as text; tests.property.mutants.  Never on: how the simulator finds them.

Numbers are those of the table in docs/simulator.md.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tests.property.mutants import Fault

from pillarbox.sync import claims, decide, drafts, job_poll, machine
from pillarbox.sync.drafts import BatchDraft, RoundDraft
from pillarbox.sync.job_poll import PollJob
from pillarbox.sync.job_process import Process
from pillarbox.sync.job_reset import ResetJob
from pillarbox.sync.machine import Machine
from pillarbox.sync.outbox import Outbox
from pillarbox.sync.outbox_drafts import Finish
from pillarbox.sync.recipe import Recipe
from pillarbox.testing import Knobs


class Mutant(NamedTuple):
    """A fault, and seeds of runs that it is known to break."""

    number: int
    fault: Fault
    seeds: tuple[int, ...]
    #: Of these runs; None: what the seed draws. A fault that seldom shows has a world in which it often does.
    knobs: Knobs | None = None


MUTANTS: Final = (
    Mutant(
        1,
        Fault(
            "a cursor is written in a commit of its own",
            PollJob,
            "_made",
            "(OWNER, ready.draft, lambda it: self._done(taken, ready, it), self._failed)",
            "(OWNER, BatchDraft(ready.draft.operations), lambda it:"
            " self.core.flight.commit(OWNER, BatchDraft(sets=ready.draft.sets, owes=ready.draft.owes),"
            " lambda _: self._done(taken, ready, it), self._failed), self._failed)",
        ),
        (100, 102),
    ),
    Mutant(
        2,
        Fault("what follows is old", claims, "check", "claim.start == position else", "False else"),
        (101, 104),
    ),
    Mutant(
        3,
        Fault(
            "a gap is applied",
            decide,
            "plan",
            "if verdict is Verdict.APPLY:",
            "if verdict in (Verdict.APPLY, Verdict.GAP):",
        ),
        (102, 104),
    ),
    Mutant(
        4,
        Fault(
            "claims are sorted by their end", decide, "plan", "item[0].start, item[0].end)", "item[0].end)"
        ),
        (0, 1, 3),
        Knobs(changes=40, pause_ms=150, bundle=0.7, shuffled=0.9, zeros=0.7, counts=3),
    ),
    Mutant(
        5,
        Fault(
            "what counts nothing is old",
            claims,
            "check",
            "claim.start == position else",
            "claim.start == position < claim.end else",
        ),
        (181, 205, 250),
    ),
    Mutant(
        6,
        Fault("what is held is lost", Process, "_done", "self.core.collect(ready.held)", "pass"),
        (104, 128),
    ),
    Mutant(
        7,
        Fault(
            "the whole batch goes back",
            Process,
            "_done",
            "self.core.collect(ready.held)",
            "self.core.collect(self.pieces)",
        ),
        (102, 111),
    ),
    Mutant(
        8,
        Fault(
            "arrivals move the deadline",
            decide,
            "_hold",
            "deadline = situation.now + hold_ms if piece.deadline is None else piece.deadline",
            "deadline = situation.now + hold_ms",
        ),
        (102, 147),
    ),
    Mutant(
        9,
        Fault(
            "a gap that closed is asked for all the same",
            Process,
            "_done",
            "if ready.polls:\n        self.core.replace(ready.polls)",
            "if ready.polls or any(it.deadline for it in self.pieces):\n"
            "        self.core.replace(ready.polls or polled(self.core.protocol))",
        ),
        (104, 128),
    ),
    Mutant(
        10,
        Fault(
            "what has a counter of its own drops with an old container",
            decide,
            "_box_wide",
            "for piece in pieces if piece.claim is not None]",
            "for piece in pieces if piece.claim is not None and not any(other.container and"
            " other.origin is piece.origin and other.claim is not None and other is not piece and"
            " other.claim.start < (situation.position(other.claim.instance) or (0,) * 9)[other.claim.part]"
            " for other in pieces)]",
        ),
        (101, 137),
    ),
    Mutant(
        11,
        Fault(
            "a gap of one instance stops the others",
            decide,
            "_keyed",
            "_hold_keyed(situation, decision, instance, found.held)",
            "_hold_keyed(situation, decision, instance, found.held)\n            break",
        ),
        (135, 218, 294),
    ),
    Mutant(
        12,
        Fault(
            "what is observed moves the counter",
            decide,
            "_keyed",
            "        for moved, parts in found.moves.items():",
            "        for item in items:\n"
            "            if item.keyed.claim is None and getattr(item.keyed.update, 'rev', None):\n"
            "                decision.moves[instance] = {0: item.keyed.update.rev}\n"
            "        for moved, parts in found.moves.items():",
        ),
        (103, 106),
    ),
    Mutant(
        13,
        Fault(
            "an answer is applied though the cursor has moved",
            PollJob,
            "_build",
            "snapshot.positions[self._instance] != self._asked",
            "False",
        ),
        (100, 116, 124),
    ),
    Mutant(
        14,
        Fault(
            "nothing is verified",
            BatchDraft,
            "apply",
            "if stale := self.stale(tx, protocol):",
            "if stale := ():",
        ),
        (107, 120, 124),
    ),
    Mutant(
        15, Fault("debts are not written", drafts, "owe", "protocol.debts.owe(tx, debt)", "pass"), (102, 103)
    ),
    Mutant(
        16,
        Fault("a slice is taken for the whole", job_poll, "take", "kind is AnswerKind.SLICE or", "False or"),
        (116, 167, 178),
    ),
    Mutant(
        17,
        Fault(
            "a recipe stores where the server was after the pages",
            Recipe,
            "__init__",
            "self._spec = spec",
            "self._spec = __import__('dataclasses').replace(spec, fetch=spec.fetch[::-1])",
        ),
        (123, 150, 228),
    ),
    Mutant(
        18,
        Fault(
            "a recipe sets its cursor first",
            ResetJob,
            "_fetched",
            "self.core.flight.commit(OWNER, draft, self._done, self._failed)",
            "sets = self.spec.set(b'', answers)\n"
            "    values = tuple(sets[part] for part in sorted(sets))\n"
            "    draft = ResetDraft(self.spec, b'', answers, values, self.core.flight.author(), pays)\n"
            "    from pillarbox.sync.drafts import BatchDraft\n"
            "    first = BatchDraft((), {draft.instance: sets})\n"
            "    self.core.flight.commit(OWNER, first, lambda _: self.core.flight.commit(OWNER, draft,"
            " self._done, self._failed), self._failed)",
        ),
        (103, 107),
    ),
    Mutant(
        21,
        Fault(
            "what waits is taken out before it is sent",
            Outbox,
            "_was_read",
            "self._out.append(Send(",
            "self._finish(job, (), False); self._out.append(Send(",
        ),
        (117, 149, 154),
    ),
    Mutant(
        22,
        Fault(
            "a wish that was replaced goes too", Finish, "apply", "now.revision == self.row.revision", "True"
        ),
        (14, 19, 30),
        Knobs(writes=30, changes=40, answer_ms=600),
    ),
    Mutant(
        23,
        Fault(
            "events of a slice are told, and told again",
            PollJob,
            "_done",
            "self.end()\n        self.core.queue.first(",
            "self.end()\n        self.core.publish((*facts.events, *ready.unhandled))\n"
            "        self.core.queue.first(",
        ),
        (129, 346, 471),
    ),
    Mutant(
        26,
        Fault(
            "what is kept is confirmed before it is",
            PollJob,
            "_made",
            "    if ready.doubts and",
            "    self.core.wrote(ready)\n    if ready.doubts and",
        ),
        (100, 102),
    ),
    Mutant(
        27,
        Fault(
            "answers of a round are applied though cursors have moved",
            RoundDraft,
            "apply",
            "if moved := part.stale(tx, protocol):",
            "if moved := ():",
        ),
        (104, 123),
    ),
    Mutant(
        28,
        Fault(
            "debts of an earlier run are not looked for",
            Machine,
            "found",
            "self._debts.found(debts)",
            "pass",
        ),
        (106, 138, 152),
    ),
    Mutant(
        29,
        Fault("a stale batch is forgotten", Process, "_give_up", "give_up(self.core, self.pieces)", "pass"),
        (7, 21, 25),
        Knobs(
            handles=2,
            changes=40,
            pause_ms=150,
            lost=0.3,
            unnumbered=0.7,
            store_ms=10,
            push_ms=5,
            idle_poll=False,
        ),
    ),
    Mutant(
        30,
        Fault(
            "a debt that was written anew is paid with the old one",
            drafts,
            "pay",
            "row.run == debt.run and not",
            "not",
        ),
        (186, 478),
    ),
    Mutant(
        34,
        Fault(
            "a recipe that was asked for is in memory alone",
            drafts,
            "owe",
            "protocol.debts.owe(tx, debt)",
            "(debt.cure == 'everything') or protocol.debts.owe(tx, debt)",
        ),
        (5, 8, 10),
    ),
    Mutant(
        35,
        Fault(
            "a recipe pays for what has asked since it began",
            drafts,
            "_is_newer",
            "row.hint != paid.hint",
            "False",
        ),
        (0, 24, 49),
        Knobs(handles=2, changes=40, asking=0.9, pause_ms=150, answer_ms=600, unnumbered=0.5),
    ),
    Mutant(
        31,
        Fault(
            "events of a slice are lost",
            PollJob,
            "_done",
            "self.core.publish((*facts.events, *ready.unhandled))",
            "taken.again or self.core.publish((*facts.events, *ready.unhandled))",
        ),
        (10205, 12436, 21255),
    ),
    Mutant(
        32,
        Fault(
            "a counter moves by an answer that brings nothing",
            decide,
            "sort_out",
            "(steps if bare(item) else known).append",
            "known.append",
        ),
        (0, 16),
    ),
    Mutant(
        33,
        Fault(
            "what was done is done whatever its counter says",
            machine,
            "take_apart",
            "own.append(Piece(origin, step, did=did))",
            "own += [Piece(origin, step), Piece(origin, did=did)]",
        ),
        (0, 3),
    ),
)
