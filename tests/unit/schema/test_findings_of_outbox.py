# ruff: noqa: E501 -- a table reads best with one case a line
"""The word `outbox`: what is taken, and each finding with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case

from pillarbox_codegen.model import Emission, If, Make, PollEntry
from pillarbox_codegen.walk import nodes

WIRE = """\
containers: {done: {code: 1}}
answers: {saved: {code: 2, fields: {name: [1, text]}}}
requests:
  call_it: {code: 1, fields: {project_id: [1, ProjectId], name: [2, text], key: {number: 3, type: int64, default: 0}}, answers: [done, saved]}
"""
PAYLOAD = "{id: [1, ProjectId], name: [2, text], on: [3, bool], tags: [4, list<int32>], key: [5, int64], media: [6, opt<Media>], ratio: [7, float64]}".replace(
    "on:", "loud:"
)
TABLE = "table: {id: 100, groups: 101, numbers: 102, cancel: 50}"


def wish(
    more: str = "", *, payload: str = PAYLOAD, table: str = TABLE, given: str = "{project_id: id, name: name}"
) -> str:
    """A schema with one kind of wish; `more` are lines of it."""
    lines = "".join(f"    {line}\n" for line in more.split("\n") if line)
    unique = "" if "unique:" in more else "    unique: none\n"
    request = "" if "request:" in more else f"    request: call_it\n    with: {given}\n"
    head = f"  {table}\n" if table else ""
    return f"{WIRE}outbox:\n{head}  call:\n    code: 51\n    payload: {payload}\n{unique}{request}{lines}"


def counted(more: str) -> str:
    """The same, of a server whose answer `done` says that something was counted."""
    counts = (
        "{done: {code: 1, fields: {rev: [1, int64]}, steps: [{domain: account.rev, end: rev, count: 1}]}}"
    )
    return wish(more).replace("{done: {code: 1}}", counts)


RENAME = "[{rename: {project_id: id, name: name, tags: tags}}]"
GROW = """\
tables:
  sizes: {id: 110, key: {id: ProjectId}, record: {size: [1, int64]}}
operations:
  grow: {code: 70, params: {id: [1, ProjectId]}, steps: [{patch: {table: sizes, at: id, add: {size: 1}}}]}
"""
MARKS = """\
cursors:
  marks: {id: 111, parts: {rev: {kind: watermark, number: 1}}}
"""
AGAIN = """\
operations:
  again: {code: 71, params: {}, steps: [{do: {enqueue_call: {id: 1, name: "''", loud: false, tags: [], key: 1, media: none, ratio: 1}}}]}
"""
LATER = """\
outbox:
  later: {code: 52, payload: {id: [1, ProjectId]}, unique: none, request: call_it, with: {project_id: id, name: "''"}}
"""
DEFER = """\
operations:
  defer: {code: 71, params: {}, steps: [{do: {enqueue_later: {id: 1}}}]}
"""
CASES = (
    Case("outbox", wish(table="").replace("  call:", "  «call:"), "nothing says where the outbox keeps its rows"),
    Case("bad-type", wish(payload=PAYLOAD.replace("key:", "row: [8, row<issues>], key:")).replace("  call:", "  «call:"), "`row` is stored in `outbox`"),
    Case("outbox", f"{WIRE}outbox:\n  «{TABLE}\n", "nothing goes into this outbox"),
    Case("missing-key", wish(table="table: «{id: 100, groups: 101, numbers: 102}"), "cancel"),
    Case("number-taken", wish(table="table: {id: 100, groups: «100, numbers: 102, cancel: 50}"), "table id 100"),
    Case("number-taken", wish(table="table: {id: 100, groups: 101, numbers: 102, cancel: «51}"), "code 51"),
    Case("missing-key", wish().replace("    unique: none\n", "").replace("  call:\n    code", "  call:\n    «code"), "unique"),
    Case("name-taken", wish() + "tables:\n  «outbox: {id: 110, key: {a: int32}}\n", "what the outbox declares"),
    Case("name-taken", wish() + "types:\n  «Outgoing: {id: int64}\n", "what the outbox declares"),
    Case("name-taken", wish() + "operations:\n  «enqueue_call: {code: 70, params: {}, steps: []}\n", "what the outbox declares"),
    Case("name-taken", wish().replace("  call:", "  «limit:"), "the parameter of the view"),
    Case("name-taken", wish(payload="{id: [1, ProjectId], name: [2, text], «group: [3, int32]}"), "a meaning of its own"),
    Case("unknown-type", wish(payload="{id: [1, «ProjectIdd], name: [2, text]}"), "did you mean `ProjectId`?"),
    Case("number-gap", wish(payload="{id: [1, ProjectId], name: [«3, text]}"), "number 2"),
    Case("unknown-field", wish("per: [id, «nam]"), "did you mean `name`?"),
    Case("outbox", wish("per: «id + 1"), "is no field"),
    Case("unknown-field", wish("per: «id.number"), "has no fields"),
    Case("type", wish("per: «ratio"), "does not tell which group"),
    Case("type", wish("per: [id, «tags]"), "does not tell which group"),
    Case("wrong-shape", wish("per: nick", payload="{id: [1, ProjectId], name: [2, text], nick: [3, Nick]}") + "types:\n  Nick: «text\n", "write `Nick: {id: text}`"),
    Case("unknown-word", wish("same: «once"), "what becomes of two wishes"),
    Case("unknown-field", wish("same: {fold: {«tag: union}}"), "did you mean `tags`?"),
    Case("type", wish("same: {fold: {name: «union}}"), "`union` does not fold text"),
    Case("type", wish("same: {fold: {tags: «max}}"), "`max` does not fold list<int32>"),
    Case("type", wish("same: {fold: {media: «max}}"), "`max` does not fold what may be absent"),
    Case("unknown-field", wish("same: {cancel: «lou}"), "did you mean `loud`?"),
    Case("type", wish("same: {cancel: «name}"), "is no bool"),
    Case("outbox", wish("same: {cancel: loud, fold: {«loud: first}}"), "says what is wanted now"),
    Case("unknown-field", wish("unique: «token"), "the payload has no `token`"),
    Case("outbox", wish("unique: «key"), "the request is not told `key`"),
    Case("outbox", wish("unique: «tags", given="{project_id: id, name: name, key: size(tags)}"), "cannot tell repeats"),
    Case("unknown-request", wish("request: «call_itt\nwith: {project_id: id, name: name}"), "did you mean `call_it`?"),
    Case("missing-key", wish(given="«{project_id: id}"), "needs `name`"),
    Case("type", wish(given="{project_id: id, name: «loud}"), "text"),
    Case("lookup", wish(given="{project_id: id, name: \"«projects(id).name // ''\"}"), "into the payload"),
    Case("unknown-answer", wish("answers: {«save: []}"), "is not answered with `save`"),
    Case("outbox", wish("answers: {«done: []}"), "goes where pushes go"),
    Case("outbox", wish(f"answers: {{«done: {RENAME}}}"), "does not only count"),
    Case("outbox", counted("answers: {done: «local}"), "nothing is done here at once"),
    Case("outbox", counted(f"local: {RENAME}\nanswers: {{saved: «local}}"), "`saved` counts nothing"),
    Case("outbox", counted("answers: {done: «[{poll: account}]}"), "operations alone"),
    Case("unknown-word", counted("answers: {done: «locale}"), "it must be `local`"),
    Case("wrong-shape", counted("answers: {done: [«local]}"), "expected a mapping"),
    Case("repeat", counted("local: [{«grow: {id: id}}]\nanswers: {done: local}") + GROW, "is done again with its answer, and `grow` adds to"),
    Case("repeat", counted("local: [{«grow: {id: id}}]\nanswers: {done: local}") + GROW, "`idempotent: true` and `because:`"),
    Case("repeat", counted("answers: {done: [{«grow: {id: id}}]}").replace("count: 1}", "count: 1, unless: rev == 0}") + GROW, "`done` may count nothing"),
    Case("repeat", counted("answers: {done: [{«grow: {id: id}}]}").replace("count: 1}", "count: rev}") + GROW, "`done` may count nothing"),
    Case("repeat", counted("answers: {done: [{«grow: {id: id}}]}").replace("account.rev, end: rev, count: 1", "marks.rev, end: rev") + GROW + MARKS, "`done` may count nothing"),
    # Of a container with a finding of its own nothing more is said.
    Case("unknown-name", counted(f"local: {RENAME}\nanswers: {{done: local}}").replace("end: rev", "end: «revv"), "did you mean `rev`?"),
    Case("unknown-field", wish("answers: {saved: [{rename: {project_id: id, name: answer.«title, tags: tags}}]}"), "no field `title`"),
    Case("unknown-name", wish("refused: [{rename: {project_id: id, name: «answer.name, tags: tags}}]"), "answer"),
    Case("unknown-operation", wish("local: [{«renam: {project_id: id}}]"), "did you mean `rename`?"),
    Case("step", wish("local: [{«enqueue_call: {}}]"), "`enqueue_call` does itself"),
    Case("step", wish("local: [{«again: {}}]") + AGAIN, "`again` does itself, by way of `enqueue_call`"),
    Case("repeat", counted("local: [{«defer: {}}]\nanswers: {done: local}").replace("outbox:\n", LATER) + DEFER, "is done again"),
    Case("outbox", wish("local: [{«poll: account}]"), "cannot be done here at once"),
    Case("missing-key", wish("local: [{rename: «{project_id: id}}]"), "the operation rename needs `name`"),
    Case("unknown-cursor", wish("refused: [{poll: «projct, key: id}]"), "did you mean `project`?"),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.told}")
def test_a_faulty_wish_is_told_at_its_place(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def test_a_kind_of_wish_has_all_that_is_said_of_it(tmp_path: Path) -> None:
    more = """\
per: [id, name]
same: {cancel: loud}
delay_ms: 500
limit: 3
errors: {BUSY: retry}
retry: {step_ms: 5, cap_ms: 50}
local: [{rename: {project_id: id, name: name, tags: tags}}]
answers: {saved: [{rename: {project_id: id, name: answer.name, tags: tags}}]}
refused: [{rename: {project_id: id, name: code, tags: tags}}, {poll: project, key: id}]"""
    schema = accepted(tmp_path, wish(more))

    assert schema.outbox is not None
    (found,) = schema.outbox.entries
    assert (found.name, found.code, found.delay_ms, found.limit) == ("call", 51, 500, 3)
    assert found.cancels
    assert found.retry_codes == ("BUSY",)
    assert found.retry is not None
    assert (found.retry.step_ms, found.retry.cap_ms) == (5, 50)
    assert [one.name for one in found.containers] == ["done"]
    assert [(answer.name, len(emits)) for answer, emits in found.answers] == [("saved", 1)]
    assert isinstance(found.refused[1], PollEntry)


@pytest.mark.parametrize(
    ("more", "met"),
    [
        (f"same: {{cancel: loud}}\nlocal: {RENAME}", {"rename"}),
        ("same: {cancel: loud}", {"rename", "grow"}),
        (f"same: replace\nlocal: {RENAME}", set()),
    ],
)
def test_what_may_write_what_a_wish_shows_keeps_it_from_vanishing(
    tmp_path: Path, more: str, met: set[str]
) -> None:
    schema = accepted(tmp_path, wish(more) + GROW)

    assert schema.outbox is not None
    found = set(schema.outbox.entries[0].met)
    assert found & {"rename", "grow", "enqueue_call", "cancel_outgoing"} == met


def test_what_the_first_said_of_a_payload_of_one_type_may_be_nothing(tmp_path: Path) -> None:
    text = wish(
        "same: {fold: {payload: first}}", payload="opt <text>", given="{project_id: 1, name: payload // ''}"
    )

    made = [
        it for it in nodes(accepted(tmp_path, text).operations["enqueue_call"].steps) if isinstance(it, Make)
    ]

    values = [value for one in made for name, value in one.fields if name == "payload"]
    assert any(isinstance(value, If) for value in values), "`//` would take the newer one where it is absent"


@pytest.mark.parametrize("what", ["local", RENAME])
def test_what_an_answer_counts_may_be_what_was_done_at_once(tmp_path: Path, what: str) -> None:
    schema = accepted(tmp_path, counted(f"local: {RENAME}\nanswers: {{done: {what}}}"))

    assert schema.outbox is not None
    ((answer, (entry,)),) = schema.outbox.entries[0].answers
    assert (answer.name, answer.kind) == ("done", "container")
    assert isinstance(entry, Emission)
    assert entry.operation == "rename"


def test_a_kind_of_wish_brings_an_operation_and_a_case_of_the_payload(tmp_path: Path) -> None:
    schema = accepted(tmp_path, wish())

    assert schema.operations["enqueue_call"].code == 51
    assert schema.operations["cancel_outgoing"].code == 50
    assert {name: schema.tables[name].id for name in ("outbox", "outbox_groups", "outbox_numbers")} == {
        "outbox": 100,
        "outbox_groups": 101,
        "outbox_numbers": 102,
    }
    assert "outbox_rows" in schema.views


def test_a_payload_may_be_one_type(tmp_path: Path) -> None:
    schema = accepted(
        tmp_path,
        wish("per: payload.url", payload="Link", given="{project_id: 1, name: payload.url}"),
    )

    assert [field.name for field in schema.operations["enqueue_call"].params] == ["payload"]
