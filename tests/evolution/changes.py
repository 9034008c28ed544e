"""Changes to the tracker's schema: a file more, or edits of its text.

Depends on: nothing.  Never on: the checker and the generator.

Law: a change happens as a whole or raises; an edit whose text is not there exactly once is an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from typing import Final

TRACKER: Final = Path(__file__).resolve().parents[2] / "schema/tracker"


@dataclass(frozen=True, slots=True)
class Edit:
    """Put a text in the place of another in a file of the schema."""

    file: str
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Change:
    """How the next version of the schema differs."""

    name: str
    edits: tuple[Edit, ...] = ()
    #: The text of a file more.
    more: str = ""


def changed_schema(change: Change, folder: Path, *, name: str = "tracker") -> Path:
    """A copy of the tracker's schema with the change in it, in `folder/name` and of that name."""
    copy = Path(copytree(TRACKER, folder / name))
    for edit in (*change.edits, Edit("schema.yaml", "name: tracker\n", f"name: {name}\n")):
        path = copy / edit.file
        text = path.read_text(encoding="utf-8")
        if text.count(edit.was) != 1:
            raise ValueError(f"{change.name}: {edit.was!r} is {text.count(edit.was)} times in {edit.file}")
        path.write_text(text.replace(edit.was, edit.now), encoding="utf-8")
    if change.more:
        (copy / "more.yaml").write_text(change.more, encoding="utf-8")
    return copy


# -------------------------------------------------------------- a box written before them is brought along

UNCHANGED: Final = Change("unchanged")

#: In a `record` table, in a `packed` one, and in a case of a union that rows hold.
NEW_FIELDS: Final = Change(
    "new_fields",
    (
        Edit(
            "projects.yaml",
            "[7, opt<Link>]",
            "[7, opt<Link>]\n      stage: {number: 8, type: uint16, default: 3}",
        ),
        Edit("projects.yaml", "[2, uint32]}", "[2, uint32], icon: {number: 3, type: int32, default: 7}}"),
        Edit(
            "types.yaml",
            "[3, opt<Digest>]}",
            "[3, opt<Digest>], pages: {number: 4, type: int32, default: 1}}",
        ),
    ),
)

NEW_VIEW: Final = Change(
    "new_view",
    more="""\
views:
  desk:
    doc: What waits for an answer in a project, with those who asked.
    key: {project_id: ProjectId}
    parts:
      issues: {scan: by_state, prefix: [project_id, waiting], all: true}
      authors: {get_each: users, at: issues.author_id}
""",
)

NEW_DERIVED: Final = Change(
    "new_derived",
    more="""\
tables:
  issues_of:
    id: 60
    index:
      from: issues
      each: {label: labels}
      when: priority in seeds.shouting
      key: [author_id, label, project_id, number]
      value: {title: title}
  activity:
    id: 61
    count:
      from: comments
      group: [author_id, project_id]
      sum: {comments: 1, edited: if edited_at is present then 1 else 0}
  first_of:
    id: 62
    top: {of: issues_of, group: [author_id], value: {title: title}}
  discussed:
    id: 64
    join:
      by: [project_id, number]
      rows: issues
      with:
        last: "latest_comment([project_id, number])"
        author: {row: users(author_id), via: issues_by}
      when: last is present
      row: {said_at: last.posted_at, author: "author.name // ''", labels: labels}
  issues_by:
    id: 65
    index: {from: issues, key: [author_id, project_id, number]}
  discussed_by:
    id: 66
    index:
      from: discussed
      with: {issue: "issues([project_id, number])"}
      when: issue is present
      key: [{by: issue.author_id}, project_id, number]
  attended:
    id: 67
    count: {from: [discussed, watchers], group: [project_id, number], sum: {times: 1}}
""",
)

#: A table that steps write, and one that also has an index of words beside it.
NEW_TABLES: Final = Change(
    "new_tables",
    more="""\
tables:
  calls:
    id: 60
    key: {user_id: UserId, at: int64}
    record: {note: [1, text]}
  find_titles:
    id: 61
    text: {from: issues, of: title}
  titled:
    id: 62
    index: {from: issues, key: [title, project_id, number]}
""",
)

#: What NEW_TABLES brought has gone again, for good.
GIVEN_UP: Final = Change(
    "given_up", (Edit("schema.yaml", "  alone:\n", "  reserved: [62, 60, 61]\n  alone:\n"),)
)

#: A join of the box is made by another rule, and so is what is made from it.
NEW_RULE: Final = Change(
    "new_rule",
    (Edit("attention.yaml", "mine: issue.assignee_id == user_id", "mine: issue.author_id == user_id"),),
)

NEW_ENUM_VALUE: Final = Change(
    "new_enum_value", (Edit("types.yaml", "closed: 2}}", "closed: 2, dropped: 3}}"),)
)

#: Two users of the filled box have one name.
NEW_UNIQUE: Final = Change(
    "new_unique",
    more="""\
tables:
  users_by_display_name:
    id: 63
    index: {from: users, unique: true, key: [name], value: {user_id: user_id}}
""",
)

WELCOME: Final = (NEW_FIELDS, NEW_VIEW, NEW_DERIVED, NEW_ENUM_VALUE)

#: What stood there is kept out of use for good.
RESERVED: Final = Change(
    "reserved",
    (
        Edit(
            "projects.yaml", '[1, text], counters: [2, "map<text, int32>"]}', "[1, text]}\n    reserved: [2]"
        ),
    ),
)

# ----------------------------------------------------------------------- a box written before them is refused


@dataclass(frozen=True, slots=True)
class Conflict:
    """A change that would misread stored bytes, and what the refusal says of it."""

    change: Change
    reason: str


CONFLICTS: Final = (
    Conflict(
        Change(
            "key_part_type",
            (
                Edit(
                    "issues.yaml",
                    "audit_entries: {id: 103, type: int64",
                    "audit_entries: {id: 103, type: int32",
                ),
                Edit(
                    "issues.yaml", "{type: int64, fill: audit_entries}", "{type: int32, fill: audit_entries}"
                ),
            ),
        ),
        "key part 'entry' of table 'audit' (37) is int32, the box wrote int64",
    ),
    Conflict(
        Change(
            "record_field_type",
            (Edit("projects.yaml", "number: 4, type: uint16", "number: 4, type: int64"),),
        ),
        "field 'board_limit' (4) of table 'projects' (1) is int64, the box wrote uint16",
    ),
    Conflict(
        Change(
            "packed_to_record",
            (
                Edit(
                    "projects.yaml",
                    "colour: [2, uint32]}\n    layout: packed",
                    "colour: [2, uint32]}",
                ),
            ),
        ),
        "table 'labels' (6) has layout 'record', the box wrote 'packed'",
    ),
    Conflict(
        Change(
            "reused_field_number",
            (
                Edit("projects.yaml", "    reserved: [6]\n", ""),
                Edit(
                    "projects.yaml",
                    "[7, opt<Link>]",
                    "[7, opt<Link>]\n      stage: {number: 6, type: uint16, default: 3}",
                ),
            ),
        ),
        "field 'stage' (6) of table 'projects' (1) takes a number that the box holds as reserved",
    ),
    Conflict(
        Change(
            "reused_table_number",
            (Edit("projects.yaml", "    id: 12\n", "    id: 13\n"),),
            more="""\
tables:
  calls:
    id: 12
    key: {user_id: UserId, at: int64}
""",
        ),
        "table 'calls' (12) has 2 key parts, the box wrote 3",
    ),
)
