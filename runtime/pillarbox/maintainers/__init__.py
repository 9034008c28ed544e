"""Maintainers: the words that keep one table in step with others.

Depends on: tables and below.  Never on: transactions, which run them; views, which are neighbours.
"""

from pillarbox.maintainers.count import Count
from pillarbox.maintainers.index import Identity, Index, UniqueIndex
from pillarbox.maintainers.join import Join, joined
from pillarbox.maintainers.kept import SettledFollower, Through
from pillarbox.maintainers.looking_index import LookingIndex
from pillarbox.maintainers.lookups import All, ByKey, Lookup, Via
from pillarbox.maintainers.rule import Filler, Net, Nets, OneSource, Rule
from pillarbox.maintainers.sequence import SequenceTable
from pillarbox.maintainers.top import Top, TopShape

__all__ = [
    "All",
    "ByKey",
    "Count",
    "Filler",
    "Identity",
    "Index",
    "Join",
    "LookingIndex",
    "Lookup",
    "Net",
    "Nets",
    "OneSource",
    "Rule",
    "SequenceTable",
    "SettledFollower",
    "Through",
    "Top",
    "TopShape",
    "UniqueIndex",
    "Via",
    "joined",
]
