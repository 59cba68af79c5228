/* The encodings of the web for libxml2 from 2.14 on:
 *
 *     xmlCtxtSetCharEncConvImpl(context, textcodec_libxml2, NULL);
 *
 * Documents that this context parses have the labels and tables of browsers, and behind them the charsets of iconv;
 * other names go on to libxml2. `xmlCreateCharEncodingHandler(name, XML_ENC_OUTPUT, textcodec_libxml2, NULL, &handler)`
 * makes a handler for output. */
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>
#include <textcodec.h>

static xmlCharEncError error_of(uint32_t status) {
    return status == TEXTCODEC_OK ? XML_ENC_ERR_SUCCESS
         : status == TEXTCODEC_OUTPUT_FULL ? XML_ENC_ERR_SPACE
                                           : XML_ENC_ERR_INPUT;
}

/* libxml2 reports the place of an error: the first byte that was not read. */
static int read_before_error(textcodec_result result) {
    size_t error = result.error_length < result.read ? result.error_length : result.read;
    return (int)(error_of(result.status) == XML_ENC_ERR_INPUT ? result.read - error : result.read);
}

static xmlCharEncError decode(void *decoder, unsigned char *text, int *capacity, const unsigned char *bytes,
                              int *length, int flush) {
    uint32_t flags = TEXTCODEC_FATAL | (flush ? TEXTCODEC_LAST : 0);
    textcodec_result result =
        textcodec_decoder_utf8(decoder, bytes, (size_t)*length, (char *)text, (size_t)*capacity, flags);
    *length = read_before_error(result);
    *capacity = (int)result.written;
    return error_of(result.status);
}

/* libxml2 writes a character reference for a character that the encoding cannot represent, and needs the character
 * whole: a character whose end has not come yet is left to the next call. */
static xmlCharEncError encode(void *encoder, unsigned char *bytes, int *capacity, const unsigned char *text,
                              int *length, int flush) {
    size_t whole = textcodec_utf8_valid_up_to(text, (size_t)*length);
    uint32_t flags = TEXTCODEC_FATAL | (flush ? TEXTCODEC_LAST : 0);
    textcodec_result result =
        textcodec_encoder_utf8(encoder, (const char *)text, whole, bytes, (size_t)*capacity, flags);
    *length = read_before_error(result);
    *capacity = (int)result.written;
    return error_of(result.status);
}

xmlParserErrors textcodec_libxml2(void *context, const char *name, xmlCharEncFlags flags, xmlCharEncodingHandler **out);
xmlParserErrors textcodec_libxml2(void *context, const char *name, xmlCharEncFlags flags,
                                  xmlCharEncodingHandler **out) {
    textcodec_encoding encoding = textcodec_for_label(name, strlen(name));
    if (encoding == TEXTCODEC_NONE) {
        encoding = textcodec_for_charset(TEXTCODEC_GLIBC, name, strlen(name));
    }
    (void)context;
    if (encoding == TEXTCODEC_NONE || ((flags & XML_ENC_OUTPUT) && !textcodec_has_encoder(encoding))) {
        return xmlCreateCharEncodingHandler(name, flags, NULL, NULL, out);
    }
    textcodec_decoder *decoder = (flags & XML_ENC_INPUT) ? malloc(sizeof *decoder) : NULL;
    textcodec_encoder *encoder = (flags & XML_ENC_OUTPUT) ? malloc(sizeof *encoder) : NULL;
    if (((flags & XML_ENC_INPUT) && decoder == NULL) || ((flags & XML_ENC_OUTPUT) && encoder == NULL)) {
        free(decoder);
        free(encoder);
        return XML_ERR_NO_MEMORY;
    }
    textcodec_decoder_init(decoder, encoding, TEXTCODEC_BOM_KEEP);
    textcodec_encoder_init(encoder, encoding);
    return xmlCharEncNewCustomHandler(name, decoder == NULL ? NULL : decode, encoder == NULL ? NULL : encode, free,
                                      decoder, encoder, out);
}
