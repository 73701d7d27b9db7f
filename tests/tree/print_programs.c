/* SPDX-License-Identifier: MIT */
/*
 * print_programs FOLDER KIND: leaves in FOLDER each program that the library puts together for that
 * kind of device (a number of fake_kind), as a compiler would be given it. No device is needed.
 */
#include "fixtures/plan_kinds.h"
#include "harness/fake_opencl.h"

#include <clprims/blocks.h>
#include <stdio.h>
#include <stdlib.h>

static clprims_context *context;
static clprims_context_options options = {0};
static const char *folder;

static void must(clprims_status status) {
    if (status == CLPRIMS_OK && fake_kept() > 0) return;
    fprintf(stderr, "no program: %s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

/* A context of its own for each plan: one that keeps programs would not build an equal one again.
 */
static void open_context(const char *keeps_in, const char *name) {
    fake_keep(keeps_in, name);
    clprims_context_destroy(context);
    const clprims_status status = clprims_context_create(&context, &options);
    if (keeps_in != NULL || status != CLPRIMS_OK) must(status);
}

static clprims_context *before(const char *name) {
    open_context(NULL, NULL);
    fake_keep(folder, name);
    return context;
}

/* A plan with so many programs on NVIDIA's device: one whose sizes are bounded compiles nothing in
 * vain. */
static void must_keep(clprims_status status, size_t programs) {
    must(status);
    if (atoi(options.device) != FAKE_NVIDIA || fake_kept() == programs) return;
    fprintf(stderr, "%zu programs, not %zu\n", fake_kept(), programs);
    exit(EXIT_FAILURE);
}

/* Products and closures that never fill the device with wide tiles, or with any. */
static void print_bounded(void) {
    clprims_minplus_desc desc = {.type = CLPRIMS_F32};
    clprims_paths_desc paths = {.type = CLPRIMS_F32};
    clprims_minplus *product = NULL;
    clprims_paths *plan = NULL;
    must_keep(clprims_minplus_create(&product, before("minplus.floats.any"), &desc), 4);
    clprims_minplus_destroy(product);
    desc.max_n = 512;
    desc.max = (clprims_minplus_sizes){512, 512, 1};
    must_keep(clprims_minplus_create(&product, before("minplus.floats.max-512"), &desc), 2);
    clprims_minplus_destroy(product);
    for (paths.predecessors = 0; paths.predecessors < 2; paths.predecessors++) {
        const bool predecessors = paths.predecessors != 0;
        paths.max_n = 512;
        must_keep(clprims_paths_create(
                      &plan,
                      before(predecessors ? "paths.bounded.predecessors" : "paths.bounded.lengths"),
                      &paths),
                  1);
        clprims_paths_destroy(plan);
        paths.max_n = 1000;
        must_keep(clprims_paths_create(
                      &plan,
                      before(predecessors ? "paths.narrow.predecessors" : "paths.narrow.lengths"),
                      &paths),
                  2);
        clprims_paths_destroy(plan);
    }
}

/* Sorts of many keys, in tiles of all registers; a second program where runs may take smaller
 * tiles. */
#define SMALL_TILES "DISTINCT=1 RANKERS=8 ITEMS=8 SINGLE=0"
static void print_sorts(bool looks_ahead) {
    static const struct {
        const char *name;
        clprims_type type;
        size_t max_n, payload_bytes, programs;
        const char *tuning; /* of onesweep */
    } sorts[] = {{"sort.many.uint32", CLPRIMS_U32, (size_t)1 << 28, 0, 2, NULL},
                 {"sort.many.float32", CLPRIMS_F32, (size_t)1 << 28, 0, 2, NULL},
                 {"sort.many.uint64", CLPRIMS_U64, (size_t)1 << 28, 0, 2, NULL},
                 {"sort.many.pairs", CLPRIMS_U64, (size_t)1 << 28, 4, 2, NULL},
                 {"sort.many.bytes", CLPRIMS_U8, (size_t)1 << 28, 0, 1, NULL},
                 {"sort.some.uint32", CLPRIMS_U32, (size_t)1 << 21, 0, 1, NULL},
                 {"sort.distinct.uint32", CLPRIMS_U32, 30000, 0, 1, SMALL_TILES},
                 {"sort.distinct.float64", CLPRIMS_F64, 30000, 0, 1, SMALL_TILES}};
    for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++) {
        clprims_sort *plan = NULL;
        if (!looks_ahead && sorts[i].tuning != NULL) continue;
        clprims_sort_desc desc = {.type = sorts[i].type,
                                  .tuning = sorts[i].tuning,
                                  .max_n = sorts[i].max_n,
                                  .payloads = sorts[i].payload_bytes > 0,
                                  .payload_bytes[0] = sorts[i].payload_bytes};
        must_keep(clprims_sort_create(&plan, before(sorts[i].name), &desc), sorts[i].programs);
        clprims_sort_destroy(plan);
    }
}

/* A segmented sort of pairs by some of the keys' bits: the words of its networks hold elements'
 * numbers, by which keys and payloads are read. */
static void print_segmented_pairs(void) {
    clprims_segmented_sort *plan = NULL;
    clprims_segmented_sort_desc desc = {.type = CLPRIMS_I32,
                                        .max_n = (size_t)1 << 20,
                                        .max_segments = 1 << 15,
                                        .begin_bit = 4,
                                        .end_bit = 30,
                                        .payloads = 1,
                                        .payload_bytes[0] = 4,
                                        .indices = CLPRIMS_I32};
    must(clprims_segmented_sort_create(&plan, before("segmented-sort.pairs"), &desc));
    clprims_segmented_sort_destroy(plan);
}

/* Segmented sorts whose long segments onesweep sorts where they are, by small tiles and by the
 * largest. */
static void print_long_segments(bool looks_ahead) {
    static const struct {
        const char *name;
        clprims_type type;
        size_t max_n, payload_bytes;
        bool has_no_keys;
    } sorts[] = {{"segmented-sort.long.uint32", CLPRIMS_U32, 30000, 0, false},
                 {"segmented-sort.long.float64", CLPRIMS_F64, 30000, 2, false},
                 {"segmented-sort.long.argsort", CLPRIMS_I16, 30000, 8, true},
                 {"segmented-sort.many.uint32", CLPRIMS_U32, (size_t)1 << 28, 0, false},
                 {"segmented-sort.many.pairs", CLPRIMS_U64, (size_t)1 << 28, 4, false}};
    for (size_t i = 0; i < sizeof sorts / sizeof sorts[0] && looks_ahead; i++) {
        clprims_segmented_sort *plan = NULL;
        clprims_segmented_sort_desc desc = {.type = sorts[i].type,
                                            .max_n = sorts[i].max_n,
                                            .max_segments = 1 << 12,
                                            .payloads = sorts[i].payload_bytes > 0,
                                            .payload_bytes[0] = sorts[i].payload_bytes,
                                            .no_keys = sorts[i].has_no_keys};
        desc.indices = desc.no_keys ? CLPRIMS_I32 : CLPRIMS_TYPE_DEFAULT;
        desc.local_indices = desc.no_keys;
        desc.tuning = "FEW=0";
        must_keep(clprims_segmented_sort_create(&plan, before(sorts[i].name), &desc), 3);
        clprims_segmented_sort_destroy(plan);
    }
}

/* Two blocks of a text: sums of words, and maps x -> scale * x + shift, which do not commute. */
static void print_blocks(void) {
    const unsigned exchanges = CLPRIMS_BLOCK_TILES | CLPRIMS_BLOCK_LOOK_BACK;
    const clprims_block blocks[] = {{.name = "sums",
                                     .type = CLPRIMS_U32,
                                     .items = 4,
                                     .uses = exchanges | CLPRIMS_BLOCK_SORT,
                                     .bins = 20},
                                    {.name = "maps",
                                     .type = CLPRIMS_STRUCT,
                                     .op = CLPRIMS_CUSTOM,
                                     .custom = {.op = "(uint2)(b.x * a.x, b.x * a.y + b.y)",
                                                .type_name = "uint2",
                                                .type_bytes = sizeof(cl_uint2)},
                                     .items = 3,
                                     .uses = exchanges}};
    const clprims_blocks_desc desc = {.group = 128, .blocks = blocks, .block_count = 2};
    static const char source[] =
        "kernel void blocks(global uint *out) {\n"
        "    local CLPRIMS_LOCAL(sums) room;\n"
        "    out[get_global_id(0)] = clprims_sums_broadcast(1, 0, &room);\n"
        "}\n";
    cl_program program;
    must(clprims_blocks_program(&program, before("blocks.two"), &desc, source));
    clReleaseProgram(program);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: print_programs FOLDER KIND\n");
        return 2;
    }
    const bool looks_ahead = fake_capability((fake_kind)atoi(argv[2])) > 0;
    const plan_visitor visitor = {.before = before, .after = must, .looks_ahead = looks_ahead};
    folder = argv[1];
    options.device = argv[2];
    options.probed = getenv("CLPRIMS_PROBED");
    options.cl_dir = getenv("CLPRIMS_CL_DIR");
    open_context(folder, "probe.of.layer");
    plan_kinds(&visitor);
    print_bounded();
    print_sorts(looks_ahead);
    print_segmented_pairs();
    print_long_segments(looks_ahead);
    print_blocks();
    clprims_context_destroy(context);
    return 0;
}
