/* SPDX-License-Identifier: MIT */
/* Builds a plan of list scan: knobs, sizes, program, kernels, scratch. */
#include "core/context.h"
#include "core/program.h"
#include "core/tuning.h"
#include "core/type.h"
#include "list/list_report.h"
#include "list/listscan_engine.h"

#include <assert.h>
#include <string.h>

/* ---- Knobs ---- */

/* A CPU hides memory latency by interleaving several walks in each of its few threads. It scans a
 * few thousand splitters serially in the time that distributing them would take. Up to some ten
 * thousand elements per thread, a single work-item is fastest. */
static void suit_cpu(clp_knob *knobs, size_t units) {
    knobs[CLP_LISTSCAN_SPLITTERS].value = units * 256 < 4096 ? 4096 : units * 256;
    knobs[CLP_LISTSCAN_LEAST].value = knobs[CLP_LISTSCAN_LAST].value = 4096;
    knobs[CLP_LISTSCAN_UPPER].value = 16;
    knobs[CLP_LISTSCAN_GROUP].value = 1;
    knobs[CLP_LISTSCAN_LANES].value = units * 2;
    knobs[CLP_LISTSCAN_WALKS].value = 16;
    knobs[CLP_LISTSCAN_BATCH].value = 1;
    knobs[CLP_LISTSCAN_CHUNK].value = 4096;
    knobs[CLP_LISTSCAN_BUCKET].value = 1 << 30;
    const size_t single = 200000 / (units > 0 ? units : 1);
    knobs[CLP_LISTSCAN_SINGLE].value = single < 20000 ? 20000 : single < 100000 ? single : 100000;
    knobs[CLP_LISTSCAN_SINGLE_GROUP].value = 1;
}

/* The lanes of a sub-group in lockstep that can exchange values; else 1. PoCL's sub-groups on CPUs
 * do not count: they are emulated with barriers, which the loops of a walk can't contain. */
static size_t team_of(const clprims_context *context) {
    const bool together = context->layer != CLPRIMS_LAYER_LOCAL && context->subgroup_width <= 32;
    return together && !context->device.is_cpu ? context->subgroup_width : 1;
}

/* Results per work-item in a partition tile. The tile and the counts of buckets are in local
 * memory. Wide values fill whole sectors of device memory and need no buckets. */
static size_t held_of(size_t value_bytes) {
    if (value_bytes > 32) return 0;
    return value_bytes > 16 ? 1 : value_bytes > 8 ? 4 : 8;
}

static clprims_status check_knobs(const clp_listscan *plan) {
    static const int groups[] = {CLP_LISTSCAN_GROUP, CLP_LISTSCAN_SINGLE_GROUP};
    const size_t group = plan->knobs[CLP_LISTSCAN_GROUP];
    const size_t most = plan->context->device.max_group;
    const size_t walks = plan->knobs[CLP_LISTSCAN_WALKS];
    const size_t chunk = plan->knobs[CLP_LISTSCAN_CHUNK];
    const char *who = plan->spec.who;
    for (size_t i = 0; i < 2; i++) {
        if (plan->knobs[groups[i]] <= most) continue;
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "%s: %s = %zu exceeds the device's %zu work-items of a group", who,
                        clp_listscan_knobs[groups[i]].name, plan->knobs[groups[i]], most);
    }
    if (plan->team > 1 && (group % plan->team != 0 || walks > 1 || chunk < plan->team)) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "%s: GROUP = %zu, WALKS = %zu, CHUNK = %zu; with sub-groups of %zu, GROUP "
                        "must be a multiple of it, WALKS 1, and CHUNK no less than it",
                        who, group, walks, chunk, plan->team);
    }
    return CLPRIMS_OK;
}

static clprims_status choose_knobs(clp_listscan *plan) {
    const clp_listscan_spec *spec = &plan->spec;
    const clp_device *device = &plan->context->device;
    clp_knob knobs[CLP_LISTSCAN_KNOBS];
    memcpy(knobs, clp_listscan_knobs, sizeof knobs);
    plan->team = team_of(plan->context);
    plan->held = held_of(spec->what.working_bytes);
    if (device->is_cpu) suit_cpu(knobs, device->info.compute_units);
    if (!device->is_cpu && plan->team == 1) knobs[CLP_LISTSCAN_CHUNK].value = 64;
    if (device->local_bytes < 40 * 1024 && !device->is_cpu) knobs[CLP_LISTSCAN_GROUP].value = 64;
    if (knobs[CLP_LISTSCAN_GROUP].value > device->max_group)
        knobs[CLP_LISTSCAN_GROUP].value = device->max_group;
    while (knobs[CLP_LISTSCAN_SINGLE_GROUP].value > device->max_group)
        knobs[CLP_LISTSCAN_SINGLE_GROUP].value /= 2;
    CLP_TRY(clp_knobs_set(plan->context, spec->who, spec->what.accumulator_bytes, spec->tuning,
                          knobs, CLP_LISTSCAN_KNOBS));
    for (size_t i = 0; i < CLP_LISTSCAN_KNOBS; i++) plan->knobs[i] = knobs[i].value;
    CLP_TRY(check_knobs(plan));
    return clp_listscan_fit(plan, knobs);
}

/* ---- Sizes, which follow from n ---- */

static size_t at_least(size_t value, size_t least) {
    return value < least ? least : value;
}

static size_t at_most(size_t value, size_t most) {
    return value > most ? most : value;
}

/* Computes the members that depend on the number of elements or nodes alone. */
static clp_listscan_level level_of(const clp_listscan *plan, size_t count, size_t number) {
    const size_t *knobs = plan->knobs;
    clp_listscan_level here = {.count = count, .number = number};
    unsigned bits = 1;
    while (((size_t)1 << bits) < count) bits++;
    here.mask = ((size_t)1 << bits) - 1;
    here.shift = (bits + 1) / 2;
    const size_t span = (size_t)1 << bits;
    size_t ids = span / knobs[CLP_LISTSCAN_UPPER];
    if (number == 0) {
        const size_t few = at_most(knobs[CLP_LISTSCAN_LEAST], span / 8);
        ids = at_least(span / knobs[CLP_LISTSCAN_SUBLIST], few);
        ids = at_most(ids, knobs[CLP_LISTSCAN_SPLITTERS]);
    }
    here.ids = at_least(ids, 1);
    here.retry_steps = ~(cl_ulong)0;
    if (number == 0 && knobs[CLP_LISTSCAN_RETRY] > 0) {
        const size_t mean = span / here.ids, most = (size_t)1 << 63;
        const size_t factor = knobs[CLP_LISTSCAN_RETRY];
        const size_t least = factor > most / mean ? most : mean * factor;
        here.retry_steps = 1;
        while (here.retry_steps < least) here.retry_steps *= 2;
    }
    return here;
}

/* Elements of the output per bucket of the first pass. */
static size_t bucket_of(const clp_listscan *plan) {
    return at_least(plan->knobs[CLP_LISTSCAN_BUCKET] / plan->spec.what.accumulator_bytes, 1);
}

bool clp_listscan_may_partition(const clp_listscan *plan) {
    return plan->held > 0 && plan->spec.max_n / 2 > bucket_of(plan);
}

bool clp_listscan_may_partition_finer(const clp_listscan *plan) {
    return clp_listscan_may_partition(plan) &&
           (plan->spec.max_n - 1) >> plan->window_bits >= CLP_LISTSCAN_BUCKETS;
}

/* Partitions outputs larger than two buckets: in one pass if there are few windows, else first into
 * buckets of whole tiles and windows, each with no more windows than one tile can be partitioned
 * into. */
static void lay_out_buckets(const clp_listscan *plan, size_t n, clp_listscan_layout *layout) {
    const size_t bucket = bucket_of(plan);
    const size_t least = at_least(plan->knobs[CLP_LISTSCAN_GROUP] * plan->held, 1);
    size_t bits = plan->window_bits;
    layout->bucket_bits = bits;
    layout->buckets = 0;
    layout->windows = ((n - 1) >> bits) + 1;
    layout->cursors = CLP_LISTSCAN_BUCKETS + layout->windows;
    if (n / 2 <= bucket || plan->held == 0) return;
    if (layout->windows > CLP_LISTSCAN_BUCKETS) {
        while (((size_t)2 << bits) <= bucket || (size_t)1 << bits < least) bits++;
        while ((n - 1) >> bits >= CLP_LISTSCAN_BUCKETS) bits++;
        if ((size_t)CLP_LISTSCAN_BUCKETS << plan->window_bits < (size_t)1 << bits) return;
    }
    layout->bucket_bits = bits;
    layout->buckets = ((n - 1) >> bits) + 1;
}

void clp_listscan_lay_out(const clp_listscan *plan, size_t n, clp_listscan_layout *layout) {
    const size_t *knobs = plan->knobs;
    const size_t group = knobs[CLP_LISTSCAN_GROUP];
    const size_t chunk = knobs[CLP_LISTSCAN_CHUNK];
    size_t number = 0;
    size_t at = 0;
    layout->levels[0] = level_of(plan, n, 0);
    do {
        assert(number + 1 < CLP_LISTSCAN_LEVELS);
        layout->levels[number].above = at;
        layout->levels[number + 1] = level_of(plan, layout->levels[number].ids, number + 1);
        number++;
        layout->levels[number].at = at;
        at += layout->levels[number].count;
    } while (layout->levels[number].count > knobs[CLP_LISTSCAN_LAST]);
    layout->last = number;
    layout->nodes = at;
    const size_t walks = knobs[CLP_LISTSCAN_WALKS];
    const size_t wanted = (layout->levels[0].ids + walks - 1) / walks;
    layout->lanes = (at_most(wanted, knobs[CLP_LISTSCAN_LANES]) + group - 1) / group * group;
    /* A team leaves less than one entry per lane empty at the end of a chunk. */
    const size_t filled = chunk - plan->team + 1;
    layout->chunks = n / filled + layout->lanes / plan->team + 1;
    layout->words = (n + 15) / 16 + (plan->spec.forest ? (n + 31) / 32 : 0);
    lay_out_buckets(plan, n, layout);
}

/* ---- Program and kernels ---- */

static clprims_status build_program(clp_listscan *plan) {
    const clp_listscan_spec *spec = &plan->spec;
    const char *link = clp_type_text(spec->link);
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_LINK %s\n#define CLP_INDEX u%s\n", link, link);
    clp_text_add(&prelude, "#define CLP_LEVELS %d\n#define CLP_BUCKETS %d\n", CLP_LISTSCAN_LEVELS,
                 CLP_LISTSCAN_BUCKETS);
    clp_text_add(&prelude, "#define CLP_GROUP %zu\n#define CLP_WALKS %zu\n",
                 plan->knobs[CLP_LISTSCAN_GROUP], plan->knobs[CLP_LISTSCAN_WALKS]);
    clp_text_add(&prelude, "#define CLP_BATCH %zu\n#define CLP_CHUNK %zu\n",
                 plan->knobs[CLP_LISTSCAN_BATCH], plan->knobs[CLP_LISTSCAN_CHUNK]);
    clp_text_add(&prelude, "#define CLP_STATE_BYTES %d\n", CLP_LISTSCAN_STATE_BYTES);
    clp_text_add(&prelude, "#define CLP_LEVEL_BYTES %d\n", CLP_LISTSCAN_LEVEL_BYTES);
    clp_text_add(&prelude, "#define CLP_TEAM %zu\n", plan->team);
    clp_text_add(&prelude, "#define CLP_HELD %zu\n#define CLP_FOREST %d\n", plan->held,
                 spec->forest);
    clp_text_add(&prelude, "#define CLP_WINDOW_BITS %zu\n", plan->window_bits);
    clp_text_add(&prelude, "#define CLP_START(head) %s\n",
                 spec->forest ? "(CLP_A)((CLP_LINK)0, (CLP_LINK)(head))" : "start");
    clp_listscan_add_single_group(plan, &prelude);
    clp_text_add_operation(&prelude, &plan->context->device, &spec->what);
    const bool in_group = plan->knobs[CLP_LISTSCAN_SINGLE_GROUP] > 1;
    const char *parts[11] = {"list/splitters.cl",       "list/links.cl",
                             "list/listscan.cl",        "list/listscan_walk.cl",
                             "list/listscan_levels.cl", "list/listscan_scatter.cl",
                             "list/listscan_fault.cl"};
    size_t count = 7;
    if (spec->forest) parts[count++] = "list/forest.cl";
    if (plan->knobs[CLP_LISTSCAN_SINGLE] > 0) {
        parts[count++] = "list/listscan_single_group.cl";
        if (in_group) parts[count++] = "list/listscan_local.cl";
    }
    const clprims_status status =
        clp_program_build(plan->context, spec->who, &prelude, parts, &plan->program);
    clp_text_free(&prelude);
    return status;
}

static clprims_status create_kernels(clp_listscan *plan) {
    const size_t last = plan->most.last;
    const size_t in_forest = plan->spec.forest, parts = plan->held > 0;
    const size_t single = plan->knobs[CLP_LISTSCAN_SINGLE] > 0;
    const struct {
        const char *name;
        cl_kernel *kernels;
        size_t count;
    } kinds[] = {
        {"clp_listscan_clear", &plan->clear, 1},
        {"clp_listscan_pack", &plan->pack, 1},
        {"clp_listscan_find", &plan->find, 1},
        {"clp_listscan_walk", plan->walk, 2},
        {"clp_listscan_again", &plan->again, 1},
        {"clp_listscan_up_sweep", plan->up_sweep, last - 1},
        {"clp_listscan_last", &plan->last, 1},
        {"clp_listscan_down_sweep", plan->down_sweep, last - 1},
        {"clp_listscan_scatter", &plan->scatter, 1},
        {"clp_listscan_partition", &plan->partition, parts},
        {"clp_listscan_partition_finer", &plan->partition_finer, parts},
        {"clp_listscan_scatter_window", &plan->scatter_window, parts},
        {"clp_listscan_name", &plan->name, 1},
        {"clp_listscan_find_faults", plan->find_faults, 2},
        {"clp_listscan_classify", &plan->classify, 1},
        {"clp_listscan_reach", &plan->reach, 1},
        {"clp_listscan_write_report", &plan->write_report, 1},
        {"clp_listscan_single_group", &plan->single_group, single},
        {"clp_forest_give", &plan->give, in_forest},
        {"clp_forest_compare", &plan->compare, in_forest},
        {"clp_forest_classify_heads", &plan->classify_heads, in_forest},
    };
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        for (size_t i = 0; i < kinds[kind].count; i++) {
            CLP_TRY(clp_kernel_create(plan->program, plan->spec.who, kinds[kind].name,
                                      &kinds[kind].kernels[i]));
        }
    }
    return CLPRIMS_OK;
}

/* ---- Scratch ---- */

static clprims_status create_scratch(clp_listscan *plan, size_t elements, size_t element_bytes,
                                     cl_mem *out) {
    const size_t bytes = (elements + 1) * element_bytes;
    CLP_TRY(clp_scratch_create(plan->context, plan->spec.who, bytes, false, out));
    plan->scratch_bytes += bytes;
    return CLPRIMS_OK;
}

/* The largest alignment of a value; OpenCL C allows at most 128. */
static size_t alignment_of(size_t bytes) {
    const size_t power = bytes & (~bytes + 1);
    return power < 128 ? power : 128;
}

/* The largest size of a structure of `words` bytes of links, tags and numbers, and a value. */
static size_t bytes_of(const clp_listscan *plan, size_t words) {
    const size_t value = plan->spec.what.working_bytes;
    const size_t unit = alignment_of(value) < 8 ? 8 : alignment_of(value);
    return (words + unit - 1) / unit * unit + (value + unit - 1) / unit * unit;
}

static clprims_status allocate(clp_listscan *plan) {
    const clp_listscan_most *most = &plan->most;
    const size_t link = clprims_type_bytes(plan->spec.link);
    const size_t n = plan->spec.max_n;
    CLP_TRY(create_scratch(plan, CLP_LISTSCAN_STATE_BYTES, 1, &plan->state));
    CLP_TRY(create_scratch(plan, most->nodes, bytes_of(plan, 2 * link), &plan->parts));
    CLP_TRY(create_scratch(plan, most->nodes, bytes_of(plan, 4), &plan->leads));
    CLP_TRY(create_scratch(plan, most->nodes, 4, &plan->states));
    CLP_TRY(create_scratch(plan, most->words, 4, &plan->bits));
    CLP_TRY(create_scratch(plan, most->chunks, 4, &plan->fills));
    CLP_TRY(create_scratch(plan, most->cursors, 4, &plan->cursors));
    CLP_TRY(create_scratch(plan, n, bytes_of(plan, link), &plan->records));
    return create_scratch(plan, most->chunks * plan->knobs[CLP_LISTSCAN_CHUNK],
                          bytes_of(plan, link + 4), &plan->visits);
}

/* ---- All of it ---- */

clprims_status clp_listscan_prepare(clp_listscan *plan, clprims_context *context,
                                    const clp_listscan_spec *spec, const void *init) {
    clp_listscan_layout layout;
    plan->context = context;
    plan->spec = *spec;
    CLP_TRY(clp_list_check_links(spec->who, spec->link, spec->max_n, SIZE_MAX / 4096));
    CLP_TRY(clp_operation_fill(context, spec->who, init, &plan->spec.what, plan->start));
    CLP_TRY(choose_knobs(plan));
    clp_listscan_lay_out(plan, spec->max_n, &layout);
    plan->most =
        (clp_listscan_most){layout.last, layout.nodes, layout.chunks, layout.words, layout.cursors};
    if (layout.chunks > UINT32_MAX) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "%s: max_n = %zu takes %zu chunks of CHUNK = %zu, more than %u; take a "
                        "larger CHUNK",
                        spec->who, spec->max_n, layout.chunks, plan->knobs[CLP_LISTSCAN_CHUNK],
                        UINT32_MAX);
    }
    CLP_TRY(build_program(plan));
    CLP_TRY(create_kernels(plan));
    CLP_TRY(allocate(plan));
    CLP_TRY(clp_listscan_warm_up(plan));
    plan->spec.what.custom = (clprims_custom)CLPRIMS_CUSTOM_INIT;
    plan->spec.what.input = NULL;
    plan->spec.tuning = NULL;
    return CLPRIMS_OK;
}

void clp_listscan_release(clp_listscan *plan) {
    const cl_kernel single[] = {
        plan->clear,          plan->pack,    plan->find,      plan->again,
        plan->last,           plan->scatter, plan->partition, plan->partition_finer,
        plan->scatter_window, plan->name,    plan->classify,  plan->reach,
        plan->write_report,   plan->give,    plan->compare,   plan->classify_heads,
        plan->single_group};
    const cl_mem scratch[] = {plan->state, plan->parts,   plan->leads,   plan->states, plan->bits,
                              plan->fills, plan->cursors, plan->records, plan->visits};
    clp_release_kernels(single, sizeof single / sizeof single[0]);
    clp_release_kernels(plan->up_sweep, CLP_LISTSCAN_LEVELS);
    clp_release_kernels(plan->down_sweep, CLP_LISTSCAN_LEVELS);
    clp_release_kernels(plan->walk, 2);
    clp_release_kernels(plan->find_faults, 2);
    clp_release_buffers(scratch, sizeof scratch / sizeof scratch[0]);
    if (plan->program != NULL) clReleaseProgram(plan->program);
}
