/* An extension of SQLite with the functions
 *
 *     decode(blob, label)   the text of bytes; U+FFFD stands for malformed sequences
 *     encode(text, label)   the bytes of a text; an error if the encoding cannot represent a character
 *     detect(blob)          the name of the encoding of bytes that declare nothing; NULL if they are no text
 *
 *     cc -shared -fPIC sqlite.c -ltextcodec -o textcodec_sqlite.so
 *     sqlite3 :memory: '.load ./textcodec_sqlite' "select decode(x'8365', 'sjis')" */
#include <sqlite3ext.h>
#include <textcodec.h>
SQLITE_EXTENSION_INIT1

/* The encoding of a label. Sets the error of the function and returns TEXTCODEC_NONE if there is none. */
static textcodec_encoding encoding_of(sqlite3_context *context, sqlite3_value *label) {
    const char *text = (const char *)sqlite3_value_text(label);
    textcodec_encoding encoding = textcodec_for_label(text, (size_t)sqlite3_value_bytes(label));
    if (encoding == TEXTCODEC_NONE) {
        char *message = sqlite3_mprintf("unknown encoding label: %s", text == NULL ? "NULL" : text);
        sqlite3_result_error(context, message, -1);
        sqlite3_free(message);
    }
    return encoding;
}

static void decode(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) {
        return;
    }
    textcodec_encoding encoding = encoding_of(context, values[1]);
    const void *bytes = sqlite3_value_blob(values[0]);
    size_t length = (size_t)sqlite3_value_bytes(values[0]);
    size_t capacity = textcodec_max_utf8_length(encoding, length);
    char *text = encoding == TEXTCODEC_NONE ? NULL : sqlite3_malloc64(capacity + 1);
    if (text != NULL) {
        textcodec_result result =
            textcodec_decode_utf8(encoding, TEXTCODEC_BOM_SNIFF, bytes, length, text, capacity, 0);
        sqlite3_result_text64(context, text, result.written, sqlite3_free, SQLITE_UTF8);
    } else if (encoding != TEXTCODEC_NONE) {
        sqlite3_result_error_nomem(context);
    }
}

static void encode(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) {
        return;
    }
    textcodec_encoding encoding = textcodec_output_encoding(encoding_of(context, values[1]));
    const char *text = (const char *)sqlite3_value_text(values[0]);
    size_t length = (size_t)sqlite3_value_bytes(values[0]);
    size_t capacity = textcodec_max_length_from_utf8(encoding, length, TEXTCODEC_FATAL);
    char *bytes = encoding == TEXTCODEC_NONE ? NULL : sqlite3_malloc64(capacity + 1);
    if (bytes == NULL) {
        if (encoding != TEXTCODEC_NONE) {
            sqlite3_result_error_nomem(context);
        }
        return;
    }
    textcodec_result result = textcodec_encode_utf8(encoding, text, length, bytes, capacity, TEXTCODEC_FATAL);
    if (result.status == TEXTCODEC_OK) {
        sqlite3_result_blob64(context, bytes, result.written, sqlite3_free);
        return;
    }
    textcodec_string name = textcodec_name(encoding);
    char *message =
        result.status == TEXTCODEC_UNMAPPABLE
            ? sqlite3_mprintf("%.*s has no character U+%04X", (int)name.length, name.data, result.code_point)
            : sqlite3_mprintf("the text is no UTF-8 at byte %llu", (unsigned long long)result.error_offset);
    sqlite3_result_error(context, message, -1);
    sqlite3_free(message);
    sqlite3_free(bytes);
}

static void detect(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    const void *bytes = sqlite3_value_blob(values[0]);
    textcodec_candidate best;
    textcodec_detection detection =
        textcodec_detect(NULL, bytes, (size_t)sqlite3_value_bytes(values[0]), &best, 1);
    if (detection.candidates > 0) {
        sqlite3_result_text(context, best.name.data, (int)best.name.length, SQLITE_STATIC);
    }
}

int sqlite3_textcodecsqlite_init(sqlite3 *database, char **error, const sqlite3_api_routines *routines);
int sqlite3_textcodecsqlite_init(sqlite3 *database, char **error, const sqlite3_api_routines *routines) {
    SQLITE_EXTENSION_INIT2(routines);
    (void)error;
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int status = sqlite3_create_function(database, "decode", 2, flags, NULL, decode, NULL, NULL);
    if (status == SQLITE_OK) {
        status = sqlite3_create_function(database, "encode", 2, flags, NULL, encode, NULL, NULL);
    }
    if (status == SQLITE_OK) {
        status = sqlite3_create_function(database, "detect", 1, flags, NULL, detect, NULL, NULL);
    }
    return status;
}
