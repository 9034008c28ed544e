/* One entry point for both ways to fuzz: libFuzzer calls it; without libFuzzer driver.c does. */
#ifndef PILLARBOX_FUZZ_H
#define PILLARBOX_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pillarbox_native.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Memory of exactly `size` bytes, so that a sanitizer sees the first byte read behind it. */
static inline uint8_t *exact_copy(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (copy == NULL) abort();
    if (size) memcpy(copy, data, size);
    return copy;
}

/* What must hold. A failure is a finding, in every build. */
#define MUST(condition) \
    do {                \
        if (!(condition)) abort(); \
    } while (0)

#endif
