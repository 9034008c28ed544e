/* Any bytes as JSON: the ranges lie inside the text and do not depend on where it is cut. */

#include "fuzz.h"

enum { RANGES_MAX = 4096 };

typedef struct {
    pbx_json_range ranges[RANGES_MAX];
    uint32_t count;
    int status;
    uint64_t offset;
} scan_result;

/* Paths: ["a", each, "b"], ["b"] and ["c", each]. */
static const uint32_t NAME_STARTS[] = {0, 1, 1, 2, 3, 4, 4};
static const uint32_t PATH_STARTS[] = {0, 3, 4, 6};
static const pbx_json_paths PATHS = {(const uint8_t *)"abbc", NAME_STARTS, PATH_STARTS, 3};

/* Scans the text in pieces of `step` bytes, with room for `room` ranges at a time. */
static void scan(const uint8_t *text, size_t size, size_t step, uint32_t room, scan_result *result) {
    pbx_json_state state;
    pbx_fault fault = {0, 0, 0};
    memset(result, 0, sizeof *result);
    MUST(pbx_json_start(&PATHS, &state) == PBX_OK);
    for (size_t at = 0; at < size && result->status == PBX_OK;) {
        const size_t piece = size - at < step ? size - at : step;
        uint8_t *chunk = exact_copy(text + at, piece);
        uint32_t count = 0;
        uint64_t consumed = 0;
        const uint32_t left = RANGES_MAX - result->count;
        result->status = pbx_json_feed(&PATHS, &state, chunk, piece, result->ranges + result->count,
                                       left < room ? left : room, &count, &consumed, &fault);
        free(chunk);
        MUST(consumed <= piece);
        at += consumed;
        result->count += count;
        if (result->count == RANGES_MAX) return;
    }
    uint32_t count = 0;
    if (result->status == PBX_OK && result->count < RANGES_MAX)
        result->status = pbx_json_finish(&state, result->ranges + result->count, 1, &count, &fault);
    result->count += count;
    result->offset = result->status == PBX_OK ? 0 : fault.offset;
}

/* The first byte says how to cut. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static scan_result whole, cut;
    if (size < 1) return 0;
    const uint8_t *text = data + 1;
    size--;
    scan(text, size, size + 1, RANGES_MAX, &whole);
    scan(text, size, 1 + data[0] % 80, 1 + data[0] % 3, &cut);

    MUST(whole.status == cut.status && whole.offset == cut.offset && whole.count == cut.count);
    for (uint32_t at = 0; at < whole.count; at++) {
        const pbx_json_range one = whole.ranges[at], other = cut.ranges[at];
        MUST(one.begin == other.begin && one.end == other.end && one.kind == other.kind && one.path == other.path);
        MUST(one.begin < one.end && one.end <= size && one.path < 3);
    }
    MUST(whole.offset <= size);
    return 0;
}
