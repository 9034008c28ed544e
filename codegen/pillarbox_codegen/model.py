"""The checked schema: frozen, typed, every name resolved. What the checker proves, the planner may assume.

Depends on: model_types, model_exprs, model_rules, model_tables, model_steps, model_views, model_windows,
model_operations, model_sync, model_outbox, model_holes, model_items, all of whose names are read from here.
Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pillarbox_codegen.model_exprs import (
    Binary,
    Call,
    Constant,
    EnumValue,
    Expr,
    Has,
    If,
    Is,
    Literal_,
    Local,
    Lookup,
    Make,
    Path,
    Scan,
    Spans,
    Tuple_,
    Unary,
)
from pillarbox_codegen.model_holes import (
    HoleAsk,
    HoleChange,
    HoleGuard,
    HolePage,
    HoleRest,
    HoleRule,
    HoleStored,
    HoleWay,
)
from pillarbox_codegen.model_items import Item
from pillarbox_codegen.model_lookups import With
from pillarbox_codegen.model_merges import BatchMerge, Merge, RowFold, TailMerge
from pillarbox_codegen.model_operations import (
    BesideRule,
    Bring,
    Emission,
    Emitted,
    Event,
    NeedRule,
    Operation,
    PollEntry,
    ResetEntry,
    SwitchCase,
    SwitchEntry,
    Update,
)
from pillarbox_codegen.model_outbox import Outbox, OutboxEntry
from pillarbox_codegen.model_rules import (
    Across,
    AnchoredCount,
    Count,
    EachVar,
    Fold,
    Holes,
    Index,
    ItemList,
    Join,
    KeyPart,
    Marker,
    NamedExpr,
    Places,
    Ranges,
    Refs,
    Rule,
    Runs,
    SeedMarks,
    Spread,
    Stale,
    Text,
    Top,
    marks_of,
    places_of,
    users_of,
)
from pillarbox_codegen.model_steps import (
    AdvanceStep,
    AnchorStep,
    AsOf,
    ConfirmStep,
    DoStep,
    EmitStep,
    GroupSeed,
    IfStep,
    LetStep,
    MarkStep,
    MatchBranch,
    MatchStep,
    Modifiers,
    PatchField,
    PatchStep,
    PlaceStep,
    PutStep,
    RangeStep,
    RemoveStep,
    ReorderStep,
    ReplaceStep,
    RequireStep,
    SeedCase,
    SetCursorStep,
    ShareStep,
    Step,
    UnplaceStep,
    Upgrade,
)
from pillarbox_codegen.model_sync import (
    AnswerRule,
    Asked,
    Body,
    BodyEntry,
    BodyList,
    Confirm,
    ContainerRule,
    CursorRule,
    Difference,
    Fetch,
    First,
    OpenPoll,
    PartValues,
    Protocol,
    Remedy,
    Reset,
    Retry,
    Wire,
)
from pillarbox_codegen.model_tables import (
    Bound,
    ClaimRule,
    Cursor,
    CursorPart,
    Owned,
    Sequence,
    Table,
)
from pillarbox_codegen.model_types import (
    BagOf,
    CaseOf,
    Computed,
    EnumType,
    Facet,
    Field,
    FlagsType,
    IdType,
    ListOf,
    MapOf,
    Named,
    NoneType,
    Optional,
    PackedId,
    PackedPart,
    PatchType,
    Place,
    PutResult,
    RecordType,
    RowOf,
    Scalar,
    ScalarName,
    ShownOf,
    SpanOf,
    TupleOf,
    Type,
    TypeDef,
    UnionCase,
    UnionType,
    UpdateOf,
    WireKind,
    WireOf,
)
from pillarbox_codegen.model_upsert import (
    Bump,
    Keep,
    KeepCase,
    KeepField,
    KeepFlags,
    Kept,
    Renumber,
    UpsertRule,
)
from pillarbox_codegen.model_views import (
    AggregatePart,
    Back,
    BackHop,
    ChangesPart,
    EachPart,
    GetEachPart,
    GetPart,
    Part,
    PartCommon,
    RangePart,
    ScanPart,
    SearchPart,
    ValuePart,
    WantedPart,
)
from pillarbox_codegen.model_windows import (
    BoundaryHole,
    KeysLane,
    Lane,
    MarkerHoles,
    RangeHoles,
    Want,
    WindowAnchor,
    WindowCase,
    WindowExpand,
    WindowHoles,
    WindowPart,
)

__all__ = [
    "Across",
    "AdvanceStep",
    "AggregatePart",
    "AnchorStep",
    "AnchoredCount",
    "AnswerRule",
    "AsOf",
    "Asked",
    "Back",
    "BackHop",
    "BagOf",
    "BatchMerge",
    "BesideRule",
    "Binary",
    "Body",
    "BodyEntry",
    "BodyList",
    "Bound",
    "BoundaryHole",
    "Bring",
    "Bump",
    "Call",
    "CaseOf",
    "ChangesPart",
    "ClaimRule",
    "Computed",
    "Confirm",
    "ConfirmStep",
    "Constant",
    "ContainerRule",
    "Count",
    "Cursor",
    "CursorPart",
    "CursorRule",
    "Difference",
    "DoStep",
    "EachPart",
    "EachVar",
    "Emission",
    "EmitStep",
    "Emitted",
    "EnumType",
    "EnumValue",
    "Event",
    "Expr",
    "Facet",
    "Fetch",
    "Field",
    "First",
    "FlagsType",
    "Fold",
    "GetEachPart",
    "GetPart",
    "GroupSeed",
    "Has",
    "HoleAsk",
    "HoleChange",
    "HoleGuard",
    "HolePage",
    "HoleRest",
    "HoleRule",
    "HoleStored",
    "HoleWay",
    "Holes",
    "IdType",
    "If",
    "IfStep",
    "Index",
    "Is",
    "Item",
    "ItemList",
    "Join",
    "Keep",
    "KeepCase",
    "KeepField",
    "KeepFlags",
    "Kept",
    "KeyPart",
    "KeysLane",
    "Lane",
    "LetStep",
    "ListOf",
    "Literal_",
    "Local",
    "Lookup",
    "Make",
    "MapOf",
    "MarkStep",
    "Marker",
    "MarkerHoles",
    "MatchBranch",
    "MatchStep",
    "Merge",
    "Modifiers",
    "Named",
    "NamedExpr",
    "NeedRule",
    "NoneType",
    "OpenPoll",
    "Operation",
    "Optional",
    "Outbox",
    "OutboxEntry",
    "Owned",
    "PackedId",
    "PackedPart",
    "Part",
    "PartCommon",
    "PartValues",
    "PatchField",
    "PatchStep",
    "PatchType",
    "Path",
    "Place",
    "PlaceStep",
    "Places",
    "PollEntry",
    "Protocol",
    "PutResult",
    "PutStep",
    "RangeHoles",
    "RangePart",
    "RangeStep",
    "Ranges",
    "RecordType",
    "Refs",
    "Remedy",
    "RemoveStep",
    "Renumber",
    "ReorderStep",
    "ReplaceStep",
    "RequireStep",
    "Reset",
    "ResetEntry",
    "Retry",
    "RowFold",
    "RowOf",
    "Rule",
    "Runs",
    "Scalar",
    "ScalarName",
    "Scan",
    "ScanPart",
    "Schema",
    "SearchPart",
    "SeedCase",
    "SeedMarks",
    "Sequence",
    "SetCursorStep",
    "ShareStep",
    "ShownOf",
    "Source",
    "SpanOf",
    "Spans",
    "Spread",
    "Stale",
    "Step",
    "SwitchCase",
    "SwitchEntry",
    "Table",
    "TailMerge",
    "Text",
    "Top",
    "TupleOf",
    "Tuple_",
    "Type",
    "TypeDef",
    "Unary",
    "UnionCase",
    "UnionType",
    "UnplaceStep",
    "Update",
    "UpdateOf",
    "Upgrade",
    "UpsertRule",
    "ValuePart",
    "View",
    "Want",
    "WantedPart",
    "WindowAnchor",
    "WindowCase",
    "WindowExpand",
    "WindowHoles",
    "WindowPart",
    "Wire",
    "WireKind",
    "WireOf",
    "With",
    "marks_of",
    "places_of",
    "users_of",
]


@dataclass(frozen=True, slots=True)
class View:
    name: str
    doc: str
    key: tuple[Field, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Source:
    name: str
    doc: str
    #: `module:name`.
    adapter: str
    columns: tuple[Field, ...]
    #: The columns that name the group of a row; none: every emission has a `by`.
    group: tuple[str, ...]
    emits: tuple[Emission, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """Everything, in file order within each kind (files sorted by path).

    Equal to itself alone, so that what follows from one can be kept beside it.
    """

    name: str
    doc: str
    types: dict[str, TypeDef]
    tables: dict[str, Table]  # primary, derived, and those of sequences and cursors
    sequences: dict[str, Sequence]
    cursors: dict[str, Cursor]
    events: dict[str, Event]
    operations: dict[str, Operation]
    updates: dict[str, Update]
    views: dict[str, View]
    constants: dict[str, int | str | bool | tuple[int | str | bool, ...]]
    box_seed: tuple[Step, ...]
    sources: dict[str, Source]
    #: Which file declares what: `tables.issues` -> `tables.yaml`. Printed in generated headers.
    files: dict[str, str]
    #: Table of ranges -> what its groups start with.
    group_seeds: dict[str, GroupSeed] = field(default_factory=dict)
    #: Derived table -> the last upgrade that makes it again.
    rebuilds: dict[str, int] = field(default_factory=dict)
    #: Word -> why only this schema uses it; `pillarbox schema summary` tells it.
    alone: dict[str, str] = field(default_factory=dict)
    items: tuple[Item, ...] = ()
    protocol: Protocol | None = None
    outbox: Outbox | None = None
    #: In the order of their declarations.
    holes: tuple[HoleRule, ...] = ()
