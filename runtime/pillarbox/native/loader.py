"""Find the shared object, check that it is ours, and say which path is active and why.

Depends on: interface, compiled, pages, keys, json_ranges; build for where objects lie.  Never on: a box.

Law: whatever is missing, foreign or broken, `library()` answers with calls that work; `status()` tells why.

`PILLARBOX_NATIVE=0` turns the native path off; `PILLARBOX_NATIVE=/path/of/an/object.so` names one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

from pillarbox.native import json_ranges, keys, pages, records
from pillarbox.native.build import HERE, OBJECT_NAME, cached_object, remedy
from pillarbox.native.compiled import CompiledLibrary
from pillarbox.native.interface import ABI_VERSION, DECLARATIONS, INTERFACE_HASH
from pillarbox.native.json_ranges import JsonPath, Splitter
from pillarbox.native.layouts import Column, KeyLayout
from pillarbox.native.pages import Packed, Page
from pillarbox.native.record_layouts import RecordColumn, RecordLayout

SWITCH: Final = "PILLARBOX_NATIVE"
SQLITE_ENTRY: Final = "pbx_sqlite_init"


class Library(Protocol):
    """The calls that exist twice. Their documentation: the modules pages, keys, records and json_ranges."""

    @property
    def name(self) -> str: ...
    def open_page(self, data: Packed, key_width: int) -> Page: ...
    def check_ascending(self, page: Page) -> None: ...
    def slice_page(self, page: Page, begin: int, end: int) -> Packed: ...
    def sort_pages(self, pages: Sequence[Page]) -> Packed: ...
    def hash64(self, data: bytes, seed: int = 0) -> int: ...
    def encode_keys(self, layout: KeyLayout, columns: Sequence[Column]) -> Packed: ...
    def decode_keys(self, layout: KeyLayout, page: Page) -> tuple[Column, ...]: ...
    def encode_records(self, layout: RecordLayout, columns: Sequence[RecordColumn]) -> Packed: ...
    def decode_records(self, layout: RecordLayout, page: Page) -> tuple[RecordColumn, ...]: ...
    def splitter(self, paths: Sequence[JsonPath]) -> Splitter: ...


class PythonLibrary:
    """The specification, as a library."""

    name = "python"
    open_page = staticmethod(pages.open_page)
    check_ascending = staticmethod(pages.check_ascending)
    slice_page = staticmethod(pages.slice_page)
    sort_pages = staticmethod(pages.sort_pages)
    hash64 = staticmethod(pages.hash64)
    encode_keys = staticmethod(keys.encode_keys)
    decode_keys = staticmethod(keys.decode_keys)
    encode_records = staticmethod(records.encode_records)
    decode_records = staticmethod(records.decode_records)
    splitter = json_ranges.PythonSplitter


@dataclass(frozen=True, slots=True)
class NativeStatus:
    """Which path is active. `path` is the object in use; `reason` says why it is used, or why none is."""

    active: bool
    reason: str
    path: str | None = None
    has_table_function: bool = False

    def __str__(self) -> str:
        if not self.active:
            return f"Python path: {self.reason}"
        table = "with" if self.has_table_function else "without"
        return f"{self.path}, {table} the table function ({self.reason})"


def library() -> Library:
    """The native calls if an object can be used, else those in Python."""
    return _chosen()[0]


def status() -> NativeStatus:
    """Which path `library` takes, and why."""
    return _chosen()[1]


@cache
def _chosen() -> tuple[Library, NativeStatus]:
    wanted = os.environ.get(SWITCH, "")
    if wanted == "0":
        return PythonLibrary(), NativeStatus(False, f"{SWITCH}=0 turns the native one off")
    candidates = [HERE / OBJECT_NAME, cached_object()] if wanted in ("", "1") else [Path(wanted)]
    reason = f"no object at {' or '.join(map(str, candidates))}; {remedy()}"
    chosen: tuple[Library, NativeStatus] = PythonLibrary(), NativeStatus(False, reason)
    for path in candidates:
        if not chosen[1].active and os.path.isfile(path):
            chosen = load(path)
    return chosen


def load(path: Path) -> tuple[Library, NativeStatus]:
    """The library in the object at `path`, or the one in Python with the reason why it is not used."""
    try:
        path = path.absolute()  # a bare name is looked for elsewhere, and SQLite loads it when it likes
        ffi: Any = import_module("cffi").FFI()
        ffi.cdef(DECLARATIONS)
        lib = ffi.dlopen(str(path))
        reason = _mismatch(ffi, lib)
    except ImportError as error:
        reason = f"cffi cannot be imported ({error}); `pip install cffi`"
    except (OSError, AttributeError) as error:
        reason = f"{path} cannot be loaded ({error}); {remedy()} that fits"
    if reason:
        return PythonLibrary(), NativeStatus(False, reason)
    has_table_function = bool(lib.pbx_has_table_function())
    found = NativeStatus(
        True, f"ABI {ABI_VERSION}, interface {INTERFACE_HASH}", str(path), has_table_function
    )
    return CompiledLibrary(ffi, lib), found


def _mismatch(ffi: Any, lib: Any) -> str:
    """Why the object is not the one for these declarations, or an empty text."""
    found = lib.pbx_abi_version(), ffi.string(lib.pbx_interface_hash()).decode()
    if found == (ABI_VERSION, INTERFACE_HASH):
        return ""
    return (
        f"the object has ABI {found[0]} and interface {found[1]}, this package {ABI_VERSION} and "
        f"{INTERFACE_HASH}; {remedy()} that fits"
    )
