"""What the programs of `outbox_world` wish, and what must have become of it when all is quiet.

Depends on: the tracker's generated package.  Never on: the machine that sends.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from tests.property.outbox_server import Server, asked

from pillarbox_tracker import Box, open_box
from pillarbox_tracker.operations import (
    CancelOutgoing,
    EnqueueLabelIssue,
    EnqueuePostComment,
    EnqueueSavePreference,
    EnqueueSeeIssues,
    EnqueueStarProject,
    Operation,
)
from pillarbox_tracker.replay import replay
from pillarbox_tracker.requests import LabelIssue, PostComment, SavePreference, SeeIssues, StarProject
from pillarbox_tracker.types import OutgoingStarProject, ProjectId, UserId

ME: Final = UserId(1)
#: The kind of which all rows of a group wait.
APPENDED: Final = 41


class Wishes:
    """One box, its server, and all that was ever wished."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.server = Server()
        self.counter = 0
        self.posted: list[EnqueuePostComment] = []
        self.labelled: dict[tuple[int, int], tuple[int, ...]] = {}
        self.preferred: dict[str, str | None] = {}
        self.looked: dict[int, set[int]] = {}
        self.starred: set[int] = set()
        self.given_up: list[Any] = []
        self.box: Box = open_box(self.path, durability="relaxed")

    def write(self, *operations: Operation) -> None:
        with self.box.transaction() as tx:
            replay(tx, operations)

    def wish(self, kind: int, which: int) -> None:
        """One more wish, unlike all before."""
        self.counter += 1
        project, text = ProjectId(which), f"{self.counter}"
        match kind:
            case 0:
                wish = EnqueuePostComment(project_id=project, number=1, token=self.counter, body=text)
                self.posted.append(wish)
                self.write(wish)
            case 1:
                labels = (self.counter,)
                self.labelled[which, 1] = labels
                self.write(EnqueueLabelIssue(project_id=project, number=1, labels=labels, was=(), now=1))
            case 2:
                self.starred.add(which)
                self._star(project)
            case 3:
                self.preferred[f"p{which}"] = text
                self.write(EnqueueSavePreference(user_id=ME, name=f"p{which}", value=text))
            case _:
                self.looked.setdefault(which, set()).add(self.counter)
                self.write(EnqueueSeeIssues(user_id=ME, project_id=project, numbers=(self.counter,), at=1))

        rows = [(row.kind, row.group) for row in self.rows() if row.kind != APPENDED]
        assert len(rows) == len(set(rows)), "L-1: a wish that replaces another is a second one"

    def _star(self, project: ProjectId) -> None:
        """As `same: {cancel: starred}` writes it."""
        wish = EnqueueStarProject(user_id=ME, project_id=project, starred=not self.is_starred(project))
        with self.box.transaction() as tx:
            before = {row.number: row for row in tx.outbox.all()}
            replay(tx, [wish])
            for row in list(tx.outbox.all()):
                old = before.get(row.number)
                if old is None or old == row or not isinstance(old.payload, OutgoingStarProject):
                    continue
                if old.tried or old.payload.starred == wish.starred:
                    tx.outbox.put(msgspec.structs.replace(row, tried=old.tried))
                else:
                    tx.outbox.remove(row.kind, row.number)

    def is_starred(self, project: int) -> bool:
        with self.box.reading() as tables:
            return tables.stars.get(ME, ProjectId(project)) is not None

    def take_back(self, which: int) -> None:
        rows = self.rows()
        if rows:
            row = rows[which % len(rows)]
            self.given_up.append(asked(row))
            self.write(CancelOutgoing(kind=row.kind, number=row.number))

    def rows(self) -> Sequence[Any]:
        with self.box.reading() as tables:
            return list(tables.outbox.all())

    def check_wishes(self, given_up: Sequence[Any]) -> None:
        """Each was done, once and in order, unless it was given up; and the last one won."""
        groups: dict[int, list[int]] = {}
        for wish in self.posted:
            done = [comment for comment in self.server.comments if comment.body == wish.body]
            excused = any(isinstance(it, PostComment) and it.token == wish.token for it in given_up)
            assert len(done) == 1 or (excused and not done), "N-6: not once"
            if not excused:
                groups.setdefault(wish.project_id, []).append(wish.token)
        for project, tokens in groups.items():
            order = [
                it.token for it in self.server.comments if it.project_id == project and it.token in tokens
            ]
            assert order == tokens, "L-3: not in the order of the wishes"
        for (project, number), labels in self.labelled.items():
            last = LabelIssue(project_id=ProjectId(project), number=number, labels=labels)
            assert last in given_up or self.server.labels.get((project, number)) == labels, (
                "N-6: not the last"
            )
        for name, value in self.preferred.items():
            saved = SavePreference(name=name, value=value)
            assert saved in given_up or self.server.preferences.get(name) == value, "N-6: not the last"
        for project in self.starred:
            excused = any(isinstance(it, StarProject) and it.project_id == project for it in given_up)
            stands = self.server.stars.get(project, False)
            assert excused or stands == self.is_starred(project), "N-6: the star is another"
        for project, numbers in self.looked.items():
            excused_numbers = {
                number
                for it in given_up
                if isinstance(it, SeeIssues) and it.project_id == project
                for number in it.numbers
            }
            assert numbers <= self.server.seen.get(project, set()) | excused_numbers, "N-6: a part was lost"
