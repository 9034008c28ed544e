"""Runs beside the tests, under one version of the package: opens a box, changes it, tells what it sees.

    PYTHONPATH=FOLDER_OF_THE_PACKAGE python visit.py BOX [VERB...]

Verbs: `fill` and `more` write, `try_to_write` tells how a write is refused, `new_state` closes an issue with
a state that only some versions know, `view:NAME` asks for a view of project 5 that has no other parameter.

Depends on: `pillarbox_tracker`, in whichever version the path leads to.  Never on: what only some have.

Law: it prints one JSON object: where the package is from, how the box was found, every row of every table
before and after the verbs, the views asked for, and the error that ended it, if any.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

import pillarbox_tracker
from pillarbox.errors import PillarboxError
from pillarbox.tables import TableReader
from pillarbox_tracker import Box, open_box, views
from pillarbox_tracker.operations import (
    AddComments,
    CloseIssue,
    Notify,
    OpenIssue,
    Operation,
    PutIssue,
    PutLabels,
    PutProjects,
    PutUsers,
    RemoveComments,
)
from pillarbox_tracker.types import (
    CommentRef,
    Comments,
    Digest,
    Document,
    FileStore,
    Issues,
    Labels,
    Login,
    Priority,
    ProjectId,
    Projects,
    State,
    UserId,
    Users,
    file_id,
)

PROJECT = ProjectId(5)
PROJECTS = (ProjectId(1), PROJECT)
PEOPLE = tuple(UserId(number) for number in range(1, 5))
ASKED = Issues(
    project_id=PROJECT,
    number=1,
    title="asked",
    state=State.WAITING,
    author_id=PEOPLE[1],
    created_at=1,
    updated_at=9,
)


def beginnings() -> Iterator[Operation]:
    """What a box begins with: two projects, four people of whom two share a name, labels, a notice."""
    yield PutProjects((Projects(PROJECT, "Lamps", "lamps", PEOPLE[0]),))
    names = ("Ada", "Bo", "Ada", "Cy")
    yield PutUsers(tuple(Users(who, Login(f"u{who}"), name) for who, name in zip(PEOPLE, names, strict=True)))
    yield PutLabels(tuple(Labels(PROJECT, label, f"label {label}", label * 1000) for label in range(1, 4)))
    yield Notify(user_ids=PEOPLE, at=9, digest=Digest("d"), text="welcome")


def doings(seed: int) -> Iterator[Operation]:
    """Issues and comments that come and go, over few enough numbers that they meet."""
    chance = Random(seed)
    for at in range(30):
        project = chance.choice(PROJECTS)
        labels = tuple(sorted(chance.sample(range(4), chance.randrange(3))))
        priority = chance.choice(tuple(Priority))
        yield OpenIssue(project, f"issue {at}", chance.choice(PEOPLE), at, labels, priority)
    for at in range(30):
        project, number = chance.choice(PROJECTS), chance.randrange(1, 12)
        file = Document(file_id(FileStore.MIRROR, at), f"file {at}")
        said = Comments(
            project_id=project,
            number=number,
            posted_at=chance.randrange(5),
            author_id=chance.choice(PEOPLE),
            body=f"comment {at}",
            edited_at=chance.choice((None, at)),
            attachments=(file,),
        )
        yield AddComments((said,))
    for at in range(10):
        yield CloseIssue(chance.choice(PROJECTS), chance.randrange(1, 12), at, None)
        yield RemoveComments((CommentRef(chance.choice(PROJECTS), chance.randrange(1, 12), 1),))
    yield PutIssue(ASKED)


def rows(box: Box) -> dict[str, list[Any]]:
    """Every row of every table, in the order of the keys; or the error of a table that cannot be read."""
    with box.reading() as tables:
        return {reader.SPEC.name: rows_of(reader) for reader in tables.by_id().values()}


def rows_of(reader: TableReader[Any]) -> list[Any]:
    """The rows of one table, or the class and text of an error."""
    try:
        return [plain(reader.SPEC.row(key, cell)) for key, cell in reader.scan_cells(None, None)]
    except PillarboxError as error:
        return [type(error).__name__, str(error)]


def plain(value: Any) -> Any:
    """The same as JSON can hold it, structs by the names of their fields."""
    if isinstance(value, msgspec.Struct):
        names = [name for name in value.__struct_fields__ if not name.startswith("_")]  # reserved numbers
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def visit(path: str, verbs: list[str]) -> dict[str, Any]:
    """Open the box and do what the verbs say."""
    told: dict[str, Any] = {"package": str(Path(pillarbox_tracker.__file__).parent.parent)}
    try:
        with open_box(path) as box:
            told["opened"] = box.opened
            told["before"] = rows(box)
            for verb in verbs:
                if verb == "fill":
                    box.replay([*beginnings(), *doings(1)])
                elif verb == "more":
                    box.replay([*doings(2)])
                elif verb == "new_state":
                    box.replay([PutIssue(replace(ASKED, state=State(3)))])
                elif verb == "try_to_write":
                    told["refusal"] = refusal(box)
                else:
                    told[verb] = plain(box.get(getattr(views, verb.removeprefix("view:"))(PROJECT)))
            told["rows"] = rows(box)
    except PillarboxError as error:
        told["error"] = [type(error).__name__, str(error)]
    return told


def refusal(box: Box) -> list[str]:
    """How a write ends."""
    try:
        box.replay([*beginnings()])
    except PillarboxError as error:
        return [type(error).__name__, str(error)]
    return []


if __name__ == "__main__":
    print(json.dumps(visit(sys.argv[1], sys.argv[2:])))
