"""The calls of pages.py, keys.py, records.py and json_ranges.py, done by the shared object: a C call a page.

Depends on: interface, faults, layouts, record_layouts, pages, json_ranges.  Never on: how the object was
found or built.

Law: each call answers, and raises, what its twin in Python does.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, Final

from pillarbox.errors import UsageError
from pillarbox.native.faults import JsonCorrupt, PageCorrupt
from pillarbox.native.interface import Status
from pillarbox.native.json_ranges import JsonPath, JsonRanges, check_paths
from pillarbox.native.layouts import (
    INT_FORMATS,
    Column,
    KeyLayout,
    TailColumn,
    checked_columns,
    key_fault,
    miscut,
    new_int_column,
    value_fault,
)
from pillarbox.native.pages import Packed, Page, check_alike, check_slice, too_large
from pillarbox.native.record_layouts import (
    Checked,
    OptionalColumn,
    RecordColumn,
    RecordLayout,
    check_has_records,
    new_column,
    record_fault,
    row_fault,
    unnamed_row,
)
from pillarbox.native.record_layouts import checked_columns as checked_record_columns

#: Ranges that one call of the splitter can answer; it is called again for more.
_RANGES_MAX: Final = 4096


class CompiledLibrary:
    """The calls over one loaded object. `ffi` and `lib` are cffi's."""

    name = "native"

    def __init__(self, ffi: Any, lib: Any) -> None:
        self._ffi, self._lib = ffi, lib

    # ------------------------------------------------------------------------------------ pages

    def _open(self, data: Packed, key_width: int) -> Any:
        page, fault = self._ffi.new("pbx_page *"), self._ffi.new("pbx_fault *")
        status = self._lib.pbx_page_open(self._ffi.from_buffer(data), len(data), key_width, page, fault)
        if status:
            raise PageCorrupt(Status(status), fault.offset)
        return page

    def open_page(self, data: Packed, key_width: int) -> Page:
        """See pages.open_page."""
        page = self._open(data, key_width)
        return Page(
            data,
            page.count,
            key_width,
            page.key_offsets_at,
            page.keys_at,
            page.value_offsets_at,
            page.values_at,
        )

    def _reopened(self, page: Page) -> Any:
        """A page that was checked, as C knows it."""
        return self._ffi.new(
            "pbx_page *",
            (
                self._ffi.from_buffer(page.data),
                len(page.data),
                page.key_offsets_at,
                page.keys_at,
                page.value_offsets_at,
                page.values_at,
                page.count,
                page.key_width,
            ),
        )

    def check_ascending(self, page: Page) -> None:
        """See pages.check_ascending."""
        fault = self._ffi.new("pbx_fault *")
        status = self._lib.pbx_page_ascending(self._reopened(page), fault)
        if status:
            raise PageCorrupt(Status(status), fault.offset)

    def slice_page(self, page: Page, begin: int, end: int) -> Packed:
        """See pages.slice_page."""
        check_slice(page, begin, end)
        target = bytearray(len(page.data))
        written = self._ffi.new("uint64_t *")
        self._lib.pbx_page_slice(
            self._reopened(page), begin, end, self._ffi.from_buffer(target), len(target), written
        )
        del target[written[0] :]
        return target

    def sort_pages(self, pages: Sequence[Page]) -> Packed:
        """See pages.sort_pages."""
        check_alike(pages)
        opened = self._ffi.new("pbx_page[]", [self._reopened(page)[0] for page in pages])
        entries_max = 2 * sum(page.count for page in pages)
        room = bytearray(entries_max * self._ffi.sizeof("pbx_entry"))
        entries = self._ffi.cast("pbx_entry *", self._ffi.from_buffer(room))
        target = bytearray(sum(len(page.data) for page in pages))
        written = self._ffi.new("uint64_t *")
        status = self._lib.pbx_pages_sort(
            opened, len(pages), entries, entries_max, self._ffi.from_buffer(target), len(target), written
        )
        if status:
            raise too_large()
        del target[written[0] :]
        return target

    def hash64(self, data: bytes, seed: int = 0) -> int:
        """See pages.hash64."""
        return int(self._lib.pbx_hash64(self._ffi.from_buffer(data), len(data), seed))

    # ------------------------------------------------------------------------------------- keys

    def _columns(self, columns: Sequence[memoryview | TailColumn]) -> Any:
        """The columns as C knows them. They must outlive what is returned."""
        bytes_of, null = self._ffi.from_buffer, self._ffi.NULL
        return self._ffi.new(
            "pbx_column[]",
            [
                (
                    bytes_of("uint8_t[]", column.data),
                    bytes_of("uint32_t[]", column.offsets),
                    len(column.data),
                    0,
                    0,
                )
                if isinstance(column, TailColumn)
                else (
                    bytes_of("uint8_t[]", column),
                    null,
                    0,
                    column.itemsize,
                    INT_FORMATS.get(column.format, False),
                )
                for column in columns
            ],
        )

    def encode_keys(self, layout: KeyLayout, columns: Sequence[Column]) -> Packed:
        """See keys.encode_keys."""
        rows, checked = checked_columns(layout, columns)
        room = 4 + layout.fixed * rows
        if layout.varies:
            tails = [len(column.data) for column in checked if isinstance(column, TailColumn)]
            room += 4 * (rows + 1) + sum(2 * size + 2 * rows for size in tails)
        page = bytearray(room)
        written, fault = self._ffi.new("uint64_t *"), self._ffi.new("pbx_fault *")
        parts = self._ffi.from_buffer("pbx_part[]", layout.described)
        status = self._lib.pbx_keys_encode(
            parts,
            len(parts),
            self._columns(checked),
            rows,
            self._ffi.from_buffer(page),
            room,
            written,
            fault,
        )
        if status:
            raise _encode_error(layout, Status(status), fault.row, fault.part, checked)
        # Not copied: a second buffer of this size would cost more than everything above.
        del page[written[0] :]
        return page

    def decode_keys(self, layout: KeyLayout, page: Page) -> tuple[Column, ...]:
        """See keys.decode_keys."""
        room = (page.value_offsets_at or len(page.data)) - page.keys_at
        columns = [
            TailColumn(bytearray(room), array("I", bytes(4 * (page.count + 1))))
            if part.is_tail
            else new_int_column(part.type, page.count)
            for part in layout.parts
        ]
        parts, fault = self._ffi.from_buffer("pbx_part[]", layout.described), self._ffi.new("pbx_fault *")
        status = self._lib.pbx_keys_decode(
            parts, len(parts), self._reopened(page), self._columns(columns), fault
        )
        if status:
            raise key_fault(layout, Status(status), fault.part, page.key(fault.row))
        return tuple(map(_trimmed, columns))

    # ---------------------------------------------------------------------------------- records

    def _fields(self, layout: RecordLayout) -> tuple[Any, list[Any]]:
        """The fields as C knows them, and what must live as long as they do."""
        defaults = [self._ffi.from_buffer("uint8_t[]", default) for *_, default in layout.described]
        described = [(*field[:-1], kept) for field, kept in zip(layout.described, defaults, strict=True)]
        return self._ffi.new("pbx_field[]", described), defaults

    def _record_columns(self, layout: RecordLayout, columns: Sequence[Checked]) -> Any:
        """The columns in stored order. They must outlive what is returned."""
        ordered = [columns[place] for place in layout.stored_order]
        held = self._columns([column.values for column in ordered])
        for at, column in enumerate(ordered):
            if column.present is not None:
                held[at].present = self._ffi.from_buffer("uint8_t[]", column.present)
        return held

    def encode_records(self, layout: RecordLayout, columns: Sequence[RecordColumn]) -> Packed:
        """See records.encode_records."""
        rows, checked = checked_record_columns(layout, columns)
        tails = [len(column.values.data) for column in checked if isinstance(column.values, TailColumn)]
        room = 4 + 4 * (rows + 1) + layout.fixed * rows + sum(tails)
        page = bytearray(room)
        fields, _kept = self._fields(layout)
        written, fault = self._ffi.new("uint64_t *"), self._ffi.new("pbx_fault *")
        status = self._lib.pbx_records_encode(
            fields,
            len(fields),
            self._record_columns(layout, checked),
            rows,
            self._ffi.from_buffer(page),
            room,
            written,
            fault,
        )
        if status == Status.SHAPE:
            field = layout.packed.fields[layout.stored_order[fault.part]]
            raise miscut(layout.place(field), field.type)
        unnamed = unnamed_row(checked)
        if status == Status.RECORD_VALUE:
            raise row_fault(layout, checked, fault.row if unnamed is None else min(fault.row, unnamed))
        if unnamed is not None:
            raise row_fault(layout, checked, unnamed)
        if status:
            raise too_large()
        del page[written[0] :]
        return page

    def decode_records(self, layout: RecordLayout, page: Page) -> tuple[RecordColumn, ...]:
        """See records.decode_records."""
        check_has_records(layout, page)
        columns = [new_column(field, page) for field in layout.packed.fields]
        fields, _kept = self._fields(layout)
        fault = self._ffi.new("pbx_fault *")
        status = self._lib.pbx_records_decode(
            fields, len(fields), self._reopened(page), self._record_columns(layout, columns), fault
        )
        if status:
            raise record_fault(layout, page, fault.row)
        return tuple(
            _trimmed(column.values)
            if column.present is None
            else OptionalColumn(_trimmed(column.values), column.present)
            for column in columns
        )

    # ------------------------------------------------------------------------------------- JSON

    def splitter(self, paths: Sequence[JsonPath]) -> CompiledSplitter:
        """See json_ranges.PythonSplitter."""
        return CompiledSplitter(self._ffi, self._lib, paths)


def _encode_error(
    layout: KeyLayout, status: Status, row: int, part: int, columns: Sequence[memoryview | TailColumn]
) -> Exception:
    if status is Status.SHAPE:
        return miscut(f"{layout.table}.{layout.parts[part].name}", layout.parts[part].type)
    if status is Status.ROOM:
        return too_large()
    column = columns[part]
    if isinstance(column, TailColumn):
        begin, end = column.offsets[row : row + 2]
        return value_fault(layout, row, part, bytes(column.data[begin:end]))
    return value_fault(layout, row, part, column[row])


def _trimmed(column: memoryview | TailColumn) -> Column:
    """The column without the room that its data did not need."""
    if not isinstance(column, TailColumn):
        return column
    return TailColumn(column.data[: column.offsets[-1]], column.offsets)


class CompiledSplitter:
    """A `Splitter` over the shared object."""

    def __init__(self, ffi: Any, lib: Any, paths: Sequence[JsonPath]) -> None:
        check_paths(paths)
        self.fault: JsonCorrupt | None = None
        self._ffi, self._lib = ffi, lib
        names = [(name or "").encode() for path in paths for name in path]
        column = TailColumn.of(names)
        starts = array("I", [0])
        for path in paths:
            starts.append(starts[-1] + len(path))
        # What C points to, kept for as long as C does.
        self._kept = [ffi.new("uint8_t[]", column.data), *_copies(ffi, column.offsets, starts)]
        self._paths = ffi.new("pbx_json_paths *", (*self._kept, len(paths)))
        self._state = ffi.new("pbx_json_state *")
        self._ranges = ffi.new("pbx_json_range[]", _RANGES_MAX)
        self._count, self._consumed = ffi.new("uint32_t *"), ffi.new("uint64_t *")
        self._c_fault = ffi.new("pbx_fault *")
        if lib.pbx_json_start(self._paths, self._state):
            raise UsageError(f"the paths {paths!r}; one of them is the beginning of another")

    def feed(self, chunk: bytes | bytearray | memoryview) -> JsonRanges:
        found = []
        buffer = self._ffi.from_buffer("uint8_t[]", chunk)
        at, size = 0, len(buffer)
        while at < size and self.fault is None:
            status = self._lib.pbx_json_feed(
                self._paths,
                self._state,
                buffer + at,
                size - at,
                self._ranges,
                _RANGES_MAX,
                self._count,
                self._consumed,
                self._c_fault,
            )
            found.append(self._taken())
            at += self._consumed[0]
            if status:
                self.fault = JsonCorrupt(Status(status), self._c_fault.offset)
        return JsonRanges(b"".join(found))

    def finish(self) -> JsonRanges:
        if self.fault is not None:
            raise self.fault
        status = self._lib.pbx_json_finish(self._state, self._ranges, 1, self._count, self._c_fault)
        if status:
            raise JsonCorrupt(Status(status), self._c_fault.offset)
        return JsonRanges(self._taken())

    def _taken(self) -> bytes:
        return bytes(self._ffi.buffer(self._ranges, self._count[0] * self._ffi.sizeof("pbx_json_range")))


def _copies(ffi: Any, *columns: array[int]) -> list[Any]:
    return [ffi.new("uint32_t[]", column.tolist()) for column in columns]
