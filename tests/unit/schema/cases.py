# ruff: noqa: E501 -- schemas are shown as they are written
"""Faulty schemas, each with a mark where the finding belongs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pillarbox_codegen.check import load_schema
from pillarbox_codegen.diagnostics import Diagnostic, SchemaErrors
from pillarbox_codegen.model import Schema

#: Stands directly before the character at which a finding is expected.
MARK = "«"

#: What the cases build on; a case is a second file beside it.
BASE = """\
schema: {name: base}
types:
  ProjectId: {id: int64}
  UserId: {id: int64}
  Slug: {id: text}
  State: {enum: {open: 0, waiting: 1, closed: 2}}
  Colour: {enum: {red: 1, blue: 2}}
  Flags: {flags: {locked: 0, pinned: 3}, type: uint32}
  FileId: {packed: int64, parts: {store: {type: State, bits: 7}, number: {type: int64, bits: 56}}}
  Link: {record: {url: [1, text], title: {number: 2, type: text, default: ""}}}
  Media: {union: {Picture: [1, {width: [1, int32]}], Document: [2, {name: [1, text]}]}}
sequences:
  numbers: {id: 90, type: int32, per: {project_id: ProjectId}}
tables:
  projects:
    id: 1
    key: {project_id: ProjectId}
    record: {name: [1, text], owner_id: [2, UserId], parent_id: [3, opt<ProjectId>]}
  issues:
    id: 2
    key: {project_id: ProjectId, number: {type: int32, fill: numbers}}
    record:
      title: [1, text]
      state: {number: 2, type: State, default: open}
      flags: {number: 3, type: Flags, default: 0}
      labels: [4, list<int32>]
      assignee_id: [5, opt<UserId>]
      media: [6, opt<Media>]
      links: [7, list<Link>]
      updated: [8, int64]
      small: {number: 9, type: uint8, default: 0}
  by_state:
    id: 3
    index: {from: issues, key: [project_id, state, updated, number]}
cursors:
  account: {id: 91, parts: {rev: {kind: counter, number: 1, claim: {end: rev, count: count}}, at: {kind: stamp, number: 2}}}
  project: {id: 92, per: {project_id: ProjectId}, parts: {rev: {kind: counter, number: 1}}}
events:
  closed: {code: 1, fields: {number: [1, int32], by: [2, opt<UserId>]}}
operations:
  rename:
    code: 1
    params: {project_id: [1, ProjectId], name: [2, text], tags: [3, list<int32>]}
    steps: [{patch: {table: projects, at: project_id, set: {name: name}}}]
seeds:
  constants: {limit: 50, less: -1, counted: [open, closed], words: [1, a], loud: [locked]}
"""


@dataclass(frozen=True)
class Case:
    """`text` is YAML with one MARK; the finding there has `code`, and says `told`."""

    code: str
    text: str
    told: str = ""


def write(folder: Path, text: str, base: str = BASE) -> None:
    if base:
        (folder / "base.yaml").write_text(base, encoding="utf-8")
    (folder / "case.yaml").write_text(text, encoding="utf-8")


def findings(folder: Path) -> tuple[Diagnostic, ...]:
    """What is wrong with the schema in a folder; empty when nothing is."""
    try:
        load_schema(folder)
    except SchemaErrors as errors:
        return errors.diagnostics
    return ()


def marked(text: str) -> tuple[str, int, int]:
    """The text without its mark, and the line and column of the mark."""
    before, mark, after = text.partition(MARK)
    assert mark, "the case has no mark"
    assert MARK not in after, "the case has two marks"
    return before + after, before.count("\n") + 1, len(before) - before.rfind("\n")


def check_case(folder: Path, case: Case) -> None:
    """The case has exactly its one finding, exactly at its mark, with what to do."""
    text, line, column = marked(case.text)
    write(folder, text)

    found = findings(folder)

    assert [(one.file, one.line, one.column, one.code) for one in found] == [
        ("case.yaml", line, column, case.code)
    ], "\n".join(one.headline() for one in found) or "nothing was found"
    assert found[0].suggestion, f"nobody is told what to do: {found[0].headline()}"
    assert case.told in f"{found[0].text} {found[0].suggestion}"


def accepted(folder: Path, text: str, base: str = BASE) -> Schema:
    """The schema of a case that is in order."""
    write(folder, text, base)
    return load_schema(folder)


def table(body: str) -> str:
    """A derived table, or a field list of a new primary one, on one line."""
    return f"tables:\n  extra: {body}\n"


def index(body: str) -> str:
    return f"tables:\n  extra:\n    id: 50\n    index: {body}\n"


def when(expression: str) -> str:
    """An expression over a row of `issues` where a condition is expected."""
    return f'tables:\n  extra:\n    id: 50\n    index: {{from: issues, when: "{expression}", key: [project_id, number]}}\n'


def value(expression: str) -> str:
    """An expression over a row of `issues` where anything is expected."""
    return (
        "tables:\n  extra:\n    id: 50\n    index: {from: issues, key: [project_id, number], "
        f'value: {{v: "{expression}"}}}}\n'
    )


def steps(
    body: str, params: str = "{project_id: [1, ProjectId], number: [2, int32], user: [3, opt<UserId>]}"
) -> str:
    """An operation with these steps, one a line."""
    lines = "".join(f"      - {line}\n" for line in body.strip().split("\n"))
    return f"operations:\n  act:\n    code: 9\n    params: {params}\n    steps:\n{lines}"


def parts(body: str, key: str = "{project_id: ProjectId, limit: int32}") -> str:
    """A view with these parts, one a line."""
    lines = "".join(f"      {line}\n" for line in body.strip().split("\n"))
    return f"views:\n  page:\n    key: {key}\n    parts:\n{lines}"


def update(body: str) -> str:
    """The keys of an update after its code."""
    lines = "".join(f"    {line}\n" for line in body.strip().split("\n"))
    return f"updates:\n  renamed:\n    code: 1\n{lines}"
