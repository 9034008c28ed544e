"""Gaps that a process has been shown, and how long it may wait for them.

Depends on: sync (protocol only), ledger, server, knobs, trace.  Never on: how the machine waits.

Law: a gap ends in application or in a request, by its deadline and one job more, however much arrives
meanwhile (E-6, E-7).
"""

from __future__ import annotations

from pillarbox.sync.claims import Claim
from pillarbox.sync.protocol import Opened, Request
from pillarbox.testing.knobs import Knobs
from pillarbox.testing.ledger import Ledger
from pillarbox.testing.server import Domain, Server
from pillarbox.testing.trace import Violation


class Gaps:
    """Of one life of a process. It looks only where no request is refused, so that none is waited for."""

    def __init__(self, server: Server, ledger: Ledger, knobs: Knobs) -> None:
        self._server = server
        self._ledger = ledger
        self._looks = not (knobs.fails or knobs.floods or knobs.cuts or knobs.refusals or knobs.failures)
        #: What a step may take besides: a few transactions.
        self._slack = 200 + 20 * knobs.store_ms
        #: Type of request -> the box-wide cursor that it asks about.
        self._asks = {
            type(spec.difference.request(b"", None)): spec.id
            for spec in server.protocol.cursors.values()
            if spec.difference is not None and not spec.keyed
        }
        #: Counter -> where the next known span begins, and since when it is known.
        self._open: dict[Domain, tuple[int, int]] = {}

    def see(self, now: int, opened: Opened) -> None:
        """A container arrived."""
        if not self._looks:
            return
        claims = [self._server.protocol.updates.claim(update) for update in opened.updates]
        for claim in (*claims, opened.claim, *opened.steps):
            if claim is not None:
                self._see(now, claim)

    def _see(self, now: int, claim: Claim) -> None:
        domain = (claim.cursor, claim.key, claim.part)
        if domain not in self._server.logs or self._server.protocol.cursors[claim.cursor].keyed:
            return
        if domain not in self._open and self._stands_before(domain, claim.start):
            self._open[domain] = claim.start, now

    def asked(self, request: Request) -> None:
        """What was known of its cursor is asked for: all that is held of it is dropped now (sync.md G-16)."""
        cursor = self._asks.get(type(request))
        self._open = {domain: gap for domain, gap in self._open.items() if domain[0] != cursor}

    def rest(self, now: int) -> None:
        """Something was asked, or came of it: the wait begins anew."""
        self._open = {domain: (start, now) for domain, (start, _) in self._open.items()}

    def check(self, now: int) -> None:
        """Raises Violation for a gap that is older than it may be."""
        for domain, (start, since) in list(self._open.items()):
            if not self._stands_before(domain, start):
                del self._open[domain]
                continue
            hold = self._server.protocol.cursors[domain[0]].parts[domain[2]].hold_ms
            if now > since + hold + self._slack:
                raise Violation("E-6", f"a gap before {start} of {domain} is open since {since}, now {now}")

    def _stands_before(self, domain: Domain, start: int) -> bool:
        position = self._ledger.positions.get(domain[:2])
        return position is None or position[domain[2]] < start
