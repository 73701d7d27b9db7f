/* SPDX-License-Identifier: MIT */
/* Offsets: plans, checks, runs. The kernels are the engine's, of which single_pass.h has the
 * map. cl/offsets/offsets.cl says how faults are found, offsets_report.cl writes the report, and
 * offsets_serial.cl has what CPUs do instead. */
#include "cl_sources.h"
#include "core/type.h"
#include "engine/single_pass.h"

#include <clprims/offsets.h>
#include <inttypes.h>

/* Of clp_report in cl/offsets/offsets.cl. */
enum { REPORT_BYTES = sizeof(clprims_offsets_report) };

struct clprims_offsets {
    clp_plan head;
    clprims_type type;
    bool counts;
    size_t max_n;
    clprims_algorithm algorithm;
    clp_pass pass;
};

/* One run's arguments. */
typedef struct offsets_run {
    clp_call call;
    clprims_offsets_buffers buffers;
    size_t n;
    clprims_offsets_arrays arrays; /* of a run on plain arrays */
} offsets_run;

/* ---- Create ---- */

static clprims_status check_desc(const clprims_offsets_desc *desc) {
    CLP_FAIL_IF(clprims_type_bytes(desc->type) == 0 || clp_type_is_float(desc->type),
                CLPRIMS_ERR_ARGUMENT, "offsets: type = %d (%s) is no integer type", (int)desc->type,
                clprims_type_name(desc->type));
    return clp_check_max_n("offsets", desc->max_n, SIZE_MAX / 16);
}

/* lanes: of the vectors that the kernel reads. */
static void add_wide(clp_text *text, const clprims_offsets *plan, size_t lanes) {
    clp_text_add(text, "#define CLP_E_WIDE %s%zu\n", clp_type_text(plan->type), lanes);
    clp_text_add(text, "#define CLP_A_WIDE ulong%zu\n#define CLP_OUT_WIDE long%zu\n", lanes, lanes);
    clp_text_add(text, "#define CLP_LANES_WIDE(x) as_ulong%zu(convert_long%zu(x))\n", lanes, lanes);
    clp_text_add(text, "#define CLP_STORED_WIDE(value) as_long%zu(value)\n", lanes);
    clp_text_add(text, "#define CLP_EXACT_IDENTITY 1\n");
    clp_text_add(text, "#define CLP_INPUT_WIDE 1\n#define CLP_WIDENED(%s) clp_lengths_wide(%s)\n",
                 plan->counts ? "x" : "x, y", plan->counts ? "(CLP_E_WIDE)(0), x" : "x, y");
}

static clprims_status add_prelude(const clprims_context *context, const void *user,
                                  const clp_shape *shape, clp_text *text) {
    const clprims_offsets *plan = user;
    (void)context;
    clp_text_add(text, "#define CLP_E %s\n#define CLP_E_BYTES %zu\n", clp_type_text(plan->type),
                 clprims_type_bytes(plan->type));
    clp_text_add(text, "#define CLP_A ulong\n#define CLP_A_BYTES 8\n#define CLP_IDENTITY 0ul\n");
    clp_text_add(text, "#define CLP_OUT long\n#define CLP_OUT_BYTES 8\n");
    clp_text_add(text, "#define CLP_STORES_TEXT 0\n#define CLP_STORES_X 0\n#define CLP_GUARD 0\n");
    clp_text_add(text, "#define CLP_INPUTS %d\n#define CLP_EXTRA 1\n#define CLP_REPORTS 1\n",
                 plan->counts ? 1 : 2);
    clp_text_add(text, "#define CLP_HAS_START 1\n#define CLP_INCLUSIVE 0\n");
    clp_text_add(text, "#define CLP_REPRODUCIBLE 0\n#define CLP_COMMUTATIVE 1\n");
    clp_text_add(text, "#define CLP_PACKED 0\n#define CLP_REPORT_BYTES %d\n", REPORT_BYTES);
    clp_shape_add(text, shape, sizeof(cl_ulong), false);
    if (clp_shape_simd(shape) > 1) add_wide(text, plan, shape->serial.simd);
    return CLPRIMS_OK;
}

#define TILE_PARTS                                                                                 \
    &clp_offsets_cl, &clp_count_cl, &clp_types_cl, &clp_parameters_cl, &clp_io_cl, &clp_items_cl,  \
        &clp_offsets_report_cl

static const clp_part serial[] = {TILE_PARTS,       &clp_offsets_serial_cl,  &clp_tile_serial_cl,
                                  &clp_lookback_cl, &clp_lookback_serial_cl, NULL};
static const clp_part lookback[] = {TILE_PARTS, CLP_LOOKBACK_PARTS, NULL};
static const clp_part levels[] = {TILE_PARTS, CLP_LEVELS_PARTS, NULL};
static const clp_part levels_serial[] = {TILE_PARTS, &clp_offsets_serial_cl,
                                         CLP_LEVELS_SERIAL_PARTS, NULL};
static const clp_part wave[] = {TILE_PARTS, CLP_WAVE_PARTS(&clp_single_wave_cl), NULL};
static const clp_part lookahead[] = {TILE_PARTS, CLP_LOOKAHEAD_PARTS, NULL};

static const clp_variant_program programs[CLP_VARIANTS] = {
    CLP_SCAN_PROGRAMS(serial, lookback, wave, lookahead, levels, levels_serial)};

static clprims_status enqueue_pass(clprims_offsets *plan, const offsets_run *run, bool warms_up) {
    const clprims_context *context = plan->head.context;
    const clprims_buffer none = {NULL, 0};
    const clp_pass_run pass_run = {
        .call = run->call, .n = run->n + 1, .counted = run->buffers.n, .warms_up = warms_up};
    const clprims_buffer starts = run->n > 0 ? run->buffers.starts : none,
                         stops = run->n > 0 ? run->buffers.stops : none;
    clp_arguments a = {.count = 0};
    if (!plan->counts) clp_put_array(&a, context, starts);
    clp_put_array(&a, context, stops);
    clp_put_array(&a, context, run->buffers.offsets);
    clp_put_report(&a, &plan->head, run->buffers.report);
    clp_put_value(&a, run->n + 1);
    clp_put_value(&a, 0);
    return clp_pass_enqueue(&plan->pass, &a, &pass_run);
}

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_offsets *plan = (clprims_offsets *)head;
    const clprims_offsets_desc *desc = description;
    const offsets_run nothing = {.n = 0};
    CLP_TRY(check_desc(desc));
    plan->type = desc->type;
    plan->counts = desc->counts != 0;
    plan->max_n = desc->max_n;
    enum { STAGE_BYTES = 32 << 10, SCANNERS = 8 };
    const size_t bytes = clprims_type_bytes(desc->type), inputs = plan->counts ? 1 : 2;
    const size_t vec = clp_shape_vec(bytes, sizeof(cl_long));
    const size_t ring_vec = 16 / sizeof(cl_long);
    const size_t rows = STAGE_BYTES / (SCANNERS * 32 * ring_vec * bytes * inputs);
    CLP_TRY(clp_pass_choose(head->context, "offsets", desc->algorithm, &plan->algorithm));
    const clp_pass_need need = {.who = "offsets",
                                .programs = programs,
                                .prelude = add_prelude,
                                .user = plan,
                                .algorithm = plan->algorithm,
                                .tuning = desc->tuning,
                                .element_bytes = bytes,
                                .vec = vec,
                                .value_bytes = sizeof(cl_ulong),
                                .staged_bits = 8 * bytes * inputs,
                                .is_auto = desc->algorithm == CLPRIMS_ALGORITHM_AUTO,
                                .simd = 8,
                                .out_bytes = sizeof(cl_long),
                                .max_n = desc->max_n + 1,
                                .ring = {.scanners = SCANNERS,
                                         .vec = ring_vec,
                                         .rows = rows > 15 ? 16 : rows + 1,
                                         .stages = rows > 15 ? 6 : 5}};
    CLP_TRY(clp_pass_prepare(&plan->pass, head, &need));
    return enqueue_pass(plan, &nothing, true);
}

/* ---- The plan ---- */

CLP_PLAN_CHECK_N(offsets, offsets_run, max_n)

enum { OFFSETS, STOPS, STARTS, COUNTED, REPORT, ARRAYS };

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    const clprims_offsets *plan = (const clprims_offsets *)head;
    offsets_run *run = (offsets_run *)call;
    const size_t bytes = clprims_type_bytes(plan->type);
    rows[OFFSETS] = clp_written_row("offsets", &run->buffers.offsets, run->arrays.offsets,
                                    run->n + 1, sizeof(cl_long));
    rows[STOPS] = clp_read_row(plan->counts ? "counts" : "stops", &run->buffers.stops,
                               run->arrays.stops, run->n, bytes);
    rows[STARTS] = clp_read_row("starts", &run->buffers.starts, run->arrays.starts, run->n, bytes);
    rows[STARTS].lacks = plan->counts ? "takes counts" : NULL;
    rows[COUNTED] = clp_count_row("n", &run->buffers.n);
    rows[REPORT] = clp_report_row(&run->buffers.report, sizeof(clprims_offsets_report));
    return ARRAYS;
}

static clprims_status submit(clp_plan *head, clp_call *call) {
    return enqueue_pass((clprims_offsets *)head, (const offsets_run *)call, false);
}

/* As clprims_offsets_check, with the values of the arrays in the message. */
static clprims_status finish(const clp_plan *head, clp_call *call, const void *own) {
    const clprims_offsets *plan = (const clprims_offsets *)head;
    const clprims_offsets_report *report = own;
    const offsets_run *run = (const offsets_run *)call;
    const int64_t i = report->index;
    char start[CLP_NUMBER_CHARS], stop[CLP_NUMBER_CHARS];
    if (report->fault != CLPRIMS_OFFSETS_INTERVAL) return clprims_offsets_check(report);
    clp_print_number(plan->type, run->arrays.stops, i, stop);
    CLP_FAIL_IF(plan->counts, CLPRIMS_ERR_DATA, "offsets: counts[%" PRId64 "] = %s is negative", i,
                stop);
    clp_print_number(plan->type, run->arrays.starts, i, start);
    return clp_fail(CLPRIMS_ERR_DATA,
                    "offsets: stops[%" PRId64 "] = %s is less than starts[%" PRId64 "] = %s", i,
                    stop, i, start);
}

static const clp_plan_kind kind = {CLP_PLAN_KIND_REPORTING(offsets),
                                   CLP_PLAN_HOOKS(fill, offsets_check_sizes, list_arrays, submit),
                                   .finish = finish};

/* ---- The interface ---- */

CLP_PLAN_CREATE(offsets, kind)
CLP_PLAN_ENQUEUE(offsets, kind, offsets_run)

static clprims_status describe(const clprims_offsets *plan, const char *who, size_t n,
                               clprims_offsets_info *info) {
    CLP_TRY(clp_check_n(who, n, plan->max_n));
    const clp_shape *shape = &clp_pass_choose_kernel(&plan->pass, n + 1)->shape;
    info->algorithm = plan->algorithm;
    info->group = shape->group;
    info->tile = shape->tile;
    info->variant = clp_variants[shape->variant].name;
    return CLPRIMS_OK;
}

CLP_PLAN_DESCRIBE(offsets, describe)

clprims_status clprims_offsets_check(const clprims_offsets_report *report) {
    CLP_TRY(clp_begin("offsets_check", "report", report));
    switch (report->fault) {
    case CLPRIMS_OFFSETS_INTERVAL:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "offsets: stops[i] < starts[i], or counts[i] < 0, at i = %" PRId64,
                        report->index);
    case CLPRIMS_OFFSETS_TOTAL:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "offsets: the total exceeds %" PRId64 " at i = %" PRId64
                        "; before it, it is %" PRId64,
                        INT64_MAX, report->index, report->total);
    case CLPRIMS_OFFSETS_COUNT:
        return clp_fail_count("offsets", "n", report->total);
    default:
        return clp_check_fault("offsets", report->fault);
    }
}

CLP_PLAN_RUN(offsets, kind, offsets_run)
