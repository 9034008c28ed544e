# ruff: noqa: E501 -- a table reads best with one case a line
"""How a server is followed: what is in order, and what the checked schema then holds."""

from __future__ import annotations

from pathlib import Path

from tests.unit.schema.cases import accepted
from tests.unit.schema.test_findings_of_protocols import FEED, FIRST, TOPIC, body, box_alone, protocol

from pillarbox_codegen.model import BodyEntry, Remedy, WireOf


def test_what_asks_for_a_recipe_has_a_table_for_that(tmp_path: Path) -> None:
    ask = "{code: 1, fields: {to: [1, int64]}, emits: [{reset: anew, when: to > 1}]}"
    found = accepted(tmp_path, "debts: {id: 93}\n" + box_alone(f"moved: {ask}")).protocol

    assert found is not None
    assert found.debts == "debts"


def test_a_recipe_that_answers_alone_run_needs_no_table(tmp_path: Path) -> None:
    """The cursor stands where it is until then, so the next poll is answered so again."""
    feed = "request: ask, with: {since: 1}, errors: {LOST: {reset: anew}}, answers: {told: {kind: too_long, reset: anew}, silent: {kind: empty}}"
    text = box_alone("moved: {code: 1, fields: {to: [1, int64]}, emits: []}").replace(FEED, feed)

    found = accepted(tmp_path, text).protocol

    assert found is not None
    assert found.debts is None


def test_every_word_at_once_is_in_order(tmp_path: Path) -> None:
    feed = (
        f"first: {{{FIRST}}}, idle_poll_ms: 9, difference: {{request: ask, with: {{since: rev}}, "
        "retry: {step_ms: 5, cap_ms: 50}, errors: {A: retry, B: done, C: stop, D: {poll: feed}, E: {reset: anew}}, "
        "answers: {told: {kind: full, slice_when: more, set: {rev: rev}, body: page}, silent: {kind: too_long, reset: anew}}}"
    )
    topic = (
        "unknown: adopt, travels: feed.rev, inside: topic_anew, "
        "open_poll: {first_ms: 1, every_ms: {told: if more then rev * 1000 else none}, missing_ms: 3}, "
        f"difference: {{{TOPIC.replace('kind: empty', 'kind: too_long, set: {rev: rev}, body: page, again_when: more')}}}"
    )
    text = protocol(feed, topic).replace(
        "  anew: {of: feed, failure: retry, set: {rev: 1}}\n",
        "  anew: {of: feed, failure: retry, retry: {step_ms: 1, cap_ms: 2}, fetch: [{name: a, request: stand}, "
        "{name: b, request: list_all, pages_while: last(b).more // false, with: {after: 'first(last(b).ids // [])'}}], "
        "commit: [{body: page, each: b as one, of: one, when: one.more}, {poll: topic, key: p.project_id, each: 'projects.prefix([]) as p'}], "
        "set: {rev: a.rev, at: a.at}}\n",
    )
    body = (
        "bodies:\n  page: {doc: A page., lists: [{list: updates, as: update, only: [moved]}, "
        "{list: ids, as: moved, field: project_id, with: {to: rev}}], covered: [feed.rev], "
        "brings: [{row: projects, key: p, each: ids as p}], tail: [{rename: {project_id: p, name: \"'x'\"}, each: ids as p}], "
        "emits: [{poll: feed, when: more}]}\n"
    )

    found = accepted(tmp_path, text + body).protocol

    assert found is not None
    assert found.debts == "debts"
    assert set(found.bodies) == {("page", "told", ""), ("page", "told", "topic")}
    difference = found.cursors["feed"].difference
    assert difference is not None
    assert dict(difference.errors)["D"] == Remedy("poll", "feed")
    (entry, _poll) = found.resets["anew"].commit
    assert isinstance(entry, BodyEntry)
    assert entry.answer == WireOf("answer", "told")


def test_rows_that_come_along_have_one_name_for_all_that_bring_them(tmp_path: Path) -> None:
    pack = "pack: {code: 9, fields: {ids: [1, list<ProjectId>]}, brings: [come]}"
    come = "brings:\n  come: {row: projects, key: p, each: ids as p, emits: [{poll: topic, key: p, when: was is none}]}\n"
    text = body("{brings: [come]}").replace("containers:\n", f"containers:\n  {pack}\n") + come

    found = accepted(tmp_path, text).protocol

    assert found is not None
    (page,) = found.bodies.values()
    assert page.brings == found.opened["pack"].brings
    assert [(bring.name, len(bring.emits)) for bring in page.brings] == [("come", 1)]


def test_what_comes_along_is_asked_about_beside_what_stood_before(tmp_path: Path) -> None:
    """In containers and bodies, and in an answer that needs no body."""
    text = protocol(
        "difference: {request: ask, with: {since: 1}, answers: {told: {kind: full, set: {rev: rev}, "
        "emits: [{rename: {project_id: p, name: \"'x'\"}, each: ids as p}, "
        "{poll: topic, key: p, each: ids as p, when: topic(p).rev // 0 < rev}]}, "
        "silent: {kind: empty}}}"
    )
    brings = (
        "brings: [{row: projects, key: p, each: ids as p, emits: [{poll: topic, key: p, when: was is none}]}]"
    )
    pack = f"pack: {{code: 9, fields: {{ids: [1, list<ProjectId>]}}, {brings}, emits: [{{poll: feed, when: feed.rev // 0 == 0}}]}}"

    found = accepted(tmp_path, text.replace("containers:\n", f"containers:\n  {pack}\n")).protocol

    assert found is not None
    (own,) = found.bodies.values()
    assert (len(own.tail), len(own.acts)) == (1, 1)
    assert [len(bring.emits) for bring in found.opened["pack"].brings] == [1]
    assert len(found.opened["pack"].acts) == 1
