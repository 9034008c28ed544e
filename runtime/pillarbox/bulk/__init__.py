"""Filling a box from archives: the same replay, cut into shards.

Depends on: box and below.  Never on: Spark, formats, generated packages, which are handed in.
"""

from pillarbox.bulk.source import Emit, Source, route_of

__all__ = ["Emit", "Source", "route_of"]
