/* SPDX-License-Identifier: MIT */
/* The blocks suite: scan, reduce and sort of work-groups in a kernel that does nothing else, beside
 * CUB's functions of a thread block; and a scan by look-back that a user might write, beside a copy
 * and CUB's scan. */
#include "harness/bench_plan.h"
#include "suites/suites.h"

#include <clprims/blocks.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct blocks_case {
    const char *name;
    peer_primitive primitive;
    size_t group, items;
    unsigned uses;
} blocks_case;

#define SHAPES(name, primitive, uses)                                                              \
    {name ", 256 x 1", primitive, 256, 1, uses}, {name ", 256 x 4", primitive, 256, 4, uses},      \
        {name ", 256 x 16", primitive, 256, 16, uses},                                             \
        {name ", 1024 x 1", primitive, 1024, 1, uses},                                             \
        {name ", 1024 x 4", primitive, 1024, 4, uses}, {                                           \
        name ", 1024 x 16", primitive, 1024, 16, uses                                              \
    }

#define LOOK_BACK (CLPRIMS_BLOCK_TILES | CLPRIMS_BLOCK_LOOK_BACK)
static const blocks_case cases[] = {SHAPES("scan", PEER_BLOCK_SCAN, 0),
                                    SHAPES("reduce", PEER_BLOCK_REDUCE, 0),
                                    SHAPES("sort", PEER_BLOCK_SORT, CLPRIMS_BLOCK_SORT),
                                    {"look-back, 128 x 32", PEER_SCAN, 128, 32, LOOK_BACK},
                                    {"look-back, 256 x 32", PEER_SCAN, 256, 32, LOOK_BACK},
                                    {"look-back, 512 x 32", PEER_SCAN, 512, 32, LOOK_BACK},
                                    {"look-back, 256 x 24", PEER_SCAN, 256, 24, LOOK_BACK}};

/* Of PEER_BLOCK_ROUNDS rounds. */
static const char rounds_source[] =
    "CLPRIMS_KERNEL(CLPRIMS_GROUP) void rounds(const global uint *in, global uint *out) {\n"
    "    local CLPRIMS_LOCAL(b) room;\n"
    "    const size_t first = get_group_id(0) * CLPRIMS_b_TILE;\n"
    "    uint x[N];\n"
    "    clprims_b_load(x, in + first, CLPRIMS_WHOLE);\n"
    "    for (uint round = 0; round < ROUNDS; round++) {\n"
    "        for (int j = 0; j < N; j++) x[j] = x[j] * 2654435761u + round;\n"
    "#if WHAT == 0\n"
    "        clprims_b_inclusive(x, CLPRIMS_WHOLE, &room);\n"
    "#elif WHAT == 1\n"
    "        const uint sum = clprims_b_reduce(x, CLPRIMS_WHOLE, &room);\n"
    "        if (get_local_id(0) == 0) x[0] += sum;\n"
    "#else\n"
    "        clprims_b_sort(x, CLPRIMS_WHOLE, &room);\n"
    "#endif\n"
    "    }\n"
    "    clprims_b_store(x, out + first, CLPRIMS_WHOLE);\n"
    "}\n";

static const char look_back_source[] =
    "CLPRIMS_KERNEL(CLPRIMS_GROUP)\n"
    "void rounds(const global uint *in, global uint *out, volatile global ulong *scratch,\n"
    "            uint n) {\n"
    "    local CLPRIMS_LOCAL(b) room;\n"
    "    uint x[N];\n"
    "    const clprims_b_turn turn = clprims_b_begin(scratch, &room);\n"
    "    const size_t first = (size_t)turn.number * CLPRIMS_b_TILE;\n"
    "    const uint rest = n - (uint)first;\n"
    "    const uint count = rest < CLPRIMS_b_TILE ? rest : CLPRIMS_WHOLE;\n"
    "    const size_t ahead = first + 132 * CLPRIMS_b_TILE;\n"
    "    if (ahead < n) clprims_b_prefetch(in + ahead, n - (uint)ahead);\n"
    "    clprims_b_load_transposed(x, in + first, count, &room);\n"
    "    const uint total = clprims_b_exclusive(x, 0, count, &room);\n"
    "    const uint before = clprims_b_prefix(turn, total, 0, &room);\n"
    "    for (int j = 0; j < N; j++) x[j] += before;\n"
    "    clprims_b_store_transposed(x, out + first, count, &room);\n"
    "}\n";

typedef struct subject {
    bench *b;
    const blocks_case *what;
    size_t n, groups;
    clprims_buffer scratch;
    cl_program program;
    cl_kernel kernel;
    bench_plan own;
} subject;

static cl_uint element(size_t i) {
    return (cl_uint)i * 2654435761u ^ (cl_uint)(i >> 5);
}

static void fill(void *self, int input, size_t first, size_t count, void *to) {
    (void)self;
    (void)input;
    for (size_t k = 0; k < count; k++) ((cl_uint *)to)[k] = element(first + k);
}

static int compare(const void *a, const void *b) {
    const cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
    return (x > y) - (x < y);
}

static void do_round(peer_primitive primitive, cl_uint *x, size_t tile, cl_uint round) {
    cl_uint sum = 0;
    for (size_t i = 0; i < tile; i++) x[i] = x[i] * 2654435761u + round;
    if (primitive == PEER_BLOCK_SORT) qsort(x, tile, sizeof *x, compare);
    for (size_t i = 0; i < tile && primitive != PEER_BLOCK_SORT; i++) {
        sum += x[i];
        if (primitive == PEER_BLOCK_SCAN) x[i] = sum;
    }
    if (primitive == PEER_BLOCK_REDUCE) x[0] += sum;
}

/* Some tiles of the rounds; all of a scan. */
static bool verify(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const subject *s = self;
    const bool scans = s->what->primitive == PEER_SCAN;
    const size_t tile = s->what->group * s->what->items, every = scans ? 1 : s->groups / 16 + 1;
    cl_uint *found = bench_alloc(tile * sizeof *found), *x = bench_alloc(tile * sizeof *x);
    cl_uint running = 0;
    bool right = true;
    for (size_t g = 0; g < s->groups && right; g += every) {
        const size_t left = s->n - g * tile, count = left < tile ? left : tile;
        bench_result_read(result, 0, g * tile * sizeof *x, count * sizeof *x, found);
        fill(NULL, 0, g * tile, tile, x);
        for (cl_uint r = 0; r < PEER_BLOCK_ROUNDS && !scans; r++)
            do_round(s->what->primitive, x, tile, r);
        for (size_t i = 0; i < tile && scans; i++) {
            const cl_uint own = x[i];
            x[i] = running;
            running += own;
        }
        for (size_t i = 0; i < count && right; i++) {
            right = found[i] == x[i];
            if (!right) snprintf(fault, fault_bytes, "element %zu is wrong", g * tile + i);
        }
    }
    free(found);
    free(x);
    return right;
}

static clprims_status create(void *self, bench_choice *chosen) {
    subject *s = self;
    const blocks_case *what = s->what;
    const bool scans = what->primitive == PEER_SCAN;
    const clprims_block block = {
        .name = "b", .type = CLPRIMS_U32, .items = what->items, .uses = what->uses};
    const clprims_blocks_desc desc = {.group = what->group, .blocks = &block, .block_count = 1};
    char source[4096];
    cl_int code = CL_SUCCESS;
    snprintf(source, sizeof source, "#define N %zu\n#define WHAT %d\n#define ROUNDS %d\n%s",
             what->items, (int)what->primitive - (int)PEER_BLOCK_SCAN, PEER_BLOCK_ROUNDS,
             scans ? look_back_source : rounds_source);
    clprims_status status = clprims_blocks_program(&s->program, s->b->context, &desc, source);
    if (status == CLPRIMS_OK && scans)
        status = clprims_blocks_scratch(&s->scratch, s->b->context, &desc, 0, s->groups);
    if (status != CLPRIMS_OK) return status;
    s->kernel = clCreateKernel(s->program, "rounds", &code);
    bench_cl(code, "clCreateKernel");
    *chosen = (bench_choice){"blocks", "blocks"};
    return CLPRIMS_OK;
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const subject *s = self;
    const size_t group = s->what->group, size = s->groups * group;
    const cl_uint n = (cl_uint)s->n;
    bench_cl(clSetKernelArg(s->kernel, 0, sizeof(cl_mem), &s->own.in[0]), "clSetKernelArg");
    bench_cl(clSetKernelArg(s->kernel, 1, sizeof(cl_mem), &s->own.out[0]), "clSetKernelArg");
    if (s->what->primitive == PEER_SCAN) {
        bench_cl(clSetKernelArg(s->kernel, 2, sizeof(cl_mem), &s->scratch.mem), "clSetKernelArg");
        bench_cl(clSetKernelArg(s->kernel, 3, sizeof n, &n), "clSetKernelArg");
    }
    bench_cl(clEnqueueNDRangeKernel(queue, s->kernel, 1, NULL, &size, &group, 0, NULL, event),
             "clEnqueueNDRangeKernel");
    return CLPRIMS_OK;
}

static void destroy(void *self) {
    subject *s = self;
    if (s->kernel != NULL) clReleaseKernel(s->kernel);
    if (s->program != NULL) clReleaseProgram(s->program);
    clprims_buffer_release(&s->scratch);
}

static void measure_size(bench *b, const blocks_case *what, size_t n) {
    const size_t tile = what->group * what->items;
    subject s = {.b = b, .what = what, .n = n};
    if (what->primitive != PEER_SCAN) s.n = n < tile ? tile : n / tile * tile;
    s.groups = (s.n + tile - 1) / tile;
    beside_job job = {.suite = "blocks",
                      .name = what->name,
                      .bytes = 8.0 * (double)s.n,
                      .self = &s,
                      .in_element_bytes = {sizeof(cl_uint)},
                      .fill = fill,
                      .verify = verify};
    job.task = (peer_task){.primitive = what->primitive,
                           .type = PEER_U32,
                           .n = s.n,
                           .limit = what->primitive == PEER_SCAN ? 0 : what->group,
                           .length = what->primitive == PEER_SCAN ? 0 : what->items,
                           .in_bytes = {s.n * sizeof(cl_uint)},
                           .out_bytes = {s.n * sizeof(cl_uint)}};
    s.own = (bench_plan){.create = create, .submit = submit, .destroy = destroy};
    if (!bench_plan_fits(b, &job, &s.own)) return;
    bench_plan_begin(b, &job, &s.own);
    bench_plan_measure(b, &job, &s.own);
}

void bench_blocks(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    bench_table_begin("blocks");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const bool scans = cases[k].primitive == PEER_SCAN;
        const unsigned last = b->is_cpu ? 14 : scans ? 27 : 22;
        const size_t count = bench_sizes(&b->options, 2, last, last, 1, sizes);
        if (!bench_wanted(&b->options, cases[k].name)) continue;
        for (size_t i = 0; i < count; i++) measure_size(b, &cases[k], sizes[i]);
    }
}
