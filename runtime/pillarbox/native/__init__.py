"""The fast path: pages, columns and JSON ranges, in C where a shared object is, else in Python.

Depends on: codec, errors.  Never on: storage, tables, anything that knows what a row means.
"""

from __future__ import annotations

from pillarbox.native.faults import JsonCorrupt, PageCorrupt
from pillarbox.native.json_ranges import JsonPath, JsonRange, JsonRanges, RangeKind, Splitter
from pillarbox.native.layouts import Column, KeyLayout, KeyPart, TailColumn
from pillarbox.native.loader import SQLITE_ENTRY, Library, NativeStatus, library, status
from pillarbox.native.pages import Page, build_page, with_values
from pillarbox.native.record_layouts import OptionalColumn, RecordColumn, RecordLayout

__all__ = [
    "SQLITE_ENTRY",
    "Column",
    "JsonCorrupt",
    "JsonPath",
    "JsonRange",
    "JsonRanges",
    "KeyLayout",
    "KeyPart",
    "Library",
    "NativeStatus",
    "OptionalColumn",
    "Page",
    "PageCorrupt",
    "RangeKind",
    "RecordColumn",
    "RecordLayout",
    "Splitter",
    "TailColumn",
    "build_page",
    "library",
    "status",
    "with_values",
]
