# ruff: noqa: E501 -- a table reads best with one case a line
"""Sources: what they become, and which of it is kept in order; each finding has its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.schema.cases import Case, accepted, check_case

from pillarbox_codegen.model import Source

#: Beside the base: what one operation touches alone, what it reads, what it numbers, what has one row.
WORLD = """\
sequences:
  entries: {id: 60, type: int64, per: {}}
  words: {id: 69, type: int32, intern: text, per: {}}
  terms: {id: 70, type: int32, intern: text, per: {project_id: ProjectId}}
tables:
  said: {id: 71, key: {project_id: ProjectId}, record: {text: {number: 1, type: text, default: ''}, word: {number: 2, type: int32, fill: words(text)}}}
  shouted: {id: 73, key: {project_id: ProjectId}, record: {text: {number: 1, type: text, default: none}, word: {number: 2, type: int32, fill: words(text)}}}
  meant: {id: 72, key: {project_id: ProjectId}, record: {text: [1, text], term: {number: 2, type: int32, fill: terms(text)}}}
  logged: {id: 61, key: {entry: {type: int64, fill: entries}}, record: {text: [1, text]}}
  settings: {id: 63, key: {name: text}, record: {text: [1, text]}}
  totals: {id: 65, count: {from: issues, group: [project_id], sum: {issues: 1, all: 1}, anchor: {given: issues, stale: doubts}}}
  doubts: {id: 66, stale: {of: totals}}
  in_all: {id: 67, count: {from: issues, group: [], sum: {issues: 1, all: 1}, anchor: {given: issues, stale: in_doubt}}}
  in_doubt: {id: 68, stale: {of: in_all}}
operations:
  put_issue: {code: 10, params: {issue: [1, row<issues>]}, steps: [{put: {into: issues, row: issue}}]}
  close: {code: 11, params: {project_id: [1, ProjectId], n: [2, int32]}, steps: [{patch: {table: issues, at: "[project_id, n]", set: {state: closed}}}]}
  drop: {code: 12, params: {project_id: [1, ProjectId]}, steps: [{remove: {from: issues, under: "[project_id]"}}]}
  ask: {code: 13, params: {project_id: [1, ProjectId]}, steps: [{require: "by_state([project_id, open, 1, 2]) is present"}, {set_cursor: {cursor: project, at: project_id, set: {rev: 1}}}]}
  ask_too: {code: 14, params: {project_id: [1, ProjectId]}, steps: [{require: "by_state([project_id, open, 1, 2]) is present"}, {set_cursor: {cursor: account, set: {rev: 1}}}]}
  log: {code: 15, params: {text: [1, text]}, steps: [{put: {into: logged, row: {text: text}}}]}
  tell: {code: 17, params: {number: [1, int32]}, steps: [{emit: {event: closed, number: number}}]}
  say: {code: 16, params: {project_id: [1, ProjectId], text: [2, text]}, steps: [{put: {into: said, row: {project_id: project_id, text: text}}}]}
  say_again: {code: 22, params: {project_id: [1, ProjectId], text: [2, text]}, steps: [{patch: {table: said, at: project_id, set: {text: text}}}]}
  shout: {code: 25, params: {project_id: [1, ProjectId]}, steps: [{put: {into: shouted, row: {project_id: project_id}}}]}
  say_anew: {code: 26, params: {project_id: [1, ProjectId], text: [2, text]}, steps: [{put: {into: said, row: "changed(s, text: text)"}, each: "said.prefix([]) as s"}]}
  put_said: {code: 24, params: {rows: [1, list<row<said>>]}, steps: [{put: {into: said, row: r}, each: rows as r}]}
  mean: {code: 23, params: {project_id: [1, ProjectId], text: [2, text]}, steps: [{put: {into: meant, row: {project_id: project_id, text: text}}}]}
  set: {code: 18, params: {name: [1, text]}, steps: [{put: {into: settings, row: {name: name, text: name}}}]}
  answer: {code: 19, params: {project_id: [1, ProjectId]}, steps: [{anchor: {table: totals, at: project_id, set: {issues: 1}}}]}
  answer_all: {code: 21, params: {issues: [1, int32]}, steps: [{anchor: {table: in_all, at: [], set: {issues: issues}}}]}
  doubt: {code: 20, params: {project_id: [1, ProjectId]}, steps: [{mark: {table: doubts, at: project_id}}]}
"""


def source(emits: str, *, group: str = "group: [project], ", adapter: str = "a.b:rows") -> str:
    """A source with these emissions, each on a line of its own."""
    lines = "".join(f"\n      - {line}" for line in emits.split("\n"))
    columns = (
        "{project: ProjectId, n: int32, text: text, user: opt<UserId>, many: list<int32>, ratio: float64}"
    )
    return f"{WORLD}sources:\n  rows:\n    {group.removesuffix(', ')}\n    adapter: {adapter}\n    columns: {columns}\n    emits:{lines}\n"


RENAME = "rename: {project_id: project, name: text}"
PUT = "put_issue: {issue: {project_id: project, number: n, title: text, updated: 1}}"
CLOSE = "close: {project_id: project, n: n}"

CASES = [
    Case("adapter", source(f"{{{RENAME}}}", adapter="«'os.system(1)'"), "module:name"),
    Case("adapter", source(f"{{{RENAME}}}", adapter="«csv"), "module:name"),
    Case("adapter", source(f"{{{RENAME}}}", adapter="«a.b:c:d"), "module:name"),
    Case("adapter", source(f"{{{RENAME}}}", adapter="«class.x:rows"), "`class.x:rows` names no adapter"),
    Case("adapter", source(f"{{{RENAME}}}", adapter="«a.b:def"), "module:name"),
    Case("type", source("{rename: {project_id: «n, name: text}}"), "expected ProjectId"),
    # groups
    Case("wrong-shape", source(f"{{{RENAME}}}", group="group: «[]"), "at least 1"),
    Case("group", source(f"{{{RENAME}}}", group="group: [«projct]"), "did you mean `project`?"),
    Case("group", source(f"{{{RENAME}}}", group="group: [project, «project]"), "twice"),
    Case("group", source(f"{{{RENAME}}}", group="group: [«many]"), "list<int32>"),
    Case("group", source(f"{{{RENAME}}}", group="group: [«ratio]"), "float64"),
    # by
    Case("by", source(f"{{«{RENAME}}}", group=""), "`by: []`"),
    Case("by", source(f"{{{RENAME}, by: [project]}}\n{{«tell: {{number: n}}}}", group=""), "give the source a `group:`"),
    Case("by", source(f"{{{RENAME}, by: [project, «many]}}"), "list<int32>"),
    Case("by", source(f"{{{RENAME}, by: [«ratio]}}"), "float64"),
    Case("unknown-name", source(f"{{{RENAME}, by: [«projct]}}"), "did you mean `project`?"),
    Case("by", source(f'{{{RENAME}, each: "many as x", by: [project, «x]}}'), "`x` is a name of `each`"),
    Case("by", source(f'{{{RENAME}, each: "many as x", by: [«x + 1]}}'), "or write `by: []`"),
    Case("lookup", source(f"{{{RENAME}, by: [«projects(project).owner_id]}}")),
    Case("wrong-shape", source(f"{{{RENAME}, by: «project}}"), "expected a list"),
    # overlaps
    Case("overlap", source(f"{{{PUT}}}\n{{«{CLOSE}, by: [n]}}"), "`close` (kept in order within its own `by`) and `put_issue` (kept in order within the group, case.yaml:"),
    Case("overlap", source(f"{{{PUT}}}\n{{«{CLOSE}, by: [n]}}"), "`issues`"),
    Case("overlap", source(f"{{{PUT}, by: [project]}}\n{{«{CLOSE}, by: [n]}}"), "the same `by`"),
    Case("overlap", source(f"{{{PUT}, by: [project, n]}}\n{{«{CLOSE}, by: [n, project]}}"), "the same `by`"),
    Case("overlap", source(f"{{{PUT}, by: []}}\n{{«{CLOSE}}}"), "kept in one order"),
    Case("overlap", source(f"{{{PUT}}}\n{{«ask: {{project_id: project}}, by: [n]}}"), "`issues`"),
    Case("overlap", source("{ask: {project_id: project}}\n{«drop: {project_id: project}, by: []}"), "`issues`"),
    Case("overlap", source(f"{{{PUT}}}\n{{«answer: {{project_id: project}}, by: [n]}}"), "`totals`"),
    Case("overlap", source("{answer: {project_id: project}}\n{«answer: {project_id: project}, by: [n]}"), "`totals`"),
    Case("overlap", source("{answer: {project_id: project}}\n{«doubt: {project_id: project}, by: [n]}"), "touch `doubts`"),
    Case("overlap", source("{«log: {text: text}}"), "numbers all rows of the box"),
    Case("overlap", source("{«log: {text: text}, by: [n]}"), "`by: []`"),
    Case("overlap", source("{«say: {project_id: project, text: text}}"), "writes `words`, which numbers all values of the box"),
    Case("overlap", source("{«put_said: {rows: [{project_id: project, text: text}]}}"), "`words`"),
    Case("overlap", source("{«shout: {project_id: project}}"), "`words`"),
    Case("overlap", source("{«say_anew: {project_id: project, text: text}}"), "`words`"),
    Case("overlap", source("{«put_said: {rows: many}}").replace("many: list<int32>", "many: list<row<said>>"), "`words`"),
    Case("overlap", source("{«say_again: {project_id: project, text: text}, by: [project]}"), "give `words` a `per:`"),
    Case("overlap", source("{«ask_too: {project_id: project}}"), "one row in all of the box"),
    Case("overlap", source("{«answer_all: {issues: n}}"), "writes `in_all`, which has one row in all of the box"),
    Case("overlap", source(f"{{answer_all: {{issues: n}}, by: []}}\n{{«{PUT}}}"), "`in_all`"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.text[-90:]!r}")
def test_the_finding_is_at_its_mark(tmp_path: Path, case: Case) -> None:
    check_case(tmp_path, case)


FINE = {
    "nothing": source("{tell: {number: n}}"),
    "values of one group": source("{mean: {project_id: project, text: text}}"),
    "no values": source("{put_said: {rows: [{project_id: project}]}}"),
    "values of the box, one after the other": source("{say: {project_id: project, text: text}, by: []}\n{say_again: {project_id: project, text: text}, by: []}"),
    "all of one group": source(f"{{{PUT}}}\n{{{CLOSE}}}\n{{drop: {{project_id: project}}}}"),
    "what follows, with it": source(f"{{{PUT}}}\n{{answer: {{project_id: project}}}}\n{{doubt: {{project_id: project}}}}"),
    "one by": source(f"{{{PUT}, by: [project]}}\n{{{CLOSE}, by: [project]}}\n{{set: {{name: text}}, by: [text]}}", group=""),
    "different tables": source(f"{{{PUT}}}\n{{{RENAME}, by: [n]}}\n{{set: {{name: text}}, by: [text]}}"),
    "what is only read": source("{ask: {project_id: project}}\n{ask_too: {project_id: project}, by: []}"),
    "a sequence of each group": source(f"{{{PUT}, by: [project]}}", group=""),
    "one order": source("{log: {text: text}, by: []}\n{ask_too: {project_id: project}, by: []}"),
    "no table at all": source("{tell: {number: n}}\n{tell: {number: n}, by: []}"),
    "an absent value": source(f"{{{RENAME}, by: [user]}}", group="group: [user]"),
    "expressions": source(f"{{{RENAME}, by: ['user // 0', n + 1]}}"),
}  # fmt: skip


@pytest.mark.parametrize("text", FINE.values(), ids=FINE)
def test_what_can_be_taken_apart_is_taken(tmp_path: Path, text: str) -> None:
    assert isinstance(accepted(tmp_path, text).sources["rows"], Source)


def test_a_source_knows_its_group_and_the_by_of_its_emissions(tmp_path: Path) -> None:
    text = source(f"{{{PUT}}}\n{{{RENAME}, by: [n, text]}}\n{{log: {{text: text}}, by: []}}")

    source_ = accepted(tmp_path, text).sources["rows"]

    assert source_.group == ("project",)
    assert [None if one.by is None else len(one.by) for one in source_.emits] == [None, 2, 0]


def test_an_update_has_no_by(tmp_path: Path) -> None:
    text = "updates:\n  u: {code: 1, fields: {a: [1, ProjectId]}, emits: [{rename: {project_id: a, name: \"'x'\"}, by: «[a]}]}"

    check_case(tmp_path, Case("wrong-shape", text))


@pytest.mark.parametrize("name", ["each", "when", "by"])
def test_an_operation_is_not_called_like_a_modifier(tmp_path: Path, name: str) -> None:
    check_case(tmp_path, Case("name", f"operations:\n  «{name}: {{code: 9, steps: []}}", "modifier"))


def test_a_faulty_operation_is_told_once(tmp_path: Path) -> None:
    text = f"operations:\n  bad: {{code: 50, steps: [{{put: {{into: «nothing, row: {{}}}}}}]}}\n{source('{bad: {}}', group='')}"
    text = text.replace(WORLD, "").replace("- {bad: {}}", "- {bad: {}, by: []}")

    check_case(tmp_path, Case("unknown-table", text))
