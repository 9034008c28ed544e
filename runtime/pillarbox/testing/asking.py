"""How often processes asked the server, and whether they had a reason.

Depends on: sync (the protocol only), server, process, trace.

Law (N-10): where nothing is lost, late or refused, nothing is asked but the first difference, and after long
silence another; a gap that closes while it may wait costs no request.
"""

from __future__ import annotations

from collections.abc import Sequence

from pillarbox.testing.process import Process
from pillarbox.testing.server import Server
from pillarbox.testing.trace import Violation


def check_asking(server: Server, processes: Sequence[Process]) -> None:
    """Look at all requests of a run in which nothing went wrong. Raises Violation."""
    for spec in server.protocol.cursors.values():
        if spec.keyed or spec.difference is None:
            continue
        kind = type(spec.difference.request(b"", None))
        for process in processes:
            asked = [question for question in process.questions if type(question.request) is kind]
            needless = [
                question.time
                for question in asked[1:]
                if not spec.idle_poll_ms or question.silence_ms < spec.idle_poll_ms
            ]
            if needless:
                raise Violation("N-10", f"{process.name}: {kind.__name__} at {needless}, without need")
