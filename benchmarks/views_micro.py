"""What folding one commit into the live views costs, without any store beneath: readers are dicts.

A commit writes a comment, updates its project and moves that project to the front of an index. Watched
are the last 50 comments of projects with their authors, records of projects, single fields of them, and
the 100 projects touched last. `floor` is the same written by hand, with lists and dictionaries only.
"""

from __future__ import annotations

import gc
import statistics
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from struct import Struct
from typing import Any, NamedTuple

import msgspec

from pillarbox.storage import StoredKey, TableLayout
from pillarbox.tables import Cell, ChangeRecord, TableReader, TableSpec
from pillarbox.views import Get, GetEach, Readers, Scan, Subscription, Tracker, View, deliver

PROJECTS_MAX = 1_000
USERS_MAX = 1_000
COMMENTS_EACH = 100


class User(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Key: `user_id`."""

    user_id: int
    name: str


class Project(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Key: `project_id`."""

    project_id: int
    name: str
    touched_at: int
    last: str
    unread: int


class Comment(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Key: `project_id`, `comment_id`."""

    project_id: int
    comment_id: int
    author_id: int
    text: str


class ByTouched(NamedTuple):
    """Index of projects."""

    touched_at: int
    project_id: int


_pair = Struct(">QQ")
_one = Struct(">Q")


def _spec(number: int, name: str, key_of: Any, row: Any, *, int_key: bool = False) -> TableSpec[Any]:
    layout = TableLayout(number, name, int_key=int_key, key_width=None if int_key else 16, heap=False)
    return TableSpec(layout, "primary", key_of, lambda row: row, row)


def _second(key: StoredKey, cell: Cell) -> Any:
    return cell


def _touched(key: StoredKey, cell: Cell) -> ByTouched:
    return ByTouched(*_pair.unpack(key))  # type: ignore[arg-type]  # a table with bytes keys


USERS: TableSpec[User] = _spec(1, "users", lambda row: row.user_id, _second, int_key=True)
PROJECTS: TableSpec[Project] = _spec(2, "projects", lambda row: row.project_id, _second, int_key=True)
COMMENTS: TableSpec[Comment] = _spec(
    3, "comments", lambda row: _pair.pack(row.project_id, row.comment_id), _second
)
BY_TOUCHED: TableSpec[ByTouched] = _spec(4, "by_touched", lambda row: _pair.pack(*row), _touched)


class DictReader(TableReader[Any]):
    """Reads a dict; ranges by sorting, which only loads do here."""

    __slots__ = ("_cells",)

    def __init__(self, spec: TableSpec[Any], cells: dict[StoredKey, Cell]) -> None:
        self.spec = spec
        self._cells = cells

    def cell(self, key: StoredKey) -> Cell | None:
        return self._cells.get(key)

    def cells_at(self, keys: Sequence[StoredKey]) -> dict[StoredKey, Cell]:
        return {key: self._cells[key] for key in keys if key in self._cells}

    def scan_cells(
        self,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[tuple[StoredKey, Cell]]:
        cells: Any = self._cells
        keys = [key for key in cells if (low is None or key >= low) and (high is None or key < high)]
        keys.sort(reverse=newest_first)
        return [(key, cells[key]) for key in keys[:limit]]


class CommentReader(DictReader):
    """Comments of one project are numbered from 1, so that a range is a loop."""

    __slots__ = ()

    def scan_cells(
        self,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[tuple[StoredKey, Cell]]:
        assert isinstance(low, bytes)
        project_id = _one.unpack(low[:8])[0]
        keys = [_pair.pack(project_id, number) for number in range(1, COMMENTS_EACH + 1)]
        if newest_first:
            keys.reverse()
        return [(key, self._cells[key]) for key in keys[:limit]]


class Store:
    """The tables, and commits of one comment each."""

    def __init__(self) -> None:
        users = {n: User(n, f"User {n}") for n in range(USERS_MAX)}
        self.projects = {n: Project(n, f"Project {n}", n + 1, "", 0) for n in range(PROJECTS_MAX)}
        comments = {
            _pair.pack(project, n): Comment(project, n, (project * 31 + n * 7) % USERS_MAX, f"comment {n}")
            for project in range(PROJECTS_MAX)
            for n in range(1, COMMENTS_EACH + 1)
        }
        by_touched = {_pair.pack(row.touched_at, row.project_id): b"" for row in self.projects.values()}
        self.tables: dict[int, dict[Any, Any]] = {1: users, 2: self.projects, 3: comments, 4: by_touched}
        self.readers: dict[int, TableReader[Any]] = {
            1: DictReader(USERS, users),  # type: ignore[arg-type]  # dicts are invariant
            2: DictReader(PROJECTS, self.projects),  # type: ignore[arg-type]
            3: CommentReader(COMMENTS, comments),  # type: ignore[arg-type]
            4: DictReader(BY_TOUCHED, by_touched),  # type: ignore[arg-type]
        }
        self.at = 10 * PROJECTS_MAX

    def commit(self, project_id: int) -> ChangeRecord:
        """One comment more in a project."""
        self.at += 1
        old = self.projects[project_id]
        new = Project(project_id, old.name, self.at, f"comment {self.at}", old.unread + 1)
        comment = Comment(project_id, self.at, self.at * 13 % USERS_MAX, new.last)
        record = ChangeRecord(
            {
                3: {_pair.pack(project_id, self.at): (None, comment)},
                2: {project_id: (old, new)},
                4: {
                    _pair.pack(old.touched_at, project_id): (b"", None),
                    _pair.pack(new.touched_at, project_id): (None, b""),
                },
            }
        )
        for number, changes in record.tables.items():
            for key, (_, after) in changes.items():
                if after is None:
                    del self.tables[number][key]
                else:
                    self.tables[number][key] = after
        return record


# -------------------------------------------------------------------------------------------- views


class Latest(msgspec.Struct, frozen=True):
    """The last comments of a project, and who wrote them; `copy` keeps equal keys apart."""

    project_id: int
    authors: bool = True
    copy: int = 0


class Record(msgspec.Struct, frozen=True):
    """One project."""

    project_id: int
    copy: int = 0


class Unread(msgspec.Struct, frozen=True):
    """One field of one project."""

    project_id: int
    copy: int = 0


class Front(msgspec.Struct, frozen=True):
    """The projects touched last."""


class Snapshot(msgspec.Struct, frozen=True):
    """The values of up to two parts."""

    first: Any
    second: Any = None


def _latest(key: Latest, readers: Readers) -> View[Any]:
    comments = Scan(COMMENTS, prefix=lambda: _one.pack(key.project_id), newest_first=True, limit=lambda: 50)
    if not key.authors:
        return View(key, (comments,), lambda: Snapshot(comments.value), names=("comments",))  # type: ignore[arg-type]
    authors = GetEach(USERS, name=lambda row: row.user_id, of=comments, keys=lambda row: (row.author_id,))
    return View(
        key,  # type: ignore[arg-type]  # made without `__snapshot__`, which only types need
        (comments, authors),
        lambda: Snapshot(comments.value, authors.value),
        names=("comments", "authors"),
    )


def _record(key: Record, readers: Readers) -> View[Any]:
    project = Get(PROJECTS, at=lambda: key.project_id)
    return View(key, (project,), lambda: Snapshot(project.value), names=("project",))  # type: ignore[arg-type]


def _unread(key: Unread, readers: Readers) -> View[Any]:
    unread = Get(PROJECTS, at=lambda: key.project_id, show=lambda row: row.unread)
    return View(key, (unread,), lambda: Snapshot(unread.value), names=("unread",))  # type: ignore[arg-type]


def _front(key: Front, readers: Readers) -> View[Any]:
    projects = Scan(
        BY_TOUCHED,
        prefix=lambda: b"",
        newest_first=True,
        limit=lambda: 100,
        source=PROJECTS,
        source_key=lambda row: row.project_id,
    )
    return View(key, (projects,), lambda: Snapshot(projects.value), names=("projects",))  # type: ignore[arg-type]


BUILDERS: Mapping[type, Any] = {Front: _front, Latest: _latest, Record: _record, Unread: _unread}


def keys_of(views: int, *, shared: bool) -> list[Any]:
    """Half of them comments, a quarter records, a quarter single fields; and the front.

    With `shared`, subscriptions of one project have equal keys.
    """
    keys: list[Any] = [Front()]
    for n in range(views - 1):
        project, copy = n // 4 % PROJECTS_MAX, n // 4 // PROJECTS_MAX
        if shared:
            keys.append((Latest(project), Record(project), Latest(project), Unread(project))[n % 4])
        elif n % 2 == 0:
            keys.append(Latest(project, True, copy * 2 + n % 4 // 2))
        else:
            keys.append(Record(project, copy) if n % 4 == 1 else Unread(project, copy))
    return keys


# -------------------------------------------------------------------------------------- measurements


def main(quick: bool) -> None:
    """Print microseconds per commit, and bytes per idle view."""
    times = 300 if quick else 3_000
    title = "one commit, folded into the views it concerns"
    print(f"{title:<54}{'us replay':>10}{'deliver':>9}{'floor':>7}{'views told':>12}")
    for views in (10, 1_000, 10_000):
        _line(f"{views:,} subscriptions, equal keys shared", keys_of(views, shared=True), views, times)
    _line("10,000 views, all distinct", keys_of(10_000, shared=False), 10_000, times)
    _line("only: the 100 projects touched last", [Front()], 0, times)
    _line("only: the last 50 comments", [Latest(0, authors=False)], 0, times)
    _line("only: the last 50 comments and their authors", [Latest(0)], 0, times)
    _line("only: one project", [Record(0)], 0, times)
    print()
    print(f"{'memory per idle view, its rows included':<54}{'bytes':>10}")
    for name, keys in (
        ("the last 50 comments", [Latest(n, authors=False) for n in range(PROJECTS_MAX)]),
        ("the last 50 comments and their authors", [Latest(n) for n in range(PROJECTS_MAX)]),
        ("one project", [Record(n) for n in range(PROJECTS_MAX)]),
    ):
        print(f"{name:<54}{_bytes_per_view(keys):>10,}")


def _line(name: str, keys: list[Any], views: int, times: int) -> None:
    """Times of one set of views; commits go round the projects that are watched."""
    store = Store()
    tracker = Tracker(BUILDERS, store.readers)
    got: list[object] = []
    for key in keys:
        tracker.subscribe(key).listen(got.append)
    projects = max(1, min(views // 4, PROJECTS_MAX))
    replays, deliveries, told = [], [], 0
    gc.collect()
    gc.disable()
    for n in range(times):
        record = store.commit(n % projects)
        got.clear()
        begin = time.perf_counter()
        round_ = tracker.replay(record)
        middle = time.perf_counter()
        deliver(round_)
        deliveries.append(time.perf_counter() - middle)
        replays.append(middle - begin)
        told += len(got)
    gc.enable()
    floor = _floor(keys, projects, times)
    replay, handed = statistics.median(replays) * 1e6, statistics.median(deliveries) * 1e6
    print(f"{name:<54}{replay:>10.1f}{handed:>9.1f}{floor * 1e6:>7.1f}{told / times:>12.1f}")


def _floor(keys: list[Any], projects: int, times: int) -> float:
    """The same, by hand: lists that are cut and glued, found by project; calls included."""
    store = Store()
    got: list[object] = []
    concerned: dict[int, list[Callable[[Comment, Project], object]]] = {}
    everywhere: list[Callable[[Comment, Project], object]] = []
    for key in keys:
        if isinstance(key, Front):
            everywhere.append(_by_hand_front(store, got.append))
        else:
            concerned.setdefault(key.project_id, []).append(_by_hand(key, store, got.append))
    spent = []
    for n in range(times):
        tables = store.commit(n % projects).tables
        got.clear()
        begin = time.perf_counter()
        (comment,) = (after for _, after in tables[3].values() if after is not None)
        (project,) = (after for _, after in tables[2].values() if after is not None)
        for call in concerned.get(project.project_id, ()):
            call(comment, project)
        for call in everywhere:
            call(comment, project)
        spent.append(time.perf_counter() - begin)
    return statistics.median(spent)


def _by_hand_front(store: Store, told: Callable[[object], None]) -> Callable[[Comment, Project], None]:
    rows = sorted(store.projects.values(), key=lambda row: -row.touched_at)[:100]

    def replay(comment: Comment, project: Project) -> None:
        nonlocal rows
        rows = [project] + [row for row in rows if row.project_id != project.project_id]
        del rows[100:]
        told(rows)

    return replay


def _by_hand(key: Any, store: Store, told: Callable[[object], None]) -> Callable[[Comment, Project], None]:
    if isinstance(key, Record):
        return lambda comment, project: told([project])
    if isinstance(key, Unread):
        return lambda comment, project: told([(project.unread,)])
    users = store.tables[1]
    comments = store.readers[3].scan_cells(_one.pack(key.project_id), None, newest_first=True, limit=50)
    rows = [(row, users[row.author_id]) for _, row in comments]

    def replay(comment: Comment, project: Project) -> None:
        nonlocal rows
        rows = [(comment, users[comment.author_id]), *rows[:49]]
        told(rows)

    return replay


def _bytes_per_view(keys: list[Any]) -> int:
    store = Store()
    tracker = Tracker(BUILDERS, store.readers)
    subscriptions: list[Subscription[Any]] = []
    gc.collect()
    tracemalloc.start()
    for key in keys:
        subscription = tracker.subscribe(key)
        next(subscription)
        subscriptions.append(subscription)
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return used // len(keys)


if __name__ == "__main__":
    main(quick=True)
