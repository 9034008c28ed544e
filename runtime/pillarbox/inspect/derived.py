"""Pure tables made anew beside the box, and held against those in it.

Depends on: box (packages, filling), bulk (comparing), maintainers, storage.  Never on: any generated package;
it is handed in.

Law: a table differs from its twin exactly when it is not the function of its sources that the schema says;
neither is held in memory. A twin that cannot be made, for a source that cannot be read, is told with the
reason, and so are those that follow from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pillarbox.box.opening import fill
from pillarbox.box.package import Package
from pillarbox.bulk.compare import paired, rows_of
from pillarbox.errors import DataError, UsageError
from pillarbox.maintainers import Filler
from pillarbox.storage import Engine, ScratchEngine, StoredKey, TableLayout
from pillarbox.storage.surveys import postings
from pillarbox.tables import TableSpec


class Twins:
    """The pure tables of a box, made anew in a file of their own."""

    def __init__(self, engine: ScratchEngine, package: Package[Any, Any]) -> None:
        self._engine = engine
        tx = package.transaction(engine)
        #: Table id -> why its twin could not be made.
        self.failed: dict[int, str] = {}
        #: Those that could, sources before what is made from them.
        self.specs: list[TableSpec[Any]] = []
        rules: dict[int, list[Filler]] = {}
        for rule in tx.rules_for({spec.id for spec in package.specs}):
            rules.setdefault(rule.target.spec.id, []).append(rule)
        tx.begin()
        for rule, *_ in rules.values():
            engine.create(rule.target.spec.layout)
        tx.commit()
        for together in rules.values():
            self._make(tx, together)

    def _make(self, tx: Any, rules: Sequence[Filler]) -> None:
        """Fill the target of rules that keep one table together."""
        target = rules[0].target.spec
        for source in (table.spec for rule in rules for table in rule.sources):
            if source.id in self.failed:
                self.failed[target.id] = f"it follows from {source.name!r}, which could not be made"
                return
        tx.begin()
        try:
            fill(tx, {target.id})
        except (DataError, UsageError) as error:
            self.failed[target.id] = str(error)
        else:
            self.specs.append(target)
        finally:
            tx.commit()  # of what there is: a failed twin is not looked at, and its slices are forgotten

    def differences(
        self, spec: TableSpec[Any], box: Engine
    ) -> Iterator[tuple[StoredKey, bytes | None, bytes | None]]:
        """(key, value in the box, value that belongs there) where they differ, in key order."""
        return paired(rows_of(box, spec), rows_of(self._engine, spec))

    def misfiled(self, spec: TableSpec[Any], box: Engine) -> str | None:
        """Of an index of words, the first word that is not where it belongs; None where all are."""
        if not spec.layout.words:
            return None
        with (  # what an interrupt holds would be let go by a box that is closed by then
            closing(postings(box, spec.layout)) as here,
            closing(postings(self._engine, spec.layout)) as there,
        ):
            pairs = zip_longest(here, there)
            return next(((found or wanted)[0] for found, wanted in pairs if found != wanted), None)


@contextmanager
def twins_of(box: Engine, package: Package[Any, Any]) -> Iterator[Twins]:
    """Make the pure tables of a box anew, in a file that is gone afterwards.

    Raises StoreError where the disk fails; the system's folder for such files must have room for them.
    """
    with TemporaryDirectory(prefix="pillarbox-") as folder:
        engine = _Beside(str(Path(folder, "twins.box")), box, package)
    try:  # the file has no name by now, and goes with the process, however that ends
        yield Twins(engine, package)
    finally:
        engine.close()


class _Beside(ScratchEngine):
    """A scratch file with the tables that nothing makes read from a box, which is never written."""

    def __init__(self, path: str, box: Engine, package: Package[Any, Any]) -> None:
        super().__init__(path)
        self._box = box
        self._of_box = {spec.id for spec in package.specs if spec.role != "derived"}

    def refuse_moved(self) -> None:
        """Nothing: its name is taken away on purpose."""

    def get(self, table: TableLayout, key: StoredKey) -> bytes | None:
        return self._box.get(table, key) if table.id in self._of_box else super().get(table, key)

    def get_many(self, table: TableLayout, keys: Sequence[StoredKey]) -> dict[StoredKey, bytes]:
        return self._box.get_many(table, keys) if table.id in self._of_box else super().get_many(table, keys)

    def scan(
        self,
        table: TableLayout,
        low: StoredKey | None,
        high: StoredKey | None,
        *,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[tuple[StoredKey, bytes]]:
        scan = self._box.scan if table.id in self._of_box else super().scan
        return scan(table, low, high, newest_first=newest_first, limit=limit)
