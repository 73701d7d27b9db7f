/* SPDX-License-Identifier: MIT */
/* All-pairs shortest paths: plans, checks, plain arrays. */
#include "minplus/minplus_paths.h"
#include "cl_sources.h"
#include "core/type.h"

enum {
    /* Bytes of a row of a block: serial panels are kept in the cache of a CPU, others in registers.
     */
    SERIAL_BLOCK_BYTES = 256,
    BLOCK_BYTES = 256,
    OUTER_BLOCK_BYTES = 2048,
    MOST = INT32_MAX,
    GROUP_OF_MANY = 256,
    LANES_ACROSS = 32,
    RELAX_LOCAL_BYTES = 38 * 1024, /* of cl/minplus/minplus_relax.cl, at most */
    /* Of structures in cl/minplus/minplus_paths.cl. */
    REPORT_BYTES = 24,
    BEYOND_BYTES = 16
};

_Static_assert(sizeof(clprims_paths_report) == REPORT_BYTES,
               "as clp_report in cl/minplus/minplus_paths.cl");

/* ---- Create ---- */

static bool is_limited(const clprims_paths *paths) {
    return !clp_type_is_float(paths->spec.type);
}

static void add_limits(clp_text *prelude, const clprims_paths *paths) {
    const clp_minplus_limits *limits = &paths->limits;
    clp_text_add(prelude, "#define CLP_LIMITED %d\n", is_limited(paths));
    if (!is_limited(paths)) return;
    clp_text_add(prelude,
                 "#define CLP_LEAST ((CLP_T)(%lldL))\n#define CLP_MOST ((CLP_T)(%lldL))\n"
                 "#define CLP_GIVEN_NO_EDGE ((CLP_T)(%lldL))\n",
                 (long long)limits->least, (long long)limits->most, (long long)limits->no_edge);
}

bool clp_paths_transposes(const clprims_paths *paths) {
    return paths->group > 1 && !paths->updates_panels && paths->max_n > paths->outer;
}

static clprims_status create_kernels(clprims_paths *paths, cl_program program) {
    const struct {
        const char *name;
        cl_kernel *kernel;
        bool wanted;
    } all[] = {{"clp_paths_start", &paths->kernels.start, true},
               {"clp_paths_gather", &paths->kernels.gather, paths->updates_panels},
               {"clp_paths_step", &paths->kernels.step, paths->updates_panels},
               {"clp_paths_copy", &paths->kernels.copy, !paths->updates_panels},
               {"clp_paths_panel", &paths->kernels.panel, !paths->updates_panels},
               {"clp_paths_relax", &paths->kernels.relax, paths->relaxes},
               {"clp_paths_transpose", &paths->kernels.transpose, clp_paths_transposes(paths)},
               {"clp_paths_finish", &paths->kernels.finish, is_limited(paths)},
               {"clp_paths_write_report", &paths->kernels.write_report, true}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!all[i].wanted) continue;
        CLP_TRY(clp_plan_kernel(&paths->head, program, all[i].name, all[i].kernel));
    }
    return CLPRIMS_OK;
}

static clprims_status build(clprims_paths *paths) {
    static const clp_part serial[] = {&clp_minplus_values_cl, &clp_minplus_paths_cl,
                                      &clp_minplus_panel_serial_cl, NULL};
    const clp_part panels[] = {&clp_minplus_values_cl,
                               &clp_minplus_paths_cl,
                               &clp_minplus_pivot_cl,
                               &clp_minplus_panel_cl,
                               &clp_minplus_transpose_cl,
                               paths->relaxes ? &clp_minplus_relax_cl : NULL,
                               NULL};
    static const clp_part steps[] = {&clp_minplus_values_cl, &clp_minplus_paths_cl,
                                     &clp_minplus_pivot_cl, &clp_minplus_step_cl, NULL};
    const clp_part *parts = paths->group == 1 ? serial : paths->updates_panels ? steps : panels;
    const clp_minplus_shape shape = {.group = paths->group, .lanes = 1};
    clp_text prelude = {0};
    clp_minplus_add_values(&prelude, paths->head.context, &paths->spec, &shape);
    clp_text_add(&prelude, "#define CLP_BLOCK %zu\n#define CLP_PREDECESSORS %d\n", paths->block,
                 paths->spec.argmin);
    add_limits(&prelude, paths);
    clp_text_add(&prelude, "#define CLP_REPORT_BYTES %d\n#define CLP_BEYOND_BYTES %d\n",
                 REPORT_BYTES, BEYOND_BYTES);
    clp_text_add(&prelude, "#define CLP_STEP_PLACE_BYTES %zu\n#define CLP_RELAX_BYTES %zu\n",
                 sizeof(clp_step_place), sizeof(clp_relax_operands));
    clp_text_add(&prelude, "#define CLP_T2 %s2\n", clp_type_text(paths->spec.type));
    clp_text_add(&prelude, "#define CLP_BARRIERS_IN_LOOPS %d\n",
                 paths->choice.tiles[0].shape.barriers);
    cl_program program;
    CLP_TRY(clp_plan_build(&paths->head, &prelude, parts, 0, &program));
    return create_kernels(paths, program);
}

static clprims_status allocate(clprims_paths *paths) {
    clp_plan *head = &paths->head;
    const size_t block = paths->block, all = (paths->max_n + block - 1) / block * block;
    const size_t wide = all < paths->outer ? all : paths->outer;
    const size_t element = clprims_type_bytes(paths->spec.type);
    CLP_TRY(clp_plan_scratch(head, all * wide * element, false, &paths->columns));
    const size_t across = paths->updates_panels ? wide : paths->relaxes ? block : 0;
    for (size_t i = 0; i < 2 && across > 0; i++) {
        CLP_TRY(clp_plan_scratch(head, wide * across * element, false, &paths->turns[i]));
    }
    if (clp_paths_transposes(paths)) {
        CLP_TRY(clp_plan_scratch(head, paths->outer * paths->max_n * element, false,
                                 &paths->transposed));
    }
    if (paths->updates_panels && paths->max_n > wide) {
        CLP_TRY(clp_plan_scratch(head, wide * paths->max_n * element, false, &paths->rows));
    }
    /* A warm-up uses it as the lengths of a block. */
    CLP_TRY(clp_plan_scratch(head, block * block * element, paths->updates_panels, &paths->pivot));
    CLP_TRY(clp_plan_scratch(head, sizeof(cl_uint), false, &paths->outside));
    if (is_limited(paths)) {
        CLP_TRY(clp_plan_scratch(head, paths->max_n * BEYOND_BYTES, false, &paths->beyond));
    }
    return CLPRIMS_OK;
}

/* Kernels use their own "no edge", so that the caller may use any value above 0. */
static clprims_status take_type(clprims_paths *paths, const void *no_edge) {
    const clprims_type type = paths->spec.type;
    const bool limited = is_limited(paths);
    CLP_TRY(clp_minplus_take_type(paths->head.context, limited ? NULL : no_edge, &paths->spec));
    if (!limited) return CLPRIMS_OK;
    const int64_t own = (int64_t)paths->spec.no_edge;
    const int64_t given = clp_minplus_no_edge(type, CLPRIMS_MIN_PLUS, no_edge);
    clp_minplus_limits limits = clp_minplus_limits_of(type, CLPRIMS_MIN_PLUS, own);
    CLP_FAIL_IF(given <= 0, CLPRIMS_ERR_ARGUMENT, "paths: no_edge = %lld; it must be above 0",
                (long long)given);
    if (limits.most >= given) limits.most = given - 1;
    limits.no_edge = given;
    paths->limits = limits;
    return CLPRIMS_OK;
}

/* Chooses the sizes of blocks and the largest products, so that no unused program is compiled. */
static clprims_status choose_blocks(clprims_paths *paths, const char *tuning) {
    const size_t bytes = clprims_type_bytes(paths->spec.type), n = paths->max_n;
    clp_minplus_shape shape;
    paths->spec.updates_panels = !paths->spec.argmin;
    CLP_TRY(clp_minplus_shape_choose(paths->head.context, &paths->spec, CLP_MINPLUS_WIDE, tuning,
                                     &shape));
    paths->group = shape.group == 1 ? 1 : GROUP_OF_MANY;
    paths->updates_panels = paths->spec.updates_panels && paths->group > 1;
    paths->group = clp_halved(paths->group, paths->head.context->device.max_group);
    paths->block = (paths->group == 1 ? SERIAL_BLOCK_BYTES : BLOCK_BYTES) / bytes;
    paths->outer = OUTER_BLOCK_BYTES / bytes;
    paths->panel_columns = paths->group == 1 ? paths->block : LANES_ACROSS;
    paths->relaxes = paths->group == GROUP_OF_MANY && !paths->updates_panels &&
                     paths->head.context->device.local_bytes >= RELAX_LOCAL_BYTES;
    if (paths->updates_panels) {
        const size_t across = n > 2 * paths->outer ? n : 2 * paths->outer;
        paths->spec.idle = n <= paths->outer;
        /* At least as many tiles as clp_paths_submit_updates counts. */
        paths->spec.most = (clp_minplus_size){n + n / 4 + 1, across, paths->outer, 1};
    } else {
        paths->spec.idle = n <= (paths->relaxes ? paths->outer : paths->block);
        paths->spec.most =
            (clp_minplus_size){n, n, n > paths->outer ? paths->outer : paths->block, 1};
    }
    return CLPRIMS_OK;
}

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_paths *paths = (clprims_paths *)head;
    const clprims_paths_desc *desc = description;
    CLP_TRY(clp_check_max_n("paths", desc->max_n, MOST));
    paths->spec = (clp_minplus_spec){.who = "paths",
                                     .type = clp_type_or(desc->type, CLPRIMS_F32),
                                     .semiring = CLPRIMS_MIN_PLUS,
                                     .accumulate = true,
                                     .argmin = desc->predecessors != 0,
                                     .follows = desc->predecessors != 0,
                                     .keeps = true};
    paths->max_n = desc->max_n;
    CLP_TRY(take_type(paths, desc->no_edge));
    CLP_TRY(choose_blocks(paths, desc->tuning));
    CLP_TRY(
        clp_minplus_choice_build(paths->head.context, &paths->spec, desc->tuning, &paths->choice));
    CLP_TRY(build(paths));
    CLP_TRY(allocate(paths));
    return clp_paths_warm_up(paths);
}

static void release(clp_plan *head) {
    clp_minplus_choice_free(&((clprims_paths *)head)->choice);
}

/* ---- A run ---- */

enum { D, VIA, REPORT, ARRAYS };

static void list_operands(const clp_paths_run *r, clp_minplus_operand *all) {
    const size_t n = r->n;
    all[D] = (clp_minplus_operand){"d", r->d, n, n, clprims_type_bytes(r->paths->spec.type)};
    all[VIA] = (clp_minplus_operand){"via", r->via, n, n, sizeof(cl_int)};
}

static clprims_status check_sizes(const clp_plan *head, const clp_call *call) {
    const clprims_paths *paths = (const clprims_paths *)head;
    const clp_paths_run *r = (const clp_paths_run *)call;
    clp_minplus_operand all[ARRAYS];
    CLP_TRY(clp_check_n("paths", r->n, paths->max_n));
    list_operands(r, all);
    CLP_TRY(clp_minplus_check_place("paths", &all[D], 1));
    return paths->spec.argmin ? clp_minplus_check_place("paths", &all[VIA], 1) : CLPRIMS_OK;
}

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    clp_paths_run *r = (clp_paths_run *)call;
    clp_minplus_operand all[ARRAYS];
    list_operands(r, all);
    rows[D] = clp_minplus_row(&all[D], 1, CLP_READ | CLP_WRITTEN, &r->at[D]);
    rows[VIA] = clp_minplus_row(&all[VIA], 1, CLP_WRITTEN, &r->at[VIA]);
    rows[D].to = r->arrays.d;
    rows[VIA].to = r->arrays.via;
    rows[REPORT] = clp_report_row(&r->report, sizeof(clprims_paths_report));
    if (!((const clprims_paths *)head)->spec.argmin) {
        rows[VIA].lacks = "was made without predecessors";
    }
    return ARRAYS;
}

static clprims_status submit(clp_plan *head, clp_call *call) {
    clp_paths_run *r = (clp_paths_run *)call;
    r->d.mem = call->rows[D].buffer->mem;
    r->via.mem = call->rows[VIA].buffer->mem;
    if (r->report.mem == NULL) r->report = (clprims_buffer){head->report, 0};
    return clp_paths_submit(r);
}

static clprims_status report_status(const clprims_paths_report *report) {
    CLP_FAIL_IF(report->from >= 0 && report->given, CLPRIMS_ERR_DATA,
                "paths: the edge from vertex %d to vertex %d has length %lld, which is "
                "beyond the limits of lengths or beyond no_edge",
                (int)report->from, (int)report->to, (long long)report->length);
    CLP_FAIL_IF(report->vertex >= 0, CLPRIMS_ERR_DATA,
                "paths: vertex %d is on a cycle of negative length, so there are no "
                "shortest paths",
                (int)report->vertex);
    if (report->from < 0) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_DATA,
                    "paths: the shortest path from vertex %d to vertex %d has length %lld or "
                    "beyond, out of the range of lengths; a wider type has more room",
                    (int)report->from, (int)report->to, (long long)report->length);
}

CLP_PLAN_FINISH(paths)

static const clp_plan_kind kind = {CLP_PLAN_KIND_REPORTING(paths),
                                   CLP_PLAN_HOOKS(fill, check_sizes, list_arrays, submit),
                                   .finish = paths_finish, .release = release};

/* ---- The interface ---- */

CLP_PLAN_CREATE(paths, kind)

static clprims_status describe(const clprims_paths *paths, const char *who, size_t n,
                               clprims_paths_info *info) {
    info->group = paths->group;
    info->tile = paths->block;
    return clp_check_n(who, n, paths->max_n);
}

CLP_PLAN_DESCRIBE(paths, describe)

static clp_paths_run run_of(clprims_paths *plan, const clprims_paths_buffers *at, size_t n) {
    return (clp_paths_run){.paths = plan, .d = at->d, .via = at->via, .report = at->report, .n = n};
}

CLP_PLAN_ENQUEUE_AS(paths, kind, clp_paths_run, run_of)

/* Returns whether no run writes a report. */
static bool is_unread(const clprims_paths_report *report) {
    return report->vertex < -1 || report->from < -1 || report->to < -1 ||
           (report->from < 0) != (report->to < 0) || (report->given != 0 && report->given != 1);
}

clprims_status clprims_paths_check(const clprims_paths_report *report) {
    CLP_TRY(clp_begin("paths_check", "report", report));
    CLP_FAIL_IF(is_unread(report), CLPRIMS_ERR_ARGUMENT,
                "paths_check: report.vertex = %d, from = %d, to = %d, given = %d is no "
                "report; was it read after its event?",
                (int)report->vertex, (int)report->from, (int)report->to, (int)report->given);
    return report_status(report);
}

static clp_paths_run plain_run_of(clprims_paths *plan, const clprims_paths_arrays *arrays,
                                  size_t n) {
    return (clp_paths_run){.paths = plan, .d.ld = n, .via.ld = n, .n = n, .arrays = *arrays};
}

CLP_PLAN_RUN_AS(paths, kind, clp_paths_run, plain_run_of)
