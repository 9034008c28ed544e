"""What is printed of a protocol does what the schema says, whatever protocol that is.

Law. Of any protocol that the checker takes, code is printed that can be imported; each update claims, is
sorted and becomes, each container holds, each answer is and sets, each wish asks for and is followed by, and
each hole is asked for and filled with, what a reading of the same protocol by other means says, for any
values of its fields.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple
from tests.property.mutants import HARD, Fault
from tests.property.protocol_entries import ACCOUNT, BOX, MODES
from tests.property.protocol_holes import Pages
from tests.property.protocol_models import (
    Answer,
    Brings,
    Container,
    Model,
    Span,
    Update,
    models,
)
from tests.property.protocol_wishes import CODES, Wish
from tests.unit.codegen_ops.making import loaded_schema, written

from pillarbox.sync.claims import Claim
from pillarbox.sync.hole_specs import Asking, Covers, Note, Way
from pillarbox.sync.protocol import Absent, Around, Body, Need, Opened, Poll, ResetAsk, Row, SyncProtocol
from pillarbox.views import Hole
from pillarbox_codegen.names import class_name
from pillarbox_codegen.plan import (
    bodies,
    brings,
    emissions,
    hole_changes,
    outbox,
    protocol_cursors,
    protocol_resets,
    update_methods,
)
from pillarbox_codegen.plan.protocol_writer import ProtocolWriter
from pillarbox_codegen.plan.sync_holes import _Planner

NAME: Final = "drawn"
_numbers = st.integers(0, 3)
#: Values of all fields.
values = st.fixed_dictionaries(
    {
        **dict.fromkeys(("a", "b", "x", "end", "count", "first"), _numbers),
        "flag": st.booleans(),
        "many": st.lists(_numbers, max_size=3).map(tuple),
        "maybe": st.none() | _numbers,
        "mode": st.integers(0, len(MODES) - 1),
        "prev": st.sampled_from("pqr"),
        "next": st.sampled_from("pqr"),
    }
)

#: Rows that stand, by their key, and the number in each.
standing_rows = st.dictionaries(st.tuples(_numbers, _numbers), _numbers, max_size=4)


class Printed:
    """The package of a model, imported."""

    def __init__(self, model: Model) -> None:
        # One place for all, since an error is told apart from others by where it is.
        folder = Path(tempfile.gettempdir(), f"{NAME}_{os.getpid()}")
        try:
            schema = loaded_schema(folder / "schema", model.text)
            sys.path.insert(0, str(written(folder / "generated", schema)))
            try:
                invalidate_caches()
                modules = (
                    "protocol",
                    "updates",
                    "containers",
                    "answers",
                    "requests",
                    "operations",
                    "keys",
                    "types",
                )
                self.modules = {it: import_module(f"pillarbox_{NAME}.{it}") for it in modules}
            finally:
                sys.path.pop(0)
                for module in [it for it in sys.modules if it.startswith(f"pillarbox_{NAME}")]:
                    del sys.modules[module]
        finally:
            shutil.rmtree(folder)
        self.protocol: SyncProtocol = self.modules["protocol"].PROTOCOL

    def make(self, module: str, name: str, env: dict[str, Any], **more: Any) -> Any:
        """A struct with these values."""
        mode = self.modules["types"].Mode(env["mode"])
        return getattr(self.modules[module], class_name(name))(**{**env, "mode": mode}, **more)

    def key(self, number: Any) -> Any:
        """As it is stored."""
        return b"" if number is None else self.modules["keys"].box_key(number)

    def claim(self, span: Span | None, env: dict[str, Any]) -> Claim | None:
        """What a span is for these values."""
        found = None if span is None else span.of(env)
        if found is None:
            return None
        cursor, key, part, start, end = found
        return Claim(cursor, self.key(key), part, start, end)

    def told(self, entries: Sequence[Any], env: dict[str, Any]) -> list[Any]:
        """What entries become: operations, and acts."""
        return [self._one(one) for entry in entries for one in entry.told(env)]

    def row(self, ab: tuple[int, int]) -> Row:
        """A row of the one table, as it is named."""
        return 1, self.modules["keys"].lines_key(*ab)

    def around(self, stood: dict[tuple[int, int], int]) -> Around:
        """Where these rows stand."""
        rows = {self.row(ab): self.modules["types"].Lines(*ab, x) for ab, x in stood.items()}
        return Around(row=rows.get)

    def _one(self, one: tuple[Any, ...]) -> Any:
        match one:
            case ("set_row", a, b, x):
                return self.modules["operations"].SetRow(a=a, b=b, x=x)
            case ("poll", cursor, key, hint):
                return Poll(cursor, self.key(key), hint)
            case ("reset", name):
                return ResetAsk(name)
        raise AssertionError(one)


def check_update(printed: Printed, update: Update, env: dict[str, Any]) -> None:
    """It claims, is sorted and becomes what it should."""
    rules, given = printed.protocol.updates, printed.make("updates", update.name, env)
    assert rules.claim(given) == printed.claim(update.claim, env)
    assert rules.beside(given) == ((BOX, printed.key(env["a"])) if update.beside else None)
    assert (type(given) in rules.when_old) == update.when_old
    assert list(rules.emit(given, Around())) == printed.told(update.entries, env)
    asks = printed.modules["requests"].GetRow
    needs = [
        Need(printed.row(row), Absent(absent), None if asked is None else asks(*asked))
        for need in update.needs
        for row, absent, asked in need.of(env)
    ]
    assert list(rules.needs(given)) == needs
    brings = {printed.row(row) for some in update.brings for row, _, _ in some.of(env)}
    assert set(() if rules.brings is None else rules.brings(given)) == brings


def check_brings(
    printed: Printed,
    some: Sequence[Brings],
    found: Opened | Body,
    env: dict[str, Any],
    stood: dict[tuple[int, int], int],
) -> None:
    """Rows that come along are named, and what follows on them is asked."""
    assert found.brings == {printed.row(row) for one in some for row in one.of(env)}
    asked = () if found.brought is None else found.brought(printed.around(stood))
    assert list(asked) == [printed._one(it) for one in some for it in one.asked(env, stood.get)]


def check_container(
    printed: Printed,
    container: Container,
    inside: Sequence[Any],
    env: dict[str, Any],
    stood: dict[tuple[int, int], int],
) -> None:
    """It holds what it should."""
    opened = printed.protocol.open(printed.make("containers", container.name, env, updates=tuple(inside)))
    assert list(opened.updates) == (list(inside) if container.has_items else [])
    assert opened.claim == printed.claim(container.claim, env)
    steps = [printed.claim(step, env) for step in container.steps]
    assert list(opened.steps) == [step for step in steps if step is not None]
    assert list(opened.side) == printed.told(container.side, env)
    assert list(opened.acts) == printed.told(container.acts, env)
    check_brings(printed, container.brings, opened, env, stood)


def check_body(
    printed: Printed,
    model: Model,
    inside: Sequence[Any],
    env: dict[str, Any],
    stood: dict[tuple[int, int], int],
) -> None:
    """What is asked for because of a row brings what it should."""
    fetched, request = printed.protocol.fetched, printed.modules["requests"].GetRow(a=1, b=1)
    if fetched is None:  # no update asks for a row
        return
    body = fetched(request, printed.make("answers", "found", env, updates=tuple(inside)))
    assert list(body.updates) == list(inside)
    assert list(body.side) == printed.told(model.body.side, env)
    assert list(body.tail) == printed.told(model.body.tail, env)
    assert list(body.acts) == printed.told(model.body.acts, env)
    check_brings(printed, model.body.brings, body, env, stood)


def check_reset(
    printed: Printed, model: Model, inside: Sequence[Any], env: dict[str, Any], other: dict[str, Any]
) -> None:
    """A recipe asks, writes and sets what it should; `other` is what its second answer says."""
    spec, reset = printed.protocol.resets["everything"], model.reset
    standing = printed.make("answers", "one", env)
    answers = {"standing": standing, "page": printed.make("answers", "found", other, updates=tuple(inside))}
    asked = [step.request(b"", {"standing": standing}) for step in spec.fetch]
    requests = printed.modules["requests"]
    assert asked == [requests.GetEnd(), requests.GetRow(a=env["a"], b=env["b"])]
    told = [printed._one(it) for entry in reset.before for it in entry(env, other)]
    if reset.has_body:
        told += printed.told(model.body.side, other)
        for update in model.updates:  # as they are in `inside`
            told += printed.told(update.entries, other)
        told += printed.told(model.body.tail, other) + printed.told(model.body.acts, other)
    told += [printed._one(it) for entry in reset.after for it in entry(env, other)]
    assert list(spec.commit(None, b"", answers)) == told
    ends = dict.fromkeys(range(model.counters), env["end"])
    assert dict(spec.set(b"", answers)) == {**ends, model.counters: env["next"]}


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
        assert list(rule.emit(None, asked, page)) == [printed._one(it) for it in pages.emits(seen)]
    assert (None if rule.as_of is None else rule.as_of(page)) == (env["maybe"] if pages.says_when else None)
    guards = spec.guards(Hole("wanted", "line_holes", (env["a"],), 1, 2))
    assert list(guards) == [((cursor, printed.key(key)), 0) for cursor, key in pages.guards(env["a"])]
    told = pages.notes(env["a"], env["b"], env["x"])
    notes = None if told is None else [
        Note(() if a is None else ((0, a),), b, part) for a, b, part in told
    ]  # fmt: skip
    found = spec.notes(printed.modules["operations"].SetRow(a=env["a"], b=env["b"], x=env["x"]))
    assert (None if found is None else list(found)) == notes
    assert (spec.limits.page, spec.limits.cooldown_ms, spec.limits.parallel) == pages.limits


def check_answer(printed: Printed, answer: Answer, counters: int, env: dict[str, Any]) -> None:
    """It is of the kind, and sets what it should."""
    difference = printed.protocol.cursors[ACCOUNT].difference
    assert difference is not None
    given = printed.make("answers", answer.name, env)
    rule = difference.answers[type(given)]
    assert rule.kind(given).value == answer.kind(env)
    assert (None if rule.set is None else dict(rule.set(given))) == (
        None if answer.set is None else answer.set(env)
    )
    pause = printed.protocol.cursors[ACCOUNT].pause
    assert (pause and pause(given)) == (None if answer.pause is None else answer.pause.value(env))
    since = env["end"]
    request = printed.modules["requests"].GetAll(since=since)
    assert difference.request(b"", (since, *([7] * (counters - 1)), "p")) == request
    assert difference.request(b"", None) == printed.modules["requests"].GetAll(since=0)


def law_of(hard: settings, few: int) -> None:
    """The law, each protocol with so many values."""

    @hard
    @given(models(NAME), st.lists(values, min_size=few, max_size=few), standing_rows)
    def law(model: Model, envs: list[dict[str, Any]], stood: dict[tuple[int, int], int]) -> None:
        printed = Printed(model)
        for env, other in zip(envs, (*envs[1:], envs[0]), strict=True):
            inside = [printed.make("updates", update.name, env) for update in model.updates]
            for update in model.updates:
                check_update(printed, update, env)
            for container in model.containers:
                check_container(printed, container, inside, env, stood)
            for answer in model.answers:
                check_answer(printed, answer, model.counters, env)
            check_body(printed, model, inside, env, stood)
            theirs = [printed.make("updates", update.name, other) for update in model.updates]
            check_reset(printed, model, theirs, env, other)
            check_pages(printed, model.pages, env, other)
            for wish in model.wishes:
                check_wish(printed, wish, env, other)

    law()


def test_what_is_printed_of_a_protocol_does_what_it_says() -> None:
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    law_of(settings(max_examples=max(15, settings().max_examples // 4), suppress_health_check=slow), 8)


# -------------------------------------------------------------------------------------- planted faults
FAULTS: Final = (
    Fault("each is one", update_methods, "_claim", 'f"{end.at(Level.SUM)} - {count}, {end.text}"',
          'f"{end.at(Level.SUM)} - 1, {end.text}"'),
    Fault("claims are made always", update_methods, "_claim", "if claim.unless is not None:", "if False:"),
    Fault("what an update follows on is not said", update_methods, "_claim",
          "if claim.after is not None:\n        span", "if False:\n        span"),
    Fault("what a container follows on is not said", ProtocolWriter, "claim_text",
          "if claim.after is not None:", "if False:"),
    Fault("the first is not in the span", ProtocolWriter, "claim_text",
          "at(Level.SUM)} - 1", "at(Level.SUM)}"),
    Fault("steps are made always", ProtocolWriter, "claims",
          "TRUE if claim.unless is None else negated(compile_test(claim.unless, scope))", "TRUE"),
    Fault("an answer is always whole", protocol_cursors, "_answer",
          "if rule.slice_when is None:", "if True:"),
    Fault("how long it may be silent is said of one answer", protocol_cursors, "_by_answer",
          "for name, expr in values", "for name, expr in values[:1]"),
    Fault("once for all of a list", emissions, "_entry", "return loop(name, items, _conditional(",
          "return list(_conditional("),
    Fault("conditions are not looked at", emissions, "_conditional",
          "TRUE if entry.when is None else compile_test(entry.when, scope)", "TRUE"),
    Fault("there is but one case", emissions, "_conditional",
          "for case in entry.cases]", "for case in entry.cases][:1]"),
    Fault("hints are not given", emissions, "_made", "if entry.hint is not None:", "if False:"),
    Fault("rows are needed always", update_methods, "_conditional",
          "TRUE if need.when is None else compile_test(need.when, scope)", "TRUE"),
    Fault("needs ask for nothing", update_methods, "_conditional",
          "if need.request is not None:", "if False:"),
    Fault("rows come along always", brings, "of_each",
          "TRUE if bring.when is None else compile_test(bring.when, inner)", "TRUE"),
    Fault("a refusal is followed by nothing", outbox, "_arguments", "if entry.refused:", "if False:"),
    Fault("what may be taken back is not marked", outbox, "_arguments", "if entry.cancels:", "if False:"),
    Fault("every refusal is for good", outbox, "_arguments", "if entry.retry_codes:", "if False:"),
    Fault("one answer is as good as another", outbox, "_plan_kind",
          "names.annotation(schema, imports, answer),",
          "names.annotation(schema, imports, entry.answers[0][0]),"),
    Fault("what a wish counts is known to nobody", outbox, "_arguments", "if answers:", "if False:"),
    Fault("no page is all there is", _Planner, "page", "if page.whole is not None:", "if False:"),
    Fault("rows of any space prove something", _Planner, "page", "if page.belongs is not None:", "if False:"),
    Fault("a page does not say its age", _Planner, "page", "if page.as_of is not None:", "if False:"),
    Fault("down is asked for as up", _Planner, "ask", "zip(words, rule.ways, strict=True)",
          "zip(words, (rule.ways[0],) * 3, strict=True)"),
    Fault("the first that can be asked is asked", _Planner, "ask",
          "TRUE if ask.when is None else compile_test(ask.when, scope)", "TRUE"),
    Fault("nothing guards a page", _Planner, "plan", "if rule.guards:", "if False:"),
    Fault("an operation changes rows whatever its fields say", hole_changes, "_one",
          "TRUE if change.when is None else compile_test(change.when, scope)", "TRUE"),
    Fault("what is changed in part is known", hole_changes, "_one", "if change.part:", "if False:"),
    Fault("a body has no end", bodies, "_body", "if body.tail:", "if False:"),
    Fault("a recipe writes no body", protocol_resets, "_commit",
          "statements += _body(writer, reset, entry, bodies, scope, emitted)", "pass"),
    Fault("a step is called as what spreads bodies", protocol_resets, "_commit",
          "_OF_BODIES if has_bodies else ()", "()"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    # Code with a fault in it may not even be imported.
    with fault.planted(), pytest.raises((AssertionError, NameError, SyntaxError, TypeError)):
        law_of(settings(HARD, max_examples=60), 4)
