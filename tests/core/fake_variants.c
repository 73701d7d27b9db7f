/* SPDX-License-Identifier: MIT */
/* An NVIDIA device of the fake OpenCL: each n gets the variant that the thresholds say, and the
 * kernel that is launched is the described one's. */
#include "harness/fake_opencl.h"

#include <clprims/clprims.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 1000, SMALL = 5000, ODD = 3, FAR = 1 << 24, MAX_N = 1 << 20 };
static const char tuning[] = "FEW=1000 SMALL=5000";

typedef struct row {
    size_t n;
    const char *variant, *unaligned;
} row;

static const row scan_rows[] = {{1, "single-wave-small", "single-wave-small"},
                                {FEW, "single-wave-small", "single-wave-small"},
                                {FEW + 1, "single-wave", "single-wave"},
                                {SMALL, "single-wave", "single-wave"},
                                {SMALL + 1, "lookahead", "lookahead-unaligned"},
                                {MAX_N, "lookahead", "lookahead-unaligned"}};
/* One output more than there are counts. */
static const row offsets_rows[] = {{0, "single-wave", "single-wave"},
                                   {SMALL - 1, "single-wave", "single-wave"},
                                   {SMALL, "lookahead", "lookahead-unaligned"},
                                   {MAX_N, "lookahead", "lookahead-unaligned"}};
static const row select_rows[] = {{0, "single-wave", "single-wave"},
                                  {SMALL, "single-wave", "single-wave"},
                                  {SMALL + 1, "lookahead", "lookahead"},
                                  {MAX_N, "lookahead", "lookahead"}};

static const struct {
    const char *variant, *kernel;
} kernels[] = {{"single-wave-small", "single_wave_small"},
               {"single-wave", "single_wave"},
               {"lookback", "lookback"},
               {"lookahead", "lookahead"},
               {"lookahead-unaligned", "lookahead"}};

static const struct {
    clprims_segmented_kind kind;
    clprims_segments_by by;
    clprims_type heads_type, type, accumulator;
    clprims_op op;
    const char *tuning, *variant, *kernel;
} segmented_rows[] = {
    {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_U32, CLPRIMS_I32, CLPRIMS_I32,
     CLPRIMS_ADD, NULL, "lookahead", "clp_segmented_lookahead"},
    {CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_U32, CLPRIMS_I32, CLPRIMS_I32,
     CLPRIMS_ADD, "SINGLE=1", "lookahead", "clp_segmented_lookahead"},
    {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_U32, CLPRIMS_I32, CLPRIMS_I32,
     CLPRIMS_ADD, "SINGLE=0", "sub-group", "clp_segmented_outputs"},
    {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_BITS, CLPRIMS_TYPE_DEFAULT, CLPRIMS_U8, CLPRIMS_U8,
     CLPRIMS_MAX, "GROUP=64", "lookahead", "clp_segmented_lookahead"},
    {CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_FLAGS, CLPRIMS_TYPE_DEFAULT, CLPRIMS_F64,
     CLPRIMS_F64, CLPRIMS_ADD, NULL, "lookahead", "clp_segmented_lookahead"},
    {CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_FLAGS, CLPRIMS_TYPE_DEFAULT, CLPRIMS_I16,
     CLPRIMS_I16, CLPRIMS_ADD, NULL, "sub-group", "clp_segmented_outputs"}, /* narrow outputs */
    {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_U32, CLPRIMS_U8, CLPRIMS_I64,
     CLPRIMS_ADD, NULL, "sub-group",
     "clp_segmented_outputs"}, /* totals need more room than elements */
    {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_U32, CLPRIMS_I64, CLPRIMS_I64,
     CLPRIMS_ARGMIN, NULL, "sub-group", "clp_segmented_outputs"},
    {CLPRIMS_SEGMENTED_EXCLUSIVE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I64, CLPRIMS_F32, CLPRIMS_F32,
     CLPRIMS_ADD, NULL, "lookahead", "clp_segmented_lookahead"},
    {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I64, CLPRIMS_F32, CLPRIMS_F32,
     CLPRIMS_ADD, NULL, "direct", "clp_segmented_direct"}, /* few elements */
    {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I64, CLPRIMS_F32, CLPRIMS_F32,
     CLPRIMS_ADD, "TEAM=0", "sub-group-ring", "clp_segmented_outputs"},
    {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I64, CLPRIMS_F32, CLPRIMS_F32,
     CLPRIMS_ADD, "SHARE=2000", "sub-group-ring", "clp_segmented_outputs"}};

static int failures;
static cl_kernel launched;

static void must(clprims_status status) {
    if (status == CLPRIMS_OK) return;
    fprintf(stderr, "%s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

static void expect_text(const char *what, size_t n, const char *found, const char *expected) {
    if (strcmp(found, expected) == 0) return;
    fprintf(stderr, "%s, n = %zu: %s, not %s\n", what, n, found, expected);
    failures++;
}

static void note_kernel(void *user, cl_kernel kernel, cl_event event) {
    (void)user;
    (void)event;
    launched = kernel;
}

static void expect_number(const char *what, size_t n, size_t found, size_t expected) {
    if (found == expected) return;
    fprintf(stderr, "%s, n = %zu: %zu, not %zu\n", what, n, found, expected);
    failures++;
}

static void expect_launched(const char *what, size_t n, const char *expected) {
    char name[64] = "";
    clGetKernelInfo(launched, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    expect_text(what, n, name, expected);
}

/* What was described, and launched, is the row's variant. */
static void expect_variant(const char *primitive, size_t n, const char *variant,
                           const char *described) {
    char expected[64] = "";
    const char *family = strcmp(primitive, "select") == 0 ? "select" : "scan";
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        if (strcmp(kernels[k].variant, variant) == 0)
            snprintf(expected, sizeof expected, "clp_%s_%s", family, kernels[k].kernel);
    }
    expect_text(primitive, n, described, variant);
    expect_launched(primitive, n, expected);
}

/* Places in the one buffer of the fake OpenCL. */
static clprims_buffer place(cl_mem mem, size_t number, size_t odd) {
    const clprims_buffer at = {mem, number * FAR + odd};
    return at;
}

static void check_scan(clprims_context *context, cl_command_queue queue, cl_mem mem) {
    clprims_scan *scan = NULL;
    cl_kernel aligned = NULL;
    clprims_scan_desc desc = {.type = CLPRIMS_U32, .max_n = MAX_N, .tuning = tuning};
    must(clprims_scan_create(&scan, context, &desc));
    for (size_t i = 0; i < sizeof scan_rows / sizeof scan_rows[0]; i++) {
        const row *r = &scan_rows[i];
        clprims_scan_info info = {0};
        must(clprims_scan_describe(scan, r->n, &info));
        must(clprims_scan_enqueue(
            scan, queue, &(clprims_scan_buffers){.in = place(mem, 0, 0), .out = place(mem, 1, 0)},
            r->n, 0, NULL, NULL));
        expect_variant("scan", r->n, r->variant, info.variant);
        aligned = launched;
        must(clprims_scan_enqueue(
            scan, queue, &(clprims_scan_buffers){.in = place(mem, 0, ODD), .out = place(mem, 1, 0)},
            r->n, 0, NULL, NULL));
        expect_variant("scan, unaligned", r->n, r->unaligned, info.unaligned_variant);
        if ((aligned == launched) != (strcmp(r->variant, r->unaligned) == 0)) failures++;
    }
    clprims_scan_destroy(scan);
}

static void check_offsets(clprims_context *context, cl_command_queue queue, cl_mem mem) {
    clprims_offsets *plan = NULL;
    clprims_offsets_desc desc = {
        .type = CLPRIMS_I64, .counts = 1, .max_n = MAX_N, .tuning = tuning};
    must(clprims_offsets_create(&plan, context, &desc));
    for (size_t i = 0; i < sizeof offsets_rows / sizeof offsets_rows[0]; i++) {
        const row *r = &offsets_rows[i];
        clprims_offsets_info info = {0};
        must(clprims_offsets_describe(plan, r->n, &info));
        must(clprims_offsets_enqueue(
            plan, queue,
            &(clprims_offsets_buffers){.stops = place(mem, 0, 0), .offsets = place(mem, 1, 0)},
            r->n, 0, NULL, NULL));
        expect_variant("offsets", r->n, r->variant, info.variant);
        must(clprims_offsets_enqueue(
            plan, queue,
            &(clprims_offsets_buffers){.stops = place(mem, 0, ODD), .offsets = place(mem, 1, 0)},
            r->n, 0, NULL, NULL));
        expect_variant("offsets, unaligned", r->n, r->unaligned, info.unaligned_variant);
    }
    clprims_offsets_destroy(plan);
}

static void check_select(clprims_context *context, cl_command_queue queue, cl_mem mem) {
    clprims_select *plan = NULL;
    clprims_select_desc desc = {.by = CLPRIMS_SELECT_NONZERO,
                                .arrays = 1,
                                .type[0] = CLPRIMS_U32,
                                .max_n = MAX_N,
                                .tuning = "SMALL=5000"};
    must(clprims_select_create(&plan, context, &desc));
    for (size_t i = 0; i < sizeof select_rows / sizeof select_rows[0]; i++) {
        const row *r = &select_rows[i];
        clprims_select_info info = {0};
        clprims_select_buffers buffers = {
            .in[0] = place(mem, 0, 0), .out[0] = place(mem, 1, 0), .count = place(mem, 3, 0)};
        must(clprims_select_describe(plan, r->n, &info));
        must(clprims_select_enqueue(plan, queue, &buffers, r->n, 0, NULL, NULL));
        expect_variant("select", r->n, r->variant, info.variant);
    }
    clprims_select_destroy(plan);
}

/* Tiles of an odd number of rows: an even one meets in the same banks of local memory. */
static void check_select_tiles(clprims_context *context) {
    static const struct {
        clprims_select_by by;
        clprims_type type, lengths;
        size_t tile; /* scanners * rows * 32 * elements of 16 bytes */
    } wishes[] = {
        {CLPRIMS_SELECT_NONZERO, CLPRIMS_U32, CLPRIMS_TYPE_DEFAULT, (size_t)8 * 7 * 32 * 4},
        {CLPRIMS_SELECT_RUNS, CLPRIMS_U32, CLPRIMS_TYPE_DEFAULT, (size_t)8 * 7 * 32 * 4},
        {CLPRIMS_SELECT_RUNS, CLPRIMS_U32, CLPRIMS_U32, (size_t)12 * 5 * 32 * 4},
        {CLPRIMS_SELECT_RUNS, CLPRIMS_U64, CLPRIMS_TYPE_DEFAULT, (size_t)8 * 7 * 32 * 2},
        {CLPRIMS_SELECT_FLAGS, CLPRIMS_U32, CLPRIMS_TYPE_DEFAULT, (size_t)9 * 5 * 32 * 4},
        {CLPRIMS_SELECT_NONZERO, CLPRIMS_U8, CLPRIMS_TYPE_DEFAULT, (size_t)8 * 7 * 32 * 16},
        {CLPRIMS_SELECT_RUNS, CLPRIMS_U16, CLPRIMS_TYPE_DEFAULT, (size_t)8 * 7 * 32 * 8}};
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        clprims_select_info info = {0};
        clprims_select *plan = NULL;
        clprims_select_desc desc = {.by = wishes[i].by,
                                    .arrays = 1,
                                    .type[0] = wishes[i].type,
                                    .lengths = wishes[i].lengths,
                                    .max_n = (size_t)1 << 28};
        must(clprims_select_create(&plan, context, &desc));
        must(clprims_select_describe(plan, desc.max_n, &info));
        expect_number("tile of a selection", i, info.tile, wishes[i].tile);
        clprims_select_destroy(plan);
    }
}

static void check_segmented(clprims_context *context, cl_command_queue queue, cl_mem mem) {
    for (size_t i = 0; i < sizeof segmented_rows / sizeof segmented_rows[0]; i++) {
        clprims_segmented_info info = {0};
        clprims_segmented *plan = NULL;
        clprims_segmented_desc desc = {.kind = segmented_rows[i].kind,
                                       .by = segmented_rows[i].by,
                                       .heads_type = segmented_rows[i].heads_type,
                                       .type = segmented_rows[i].type,
                                       .accumulator = segmented_rows[i].accumulator,
                                       .op = segmented_rows[i].op,
                                       .tuning = segmented_rows[i].tuning};
        desc.max_n = desc.max_segments = MAX_N;
        clprims_segmented_buffers buffers = {.in = place(mem, 0, 0),
                                             .heads = place(mem, 1, 0),
                                             .out = place(mem, 3, 0),
                                             .count = place(mem, 5, 0)};
        if (desc.by == CLPRIMS_SEGMENTS_OFFSETS) {
            buffers.sizes.segments = SMALL;
        } else if (desc.kind == CLPRIMS_SEGMENTED_REDUCE) {
            buffers.sizes.capacity = SMALL;
        }
        must(clprims_segmented_create(&plan, context, &desc));
        must(clprims_segmented_describe(plan, MAX_N, buffers.sizes, &info));
        expect_text("segmented", i, info.variant, segmented_rows[i].variant);
        must(clprims_segmented_enqueue(plan, queue, &buffers, MAX_N, 0, NULL, NULL));
        expect_launched("segmented", i, segmented_rows[i].kernel);
        clprims_segmented_destroy(plan);
    }
}

/* A look-back that was asked for takes one tile a group, unless knobs ask for a wave or a single
 * work-item. */
static void check_lookback(clprims_context *context) {
    clprims_scan_info info = {0};
    static const struct {
        const char *tuning, *variant;
    } wishes[] = {{"GROUP=256", "lookback"},
                  {"GROUP=1024", "lookback"},
                  {"GROUP=256 WAVE=1", "single-wave"},
                  {"GROUP=1", "serial-tile"}};
    clprims_scan_desc desc = {
        .type = CLPRIMS_U32, .max_n = MAX_N, .algorithm = CLPRIMS_ALGORITHM_LOOKBACK};
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        clprims_scan *scan = NULL;
        desc.tuning = wishes[i].tuning;
        must(clprims_scan_create(&scan, context, &desc));
        must(clprims_scan_describe(scan, MAX_N, &info));
        expect_text(wishes[i].tuning, MAX_N, info.variant, wishes[i].variant);
        clprims_scan_destroy(scan);
    }
}

/* The tile of max_n keys, which one round of all units takes, a few, or many. */
static void check_sort_tiles(clprims_context *context) {
    static const struct {
        size_t max_n, tile;
    } plans[] = {{1 << 18, 3584},        {(1 << 18) + 1, 8192}, {1 << 21, 8192},
                 {(1 << 21) + 1, 38400}, {132 * 38400, 38400},  {132 * 38400 + 1, 15360},
                 {1 << 25, 15360},       {(1 << 25) + 1, 38400}};
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        clprims_sort_info info = {0};
        clprims_sort *plan = NULL;
        clprims_sort_desc desc = {.type = CLPRIMS_U32, .max_n = plans[i].max_n};
        must(clprims_sort_create(&plan, context, &desc));
        must(clprims_sort_describe(plan, desc.max_n, &info));
        expect_number("tile of a sort", desc.max_n, info.tile, plans[i].tile);
        clprims_sort_destroy(plan);
    }
}

/* A sort's passes over few of many keys take smaller tiles; passes of a run whose number
 * may be large do not. */
static void check_sort(clprims_context *context, cl_command_queue queue, cl_mem mem) {
    enum { SMALL_N = 1 << 21, LARGE = (1 << 22) - 1, SMALL_TILE = 8192, LARGE_TILE = 38400 };
    static const size_t sizes[] = {LARGE, SMALL_N + 1, SMALL_N, 70000, SMALL_N + 1, SMALL_N};
    clprims_sort *plan = NULL;
    cl_kernel last[2] = {NULL, NULL};
    clprims_sort_desc desc = {.type = CLPRIMS_U32, .max_n = LARGE};
    clprims_sort_buffers b = {.keys_in = place(mem, 0, 0), .keys_out = place(mem, 1, 0)};
    must(clprims_sort_create(&plan, context, &desc));
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const bool small = sizes[i] <= SMALL_N;
        clprims_sort_info info = {0};
        must(clprims_sort_describe(plan, sizes[i], &info));
        expect_number("tile of a sort's run", sizes[i], info.tile, small ? SMALL_TILE : LARGE_TILE);
        expect_number("group of a sort's run", sizes[i], info.group, small ? 576 : 1024);
        must(clprims_sort_enqueue(plan, queue, &b, sizes[i], 0, NULL, NULL));
        if (last[small] != NULL && last[small] != launched) failures++;
        last[small] = launched;
    }
    if (last[0] == last[1]) failures++;
    b.n = place(mem, 3, 0);
    must(clprims_sort_enqueue(plan, queue, &b, LARGE, 0, NULL, NULL));
    if (launched != last[0]) failures++;
    clprims_sort_destroy(plan);
}

/* From 2^22 keys on, distinct ones are counted where few of them are all that the output says. */
static void check_sort_distinct(clprims_context *context, cl_command_queue queue, cl_mem mem) {
    static const struct {
        clprims_type type;
        size_t payloads, n;
        const char *last;
    } runs[] = {{CLPRIMS_F32, 0, 1 << 22, "clp_sort_onesweep_distinct"},
                {CLPRIMS_I64, 0, 1 << 22, "clp_sort_onesweep_distinct"},
                {CLPRIMS_F32, 0, (1 << 22) - 1, "clp_sort_onesweep_pass"},
                {CLPRIMS_F32, 1, 1 << 22, "clp_sort_onesweep_pass"}};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        clprims_sort_buffers b = {0};
        clprims_sort *plan = NULL;
        clprims_sort_desc desc = {.type = runs[i].type,
                                  .payloads = runs[i].payloads,
                                  .payload_bytes[0] = 4 * runs[i].payloads,
                                  .max_n = 1 << 22};
        b.keys_in = b.payload_in[0] = place(mem, 0, 0);
        b.keys_out = place(mem, 1, 0);
        b.payload_out[0] = place(mem, 2, 0);
        must(clprims_sort_create(&plan, context, &desc));
        must(clprims_sort_enqueue(plan, queue, &b, runs[i].n, 0, NULL, NULL));
        expect_launched("sort", runs[i].n, runs[i].last);
        clprims_sort_destroy(plan);
    }
}

int main(void) {
    clprims_context_options options = {0};
    clprims_context_info info = {0};
    clprims_context *context = NULL;
    cl_int code = CL_SUCCESS;
    options.device = "0"; /* FAKE_NVIDIA */
    must(clprims_context_create(&context, &options));
    must(clprims_context_describe(context, &info));
    const cl_mem mem = clCreateBuffer(info.context, CL_MEM_READ_WRITE, 1, NULL, &code);
    clprims_watch(note_kernel, NULL);
    check_scan(context, info.queue, mem);
    check_offsets(context, info.queue, mem);
    check_select(context, info.queue, mem);
    check_select_tiles(context);
    check_segmented(context, info.queue, mem);
    check_lookback(context);
    check_sort_tiles(context);
    check_sort(context, info.queue, mem);
    check_sort_distinct(context, info.queue, mem);
    clprims_watch(NULL, NULL);
    clReleaseMemObject(mem);
    clprims_context_destroy(context);
    return failures == 0 && code == CL_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
