"""Answers to own requests that lie in memory, where nothing would tell again what they bring.

Depends on: build, host, job_process, jobs, pieces.  Never on: clocks, transports, boxes.

Law: who has such an answer is told when it is written, or was dropped before that; until then a crash loses
it, so what it answers must not count as done (sync.md L-4). What moves a counter that is one in the box needs
no such care, nor what waits for a gap: the next question brings it; unless it claims no length of a counter,
also where it travels with what does, and may be left out of that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pillarbox.sync.build import Ready
from pillarbox.sync.host import Taken
from pillarbox.sync.job_process import Collect, Process
from pillarbox.sync.jobs import Core
from pillarbox.sync.pieces import Origin, Piece, is_told_once


class Unwritten:
    """The containers that somebody waits for."""

    def __init__(self, core: Core, tell: Callable[[Taken], None]) -> None:
        self._core = core
        self._tell = tell
        #: Of each the pieces that are not written yet.
        self._waits: dict[Origin, set[Piece]] = {}

    def add(self, pieces: Sequence[Piece]) -> Origin | None:
        """These were taken in; None: nobody need wait for them."""
        lost = {piece for piece in pieces if _is_lost(piece)}
        if not lost:
            return None
        origin = pieces[0].origin
        self._waits[origin] = lost
        return origin

    def wrote(self, pieces: Sequence[Piece], ready: Ready) -> None:
        """What a batch of these brings is written, waits for a gap, or is asked for; but for what is lacking
        of some containers, and for what waits and would not be brought by who is asked.
        """
        for origin, lost in self._waits.items():
            if origin not in ready.lacking:
                lost.difference_update(pieces)
            lost.update(piece for piece in ready.held if piece.origin is origin and is_told_once(piece))

    def look(self, *, is_ill: bool) -> None:
        """A step has ended. `is_ill`: what it dropped the store might have taken at another time."""
        if not self._waits:
            return
        jobs = [job for job in self._core.queue.jobs if isinstance(job, Collect | Process)]
        here = {piece for job in jobs for piece in job.pieces}
        for origin, lost in list(self._waits.items()):
            if not lost or not lost <= here:
                del self._waits[origin]
                self._tell(Taken(origin, not lost, is_ill))


def _is_lost(piece: Piece) -> bool:
    """Whether a crash would lose it: it was not checked yet, and no poll brings it."""
    brings = piece.updates or piece.keyed or piece.did or piece.acts or piece.asks or piece.origin.side
    claims = (piece.claim, *(it.claim for it in piece.keyed))
    counts = all(claim is not None and not claim.counts_nothing for claim in claims)
    return piece.deadline is None and not counts and bool(brings)
