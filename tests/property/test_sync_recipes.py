"""A recipe that a commit asked for is followed, whatever dies, fails or is refused between that and its end.

The server counts how often it has asked, and says so in the first answer of the recipe, which writes it down:
at rest the box was made anew after every ask that took effect in it. The cursor does not tell, so a recipe
leaves it where another one has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.mutants import Fault
from tests.property.seeds import SEEDS
from tests.property.sync_laws import check, check_again, check_rest
from tests.property.sync_server import COUNTERS, PROTOCOL, Server
from tests.property.sync_world import ACTIONS, World
from tests.unit.sync.engine_world import ACCOUNT, DATE, State, U

from pillarbox.sync import drafts
from pillarbox.sync.claims import Claim
from pillarbox.sync.debt_rows import Author, Debt
from pillarbox.sync.debts import Debts
from pillarbox.sync.drafts import BatchDraft, ResetDraft, acts_owed
from pillarbox.sync.job_reset import ResetJob
from pillarbox.sync.protocol import ResetAsk
from pillarbox.sync.signals import Failed, Refused, RoleChanged, Woken
from pillarbox.sync.taking import Taking

RECIPE: Final = "everything"
ASK: Final = ResetAsk(RECIPE)


class AskingServer(Server):
    """One that says now and then that everything is to be made anew."""

    def __init__(self) -> None:
        super().__init__()
        #: How often it has.
        self.asks = 0

    def happen(self, choice: int) -> None:
        if choice % 3:
            super().happen(choice)
            return
        self.asks += 1
        cursor, key = COUNTERS[choice % 4]
        self.ends[cursor, key] += 1
        end = self.ends[cursor, key]
        update = U(f"{cursor}:{key!r}:{end - 1}:{end}:ask{self.asks}", Claim(cursor, key, 0, end - 1, end))
        self.moments.append((replace(update, acts=(ASK,)),))

    def answer(self, request: Any, choice: int) -> Any:
        if request[0] == "state":
            return State((self.ends[ACCOUNT, b""], 0, len(self.moments), self.asks))
        return super().answer(request, choice)


class Rival(NamedTuple):
    """What another process saw when it began to run the recipe."""

    at: Any
    debts: tuple[Debt, ...]
    state: State


def _set(key: Any, answers: Mapping[str, Any]) -> Mapping[int, Any]:
    """Without how often it was asked for."""
    sets = PROTOCOL.resets[RECIPE].set(key, answers)
    return {part: value for part, value in sets.items() if part != DATE}


def _commit(tables: Any, key: Any, answers: Mapping[str, Any]) -> list[Any]:
    """That stands with what it brings; no two are called alike."""
    made = f"free:{len(tables.done)}:made{answers['state'].at[DATE]}"
    return [*PROTOCOL.resets[RECIPE].commit(tables, key, answers), made]


class AskingWorld(World):
    """One in which recipes are asked for, here and by another process, and the role comes and goes."""

    server: AskingServer

    def __init__(self, *, retries: bool) -> None:
        recipe = replace(PROTOCOL.resets[RECIPE], retry=retries, set=_set, commit=_commit)
        spec = replace(PROTOCOL, resets={**PROTOCOL.resets, RECIPE: recipe})
        super().__init__(check, AskingServer(), spec)
        self.is_master = True
        #: Of another process, which is the master as well for a moment: what it began to run.
        self.rival: Rival | None = None

    def elsewhere(self, _choice: int) -> None:
        """Another process commits something that asks for it."""
        self.server.asks += 1
        name = f"free:elsewhere:ask{self.server.asks}"
        self.rig.tables.done.append(name)
        self.rig.stray.add(name)
        self._owe()

    def enemy(self, choice: int) -> None:
        before = len(self.rig.tables.done)
        super().enemy(choice)
        if any(":ask" in name for name in self.rig.tables.done[before:]):
            self._owe()

    def _owe(self) -> None:
        """What another process asked for with what it wrote."""
        owed = acts_owed(self.rig.protocol, [ASK], Author(7_777, self.server.asks))
        BatchDraft(owes=owed).apply(self.rig.tables, self.rig.protocol)
        self.rig.step(Woken(self.rig.now))

    def compete(self, choice: int) -> None:
        """Another process runs it too: it begins, or it ends."""
        tables, spec = self.rig.tables, self.rig.protocol
        if self.rival is None:
            state = self.server.answer(("state",), choice)
            self.rival = Rival(tables.positions[ACCOUNT, b""], tuple(tables.debts.values()), state)
            return
        rival, self.rival = self.rival, None
        pays = tuple(debt for debt in rival.debts if debt.cure == RECIPE)
        answers = {"state": rival.state, "pages": (self.server.answer(("pages", b""), choice),)}
        before = len(tables.done)
        draft = ResetDraft(spec.resets[RECIPE], b"", answers, rival.at, Author(8_888, len(tables.done)), pays)
        if pays and not draft.stale(tables, spec):
            draft.apply(tables, spec)
            self.rig.stray |= set(tables.done[before:])
            self.rig.step(Woken(self.rig.now))

    def role(self, _choice: int) -> None:
        self.is_master = not self.is_master
        self.rig.step(RoleChanged(self.rig.now, self.is_master))

    def refuse(self, choice: int) -> None:
        """Nothing more is told, until there is a new session."""
        waiting = list(self.rig.sent)
        if waiting:
            found = waiting[choice % len(waiting)]
            del self.rig.sent[found]
            self.rig.step(Failed(self.rig.now, found, Refused("STOP")))

    def crash(self, choice: int) -> None:
        super().crash(choice)
        self.is_master = True

    def rest(self, *, hint: bool = True) -> None:
        if not self.is_master:
            self.role(0)
        super().rest(hint=hint)


NAMES: Final[Mapping[str, Callable[[AskingWorld, int], None]]] = {
    **ACTIONS,
    "elsewhere": AskingWorld.elsewhere,
    "enemy": AskingWorld.enemy,
    "compete": AskingWorld.compete,
    "role": AskingWorld.role,
    "refuse": AskingWorld.refuse,
    "crash": AskingWorld.crash,
}
#: What happens often is named often.
OFTEN: Final = (
    *NAMES,
    *("happen",) * 4,
    *("deliver",) * 6,
    *("work",) * 8,
    *("settle",) * 3,
    *("answer",) * 6,
    *("tick",) * 3,
    *("crash",) * 2,
)
#: Where nobody else asks, nothing but the engine itself comes back to what it could not do.
QUIET: Final = (
    *("happen", "deliver", "settle", "answer") * 3,
    *("work", "fail", "enemy", "elsewhere", "role"),
)
#: Where two run it at a time, and nothing else moves.
TWO: Final = (*("settle", "answer") * 3, *("elsewhere", "compete") * 2)
histories: Final = st.lists(st.tuples(st.sampled_from(OFTEN), st.integers(0, 23)), min_size=20, max_size=120)


def run(history: Sequence[tuple[str, int]], *, retries: bool) -> AskingWorld:
    """A whole run, to its rest."""
    world = AskingWorld(retries=retries)
    for name, choice in history:
        NAMES[name](world, choice)
        check(world)
    world.rest(hint=False)
    if world.rig.machine.stopped is None:
        check_followed(world)
    world.rest()
    check_followed(world)
    check_rest(world)
    return world


def check_followed(world: AskingWorld) -> None:
    """E-13: everything was made anew since it was asked for last."""
    tables = world.rig.tables
    asked = [int(name.rpartition(":ask")[2]) for name in tables.done if ":ask" in name]
    made = max((int(name.rpartition(":made")[2]) for name in tables.done if ":made" in name), default=0)
    assert made >= max(asked, default=0), f"E-13: asked for {asked}, and made anew as of {made}"


@settings(max_examples=60, deadline=None)
@given(histories, st.booleans())
def test_a_recipe_that_was_asked_for_is_followed_whatever_dies(
    history: list[tuple[str, int]], retries: bool
) -> None:
    """E-13, D-6, K-14, P-3."""
    check_again(run(history, retries=retries))


# -------------------------------------------------------------------------------------- planted faults

FAULTS: Final = (
    Fault("a recipe in memory alone", drafts, "owe",
          "protocol.debts.owe(tx, debt)", "debt.cursor == 1 or protocol.debts.owe(tx, debt)"),
    Fault("a row that is written over is the same", drafts, "debt_of", "else author.draft", "else 1"),
    Fault("a row is told from one that stands, and not from one that was paid", drafts, "owe",
          "stand[debt.instance] = debt",
          "n = 1 + (getattr(stand.get(debt.instance), 'hint', None) or 0); "
          "stand[debt.instance] = debt = debt if debt.cursor != 1 else debt._replace(hint=n)"),
    Fault("what was asked for since is paid", drafts, "_is_newer", "row.hint != paid.hint", "False"),
    Fault("an earlier run's are not looked for", Debts, "found",
          "elif debt.instance not in asked and", "elif debt.instance not in asked and debt.cursor != 1 and"),
    Fault("one that is given up is forgotten", ResetJob, "_fetched",
          "self.core.rest(self._debt, wait_ms)", "pass"),
    Fault("what rests is forgotten", Debts, "found", "for owed in rested.values():", "for owed in ():"),
    Fault("nothing is paid", ResetJob, "_fetched", "else (self._debt,)", "else ()"),
    Fault("what other runs owe is not taken over", Taking, "take_over", "if not others:", "if True:"),
    Fault("what is taken over is for ever", Taking, "_take_on",
          "self._instances -= instances\n        self._owner.read()", "self._owner.read()"),
    Fault("nobody looks for what others owe", Debts, "read",
          "if not self._is_reading:", "if False:"),
    Fault("one that could not be written is not owed", ResetJob, "_failed",
          "self.core.replace((self.cursor,))", "self.core.polled(self.cursor)"),
)  # fmt: skip


def check_many(first: int) -> None:
    """Fixed histories, so that a fault is always found by the same one."""
    for seed in range(first, first + 400):
        random = Random(seed)
        for names, most in ((OFTEN, 120), (QUIET, 24), (TWO, 24)):
            steps = [(random.choice(names), random.randrange(24)) for _ in range(random.randrange(8, most))]
            run(steps, retries=bool(seed % 2))


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_planted_faults_are_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        check_many(SEEDS.get(fault.name, 0))
