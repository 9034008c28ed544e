"""Schemas, and records for them that collide all the time, each with the route that it belongs to.

Depends on: generated packages, the tracker wired by hand, hypothesis.  Never on: what is tested with them.

Records of different routes write different rows; what they count and rank together is shared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import msgspec
from hypothesis import strategies as st
from tests.unit.runtime import tracker as t
from tests.unit.runtime.tracker_package import PACKAGE as SMALL
from tests.unit.runtime.tracker_package import PutIssue, RemoveIssue, Say, issue
from tests.unit.runtime.tracker_tables import LIMIT, TrackerTransaction

import pillarbox_messenger
import pillarbox_messenger.operations as m
import pillarbox_tracker
import pillarbox_tracker.operations as o
from pillarbox.box import Package
from pillarbox.errors import RangeError
from pillarbox_messenger import types as mt
from pillarbox_tracker import types as tt

ROUTES: Final = 3


class Record(NamedTuple):
    """A record of an archive: its operations belong together, and to a route."""

    route: int
    operations: list[Any]


@dataclass(frozen=True)
class World:
    """A package, and one operation of a route."""

    name: str
    package: Package[Any, Any]
    operations: Callable[[int], st.SearchStrategy[Any]]

    def __str__(self) -> str:
        return self.name

    def records(self, least: int = 0) -> st.SearchStrategy[list[Record]]:
        """An archive of at least so many records, in order."""
        # Made once, not for each draw: to make them takes longer than to draw from them.
        of_route = [
            st.builds(Record, st.just(route), st.lists(self.operations(route), min_size=1, max_size=3))
            for route in range(ROUTES)
        ]
        return st.lists(st.one_of(of_route), min_size=least, max_size=12)


# --------------------------------------------------------------------------------- wired by hand


class PutCursor(msgspec.Struct, frozen=True):
    cursor_id: int
    revision: int

    def apply(self, tx: TrackerTransaction) -> None:
        tx.cursors.put(t.Cursor(self.cursor_id, self.revision, 0))


class Refuse(msgspec.Struct, frozen=True):
    """Fails, whatever was done before it."""

    def apply(self, tx: TrackerTransaction) -> None:
        raise RangeError("planted", self, "anything")


class Look(msgspec.Struct, frozen=True):
    """Reads a derived table, and so settles; does nothing."""

    project: int

    def apply(self, tx: TrackerTransaction) -> None:
        tx.derived[t.NEWEST.id].row_at(bytes((self.project,)))


#: Only route 0 numbers its issues, in a project of its own, where few numbers are left.
NUMBERED: Final = 9


def seed(tx: TrackerTransaction) -> None:
    """A box knows a cursor that a route may change."""
    tx.cursors.put(t.Cursor(0, 1, 0))
    tx.numbers.put_cell(bytes((NUMBERED,)), t.NEXT.encode(LIMIT - 1))


def seed_more(tx: TrackerTransaction) -> None:
    """And an issue for each route, which it may change as well."""
    seed(tx)
    for route in range(ROUTES):
        tx.issues.put(issue(1, route, 1, labels=(1,), slug=route + 1))


def _of_route(route: int) -> st.SearchStrategy[int]:
    return st.sampled_from((route + ROUTES, route + 2 * ROUTES))


def _small_operations(route: int) -> st.SearchStrategy[Any]:
    projects, own = st.sampled_from((1, 1, 2)), _of_route(route)
    rows = st.builds(
        lambda project, number, **fields: issue(project, number, **fields),
        projects,
        own,
        rank=st.integers(0, 3),
        uid=own,
        lane=st.integers(0, 2),
        labels=st.lists(st.integers(1, 2), max_size=2).map(tuple),
        slug=st.sampled_from((0, route + 1)),
    )
    # Refused where a slice is encoded; nothing else writes it, for then it might never come to that.
    unwritable = issue(2, 3 * ROUTES + route, title="\ud800")
    puts = st.builds(PutIssue, rows)
    removals = st.builds(RemoveIssue, projects, own | st.just(route))
    others = [
        st.builds(PutCursor, st.just(route), st.integers(0, 2)),
        *[st.just(Refuse())] * 2,
        st.just(PutIssue(unwritable)),
        st.builds(Look, projects),
        st.just(Say("said")),
    ]
    kinds = [puts, puts, removals, st.one_of(others)]
    if route == 0:
        kinds.append(st.builds(lambda rank: PutIssue(t.Issue(NUMBERED, 0, rank=rank)), st.integers(0, 2)))
    return st.sampled_from(kinds).flatmap(lambda kind: kind)


def _numbered_operations(route: int) -> st.SearchStrategy[Any]:
    """Numbers are given, and records refused that were given some."""
    if route:
        return st.builds(PutCursor, st.just(route), st.integers(0, 2))
    return st.just(PutIssue(t.Issue(NUMBERED, 0))) | st.just(Refuse())


def _seeded_operations(route: int) -> st.SearchStrategy[Any]:
    """What was seeded goes and comes back, and hardly anything else is there."""
    rows = st.builds(
        lambda number, lane, labels, slug: issue(1, number, 1, lane=lane, labels=labels, slug=slug),
        st.sampled_from((route or ROUTES, route + ROUTES)),  # 0 is no number, but asks for one
        st.integers(0, 1),
        st.sampled_from(((), (1,))),
        st.sampled_from((0, route + 1)),
    )
    removals = st.builds(RemoveIssue, st.just(1), st.just(route))
    return st.one_of(st.builds(PutIssue, rows), removals, st.just(Refuse()))


# ------------------------------------------------------------------------------------- tracker


def _tracker_operations(route: int) -> st.SearchStrategy[Any]:
    """Projects two to a route, and users each with a route; who starred what is counted by project."""
    project = st.sampled_from((2 * route + 1, 2 * route + 2)).map(tt.ProjectId)
    user = st.sampled_from((route, route + ROUTES)).map(tt.UserId)
    number, small = st.integers(1, 2), st.integers(0, 3)
    labels = st.lists(st.integers(1, 2), max_size=2).map(tuple)
    rows = st.builds(
        tt.Issues,
        project_id=project,
        number=st.sampled_from((0, 1, 2, 1 << 40)),  # the last fits no key
        title=st.just("t"),
        state=st.sampled_from(tt.State),
        priority=st.sampled_from(tt.Priority),
        flags=small,
        author_id=user,
        labels=labels,
        milestone=st.sampled_from((None, 1)),
        created_at=small,
        updated_at=small,
        comments=st.sampled_from((0, 1, 1 << 40)),  # the last fits no row
    )
    comments = st.builds(
        tt.Comments,
        project_id=project,
        number=number,
        posted_at=small,
        comment=st.integers(0, 2),
        author_id=user,
        body=st.sampled_from(("", "b")),
    )
    refs = st.builds(tt.CommentRef, project, number, st.integers(0, 2))
    return st.one_of(
        st.builds(
            lambda project, slug: o.PutProjects((tt.Projects(project, "p", slug, tt.UserId(1)),)),
            project,
            st.sampled_from((f"{route}a", f"{route}b")),
        ),
        st.builds(
            lambda user, at: o.PutUsers((tt.Users(user, tt.Login(f"u{user}"), "u", seen_at=at),)), user, small
        ),
        st.builds(o.PutIssue, rows),
        st.builds(o.PutIssue, rows),
        st.builds(o.SetLabels, project_id=project, number=number, labels=labels, now=small),
        st.builds(o.Assign, project, number, user),
        st.builds(lambda *added: o.AddComments(added), comments, comments),
        st.builds(o.EditComment, refs, st.just("edited"), small),
        st.builds(lambda ref: o.RemoveComments((ref,)), refs),
        st.builds(o.RemoveIssue, project, number),
        st.builds(o.RemoveProject, project),
        st.builds(o.Watch, project, number, user, small),
        st.builds(o.Star, user, st.integers(1, 4).map(tt.ProjectId), st.booleans()),
        st.builds(o.RestartProject, project, small),
        st.just(Refuse()),  # no operation of this schema
    )


# ----------------------------------------------------------------------------------- messenger


def _messenger_operations(route: int) -> st.SearchStrategy[Any]:
    """Chats two to a route; the people in them, each with a route, are counted together."""
    group = st.sampled_from((2 * route + 1, 2 * route + 2)).map(
        lambda number: mt.peer_id(mt.PeerNamespace.GROUP, number)
    )
    person = st.sampled_from((route, route + ROUTES)).map(
        lambda number: mt.peer_id(mt.PeerNamespace.USER, number)
    )
    namespace = st.sampled_from((mt.MessageNamespace.CLOUD, mt.MessageNamespace.LOCAL))
    small = st.integers(0, 3)
    rows = st.builds(
        mt.Message,
        peer_id=group,
        namespace=namespace,
        timestamp=small,
        id=small | st.just(1 << 40),  # which fits no key
        flags=st.sampled_from((0, 4, 1 << 40)),  # the last fits no row
        tags=small,
        text=st.sampled_from(("", "text")),
        thread_id=st.sampled_from((None, 1, 2)),
        grouping_key=st.sampled_from((None, None, 5)),
        unique_id=st.sampled_from((None, 7)),
    )
    peers = st.builds(
        mt.Peers,
        peer_id=person,
        name=st.sampled_from(("a", "b")),
        usernames=st.sampled_from(((), (f"u{route}",))),
        flags=st.integers(0, 7),
        data=st.just(mt.UserData()),
    )
    return st.one_of(
        st.builds(lambda *added: m.AddMessages(added), rows, rows),
        st.builds(lambda row: m.AddMessages((row,)), rows),
        st.builds(m.EditMessage, rows),
        st.builds(lambda *ids: m.DeleteMessages((mt.MessageId(*ids),)), group, namespace, small),
        st.builds(lambda peer, which: m.ClearHistory(peer, (which,)), group, namespace),
        st.builds(m.ReadInbox, group, namespace, small),
        st.builds(m.MarkUnread, group, st.booleans()),
        st.builds(lambda peer: m.UpdatePeers((peer,)), peers),
        st.builds(m.RenamePeer, person, st.just("c"), st.just(())),
        st.builds(m.SetContact, person, st.booleans(), st.booleans()),
    )


SMALL_WORLDS: Final = (
    World("wired by hand", replace(SMALL, seed=seed), _small_operations),
    World("seeded", replace(SMALL, seed=seed_more), _small_operations),
)
#: In which little is there to happen, and so happens soon.
NARROW_WORLDS: Final = (
    World("numbers only", replace(SMALL, seed=seed), _numbered_operations),
    World("seeds only", replace(SMALL, seed=seed_more), _seeded_operations),
)
WORLDS: Final = (
    *SMALL_WORLDS,
    World("tracker", pillarbox_tracker.PACKAGE, _tracker_operations),
    World("messenger", pillarbox_messenger.PACKAGE, _messenger_operations),
)
