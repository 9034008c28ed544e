"""Random rules for fetching ranges as text, each beside what it means.

Depends on: protocol_entries, hypothesis.  Never on: the generator, the runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st
from tests.property.protocol_entries import ACCOUNT, BOX, Env, Expr, Told
from tests.property.protocol_marks import PART

#: What stands beside the rules: a table of ranges, a view that wants them, a request and its answer.
TABLE: Final = "  line_holes: {id: 2, ranges: {group: {a: int32}, over: {b: int32}, from: 1, to: 1000}}"
VIEW: Final = (
    "views: {shown: {key: {a: int32}, parts: {lines: {window: {of: lines, prefix: [a]}, anchor: newest, "
    'around: 5, holes: {ranges: line_holes, at: "[a]", by: b}, want: {name: wanted, count: 10}}, '
    f"{PART}}}}}}}"
)
REQUEST: Final = (
    "  get_page: {code: 6, fields: {a: [1, int32], lo: [2, int32], hi: [3, int32], step: [4, int32]}, "
    "answers: [page]}"
)
ANSWER: Final = (
    "  page: {code: 35, fields: {lines: [1, list<row<lines>>], rev: [2, opt<int64>], n: [3, int32]}}"
)


@dataclass(frozen=True)
class Pages:
    """How the ranges are fetched. Values are those of the hole's group, of `ask`, and of the answer."""

    text: str
    #: The fields of the request; None: nobody is asked.
    request: Callable[[Env], tuple[int, ...] | None]
    #: Of values with `row.a`, `row.b` and `row.x`.
    belongs: Callable[[Env], bool]
    whole: Callable[[Env], bool]
    says_when: bool
    emits: Callable[[Env], Sequence[Told]]
    #: Over `a`: whether it is known which rows are stored. None: of no group.
    knows: Expr | None
    #: What takes the rows with these `b` away, where it is said.
    absent: Callable[[Env, Sequence[int]], Sequence[Told]] | None
    #: (cursor, key or None, part), for the `a` of a group.
    guards: Callable[[int], Sequence[tuple[int, int | None, int]]]
    #: (`a` or None, `b` or None, part) for an operation that sets a row; None: nobody knows.
    notes: Callable[[int, int, int], Sequence[tuple[int | None, int | None, bool]] | None]
    #: page, cooldown_ms, parallel
    limits: tuple[int, int, int]


_WHENS: Final = (
    Expr("up", lambda env: env["up"]),
    Expr("not around", lambda env: not env["around"]),
    Expr("limit > 3", lambda env: env["limit"] > 3),
    Expr("down or a == 1", lambda env: env["down"] or env["a"] == 1),
)
_BELONGS: Final = (
    Expr("row.a == a", lambda env: env["row.a"] == env["a"]),
    Expr("row.x > 1 or up", lambda env: env["row.x"] > 1 or env["up"]),
)
_WHOLE: Final = (
    Expr("not up and size(lines) < limit", lambda env: not env["up"] and len(env["lines"]) < env["limit"]),
    Expr("n == 0", lambda env: env["n"] == 0),
)


@st.composite
def _asked(draw: st.DrawFn) -> tuple[str, Callable[[Env], tuple[int, ...]]]:
    names = [draw(st.sampled_from(("a", "lo", "hi", "limit", "half"))) for _ in range(3)]
    text = f"request: get_page, with: {{a: {names[0]}, lo: {names[1]}, hi: {names[2]}, step: step}}"

    def values(env: Env) -> tuple[int, ...]:
        way = "up" if env["up"] else "down" if env["down"] else "around"
        return (*(env[name] for name in names), env[{"up": "lo", "down": "hi", "around": "half"}[way]])

    return text, values


@st.composite
def _emits(draw: st.DrawFn) -> tuple[str, Callable[[Env], Sequence[Told]]]:
    when = draw(st.none() | st.sampled_from(_WHENS))
    text = "{set_row: {a: l.a, b: l.b, x: l.x}, each: lines as l"
    text += "}" if when is None else f', when: "{when.text}"}}'

    def told(env: Env) -> Sequence[Told]:
        rows = env["lines"] if when is None or when.value(env) else ()
        return [("set_row", *row) for row in rows]

    return f"[{text}]", told


@st.composite
def _absent(draw: st.DrawFn) -> tuple[str, str, Expr | None, Any]:
    """What stands in holes, and what becomes of it that is not on a page."""
    if not draw(st.booleans()):
        return "", "", None, None
    knows = draw(st.sampled_from((Expr("true", lambda _: True), Expr("a > 1", lambda env: env["a"] > 1))))
    when = draw(st.none() | st.sampled_from(_WHENS))
    text = "set_row: {a: a, b: c, x: n}, each: absent as c"
    text += "" if when is None else f', when: "{when.text}"'
    stored = '{in: lines, at: "[a]"' + ("}" if knows.text == "true" else f', when: "{knows.text}"}}')

    def absent(env: Env, ids: Sequence[int]) -> Sequence[Told]:
        return [("set_row", env["a"], id, env["n"]) for id in ids if when is None or when.value(env)]

    return f", absent: [{{{text}}}]", f", stored: {stored}", knows, absent


@st.composite
def _notes(draw: st.DrawFn) -> tuple[str, Any]:
    known = draw(st.sampled_from(("nothing", "", "a: a", "a: a, id: b", "a: a, id: b, part: true")))
    if known == "nothing":
        return "", lambda a, b, x: None
    asks = draw(st.booleans())

    def notes(a: int, b: int, x: int) -> Sequence[tuple[int | None, int | None, bool]]:
        if asks and x <= 1:
            return []
        return [(a if "a: a" in known else None, b if "id: b" in known else None, "part" in known)]

    when = ', when: "x > 1"' if asks else ""
    return f", changes: [{{set_row: {{{known}}}{when}}}]", notes


@st.composite
def pages(draw: st.DrawFn) -> Pages:
    """With all that rules of ranges of one number may have."""
    first, other, when = draw(_asked()), draw(_asked()), draw(st.none() | st.sampled_from(_WHENS))
    is_asked = draw(st.booleans())
    belongs = draw(st.none() | st.sampled_from(_BELONGS))
    whole = draw(st.none() | st.sampled_from(_WHOLE))
    emits, notes = draw(_emits()), draw(_notes())
    says_when = draw(st.booleans())
    gone, stored, knows, absent = draw(_absent())
    # Of tokens nobody can say which of two comes first.
    kinds = ("box", "box when", "account") if says_when else ("box", "box when", "account", "spot", "place")
    counters = st.sampled_from(kinds)
    guarded = draw(st.lists(counters, unique=True, min_size=int(says_when), max_size=2))
    limits = draw(st.sampled_from(((50, 20_000, 4), (7, 100, 1))))
    ask = f"{{{other[0]}}}"
    if when is not None:
        ask = f'[{{when: "{when.text}", {first[0] if is_asked else "request: none"}}}, {ask}]'
    page = f"rows: lines, id: row.b, emits: {emits[0]}"
    page += "" if belongs is None else f', belongs: "{belongs.text}"'
    page += "" if whole is None else f', whole: "{whole.text}"'
    page += ", as_of: rev" if says_when else ""
    page += gone
    guards = {
        "box": "{domain: box.rev, key: a}",
        "box when": "{domain: box.rev, key: a, when: a > 1}",
        "account": "{domain: account.c0}",
        "spot": "{domain: box.spot, key: a}",
        "place": "{domain: account.place}",
    }
    text = "  wanted: {table: line_holes, ways: {up: {step: lo}, down: {step: hi}, around: {step: half}}"
    text += f", ask: {ask}, answers: {{page: {{{page}}}}}{stored}{notes[0]}"
    text += f", guards: [{', '.join(guards[it] for it in guarded)}]" if guarded else ""
    text += f", limits: {{page: {limits[0]}, cooldown_ms: {limits[1]}, parallel: {limits[2]}}}}}"

    def request(env: Env) -> tuple[int, ...] | None:
        if when is not None and when.value(env):
            return first[1](env) if is_asked else None
        return other[1](env)

    def of_group(a: int) -> Sequence[tuple[int, int | None, int]]:
        known = {
            "account": (ACCOUNT, None, 0),
            "place": (ACCOUNT, None, -1),
            "spot": (BOX, a, 1),
            "box": (BOX, a, 0),
        }
        return [known[it.split()[0]] for it in guarded if it != "box when" or a > 1]

    return Pages(
        text,
        request,
        lambda env: belongs is None or bool(belongs.value(env)),
        lambda env: whole is not None and bool(whole.value(env)),
        says_when,
        emits[1],
        knows,
        absent,
        of_group,
        notes[1],
        limits,
    )
