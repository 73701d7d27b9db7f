/* SPDX-License-Identifier: MIT */
/* What create, enqueue and run of a selection refuse, and with what words. */
#include "fixtures/select_cases.h"
#include "subjects/runs/subject_refusals.h"

static const pass_way chosen = {CLPRIMS_ALGORITHM_AUTO, NULL, "chosen"};

/* ---- create ---- */

static void by_one_item(clprims_select_desc *d, const char *tuning) {
    d->algorithm = CLPRIMS_ALGORITHM_LOOKBACK, d->tuning = tuning;
}

/* Where work-items exchange values through local memory, one word counts all rows. */
static void five_rows(clprims_select_desc *d) {
    const pass_way way = {CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=64 ROWS=5", "rows"};
    if (test_info().layer != CLPRIMS_LAYER_LOCAL) test_skip("is of the local layer");
    *d = select_describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_U8, 1, &way);
}

static void four_arrays(clprims_select_desc *d) {
    *d = select_describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_I64, 4, &chosen);
}

static void runs_of_structs(clprims_select_desc *d) {
    *d = select_describe(CLPRIMS_SELECT_RUNS, CLPRIMS_STRUCT, 1, &chosen);
}

static void spoil_numbers(void *desc, subject_refusal *r) {
    clprims_select_desc *d = desc;
    ILLEGAL("by", "by = 9", d->by = (clprims_select_by)9)
    ILLEGAL("many-arrays", "arrays = 5", d->arrays = 5)
    ILLEGAL("no-arrays", "arrays = 0", d->arrays = 0)
    ILLEGAL("no-predicate", "needs desc.predicate", d->predicate = NULL)
    REFUSED("broken-predicate", BUILD, "refuses the program", d->predicate = "x ++ y")
    ILLEGAL("type", "type[0] = 99", d->type[0] = (clprims_type)99)
    ILLEGAL("result-and-indices", "a result with arrays = 1, indices = 3 (int32)", d->result = "r",
            d->indices = CLPRIMS_I32)
    ILLEGAL("result-of-partition", "partition = 1", d->result = "r", d->partition = 1)
    ILLEGAL("result-type-alone", "result_type = 9 (float32) without a result",
            d->result_type = CLPRIMS_F32)
    ILLEGAL("result-type", "result_type = 99", d->result = "r", d->result_type = (clprims_type)99)
    ILLEGAL("float-indices", "indices = 9 (float32)", d->indices = CLPRIMS_F32)
    REFUSED("narrow-indices", TOO_LARGE, "indices of type int32", d->indices = CLPRIMS_I32,
            d->max_n = (size_t)1 << 31)
    ILLEGAL("lengths", "lengths = 7 (uint32) are of runs, but by = 2 (predicate)",
            d->lengths = CLPRIMS_U32)
    ILLEGAL("many-rows", "at most 65536", by_one_item(d, "GROUP=1 ROWS=65536"))
    ILLEGAL("large-tile", "bytes of local memory", four_arrays(d),
            by_one_item(d, "GROUP=1 ROWS=32768"))
    ILLEGAL("rows", "ROWS=5; for GROUP=64 in the local layer it must be at most 4", five_rows(d))
    ILLEGAL("parameter-of-element", "has the name of an operand of desc.predicate",
            d->parameters = "uint x")
    ILLEGAL("predicate-unread",
            "select: desc.predicate = \"x > 3\" is never read: by = 3 (nonzero)",
            d->by = CLPRIMS_SELECT_NONZERO, d->predicate = "x > 3")
    ILLEGAL("equal-unread", "desc.equal = \"a == b\" is never read: by = 2 (predicate)",
            d->equal = "a == b")
    ILLEGAL("op-unread", "select: custom.op = \"a + b\" is never read", d->custom.op = "a + b")
    ILLEGAL("parameters-for-none", "1 parameters, but no text such as desc.predicate",
            d->parameters = "uint limit", d->by = CLPRIMS_SELECT_NONZERO, d->predicate = NULL)
}

static void spoil_kinds(void *desc, subject_refusal *r) {
    clprims_select_desc *d = desc;
    ILLEGAL("structs/equal", "by = 4 (runs) of structs needs desc.equal", runs_of_structs(d),
            d->equal = NULL)
    ILLEGAL("structs/nonzero", "not compared with 0", runs_of_structs(d),
            d->by = CLPRIMS_SELECT_NONZERO)
    ILLEGAL("structs/no-name", "type_name is NULL", runs_of_structs(d), d->custom.type_name = NULL)
    ILLEGAL("structs/257-bytes", "type_bytes = 257; it must be from 1 to 256", runs_of_structs(d),
            d->custom.type_bytes = 257)
    ILLEGAL("structs/other-bytes", "select: type_bytes = 8, the device's sizeof is 12",
            runs_of_structs(d), d->custom.type_bytes = 8)
    ILLEGAL("partitions/runs", "by flags, bits, a predicate or nonzero, without",
            d->by = CLPRIMS_SELECT_RUNS, d->partition = 1)
    ILLEGAL("partitions/no-values", "needs values to part", d->by = CLPRIMS_SELECT_FLAGS,
            d->no_values = 1, d->partition = 1)
    ILLEGAL("arrays-without-values", "only the first can decide", d->by = CLPRIMS_SELECT_FLAGS,
            d->no_values = 1, d->arrays = 2)
}

static void spoil(void *desc, subject_refusal *r) {
    spoil_numbers(desc, r);
    spoil_kinds(desc, r);
}

/* ---- Runs ---- */

static clprims_select_desc by_flags(void) {
    clprims_select_desc desc = select_describe(CLPRIMS_SELECT_FLAGS, CLPRIMS_I32, 1, &chosen);
    desc.max_n = 8;
    return desc;
}

static void places_are_refused(void) {
    static const struct {
        clprims_algorithm algorithm;
        int partition;
        clprims_status status;
        const char *message;
    } rows[] = {
        {CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK, 0, CLPRIMS_ERR_UNSUPPORTED,
         "lookback-fallback cannot work in place"},
        {CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN, 0, CLPRIMS_ERR_UNSUPPORTED,
         "reduce-then-scan cannot work in place"},
        {CLPRIMS_ALGORITHM_AUTO, 1, CLPRIMS_ERR_ARGUMENT, "a partition cannot work in place"}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        clprims_select_desc desc = by_flags();
        subject_data d = {.of = &subject_select, .desc = &desc, .n = {8, 8}, .most = {8}};
        desc.algorithm = rows[k].algorithm;
        desc.partition = rows[k].partition;
        subject_draw(&d);
        subject_buffers b = subject_buffers_create(&d, NULL, 0);
        b.call.at[SELECT_OUT] = b.call.at[SELECT_IN];
        expect_failure(subject_select.enqueue(select_plan(&desc), &d, &b.call), rows[k].status,
                       rows[k].message);
    }
}

static void structures_are_refused(void) {
    clprims_select_desc desc = by_flags();
    clprims_select *plan = select_plan(&desc);
    int32_t in[4] = {0}, out[4];
    const unsigned char flags[4] = {1, 1, 1, 1};
    size_t count;
    clprims_select_arrays good = {.in = {in}, .out = {out}, .flags = flags};
    expect_failure(clprims_select_run(plan, &good, 4), CLPRIMS_ERR_ARGUMENT, "count is NULL");
    good.count = &count;
    good.sizes.capacity = 3;
    desc.partition = 1;
    expect_failure(clprims_select_run(select_plan(&desc), &good, 4), CLPRIMS_ERR_ARGUMENT,
                   "needs room for all");
}

static void describe_names_the_algorithm(void) {
    clprims_select_desc desc = by_flags();
    clprims_select_info info = {0};
    desc.algorithm = CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK;
    expect_ok(clprims_select_describe(select_plan(&desc), 8, &info));
    assert_int_equal(info.algorithm, CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK);
}

void add_refusal_cases(test_cases *cases) {
    const clprims_select_desc good =
        select_describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_I32, 1, &chosen);
    subject_add_refused(cases, &subject_select, &good, spoil, "select/refusals/create");
    test_add_plain(cases, places_are_refused, "select/refusals/in-place");
    test_add_plain(cases, structures_are_refused, "select/refusals/structures");
    test_add_plain(cases, describe_names_the_algorithm, "select/refusals/describe");
}
