/* Pages into one page whose keys ascend without repeats: of rows with one key the last one stays.
 *
 * A merge sort over entries, which keeps equal keys in their order. An entry holds the first eight bytes of its
 * key, so that most comparisons touch no page. The caller hands the room for two entries a row. */

#include <stdbool.h>

#include "page.h"

static uint64_t prefix_of(pbx_span key) {
    uint64_t big = 0;
    if (key.size != 0) memcpy(&big, key.bytes, key.size < sizeof big ? key.size : sizeof big);
    return PBX_BIG64(big);
}

/* Below, at or above 0 as memory compares the keys, the shorter one first. */
static int compared(const pbx_page *pages, pbx_entry one, pbx_entry other) {
    if (one.prefix != other.prefix) return one.prefix < other.prefix ? -1 : 1;
    const pbx_span key = page_key(&pages[one.page], one.row), rival = page_key(&pages[other.page], other.row);
    const uint64_t common = key.size < rival.size ? key.size : rival.size;
    const int order = common == 0 ? 0 : memcmp(key.bytes, rival.bytes, common);
    if (order != 0 || key.size == rival.size) return order;
    return key.size < rival.size ? -1 : 1;
}

/* Merges source[begin .. middle] and source[middle .. end], both in order, into the same place of `target`. */
static void merge(const pbx_page *pages, const pbx_entry *source, pbx_entry *target, uint64_t begin,
                  uint64_t middle, uint64_t end) {
    if (middle >= end || compared(pages, source[middle - 1], source[middle]) <= 0) {
        memcpy(target + begin, source + begin, (end - begin) * sizeof *target);
        return;
    }
    uint64_t left = begin, right = middle;
    for (uint64_t at = begin; at < end; at++) {
        const bool from_right =
            left == middle || (right < end && compared(pages, source[right], source[left]) < 0);
        target[at] = source[from_right ? right++ : left++];
    }
}

/* Sorts `count` entries, with `count` more behind them as room. Returns where they lie in order. */
static pbx_entry *sorted(const pbx_page *pages, pbx_entry *entries, uint64_t count) {
    bool in_order = true;
    for (uint64_t at = 1; at < count && in_order; at++)
        in_order = compared(pages, entries[at - 1], entries[at]) <= 0;
    if (in_order) return entries;

    pbx_entry *source = entries, *target = entries + count;
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t begin = 0; begin < count; begin += 2 * width) {
            const uint64_t middle = count - begin < width ? count : begin + width;
            const uint64_t end = count - middle < width ? count : middle + width;
            merge(pages, source, target, begin, middle, end);
        }
        pbx_entry *behind = source;
        source = target, target = behind;
    }
    return source;
}

/* Drops all but the last of each run of equal keys. */
static uint64_t deduped(const pbx_page *pages, pbx_entry *entries, uint64_t count) {
    uint64_t kept = 0;
    for (uint64_t at = 0; at < count; at++)
        if (at + 1 == count || compared(pages, entries[at], entries[at + 1]) != 0) entries[kept++] = entries[at];
    return kept;
}

static pbx_span span_of(const pbx_page *pages, pbx_entry entry, bool is_value) {
    const pbx_page *page = &pages[entry.page];
    return is_value ? page_value(page, entry.row) : page_key(page, entry.row);
}

/* Bytes of all keys, or of all values, of the entries. */
static uint64_t spans_size(const pbx_page *pages, const pbx_entry *entries, uint64_t count, bool is_value) {
    uint64_t size = 0;
    for (uint64_t at = 0; at < count; at++) size += span_of(pages, entries[at], is_value).size;
    return size;
}

/* Returns the byte behind the spans; before them their offsets, if wanted. */
static uint8_t *put_spans(const pbx_page *pages, const pbx_entry *entries, uint64_t count, bool is_value,
                          bool with_offsets, uint8_t *target) {
    uint8_t *offset = target, *base = target + (with_offsets ? 4 * (count + 1) : 0);
    target = base;
    for (uint64_t at = 0; at < count; at++) {
        const pbx_span span = span_of(pages, entries[at], is_value);
        if (with_offsets) write_u32(offset + 4 * at, (uint32_t)(target - base));
        if (span.size != 0) memcpy(target, span.bytes, span.size);
        target += span.size;
    }
    if (with_offsets) write_u32(offset + 4 * count, (uint32_t)(target - base));
    return target;
}

/* Writes the rows of opened pages, all of one key width, all with values or all without. `entries` holds
 * `entries_max`, at least two for each row. PBX_ROOM: too few of them, or too little `room`, or the keys or
 * values pass 4 GiB. */
int pbx_pages_sort(const pbx_page *pages, uint32_t page_count, pbx_entry *entries, uint64_t entries_max,
                   uint8_t *target, uint64_t room, uint64_t *written) {
    uint64_t count = 0;
    for (uint32_t at = 0; at < page_count; at++) {
        if (pages[at].key_width != pages[0].key_width) return PBX_SHAPE;
        if ((pages[at].values_at == 0) != (pages[0].values_at == 0)) return PBX_SHAPE;
        if (entries_max / 2 - count < pages[at].count) return PBX_ROOM;
        for (uint32_t row = 0; row < pages[at].count; row++)
            entries[count++] = (pbx_entry){prefix_of(page_key(&pages[at], row)), at, row};
    }
    if (page_count == 0) return PBX_SHAPE;
    entries = sorted(pages, entries, count);
    count = deduped(pages, entries, count);
    if (count > UINT32_MAX) return PBX_ROOM;

    const bool varies = pages[0].key_width == 0, has_values = pages[0].values_at != 0;
    const uint64_t keys = spans_size(pages, entries, count, false);
    const uint64_t values = has_values ? spans_size(pages, entries, count, true) : 0;
    if ((varies && keys > UINT32_MAX) || values > UINT32_MAX) return PBX_ROOM;
    *written = 4 + keys + values + (varies ? 4 * (count + 1) : 0) + (has_values ? 4 * (count + 1) : 0);
    if (room < *written) return PBX_ROOM;

    write_u32(target, (uint32_t)count);
    target = put_spans(pages, entries, count, false, varies, target + 4);
    if (has_values) put_spans(pages, entries, count, true, true, target);
    return PBX_OK;
}
