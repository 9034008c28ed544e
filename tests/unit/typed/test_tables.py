"""The typed surface of tables: what their methods give, as a strict type checker and as Python see it.

As in test_items: `assert_type` is the checker's business, what comes is that of the tests here.
"""

from __future__ import annotations

from typing import assert_type

import pillarbox_tracker as tracker
from pillarbox.tables import Put
from pillarbox_tracker import types as tt
from pillarbox_tracker.keys import IssuesKey, OverdueKey
from pillarbox_tracker.tables import IssuesReader, OverdueReader, ReleasesReader, UsersReader

INBOX, ADA = tt.ProjectId(1), tt.UserId(7)


def issue(number: int) -> tt.Issues:
    return tt.Issues(
        project_id=INBOX, number=number, title=str(number), author_id=ADA, created_at=1, updated_at=1
    )


def test_reading_many_rows_gives_rows_of_the_table_between_keys_of_the_table() -> None:
    with tracker.open_box(":memory:") as box:
        with box.transaction() as tx:
            tx.projects.put(tt.Projects(project_id=INBOX, name="inbox", slug="in", owner_id=ADA))
            rows = [tx.issues.put(issue(number)) for number in (1, 2, 3)]
            assert_type(rows, list[tt.Issues])
            assert_type(tx.issues.put_was(rows[0]), Put[tt.Issues])
            assert_type(tx.labels.replaced_by(tt.Labels(INBOX, 1, "bug", 0)), tt.Labels | None)
            assert_type(tx.issues.all(after=IssuesKey(INBOX, 1)), list[tt.Issues])
            assert_type(tx.by_state.of_project(INBOX, limit=2), list[tt.ByState])

        with box.reading() as tables:
            assert_type(tables.issues, IssuesReader)
            assert_type(tables.overdue, OverdueReader)
            assert_type(tables.releases, ReleasesReader)
            assert_type(tables.users, UsersReader)
            assert_type(tables.issues.all(), list[tt.Issues])
            assert_type(tables.users.all(after=ADA, before=None), list[tt.Users])
            assert_type(tables.overdue.all(after=OverdueKey(1, INBOX, 1)), list[tt.Overdue])
            assert_type(tables.overdue.due(5), list[tt.Overdue])
            assert_type(tables.releases.of_project(INBOX), list[tt.Releases])
            assert tables.issues.all(after=IssuesKey(INBOX, 1), before=IssuesKey(INBOX, 3)) == rows[1:2]
            assert tables.issues.of_project(INBOX, newest_first=True, limit=2) == rows[:0:-1]
            assert tables.issues.of_project(INBOX, after=None, before=IssuesKey(INBOX, 2)) == rows[:1]
