/* 64 bytes of JSON at a time, as bit sets: bit i is byte i. */
#ifndef PILLARBOX_JSON_BLOCKS_H
#define PILLARBOX_JSON_BLOCKS_H

#include "bytes.h"

#if defined(__SSE2__) && !defined(PBX_PORTABLE)
#include <emmintrin.h>
#endif

enum { BLOCK_SIZE = 64 };

typedef struct {
    uint64_t quotes;
    uint64_t backslashes;
    uint64_t brackets;
} json_block;

#if defined(__SSE2__) && !defined(PBX_PORTABLE)

static inline uint64_t equal_bytes(__m128i bytes, char wanted) {
    return (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(wanted)));
}

static inline json_block classify(const uint8_t *bytes) {
    json_block block = {0, 0, 0};
    for (int lane = 0; lane < 4; lane++) {
        const __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * lane));
        const __m128i folded = _mm_or_si128(part, _mm_set1_epi8(0x20)); /* '[' to '{', ']' to '}' */
        block.quotes |= equal_bytes(part, '"') << 16 * lane;
        block.backslashes |= equal_bytes(part, '\\') << 16 * lane;
        block.brackets |= (equal_bytes(folded, '{') | equal_bytes(folded, '}')) << 16 * lane;
    }
    return block;
}

#else

/* The highest bit of each byte that is 0, and no other bit. Exact: no borrow runs into a neighbour. */
static inline uint64_t zero_bytes(uint64_t word) {
    const uint64_t low7 = UINT64_C(0x7F7F7F7F7F7F7F7F);
    return ~(((word & low7) + low7) | word | low7);
}

/* The highest bits of eight bytes, side by side. */
static inline uint64_t gathered(uint64_t high_bits) {
    return (high_bits >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static inline uint64_t equal_bytes(uint64_t word, uint8_t wanted) {
    return zero_bytes(word ^ UINT64_C(0x0101010101010101) * wanted);
}

static inline json_block classify(const uint8_t *bytes) {
    json_block block = {0, 0, 0};
    for (int lane = 0; lane < 8; lane++) {
        const uint64_t word = read_u64(bytes + 8 * lane);
        const uint64_t folded = word | UINT64_C(0x2020202020202020); /* '[' to '{', ']' to '}' */
        block.quotes |= gathered(equal_bytes(word, '"')) << 8 * lane;
        block.backslashes |= gathered(equal_bytes(word, '\\')) << 8 * lane;
        block.brackets |= gathered(equal_bytes(folded, '{') | equal_bytes(folded, '}')) << 8 * lane;
    }
    return block;
}

#endif

/* The bytes behind an odd run of backslashes. `*carry`: the run goes on in the next block. */
static inline uint64_t escaped_bytes(uint64_t backslashes, uint64_t *carry) {
    const uint64_t even = UINT64_C(0x5555555555555555);
    const uint64_t begun = *carry;
    if (backslashes == 0) {
        *carry = 0;
        return begun;
    }
    backslashes &= ~begun;
    const uint64_t follows = backslashes << 1 | begun;
    const uint64_t odd_starts = backslashes & ~even & ~follows;
    const uint64_t ends = odd_starts + backslashes;
    *carry = ends < backslashes;
    return (even ^ ends << 1) & follows;
}

/* Bit i is the parity of bits 0 .. i: from an opening quote up to before its closing one. */
static inline uint64_t parity_so_far(uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
}

#endif
