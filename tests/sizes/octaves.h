/* SPDX-License-Identifier: MIT */
/*
 * Every primitive at sizes of every octave: the default plan of the device, whose thresholds nobody
 * lists here. One plan takes all sizes up to its max_n in random order, random data from places
 * that are drawn; each run is compared with plain C, and what describe says of it with what was
 * launched.
 */
#ifndef TESTS_OCTAVES_H
#define TESTS_OCTAVES_H

#include "harness/harness.h"

/* Beyond the sizes at which reduce and others take another shape. */
enum { OCTAVES_MOST = (1 << 25) + 1 };

typedef struct octaves_subject {
    const char *name;
    size_t most, long_most; /* elements of the largest run, in the default tier and the long one */
    void (*create)(size_t max_n);
    void (*run)(size_t n);
    void (*destroy)(void);
} octaves_subject;

void octaves_add(test_cases *cases, const octaves_subject *subjects, size_t count);

void octaves_add_passes(test_cases *cases);
void octaves_add_groups(test_cases *cases);
void octaves_add_sorts(test_cases *cases);
void octaves_add_lists(test_cases *cases);

/* ---- Data ---- */

/* n random words of 32 bits, each below `bound` unless that is 0. Free them. */
uint32_t *octaves_words(size_t n, uint32_t bound);
/* Numbers that ascend from one to the next by less than `step`. Free them. */
uint32_t *octaves_ascending(size_t n, uint32_t step);
/* count + 1 of them from 0 to n, mostly of short segments, one of them long. Free them. */
int64_t *octaves_offsets(size_t n, size_t count);

/* Whether the run is to be a counted one, whose numbers stand in device memory. Its buffers have
 * room for more than max_n elements. */
extern bool octaves_counted;
/* Elements for which such a buffer of n has room at least. */
size_t octaves_room(size_t n);
/* A second number behind the first. */
clprims_buffer octaves_second(const test_buffer *numbers);

/* Buffers whose `first` is drawn. */
test_buffer octaves_in(const void *values, size_t n, size_t bytes);
test_buffer octaves_out(size_t n, size_t bytes);
/* Compares an output with what is expected, or an input with what it was, and releases it. */
void octaves_expect(test_buffer *buffer, const void *expected);

/* ---- What OpenCL was asked for ---- */

/* Forgets what was seen before. */
void octaves_watch(void);
/* Since then buffers of so many bytes were made. */
void octaves_expect_scratch(size_t bytes);
/* Since then so many kernels were launched. */
void octaves_expect_launches(size_t launches);
/* Since then a kernel was launched with so many groups, or any number of them (0), of that size. */
void octaves_expect_launched(size_t groups, size_t group);

#endif
