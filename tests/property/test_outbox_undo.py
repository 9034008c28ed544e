"""What is taken back when a server refuses what it was told.

Law. A field that is folded by `first` holds what stood before the first of the wishes that became one, so
when none waits any more, what is shown is what the server has: also where they replaced each other, or
cancelled each other out, and whatever was tried before a newer one came. Where others change it too, or one
was done while a newer waits, that holds of a field beside it which `answers` set and `refused` copies back;
and of two opposite wishes the later one is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.folding_world import folding_store
from tests.property.fresh import fresh_box
from tests.property.mutants import HARD, Fault
from tests.property.random_store import RandomStore
from tests.property.test_bulk import IN_MEMORY

from pillarbox.box import Box
from pillarbox.sync.debt_rows import Author
from pillarbox.sync.drafts import BatchDraft
from pillarbox.sync.outbox_drafts import Finish, Mark, ReadAgain
from pillarbox.sync.outbox_specs import OutboxRow, OutboxSpec
from pillarbox_codegen import check_outbox, outbox_entries

TEXT: Final = """
schema: {name: NAME, doc: "A lamp that is wished on or off."}
tables:
  lamps: {id: 1, key: {a: int32}, record: {lit: [1, bool], told: [2, bool]}}
operations:
  show: {code: 1, params: {lit: [1, bool]}, steps: [{patch: {table: lamps, at: 1, set: {lit: lit}}}]}
  tell: {code: 2, params: {lit: [1, bool]}, steps: [{put: {into: lamps, row: {a: 1, lit: lit, told: lit}}}]}
  take_back:
    code: 3
    steps: [{let: {lamp: lamps(1)}}, {patch: {table: lamps, at: 1, set: {lit: lamp.told // false}}}]
requests:
  switch: {code: 1, fields: {lit: [1, bool]}, answers: [done]}
answers:
  done: {code: 2}
outbox:
  table: {id: 140, groups: 141, numbers: 142, cancel: 90}
  turn:
    code: 50
    payload: {lit: [1, bool], was: [2, bool]}
    same: {cancel: lit, fold: {was: first}}
    unique: none
    request: switch
    with: {lit: lit}
    local: [{show: {lit: lit}}]
    refused: [{show: {lit: was}}]
  keep:
    code: 51
    payload: {lit: [1, bool], was: [2, bool]}
    same: {fold: {was: first}}
    unique: none
    request: switch
    with: {lit: lit}
    local: [{show: {lit: lit}}]
    refused: [{show: {lit: was}}]
  ask:
    code: 52
    payload: {lit: [1, bool], was: [2, bool]}
    same: replace
    unique: none
    request: switch
    with: {lit: lit}
    local: [{show: {lit: lit}}]
    answers: {done: [{tell: {lit: lit}}]}
    refused: [{take_back: {}}]
  undo:
    code: 53
    payload: {lit: [1, bool], was: [2, bool]}
    same: {cancel: lit}
    unique: none
    request: switch
    with: {lit: lit}
    local: [{show: {lit: lit}}]
    answers: {done: [{tell: {lit: lit}}]}
    refused: [{take_back: {}}]
"""
Kind: TypeAlias = Literal["turn", "keep", "ask", "undo"]
CODES: Final[dict[Kind, int]] = {"turn": 50, "keep": 51, "ask": 52, "undo": 53}
#: Those that vanish with their opposite, and those that others share.
CANCEL: Final = ("turn", "undo")
SHARED: Final = ("ask", "undo")
Step: TypeAlias = Literal["switch", "again", "send", "done", "refused", "others"]
steps: Final = st.lists(
    st.sampled_from(("switch", "switch", "again", "send", "done", "refused", "others")), max_size=20
)
#: Where wishes come while one is on its way.
tries: Final = st.lists(st.sampled_from(("switch", "send", "refused", "done")), min_size=6, max_size=12)
#: Where others write as well.
shared: Final = st.lists(
    st.sampled_from(("switch", "switch", "others", "send", "refused", "done")), min_size=3, max_size=8
)


class Room:
    """A box with the lamp, its server, and what is on its way."""

    def __init__(self, kind: Kind, box: Box[Any, Any], package: str) -> None:
        self.kind = kind
        self.box = box
        self.lit = False
        self.sent: OutboxRow | None = None
        self._operations = import_module(f"{package}.operations")
        self._answers = import_module(f"{package}.answers")
        self._protocol = import_module(f"{package}.protocol").PROTOCOL
        self.rules = self._protocol.outbox.kinds[CODES[kind]]
        box.replay([self._operations.Tell(lit=False)])

    def do(self, step: Step) -> None:
        """One step; what cannot be does nothing."""
        match step:
            case "switch":
                self.wish(not self.shown())
            case "again" if self.kind not in CANCEL:  # Opposite to what waits is not opposite to what is so.
                self.wish(self.shown())
            case "send" if self.sent is None and (waits := self.waits()):
                self.sent = self.box.transact(lambda tx: self.read(tx, waits[0].number))
            case "done" if self.sent is not None:
                if self.kind not in SHARED and any(it.revision != self.sent.revision for it in self.waits()):
                    return  # What stood before the first is not what the server has then.
                self.lit = self.sent.payload.lit
                self.end(self.sent, refused=False)
            case "refused" if self.sent is not None:
                self.end(self.sent, refused=True)
            case "others" if self.kind in SHARED:
                self.told(lit=not self.lit)

    def told(self, *before: Any, lit: bool) -> None:
        """Others have done that, and the engine is told; what it does before that is in the same batch."""
        self.lit = lit
        told = BatchDraft((*before, self._operations.Tell(lit=lit)))
        self.box.transact(lambda tx: told.apply(tx, self._protocol))

    def wish(self, lit: bool) -> None:
        self.box.replay([self.wished(lit)])

    def wished(self, lit: bool) -> Any:
        return getattr(self._operations, f"Enqueue{self.kind.title()}")(lit=lit, was=self.shown())

    def read(self, tx: Any, number: int) -> OutboxRow | None:
        """As the outbox reads a row before it is sent."""
        code = CODES[self.kind]
        if self.rules.marks:
            return Mark(code, number).apply(tx, self._protocol)
        return ReadAgain(code, number).read(tx, self._protocol)

    def end(self, row: OutboxRow, *, refused: bool) -> None:
        follows: Sequence[Any] = ()
        if refused:
            follows = self.rules.refused(row.payload, "NO")
        elif self.rules.answered is not None:
            follows = self.rules.answered(row.payload, self._answers.Done())
        finish = Finish(row, tuple(follows), (), refused, Author(1, 1))
        self.box.transact(lambda tx: finish.apply(tx, self._protocol))
        self.sent = None

    def shown(self) -> bool:
        with self.box.reading() as tables:
            return bool(tables.lamps.get(1).lit)

    def waits(self) -> list[Any]:
        with self.box.reading() as tables:
            return [row for row in tables.outbox.all() if row.kind == CODES[self.kind]]

    def unmarked(self) -> list[int]:
        """Numbers of those that would vanish with their opposite."""
        numbers = self._protocol.outbox.numbers
        return list(self.box.transact(lambda tx: numbers(tx, CODES[self.kind])))


def law_of(
    store: RandomStore, hard: settings, some: st.SearchStrategy[list[Any]] = steps, *kinds: Kind
) -> None:
    """The law, for one printed schema."""

    @hard
    @given(st.sampled_from(kinds or tuple(CODES)), some)
    def law(kind: Kind, history: Sequence[Step]) -> None:
        with (
            TemporaryDirectory(dir=IN_MEMORY) as folder,
            fresh_box(Path(folder, "a.box"), store.package) as box,
        ):
            room = Room(kind, box, f"pillarbox_{store.schema.name}")
            for step in history:
                room.do(step)
                if not room.waits():
                    assert room.shown() == room.lit, "what is shown is not what the server has"

    law()


def test_when_no_wish_waits_the_server_has_what_is_shown() -> None:
    store = folding_store("undone", TEXT)

    law_of(store, settings())
    law_of(store, settings(), tries)
    law_of(store, settings(), shared, *SHARED)


def test_of_two_opposite_wishes_the_later_is_told_where_others_wrote_between() -> None:
    store = folding_store("undone", TEXT)
    with Box(":memory:", store.package) as box:
        room = Room("undo", box, f"pillarbox_{store.schema.name}")

        for step in ("switch", "others", "switch", "send", "done"):
            room.do(step)

        assert (room.lit, room.shown(), room.waits()) == (False, False, [])


def test_what_the_engine_wishes_itself_hears_of_what_it_does_with_it() -> None:
    """What stood before the wish is not what stands behind it: the opposite must not vanish with it."""
    store = folding_store("wished_at_once", TEXT)
    with Box(":memory:", store.package) as box:
        room = Room("undo", box, f"pillarbox_{store.schema.name}")

        room.told(room.wished(True), lit=True)
        for step in ("switch", "send", "done"):
            room.do(step)

        assert (room.lit, room.shown(), room.waits()) == (False, False, [])


def test_what_waits_is_marked_once_however_much_others_write() -> None:
    """There may be many, and batches come and go."""
    store = folding_store("marked", TEXT)
    with Box(":memory:", store.package) as box:
        room = Room("undo", box, f"pillarbox_{store.schema.name}")
        room.do("switch")
        assert room.unmarked() == [room.waits()[0].number]

        room.do("others")

        assert room.unmarked() == []


#: Of one law: steps, and kinds of rooms.
Law: TypeAlias = tuple[st.SearchStrategy[list[Any]], tuple[Kind, ...]]
_TRIED: Final[Law] = tries, ("turn", "keep")
_SHARED: Final[Law] = shared, ("undo",)
#: Each with the law that finds it soon.
FAULTS: Final = (
    (Fault("what cancels is not folded", outbox_entries, "_enqueue",
           'if "fold" in rule:', 'if "fold" in rule and "cancel" not in rule:'), _TRIED),
    (Fault("what is folded is the newer one", outbox_entries, "_folded",
           "found[key.value] = rule", "found[key.value] = key.value or rule"), _TRIED),
    (Fault("what was tried vanishes", outbox_entries, "_enqueue", " and not old.tried", ""), _TRIED),
    (Fault("what others write is not heard of", OutboxSpec, "meet", "if kind.met and", "if False and"),
     _SHARED),
    (Fault("nothing is known to show the same", check_outbox, "_met",
           "touched(operation, context.tables).written & shown", "False"), _SHARED),
)  # fmt: skip


def _laws_are_broken(store: RandomStore, soon: Law) -> None:
    """First the one that finds the fault soon."""
    for some, kinds in (soon, _SHARED if soon is _TRIED else _TRIED):
        law_of(store, HARD, some, *kinds)


@pytest.mark.parametrize(("fault", "soon"), FAULTS, ids=[str(it) for it, _ in FAULTS])
def test_a_planted_fault_is_found(fault: Fault, soon: Law) -> None:
    with fault.planted():
        store = folding_store(f"undone_{[it for it, _ in FAULTS].index(fault)}", TEXT)

        with pytest.raises(AssertionError):
            _laws_are_broken(store, soon)
