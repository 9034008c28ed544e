"""Tokens: which updates follow on what is already applied, where nobody can tell which of two comes first.

Depends on: claims.  Never on: boxes, transports, clocks; plain data in, plain data out.

Law: a claim of a token takes effect where it begins with the token that is held, which becomes the one that
it ends with; so a batch is followed link by link, in whatever order it came. One that ends with a token which
is held, or was on that way, is old; of any other nobody can tell, so it shows a gap (sync.md G-2, G-3, G-4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from pillarbox.sync.claims import Claim, Gap, Instance, Plan, Position, Verdict

U = TypeVar("U")


def check(token: str | None, claim: Claim) -> Verdict:
    """Hold one claim against its token."""
    if not claim.end:
        return Verdict.MALFORMED
    if claim.start == token:
        return Verdict.APPLY
    return Verdict.OLD if claim.end == token else Verdict.GAP


def follow(items: Sequence[tuple[U, Claim]], positions: Mapping[Instance, Position]) -> Plan[U]:
    """Decide on each update, each token by itself.

    Of claims that begin alike those of no length go first, and then one, the first that came.
    """
    tokens: dict[tuple[Instance, int], list[tuple[U, Claim]]] = {}
    malformed: list[U] = []
    for update, claim in items:
        if claim.end:
            tokens.setdefault((claim.instance, claim.part), []).append((update, claim))
        else:
            malformed.append(update)
    apply: list[U] = []
    old: list[U] = []
    held: list[U] = []
    gaps: list[Gap] = []
    moves: dict[Instance, dict[int, str]] = {}
    for (instance, part), claimed in tokens.items():
        position = positions[instance]
        way = _way(claimed, None if position is None else position[part])
        apply += [update for update, _ in way.taken]
        if way.taken:
            moves.setdefault(instance, {})[part] = way.end
        old += [update for update, claim in way.left if claim.end in way.passed]
        beyond = [it for it in way.left if it[1].end not in way.passed]
        held += [update for update, _ in beyond]
        if beyond:
            gaps.append(Gap(*instance, part, way.end, beyond[0][1].start))
    return Plan(tuple(apply), moves, tuple(old), tuple(held), tuple(malformed), tuple(gaps))


class _Way(NamedTuple):
    """From the token that is held, link by link."""

    taken: list[tuple[Any, Claim]]
    #: What is no link of it, in the order in which it came.
    left: list[tuple[Any, Claim]]
    passed: frozenset[Any]
    end: Any


def _way(claimed: Sequence[tuple[Any, Claim]], here: Any) -> _Way:
    begins: dict[str, list[int]] = {}
    for place, (_, claim) in enumerate(claimed):
        begins.setdefault(claim.start, []).append(place)
    passed = {here}
    taken: list[int] = []
    while following := begins.pop(here, None):
        empty = [place for place in following if claimed[place][1].end == here]
        moving = [place for place in following if claimed[place][1].end != here]
        taken += [*empty, *moving[:1]]
        if moving:
            here = claimed[moving[0]][1].end
            passed.add(here)
    is_taken = frozenset(taken)
    left = [it for place, it in enumerate(claimed) if place not in is_taken]
    return _Way([claimed[place] for place in taken], left, frozenset(passed), here)
