/* libtextcodec: converts text between Unicode and the encodings of the web, exactly as the Encoding Standard
 * (https://encoding.spec.whatwg.org/) specifies, and between Unicode and the charsets of iconv.
 *
 *     textcodec_encoding encoding = textcodec_for_label("sjis", 4);
 *     char text[64];
 *     textcodec_result result =
 *         textcodec_decode_utf8(encoding, TEXTCODEC_BOM_SNIFF, "\x83\x65", 2, text, sizeof text, 0);
 *     printf("%.*s\n", (int)result.written, text);
 *
 * MEMORY
 * The library allocates no memory, except in a detector and in textcodec_detect and textcodec_repair. A decoder or an
 * encoder is a struct of the caller, on the stack or anywhere. It holds no pointer to itself and needs no function that
 * frees it. A copy of the struct is a snapshot of the stream. It is valid in one process; textcodec_decoder_save and
 * textcodec_encoder_save write a state that is valid wherever this version of the library runs.
 *
 * THREADS
 * All functions are reentrant. The library has no state of its own but the answer to the question which vector
 * instructions the processor has. Several threads may read one struct at the same time; only one may change it.
 *
 * POINTERS
 * Every function relies on the following promises of its caller.
 *   1. A pointer is NULL, or it is aligned for its type and leads to as many units as the length after it says, or to
 *      one struct. NULL has no units, whatever the length says. A length counts the units of its pointer, which are
 *      bytes or code units of UTF-16. No object is larger than PTRDIFF_MAX bytes.
 *   2. A source and a destination do not overlap. While a function runs, nobody changes its sources, and nobody else
 *      uses its destinations and structs.
 *   3. A struct is set to zeros or initialised before a function reads it. Functions refuse a decoder or an encoder of
 *      zeros, and a decoder in place of an encoder.
 * A destination need not be initialised. Bytes of a destination after the written ones may be overwritten.
 *
 * NUMBERS
 * Functions take and return enumerations as uint32_t, whose size does not depend on the compiler. Numbers never change
 * their meaning, except those of charsets: see textcodec_encoding.
 *
 * PARTS OF THE LIBRARY
 * Which encodings and functions a library has is decided when it is built. The function of a part that was left out is
 * missing, so that a program that calls it cannot be linked. The parts: encode, charsets, sniff, detect, repair.
 */
#ifndef TEXTCODEC_H
#define TEXTCODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A text that lives as long as the library. It has no zero at its end: print it with "%.*s". */
typedef struct textcodec_string {
    const char *data;
    size_t length;
} textcodec_string;

/* The version of the library, for example "0.1.0". */
textcodec_string textcodec_version(void);

/* ---- ENCODINGS ---------------------------------------------------------------------------------------------------
 *
 * An encoding of the Standard, or a charset that the Standard does not have. The numbers of charsets are from 0x10000
 * on, and can differ in another version of the library: to keep an encoding outside of a process, keep its name.
 */
typedef uint32_t textcodec_encoding;

enum {
    TEXTCODEC_NONE = 0,
    TEXTCODEC_UTF_8 = 1,
    TEXTCODEC_IBM866 = 2,
    TEXTCODEC_ISO_8859_2 = 3,
    TEXTCODEC_ISO_8859_3 = 4,
    TEXTCODEC_ISO_8859_4 = 5,
    TEXTCODEC_ISO_8859_5 = 6,
    TEXTCODEC_ISO_8859_6 = 7,
    TEXTCODEC_ISO_8859_7 = 8,
    TEXTCODEC_ISO_8859_8 = 9,
    TEXTCODEC_ISO_8859_8_I = 10,
    TEXTCODEC_ISO_8859_10 = 11,
    TEXTCODEC_ISO_8859_13 = 12,
    TEXTCODEC_ISO_8859_14 = 13,
    TEXTCODEC_ISO_8859_15 = 14,
    TEXTCODEC_ISO_8859_16 = 15,
    TEXTCODEC_KOI8_R = 16,
    TEXTCODEC_KOI8_U = 17,
    TEXTCODEC_MACINTOSH = 18,
    TEXTCODEC_WINDOWS_874 = 19,
    TEXTCODEC_WINDOWS_1250 = 20,
    TEXTCODEC_WINDOWS_1251 = 21,
    TEXTCODEC_WINDOWS_1252 = 22,
    TEXTCODEC_WINDOWS_1253 = 23,
    TEXTCODEC_WINDOWS_1254 = 24,
    TEXTCODEC_WINDOWS_1255 = 25,
    TEXTCODEC_WINDOWS_1256 = 26,
    TEXTCODEC_WINDOWS_1257 = 27,
    TEXTCODEC_WINDOWS_1258 = 28,
    TEXTCODEC_X_MAC_CYRILLIC = 29,
    TEXTCODEC_GBK = 30,
    TEXTCODEC_GB18030 = 31,
    TEXTCODEC_BIG5 = 32,
    TEXTCODEC_EUC_JP = 33,
    TEXTCODEC_ISO_2022_JP = 34,
    TEXTCODEC_SHIFT_JIS = 35,
    TEXTCODEC_EUC_KR = 36,
    TEXTCODEC_REPLACEMENT = 37,
    TEXTCODEC_UTF_16BE = 38,
    TEXTCODEC_UTF_16LE = 39,
    TEXTCODEC_X_USER_DEFINED = 40
};

/* The encoding of a label of the Standard, as its algorithm "get an encoding" finds it: the case of ASCII letters and
 * ASCII whitespace around the label do not matter. TEXTCODEC_NONE if the Standard does not have the label, or if the
 * library was built without the encoding. Labels such as "csiso2022kr" lead to TEXTCODEC_REPLACEMENT, whose decoder
 * decodes nothing; a fallback to another encoding would be a security hole.
 */
textcodec_encoding textcodec_for_label(const char *label, size_t length);

/* The registries of names of charsets. One name can mean different tables in different registries. */
enum {
    TEXTCODEC_GLIBC = 1,
    TEXTCODEC_IANA = 2,
    TEXTCODEC_PYTHON = 3,
    TEXTCODEC_JAVA = 4
};

/* The charset with this name in a registry, without regard to case; TEXTCODEC_NONE if there is none. An encoding of the
 * Standard is no charset here: "ISO-8859-1" is Latin-1, where the label "iso-8859-1" means windows-1252. Part:
 * charsets.
 */
textcodec_encoding textcodec_for_charset(uint32_t registry, const char *name, size_t length);

/* The charset of a code page of IBM or Windows; TEXTCODEC_NONE if there is none. Part: charsets. */
textcodec_encoding textcodec_for_code_page(uint16_t code_page);

/* The encoding of the charset parameter of a Content-Type, for example of "text/html; charset=sjis"; TEXTCODEC_NONE if
 * the value names none. Part: sniff.
 */
textcodec_encoding textcodec_for_content_type(const char *value, size_t length);

/* The encoding after `encoding` in a list of all encodings and charsets of the library: the first one for
 * TEXTCODEC_NONE, and TEXTCODEC_NONE after the last one.
 */
textcodec_encoding textcodec_next_encoding(textcodec_encoding encoding);

/* The name, for example "Shift_JIS". Empty for a number that is no encoding of the library. */
textcodec_string textcodec_name(textcodec_encoding encoding);

/* The label number `place`, from 0 on: labels of the Standard in ascending order, or the names of a charset in all
 * registries. Empty after the last one.
 */
textcodec_string textcodec_label(textcodec_encoding encoding, size_t place);

/* The encoding that text for `encoding` is encoded to: UTF-8 for UTF-16BE, UTF-16LE and replacement, which have no
 * encoder in the Standard; otherwise `encoding` itself. The Standard's "get an output encoding".
 */
textcodec_encoding textcodec_output_encoding(textcodec_encoding encoding);

/* Whether the encoding has an encoder. */
bool textcodec_has_encoder(textcodec_encoding encoding);

/* Whether each byte is a character or malformed. */
bool textcodec_is_single_byte(textcodec_encoding encoding);

/* Whether an ASCII byte that is not part of a longer sequence always means the ASCII character. */
bool textcodec_is_ascii_compatible(textcodec_encoding encoding);

/* Whether the encoder can encode every character. */
bool textcodec_can_encode_everything(textcodec_encoding encoding);

/* ---- RESULTS ---------------------------------------------------------------------------------------------------- */

/* Why a function stopped. */
enum {
    /* The whole source was read, and everything was written. In other functions: success. */
    TEXTCODEC_OK = 0,
    /* The next character does not fit into the destination. Four bytes or two code units always suffice for a decoder
     * to make progress, eight bytes for an encoder. */
    TEXTCODEC_OUTPUT_FULL = 1,
    /* The source has a malformed sequence, which was read. Only with TEXTCODEC_FATAL. */
    TEXTCODEC_MALFORMED = 2,
    /* The encoding cannot represent a character, which was read. Only with TEXTCODEC_FATAL, and in charsets that have
     * not all characters of a reference. */
    TEXTCODEC_UNMAPPABLE = 3,
    /* A struct is not initialised, or a number means nothing. Nothing was read. */
    TEXTCODEC_INVALID = 4
};

/* Flags. Bits that have no meaning for a function are ignored. */
enum {
    /* This source is the last one of the stream. If the function returns TEXTCODEC_OK, the stream has ended, and the
     * next call starts another one. */
    TEXTCODEC_LAST = 1,
    /* Stop after each error. Without it a decoder writes U+FFFD for each malformed sequence, and an encoder writes a
     * decimal character reference such as "&#9731;" for each character that it cannot encode. An encoder for a charset
     * that has not all characters of a reference stops at the error instead, as with this flag. */
    TEXTCODEC_FATAL = 2,
    /* The source of an encoder takes the place of a character that could not be encoded. It does not count for the
     * position. */
    TEXTCODEC_UNCOUNTED = 4,
    /* textcodec_repair also repairs lines that can be right as they are. */
    TEXTCODEC_AMBIGUOUS = 8
};

/* The result of a call. `read` and `written` count units of the source and of the destination in this call. */
typedef struct textcodec_result {
    size_t read;
    size_t written;
    /* The offset of the error from the start of the stream, in units of the sources. */
    uint64_t error_offset;
    /* The number of units of the error. They may have begun in an earlier source. */
    uint8_t error_length;
    /* The bytes of a malformed sequence. */
    uint8_t error_bytes[7];
    /* The character that cannot be encoded. U+FFFD stands for U+000E, U+000F and U+001B in ISO-2022-JP. */
    uint32_t code_point;
    /* TEXTCODEC_OK and so on. */
    uint8_t status;
    /* Whether there was an error, also one that was replaced. */
    bool had_errors;
    uint8_t reserved[2];
} textcodec_result;

/* The numbers of units that were read and written. */
typedef struct textcodec_counts {
    size_t read;
    size_t written;
} textcodec_counts;

/* The state of a stream. Another version of the library may refuse it. */
typedef struct textcodec_state {
    uint64_t words[4];
} textcodec_state;

/* ---- BYTE ORDER MARKS ------------------------------------------------------------------------------------------- */

enum {
    /* A byte order mark of UTF-8 or UTF-16 is removed and decides the encoding: the Standard's "decode". */
    TEXTCODEC_BOM_SNIFF = 0,
    /* A byte order mark is removed if it belongs to the encoding: the Standard's "UTF-8 decode". */
    TEXTCODEC_BOM_REMOVE = 1,
    /* A byte order mark is text: U+FEFF. */
    TEXTCODEC_BOM_KEEP = 2
};

/* An encoding, and the number of bytes of the byte order mark before the text. */
typedef struct textcodec_bom {
    textcodec_encoding encoding;
    uint32_t length;
} textcodec_bom;

/* The encoding of the byte order mark at the start of `bytes`; TEXTCODEC_NONE and 0 if there is none. */
textcodec_bom textcodec_bom_sniff(const void *bytes, size_t length);

/* The encoding of `bytes` that are said to be in `encoding`, and the length of the byte order mark that the text does
 * not contain.
 */
textcodec_bom textcodec_bom_apply(textcodec_encoding encoding, uint32_t bom_handling, const void *bytes, size_t length);

/* ---- WHOLE TEXTS ------------------------------------------------------------------------------------------------
 *
 * These functions convert a text that is in memory. The flags are TEXTCODEC_FATAL or 0. A destination of the greatest
 * length is never too small. After TEXTCODEC_OUTPUT_FULL the text starts anew with a larger destination; a program that
 * wants to go on uses a decoder or an encoder.
 */

/* Decodes to UTF-8. */
textcodec_result textcodec_decode_utf8(textcodec_encoding encoding, uint32_t bom_handling, const void *bytes,
                                       size_t length, char *text, size_t capacity, uint32_t flags);

/* Decodes to UTF-16. */
textcodec_result textcodec_decode_utf16(textcodec_encoding encoding, uint32_t bom_handling, const void *bytes,
                                        size_t length, uint16_t *text, size_t capacity, uint32_t flags);

/* The greatest number of bytes of UTF-8 that a text of `length` bytes can become; SIZE_MAX if the number does not fit
 * into size_t, or if there is no such encoding.
 */
size_t textcodec_max_utf8_length(textcodec_encoding encoding, size_t length);

/* The greatest number of code units of UTF-16; SIZE_MAX as above. */
size_t textcodec_max_utf16_length(textcodec_encoding encoding, size_t length);

/* Encodes UTF-8. Malformed sequences are errors: with TEXTCODEC_FATAL the status is TEXTCODEC_MALFORMED, otherwise
 * U+FFFD is encoded. The status is TEXTCODEC_INVALID if the encoding has no encoder. Part: encode.
 */
textcodec_result textcodec_encode_utf8(textcodec_encoding encoding, const char *text, size_t length, void *bytes,
                                       size_t capacity, uint32_t flags);

/* Encodes UTF-16. An unpaired surrogate is U+FFFD, and no error. Part: encode. */
textcodec_result textcodec_encode_utf16(textcodec_encoding encoding, const uint16_t *text, size_t length, void *bytes,
                                        size_t capacity, uint32_t flags);

/* The greatest number of bytes that a text of `length` bytes of UTF-8 can become with these flags; SIZE_MAX if the
 * number does not fit into size_t, or if there is no such encoder. Part: encode.
 */
size_t textcodec_max_length_from_utf8(textcodec_encoding encoding, size_t length, uint32_t flags);

/* The greatest number of bytes that `length` code units of UTF-16 can become; SIZE_MAX as above. Part: encode. */
size_t textcodec_max_length_from_utf16(textcodec_encoding encoding, size_t length, uint32_t flags);

/* ---- DECODERS ---------------------------------------------------------------------------------------------------
 *
 * A decoder for a stream of bytes that arrives in pieces. Any lengths of sources and destinations work, and the text
 * does not depend on them. Its size is TEXTCODEC_DECODER_SIZE.
 */
typedef struct textcodec_decoder {
    uint64_t words[8];
} textcodec_decoder;

#define TEXTCODEC_DECODER_SIZE 64

/* Makes a decoder. TEXTCODEC_INVALID if the pointer is NULL or a number means nothing; then the struct is unchanged. */
uint32_t textcodec_decoder_init(textcodec_decoder *decoder, textcodec_encoding encoding, uint32_t bom_handling);

/* Decodes the next bytes to UTF-8. After TEXTCODEC_OUTPUT_FULL, call again with the rest of the bytes and another
 * destination; after TEXTCODEC_MALFORMED, with the rest of the bytes. Flags: TEXTCODEC_LAST, TEXTCODEC_FATAL.
 */
textcodec_result textcodec_decoder_utf8(textcodec_decoder *decoder, const void *bytes, size_t length, char *text,
                                        size_t capacity, uint32_t flags);

/* Decodes the next bytes to UTF-16. */
textcodec_result textcodec_decoder_utf16(textcodec_decoder *decoder, const void *bytes, size_t length, uint16_t *text,
                                         size_t capacity, uint32_t flags);

/* The greatest number of bytes of UTF-8 that the next `length` bytes and the end of the stream can become; SIZE_MAX if
 * the number does not fit into size_t.
 */
size_t textcodec_decoder_max_utf8_length(const textcodec_decoder *decoder, size_t length);

/* The greatest number of code units of UTF-16. */
size_t textcodec_decoder_max_utf16_length(const textcodec_decoder *decoder, size_t length);

/* The encoding that is decoded: that of the byte order mark, or else the decoder's own. */
textcodec_encoding textcodec_decoder_encoding(const textcodec_decoder *decoder);

/* The number of bytes of the stream that were read. */
uint64_t textcodec_decoder_position(const textcodec_decoder *decoder);

/* The offset of the sequence that has begun, or of the next one: the text of all bytes before it was written. */
uint64_t textcodec_decoder_sequence_start(const textcodec_decoder *decoder);

/* Forgets the stream: the next call starts another one. */
void textcodec_decoder_reset(textcodec_decoder *decoder);

/* Writes the state of the stream to `state`. */
uint32_t textcodec_decoder_save(const textcodec_decoder *decoder, textcodec_state *state);

/* Continues the stream that `state` was written for, in a decoder that was made in the same way. TEXTCODEC_INVALID if
 * no such decoder can have the state; then the decoder is unchanged. Any state is safe, wherever it comes from.
 */
uint32_t textcodec_decoder_restore(textcodec_decoder *decoder, const textcodec_state *state);

/* ---- ENCODERS ---------------------------------------------------------------------------------------------------
 *
 * An encoder for a stream of UTF-8 or UTF-16 that arrives in pieces, which may end inside of a character. Its size is
 * TEXTCODEC_ENCODER_SIZE. Part: encode.
 */
typedef struct textcodec_encoder {
    uint64_t words[8];
} textcodec_encoder;

#define TEXTCODEC_ENCODER_SIZE 64

/* Makes an encoder. TEXTCODEC_INVALID if the pointer is NULL, or if the encoding has no encoder: see
 * textcodec_output_encoding.
 */
uint32_t textcodec_encoder_init(textcodec_encoder *encoder, textcodec_encoding encoding);

/* Encodes the next text. Flags: TEXTCODEC_LAST, TEXTCODEC_FATAL, TEXTCODEC_UNCOUNTED. The last call writes the return
 * of ISO-2022-JP to ASCII. To write a replacement of your own after TEXTCODEC_UNMAPPABLE, encode it with
 * TEXTCODEC_UNCOUNTED and without TEXTCODEC_LAST, then go on with the rest of the text.
 */
textcodec_result textcodec_encoder_utf8(textcodec_encoder *encoder, const char *text, size_t length, void *bytes,
                                        size_t capacity, uint32_t flags);

/* Encodes the next code units of UTF-16. */
textcodec_result textcodec_encoder_utf16(textcodec_encoder *encoder, const uint16_t *text, size_t length, void *bytes,
                                         size_t capacity, uint32_t flags);

/* The greatest number of bytes that the next `length` bytes of UTF-8 and the end of the stream can become. */
size_t textcodec_encoder_max_length_from_utf8(const textcodec_encoder *encoder, size_t length, uint32_t flags);

/* The greatest number of bytes that the next `length` code units of UTF-16 can become. */
size_t textcodec_encoder_max_length_from_utf16(const textcodec_encoder *encoder, size_t length, uint32_t flags);

/* The encoding of the output. */
textcodec_encoding textcodec_encoder_encoding(const textcodec_encoder *encoder);

/* The number of units of the stream that were read. */
uint64_t textcodec_encoder_position(const textcodec_encoder *encoder);

/* Whether the end of the stream would write bytes. */
bool textcodec_encoder_has_pending_state(const textcodec_encoder *encoder);

/* Forgets the stream: the next call starts another one. */
void textcodec_encoder_reset(textcodec_encoder *encoder);

/* Writes the state of the stream to `state`. */
uint32_t textcodec_encoder_save(const textcodec_encoder *encoder, textcodec_state *state);

/* Continues the stream that `state` was written for, as textcodec_decoder_restore does. */
uint32_t textcodec_encoder_restore(textcodec_encoder *encoder, const textcodec_state *state);

/* ---- TEXT IN MEMORY ---------------------------------------------------------------------------------------------
 *
 * Checks of UTF-8, UTF-16 and Latin-1, in which a byte is the code point of equal value. A text is all ASCII, UTF-8 and
 * so on if the number that the function returns is its length.
 */

/* The number of bytes before the first one that is not ASCII. */
size_t textcodec_ascii_up_to(const void *text, size_t length);

/* The number of code units before the first one that is not ASCII. */
size_t textcodec_utf16_ascii_up_to(const uint16_t *text, size_t length);

/* The number of bytes that a new decoder of ISO-2022-JP leaves as they are: ASCII without 0x0E, 0x0F and 0x1B. */
size_t textcodec_iso_2022_jp_ascii_up_to(const void *text, size_t length);

/* The number of bytes before the first malformed sequence of UTF-8. */
size_t textcodec_utf8_valid_up_to(const void *text, size_t length);

/* The number of code units before the first unpaired surrogate. */
size_t textcodec_utf16_valid_up_to(const uint16_t *text, size_t length);

/* The number of bytes of UTF-8 before the first character above U+00FF, or malformed sequence. */
size_t textcodec_utf8_latin1_up_to(const void *text, size_t length);

/* The number of code units before the first one above 0xFF. */
size_t textcodec_utf16_latin1_up_to(const uint16_t *text, size_t length);

/* Replaces unpaired surrogates by U+FFFD. */
void textcodec_ensure_utf16_validity(uint16_t *text, size_t length);

/* The conversions write whole characters. They stop early if the destination is too small. */

/* UTF-8 to UTF-16. U+FFFD stands for malformed sequences. `length` code units always suffice. */
textcodec_counts textcodec_utf8_to_utf16(const void *source_text, size_t length, uint16_t *text, size_t capacity);

/* UTF-16 to UTF-8. U+FFFD stands for unpaired surrogates. Three bytes for each code unit always suffice. */
textcodec_counts textcodec_utf16_to_utf8(const uint16_t *source_text, size_t length, void *text, size_t capacity);

/* Latin-1 to UTF-8. Two bytes for each byte always suffice. */
textcodec_counts textcodec_latin1_to_utf8(const void *source_text, size_t length, void *text, size_t capacity);

/* Latin-1 to UTF-16. */
textcodec_counts textcodec_latin1_to_utf16(const void *source_text, size_t length, uint16_t *text, size_t capacity);

/* UTF-8 to Latin-1, up to the first character above U+00FF or malformed sequence. */
textcodec_counts textcodec_utf8_to_latin1(const void *source_text, size_t length, void *text, size_t capacity);

/* UTF-16 to Latin-1, up to the first code unit above 0xFF. */
textcodec_counts textcodec_utf16_to_latin1(const uint16_t *source_text, size_t length, void *text, size_t capacity);

/* Copies the longest prefix that is ASCII, as far as it fits, and returns its length. */
size_t textcodec_copy_ascii(const void *source_text, size_t length, void *text, size_t capacity);

/* Copies the longest prefix that is ASCII to UTF-16. */
size_t textcodec_copy_ascii_to_utf16(const void *source_text, size_t length, uint16_t *text, size_t capacity);

/* Copies the longest prefix of UTF-16 that is ASCII to bytes. */
size_t textcodec_copy_utf16_to_ascii(const uint16_t *source_text, size_t length, void *text, size_t capacity);

/* ---- SNIFFING ---------------------------------------------------------------------------------------------------
 *
 * The encoding of a resource, as the standards of the web find it out: by byte order marks, declarations in the bytes,
 * and what is known about the resource. Part: sniff.
 */

/* What reads the resource. textcodec_context_name returns the name of a context. */
enum {
    TEXTCODEC_CONTEXT_TEXT_DECODER = 1,
    TEXTCODEC_CONTEXT_HTML_PARSER = 2,
    TEXTCODEC_CONTEXT_XHR_DOCUMENT = 3,
    TEXTCODEC_CONTEXT_XML_PARSER = 4,
    TEXTCODEC_CONTEXT_CSS_FROM_DOCUMENT = 5,
    TEXTCODEC_CONTEXT_CSS_FROM_STYLE_SHEET = 6,
    TEXTCODEC_CONTEXT_CSS_FROM_LINK_HEADER = 7,
    TEXTCODEC_CONTEXT_TEXT_DOCUMENT = 8,
    TEXTCODEC_CONTEXT_XHR_TEXT_XML = 9,
    TEXTCODEC_CONTEXT_XHR_TEXT = 10,
    TEXTCODEC_CONTEXT_VIEW_SOURCE = 11,
    TEXTCODEC_CONTEXT_CLASSIC_SCRIPT = 12,
    TEXTCODEC_CONTEXT_MODULE_SCRIPT = 13,
    TEXTCODEC_CONTEXT_JAVASCRIPT_URL = 14,
    TEXTCODEC_CONTEXT_FETCH_TEXT = 15,
    TEXTCODEC_CONTEXT_FETCH_JSON = 16,
    TEXTCODEC_CONTEXT_XHR_JSON = 17,
    TEXTCODEC_CONTEXT_WEB_APP_MANIFEST = 18,
    TEXTCODEC_CONTEXT_PAYMENT_METHOD_MANIFEST = 19,
    TEXTCODEC_CONTEXT_PUSH_MESSAGE_DATA = 20,
    TEXTCODEC_CONTEXT_EVENT_STREAM = 21,
    TEXTCODEC_CONTEXT_CACHE_MANIFEST = 22,
    TEXTCODEC_CONTEXT_WEB_VTT = 23,
    TEXTCODEC_CONTEXT_MEDIA_FRAGMENT = 24,
    TEXTCODEC_CONTEXT_WEB_SOCKET_TEXT = 25,
    TEXTCODEC_CONTEXT_WEB_SOCKET_CLOSE_REASON = 26,
    TEXTCODEC_CONTEXT_COOKIE = 27,
    TEXTCODEC_CONTEXT_HOST_PARSER = 28,
    TEXTCODEC_CONTEXT_PERCENT_DECODE = 29,
    TEXTCODEC_CONTEXT_FRAGMENT = 30,
    TEXTCODEC_CONTEXT_URL_ENCODED = 31,
    TEXTCODEC_CONTEXT_MULTIPART_FORM_DATA = 32,
    TEXTCODEC_CONTEXT_FILE_READER = 33,
    TEXTCODEC_CONTEXT_MIME_TYPE = 34,
    TEXTCODEC_CONTEXT_URL = 35,
    TEXTCODEC_CONTEXT_DATA_URL = 36,
    TEXTCODEC_CONTEXT_REFRESH_HEADER = 37,
    TEXTCODEC_CONTEXT_HEADER_VALUE = 38,
    TEXTCODEC_CONTEXT_ATOB = 39,
    TEXTCODEC_CONTEXT_URL_QUERY = 40,
    TEXTCODEC_CONTEXT_FORM_SUBMISSION = 41
};

/* The source of the encoding. */
enum {
    TEXTCODEC_RUNG_DEFINITE = 1,
    TEXTCODEC_RUNG_BOM = 2,
    TEXTCODEC_RUNG_OVERRIDE = 3,
    TEXTCODEC_RUNG_TRANSPORT = 4,
    TEXTCODEC_RUNG_META = 5,
    TEXTCODEC_RUNG_XML_DECLARATION = 6,
    TEXTCODEC_RUNG_AUTODETECTION = 7,
    TEXTCODEC_RUNG_AT_CHARSET = 8,
    TEXTCODEC_RUNG_CHARSET_ATTRIBUTE = 9,
    TEXTCODEC_RUNG_ENVIRONMENT = 10,
    TEXTCODEC_RUNG_CONTAINER = 11,
    TEXTCODEC_RUNG_HISTORY = 12,
    TEXTCODEC_RUNG_HEURISTIC = 13,
    TEXTCODEC_RUNG_LOCALE = 14,
    TEXTCODEC_RUNG_DEFAULT = 15,
    TEXTCODEC_RUNG_FIXED = 16
};

/* Whether a later declaration can change the encoding. */
enum {
    TEXTCODEC_CERTAIN = 1,
    TEXTCODEC_TENTATIVE = 2,
    /* The context has one encoding. */
    TEXTCODEC_IRRELEVANT = 3
};

/* The kind of a resource by its MIME type. */
enum {
    TEXTCODEC_RESOURCE_HTML = 1,
    TEXTCODEC_RESOURCE_XML = 2,
    TEXTCODEC_RESOURCE_CSS = 3,
    TEXTCODEC_RESOURCE_SCRIPT = 4,
    TEXTCODEC_RESOURCE_JSON = 5,
    TEXTCODEC_RESOURCE_TEXT = 6
};

/* A hint with a label that names no encoding. */
#define TEXTCODEC_UNKNOWN_LABEL UINT32_MAX

/* What is known about a resource. Zeros: nothing. */
typedef struct textcodec_hints {
    /* HTML's known definite encoding. */
    textcodec_encoding definite;
    /* An encoding that overrides others, or TEXTCODEC_UNKNOWN_LABEL: from a user, overrideMimeType(), readAsText(). */
    textcodec_encoding override_charset;
    /* The encoding of the transport layer, or TEXTCODEC_UNKNOWN_LABEL. */
    textcodec_encoding transport;
    /* The charset attribute of the reference to the resource, or TEXTCODEC_UNKNOWN_LABEL. */
    textcodec_encoding charset_attribute;
    /* The encoding of the document or style sheet that refers to the resource. */
    textcodec_encoding environment;
    /* The encoding of the container document, if it has the same origin. */
    textcodec_encoding container;
    /* The encoding at an earlier visit. */
    textcodec_encoding history;
    /* The default for HTML and plain text; windows-1252 unless given. */
    textcodec_encoding fallback;
    /* The kind of the resource, for contexts that have several kinds. */
    uint32_t resource;
    /* The language tag of the user's locale, with its length. */
    uint32_t locale_length;
    const char *locale;
} textcodec_hints;

typedef struct textcodec_sniffed {
    textcodec_encoding encoding;
    /* TEXTCODEC_CERTAIN and so on. */
    uint32_t confidence;
    /* TEXTCODEC_RUNG_BOM and so on. */
    uint32_t rung;
} textcodec_sniffed;

/* Sets `transport` and `resource` of `hints` to what a Content-Type says. */
void textcodec_hints_from_content_type(textcodec_hints *hints, const char *value, size_t length);

/* The encoding of a resource. `hints` may be NULL. `bytes` are all bytes from the start of the resource that have
 * arrived; with TEXTCODEC_LAST they are the whole resource. The encoding is TEXTCODEC_NONE if it depends on bytes that
 * have not arrived, which is never so with 1,024 bytes or more, except inside of a long XML declaration; and if the
 * context decodes nothing.
 */
textcodec_sniffed textcodec_sniff(uint32_t context, const textcodec_hints *hints, const void *bytes, size_t length,
                                  uint32_t flags);

/* The names of numbers, for example "HTML parser", "tentative" and "meta". */
textcodec_string textcodec_context_name(uint32_t context);
textcodec_string textcodec_confidence_name(uint32_t confidence);
textcodec_string textcodec_rung_name(uint32_t rung);

/* ---- DETECTION --------------------------------------------------------------------------------------------------
 *
 * Which encoding is it? For texts that declare nothing: by the structure of the bytes and by statistics of languages.
 * These functions allocate memory; if there is none, the process aborts. Part: detect.
 */

enum {
    TEXTCODEC_VERDICT_EMPTY = 1,
    TEXTCODEC_VERDICT_ASCII = 2,
    TEXTCODEC_VERDICT_UTF_8 = 3,
    TEXTCODEC_VERDICT_DAMAGED_UTF_8 = 4,
    TEXTCODEC_VERDICT_UTF_16 = 5,
    TEXTCODEC_VERDICT_UTF_32 = 6,
    TEXTCODEC_VERDICT_ISO_2022 = 7,
    TEXTCODEC_VERDICT_HZ = 8,
    TEXTCODEC_VERDICT_UTF_7 = 9,
    TEXTCODEC_VERDICT_LEGACY = 10,
    TEXTCODEC_VERDICT_MIXED = 11,
    TEXTCODEC_VERDICT_BINARY = 12,
    TEXTCODEC_VERDICT_UNKNOWN = 13,
    TEXTCODEC_VERDICT_OTHER = 14
};

/* The platforms of texts. */
enum {
    TEXTCODEC_PLATFORM_WINDOWS = 1,
    TEXTCODEC_PLATFORM_MAC = 2,
    TEXTCODEC_PLATFORM_UNIX = 3,
    TEXTCODEC_PLATFORM_DOS = 4
};

/* What is known about a text. Zeros: nothing. */
typedef struct textcodec_detect_options {
    /* The encodings that compete; all if there is none. Charsets are ignored. */
    const textcodec_encoding *among;
    size_t among_length;
    /* Encodings that do not compete. */
    const textcodec_encoding *exclude;
    size_t exclude_length;
    /* The code of the probable language in BCP 47, for example "de". */
    const char *language;
    size_t language_length;
    /* The top-level domain of the host, for example "ru". */
    const char *top_level_domain;
    size_t top_level_domain_length;
    /* An encoding that something declares: evidence, not an order. */
    textcodec_encoding declared;
    /* TEXTCODEC_PLATFORM_WINDOWS and so on. */
    uint32_t platform;
    /* The start or the end of the text is missing. */
    bool starts_mid_stream;
    bool ends_mid_stream;
} textcodec_detect_options;

/* An encoding that a text can be in. */
typedef struct textcodec_candidate {
    /* The name of the encoding. The Standard does not have all encodings that can be detected. */
    textcodec_string name;
    /* The language in BCP 47; empty if the answer does not depend on a language. */
    textcodec_string language;
    /* The encoding in the Standard, or TEXTCODEC_NONE. */
    textcodec_encoding encoding;
    /* The probability that this candidate gives the right text. */
    float probability;
    /* Candidates of one group give the same text. 0 is the best group. */
    size_t group;
} textcodec_candidate;

/* What a text is. */
typedef struct textcodec_detection {
    /* The number of all candidates. As many as fit were written, the best one first. */
    size_t candidates;
    /* The offset of the first malformed sequence of damaged UTF-8, or of the first change in a mixed text. */
    uint64_t offset;
    /* The number of malformed sequences of damaged UTF-8. */
    uint64_t malformed;
    /* The encoding and the probability of the best candidate; TEXTCODEC_NONE and 0 if there is none. */
    textcodec_encoding encoding;
    /* TEXTCODEC_VERDICT_EMPTY and so on. */
    uint32_t verdict;
    float probability;
    /* How much better the best text fits than the next one, in nats; negative if there is no next one. */
    float margin;
    /* Whether the text begins with a byte order mark. */
    bool has_bom;
} textcodec_detection;

/* Finds out the encoding of a text. `known` may be NULL. */
textcodec_detection textcodec_detect(const textcodec_detect_options *known, const void *bytes, size_t length,
                                     textcodec_candidate *found, size_t capacity);

/* A detector for a text that comes in pieces. The answer does not depend on the pieces. */
typedef struct textcodec_detector textcodec_detector;

/* Makes a detector, which textcodec_detector_free must free. It takes at most about 250 KB. */
textcodec_detector *textcodec_detector_new(const textcodec_detect_options *known);

/* Looks at the next bytes of the text. */
void textcodec_detector_feed(textcodec_detector *detector, const void *bytes, size_t length);

/* The answer for the bytes so far; with TEXTCODEC_LAST they are the whole text. The detector stays as it is. */
textcodec_detection textcodec_detector_answer(const textcodec_detector *detector, textcodec_candidate *found,
                                              size_t capacity, uint32_t flags);

/* Frees a detector. NULL is allowed. */
void textcodec_detector_free(textcodec_detector *detector);

/* The name of a verdict, for example "damaged-utf-8". */
textcodec_string textcodec_verdict_name(uint32_t verdict);

/* ---- REPAIR -----------------------------------------------------------------------------------------------------
 *
 * Undoes the decoding of UTF-8 in a wrong encoding: "Ã©" becomes "é". Part: repair.
 */

typedef struct textcodec_repaired {
    /* The number of bytes of the repaired text, also if it did not fit. */
    size_t length;
    uint64_t lines;
    /* The number of lines that were repaired, and the first of them, counted from 1; 0 if there is none. */
    uint64_t repaired;
    uint64_t first_repaired;
    /* The lines that can be right as they are, and have stayed. */
    uint64_t ambiguous;
    uint64_t first_ambiguous;
    /* The number of characters that an earlier conversion has lost. */
    uint64_t lost;
    /* TEXTCODEC_OK; TEXTCODEC_OUTPUT_FULL: nothing was written; TEXTCODEC_MALFORMED: the text is not UTF-8;
     * TEXTCODEC_INVALID: text that was decoded in one of the encodings cannot be repaired. */
    uint32_t status;
} textcodec_repaired;

/* Repairs a text of UTF-8 that was decoded in one of `encodings`; in windows-1252 if there is none. Each line is
 * repaired alone. Flags: TEXTCODEC_AMBIGUOUS. Allocates memory; if there is none, the process aborts.
 */
textcodec_repaired textcodec_repair(const textcodec_encoding *encodings, size_t count, const char *text, size_t length,
                                    char *repaired, size_t capacity, uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
