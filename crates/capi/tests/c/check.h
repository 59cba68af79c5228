/* What the tests in C have in common. */
#ifndef CHECK_H
#define CHECK_H

#include <textcodec.h>

#include <stdio.h>
#include <string.h>

extern int failures;

/* Prints the condition and its place unless it holds. */
#define CHECK(condition)                                                      \
    do {                                                                      \
        if (!(condition)) {                                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);   \
            failures++;                                                       \
        }                                                                     \
    } while (0)

void pieces_change_nothing(unsigned long rounds);

#endif
