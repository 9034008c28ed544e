/* Columns to key pages and back, for every key layout: a table's parts are data, not code.
 *
 * A part is written for all rows before the next part is looked at, so what a part is gets decided once a
 * page, not once a key. The fault told is that of the first row at fault, and in it of the first part. */

#include "columns.h"
#include "key_numbers.h"
#include "page.h"

/* The first part or column that no layout has, else `part_count`. `decoding`: the column must hold all
 * that its part can. */
static uint32_t first_misshapen(const pbx_part *parts, uint32_t part_count, const pbx_column *columns,
                                bool decoding) {
    for (uint32_t at = 0; at < part_count; at++) {
        const pbx_part *part = &parts[at];
        const pbx_column *column = &columns[at];
        if (part->kind > PBX_BYTES) return at;
        if (is_tail(part)) {
            if (part->width != 0) return at;
            continue;
        }
        if (!is_width(part->width) || !is_width(column->item_width)) return at;
        if (part->kind == PBX_BOOL && part->width != 1) return at;
        if (decoding && !holds_part(column, part)) return at;
    }
    return part_count;
}

/* Bytes of a key without its text and bytes parts. `*varies`: it has some. */
static uint64_t fixed_width(const pbx_part *parts, uint32_t part_count, bool *varies) {
    uint64_t width = 0;
    *varies = false;
    for (uint32_t at = 0; at < part_count; at++) {
        width += parts[at].width;
        *varies = *varies || is_tail(&parts[at]);
    }
    return width;
}

/* ---------------------------------------------------------------------- text and bytes */

static uint64_t escaped_size(const uint8_t *bytes, uint64_t size) {
    uint64_t zeros = 0;
    for (uint64_t at = 0; at < size; at++) zeros += bytes[at] == 0;
    return size + zeros + 2;
}

/* 0x00 becomes 0x00 0xFF, and 0x00 0x00 ends the part. Returns the byte behind it. */
static uint8_t *put_escaped(uint8_t *target, const uint8_t *bytes, uint64_t size, uint8_t flip) {
    for (uint64_t at = 0; at < size; at++) {
        *target++ = bytes[at] ^ flip;
        if (bytes[at] == 0) *target++ = 0xFF ^ flip;
    }
    *target++ = flip;
    *target++ = flip;
    return target;
}

/* The first text or bytes part whose offsets do not cut up its column, else `part_count`. */
static uint32_t first_miscut(const pbx_part *parts, uint32_t part_count, const pbx_column *columns,
                             uint32_t rows) {
    for (uint32_t at = 0; at < part_count; at++) {
        if (is_tail(&parts[at]) && !is_cut_up(&columns[at], rows)) return at;
    }
    return part_count;
}

/* Adds what a part takes to the size that stands at offset row + 1. Stops at the first row at fault. */
static uint32_t measure_tails(const pbx_part *part, const pbx_column *column, uint32_t rows, uint8_t *offsets,
                              uint64_t *total, int *status) {
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t begin = column->offsets[row], end = column->offsets[row + 1];
        *status = PBX_KEY_TEXT;
        if (part->kind == PBX_TEXT && !is_utf8(column->items + begin, end - begin)) return row;
        const uint64_t size = escaped_size(column->items + begin, end - begin);
        *total += size;
        *status = PBX_ROOM;
        if (*total > UINT32_MAX) return row;
        uint8_t *sum = offsets + 4 * ((uint64_t)row + 1);
        write_u32(sum, read_u32(sum) + (uint32_t)size);
    }
    return rows;
}

/* Writes the offsets of keys that vary, behind checks of every value. `*total` is the size of all keys. */
static int lay_out(const pbx_part *parts, uint32_t part_count, const pbx_column *columns, uint32_t rows,
                   uint64_t fixed, uint8_t *offsets, uint64_t *total, pbx_fault *fault) {
    *total = fixed * rows;
    if (*total > UINT32_MAX) return PBX_ROOM;
    write_u32(offsets, 0);
    for (uint64_t row = 1; row <= rows; row++) write_u32(offsets + 4 * row, (uint32_t)fixed);

    uint32_t limit = rows;
    int worst = PBX_OK;
    for (uint32_t at = 0; at < part_count; at++) {
        int status = PBX_KEY_RANGE;
        const uint32_t fit = is_tail(&parts[at])
                                 ? measure_tails(&parts[at], &columns[at], limit, offsets, total, &status)
                                 : fit_numbers(&parts[at], &columns[at], limit);
        if (fit == limit) continue;
        limit = fault->row = fit;
        fault->part = at;
        worst = status;
    }
    if (worst != PBX_OK) return worst;
    for (uint64_t row = 1; row <= rows; row++)
        write_u32(offsets + 4 * row, read_u32(offsets + 4 * row) + read_u32(offsets + 4 * (row - 1)));
    return PBX_OK;
}

/* Writes one part of every key. Offset r is where key r goes on, and is moved behind the part. */
static void write_part(const pbx_part *part, const pbx_column *column, uint32_t rows, uint8_t *offsets,
                       uint8_t *keys) {
    for (uint32_t row = 0; row < rows; row++) {
        uint8_t *offset = offsets + 4 * (uint64_t)row;
        uint8_t *target = keys + read_u32(offset), *behind = target + part->width;
        if (is_tail(part)) {
            const uint32_t begin = column->offsets[row];
            behind = put_escaped(target, column->items + begin, column->offsets[row + 1] - begin,
                                 part->desc ? 0xFF : 0);
        } else {
            encode_number(part, column, row, target);
        }
        write_u32(offset, (uint32_t)(behind - keys));
    }
}

static int encode_varying(const pbx_part *parts, uint32_t part_count, const pbx_column *columns,
                          uint32_t rows, uint64_t fixed, uint8_t *page, uint64_t room, uint64_t *written,
                          pbx_fault *fault) {
    const uint64_t offsets_size = 4 * ((uint64_t)rows + 1);
    fault->part = first_miscut(parts, part_count, columns, rows);
    if (fault->part < part_count) return PBX_SHAPE;
    if (room - 4 < offsets_size) return PBX_ROOM;
    uint8_t *offsets = page + 4, *keys = offsets + offsets_size;
    uint64_t total;
    const int status = lay_out(parts, part_count, columns, rows, fixed, offsets, &total, fault);
    if (status != PBX_OK) return status;
    if (room - 4 - offsets_size < total) return PBX_ROOM;

    for (uint32_t at = 0; at < part_count; at++) write_part(&parts[at], &columns[at], rows, offsets, keys);
    /* Each offset has arrived where the next key begins. */
    memmove(offsets + 4, offsets, 4 * (uint64_t)rows);
    write_u32(offsets, 0);
    *written = 4 + offsets_size + total;
    return PBX_OK;
}

/* Writes a page of `rows` keys. PBX_ROOM: `room` is too small, or the keys pass 4 GiB. */
int pbx_keys_encode(const pbx_part *parts, uint32_t part_count, const pbx_column *columns, uint32_t rows,
                    uint8_t *page, uint64_t room, uint64_t *written, pbx_fault *fault) {
    fault->part = first_misshapen(parts, part_count, columns, false);
    if (fault->part < part_count || part_count == 0 || part_count > PBX_PARTS_MAX) return PBX_SHAPE;
    bool varies;
    const uint64_t width = fixed_width(parts, part_count, &varies);
    if (room < 4) return PBX_ROOM;
    write_u32(page, rows);
    if (varies) return encode_varying(parts, part_count, columns, rows, width, page, room, written, fault);

    if ((room - 4) / width < rows) return PBX_ROOM;
    uint32_t limit = rows;
    uint8_t *target = page + 4;
    for (uint32_t at = 0; at < part_count; target += parts[at++].width) {
        const uint32_t fit = encode_numbers(&parts[at], &columns[at], limit, target, width);
        if (fit == limit) continue;
        limit = fault->row = fit;
        fault->part = at;
    }
    *written = 4 + width * rows;
    return limit == rows ? PBX_OK : PBX_KEY_RANGE;
}

/* Appends the unescaped part that begins at `*at` to the column, and moves `*at` behind it. */
static int decode_tail(const pbx_part *part, const pbx_column *column, uint32_t row, pbx_span key,
                       uint64_t *at) {
    const uint8_t flip = part->desc ? 0xFF : 0;
    const uint32_t begin = column->offsets[row];
    uint64_t size = begin;
    for (;; (*at)++) {
        if (key.size - *at < 1) return PBX_KEY_SHORT;
        const uint8_t byte = key.bytes[*at] ^ flip;
        if (byte == 0) {
            if (key.size - *at < 2) return PBX_KEY_SHORT;
            const uint8_t follower = key.bytes[++*at] ^ flip;
            if (follower == 0) break;
            if (follower != 0xFF) return PBX_KEY_ESCAPE;
        }
        if (column->size - size < 1) return PBX_ROOM;
        column->items[size++] = byte;
    }
    (*at)++;
    column->offsets[row + 1] = (uint32_t)size;
    return part->kind == PBX_TEXT && !is_utf8(column->items + begin, size - begin) ? PBX_KEY_TEXT : PBX_OK;
}

static int decode_varying(const pbx_part *parts, uint32_t part_count, const pbx_page *page, uint32_t row,
                          const pbx_column *columns, pbx_fault *fault) {
    const pbx_span key = page_key(page, row);
    uint64_t at = 0;
    for (fault->part = 0; fault->part < part_count; fault->part++) {
        const pbx_part *part = &parts[fault->part];
        const pbx_column *column = &columns[fault->part];
        if (is_tail(part)) {
            const int status = decode_tail(part, column, row, key, &at);
            if (status != PBX_OK) return status;
            continue;
        }
        if (key.size - at < part->width) return PBX_KEY_SHORT;
        if (!decode_number(part, column, row, key.bytes + at)) return PBX_KEY_BOOL;
        at += part->width;
    }
    return at == key.size ? PBX_OK : PBX_KEY_LONG;
}

/* Reads the keys of an opened page into columns of its count. A text or bytes column needs `size` bytes of
 * room (all keys together are enough) and count + 1 offsets. */
int pbx_keys_decode(const pbx_part *parts, uint32_t part_count, const pbx_page *page,
                    const pbx_column *columns, pbx_fault *fault) {
    fault->part = first_misshapen(parts, part_count, columns, true);
    if (fault->part < part_count || part_count == 0 || part_count > PBX_PARTS_MAX) return PBX_SHAPE;
    bool varies;
    const uint64_t width = fixed_width(parts, part_count, &varies);
    if (page->key_width != (varies ? 0 : width)) return PBX_SHAPE;

    if (varies) {
        for (uint32_t at = 0; at < part_count; at++)
            if (is_tail(&parts[at])) columns[at].offsets[0] = 0;
        for (fault->row = 0; fault->row < page->count; fault->row++) {
            const int status = decode_varying(parts, part_count, page, fault->row, columns, fault);
            if (status != PBX_OK) return status;
        }
        return PBX_OK;
    }
    uint32_t limit = page->count;
    const uint8_t *source = page->bytes + page->keys_at;
    for (uint32_t at = 0; at < part_count; source += parts[at++].width) {
        const uint32_t fit = decode_numbers(&parts[at], &columns[at], limit, source, width);
        if (fit == limit) continue;
        limit = fault->row = fit;
        fault->part = at;
    }
    return limit == page->count ? PBX_OK : PBX_KEY_BOOL;
}
