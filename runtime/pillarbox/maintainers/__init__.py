"""Maintainers: the words that keep one table in step with others.

Depends on: tables and below.  Never on: transactions, which run them; views, which are neighbours.
"""

from pillarbox.maintainers.anchored_count import AnchoredCountTable, AnchorShape
from pillarbox.maintainers.base import Doubt, HolesShape, Keys, MissedShape, always, never
from pillarbox.maintainers.bound import BoundShape, BoundTable
from pillarbox.maintainers.count import Count
from pillarbox.maintainers.index import Identity, Index, UniqueIndex
from pillarbox.maintainers.index_group import IndexGroup, grouped
from pillarbox.maintainers.intern import InternTable
from pillarbox.maintainers.join import Join, joined
from pillarbox.maintainers.kept import SettledFollower, Through, ThroughIdentity
from pillarbox.maintainers.list import ListTable, PlacesTable
from pillarbox.maintainers.looking_index import LookingIndex
from pillarbox.maintainers.lookups import All, ByKey, Lookup, Via
from pillarbox.maintainers.marker import MarkerShape, MarkerTable
from pillarbox.maintainers.owned import Owned, OwnedByIndex, OwnedTable, Owners, tell_orphans
from pillarbox.maintainers.ranges import Closest, Edges, RangesReader, RangesTable
from pillarbox.maintainers.refs import Refs, RefsShape, SharedTable, SharingTable
from pillarbox.maintainers.rule import Filler, Net, Nets, OneSource, Rule
from pillarbox.maintainers.runs import Runs, RunsShape
from pillarbox.maintainers.seeded import SeededReader, SeededTable, SeedMarks, Seeds, Stretch
from pillarbox.maintainers.sequence import SequenceTable
from pillarbox.maintainers.stale import StaleTable
from pillarbox.maintainers.text import Text, TextReader, TextTable
from pillarbox.maintainers.top import Top, TopShape

__all__ = [
    "All",
    "AnchorShape",
    "AnchoredCountTable",
    "BoundShape",
    "BoundTable",
    "ByKey",
    "Closest",
    "Count",
    "Doubt",
    "Edges",
    "Filler",
    "HolesShape",
    "Identity",
    "Index",
    "IndexGroup",
    "InternTable",
    "Join",
    "Keys",
    "ListTable",
    "LookingIndex",
    "Lookup",
    "MarkerShape",
    "MarkerTable",
    "MissedShape",
    "Net",
    "Nets",
    "OneSource",
    "Owned",
    "OwnedByIndex",
    "OwnedTable",
    "Owners",
    "PlacesTable",
    "RangesReader",
    "RangesTable",
    "Refs",
    "RefsShape",
    "Rule",
    "Runs",
    "RunsShape",
    "SeedMarks",
    "SeededReader",
    "SeededTable",
    "Seeds",
    "SequenceTable",
    "SettledFollower",
    "SharedTable",
    "SharingTable",
    "StaleTable",
    "Stretch",
    "Text",
    "TextReader",
    "TextTable",
    "Through",
    "ThroughIdentity",
    "Top",
    "TopShape",
    "UniqueIndex",
    "Via",
    "always",
    "grouped",
    "joined",
    "never",
    "tell_orphans",
]
