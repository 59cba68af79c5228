/* libtextcodec-iconv: iconv(3) over textcodec, with the names and tables of glibc.
 *
 * The functions have the names of <iconv.h>, so that a program needs no change: it is linked with this library in place
 * of libiconv, or started with the library in LD_PRELOAD. This header takes the place of <iconv.h> where there is none.
 * The functions also have the names that libiconv gives them, with "lib" before "iconv".
 *
 * NAMES
 *     A name is one of glibc's, in any case, and means the table that glibc has. After two slashes come suffixes:
 *     "ASCII//TRANSLIT//IGNORE". An empty name and "char" mean the charset of the locale. "UCS-4-INTERNAL",
 *     "UCS-2-INTERNAL" and "WCHAR_T" mean code units in the order of the processor.
 *     With TEXTCODEC_ICONV_WHATWG=1 in the environment, the labels of the Encoding Standard come first and mean the
 *     tables of browsers.
 *     Other names fail with EINVAL, unless another iconv_open follows in the process: then it gets the names.
 *
 * THREADS
 *     Threads may use different descriptors at the same time, and one descriptor one after the other.
 */
#ifndef TEXTCODEC_ICONV_H
#define TEXTCODEC_ICONV_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An opened conversion. */
typedef void *iconv_t;

/* Opens a conversion. Returns (iconv_t)-1 and sets errno to EINVAL if there is no such conversion. */
iconv_t iconv_open(const char *to_code, const char *from_code);

/* Converts *inbytesleft bytes at *inbuf to at most *outbytesleft bytes at *outbuf, and moves the pointers and lengths
 * past what was read and written: whole characters. Returns the number of characters for which others stand, or
 * (size_t)-1 with one of these values of errno:
 *     E2BIG   the bytes of the next character do not fit;
 *     EINVAL  the input ends inside of a sequence, which is not read;
 *     EILSEQ  a sequence is malformed, or a character is unmappable; or, with //IGNORE, was left out;
 *     EBADF   the descriptor is (iconv_t)-1.
 * Without inbuf, writes what ends the text, and begins another text. Without outbuf too, begins another text. */
size_t iconv(iconv_t descriptor, char **inbuf, size_t *inbytesleft, char **outbuf, size_t *outbytesleft);

/* Closes a conversion. Returns 0. */
int iconv_close(iconv_t descriptor);

/* Asks or changes a conversion, by an int at argument. Returns 0, or -1 and sets errno to EINVAL. */
int iconvctl(iconv_t descriptor, int request, void *argument);

/* The requests of iconvctl, with the values of libiconv. */
#define ICONV_TRIVIALP 0          /* asks whether the two charsets are one */
#define ICONV_GET_TRANSLITERATE 1 /* asks for //TRANSLIT */
#define ICONV_SET_TRANSLITERATE 2
#define ICONV_GET_DISCARD_ILSEQ 3 /* asks for //IGNORE */
#define ICONV_SET_DISCARD_ILSEQ 4

iconv_t libiconv_open(const char *to_code, const char *from_code);
size_t libiconv(iconv_t descriptor, char **inbuf, size_t *inbytesleft, char **outbuf, size_t *outbytesleft);
int libiconv_close(iconv_t descriptor);
int libiconvctl(iconv_t descriptor, int request, void *argument);

#ifdef __cplusplus
}
#endif

#endif
