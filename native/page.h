/* A row of an opened page. For the other C files; Python never asks for one row. */
#ifndef PILLARBOX_PAGE_H
#define PILLARBOX_PAGE_H

#include "bytes.h"
#include "pillarbox_native.h"

typedef struct {
    const uint8_t *bytes;
    uint64_t size;
} pbx_span;

static inline pbx_span span_at(const pbx_page *page, uint64_t offsets_at, uint64_t base, uint32_t row) {
    const uint8_t *offset = page->bytes + offsets_at + 4 * (uint64_t)row;
    const uint32_t begin = read_u32(offset);
    return (pbx_span){page->bytes + base + begin, read_u32(offset + 4) - begin};
}

/* `row` < count. */
static inline pbx_span page_key(const pbx_page *page, uint32_t row) {
    if (page->key_width == 0) return span_at(page, page->key_offsets_at, page->keys_at, row);
    return (pbx_span){page->bytes + page->keys_at + (uint64_t)row * page->key_width, page->key_width};
}

/* `row` < count, in a page that has values. */
static inline pbx_span page_value(const pbx_page *page, uint32_t row) {
    return span_at(page, page->value_offsets_at, page->values_at, row);
}

#endif
