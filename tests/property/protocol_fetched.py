"""What is printed of holes and of wishes, held against what a reading by other means says.

Depends on: protocol_printed, protocol_holes, protocol_marks, protocol_wishes.  Never on: the generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import astuple
from tests.property.protocol_holes import Pages
from tests.property.protocol_marks import Marked
from tests.property.protocol_printed import Printed
from tests.property.protocol_wishes import CODES, Wish

from pillarbox.sync.hole_specs import Asking, Covers, EdgeStore, Guard, Note, RangeStore, Way
from pillarbox.views import Hole
from pillarbox_codegen.names import class_name


def check_wish(printed: Printed, wish: Wish, env: dict[str, Any], other: dict[str, Any]) -> None:
    """It is asked for, and is followed by, what it should; `other` is what the server says."""
    outbox = printed.protocol.outbox
    assert outbox is not None
    kind, payload = outbox.kinds[wish.code], printed.make("types", f"outgoing_{wish.name}", env)
    a, b = wish.request(env)
    assert kind.request(payload) == printed.modules["requests"].DoIt(a=a, b=b)
    one = printed.make("answers", "one", other)
    counted = printed.modules["containers"].Counted(rev=other["end"], count=other["count"])
    assert kind.containers == (type(counted),)
    for answer, entries in ((one, wish.one), (counted, wish.counted)):
        said = {f"answer.{name}": value for name, value in (*other.items(), ("rev", other["end"]))}
        found = [] if kind.answered is None else list(kind.answered(payload, answer))
        assert found == printed.told(entries, {**env, **said})
    for code in CODES:
        found = [] if kind.refused is None else list(kind.refused(payload, code))
        assert found == printed.told(wish.refused, {**env, "code": code})
    assert (kind.retry, kind.marks) == (wish.retry, wish.marks)
    assert (kind.delay_ms, kind.limit, (kind.step_ms, kind.cap_ms)) == (
        wish.delay_ms, wish.limit, wish.backoff,
    )  # fmt: skip


def check_pages(printed: Printed, pages: Pages, env: dict[str, Any], other: dict[str, Any]) -> None:
    """Ranges are asked for, pages prove and write, and operations change, what they should."""
    spec = printed.protocol.holes["wanted"]
    types, requests = printed.modules["types"], printed.modules["requests"]
    rows = [types.Lines(a=it, b=other["b"], x=env["x"]) for it in env["many"]]
    page = printed.modules["answers"].Page(lines=tuple(rows), rev=env["maybe"], n=env["count"])
    rule, limit = spec.answers[type(page)], env["b"]
    for way in Way:
        lo, hi = (1, 1) if way is Way.AROUND else (1, 2 + env["x"])
        asked = Asking(Hole("wanted", "line_holes", (env["a"],), lo, hi), way, lo, hi, limit)
        ways = {it.value: it is way for it in Way}
        seen = {"a": env["a"], "lo": lo, "hi": hi, "limit": limit, "half": limit // 2, **ways}
        fields = pages.request(seen)
        names = ("a", "lo", "hi", "step")
        request = None if fields is None else requests.GetPage(**dict(zip(names, fields, strict=True)))
        assert spec.request(None, asked) == request
        seen |= {"lines": [astuple(row) for row in rows], "n": env["count"]}
        for row in rows:
            values = {"row.a": row.a, "row.b": row.b, "row.x": row.x}
            assert rule.belongs(asked, page, row) == pages.belongs({**seen, **values})
        assert rule.covers(asked, page) == (Covers.ASKED if pages.whole(seen) else Covers.REACHED)
        assert list(rule.emit(None, asked, page)) == [printed.one(it) for it in pages.emits(seen)]
    assert (None if rule.as_of is None else rule.as_of(page)) == (env["maybe"] if pages.says_when else None)
    guards = spec.guards(Hole("wanted", "line_holes", (env["a"],), 1, 2))
    assert list(guards) == guards_of(printed, pages.guards(env["a"]))
    gone = () if rule.absent is None else rule.absent(None, asked, page, env["many"])
    assert list(gone) == [printed.one(it) for it in (pages.absent or (lambda *_: ()))(seen, env["many"])]
    told = pages.notes(env["a"], env["b"], env["x"])
    notes = None if told is None else [
        Note(() if a is None else ((0, a),), b, part) for a, b, part in told
    ]  # fmt: skip
    found = spec.notes(printed.modules["operations"].SetRow(a=env["a"], b=env["b"], x=env["x"]))
    assert (None if found is None else list(found)) == notes
    assert (spec.limits.page, spec.limits.cooldown_ms, spec.limits.parallel) == pages.limits


def guards_of(printed: Printed, known: Sequence[tuple[int, int | None, int]]) -> list[Guard]:
    """As they are printed; a part of -1 is the last of its cursor."""
    parts = {spec.id: len(spec.parts) for spec in printed.protocol.cursors.values()}
    return [((cursor, printed.key(key)), part % parts[cursor]) for cursor, key, part in known]


def check_stored(
    printed: Printed, pages: Pages, env: dict[str, Any], stood: dict[tuple[int, int], int]
) -> None:
    """It is known which rows are stored where something is missing, or nobody says so."""
    store = printed.protocol.holes["wanted"].store
    assert isinstance(store, RangeStore)
    assert (store.stored is None) == (pages.knows is None)
    if store.stored is None or pages.knows is None:
        return
    low, high = sorted((env["b"] + 1, env["x"] + 1))
    stood = {(a, b + 1): x for (a, b), x in (*stood.items(), ((env["a"], env["b"]), 0))}  # ranges begin at 1
    ids = sorted(b for a, b in stood if a == env["a"] and low <= b <= high)
    known = ids if pages.knows.value(env) else []
    tx = printed.bench(stood).tx
    assert list(store.stored(tx, (env["a"],), low, high, None, False)) == known
    assert list(store.stored(tx, (env["a"],), low, high, 1, True)) == known[-1:]


def check_marks(
    printed: Printed, below: Marked, env: dict[str, Any], stood: dict[tuple[int, int], int]
) -> None:
    """What lies below a mark is asked for, and pages move it, as they should."""
    spec, types = printed.protocol.holes["marked"], printed.modules["types"]
    store = spec.store
    assert isinstance(store, EdgeStore)
    assert (store.width, spec.highest_first) == (1, below.highest_first)
    mark = types.LineMarks(a=env["a"], b=env["b"], token=env["prev"])
    start = (mark.a, mark.b)
    asked = Asking(Hole("marked", "line_marks", (), start, ()), Way.DOWN, None, start, 2, mark)
    seen = {"a": mark.a, "b": mark.b, "token": mark.token, "limit": 2}
    fields = dict(zip(("a", "b", "token", "n"), below.request(seen), strict=True))
    assert spec.request(None, asked) == printed.modules["requests"].GetBelow(**fields)
    rows = [types.Lines(a=env["a"], b=it, x=env["x"]) for it in sorted(env["many"], reverse=True)]
    end = env["next"] if env["flag"] else None
    page = printed.modules["answers"].Below(rows=tuple(rows), end=end, n=env["count"])
    rule = spec.answers[type(page)]
    seen |= {"rows": [astuple(row) for row in rows], "end": end, "n": env["count"]}
    left = below.rest(seen)
    assert (None if rule.rest is None else rule.rest(asked, page)) == (left and types.LineMarks(*left))
    assert list(rule.emit(None, asked, page)) == [printed.one(it) for it in below.emits(seen)]
    assert list(spec.guards(asked.hole)) == guards_of(printed, below.guards(env["a"]))
    tx = printed.bench(stood).tx
    for row in rows:
        meets = below.joins and (row.a, row.b) in stood
        assert (rule.joins is not None and rule.joins(tx, row)) == meets
    lower = [ab for ab in stood if ab[0] == mark.a and ab < start]
    key = printed.modules["keys"].lines_key
    assert store.below(tx, start) == (key(*max(lower)) if lower else None)
    assert store.key(mark) == key(*start)
    store.move(tx, start, mark)
    assert store.mark(tx, start) == mark
    other = types.LineMarks(a=mark.a, b=mark.b + 1, token="")
    store.move(tx, start, other)
    assert [store.mark(tx, (mark.a, b)) for b in (mark.b, mark.b + 1)] == [None, other]
    assert [store.lowest(tx, (mark.a, mark.b + n), mark) for n in (1, 2)] == [None, (mark.a, mark.b + 1)]
    store.move(tx, (mark.a, mark.b + 1), None)
    assert tx.line_marks.all() == []


def check_waiting(printed: Printed, wish: Wish, env: dict[str, Any], other: dict[str, Any]) -> None:
    """Two wishes of a group, one after the other, become what they should."""
    bench, name = printed.bench({}), class_name(f"enqueue_{wish.name}")
    newer = {**other, **{field: env[field] for field in wish.per}}
    made = getattr(printed.modules["operations"], name)
    bench.replay(*(made(**{**it, "mode": printed.modules["types"].Mode(it["mode"])}) for it in (env, newer)))
    waits = [printed.make("types", f"outgoing_{wish.name}", dict(it)) for it in wish.waits(env, newer)]
    assert [row.payload for row in bench.tx.outbox.all()] == waits
