"""Live views: part trees that follow the commits, and subscriptions to them.

Depends on: tables, codec, errors.  Never on: transactions, boxes, generated packages.

Law: after every commit each live view equals one freshly loaded, and its subscribers got one emission
exactly if its snapshot differs.

How a view is wired
-------------------
A *builder* makes the parts of one view, in schema order, and gives them to a `View`. It neither reads
nor registers; the view is loaded afterwards. `VIEWS` maps key classes to builders in schema order, which
is the order of emissions within one commit.

    def _board(key: Board, readers: Readers) -> View[BoardSnapshot]:
        project = Get(PROJECTS, at=lambda: projects_key(key.project_id))
        issues = Scan(
            BY_LABEL,
            prefix=lambda: by_label_prefix_2(key.project_id, key.label),
            newest_first=True,
            limit=lambda: key.limit,
            source=ISSUES,
            source_key=lambda row: issues_key(row.project_id, row.number),
            where=lambda row: row.state == State.OPEN,
        )
        people = GetEach(
            USERS,
            name=lambda row: row.user_id,
            of=issues,
            keys=lambda row: () if row.assignee_id is None else (users_key(row.assignee_id),),
        )
        return View(
            key,
            (project, issues, people),
            lambda: BoardSnapshot(project.value, issues.value, people.value),
            names=("project", "issues", "people"),
        )

    VIEWS: Final[Mapping[type, Builder]] = {Board: _board}

Every constructor takes the `TableSpec` it reads first, everything else by name:

    Get(spec, *, at, default=, show=, after=(), hidden=False)
        at() -> StoredKey | None            None: absent, nothing is read
        default() -> row                    shown where there is no row (also where `at()` is None)
        .value: Row | None, Row with `default`, what `show` returns with `show`.  .row: the whole row
    GetEach(spec, *, name, by_key=False, of, keys, show=, row_after=(), hidden=False)
    GetEach(spec, *, name, by_key=False, at, show=, after=(), hidden=False)
        name(row) -> key of the mapping     by_key: which is the stored key, an int
        of: an earlier Scan, WindowAt or GetEach; keys(row of it) -> iterable of StoredKeys
        at() -> iterable of StoredKeys | None; doubles are fine
        .value: Mapping[Name, Row]; loaded in list order, keys that enter later come last.  .rows: whole rows
    Scan(spec, *, prefix, limit=, newest_first=False, where=, show=, after=(), row_after=(), hidden=False)
    Scan(spec, *, prefix, source, source_key, limit=, ...)          spec is an index; yields source rows
        prefix() -> encoded bytes | None    b"" is the whole table; None: absent, nothing is read;
                                            in a table with int keys b"" or one int
        limit() -> int | None               no `limit`, or None: all rows
        source_key(index row) -> StoredKey
        low() and high() -> StoredKey | beginning of some | None: low <= key < high; None bounds nothing
        where: row -> bool, or a Where
        .value: tuple[Row, ...].  .rows: whole rows.  A `bare` scan of an index is the first form.
    LaneScan(spec, *, prefixes, chain=False, ...)           prefixes() -> iterable of prefixes | None; as Scan
    Where(rows, columns, test, *, needs, back)              a condition of a Scan, LaneScan or LaneWindow
        rows: spec of the rows asked about; columns: those that `test(row, *values of needs)` goes through
        back: [Back(spec, rows), ..]        rows(reads, changed row of spec) -> StoredKeys of rows it concerns
    First(spec, *, prefix, newest_first=False, show=, after=(), hidden=False)
        the first row that a Scan of this prefix has
        .value: Row | None, what `show` returns with `show`.  .row: the whole row
    Matches(spec, *, search, source, limit=, newest_first=False, by_relevance=False, where=, show=,
            after=(), row_after=(), hidden=False)     spec is a table of words; yields the source rows found
        search() -> Search | None               None: absent, nothing is read
        .value, .rows as those of a Scan
    WindowAt(spec, *, prefix, anchor, before_max, after_max, show=, after=(), hidden=False)
    WindowAt(spec, *, prefix, anchor, before_max, after_max, source, source_key, ...)   spec is an index
        anchor: "newest" | "oldest" | a callable giving a whole StoredKey, or None: absent
        before_max() -> int, after_max() -> int
        .value: Window[Row] (entries oldest first, anchor, earlier, later; keys by `spec.key_fields`).
        .rows: whole rows, oldest first
    LaneWindow(spec, *, lanes, anchor, before_max, after_max, chain=False, ids=, holes=, clip=, where=,
               distinct=, expand=, rank=, want=, show=, after=(), row_after=(), hidden=False)
        spec: the table of the rows shown
        lanes() -> a sequence of LaneAt (in a chain of KeysAt, too) | None: absent
        anchor: "newest" | "oldest" | a callable giving one of these, a Suffix, an AtId or None: absent
        clip, rank: () -> bool; where(row) -> bool; distinct(row) -> hashable
        .value: Window[Row], or Window[Row | Gap] where markers do not clip.  .rows: whole rows, oldest first
        the same modules say what holes, ids, expand and want are: lanes, holes
    Aggregate(fold, spec, *, prefix, where=, after=(), row_after=(), hidden=False)
    Aggregate(fold, part, *, where=, row_after=(), hidden=False)
        part: an earlier Scan, WindowAt or GetEach
        fold: a new Count(), Sum(term), AnyOf(term), EveryOf(term), Min(term) or Max(term);
        term(row) -> int, bool or any value that orders; None counts for nothing
        .value: int; bool; the term's value or None

    Changes(spec, *, prefix, kind="any", where=, show=, after=(), row_after=(), hidden=False)
        kind: "inserted" | "removed" | "updated" | "any"
        .value: tuple[Row, ...], of one commit, for one emission. No other part may read it.
    Wanted(name, *, care=Care.LOOKS, hidden=False)
                            .value: frozenset[Hole], of all live windows. Not beside a window that wants.
    Value(term, *, after=(), hidden=False)      term() over earlier parts
    Entries(part, nest)     an earlier, hidden Get, GetEach, Scan, First or WindowAt, whose rows get children
        .value: as that of the part, with entries for rows.  .each(*numbers): rows with values of columns
    Each(items, nest, *, after=())              an entry for each value; the rows of `nest` are the values
        items() -> iterable of hashable values | None; doubles are one
        .value: tuple[Entry, ...].  .items: the values, for other parts.  .each(*numbers) as of Entries
    Nest(columns, name=, make=)                 name(row) tells rows apart; make(row, *shown) -> entry
    GetColumn(spec, *, key, default=, show=, nest=, needs=(), after=())
    GetEachColumn(spec, *, keys, name, show=, nest=, needs=(), after=())
    PartColumn(*, of, make, empty, nest=, needs=(), after=())
        of(row, ..) -> hashable | None; make(that) -> a part that reads ranges; empty: the value without one
    ValueColumn(term, needs=(), after=())
    EachColumn(*, items, nest, needs=(), after=())
        terms of columns are called with the row and with the values of the earlier columns in `needs`;
        every column takes hidden=True, and is then in no entry

`show=` projects a row to what the snapshot shows (the field narrows to that type), and a change elsewhere
in the row emits nothing. `hidden=True` (schema: `show: none`) leaves a part out of emissions; leave it out
of the snapshot too. The two exclude each other.

`View(.., held=(part, ..))` lists parts that are taken when the view is opened, and kept; of one with
children both the hidden part and its Entries. They may read parts that are not held, and others may read
them. Views of one key are shared if they hold equal values.

`when` has no word of its own: `at`, `prefix` or `anchor` return None where it does not hold. The value is
then None (or the default), (), an empty mapping, an empty window, or the fold over no rows.

Dependencies. `after` lists the earlier parts that the zero-argument callables read (`at`, `prefix`,
`limit`, `anchor`, `before_max`, `after_max`, `default` only together with `at`); they run at load and
when one of these parts moved. `row_after` lists the earlier parts that terms over a row read besides the
row (`where`, `keys`, `source_key`, folds' terms); when one of these moved, the part loads anew. `show`
and `name` read the row only. The part given as `of` is a dependency by itself. A callable reads whole
rows of an earlier part: `.row` of a Get or First, `.items` of an Each, `.value` of an Aggregate,
`.rows` of the others.
All callables are pure, and total for what they may meet.
"""

from pillarbox.views.columns import EachColumn, PartColumn, ValueColumn
from pillarbox.views.counters import ViewCounters
from pillarbox.views.deliveries import Delivery, deliver
from pillarbox.views.emission import Emission, Why
from pillarbox.views.expanded import Expand
from pillarbox.views.holes import (
    Boundary,
    Gap,
    Hole,
    MarkerHoles,
    RangeHoles,
    Want,
    holes_as_bytes,
    holes_of_bytes,
)
from pillarbox.views.interests import Delta, Interests
from pillarbox.views.items import Item, ItemMap, Taking
from pillarbox.views.keyed_columns import GetColumn, GetEachColumn
from pillarbox.views.lanes import AnchorAt, AnyLane, AtId, Ids, KeysAt, LaneAt, Suffix
from pillarbox.views.nest import Column, Nest
from pillarbox.views.over import Members, Over
from pillarbox.views.parts import (
    Aggregate,
    AnyOf,
    Changes,
    Count,
    Each,
    Entries,
    EveryOf,
    First,
    Fold,
    Get,
    GetEach,
    LaneScan,
    LaneWindow,
    ListPart,
    Matches,
    Max,
    Min,
    Part,
    Scan,
    Sum,
    Value,
    Wanted,
    Window,
    WindowAt,
)
from pillarbox.views.parts.ranges import rows_under
from pillarbox.views.queued import QueueFull
from pillarbox.views.reads import Readers, Reads
from pillarbox.views.subscription import Subscription
from pillarbox.views.tracker import Tracker
from pillarbox.views.view import Builder, View, ViewFactory, ViewKey, WantedHoles
from pillarbox.views.where import Back, Where

__all__ = [
    "Aggregate",
    "AnchorAt",
    "AnyLane",
    "AnyOf",
    "AtId",
    "Back",
    "Boundary",
    "Builder",
    "Changes",
    "Column",
    "Count",
    "Delivery",
    "Delta",
    "Each",
    "EachColumn",
    "Emission",
    "Entries",
    "EveryOf",
    "Expand",
    "First",
    "Fold",
    "Gap",
    "Get",
    "GetColumn",
    "GetEach",
    "GetEachColumn",
    "Hole",
    "Ids",
    "Interests",
    "Item",
    "ItemMap",
    "KeysAt",
    "LaneAt",
    "LaneScan",
    "LaneWindow",
    "ListPart",
    "MarkerHoles",
    "Matches",
    "Max",
    "Members",
    "Min",
    "Nest",
    "Over",
    "Part",
    "PartColumn",
    "QueueFull",
    "RangeHoles",
    "Readers",
    "Reads",
    "Scan",
    "Subscription",
    "Suffix",
    "Sum",
    "Taking",
    "Tracker",
    "Value",
    "ValueColumn",
    "View",
    "ViewCounters",
    "ViewFactory",
    "ViewKey",
    "Want",
    "Wanted",
    "WantedHoles",
    "Where",
    "Why",
    "Window",
    "WindowAt",
    "deliver",
    "holes_as_bytes",
    "holes_of_bytes",
    "rows_under",
]
