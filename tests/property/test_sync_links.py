"""Claims of tokens held against what the server knows and does not tell: in which order the tokens came."""

from __future__ import annotations

from typing import Final, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault

from pillarbox.sync import Claim, Instance, Plan, Position, links

#: The places of two tokens, those of no length among them, by the number of an update.
Sent: TypeAlias = list[tuple[int, int]]
CURSOR: Final = 310
KEYS: Final = (b"a", b"b")
PLACES: Final = 5
#: Numbers of updates as they arrive together.
Batch: TypeAlias = list[int]


@st.composite
def streams(draw: st.DrawFn) -> tuple[list[str], list[Sent], list[Batch]]:
    """The token of each place, what was sent of two streams, and what of it arrived in which order."""
    tokens = list(draw(st.permutations("pqrstuvwxyz"[: PLACES + 1])))
    sent: list[Sent] = []
    for _ in KEYS:
        ends = sorted(draw(st.sets(st.integers(1, PLACES - 1), max_size=3)))
        moves = list(zip([0, *ends], [*ends, PLACES], strict=True))
        empty = draw(st.lists(st.sampled_from([0, *ends]), max_size=2))
        sent.append([*moves, *((place, place) for place in empty)])
    numbers = range(sum(map(len, sent)))
    batches = draw(st.lists(st.lists(st.sampled_from(numbers), max_size=6), max_size=4))
    return tokens, sent, [*batches, draw(st.permutations(numbers))]


def law(tokens: list[str], sent: list[Sent], batches: list[Batch]) -> None:
    """Everything takes effect once and in order; nothing is called old that is due, nor held that is here."""
    spans = [(key, span) for key, some in zip(KEYS, sent, strict=True) for span in some]
    claims = [Claim(CURSOR, key, 0, tokens[start], tokens[end]) for key, (start, end) in spans]
    where: dict[Instance, Position] = {(CURSOR, key): (tokens[0],) for key in KEYS}
    done: list[int] = []
    held: tuple[int, ...] = ()
    for batch in batches:
        offered = [*held, *batch]
        found: Plan[int] = links.follow([(number, claims[number]) for number in offered], where)
        assert sorted((*found.apply, *found.old, *found.held)) == sorted(offered)
        visited = {(key, where[CURSOR, key]) for key in KEYS}
        for number in found.apply:
            key, (start, end) = spans[number]
            assert where[CURSOR, key] == (tokens[start],)
            where[CURSOR, key] = (tokens[end],)
            visited.add((key, where[CURSOR, key]))
        for instance, parts in found.moves.items():
            assert where[instance] == (parts[0],)
        assert {spans[number][0] for number in found.apply} == {key for _, key in found.moves}
        for number in (*found.old, *found.held):
            key, (start, end) = spans[number]
            was_here = (key, (tokens[end],)) in visited
            assert (number in found.old) == was_here, "held though it was passed, or old and nobody knows"
            assert start < end or not was_here, "what is of no length was due"
            assert where[CURSOR, key] != (tokens[start],)
        shown = {(spans[number][0], where[CURSOR, spans[number][0]]) for number in found.held}
        assert {(gap.key, (gap.have,)) for gap in found.gaps} == shown
        done += [number for number in found.apply if spans[number][1][0] < spans[number][1][1]]
        held = found.held
    assert sorted(done) == [number for number, (_, (start, end)) in enumerate(spans) if start < end]
    # Of what is long past nobody can tell that it is: the engine drops it with what it asks for.
    assert all(where[CURSOR, spans[number][0]] == (tokens[PLACES],) for number in held)


@given(streams())
def test_what_claims_tokens_is_applied_once_and_in_order(
    it: tuple[list[str], list[Sent], list[Batch]],
) -> None:
    """G-2, G-3, G-4."""
    law(*it)


def test_of_two_that_follow_on_one_token_the_second_shows_a_gap() -> None:
    one, other = Claim(CURSOR, b"", 0, "p", "q"), Claim(CURSOR, b"", 0, "p", "r")

    found: Plan[str] = links.follow([("one", one), ("other", other)], {(CURSOR, b""): ("p",)})

    assert (found.apply, found.held, found.moves) == (("one",), ("other",), {(CURSOR, b""): {0: "q"}})


def test_a_token_without_text_is_malformed() -> None:
    found: Plan[str] = links.follow([("it", Claim(CURSOR, b"", 0, "p", ""))], {(CURSOR, b""): ("p",)})

    assert (found.apply, found.malformed, found.moves) == ((), ("it",), {})


# -------------------------------------------------------------------------------------- planted faults
FAULTS: Final = (
    Fault("links are not followed", links, "_way",
          "            here = claimed[", "            there = claimed["),
    Fault("any token does", links, "_way",
          "begins.pop(here, None)", "begins.pop(min(begins, default=None), None)"),
    Fault("what is of no length comes behind", links, "_way",
          "[*empty, *moving[:1]]", "[*moving[:1], *empty]"),
    Fault("what is of no length is left out", links, "_way", "[*empty, *moving[:1]]", "moving[:1]"),
    Fault("what was passed is held", links, "_way", "passed.add(here)", "pass"),
    Fault("what is beyond is old", links, "follow", "held += [update for update, _ in beyond]",
          "old += [update for update, _ in beyond]"),
    Fault("nothing waits", links, "follow", "held += [update for update, _ in beyond]", "pass"),
    Fault("a gap is not told of", links, "follow", "if beyond:", "if False:"),
    Fault("all tokens are one", links, "follow", "setdefault((claim.instance, claim.part), [])",
          "setdefault(((claim.cursor, b'a'), claim.part), [])"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with fault.planted(), pytest.raises((AssertionError, NameError, KeyError)):
        HARD(given(streams())(lambda it: law(*it)))()
