"""A small box of the tracker, and the command line run on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from pillarbox import cli
from pillarbox_tracker import open_box
from pillarbox_tracker.operations import AddComments, OpenIssue, PutUsers
from pillarbox_tracker.types import Comments, FileStore, Login, Picture, ProjectId, UserId, Users, file_id

INBOX, ADA = ProjectId(1), UserId(7)


class Ran(NamedTuple):
    """How a verb ended, and what it printed."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with three issues, a comment with a picture, and a user with a torn name."""
    path = tmp_path / "a.box"
    with open_box(path, durability="relaxed") as box:
        for at, title in enumerate(("It rains in", "No tea", "Late")):
            box.replay([OpenIssue(project_id=INBOX, title=title, author_id=ADA, now=at)])
        avatar = file_id(FileStore.REMOTE, -5)
        box.replay([PutUsers((Users(ADA, Login("ada"), "Ada\x1b[31m\u202e", avatar=avatar),))])
        said = Comments(
            project_id=INBOX,
            number=1,
            posted_at=102,
            author_id=ADA,
            body="Where?",
            attachments=(Picture(avatar, 3, 4),),
        )
        box.replay([AddComments((said,))])
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a verb of the command line in this process."""

    def ran(*arguments: object) -> Ran:
        with pytest.raises(SystemExit) as caught:
            cli.main([str(argument) for argument in arguments])
        assert isinstance(caught.value.code, int)
        return Ran(caught.value.code, *capsys.readouterr())

    return ran


def written(path: Path, *statements: str) -> None:
    """Change the file by bare SQL."""
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement)
    connection.close()


def verified(path: Path, run: Run, *statements: str) -> list[str]:
    """What `verify` finds at its last level, after the file was changed so."""
    written(path, *statements)
    return run("verify", path, "--level", "derived").out.splitlines()


def in_the_place_of_bytes(table: str, which: str) -> tuple[str, ...]:
    """What makes a number the value of rows: nobody can write that, but a page may be so damaged."""
    declared = f"UPDATE sqlite_schema SET sql=replace(sql,{{}},{{}}) WHERE name='{table}'"
    return (
        "PRAGMA writable_schema=ON",
        declared.format("'v BLOB'", "'v ANY'"),
        f"PRAGMA writable_schema=RESET; UPDATE {table} SET v=5 WHERE {which}",
        "PRAGMA writable_schema=ON",
        declared.format("'v ANY'", "'v BLOB'"),
    )
