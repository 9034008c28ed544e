/* Paths of member names. A path's level is the count of names before a place: level 0 is the root. */
#ifndef PILLARBOX_JSON_PATHS_H
#define PILLARBOX_JSON_PATHS_H

#include <stdbool.h>

#include "pillarbox_native.h"

uint32_t segments(const pbx_json_paths *paths, uint32_t path);

/* Whether another path begins with this one, so that its elements would have to be walked as well. */
bool begins_another(const pbx_json_paths *paths, uint32_t path);

/* Of the paths in `matched`, those whose name at this level has `byte` as the byte `index`. */
uint32_t still_matching(const pbx_json_paths *paths, uint32_t matched, uint32_t level, uint32_t index,
                        uint8_t byte);

/* Of the paths in `matched`, those whose name at this level has this size. */
uint32_t wholly_matching(const pbx_json_paths *paths, uint32_t matched, uint32_t level, uint32_t size);

/* Of the paths in `matched`, those that go on inside a container opened by `byte`. */
uint32_t going_into(const pbx_json_paths *paths, uint32_t matched, uint32_t level, uint8_t byte);

#endif
