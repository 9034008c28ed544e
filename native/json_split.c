/* Finds the elements of arrays inside one huge JSON value, a chunk at a time, in memory that does not grow.
 *
 * Containers on a path are walked byte by byte, strictly. Everything else, elements above all, is skipped 64
 * bytes at a time: only quotes, backslashes and brackets matter there, so that an element which no parser
 * takes (`\x1F` in a string, say) is still found, and can be set aside alone. A backslash takes the meaning
 * from a quote behind it wherever it stands. Brackets deeper than PBX_JSON_DEPTH_MAX are counted, not compared:
 * whoever reads an element so deep would need a stack without a limit. */

#include "json_blocks.h"
#include "json_paths.h"

#include <stdbool.h>

enum phase {
    EXPECT_VALUE,          /* a value, behind nothing, a colon or a comma */
    EXPECT_FIRST_VALUE,    /* a value or the end of the array */
    EXPECT_NAME,           /* a member, behind a comma */
    EXPECT_FIRST_NAME,     /* a member or the end of the object */
    EXPECT_COLON,
    EXPECT_COMMA,          /* a comma or the end of the container */
    IN_NAME,
    IN_STRING,
    IN_SCALAR,             /* a number, a literal, or anything else that is no string */
    IN_SKIPPED,            /* a container that is on no path */
    EXPECT_END             /* white space alone */
};

typedef struct {
    const pbx_json_paths *paths;
    pbx_json_state *state;
    const uint8_t *chunk;
    uint64_t size;
    uint64_t at;
    pbx_json_range *ranges;
    uint32_t count;
} scan;

static bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

static bool is_opening(uint8_t byte) { return byte == '{' || byte == '['; }

/* Puts the state before the first byte. PBX_JSON_PATHS: none, too many, too long, or one begins another. */
int pbx_json_start(const pbx_json_paths *paths, pbx_json_state *state) {
    if (paths->path_count == 0 || paths->path_count > PBX_PATHS_MAX) return PBX_JSON_PATHS;
    for (uint32_t path = 0; path < paths->path_count; path++)
        if (segments(paths, path) > PBX_SEGMENTS_MAX || begins_another(paths, path)) return PBX_JSON_PATHS;
    memset(state, 0, sizeof *state);
    state->candidates = (uint32_t)((UINT64_C(1) << paths->path_count) - 1);
    state->phase = EXPECT_VALUE;
    return PBX_OK;
}

/* --------------------------------------------------------------------------- values, brackets */

static void emit(scan *scan, uint32_t kind, uint32_t path, uint64_t begin, uint64_t end) {
    scan->ranges[scan->count++] = (pbx_json_range){begin, end, kind, path};
}

static bool is_brace(const pbx_json_state *state, uint32_t depth) {
    return state->braces[(depth - 1) / 64] >> (depth - 1) % 64 & 1;
}

static inline void push(pbx_json_state *state, uint8_t byte) {
    if (state->depth == PBX_JSON_DEPTH_MAX) {
        state->beyond++;
        if (state->value_kind == PBX_ELEMENT) state->value_kind = PBX_DEEP;
        return;
    }
    const uint64_t bit = UINT64_C(1) << state->depth % 64;
    uint64_t *braces = &state->braces[state->depth++ / 64];
    *braces = byte == '{' ? *braces | bit : *braces & ~bit;
}

static void end_value(scan *scan, uint64_t end) {
    pbx_json_state *state = scan->state;
    if (state->value_kind) emit(scan, state->value_kind, state->value_path, state->value_begin, end);
    state->value_kind = 0;
    state->phase = state->depth ? EXPECT_COMMA : EXPECT_END;
}

/* Enters a container that is on a path. */
static void enter(scan *scan, uint8_t byte, uint32_t matched, bool in_array) {
    pbx_json_state *state = scan->state;
    const uint32_t level = state->depth;
    push(state, byte);
    state->matched[level] = matched;
    state->owner_begin[level] = state->position + scan->at;
    state->rest_begin[level] = 0;
    state->in_array = in_array;
    state->phase = byte == '{' ? EXPECT_FIRST_NAME : EXPECT_FIRST_VALUE;
    scan->at++;
}

/* Enters the container that a value on a path is; false when it is not what the path needs. */
static bool begin_matched(scan *scan, uint8_t byte, uint32_t matched) {
    pbx_json_state *state = scan->state;
    const uint32_t level = state->depth, path = (uint32_t)__builtin_ctz(matched);
    /* No path begins another, so where one ends no other goes on. */
    const bool ends = segments(scan->paths, path) == level;
    const uint32_t onward = ends || !is_opening(byte) ? 0 : going_into(scan->paths, matched, level, byte);
    if (onward != 0 || (ends && byte == '[')) {
        if (ends) {
            if (level > 0 && is_brace(state, level))
                emit(scan, PBX_OWNER, path, state->owner_begin[level - 1], state->position + scan->at);
            state->array_path = path;
        }
        enter(scan, byte, onward, ends);
        return true;
    }
    state->value_kind = PBX_OTHER;
    state->value_path = path;
    return false;
}

static int begin_value(scan *scan, uint8_t byte) {
    pbx_json_state *state = scan->state;
    if (byte == ',' || byte == ':' || byte == ']' || byte == '}') return PBX_JSON_SYNTAX;
    state->value_begin = state->position + scan->at;
    if (state->in_array) {
        state->value_kind = PBX_ELEMENT;
        state->value_path = state->array_path;
    } else if (state->candidates && begin_matched(scan, byte, state->candidates)) {
        return PBX_OK;
    }
    state->escaped = state->in_string = 0;
    if (is_opening(byte)) {
        state->skip_above = state->depth;
        push(state, byte);
        state->phase = IN_SKIPPED;
    } else {
        state->phase = byte == '"' ? IN_STRING : IN_SCALAR;
    }
    scan->at++;
    return PBX_OK;
}

/* Leaves a container that is on a path. */
static int leave(scan *scan, uint8_t byte) {
    pbx_json_state *state = scan->state;
    const uint32_t level = state->depth - 1;
    if (is_brace(state, state->depth) != (byte == '}')) return PBX_JSON_MISMATCH;
    const uint64_t end = state->position + ++scan->at;
    if (state->in_array) {
        state->in_array = 0;
        if (level > 0 && is_brace(state, level)) {
            state->rest_begin[level - 1] = end;
            state->rest_path[level - 1] = state->array_path;
        }
    } else if (state->rest_begin[level]) {
        emit(scan, PBX_REST, state->rest_path[level], state->rest_begin[level], end);
    }
    state->depth--;
    end_value(scan, end);
    return PBX_OK;
}

/* ------------------------------------------------------------------------------------ walking */

static int expect_comma(scan *scan, uint8_t byte) {
    pbx_json_state *state = scan->state;
    if (byte == ']' || byte == '}') return leave(scan, byte);
    if (byte != ',') return PBX_JSON_SYNTAX;
    const bool object = is_brace(state, state->depth);
    state->candidates = object ? 0 : state->matched[state->depth - 1];
    state->phase = object ? EXPECT_NAME : EXPECT_VALUE;
    scan->at++;
    return PBX_OK;
}

static int expect_name(scan *scan, uint8_t byte) {
    pbx_json_state *state = scan->state;
    if (byte != '"') return PBX_JSON_SYNTAX;
    state->candidates = state->matched[state->depth - 1];
    state->name_size = 0;
    state->escaped = 0;
    state->phase = IN_NAME;
    scan->at++;
    return PBX_OK;
}

static int expect_colon(scan *scan, uint8_t byte) {
    if (byte != ':') return PBX_JSON_SYNTAX;
    scan->state->phase = EXPECT_VALUE;
    scan->at++;
    return PBX_OK;
}

static int expect_first_value(scan *scan, uint8_t byte) {
    pbx_json_state *state = scan->state;
    if (byte == ']' || byte == '}') return leave(scan, byte);
    state->candidates = state->matched[state->depth - 1];
    return begin_value(scan, byte);
}

/* One byte that is no white space, where a token is expected. */
static int walk(scan *scan, uint8_t byte) {
    switch (scan->state->phase) {
        case EXPECT_VALUE: return begin_value(scan, byte);
        case EXPECT_FIRST_VALUE: return expect_first_value(scan, byte);
        case EXPECT_FIRST_NAME:
            if (byte == ']' || byte == '}') return leave(scan, byte);
            return expect_name(scan, byte);
        case EXPECT_NAME: return expect_name(scan, byte);
        case EXPECT_COLON: return expect_colon(scan, byte);
        case EXPECT_COMMA: return expect_comma(scan, byte);
        default: return PBX_JSON_SYNTAX;
    }
}

/* ------------------------------------------------------------------------ names, strings, skipping */

/* The name's bytes as they are written: an escaped name is not the one that it means. */
static void read_name(scan *scan) {
    pbx_json_state *state = scan->state;
    const uint32_t level = state->depth - 1;
    for (; scan->at < scan->size; scan->at++) {
        const uint8_t byte = scan->chunk[scan->at];
        if (byte == '"' && !state->escaped) {
            state->candidates = wholly_matching(scan->paths, state->candidates, level, state->name_size);
            state->phase = EXPECT_COLON;
            scan->at++;
            return;
        }
        state->escaped = byte == '\\' && !state->escaped;
        state->candidates = still_matching(scan->paths, state->candidates, level, state->name_size, byte);
        if (state->candidates) state->name_size++;
    }
}

static void read_string(scan *scan) {
    pbx_json_state *state = scan->state;
    while (scan->at < scan->size) {
        const uint8_t byte = scan->chunk[scan->at++];
        if (byte == '"' && !state->escaped) {
            end_value(scan, state->position + scan->at);
            return;
        }
        state->escaped = byte == '\\' && !state->escaped;
    }
}

static void read_scalar(scan *scan) {
    for (; scan->at < scan->size; scan->at++) {
        const uint8_t byte = scan->chunk[scan->at];
        if (is_space(byte) || is_opening(byte) || byte == ',' || byte == ':' || byte == '"' ||
            byte == ']' || byte == '}') {
            end_value(scan, scan->state->position + scan->at);
            return;
        }
    }
}

/* A bracket outside of strings. */
static inline int skip_bracket(pbx_json_state *state, uint8_t byte) {
    if (is_opening(byte))
        push(state, byte);
    else if (state->beyond)
        state->beyond--;
    else if (is_brace(state, state->depth) != (byte == '}'))
        return PBX_JSON_MISMATCH;
    else
        state->depth--;
    return PBX_OK;
}

/* Skips whole blocks, up to the end of the container. */
static int skip_blocks(scan *scan) {
    pbx_json_state *state = scan->state;
    uint64_t carry = state->escaped;
    uint64_t inside = state->in_string ? UINT64_MAX : 0;
    for (; scan->size - scan->at >= BLOCK_SIZE; scan->at += BLOCK_SIZE) {
        const uint8_t *bytes = scan->chunk + scan->at;
        const json_block block = classify(bytes);
        const uint64_t quotes = block.quotes & ~escaped_bytes(block.backslashes, &carry);
        const uint64_t strings = parity_so_far(quotes) ^ inside;
        inside = 0 - (strings >> 63);
        for (uint64_t rest = block.brackets & ~strings; rest != 0; rest &= rest - 1) {
            const uint32_t index = (uint32_t)__builtin_ctzll(rest);
            const int status = skip_bracket(state, bytes[index]);
            if (status == PBX_OK && state->depth > state->skip_above) continue;
            scan->at += index;
            if (status != PBX_OK) return status;
            scan->at++;
            end_value(scan, state->position + scan->at);
            return PBX_OK;
        }
    }
    state->escaped = carry != 0;
    state->in_string = inside != 0;
    return PBX_OK;
}

/* What `skip_blocks` does, for the last bytes of a chunk. */
static int skip_bytes(scan *scan) {
    pbx_json_state *state = scan->state;
    for (; scan->at < scan->size; scan->at++) {
        const uint8_t byte = scan->chunk[scan->at];
        const bool escaped = state->escaped;
        state->escaped = byte == '\\' && !escaped;
        if (byte == '"' && !escaped) state->in_string = !state->in_string;
        if (state->in_string || (!is_opening(byte) && byte != ']' && byte != '}')) continue;
        const int status = skip_bracket(state, byte);
        if (status != PBX_OK) return status;
        if (state->depth > state->skip_above) continue;
        scan->at++;
        end_value(scan, state->position + scan->at);
        return PBX_OK;
    }
    return PBX_OK;
}

static int skip(scan *scan) {
    const int status = skip_blocks(scan);
    return status == PBX_OK && scan->state->phase == IN_SKIPPED ? skip_bytes(scan) : status;
}

static int step(scan *scan) {
    switch (scan->state->phase) {
        case IN_NAME: read_name(scan); return PBX_OK;
        case IN_STRING: read_string(scan); return PBX_OK;
        case IN_SCALAR: read_scalar(scan); return PBX_OK;
        case IN_SKIPPED: return skip(scan);
        default:
            if (is_space(scan->chunk[scan->at])) {
                scan->at++;
                return PBX_OK;
            }
            return walk(scan, scan->chunk[scan->at]);
    }
}

/* Scans a chunk until it ends, `ranges` is full (feed the rest again) or something is wrong.
 *
 * ELEMENT: an element. DEEP: one with brackets that were only counted. OWNER: from the object that has the
 * array up to the array. REST: from behind the last such array to the object's end. OTHER: a value on a path
 * that is not the container which the path needs. */
int pbx_json_feed(const pbx_json_paths *paths, pbx_json_state *state, const uint8_t *chunk, uint64_t size,
                  pbx_json_range *ranges, uint32_t ranges_max, uint32_t *ranges_count, uint64_t *consumed,
                  pbx_fault *fault) {
    scan scan = {paths, state, chunk, size, 0, ranges, 0};
    int status = PBX_OK;
    while (status == PBX_OK && scan.at < size && scan.count < ranges_max) status = step(&scan);

    *ranges_count = scan.count;
    *consumed = scan.at;
    state->position += scan.at;
    fault->offset = state->position;
    return status;
}

/* Ends the input. PBX_JSON_TRUNCATED: inside the value; the fault is where the element that was begun
 * begins, else where the input ends. */
int pbx_json_finish(pbx_json_state *state, pbx_json_range *ranges, uint32_t ranges_max,
                    uint32_t *ranges_count, pbx_fault *fault) {
    scan scan = {NULL, state, NULL, 0, 0, ranges, 0};
    *ranges_count = 0;
    if (ranges_max == 0) return PBX_ROOM;
    if (state->phase == IN_SCALAR && state->depth == 0) end_value(&scan, state->position);
    *ranges_count = scan.count;
    fault->offset = state->value_kind ? state->value_begin : state->position;
    return state->phase == EXPECT_END ? PBX_OK : PBX_JSON_TRUNCATED;
}
