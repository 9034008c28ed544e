"""The box: one open store with its live views.

Depends on: transaction, views and below.  Never on: sync, tools, generated packages.
"""

from pillarbox.box.box import Box, Durability
from pillarbox.box.fate import Applied, Commit
from pillarbox.box.fetching import Fetcher, Fetching, ThreadFetcher
from pillarbox.box.package import Package, ReadTables

__all__ = [
    "Applied",
    "Box",
    "Commit",
    "Durability",
    "Fetcher",
    "Fetching",
    "Package",
    "ReadTables",
    "ThreadFetcher",
]
