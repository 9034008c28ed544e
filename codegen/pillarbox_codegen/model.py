"""The checked schema: frozen, typed, every name resolved. What the checker proves, the planner may assume.

Depends on: model_types, model_exprs, model_rules, model_tables, model_steps, model_views, model_windows,
model_operations, model_sync, model_outbox, model_holes, model_items, all of whose names are read from here
(`X as X` hands one on).  Never on: YAML, templates, the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pillarbox_codegen.model_exprs import Binary as Binary
from pillarbox_codegen.model_exprs import Call as Call
from pillarbox_codegen.model_exprs import Constant as Constant
from pillarbox_codegen.model_exprs import EnumValue as EnumValue
from pillarbox_codegen.model_exprs import Expr as Expr
from pillarbox_codegen.model_exprs import Has as Has
from pillarbox_codegen.model_exprs import If as If
from pillarbox_codegen.model_exprs import Is as Is
from pillarbox_codegen.model_exprs import Literal_ as Literal_
from pillarbox_codegen.model_exprs import Local as Local
from pillarbox_codegen.model_exprs import Lookup as Lookup
from pillarbox_codegen.model_exprs import Make as Make
from pillarbox_codegen.model_exprs import Path as Path
from pillarbox_codegen.model_exprs import Scan as Scan
from pillarbox_codegen.model_exprs import Spans as Spans
from pillarbox_codegen.model_exprs import Tuple_ as Tuple_
from pillarbox_codegen.model_exprs import Unary as Unary
from pillarbox_codegen.model_holes import HoleAsk as HoleAsk
from pillarbox_codegen.model_holes import HoleChange as HoleChange
from pillarbox_codegen.model_holes import HoleGuard as HoleGuard
from pillarbox_codegen.model_holes import HolePage as HolePage
from pillarbox_codegen.model_holes import HoleRest as HoleRest
from pillarbox_codegen.model_holes import HoleRule as HoleRule
from pillarbox_codegen.model_holes import HoleStored as HoleStored
from pillarbox_codegen.model_holes import HoleWay as HoleWay
from pillarbox_codegen.model_items import Item as Item
from pillarbox_codegen.model_lookups import With as With
from pillarbox_codegen.model_merges import BatchMerge as BatchMerge
from pillarbox_codegen.model_merges import Merge as Merge
from pillarbox_codegen.model_merges import RowFold as RowFold
from pillarbox_codegen.model_merges import TailMerge as TailMerge
from pillarbox_codegen.model_operations import BesideRule as BesideRule
from pillarbox_codegen.model_operations import Bring as Bring
from pillarbox_codegen.model_operations import Emission as Emission
from pillarbox_codegen.model_operations import Emitted as Emitted
from pillarbox_codegen.model_operations import Event as Event
from pillarbox_codegen.model_operations import NeedRule as NeedRule
from pillarbox_codegen.model_operations import Operation as Operation
from pillarbox_codegen.model_operations import PollEntry as PollEntry
from pillarbox_codegen.model_operations import ResetEntry as ResetEntry
from pillarbox_codegen.model_operations import SwitchCase as SwitchCase
from pillarbox_codegen.model_operations import SwitchEntry as SwitchEntry
from pillarbox_codegen.model_operations import Update as Update
from pillarbox_codegen.model_outbox import Outbox as Outbox
from pillarbox_codegen.model_outbox import OutboxEntry as OutboxEntry
from pillarbox_codegen.model_rules import Across as Across
from pillarbox_codegen.model_rules import AnchoredCount as AnchoredCount
from pillarbox_codegen.model_rules import Count as Count
from pillarbox_codegen.model_rules import EachVar as EachVar
from pillarbox_codegen.model_rules import Fold as Fold
from pillarbox_codegen.model_rules import Holes as Holes
from pillarbox_codegen.model_rules import Index as Index
from pillarbox_codegen.model_rules import ItemList as ItemList
from pillarbox_codegen.model_rules import Join as Join
from pillarbox_codegen.model_rules import KeyPart as KeyPart
from pillarbox_codegen.model_rules import Marker as Marker
from pillarbox_codegen.model_rules import NamedExpr as NamedExpr
from pillarbox_codegen.model_rules import Places as Places
from pillarbox_codegen.model_rules import Ranges as Ranges
from pillarbox_codegen.model_rules import Refs as Refs
from pillarbox_codegen.model_rules import Rule as Rule
from pillarbox_codegen.model_rules import Runs as Runs
from pillarbox_codegen.model_rules import SeedMarks as SeedMarks
from pillarbox_codegen.model_rules import Spread as Spread
from pillarbox_codegen.model_rules import Stale as Stale
from pillarbox_codegen.model_rules import Text as Text
from pillarbox_codegen.model_rules import Top as Top
from pillarbox_codegen.model_rules import marks_of as marks_of
from pillarbox_codegen.model_rules import places_of as places_of
from pillarbox_codegen.model_rules import users_of as users_of
from pillarbox_codegen.model_steps import AdvanceStep as AdvanceStep
from pillarbox_codegen.model_steps import AnchorStep as AnchorStep
from pillarbox_codegen.model_steps import AsOf as AsOf
from pillarbox_codegen.model_steps import ConfirmStep as ConfirmStep
from pillarbox_codegen.model_steps import DoStep as DoStep
from pillarbox_codegen.model_steps import EmitStep as EmitStep
from pillarbox_codegen.model_steps import GroupSeed as GroupSeed
from pillarbox_codegen.model_steps import IfStep as IfStep
from pillarbox_codegen.model_steps import LetStep as LetStep
from pillarbox_codegen.model_steps import MarkStep as MarkStep
from pillarbox_codegen.model_steps import MatchBranch as MatchBranch
from pillarbox_codegen.model_steps import MatchStep as MatchStep
from pillarbox_codegen.model_steps import Modifiers as Modifiers
from pillarbox_codegen.model_steps import PatchField as PatchField
from pillarbox_codegen.model_steps import PatchStep as PatchStep
from pillarbox_codegen.model_steps import PlaceStep as PlaceStep
from pillarbox_codegen.model_steps import PutStep as PutStep
from pillarbox_codegen.model_steps import RangeStep as RangeStep
from pillarbox_codegen.model_steps import RemoveStep as RemoveStep
from pillarbox_codegen.model_steps import ReorderStep as ReorderStep
from pillarbox_codegen.model_steps import ReplaceStep as ReplaceStep
from pillarbox_codegen.model_steps import RequireStep as RequireStep
from pillarbox_codegen.model_steps import SeedCase as SeedCase
from pillarbox_codegen.model_steps import SetCursorStep as SetCursorStep
from pillarbox_codegen.model_steps import ShareStep as ShareStep
from pillarbox_codegen.model_steps import Step as Step
from pillarbox_codegen.model_steps import UnplaceStep as UnplaceStep
from pillarbox_codegen.model_steps import Upgrade as Upgrade
from pillarbox_codegen.model_sync import AnswerRule as AnswerRule
from pillarbox_codegen.model_sync import Asked as Asked
from pillarbox_codegen.model_sync import Body as Body
from pillarbox_codegen.model_sync import BodyEntry as BodyEntry
from pillarbox_codegen.model_sync import BodyList as BodyList
from pillarbox_codegen.model_sync import Confirm as Confirm
from pillarbox_codegen.model_sync import ContainerRule as ContainerRule
from pillarbox_codegen.model_sync import CursorRule as CursorRule
from pillarbox_codegen.model_sync import Difference as Difference
from pillarbox_codegen.model_sync import Fetch as Fetch
from pillarbox_codegen.model_sync import First as First
from pillarbox_codegen.model_sync import OpenPoll as OpenPoll
from pillarbox_codegen.model_sync import PartValues as PartValues
from pillarbox_codegen.model_sync import Protocol as Protocol
from pillarbox_codegen.model_sync import Remedy as Remedy
from pillarbox_codegen.model_sync import Reset as Reset
from pillarbox_codegen.model_sync import Retry as Retry
from pillarbox_codegen.model_sync import Wire as Wire
from pillarbox_codegen.model_tables import Bound as Bound
from pillarbox_codegen.model_tables import ClaimRule as ClaimRule
from pillarbox_codegen.model_tables import Cursor as Cursor
from pillarbox_codegen.model_tables import CursorPart as CursorPart
from pillarbox_codegen.model_tables import Owned as Owned
from pillarbox_codegen.model_tables import Sequence as Sequence
from pillarbox_codegen.model_tables import Table as Table
from pillarbox_codegen.model_types import BagOf as BagOf
from pillarbox_codegen.model_types import CaseOf as CaseOf
from pillarbox_codegen.model_types import Computed as Computed
from pillarbox_codegen.model_types import EnumType as EnumType
from pillarbox_codegen.model_types import Facet as Facet
from pillarbox_codegen.model_types import Field as Field
from pillarbox_codegen.model_types import FlagsType as FlagsType
from pillarbox_codegen.model_types import IdType as IdType
from pillarbox_codegen.model_types import ListOf as ListOf
from pillarbox_codegen.model_types import MapOf as MapOf
from pillarbox_codegen.model_types import Named as Named
from pillarbox_codegen.model_types import NoneType as NoneType
from pillarbox_codegen.model_types import Optional as Optional
from pillarbox_codegen.model_types import PackedId as PackedId
from pillarbox_codegen.model_types import PackedPart as PackedPart
from pillarbox_codegen.model_types import PatchType as PatchType
from pillarbox_codegen.model_types import Place as Place
from pillarbox_codegen.model_types import PutResult as PutResult
from pillarbox_codegen.model_types import RecordType as RecordType
from pillarbox_codegen.model_types import RowOf as RowOf
from pillarbox_codegen.model_types import Scalar as Scalar
from pillarbox_codegen.model_types import ScalarName as ScalarName
from pillarbox_codegen.model_types import ShownOf as ShownOf
from pillarbox_codegen.model_types import SpanOf as SpanOf
from pillarbox_codegen.model_types import TupleOf as TupleOf
from pillarbox_codegen.model_types import Type as Type
from pillarbox_codegen.model_types import TypeDef as TypeDef
from pillarbox_codegen.model_types import UnionCase as UnionCase
from pillarbox_codegen.model_types import UnionType as UnionType
from pillarbox_codegen.model_types import UpdateOf as UpdateOf
from pillarbox_codegen.model_types import WireKind as WireKind
from pillarbox_codegen.model_types import WireOf as WireOf
from pillarbox_codegen.model_upsert import Bump as Bump
from pillarbox_codegen.model_upsert import Keep as Keep
from pillarbox_codegen.model_upsert import KeepCase as KeepCase
from pillarbox_codegen.model_upsert import KeepField as KeepField
from pillarbox_codegen.model_upsert import KeepFlags as KeepFlags
from pillarbox_codegen.model_upsert import Kept as Kept
from pillarbox_codegen.model_upsert import Renumber as Renumber
from pillarbox_codegen.model_upsert import UpsertRule as UpsertRule
from pillarbox_codegen.model_views import AggregatePart as AggregatePart
from pillarbox_codegen.model_views import Back as Back
from pillarbox_codegen.model_views import BackHop as BackHop
from pillarbox_codegen.model_views import ChangesPart as ChangesPart
from pillarbox_codegen.model_views import EachPart as EachPart
from pillarbox_codegen.model_views import GetEachPart as GetEachPart
from pillarbox_codegen.model_views import GetPart as GetPart
from pillarbox_codegen.model_views import Part as Part
from pillarbox_codegen.model_views import PartCommon as PartCommon
from pillarbox_codegen.model_views import RangePart as RangePart
from pillarbox_codegen.model_views import ScanPart as ScanPart
from pillarbox_codegen.model_views import SearchPart as SearchPart
from pillarbox_codegen.model_views import ValuePart as ValuePart
from pillarbox_codegen.model_views import WantedPart as WantedPart
from pillarbox_codegen.model_windows import BoundaryHole as BoundaryHole
from pillarbox_codegen.model_windows import KeysLane as KeysLane
from pillarbox_codegen.model_windows import Lane as Lane
from pillarbox_codegen.model_windows import MarkerHoles as MarkerHoles
from pillarbox_codegen.model_windows import RangeHoles as RangeHoles
from pillarbox_codegen.model_windows import Want as Want
from pillarbox_codegen.model_windows import WindowAnchor as WindowAnchor
from pillarbox_codegen.model_windows import WindowCase as WindowCase
from pillarbox_codegen.model_windows import WindowExpand as WindowExpand
from pillarbox_codegen.model_windows import WindowHoles as WindowHoles
from pillarbox_codegen.model_windows import WindowPart as WindowPart


@dataclass(frozen=True, slots=True)
class View:
    name: str
    doc: str
    key: tuple[Field, ...]
    parts: tuple[Part, ...]

    @property
    def wants(self) -> frozenset[str]:
        """Names under which its windows want holes filled."""
        windows = [part for part in self.parts if isinstance(part, WindowPart)]
        return frozenset(part.want.name for part in windows if part.want is not None)


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
    #: Ids of tables that are gone, sorted.
    reserved: tuple[int, ...] = ()
    items: tuple[Item, ...] = ()
    protocol: Protocol | None = None
    outbox: Outbox | None = None
    #: In the order of their declarations.
    holes: tuple[HoleRule, ...] = ()

    @property
    def is_followed(self) -> bool:
        """Whether an engine has anything to do: to count, to write what it is told, to fetch or to send."""
        protocol = self.protocol
        if protocol is None or not (protocol.requests or protocol.containers):
            return False
        told = self.updates or self.cursors or any(rule.side for rule in protocol.opened.values())
        return bool(told or self.holes or self.outbox)
