"""Random protocols as text, and what they mean, told by plain functions beside it.

Depends on: protocol_models, protocol_entries, hypothesis.  Never on: the generator, the runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from hypothesis import strategies as st
from tests.property.protocol_entries import (
    ACCOUNT,
    BOX,
    FIELDS,
    Env,
    Expr,
    Told,
    act,
    conditions,
    ints,
    operation,
    switch,
)
from tests.property.protocol_holes import pages
from tests.property.protocol_marks import marked
from tests.property.protocol_models import (
    Answer,
    Body,
    Brings,
    Container,
    Model,
    Reset,
    Rows,
    Span,
    Update,
    protocol_text,
)
from tests.property.protocol_wishes import wish

_UNLESS: Final = (
    None,
    Expr("end == 0", lambda env: env["end"] == 0),
    Expr("flag", lambda env: env["flag"]),
)


@st.composite
def _span(draw: st.DrawFn, counters: int, *, keyed: bool | None = None, first: bool = True) -> Span:
    """A claim of a counter of one cursor or the other, by its end and count or by its `first` and last.

    Or of the token, by the one that it follows on.
    """
    if keyed is None:
        keyed = draw(st.booleans())
    if draw(st.integers(0, 2)) == 0:
        return _link(draw(st.sampled_from(_UNLESS)), counters, keyed=keyed)
    part = 0 if keyed else draw(st.integers(0, counters - 1))
    unless = draw(st.sampled_from(_UNLESS))
    domain = "domain: box.rev, key: a" if keyed else f"domain: account.c{part}"
    by_end = not first or draw(st.booleans())
    text = f"{domain}, end: end, count: count" if by_end else f"{domain}, first: first, last: end"
    if unless is not None:
        text += f', unless: "{unless.text}"'

    def of(env: Env) -> tuple[int, Any, int, Any, Any] | None:
        if unless is not None and unless.value(env):
            return None
        start = env["end"] - env["count"] if by_end else env["first"] - 1
        return (BOX if keyed else ACCOUNT), (env["a"] if keyed else None), part, start, env["end"]

    return Span(f"{{{text}}}", of)


def _link(unless: Expr | None, counters: int, *, keyed: bool) -> Span:
    rest = "" if unless is None else f', unless: "{unless.text}"'

    domain = "box.spot, key: a" if keyed else "account.place"

    def of(env: Env) -> tuple[int, Any, int, str, str] | None:
        if unless is not None and unless.value(env):
            return None
        return (*((BOX, env["a"], 1) if keyed else (ACCOUNT, None, counters)), env["prev"], env["next"])

    return Span(f"{{domain: {domain}, after: prev, end: next{rest}}}", of)


@st.composite
def _rows(draw: st.DrawFn, *, needed: bool) -> Rows:
    """Rows that are needed, or that are written; once, or for each of a list."""
    when, each = draw(st.none() | conditions()), draw(st.booleans())
    names = ("a", "b", "m") if each else ("a", "b")
    key, asked = (tuple(draw(ints(names)) for _ in range(2)) for _ in range(2))
    absent = draw(st.sampled_from(("ignore", "skip", "poll", "discard"))) if needed else None
    asks = needed and draw(st.booleans())
    parts = ["row: lines", f'key: "[{key[0].text}, {key[1].text}]"']
    parts += ["each: many as m"] if each else []
    parts += [] if when is None else [f'when: "{when.text}"']
    parts += [f"absent: {absent}"] if needed else []
    parts += [f'fetch: {{get_row: {{a: "{asked[0].text}", b: "{asked[1].text}"}}}}'] if asks else []

    def of(env: Env) -> Sequence[tuple[tuple[int, int], str | None, tuple[int, int] | None]]:
        found = []
        for one in [{**env, "m": m} for m in env["many"]] if each else [env]:
            if when is None or when.value(one):
                a, b = (it.value(one) for it in key)
                c, d = (it.value(one) for it in asked)
                found.append(((a, b), absent, (c, d) if asks else None))
        return found

    return Rows(f"{{{', '.join(parts)}}}", of)


@st.composite
def _brings(draw: st.DrawFn) -> Brings:
    """Rows that come along, for each of a list, and what follows on them."""
    key = draw(ints(("a", "b", "m")))
    when = draw(st.sampled_from((None, "was is none", "was.x > a", "flag and was is present")))
    asks = draw(st.booleans())
    emits = "poll: box, key: m" + ("" if when is None else f", when: {when}")
    text = f'{{row: lines, each: many as m, key: "[m, {key.text}]"' + (
        f", emits: [{{{emits}}}]}}" if asks else "}"
    )

    def of(env: Env) -> Sequence[tuple[int, int]]:
        return [(m, key.value({**env, "m": m})) for m in env["many"]]

    def holds(env: Env, was: int | None) -> bool:
        match when:
            case "was is none":
                return was is None
            case "was.x > a":
                return was is not None and was > env["a"]
            case "flag and was is present":
                return bool(env["flag"]) and was is not None
        return True

    def asked(env: Env, was: Callable[[tuple[int, int]], int | None]) -> Sequence[Told]:
        return [("poll", BOX, row[0], None) for row in of(env) if asks and holds(env, was(row))]

    return Brings(text, of, asked)


@st.composite
def _body(draw: st.DrawFn) -> Body:
    """With all that a body may have."""
    side, tail = (tuple(draw(st.lists(operation(), max_size=2))) for _ in range(2))
    acts, brings = tuple(draw(st.lists(act(), max_size=2))), tuple(draw(st.lists(_brings(), max_size=1)))
    parts = ["lists: [{list: updates, as: update}]"]
    parts += [f"side: [{', '.join(it.text for it in side)}]"] if side else []
    parts += [f"tail: [{', '.join(it.text for it in tail)}]"] if tail else []
    parts += [f"emits: [{', '.join(it.text for it in acts)}]"] if acts else []
    parts += [f"brings: [{', '.join(it.text for it in brings)}]"] if brings else []
    return Body(f"{{{', '.join(parts)}}}", side, tail, acts, brings)


@st.composite
def _reset(draw: st.DrawFn, body: Body) -> Reset:
    """What is written of two answers. A body whose rows ask for something looks into tables: not here."""
    texts: list[str] = []

    def entries() -> tuple[Callable[[Env, Env], Sequence[Told]], ...]:
        return tuple(entry() for _ in range(draw(st.integers(0, 2))))

    def entry() -> Callable[[Env, Env], Sequence[Told]]:
        first = draw(st.booleans())
        names = [draw(st.sampled_from(("a", "b"))), draw(st.sampled_from(("a", "b"))), "end"]
        of, other = ("standing", "page") if first else ("page", "standing")
        when = draw(st.booleans())
        text = f"set_row: {{a: {of}.{names[0]}, b: {of}.{names[1]}, x: {other}.{names[2]}}}"
        texts.append(f"{{{text}, when: {of}.flag}}" if when else f"{{{text}}}")

        def told(standing: Env, page: Env) -> Sequence[Told]:
            one, two = (standing, page) if first else (page, standing)
            return [("set_row", one[names[0]], one[names[1]], two["end"])] if one["flag"] or not when else []

        return told

    before = entries()
    has_body = not body.brings and draw(st.booleans())
    if has_body:
        texts.append("{body: bring, of: page}")
    after = entries()
    return Reset(f"[{', '.join(texts)}]", before, has_body, after)


@st.composite
def _update(draw: st.DrawFn, place: int, counters: int) -> Update:
    kind = draw(st.sampled_from(("claims", "claims", "observes", "rides", "none")))
    span, relation, when_old = None, "", False
    if kind == "claims":
        span = draw(_span(counters, first=False))
        when_old = draw(st.booleans())
        more = ", when_old: apply}" if when_old else "}"
        relation = f"claims: {span.text[:-1]}{more}"
    elif kind == "observes":
        relation = "observes: {domain: box.rev, key: a}"
    elif kind == "rides":
        relation = "rides: {cursor: box, key: a}"
    entries = draw(st.lists(st.one_of(operation(), act(), switch()), max_size=4))
    needs, brings = (tuple(draw(st.lists(_rows(needed=it), max_size=2))) for it in (True, False))
    is_beside = kind in ("observes", "rides")
    return Update(f"told_{place}", relation, span, is_beside, when_old, tuple(entries), needs, brings)


@st.composite
def _container(draw: st.DrawFn, place: int, counters: int) -> Container:
    has_items = draw(st.booleans())
    claim = draw(st.none() | _span(counters, keyed=False)) if has_items else None
    steps = tuple(draw(st.lists(_span(counters), max_size=2)))
    side = tuple(draw(st.lists(operation(), max_size=2)))
    acts = tuple(draw(st.lists(act(), max_size=2)))
    parts = [f"code: {40 + place}", f"fields: {FIELDS}, updates: [13, list<update>]}}"]
    parts += ["items: updates"] if has_items else []
    parts += [] if claim is None else [f"claims: {claim.text}"]
    parts += [f"steps: [{', '.join(it.text for it in steps)}]"] if steps else []
    parts += [f"side: [{', '.join(it.text for it in side)}]"] if side else []
    parts += [f"emits: [{', '.join(it.text for it in acts)}]"] if acts else []
    brings = tuple(draw(st.lists(_brings(), max_size=1)))
    parts += [f"brings: [{', '.join(it.text for it in brings)}]"] if brings else []
    return Container(f"come_{place}", f"{{{', '.join(parts)}}}", claim, steps, side, acts, has_items, brings)


@st.composite
def _answer(draw: st.DrawFn, place: int, counters: int) -> Answer:
    kind = draw(st.sampled_from(("empty", "full", "slice", "sometimes")))
    parts = draw(st.lists(st.integers(0, counters - 1), unique=True, max_size=counters))
    values = {part: draw(st.sampled_from(("end", "first", "x"))) for part in sorted(parts)}
    text = f"kind: {'full' if kind == 'sometimes' else kind}"
    text += ", slice_when: flag" if kind == "sometimes" else ""
    text += "" if kind == "empty" else ", emits: []"
    text += f", set: {{{', '.join(f'c{part}: {name}' for part, name in values.items())}}}" if values else ""

    def is_kind(env: Env) -> str:
        return ("slice" if env["flag"] else "full") if kind == "sometimes" else kind

    def set_(env: Env) -> dict[int, Any]:
        return {part: env[name] for part, name in values.items()}

    pause = draw(st.none() | ints(("a", "b")))
    return Answer(f"answer_{place}", f"{{{text}}}", is_kind, set_ if values else None, pause)


@st.composite
def models(draw: st.DrawFn, name: str) -> Model:
    """A protocol that is in order."""
    counters = draw(st.integers(1, 3))
    updates = tuple(draw(_update(place, counters)) for place in range(draw(st.integers(1, 4))))
    containers = tuple(draw(_container(place, counters)) for place in range(draw(st.integers(1, 3))))
    answers = tuple(draw(_answer(place, counters)) for place in range(draw(st.integers(1, 3))))
    body = draw(_body())
    reset = draw(_reset(body))
    wishes = tuple(draw(wish(place)) for place in range(draw(st.integers(0, 2))))
    fetched, below = draw(pages()), draw(marked())
    text = protocol_text(name, counters, updates, containers, answers, body, reset, wishes, fetched, below)
    return Model(text, counters, updates, containers, answers, body, reset, wishes, fetched, below)
