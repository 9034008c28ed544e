"""Claims of tokens among those of counters: instances with a key, steps, what begins anew."""

from __future__ import annotations

from typing import Any, Final

import pytest

from pillarbox.sync.claims import Claim
from pillarbox.sync.cursor_parts import PartKind, PartSpec, Unknown
from pillarbox.sync.debt_rows import Author
from pillarbox.sync.decide import Decision, Situation, decide
from pillarbox.sync.pieces import Keyed, Origin, Piece, refuse_unsound
from pillarbox.sync.protocol import CursorSpec, SyncProtocol, UpdateRules

ROOM: Final = 7
AT: Final = (ROOM, b"a")
HOLD_MS: Final = 300


def protocol(unknown: Unknown = Unknown.POLL) -> SyncProtocol:
    """Rooms with a counter and a token each."""
    parts = (PartSpec("rev"), PartSpec("next", PartKind.TOKEN, hold_ms=HOLD_MS))
    return SyncProtocol(
        updates=UpdateRules(
            claim=lambda _: None,
            emit=lambda _update, _around: (),
            beside=lambda _: None,
            needs=lambda _: (),
        ),
        open=lambda container: container,
        cursors={ROOM: CursorSpec(ROOM, "room", True, parts, unknown=unknown)},
        resets={},
        debts=None,
        replay=lambda _tables, _operations: None,
        position=lambda _tables, _cursor, _key: None,
        advance=lambda _tables, _cursor, _key, _parts: None,
        row=lambda _tables, _row: None,
    )


def decided(
    *claims: tuple[str, Claim],
    position: tuple[Any, ...] | None = (3, "p"),
    unknown: Unknown = Unknown.POLL,
    now: int = 0,
) -> Decision:
    """What becomes of updates of a room; one without a name is a step."""
    keyed = tuple(Keyed(AT, name or None, claim) for name, claim in claims)
    situation = Situation(protocol(unknown), {AT: position}, now, Author(1, 1))
    return decide(situation, [Piece(Origin(), keyed=keyed)], lambda *_, **__: None)


def token(start: str, end: str) -> Claim:
    return Claim(*AT, 1, start, end)


def applied(decision: Decision) -> list[Any]:
    return [it.keyed.update for it in decision.keyed]


def test_links_and_counters_of_one_instance_move_it_together() -> None:
    """K-1."""
    found = decided(("two", token("q", "r")), ("counted", Claim(*AT, 0, 3, 4)), ("one", token("p", "q")))

    assert applied(found) == ["counted", "one", "two"]
    assert found.moves == {AT: {0: 4, 1: "r"}}


def test_what_follows_on_another_token_waits_and_is_owed_then_without_a_hint() -> None:
    """G-3, G-14, K-13: of a token nobody can say how far it is."""
    first = decided(("it", token("q", "r")))
    assert (applied(first), first.moves, len(first.held)) == ([], {}, 1)

    later = decide(
        Situation(protocol(), {AT: (3, "p")}, HOLD_MS, Author(1, 1)), first.held, lambda *_, **__: None
    )

    assert later.held == []
    assert [(owed.debt.instance, owed.debt.hint, owed.top) for owed in later.owed] == [(AT, None, None)]


def test_an_instance_that_is_not_known_is_owed() -> None:
    """K-3."""
    found = decided(("it", token("q", "r")), position=None)

    assert [(owed.debt.instance, owed.top) for owed in found.owed] == [(AT, None)]


def test_an_instance_that_is_adopted_begins_with_the_token_that_no_other_leads_to() -> None:
    """K-3."""
    found = decided(("two", token("q", "r")), ("one", token("p", "q")), position=None, unknown=Unknown.ADOPT)

    assert applied(found) == ["one", "two"]
    assert found.moves == {AT: {1: "r"}}


#: Of which nobody can tell whether it is old is held as well.
STEPS: Final = [(("p", "q"), True), (("q", "r"), True), (("o", "p"), False), (("p", "p"), False)]


@pytest.mark.parametrize(("step", "is_held"), STEPS)
def test_a_step_of_a_token_waits_unless_it_is_here(step: tuple[str, str], is_held: bool) -> None:
    """G-19: it says that something came between, and not what."""
    found = decided(("", token(*step)))

    assert (found.moves, bool(found.held)) == ({}, is_held)


@pytest.mark.parametrize("claim", [Claim(*AT, 1, 3, 4), Claim(*AT, 1, None, "q"), Claim(*AT, 0, "p", "q")])
def test_what_is_no_token_or_no_number_is_refused(claim: Claim) -> None:
    """G-7."""
    with pytest.raises(TypeError, match="is no"):
        refuse_unsound(protocol(), claim)
