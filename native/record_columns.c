/* Columns to packed records and back: a flags byte, the fixed-width fields that it announces, little-endian,
 * then texts and bytes, each behind its u32 length.
 *
 * Fields come in the order in which they are stored: those with a width first. What is wrong with the row that
 * `fault->row` names, Python says: it reads or writes that one row itself. */

#include "columns.h"
#include "page.h"

static bool is_absent_by_default(const pbx_field *field, uint64_t raw) {
    if (field->part.kind != PBX_FLOAT) return raw == field->default_value;
    double value, other;
    memcpy(&value, &raw, sizeof value);
    memcpy(&other, &field->default_value, sizeof other);
    return value == other; /* As Python compares: -0.0 is 0.0, and no NaN is another. */
}

static bool is_default_tail(const pbx_field *field, const uint8_t *bytes, uint64_t size) {
    if (size != field->default_value) return false;
    return size == 0 || memcmp(bytes, field->default_bytes, size) == 0;
}

/* The first field or column that no layout has, else `field_count`. */
static uint32_t first_misshapen(const pbx_field *fields, uint32_t field_count, const pbx_column *columns,
                                bool decoding) {
    bool behind_tails = false;
    for (uint32_t at = 0; at < field_count; at++) {
        const pbx_part *part = &fields[at].part;
        const pbx_column *column = &columns[at];
        if (part->kind > PBX_FLOAT || part->desc) return at;
        if (fields[at].optional && (column->present == NULL || fields[at].flag == 0)) return at;
        if (is_tail(part)) {
            if (part->width != 0) return at;
            behind_tails = true;
            continue;
        }
        if (behind_tails || !is_width(part->width) || !is_width(column->item_width)) return at;
        if (part->kind == PBX_BOOL && part->width != 1) return at;
        if (part->kind == PBX_FLOAT && (part->width != 8 || column->item_width != 8)) return at;
        if (decoding && !holds_part(column, part)) return at;
    }
    return field_count;
}

/* ------------------------------------------------------------------------------------- encode */

typedef struct {
    uint8_t *at;
    uint64_t room;
} writer;

static bool put(writer *target, const void *bytes, uint64_t size) {
    if (target->room < size) return false;
    if (size != 0) memcpy(target->at, bytes, size);
    target->at += size;
    target->room -= size;
    return true;
}

static bool put_number(writer *target, uint64_t raw, uint8_t width) {
    const uint64_t little = PBX_LITTLE64(raw);
    switch (width) {
        case 1: return put(target, &little, 1);
        case 2: return put(target, &little, 2);
        case 4: return put(target, &little, 4);
        default: return put(target, &little, 8);
    }
}

static int encode_field(const pbx_field *field, const pbx_column *column, const number_rule *rule,
                        uint32_t row, writer *target, uint8_t *flags) {
    if (field->optional && !column->present[row]) return PBX_OK;
    if (is_tail(&field->part)) {
        const uint32_t begin = column->offsets[row], size = column->offsets[row + 1] - begin;
        const uint8_t *bytes = column->items + begin;
        if (field->part.kind == PBX_TEXT && !is_utf8(bytes, size)) return PBX_RECORD_VALUE;
        if (field->flag && !field->optional && is_default_tail(field, bytes, size)) return PBX_OK;
        *flags |= field->flag;
        return put_number(target, size, 4) && put(target, bytes, size) ? PBX_OK : PBX_ROOM;
    }
    const uint64_t raw = item_at(column, row);
    if (raw - rule->low > rule->span) return PBX_RECORD_VALUE;
    if (field->flag && !field->optional && is_absent_by_default(field, raw)) return PBX_OK;
    *flags |= field->flag;
    return put_number(target, raw, field->part.width) ? PBX_OK : PBX_ROOM;
}

/* Writes a page of values: u32 rows, offsets, records. PBX_ROOM: `room` is too small, or they pass 4 GiB. */
int pbx_records_encode(const pbx_field *fields, uint32_t field_count, const pbx_column *columns,
                       uint32_t rows, uint8_t *page, uint64_t room, uint64_t *written, pbx_fault *fault) {
    if (field_count > PBX_PARTS_MAX) return PBX_SHAPE;
    fault->part = first_misshapen(fields, field_count, columns, false);
    if (fault->part < field_count) return PBX_SHAPE;
    number_rule rules[PBX_PARTS_MAX];
    for (uint32_t at = 0; at < field_count; at++) {
        fault->part = at;
        if (!is_tail(&fields[at].part)) rules[at] = rule_of(&fields[at].part, &columns[at]);
        else if (!is_cut_up(&columns[at], rows)) return PBX_SHAPE;
    }

    const uint64_t records_at = 4 + 4 * ((uint64_t)rows + 1);
    if (room < records_at) return PBX_ROOM;
    write_u32(page, rows);
    write_u32(page + 4, 0);
    writer target = {page + records_at, room - records_at};
    for (uint32_t row = 0; row < rows; row++) {
        uint8_t *flags = target.at;
        fault->row = row;
        if (!put(&target, "", 1)) return PBX_ROOM;
        for (uint32_t at = 0; at < field_count; at++) {
            const int status = encode_field(&fields[at], &columns[at], &rules[at], row, &target, flags);
            if (status != PBX_OK) return status;
        }
        const uint64_t size = (uint64_t)(target.at - page) - records_at;
        if (size > UINT32_MAX) return PBX_ROOM;
        write_u32(page + 8 + 4 * (uint64_t)row, (uint32_t)size);
    }
    *written = (uint64_t)(target.at - page);
    return PBX_OK;
}

/* ------------------------------------------------------------------------------------- decode */

static uint64_t load_little(const uint8_t *source, uint8_t width) {
    uint64_t little = 0;
    switch (width) {
        case 1: return *source;
        case 2: memcpy(&little, source, 2); break;
        case 4: memcpy(&little, source, 4); break;
        default: memcpy(&little, source, 8);
    }
    return PBX_LITTLE64(little);
}

/* Appends the value of row `row` to a text or bytes column. */
static int append(const pbx_column *column, uint32_t row, const uint8_t *bytes, uint64_t size) {
    const uint32_t begin = column->offsets[row];
    if (column->size - begin < size || UINT32_MAX - begin < size) return PBX_ROOM;
    if (size != 0) memcpy(column->items + begin, bytes, size);
    column->offsets[row + 1] = begin + (uint32_t)size;
    return PBX_OK;
}

static int set_absent(const pbx_field *field, const pbx_column *column, uint32_t row) {
    if (field->optional) column->present[row] = 0;
    if (is_tail(&field->part))
        return append(column, row, field->default_bytes, field->optional ? 0 : field->default_value);
    set_item(column, row, field->optional ? 0 : field->default_value);
    return PBX_OK;
}

static int decode_field(const pbx_field *field, const pbx_column *column, uint32_t row, pbx_span *rest) {
    const pbx_part *part = &field->part;
    const bool has_default = field->flag && !field->optional;
    if (is_tail(part)) {
        if (rest->size < 4) return PBX_RECORD;
        const uint64_t size = read_u32(rest->bytes);
        const uint8_t *bytes = rest->bytes + 4;
        if (rest->size - 4 < size) return PBX_RECORD;
        if (part->kind == PBX_TEXT && !is_utf8(bytes, size)) return PBX_RECORD;
        if (has_default && is_default_tail(field, bytes, size)) return PBX_RECORD;
        *rest = (pbx_span){bytes + size, rest->size - 4 - size};
        return append(column, row, bytes, size);
    }
    if (rest->size < part->width) return PBX_RECORD;
    uint64_t raw = load_little(rest->bytes, part->width);
    if (part->kind == PBX_SIGNED) raw = with_sign(raw, part->width);
    if (part->kind == PBX_BOOL && raw > 1) return PBX_RECORD;
    if (has_default && is_absent_by_default(field, raw)) return PBX_RECORD;
    *rest = (pbx_span){rest->bytes + part->width, rest->size - part->width};
    set_item(column, row, raw);
    return PBX_OK;
}

static int decode_record(const pbx_field *fields, uint32_t field_count, const pbx_column *columns,
                         uint32_t row, pbx_span rest, uint8_t known) {
    if (rest.size < 1) return PBX_RECORD;
    const uint8_t flags = rest.bytes[0];
    if (flags & ~known) return PBX_RECORD;
    rest = (pbx_span){rest.bytes + 1, rest.size - 1};
    for (uint32_t at = 0; at < field_count; at++) {
        const pbx_field *field = &fields[at];
        const bool is_there = field->flag == 0 || (flags & field->flag);
        if (is_there && field->optional) columns[at].present[row] = 1;
        const int status = is_there ? decode_field(field, &columns[at], row, &rest)
                                    : set_absent(field, &columns[at], row);
        if (status != PBX_OK) return status;
    }
    return rest.size == 0 ? PBX_OK : PBX_RECORD;
}

/* Reads the values of an opened page of rows, or of a page of values, into columns of its count. A text or
 * bytes column needs room for all values and its default once a row, and count + 1 offsets. */
int pbx_records_decode(const pbx_field *fields, uint32_t field_count, const pbx_page *page,
                       const pbx_column *columns, pbx_fault *fault) {
    if (field_count > PBX_PARTS_MAX || (page->values_at == 0 && page->key_width != 0)) return PBX_SHAPE;
    fault->part = first_misshapen(fields, field_count, columns, true);
    if (fault->part < field_count) return PBX_SHAPE;
    uint8_t known = 0;
    for (uint32_t at = 0; at < field_count; at++) {
        known |= fields[at].flag;
        if (is_tail(&fields[at].part)) columns[at].offsets[0] = 0;
    }
    for (uint32_t row = 0; row < page->count; row++) {
        const pbx_span record = page->values_at ? page_value(page, row) : page_key(page, row);
        fault->row = row;
        const int status = decode_record(fields, field_count, columns, row, record, known);
        if (status != PBX_OK) return status;
    }
    return PBX_OK;
}
