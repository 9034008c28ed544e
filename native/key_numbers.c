/* Integers and bools between columns and keys: a block of rows is widened to 64 bits, then stored, and back. */

#include "key_numbers.h"

#include "columns.h"

/* Rows that are widened at a time; they stay in the nearest cache. */
enum { BLOCK_ROWS = 256 };

#define WIDEN(TYPE)                                            \
    for (uint32_t row = 0; row < rows; row++) {                \
        TYPE item;                                             \
        memcpy(&item, items + row * sizeof item, sizeof item); \
        raw[row] = (uint64_t)item;                             \
    }                                                          \
    break

static void widen(const pbx_column *column, uint32_t begin, uint32_t rows, uint64_t *raw) {
    const uint8_t *items = column->items + (uint64_t)begin * column->item_width;
    switch (column->item_width + (column->item_signed ? 16 : 0)) {
        case 1: WIDEN(uint8_t);
        case 2: WIDEN(uint16_t);
        case 4: WIDEN(uint32_t);
        case 8: WIDEN(uint64_t);
        case 17: WIDEN(int8_t);
        case 18: WIDEN(int16_t);
        case 20: WIDEN(int32_t);
        default: WIDEN(int64_t);
    }
}

static inline void store_big(uint8_t *target, uint64_t number, uint8_t width) {
    const uint64_t big = PBX_BIG64(number << (64 - 8 * width));
    memcpy(target, &big, width);
}

static inline uint64_t load_big(const uint8_t *source, uint8_t width) {
    uint64_t big = 0;
    memcpy(&big, source, width);
    return PBX_BIG64(big) >> (64 - 8 * width);
}

#define STORE(WIDTH)                                        \
    for (uint32_t row = 0; row < rows; row++) {             \
        if (raw[row] - rule.low > rule.span) return row;    \
        store_big(target, raw[row] ^ rule.flip, WIDTH);     \
        target += stride;                                   \
    }                                                       \
    return rows

static uint32_t store(const uint64_t *raw, uint32_t rows, number_rule rule, uint8_t width, uint8_t *target,
                      uint64_t stride) {
    switch (width) {
        case 1: STORE(1);
        case 2: STORE(2);
        case 4: STORE(4);
        default: STORE(8);
    }
}

uint32_t encode_numbers(const pbx_part *part, const pbx_column *column, uint32_t rows, uint8_t *target,
                        uint64_t stride) {
    const number_rule rule = rule_of(part, column);
    uint64_t raw[BLOCK_ROWS];
    for (uint32_t begin = 0; begin < rows; begin += BLOCK_ROWS) {
        const uint32_t block = rows - begin < BLOCK_ROWS ? rows - begin : BLOCK_ROWS;
        widen(column, begin, block, raw);
        const uint32_t fit = store(raw, block, rule, part->width, target + begin * stride, stride);
        if (fit < block) return begin + fit;
    }
    return rows;
}

uint32_t fit_numbers(const pbx_part *part, const pbx_column *column, uint32_t rows) {
    const number_rule rule = rule_of(part, column);
    uint64_t raw[BLOCK_ROWS];
    for (uint32_t begin = 0; begin < rows; begin += BLOCK_ROWS) {
        const uint32_t block = rows - begin < BLOCK_ROWS ? rows - begin : BLOCK_ROWS;
        widen(column, begin, block, raw);
        for (uint32_t row = 0; row < block; row++)
            if (raw[row] - rule.low > rule.span) return begin + row;
    }
    return rows;
}

void encode_number(const pbx_part *part, const pbx_column *column, uint32_t row, uint8_t *target) {
    uint64_t raw;
    widen(column, row, 1, &raw);
    store(&raw, 1, rule_of(part, column), part->width, target, 0);
}

static inline uint64_t decoded(uint64_t number, const pbx_part *part, number_rule rule) {
    number ^= rule.flip;
    return part->kind == PBX_SIGNED ? with_sign(number, part->width) : number;
}

#define LOAD(WIDTH)                                                           \
    for (uint32_t row = 0; row < rows; row++) {                               \
        raw[row] = decoded(load_big(source, WIDTH), part, rule);              \
        source += stride;                                                     \
    }                                                                         \
    break

static void load(const pbx_part *part, number_rule rule, uint32_t rows, const uint8_t *source,
                 uint64_t stride, uint64_t *raw) {
    switch (part->width) {
        case 1: LOAD(1);
        case 2: LOAD(2);
        case 4: LOAD(4);
        default: LOAD(8);
    }
}

#define NARROW(TYPE)                                           \
    for (uint32_t row = 0; row < rows; row++) {                \
        const TYPE item = (TYPE)raw[row];                      \
        memcpy(items + row * sizeof item, &item, sizeof item); \
    }                                                          \
    break

static void narrow(const pbx_column *column, uint32_t begin, uint32_t rows, const uint64_t *raw) {
    uint8_t *items = column->items + (uint64_t)begin * column->item_width;
    switch (column->item_width) {
        case 1: NARROW(uint8_t);
        case 2: NARROW(uint16_t);
        case 4: NARROW(uint32_t);
        default: NARROW(uint64_t);
    }
}

uint32_t decode_numbers(const pbx_part *part, const pbx_column *column, uint32_t rows, const uint8_t *source,
                        uint64_t stride) {
    const number_rule rule = rule_of(part, column);
    uint64_t raw[BLOCK_ROWS];
    for (uint32_t begin = 0; begin < rows; begin += BLOCK_ROWS) {
        const uint32_t block = rows - begin < BLOCK_ROWS ? rows - begin : BLOCK_ROWS;
        load(part, rule, block, source + begin * stride, stride, raw);
        for (uint32_t row = 0; part->kind == PBX_BOOL && row < block; row++)
            if (raw[row] > 1) return begin + row;
        narrow(column, begin, block, raw);
    }
    return rows;
}

bool decode_number(const pbx_part *part, const pbx_column *column, uint32_t row, const uint8_t *source) {
    uint64_t raw;
    load(part, rule_of(part, column), 1, source, 0, &raw);
    if (part->kind == PBX_BOOL && raw > 1) return false;
    narrow(column, row, 1, &raw);
    return true;
}
