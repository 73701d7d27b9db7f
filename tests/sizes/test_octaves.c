/* SPDX-License-Identifier: MIT */
/*
 * Every subject at sizes of every octave: the default plan of the device, whose thresholds nobody
 * lists here. One plan takes all sizes up to its max_n in random order, random data from places
 * that are drawn; each run is compared with plain C, and what describe says of it with what was
 * launched.
 */
#include "subjects/runs/subject_buffers.h"

#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* ---- Sizes ----------------------------------------------------------------------------------- */

enum { ROOM = 200, FEW = 12, MANY = 18 };

static void add_size(size_t size, size_t most, size_t sizes[ROOM], size_t *count) {
    if (size < most) sizes[(*count)++] = size;
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
    test_shuffle(sizes, count);
    return count;
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

static void watch(void) {
    seen.bytes = seen.launches = 0;
}

static void expect_scratch(size_t bytes) {
    if (bytes != seen.bytes) {
        test_fail("describe says %zu bytes of scratch; create made %zu", bytes, seen.bytes);
    }
}

static void expect_launches(size_t launches) {
    if (launches != seen.launches) {
        test_fail("describe says %zu launches; there were %zu", launches, seen.launches);
    }
}

static void expect_launched(size_t groups, size_t group) {
    /* NVIDIA's layer has a variant for each range of n, of which describe names one. */
    if (groups == 0 && test_info().layer == CLPRIMS_LAYER_NVIDIA) return;
    for (size_t i = 0; i < seen.launches && i < MOST_LAUNCHES; i++) {
        if (seen.group[i] == group && (groups == 0 || seen.groups[i] == groups)) return;
    }
    test_fail("describe says %zu groups of %zu; the first of %zu launches had %zu of %zu", groups,
              group, seen.launches, seen.groups[0], seen.group[0]);
}

/* ---- Runs -------------------------------------------------------------------------------------
 */

typedef struct octaves_case {
    const subject *of;
    const subject_sample *sample;
} octaves_case;

/* A plan, what a run of it is made of, and what describe says. */
typedef struct octaves_plan {
    subject_data data;
    void *plan;
} octaves_plan;

typedef struct octaves_info {
    char bytes[256];
} octaves_info;

static size_t described(const octaves_info *info, size_t place) {
    size_t value = 0;
    if (place > 0) memcpy(&value, info->bytes + place, sizeof value);
    return value;
}

static octaves_info describe(const octaves_plan *p, const size_t *n) {
    octaves_info info;
    expect_ok(p->data.of->describe(p->plan, n, &info, p->data.of->info.bytes));
    return info;
}

static octaves_plan create(const octaves_case *c, size_t max_n) {
    octaves_plan p = {.data = {.of = c->of, .desc = c->sample->desc, .may_be_malformed = true}};
    subject_limit_for(c->of, max_n, p.data.most);
    test_context(); /* has buffers of its own */
    watch();
    expect_ok(subject_plan(&p.data, test_context(), NULL, &p.plan));
    if (c->of->info.scratch > 0) {
        const octaves_info info = describe(&p, p.data.most);
        expect_scratch(described(&info, c->of->info.scratch));
    }
    return p;
}

static void expect_described(const octaves_plan *p) {
    const subject *of = p->data.of;
    if (of->traits.has_one_launch) expect_launches(1);
    if (p->data.counted || of->info.group == 0 || p->data.n[0] == 0) return;
    const octaves_info info = describe(p, p->data.n);
    if (of->info.launches > 0) expect_launches(described(&info, of->info.launches));
    expect_launched(described(&info, of->info.groups), described(&info, of->info.group));
}

static void run(octaves_plan *p, size_t n, bool may_be_counted) {
    subject_data *d = &p->data;
    d->counted = may_be_counted && test_random_below(2) == 0;
    subject_draw_about(d, n);
    subject_buffers b = subject_buffers_draw(d);
    test_note("max_n = %zu, n = %zu, %zu%s", d->most[0], d->n[0], d->n[1],
              d->counted ? ", counted" : "");
    watch();
    expect_ok(d->of->enqueue(p->plan, d, &b.call));
    expect_described(p);
    subject_buffers_expect(d, &b);
    subject_buffers_release(&b);
    subject_free(d);
}

static void sweep(const octaves_case *c, size_t max_n, bool may_be_counted) {
    size_t sizes[ROOM];
    const size_t count = draw_sizes(max_n, sizes);
    test_note("max_n = %zu", max_n);
    octaves_plan p = create(c, max_n);
    for (size_t i = 0; i < count; i++) run(&p, sizes[i], may_be_counted);
    run(&p, max_n, may_be_counted);
    c->of->destroy(p.plan);
}

/* The plan of a drawn max_n has other scratch and other launches; half of its runs are counted. */
static void sweeps(const void *data) {
    const octaves_case *c = data;
    const size_t most = test_small()  ? (c->of->traits.is_square ? 30 : 3000)
                        : test_long() ? c->sample->long_octaves
                                      : c->sample->octaves;
    const size_t less = most < 1 << 16 ? most / 2 : 1 << 16;
    sweep(c, less / 8 + test_random_below(less), true);
    sweep(c, most, false);
}

/* ---- All ------------------------------------------------------------------------------------- */

static void add_all(test_cases *cases) {
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        for (size_t k = 0; k < subjects[i]->plans.sample_count; k++) {
            const octaves_case c = {subjects[i], &subjects[i]->plans.samples[k]};
            if (c.sample->octaves == 0) continue;
            test_add_row(cases, sweeps, c, "octaves/%s", c.sample->name);
        }
    }
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
