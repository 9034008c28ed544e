/* Runs a fuzz target without libFuzzer: DRIVER ROUNDS SEED [FILE...].
 *
 * Each round takes one of the files (without files: random bytes), damages it a little and hands it to the
 * target. The same seed gives the same inputs. A sanitizer, or a MUST, ends the process. */

#include "fuzz.h"

#include <stdio.h>

enum { SIZE_MAX_BYTES = 4096, SEEDS_MAX = 64 };

static uint64_t state;

/* xorshift64*: enough to choose bytes. */
static uint64_t random_number(uint64_t below) {
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return (state * UINT64_C(2685821657736338717) >> 33) % below;
}

static uint8_t random_byte(void) {
    static const uint8_t TELLING[] = {0,   1,   2,   3,   4,   8,   0x20, 0x7F, 0x80, 0xFF, '{', '}', '[',
                                      ']', '"', '\\', ',', ':', 'a', 'b', 'c', '1',  ' ',  '\n'};
    return random_number(3) ? TELLING[random_number(sizeof TELLING)] : (uint8_t)random_number(256);
}

static size_t damage(uint8_t *bytes, size_t size) {
    for (uint64_t times = random_number(8); times > 0; times--) {
        const size_t at = size ? random_number(size) : 0;
        switch (random_number(4)) {
            case 0: size = random_number(4) ? size : at; break;
            case 1:
                if (size) bytes[at] = random_byte();
                break;
            case 2:
                if (size == SIZE_MAX_BYTES) break;
                memmove(bytes + at + 1, bytes + at, size++ - at);
                bytes[at] = random_byte();
                break;
            default:
                if (size) memmove(bytes + at, bytes + at + 1, --size - at);
        }
    }
    return size;
}

static size_t read_file(const char *path, uint8_t *bytes) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    const size_t size = fread(bytes, 1, SIZE_MAX_BYTES, file);
    fclose(file);
    return size;
}

int main(int argc, char **argv) {
    static uint8_t seeds[SEEDS_MAX][SIZE_MAX_BYTES], bytes[SIZE_MAX_BYTES];
    static size_t sizes[SEEDS_MAX];
    if (argc < 3 || argc - 3 > SEEDS_MAX) {
        fprintf(stderr, "usage: %s ROUNDS SEED [FILE...], at most %d files\n", argv[0], SEEDS_MAX);
        return 2;
    }
    const int files = argc - 3;
    for (int at = 0; at < files; at++) sizes[at] = read_file(argv[3 + at], seeds[at]);
    const long rounds = strtol(argv[1], NULL, 10), seed = strtol(argv[2], NULL, 10);
    for (long round = 0; round < rounds; round++) {
        state = ((uint64_t)seed << 32 | (uint64_t)round) * UINT64_C(0x9E3779B97F4A7C15) + 1;
        const uint64_t chosen = files ? random_number((uint64_t)files) : 0;
        const size_t size = files ? sizes[chosen] : random_number(64);
        for (size_t at = 0; at < size; at++) bytes[at] = files ? seeds[chosen][at] : random_byte();
        LLVMFuzzerTestOneInput(bytes, damage(bytes, size));
    }
    printf("%ld inputs\n", rounds);
    return 0;
}
