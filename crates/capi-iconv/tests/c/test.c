/* Calls every function of textcodec-iconv.h. */
#include <errno.h>
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

int main(void) {
    char text[] = "a\xE2\x98\x83", space[4], *in = text, *out = space;
    size_t in_left = 4, out_left = 4;
    int value = 7;
    iconv_t descriptor;
    CHECK(convert("UTF-8", "SJIS", "\x83\x65", "\xE3\x83\x86") == 0);
    CHECK(convert("IBM037", "ISO-8859-1", "Hi", "\xC8\x89") == 0);
    CHECK(convert("ISO-2022-KR", "UTF-8", "\xEA\xB0\x80", "\x1B$)C\x0E\x30\x21\x0F") == 0);

    descriptor = iconv_open("LATIN1", "UTF-8");
    CHECK(descriptor != (iconv_t)-1);
    CHECK(iconv(descriptor, &in, &in_left, &out, &out_left) == (size_t)-1 && errno == EILSEQ);
    CHECK(in == text + 1 && in_left == 3 && out == space + 1 && out_left == 3);
    CHECK(iconvctl(descriptor, ICONV_TRIVIALP, &value) == 0 && value == 0);
    value = 1;
    CHECK(iconvctl(descriptor, ICONV_SET_TRANSLITERATE, &value) == 0);
    CHECK(iconv(descriptor, &in, &in_left, &out, &out_left) == 1 && in_left == 0 && space[1] == '?');
    CHECK(libiconvctl(descriptor, ICONV_GET_TRANSLITERATE, &value) == 0 && value == 1);
    CHECK(iconvctl(descriptor, ICONV_GET_DISCARD_ILSEQ, &value) == 0 && value == 0);
    value = 1;
    CHECK(iconvctl(descriptor, ICONV_SET_DISCARD_ILSEQ, &value) == 0);
    value = 0;
    CHECK(iconvctl(descriptor, ICONV_SET_TRANSLITERATE, &value) == 0);
    CHECK(iconvctl(descriptor, ICONV_GET_DISCARD_ILSEQ, &value) == 0 && value == 1);
    CHECK(iconvctl(descriptor, ICONV_GET_TRANSLITERATE, &value) == 0 && value == 0);
    CHECK(iconvctl(descriptor, 99, &value) == -1 && errno == EINVAL);
    CHECK(iconv(descriptor, NULL, NULL, NULL, NULL) == 0);
    CHECK(iconv_close(descriptor) == 0);

    errno = 0;
    CHECK(iconv_open("no such charset", "UTF-8") == (iconv_t)-1 && errno == EINVAL);
    CHECK(iconv((iconv_t)-1, NULL, NULL, NULL, NULL) == (size_t)-1 && errno == EBADF);
    CHECK(iconv_close((iconv_t)-1) == -1);
    return 0;
}
