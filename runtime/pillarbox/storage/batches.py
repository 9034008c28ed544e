"""How a batch of rows is handed to SQLite: as a page, where the table function is loaded, or as a carray.

Depends on: engine, statements, native, apsw.  Never on: connections and files.

Law: a table has the same rows after either.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import add
from typing import Any, Final

import apsw

from pillarbox.native import SQLITE_ENTRY, KeyLayout, KeyPart, build_page, library, status, with_values
from pillarbox.storage.engine import TableLayout
from pillarbox.storage.statements import CARRAY, PAGE

_INT_KEY: Final = KeyLayout("int keys", (KeyPart("k", "int64"),))


def load_table_function(connection: apsw.Connection) -> str:
    """Make `pillarbox_page` known to this connection. Empty, or why it is not."""
    native = status()
    if not native.active:
        return f"no native object: {native.reason}"
    if not native.has_table_function:
        return f"{native.path} was built without sqlite3ext.h; install libsqlite3-dev and build it again"
    try:
        connection.enable_load_extension(True)
        try:
            connection.load_extension(str(native.path), SQLITE_ENTRY)
        finally:
            connection.enable_load_extension(False)  # or SQL text could load whatever it names
    except (apsw.Error, AttributeError) as error:  # a SQLite that was built without extensions lacks the call
        return f"{native.path} is no extension for this SQLite: {error}"
    return ""


def report() -> str:
    """How this installation hands over batches, and why."""
    with apsw.Connection(":memory:") as connection:
        reason = load_table_function(connection)
    return f"by carray ({reason})" if reason else "by table function"


def page_bytes(table: TableLayout, keys: Sequence[Any], values: Sequence[bytes]) -> int:
    """How long the page of these rows is, at most."""
    width = 8 if table.int_key else table.key_width
    in_keys = sum(map(len, keys)) if width is None else width * len(keys)
    return 12 + 8 * len(keys) + in_keys + sum(map(len, values))


def page_of(table: TableLayout, keys: Sequence[Any], values: Sequence[bytes]) -> bytes:
    """The rows as `PAGE`. Raises UsageError above 4 GiB."""
    if table.int_key:
        page = library().encode_keys(_INT_KEY, (array("q", keys),))
        return with_values(page, build_page(values, None, 0))
    return build_page(keys, values, table.key_width or 0)


def handed_over(
    table: TableLayout, keys: Sequence[Any], values: Sequence[bytes], value_bytes_max: int
) -> tuple[int, tuple[Any, ...]]:
    """A form for several rows, and what is bound for it.

    A page is one value to SQLite. Rows that are too large for that, or all where `value_bytes_max` is 0, are
    bound as a value each.
    """
    if value_bytes_max and page_bytes(table, keys, values) <= value_bytes_max:
        return PAGE, (page_of(table, keys, values),)
    return CARRAY, (rows_carray(table, keys, values),)


def rows_carray(table: TableLayout, keys: Sequence[Any], values: Sequence[bytes]) -> object:
    """The rows as `CARRAY`: a blob per row, which SQL cuts in two; see `Statements`."""
    if table.int_key:
        joined = tuple([b"%020d%b" % row for row in zip(keys, values, strict=True)])
    elif table.key_width is not None:
        joined = tuple(map(add, keys, values))
    else:
        joined = tuple(
            [b"%08d%b%b" % (len(key), key, value) for key, value in zip(keys, values, strict=True)]
        )
    return apsw.carray(joined)


def keys_carray(table: TableLayout, keys: Sequence[Any]) -> object:
    """The keys as `get_many` and `remove_many` take them."""
    return apsw.carray(array("q", keys) if table.int_key else tuple(keys))
