/* Pages: u32 count, keys, and in a page of rows u32 offsets (count + 1) and values. Little-endian.
 *
 * Keys of one width lie back to back; other keys follow u32 offsets (count + 1) of their own. Offsets count
 * from the first byte behind them, begin with 0 and never decrease. */

#include "page.h"

#define HASH_STRING2(text) #text
#define HASH_STRING(text) HASH_STRING2(text)

uint32_t pbx_abi_version(void) { return 1; }

const char *pbx_interface_hash(void) { return HASH_STRING(PBX_INTERFACE_HASH); }

static int page_fault(pbx_fault *fault, int status, uint64_t offset) {
    fault->offset = offset;
    return status;
}

/* Checks the offsets that begin at `*at`, and moves `*at` behind the bytes that they cut up. */
static int check_offsets(const uint8_t *bytes, uint64_t size, uint32_t count, uint64_t *at, pbx_fault *fault) {
    const uint64_t offsets_size = 4 * ((uint64_t)count + 1);
    if (size - *at < offsets_size) return page_fault(fault, PBX_PAGE_SHORT, size);

    uint32_t before = 0;
    for (uint64_t row = 0; row <= count; row++) {
        const uint32_t offset = read_u32(bytes + *at + 4 * row);
        if (offset < before || (row == 0 && offset != 0))
            return page_fault(fault, PBX_PAGE_OFFSETS, *at + 4 * row);
        before = offset;
    }
    if (size - *at - offsets_size < before) return page_fault(fault, PBX_PAGE_SHORT, size);
    *at += offsets_size + before;
    return PBX_OK;
}

/* `key_width` 0: keys of many widths. After PBX_OK every row lies inside `bytes`. */
int pbx_page_open(const uint8_t *bytes, uint64_t size, uint32_t key_width, pbx_page *page, pbx_fault *fault) {
    if (size < 4) return page_fault(fault, PBX_PAGE_SHORT, size);
    *page = (pbx_page){.bytes = bytes, .size = size, .count = read_u32(bytes), .key_width = key_width};

    uint64_t at = 4;
    if (key_width == 0) {
        page->key_offsets_at = at;
        page->keys_at = at + 4 * ((uint64_t)page->count + 1);
        const int status = check_offsets(bytes, size, page->count, &at, fault);
        if (status != PBX_OK) return status;
    } else {
        if ((size - at) / key_width < page->count) return page_fault(fault, PBX_PAGE_SHORT, size);
        page->keys_at = at;
        at += (uint64_t)page->count * key_width;
    }
    if (at == size) return PBX_OK;

    page->value_offsets_at = at;
    page->values_at = at + 4 * ((uint64_t)page->count + 1);
    const int status = check_offsets(bytes, size, page->count, &at, fault);
    if (status != PBX_OK) return status;
    return at == size ? PBX_OK : page_fault(fault, PBX_PAGE_TRAILING, at);
}

/* Whether each key is above the one before it; else `fault->row` is the first that is not. */
int pbx_page_ascending(const pbx_page *page, pbx_fault *fault) {
    for (uint32_t row = 1; row < page->count; row++) {
        const pbx_span before = page_key(page, row - 1), key = page_key(page, row);
        const uint64_t common = before.size < key.size ? before.size : key.size;
        const int order = common == 0 ? 0 : memcmp(before.bytes, key.bytes, common);
        if (order > 0 || (order == 0 && before.size >= key.size)) {
            fault->row = row;
            return page_fault(fault, PBX_PAGE_ORDER, (uint64_t)(key.bytes - page->bytes));
        }
    }
    return PBX_OK;
}

/* Copies the offsets and bytes of rows begin .. end to `target`; the caller has seen that there is room. */
static uint8_t *slice_spans(const pbx_page *page, uint64_t offsets_at, uint64_t base, uint32_t begin,
                            uint32_t end, uint8_t *target) {
    const uint8_t *offsets = page->bytes + offsets_at;
    const uint32_t first = read_u32(offsets + 4 * (uint64_t)begin);
    for (uint64_t row = begin; row <= end; row++, target += 4)
        write_u32(target, read_u32(offsets + 4 * row) - first);
    const uint32_t size = read_u32(offsets + 4 * (uint64_t)end) - first;
    memcpy(target, page->bytes + base + first, size);
    return target + size;
}

static uint64_t spans_size(const pbx_page *page, uint64_t offsets_at, uint32_t begin, uint32_t end) {
    const uint8_t *offsets = page->bytes + offsets_at;
    const uint32_t size =
        read_u32(offsets + 4 * (uint64_t)end) - read_u32(offsets + 4 * (uint64_t)begin);
    return 4 * ((uint64_t)end - begin + 1) + size;
}

/* Writes rows begin .. end as a page of their own. `*written` is its size, also when there is no room. */
int pbx_page_slice(const pbx_page *page, uint32_t begin, uint32_t end, uint8_t *target, uint64_t room,
                   uint64_t *written) {
    if (begin > end || end > page->count) return PBX_SHAPE;
    *written = 4;
    *written += page->key_width ? (uint64_t)(end - begin) * page->key_width
                                : spans_size(page, page->key_offsets_at, begin, end);
    if (page->values_at) *written += spans_size(page, page->value_offsets_at, begin, end);
    if (room < *written) return PBX_ROOM;

    write_u32(target, end - begin);
    target += 4;
    if (page->key_width) {
        const uint64_t size = (uint64_t)(end - begin) * page->key_width;
        memcpy(target, page->bytes + page->keys_at + (uint64_t)begin * page->key_width, size);
        target += size;
    } else {
        target = slice_spans(page, page->key_offsets_at, page->keys_at, begin, end, target);
    }
    if (page->values_at) slice_spans(page, page->value_offsets_at, page->values_at, begin, end, target);
    return PBX_OK;
}

/* ------------------------------------------------------------------------------------- XXH64 */

static const uint64_t PRIME1 = 0x9E3779B185EBCA87u, PRIME2 = 0xC2B2AE3D27D4EB4Fu,
                      PRIME3 = 0x165667B19E3779F9u, PRIME4 = 0x85EBCA77C2B2AE63u,
                      PRIME5 = 0x27D4EB2F165667C5u;

static inline uint64_t rotated(uint64_t number, int bits) { return number << bits | number >> (64 - bits); }

static inline uint64_t hash_round(uint64_t lane, uint64_t word) {
    return rotated(lane + word * PRIME2, 31) * PRIME1;
}

static uint64_t hash_lanes(const uint8_t **bytes, uint64_t *size, uint64_t seed) {
    uint64_t lanes[4] = {seed + PRIME1 + PRIME2, seed + PRIME2, seed, seed - PRIME1};
    for (; *size >= 32; *bytes += 32, *size -= 32)
        for (int lane = 0; lane < 4; lane++)
            lanes[lane] = hash_round(lanes[lane], read_u64(*bytes + 8 * lane));

    uint64_t hash =
        rotated(lanes[0], 1) + rotated(lanes[1], 7) + rotated(lanes[2], 12) + rotated(lanes[3], 18);
    for (int lane = 0; lane < 4; lane++)
        hash = (hash ^ hash_round(0, lanes[lane])) * PRIME1 + PRIME4;
    return hash;
}

/* XXH64, the published one. For checksums, not against an adversary. */
uint64_t pbx_hash64(const uint8_t *bytes, uint64_t size, uint64_t seed) {
    uint64_t rest = size;
    uint64_t hash = size >= 32 ? hash_lanes(&bytes, &rest, seed) : seed + PRIME5;
    hash += size;
    for (; rest >= 8; bytes += 8, rest -= 8)
        hash = rotated(hash ^ hash_round(0, read_u64(bytes)), 27) * PRIME1 + PRIME4;
    if (rest >= 4) {
        hash = rotated(hash ^ read_u32(bytes) * PRIME1, 23) * PRIME2 + PRIME3;
        bytes += 4, rest -= 4;
    }
    for (; rest > 0; bytes++, rest--)
        hash = rotated(hash ^ *bytes * PRIME5, 11) * PRIME1;
    hash = (hash ^ hash >> 33) * PRIME2;
    hash = (hash ^ hash >> 29) * PRIME3;
    return hash ^ hash >> 32;
}
