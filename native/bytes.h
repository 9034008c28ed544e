/* Numbers in buffers, at any alignment and on any machine. */
#ifndef PILLARBOX_BYTES_H
#define PILLARBOX_BYTES_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PBX_LITTLE32(number) (number)
#define PBX_LITTLE64(number) (number)
#define PBX_BIG16(number) __builtin_bswap16(number)
#define PBX_BIG32(number) __builtin_bswap32(number)
#define PBX_BIG64(number) __builtin_bswap64(number)
#else
#define PBX_LITTLE32(number) __builtin_bswap32(number)
#define PBX_LITTLE64(number) __builtin_bswap64(number)
#define PBX_BIG16(number) (number)
#define PBX_BIG32(number) (number)
#define PBX_BIG64(number) (number)
#endif

static inline uint32_t read_u32(const uint8_t *source) {
    uint32_t number;
    memcpy(&number, source, sizeof number);
    return PBX_LITTLE32(number);
}

static inline uint64_t read_u64(const uint8_t *source) {
    uint64_t number;
    memcpy(&number, source, sizeof number);
    return PBX_LITTLE64(number);
}

static inline void write_u32(uint8_t *target, uint32_t number) {
    number = PBX_LITTLE32(number);
    memcpy(target, &number, sizeof number);
}

#endif
