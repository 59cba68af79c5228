/* A program that knows <iconv.h> of the C library alone: linked with libtextcodec-iconv.a, it gets what musl's iconv
 * lacks: //TRANSLIT, //IGNORE, CP852, stateful encodings. It exits with the line of the first check that fails. */
#include <errno.h>
#include <iconv.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#define FAILED ((size_t)-1)
#define WHOLE 64
#define CHECK(condition) do { if (!(condition)) return report(__LINE__, #condition); } while (0)

static int report(int line, const char *condition) {
    fprintf(stderr, "plain.c:%d: %s, errno %d\n", line, condition, errno);
    return 1;
}

/* Converts a text, with outputs of `step` bytes. If there is a single call of iconv, it must return `result`. Otherwise
 * each call counts for itself, and only a failure is compared. */
static int convert(const char *to, const char *from, const char *text, const char *expected, size_t step, size_t result) {
    char input[64], output[128] = "", *in = input, *out = output;
    size_t in_left = strlen(text), done = 0, space;
    iconv_t descriptor = iconv_open(to, from);
    CHECK(descriptor != (iconv_t)-1);
    memcpy(input, text, in_left);
    do {
        space = step;
        errno = 0;
        done = iconv(descriptor, &in, &in_left, &out, &space);
    } while (done == FAILED && errno == E2BIG);
    CHECK(step < WHOLE ? (done == FAILED) == (result == FAILED) : done == result);
    CHECK(done != FAILED || errno == EILSEQ);
    CHECK(in_left == 0 && in == input + strlen(text));
    space = step;
    CHECK(iconv(descriptor, NULL, NULL, &out, &space) == 0);
    CHECK((size_t)(out - output) == strlen(expected) && memcmp(output, expected, strlen(expected)) == 0);
    CHECK(iconv_close(descriptor) == 0);
    return 0;
}

/* Converts a text that ends inside of a character, or has an error: the pointers stop before it. */
static int stops(const char *to, const char *from, const char *text, size_t read, int error) {
    char input[64], output[64], *in = input, *out = output;
    size_t in_left = strlen(text), space = sizeof output;
    iconv_t descriptor = iconv_open(to, from);
    CHECK(descriptor != (iconv_t)-1);
    memcpy(input, text, in_left);
    CHECK(iconv(descriptor, &in, &in_left, &out, &space) == FAILED && errno == error);
    CHECK(in == input + read && in_left == strlen(text) - read);
    CHECK(iconv_close(descriptor) == 0);
    return 0;
}

int main(void) {
    size_t step;
    for (step = 8; step <= WHOLE; step++) {
        CHECK(convert("UTF-8", "CP852", "P\xFD\xA1li\x9F", "P\xC5\x99\xC3\xADli\xC4\x8D", step, 0) == 0);
        CHECK(convert("CP852", "UTF-8", "P\xC5\x99\xC3\xADli\xC4\x8D", "P\xFD\xA1li\x9F", step, 0) == 0);
        /* "5 €, œ" and a snowman, for which "?" stands. */
        CHECK(convert("ASCII//TRANSLIT", "UTF-8", "5 \xE2\x82\xAC, \xC5\x93 \xE2\x98\x83", "5 EUR, oe ?", step, 3) == 0);
        CHECK(convert("LATIN1//IGNORE", "UTF-8", "a\xE2\x98\x83" "b\xC3\xBC", "ab\xFC", step, FAILED) == 0);
        CHECK(convert("UTF-8", "SHIFT_JIS", "\x83\x65\x83\x58\x83\x67", "\xE3\x83\x86\xE3\x82\xB9\xE3\x83\x88", step, 0) == 0);
        CHECK(convert("ISO-2022-JP", "UTF-8", "\xE3\x83\x86", "\x1B$B%F\x1B(B", step, 0) == 0);
        CHECK(convert("IBM037", "UTF-8", "Hi", "\xC8\x89", step, 0) == 0);
    }
    CHECK(stops("UTF-8", "SHIFT_JIS", "ab\x83", 2, EINVAL) == 0);
    CHECK(stops("LATIN1", "UTF-8", "a\xE2\x98\x83", 1, EILSEQ) == 0);
    CHECK(stops("UTF-16LE", "UTF-8", "abc\xC3(", 3, EILSEQ) == 0);

    /* An empty name means the charset of the locale: in the locale C, ASCII in glibc, and UTF-8 in musl. */
    setlocale(LC_ALL, "C");
    CHECK(convert("", "LATIN1", "plain", "plain", 8, 0) == 0);

    errno = 0;
    CHECK(iconv_open("no such charset", "UTF-8") == (iconv_t)-1 && errno == EINVAL);
    puts("iconv(3) converts.");
    return 0;
}
