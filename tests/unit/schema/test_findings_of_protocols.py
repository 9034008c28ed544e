# ruff: noqa: E501 -- a table reads best with one case a line
"""How a server is followed: requests, answers, containers, bodies, recipes; each finding has its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, check_case, findings, write

WIRE = """\
debts: {id: 93}
updates:
  moved: {code: 1, fields: {project_id: [1, ProjectId], to: [2, int64]}, emits: []}
answers:
  standing: {code: 20, fields: {rev: [1, int64], at: [2, int64]}}
  told: {code: 21, fields: {updates: [1, list<update>], ids: [2, list<ProjectId>], rev: [3, int64], more: [4, bool]}}
  silent: {code: 22}
requests:
  stand: {code: 1, answers: [standing]}
  ask: {code: 2, fields: {since: [1, int64]}, answers: [told, silent]}
  look: {code: 3, fields: {project_id: [1, ProjectId], since: [2, opt<int64>]}, answers: [told]}
  list_all: {code: 4, fields: {after: [1, opt<ProjectId>]}, answers: [told]}
containers:
  done: {code: 1, fields: {rev: [1, int64]}}
resets:
  anew: {of: feed, failure: retry, set: {rev: 1}}
  topic_anew: {of: topic, failure: abandon, set: {rev: 1}}
cursors:
"""
SILENT = "silent: {kind: empty}"
FEED = f"request: ask, with: {{since: 1}}, answers: {{told: {{kind: empty}}, {SILENT}}}"
TOPIC = "request: look, with: {project_id: project_id, since: rev}, answers: {told: {kind: empty}}"


def protocol(
    feed: str = f"difference: {{{FEED}}}",
    topic: str = f"difference: {{{TOPIC}}}",
    rest: str = "",
    parts: str = "",
) -> str:
    """A whole protocol with these words of the box's cursor and of the keyed one."""
    parts = parts or "rev: {kind: counter, number: 1}, at: {kind: stamp, number: 2}"
    feed = f"  feed: {{id: 94, parts: {{{parts}}}, {feed}}}\n"
    topic = f"  topic: {{id: 95, per: {{project_id: ProjectId}}, parts: {{rev: {{kind: counter, number: 1}}}}, {topic}}}\n"
    return WIRE + feed + topic + rest


def token(text: str) -> str:
    """The same with a token in the box's cursor."""
    text = text.replace("{rev: {kind: counter", "{rev: {kind: token", 1)
    return text.replace(
        "anew: {of: feed, failure: retry, set: {rev: 1}",
        "anew: {of: feed, failure: retry, set: {rev: \"''\"}",
        1,
    )


def asked(words: str) -> str:
    """The words of the difference of the box's cursor."""
    return protocol(f"difference: {{{words}}}")


def told(words: str) -> str:
    """What the difference of the box's cursor makes of an answer."""
    return asked(f"request: ask, with: {{since: 1}}, answers: {{told: {words}, {SILENT}}}")


def wire(text: str) -> str:
    return protocol().replace("containers:\n", f"containers:\n  {text}\n")


def container(words: str) -> str:
    fields = "fields: {updates: [1, list<update>], one: [2, update], rev: [3, int64], ids: [4, list<ProjectId>], opt: [5, opt<int64>]}"
    return wire(f"pack: {{code: 9, {fields}, {words}}}")


def body(words: str) -> str:
    with_body = protocol(
        f"difference: {{request: ask, with: {{since: 1}}, answers: {{told: {{kind: full, set: {{rev: rev}}, body: page}}, {SILENT}}}}}"
    )
    return with_body + f"bodies:\n  page: {words}\n"


def reset(words: str, rest: str = "") -> str:
    text = protocol().replace(
        "  anew: {of: feed, failure: retry, set: {rev: 1}}\n",
        f"  anew: {{of: feed, failure: retry, {words}}}\n",
    )
    return text + rest


def box_alone(update: str) -> str:
    """A protocol whose one cursor is one in the box, and where nothing is owed but what the update asks for."""
    text = WIRE.replace("debts: {id: 93}\n", "").replace(
        "  topic_anew: {of: topic, failure: abandon, set: {rev: 1}}\n", ""
    )
    text = text.replace(
        "moved: {code: 1, fields: {project_id: [1, ProjectId], to: [2, int64]}, emits: []}", update
    )
    return (
        text + f"  feed: {{id: 94, parts: {{rev: {{kind: counter, number: 1}}}}, difference: {{{FEED}}}}}\n"
    )


FIRST = "request: stand, set: {standing: {rev: rev, at: at}}"

WIRES = [
    Case("number-taken", wire("pack: {code: «21}"), "`told`"),
    Case("name-taken", protocol().replace("  silent: {code: 22}", "  silent: {code: 22}\n  «done: {code: 30}"), "is a container already"),
    Case("number-taken", protocol().replace("  look: {code: 3", "  look: {code: «2"), "`ask`"),
    Case("unknown-answer", protocol().replace("answers: [standing]", "answers: [«standin]"), "did you mean `standing`?"),
    Case("name-taken", protocol().replace("answers: [told, silent]", "answers: [told, silent, «told]"), "keep one"),
    Case("bad-type", protocol().replace("fields: {since: [1, int64]}", "fields: {since: [1, «update]}"), "containers and answers only"),
    Case("name", wire("«Pack: {code: 9}"), "snake_case"),
    Case("class-taken", wire("«slug: {code: 9}"), "both class Slug"),
    Case("missing-key", protocol().replace("stand: {code: 1, answers: [standing]}", "stand: «{code: 1}"), "needs `answers`"),
    Case("number-taken", protocol().replace("{id: 93}", "{id: «94}"), "94"),
    Case("debts", WIRE.replace("debts", "«debts").replace("  topic_anew: {of: topic, failure: abandon, set: {rev: 1}}\n", "" ) + f"  feed: {{id: 94, parts: {{rev: {{kind: counter, number: 1}}}}, difference: {{{FEED}}}}}\n", "leave `debts` out"),
    Case("debts", protocol().replace("debts: {id: 93}\n", "").replace("  topic:", "  «topic:"), "add `debts: {id: NUMBER}`"),
    Case("debts", box_alone("moved: {code: 1, fields: {to: [1, int64]}, emits: [{reset: «anew}]}"), "the recipe `anew` is asked for"),
    Case("unknown-field", protocol().replace("list_all: {code: 4,", "list_all: {code: 4, gather: {«aftr: 5},"), "did you mean `after`?"),
    Case("type", protocol().replace("list_all: {code: 4,", "list_all: {code: 4, gather: {«after: 5},"), "name a field that is a list"),
]  # fmt: skip

PARTS = [
    Case("claim", protocol(parts="rev: {kind: counter, number: 1}, at: {kind: stamp, number: 2, «hold_ms: 5}"), "nothing is missing of it"),
    Case("claim", protocol(parts="rev: {kind: watermark, number: 1, «hold_ms: 5}"), "no gap can be seen"),
    Case("type", token(told("{kind: full, set: {rev: «rev}}")), "expected opt<text>"),
    Case("type", token(protocol(f"loop: {{with: {{since: «rev}}}}, difference: {{{FEED}}}")), "expected int64"),
    Case("unknown-word", protocol(parts="rev: {kind: counter, number: 1, zero: «kept}"), "refused"),
    Case("unknown-request", protocol(parts="rev: {kind: counter, number: 1, confirm: {request: «asc}}"), "did you mean `ask`?"),
    Case("missing-key", protocol(parts="rev: {kind: counter, number: 1, confirm: {request: «ask}}"), "needs `since`"),
    Case("unknown-name", protocol(parts="rev: {kind: counter, number: 1, confirm: {request: ask, with: {since: «at}}}"), "at"),
    Case("type", protocol(parts="rev: {kind: counter, number: 1, confirm: {request: ask, with: {since: rev}, when: «rev}}" ), "bool"),
]  # fmt: skip

CURSORS = [
    Case("difference", protocol(f"«travels: alone, difference: {{{FEED}}}"), "one in the box"),
    Case("difference", protocol(topic=f"«idle_poll_ms: 5, difference: {{{TOPIC}}}"), "one for each key"),
    Case("difference", protocol("«idle_poll_ms: 5"), "add a `difference:`"),
    Case("unknown-answer", protocol(f"idle_poll_ms: {{«standing: 5}}, difference: {{{FEED}}}"), "not answered with"),
    Case("type", protocol(f"idle_poll_ms: {{told: «more}}, difference: {{{FEED}}}"), "int64"),
    Case("claim", token(protocol()).replace("done: {code: 1, fields: {rev: [1, int64]}}", "done: {code: 1, fields: {rev: [1, int64]}, emits: [{poll: feed, «hint: rev}]}"), "no part of `feed` counts"),
    Case("difference", token(protocol(f"loop: «{{with: {{since: 2}}}}, difference: {{{FEED}}}")).replace("{since: [1, int64]}", "{since: [1, opt<int64>]}"), "name `rev` in `with`"),
    Case("difference", protocol("«loop: {}"), "add a `difference:`"),
    Case("difference", protocol(topic=f"«loop: {{}}, difference: {{{TOPIC}}}"), "one for each key"),
    Case("missing-key", protocol(f"loop: {{}}, difference: {{{FEED.replace('request: ask', 'request: «ask')}}}"), "needs `since`"),
    Case("difference", protocol("«first: {request: stand, set: {standing: {rev: rev}}}"), "add a `difference:`"),
    Case("unknown-word", protocol(topic=f"unknown: «ask, difference: {{{TOPIC}}}"), "`poll`"),
    Case("claim", protocol(topic=f"travels: «feed.at, difference: {{{TOPIC}}}"), "counts nothing"),
    Case("claim", protocol(topic=f"travels: «topic.rev, difference: {{{TOPIC}}}"), "one for each key"),
    Case("unknown-cursor", protocol(topic=f"travels: «fed.rev, difference: {{{TOPIC}}}"), "did you mean `feed`?"),
    Case("recipe", protocol(topic=f"inside: «anew, difference: {{{TOPIC}}}"), "makes `feed` anew"),
    Case("unknown-reset", protocol(topic=f"inside: «topic_new, difference: {{{TOPIC}}}"), "topic_anew"),
    Case("unknown-answer", protocol(topic=f"open_poll: {{first_ms: 1, every_ms: {{«silent: 5}}, missing_ms: 1}}, difference: {{{TOPIC}}}" ), "it is with `told`"),
    Case("type", protocol(topic=f"open_poll: {{first_ms: 1, every_ms: {{told: «more}}, missing_ms: 1}}, difference: {{{TOPIC}}}" ), "int64"),
    Case("missing-key", protocol(topic=f"open_poll: «{{first_ms: 1, every_ms: 5}}, difference: {{{TOPIC}}}"), "missing_ms"),
    Case("missing-key", protocol(f"first: {{request: stand, set: {{standing: «{{at: at}}}}}}, difference: {{{FEED}}}"), "nothing is said of `rev`"),
    Case("unknown-answer", protocol(f"first: {{request: stand, set: {{standing: {{rev: rev}}, «told: {{rev: rev}}}}}}, difference: {{{FEED}}}" ), "not answered with"),
    Case("difference", protocol(f"first: {{request: ask, with: {{since: 0}}, set: «{{told: {{rev: rev}}}}}}, difference: {{{FEED}}}" ), "`silent` as well"),
]  # fmt: skip

DIFFERENCES = [
    Case("unknown-request", asked(f"request: «asc, answers: {{{SILENT}}}"), "did you mean `ask`?"),
    Case("missing-key", asked(f"request: «ask, answers: {{told: {{kind: empty}}, {SILENT}}}"), "add `with:"),
    Case("maybe-none", asked(f"request: ask, with: {{since: «rev}}, answers: {{told: {{kind: empty}}, {SILENT}}}"), "may be absent"),
    Case("unknown-field", asked(f"request: ask, with: {{since: 1, «upto: 2}}, answers: {{told: {{kind: empty}}, {SILENT}}}"), "has no `upto`"),
    Case("difference", asked("request: ask, with: {since: 1}, answers: «{told: {kind: empty}}"), "`silent` as well"),
    Case("unknown-answer", asked(f"request: ask, with: {{since: 1}}, answers: {{told: {{kind: empty}}, {SILENT}, «standing: {{kind: empty}}}}" ), "not answered with `standing`"),
    Case("unknown-word", told("{kind: «whole}"), "full"),
    Case("difference", told("«{kind: too_long}"), "one of `body:` and `reset:`"),
    Case("difference", told("{kind: too_long, reset: anew, «set: {rev: rev}}"), "leave `set` out"),
    Case("difference", told("{kind: empty, «body: page}"), "of the kind `empty`"),
    Case("difference", told("«{kind: full, set: {rev: rev}}"), "give `body:` or `emits:`, or say `kind: empty`"),
    Case("difference", told("«{kind: slice, set: {rev: rev}}"), "of the kind `slice` is written"),
    Case("difference", told("{kind: full, «body: page}") + "bodies:\n  page: {lists: [{list: updates, as: update}]}\n", "since `feed` stays where it is"),
    Case("difference", told("{kind: full, set: {at: rev}, «body: page}") + "bodies:\n  page: {lists: [{list: updates, as: update}]}\n", "add `set:` with `rev`"),
    Case("difference", told("{kind: full, set: {seq: rev}, «body: page}").replace("at: {kind: stamp, number: 2}", "seq: {kind: counter, number: 2}").replace("of: feed, failure: retry, set: {rev: 1}", "of: feed, failure: retry, set: {rev: 1, seq: 1}") + "bodies:\n  page: {lists: [{list: updates, as: update}], covered: [feed.rev, feed.seq]}\n", "add `rev` to `set`"),
    Case("difference", told("{kind: full, set: {rev: if more then rev else none}, «body: page}") + "bodies:\n  page: {lists: [{list: updates, as: update}], covered: [feed.rev]}\n", "add `rev` to `set`"),
    Case("maybe-none", reset("set: {rev: «if true then 1 else none}"), "may be absent"),
    Case("maybe-none", protocol(f"first: {{request: stand, set: {{standing: {{rev: «if true then rev else none, at: at}}}}}}, difference: {{{FEED}}}"), "may be absent"),
    Case("difference", told("{kind: full, set: {rev: rev}, «body: page}").replace("emits: []", "claims: {domain: feed.rev, end: to}, emits: []") + "bodies:\n  page: {lists: [{list: updates, as: update}]}\n", "add `feed.rev` to `covered` of the body"),
    Case("difference", told("{kind: full, set: {rev: rev}, «body: page}").replace("emits: []", "claims: {domain: feed.rev, end: to}, emits: []") + "bodies:\n  page: {lists: [{list: updates, as: update, only: [moved]}]}\n", "beyond a gap is dropped, and `feed` moves over it"),
    Case("difference", told("{kind: slice, «slice_when: more}"), "of the kind `slice`"),
    Case("type", told("{kind: full, slice_when: «rev}"), "bool"),
    Case("unknown-cursor", told("{kind: full, set: {«rve: rev}}"), "did you mean `rev`?"),
    Case("unknown-name", told("{kind: full, set: {rev: «seq}}"), "seq"),
    Case("unknown-name", asked(f"request: ask, with: {{since: «feed.rev}}, answers: {{told: {{kind: empty}}, {SILENT}}}"), "have their bare names: `rev`"),
    Case("unknown-body", told("{kind: full, body: «page}"), "no body `page`"),
    Case("unknown-reset", told("{kind: too_long, reset: «anwe}"), "did you mean `anew`?"),
    Case("recipe", told("{kind: too_long, reset: «topic_anew}"), "makes `topic` anew"),
    Case("unknown-word", asked(f"{FEED}, errors: {{GONE: «ignore}}"), "`retry`, `done`, `stop`"),
    Case("difference", asked(f"{FEED}, errors: {{GONE: {{poll: «topic}}}}"), "one for each key"),
    Case("unknown-cursor", asked(f"{FEED}, errors: {{GONE: {{poll: «fed}}}}"), "did you mean `feed`?"),
    Case("recipe", asked(f"{FEED}, errors: {{GONE: {{reset: «topic_anew}}}}"), "same cursor"),
    Case("range", asked(f"{FEED}, retry: «{{step_ms: 500, cap_ms: 100}}"), "raise `cap_ms`"),
]  # fmt: skip

CONTAINERS = [
    Case("type", container("items: «one"), "list<update>"),
    Case("type", container("items: «ids"), "list<update>"),
    Case("unknown-type", container("items: '[make(«move, to: 1)]'"), "did you mean `moved`?"),
    Case("missing-key", container("items: '[«make(moved, to: 1)]'"), "project_id"),
    Case("claim", container("claims: {domain: «topic.rev, key: 'make(ProjectId, 1)', end: rev}"), "one in the box"),
    Case("claim", container("claims: «{domain: feed.rev, first: rev}"), "needs `last`"),
    Case("one-of", container("claims: {domain: feed.rev, first: rev, last: rev, «count: 1}"), "keep one of them"),
    Case("maybe-none", container("claims: {domain: feed.rev, first: «opt, last: rev}"), "may be absent"),
    Case("claim", token(container("claims: «{domain: feed.rev, end: \"'q'\"}")), "give `after:`"),
    Case("claim", token(container("claims: {domain: feed.rev, after: \"'p'\", end: \"'q'\", count: «'1'}")), "it counts nothing"),
    Case("claim", token(container("claims: {domain: «feed.rev, first: 1, last: rev}")), "it counts nothing"),
    Case("type", token(container("claims: {domain: feed.rev, after: «rev, end: \"'q'\"}")), "expected text"),
    Case("type", token(container("claims: {domain: feed.rev, after: \"'p'\", end: «rev}")), "expected text"),
    Case("claim", container("claims: {domain: feed.rev, end: rev, after: «\"'p'\"}"), "`feed.rev` is no token"),
    Case("one-of", container("claims: {domain: feed.rev, first: rev, last: rev, «after: rev}"), "keep one of them"),
    Case("claim", container("steps: [{domain: «topic.rev, first: 1, last: rev}]"), "give `key:`"),
    Case("claim", container("stamps: {«feed.rev: rev}"), "is no stamp"),
    Case("claim", container("«stamps: {feed.at: rev}"), "this one has none"),
    Case("claim", container("stamps: {«topic.rev: rev}"), "not one in the box"),
    Case("unknown-cursor", container("stamps: {«fed.at: rev}"), "did you mean `feed`?"),
    Case("type", container("date: «updates"), "int64"),
    Case("step", container("side: [«{poll: feed}]"), "put it into `emits:`"),
    Case("step", container("emits: [«{rename: {project_id: 'make(ProjectId, 1)', name: \"'x'\"}}]"), "put it into `side:`"),
    Case("lookup", container("side: [{rename: {project_id: p, name: «projects(p).name // 'x'}, each: ids as p}]"), "`let` step"),
    Case("unknown-table", container("brings: [{row: «project_s, key: rev}]"), "did you mean"),
    Case("type", container("brings: [{row: projects, key: «opt, when: opt is present}]"), "expected ProjectId"),
]  # fmt: skip

BODIES = [
    Case("one-of", told("{kind: full, body: page, «emits: []}"), "put it into the body"),
    Case("difference", told("{kind: empty, «emits: []}"), "says nothing of an answer"),
    Case("difference", told("«{kind: too_long, emits: [], reset: anew}"), "give one of"),
    Case("unknown-operation", told("{kind: full, emits: [{«renam: {}}]}"), "did you mean `rename`?"),
    Case("lookup", told("{kind: full, emits: [«{rename: {project_id: p, name: \"if feed.rev // 0 == 0 then 'a' else 'b'\"}, each: ids as p}]}"), "what to ask, not what to write"),
    Case("unknown-name", body("{brings: [{row: projects, key: p, each: ids as p}], emits: [{poll: topic, key: p, when: «was is none, each: ids as p}]}"), "was"),
    Case("lookup", body("{brings: [{row: projects, key: p, each: ids as p, emits: [{poll: topic, key: p, when: «projects(p) is none}]}]}"), "`was`"),
    Case("step", body("{brings: [{row: projects, key: p, each: ids as p, emits: [«{rename: {project_id: p, name: was.name // ''}}]}]}"), "put it into `side:`"),
    Case("lookup", body("{brings: [{row: topic, key: p, each: ids as p, emits: «[{poll: topic, key: p}]}]}"), "`CURSOR(key).PART`"),
    Case("name-taken", body("{brings: [{row: projects, key: was, each: ids as was, emits: «[{poll: topic, key: was}]}]}"), "something else"),
    Case("unknown-body", protocol() + "bodies:\n  «page: {covered: [feed.rev]}\n", "no answer brings"),
    Case("unknown-bring", body("{brings: [come, «com]}") + "brings:\n  come: {row: projects, key: p, each: ids as p}\n", "did you mean `come`?"),
    Case("missing-key", body("{brings: [«{row: projects}]}"), "a row that comes along needs `key`"),
    Case("wrong-shape", body("{brings: [«5]}"), "a mapping or a text"),
    Case("unknown-bring", protocol() + "brings:\n  «come: {row: projects, key: p, each: ids as p}\n", "nothing brings `come`"),
    Case("unknown-field", body("{brings: [come]}") + "brings:\n  come: {row: projects, key: p.«own, each: ids as p}\n", "no fields"),
    Case("lookup", body("{brings: [come]}") + "brings:\n  come: {row: projects, key: p, each: ids as p, emits: [{poll: topic, key: p, when: «projects(p) is none}]}\n", "`was`"),
    Case("missing-key", body("«{}"), "is empty"),
    Case("type", body("{lists: [{list: «rev, as: update}]}"), "the updates are a list"),
    Case("type", body("{lists: [{list: ids, as: «update}]}"), "no updates"),
    Case("unknown-update", body("{lists: [{list: ids, as: «move}]}"), "did you mean `moved`?"),
    Case("missing-key", body("{lists: [«{list: ids, as: moved}]}"), "add `field:`"),
    Case("unknown-field", body("{lists: [{list: ids, as: moved, field: «project}]}"), "did you mean `project_id`?"),
    Case("type", body("{lists: [{list: updates, as: moved, field: «to}]}"), "the elements are update"),
    Case("missing-key", body("{lists: [«{list: ids, as: moved, field: project_id}]}"), "needs `to`"),
    Case("unknown-key", body("{lists: [{list: ids, as: moved, field: project_id, with: {to: rev}, «only: [moved]}]}"), "all the elements are one update"),
    Case("unknown-key", body("{lists: [{list: updates, as: update, «field: to}]}"), "updates already"),
    Case("unknown-update", body("{lists: [{list: updates, as: update, only: [«move]}]}"), "did you mean `moved`?"),
    Case("claim", body("{covered: [«feed.at]}"), "counts nothing"),
    Case("step", body("{tail: [«{reset: anew}]}"), "put it into `emits:`"),
    Case("unknown-name", body("{tail: [{rename: {project_id: «project_id, name: \"'x'\"}}]}"), "project_id"),
]  # fmt: skip

RESETS = [
    Case("unknown-cursor", protocol().replace("of: feed", "of: «fed"), "did you mean `feed`?"),
    Case("missing-key", reset("set: «{at: 1}"), "nothing is said of `rev`"),
    Case("unknown-request", reset("fetch: [{name: a, request: «asc}], set: {rev: 1}"), "did you mean `ask`?"),
    Case("recipe", reset("fetch: [{name: a, request: «ask, with: {since: 1}}], set: {rev: 1}"), "add `answer:`"),
    Case("unknown-answer", reset("fetch: [{name: a, request: ask, with: {since: 1}, answer: «standing}], set: {rev: 1}"), "it is with `told` or `silent`"),
    Case("name-taken", reset("fetch: [{name: a, request: stand}, {name: «a, request: stand}], set: {rev: 1}"), "names something else"),
    Case("name", reset("fetch: [{name: «A, request: stand}], set: {rev: 1}"), "snake_case"),
    Case("unknown-name", reset("fetch: [{name: a, request: ask, answer: told, with: {since: «b.rev}}, {name: b, request: stand}], set: {rev: 1}"), "b"),
    Case("type", reset("fetch: [{name: a, request: list_all, pages_while: «last(a).rev}], set: {rev: 1}"), "bool"),
    Case("lookup", reset("fetch: [{name: a, request: ask, answer: told, with: {since: 'size(«projects.prefix([]))'}}], set: {rev: 1}"), "projects"),
    Case("unknown-field", reset("fetch: [{name: a, request: stand}], set: {rev: a.«seq}"), "it has `rev` or `at`"),
    Case("missing-key", reset("fetch: [{name: a, request: stand}], commit: [{«body: page}], set: {rev: 1}"), "add `of: STEP`"),
    Case("type", reset("fetch: [{name: a, request: list_all, pages_while: false}], commit: [{body: page, of: «a}], set: {rev: 1}"), "of: page"),
    Case("unknown-key", reset("commit: [{body: page, of: a, «key: 1}], set: {rev: 1}"), "`body` has no key `key`"),
    Case("unknown-body", reset("fetch: [{name: a, request: stand}], commit: [{body: «page, of: a}], set: {rev: 1}"), "no body `page`"),
    Case("range", reset("retry: «{step_ms: 9, cap_ms: 8}, set: {rev: 1}"), "lower `step_ms`"),
    Case("unknown-word", protocol().replace("failure: retry", "failure: «again"), "retry"),
]  # fmt: skip


CASES = WIRES + PARTS + CURSORS + DIFFERENCES + CONTAINERS + BODIES + RESETS


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.told[:30]}")
def test_each_finding_has_its_place(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def test_a_body_is_checked_for_every_answer_and_tells_for_which(tmp_path: Path) -> None:
    answers = (
        "told: {kind: full, set: {rev: rev}, body: page}, silent: {kind: full, set: {rev: 1}, body: page}"
    )
    text = asked(f"request: ask, with: {{since: 1}}, answers: {{{answers}}}")
    write(tmp_path, text + "bodies:\n  page: {lists: [{list: updates, as: update}]}\n")

    (found,) = findings(tmp_path)

    assert found.code == "unknown-name"
    assert "as used at case.yaml" in found.text


def test_a_second_table_of_debts_is_told(tmp_path: Path) -> None:
    write(tmp_path, protocol())
    (tmp_path / "other.yaml").write_text("debts: {id: 99}\n", encoding="utf-8")

    (found,) = findings(tmp_path)

    assert (found.file, found.code) == ("other.yaml", "name-taken")
