/* Calls every function of textcodec.h, also with NULL and 0. Prints the checks that fail. */
#include "check.h"

#include <pthread.h>
#include <stdlib.h>

int failures = 0;

/* The linker leads the library's calls of malloc and free to these functions: `-Wl,--wrap=malloc`. */
static unsigned long allocations = 0;
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size) {
    allocations++;
    return __real_malloc(size);
}

static bool is(textcodec_string string, const char *expected) {
    return string.length == strlen(expected) && memcmp(string.data, expected, string.length) == 0;
}

static textcodec_encoding label(const char *text) {
    return textcodec_for_label(text, strlen(text));
}

/* Converts a text there and back, and returns NULL if this was right each time. */
static void *convert_many_times(void *problem) {
    for (int times = 0; times < 500; times++) {
        char text[16], bytes[16];
        textcodec_encoding encoding = label("sjis");
        textcodec_result there =
            textcodec_decode_utf8(encoding, TEXTCODEC_BOM_SNIFF, "\x83\x65\x83\x4C!", 5, text, 16, 0);
        textcodec_result back = textcodec_encode_utf8(encoding, text, there.written, bytes, 16, TEXTCODEC_FATAL);
        if (there.written != 7 || back.written != 5 || memcmp(bytes, "\x83\x65\x83\x4C!", 5) != 0) {
            return problem;
        }
    }
    return NULL;
}

/* The first calls of the process, which choose the vector instructions, are in several threads at the same time. */
static void threads_convert_at_the_same_time(void) {
    pthread_t threads[4];
    char problem;
    for (int number = 0; number < 4; number++) {
        CHECK(pthread_create(&threads[number], NULL, convert_many_times, &problem) == 0);
    }
    for (int number = 0; number < 4; number++) {
        void *result = &problem;
        CHECK(pthread_join(threads[number], &result) == 0 && result == NULL);
    }
}

static void encodings_have_names_labels_and_facts(void) {
    CHECK(is(textcodec_version(), "0.1.0"));
    CHECK(label(" SJIS\n") == TEXTCODEC_SHIFT_JIS && label("latin1") == TEXTCODEC_WINDOWS_1252);
    CHECK(label("csiso2022kr") == TEXTCODEC_REPLACEMENT && label("latin-1") == TEXTCODEC_NONE);
    CHECK(textcodec_for_label(NULL, 0) == TEXTCODEC_NONE && textcodec_for_label(NULL, 9) == TEXTCODEC_NONE);
    CHECK(is(textcodec_name(TEXTCODEC_SHIFT_JIS), "Shift_JIS") && is(textcodec_name(TEXTCODEC_NONE), ""));
    CHECK(is(textcodec_name(41), "") && is(textcodec_name(UINT32_MAX), ""));
    CHECK(is(textcodec_label(TEXTCODEC_UTF_8, 0), "unicode-1-1-utf-8") && is(textcodec_label(TEXTCODEC_UTF_8, 6), ""));
    CHECK(is(textcodec_label(TEXTCODEC_UTF_8, SIZE_MAX), "") && is(textcodec_label(TEXTCODEC_NONE, 0), ""));
    CHECK(textcodec_output_encoding(TEXTCODEC_UTF_16LE) == TEXTCODEC_UTF_8);
    CHECK(textcodec_output_encoding(TEXTCODEC_GBK) == TEXTCODEC_GBK);
    CHECK(textcodec_has_encoder(TEXTCODEC_GBK) && !textcodec_has_encoder(TEXTCODEC_UTF_16BE));
    CHECK(!textcodec_has_encoder(TEXTCODEC_REPLACEMENT) && !textcodec_has_encoder(TEXTCODEC_NONE));
    CHECK(textcodec_is_single_byte(TEXTCODEC_KOI8_R) && !textcodec_is_single_byte(TEXTCODEC_UTF_8));
    CHECK(textcodec_is_ascii_compatible(TEXTCODEC_GBK) && !textcodec_is_ascii_compatible(TEXTCODEC_ISO_2022_JP));
    CHECK(textcodec_can_encode_everything(TEXTCODEC_UTF_8) && !textcodec_can_encode_everything(TEXTCODEC_GB18030));

    textcodec_encoding encoding = TEXTCODEC_NONE;
    size_t standard = 0, charsets = 0;
    while ((encoding = textcodec_next_encoding(encoding)) != TEXTCODEC_NONE) {
        CHECK(textcodec_name(encoding).length > 0);
        *(encoding < 0x10000 ? &standard : &charsets) += 1;
    }
    CHECK(standard == 40 && charsets > 100);
    CHECK(textcodec_next_encoding(UINT32_MAX) == TEXTCODEC_NONE);
}

static void charsets_have_names_in_registries(void) {
    textcodec_encoding charset = textcodec_for_charset(TEXTCODEC_GLIBC, "cp037", 5);
    CHECK(is(textcodec_name(charset), "IBM037") && textcodec_for_code_page(37) == charset);
    CHECK(textcodec_label(charset, 0).length > 0 && textcodec_label(charset, 999).length == 0);
    CHECK(textcodec_for_charset(TEXTCODEC_JAVA, "macintosh", 9) == TEXTCODEC_NONE);
    CHECK(textcodec_for_charset(TEXTCODEC_IANA, "macintosh", 9) != TEXTCODEC_NONE);
    CHECK(textcodec_for_charset(0, "cp037", 5) == TEXTCODEC_NONE && textcodec_for_code_page(0) == TEXTCODEC_NONE);
    CHECK(textcodec_for_charset(TEXTCODEC_PYTHON, NULL, 5) == TEXTCODEC_NONE);
    CHECK(textcodec_for_charset(TEXTCODEC_PYTHON, "\xE9", 1) == TEXTCODEC_NONE);
    char text[32];
    textcodec_result result =
        textcodec_decode_utf8(charset, TEXTCODEC_BOM_KEEP, "\xC8\x85\x93\x93\x96", 5, text, 32, 0);
    CHECK(result.status == TEXTCODEC_OK && result.written == 5 && memcmp(text, "Hello", 5) == 0);
    result = textcodec_encode_utf8(charset, "Hello", 5, text, 32, TEXTCODEC_FATAL);
    CHECK(result.written == 5 && memcmp(text, "\xC8\x85\x93\x93\x96", 5) == 0);

    /* A character reference has the bytes of the charset. BS_4730 has the pound sign in the place of the "#". */
    result = textcodec_encode_utf8(charset, "\xE2\x98\x83", 3, text, 32, 0);
    CHECK(result.status == TEXTCODEC_OK && result.written == 7 && memcmp(text, "P{\xF9\xF7\xF3\xF1^", 7) == 0);
    charset = textcodec_for_charset(TEXTCODEC_GLIBC, "BS_4730", 7);
    result = textcodec_encode_utf8(charset, "a\xE2\x98\x83", 4, text, 32, 0);
    CHECK(result.status == TEXTCODEC_UNMAPPABLE && result.written == 1 && result.code_point == 0x2603);
}

static void byte_order_marks_decide_the_encoding(void) {
    textcodec_bom bom = textcodec_bom_sniff("\xFF\xFE" "a", 3);
    CHECK(bom.encoding == TEXTCODEC_UTF_16LE && bom.length == 2);
    bom = textcodec_bom_sniff(NULL, 0);
    CHECK(bom.encoding == TEXTCODEC_NONE && bom.length == 0);
    bom = textcodec_bom_apply(TEXTCODEC_GBK, TEXTCODEC_BOM_SNIFF, "\xEF\xBB\xBF", 3);
    CHECK(bom.encoding == TEXTCODEC_UTF_8 && bom.length == 3);
    bom = textcodec_bom_apply(TEXTCODEC_GBK, TEXTCODEC_BOM_REMOVE, "\xEF\xBB\xBF", 3);
    CHECK(bom.encoding == TEXTCODEC_GBK && bom.length == 0);
    bom = textcodec_bom_apply(TEXTCODEC_UTF_8, TEXTCODEC_BOM_REMOVE, "\xEF\xBB\xBF", 3);
    CHECK(bom.encoding == TEXTCODEC_UTF_8 && bom.length == 3);
    bom = textcodec_bom_apply(TEXTCODEC_UTF_8, TEXTCODEC_BOM_KEEP, "\xEF\xBB\xBF", 3);
    CHECK(bom.length == 0);
    bom = textcodec_bom_apply(TEXTCODEC_UTF_8, 9, "\xEF\xBB\xBF", 3);
    CHECK(bom.length == 0);
}

static void whole_texts_are_converted(void) {
    char text[32];
    textcodec_result result =
        textcodec_decode_utf8(TEXTCODEC_SHIFT_JIS, TEXTCODEC_BOM_SNIFF, "\x83\x65!", 3, text, 32, 0);
    CHECK(result.status == TEXTCODEC_OK && result.read == 3 && result.written == 4 && !result.had_errors);
    CHECK(memcmp(text, "\xE3\x83\x86!", 4) == 0);
    uint16_t units[8];
    result = textcodec_decode_utf16(TEXTCODEC_SHIFT_JIS, TEXTCODEC_BOM_SNIFF, "\x83\x65!", 3, units, 8, 0);
    CHECK(result.written == 2 && units[0] == 0x30C6 && units[1] == '!');
    result = textcodec_decode_utf8(TEXTCODEC_UTF_8, TEXTCODEC_BOM_SNIFF, "a\xF0\x9F\x92z", 5, text, 9, TEXTCODEC_FATAL);
    CHECK(result.status == TEXTCODEC_MALFORMED && result.had_errors && result.read == 4 && result.written == 1);
    CHECK(result.error_offset == 1 && result.error_length == 3 && memcmp(result.error_bytes, "\xF0\x9F\x92", 3) == 0);
    result = textcodec_decode_utf8(TEXTCODEC_UTF_8, TEXTCODEC_BOM_SNIFF, "a\xFFz", 3, text, 4, 0);
    CHECK(result.status == TEXTCODEC_OUTPUT_FULL && result.written == 4 && result.had_errors);
    result = textcodec_decode_utf8(TEXTCODEC_NONE, TEXTCODEC_BOM_SNIFF, "a", 1, text, 4, 0);
    CHECK(result.status == TEXTCODEC_INVALID && result.read == 0);
    result = textcodec_decode_utf16(TEXTCODEC_UTF_8, 3, "a", 1, units, 4, 0);
    CHECK(result.status == TEXTCODEC_INVALID);
    result = textcodec_decode_utf8(TEXTCODEC_UTF_8, TEXTCODEC_BOM_SNIFF, NULL, 0, NULL, 0, 0);
    CHECK(result.status == TEXTCODEC_OK && result.read == 0 && result.written == 0);

    result = textcodec_encode_utf8(TEXTCODEC_SHIFT_JIS, "\xE3\x83\x86\xE2\x98\x83", 6, text, 32, 0);
    CHECK(result.status == TEXTCODEC_OK && result.had_errors && result.written == 9);
    CHECK(memcmp(text, "\x83\x65&#9731;", 9) == 0);
    result = textcodec_encode_utf8(TEXTCODEC_SHIFT_JIS, "\xE3\x83\x86\xE2\x98\x83!", 7, text, 32, TEXTCODEC_FATAL);
    CHECK(result.status == TEXTCODEC_UNMAPPABLE && result.code_point == 0x2603 && result.written == 2);
    CHECK(result.read == 6 && result.error_offset == 3 && result.error_length == 3);
    result = textcodec_encode_utf8(TEXTCODEC_SHIFT_JIS, "a\xE3\x83z", 4, text, 32, TEXTCODEC_FATAL);
    CHECK(result.status == TEXTCODEC_MALFORMED && result.error_offset == 1 && result.error_length == 2);
    CHECK(result.read == 3 && memcmp(result.error_bytes, "\xE3\x83", 2) == 0);
    result = textcodec_encode_utf8(TEXTCODEC_UTF_8, "a\xE3\x83z", 4, text, 32, 0);
    CHECK(result.status == TEXTCODEC_OK && result.had_errors && memcmp(text, "a\xEF\xBF\xBDz", 5) == 0);
    result = textcodec_encode_utf8(TEXTCODEC_ISO_2022_JP, "\x0E", 1, text, 32, TEXTCODEC_FATAL);
    CHECK(result.status == TEXTCODEC_UNMAPPABLE && result.code_point == 0xFFFD && result.error_length == 1);
    uint16_t snowman[2] = {0xD83D, 0x2603};
    result = textcodec_encode_utf16(TEXTCODEC_UTF_8, snowman, 2, text, 32, 0);
    CHECK(result.written == 6 && memcmp(text, "\xEF\xBF\xBD\xE2\x98\x83", 6) == 0 && !result.had_errors);
    result = textcodec_encode_utf16(TEXTCODEC_UTF_16LE, snowman, 2, text, 32, 0);
    CHECK(result.status == TEXTCODEC_INVALID);
    result = textcodec_encode_utf8(TEXTCODEC_REPLACEMENT, "a", 1, text, 32, 0);
    CHECK(result.status == TEXTCODEC_INVALID);
    result = textcodec_encode_utf8(TEXTCODEC_GBK, NULL, 7, NULL, 7, 0);
    CHECK(result.status == TEXTCODEC_OK && result.read == 0);
    result = textcodec_encode_utf16(TEXTCODEC_GBK, NULL, 0, NULL, 0, 0);
    CHECK(result.status == TEXTCODEC_OK);

    CHECK(textcodec_max_utf8_length(TEXTCODEC_GBK, 10) >= 30 && textcodec_max_utf16_length(TEXTCODEC_GBK, 10) >= 10);
    CHECK(textcodec_max_utf8_length(TEXTCODEC_GBK, SIZE_MAX) == SIZE_MAX);
    CHECK(textcodec_max_utf8_length(TEXTCODEC_NONE, 1) == SIZE_MAX && textcodec_max_utf16_length(99, 1) == SIZE_MAX);
    CHECK(textcodec_max_length_from_utf8(TEXTCODEC_GBK, 10, 0) >= 80);
    CHECK(textcodec_max_length_from_utf8(TEXTCODEC_GBK, 10, TEXTCODEC_FATAL) >= 10);
    CHECK(textcodec_max_length_from_utf8(TEXTCODEC_UTF_16BE, 10, 0) == SIZE_MAX);
    CHECK(textcodec_max_length_from_utf16(TEXTCODEC_GBK, 10, 0) >= 80);
    CHECK(textcodec_max_length_from_utf16(TEXTCODEC_GBK, SIZE_MAX, 0) == SIZE_MAX);
    CHECK(textcodec_max_length_from_utf8(TEXTCODEC_GBK, 10, 0) <= 200);
    CHECK(textcodec_max_length_from_utf8(TEXTCODEC_GBK, 10, TEXTCODEC_FATAL) <= 40);
    CHECK(textcodec_max_length_from_utf16(TEXTCODEC_GBK, 10, 0) <= 200);
    CHECK(textcodec_max_length_from_utf16(TEXTCODEC_GBK, 10, TEXTCODEC_FATAL) <= 40);
}

static void a_decoder_goes_on_in_a_copy_and_from_a_state(void) {
    textcodec_decoder decoder, copy;
    textcodec_state state;
    char text[32];
    CHECK(sizeof(textcodec_decoder) == TEXTCODEC_DECODER_SIZE);
    CHECK(textcodec_decoder_init(&decoder, TEXTCODEC_SHIFT_JIS, TEXTCODEC_BOM_SNIFF) == TEXTCODEC_OK);
    textcodec_result result = textcodec_decoder_utf8(&decoder, "a\x83", 2, text, 32, 0);
    CHECK(result.status == TEXTCODEC_OK && result.read == 2 && result.written == 1);
    CHECK(textcodec_decoder_position(&decoder) == 2 && textcodec_decoder_sequence_start(&decoder) == 1);
    CHECK(textcodec_decoder_encoding(&decoder) == TEXTCODEC_SHIFT_JIS);
    CHECK(textcodec_decoder_max_utf8_length(&decoder, 1) >= 3 && textcodec_decoder_max_utf16_length(&decoder, 1) >= 1);
    copy = decoder;
    CHECK(textcodec_decoder_save(&decoder, &state) == TEXTCODEC_OK);
    result = textcodec_decoder_utf8(&decoder, "\x65", 1, text, 32, TEXTCODEC_LAST);
    CHECK(result.written == 3 && memcmp(text, "\xE3\x83\x86", 3) == 0);
    uint16_t units[4];
    result = textcodec_decoder_utf16(&copy, "\x65", 1, units, 4, TEXTCODEC_LAST);
    CHECK(result.written == 1 && units[0] == 0x30C6);
    textcodec_decoder_reset(&copy);
    CHECK(textcodec_decoder_position(&copy) == 0);
    CHECK(textcodec_decoder_restore(&copy, &state) == TEXTCODEC_OK && textcodec_decoder_position(&copy) == 2);
    result = textcodec_decoder_utf8(&copy, "\x65", 1, text, 2, TEXTCODEC_LAST);
    CHECK(result.status == TEXTCODEC_OUTPUT_FULL && result.written == 0);
    result = textcodec_decoder_utf8(&copy, &"\x65"[result.read], 1 - result.read, text, 32, TEXTCODEC_LAST);
    CHECK(result.status == TEXTCODEC_OK && result.written == 3);

    state.words[3] = 1;
    CHECK(textcodec_decoder_restore(&copy, &state) == TEXTCODEC_INVALID);
    memset(&state, 0xFF, sizeof state);
    CHECK(textcodec_decoder_restore(&copy, &state) == TEXTCODEC_INVALID);
    CHECK(textcodec_decoder_init(&decoder, TEXTCODEC_GBK, TEXTCODEC_BOM_SNIFF) == TEXTCODEC_OK);
    textcodec_decoder_utf8(&decoder, "\xFF\xFE" "a\0", 4, text, 32, 0);
    CHECK(textcodec_decoder_encoding(&decoder) == TEXTCODEC_UTF_16LE);
}

static void an_encoder_takes_sources_that_end_inside_of_a_character(void) {
    textcodec_encoder encoder, copy;
    textcodec_state state;
    char bytes[64];
    CHECK(sizeof(textcodec_encoder) == TEXTCODEC_ENCODER_SIZE);
    CHECK(textcodec_encoder_init(&encoder, TEXTCODEC_ISO_2022_JP) == TEXTCODEC_OK);
    textcodec_result result = textcodec_encoder_utf8(&encoder, "\xE3\x83\x86\xE3", 4, bytes, 64, TEXTCODEC_FATAL);
    CHECK(result.status == TEXTCODEC_OK && result.read == 4 && result.written == 5);
    CHECK(memcmp(bytes, "\x1B$B%F", 5) == 0 && textcodec_encoder_has_pending_state(&encoder));
    CHECK(textcodec_encoder_position(&encoder) == 4 && textcodec_encoder_encoding(&encoder) == TEXTCODEC_ISO_2022_JP);
    CHECK(textcodec_encoder_max_length_from_utf8(&encoder, 3, 0) >= 14);
    CHECK(textcodec_encoder_max_length_from_utf16(&encoder, 3, TEXTCODEC_FATAL) >= 9);
    CHECK(textcodec_encoder_save(&encoder, &state) == TEXTCODEC_OK);
    copy = encoder;
    result = textcodec_encoder_utf8(&encoder, "\x83\x86!", 3, bytes, 64, TEXTCODEC_LAST);
    CHECK(result.status == TEXTCODEC_OK && result.written == 6 && memcmp(bytes, "%F\x1B(B!", 6) == 0);
    CHECK(textcodec_encoder_position(&encoder) == 7);
    textcodec_encoder_reset(&encoder);
    CHECK(textcodec_encoder_restore(&encoder, &state) == TEXTCODEC_OK && textcodec_encoder_position(&encoder) == 4);
    result = textcodec_encoder_utf8(&encoder, "!", 1, bytes, 64, TEXTCODEC_LAST | TEXTCODEC_FATAL);
    CHECK(result.status == TEXTCODEC_MALFORMED && result.error_offset == 3 && result.error_length == 1);
    CHECK(result.read == 0 && result.error_bytes[0] == 0xE3);
    /* The end of the stream. */
    result = textcodec_encoder_utf8(&copy, NULL, 0, bytes, 64, TEXTCODEC_LAST | TEXTCODEC_FATAL);
    CHECK(result.status == TEXTCODEC_MALFORMED && result.error_offset == 3 && result.written == 0);
    result = textcodec_encoder_utf8(&copy, NULL, 0, bytes, 64, TEXTCODEC_LAST | TEXTCODEC_FATAL);
    CHECK(result.status == TEXTCODEC_OK && result.written == 3 && memcmp(bytes, "\x1B(B", 3) == 0);
    /* UTF-16 after a part of a character of UTF-8. */
    CHECK(textcodec_encoder_init(&encoder, TEXTCODEC_UTF_8) == TEXTCODEC_OK);
    result = textcodec_encoder_utf8(&encoder, "\xE3", 1, bytes, 64, 0);
    uint16_t a = 'a';
    result = textcodec_encoder_utf16(&encoder, &a, 1, bytes, 64, TEXTCODEC_LAST);
    CHECK(result.status == TEXTCODEC_OK && result.had_errors && result.written == 4);
    CHECK(memcmp(bytes, "\xEF\xBF\xBD" "a", 4) == 0);
    /* Text in UTF-16 makes the start of a character in UTF-8 malformed; an empty text does not. */
    CHECK(textcodec_encoder_utf8(&encoder, "\xC3", 1, bytes, 64, TEXTCODEC_FATAL).status == TEXTCODEC_OK);
    CHECK(textcodec_encoder_utf16(&encoder, &a, 0, bytes, 64, TEXTCODEC_FATAL).status == TEXTCODEC_OK);
    result = textcodec_encoder_utf16(&encoder, &a, 1, bytes, 64, TEXTCODEC_FATAL);
    CHECK(result.status == TEXTCODEC_MALFORMED && result.error_length == 1 && result.read == 0);
    textcodec_encoder_reset(&encoder);

    memset(&state, 0xFF, sizeof state);
    CHECK(textcodec_encoder_restore(&encoder, &state) == TEXTCODEC_INVALID);
    /* A whole character, where the first bytes of one are kept. */
    memset(&state, 0, sizeof state);
    state.words[1] = 1;
    state.words[3] = 0x01000000 | 'a';
    CHECK(textcodec_encoder_restore(&encoder, &state) == TEXTCODEC_INVALID);
}

static void the_start_of_a_character_is_part_of_the_state(void) {
    textcodec_encoder encoder;
    textcodec_state state;
    char bytes[8];
    CHECK(textcodec_encoder_init(&encoder, TEXTCODEC_GBK) == TEXTCODEC_OK);
    size_t of_nothing = textcodec_encoder_max_length_from_utf16(&encoder, 0, 0);
    textcodec_result result = textcodec_encoder_utf8(&encoder, "\xE2\x98", 2, bytes, 8, 0);
    CHECK(result.status == TEXTCODEC_OK && result.read == 2 && result.written == 0);
    CHECK(textcodec_encoder_has_pending_state(&encoder));
    CHECK(textcodec_encoder_max_length_from_utf16(&encoder, 0, 0) > of_nothing);
    CHECK(textcodec_encoder_save(&encoder, &state) == TEXTCODEC_OK);
    /* The third byte of the start, which has two. */
    state.words[3] |= 0x10000;
    CHECK(textcodec_encoder_restore(&encoder, &state) == TEXTCODEC_INVALID);
    textcodec_encoder_reset(&encoder);
    CHECK(!textcodec_encoder_has_pending_state(&encoder));
    result = textcodec_encoder_utf8(&encoder, "a", 1, bytes, 8, TEXTCODEC_LAST);
    CHECK(result.status == TEXTCODEC_OK && result.written == 1 && !result.had_errors);
}

static void replacements_of_a_program_do_not_count(void) {
    textcodec_encoder encoder;
    char bytes[64];
    const char *text = "\xE2\x98\x83" "a" "\xE2\x98\x83";
    size_t read = 0, written = 0, errors = 0;
    CHECK(textcodec_encoder_init(&encoder, TEXTCODEC_GBK) == TEXTCODEC_OK);
    for (;;) {
        textcodec_result result = textcodec_encoder_utf8(&encoder, text + read, 7 - read, bytes + written, 64 - written,
                                                         TEXTCODEC_LAST | TEXTCODEC_FATAL);
        read += result.read;
        written += result.written;
        if (result.status != TEXTCODEC_UNMAPPABLE) {
            CHECK(result.status == TEXTCODEC_OK);
            break;
        }
        CHECK(result.error_offset == (errors++ == 0 ? 0 : 4) && result.error_length == 3);
        /* A replacement with an unmappable character is an error at the position. */
        textcodec_encoder other = encoder;
        result = textcodec_encoder_utf8(&other, "?\xE2\x98\x83", 4, bytes + written, 64 - written,
                                        TEXTCODEC_UNCOUNTED | TEXTCODEC_FATAL);
        CHECK(result.status == TEXTCODEC_UNMAPPABLE && result.error_offset == read && result.error_length == 3);
        result = textcodec_encoder_utf8(&encoder, "[?]", 3, bytes + written, 64 - written, TEXTCODEC_UNCOUNTED);
        written += result.written;
    }
    CHECK(errors == 2 && written == 7 && memcmp(bytes, "[?]a[?]", 7) == 0 && textcodec_encoder_position(&encoder) == 7);
}

static void structs_that_were_not_initialised_are_refused(void) {
    textcodec_decoder decoder;
    textcodec_encoder encoder;
    textcodec_state state;
    char text[8];
    uint16_t units[8];
    memset(&decoder, 0, sizeof decoder);
    memset(&encoder, 0, sizeof encoder);
    for (int round = 0; round < 2; round++) {
        textcodec_decoder *no_decoder = round == 0 ? NULL : &decoder;
        textcodec_encoder *no_encoder = round == 0 ? NULL : &encoder;
        CHECK(textcodec_decoder_utf8(no_decoder, "a", 1, text, 8, 0).status == TEXTCODEC_INVALID);
        CHECK(textcodec_decoder_utf16(no_decoder, "a", 1, units, 8, 0).status == TEXTCODEC_INVALID);
        CHECK(textcodec_decoder_max_utf8_length(no_decoder, 1) == SIZE_MAX);
        CHECK(textcodec_decoder_max_utf16_length(no_decoder, 1) == SIZE_MAX);
        CHECK(textcodec_decoder_encoding(no_decoder) == TEXTCODEC_NONE);
        CHECK(textcodec_decoder_position(no_decoder) == 0 && textcodec_decoder_sequence_start(no_decoder) == 0);
        textcodec_decoder_reset(no_decoder);
        CHECK(textcodec_decoder_save(no_decoder, &state) == TEXTCODEC_INVALID);
        CHECK(textcodec_decoder_restore(no_decoder, &state) == TEXTCODEC_INVALID);
        CHECK(textcodec_encoder_utf8(no_encoder, "a", 1, text, 8, 0).status == TEXTCODEC_INVALID);
        CHECK(textcodec_encoder_utf16(no_encoder, units, 0, text, 8, 0).status == TEXTCODEC_INVALID);
        CHECK(textcodec_encoder_max_length_from_utf8(no_encoder, 1, 0) == SIZE_MAX);
        CHECK(textcodec_encoder_max_length_from_utf16(no_encoder, 1, 0) == SIZE_MAX);
        CHECK(textcodec_encoder_encoding(no_encoder) == TEXTCODEC_NONE);
        CHECK(textcodec_encoder_position(no_encoder) == 0 && !textcodec_encoder_has_pending_state(no_encoder));
        textcodec_encoder_reset(no_encoder);
        CHECK(textcodec_encoder_save(no_encoder, &state) == TEXTCODEC_INVALID);
        CHECK(textcodec_encoder_restore(no_encoder, &state) == TEXTCODEC_INVALID);
    }
    CHECK(textcodec_decoder_init(NULL, TEXTCODEC_UTF_8, TEXTCODEC_BOM_KEEP) == TEXTCODEC_INVALID);
    CHECK(textcodec_decoder_init(&decoder, TEXTCODEC_NONE, TEXTCODEC_BOM_KEEP) == TEXTCODEC_INVALID);
    CHECK(textcodec_decoder_init(&decoder, TEXTCODEC_UTF_8, 7) == TEXTCODEC_INVALID);
    CHECK(textcodec_encoder_init(NULL, TEXTCODEC_UTF_8) == TEXTCODEC_INVALID);
    CHECK(textcodec_encoder_init(&encoder, TEXTCODEC_UTF_16BE) == TEXTCODEC_INVALID);
    /* A decoder is no encoder. */
    CHECK(textcodec_decoder_init(&decoder, TEXTCODEC_UTF_8, TEXTCODEC_BOM_KEEP) == TEXTCODEC_OK);
    memcpy(&encoder, &decoder, sizeof encoder);
    CHECK(textcodec_encoder_utf8(&encoder, "a", 1, text, 8, 0).status == TEXTCODEC_INVALID);
    CHECK(textcodec_decoder_save(&decoder, NULL) == TEXTCODEC_INVALID);
    CHECK(textcodec_decoder_restore(&decoder, NULL) == TEXTCODEC_INVALID);
}

static void text_in_memory_is_checked_and_converted(void) {
    const uint16_t units[4] = {'a', 0xE9, 0xD83D, 'b'};
    char text[16];
    uint16_t to[16];
    CHECK(textcodec_ascii_up_to("ab\xFF", 3) == 2 && textcodec_ascii_up_to(NULL, 3) == 0);
    CHECK(textcodec_utf16_ascii_up_to(units, 4) == 1 && textcodec_utf16_ascii_up_to(NULL, 0) == 0);
    CHECK(textcodec_iso_2022_jp_ascii_up_to("ab\x0E", 3) == 2);
    CHECK(textcodec_utf8_valid_up_to("a\xC3\xA9\xFF", 4) == 3 && textcodec_utf8_valid_up_to(NULL, 0) == 0);
    CHECK(textcodec_utf16_valid_up_to(units, 4) == 2);
    CHECK(textcodec_utf8_latin1_up_to("a\xC3\xA9\xE2\x98\x83", 6) == 3 && textcodec_utf16_latin1_up_to(units, 4) == 2);
    memcpy(to, units, sizeof units);
    textcodec_ensure_utf16_validity(to, 4);
    textcodec_ensure_utf16_validity(NULL, 4);
    CHECK(to[1] == 0xE9 && to[2] == 0xFFFD);
    textcodec_counts counts = textcodec_utf8_to_utf16("a\xC3\xA9\xFF", 4, to, 16);
    CHECK(counts.read == 4 && counts.written == 3 && to[1] == 0xE9 && to[2] == 0xFFFD);
    counts = textcodec_utf16_to_utf8(units, 4, text, 16);
    CHECK(counts.read == 4 && counts.written == 7 && memcmp(text, "a\xC3\xA9\xEF\xBF\xBD" "b", 7) == 0);
    counts = textcodec_utf16_to_utf8(units, 4, text, 2);
    CHECK(counts.read == 1 && counts.written == 1);
    counts = textcodec_latin1_to_utf8("a\xE9", 2, text, 16);
    CHECK(counts.written == 3 && memcmp(text, "a\xC3\xA9", 3) == 0);
    counts = textcodec_latin1_to_utf16("a\xE9", 2, to, 16);
    CHECK(counts.written == 2 && to[1] == 0xE9);
    counts = textcodec_utf8_to_latin1("a\xC3\xA9\xE2\x98\x83", 6, text, 16);
    CHECK(counts.read == 3 && counts.written == 2 && text[1] == '\xE9');
    counts = textcodec_utf16_to_latin1(units, 4, text, 16);
    CHECK(counts.read == 2 && counts.written == 2);
    CHECK(textcodec_copy_ascii("ab\xFF", 3, text, 16) == 2 && textcodec_copy_ascii("ab", 2, text, 1) == 1);
    CHECK(textcodec_copy_ascii_to_utf16("ab\xFF", 3, to, 16) == 2 && to[1] == 'b');
    CHECK(textcodec_copy_utf16_to_ascii(units, 4, text, 16) == 1 && textcodec_copy_ascii(NULL, 0, NULL, 0) == 0);
}

static void resources_are_sniffed(void) {
    const char *page = "<!doctype html><meta charset=koi8-r><title>";
    textcodec_sniffed sniffed = textcodec_sniff(TEXTCODEC_CONTEXT_HTML_PARSER, NULL, page, 30, 0);
    CHECK(sniffed.encoding == TEXTCODEC_NONE && sniffed.rung == 0);
    sniffed = textcodec_sniff(TEXTCODEC_CONTEXT_HTML_PARSER, NULL, page, 40, 0);
    CHECK(sniffed.encoding == TEXTCODEC_KOI8_R && sniffed.rung == TEXTCODEC_RUNG_META);
    CHECK(sniffed.confidence == TEXTCODEC_TENTATIVE);
    CHECK(is(textcodec_context_name(TEXTCODEC_CONTEXT_HTML_PARSER), "HTML parser"));
    CHECK(is(textcodec_context_name(0), ""));
    CHECK(is(textcodec_confidence_name(sniffed.confidence), "tentative") && is(textcodec_rung_name(5), "meta"));
    textcodec_hints hints;
    memset(&hints, 0, sizeof hints);
    textcodec_hints_from_content_type(&hints, "text/html; charset=sjis", 23);
    textcodec_hints_from_content_type(NULL, "text/html", 9);
    CHECK(hints.transport == TEXTCODEC_SHIFT_JIS && hints.resource == TEXTCODEC_RESOURCE_HTML);
    sniffed = textcodec_sniff(TEXTCODEC_CONTEXT_HTML_PARSER, &hints, page, 40, TEXTCODEC_LAST);
    CHECK(sniffed.encoding == TEXTCODEC_SHIFT_JIS && sniffed.rung == TEXTCODEC_RUNG_TRANSPORT);
    CHECK(sniffed.confidence == TEXTCODEC_CERTAIN);
    textcodec_hints_from_content_type(&hints, "text/html; charset=nonsense", 27);
    CHECK(hints.transport == TEXTCODEC_UNKNOWN_LABEL);
    hints.locale = "ru-RU";
    hints.locale_length = 5;
    sniffed = textcodec_sniff(TEXTCODEC_CONTEXT_HTML_PARSER, &hints, NULL, 0, TEXTCODEC_LAST);
    CHECK(sniffed.encoding == TEXTCODEC_WINDOWS_1251 && sniffed.rung == TEXTCODEC_RUNG_LOCALE);
    sniffed = textcodec_sniff(0, NULL, page, 40, TEXTCODEC_LAST);
    CHECK(sniffed.encoding == TEXTCODEC_NONE);
    CHECK(textcodec_for_content_type("text/plain; charset=\"sjis\"", 26) == TEXTCODEC_SHIFT_JIS);
    CHECK(textcodec_for_content_type(NULL, 0) == TEXTCODEC_NONE);
}

/* Each hint alone decides, in a context that asks for it. */
static void each_hint_has_its_own_rung(void) {
    textcodec_hints hints;
    textcodec_sniffed sniffed;
    const struct {
        textcodec_encoding *hint;
        uint32_t context, rung, confidence;
    } cases[] = {
        {&hints.definite, TEXTCODEC_CONTEXT_HTML_PARSER, TEXTCODEC_RUNG_DEFINITE, TEXTCODEC_CERTAIN},
        {&hints.override_charset, TEXTCODEC_CONTEXT_XHR_TEXT, TEXTCODEC_RUNG_OVERRIDE, TEXTCODEC_CERTAIN},
        {&hints.transport, TEXTCODEC_CONTEXT_HTML_PARSER, TEXTCODEC_RUNG_TRANSPORT, TEXTCODEC_CERTAIN},
        {&hints.charset_attribute, TEXTCODEC_CONTEXT_CLASSIC_SCRIPT, TEXTCODEC_RUNG_CHARSET_ATTRIBUTE, TEXTCODEC_CERTAIN},
        {&hints.environment, TEXTCODEC_CONTEXT_CSS_FROM_DOCUMENT, TEXTCODEC_RUNG_ENVIRONMENT, TEXTCODEC_CERTAIN},
        {&hints.container, TEXTCODEC_CONTEXT_HTML_PARSER, TEXTCODEC_RUNG_CONTAINER, TEXTCODEC_TENTATIVE},
        {&hints.history, TEXTCODEC_CONTEXT_HTML_PARSER, TEXTCODEC_RUNG_HISTORY, TEXTCODEC_TENTATIVE},
        {&hints.fallback, TEXTCODEC_CONTEXT_HTML_PARSER, TEXTCODEC_RUNG_DEFAULT, TEXTCODEC_TENTATIVE},
    };
    for (size_t number = 0; number < sizeof cases / sizeof *cases; number++) {
        memset(&hints, 0, sizeof hints);
        *cases[number].hint = TEXTCODEC_KOI8_R;
        sniffed = textcodec_sniff(cases[number].context, &hints, "a", 1, TEXTCODEC_LAST);
        CHECK(sniffed.encoding == TEXTCODEC_KOI8_R && sniffed.rung == cases[number].rung);
        CHECK(sniffed.confidence == cases[number].confidence);
    }
    memset(&hints, 0, sizeof hints);
    hints.history = TEXTCODEC_KOI8_R;
    hints.resource = TEXTCODEC_RESOURCE_TEXT;
    sniffed = textcodec_sniff(TEXTCODEC_CONTEXT_TEXT_DOCUMENT, &hints, "a", 1, TEXTCODEC_LAST);
    CHECK(sniffed.encoding == TEXTCODEC_KOI8_R);
    hints.resource = TEXTCODEC_RESOURCE_JSON;
    sniffed = textcodec_sniff(TEXTCODEC_CONTEXT_TEXT_DOCUMENT, &hints, "a", 1, TEXTCODEC_LAST);
    CHECK(sniffed.encoding == TEXTCODEC_UTF_8);
}

static void every_verdict_has_its_number_and_its_facts(void) {
    static const struct {
        const char *bytes;
        size_t length;
        uint32_t verdict;
        uint64_t offset, malformed;
        bool has_bom;
    } texts[] = {
        {"plain", 5, TEXTCODEC_VERDICT_ASCII, 0, 0, false},
        {"na\xC3\xAFve", 6, TEXTCODEC_VERDICT_UTF_8, 0, 0, false},
        {"\xEF\xBB\xBF" "a", 4, TEXTCODEC_VERDICT_UTF_8, 0, 0, true},
        {"\xC3\xA9 \xC3\xA9 \xC3\xA9 \xFF \xFE", 12, TEXTCODEC_VERDICT_DAMAGED_UTF_8, 9, 2, false},
        {"p\0l\0a\0i\0n\0\n\0", 12, TEXTCODEC_VERDICT_UTF_16, 0, 0, false},
        {"\xFE\xFF\0a", 4, TEXTCODEC_VERDICT_UTF_16, 0, 0, true},
        {"\xFF\xFE\0\0a\0\0\0", 8, TEXTCODEC_VERDICT_UTF_32, 0, 0, true},
        {"a\x1B$B%F%9%H\x1B(B", 13, TEXTCODEC_VERDICT_ISO_2022, 0, 0, false},
        {"This is ~{<:Ky2;NpJ)~}.\n", 24, TEXTCODEC_VERDICT_HZ, 0, 0, false},
        {"Hi Mom +Jjo-! Gr+APwA3w-e aus M+APw-nchen\n", 42, TEXTCODEC_VERDICT_UTF_7, 0, 0, false},
        {"line one\r\nl\0i\0n\0e\0 \0t\0w\0o\0\r\0\n\0", 30, TEXTCODEC_VERDICT_MIXED, 10, 0, false},
        {"PK\x03\x04\x14\0\0\0\x08\0", 10, TEXTCODEC_VERDICT_BINARY, 0, 0, false},
    };
    for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) {
        textcodec_detection detection = textcodec_detect(NULL, texts[at].bytes, texts[at].length, NULL, 0);
        CHECK(detection.verdict == texts[at].verdict);
        CHECK(detection.offset == texts[at].offset && detection.malformed == texts[at].malformed);
        CHECK(detection.has_bom == texts[at].has_bom);
        /* A negative number if there is no next text. */
        CHECK(detection.candidates > 1 || detection.margin < 0);
    }
}

/* Each platform makes its encoding more probable, and no other one does. */
static void each_option_of_the_detector_has_an_effect(void) {
    /* "Привет" in the encodings of the platforms, and "café", of which systems of Unix have another encoding. */
    static const struct {
        uint32_t platform;
        const char *text;
    } texts[] = {
        {TEXTCODEC_PLATFORM_WINDOWS, "\xCF\xF0\xE8\xE2\xE5\xF2"},
        {TEXTCODEC_PLATFORM_MAC, "\x8F\xF0\xE8\xE2\xE5\xF2"},
        {TEXTCODEC_PLATFORM_UNIX, "caf\xE9"},
        {TEXTCODEC_PLATFORM_DOS, "\x8F\xE0\xA8\xA2\xA5\xE2"},
    };
    textcodec_detect_options known;
    for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) {
        size_t length = strlen(texts[at].text);
        float before = textcodec_detect(NULL, texts[at].text, length, NULL, 0).probability;
        for (size_t other = 0; other < sizeof texts / sizeof *texts; other++) {
            memset(&known, 0, sizeof known);
            known.platform = texts[other].platform;
            float after = textcodec_detect(&known, texts[at].text, length, NULL, 0).probability;
            CHECK((after > before) == (other == at));
        }
    }
    /* "日本語" in Shift_JIS without its first byte, and "日本語のテキスト" without its last one. */
    const char *late = "\xFA\x96\x7B\x8C\xEA";
    const char *early = "\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x83\x65\x83\x4C\x83\x58\x83";
    memset(&known, 0, sizeof known);
    known.ends_mid_stream = true;
    CHECK(textcodec_detect(&known, late, strlen(late), NULL, 0).encoding != TEXTCODEC_SHIFT_JIS);
    float of_part = textcodec_detect(&known, early, strlen(early), NULL, 0).probability;
    float of_whole = textcodec_detect(NULL, early, strlen(early), NULL, 0).probability;
    CHECK(of_part > of_whole);
    known.ends_mid_stream = false;
    known.starts_mid_stream = true;
    CHECK(textcodec_detect(&known, late, strlen(late), NULL, 0).encoding == TEXTCODEC_SHIFT_JIS);
    /* Before the end, more bytes can follow. */
    textcodec_detector *detector = textcodec_detector_new(NULL);
    textcodec_detector_feed(detector, early, strlen(early));
    CHECK(textcodec_detector_answer(detector, NULL, 0, 0).probability == of_part);
    CHECK(textcodec_detector_answer(detector, NULL, 0, TEXTCODEC_LAST).probability == of_whole);
    textcodec_detector_free(detector);
}

static void encodings_are_detected(void) {
    /* "Привет, как дела?" in KOI8-R. */
    const char *text = "\xF0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1?";
    textcodec_candidate best[2];
    textcodec_detection detection = textcodec_detect(NULL, text, strlen(text), best, 2);
    CHECK(detection.encoding == TEXTCODEC_KOI8_R && detection.verdict == TEXTCODEC_VERDICT_LEGACY);
    CHECK(detection.candidates >= 1 && detection.probability > 0.9f && best[0].encoding == TEXTCODEC_KOI8_R);
    CHECK(is(best[0].name, "KOI8-R") && is(best[0].language, "ru") && best[0].group == 0);
    CHECK(is(textcodec_verdict_name(detection.verdict), "legacy") && is(textcodec_verdict_name(0), ""));
    detection = textcodec_detect(NULL, NULL, 0, NULL, 0);
    CHECK(detection.verdict == TEXTCODEC_VERDICT_EMPTY && detection.margin < 0);
    textcodec_detect_options known;
    memset(&known, 0, sizeof known);
    const textcodec_encoding among[2] = {TEXTCODEC_IBM866, TEXTCODEC_WINDOWS_1251}, exclude[1] = {TEXTCODEC_IBM866};
    known.among = among;
    known.among_length = 2;
    known.exclude = exclude;
    known.exclude_length = 1;
    known.language = "ru";
    known.language_length = 2;
    known.top_level_domain = "ru";
    known.top_level_domain_length = 2;
    known.declared = TEXTCODEC_WINDOWS_1251;
    known.platform = TEXTCODEC_PLATFORM_WINDOWS;
    detection = textcodec_detect(&known, text, strlen(text), NULL, 0);
    CHECK(detection.encoding == TEXTCODEC_WINDOWS_1251);
    known.among_length = 1;
    detection = textcodec_detect(&known, text, strlen(text), NULL, 0);
    CHECK(detection.verdict == TEXTCODEC_VERDICT_UNKNOWN && detection.offset == 0 && detection.malformed == 0);
    /* "Č." and "È." are both possible, so that what is known decides. */
    memset(&known, 0, sizeof known);
    known.language = "cs";
    known.language_length = 2;
    known.declared = TEXTCODEC_WINDOWS_1250;
    CHECK(textcodec_detect(&known, "\xC8. ", 3, NULL, 0).encoding == TEXTCODEC_WINDOWS_1250);
    known.language = "it";
    known.declared = TEXTCODEC_WINDOWS_1252;
    CHECK(textcodec_detect(&known, "\xC8. ", 3, NULL, 0).encoding == TEXTCODEC_WINDOWS_1252);
    memset(&known, 0, sizeof known);
    known.top_level_domain = "ru";
    known.top_level_domain_length = 2;
    known.declared = TEXTCODEC_KOI8_R;
    CHECK(textcodec_detect(&known, "\xC8. ", 3, NULL, 0).encoding == TEXTCODEC_KOI8_R);

    textcodec_detector *detector = textcodec_detector_new(NULL);
    CHECK(detector != NULL);
    textcodec_detector_feed(detector, text, 6);
    textcodec_detector_feed(detector, NULL, 0);
    CHECK(textcodec_detector_answer(detector, NULL, 0, 0).encoding != TEXTCODEC_UTF_8);
    textcodec_detector_feed(detector, text + 6, strlen(text) - 6);
    detection = textcodec_detector_answer(detector, best, 1, TEXTCODEC_LAST);
    CHECK(detection.encoding == TEXTCODEC_KOI8_R && best[0].encoding == TEXTCODEC_KOI8_R);
    textcodec_detector_free(detector);
    textcodec_detector_free(NULL);
    textcodec_detector_feed(NULL, text, 6);
    CHECK(textcodec_detector_answer(NULL, NULL, 0, 0).verdict == TEXTCODEC_VERDICT_EMPTY);
}

static void wrong_decodings_are_undone(void) {
    /* "café" that was decoded in windows-1252, and "SÓ…", which can be right as it is. */
    const char *text = "caf\xC3\x83\xC2\xA9\r\nS\xC3\x93\xE2\x80\xA6\n";
    char repaired[32];
    textcodec_repaired result = textcodec_repair(NULL, 0, text, strlen(text), repaired, 32, 0);
    CHECK(result.status == TEXTCODEC_OK && result.lines == 2 && result.repaired == 1 && result.first_repaired == 1);
    CHECK(result.ambiguous == 1 && result.first_ambiguous == 2 && result.lost == 0);
    CHECK(result.length == 14 && memcmp(repaired, "caf\xC3\xA9\r\n", 7) == 0);
    result = textcodec_repair(NULL, 0, text, strlen(text), NULL, 0, 0);
    CHECK(result.status == TEXTCODEC_OUTPUT_FULL && result.length == 14);
    const textcodec_encoding encodings[2] = {TEXTCODEC_WINDOWS_1252, TEXTCODEC_UTF_16LE};
    result = textcodec_repair(encodings, 1, text, strlen(text), repaired, 32, TEXTCODEC_AMBIGUOUS);
    CHECK(result.status == TEXTCODEC_OK && result.repaired == 2 && result.ambiguous == 0);
    CHECK(result.first_ambiguous == 0);
    CHECK(textcodec_repair(encodings, 2, text, 5, repaired, 32, 0).status == TEXTCODEC_INVALID);
    /* U+FFFD that was decoded wrongly, twice, after a line without an error. */
    result = textcodec_repair(NULL, 0, "a\n\xC3\xAF\xC2\xBF\xC2\xBD \xC3\xAF\xC2\xBF\xC2\xBD\n", 16, repaired, 32, 0);
    CHECK(result.status == TEXTCODEC_OK && result.lost == 2 && result.repaired == 1 && result.first_repaired == 2);
    CHECK(result.length == 10 && memcmp(repaired, "a\n\xEF\xBF\xBD \xEF\xBF\xBD\n", 10) == 0);
    CHECK(textcodec_repair(NULL, 0, "\xFF", 1, repaired, 32, 0).status == TEXTCODEC_MALFORMED);
}

/* Each registry has a name that no other one has. */
static void each_registry_has_its_own_names(void) {
    static const struct {
        uint32_t registry;
        const char *name;
    } names[] = {
        {TEXTCODEC_GLIBC, "UCS-4LE"},
        {TEXTCODEC_IANA, "csVISCII"},
        {TEXTCODEC_PYTHON, "mac_greek"},
        {TEXTCODEC_JAVA, "x-MacGreek"},
    };
    for (size_t at = 0; at < sizeof names / sizeof *names; at++) {
        for (size_t other = 0; other < sizeof names / sizeof *names; other++) {
            textcodec_encoding found =
                textcodec_for_charset(names[other].registry, names[at].name, strlen(names[at].name));
            CHECK((found != TEXTCODEC_NONE) == (other == at));
        }
    }
}

/* The facts of charsets, and byte order marks in front of their text. */
static void charsets_have_facts(void) {
    static const struct {
        const char *name;
        bool is_single_byte, is_ascii_compatible, can_encode_everything;
    } charsets[] = {
        {"IBM037", true, false, false}, {"IBM437", true, true, false}, {"UTF-32LE", false, false, true},
        {"UCS-2LE", false, false, false}, {"GB18030", false, true, false}, {"UTF-16LE", false, false, true},
    };
    for (size_t at = 0; at < sizeof charsets / sizeof *charsets; at++) {
        textcodec_encoding charset = textcodec_for_charset(TEXTCODEC_GLIBC, charsets[at].name, strlen(charsets[at].name));
        CHECK(charset > 0xFFFF && textcodec_output_encoding(charset) == charset && textcodec_has_encoder(charset));
        CHECK(textcodec_is_single_byte(charset) == charsets[at].is_single_byte);
        CHECK(textcodec_is_ascii_compatible(charset) == charsets[at].is_ascii_compatible);
        CHECK(textcodec_can_encode_everything(charset) == charsets[at].can_encode_everything);
        textcodec_bom bom = textcodec_bom_apply(charset, TEXTCODEC_BOM_SNIFF, "\xEF\xBB\xBF" "a", 4);
        CHECK(bom.encoding == TEXTCODEC_UTF_8 && bom.length == 3);
        textcodec_decoder decoder;
        char text[32];
        CHECK(textcodec_decoder_init(&decoder, charset, TEXTCODEC_BOM_SNIFF) == TEXTCODEC_OK);
        CHECK(textcodec_decoder_utf8(&decoder, "\xEF\xBB\xBF" "a", 4, text, 32, TEXTCODEC_LAST).written == 1);
        CHECK(textcodec_decoder_encoding(&decoder) == TEXTCODEC_UTF_8);
        bom = textcodec_bom_apply(charset, TEXTCODEC_BOM_KEEP, "\xEF\xBB\xBF" "a", 4);
        CHECK(bom.encoding == charset && bom.length == 0);
    }
}

/* The functions for whole texts end the text: a sequence is incomplete, and an encoder returns to its first state. */
static void whole_texts_end(void) {
    char text[32];
    uint16_t units[32];
    for (int fatal = 0; fatal < 2; fatal++) {
        uint32_t flags = fatal ? TEXTCODEC_FATAL : 0, status = fatal ? TEXTCODEC_MALFORMED : TEXTCODEC_OK;
        textcodec_result result = textcodec_decode_utf8(TEXTCODEC_SHIFT_JIS, TEXTCODEC_BOM_SNIFF, "a\x83", 2, text, 32, flags);
        CHECK(result.status == status && result.had_errors && result.read == 2 && result.written == (fatal ? 1 : 4));
        CHECK(result.error_offset == (fatal ? 1 : 0) && result.error_length == fatal);
        result = textcodec_decode_utf16(TEXTCODEC_SHIFT_JIS, TEXTCODEC_BOM_SNIFF, "a\x83", 2, units, 32, flags);
        CHECK(result.status == status && result.had_errors && result.read == 2 && result.written == (fatal ? 1 : 2));
        CHECK(result.error_offset == (fatal ? 1 : 0) && result.error_length == fatal);
        CHECK(fatal || units[1] == 0xFFFD);
        const uint16_t te[2] = {0x30C6, 0xD83D};
        const char *bytes = "\x1B$B%F\x1B(B";
        result = textcodec_encode_utf8(TEXTCODEC_ISO_2022_JP, "\xE3\x83\x86", 3, text, 32, flags);
        CHECK(result.status == TEXTCODEC_OK && result.written == 8 && memcmp(text, bytes, 8) == 0);
        result = textcodec_encode_utf16(TEXTCODEC_ISO_2022_JP, te, 1, text, 32, flags);
        CHECK(result.status == TEXTCODEC_OK && result.written == 8 && memcmp(text, bytes, 8) == 0);
        /* The first half of a surrogate pair, and the first bytes of a character, are U+FFFD at the end. */
        result = textcodec_encode_utf16(TEXTCODEC_UTF_8, te, 2, text, 32, flags);
        CHECK(result.status == TEXTCODEC_OK && result.written == 6 && memcmp(text + 3, "\xEF\xBF\xBD", 3) == 0);
        result = textcodec_encode_utf8(TEXTCODEC_UTF_8, "a\xE3\x83", 3, text, 32, flags);
        CHECK(result.status == status && result.had_errors && result.written == (fatal ? 1 : 4));
    }
}

/* Malformed sequences of each length, with all of their bytes. */
static void an_error_has_all_bytes_of_its_sequence(void) {
    static const struct {
        textcodec_encoding encoding;
        const char *bytes;
        uint8_t length;
    } sequences[] = {
        {TEXTCODEC_UTF_8, "\xFF", 1},
        {TEXTCODEC_SHIFT_JIS, "\x82\xFF", 2},
        {TEXTCODEC_UTF_8, "\xF0\x9F\x92", 3},
        {TEXTCODEC_GB18030, "\x84\x31\xA5\x30", 4},
    };
    for (size_t at = 0; at < sizeof sequences / sizeof *sequences; at++) {
        for (size_t wide = 0; wide < 2; wide++) {
            char source[8] = "ab", text[32];
            uint16_t units[32];
            memcpy(source + 2, sequences[at].bytes, sequences[at].length);
            size_t length = 2 + (size_t)sequences[at].length;
            textcodec_result result =
                wide ? textcodec_decode_utf16(sequences[at].encoding, TEXTCODEC_BOM_KEEP, source, length, units, 32,
                                              TEXTCODEC_FATAL)
                     : textcodec_decode_utf8(sequences[at].encoding, TEXTCODEC_BOM_KEEP, source, length, text, 32,
                                             TEXTCODEC_FATAL);
            CHECK(result.status == TEXTCODEC_MALFORMED && result.read == length && result.written == 2);
            CHECK(result.error_offset == 2 && result.error_length == sequences[at].length);
            uint8_t expected[7] = {0};
            memcpy(expected, sequences[at].bytes, sequences[at].length);
            CHECK(memcmp(result.error_bytes, expected, 7) == 0);
        }
    }
}

/* The flags of encoders mean the same for both forms of text. */
static void flags_count_in_utf_8_and_in_utf_16(void) {
    const uint16_t snow[2] = {'a', 0x2603};
    for (int wide = 0; wide < 2; wide++) {
        for (int fatal = 0; fatal < 2; fatal++) {
            for (int counts = 0; counts < 2; counts++) {
                textcodec_encoder encoder;
                char bytes[32];
                uint32_t flags = (fatal ? TEXTCODEC_FATAL : 0) | (counts ? 0 : TEXTCODEC_UNCOUNTED);
                uint64_t length = wide ? 2 : 4, of_error = wide ? 1 : 3;
                CHECK(textcodec_encoder_init(&encoder, TEXTCODEC_GBK) == TEXTCODEC_OK);
                CHECK(textcodec_encoder_utf8(&encoder, "bc", 2, bytes, 32, 0).written == 2);
                textcodec_result result = wide ? textcodec_encoder_utf16(&encoder, snow, 2, bytes, 32, flags)
                                               : textcodec_encoder_utf8(&encoder, "a\xE2\x98\x83", 4, bytes, 32, flags);
                CHECK(result.read == length && result.had_errors && result.written == (fatal ? 1 : 8));
                CHECK(result.status == (fatal ? TEXTCODEC_UNMAPPABLE : TEXTCODEC_OK));
                CHECK(textcodec_encoder_position(&encoder) == 2 + (counts ? length : 0));
                CHECK(!fatal || (result.error_length == of_error && result.code_point == 0x2603));
                CHECK(!fatal || result.error_offset == 2 + (counts ? length - of_error : 0));
            }
        }
    }
}

/* Only as many units as there is space for are written, and a destination of exactly the length is enough. */
static void no_function_writes_after_its_destination(void) {
    const uint16_t wide[4] = {'a', 'b', 0xE9, 0x20AC};
    char text[16];
    uint16_t to[16];
    for (size_t capacity = 0; capacity <= 9; capacity++) {
        memset(text, 0x55, sizeof text);
        memset(to, 0x55, sizeof to);
        textcodec_counts counts = textcodec_utf16_to_utf8(wide, 4, text, capacity);
        size_t written = capacity < 2 ? capacity : capacity < 4 ? 2 : capacity < 7 ? 4 : 7;
        CHECK(counts.written == written && text[capacity] == 0x55 && counts.read == (written == 7 ? 4 : written == 4 ? 3 : written));
        counts = textcodec_utf8_to_utf16("ab\xC3\xA9\xE2\x82\xAC", 7, to, capacity);
        CHECK(counts.written == (capacity < 4 ? capacity : 4) && to[capacity] == 0x5555);
        counts = textcodec_latin1_to_utf16("ab\xE9z", 4, to, capacity);
        CHECK(counts.written == (capacity < 4 ? capacity : 4) && counts.read == counts.written && to[capacity] == 0x5555);
        memset(text, 0x55, sizeof text);
        counts = textcodec_latin1_to_utf8("ab\xE9z", 4, text, capacity);
        written = capacity < 2 ? capacity : capacity < 4 ? 2 : capacity < 5 ? 4 : 5;
        CHECK(counts.written == written && text[capacity] == 0x55);
        memset(text, 0x55, sizeof text);
        CHECK(textcodec_utf16_to_latin1(wide, 3, text, capacity).written == (capacity < 3 ? capacity : 3) && text[capacity] == 0x55);
        memset(text, 0x55, sizeof text);
        CHECK(textcodec_utf8_to_latin1("ab\xC3\xA9", 4, text, capacity).written == (capacity < 3 ? capacity : 3) && text[capacity] == 0x55);
        memset(text, 0x55, sizeof text);
        CHECK(textcodec_copy_ascii("abc", 3, text, capacity) == (capacity < 3 ? capacity : 3) && text[capacity] == 0x55);
        memset(text, 0x55, sizeof text);
        CHECK(textcodec_copy_utf16_to_ascii(wide, 4, text, capacity) == (capacity < 2 ? capacity : 2) && text[capacity] == 0x55);
        memset(to, 0x55, sizeof to);
        CHECK(textcodec_copy_ascii_to_utf16("abc", 3, to, capacity) == (capacity < 3 ? capacity : 3) && to[capacity] == 0x5555);
        /* Decoders and encoders. */
        memset(text, 0x55, sizeof text);
        memset(to, 0x55, sizeof to);
        textcodec_result result = textcodec_decode_utf16(TEXTCODEC_KOI8_R, TEXTCODEC_BOM_KEEP, "ab\xC1z", 4, to, capacity, 0);
        CHECK(result.written <= capacity && to[capacity] == 0x5555 && (capacity < 8 || result.status == TEXTCODEC_OK));
        result = textcodec_decode_utf8(TEXTCODEC_KOI8_R, TEXTCODEC_BOM_KEEP, "ab\xC1z", 4, text, capacity, 0);
        CHECK(result.written <= capacity && text[capacity] == 0x55 && (capacity < 9 || result.status == TEXTCODEC_OK));
        memset(text, 0x55, sizeof text);
        result = textcodec_encode_utf16(TEXTCODEC_WINDOWS_1252, wide, 4, text, capacity, 0);
        CHECK(result.written <= capacity && text[capacity] == 0x55);
    }
}

/* A header sets the two hints that it gives, and no other. */
static void a_header_changes_no_other_hint(void) {
    static const struct {
        const char *value;
        textcodec_encoding transport;
        uint32_t resource;
    } headers[] = {
        {"text/html; charset=sjis", TEXTCODEC_SHIFT_JIS, TEXTCODEC_RESOURCE_HTML},
        {"application/xhtml+xml", TEXTCODEC_NONE, TEXTCODEC_RESOURCE_XML},
        {"text/css;charset=nonsense", TEXTCODEC_UNKNOWN_LABEL, TEXTCODEC_RESOURCE_CSS},
        {"text/javascript; charset=utf-8", TEXTCODEC_UTF_8, TEXTCODEC_RESOURCE_SCRIPT},
        {"application/json", TEXTCODEC_NONE, TEXTCODEC_RESOURCE_JSON},
        {"text/plain", TEXTCODEC_NONE, TEXTCODEC_RESOURCE_TEXT},
        {"nonsense", TEXTCODEC_NONE, 0},
    };
    const textcodec_hints all = {
        TEXTCODEC_GBK, TEXTCODEC_BIG5, TEXTCODEC_EUC_JP, TEXTCODEC_EUC_KR, TEXTCODEC_KOI8_R, TEXTCODEC_KOI8_U,
        TEXTCODEC_IBM866, TEXTCODEC_MACINTOSH, TEXTCODEC_RESOURCE_CSS, 5, "ru-RU",
    };
    for (size_t at = 0; at < sizeof headers / sizeof *headers; at++) {
        textcodec_hints hints = all, expected = all;
        textcodec_hints_from_content_type(&hints, headers[at].value, strlen(headers[at].value));
        expected.transport = headers[at].transport;
        expected.resource = headers[at].resource;
        CHECK(memcmp(&hints, &expected, sizeof hints) == 0);
    }
}

static void the_whole_language_tag_decides(void) {
    static const struct {
        const char *locale;
        textcodec_encoding encoding;
    } locales[] = {
        {"zh-TW", TEXTCODEC_BIG5}, {"zh-CN", TEXTCODEC_GBK}, {"ja", TEXTCODEC_SHIFT_JIS}, {"ru-RU", TEXTCODEC_WINDOWS_1251},
    };
    for (size_t at = 0; at < sizeof locales / sizeof *locales; at++) {
        textcodec_hints hints;
        memset(&hints, 0, sizeof hints);
        hints.locale = locales[at].locale;
        hints.locale_length = (uint32_t)strlen(locales[at].locale);
        textcodec_sniffed sniffed = textcodec_sniff(TEXTCODEC_CONTEXT_HTML_PARSER, &hints, "a", 1, TEXTCODEC_LAST);
        CHECK(sniffed.encoding == locales[at].encoding && sniffed.rung == TEXTCODEC_RUNG_LOCALE);
        /* The text after the length is not read. */
        hints.locale_length = 0;
        sniffed = textcodec_sniff(TEXTCODEC_CONTEXT_HTML_PARSER, &hints, "a", 1, TEXTCODEC_LAST);
        CHECK(sniffed.encoding == TEXTCODEC_WINDOWS_1252 && sniffed.rung == TEXTCODEC_RUNG_DEFAULT);
    }
    textcodec_sniffed sniffed = textcodec_sniff(TEXTCODEC_CONTEXT_MODULE_SCRIPT, NULL, "a", 1, TEXTCODEC_LAST);
    CHECK(sniffed.encoding == TEXTCODEC_UTF_8 && sniffed.confidence == TEXTCODEC_IRRELEVANT);
}

/* As many candidates as fit are written, and the answer does not depend on their number. */
static void candidates_fill_the_space_that_there_is(void) {
    const char *text = "\xF0\xD2\xC9\xD7\xC5\xD4";
    textcodec_candidate all[64], some[64];
    memset(all, 0x55, sizeof all);
    const textcodec_detection answer = textcodec_detect(NULL, text, 6, all, 64);
    CHECK(answer.candidates > 3 && answer.candidates < 64 && answer.encoding == all[0].encoding);
    CHECK(answer.probability == all[0].probability && answer.margin > 0);
    for (size_t at = 1; at < answer.candidates; at++) {
        CHECK(all[at].group == all[at - 1].group || all[at].group == all[at - 1].group + 1);
        CHECK(all[at].group != all[at - 1].group || all[at].probability == all[at - 1].probability);
        CHECK(all[at].encoding == textcodec_for_label(all[at].name.data, all[at].name.length));
    }
    CHECK(all[answer.candidates - 1].group > 1);
    textcodec_detector *detector = textcodec_detector_new(NULL);
    textcodec_detector_feed(detector, text, 6);
    for (size_t capacity = 0; capacity <= answer.candidates; capacity++) {
        for (int of_detector = 0; of_detector < 2; of_detector++) {
            memset(some, 0x55, sizeof some);
            textcodec_detection found = of_detector ? textcodec_detector_answer(detector, some, capacity, TEXTCODEC_LAST)
                                                    : textcodec_detect(NULL, text, 6, some, capacity);
            CHECK(found.candidates == answer.candidates && found.encoding == answer.encoding);
            CHECK(found.margin == answer.margin && found.probability == answer.probability);
            for (size_t at = 0; at < capacity; at++) {
                CHECK(some[at].encoding == all[at].encoding && some[at].name.data == all[at].name.data);
            }
            CHECK(some[capacity].encoding == 0x55555555);
        }
    }
    textcodec_detector_free(detector);
}

static void a_repaired_text_fits_exactly(void) {
    const char *text = "caf\xC3\x83\xC2\xA9";
    char repaired[8];
    for (size_t capacity = 0; capacity < 8; capacity++) {
        memset(repaired, 0x55, sizeof repaired);
        textcodec_repaired result = textcodec_repair(NULL, 0, text, strlen(text), repaired, capacity, 0);
        CHECK(result.length == 5 && result.repaired == 1 && repaired[capacity] == 0x55);
        CHECK(result.status == (capacity < 5 ? TEXTCODEC_OUTPUT_FULL : TEXTCODEC_OK));
        CHECK(capacity < 5 || memcmp(repaired, "caf\xC3\xA9", 5) == 0);
    }
}

int main(int argc, char **argv) {
    threads_convert_at_the_same_time();
    encodings_have_names_labels_and_facts();
    charsets_have_names_in_registries();
    byte_order_marks_decide_the_encoding();
    whole_texts_are_converted();
    a_decoder_goes_on_in_a_copy_and_from_a_state();
    an_encoder_takes_sources_that_end_inside_of_a_character();
    the_start_of_a_character_is_part_of_the_state();
    replacements_of_a_program_do_not_count();
    structs_that_were_not_initialised_are_refused();
    text_in_memory_is_checked_and_converted();
    resources_are_sniffed();
    each_hint_has_its_own_rung();
    each_registry_has_its_own_names();
    charsets_have_facts();
    whole_texts_end();
    an_error_has_all_bytes_of_its_sequence();
    flags_count_in_utf_8_and_in_utf_16();
    no_function_writes_after_its_destination();
    a_header_changes_no_other_hint();
    the_whole_language_tag_decides();
    /* Only detection and repair allocate memory. */
    CHECK(allocations == 0);
    every_verdict_has_its_number_and_its_facts();
    encodings_are_detected();
    each_option_of_the_detector_has_an_effect();
    CHECK(allocations > 0);
    candidates_fill_the_space_that_there_is();
    wrong_decodings_are_undone();
    a_repaired_text_fits_exactly();
    pieces_change_nothing(argc > 1 ? strtoul(argv[1], NULL, 10) : 2);
    return failures == 0 ? 0 : 1;
}
