/* Measures the functions of the C library on adversarial inputs of four lengths: `linear BYTES`.
 *
 * `cargo xtask linear --faces` compiles and runs it, and judges the lines: the name of a case, the length of its input,
 * and nanoseconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "textcodec.h"

static textcodec_encoding encoding;
static char *space;
static size_t capacity;

static void decode_utf8(const char *input, size_t length) {
    textcodec_decode_utf8(encoding, TEXTCODEC_BOM_SNIFF, input, length, space, capacity, 0);
}

static void decode_utf16(const char *input, size_t length) {
    textcodec_decode_utf16(encoding, TEXTCODEC_BOM_KEEP, input, length, (uint16_t *)space, capacity / 2, 0);
}

static void encode_utf8(const char *input, size_t length) {
    textcodec_encode_utf8(encoding, input, length, space, capacity, 0);
}

static void encode_utf16(const char *input, size_t length) {
    textcodec_encode_utf16(encoding, (const uint16_t *)input, length / 2, space, capacity, 0);
}

/* A decoder that gets one byte at a time, and stops at each error. */
static void decoder_in_bytes(const char *input, size_t length) {
    textcodec_decoder decoder;
    textcodec_decoder_init(&decoder, encoding, TEXTCODEC_BOM_SNIFF);
    for (size_t at = 0; at < length; at++)
        textcodec_decoder_utf8(&decoder, input + at, 1, space, capacity, TEXTCODEC_FATAL);
}

/* A decoder that has little space, and stops at each error. */
static void decoder_in_little_space(const char *input, size_t length) {
    textcodec_decoder decoder;
    textcodec_decoder_init(&decoder, encoding, TEXTCODEC_BOM_SNIFF);
    for (size_t read = 0;;) {
        const textcodec_result result = textcodec_decoder_utf8(&decoder, input + read, length - read, space, 4,
                                                               TEXTCODEC_FATAL | TEXTCODEC_LAST);
        read += result.read;
        if (result.status == TEXTCODEC_OK)
            return;
    }
}

/* An encoder that has little space, and stops at each error. */
static void encoder_in_little_space(const char *input, size_t length) {
    textcodec_encoder encoder;
    textcodec_encoder_init(&encoder, encoding);
    for (size_t read = 0;;) {
        const textcodec_result result = textcodec_encoder_utf8(&encoder, input + read, length - read, space, 8,
                                                               TEXTCODEC_FATAL | TEXTCODEC_LAST);
        read += result.read;
        if (result.status == TEXTCODEC_OK || result.status == TEXTCODEC_INVALID)
            return;
    }
}

static void mem(const char *input, size_t length) {
    textcodec_ascii_up_to(input, length);
    textcodec_utf8_valid_up_to(input, length);
    textcodec_utf8_latin1_up_to(input, length);
    textcodec_iso_2022_jp_ascii_up_to(input, length);
    textcodec_utf8_to_utf16(input, length, (uint16_t *)space, capacity / 2);
    textcodec_latin1_to_utf8(input, length, space, capacity);
    textcodec_utf8_to_latin1(input, length, space, capacity);
    textcodec_utf16_to_utf8((const uint16_t *)input, length / 2, space, capacity);
    textcodec_utf16_valid_up_to((const uint16_t *)input, length / 2);
}

static void labels(const char *input, size_t length) {
    textcodec_for_label(input, length);
    textcodec_for_charset(TEXTCODEC_GLIBC, input, length);
    textcodec_for_content_type(input, length);
}

static void sniff(const char *input, size_t length) {
    textcodec_hints hints;
    memset(&hints, 0, sizeof hints);
    textcodec_hints_from_content_type(&hints, input, length);
    for (uint32_t context = 0; context < 16; context++)
        textcodec_sniff(context, NULL, input, length, TEXTCODEC_LAST);
}

static void detect(const char *input, size_t length) {
    textcodec_candidate found[4];
    textcodec_detect(NULL, input, length, found, 4);
    textcodec_detector *const detector = textcodec_detector_new(NULL);
    for (size_t at = 0; at < length; at += 7)
        textcodec_detector_feed(detector, input + at, length - at < 7 ? length - at : 7);
    textcodec_detector_answer(detector, found, 4, TEXTCODEC_LAST);
    textcodec_detector_free(detector);
}

static void repair(const char *input, size_t length) {
    textcodec_repair(NULL, 0, input, length, space, capacity, TEXTCODEC_AMBIGUOUS);
}

static const struct {
    const char *name;
    void (*run)(const char *, size_t);
    /* The function does something else in each encoding. */
    bool has_encoding;
} functions[] = {
    {"decode_utf8", decode_utf8, true},
    {"decode_utf16", decode_utf16, true},
    {"encode_utf8", encode_utf8, true},
    {"encode_utf16", encode_utf16, true},
    {"decoder in bytes", decoder_in_bytes, true},
    {"decoder in little space", decoder_in_little_space, true},
    {"encoder in little space", encoder_in_little_space, true},
    {"mem", mem, false},
    {"labels", labels, false},
    {"sniff", sniff, false},
    {"detect", detect, false},
    {"repair", repair, false},
};

static const struct {
    const char *shown, *bytes;
} patterns[] = {
    {"FF", "\xFF"},         {"a FF", "a\xFF"},       {"81 30", "\x81\x30"}, {"1B $B", "\x1B$B"},
    {"1B ( ", "\x1B("},     {"snowman", "\xE2\x98\x83"}, {"a emoji", "a\xF0\x9F\x98\x80"}, {"<a b='", "<a b='"},
    {"; a=b", "; a=b"}, {"<!--", "<!--"}, {"<meta charset='", "<meta charset='"}, {"C3 83 C2 A9", "\xC3\x83\xC2\xA9"},
};

static const char *const encodings[] = {
    "utf-8", "windows-1252", "gb18030", "iso-2022-jp", "euc-kr", "big5", "utf-16le",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The least time of three runs, as processors count it, so that other programs matter little. */
static long long nanoseconds(void (*run)(const char *, size_t), const char *input, size_t length) {
    long long least = 0;
    for (int number = 0; number < 3; number++) {
        struct timespec start, end;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
        run(input, length);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        const long long spent = (end.tv_sec - start.tv_sec) * 1000000000LL + end.tv_nsec - start.tv_nsec;
        least = number == 0 || spent < least ? spent : least;
    }
    return least;
}

int main(int count, char **arguments) {
    if (count != 2)
        return 2;
    const size_t shortest = strtoul(arguments[1], NULL, 10), longest = 8 * shortest;
    capacity = 12 * longest;
    space = malloc(capacity);
    char *const input = malloc(longest);
    if (space == NULL || input == NULL)
        return 1;
    for (size_t function = 0; function < COUNT(functions); function++) {
        for (size_t number = 0; number < (functions[function].has_encoding ? COUNT(encodings) : 1); number++) {
            encoding = textcodec_for_label(encodings[number], strlen(encodings[number]));
            for (size_t pattern = 0; pattern < COUNT(patterns); pattern++) {
                const size_t unit = strlen(patterns[pattern].bytes);
                for (size_t at = 0; at < longest; at++)
                    input[at] = patterns[pattern].bytes[at % unit];
                for (size_t times = 1; times <= 8; times *= 2) {
                    const long long time = nanoseconds(functions[function].run, input, times * shortest);
                    printf("C %s %s %s\t%zu\t%lld\n", functions[function].name,
                           functions[function].has_encoding ? encodings[number] : "", patterns[pattern].shown,
                           times * shortest, time);
                }
            }
        }
    }
    free(input);
    free(space);
    return 0;
}
