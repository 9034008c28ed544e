"""Random kinds of an outbox as text, each beside what it means.

Depends on: protocol_entries, hypothesis.  Never on: the generator, the runtime.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st
from tests.property.protocol_entries import FIELDS, Entry, Env, Expr, act, guarded, ints, operation, switch

#: Codes of refusals.
CODES: Final = ("GONE", "SLOW", "FULL")
#: The request of all kinds, what is answered to it, and the container that only counts.
REQUEST: Final = "  do_it: {code: 5, fields: {a: [1, int32], b: [2, int32]}, answers: [one, counted]}"
COUNTED: Final = (
    "  counted: {code: 49, fields: {rev: [1, int64], count: [2, int32]}, "
    "steps: [{domain: account.c0, end: rev, count: count}]}"
)
_FIRST_CODE: Final = 60


@dataclass(frozen=True)
class Wish:
    """One kind; of what follows entries stand for the payload, with `answer.FIELD` and `code` beside it."""

    name: str
    code: int
    text: str
    request: Callable[[Env], tuple[int, int]]
    one: tuple[Entry, ...]
    counted: tuple[Entry, ...]
    refused: tuple[Entry, ...]
    retry: frozenset[str]
    delay_ms: int
    limit: int
    backoff: tuple[int, int]
    marks: bool
    #: Of such fields wishes of one group are alike.
    per: tuple[str, ...]
    #: What waits of two wishes of a group.
    waits: Callable[[Env, Env], Sequence[Env]]


_SAME: Final[dict[str, Callable[[Env, Env], Sequence[Env]]]] = {
    "append": lambda old, new: [old, new],
    "replace": lambda _, new: [new],
    "{cancel: flag}": lambda old, new: [new] if old["flag"] == new["flag"] else [],
}
#: Fields, rules that they may be folded by, and what those mean.
_FOLDS: Final = (
    ("x", "max", max),
    ("end", "min", min),
    ("maybe", "first", lambda old, _: old),
    ("many", "union", lambda old, new: tuple(dict.fromkeys((*old, *new)))),
    ("many", "concat", lambda old, new: (*old, *new)),
    ("prev", "first", lambda old, _: old),
    ("mode", "first", lambda old, _: old),
)


@st.composite
def _same(draw: st.DrawFn) -> tuple[str, Callable[[Env, Env], Sequence[Env]]]:
    """What becomes of two wishes of a group."""
    if draw(st.integers(0, 2)):
        return draw(st.sampled_from(tuple(_SAME.items())))
    rules = draw(st.lists(st.sampled_from(_FOLDS), min_size=1, unique_by=lambda it: it[0]))
    text = ", ".join(f"{name}: {word}" for name, word, _ in rules)

    def joined(old: Env, new: Env) -> Sequence[Env]:
        return [{**new, **{name: rule(old[name], new[name]) for name, _, rule in rules}}]

    return f"{{fold: {{{text}}}}}", joined


def _of_code() -> st.SearchStrategy[Entry]:
    """An operation where it was refused with that code."""

    def made(code: str) -> Entry:
        when = Expr(f"code == '{code}'", lambda env: env["code"] == code)
        return guarded("set_row: {a: a, b: b, x: 7}", when, lambda env: [("set_row", env["a"], env["b"], 7)])

    return st.sampled_from(CODES).map(made)


def _listed(name: str, entries: Sequence[Entry]) -> list[str]:
    return [f"{name}: [{', '.join(it.text for it in entries)}]"] if entries else []


@st.composite
def wish(draw: st.DrawFn, place: int) -> Wish:
    """With all that a kind may have."""
    asked = draw(ints(("a", "b", "x"))), draw(ints(("a", "b")))
    local = tuple(draw(st.lists(operation(), max_size=2)))
    of_one = st.one_of(operation(("a", "b", "answer.a")), act(("a", "answer.b")), switch())
    one = tuple(draw(st.lists(of_one, max_size=3)))
    refused = tuple(draw(st.lists(st.one_of(operation(), act(), _of_code()), max_size=3)))
    retry = draw(st.sets(st.sampled_from(CODES), max_size=2))
    delay_ms, limit = draw(st.sampled_from((0, 500))), draw(st.sampled_from((1, 10)))
    backoff = draw(st.sampled_from(((200, 5_000), (1_000, 30_000))))
    same, waits = draw(_same())
    tells = [
        name for name in ("a", "b", "x") if re.search(rf"\b{name}\b", f"{asked[0].text} {asked[1].text}")
    ]
    unique, per = draw(st.sampled_from(("none", *tells))), draw(st.sampled_from((("a",), ("b", "a"))))
    parts = [f"code: {_FIRST_CODE + place}", f"payload: {FIELDS}}}", f"unique: {unique}", f"same: {same}"]
    parts += [f"per: [{', '.join(per)}]", "request: do_it"]
    parts += [f'with: {{a: "{asked[0].text}", b: "{asked[1].text}"}}', f"delay_ms: {delay_ms}"]
    parts += [f"limit: {limit}", f"retry: {{step_ms: {backoff[0]}, cap_ms: {backoff[1]}}}"]
    parts += _listed("local", local) + _listed("refused", refused)
    parts += [f"errors: {{{', '.join(f'{code}: retry' for code in sorted(retry))}}}"] if retry else []
    if draw(st.booleans()) and local:
        counted, answers = local, ["counted: local"]
    else:
        counted = tuple(draw(st.lists(operation(("a", "b", "answer.rev")), max_size=2)))
        answers = _listed("counted", counted)
    answers += _listed("one", one)
    parts += [f"answers: {{{', '.join(answers)}}}"] if answers else []

    def request(env: Env) -> tuple[int, int]:
        return asked[0].value(env), asked[1].value(env)

    return Wish(
        f"wish_{place}", _FIRST_CODE + place, f"{{{', '.join(parts)}}}", request, one, counted, refused,
        frozenset(retry), delay_ms, limit, backoff, same == "{cancel: flag}", per, waits,
    )  # fmt: skip


def text_of(wishes: Sequence[Wish]) -> list[str]:
    """The outbox, line by line."""
    if not wishes:
        return []
    table = "  table: {id: 140, groups: 141, numbers: 142, cancel: 40}"
    return ["outbox:", table, *(f"  {it.name}: {it.text}" for it in wishes)]
