"""Tables: key -> row, with a write-behind cache inside a transaction.

Depends on: storage, codec, errors.  Never on: maintainers, transactions, views.
"""

from pillarbox.tables.change import Batch, ChangeRecord, TableChanges, Written
from pillarbox.tables.derived import DerivedTable, LateTable
from pillarbox.tables.due import DueReader, DueShape
from pillarbox.tables.flushed import UNKNOWN
from pillarbox.tables.followed import Entered, FollowedTable, Follower, Heard, Hearing, KeptTable, Misser
from pillarbox.tables.journaled import carried, entry_changes, united
from pillarbox.tables.primary import PrimaryWriter, Put
from pillarbox.tables.reader import OrderedReader, ReadOptions, TableReader
from pillarbox.tables.shared import SharedPart, away
from pillarbox.tables.spec import Cell, Role, Row, TableSpec, identical
from pillarbox.tables.touch_log import TouchLog
from pillarbox.tables.writer import TableWriter

__all__ = [
    "UNKNOWN",
    "Batch",
    "Cell",
    "ChangeRecord",
    "DerivedTable",
    "DueReader",
    "DueShape",
    "Entered",
    "FollowedTable",
    "Follower",
    "Heard",
    "Hearing",
    "KeptTable",
    "LateTable",
    "Misser",
    "OrderedReader",
    "PrimaryWriter",
    "Put",
    "ReadOptions",
    "Role",
    "Row",
    "SharedPart",
    "TableChanges",
    "TableReader",
    "TableSpec",
    "TableWriter",
    "TouchLog",
    "Written",
    "away",
    "carried",
    "entry_changes",
    "identical",
    "united",
]
