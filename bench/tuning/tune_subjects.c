/* SPDX-License-Identifier: MIT */
/* The plans that --tune measures, key by key, and the values of knobs that it tries. */
#include "inputs/orders.h"
#include "tuning/tune.h"
#include <string.h>

enum { ARGMIN = 1, NONNEGATIVE = 2 };

/* ---- Inputs ------------------------------------------------------------------------------------
 */

static uint64_t random_at(uint64_t i) {
    i = (i ^ (i >> 31)) * 0x9e3779b97f4a7c15u;
    return i >> 33;
}

/* Random whole numbers below `limit`, which is at most 2^20. */
static void fill_numbers(clprims_type type, size_t n, uint64_t limit, void *to) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t value = random_at(i) % limit;
        if (type == CLPRIMS_F32)
            ((float *)to)[i] = (float)value;
        else if (type == CLPRIMS_F64)
            ((double *)to)[i] = (double)value;
        else if (clprims_type_bytes(type) == 1)
            ((uint8_t *)to)[i] = (uint8_t)value;
        else if (clprims_type_bytes(type) == 2)
            ((uint16_t *)to)[i] = (uint16_t)value;
        else if (clprims_type_bytes(type) == 4)
            ((uint32_t *)to)[i] = (uint32_t)value;
        else
            ((uint64_t *)to)[i] = value;
    }
}

/* Any numbers, the second time lengths of intervals. */
static void fill_values(tune_job *job, int input, void *to) {
    fill_numbers(job->what->type, job->n, input == 0 ? 128 : 256, to);
}

/* ---- Scan, offsets, select ---------------------------------------------------------------------
 */

static void prepare_scan(tune_job *job) {
    job->in_bytes[0] = job->out_bytes = job->n * clprims_type_bytes(job->what->type);
}

static clprims_status create_scan(tune_job *job) {
    clprims_scan_desc desc = {0};
    clprims_scan *plan = NULL;
    desc.type = job->what->type;
    desc.max_n = job->n;
    const clprims_status status = clprims_scan_create(&plan, job->context, &desc);
    job->plan = plan;
    return status;
}

static clprims_status submit_scan(void *self, cl_command_queue queue, cl_event *event) {
    const tune_job *job = self;
    return clprims_scan_enqueue(
        job->plan, queue, &(clprims_scan_buffers){.in = {job->in[0], 0}, .out = {job->out, 0}},
        job->n, 0, NULL, event);
}

static void destroy_scan(tune_job *job) {
    clprims_scan_destroy(job->plan);
}

/* A sum, and the report of a run. */
static void prepare_reduce(tune_job *job) {
    job->in_bytes[0] = job->n * clprims_type_bytes(job->what->type);
    job->out_bytes = 64;
}

/* Floats stay zeros: small integers' bits would be subnormal floats. */
static void fill_reduce(tune_job *job, int input, void *to) {
    if (job->what->type < CLPRIMS_F32) fill_values(job, input, to);
}

static clprims_status create_reduce(tune_job *job) {
    clprims_reduce_desc desc = {0};
    clprims_reduce *plan = NULL;
    desc.type = job->what->type;
    desc.max_n = job->n;
    const clprims_status status = clprims_reduce_create(&plan, job->context, &desc);
    job->plan = plan;
    return status;
}

static clprims_status submit_reduce(void *self, cl_command_queue queue, cl_event *event) {
    const tune_job *job = self;
    return clprims_reduce_enqueue(
        job->plan, queue, &(clprims_reduce_buffers){.in = {job->in[0], 0}, .out = {job->out, 0}},
        job->n, 0, NULL, event);
}

static void destroy_reduce(tune_job *job) {
    clprims_reduce_destroy(job->plan);
}

/* Sums of segments of eight. */
static void prepare_segmented(tune_job *job) {
    job->in_bytes[0] = job->n * clprims_type_bytes(job->what->type);
    job->in_bytes[1] = (job->n / 8 + 1) * sizeof(int64_t);
    job->out_bytes = job->n / 8 * clprims_type_bytes(job->what->type);
}

static void fill_segmented(tune_job *job, int input, void *to) {
    if (input == 0) {
        fill_reduce(job, input, to);
        return;
    }
    for (size_t k = 0; k <= job->n / 8; k++) ((int64_t *)to)[k] = 8 * (int64_t)k;
}

static clprims_status create_segmented(tune_job *job) {
    clprims_segmented_desc desc = {0};
    clprims_segmented *plan = NULL;
    desc.type = job->what->type;
    desc.max_n = job->n;
    desc.max_segments = job->n / 8;
    const clprims_status status = clprims_segmented_create(&plan, job->context, &desc);
    job->plan = plan;
    return status;
}

static clprims_status submit_segmented(void *self, cl_command_queue queue, cl_event *event) {
    const tune_job *job = self;
    clprims_segmented_buffers buffers = {0};
    buffers.in.mem = job->in[0];
    buffers.heads.mem = job->in[1];
    buffers.out.mem = job->out;
    buffers.sizes.segments = job->n / 8;
    return clprims_segmented_enqueue(job->plan, queue, &buffers, job->n, 0, NULL, event);
}

static void destroy_segmented(tune_job *job) {
    clprims_segmented_destroy(job->plan);
}

static void prepare_parents(tune_job *job) {
    job->in_bytes[0] = (job->n / 8 + 1) * sizeof(int64_t);
    job->in_bytes[1] = 0;
    job->out_bytes = job->n * clprims_type_bytes(job->what->type);
}

static void fill_parents(tune_job *job, int input, void *to) {
    for (size_t k = 0; input == 0 && k <= job->n / 8; k++) ((int64_t *)to)[k] = 8 * (int64_t)k;
}

static clprims_status create_parents(tune_job *job) {
    clprims_parents_desc desc = {0};
    clprims_parents *plan = NULL;
    desc.type = job->what->type;
    desc.max_n = job->n;
    desc.max_segments = job->n / 8;
    const clprims_status status = clprims_parents_create(&plan, job->context, &desc);
    job->plan = plan;
    return status;
}

static clprims_status submit_parents(void *self, cl_command_queue queue, cl_event *event) {
    const tune_job *job = self;
    const clprims_parents_buffers at = {
        .offsets.mem = job->in[0], .parents.mem = job->out, .sizes.segments = job->n / 8};
    return clprims_parents_enqueue(job->plan, queue, &at, job->n, 0, NULL, event);
}

static void destroy_parents(tune_job *job) {
    clprims_parents_destroy(job->plan);
}

static void prepare_gather(tune_job *job) {
    job->in_bytes[0] = job->n * sizeof(int64_t);
    job->in_bytes[1] = job->out_bytes = job->n * clprims_type_bytes(job->what->type);
}

/* Indices within 2^16 of their places; elements of any value. */
static void fill_gather(tune_job *job, int input, void *to) {
    memset(to, 1, job->in_bytes[input]);
    for (size_t i = 0; input == 0 && i < job->n; i++) {
        ((int64_t *)to)[i] = (int64_t)((i & ~(size_t)0xffff) + random_at(i) % 65536);
    }
}

static clprims_status create_gather(tune_job *job) {
    clprims_gather_desc desc = {0};
    clprims_gather *plan = NULL;
    desc.type = job->what->type;
    desc.max_n = job->n;
    const clprims_status status = clprims_gather_create(&plan, job->context, &desc);
    job->plan = plan;
    return status;
}

static clprims_status submit_gather(void *self, cl_command_queue queue, cl_event *event) {
    const tune_job *job = self;
    const clprims_gather_buffers at = {
        .index.mem = job->in[0], .in.mem = job->in[1], .out.mem = job->out, .sizes.length = job->n};
    return clprims_gather_enqueue(job->plan, queue, &at, job->n, 0, NULL, event);
}

static void destroy_gather(tune_job *job) {
    clprims_gather_destroy(job->plan);
}

static clprims_status create_map(tune_job *job) {
    const clprims_map_desc desc = {
        .type = job->what->type, .max_n = job->n, .output[0].value = "x * 2"};
    clprims_map *plan = NULL;
    const clprims_status status = clprims_map_create(&plan, job->context, &desc);
    job->plan = plan;
    return status;
}

static clprims_status submit_map(void *self, cl_command_queue queue, cl_event *event) {
    const tune_job *job = self;
    const clprims_map_buffers at = {.in.mem = job->in[0], .out[0].mem = job->out};
    return clprims_map_enqueue(job->plan, queue, &at, job->n, 0, NULL, event);
}

static void destroy_map(tune_job *job) {
    clprims_map_destroy(job->plan);
}

static clprims_status create_scatter(tune_job *job) {
    const clprims_scatter_desc desc = {
        .type = job->what->type, .max_n = job->n, .repeats = CLPRIMS_SCATTER_DISTINCT};
    clprims_scatter *plan = NULL;
    const clprims_status status = clprims_scatter_create(&plan, job->context, &desc);
    job->plan = plan;
    return status;
}

static clprims_status submit_scatter(void *self, cl_command_queue queue, cl_event *event) {
    const tune_job *job = self;
    const clprims_scatter_buffers at = {
        .index.mem = job->in[0], .in.mem = job->in[1], .out.mem = job->out, .sizes.length = job->n};
    return clprims_scatter_enqueue(job->plan, queue, &at, job->n, 0, NULL, event);
}

static void destroy_scatter(tune_job *job) {
    clprims_scatter_destroy(job->plan);
}

static void prepare_offsets(tune_job *job) {
    job->in_bytes[0] = job->in_bytes[1] = job->n * clprims_type_bytes(job->what->type);
    job->out_bytes = (job->n + 1) * sizeof(int64_t);
}

/* Intervals from 0 to 127 on, to a later number. */
static void fill_intervals(tune_job *job, int input, void *to) {
    const bool narrow = clprims_type_bytes(job->what->type) == 4;
    for (size_t i = 0; i < job->n; i++) {
        const uint64_t value = random_at(i) % 128 + (input == 1 ? random_at(~i) % 256 : 0);
        if (narrow)
            ((uint32_t *)to)[i] = (uint32_t)value;
        else
            ((uint64_t *)to)[i] = value;
    }
}

static clprims_status create_offsets(tune_job *job) {
    clprims_offsets_desc desc = {0};
    clprims_offsets *plan = NULL;
    desc.type = job->what->type;
    desc.max_n = job->n;
    const clprims_status status = clprims_offsets_create(&plan, job->context, &desc);
    job->plan = plan;
    return status;
}

static clprims_status submit_offsets(void *self, cl_command_queue queue, cl_event *event) {
    const tune_job *job = self;
    return clprims_offsets_enqueue(job->plan, queue,
                                   &(clprims_offsets_buffers){.starts = {job->in[0], 0},
                                                              .stops = {job->in[1], 0},
                                                              .offsets = {job->out, 0}},
                                   job->n, 0, NULL, event);
}

static void destroy_offsets(tune_job *job) {
    clprims_offsets_destroy(job->plan);
}

static clprims_status create_select(tune_job *job) {
    clprims_select_desc desc = {0};
    clprims_select *plan = NULL;
    desc.by = CLPRIMS_SELECT_PREDICATE;
    desc.predicate = "x > 63";
    desc.arrays = 1;
    desc.type[0] = job->what->type;
    desc.max_n = job->n;
    const clprims_status status = clprims_select_create(&plan, job->context, &desc);
    job->plan = plan;
    return status;
}

static clprims_status submit_select(void *self, cl_command_queue queue, cl_event *event) {
    const tune_job *job = self;
    clprims_select_buffers buffers = {0};
    buffers.in[0].mem = job->in[0];
    buffers.out[0].mem = job->out;
    buffers.count.mem = job->rest;
    return clprims_select_enqueue(job->plan, queue, &buffers, job->n, 0, NULL, event);
}

static void destroy_select(tune_job *job) {
    clprims_select_destroy(job->plan);
}

/* ---- Lists -------------------------------------------------------------------------------------
 */

/* Links and, of a list scan, values; a forest of one list gets ranks alone. */
static void prepare_list(tune_job *job) {
    job->in_bytes[0] = job->out_bytes = job->n * sizeof(int32_t);
}

static void prepare_listscan(tune_job *job) {
    prepare_list(job);
    job->in_bytes[1] = job->out_bytes = job->n * clprims_type_bytes(job->what->type);
}

static void fill_list(tune_job *job, int input, void *to) {
    if (input == 1) {
        fill_values(job, input, to);
        return;
    }
    const order_shape shape = order_shape_of(ORDER_RANDOM, job->n);
    job->head = order_link(&shape, to);
}

static clprims_status create_list(tune_job *job) {
    clprims_list_desc desc = {0};
    clprims_list *plan = NULL;
    desc.max_n = job->n;
    const clprims_status status = clprims_list_create(&plan, job->context, &desc);
    job->plan = plan;
    return status;
}

static clprims_status submit_list(void *self, cl_command_queue queue, cl_event *event) {
    const tune_job *job = self;
    return clprims_list_enqueue(
        job->plan, queue,
        &(clprims_list_buffers){.next = {job->in[0], 0}, .out = {job->out, 0}, .head = &job->head},
        job->n, 0, NULL, event);
}

static void destroy_list(tune_job *job) {
    clprims_list_destroy(job->plan);
}

static clprims_status create_listscan(tune_job *job) {
    clprims_listscan_desc desc = {0};
    clprims_listscan *plan = NULL;
    desc.type = job->what->type;
    desc.max_n = job->n;
    const clprims_status status = clprims_listscan_create(&plan, job->context, &desc);
    job->plan = plan;
    return status;
}

static clprims_status submit_listscan(void *self, cl_command_queue queue, cl_event *event) {
    const tune_job *job = self;
    return clprims_listscan_enqueue(job->plan, queue,
                                    &(clprims_listscan_buffers){.next = {job->in[0], 0},
                                                                .values = {job->in[1], 0},
                                                                .out = {job->out, 0},
                                                                .head = &job->head},
                                    job->n, 0, NULL, event);
}

static void destroy_listscan(tune_job *job) {
    clprims_listscan_destroy(job->plan);
}

static clprims_status create_forest(tune_job *job) {
    clprims_forest_desc desc = {0};
    clprims_forest *plan = NULL;
    desc.max_n = job->n;
    const clprims_status status = clprims_forest_create(&plan, job->context, &desc);
    job->plan = plan;
    return status;
}

static clprims_status submit_forest(void *self, cl_command_queue queue, cl_event *event) {
    const tune_job *job = self;
    const clprims_forest_buffers buffers = {.next = {job->in[0], 0}, .rank = {job->out, 0}};
    return clprims_forest_enqueue(job->plan, queue, &buffers, job->n, 0, NULL, event);
}

static void destroy_forest(tune_job *job) {
    clprims_forest_destroy(job->plan);
}

/* ---- Min-plus ----------------------------------------------------------------------------------
 */

static size_t batch_of(const tune_job *job) {
    return job->what->batch > 0 ? job->what->batch : 1;
}

static void prepare_minplus(tune_job *job) {
    const size_t elements = job->n * job->n * batch_of(job);
    job->in_bytes[0] = job->out_bytes = elements * clprims_type_bytes(job->what->type);
}

static void fill_minplus(tune_job *job, int input, void *to) {
    (void)input;
    fill_numbers(job->what->type, job->n * job->n * batch_of(job), 1 << 20, to);
}

static clprims_status create_minplus(tune_job *job) {
    clprims_minplus_desc desc = {0};
    clprims_minplus *plan = NULL;
    desc.type = job->what->type;
    desc.argmin = job->what->kind == ARGMIN;
    desc.nonnegative = job->what->kind == NONNEGATIVE;
    const clprims_status status = clprims_minplus_create(&plan, job->context, &desc);
    job->plan = plan;
    return status;
}

/* A matrix by itself. */
static clprims_status submit_minplus(void *self, cl_command_queue queue, cl_event *event) {
    const tune_job *job = self;
    const size_t n = job->n;
    const clprims_matrix a = {job->in[0], 0, n, n * n}, c = {job->out, 0, n, n * n};
    const clprims_matrix best = {job->what->kind == ARGMIN ? job->rest : NULL, 0, n, n * n};
    const clprims_minplus_buffers buffers = {a, a, c, best, {n, n, batch_of(job)}};
    return clprims_minplus_enqueue(job->plan, queue, &buffers, n, 0, NULL, event);
}

static void destroy_minplus(tune_job *job) {
    clprims_minplus_destroy(job->plan);
}

/* ---- The tables --------------------------------------------------------------------------------
 */

static const tune_primitive scan = {prepare_scan, fill_values, create_scan, submit_scan,
                                    destroy_scan};
static const tune_primitive reduction = {prepare_reduce, fill_reduce, create_reduce, submit_reduce,
                                         destroy_reduce};
static const tune_primitive segments = {prepare_segmented, fill_segmented, create_segmented,
                                        submit_segmented, destroy_segmented};
static const tune_primitive parents = {prepare_parents, fill_parents, create_parents,
                                       submit_parents, destroy_parents};
static const tune_primitive gathering = {prepare_gather, fill_gather, create_gather, submit_gather,
                                         destroy_gather};
static const tune_primitive scattering = {prepare_gather, fill_gather, create_scatter,
                                          submit_scatter, destroy_scatter};
static const tune_primitive mapping = {prepare_scan, fill_values, create_map, submit_map,
                                       destroy_map};
static const tune_primitive offsets = {prepare_offsets, fill_intervals, create_offsets,
                                       submit_offsets, destroy_offsets};
static const tune_primitive selection = {prepare_scan, fill_values, create_select, submit_select,
                                         destroy_select};
static const tune_primitive list = {prepare_list, fill_list, create_list, submit_list,
                                    destroy_list};
static const tune_primitive listscan = {prepare_listscan, fill_list, create_listscan,
                                        submit_listscan, destroy_listscan};
static const tune_primitive forest = {prepare_list, fill_list, create_forest, submit_forest,
                                      destroy_forest};
static const tune_primitive minplus = {prepare_minplus, fill_minplus, create_minplus,
                                       submit_minplus, destroy_minplus};

static const tune_knob tile[] = {
    {"GROUP", {128, 256, 512, 1024}}, {"ROWS", {1, 2, 4, 8, 12, 16, 24}}, {NULL, {0}}};
static const tune_knob tile_cpu[] = {{"ROWS", {2048, 4096, 8192, 16384, 32768, 65536}},
                                     {"STREAM", {1, 1u << 20, 1u << 22, 1u << 24, 1u << 31}},
                                     {NULL, {0}}};
static const tune_knob ring[] = {{"ROWS", {2, 3, 4, 6, 8, 12, 16}},
                                 {"STAGES", {2, 3, 4, 5, 6, 8}},
                                 {"SCANNERS", {4, 6, 8, 12, 16}},
                                 {"REDUCERS", {2, 3, 4, 6, 8, 12}},
                                 {"UNITS", {2, 4, 8}},
                                 {"GROUPS", {1, 2, 3, 4}},
                                 {"LOADERS", {1, 2, 4}},
                                 {NULL, {0}}};
static const tune_knob ranking[] = {{"SUBLIST", {16, 32, 64, 128, 256}},
                                    {"WALKS", {1, 2, 4, 8, 16, 32}},
                                    {"UPPER", {4, 8, 16, 32}},
                                    {"BATCH", {1, 2, 4, 8}},
                                    {"GROUP", {32, 64, 128, 256}},
                                    {"LANES", {1u << 15, 1u << 16, 1u << 17, 1u << 18}},
                                    {NULL, {0}}};
static const tune_knob combining[] = {{"SUBLIST", {16, 32, 64, 128, 256}},
                                      {"WALKS", {1, 2, 4, 8, 16, 32}},
                                      {"UPPER", {4, 8, 16, 32}},
                                      {"BATCH", {1, 2, 4, 8}},
                                      {"CHUNK", {512, 1024, 2048, 4096}},
                                      {"GROUP", {32, 64, 128, 256}},
                                      {NULL, {0}}};
static const tune_knob ranking_cpu[] = {{"SUBLIST", {16, 32, 64, 128, 256}},
                                        {"WALKS", {4, 8, 16, 32}},
                                        {"UPPER", {4, 8, 16, 32}},
                                        {NULL, {0}}};
static const tune_knob blocks[] = {{"GROUP", {32, 64, 128, 256, 512, 1024}},
                                   {"DEPTH", {1, 2, 4, 8, 16, 32}},
                                   {"GROUPS", {2, 4, 8, 16, 32, 1024}},
                                   {NULL, {0}}};
static const tune_knob blocks_cpu[] = {{"GROUPS", {1, 2, 4, 8, 16, 64}}, {NULL, {0}}};
static const tune_knob shares[] = {{"GROUP", {64, 128, 256, 512}},
                                   {"ITEMS", {4, 8, 16, 32}},
                                   {"GROUPS", {2, 3, 4, 6, 8, 16}},
                                   {NULL, {0}}};
static const tune_knob shares_cpu[] = {
    {"GROUPS", {1, 2, 4, 8, 16, 64}}, {"SHARE", {1 << 12, 1 << 14, 1 << 16, 1 << 18}}, {NULL, {0}}};
static const tune_knob vectors[] = {{"GROUP", {64, 128, 256, 512}},
                                    {"GROUPS", {4, 8, 16, 32}},
                                    {"DEPTH", {1, 2, 4, 8}},
                                    {NULL, {0}}};
static const tune_knob vectors_cpu[] = {{"GROUPS", {1, 2, 4, 8, 16}}, {NULL, {0}}};
static const tune_knob values[] = {{"GROUP", {128, 256, 512, 1024}},
                                   {"DEPTH", {1, 2, 4, 8, 16}},
                                   {"VEC", {1, 2, 4, 8, 16}},
                                   {NULL, {0}}};
static const tune_knob values_cpu[] = {{"GROUP", {1, 16, 64}}, {NULL, {0}}};
static const tune_knob cells[] = {
    {"HIGH", {4, 8, 16}},      {"WIDE", {4, 8, 16, 32}},   {"ROWS", {4, 8, 16}},
    {"COLUMNS", {4, 8, 16}},   {"DEPTH", {8, 16, 32, 64}}, {"PAIRS", {1, 2, 3, 4}},
    {"UNROLL", {2, 4, 8, 16}}, {"SPLIT", {1, 2, 4, 8}},    {NULL, {0}}};
static const tune_knob cells_cpu[] = {{"ROWS", {2, 4, 6, 8, 12}},
                                      {"COLUMNS", {8, 16, 32, 64}},
                                      {"DEPTH", {32, 64, 128, 256}},
                                      {"BLOCKS", {4, 8, 16, 32}},
                                      {NULL, {0}}};

/* clang-format off */
#define MATRICES(key, type, kind)                                                                  \
    {key, type, &minplus, cells, cells_cpu, 4096, 512, 0, kind},                                   \
    {key "-narrow", type, &minplus, cells, cells_cpu, 1024, 256, 0, kind},                         \
    {key "-small", type, &minplus, cells, cells_cpu, 512, 128, 0, kind},                           \
    {key "-tiny", type, &minplus, cells, cells_cpu, 32, 32, 4096, kind}
#define SINGLE_PASS(key, type, of, n)                                                              \
    {key, type, of, tile, tile_cpu, n, 1 << 24, 0, 0},                                             \
    {key "-lookahead", type, of, ring, ring, n, 1 << 24, 0, 0},                                    \
    {key "-small", type, of, tile, tile_cpu, 1 << 19, 1 << 19, 0, 0}
#define SCAN(type)                                                                                 \
    SINGLE_PASS("scan", type, &scan, 1 << 28),                                                     \
    {"scan-few", type, &scan, tile, tile_cpu, 1 << 16, 1 << 16, 0, 0}

const tune_subject tune_subjects[] = {
    SCAN(CLPRIMS_I8),
    SCAN(CLPRIMS_I16),
    SCAN(CLPRIMS_I32),
    SCAN(CLPRIMS_I64),
    SINGLE_PASS("offsets", CLPRIMS_I32, &offsets, 1 << 27),
    SINGLE_PASS("offsets", CLPRIMS_I64, &offsets, 1 << 27),
    SINGLE_PASS("select", CLPRIMS_U8, &selection, 1 << 28),
    SINGLE_PASS("select", CLPRIMS_I32, &selection, 1 << 27),
    SINGLE_PASS("select", CLPRIMS_I64, &selection, 1 << 27),
    {"reduce", CLPRIMS_I8, &reduction, blocks, blocks_cpu, 1 << 30, 1 << 24, 0, 0},
    {"reduce", CLPRIMS_I16, &reduction, blocks, blocks_cpu, 1 << 29, 1 << 24, 0, 0},
    {"reduce", CLPRIMS_F32, &reduction, blocks, blocks_cpu, 1 << 28, 1 << 24, 0, 0},
    {"reduce", CLPRIMS_F64, &reduction, blocks, blocks_cpu, 1 << 27, 1 << 24, 0, 0},
    {"segmented", CLPRIMS_F32, &segments, shares, shares_cpu, 1 << 28, 1 << 24, 0, 0},
    {"segmented", CLPRIMS_F64, &segments, shares, shares_cpu, 1 << 27, 1 << 24, 0, 0},
    {"parents", CLPRIMS_I32, &parents, shares, shares_cpu, 1 << 28, 1 << 24, 0, 0},
    {"parents", CLPRIMS_I64, &parents, shares, shares_cpu, 1 << 28, 1 << 24, 0, 0},
    {"gather", CLPRIMS_F32, &gathering, vectors, vectors_cpu, 1 << 28, 1 << 24, 0, 0},
    {"gather", CLPRIMS_F64, &gathering, vectors, vectors_cpu, 1 << 27, 1 << 24, 0, 0},
    {"scatter", CLPRIMS_F32, &scattering, vectors, vectors_cpu, 1 << 28, 1 << 24, 0, 0},
    {"map", CLPRIMS_U8, &mapping, values, values_cpu, 1 << 30, 1 << 24, 0, 0},
    {"map", CLPRIMS_U16, &mapping, values, values_cpu, 1 << 29, 1 << 24, 0, 0},
    {"map", CLPRIMS_F32, &mapping, values, values_cpu, 1 << 28, 1 << 24, 0, 0},
    {"map", CLPRIMS_F64, &mapping, values, values_cpu, 1 << 27, 1 << 24, 0, 0},
    {"list", CLPRIMS_I32, &list, ranking, ranking_cpu, 1 << 26, 1 << 22, 0, 0},
    {"listscan", CLPRIMS_I32, &listscan, combining, ranking_cpu, 1 << 25, 1 << 22, 0, 0},
    {"listscan", CLPRIMS_I64, &listscan, combining, ranking_cpu, 1 << 25, 1 << 22, 0, 0},
    {"forest", CLPRIMS_I32, &forest, combining, ranking_cpu, 1 << 25, 1 << 22, 0, 0},
    MATRICES("minplus", CLPRIMS_I32, 0),
    MATRICES("minplus", CLPRIMS_I64, 0),
    MATRICES("minplus-float", CLPRIMS_F32, 0),
    MATRICES("minplus-float", CLPRIMS_F64, 0),
    MATRICES("minplus-nonnegative", CLPRIMS_F32, NONNEGATIVE),
    MATRICES("minplus-argmin", CLPRIMS_F32, ARGMIN),
};
/* clang-format on */
const size_t tune_subject_count = sizeof tune_subjects / sizeof *tune_subjects;
