/* Any bytes as pages of one table: sorted together their keys ascend, and each row is one of theirs, the last. */

#include "../page.h"
#include "fuzz.h"

enum { PAGES_MAX = 3 };

static int same(pbx_span one, pbx_span other) {
    return one.size == other.size && (one.size == 0 || memcmp(one.bytes, other.bytes, one.size) == 0);
}

/* Every row of the pages is there, and its value is that of the last one with its key. */
static void check_rows(const pbx_page *pages, uint32_t page_count, const pbx_page *result) {
    uint32_t at = 0, found = 0;
    for (; at < result->count; at++) {
        const pbx_span key = page_key(result, at);
        const pbx_page *last = NULL;
        uint32_t last_row = 0;
        for (uint32_t page = 0; page < page_count; page++)
            for (uint32_t row = 0; row < pages[page].count; row++)
                if (same(page_key(&pages[page], row), key)) last = &pages[page], last_row = row, found++;
        MUST(last != NULL);
        if (result->values_at) MUST(same(page_value(result, at), page_value(last, last_row)));
    }
    uint32_t rows = 0;
    for (uint32_t page = 0; page < page_count; page++) rows += pages[page].count;
    MUST(found == rows);
}

static void sort(const pbx_page *pages, uint32_t page_count, uint64_t rows, uint64_t room) {
    pbx_entry *entries = malloc(2 * rows * sizeof *entries + 1);
    uint8_t *target = malloc(room);
    uint64_t written = 0;
    if (entries == NULL || target == NULL) abort();
    int alike = 1;
    for (uint32_t at = 0; at < page_count; at++) alike = alike && !pages[at].values_at == !pages[0].values_at;
    const int status = pbx_pages_sort(pages, page_count, entries, 2 * rows, target, room, &written);
    MUST(status == (alike ? PBX_OK : PBX_SHAPE));
    if (alike) {
        pbx_page result;
        pbx_fault fault;
        MUST(written <= room && pbx_page_open(target, written, pages[0].key_width, &result, &fault) == PBX_OK);
        MUST(pbx_page_ascending(&result, &fault) == PBX_OK);
        check_rows(pages, page_count, &result);
        MUST(pbx_pages_sort(pages, page_count, entries, 2 * rows, target, written - 1, &written) == PBX_ROOM);
    }
    free(target);
    free(entries);
}

/* The first byte is the key width, the next ones say where to cut the rest into pages. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1 + PAGES_MAX) return 0;
    const uint32_t width = data[0] % 12;
    const uint8_t *rest = data + 1 + PAGES_MAX;
    uint64_t left = size - 1 - PAGES_MAX, rows = 0, room = 0;
    pbx_page pages[PAGES_MAX];
    uint8_t *bytes[PAGES_MAX];
    uint32_t count = 0;
    for (uint32_t at = 0; at < PAGES_MAX; at++) {
        const uint64_t piece = data[1 + at] == 0xFF || data[1 + at] > left ? left : data[1 + at];
        pbx_fault fault;
        bytes[count] = exact_copy(rest, piece);
        if (pbx_page_open(bytes[count], piece, width, &pages[count], &fault) == PBX_OK)
            rows += pages[count].count, room += piece, count++;
        else
            free(bytes[count]);
        rest += piece, left -= piece;
    }
    if (count > 0 && rows < 300) sort(pages, count, rows, room);
    for (uint32_t at = 0; at < count; at++) free(bytes[at]);
    return 0;
}
