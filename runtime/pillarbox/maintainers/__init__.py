"""Maintainers: the words that keep one table in step with others.

Depends on: tables and below.  Never on: transactions, which run them; views, which are neighbours.
"""

from pillarbox.maintainers.anchored_count import AnchoredCountTable, AnchorShape
from pillarbox.maintainers.base import Doubt, HolesShape, MissedShape
from pillarbox.maintainers.bound import BoundShape, BoundTable
from pillarbox.maintainers.count import Count
from pillarbox.maintainers.index import Identity, Index, UniqueIndex
from pillarbox.maintainers.join import Join, joined
from pillarbox.maintainers.kept import SettledFollower, Through
from pillarbox.maintainers.looking_index import LookingIndex
from pillarbox.maintainers.lookups import All, ByKey, Lookup, Via
from pillarbox.maintainers.marker import MarkerShape, MarkerTable
from pillarbox.maintainers.owned import Owned, OwnedByIndex, OwnedTable, Owners
from pillarbox.maintainers.rule import Filler, Net, Nets, OneSource, Rule
from pillarbox.maintainers.runs import Runs, RunsShape
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
    "Count",
    "Doubt",
    "Filler",
    "HolesShape",
    "Identity",
    "Index",
    "Join",
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
    "Rule",
    "Runs",
    "RunsShape",
    "SequenceTable",
    "SettledFollower",
    "StaleTable",
    "Text",
    "TextReader",
    "TextTable",
    "Through",
    "Top",
    "TopShape",
    "UniqueIndex",
    "Via",
    "joined",
]
