/* SPDX-License-Identifier: MIT */
/* Core: names and tables, devices, the error record, NULL arguments. */
#include "core/core_cases.h"
#include "harness/oracle.h"

#include <pthread.h>

/* ---- Names and tables ------------------------------------------------------------------------ */

static void version(void) {
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", CLPRIMS_VERSION_MAJOR, CLPRIMS_VERSION_MINOR,
             CLPRIMS_VERSION_PATCH);
    assert_string_equal(clprims_version(), expected);
}

static void status_names(void) {
    static const char *const names[] = {
        "CLPRIMS_OK",
        "CLPRIMS_ERR_ARGUMENT",
        "CLPRIMS_ERR_TOO_LARGE",
        "CLPRIMS_ERR_UNSUPPORTED",
        "CLPRIMS_ERR_DATA",
        "CLPRIMS_ERR_BUILD",
        "CLPRIMS_ERR_NO_DEVICE",
        "CLPRIMS_ERR_HOST_MEMORY",
        "CLPRIMS_ERR_DEVICE_MEMORY",
        "CLPRIMS_ERR_OPENCL",
        "CLPRIMS_ERR_IO",
        "CLPRIMS_ERR_INTERNAL",
    };
    const int count = (int)(sizeof names / sizeof names[0]);
    for (int i = 0; i < count; i++)
        assert_string_equal(clprims_status_name((clprims_status)i), names[i]);
    assert_string_equal(clprims_status_name((clprims_status)count), "unknown status");
    assert_string_equal(clprims_status_name((clprims_status)-1), "unknown status");
}

typedef struct type_row {
    const char *name;
    clprims_type type;
    int value;
    size_t bytes;
} type_row;

static const type_row type_rows[] = {
    {"int8", CLPRIMS_I8, 1, 1},      {"int16", CLPRIMS_I16, 2, 2},  {"int32", CLPRIMS_I32, 3, 4},
    {"int64", CLPRIMS_I64, 4, 8},    {"uint8", CLPRIMS_U8, 5, 1},   {"uint16", CLPRIMS_U16, 6, 2},
    {"uint32", CLPRIMS_U32, 7, 4},   {"uint64", CLPRIMS_U64, 8, 8}, {"float32", CLPRIMS_F32, 9, 4},
    {"float64", CLPRIMS_F64, 10, 8},
};

static void type_table(const void *data) {
    const type_row *row = data;
    assert_int_equal(row->type, row->value);
    assert_string_equal(clprims_type_name(row->type), row->name);
    assert_int_equal(clprims_type_bytes(row->type), row->bytes);
}

static void types_unknown(void) {
    static const int values[] = {CLPRIMS_TYPE_DEFAULT, CLPRIMS_STRUCT, 12, -1, 1000};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_int_equal(clprims_type_bytes((clprims_type)values[i]), 0);
    assert_string_equal(clprims_type_name((clprims_type)12), "unknown");
    assert_string_equal(clprims_type_name((clprims_type)-1), "unknown");
}

typedef const char *namer(int value);

static const char *op_name(int value) {
    return clprims_op_name((clprims_op)value);
}
static const char *layer_name(int value) {
    return clprims_layer_name((clprims_layer)value);
}
static const char *algorithm_name(int value) {
    return clprims_algorithm_name((clprims_algorithm)value);
}

typedef struct name_list {
    const char *what;
    namer *name;
    const char *names[11]; /* of 0, 1, 2, ...; NULL at the end */
} name_list;

static const name_list name_lists[] = {
    {"op",
     op_name,
     {"add", "min", "max", "mul", "and", "or", "xor", "custom", "argmin", "argmax", NULL}},
    {"layer", layer_name, {"auto", "nvidia", "subgroup", "local", NULL}},
    {"scan-algorithm",
     algorithm_name,
     {"auto", "lookback", "lookback-fallback", "reduce-then-scan", "lookahead", NULL}},
};

static void names_of(const void *data) {
    const name_list *list = data;
    int value = 0;
    for (; list->names[value] != NULL; value++)
        assert_string_equal(list->name(value), list->names[value]);
    assert_string_equal(list->name(value), "unknown");
    assert_string_equal(list->name(-1), "unknown");
}

/* ---- Devices --------------------------------------------------------------------------------- */

static size_t device_count(void) {
    size_t count = 0;
    expect_ok(clprims_device_count(&count));
    assert_true(count >= 1);
    return count;
}

static void devices_described(void) {
    const size_t count = device_count();
    for (size_t i = 0; i < count; i++) {
        clprims_device_info info = {0};
        expect_ok(clprims_device_describe(i, &info));
        assert_non_null(info.platform);
        assert_non_null(info.id);
        assert_true(info.name[0] != '\0' && info.platform_name[0] != '\0');
        assert_true(info.compute_units > 0);
        assert_true(info.memory_bytes >= info.max_alloc_bytes && info.max_alloc_bytes > 0);
        expect_contains(info.version, "OpenCL ");
    }
}

static void devices_out_of_range(void) {
    const size_t count = device_count();
    clprims_device_info info = {0};
    char part[64];
    snprintf(part, sizeof part, "number %zu is not there; the last one is %zu", count, count - 1);
    expect_failure(clprims_device_describe(count, &info), CLPRIMS_ERR_NO_DEVICE, part);
    expect_failure(clprims_device_describe(SIZE_MAX, &info), CLPRIMS_ERR_NO_DEVICE,
                   "18446744073709551615");
}

/* ---- The error record ------------------------------------------------------------------------ */

static void record_cleared(void) {
    expect_failure(clprims_device_count(NULL), CLPRIMS_ERR_ARGUMENT, "count is NULL");
    size_t count = 0;
    expect_ok(clprims_device_count(&count)); /* which looks at the record too */
    assert_string_equal(clprims_last_error()->build_log, "");
}

static void *fail_elsewhere(void *state) {
    bool *right = state;
    const bool empty_at_first = clprims_last_error()->status == CLPRIMS_OK;
    clprims_device_info info = {0};
    const clprims_status status = clprims_device_describe(SIZE_MAX, &info);
    *right = empty_at_first && status == CLPRIMS_ERR_NO_DEVICE &&
             clprims_last_error()->status == CLPRIMS_ERR_NO_DEVICE;
    return NULL;
}

static void record_of_thread(void) {
    expect_failure(clprims_device_count(NULL), CLPRIMS_ERR_ARGUMENT, "count is NULL");
    bool right = false;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &right), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(right);
    assert_int_equal(clprims_last_error()->status, CLPRIMS_ERR_ARGUMENT);
    expect_contains(clprims_last_error()->message, "count is NULL");
}

/* ---- Threads ---- */

/* A thread's plan, which runs on the context's one queue. */
typedef struct runner {
    pthread_t thread;
    clprims_context *context;
    uint32_t value; /* of all elements */
    bool right;
} runner;

static void *run_again_and_again(void *state) {
    enum { N = 3000 };
    runner *r = state;
    uint32_t *in = malloc(N * sizeof *in), *out = malloc(N * sizeof *out);
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = {.type = CLPRIMS_U32, .max_n = N};
    r->right =
        in != NULL && out != NULL && clprims_scan_create(&scan, r->context, &desc) == CLPRIMS_OK;
    for (size_t i = 0; r->right && i < N; i++) in[i] = r->value;
    for (int run = 0; r->right && run < 30; run++) {
        memset(out, 0, N * sizeof *out);
        r->right =
            clprims_scan_run(scan, &(clprims_scan_arrays){.in = in, .out = out}, N) == CLPRIMS_OK;
        for (uint32_t i = 0; r->right && i < N; i++) r->right = out[i] == i * r->value;
    }
    clprims_scan_destroy(scan);
    free(in);
    free(out);
    return NULL;
}

static void runs_of_threads(void) {
    static runner runners[3];
    for (uint32_t i = 0; i < 3; i++) {
        runners[i] = (runner){.context = test_context(), .value = i + 1};
        const int code = pthread_create(&runners[i].thread, NULL, run_again_and_again, &runners[i]);
        assert_int_equal(code, 0);
    }
    for (size_t i = 0; i < 3; i++) assert_int_equal(pthread_join(runners[i].thread, NULL), 0);
    for (size_t i = 0; i < 3; i++) assert_true(runners[i].right);
}

/* ---- NULL arguments -------------------------------------------------------------------------- */

static void null_core(void) {
    clprims_context_info info = {0};
    expect_failure(clprims_device_count(NULL), CLPRIMS_ERR_ARGUMENT, "count is NULL");
    expect_failure(clprims_device_describe(0, NULL), CLPRIMS_ERR_ARGUMENT, "info is NULL");
    expect_failure(clprims_context_create(NULL, NULL), CLPRIMS_ERR_ARGUMENT, "out is NULL");
    expect_failure(clprims_context_describe(NULL, &info), CLPRIMS_ERR_ARGUMENT, "context is NULL");
    expect_failure(clprims_context_describe(test_context(), NULL), CLPRIMS_ERR_ARGUMENT,
                   "info is NULL");
    clprims_context_destroy(NULL);
    expect_failure(clprims_list_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
}

/* ---- The twins themselves, against figures worked out by hand -------------------------------- */

static void twin_scan(void) {
    static const int8_t in[5] = {100, 27, 1, -128, 5};
    static const int8_t sums[5] = {100, 127, -128, 0, 5};
    static const int8_t most[5] = {-128, 100, 100, 100, 100};
    clprims_scan_desc desc = {.type = CLPRIMS_I8, .inclusive = 1};
    expect_scan(&desc, in, sums, 5, 0);
    desc.inclusive = 0;
    desc.op = CLPRIMS_MAX;
    expect_scan(&desc, in, most, 5, 0);
    static const uint64_t wide[5] = {7, 107, 134, 135, 7};
    const uint64_t init = 7;
    desc.op = CLPRIMS_ADD;
    desc.accumulator = CLPRIMS_U64;
    desc.init = &init;
    int64_t out[5];
    oracle_scan(&desc, in, out, 5);
    expect_values(CLPRIMS_U64, wide, out, 5);
}

static void twin_rank(void) {
    static const int32_t next[4] = {3, 0, -1, 2};
    static const int32_t expected[4] = {1, 0, 3, 2};
    static const int32_t cycle[4] = {3, 2, 1, -1};
    int32_t rank[4];
    oracle_rank(CLPRIMS_I32, next, 1, rank, 4);
    expect_values(CLPRIMS_I32, expected, rank, 4);
    assert_int_equal(oracle_list_head(CLPRIMS_I32, next, 4), 1);
    assert_true(oracle_list_valid(CLPRIMS_I32, next, 1, 4));
    assert_false(oracle_list_valid(CLPRIMS_I32, next, 0, 4));
    assert_false(oracle_list_valid(CLPRIMS_I32, cycle, 0, 4));
    const clprims_list_report on_cycle = {CLPRIMS_LIST_CYCLE, 1, -1, 0};
    const clprims_list_report on_path = {CLPRIMS_LIST_CYCLE, 0, -1, 0};
    assert_true(oracle_report_true(CLPRIMS_I32, cycle, 0, 4, &on_cycle));
    assert_false(oracle_report_true(CLPRIMS_I32, cycle, 0, 4, &on_path));
}

void test_program(test_cases *cases) {
    test_add_plain(cases, version, "core/version");
    test_add_plain(cases, status_names, "core/status/names");
    test_add_rows(cases, type_table, type_rows, "core/type");
    test_add_plain(cases, types_unknown, "core/type/unknown");
    test_add_rows(cases, names_of, name_lists, "core/names");
    test_add_plain(cases, devices_described, "core/devices/described");
    test_add_plain(cases, devices_out_of_range, "core/devices/out-of-range");
    test_add_plain(cases, record_cleared, "core/record/cleared");
    test_add_plain(cases, record_of_thread, "core/record/of-thread");
    test_add_plain(cases, runs_of_threads, "core/runs-of-threads");
    test_add_plain(cases, null_core, "core/null/core");
    test_add_plain(cases, twin_scan, "core/twin/scan");
    test_add_plain(cases, twin_rank, "core/twin/rank");
    core_add_sizes(cases);
    core_add_memory(cases);
    core_add_submissions(cases);
}
