# ruff: noqa: E501 -- a table reads best with one case a line
"""Updates: what they say about counters and rows, and what they become; each finding has its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case, findings, update, write

from pillarbox_codegen.model import Emission, Optional, PollEntry, ResetEntry, SwitchEntry, UpdateOf
from pillarbox_codegen.type_rules import INT64

FIELDS = (
    "fields: {project_id: [1, ProjectId], name: [2, text], rev: [3, int64], count: [4, int32], "
    "media: [5, Media], state: [6, opt<State>], ids: [7, list<ProjectId>], link: [8, opt<Link>]}\n"
)
RECIPES = """resets:
  everything: {of: account, failure: retry, set: {rev: 1}}
  one_project: {of: project, failure: retry, set: {rev: 1}}
"""
RENAME = "{rename: {project_id: project_id, name: name}}"


def told(body: str) -> str:
    """An update with these keys besides its fields."""
    return RECIPES + update(FIELDS + body)


RELATIONS = [
    Case(
        "one-of",
        told("claims: account.rev\n«observes: {domain: project.rev, key: project_id}"),
        "keep one of them",
    ),
    Case("one-of", told("rides: {cursor: project, key: project_id}\n«claims: account.rev"), "one relation"),
    Case("claim", told("observes: «account.rev"), "leave `observes` out"),
    Case("claim", told("rides: {cursor: «account, key: project_id}"), "leave `rides` out"),
    Case("unknown-cursor", told("rides: {cursor: «projet, key: project_id}"), "did you mean `project`?"),
    Case("unknown-cursor", told("observes: {domain: «project.rve, key: project_id}"), "`project.rev`"),
    Case("missing-key", told("observes: {domain: «project.rev}"), "give `key:`"),
    Case("missing-key", told("rides: «{cursor: project}"), "needs `key`"),
    Case("type", told("rides: {cursor: project, key: «name}"), "expected ProjectId"),
    Case("unknown-word", told("claims: {domain: account.rev, when_old: «keep}"), "`drop` or `apply`"),
    Case("unknown-key", told("rides: {cursor: project, key: project_id, «value: rev}"), "no key `value`"),
]

NEEDS = [
    Case("unknown-table", told("brings: [{row: «project_s, key: project_id}]\nemits: []"), "did you mean"),
    Case(
        "unknown-key",
        told("brings: [{row: projects, key: project_id, «emits: []}]\nemits: []"),
        "its own `emits:`",
    ),
    Case(
        "unknown-table",
        told("needs: [{row: «project_s, key: project_id, absent: skip}]\nemits: []"),
        "did you mean",
    ),
    Case(
        "lookup",
        told("needs: [{row: «project, key: project_id, absent: skip}]\nemits: []"),
        "`CURSOR(key).PART`",
    ),
    Case("lookup", told("needs: [{row: «numbers, key: project_id, absent: skip}]\nemits: []"), "a sequence"),
    Case(
        "unknown-word", told("needs: [{row: projects, key: project_id, absent: «drop}]\nemits: []"), "ignore"
    ),
    Case("missing-key", told("needs: [«{row: projects, key: project_id}]\nemits: []"), "needs `absent`"),
    Case("key-parts", told("needs: [{row: issues, key: «project_id, absent: skip}]\nemits: []"), "2 parts"),
    Case(
        "maybe-none",
        told("needs: [{row: by_state, key: [project_id, «state, 1, 1], absent: skip}]\nemits: []"),
        "is present",
    ),
    Case(
        "unknown-request",
        told("needs: [{row: projects, key: project_id, absent: skip, fetch: {«look: {}}}]\nemits: []"),
        "no request",
    ),
    Case(
        "lookup",
        told("emits: [{rename: {project_id: project_id, name: «projects(project_id).name // name}}]"),
        "name it in `needs`",
    ),
    Case(
        "lookup",
        told(
            "needs: [{row: projects, key: project_id, absent: skip}]\nemits: [«{rename: {project_id: project_id, name: projects(p).name // name}, each: ids as p}]"
        ),
        "another row of `projects`",
    ),
    Case(
        "lookup",
        told(
            "needs: [{row: projects, key: p, each: ids as p, absent: skip}]\nemits: [«{rename: {project_id: p, name: projects(p).name // name}, each: 'ids + ids as p'}]"
        ),
        "under the same name",
    ),
    Case(
        "lookup",
        told(
            "needs: [{row: projects, key: «projects(project_id).parent_id // project_id, absent: skip}]\nemits: []"
        ),
        "own fields",
    ),
    Case("lookup", told("claims: {domain: account.rev, end: «project(project_id).rev // 0}"), "own fields"),
    Case(
        "unknown-type",
        "answers: {found: {code: 1, fields: {rows: [1, list<«Row>]}}}\n"
        "requests: {look: {code: 1, answers: [found]}}\n"
        + told("needs: [{row: projects, key: project_id, absent: skip, fetch: {look: {}}}]\nemits: []"),
    ),
    Case(
        "unknown-body",
        "answers: {found: {code: 1}}\nrequests: {look: {code: 1, answers: [found]}}\n"
        + told("needs: [{row: projects, key: project_id, absent: skip, fetch: {«look: {}}}]\nemits: []"),
        "`body: NAME`",
    ),
]

ENTRIES = [
    Case("unknown-cursor", told("emits: [{poll: «acount}]"), "did you mean `account`?"),
    Case("missing-key", told("emits: [{poll: «project}]"), "give `key:`"),
    Case("key-parts", told("emits: [{poll: account, «key: project_id}]"), "leave `key:` out"),
    Case("type", told("emits: [{poll: project, key: project_id, hint: «name}]"), "expected opt<int64>"),
    Case("unknown-key", told("emits: [{poll: account, «rename: {}}]"), "`poll` has no key `rename` its keys are "),
    Case("unknown-reset", told("emits: [{reset: «everthing}]"), "did you mean `everything`?"),
    Case("missing-key", told("emits: [{reset: «one_project}]"), "counts for each project_id"),
    Case("unknown-key", told("emits: [{reset: everything, «hint: rev}]"), "`reset` has no key `hint`"),
    Case("missing-key", told("emits: [{«switch: media}]"), "needs `cases`"),
    Case("type", told("emits: [{switch: «name, cases: {}}]"), "a `when` each"),
    Case("step", told("emits: [{«switch: media, cases: {Picture: []}}]"), "nothing is said of `Document`"),
    Case("step", told("emits: [{«switch: state, cases: {open: [], waiting: [], closed: []}}]"), "nothing is said of `none`"),
    Case("step", told("emits: [{switch: state, cases: {open: [], waiting: [], closed: [], none: []}, «other: []}]"), "leave `other` out"),
    Case("unknown-name", told("emits: [{switch: media, cases: {«Pictre: [], Document: []}, other: []}]"), "did you mean `Picture`?"),
    Case("unknown-field", told("emits: [{switch: media, cases: {Picture: [], Document: [{rename: {project_id: project_id, name: media.«width}}]}}]"), "Picture"),
    Case("unknown-name", told("emits: [{rename: {project_id: project_id, name: name}, when: «claim_end > 0}]"), "claim_end"),
    Case("maybe-none", told("claims: {domain: account.rev, end: rev, unless: rev == 0}\nemits: [{poll: project, key: project_id, when: project(project_id).rev is present}, {switch: state, cases: {none: []}, other: [{rename: {project_id: project_id, name: name, tags: '[«claim_end]'}}]}]"), "opt<int64>"),
    Case("name", "updates:\n  one: {code: 1, fields: {«server_now: [1, int64]}, emits: []}\n", "choose another name"),
    Case("name", "operations:\n  «reset: {code: 9, params: {}, steps: []}\n", "another word"),
    Case("bad-type", "types: {Held: {record: {inner: [1, list<«update>]}}}\n", "containers and answers only"),
]  # fmt: skip


CASES = RELATIONS + NEEDS + ENTRIES


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.told[:30]}")
def test_each_finding_has_its_place(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


def test_cases_that_are_many_are_counted_where_they_are_missing(tmp_path: Path) -> None:
    values = ", ".join(f"value_{number}: {number}" for number in range(20))
    text = f"types: {{Long: {{enum: {{{values}}}}}}}\n"
    write(tmp_path, text + update("fields: {long: [1, Long]}\nemits: [{switch: long, cases: {}}]"))

    (found,) = findings(tmp_path)

    assert found.text.endswith("`value_11` and 8 more")


def test_every_word_at_once_is_in_order(tmp_path: Path) -> None:
    schema = accepted(
        tmp_path,
        told(
            "claims: {domain: account.rev, when_old: apply}\n"
            "needs:\n"
            "  - {row: projects, key: project_id, absent: discard}\n"
            "  - {row: projects, key: p, each: ids as p, when: p != project_id, absent: ignore}\n"
            "emits:\n"
            f"  - {RENAME}\n"
            "  - {rename: {project_id: p, name: projects(p).name // name}, each: ids as p}\n"
            "  - {poll: account, hint: claim_end + server_now - batch_date}\n"
            "  - {reset: one_project, key: project_id, when: project(project_id).rev is none}\n"
            "  - {switch: media, cases: {Picture: [{poll: project, key: project_id, hint: media.width}], Document: []}}\n"
        )
        + "debts: {id: 120}\n",
    )

    renamed = schema.updates["renamed"]

    assert renamed.when_old
    assert [need.absent for need in renamed.needs] == ["discard", "ignore"]
    assert renamed.emits is not None
    assert [type(entry) for entry in renamed.emits] == [
        Emission, Emission, PollEntry, ResetEntry, SwitchEntry,
    ]  # fmt: skip


def test_the_end_of_a_claim_is_there_where_the_claim_is(tmp_path: Path) -> None:
    text = told("claims: {domain: account.rev, unless: rev == 0}\nemits: [{poll: account, hint: claim_end}]")

    (poll,) = accepted(tmp_path, text).updates["renamed"].emits or ()

    assert isinstance(poll, PollEntry)
    assert poll.hint is not None
    assert poll.hint.type == Optional(INT64)


def test_an_update_without_emissions_is_told_from_one_with_none(tmp_path: Path) -> None:
    schema = accepted(
        tmp_path,
        "updates:\n  one: {code: 1, fields: {}}\n  two: {code: 2, fields: {}, emits: []}\n",
    )

    assert (schema.updates["one"].emits, schema.updates["two"].emits) == (None, ())


def test_any_update_is_a_type_where_the_server_speaks(tmp_path: Path) -> None:
    text = (
        "answers:\n  all: {code: 1, fields: {first: [1, update]}}\nupdates:\n  one: {code: 1, fields: {}}\n"
    )

    schema = accepted(tmp_path, text)

    assert schema.protocol is not None
    assert schema.protocol.answers["all"].fields[0].type == UpdateOf()


def test_what_a_claim_is_unless_is_known_in_the_claim(tmp_path: Path) -> None:
    fields = "fields: {end: [1, opt<int64>], project_id: [2, opt<ProjectId>]}\n"
    unless = "unless: end is none or project_id is none"

    text = update(fields + f"claims: {{domain: project.rev, key: project_id, end: end, {unless}}}")

    claim = accepted(tmp_path, text).updates["renamed"].claim
    assert claim is not None
    assert claim.end.type == INT64
