/* SPDX-License-Identifier: MIT */
/* Every textbook step of every table, at many sizes, beside its subject's plain-C twin. */
#include "harness/harness.h"
#include "textbook.h"

/* Sub-buffers begin at multiples of the device's alignment, which no device has above this. */
enum { GUARD_BYTES = 4096 };

typedef struct textbook_case {
    const textbook_table *table;
    const textbook_variant *variant;
    const textbook_step *step;
    const size_t *sizes;
} textbook_case;

/* Around every power of two up to a tile's few thousand, and a few well beyond: 2^14 + 1 is where
 * the scan of seed 004 in local memory failed. */
static const size_t small_sizes[] = {1, 2, 31, 32, 33, 255, 257, 1025, 0};
static const size_t default_sizes[] = {1,    2,    31,    33,    255,    257, 1000,
                                       1024, 1025, 16384, 16385, 131073, 0};
static const size_t long_sizes[] = {1,      7,        1023,           16385,          65536, 65537,
                                    262147, 1u << 20, (1u << 20) - 3, (1u << 22) + 1, 0};

/* ---- Guarded device memory that looks like a buffer of exactly so many bytes -------------------
 */

typedef struct guarded {
    test_buffer whole;
    cl_mem part;
} guarded;

static guarded guarded_create(const void *values, size_t bytes) {
    guarded g = {test_buffer_create(values, bytes, 1, GUARD_BYTES), NULL};
    const cl_buffer_region region = {GUARD_BYTES, bytes};
    cl_int code = CL_SUCCESS;
    g.part = clCreateSubBuffer(g.whole.at.mem, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                               &region, &code);
    expect_cl(code);
    return g;
}

static void guarded_read(const guarded *g, void *values) {
    expect_cl(clFinish(test_queue()));
    test_buffer_read(&g->whole, values);
}

static void guarded_release(guarded *g) {
    clReleaseMemObject(g->part);
    test_buffer_release(&g->whole);
}

/* ---- One run ------------------------------------------------------------------------------------
 */

static void expect_good(bool good, const textbook_case *test, size_t n) {
    if (!good) test_fail("%s at n = %zu: %s", test->step->name, n, textbook_message());
}

static void run_step(const textbook_case *test, void *state, const textbook_problem *problem) {
    const textbook_step *step = test->step;
    if (step->run != NULL) {
        textbook_time time = {0};
        expect_good(step->run(state, problem, &time), test, problem->n);
        if (!(time.seconds >= 0)) test_fail("a run took %g seconds", time.seconds);
    } else {
        cl_event event = NULL;
        expect_good(step->submit(state, problem, &event), test, problem->n);
        expect_cl(clWaitForEvents(1, &event));
        expect_cl(clReleaseEvent(event));
    }
}

static void check_size(const textbook_case *test, void *state, textbook_problem *problem,
                       size_t n) {
    const textbook_subject *subject = test->table->subject;
    guarded in[TEXTBOOK_INPUTS];
    test_array host_in[TEXTBOOK_INPUTS];
    problem->n = n;
    subject->shape(problem);
    for (int k = 0; k < TEXTBOOK_INPUTS; k++) {
        host_in[k] = test_array_create(NULL, problem->in_bytes[k], 1);
        problem->host_in[k] = host_in[k].values;
    }
    subject->fill(problem);
    for (int k = 0; k < TEXTBOOK_INPUTS; k++) {
        const bool is_there = problem->in_bytes[k] > 0;
        in[k] = guarded_create(is_there ? host_in[k].values : NULL,
                               is_there ? problem->in_bytes[k] : 1);
        problem->in[k] = is_there ? in[k].part : NULL;
    }
    unsigned char *expected = test_alloc(problem->out_bytes, 1);
    uint64_t report, device_words[TEXTBOOK_REPORT_WORDS];
    uint64_t *host_report = &device_words[TEXTBOOK_REPORT_WORD];
    memset(expected, TEXTBOOK_POISON, problem->out_bytes);
    memset(&report, TEXTBOOK_POISON, sizeof report);
    memset(device_words, TEXTBOOK_POISON, sizeof device_words);
    subject->twin(problem, expected, &report);

    void *values = test_alloc(problem->out_bytes, 1);
    memset(values, TEXTBOOK_POISON, problem->out_bytes);
    test_array host_out = test_array_create(values, problem->out_bytes, 1);
    guarded out = guarded_create(values, problem->out_bytes);
    guarded device_report = guarded_create(device_words, sizeof device_words);
    problem->out = out.part;
    problem->report = device_report.part;
    problem->host_out = host_out.values;
    problem->host_report = host_report;
    run_step(test, state, problem);
    if (!test->step->on_host) {
        guarded_read(&out, values);
        guarded_read(&device_report, device_words);
    }
    expect_elements(expected, test->step->on_host ? host_out.values : values, problem->out_bytes,
                    1);
    expect_elements(&report, host_report, 1, sizeof report);
    test_array_expect_guards(&host_out);
    test_array_free(&host_out);
    for (int k = 0; k < TEXTBOOK_INPUTS; k++) {
        if (problem->in_bytes[k] > 0) test_buffer_expect_unchanged(&in[k].whole, host_in[k].values);
        test_array_expect_guards(&host_in[k]);
        guarded_release(&in[k]);
        test_array_free(&host_in[k]);
    }
    guarded_release(&out);
    guarded_release(&device_report);
    free(values);
    free(expected);
}

/* One plan for all sizes, from the largest down and up again: nothing may be left of a run. */
static void check_step(const void *data) {
    const textbook_case *test = data;
    const clprims_context_info info = test_info();
    const textbook_device device = textbook_device_of(test_context(), &info);
    void *state = NULL;
    size_t count = 0, most = 0;
    for (; test->sizes[count] != 0; count++)
        if (test->sizes[count] > most) most = test->sizes[count];
    textbook_problem problem = {.variant = test->variant, .n = most};
    test->table->subject->shape(&problem);
    if (test->step->create != NULL)
        expect_good(test->step->create(&state, &device, &problem, test->step->number), test, most);
    for (size_t k = count; k > 0; k--) check_size(test, state, &problem, test->sizes[k - 1]);
    check_size(test, state, &problem, most);
    if (test->step->destroy != NULL) {
        test->step->destroy(state);
        test->step->destroy(NULL);
    }
}

static const size_t *sizes_of(const textbook_table *table) {
    if (table->test_sizes != NULL) return table->test_sizes;
    if (test_long()) return long_sizes;
    return test_small() ? small_sizes : default_sizes;
}

static size_t step_stride(const textbook_table *table) {
    return test_long() || table->tested_every == 0 ? 1 : table->tested_every;
}

/* What the library leaves behind a fault is its own affair, and its own tests know of it. */
static bool is_left_out(const textbook_case *test, size_t variant) {
    const size_t measured = test->table->measured_variants;
    return measured > 0 && variant >= measured && strcmp(test->step->name, "clprims") == 0;
}

void test_program(test_cases *cases) {
    for (const textbook_table *const *table = textbook_tables; *table != NULL; table++)
        for (size_t v = 0; v < (*table)->variant_count; v++)
            for (size_t k = 0; k < (*table)->step_count; k += step_stride(*table)) {
                const textbook_case test = {*table, &(*table)->variants[v], &(*table)->steps[k],
                                            sizes_of(*table)};
                if (is_left_out(&test, v)) continue;
                test_add_row(cases, check_step, test, "textbook/%s/%s/%s/%s", (*table)->seed,
                             (*table)->title, test.variant->name, test.step->name);
            }
}
