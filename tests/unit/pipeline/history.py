"""A source made up for tests: what happened in a tracker, as lines of JSON, and a job of it.

A line is a list: project, issue, user, the user's name, when, what was said. Groups are projects. One that
begins with `!` is refused when it is read, one with `?` by the index, and one with `#` is skipped. Files
that end in `.loose` do not say which project a line is of. What is said `aside` makes no issue.

Depends on: pillarbox_tracker, pillarbox_spark.adapters, pillarbox_spark.job.  Never on: the pipeline.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from pyspark.sql.types import StructType

from pillarbox.bulk import Emit, Source, route_of
from pillarbox.errors import RangeError
from pillarbox_spark.adapters import Found, Piece, Refused, Row, Skipped, files_of
from pillarbox_spark.columns import Fields
from pillarbox_spark.job import Job, ParquetTable
from pillarbox_tracker import spark
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.operations import (
    AddComments,
    Operation,
    PutIssue,
    PutLabels,
    PutProjects,
    PutUsers,
    Star,
    decode_operation,
    encode_operation,
)
from pillarbox_tracker.types import Comments, Issues, Labels, Login, ProjectId, Projects, UserId, Users

MODULE: Final = "tests.unit.pipeline.history"
#: What a mapping refuses.
UNLUCKY: Final = 13
#: What is said of an issue that may not be there: a comment without its owner is left out.
ASIDE: Final = "aside"


class Happened(Struct, frozen=True, array_like=True, gc=False):
    project: ProjectId
    issue: int
    user: UserId
    name: str
    at: int
    said: str


def line(project: int, issue: int, user: int, name: str, at: int, said: str) -> str:
    """One record as it stands in a file."""
    return json.dumps([project, issue, user, name, at, said]) + "\n"


class Lines:
    """The adapter."""

    def inputs(self, path: Path) -> Sequence[Path]:
        return files_of(path)

    def index(self, file: int, path: Path, piece_bytes: int) -> Iterator[Found]:
        begin = end = first = records = 0
        group: str | None = None
        for text in path.read_bytes().splitlines(keepends=True):
            after = end + len(text)
            project = None if path.suffix == ".loose" else _project_of(text)
            if records and (text[:1] in b"?#" or project != group or after - begin > piece_bytes):
                yield Piece(file, begin, end, first, records, group)
                begin, first, records = end, first + records, 0
            if text[:1] == b"?":
                yield Refused("damaged", "it begins with ?; take it out", end, text)
            if text[:1] == b"#":
                yield Skipped("remarks", "nobody reads them")
            if text[:1] in b"?#":
                begin = after
            else:
                records += 1
                group = project
            end = after
        if records:
            yield Piece(file, begin, end, first, records, group)

    def read(self, path: Path, piece: Piece, row: Callable[..., Row]) -> Iterator[Row | Refused]:
        begin = piece.begin
        for text in _lines(path, piece):
            if text.startswith(b"!"):
                yield Refused("wrong-shape", "it begins with !; take it out", begin, text)
            else:
                yield row(*json.loads(text))
            begin += len(text)

    def raws(self, path: Path, piece: Piece) -> Iterator[tuple[int, bytes]]:
        begin = piece.begin
        for text in _lines(path, piece):
            yield begin, text
            begin += len(text)


def _lines(path: Path, piece: Piece) -> list[bytes]:
    return path.read_bytes()[piece.begin : piece.end].splitlines(keepends=True)


def _project_of(text: bytes) -> str | None:
    return str(json.loads(text)[0]) if text.startswith(b"[") else None


# ----------------------------------------------------------------------------------------- emissions


def _by_user(row: Happened) -> bytes:
    return route_of(row.user)


def _in_one_order(row: Happened) -> bytes:
    return route_of()


def _put_users(row: Happened) -> Iterator[Operation]:
    yield PutUsers((Users(row.user, Login(f"u{row.user}"), row.name),))


def _put_issue(row: Happened) -> Iterator[Operation]:
    if row.at == UNLUCKY:
        raise RangeError("at", row.at, "lucky")
    if row.said not in ("", ASIDE):
        yield PutIssue(
            Issues(
                project_id=row.project,
                number=row.issue,
                title=row.said,
                author_id=row.user,
                created_at=row.at,
                updated_at=row.at,
            )
        )


def _add_comments(row: Happened) -> Iterator[Operation]:
    comment = Comments(
        project_id=row.project, number=row.issue, posted_at=row.at, author_id=row.user, body=row.said
    )
    yield AddComments((comment,))


def _put_labels(row: Happened) -> Iterator[Operation]:
    yield PutLabels((Labels(row.project, row.issue % 3, row.name, 0),))


def _star(row: Happened) -> Iterator[Operation]:
    yield Star(row.user, row.project, len(row.said) % 2 == 0)


def _put_projects(row: Happened) -> Iterator[Operation]:
    if row.said == "rename":
        yield PutProjects((Projects(row.project, row.name, f"p{row.project}", row.user),))


SOURCE: Final = Source(
    name="history",
    adapter=f"{MODULE}:ADAPTER",
    row=Happened,
    group=lambda row: route_of(row.project),
    emits=(
        Emit(_put_users, _by_user, memo=lambda row: (row.user, row.name)),
        Emit(_put_issue),
        Emit(_add_comments),
        Emit(_put_labels, memo=lambda row: (row.project, row.issue, row.name)),
        Emit(_star, _by_user),
        Emit(_put_projects, _in_one_order),
    ),
)


# ------------------------------------------------------------------------------------------- the job


def _table(number: int, name: str, schema: StructType) -> ParquetTable:
    def columns(rows: Sequence[Any]) -> list[list[Any]]:
        return [[getattr(row, field) for row in rows] for field in schema.fieldNames()]

    return ParquetTable(number, name, schema, Fields(columns, {}))


JOB: Final = Job(
    module=MODULE,
    package=PACKAGE,
    source=SOURCE,
    parquet=(
        _table(1, "projects", spark.PROJECTS),
        _table(3, "users", spark.USERS),
        _table(6, "labels", spark.LABELS),
        _table(9, "stars", spark.STARS),
        _table(20, "issues", spark.ISSUES),
    ),
    encode=encode_operation,
    decode=decode_operation,
)

ADAPTER: Final = Lines()
