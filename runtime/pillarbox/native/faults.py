"""The errors of pages, key columns and JSON scans: the same whether C or Python found them.

Depends on: interface, pillarbox.errors.  Never on: who found the fault.

Law: equal statuses at equal places give equal errors.
"""

from __future__ import annotations

from typing import Final

from pillarbox.errors import DataError
from pillarbox.native.interface import Status


class PageCorrupt(DataError):
    """A page is not what its builder writes."""

    def __init__(self, status: Status, offset: int) -> None:
        self.status, self.offset = status, offset
        super().__init__(
            f"the page is torn at byte {offset}: {_PAGE[status]}; build it again from its rows, "
            f"or delete the file it came from and repeat the step that wrote it"
        )


class JsonCorrupt(DataError):
    """A JSON text ends too early, or is none, outside of the elements that are handed out."""

    def __init__(self, status: Status, offset: int) -> None:
        self.status, self.offset = status, offset
        super().__init__(
            f"byte {offset} of the JSON text: {_JSON[status]}; everything before it was read. "
            f"Export the file again, or mend it there"
        )


_PAGE: Final = {
    Status.PAGE_SHORT: "it ends too early",
    Status.PAGE_OFFSETS: "an offset is less than the one before it",
    Status.PAGE_TRAILING: "bytes follow its last value",
    Status.PAGE_ORDER: "a key is not above the one before it",
}
_JSON: Final = {
    Status.JSON_SYNTAX: "no JSON goes on like this",
    Status.JSON_MISMATCH: "this bracket closes one of the other kind",
    Status.JSON_TRUNCATED: "the text ends inside the value that begins here",
}
