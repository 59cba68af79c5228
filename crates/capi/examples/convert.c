/* Converts a stream: convert FROM TO <input >output. FROM and TO are labels of encodings. Malformed sequences become
 * U+FFFD, and unmappable characters become character references. The exit status is 1 if there were any. */
#include <textcodec.h>
#include <stdio.h>
#include <string.h>

static textcodec_decoder decoder;
static textcodec_encoder encoder;
static bool had_errors;

/* Encodes a part of the text and writes it. Returns whether it failed. */
static bool write_text(const char *text, size_t length, uint32_t flags) {
    char bytes[4096];
    for (;;) {
        textcodec_result result = textcodec_encoder_utf8(&encoder, text, length, bytes, sizeof bytes, flags);
        had_errors |= result.had_errors;
        text += result.read;
        length -= result.read;
        bool failed = fwrite(bytes, 1, result.written, stdout) != result.written;
        if (failed || result.status == TEXTCODEC_OK) {
            return failed;
        }
    }
}

/* Decodes a part of the input. Returns whether it failed. */
static bool convert(const char *bytes, size_t length, uint32_t flags) {
    char text[4096];
    for (;;) {
        textcodec_result result = textcodec_decoder_utf8(&decoder, bytes, length, text, sizeof text, flags);
        had_errors |= result.had_errors;
        bytes += result.read;
        length -= result.read;
        bool is_done = result.status == TEXTCODEC_OK;
        bool failed = write_text(text, result.written, is_done ? flags : 0);
        if (failed || is_done) {
            return failed;
        }
    }
}

int main(int argc, char **argv) {
    textcodec_encoding from = argc == 3 ? textcodec_for_label(argv[1], strlen(argv[1])) : TEXTCODEC_NONE;
    textcodec_encoding to = argc == 3 ? textcodec_for_label(argv[2], strlen(argv[2])) : TEXTCODEC_NONE;
    if (textcodec_decoder_init(&decoder, from, TEXTCODEC_BOM_SNIFF) != TEXTCODEC_OK
        || textcodec_encoder_init(&encoder, textcodec_output_encoding(to)) != TEXTCODEC_OK) {
        fputs("usage: convert FROM TO, two labels of encodings\n", stderr);
        return 2;
    }
    char bytes[4096];
    size_t length;
    while ((length = fread(bytes, 1, sizeof bytes, stdin)) > 0) {
        if (convert(bytes, length, 0)) {
            return 2;
        }
    }
    return ferror(stdin) || convert(NULL, 0, TEXTCODEC_LAST) || fflush(stdout) != 0 ? 2 : had_errors;
}
