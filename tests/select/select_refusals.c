/* SPDX-License-Identifier: MIT */
/* What create, enqueue and run of a selection refuse, and with what words. */
#include "fixtures/select_cases.h"
#include "subjects/runs/subject_refusals.h"

static const pass_way chosen = {CLPRIMS_ALGORITHM_AUTO, NULL, "chosen"};

static void refuse(const clprims_select_desc *desc, clprims_status status, const char *part) {
    subject_is_refused(&subject_select, desc, status, part);
}

static void create_refuses(const void *data) {
    (void)data;
    const clprims_select_desc good =
        select_describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_I32, 1, &chosen);
    clprims_select_desc desc = good;
    subject_null_is_refused(&subject_select, &good);
    desc.struct_size = 5;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "struct_size = 5");
    desc = good, desc.by = (clprims_select_by)9;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "by = 9");
    desc = good, desc.arrays = 5;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "arrays = 5");
    desc = good, desc.arrays = 0;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "arrays = 0");
    desc = good, desc.max_n = 0;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "max_n = 0");
    desc = good, desc.predicate = NULL;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "needs desc.predicate");
    desc = good, desc.predicate = "x ++ y";
    refuse(&desc, CLPRIMS_ERR_BUILD, "refuses the program");
    desc = good, desc.type[0] = (clprims_type)99;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "type[0] = 99");
    desc = good, desc.indices = CLPRIMS_F32;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "indices = 9 (float32)");
    desc = good, desc.indices = CLPRIMS_I32, desc.max_n = (size_t)1 << 31;
    refuse(&desc, CLPRIMS_ERR_TOO_LARGE, "indices of type int32");
    desc = good, desc.lengths = CLPRIMS_U32;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "CLPRIMS_SELECT_RUNS only");
}

static void too_many_rows_are_refused(const void *data) {
    (void)data;
    clprims_select_desc desc = select_describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_I32, 1, &chosen);
    desc.algorithm = CLPRIMS_ALGORITHM_LOOKBACK, desc.tuning = "GROUP=1 ROWS=65536";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "at most 65536");
    desc = select_describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_I64, 4, &chosen);
    desc.algorithm = CLPRIMS_ALGORITHM_LOOKBACK, desc.tuning = "GROUP=1 ROWS=32768";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "bytes of local memory");
}

/* Where work-items exchange values through local memory, rows become one vector. */
static void rows_are_refused(const void *data) {
    (void)data;
    const pass_way way = {CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=64 ROWS=3", "rows"};
    const clprims_select_desc desc = select_describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_U8, 1, &way);
    if (test_info().layer != CLPRIMS_LAYER_LOCAL) test_skip("is of the local layer");
    refuse(&desc, CLPRIMS_ERR_ARGUMENT,
           "ROWS=3; for GROUP=64 in the local layer it must be at most 2");
}

static void create_refuses_structs(const void *data) {
    (void)data;
    const clprims_select_desc good =
        select_describe(CLPRIMS_SELECT_RUNS, CLPRIMS_STRUCT, 1, &chosen);
    clprims_select_desc desc = good;
    desc.equal = NULL;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "runs of structs need desc.equal");
    desc = good, desc.by = CLPRIMS_SELECT_NONZERO;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "not compared with 0");
    desc = good, desc.custom.type_name = NULL;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "type_name is NULL");
    desc = good, desc.custom.type_bytes = 20;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "type_bytes = 20");
    desc = good, desc.custom.type_bytes = 6;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "type_bytes = 6");
    desc = good, desc.custom.type_bytes = 8;
    refuse(&desc, CLPRIMS_ERR_BUILD, "refuses the program");
}

static void create_refuses_partitions(const void *data) {
    (void)data;
    clprims_select_desc desc = select_describe(CLPRIMS_SELECT_RUNS, CLPRIMS_I32, 1, &chosen);
    desc.partition = 1;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "by flags, bits, a predicate or nonzero, without");
    desc.by = CLPRIMS_SELECT_FLAGS;
    desc.no_values = 1;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "needs values to part");
    desc.partition = 0;
    desc.arrays = 2;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "only the first can decide");
}

static clprims_select_desc by_flags(void) {
    clprims_select_desc desc = select_describe(CLPRIMS_SELECT_FLAGS, CLPRIMS_I32, 1, &chosen);
    desc.max_n = 8;
    return desc;
}

static void enqueue_refuses(const void *data) {
    (void)data;
    clprims_select_desc desc = by_flags();
    const subject_data like = {.of = &subject_select, .desc = &desc, .most = {8}};
    clprims_select *plan = select_plan(&desc);
    test_buffer in = test_buffer_create(NULL, 8, 4, 0), out = test_buffer_create(NULL, 8, 4, 0);
    test_buffer flags = test_buffer_create(NULL, 8, 1, 0),
                count = test_buffer_create(NULL, 1, 8, 0);
    const clprims_select_buffers good = {.struct_size = sizeof(clprims_select_buffers),
                                         .in = {in.at},
                                         .out = {out.at},
                                         .flags = flags.at,
                                         .count = count.at};
    clprims_select_buffers b = good;
    cl_command_queue queue = test_queue();
#define REFUSE(n, capacity, status, part)                                                          \
    expect_failure(clprims_select_enqueue(plan, queue, &b, n, capacity, 0, NULL, NULL), status,    \
                   part)
    subject_enqueue_refuses(&like);
    expect_failure(clprims_select_enqueue(plan, queue, NULL, 8, 8, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "buffers is NULL");
    REFUSE(8, 4000, CLPRIMS_ERR_ARGUMENT, "out[0] has room for");
    b.out[0] = flags.at;
    REFUSE(8, 2, CLPRIMS_ERR_ARGUMENT, "out[0] (first = 0, n = 2) overlaps flags");
    b = good, b.count = out.at;
    REFUSE(8, 8, CLPRIMS_ERR_ARGUMENT, "count (first = 0, n = 1) overlaps out[0]");
    desc.algorithm = CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK;
    plan = select_plan(&desc);
    b = good, b.out[0] = in.at;
    REFUSE(8, 8, CLPRIMS_ERR_UNSUPPORTED, "lookback-fallback cannot work in place");
    desc.algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
    plan = select_plan(&desc);
    REFUSE(8, 8, CLPRIMS_ERR_UNSUPPORTED, "reduce-then-scan cannot work in place");
    desc.algorithm = CLPRIMS_ALGORITHM_AUTO;
    desc.partition = 1;
    plan = select_plan(&desc);
    REFUSE(8, 8, CLPRIMS_ERR_ARGUMENT, "a partition cannot work in place");
    test_buffer_release(&in);
    test_buffer_release(&out);
    test_buffer_release(&flags);
    test_buffer_release(&count);
}

static void run_refuses(const void *data) {
    (void)data;
    clprims_select_desc desc = by_flags();
    const subject_data like = {.of = &subject_select, .desc = &desc, .most = {8}};
    clprims_select *plan = select_plan(&desc);
    int32_t in[4] = {0}, out[4];
    const unsigned char flags[4] = {1, 1, 1, 1};
    size_t count;
    const clprims_select_arrays good = {
        .struct_size = sizeof(clprims_select_arrays), .in = {in}, .out = {out}, .flags = flags};
    subject_run_refuses(&like);
    expect_failure(clprims_select_run(plan, NULL, 4, 4, &count), CLPRIMS_ERR_ARGUMENT,
                   "arrays is NULL");
    expect_failure(clprims_select_run(plan, &good, 4, 4, NULL), CLPRIMS_ERR_ARGUMENT,
                   "count is NULL");
    desc.partition = 1;
    expect_failure(clprims_select_run(select_plan(&desc), &good, 4, 3, &count),
                   CLPRIMS_ERR_ARGUMENT, "needs room for all");
}

static void describe_refuses(const void *data) {
    (void)data;
    clprims_select_desc desc = by_flags();
    const subject_data like = {.of = &subject_select, .desc = &desc, .most = {8}};
    clprims_select_info info = CLPRIMS_SELECT_INFO_INIT;
    subject_others_refuse(&like);
    desc.algorithm = CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK;
    expect_ok(clprims_select_describe(select_plan(&desc), 8, &info));
    assert_int_equal(info.algorithm, CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK);
}

void add_refusal_cases(test_cases *cases) {
    test_add(cases, create_refuses, NULL, 0, "select/refusals/create");
    test_add(cases, describe_refuses, NULL, 0, "select/refusals/describe");
    test_add(cases, rows_are_refused, NULL, 0, "select/refusals/rows");
    test_add(cases, too_many_rows_are_refused, NULL, 0, "select/refusals/too-many-rows");
    test_add(cases, create_refuses_structs, NULL, 0, "select/refusals/structs");
    test_add(cases, create_refuses_partitions, NULL, 0, "select/refusals/partitions");
    test_add(cases, enqueue_refuses, NULL, 0, "select/refusals/enqueue");
    test_add(cases, run_refuses, NULL, 0, "select/refusals/run");
}
