"""What is owed: instances of keyed cursors that are not to be trusted until they are asked about, and
recipes of box-wide ones that something asked for.

Depends on: inquiry, follow_ups, jobs, rounds, taking, drafts, decide.  Never on: clocks, transports, boxes.

Law: the debts of one commit are asked about together and repaired in one commit, merged in ascending order,
which is also the commit that removes their rows (sync.md A-7, K-13, E-13, E-14). Where that commit cannot be
done each of them is tried by itself, so that one holds up no other (A-11, E-4). A recipe of a box-wide
cursor has a job of its own, which pays for the row that stood when it began (D-6).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from pillarbox.sync.build import Ready
from pillarbox.sync.claims import Instance
from pillarbox.sync.debt_rows import NO_RUN, Debt
from pillarbox.sync.decide import Owed
from pillarbox.sync.drafts import BatchDraft, Reading, ResetDraft, RoundDraft, Snapshot, Wrote
from pillarbox.sync.follow_ups import OWNER, FollowUps
from pillarbox.sync.inquiry import Ending, Found, Inquiry
from pillarbox.sync.jobs import Adopt, Core
from pillarbox.sync.protocol import Poll
from pillarbox.sync.rounds import Round, both, reaches
from pillarbox.sync.signals import CommitFailed, Facts, Id, Untaken
from pillarbox.sync.taking import Taking
from pillarbox.sync.untakens import Untakens


class Debts:
    """All that is owed and known to this process. It asks only where that is the master (sync.md P-3)."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._master = False
        #: Not being asked about yet.
        self._owed: dict[Instance, Owed] = {}
        #: Since which draft what is owed is owed, as far as that was seen.
        self._since: dict[Instance, int] = {}
        self._rounds: list[Round] = []
        #: Asked in vain: the timer after which they are asked about again.
        self._resting: dict[Instance, Owed] = {}
        #: Until when the server wants not to be asked about these.
        self._flooded: dict[Instance, int] = {}
        #: When the first of them may be asked about.
        self._timer: tuple[Id, int] | None = None
        #: Whether they have rested; what they are is being read.
        self._have_rested = False
        self._is_reading = False
        #: Others wrote meanwhile, perhaps just after the read.
        self._is_read_again = False
        self._taking = Taking(core, self)
        #: Refused in a way that forbids to ask again in this session, but for what is owed of it anew.
        self._stopped: set[Instance] = set()
        #: Their round could not be written, perhaps because of one of them: each gets one of its own.
        self._alone: set[Instance] = set()
        self._untakens = Untakens[Instance](core.protocol, core.flight.limits)
        self._follow_ups = FollowUps(core)
        core.flight.on_written.append(self._wrote)

    @property
    def busy(self) -> bool:
        """Whether anything is being asked about (sync.md D-4)."""
        return bool(self._rounds or self._owed or self._taking.works)

    @property
    def is_master(self) -> bool:
        """Whether this process asks."""
        return self._master

    @property
    def untaken(self) -> Untaken | None:
        """Of one of them the store does not take what the server says, however often (sync.md A-11)."""
        return self._untakens.first

    def role(self, master: bool) -> None:
        """Whether it asks."""
        self._master = master
        if not master:
            for one in self._rounds:
                for inquiry in one.inquiries.values():
                    inquiry.stop()
            if self._timer is not None:
                self._core.flight.forget(self._timer[0])
            # The rows stand: whoever is the master finds them. What is being written is no more owed then.
            self._rounds = [one for one in self._rounds if one.is_over]
            self._owed, self._resting, self._timer, self._have_rested = {}, {}, None, False
            self._since = {}
            self._untakens.keep(())
            self._follow_ups.hand_over()

    def session(self) -> None:
        """A new one: what was refused may be asked again, when its rows are read the next time."""
        self._stopped.clear()
        for one in self._rounds:
            one.stopped.clear()
        self._follow_ups.session()

    def owe(self, owed: Iterable[Owed]) -> None:
        """These rows stand now. Who is not the master leaves them to it: it finds them (sync.md P-3)."""
        if not self._master:
            return
        for one in owed:
            self._add(one)
        self._begin()

    def put_off(self, owed: Owed) -> None:
        """This row stands; what asks for it asks without end, unless it is asked about anyway."""
        if not self._master:
            return
        instance = owed.debt.instance
        asked = next((one for one in self._rounds if instance in one.owed), None)
        if asked is not None:
            is_wanted = instance in asked.again and instance not in asked.put_off
            self._add(owed)
            if not is_wanted:
                asked.put_off.add(instance)
        elif instance in self._owed:
            self._add(owed)
        else:
            self._rest((owed,))

    def read(self) -> None:
        """Find those of another process, or of a run that ended (sync.md K-14, P-4)."""
        if self._core.protocol.debts is None or not self._master:
            return
        self._is_read_again = self._is_reading
        if not self._is_reading:
            self._is_reading = True
            self._core.flight.load(OWNER, Reading(debts=True), self._read)

    def _read(self, snapshot: Snapshot) -> None:
        self._is_reading = False
        self.found(snapshot.debts)
        if self._is_read_again:
            self.read()

    def found(self, debts: Sequence[Debt]) -> None:
        """These rows stand, and no others; some are of another run, or of another process (sync.md K-14)."""
        if not self._master:
            return
        debts = self._taking.known(debts)
        others: list[Debt] = []
        self._since = {debt.instance: debt.since for debt in debts}
        stand = self._since.keys()
        # Paid by another process, or forgotten.
        self._resting = {instance: owed for instance, owed in self._resting.items() if instance in stand}
        self._alone &= stand
        self._untakens.keep(stand)
        asked = {instance for one in self._rounds for instance in one.owed} | self._resting.keys()
        for debt in debts:
            if debt.instance in self._taking:
                continue
            if debt.run != self._core.flight.marker and not self._is_recipe(debt):
                others.append(debt)
            elif debt.instance not in asked and debt.instance not in self._stopped:
                self._add(Owed(debt))
        if self._have_rested:
            rested, self._resting, self._have_rested = self._resting, {}, False
            for owed in rested.values():
                self._add(owed)
            now = self._core.flight.now
            self._flooded = {instance: until for instance, until in self._flooded.items() if until > now}
        self._taking.take_over(others)
        self._begin()

    def _wrote(self, facts: Facts) -> None:
        """Some commit was done. What it owes anew was forgotten, if it is being asked about; what others owe
        too is taken over, or nobody would pay for it.
        """
        if not isinstance(facts.result, Wrote):
            return
        if self._master:
            self._since.update((debt.instance, debt.since) for debt in facts.result.rows)
            if any(debt.run == NO_RUN for debt in facts.result.rows):
                self.read()
        for instance in facts.result.fresh:
            for one in self._rounds:
                if instance in one.owed and not one.is_over:
                    one.forgotten.add(instance)
                    one.again.pop(instance, None)

    def rest(self, debt: Debt, wait_ms: int) -> None:
        """A recipe of a box-wide cursor that was run in vain: it stands, and is run again after a while."""
        if self._master:
            self._flooded[debt.instance] = self._core.flight.now + wait_ms
            self._rest((Owed(debt),))

    def _is_recipe(self, debt: Debt) -> bool:
        """Whether it is owed to a box-wide cursor."""
        return not self._core.protocol.cursors[debt.cursor].keyed

    def _add(self, owed: Owed) -> None:
        instance = owed.debt.instance
        if self._flooded.get(instance, 0) > self._core.flight.now:
            self._rest((owed,))
            return
        if self._is_recipe(owed.debt):
            self._resting.pop(instance, None)
            self._core.remake(owed.debt)
            return
        self._stopped.discard(instance)
        for one in self._rounds:
            if instance in one.owed:
                one.again[instance] = both(one.again.get(instance), owed)
                one.put_off.discard(instance)
                return
        before = self._resting.pop(instance, None) or self._owed.get(instance)
        self._owed[instance] = both(before, owed)

    # ------------------------------------------------------------------------------------------ a round

    def _begin(self) -> None:
        """All that is owed and not asked about yet, in parallel."""
        if not self._master or not self._owed:
            return
        asked = sum(len(one.owed) for one in self._rounds)
        room = self._core.flight.limits.round_max - asked
        if room <= 0:
            return
        chosen = sorted(self._owed)[:room]
        together = [instance for instance in chosen if instance not in self._alone]
        for instances in (together, *([it] for it in chosen if it in self._alone)):
            if instances:
                self._ask(instances)

    def _ask(self, instances: Sequence[Instance]) -> None:
        one = Round((self._owed.pop(instance) for instance in instances), self._since)
        self._rounds.append(one)
        tries_max = self._core.flight.limits.debt_tries_max
        for instance in instances:
            one.inquiries[instance] = Inquiry(
                self._core.flight,
                OWNER,
                instance,
                partial(self._answered, one),
                cure=one.owed[instance].debt.cure,
                tries_max=tries_max,
            )

    def _answered(self, one: Round, found: Found) -> None:
        one.found[found.instance] = found
        if found.ending is Ending.STOPPED:
            one.stopped.add(found.instance)
        one.inquiries.pop(found.instance, None)
        if len(one.found) == len(one.owed):
            self._core.queue.last(Adopt(self._core, partial(self._draft, one), partial(self._written, one)))

    def _draft(self, one: Round) -> RoundDraft | None:
        """The parts by ascending instance; what is paid is known only now (sync.md A-7, E-14)."""
        if one not in self._rounds:
            return None
        parts: dict[Instance, BatchDraft | ResetDraft] = {}
        for instance in sorted(one.found):
            if instance in one.forgotten:
                continue
            found = one.found[instance]
            pays = self._pays(one, found)
            if found.draft is not None:
                parts[instance] = replace(found.draft, pays=pays)
            elif pays:
                parts[instance] = BatchDraft(pays=pays)
        if parts:
            one.is_over = True
            return RoundDraft(
                tuple(parts.values()), tuple((instance, one.since[instance]) for instance in parts)
            )
        self._ended(one)
        return None

    def _pays(self, one: Round, found: Found) -> tuple[Debt, ...]:
        """What is owed of it is done; unless more was seen to be missing since than was brought."""
        if found.ending in (Ending.FAILED, Ending.STOPPED) or found.more:
            return ()
        again = one.again.get(found.instance)
        if again is None or reaches(found, again):
            debt = one.owed[found.instance].debt
            # The row is of the run that wrote it last.
            return (debt if again is None else again.debt,)
        return ()

    def _written(self, one: Round, outcome: Facts | CommitFailed) -> None:
        if one not in self._rounds:
            return
        if isinstance(outcome, CommitFailed):
            self._rounds.remove(one)
            for instance in one.owed if self._master and len(one.owed) == 1 else ():
                self._untakens.refused(instance, instance, outcome)
            self._alone |= one.owed.keys()
            self._rest([*one.owed.values(), *one.again.values()])
            return
        self._alone -= one.owed.keys()
        for instance in one.owed:
            self._untakens.took(instance)
        wrote = outcome.result if isinstance(outcome.result, Wrote) else Wrote()
        self._ended(one, frozenset(wrote.stale), frozenset(wrote.void))
        self._core.publish(wrote.unhandled)
        self._remade(one, wrote)

    def _remade(self, one: Round, wrote: Wrote) -> None:
        """What recipes ask for."""
        # What one owes to whom it was asked about would be asked without end, if it always does.
        self._rest(Owed(debt) for debt in wrote.owed if debt.instance in one.owed)
        owed = tuple(Owed(debt) for debt in wrote.owed if debt.instance not in one.owed)
        asks = Ready(
            BatchDraft(), polls=tuple(act.cursor for act in wrote.acts if isinstance(act, Poll)), owed=owed
        )
        for instance, found in one.found.items():
            if isinstance(found.draft, ResetDraft):
                (asks,) = self._core.circles.at_once(instance, (asks,), leads_on=False)
        self._core.owe(asks.owed)
        self._core.replace(asks.polls)

    def _ended(
        self,
        one: Round,
        stale: frozenset[Instance] = frozenset(),
        void: frozenset[Instance] = frozenset(),
    ) -> None:
        """Who has to be asked again, and what the answers asked for."""
        self._rounds.remove(one)
        rest: list[Owed] = []
        for instance in sorted(one.found):
            found, rests = one.found[instance], False
            is_written = instance not in stale | void | one.forgotten
            turns = is_written and self._goes_round(found)
            # The later one last: its run is the one that the row says.
            again = one.again.get(instance)
            owed = one.owed[instance] if again is None else both(one.owed[instance], again)
            if instance in one.forgotten:
                if again is not None:
                    self._add(again)
            elif instance in void:
                pass  # Whoever took the debt away had a reason.
            elif instance in one.stopped:
                self._stopped.add(instance)
            elif rests := (
                found.ending is Ending.FAILED
                or found.is_stuck
                or instance in one.put_off
                or bool(turns and (found.more or found.anew))
            ):
                self._flooded[instance] = self._core.flight.now + found.wait_ms
                rest += (owed, *found.anew)
            elif instance in stale or found.more or not self._pays(one, found):
                self._add(owed)
            else:
                self._since.pop(instance, None)
            if is_written:
                readies = [ready.without(instance) if rests else ready for ready in found.readies]
                leads_on = found.leads_on and not turns
                for asks in self._core.circles.at_once(instance, readies, leads_on=leads_on):
                    self._core.publish(asks.unhandled)
                    self._core.wrote(asks)
                    self._core.replace(asks.polls)
                self._follow_ups.follow(found)
        if self._master:
            self._rest(rest)
            self._begin()
            if void:
                self.read()  # It may be owed anew.
        else:
            self._owed = {}
            self._follow_ups.hand_over()

    def _goes_round(self, found: Found) -> bool:
        """Whether what it asks for would be asked without end, though each answer leads on."""
        asks = found.leads_on and found.asks
        draft = found.draft if asks and isinstance(found.draft, BatchDraft) else None
        return draft is not None and self._core.circles.goes_round(found.instance, draft)

    def _rest(self, owed: Iterable[Owed]) -> None:
        """Asked in vain: again after a while, so that one that never answers holds up nobody."""
        for one in owed:
            instance = one.debt.instance
            self._resting[instance] = both(self._resting.get(instance), one)
        if not self._resting:
            return
        flight = self._core.flight
        due = flight.now + flight.limits.debt_rest_ms
        due = min(max(due, self._flooded.get(instance, 0)) for instance in self._resting)
        if self._timer is not None and self._timer[1] > due:
            flight.forget(self._timer[0])
            self._timer = None
        if self._timer is None:
            self._timer = flight.timer(OWNER, due, lambda _: self._wake()), due

    def _wake(self) -> None:
        """They are asked about once it is seen that they still stand."""
        self._timer, self._have_rested = None, True
        self.read()
