/* Which paths a value may be on: sets of up to 32 paths, a bit each. */

#include "json_paths.h"

#include <string.h>

uint32_t segments(const pbx_json_paths *paths, uint32_t path) {
    return paths->path_starts[path + 1] - paths->path_starts[path];
}

static uint32_t segment_size(const pbx_json_paths *paths, uint32_t path, uint32_t level, uint32_t *begin) {
    const uint32_t name = paths->path_starts[path] + level;
    *begin = paths->name_starts[name];
    return paths->name_starts[name + 1] - *begin;
}

static bool is_each(const pbx_json_paths *paths, uint32_t path, uint32_t level) {
    uint32_t begin;
    return segment_size(paths, path, level, &begin) == 0;
}

/* Whether the second path begins with the first. */
static bool is_prefix(const pbx_json_paths *paths, uint32_t first, uint32_t second) {
    if (segments(paths, first) > segments(paths, second)) return false;
    for (uint32_t level = 0; level < segments(paths, first); level++) {
        uint32_t first_begin, second_begin;
        const uint32_t size = segment_size(paths, first, level, &first_begin);
        if (segment_size(paths, second, level, &second_begin) != size) return false;
        if (memcmp(paths->names + first_begin, paths->names + second_begin, size) != 0) return false;
    }
    return true;
}

bool begins_another(const pbx_json_paths *paths, uint32_t path) {
    for (uint32_t other = 0; other < paths->path_count; other++)
        if (other != path && is_prefix(paths, path, other)) return true;
    return false;
}

uint32_t still_matching(const pbx_json_paths *paths, uint32_t matched, uint32_t level, uint32_t index,
                        uint8_t byte) {
    for (uint32_t rest = matched; rest != 0; rest &= rest - 1) {
        const uint32_t path = (uint32_t)__builtin_ctz(rest);
        uint32_t begin;
        const uint32_t size = segment_size(paths, path, level, &begin);
        if (index >= size || paths->names[begin + index] != byte) matched &= ~(UINT32_C(1) << path);
    }
    return matched;
}

uint32_t wholly_matching(const pbx_json_paths *paths, uint32_t matched, uint32_t level, uint32_t size) {
    for (uint32_t rest = matched; rest != 0; rest &= rest - 1) {
        const uint32_t path = (uint32_t)__builtin_ctz(rest);
        uint32_t begin;
        if (segment_size(paths, path, level, &begin) != size) matched &= ~(UINT32_C(1) << path);
    }
    return matched;
}

uint32_t going_into(const pbx_json_paths *paths, uint32_t matched, uint32_t level, uint8_t byte) {
    for (uint32_t rest = matched; rest != 0; rest &= rest - 1) {
        const uint32_t path = (uint32_t)__builtin_ctz(rest);
        if (is_each(paths, path, level) != (byte == '[')) matched &= ~(UINT32_C(1) << path);
    }
    return matched;
}
