"""Rows that several updates miss are asked for together (sync.md A-3, A-4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.unit.sync.engine_rig import Rig
from tests.unit.sync.engine_world import (
    ACCOUNT,
    CHANNEL,
    COVERED,
    HOLD_MS,
    REV,
    A,
    Tables,
    U,
    body,
    channel,
    protocol,
    push,
    rev,
)

from pillarbox.sync.gathering import gathered
from pillarbox.sync.needs import Needs
from pillarbox.sync.protocol import Absent, Body, Gather, Need, Row, SyncProtocol
from pillarbox.sync.signals import Flood


class Rows(NamedTuple):
    """Asks for rows of one kind."""

    kind: str
    ids: tuple[str, ...]
    of: str = ""


MOST = 3


def spec() -> SyncProtocol:
    rule = Gather(lambda it: it.ids, lambda it, ids: it._replace(ids=ids), MOST)
    return replace(protocol(), gathers={Rows: rule})


def row(name: str) -> Row:
    return 9, name.encode()


def update(name: str, end: int, absent: Absent = Absent.SKIP) -> U:
    """One that needs the row of this name."""
    return U(f"uses {name}", rev(end), needs=(Need(row(name), absent, Rows("rows", (name,))),))


def answer(*names: str, but: str = "") -> A:
    """These rows."""
    there = [name for name in names if name != but]
    return A(body=Body(tuple(f"+{name}" for name in there), brings=frozenset(map(row, there))))


ids = st.lists(st.sampled_from("abcdefgh"), max_size=5).map(tuple)
requests = st.builds(Rows, st.sampled_from(["rows", "others"]), ids, st.sampled_from(["", "x"]))


@given(asked=st.lists(requests | st.tuples(st.just("plain"), st.integers(0, 3)), max_size=12))
@example([Rows("rows", ("d", "c", "b", "a"), ""), Rows("rows", ("d", "c", "b", "a", "a"), "")])
def test_each_request_is_part_of_one_that_is_sent(asked: list[Any]) -> None:
    found = gathered(spec(), asked)

    assert sorted(map(repr, (part for parts in found.values() for part in parts))) == sorted(
        set(map(repr, asked))
    )
    for made, parts in found.items():
        if not isinstance(made, Rows):
            assert parts == (made,)
            continue
        assert {(part.kind, part.of) for part in parts} == {(made.kind, made.of)}
        assert list(made.ids) == list(dict.fromkeys(id for part in parts for id in part.ids))
        # One that is too long by itself goes alone, or with those that ask for nothing else.
        assert len(made.ids) <= max(MOST, *(len(set(part.ids)) for part in parts))


def test_what_is_missing_of_a_batch_is_asked_for_together() -> None:
    """A-3, A-4: one request for three rows, and another for what is beyond its bound."""
    rig = Rig(spec=spec()).start()

    rig.receive(push(*(update(name, 11 + place) for place, name in enumerate("abcd"))))
    assert rig.asked == [Rows("rows", ("a", "b", "c")), Rows("rows", ("d",))]

    rig.answer("rows", answer("a", "b", "c", but="b")).answer("rows", answer("d"))
    assert rig.tables.done == ["+a", "+c", "+d", "uses a", "uses c", "uses d"]


def met_by_another(rig: Rig) -> Rig:
    """Two rows are asked for, and somebody else writes one of them before the answer comes."""
    rig.start().receive(push(update("a", 11), update("b", 12)))
    rig.tables.rows[row("a")] = "newer"
    return rig.answer("rows", answer("a", "b"))


def test_what_came_with_a_row_that_stands_by_now_is_asked_for_alone() -> None:
    """E-22: the answer is older than the row, which must not be written over."""
    rig = met_by_another(Rig(spec=spec()))
    assert (rig.tables.done, rig.waiting("rows")) == ([], [Rows("rows", ("b",))])

    rig.answer("rows", answer("b"))

    assert rig.tables.rows[row("a")] == "newer"
    assert rig.tables.done == ["+b", "uses a", "uses b"]


def test_it_fails_when_all_that_came_together_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault: an answer for several rows counts while any of them is missing."""
    monkeypatch.setattr(Needs, "asks", lambda self: tuple(self._wants))

    assert met_by_another(Rig(spec=spec())).tables.rows[row("a")] == "+a"


def test_a_row_that_is_not_given_is_not_asked_for_again() -> None:
    """A-9: what is still missing is so for good."""
    rig = Rig(spec=spec()).start().receive(push(update("a", 11), update("b", 12, Absent.IGNORE)))

    rig.answer("rows", answer())

    assert rig.tables.done == ["uses b"]
    assert rig.waiting("rows") == []


def test_what_was_flooded_with_others_is_not_asked_for_alone() -> None:
    """Section 12: nor with others again."""
    tables = Tables({(ACCOUNT, b""): (10, 5, 7, 0), (CHANNEL, 5): (50,), (CHANNEL, 6): (50,)})
    rig = Rig(tables, spec()).start()
    rig.receive(push(U("52", channel(52)), U("52", channel(52, key=6))))
    for key, names in ((5, "ab"), (6, "bc")):
        needy = [replace(update(name, 1), claim=channel(51, key=key)) for name in names]
        rig.answer("difference", A(set={0: 52}, body=body(*needy, covered=COVERED)), cursor=CHANNEL)
        if key == 5:
            rig.fail("rows", Flood(60_000))

    assert rig.wait(59_999).waiting("rows") == []
    rig.wait(1)
    assert len(rig.waiting("difference")) == 2


@pytest.mark.parametrize("said", [True, False])
def test_what_comes_in_the_batch_is_not_asked_for(said: bool) -> None:
    """A-3: one update needs what another one with it writes, in a push as in an answer."""

    def brings(update: U) -> list[Row]:
        return [row("a")] if update.name == "+a" else []

    one = spec()
    rules = replace(one.updates, brings=brings if said else None)
    rig = Rig(spec=replace(one, updates=rules)).start()

    rig.receive(push(U("+a", rev(11)), update("a", 12, Absent.IGNORE)))
    assert rig.tables.done == (["+a", "uses a"] if said else [])
    assert rig.waiting("rows") == ([] if said else [Rows("rows", ("a",))])

    if not said:
        return
    rig.tables.rows.clear()
    rig.receive(push(U("gap", rev(20)))).wait(HOLD_MS)
    brought = Body((), (U("+a"), update("a", 12, Absent.IGNORE)), covered=frozenset({(ACCOUNT, REV)}))
    rig.answer("difference", A(set={0: 20}, body=brought))
    assert rig.tables.done == ["+a", "uses a", "+a", "uses a"]


def test_what_is_left_out_brings_nothing() -> None:
    """A-9: the row of an update that waits at a gap is not there for those that do not."""
    one = spec()
    rules = replace(one.updates, brings=lambda update: [row("a")] if update.name == "+a" else [])
    rig = Rig(spec=replace(one, updates=rules)).start()

    free = U("free", needs=(Need(row("a"), Absent.SKIP, Rows("rows", ("a",))),))
    rig.receive(push(U("+a", rev(13)), free))

    assert rig.tables.done == []
    assert rig.waiting("rows") == [Rows("rows", ("a",))]
