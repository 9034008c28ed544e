/* Any bytes as records of any layout: what decodes encodes to the same bytes. */

#include "../page.h"
#include "fuzz.h"

enum { FIELDS_MAX = 5 };

static const uint8_t DEFAULT_BYTES[] = "ab";

/* In stored order: those with a width before those without. */
static const pbx_field KINDS[] = {
    {{PBX_UNSIGNED, 1, 0}, 0, 0, 7, NULL},
    {{PBX_UNSIGNED, 8, 0}, 0, 0, 1, NULL},
    {{PBX_SIGNED, 1, 0}, 0, 0, UINT64_MAX, NULL},
    {{PBX_SIGNED, 2, 0}, 0, 0, 0, NULL},
    {{PBX_SIGNED, 4, 0}, 0, 0, 0, NULL},
    {{PBX_BOOL, 1, 0}, 0, 0, 1, NULL},
    {{PBX_FLOAT, 8, 0}, 0, 0, UINT64_C(0x3FF8000000000000), NULL},
    {{PBX_FLOAT, 8, 0}, 0, 0, 0, NULL},
    {{PBX_TEXT, 0, 0}, 0, 0, 2, DEFAULT_BYTES},
    {{PBX_BYTES, 0, 0}, 0, 0, 0, NULL},
};
enum { KINDS_COUNT = sizeof KINDS / sizeof KINDS[0] };

static int is_tail(const pbx_field *field) { return field->part.width == 0; }

/* The first bytes choose kinds, in stored order, and which are optional or have their default. */
static uint32_t layout_of(const uint8_t *data, pbx_field *fields) {
    uint32_t count = 0;
    uint8_t flag = 1;
    for (int tails = 0; tails < 2; tails++)
        for (uint32_t at = 0; at < FIELDS_MAX; at++) {
            const pbx_field *kind = &KINDS[data[at] % KINDS_COUNT];
            if (data[at] >= 0xF0 || is_tail(kind) != tails) continue;
            fields[count] = *kind;
            if (data[at] & 0x60) {
                fields[count].flag = flag;
                flag = (uint8_t)(flag << 1);
                fields[count].optional = (data[at] & 0x20) != 0;
            }
            count++;
        }
    return count;
}

static void round_trip(const pbx_field *fields, uint32_t count, const pbx_page *page, const pbx_column *columns) {
    pbx_fault fault = {0, 0, 0};
    const int status = pbx_records_decode(fields, count, page, columns, &fault);
    MUST(status == PBX_OK || status == PBX_RECORD);
    if (status != PBX_OK) {
        MUST(fault.row < page->count);
        return;
    }
    const uint64_t begin = page->values_at ? page->value_offsets_at : 4, size = page->size - begin + 4;
    uint8_t *again = malloc(size);
    uint64_t written = 0;
    if (again == NULL) abort();
    MUST(pbx_records_encode(fields, count, columns, page->count, again, size, &written, &fault) == PBX_OK);
    MUST(written == size && memcmp(again + 4, page->bytes + begin, size - 4) == 0);
    MUST(pbx_records_encode(fields, count, columns, page->count, again, size - 1, &written, &fault) == PBX_ROOM);
    free(again);
}

/* The rest is a page of values, or of rows with keys of two bytes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1 + FIELDS_MAX) return 0;
    pbx_field fields[FIELDS_MAX];
    const uint32_t count = layout_of(data + 1, fields);
    const uint64_t page_size = size - 1 - FIELDS_MAX;
    uint8_t *bytes = exact_copy(data + 1 + FIELDS_MAX, page_size);

    pbx_page page;
    pbx_fault fault;
    const uint32_t key_width = data[0] % 2 ? 2 : 0;
    if (pbx_page_open(bytes, page_size, key_width, &page, &fault) == PBX_OK && (page.values_at || !key_width)) {
        pbx_column columns[FIELDS_MAX];
        const uint64_t rows = page.count;
        for (uint32_t at = 0; at < count; at++) {
            const uint64_t room = is_tail(&fields[at]) ? page_size + fields[at].default_value * rows : 8 * rows;
            columns[at] = (pbx_column){.items = malloc(room + 1),
                                       .offsets = malloc(4 * (rows + 1)),
                                       .size = room,
                                       .item_width = 8,
                                       .item_signed = fields[at].part.kind == PBX_SIGNED,
                                       .present = malloc(rows + 1)};
            if (columns[at].items == NULL || columns[at].offsets == NULL || columns[at].present == NULL) abort();
            memset(columns[at].present, 0xAA, rows + 1); /* So that what is left as it was is seen. */
        }
        round_trip(fields, count, &page, columns);
        for (uint32_t at = 0; at < count; at++)
            free(columns[at].items), free(columns[at].offsets), free(columns[at].present);
    }
    free(bytes);
    return 0;
}
