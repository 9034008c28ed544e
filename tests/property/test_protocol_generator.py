"""What is printed of a protocol does what the schema says, whatever protocol that is.

Law. Of any protocol that the checker takes, code is printed that can be imported; each update claims, is
sorted and becomes, each container holds, each answer is and sets, each wish asks for and is followed by, and
each hole is asked for and filled with, what a reading of the same protocol by other means says, for any
values of its fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.property.mutants import HARD, Fault
from tests.property.protocol_draws import models
from tests.property.protocol_entries import ACCOUNT, BOX, MODES
from tests.property.protocol_fetched import check_marks, check_pages, check_stored, check_waiting, check_wish
from tests.property.protocol_models import Answer, Brings, Container, Model, Update
from tests.property.protocol_printed import NAME, Printed

from pillarbox.sync.protocol import Absent, Around, Body, Need, Opened
from pillarbox_codegen import outbox_entries
from pillarbox_codegen.plan import (
    bodies,
    brings,
    emissions,
    hole_changes,
    outbox,
    protocol_cursors,
    protocol_resets,
    sync_holes,
    update_methods,
)
from pillarbox_codegen.plan.protocol_writer import ProtocolWriter
from pillarbox_codegen.plan.sync_holes import _Planner

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
    assert list(asked) == [printed.one(it) for one in some for it in one.asked(env, stood.get)]


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
    told = [printed.one(it) for entry in reset.before for it in entry(env, other)]
    if reset.has_body:
        told += printed.told(model.body.side, other)
        for update in model.updates:  # as they are in `inside`
            told += printed.told(update.entries, other)
        told += printed.told(model.body.tail, other) + printed.told(model.body.acts, other)
    told += [printed.one(it) for entry in reset.after for it in entry(env, other)]
    assert list(spec.commit(None, b"", answers)) == told
    ends = dict.fromkeys(range(model.counters), env["end"])
    assert dict(spec.set(b"", answers)) == {**ends, model.counters: env["next"]}


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
            check_stored(printed, model.pages, env, stood)
            check_marks(printed, model.below, env, stood)
            for wish in model.wishes:
                check_wish(printed, wish, env, other)
                check_waiting(printed, wish, env, other)

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
          "hints.annotation(schema, imports, answer),",
          "hints.annotation(schema, imports, entry.answers[0][0]),"),
    Fault("what a wish counts is known to nobody", outbox, "_arguments", "if answers:", "if False:"),
    Fault("no page is all there is", _Planner, "page", "if page.whole is not None:", "if False:"),
    Fault("rows of any space prove something", _Planner, "page", "if page.belongs is not None:", "if False:"),
    Fault("a page does not say its age", _Planner, "page", "if page.as_of is not None:", "if False:"),
    Fault("down is asked for as up", _Planner, "ask", "zip(words, rule.ways, strict=True)",
          "zip(words, (rule.ways[0],) * 3, strict=True)"),
    Fault("the first that can be asked is asked", _Planner, "ask",
          "TRUE if ask.when is None else compile_test(ask.when, scope)", "TRUE"),
    Fault("nobody knows what is stored", _Planner, "_stored", "is None", "is not self"),
    Fault("what is stored is known of every group", sync_holes, "stored_lines",
          "if rule.when is not None:", "if False:"),
    Fault("what a page says is gone stays", _Planner, "page", "if page.absent:", "if False:"),
    Fault("nothing is left below", _Planner, "page", "if page.rest is not None:", "if False:"),
    Fault("a page meets nothing", _Planner, "page", "if page.joins is not None:", "if False:"),
    Fault("marks have no order", _Planner, "plan", "if rule.highest_first:", "if False:"),
    Fault("of two wishes the newer one is folded", outbox_entries, "_may_be_absent",
          'startswith("opt<")', "isdigit()"),
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
        law_of(settings(HARD, max_examples=300), 4)
