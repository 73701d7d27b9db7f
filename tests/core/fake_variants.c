/* SPDX-License-Identifier: MIT */
/* An NVIDIA device of the fake OpenCL: each n gets the variant and the tile that the thresholds
 * say, and the kernel that is launched is the described one's. */
#include "fixtures/segmented_cases.h"
#include "fixtures/select_cases.h"
#include "harness/fake_opencl.h"
#include "subjects/draws/sort_order.h"

enum { FEW = 1000, SMALL = 5000, FAR = 1 << 24, MAX_N = 1 << 20, MOST_SLOTS = 4 };

/* Places in what describe tells, 0 for none, and slots of arrays. */
typedef struct kind {
    const subject *of;
    size_t variant, tile;
    size_t slots[MOST_SLOTS], count;
    size_t second; /* number of a run */
} kind;

#define TELLS(prim)                                                                                \
    &subject_##prim, offsetof(clprims_##prim##_info, variant), offsetof(clprims_##prim##_info, tile)
static const kind scans = {TELLS(scan), {0, 1}, .count = 2};
static const kind offsets = {TELLS(offsets), {1, 2}, .count = 2};
static const kind selections = {TELLS(select), {SELECT_IN, SELECT_OUT, SELECT_COUNT}, .count = 3};
static const kind segments = {
    &subject_segmented, offsetof(clprims_segmented_info, variant),
    .slots = {SEGMENTED_IN, SEGMENTED_HEADS, SEGMENTED_OUT, SEGMENTED_COUNT}, .count = 4,
    .second = SMALL};
static const kind sorts = {TELLS(sort), {SORT_IN, SORT_OUT}, .count = 2};
static const kind pair_sorts = {
    TELLS(sort), {SORT_IN, SORT_OUT, SORT_PAYLOAD_IN, SORT_PAYLOAD_OUT}, .count = 4};

typedef struct row {
    const kind *kind;
    const void *desc;
    size_t n;
    const char *variant; /* NULL: any */
    size_t tile; /* 0: any */
    const char *kernel; /* of a run; NULL: there is none */
} row;

#define SCAN(tuning_, ...)                                                                         \
    &scans, SUBJECT_CUSTOM_DESC(scan, .type = CLPRIMS_U32, .max_n = MAX_N, .tuning = tuning_,      \
                                __VA_ARGS__)
#define TUNED SCAN("FEW=1000 SMALL=5000", .op = CLPRIMS_ADD)
/* One output more than there are counts. */
#define OFFSETS                                                                                    \
    &offsets, SUBJECT_DESC(offsets, .type = CLPRIMS_I64, .counts = 1, .max_n = MAX_N,              \
                           .tuning = "FEW=1000 SMALL=5000")
#define SELECT(by_, type_, lengths_, max_n_)                                                       \
    &selections, SUBJECT_CUSTOM_DESC(select, .by = CLPRIMS_SELECT_##by_, .arrays = 1,              \
                                     .type = {CLPRIMS_##type_}, .lengths = CLPRIMS_##lengths_,     \
                                     .max_n = max_n_, .tuning = "SMALL=5000")
#define TILED(by, type, lengths, tile_)                                                            \
    { SELECT(by, type, lengths, (size_t)1 << 28), (size_t)1 << 28, .tile = tile_ }
/* A look-back that was asked for. */
#define LOOKBACK(tuning) SCAN(tuning, .algorithm = CLPRIMS_ALGORITHM_LOOKBACK), MAX_N
#define SEGMENTED(kind_, by_, heads, type_, accumulator_, op_, tuning_)                            \
    &segments,                                                                                     \
        SUBJECT_CUSTOM_DESC(segmented, .kind = CLPRIMS_SEGMENTED_##kind_,                          \
                            .by = CLPRIMS_SEGMENTS_##by_, .heads_type = CLPRIMS_##heads,           \
                            .type = CLPRIMS_##type_, .accumulator = CLPRIMS_##accumulator_,        \
                            .op = CLPRIMS_##op_, .max_n = MAX_N, .max_segments = MAX_N,            \
                            .tuning = tuning_),                                                    \
        MAX_N
#define SORT(type_, max_n_)                                                                        \
    &sorts, SUBJECT_CUSTOM_DESC(sort, .type = CLPRIMS_##type_, .max_n = max_n_)
#define PAIRS(type_, max_n_)                                                                       \
    &pair_sorts, SUBJECT_CUSTOM_DESC(sort, .type = CLPRIMS_##type_, .payloads = 1,                 \
                                     .payload_bytes = {4}, .max_n = max_n_)
#define SORT_TILE(max_n, tile_)                                                                    \
    { SORT(U32, max_n), max_n, .tile = tile_ }

#define AHEAD "lookahead", 0, "clp_segmented_lookahead"
#define SUBGROUP 0, "clp_segmented_outputs"
static const row rows[] = {
    {TUNED, 1, "single-wave-small", 0, "clp_scan_single_wave_small"},
    {TUNED, FEW, "single-wave-small", 0, "clp_scan_single_wave_small"},
    {TUNED, FEW + 1, "single-wave", 0, "clp_scan_single_wave"},
    {TUNED, SMALL, "single-wave", 0, "clp_scan_single_wave"},
    {TUNED, SMALL + 1, "lookahead", 0, "clp_scan_lookahead"},
    {TUNED, MAX_N, "lookahead", 0, "clp_scan_lookahead"},
    {OFFSETS, 0, "single-wave", 0, "clp_scan_single_wave"},
    {OFFSETS, SMALL - 1, "single-wave", 0, "clp_scan_single_wave"},
    {OFFSETS, SMALL, "lookahead", 0, "clp_scan_lookahead"},
    {OFFSETS, MAX_N, "lookahead", 0, "clp_scan_lookahead"},
    {SELECT(NONZERO, U32, TYPE_DEFAULT, MAX_N), 0, "single-wave", 0, "clp_select_single_wave"},
    {SELECT(NONZERO, U32, TYPE_DEFAULT, MAX_N), SMALL, "single-wave", 0, "clp_select_single_wave"},
    {SELECT(NONZERO, U32, TYPE_DEFAULT, MAX_N), SMALL + 1, "lookahead", 0, "clp_select_lookahead"},
    {SELECT(NONZERO, U32, TYPE_DEFAULT, MAX_N), MAX_N, "lookahead", 0, "clp_select_lookahead"},
    /* Of an odd number of rows: an even one meets in the same banks of local memory. The tile is
     * scanners * rows * 32 * elements of 16 bytes. */
    TILED(NONZERO, U32, TYPE_DEFAULT, (size_t)8 * 7 * 32 * 4),
    TILED(RUNS, U32, TYPE_DEFAULT, (size_t)8 * 7 * 32 * 4),
    TILED(RUNS, U32, U32, (size_t)12 * 5 * 32 * 4),
    TILED(RUNS, U64, TYPE_DEFAULT, (size_t)8 * 7 * 32 * 2),
    TILED(FLAGS, U32, TYPE_DEFAULT, (size_t)9 * 5 * 32 * 4),
    TILED(NONZERO, U8, TYPE_DEFAULT, (size_t)8 * 7 * 32 * 16),
    TILED(RUNS, U16, TYPE_DEFAULT, (size_t)8 * 7 * 32 * 8),
    {SEGMENTED(REDUCE, KEYS, U32, I32, I32, ADD, NULL), AHEAD},
    {SEGMENTED(INCLUSIVE, KEYS, U32, I32, I32, ADD, "SINGLE=1"), AHEAD},
    {SEGMENTED(REDUCE, KEYS, U32, I32, I32, ADD, "SINGLE=0"), "merge-path", SUBGROUP},
    {SEGMENTED(REDUCE, BITS, TYPE_DEFAULT, U8, U8, MAX, "GROUP=64"), AHEAD},
    {SEGMENTED(INCLUSIVE, FLAGS, TYPE_DEFAULT, F64, F64, ADD, NULL), AHEAD},
    /* Narrow outputs; totals need more room than elements; pairs do. */
    {SEGMENTED(INCLUSIVE, FLAGS, TYPE_DEFAULT, I16, I16, ADD, NULL), "merge-path", SUBGROUP},
    {SEGMENTED(REDUCE, KEYS, U32, U8, I64, ADD, NULL), "merge-path", SUBGROUP},
    {SEGMENTED(REDUCE, KEYS, U32, I64, I64, ARGMIN, NULL), "merge-path", SUBGROUP},
    {SEGMENTED(EXCLUSIVE, OFFSETS, I64, F32, F32, ADD, NULL), AHEAD},
    /* Few elements; no teams; large shares. */
    {SEGMENTED(REDUCE, OFFSETS, I64, F32, F32, ADD, NULL), "direct", 0, "clp_segmented_direct"},
    {SEGMENTED(REDUCE, OFFSETS, I64, F32, F32, ADD, "TEAM=0"), "sub-group", SUBGROUP},
    {SEGMENTED(REDUCE, OFFSETS, I64, F32, F32, ADD, "SHARE=2000"), "sub-group", SUBGROUP},
    /* One tile a group, unless knobs ask for a wave or a single work-item. */
    {LOOKBACK("GROUP=256"), .variant = "lookback"},
    {LOOKBACK("GROUP=1024"), .variant = "lookback"},
    {LOOKBACK("GROUP=256 WAVE=1"), .variant = "single-wave"},
    {LOOKBACK("GROUP=1"), .variant = "serial-tile"},
    /* Keys which one round of all units takes, a few, or many. */
    SORT_TILE(1 << 18, 3584),
    SORT_TILE((1 << 18) + 1, 8192),
    SORT_TILE(1 << 21, 8192),
    SORT_TILE((1 << 21) + 1, 38400),
    SORT_TILE(132 * 38400, 38400),
    SORT_TILE(132 * 38400 + 1, 15360),
    SORT_TILE(1 << 25, 15360),
    SORT_TILE((1 << 25) + 1, 38400),
    /* A network; one work-group by digits where a key has one; tiles that are merged. */
    {SORT(U8, MAX_N), 1 << 11, .kernel = "clp_sort_network_single"},
    {SORT(U8, MAX_N), 1 << 12, .variant = "tiles", .kernel = "clp_sort_network_merge"},
    {SORT(U8, MAX_N), (1 << 12) + 1, .variant = "tiles", .kernel = "clp_sort_network_merge"},
    {SORT(U16, MAX_N), 1 << 12, .variant = "tiles", .kernel = "clp_sort_network_merge"},
    /* From 2^22 keys on, distinct ones are counted where few of them are all that the output
     * says. */
    {SORT(F32, 1 << 22), 1 << 22, .kernel = "clp_sort_onesweep_distinct"},
    {SORT(I64, 1 << 22), 1 << 22, .kernel = "clp_sort_onesweep_distinct"},
    {SORT(F32, 1 << 22), (1 << 22) - 1, .kernel = "clp_sort_onesweep_pass"},
    {PAIRS(F32, 1 << 22), 1 << 22, .kernel = "clp_sort_onesweep_pass"},
};

static int failures;
static clprims_context *context;
static cl_command_queue queue;
static cl_mem mem;
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

/* A run whose arrays lie far apart in the one buffer of the fake OpenCL, whatever the bytes of
 * their elements are. */
static void launch(const row *r, void *plan) {
    const kind *k = r->kind;
    const subject_data d = {.of = k->of, .desc = r->desc, .n = {r->n, k->second}};
    subject_submission call = {.queue = queue};
    char name[64] = "";
    for (size_t i = 0; i < k->count; i++) {
        call.at[k->slots[i]] = (clprims_buffer){mem, i == 0 ? 0 : (size_t)FAR << 4 * i};
    }
    must(k->of->enqueue(plan, &d, &call));
    clGetKernelInfo(launched, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    expect_text(k->of->name, r->n, name, r->kernel);
}

static void check(const row *r) {
    const subject *of = r->kind->of;
    const size_t n[SUBJECT_NUMBERS] = {r->n, r->kind->second};
    char info[512];
    const char *text;
    size_t tile;
    void *plan = NULL;
    must(of->create(&plan, context, r->desc, of->desc_bytes));
    must(of->describe(plan, n, info, of->info.bytes));
    memcpy(&text, info + r->kind->variant, sizeof text);
    memcpy(&tile, info + r->kind->tile, sizeof tile);
    if (r->variant != NULL) expect_text(of->name, r->n, text, r->variant);
    if (r->tile > 0) expect_number(of->name, r->n, tile, r->tile);
    if (r->kernel != NULL) launch(r, plan);
    of->destroy(plan);
}

/* A sort's passes over few of many keys take smaller tiles; passes of a run whose number
 * may be large do not. */
static void check_sort(void) {
    enum { SMALL_N = 1 << 21, LARGE = (1 << 22) - 1, SMALL_TILE = 8192, LARGE_TILE = 38400 };
    static const size_t sizes[] = {LARGE, SMALL_N + 1, SMALL_N, 70000, SMALL_N + 1, SMALL_N};
    clprims_sort *plan = NULL;
    cl_kernel last[2] = {NULL, NULL};
    clprims_sort_desc desc = {.type = CLPRIMS_U32, .max_n = LARGE};
    clprims_sort_buffers b = {.keys_in = {mem, 0}, .keys_out = {mem, FAR}};
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
    b.n = (clprims_buffer){mem, 3 * FAR};
    must(clprims_sort_enqueue(plan, queue, &b, LARGE, 0, NULL, NULL));
    if (launched != last[0]) failures++;
    clprims_sort_destroy(plan);
}

/* The most bins that there may be, by each way but edges, which are so many elements; by every way
 * one more is refused. */
static void check_bins(void) {
    const size_t most = (size_t)1 << 31;
    static const clprims_histogram_by ways[] = {
        CLPRIMS_HISTOGRAM_EVEN, CLPRIMS_HISTOGRAM_EXPRESSION, CLPRIMS_HISTOGRAM_EDGES};
    for (size_t i = 0; i < 3; i++) {
        clprims_histogram *plan = NULL;
        clprims_histogram_desc desc = {
            .type = CLPRIMS_U32, .by = ways[i], .bins = most, .most = 1, .max_n = MAX_N};
        if (ways[i] == CLPRIMS_HISTOGRAM_EXPRESSION) desc.bin = "x";
        if (ways[i] != CLPRIMS_HISTOGRAM_EDGES)
            must(clprims_histogram_create(&plan, context, &desc));
        clprims_histogram_destroy(plan);
        desc.bins = most + 1;
        if (clprims_histogram_create(&plan, context, &desc) != CLPRIMS_ERR_ARGUMENT) failures++;
        expect_text("bins", desc.bins, clprims_last_error()->message,
                    "histogram: bins = 2147483649; it must be from 1 to 2147483648");
    }
}

int main(void) {
    const clprims_context_options options = {.device = "0"}; /* FAKE_NVIDIA */
    clprims_context_info info = {0};
    cl_int code = CL_SUCCESS;
    must(clprims_context_create(&context, &options));
    must(clprims_context_describe(context, &info));
    queue = info.queue;
    mem = clCreateBuffer(info.context, CL_MEM_READ_WRITE, 1, NULL, &code);
    clprims_watch(note_kernel, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) check(&rows[i]);
    check_sort();
    check_bins();
    clprims_watch(NULL, NULL);
    clReleaseMemObject(mem);
    clprims_context_destroy(context);
    return failures == 0 && code == CL_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
