/* Calls every function of textcodec-iconv.h. */
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <textcodec-iconv.h>

#define CHECK(condition) do { if (!(condition)) return __LINE__; } while (0)

static int convert(const char *to, const char *from, const char *text, const char *expected) {
    char input[64], output[64], *in = input, *out = output;
    size_t in_left = strlen(text), out_left = sizeof output;
    iconv_t descriptor = libiconv_open(to, from);
    memcpy(input, text, in_left);
    CHECK(descriptor != (iconv_t)-1);
    CHECK(libiconv(descriptor, &in, &in_left, &out, &out_left) == 0);
    CHECK(iconv(descriptor, NULL, NULL, &out, &out_left) == 0);
    CHECK(in_left == 0 && (size_t)(out - output) == strlen(expected));
    CHECK(memcmp(output, expected, strlen(expected)) == 0);
    CHECK(libiconv_close(descriptor) == 0);
    return 0;
}

/* What the labels of browsers mean if the environment asks for them. */
static int with_environment(const char *value) {
    int is_whatwg = strcmp(value, "1") == 0;
    CHECK(convert("UTF-8", "latin1", "\x80", is_whatwg ? "\xE2\x82\xAC" : "\xC2\x80") == 0);
    CHECK(convert("UTF-8", "KOI8-R", "\xC1", "\xD0\xB0") == 0);
    CHECK(convert("ISO-2022-JP", "UTF-8", "\xE3\x81\x82", "\x1B$B\x24\x22\x1B(B") == 0);
    CHECK((libiconv_open("UTF-8", "x-sjis") != (iconv_t)-1) == is_whatwg);
    /* Labels have any case, and suffixes after them. Names that are no labels mean what they always mean. */
    CHECK(convert("UTF-8", "Iso-8859-1", "\x80", is_whatwg ? "\xE2\x82\xAC" : "\xC2\x80") == 0);
    CHECK(convert("LATIN1//IGNORE", is_whatwg ? "windows-1252" : "CP1252", "\xE9", "\xE9") == 0);
    CHECK(convert("IBM037", "latin1", "Hi", "\xC8\x89") == 0 && convert("UTF-8", "CP850", "\x82", "\xC3\xA9") == 0);
    CHECK(convert("ASCII//TRANSLIT", "gbk", "a", "a") == 0 && convert("", "latin1", "a", "a") == 0);
    return 0;
}

/* With an argument, no charset of the next library is opened: valgrind finds errors in the dynamic linker of glibc. */
int main(int count, char **arguments) {
    char text[] = "a\xE2\x98\x83", space[4], *in = text, *out = space, *none = NULL;
    size_t in_left = 4, out_left = 4, zero = 0;
    int value = 7;
    iconv_t descriptor;
    if (getenv("TEXTCODEC_ICONV_WHATWG")) return with_environment(getenv("TEXTCODEC_ICONV_WHATWG"));
    CHECK(convert("UTF-8", "SJIS", "\x83\x65", "\xE3\x83\x86") == 0);
    CHECK(convert("IBM037", "ISO-8859-1", "Hi", "\xC8\x89") == 0);
    CHECK(convert("ISO-2022-KR", "UTF-8", "\xEA\xB0\x80", "\x1B$)C\x0E\x30\x21\x0F") == 0);

    descriptor = iconv_open("LATIN1", "UTF-8");
    CHECK(descriptor != (iconv_t)-1);
    errno = 0;
    CHECK(iconv(descriptor, &in, &in_left, &out, &out_left) == (size_t)-1 && errno == EILSEQ);
    CHECK(in == text + 1 && in_left == 3 && out == space + 1 && out_left == 3);
    CHECK(iconvctl(descriptor, ICONV_TRIVIALP, &value) == 0 && value == 0);
    /* Every number but 0 is true. */
    value = 2;
    CHECK(iconvctl(descriptor, ICONV_SET_TRANSLITERATE, &value) == 0);
    CHECK(iconv(descriptor, &in, &in_left, &out, &out_left) == 1 && in_left == 0 && space[1] == '?');
    CHECK(libiconvctl(descriptor, ICONV_GET_TRANSLITERATE, &value) == 0 && value == 1);
    CHECK(iconvctl(descriptor, ICONV_GET_DISCARD_ILSEQ, &value) == 0 && value == 0);
    value = -1;
    CHECK(iconvctl(descriptor, ICONV_SET_DISCARD_ILSEQ, &value) == 0);
    value = 0;
    CHECK(iconvctl(descriptor, ICONV_SET_TRANSLITERATE, &value) == 0);
    CHECK(iconvctl(descriptor, ICONV_GET_DISCARD_ILSEQ, &value) == 0 && value == 1);
    CHECK(iconvctl(descriptor, ICONV_GET_TRANSLITERATE, &value) == 0 && value == 0);
    errno = 0;
    CHECK(iconvctl(descriptor, 99, &value) == -1 && errno == EINVAL);
    errno = 0;
    CHECK(iconvctl(descriptor, ICONV_TRIVIALP, NULL) == -1 && errno == EINVAL);
    errno = 0;
    CHECK(iconvctl((iconv_t)-1, ICONV_TRIVIALP, &value) == -1 && errno == EINVAL);
    CHECK(iconv(descriptor, NULL, NULL, NULL, NULL) == 0);
    /* A pointer to no buffer, or no length, is no buffer. */
    in = text, in_left = 1, out = space, out_left = 4;
    CHECK(iconv(descriptor, &none, &in_left, &out, &out_left) == 0 && in_left == 1 && out == space);
    CHECK(iconv(descriptor, &in, NULL, &none, &zero) == 0 && in == text);
    CHECK(iconv(descriptor, &in, &in_left, &none, &zero) == (size_t)-1 && errno == E2BIG && in == text);
    CHECK(iconv(descriptor, &in, &in_left, NULL, NULL) == (size_t)-1 && errno == E2BIG && in_left == 1);
    /* The greatest number stands for enough space. */
    out_left = (size_t)-1;
    CHECK(iconv(descriptor, &in, &in_left, &out, &out_left) == 0 && in_left == 0 && out == space + 1);
    CHECK(out_left == (size_t)-2 && space[0] == 'a');
    CHECK(iconv_close(descriptor) == 0);

    /* It does so, too, where the bytes are copied. */
    descriptor = iconv_open("utf8", "UTF-8");
    in = text, in_left = 4, out = space, out_left = (size_t)-1;
    CHECK(iconvctl(descriptor, ICONV_TRIVIALP, &value) == 0 && value == 1);
    CHECK(iconv(descriptor, &in, &in_left, &out, &out_left) == 0);
    CHECK(in == text + 4 && in_left == 0 && out == space + 4 && out_left == (size_t)-5);
    CHECK(memcmp(space, text, 4) == 0 && iconv_close(descriptor) == 0);

    /* Suffixes change nothing in the answer whether the charsets are one. */
    for (value = 0; value < 4; value++) {
        static const char *const names[] = {"UTF-8", "UTF-8//IGNORE", "utf8//TRANSLIT", "UTF8//IGNORE//TRANSLIT"};
        int is_one = 7;
        descriptor = iconv_open(names[value], "utf-8");
        CHECK(iconvctl(descriptor, ICONV_TRIVIALP, &is_one) == 0 && is_one == 1);
        CHECK(iconvctl(descriptor, ICONV_GET_DISCARD_ILSEQ, &is_one) == 0 && is_one == (value & 1));
        CHECK(iconvctl(descriptor, ICONV_GET_TRANSLITERATE, &is_one) == 0 && is_one == (value > 1));
        CHECK(iconv_close(descriptor) == 0);
    }

    /* Without an output, a text begins anew: the shift is written again. */
    descriptor = iconv_open("ISO-2022-KR", "UTF-8");
    for (value = 0; value < 2; value++) {
        char korean[] = "\xEA\xB0\x80", output[16], *to = output;
        size_t left = 3, to_left = 16, none_left = 9;
        in = korean;
        CHECK(iconv(descriptor, &in, &left, &to, &to_left) == 0 && to_left == 16 - 7);
        CHECK(iconv(descriptor, NULL, NULL, &none, &none_left) == 0 && none_left == 9);
    }
    CHECK(iconv_close(descriptor) == 0);

    /* No request changes the state of a text: the shift is in effect after each. */
    descriptor = iconv_open("ISO-2022-KR", "UTF-8");
    for (value = 0; value < 6; value++) {
        char korean[] = "\xEA\xB0\x80", output[16], *to = output;
        size_t left = 3, to_left = 16;
        int answer = value & 1;
        in = korean;
        CHECK(iconv(descriptor, &in, &left, &to, &to_left) == 0 && to_left == (value == 0 ? 16 - 7 : 16 - 2));
        errno = 4095;
        CHECK(iconvctl(descriptor, value % 5, &answer) == 0 && errno == 4095);
    }
    CHECK(iconv_close(descriptor) == 0 && errno == 4095);
    /* A charset of the next library, whose descriptor is closed, too. Programs without one have no such charset. */
    (void)arguments;
    for (value = 0; value < 3 && count == 1; value++) {
        descriptor = iconv_open("ISO-2022-CN-EXT", "UTF-8");
        CHECK(descriptor == (iconv_t)-1 || iconv_close(descriptor) == 0);
    }

    /* The charset of the locale, with suffixes, too. It is asked for each time. */
    CHECK(convert("//IGNORE", "LATIN1", "a", "a") == 0 && convert("char//TRANSLIT", "LATIN1", "a", "a") == 0);
    CHECK(iconv_close(iconv_open("UTF-8", "")) == 0);
    if (setlocale(LC_ALL, "C.UTF-8")) {
        CHECK(convert("", "LATIN1", "\xE9", "\xC3\xA9") == 0 && convert("LATIN1", "char", "\xC3\xA9", "\xE9") == 0);
        setlocale(LC_ALL, "C");
    }
    descriptor = iconv_open("", "LATIN1");
    in = text + 1, in_left = 1, out = space, out_left = 4;
    CHECK(iconv(descriptor, &in, &in_left, &out, &out_left) == (size_t)-1 && errno == EILSEQ);
    CHECK(iconv_close(descriptor) == 0);

    errno = 0;
    CHECK(iconv_open("no such charset", "UTF-8") == (iconv_t)-1 && errno == EINVAL);
    errno = 0;
    CHECK(iconv_open(text, text) == (iconv_t)-1 && errno == EINVAL);
    errno = 0;
    CHECK(iconv_open(NULL, "UTF-8") == (iconv_t)-1 && errno == EINVAL);
    errno = 0;
    CHECK(iconv_open("UTF-8", NULL) == (iconv_t)-1 && errno == EINVAL);
    errno = 0;
    CHECK(iconv(NULL, NULL, NULL, NULL, NULL) == (size_t)-1 && errno == EBADF);
    errno = 0;
    CHECK(iconv((iconv_t)-1, NULL, NULL, NULL, NULL) == (size_t)-1 && errno == EBADF);
    errno = 0;
    CHECK(iconv_close((iconv_t)-1) == -1 && errno == EBADF);
    errno = 0;
    CHECK(libiconv_close(NULL) == -1 && errno == EBADF);
    CHECK(iconvctl(NULL, ICONV_TRIVIALP, &value) == -1);
    return 0;
}
