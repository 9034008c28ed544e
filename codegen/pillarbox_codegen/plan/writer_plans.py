"""What is planned of the class of a table that operations write.

Depends on: upserts.  Never on: the model; writers.py makes these.
"""

from __future__ import annotations

from dataclasses import dataclass

from pillarbox_codegen.plan.upserts import MethodPlan


@dataclass(frozen=True, slots=True)
class RemovePlan:
    """Removing the rows whose keys begin alike."""

    name: str
    doc: str
    parameters: str
    prefix: str
    #: What is said of rows that nobody stores.
    missed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberingPlan:
    """Giving a number to a field that is part of a row's name: one that no row has."""

    method: str
    doc: str
    field: str
    take: str
    group: str
    #: Statements that give back the row under the number it has already, where its identity tells.
    own: tuple[str, ...]
    #: True when no row has the name that `row` has now.
    free: str


@dataclass(frozen=True, slots=True)
class KeepingPlan:
    """A number that a row keeps for life; `taken` is one for a new row."""

    field: str
    taken: str


@dataclass(frozen=True, slots=True)
class IdentifiedPlan:
    """Finding rows by their identity."""

    identity: str
    parameters: str
    key: str
    missed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HandedPlan:
    """What a writer is handed: its identity, or a sequence."""

    attribute: str
    parameter: str
    annotation: str


@dataclass(frozen=True, slots=True)
class WriterPlan:
    """A table that operations write."""

    template: str
    name: str
    doc: str
    row_class: str
    reader: str
    slots: str
    handed: tuple[HandedPlan, ...]
    #: `PrimaryWriter`, or `FollowedTable` where kept words hear of every write.
    base: str
    #: Statements of `__init__`.
    made: tuple[str, ...]
    #: Statements of the class body, and those of `put_was` for a row without an owner.
    settings: tuple[str, ...]
    orphans: tuple[str, ...]
    #: Statements of `put_was` that keep, share and compute.
    changes: tuple[str, ...]
    #: The row of `cell`, whose identity goes with it; empty where it has none.
    release: str
    #: `check_issues(row)`, where there are integers to look at; nothing otherwise.
    checks: tuple[str, ...]
    key: str
    cell: str
    numberings: tuple[NumberingPlan, ...]
    keepings: tuple[KeepingPlan, ...]
    #: What the table's own rules do to a row before it is written.
    upserts: tuple[MethodPlan, ...]
    #: The parameter of `put` that says whether rows keep something, and how it is handed on.
    keep: tuple[str, str]
    #: Statements of `put_was` that find `was`, and those that write.
    lookup: tuple[str, ...]
    writes: tuple[str, ...]
    #: Statements of `replaced_by` (none: that of `PrimaryWriter` will do), `remove` and `probe`.
    replaced: tuple[str, ...]
    remove_parameters: str
    remove: tuple[str, ...]
    removes: tuple[RemovePlan, ...]
    #: As `removes`, of the prefixes under which a step replaces rows.
    replaces: tuple[RemovePlan, ...]
    probe: tuple[str, ...]
    #: The parameters and key of a row's identity, where steps find rows by it.
    identified: tuple[IdentifiedPlan, ...]
    #: `bytes` or `int`
    key_type: str
    #: How the end of a closed range is told from its last key; nothing where no step removes one.
    after_last: tuple[str, ...]
