/* The rows of a page as a table of SQLite: SELECT k, v FROM pillarbox_page(PAGE, KEY_WIDTH).
 *
 * KEY_WIDTH: bytes of a key; 0 where keys vary; -8 where k is the integer that eight bytes encode. In a page of
 * keys alone v is NULL. The page is checked once, when the scan begins; a torn one fails the statement.
 *
 * This is the one file that speaks to SQLite, and only through the interface that SQLite hands to an
 * extension: it works inside the connection that loads it, whichever build of SQLite that is. */

#include "page.h"

#ifndef PBX_WITH_SQLITE

int pbx_has_table_function(void) { return 0; }

#else

#include <stdbool.h>

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

int pbx_has_table_function(void) { return 1; }

enum { COLUMN_KEY, COLUMN_VALUE, COLUMN_PAGE, COLUMN_WIDTH };
enum { INT_KEYS = -8 };

typedef struct {
    sqlite3_vtab_cursor base;
    pbx_page page;
    sqlite3_value *copy;             /* Keeps a page that is no bound parameter. */
    sqlite3_destructor_type keep;    /* How long SQLite may use what a column returns. */
    bool int_keys;
    uint32_t row;
} page_cursor;

static int vtab_connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **vtab,
                        char **error) {
    (void)aux, (void)argc, (void)argv, (void)error;
    const int status = sqlite3_declare_vtab(db, "CREATE TABLE x(k, v, page HIDDEN, key_width HIDDEN)");
    if (status != SQLITE_OK) return status;
    *vtab = sqlite3_malloc(sizeof **vtab);
    if (*vtab == NULL) return SQLITE_NOMEM;
    memset(*vtab, 0, sizeof **vtab);
    /* A page comes from the statement's author, never from a schema that somebody else wrote. */
    return sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
}

static int vtab_disconnect(sqlite3_vtab *vtab) {
    sqlite3_free(vtab);
    return SQLITE_OK;
}

/* Both arguments must be there, and known before the scan begins. */
static int vtab_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info) {
    (void)vtab;
    int found = 0;
    for (int at = 0; at < info->nConstraint; at++) {
        const int column = info->aConstraint[at].iColumn;
        if (column < COLUMN_PAGE || info->aConstraint[at].op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        if (!info->aConstraint[at].usable) return SQLITE_CONSTRAINT;
        info->aConstraintUsage[at].argvIndex = column - COLUMN_PAGE + 1;
        info->aConstraintUsage[at].omit = 1;
        found |= 1 << (column - COLUMN_PAGE);
    }
    if (found != 3) {
        vtab->zErrMsg = sqlite3_mprintf("pillarbox_page takes two arguments: a page and its key width");
        return SQLITE_ERROR;
    }
    info->estimatedCost = 1000;
    info->estimatedRows = 1000;
    return SQLITE_OK;
}

static int vtab_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor) {
    (void)vtab;
    page_cursor *opened = sqlite3_malloc(sizeof *opened);
    if (opened == NULL) return SQLITE_NOMEM;
    memset(opened, 0, sizeof *opened);
    *cursor = &opened->base;
    return SQLITE_OK;
}

static int vtab_close(sqlite3_vtab_cursor *base) {
    page_cursor *cursor = (page_cursor *)base;
    sqlite3_value_free(cursor->copy);
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int refuse(page_cursor *cursor, char *text) {
    sqlite3_free(cursor->base.pVtab->zErrMsg);
    cursor->base.pVtab->zErrMsg = text;
    cursor->page.count = 0;
    return SQLITE_ERROR;
}

/* A bound parameter stays where it is for as long as its statement runs, so its rows need no copy. What any
 * other expression gave may be gone at the next row: such a page is copied, and so is each row of it. */
static int hold(page_cursor *cursor, sqlite3_value **page) {
    sqlite3_value_free(cursor->copy);
    cursor->copy = NULL;
    cursor->keep = SQLITE_STATIC;
    if (sqlite3_value_frombind(*page)) return SQLITE_OK;
    cursor->keep = SQLITE_TRANSIENT;
    cursor->copy = sqlite3_value_dup(*page);
    *page = cursor->copy;
    return cursor->copy == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

static int vtab_filter(sqlite3_vtab_cursor *base, int plan, const char *name, int argc, sqlite3_value **argv) {
    (void)plan, (void)name, (void)argc;
    page_cursor *cursor = (page_cursor *)base;
    sqlite3_value *page = argv[0];
    cursor->row = cursor->page.count = 0;
    if (sqlite3_value_type(page) != SQLITE_BLOB || sqlite3_value_type(argv[1]) != SQLITE_INTEGER)
        return refuse(cursor, sqlite3_mprintf("pillarbox_page takes a blob and an integer"));
    const sqlite3_int64 width = sqlite3_value_int64(argv[1]);
    if (width != INT_KEYS && (width < 0 || width > INT32_MAX))
        return refuse(cursor, sqlite3_mprintf("pillarbox_page: no key is %lld bytes wide", width));
    const int status = hold(cursor, &page);
    if (status != SQLITE_OK) return status;

    cursor->int_keys = width == INT_KEYS;
    const uint8_t *bytes = sqlite3_value_blob(page);
    const uint64_t size = (uint64_t)sqlite3_value_bytes(page);
    const uint32_t key_width = cursor->int_keys ? 8 : (uint32_t)width;
    pbx_fault fault = {0, 0, 0};
    const int torn = pbx_page_open(bytes, size, key_width, &cursor->page, &fault);
    if (torn == PBX_OK) return SQLITE_OK;
    return refuse(cursor, sqlite3_mprintf("pillarbox_page: the page is torn at byte %llu (status %d)",
                                          (unsigned long long)fault.offset, torn));
}

static int vtab_next(sqlite3_vtab_cursor *base) {
    ((page_cursor *)base)->row++;
    return SQLITE_OK;
}

static int vtab_eof(sqlite3_vtab_cursor *base) {
    const page_cursor *cursor = (const page_cursor *)base;
    return cursor->row >= cursor->page.count;
}

static sqlite3_int64 int_key(pbx_span key) {
    uint64_t big;
    memcpy(&big, key.bytes, sizeof big);
    return (sqlite3_int64)(PBX_BIG64(big) ^ UINT64_C(1) << 63);
}

static int vtab_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
    const page_cursor *cursor = (const page_cursor *)base;
    if (column == COLUMN_KEY && cursor->int_keys) {
        sqlite3_result_int64(context, int_key(page_key(&cursor->page, cursor->row)));
        return SQLITE_OK;
    }
    if (column > COLUMN_VALUE || (column == COLUMN_VALUE && cursor->page.values_at == 0)) return SQLITE_OK;
    const pbx_span span = column == COLUMN_KEY ? page_key(&cursor->page, cursor->row)
                                               : page_value(&cursor->page, cursor->row);
    sqlite3_result_blob64(context, span.bytes, span.size, cursor->keep);
    return SQLITE_OK;
}

static int vtab_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
    *rowid = ((const page_cursor *)base)->row;
    return SQLITE_OK;
}

static const sqlite3_module PAGE_MODULE = {
    .iVersion = 1,
    .xConnect = vtab_connect,
    .xBestIndex = vtab_best_index,
    .xDisconnect = vtab_disconnect,
    .xOpen = vtab_open,
    .xClose = vtab_close,
    .xFilter = vtab_filter,
    .xNext = vtab_next,
    .xEof = vtab_eof,
    .xColumn = vtab_column,
    .xRowid = vtab_rowid,
};

__attribute__((visibility("default")))
int pbx_sqlite_init(sqlite3 *db, char **error, const sqlite3_api_routines *api) {
    (void)error;
    SQLITE_EXTENSION_INIT2(api);
    return sqlite3_create_module(db, "pillarbox_page", &PAGE_MODULE, NULL);
}

#endif
