"""Operations and view keys of any schema, out of tiny domains so that they collide.

Depends on: random_values, the shipped schemas.  Never on: what is tested with them, or on what any shipped
schema is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from hypothesis import strategies as st
from tests.property.law_machine import SCHEMAS as OWN_SCHEMAS
from tests.property.law_machine import package_of
from tests.property.random_values import DEEP, RandomValues

from pillarbox.box import Box, Package
from pillarbox.errors import PillarboxError
from pillarbox_codegen import model
from pillarbox_codegen.check import load_schema
from pillarbox_codegen.plan import names
from pillarbox_codegen.plan.structs import row_fields
from pillarbox_codegen.touches import origins, touched
from pillarbox_codegen.walk import nodes

SCHEMAS: Final = Path(__file__).parents[2] / "schema"

_SCALARS: Final[dict[str, st.SearchStrategy[Any]]] = {
    "bool": st.booleans(),
    "float64": st.sampled_from((0.0, -1.5, 2.0)),
    "text": st.sampled_from(("", "a", "b", "Zoë a")),
    "bytes": st.sampled_from((b"", b"\0", b"a\xff")),
}
#: Mostly one and the same, or rows of several tables seldom meet.
_NUMBERS: Final = st.sampled_from((1, 1, 1, 1, 0, 2, 3))
#: What the keys of `grounds` are made of: the likeliest of each of the above.
_LIKELIEST: Final[dict[str, Any]] = {"bool": False, "float64": 0.0, "text": "", "bytes": b""}
#: So many kinds of operations in one history.
_KINDS: Final = 6


@dataclass(frozen=True)
class Subject:
    """What has to do with one table: operations and views by name. Many of them never meet."""

    table: str
    operations: tuple[str, ...]
    views: tuple[str, ...]


class RandomStore(RandomValues):
    """Strategies for one schema and its generated package."""

    def __init__(self, schema: model.Schema) -> None:
        super().__init__(schema)
        self.package: Package[Any, Any] = self.module("").PACKAGE
        self._operations: dict[str, st.SearchStrategy[Any]] = {}

    def scalar(self, name: str) -> st.SearchStrategy[Any]:
        """Few values of each type."""
        return _SCALARS.get(name, _NUMBERS)

    def packed(self, definition: model.PackedId) -> st.SearchStrategy[Any]:
        """Of parts that are in order."""
        pack = getattr(self.types, names.pack_function(definition.name))
        return st.builds(pack, *(self.value(part.type) for part in definition.parts))

    def flags(self, definition: model.FlagsType) -> st.SearchStrategy[Any]:
        """Two of them at most."""
        few = st.sets(st.sampled_from([1 << bit for _, bit in definition.bits]), max_size=2)
        return few.map(sum)

    def operation(self) -> st.SearchStrategy[Any]:
        """Any operation with any arguments that its types allow."""
        return st.sampled_from(sorted(self.schema.operations)).flatmap(self.operation_of)

    def operation_of(self, name: str) -> st.SearchStrategy[Any]:
        """One operation with any arguments."""
        if name not in self._operations:
            kind = getattr(self.module(".operations"), names.class_name(name))
            self._operations[name] = self.struct(kind, self.schema.operations[name].params)
        return self._operations[name]

    def view_key_of(self, name: str) -> st.SearchStrategy[Any]:
        """Keys of one view."""
        return self.struct(
            getattr(self.module(".views"), names.class_name(name)), self.schema.views[name].key
        )

    def subject(self, word: type[Any] = object) -> st.SearchStrategy[Subject]:
        """What has to do with any one table, or with any that a word keeps."""
        rules = {name: table.rule for name, table in self.schema.tables.items()}
        return st.sampled_from([it for it in self.subjects if isinstance(rules[it.table], word)]).flatmap(
            _few_of
        )

    def shown_subject(self) -> st.SearchStrategy[Subject]:
        """What has to do with a table that some view shows."""
        return st.sampled_from([subject for subject in self.subjects if subject.views]).flatmap(_few_of)

    @cached_property
    def subjects(self) -> tuple[Subject, ...]:
        """By table, in order of their names; those alone that follow from what some operation writes."""
        tables = self.schema.tables
        written = {name: touched(it, tables).written for name, it in sorted(self.schema.operations.items())}
        views = sorted(self.schema.views.items())
        read = {name: self._read(view) for name, view in views if not _is_of_a_moment(view)}
        found = []
        for table in sorted(tables):
            needed = self._needed(table)
            operations = tuple(name for name in written if needed & written[name])
            if operations:
                shown = tuple(name for name in read if needed & read[name])
                found.append(Subject(table, operations, shown))
        return tuple(found)

    def _needed(self, table: str) -> set[str]:
        """The tables that rows of this one come from, and those whose rows own them."""
        tables = self.schema.tables
        found = {table} | origins(table, tables)
        for name in sorted(found):
            owned = tables[name].owned
            found |= set() if owned is None else origins(owned.by, tables)
        return found

    def _read(self, view: model.View) -> set[str]:
        """The tables that a view shows something of, near or far."""
        tables = self.schema.tables
        named = {
            value
            for node in nodes(view.parts)
            for name in node.__dataclass_fields__  # type: ignore[attr-defined]  # nodes are dataclasses
            if isinstance(value := getattr(node, name), str) and name != "name" and value in tables
        }
        return named | {origin for table in named for origin in origins(table, tables)}

    def operations(self, kinds: Sequence[str], most: int) -> st.SearchStrategy[list[Any]]:
        """What one transaction does, of these kinds."""
        one = st.sampled_from(kinds).flatmap(self.operation_of)
        return st.lists(one, min_size=1, max_size=most)

    def grounds(self, kinds: Sequence[str]) -> st.SearchStrategy[list[tuple[str, Any]]]:
        """Rows, by table, of what operations of these kinds look for: without them most do nothing."""
        tables = self.schema.tables
        met = [touched(self.schema.operations[name], tables) for name in kinds]
        found = {table for one in met for table in one.read | one.written}
        owned = [rule for name in found if (rule := tables[name].owned) is not None]
        found |= {owner for rule in owned for owner in origins(rule.by, tables)}
        primary = [name for name in sorted(found) if tables[name].role == "primary"]
        primary.sort(key=lambda name: tables[name].owned is not None)  # owners first
        return st.tuples(*map(self._ground, primary)).map(
            lambda found: [row for rows in found for row in rows]
        )

    def _ground(self, name: str) -> st.SearchStrategy[list[tuple[str, Any]]]:
        """A row that many operations hit, mostly, and sometimes any other."""
        table = self.schema.tables[name]
        fields, parts = row_fields(table), len(table.key)
        given = self._likeliest.fields(fields[:parts]) | self.fields(fields[parts:], DEEP + 1)
        likely = st.builds(getattr(self.types, names.row_class(name)), **given)
        rows = (
            st.tuples(likely),
            st.tuples(likely),
            st.tuples(likely, self.row(table, DEEP + 1)),
            st.just(()),
        )
        return st.sampled_from(rows).flatmap(lambda it: it).map(lambda some: [(name, row) for row in some])

    def lay(self, box: Box[Any, Any], rows: Sequence[tuple[str, Any]]) -> None:
        """Write rows, without those that a box refuses."""
        for name, row in rows:
            with suppress(PillarboxError), box.transaction() as tx:
                getattr(tx, names.table_attribute(name)).put(row)

    def view_keys(self, kinds: Sequence[str]) -> st.SearchStrategy[Any]:
        """The keys of views of these kinds."""
        return st.sampled_from(kinds).flatmap(self.view_key_of)

    @cached_property
    def _likeliest(self) -> RandomStore:
        return _Likeliest(self.schema)

    def encode_operation(self, operation: Any) -> bytes:
        """The bytes of an operation."""
        data: bytes = self.module(".operations").encode_operation(operation)
        return data

    def decode_operation(self, data: bytes) -> Any:
        """The operation of these bytes."""
        return self.module(".operations").decode_operation(data)


class _Likeliest(RandomStore):
    """One value of each scalar type."""

    def scalar(self, name: str) -> st.SearchStrategy[Any]:
        """The first of those that are mostly drawn."""
        return st.just(_LIKELIEST.get(name, 1))


def _is_of_a_moment(view: model.View) -> bool:
    """Whether it shows what was when it was opened, or what one commit did, so that another shows another."""
    return any(
        part.common.held
        or isinstance(part, model.ChangesPart)
        or (isinstance(part, model.WindowPart) and any(anchor.at == "id" for anchor in part.anchors))
        for part in view.parts
    )


def _few_of(subject: Subject) -> st.SearchStrategy[Subject]:
    """The same with a few of its operations."""
    kinds = st.lists(st.sampled_from(subject.operations), min_size=1, max_size=_KINDS, unique=True)
    return kinds.map(lambda some: Subject(subject.table, tuple(some), subject.views))


@cache
def random_store(name: str) -> RandomStore:
    """The strategies of a shipped schema, or of one of `tests/data/schemas` that has operations."""
    if (SCHEMAS / name).exists():
        return RandomStore(load_schema(SCHEMAS / name))
    package_of(name)
    return RandomStore(load_schema(OWN_SCHEMAS / name))
