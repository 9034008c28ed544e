"""Opening a file: new, same, older, newer or of another kind.

Depends on: layout, doubts, package, storage, transaction, maintainers.  Never on: views.

Law: opening either leaves the file as it was, or brings it to the package's layout in one transaction,
new derived tables filled from their sources; a file it cannot read rightly it does not touch.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from pillarbox.box.package import Package, Rd, Tx
from pillarbox.doubts import counting, doubtful
from pillarbox.errors import DataError, LayoutConflict, NotAMember, UniqueViolation
from pillarbox.layout import Difference, compare
from pillarbox.maintainers import AnchoredCountTable, MarkerTable, RangesTable, SequenceTable
from pillarbox.numbered import Renumbered
from pillarbox.storage import Engine, TableLayout

LAYOUT = "layout"
LAYOUT_HASH = "layout_hash"
#: Rows of a source looked at at a time, as while a derived table is filled.
_SLICE_ROWS = 10_000

Opened = Literal["created", "same", "upgraded", "newer"]


def bring_up(engine: Engine, package: Package[Tx, Rd], tx: Tx) -> Opened:
    """Make the file fit the package, or refuse it. "newer" means: it may be read, not written.

    Raises LayoutConflict with every reason, DataError when the file is no box.
    """
    if engine.meta(LAYOUT_HASH) == package.layout_hash.encode():
        return "same"
    if engine.read_only:
        return _judge_unwritable(engine, package)
    tx.begin()
    try:
        opened = _in_transaction(engine, package, tx)
        tx.commit()
    except BaseException as error:
        tx.rollback()
        if isinstance(error, UniqueViolation):  # it speaks of a transaction, and whoever opens a box has none
            error.add_note(f"{engine.path} stays as it is: mend the rows with the package that wrote it")
        raise
    return opened


class SeenLayout:
    """The layout of a box as it was last looked at, which another process may change.

    At first it is the one that `bring_up` found to fit, not the one that is there a moment later.
    """

    def __init__(self, engine: Engine, package: Package[Tx, Rd], opened: Opened) -> None:
        """Raises LayoutConflict, or DataError, where a newer box is no more one that the package can read."""
        self._seen: tuple[bytes | None, bytes | None] = package.layout_hash.encode(), package.layout.encode()
        if opened == "newer":
            self._seen = stored_layout(engine)
            _compare(engine.path, self._seen[1] or b"", package)

    def check(self, engine: Engine) -> bool:
        """Look again; whether it is another. Raises LayoutConflict where more than names has changed."""
        if engine.meta(LAYOUT_HASH) == self._seen[0]:
            return False
        stored = stored_layout(engine)
        if not _reads_alike(engine.path, stored[1], self._seen[1]):
            reason = "another process has upgraded the box"
            raise LayoutConflict(engine.path, [reason], "Restart with the package of that process")
        self._seen = stored
        return True


def stored_layout(engine: Engine) -> tuple[bytes | None, bytes | None]:
    """The hash and the text of the layout that the box has now."""
    return engine.meta(LAYOUT_HASH), engine.meta(LAYOUT)


def _reads_alike(path: str, one: bytes | None, other: bytes | None) -> bool:
    """Whether two layouts differ in names at most."""
    return one == other or (
        one is not None and other is not None and _difference(path, one, json.loads(other)).same
    )


def newer_by(engine: Engine, package: Package[Tx, Rd]) -> str:
    """Why a box that was opened as "newer" is not written: what it has and the package lacks."""
    lacks = _compare(engine.path, engine.meta(LAYOUT) or b"", package).lacks
    has = f"it has {', '.join(lacks)}, which this package lacks, and " if lacks else "it "
    return f"{has}is open for reading only"


def _judge_unwritable(engine: Engine, package: Package[Tx, Rd]) -> Opened:
    stored = engine.meta(LAYOUT)
    if stored is None:
        raise DataError(
            f"{engine.path} holds no box, and it is opened read-only; open it for writing to create one"
        )
    difference = _compare(engine.path, stored, package)
    if difference.lacks:
        return "newer"
    if not difference.same:
        raise LayoutConflict(
            engine.path,
            ["the box is older than the package, and it is opened read-only"],
            "Open it once for writing, which brings it up",
        )
    return "same"


def _in_transaction(engine: Engine, package: Package[Tx, Rd], tx: Tx) -> Opened:
    stored = engine.meta(LAYOUT)
    if stored is None:
        for spec in package.specs:
            engine.create(spec.layout)
        package.seed(tx)
        tx.seal()
        _remember(engine, package)
        return "created"
    difference = _compare(engine.path, stored, package)
    if difference.lacks:
        return "newer"
    if not difference.same:
        _upgrade(engine, package, tx, difference)
    _remember(engine, package)
    return "same" if difference.same else "upgraded"


def _difference(path: str, stored: bytes, wanted: Mapping[str, Any]) -> Difference:
    try:
        return compare(json.loads(stored), wanted)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(
            f"{path}: the stored layout cannot be read ({error}); restore the file from a backup"
        ) from error


def _compare(path: str, stored: bytes, package: Package[Tx, Rd]) -> Difference:
    difference = _difference(path, stored, package.layout_tree)
    reasons = difference.reasons()
    if reasons:
        raise LayoutConflict(path, reasons)
    return difference


def _remember(engine: Engine, package: Package[Tx, Rd]) -> None:
    engine.set_meta(LAYOUT, package.layout.encode())
    engine.set_meta(LAYOUT_HASH, package.layout_hash.encode())


def _upgrade(engine: Engine, package: Package[Tx, Rd], tx: Tx, difference: Difference) -> None:
    for number in difference.drop:
        engine.drop(_whatever(number))
    for number in difference.create:
        engine.create(package.specs_by_id[number].layout)
    stale = tx.followers_of(set(difference.rebuild))
    for number in stale.difference(difference.create):
        engine.drop(_whatever(number))
        engine.create(package.specs_by_id[number].layout)
    fill(tx, stale)
    tx.unite(set(difference.create), difference.rebuild)
    for it in difference.renumbered:
        _begin_beyond(tx, it)
    for number in difference.clip:
        _clip(tx, number)
    tables = package.layout_tree["tables"]
    doubt = doubtful(tables, difference.doubt, difference.create, stale)
    for number, over in counting(tables).items():
        if number in difference.create:
            _count(tx, number, over)
        elif number in doubt:
            _count_again(tx, number, over)
        else:
            continue
        _tell_holes(package, tx, number)


def _begin_beyond(tx: Tx, it: Renumbered) -> None:
    """Have a sequence give no number that stored rows have, whoever gave it to them."""
    giving, spec = tx.table_at(it.sequence), tx.table_at(it.table).spec
    assert isinstance(giving, SequenceTable)
    for found in tx.stored_slices(it.table, _SLICE_ROWS):
        greatest: dict[tuple[Any, ...], int] = {}
        for key, cell in found:
            group, number = it.numbers(spec.row(key, cell))
            if number:
                greatest[group] = max(greatest.get(group, number), number)
        for group, number in greatest.items():
            giving.begin_beyond(giving.spec.key(*group), number)


def _clip(tx: Tx, number: int) -> None:
    """Leave of ranges what lies where they may go: steps do not reach what lies beyond."""
    table = tx.table_at(number)
    assert isinstance(table, RangesTable)
    for found in tx.stored_slices(number, _SLICE_ROWS):
        table.clip(found)


def _count(tx: Tx, number: int, over: int) -> None:
    """Have a table that counts on from a server's base count the rows that are there, as if they came now."""
    table, spec = tx.table_at(number), tx.table_at(over).spec
    assert isinstance(table, MarkerTable | AnchoredCountTable)
    for found in tx.stored_slices(over, _SLICE_ROWS):
        table.follow_new([spec.row(key, cell) for key, cell in found])


def _count_again(tx: Tx, number: int, over: int) -> None:
    """The same of one that has counted by another rule, or other rows: what it says is in doubt."""
    table, spec = tx.table_at(number), tx.table_at(over).spec
    assert isinstance(table, MarkerTable | AnchoredCountTable)
    for found in tx.stored_slices(number, _SLICE_ROWS):
        table.doubt_groups([key for key, _ in found])
    for found in tx.stored_slices(over, _SLICE_ROWS):
        table.count_again([spec.row(key, cell) for key, cell in found])


def _tell_holes(package: Package[Tx, Rd], tx: Tx, number: int) -> None:
    """Have a marker hear of what is missing: a group may stand at zero by a `default` that it did not have.

    Of sums no group without a row says anything, and those that have one are in doubt by now.
    """
    table = tx.table_at(number)
    if not isinstance(table, MarkerTable):
        return
    for spec in package.specs:
        holes = tx.table_at(spec.id)
        if isinstance(holes, RangesTable) and holes.is_followed_by(table):
            for found in tx.stored_slices(spec.id, _SLICE_ROWS):
                holes.tell_stored(table, found)


def _whatever(number: int) -> TableLayout:
    """A table of before, whatever the package has there now; an index of its words goes with it."""
    return TableLayout(number, "", int_key=False, key_width=None, heap=False, words=True)


def fill(tx: Tx, numbers: set[int]) -> None:
    """Fill empty derived tables from their sources, in dependency order, a slice at a time."""
    for rule in tx.rules_for(numbers):
        spec = rule.source.spec
        for found in rule.source.slices(_SLICE_ROWS):
            try:
                tx.fill(rule, [spec.row(key, cell) for key, cell in found])
            except NotAMember as error:  # of a packed id, which is no more than a number until it is asked
                raise error.among(spec.name) from error
