/* SPDX-License-Identifier: MIT */
/* Offsets: plans, checks, runs. cl/offsets/offsets.cl says how faults are found. */
#include "core/check.h"
#include "core/type.h"
#include "engine/single_pass.h"

#include <clprims/offsets.h>
#include <inttypes.h>
#include <stdlib.h>

/* Of clp_report in cl/offsets/offsets.cl. */
enum { REPORT_BYTES = 24 };
_Static_assert(sizeof(clprims_offsets_report) == REPORT_BYTES, "kernels write it");

struct clprims_offsets {
    clprims_context *context;
    clprims_type type;
    bool counts;
    size_t max_n;
    clprims_algorithm algorithm;
    clp_pass pass;
    cl_mem report; /* for runs without one */
};

/* ---- Create ---- */

static clprims_status check_desc(const clprims_offsets_desc *desc) {
    if (clprims_type_bytes(desc->type) == 0 || clp_type_is_float(desc->type)) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "offsets: type = %d (%s) is no integer type",
                        (int)desc->type, clprims_type_name(desc->type));
    }
    return clp_check_max_n("offsets", desc->max_n, SIZE_MAX / 16);
}

/* For vectors of so many lanes. */
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
    clp_text_add(text, "#define CLP_STORED(value) (long)(value)\n#define CLP_GUARD 0\n");
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
    "offsets/offsets.cl", "engine/count.cl", "tile/types.cl", "tile/parameters.cl", "tile/io.cl",  \
        "tile/items.cl", "tile/unaligned.cl", "offsets/offsets_report.cl"

static const char *const serial[] = {
    TILE_PARTS,           "offsets/offsets_serial.cl", "tile/tile_serial.cl",
    "engine/lookback.cl", "engine/lookback_serial.cl", NULL};
static const char *const lookback[] = {TILE_PARTS,
                                       "tile/tile.cl",
                                       "engine/group_scan.cl",
                                       "engine/lookback.cl",
                                       "engine/lookback_kernel.cl",
                                       NULL};
static const char *const levels[] = {TILE_PARTS,
                                     "tile/tile.cl",
                                     "engine/group_scan.cl",
                                     "engine/levels.cl",
                                     "engine/lookback_kernel.cl",
                                     "engine/level_sums.cl",
                                     NULL};
static const char *const levels_serial[] = {TILE_PARTS,
                                            "offsets/offsets_serial.cl",
                                            "tile/tile_serial.cl",
                                            "engine/levels.cl",
                                            "engine/lookback_serial.cl",
                                            "engine/level_sums.cl",
                                            NULL};
static const char *const wave[] = {
    TILE_PARTS,           "tile/tile.cl",          "engine/group_scan.cl",
    "engine/lookback.cl", "engine/single_wave.cl", NULL};
static const char *const lookahead[] = {TILE_PARTS,
                                        "tile/tile.cl",
                                        "engine/lookback.cl",
                                        "engine/lookahead.cl",
                                        "engine/lookahead_sums.cl",
                                        "engine/lookahead_kernel.cl",
                                        NULL};

static const clp_variant_program programs[CLP_VARIANTS] = {
    [CLP_SERIAL_TILE] = {"clp_scan_serial", serial},
    [CLP_SERIAL_TILE_FALLBACK] = {"clp_scan_serial", serial},
    [CLP_LOOKBACK] = {"clp_scan_lookback", lookback},
    [CLP_LOOKBACK_FALLBACK] = {"clp_scan_lookback", lookback},
    [CLP_SINGLE_WAVE] = {"clp_scan_single_wave", wave},
    [CLP_LOOKAHEAD] = {"clp_scan_lookahead", lookahead},
    [CLP_LOOKAHEAD_UNALIGNED] = {"clp_scan_lookahead", lookahead},
    [CLP_LEVELS] = {"clp_scan_lookback", levels},
    [CLP_LEVELS_SERIAL] = {"clp_scan_serial", levels_serial},
};

static clprims_status fill_plan(clprims_offsets *plan, const clprims_offsets_desc *desc) {
    enum { STAGE_BYTES = 32 << 10, SCANNERS = 8 };
    const size_t bytes = clprims_type_bytes(desc->type), inputs = plan->counts ? 1 : 2;
    const size_t vec = clp_shape_vec(bytes, sizeof(cl_long));
    const size_t ring_vec = 16 / sizeof(cl_long);
    const size_t rows = STAGE_BYTES / (SCANNERS * 32 * ring_vec * bytes * inputs);
    CLP_TRY(clp_pass_choose(plan->context, "offsets", desc->algorithm, &plan->algorithm));
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
    CLP_TRY(clp_pass_prepare(&plan->pass, plan->context, &need));
    return clp_scratch_create(plan->context, "offsets", sizeof(clprims_offsets_report), false,
                              &plan->report);
}

static clprims_status submit(clprims_offsets *plan, clprims_buffer starts, clprims_buffer stops,
                             clprims_buffer offsets, clprims_buffer report,
                             const clp_pass_run *run) {
    const clprims_buffer own = {plan->report, 0};
    if (report.mem == NULL) report = own;
    const cl_ulong starts_first = starts.first, stops_first = stops.first,
                   offsets_first = offsets.first, report_first = report.first, outputs = run->n;
    const cl_ulong zero = 0;
    clp_argument arguments[10];
    size_t count = 0;
    if (!plan->counts) {
        arguments[count++] = (clp_argument)CLP_ARGUMENT(starts.mem);
        arguments[count++] = (clp_argument)CLP_ARGUMENT(starts_first);
    }
    const clp_argument rest[] = {CLP_ARGUMENT(stops.mem),   CLP_ARGUMENT(stops_first),
                                 CLP_ARGUMENT(offsets.mem), CLP_ARGUMENT(offsets_first),
                                 CLP_ARGUMENT(report.mem),  CLP_ARGUMENT(report_first),
                                 CLP_ARGUMENT(outputs),     CLP_ARGUMENT(zero)};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) arguments[count++] = rest[i];
    const size_t bytes = clprims_type_bytes(plan->type);
    const bool unaligned = clp_is_unaligned(starts, bytes) || clp_is_unaligned(stops, bytes) ||
                           clp_is_unaligned(offsets, sizeof(cl_long));
    return clp_pass_enqueue_placed(&plan->pass, arguments, count, run, unaligned);
}

/* Launches the plan's kernels once: without intervals there is one output. */
static clprims_status warm_up(clprims_offsets *plan) {
    const clprims_buffer blank = {plan->context->blank, 0}, own = {NULL, 0};
    const clp_pass_run run = {.n = 1, .warms_up = true};
    return submit(plan, blank, blank, blank, own, &run);
}

static const clp_layout desc_layout =
    CLP_LAYOUT(clprims_offsets_desc, max_n, "CLPRIMS_OFFSETS_DESC_INIT");

clprims_status clprims_offsets_create(clprims_offsets **out, clprims_context *context,
                                      const clprims_offsets_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "offsets: out is NULL");
    *out = NULL;
    clprims_offsets_desc full = CLPRIMS_OFFSETS_DESC_INIT;
    CLP_TRY(clp_take_desc("offsets", context, &desc_layout, desc, &full));
    CLP_TRY(check_desc(&full));
    clprims_offsets *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "offsets: no host memory for a plan");
    }
    plan->context = context;
    plan->type = full.type;
    plan->counts = full.counts != 0;
    plan->max_n = full.max_n;
    clprims_status status = fill_plan(plan, &full);
    if (status == CLPRIMS_OK) status = warm_up(plan);
    if (status == CLPRIMS_OK) {
        *out = plan;
    } else {
        clprims_offsets_destroy(plan);
    }
    return status;
}

void clprims_offsets_destroy(clprims_offsets *plan) {
    if (plan == NULL) return;
    clp_pass_release(&plan->pass);
    if (plan->report != NULL) clReleaseMemObject(plan->report);
    free(plan);
}

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_offsets_info, algorithm, "CLPRIMS_OFFSETS_INFO_INIT");

clprims_status clprims_offsets_describe(const clprims_offsets *plan, size_t n,
                                        clprims_offsets_info *info) {
    clp_clear_error();
    if (plan == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "offsets_describe: %s is NULL",
                        plan == NULL ? "plan" : "info");
    }
    CLP_TRY(clp_check_n("offsets_describe", n, plan->max_n));
    const clp_shape *shape = &clp_pass_choose_kernel(&plan->pass, n + 1, false)->shape;
    const clp_shape *unaligned = &clp_pass_choose_kernel(&plan->pass, n + 1, true)->shape;
    const clprims_offsets_info full = {.algorithm = plan->algorithm,
                                       .group = shape->group,
                                       .tile = shape->tile,
                                       .scratch_bytes = plan->pass.scratch_bytes +
                                                        sizeof(clprims_offsets_report),
                                       .variant = clp_variants[shape->variant].name,
                                       .unaligned_variant = clp_variants[unaligned->variant].name};
    return clp_struct_give("offsets_describe", "info", &info_layout, &full, info);
}

/* ---- Enqueue ---- */

static clprims_status check_buffers(const clprims_offsets *plan, clprims_buffer starts,
                                    clprims_buffer stops, clprims_buffer offsets, size_t n,
                                    clprims_buffer counted, clprims_buffer report) {
    const size_t bytes = clprims_type_bytes(plan->type);
    const clp_array arrays[] = {{"offsets", offsets, n + 1, sizeof(cl_long)},
                                {plan->counts ? "counts" : "stops", stops, n, bytes},
                                {"starts", starts, n, bytes}};
    const clp_array own = {"n", counted, 1, sizeof(cl_ulong)};
    if (plan->counts && starts.mem != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "offsets: starts.mem is not NULL, but the plan takes counts");
    }
    const size_t count = n == 0 ? 1 : plan->counts ? 2 : 3;
    for (size_t i = 0; i < count; i++)
        CLP_TRY(clp_array_check(plan->context, "offsets", &arrays[i]));
    for (size_t i = 1; i < count; i++) {
        CLP_TRY(clp_arrays_apart("offsets", &arrays[i], &arrays[0]));
    }
    CLP_TRY(clp_count_check(plan->context, "offsets", counted, arrays, 1));
    CLP_TRY(clp_report_check(plan->context, "offsets", report, sizeof(clprims_offsets_report), &own,
                             1));
    return clp_report_check(plan->context, "offsets", report, sizeof(clprims_offsets_report),
                            arrays, count);
}

clprims_status clprims_offsets_enqueue(clprims_offsets *plan, cl_command_queue queue,
                                       clprims_buffer starts, clprims_buffer stops,
                                       clprims_buffer offsets, size_t n, clprims_buffer report,
                                       cl_uint num_wait, const cl_event *wait, cl_event *event) {
    clp_clear_error();
    if (plan == NULL || queue == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "offsets: %s is NULL",
                        plan == NULL ? "plan" : "queue");
    }
    CLP_TRY(clp_check_n("offsets", n, plan->max_n));
    CLP_TRY(clp_check_submission(plan->context, "offsets", queue, num_wait, wait));
    CLP_TRY(check_buffers(plan, starts, stops, offsets, n, (clprims_buffer){NULL, 0}, report));
    if (n == 0) starts = stops = (clprims_buffer){NULL, 0};
    const clp_pass_run run = {
        .queue = queue, .n = n + 1, .num_wait = num_wait, .wait = wait, .event = event};
    return submit(plan, starts, stops, offsets, report, &run);
}

clprims_status clprims_offsets_enqueue_counted(clprims_offsets *plan, cl_command_queue queue,
                                               clprims_buffer starts, clprims_buffer stops,
                                               clprims_buffer offsets, clprims_buffer n,
                                               clprims_buffer report, cl_uint num_wait,
                                               const cl_event *wait, cl_event *event) {
    clp_clear_error();
    if (plan == NULL || queue == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "offsets: %s is NULL",
                        plan == NULL ? "plan" : "queue");
    }
    CLP_TRY(clp_check_counted("offsets", "n", n));
    CLP_TRY(clp_check_submission(plan->context, "offsets", queue, num_wait, wait));
    CLP_TRY(check_buffers(plan, starts, stops, offsets, plan->max_n, n, report));
    const clp_pass_run run = {.queue = queue,
                              .n = plan->max_n + 1,
                              .counted = n,
                              .num_wait = num_wait,
                              .wait = wait,
                              .event = event};
    return submit(plan, starts, stops, offsets, report, &run);
}

/* ---- Plain arrays ---- */

clprims_status clprims_offsets_check(const clprims_offsets_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "offsets_check: report is NULL");
    switch (report->fault) {
    case CLPRIMS_OFFSETS_VALID:
        return CLPRIMS_OK;
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
        return clp_fail_count("offsets", report->total);
    default:
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "offsets_check: report.fault = %" PRId64
                        " is none of clprims_offsets_fault; was the report read after its event?",
                        report->fault);
    }
}

/* As clprims_offsets_check, with the values of the arrays in the message. */
static clprims_status check_report(const clprims_offsets *plan,
                                   const clprims_offsets_report *report, const void *starts,
                                   const void *stops) {
    const int64_t i = report->index;
    char start[CLP_INTEGER_CHARS], stop[CLP_INTEGER_CHARS];
    if (report->fault != CLPRIMS_OFFSETS_INTERVAL) return clprims_offsets_check(report);
    clp_print_integer(plan->type, stops, i, stop);
    if (plan->counts) {
        return clp_fail(CLPRIMS_ERR_DATA, "offsets: counts[%" PRId64 "] = %s is negative", i, stop);
    }
    clp_print_integer(plan->type, starts, i, start);
    return clp_fail(CLPRIMS_ERR_DATA,
                    "offsets: stops[%" PRId64 "] = %s is less than starts[%" PRId64 "] = %s", i,
                    stop, i, start);
}

static clprims_status run_on(clprims_offsets *plan, const void *starts, const void *stops,
                             int64_t *offsets, size_t n, cl_mem mem[3]) {
    const clprims_context *context = plan->context;
    const size_t bytes = n * clprims_type_bytes(plan->type);
    clprims_offsets_report report;
    if (starts != NULL && n > 0) CLP_TRY(clp_upload(context, "offsets", starts, bytes, &mem[0]));
    if (n > 0) CLP_TRY(clp_upload(context, "offsets", stops, bytes, &mem[1]));
    CLP_TRY(clp_upload(context, "offsets", NULL, (n + 1) * sizeof *offsets, &mem[2]));
    const clprims_buffer in = {mem[0], 0}, with = {mem[1], 0}, out = {mem[2], 0}, own = {NULL, 0};
    const clp_pass_run run = {.queue = context->queue, .n = n + 1};
    CLP_TRY(submit(plan, in, with, out, own, &run));
    CLP_TRY(clp_download(context, "offsets", plan->report, &report, sizeof report));
    CLP_TRY(check_report(plan, &report, starts, stops));
    return clp_download(context, "offsets", mem[2], offsets, (n + 1) * sizeof *offsets);
}

clprims_status clprims_offsets_run(clprims_offsets *plan, const void *starts, const void *stops,
                                   int64_t *offsets, size_t n) {
    cl_mem mem[3] = {NULL, NULL, NULL};
    clp_clear_error();
    if (plan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "offsets: plan is NULL");
    CLP_TRY(clp_check_n("offsets", n, plan->max_n));
    const bool lacks_starts = !plan->counts && starts == NULL && n > 0;
    if (offsets == NULL || lacks_starts || (stops == NULL && n > 0)) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "offsets: %s is NULL, with n = %zu",
                        offsets == NULL ? "offsets"
                        : lacks_starts  ? "starts"
                                        : "stops",
                        n);
    }
    if (plan->counts && starts != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "offsets: starts is not NULL, but the plan takes counts");
    }
    const clprims_status status = run_on(plan, starts, stops, offsets, n, mem);
    clp_release_buffers(mem, 3);
    return status;
}
