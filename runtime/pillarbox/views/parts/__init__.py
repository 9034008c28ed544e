"""The words that views are made of, one module a word.

Depends on: interests, reads, rows, lane.  Never on: views and trackers, which drive parts.
"""

from pillarbox.views.parts.aggregate import Aggregate
from pillarbox.views.parts.changes import Changes
from pillarbox.views.parts.each import Each
from pillarbox.views.parts.entries import Entries
from pillarbox.views.parts.first import First
from pillarbox.views.parts.folds import AnyOf, Count, EveryOf, Fold, Max, Min, Sum
from pillarbox.views.parts.get import Get
from pillarbox.views.parts.get_each import GetEach
from pillarbox.views.parts.lane_scan import LaneScan
from pillarbox.views.parts.lane_window import LaneWindow
from pillarbox.views.parts.matches import Matches
from pillarbox.views.parts.part import ListPart, Part
from pillarbox.views.parts.scan import Scan
from pillarbox.views.parts.value import Value
from pillarbox.views.parts.wanted import Wanted
from pillarbox.views.parts.window import Window, WindowAt

__all__ = [
    "Aggregate",
    "AnyOf",
    "Changes",
    "Count",
    "Each",
    "Entries",
    "EveryOf",
    "First",
    "Fold",
    "Get",
    "GetEach",
    "LaneScan",
    "LaneWindow",
    "ListPart",
    "Matches",
    "Max",
    "Min",
    "Part",
    "Scan",
    "Sum",
    "Value",
    "Wanted",
    "Window",
    "WindowAt",
]
