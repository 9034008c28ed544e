"""What a generated package hands to the runtime.

Depends on: storage, tables, transaction.  Never on: any generated package; it is handed in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from pillarbox.storage import Engine
from pillarbox.tables import TableReader, TableSpec
from pillarbox.transaction import Transaction

Tx = TypeVar("Tx", bound=Transaction)


class ReadTables(Protocol):
    """The read side of all tables, typed by the generated class."""

    def by_id(self) -> Mapping[int, TableReader[Any]]:
        """Every table under its permanent number."""


Rd = TypeVar("Rd", bound=ReadTables)


@dataclass(frozen=True)
class Package(Generic[Tx, Rd]):
    """One schema, generated: everything a box needs to know about its tables."""

    name: str
    #: Canonical JSON of what stored bytes mean; see `pillarbox.layout`.
    layout: str
    layout_hash: str
    specs: Sequence[TableSpec[Any]]
    transaction: Callable[[Engine], Tx]
    tables: Callable[[Engine], Rd]
    #: View key class -> how to make the view.
    views: Mapping[type, Callable[..., Any]]
    #: Names under which views want holes filled.
    wants: frozenset[str]
    #: Apply operations inside a transaction: (it, operations). A third argument gives the same operations
    #: again; who hands it in sees when each of them is applied.
    replay: Callable[..., None]
    #: What a new box starts with; runs in the transaction that creates it.
    seed: Callable[[Tx], None]

    @cached_property
    def layout_tree(self) -> Mapping[str, Any]:
        """The layout as data."""
        tree: Mapping[str, Any] = json.loads(self.layout)
        return tree

    @cached_property
    def specs_by_id(self) -> Mapping[int, TableSpec[Any]]:
        """Every table's spec under its permanent number."""
        return {spec.id: spec for spec in self.specs}
