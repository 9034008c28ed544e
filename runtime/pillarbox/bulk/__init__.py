"""Filling a box from archives: the same replay, cut into shards.

Depends on: box and below.  Never on: Spark, formats, generated packages, which are handed in.
"""

from pillarbox.bulk.builder import Built, OrphanedRecord, RefusedRecord, ShardBuilder, TableFigures, Told
from pillarbox.bulk.compare import differences
from pillarbox.bulk.merge import merge
from pillarbox.bulk.source import Emit, Source, route_of

__all__ = [
    "Built",
    "Emit",
    "OrphanedRecord",
    "RefusedRecord",
    "ShardBuilder",
    "Source",
    "TableFigures",
    "Told",
    "differences",
    "merge",
    "route_of",
]
