/* Single items of columns, and which of them a part takes. */
#ifndef PILLARBOX_COLUMNS_H
#define PILLARBOX_COLUMNS_H

#include <stdbool.h>

#include "bytes.h"
#include "pillarbox_native.h"

static inline bool is_tail(const pbx_part *part) { return part->kind == PBX_TEXT || part->kind == PBX_BYTES; }

static inline bool is_width(uint8_t width) { return width == 1 || width == 2 || width == 4 || width == 8; }

/* Whether the column has room for every number of the part. */
static inline bool holds_part(const pbx_column *column, const pbx_part *part) {
    if (part->kind == PBX_BOOL || part->kind == PBX_FLOAT) return true;
    if (column->item_width == part->width) return (part->kind == PBX_SIGNED) == column->item_signed;
    return column->item_width > part->width && (part->kind != PBX_SIGNED || column->item_signed);
}

/* Whether the offsets of a text or bytes column cut up its data. */
static inline bool is_cut_up(const pbx_column *column, uint32_t rows) {
    for (uint32_t row = 0; row < rows; row++)
        if (column->offsets[row] > column->offsets[row + 1]) return false;
    return column->offsets[rows] <= column->size;
}

/* raw - low <= span exactly for the items that the part takes; raw ^ flip is what keys store. */
typedef struct {
    uint64_t low;
    uint64_t span;
    uint64_t flip;
} number_rule;

static inline number_rule rule_of(const pbx_part *part, const pbx_column *column) {
    const uint64_t max = part->width == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * part->width) - 1;
    const uint64_t sign = UINT64_C(1) << (8 * part->width - 1);
    number_rule rule = {.low = 0, .span = max, .flip = part->desc ? max : 0};
    if (part->kind == PBX_BOOL) {
        rule.span = 1;
    } else if (part->kind == PBX_SIGNED) {
        rule.flip ^= sign;
        if (column->item_signed) rule.low = 0 - sign;
        else rule.span = sign - 1;
    } else if (column->item_signed && part->width == 8) {
        rule.span = sign - 1;
    }
    return rule;
}

/* A number of `width` bytes with its sign bit carried up to bit 63. */
static inline uint64_t with_sign(uint64_t number, uint8_t width) {
    const uint64_t sign = UINT64_C(1) << (8 * width - 1);
    return (number ^ sign) - sign;
}

/* The item as 64 bits, its sign carried up. */
static inline uint64_t item_at(const pbx_column *column, uint32_t row) {
    const uint8_t *items = column->items;
    switch (column->item_width) {
        case 1: return column->item_signed ? with_sign(items[row], 1) : items[row];
        case 2: {
            uint16_t item;
            memcpy(&item, items + 2 * (uint64_t)row, sizeof item);
            return column->item_signed ? with_sign(item, 2) : item;
        }
        case 4: {
            uint32_t item;
            memcpy(&item, items + 4 * (uint64_t)row, sizeof item);
            return column->item_signed ? with_sign(item, 4) : item;
        }
        default: {
            uint64_t item;
            memcpy(&item, items + 8 * (uint64_t)row, sizeof item);
            return item;
        }
    }
}

static inline void set_item(const pbx_column *column, uint32_t row, uint64_t raw) {
    uint8_t *items = column->items;
    switch (column->item_width) {
        case 1: items[row] = (uint8_t)raw; break;
        case 2: {
            const uint16_t item = (uint16_t)raw;
            memcpy(items + 2 * (uint64_t)row, &item, sizeof item);
            break;
        }
        case 4: {
            const uint32_t item = (uint32_t)raw;
            memcpy(items + 4 * (uint64_t)row, &item, sizeof item);
            break;
        }
        default: memcpy(items + 8 * (uint64_t)row, &raw, sizeof raw);
    }
}

static inline bool is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/* Whether the bytes are UTF-8 as Python decodes it: no overlong forms, no surrogates, up to U+10FFFF. */
static inline bool is_utf8(const uint8_t *bytes, uint64_t size) {
    uint64_t at = 0;
    while (at < size) {
        const uint8_t lead = bytes[at];
        if (lead < 0x80) {
            at++;
            continue;
        }
        const uint64_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
        if (lead < 0xC2 || lead > 0xF4 || size - at <= more) return false;
        const uint8_t second = bytes[at + 1];
        if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
            (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F))
            return false;
        for (uint64_t next = 1; next <= more; next++)
            if (!is_continuation(bytes[at + next])) return false;
        at += more + 1;
    }
    return true;
}

#endif
