/* Any bytes as keys of any layout: what decodes encodes to the same bytes. */

#include "../page.h"
#include "fuzz.h"

enum { PARTS_MAX = 4 };

static const pbx_part KINDS[] = {
    {PBX_UNSIGNED, 1, 0}, {PBX_UNSIGNED, 2, 1}, {PBX_UNSIGNED, 4, 0}, {PBX_UNSIGNED, 8, 1},
    {PBX_SIGNED, 1, 1},   {PBX_SIGNED, 2, 0},   {PBX_SIGNED, 4, 1},   {PBX_SIGNED, 8, 0},
    {PBX_BOOL, 1, 0},     {PBX_BOOL, 1, 1},     {PBX_TEXT, 0, 0},     {PBX_TEXT, 0, 1},
    {PBX_BYTES, 0, 0},    {PBX_BYTES, 0, 1},
};

static void round_trip(const pbx_part *parts, uint32_t part_count, const pbx_page *page,
                       const pbx_column *columns) {
    pbx_fault fault = {0, 0, 0};
    const int status = pbx_keys_decode(parts, part_count, page, columns, &fault);
    MUST(status != PBX_SHAPE && status != PBX_ROOM);
    if (status != PBX_OK) {
        MUST(fault.row < page->count && fault.part <= part_count);
        return;
    }
    uint8_t *again = malloc(page->size);
    uint64_t written = 0;
    if (again == NULL) abort();
    const uint64_t keys_end = page->value_offsets_at ? page->value_offsets_at : page->size;
    MUST(pbx_keys_encode(parts, part_count, columns, page->count, again, keys_end, &written, &fault) == PBX_OK);
    MUST(written == keys_end && memcmp(again, page->bytes, written) == 0);
    free(again);
}

/* The first byte counts the parts, the next ones choose them; the rest is the page. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1 + PARTS_MAX) return 0;
    const uint32_t part_count = 1 + data[0] % PARTS_MAX;
    pbx_part parts[PARTS_MAX];
    uint32_t width = 0;
    int varies = 0;
    for (uint32_t at = 0; at < part_count; at++) {
        parts[at] = KINDS[data[1 + at] % (sizeof KINDS / sizeof KINDS[0])];
        width += parts[at].width;
        varies = varies || parts[at].width == 0;
    }
    const uint64_t page_size = size - 1 - PARTS_MAX;
    uint8_t *bytes = exact_copy(data + 1 + PARTS_MAX, page_size);

    pbx_page page;
    pbx_fault fault;
    if (pbx_page_open(bytes, page_size, varies ? 0 : width, &page, &fault) == PBX_OK) {
        pbx_column columns[PARTS_MAX];
        const uint64_t rows = page.count, keys_end = page.value_offsets_at ? page.value_offsets_at : page_size;
        for (uint32_t at = 0; at < part_count; at++) {
            const int tail = parts[at].width == 0;
            const uint64_t room = tail ? keys_end - page.keys_at : 8 * rows;
            columns[at] = (pbx_column){.items = malloc(room + 1),
                                       .offsets = malloc(4 * (rows + 1)),
                                       .size = room,
                                       .item_width = 8,
                                       .item_signed = parts[at].kind == PBX_SIGNED};
            if (columns[at].items == NULL || columns[at].offsets == NULL) abort();
        }
        round_trip(parts, part_count, &page, columns);
        for (uint32_t at = 0; at < part_count; at++) free(columns[at].items), free(columns[at].offsets);
    }
    free(bytes);
    return 0;
}
