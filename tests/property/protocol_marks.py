"""Random rules for fetching from marks down as text, each beside what it means.

Depends on: protocol_entries, hypothesis.  Never on: the generator, the runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from hypothesis import strategies as st
from tests.property.protocol_entries import ACCOUNT, BOX, Env, Expr, Told

#: What stands beside the rules: a table of marks, a part of the view that wants them, a request, its answer.
TABLE: Final = "  line_marks: {id: 5, key: {a: int32, b: int32}, record: {token: [1, text]}}"
PART: Final = (
    "marked: {window: {of: lines, prefix: [a]}, anchor: newest, around: 5, "
    "holes: {markers: line_marks, prefix: [a]}, want: {name: marked, count: 10}}"
)
REQUEST: Final = (
    "  get_below: {code: 7, fields: {a: [1, int32], b: [2, int32], token: [3, text], n: [4, int32]}, "
    "answers: [below]}"
)
ANSWER: Final = (
    "  below: {code: 36, fields: {rows: [1, list<row<lines>>], end: [2, opt<text>], n: [3, int32]}}"
)
#: a, b and the token of a mark.
Mark: TypeAlias = tuple[int, int, str]


@dataclass(frozen=True)
class Marked:
    """How what lies below marks is fetched. Values are those of the mark, of `ask`, and of the answer."""

    text: str
    request: Callable[[Env], tuple[int, int, str, int]]
    #: The mark that is left; None: nothing is.
    rest: Callable[[Env], Mark | None]
    joins: bool
    emits: Callable[[Env], Sequence[Told]]
    #: (cursor, key or None, part), for the `a` of a mark.
    guards: Callable[[int], Sequence[tuple[int, int | None, int]]]
    highest_first: bool


_WHENS: Final = (
    Expr("end is present", lambda env: env["end"] is not None),
    Expr("n > 1", lambda env: env["n"] > 1),
    Expr("size(rows) > 0 and b > 1", lambda env: len(env["rows"]) > 0 and env["b"] > 1),
)
_PLACES: Final = (
    Expr("last(rows).b // b", lambda env: env["rows"][-1][1] if env["rows"] else env["b"]),
    Expr("b - size(rows)", lambda env: env["b"] - len(env["rows"])),
)
_TOKENS: Final = (
    Expr("end // token", lambda env: env["token"] if env["end"] is None else env["end"]),
    Expr("token", lambda env: env["token"]),
)


@st.composite
def marked(draw: st.DrawFn) -> Marked:
    """With all that rules of marks may have."""
    number = draw(st.sampled_from((Expr("limit", lambda env: env["limit"]), Expr("b", lambda env: env["b"]))))
    when = draw(st.none() | st.sampled_from(_WHENS))
    place, token = draw(st.sampled_from(_PLACES)), draw(st.sampled_from(_TOKENS))
    has_rest, joins, highest_first = draw(st.booleans()), draw(st.booleans()), draw(st.booleans())
    guard = draw(st.sampled_from(("", "box.spot", "box.rev", "account.place")))
    page = "rows: rows, id: row.b"
    if has_rest:
        rest = "" if when is None else f"when: {when.text}, "
        page += f', rest: {{{rest}a: a, b: "{place.text}", token: "{token.text}"}}'
    page += ', joins: "lines([row.a, row.b]) is present"' if joins else ""
    page += ", emits: [{set_row: {a: l.a, b: l.b, x: n}, each: rows as l}]"
    text = "  marked: {table: line_marks, group: [a], order: lines, "
    text += f"ask: {{request: get_below, with: {{a: a, b: b, token: token, n: {number.text}}}}}, "
    text += f"answers: {{below: {{{page}}}}}"
    text += f", guards: {{domain: {guard}{', key: a' if guard.startswith('box') else ''}}}" if guard else ""
    text += ", highest_first: true}" if highest_first else "}"

    def request(env: Env) -> tuple[int, int, str, int]:
        return env["a"], env["b"], env["token"], number.value(env)

    def left(env: Env) -> Mark | None:
        if not has_rest or (when is not None and not when.value(env)):
            return None
        return env["a"], place.value(env), token.value(env)

    def guards(a: int) -> Sequence[tuple[int, int | None, int]]:
        known = {"box.spot": (BOX, a, 1), "box.rev": (BOX, a, 0), "account.place": (ACCOUNT, None, -1)}
        return [known[guard]] if guard else []

    def emits(env: Env) -> Sequence[Told]:
        return [("set_row", a, b, env["n"]) for a, b, _ in env["rows"]]

    return Marked(text, request, left, joins, emits, guards, highest_first)
