"""What a process has been told and has not applied, and how long it may take.

Depends on: sync (protocol only), ledger, server, knobs, trace.  Never on: how the machine waits.

Law: what was told is applied, owed, or asked for, by the deadline of a gap and one job more, however much
arrives meanwhile (E-6, E-7).
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
        self._hold = max(part.hold_ms for spec in server.protocol.cursors.values() for part in spec.parts)
        #: Types of requests that ask about a box-wide cursor.
        self._asks = {
            type(spec.difference.request(b"", None))
            for spec in server.protocol.cursors.values()
            if spec.difference is not None and not spec.keyed
        }
        #: Counter -> up to where it is known, and since when.
        self._open: dict[Domain, tuple[int, int]] = {}

    def see(self, now: int, opened: Opened) -> None:
        """A container arrived."""
        if not self._looks:
            return
        claims = [self._server.protocol.updates.claim(update) for update in opened.updates]
        for claim in (*claims, opened.claim, *opened.steps):
            if claim is not None and claim.start < claim.end:
                self._see(now, claim)

    def _see(self, now: int, claim: Claim) -> None:
        domain = (claim.cursor, claim.key, claim.part)
        position = self._ledger.positions.get(claim.instance)
        is_old = position is not None and claim.start < position[claim.part]
        if domain in self._server.logs and domain not in self._open and not is_old:
            self._open[domain] = claim.end, now

    def asked(self, request: Request) -> None:
        """A box-wide cursor is asked about: what is held is dropped now, and comes again (sync.md G-16)."""
        if type(request) in self._asks:
            self._open.clear()

    def rest(self, now: int) -> None:
        """Something was asked, or came of it: the wait begins anew."""
        self._open = {domain: (end, now) for domain, (end, _) in self._open.items()}

    def check(self, now: int) -> None:
        """Raises Violation for what has waited longer than it may."""
        for domain, (end, since) in list(self._open.items()):
            if not self._lacks(domain, end):
                del self._open[domain]
            elif now > since + self._hold + self._slack:
                name = f"{self._server.protocol.cursors[domain[0]].name}({domain[1]!r})"
                raise Violation("E-6", f"{name} is known to be at {end} since {since}, now {now}")

    def _lacks(self, domain: Domain, end: int) -> bool:
        """Whether the box neither has it nor owes it."""
        if domain[:2] in self._ledger.debts or not self._server.is_known(domain):
            return False
        position = self._ledger.positions.get(domain[:2])
        return position is None or position[domain[2]] < end
