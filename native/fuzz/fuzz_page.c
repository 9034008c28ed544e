/* Any bytes as a page: opened, its rows read, compared, and cut; a cut page opens again. */

#include "../page.h"
#include "fuzz.h"

static void cut(const pbx_page *page, uint32_t begin, uint32_t end) {
    uint64_t written = 0;
    MUST(pbx_page_slice(page, begin, end, NULL, 0, &written) == PBX_ROOM);
    uint8_t *target = malloc(written);
    if (target == NULL) abort();
    MUST(pbx_page_slice(page, begin, end, target, written, &written) == PBX_OK);

    pbx_page slice;
    pbx_fault fault;
    MUST(pbx_page_open(target, written, page->key_width, &slice, &fault) == PBX_OK);
    MUST(slice.count == end - begin);
    free(target);
}

/* The first byte is the key width, the second says where to cut. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    const uint32_t width = data[0] % 32;
    const uint64_t page_size = size - 2;
    uint8_t *bytes = exact_copy(data + 2, page_size);

    pbx_page page;
    pbx_fault fault = {0, 0, 0};
    if (pbx_page_open(bytes, page_size, width, &page, &fault) == PBX_OK) {
        uint64_t sum = pbx_hash64(bytes, page_size, data[1]);
        for (uint32_t row = 0; row < page.count; row++) {
            const pbx_span key = page_key(&page, row);
            sum += pbx_hash64(key.bytes, key.size, sum);
            if (page.values_at == 0) continue;
            const pbx_span value = page_value(&page, row);
            sum += pbx_hash64(value.bytes, value.size, sum);
        }
        if (pbx_page_ascending(&page, &fault) != PBX_OK) MUST(fault.row < page.count && fault.offset <= page_size);
        const uint32_t middle = page.count ? (uint32_t)(sum % page.count) : 0;
        cut(&page, 0, middle);
        cut(&page, middle, page.count);
    } else {
        MUST(fault.offset <= page_size);
    }
    free(bytes);
    return 0;
}
