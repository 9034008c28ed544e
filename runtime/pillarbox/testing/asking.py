"""How often processes asked the server, and whether they had a reason.

Depends on: sync (the protocol only), server, process, knobs, trace.

Law (N-10): where nothing is lost, late or refused, nothing is asked but the first difference, and after long
silence another, and what is not known at all, or was counted by an answer that did not bring it; a gap that
closes while it may wait costs no request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pillarbox.sync.claims import Instance
from pillarbox.testing.knobs import Knobs
from pillarbox.testing.process import Process
from pillarbox.testing.questions import Question
from pillarbox.testing.server import Server
from pillarbox.testing.trace import Violation


def check_asking(server: Server, processes: Sequence[Process], knobs: Knobs) -> None:
    """Look at all requests of a run in which nothing went wrong. Raises Violation."""
    for process in processes:
        needless = [*_box_wide(server, process)]
        if not (knobs.overtakes or knobs.hinted):  # a gap of a keyed cursor need not wait
            needless += _keyed(server, process, knobs)
        for question in needless:
            raise Violation("N-10", f"{process.name}: {question.request!r} at {question.time}, without need")


def _box_wide(server: Server, process: Process) -> Iterator[Question]:
    for spec in server.protocol.cursors.values():
        if spec.keyed or spec.difference is None or spec.loop is not None:
            continue  # One that is asked about without end has its own law: one question at a time.
        kind = type(spec.difference.request(b"", None))
        asked = [question for question in process.questions.all if type(question.request) is kind]
        for before, question in pairwise(asked):
            is_idle = spec.pause is not None or 0 < spec.idle_poll_ms <= question.silence_ms
            if not (is_idle or _has_step(process, before.time, question.time)):
                yield question


def _keyed(server: Server, process: Process, knobs: Knobs) -> Iterator[Question]:
    """What was told while the answer was under way is asked for once more, which is reason enough."""
    last: dict[Instance, int] = {}
    for question in process.questions.all:
        instance = server.asks_about(question.request)
        if instance is None:
            continue
        before = last.get(instance, 0)
        follows = instance in last and question.time - before <= 4 * knobs.answer_ms + 200
        if not (question.has_reason or follows or _has_step(process, before, question.time)):
            yield question
        last[instance] = question.time


def _has_step(process: Process, since: int, until: int) -> bool:
    """Whether a wish was answered by counters of which nothing says what they count (E-1)."""
    return any(since <= time <= until for time in process.questions.stepped)
