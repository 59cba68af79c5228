/* Converts random texts in every encoding and charset, whole and in pieces of random lengths. The pieces must give the
 * same units and errors. Prints a fingerprint of the results for each encoding, which the test in Rust compares with
 * those of the Rust library. */
#include "check.h"

#include <stdlib.h>

#define LENGTH 96
/* The greatest length of a result: ISO-2022-JP can write 11 bytes for a code unit. */
#define SPACE (LENGTH * 16)

/* xorshift64*. The test in Rust has the same one. */
static uint64_t random_state;
static uint32_t next_random(void) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)((random_state * 2685821657736338717u) >> 32);
}

/* FNV-1a. */
static uint64_t fingerprint;
static void add(const void *units, size_t length) {
    const unsigned char *bytes = (const unsigned char *)units;
    for (size_t at = 0; at < length; at++) {
        fingerprint = (fingerprint ^ bytes[at]) * 1099511628211u;
    }
}
static void add_number(uint64_t number) {
    unsigned char bytes[8];
    for (int at = 0; at < 8; at++) {
        bytes[at] = (unsigned char)(number >> (8 * at));
    }
    add(bytes, 8);
}

/* Everything that a conversion gives: the units, and the place of each error. */
typedef struct outcome {
    unsigned char units[SPACE * 2];
    size_t length;
    uint64_t errors[LENGTH * 2][3];
    size_t number_of_errors;
} outcome;

static void add_outcome(const outcome *result) {
    add_number(result->length);
    add(result->units, result->length);
    add_number(result->number_of_errors);
    for (size_t at = 0; at < result->number_of_errors; at++) {
        for (size_t part = 0; part < 3; part++) {
            add_number(result->errors[at][part]);
        }
    }
}

static bool are_equal(const outcome *a, const outcome *b) {
    return a->length == b->length && memcmp(a->units, b->units, a->length) == 0
        && a->number_of_errors == b->number_of_errors
        && memcmp(a->errors, b->errors, a->number_of_errors * sizeof a->errors[0]) == 0;
}

enum kind { TO_UTF8, TO_UTF16, FROM_UTF8, FROM_UTF16 };

/* Converts `length` units, whole or in pieces of random lengths into destinations of random lengths. Pieces and their
 * destinations have memory of their own, so that valgrind sees a read or a write after their ends. */
static void convert(enum kind kind, textcodec_encoding encoding, const void *units, size_t length, uint32_t flags,
                    bool in_pieces, outcome *result) {
    textcodec_decoder decoder;
    textcodec_encoder encoder;
    size_t source_size = kind == FROM_UTF16 ? 2 : 1, result_size = kind == TO_UTF16 ? 2 : 1;
    size_t at = 0;
    unsigned idle = 0;
    result->length = 0;
    result->number_of_errors = 0;
    if (kind <= TO_UTF16) {
        /* Byte order marks have no meaning in charsets of the Rust library. */
        uint32_t bom_handling = encoding <= 40 ? TEXTCODEC_BOM_SNIFF : TEXTCODEC_BOM_KEEP;
        CHECK(textcodec_decoder_init(&decoder, encoding, bom_handling) == TEXTCODEC_OK);
    } else {
        CHECK(textcodec_encoder_init(&encoder, encoding) == TEXTCODEC_OK);
    }
    for (;;) {
        static uint16_t whole_place[SPACE];
        size_t piece = length - at, capacity = SPACE;
        if (in_pieces) {
            size_t short_piece = next_random() % 9;
            piece = short_piece < piece ? short_piece : piece;
            capacity = next_random() % 12;
        }
        void *own_source = NULL, *place = whole_place;
        const void *source = (const unsigned char *)units + at * source_size;
        if (in_pieces && piece > 0) {
            own_source = malloc(piece * source_size);
            memcpy(own_source, source, piece * source_size);
            source = own_source;
        }
        if (in_pieces) {
            place = capacity > 0 ? malloc(capacity * result_size) : NULL;
        }
        uint32_t all = flags | (at + piece == length ? (uint32_t)TEXTCODEC_LAST : 0);
        size_t greatest = kind == TO_UTF8    ? textcodec_decoder_max_utf8_length(&decoder, piece)
                        : kind == TO_UTF16   ? textcodec_decoder_max_utf16_length(&decoder, piece)
                        : kind == FROM_UTF8  ? textcodec_encoder_max_length_from_utf8(&encoder, piece, flags)
                                             : textcodec_encoder_max_length_from_utf16(&encoder, piece, flags);
        textcodec_result step =
            kind == TO_UTF8    ? textcodec_decoder_utf8(&decoder, source, piece, place, capacity, all)
            : kind == TO_UTF16 ? textcodec_decoder_utf16(&decoder, source, piece, place, capacity, all)
            : kind == FROM_UTF8 ? textcodec_encoder_utf8(&encoder, source, piece, place, capacity, all)
                                : textcodec_encoder_utf16(&encoder, source, piece, place, capacity, all);
        CHECK(step.read <= piece && step.written <= capacity);
        CHECK(step.status != TEXTCODEC_OUTPUT_FULL || capacity < greatest);
        if (result->length + step.written * result_size > sizeof result->units) {
            CHECK(!"the result is too long");
            return;
        }
        if (step.written > 0) {
            memcpy(result->units + result->length, place, step.written * result_size);
        }
        result->length += step.written * result_size;
        free(own_source);
        if (in_pieces) {
            free(place);
        }
        at += step.read;
        idle = step.read == 0 && step.written == 0 ? idle + 1 : 0;
        if (idle == 10000) {
            CHECK(!"no progress");
            return;
        }
        if (step.status == TEXTCODEC_MALFORMED || step.status == TEXTCODEC_UNMAPPABLE) {
            uint64_t *error = result->errors[result->number_of_errors++];
            error[0] = step.error_offset;
            error[1] = step.error_length;
            error[2] = step.status == TEXTCODEC_UNMAPPABLE ? step.code_point : step.error_bytes[0];
            CHECK(step.had_errors && step.error_length > 0 && step.error_offset + step.error_length <= at + 6);
        } else if (step.status == TEXTCODEC_OK && at == length && (all & TEXTCODEC_LAST) != 0) {
            return;
        }
    }
}

void pieces_change_nothing(unsigned long rounds) {
    static outcome whole, pieces;
    static unsigned char bytes[LENGTH];
    static uint16_t units[LENGTH];
    textcodec_encoding encoding = TEXTCODEC_NONE;
    while ((encoding = textcodec_next_encoding(encoding)) != TEXTCODEC_NONE) {
        /* There are many charsets, and few kinds of them. */
        unsigned long rounds_of_this = encoding <= 40 ? rounds : rounds / 5;
        random_state = 88172645463325252u + encoding;
        fingerprint = 14695981039346656037u;
        for (unsigned long round = 0; round < rounds_of_this; round++) {
            for (int at = 0; at < LENGTH; at++) {
                uint32_t number = next_random();
                /* Some ASCII, and some bytes and code units that often begin or end sequences. */
                bytes[at] = (unsigned char)((number & 3) == 0 ? 0x20 + (number >> 8) % 0x60 : number >> 16);
                units[at] = (uint16_t)((number & 7) == 0   ? 0xD800 + (number >> 8) % 0x800
                                       : (number & 7) < 3 ? 0x20 + (number >> 8) % 0x60
                                                           : number >> 16);
            }
            for (uint32_t flags = 0; flags <= TEXTCODEC_FATAL; flags += TEXTCODEC_FATAL) {
                for (int kind = TO_UTF8; kind <= FROM_UTF16; kind++) {
                    if (kind >= FROM_UTF8 && !textcodec_has_encoder(encoding)) {
                        continue;
                    }
                    const void *source = kind == FROM_UTF16 ? (const void *)units : (const void *)bytes;
                    uint64_t state = random_state;
                    convert((enum kind)kind, encoding, source, LENGTH, flags, false, &whole);
                    for (int times = 0; times < 3; times++) {
                        convert((enum kind)kind, encoding, source, LENGTH, flags, true, &pieces);
                        if (!are_equal(&whole, &pieces)) {
                            fprintf(stderr, "encoding %u, kind %d, flags %u, round %lu\n", (unsigned)encoding, kind,
                                    (unsigned)flags, round);
                            CHECK(!"pieces give another result");
                        }
                    }
                    random_state = state;
                    add_outcome(&whole);
                }
            }
        }
        printf("%u %llu\n", (unsigned)encoding, (unsigned long long)fingerprint);
    }
}
