/* The parts of keys that have a width: big-endian, sign bit flipped, every bit flipped where `desc`. */
#ifndef PILLARBOX_KEY_NUMBERS_H
#define PILLARBOX_KEY_NUMBERS_H

#include <stdbool.h>

#include "pillarbox_native.h"

/* The first row whose value the part does not take, else `rows`. */
uint32_t fit_numbers(const pbx_part *part, const pbx_column *column, uint32_t rows);

/* Writes the part of `rows` keys that lie `stride` apart; the first row that does not fit, else `rows`. */
uint32_t encode_numbers(const pbx_part *part, const pbx_column *column, uint32_t rows, uint8_t *target,
                        uint64_t stride);

/* Reads the part of `rows` keys; the first row that holds no bool where one should be, else `rows`. */
uint32_t decode_numbers(const pbx_part *part, const pbx_column *column, uint32_t rows, const uint8_t *source,
                        uint64_t stride);

/* The same for one row. The value is known to fit; false: it is no bool. */
void encode_number(const pbx_part *part, const pbx_column *column, uint32_t row, uint8_t *target);
bool decode_number(const pbx_part *part, const pbx_column *column, uint32_t row, const uint8_t *source);

#endif
