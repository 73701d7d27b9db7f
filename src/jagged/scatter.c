/* SPDX-License-Identifier: MIT */
/* Scatter: plans, checks, runs. cl/jagged/scatter.cl says how it works. */
#include "cl_sources.h"
#include "core/type.h"
#include "jagged/indexed.h"
#include "plan/operation.h"

#include <clprims/scatter.h>

_Static_assert(sizeof(clprims_scatter_report) == CLP_INDEXED_REPORT_BYTES, "kernels write it");

enum { FIRST, BY_INDEX, BY_PLACE, KERNELS };
enum { LAUNCHES = 2 }; /* where winners are found: FIRST and one of the others; else FIRST */
/* A place takes some bytes in order, an index two accesses at random places. */
enum { PLACES_OF_INDEX = 8 };
enum { EDGES = 2 };

struct clprims_scatter {
    clp_indexed base;
    size_t max_length; /* 0: any */
    clprims_scatter_repeats repeats;
    clp_operation combined; /* of COMBINE */
    bool has_atomic; /* of the device, for that */
    bool has_winners; /* of LAST, but for CPUs: the last element of each index is found first */
    bool packs; /* a winner is its number and its element, in 64 bits */
    bool must_clear; /* a run failed between its launches, so that any run may find its winners */
    cl_kernel kernels[KERNELS];
    cl_mem scratch; /* winners or edges, or NULL */
};

/* ---- Create ---- */

static clprims_status take_operation(clprims_scatter *plan, const clprims_scatter_desc *desc) {
    static const unsigned most = CLPRIMS_XOR;
    const clprims_context *context = plan->base.head.context;
    clp_operation *what = &plan->combined;
    unsigned char start[CLP_LARGEST_VALUE];
    CLP_FAIL_IF((unsigned)desc->op > most || desc->op == CLPRIMS_MUL, CLPRIMS_ERR_ARGUMENT,
                "scatter: op = %d (%s) is none of add, min, max, and, or, xor", (int)desc->op,
                clprims_op_name(desc->op));
    CLP_FAIL_IF(desc->type == CLPRIMS_STRUCT, CLPRIMS_ERR_ARGUMENT,
                "scatter: type = %d (struct) has no operator; repeats = %d combines",
                (int)desc->type, (int)desc->repeats);
    *what = (clp_operation){.type = desc->type, .op = desc->op, .has_input_array = true};
    CLP_TRY(clp_operation_fill(context, "scatter", NULL, what, start));
    CLP_FAIL_IF(clp_operation_rounds(what) && !desc->fast_floats, CLPRIMS_ERR_ARGUMENT,
                "scatter: sums of %s differ from run to run; set fast_floats to allow that",
                clprims_type_name(desc->type));
    if (what->type_bytes < 8 || context->device.has_int64_atomics) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                    "scatter: \"%s\" has no 64-bit atomics to combine %s with",
                    context->device.info.name, clprims_type_name(desc->type));
}

/* Winners are numbered from 1, in 32 bits. */
static clprims_status check_lengths(const clprims_scatter_desc *desc) {
    CLP_FAIL_IF(desc->max_length > SIZE_MAX / 32, CLPRIMS_ERR_TOO_LARGE,
                "scatter: max_length = %zu exceeds %zu", desc->max_length, SIZE_MAX / 32);
    if (desc->repeats != CLPRIMS_SCATTER_LAST) return CLPRIMS_OK;
    CLP_FAIL_IF(desc->max_length == 0, CLPRIMS_ERR_ARGUMENT,
                "scatter: max_length = 0; set the largest length of out, or repeats");
    if (desc->max_n <= UINT32_MAX) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "scatter: max_n = %zu exceeds %zu, the most where the last element wins; "
                    "make several runs",
                    desc->max_n, (size_t)UINT32_MAX);
}

static clprims_status take_desc(clprims_scatter *plan, const clprims_scatter_desc *desc) {
    CLP_FAIL_IF((unsigned)desc->repeats > CLPRIMS_SCATTER_COMBINE, CLPRIMS_ERR_ARGUMENT,
                "scatter: repeats = %d is not a value of clprims_scatter_repeats",
                (int)desc->repeats);
    CLP_FAIL_IF(desc->op != CLPRIMS_ADD && desc->repeats != CLPRIMS_SCATTER_COMBINE,
                CLPRIMS_ERR_ARGUMENT,
                "scatter: op = %d (%s) is never read: repeats = %d combines nothing", (int)desc->op,
                clprims_op_name(desc->op), (int)desc->repeats);
    CLP_TRY(
        clp_indexed_take(&plan->base, desc->type, &desc->custom, desc->index_type, desc->max_n));
    plan->max_length = desc->max_length;
    plan->repeats = desc->repeats;
    if (plan->repeats == CLPRIMS_SCATTER_COMBINE) CLP_TRY(take_operation(plan, desc));
    return check_lengths(desc);
}

/* Whether the device combines an element of its memory with another by one instruction. */
static bool has_atomic(const clprims_scatter *plan) {
    const clprims_context *context = plan->base.head.context;
    const clp_operation *what = &plan->combined;
    const bool adds = what->op == CLPRIMS_ADD, is_wide = what->type_bytes == 8;
    const bool by_red = context->layer == CLPRIMS_LAYER_NVIDIA;
    if (clp_type_is_float(what->type)) {
        return by_red && adds && (!is_wide || context->device.compute_capability >= 60);
    }
    if (!is_wide) return what->type_bytes == 4;
    return by_red || adds || context->device.has_int64_extended_atomics;
}

/* Whether a winner's element is kept with its number. */
static bool can_pack(const clprims_scatter *plan) {
    const clprims_context *context = plan->base.head.context;
    const bool has_max =
        context->layer == CLPRIMS_LAYER_NVIDIA ||
        (context->device.has_int64_atomics && context->device.has_int64_extended_atomics);
    return plan->has_winners && plan->base.type_bytes <= sizeof(cl_uint) && has_max;
}

static clprims_status choose_shape(clprims_scatter *plan, const char *tuning) {
    clp_indexed *base = &plan->base;
    plan->has_atomic = plan->repeats == CLPRIMS_SCATTER_COMBINE && has_atomic(plan);
    /* The elements that a work-item holds shall stay in registers. Loops of compare-exchange take
     * 17 % longer by four than one by one. */
    const bool exchanges = plan->repeats == CLPRIMS_SCATTER_COMBINE && !plan->has_atomic;
    const size_t bytes = base->type_bytes;
    CLP_TRY(clp_indexed_choose(base, tuning, exchanges || bytes > 16 ? 1 : bytes > 8 ? 2 : 4));
    if (plan->repeats != CLPRIMS_SCATTER_LAST) return CLPRIMS_OK;
    plan->has_winners = base->group > 1;
    plan->packs = can_pack(plan);
    const size_t units = base->head.context->device.info.compute_units;
    if (!plan->has_winners && base->most_groups > units) base->most_groups = units;
    return CLPRIMS_OK;
}

/* Names the function that combines words of device memory. */
static void add_atomic(const clprims_scatter *plan, clp_text *prelude) {
    const bool by_red = plan->base.head.context->layer == CLPRIMS_LAYER_NVIDIA;
    const bool is_wide = plan->packs || plan->base.type_bytes == 8;
    clp_text_add(prelude, "#define CLP_ATOMIC %s_%s\n",
                 by_red    ? "clp_red"
                 : is_wide ? "atom"
                           : "atomic",
                 clprims_op_name(plan->packs ? CLPRIMS_MAX : plan->combined.op));
}

static const clp_part serial[] = {CLP_INDEXED_PARTS(&clp_scatter_cl), &clp_indexed_serial_cl,
                                  &clp_indexed_kernel_cl, NULL};
static const clp_part last[] = {CLP_INDEXED_PARTS(&clp_scatter_cl), &clp_scatter_last_cl,
                                &clp_indexed_kernel_cl, NULL};
static const clp_part batches[] = {CLP_INDEXED_PARTS(&clp_scatter_cl), &clp_indexed_batches_cl,
                                   &clp_indexed_kernel_cl, NULL};

static clprims_status build(clprims_scatter *plan) {
    clp_indexed *base = &plan->base;
    const clp_part *parts = base->group > 1                         ? batches
                            : plan->repeats == CLPRIMS_SCATTER_LAST ? last
                                                                    : serial;
    clp_text prelude = {0};
    cl_program program;
    clp_indexed_add_text(base, &prelude);
    clp_text_add(&prelude, "#define CLP_REPEATS %d\n#define CLP_PACKED %d\n", (int)plan->repeats,
                 plan->packs);
    if (plan->packs || plan->has_atomic) add_atomic(plan, &prelude);
    if (plan->repeats == CLPRIMS_SCATTER_COMBINE) {
        clp_text_add_operation(&prelude, base->head.context, &plan->combined);
    } else {
        clp_text_add(&prelude, "#define CLP_E_BYTES %zu\n", base->type_bytes);
    }
    CLP_TRY(clp_plan_build(&base->head, &prelude, parts, 0, &program));
    CLP_TRY(clp_plan_kernel(&base->head, program, "clp_scatter", &plan->kernels[FIRST]));
    if (!plan->has_winners) return CLPRIMS_OK;
    CLP_TRY(clp_plan_kernel(&base->head, program, "clp_scatter", &plan->kernels[BY_INDEX]));
    return clp_plan_kernel(&base->head, program, "clp_scatter_places", &plan->kernels[BY_PLACE]);
}

/* Whether elements are combined by words that hold several, which the buffer may not fill. */
static bool has_edges(const clprims_scatter *plan) {
    return plan->repeats == CLPRIMS_SCATTER_COMBINE && plan->base.type_bytes < sizeof(cl_uint);
}

static clprims_status create_scratch(clprims_scatter *plan) {
    const clp_operation *what = &plan->combined;
    const size_t bytes = plan->base.type_bytes;
    unsigned char identity[sizeof(cl_ulong)], edges[EDGES * sizeof(cl_uint)];
    if (plan->has_winners) {
        const size_t each = plan->packs ? sizeof(cl_ulong) : sizeof(cl_uint);
        CLP_TRY(clp_plan_scratch(&plan->base.head, plan->max_length * each, true, &plan->scratch));
    } else if (has_edges(plan)) {
        clp_op_padding(what->op, what->type, identity);
        for (size_t k = 0; k < sizeof edges; k++) edges[k] = identity[k % bytes];
        CLP_TRY(clp_plan_upload(&plan->base.head, edges, sizeof edges, &plan->scratch));
    }
    return clp_indexed_scratch(&plan->base);
}

/* ---- Launches ---- */

static clprims_status set_step(const clprims_scatter *plan, const clp_indexed_run *run, int which,
                               size_t detail, clp_step *step) {
    const clp_indexed *base = &plan->base;
    const size_t work = which == BY_PLACE ? run->buffers.sizes.length : run->n;
    *step = (clp_step){plan->kernels[which], clp_indexed_groups(base, work), base->group};
    return clp_indexed_set_arguments(base, run, plan->scratch, detail, plan->kernels[which]);
}

/* Lists the launches of a run. detail: of COMBINE, the bytes of the buffer of `out`. */
static clprims_status list_steps(const clprims_scatter *plan, const clp_indexed_run *run,
                                 size_t detail, clp_step steps[LAUNCHES], size_t *count) {
    const bool by_place = run->buffers.sizes.length / PLACES_OF_INDEX <= run->n;
    *count = plan->has_winners ? LAUNCHES : 1;
    CLP_TRY(set_step(plan, run, FIRST, detail, &steps[0]));
    return *count == 1 ? CLPRIMS_OK
                       : set_step(plan, run, by_place ? BY_PLACE : BY_INDEX, 1, &steps[1]);
}

/* The bytes of the buffer of `out`; 0 where it has no edges. */
static clprims_status find_bytes(const clprims_scatter *plan, const clp_indexed_run *run,
                                 size_t *bytes) {
    const bool is_empty = run->n == 0 || run->buffers.sizes.length == 0;
    *bytes = 0;
    if (is_empty || !has_edges(plan)) return CLPRIMS_OK;
    const cl_int code =
        clGetMemObjectInfo(run->buffers.out.mem, CL_MEM_SIZE, sizeof *bytes, bytes, NULL);
    if (code == CL_SUCCESS) return CLPRIMS_OK;
    return clp_fail_cl(code, "scatter: asking for the size of out.mem failed");
}

static clprims_status submit(clp_plan *head, clp_call *call) {
    clprims_scatter *plan = (clprims_scatter *)head;
    const clp_indexed_run *run = (const clp_indexed_run *)call;
    clp_step steps[LAUNCHES];
    size_t count = 0, bytes = 0;
    CLP_TRY(find_bytes(plan, run, &bytes));
    CLP_TRY(list_steps(plan, run, bytes, steps, &count));
    const clprims_status status = clp_plan_clear_and_enqueue(
        head, call, plan->must_clear ? plan->scratch : NULL, steps, count);
    if (status != CLPRIMS_OK) plan->must_clear = count > 1;
    return status;
}

static clprims_status warm_up(const clprims_scatter *plan) {
    const clp_indexed_run run = {.n = 0};
    clp_step steps[KERNELS];
    size_t count = 0;
    while (count < KERNELS && plan->kernels[count] != NULL) {
        CLP_TRY(set_step(plan, &run, (int)count, 0, &steps[count]));
        count++;
    }
    return clp_plan_warm_up(&plan->base.head, steps, count);
}

/* ---- The plan ---- */

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    clp_indexed_run *run = (clp_indexed_run *)call;
    const size_t count =
        clp_indexed_list((const clp_indexed *)head, run, run->n, run->buffers.sizes.length, rows);
    rows[CLP_INDEXED_OUT].roles |= CLP_READ;
    return count;
}

static clprims_status check_numbers(const char *who, const clprims_scatter *plan, size_t n,
                                    size_t length) {
    CLP_TRY(clp_check_n(who, n, plan->base.max_n));
    if (plan->max_length == 0) return CLPRIMS_OK;
    return clp_check_within(who, "length", length, "max_length", plan->max_length);
}

static clprims_status check_sizes(const clp_plan *head, const clp_call *call) {
    const clp_indexed_run *run = (const clp_indexed_run *)call;
    return check_numbers("scatter", (const clprims_scatter *)head, run->n,
                         run->buffers.sizes.length);
}

CLP_PLAN_FINISH(scatter)

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_scatter *plan = (clprims_scatter *)head;
    const clprims_scatter_desc *desc = description;
    CLP_TRY(take_desc(plan, desc));
    CLP_TRY(choose_shape(plan, desc->tuning));
    CLP_TRY(build(plan));
    CLP_TRY(create_scratch(plan));
    return warm_up(plan);
}

static const clp_plan_kind kind = {CLP_PLAN_KIND_REPORTING(scatter),
                                   CLP_PLAN_HOOKS(fill, check_sizes, list_arrays, submit),
                                   .finish = scatter_finish};

/* ---- The interface ---- */

CLP_PLAN_CREATE(scatter, kind)

static const char *variant_of(const clprims_scatter *plan) {
    if (plan->repeats == CLPRIMS_SCATTER_LAST) return "last";
    if (plan->repeats == CLPRIMS_SCATTER_DISTINCT) return "distinct";
    return plan->has_atomic ? "atomic" : "exchange";
}

static clprims_status describe(const clprims_scatter *plan, const char *who, size_t n,
                               clprims_scatter_sizes sizes, clprims_scatter_info *info) {
    info->group = plan->base.group;
    info->groups = clp_indexed_groups(&plan->base, n);
    info->tile = plan->base.tile;
    info->variant = variant_of(plan);
    return check_numbers(who, plan, n, sizes.length);
}

CLP_PLAN_DESCRIBE_SIZED(scatter, describe)

static clp_indexed_run run_of(const clprims_scatter *plan, const clprims_scatter_buffers *at,
                              size_t n) {
    (void)plan;
    return (clp_indexed_run){
        .buffers = {at->index, at->in, at->out, at->n, at->length, at->report, {at->sizes.length}},
        .n = n};
}

CLP_PLAN_ENQUEUE_AS(scatter, kind, clp_indexed_run, run_of)

clprims_status clprims_scatter_check(const clprims_scatter_report *report) {
    CLP_TRY(clp_begin("scatter_check", "report", report));
    const clprims_gather_report same = {report->fault, report->position, report->index,
                                        report->count};
    return clp_indexed_check("scatter", &same);
}

static clp_indexed_run plain_run_of(const clprims_scatter *plan,
                                    const clprims_scatter_arrays *arrays, size_t n) {
    (void)plan;
    return (clp_indexed_run){
        .buffers.sizes = {arrays->sizes.length},
        .n = n,
        .arrays = {.index = arrays->index, .in = arrays->in, .out = arrays->out}};
}

CLP_PLAN_RUN_AS(scatter, kind, clp_indexed_run, plain_run_of)
