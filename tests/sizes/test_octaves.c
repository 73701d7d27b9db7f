/* SPDX-License-Identifier: MIT */
/* Sizes of every octave, and what OpenCL is asked for. */
#include "sizes/octaves.h"

#include <limits.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* ---- Sizes ----------------------------------------------------------------------------------- */

enum { ROOM = 200, FEW = 12, MANY = 18 };

static void add_size(size_t size, size_t most, size_t sizes[ROOM], size_t *count) {
    if (size < most) sizes[(*count)++] = size;
}

static void shuffle(size_t *sizes, size_t count) {
    for (size_t i = count; i > 1; i--) {
        const size_t other = (size_t)test_random_below(i), kept = sizes[i - 1];
        sizes[i - 1] = sizes[other];
        sizes[other] = kept;
    }
}

/* Below `most`: of each octave one size, of one below 2^FEW three, and up to 2^MANY, from where
 * runs take long, both neighbours of its power. */
static size_t draw_sizes(size_t most, size_t sizes[ROOM]) {
    size_t count = 0;
    for (size_t power = 1, k = 0; power < most; power *= 2, k++) {
        const size_t draws = k < FEW ? 3 : 1;
        if (power > 2 && k <= MANY) add_size(power - 1, most, sizes, &count);
        if (k <= MANY) add_size(power + 1, most, sizes, &count);
        for (size_t i = 0; i < draws; i++) {
            add_size(power + test_random_below(power), most, sizes, &count);
        }
    }
    add_size(5000000, most, sizes, &count);
    add_size(12345678, most, sizes, &count);
    shuffle(sizes, count);
    return count;
}

bool octaves_counted;
static size_t spare; /* room of buffers behind their elements */

static void run(const octaves_subject *subject, size_t n, size_t max_n, bool may_be_counted) {
    octaves_counted = may_be_counted && test_random_below(2) == 0;
    /* Two arrays of up to max_n elements, and of one offset more, are the most. */
    spare = octaves_counted ? 2 * max_n + 2 : 0;
    test_note("max_n = %zu, n = %zu%s", max_n, n, octaves_counted ? ", counted" : "");
    subject->run(n);
}

static void sweep(const octaves_subject *subject, size_t max_n, bool may_be_counted) {
    size_t sizes[ROOM];
    const size_t count = draw_sizes(max_n, sizes);
    test_note("max_n = %zu", max_n);
    test_context(); /* has buffers of its own */
    octaves_watch();
    subject->create(max_n);
    for (size_t i = 0; i < count; i++) run(subject, sizes[i], max_n, may_be_counted);
    run(subject, max_n, max_n, may_be_counted);
    subject->destroy();
}

/* The plan of a drawn max_n has other scratch and other launches; half of its runs are counted. */
static void sweeps(const void *data) {
    const octaves_subject *subject = data;
    const size_t most = test_small()  ? (subject->most < 3000 ? 30 : 3000)
                        : test_long() ? subject->long_most
                                      : subject->most;
    const size_t less = most < 1 << 16 ? most / 2 : 1 << 16;
    sweep(subject, less / 8 + test_random_below(less), true);
    sweep(subject, most, false);
}

void octaves_add(test_cases *cases, const octaves_subject *subjects, size_t count) {
    for (size_t i = 0; i < count; i++) {
        test_add(cases, sweeps, &subjects[i], sizeof subjects[i], "octaves/%s", subjects[i].name);
    }
}

/* ---- Data ------------------------------------------------------------------------------------ */

uint32_t *octaves_words(size_t n, uint32_t bound) {
    uint32_t *words = test_alloc(n, sizeof *words);
    for (size_t i = 0; i < n; i++) {
        const uint64_t random = test_random() >> 32;
        words[i] = (uint32_t)(bound == 0 ? random : random * bound >> 32);
    }
    return words;
}

uint32_t *octaves_ascending(size_t n, uint32_t step) {
    uint32_t *words = octaves_words(n, step);
    for (size_t i = 1; i < n; i++) words[i] += words[i - 1];
    return words;
}

int64_t *octaves_offsets(size_t n, size_t count) {
    int64_t *offsets = test_alloc(count + 1, sizeof *offsets);
    const size_t giant = test_random_below(count), each = n / 2 / count * 2 + 1;
    size_t at = 0;
    for (size_t s = 0; s < count; s++) {
        offsets[s] = (int64_t)at;
        const size_t length = s == giant ? n / 3 : test_random_below(each);
        at += length < n - at ? length : n - at;
    }
    offsets[count] = (int64_t)n;
    return offsets;
}

size_t octaves_room(size_t n) {
    return n + spare;
}

clprims_buffer octaves_second(const test_buffer *numbers) {
    return (clprims_buffer){numbers->at.mem, numbers->at.first + 1};
}

test_buffer octaves_in(const void *values, size_t n, size_t bytes) {
    return test_buffer_create_roomy(values, n, bytes, test_random_below(10), spare);
}

test_buffer octaves_out(size_t n, size_t bytes) {
    return octaves_in(NULL, n, bytes);
}

void octaves_expect(test_buffer *buffer, const void *expected) {
    test_buffer_expect_unchanged(buffer, expected);
    test_buffer_release(buffer);
}

/* ---- What OpenCL is asked for ---------------------------------------------------------------- */

enum { MOST_LAUNCHES = 64 };

static struct {
    size_t bytes, launches;
    size_t groups[MOST_LAUNCHES], group[MOST_LAUNCHES];
} seen;

cl_int __real_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *group, cl_uint n, const cl_event *wait,
                                     cl_event *event);
cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *group, cl_uint n, const cl_event *wait,
                                     cl_event *event);
cl_mem __real_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                             cl_int *code);
cl_mem __wrap_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                             cl_int *code);

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *group, cl_uint n, const cl_event *wait,
                                     cl_event *event) {
    if (seen.launches < MOST_LAUNCHES) {
        seen.groups[seen.launches] = *global / *group;
        seen.group[seen.launches] = *group;
    }
    seen.launches++;
    return __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, group, n, wait,
                                         event);
}

cl_mem __wrap_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                             cl_int *code) {
    seen.bytes += bytes;
    return __real_clCreateBuffer(context, flags, bytes, host, code);
}

void octaves_watch(void) {
    seen.bytes = seen.launches = 0;
}

void octaves_expect_scratch(size_t bytes) {
    if (bytes != seen.bytes) {
        test_fail("describe says %zu bytes of scratch; create made %zu", bytes, seen.bytes);
    }
}

void octaves_expect_launches(size_t launches) {
    if (launches != seen.launches) {
        test_fail("describe says %zu launches; there were %zu", launches, seen.launches);
    }
}

void octaves_expect_launched(size_t groups, size_t group) {
    /* NVIDIA's layer has a variant for each range of n, of which describe names one. */
    if (groups == 0 && test_info().layer == CLPRIMS_LAYER_NVIDIA) return;
    for (size_t i = 0; i < seen.launches && i < MOST_LAUNCHES; i++) {
        if (seen.group[i] == group && (groups == 0 || seen.groups[i] == groups)) return;
    }
    test_fail("describe says %zu groups of %zu; the first of %zu launches had %zu of %zu", groups,
              group, seen.launches, seen.groups[0], seen.group[0]);
}

/* ---- All ------------------------------------------------------------------------------------- */

static void add_all(test_cases *cases) {
    octaves_add_passes(cases);
    octaves_add_groups(cases);
    octaves_add_sorts(cases);
    octaves_add_lists(cases);
}

int main(int argc, char **argv) {
#ifdef __GLIBC__
    /* Freed memory stays in the process: new pages for every buffer would take a quarter of the
     * time. */
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
    return test_main(argc, argv, add_all);
}
