/* What the shared object offers. Plain C11: no Python, no allocation, no I/O, no state of its own.
 *
 * The modules pages.py, keys.py, records.py and json_ranges.py in runtime/pillarbox/native/ are the
 * specification; this is only faster. Between the two marks stands what cffi reads, word for word: see
 * interface.py, which holds the same lines, and whose hash must be the one that this object was built with. */
#ifndef PILLARBOX_NATIVE_H
#define PILLARBOX_NATIVE_H

#include <stdint.h>

#pragma GCC visibility push(default)
/* interface begins */
enum {
    PBX_OK = 0,
    PBX_SHAPE = 1,
    PBX_ROOM = 2,
    PBX_PAGE_SHORT = 3,
    PBX_PAGE_OFFSETS = 4,
    PBX_PAGE_TRAILING = 5,
    PBX_PAGE_ORDER = 6,
    PBX_KEY_RANGE = 7,
    PBX_KEY_BOOL = 8,
    PBX_KEY_TEXT = 9,
    PBX_KEY_ESCAPE = 10,
    PBX_KEY_SHORT = 11,
    PBX_KEY_LONG = 12,
    PBX_JSON_PATHS = 13,
    PBX_JSON_SYNTAX = 14,
    PBX_JSON_MISMATCH = 15,
    PBX_JSON_TRUNCATED = 16,
    PBX_RECORD_VALUE = 17,
    PBX_RECORD = 18
};

/* Where something is wrong. Pages and JSON tell `offset`; keys tell `row` and `part`, records `row`. */
typedef struct {
    uint64_t offset;
    uint32_t row;
    uint32_t part;
} pbx_fault;

/* A page whose offsets were checked. `values_at` is 0 in a page of keys alone. */
typedef struct {
    const uint8_t *bytes;
    uint64_t size;
    uint64_t key_offsets_at;
    uint64_t keys_at;
    uint64_t value_offsets_at;
    uint64_t values_at;
    uint32_t count;
    uint32_t key_width;
} pbx_page;

enum { PBX_UNSIGNED = 0, PBX_SIGNED = 1, PBX_BOOL = 2, PBX_TEXT = 3, PBX_BYTES = 4, PBX_FLOAT = 5 };

/* One part of a key. `width` is 1, 2, 4 or 8 bytes, 1 for bool, 8 for floats (which no key has), 0 for text
 * and bytes. */
typedef struct {
    uint8_t kind;
    uint8_t width;
    uint8_t desc;
} pbx_part;

/* One field of a packed record. `flag`: its bit in the flags byte, 0 where it is always there. A flagged
 * field that is not optional is absent when it equals its default: a number as 64 bits with its sign carried
 * up, a float by its bits, text and bytes by their size and `default_bytes`. */
typedef struct {
    pbx_part part;
    uint8_t flag;
    uint8_t optional;
    uint64_t default_value;
    const uint8_t *default_bytes;
} pbx_field;

/* The values of one part or field. Numbers: `items` of `item_width` bytes in the machine's byte order. Text
 * and bytes: `items` holds `size` bytes, value i lies between offsets i and i + 1. Optional fields: `present`
 * holds a byte for each row, 0 where it has no value. */
typedef struct {
    uint8_t *items;
    uint32_t *offsets;
    uint64_t size;
    uint8_t item_width;
    uint8_t item_signed;
    uint8_t *present;
} pbx_column;

/* A row of one of several pages while they are sorted. */
typedef struct {
    uint64_t prefix;
    uint32_t page;
    uint32_t row;
} pbx_entry;

enum { PBX_PARTS_MAX = 64, PBX_PATHS_MAX = 32, PBX_SEGMENTS_MAX = 8, PBX_JSON_DEPTH_MAX = 512 };
enum { PBX_ELEMENT = 1, PBX_OWNER = 2, PBX_REST = 3, PBX_OTHER = 4, PBX_DEEP = 5 };

/* Paths: path p has the names path_starts[p] .. path_starts[p + 1], name i the bytes name_starts[i] ..
 * name_starts[i + 1] of `names`; an empty name stands for every element of an array. */
typedef struct {
    const uint8_t *names;
    const uint32_t *name_starts;
    const uint32_t *path_starts;
    uint32_t path_count;
} pbx_json_paths;

typedef struct {
    uint64_t begin;
    uint64_t end;
    uint32_t kind;
    uint32_t path;
} pbx_json_range;

/* Where a scan stands between two chunks. Copy it to come back to this place. */
typedef struct {
    uint64_t position;
    uint64_t value_begin;
    uint64_t owner_begin[9];
    uint64_t rest_begin[9];
    uint64_t braces[8];
    uint64_t beyond;
    uint32_t matched[9];
    uint32_t rest_path[9];
    uint32_t depth;
    uint32_t skip_above;
    uint32_t candidates;
    uint32_t name_size;
    uint32_t value_path;
    uint32_t array_path;
    uint8_t value_kind;
    uint8_t in_array;
    uint8_t phase;
    uint8_t escaped;
    uint8_t in_string;
} pbx_json_state;

uint32_t pbx_abi_version(void);
const char *pbx_interface_hash(void);
int pbx_has_table_function(void);
uint64_t pbx_hash64(const uint8_t *bytes, uint64_t size, uint64_t seed);
int pbx_page_open(const uint8_t *bytes, uint64_t size, uint32_t key_width, pbx_page *page, pbx_fault *fault);
int pbx_page_ascending(const pbx_page *page, pbx_fault *fault);
int pbx_page_slice(const pbx_page *page, uint32_t begin, uint32_t end, uint8_t *target, uint64_t room,
                   uint64_t *written);
int pbx_keys_encode(const pbx_part *parts, uint32_t part_count, const pbx_column *columns, uint32_t rows,
                    uint8_t *page, uint64_t room, uint64_t *written, pbx_fault *fault);
int pbx_keys_decode(const pbx_part *parts, uint32_t part_count, const pbx_page *page,
                    const pbx_column *columns, pbx_fault *fault);
int pbx_records_encode(const pbx_field *fields, uint32_t field_count, const pbx_column *columns,
                       uint32_t rows, uint8_t *page, uint64_t room, uint64_t *written, pbx_fault *fault);
int pbx_records_decode(const pbx_field *fields, uint32_t field_count, const pbx_page *page,
                       const pbx_column *columns, pbx_fault *fault);
int pbx_pages_sort(const pbx_page *pages, uint32_t page_count, pbx_entry *entries, uint64_t entries_max,
                   uint8_t *target, uint64_t room, uint64_t *written);
int pbx_json_start(const pbx_json_paths *paths, pbx_json_state *state);
int pbx_json_feed(const pbx_json_paths *paths, pbx_json_state *state, const uint8_t *chunk, uint64_t size,
                  pbx_json_range *ranges, uint32_t ranges_max, uint32_t *ranges_count, uint64_t *consumed,
                  pbx_fault *fault);
int pbx_json_finish(pbx_json_state *state, pbx_json_range *ranges, uint32_t ranges_max,
                    uint32_t *ranges_count, pbx_fault *fault);
/* interface ends */
#pragma GCC visibility pop

#endif
