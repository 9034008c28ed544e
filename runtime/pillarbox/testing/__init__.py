"""A simulator of servers, networks and processes: one seed is one run, and every run can be had again.

Depends on: sync, box and below.  Never on: generated code; servers are handed in.
"""

from pillarbox.testing.images import Images
from pillarbox.testing.knobs import POLITE, Knobs, drawn
from pillarbox.testing.run import Outcome, play, play_all, play_some, server_class, shrunk, trace_of
from pillarbox.testing.server import Domain, Entry, Own, Server, SpanLog
from pillarbox.testing.trace import Trace, Violation
from pillarbox.testing.world import Report, Run, ServerClass, World

__all__ = [
    "POLITE",
    "Domain",
    "Entry",
    "Images",
    "Knobs",
    "Outcome",
    "Own",
    "Report",
    "Run",
    "Server",
    "ServerClass",
    "SpanLog",
    "Trace",
    "Violation",
    "World",
    "drawn",
    "play",
    "play_all",
    "play_some",
    "server_class",
    "shrunk",
    "trace_of",
]
