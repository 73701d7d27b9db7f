/* SPDX-License-Identifier: MIT */
/*
 * Three plans that start from machine code. `packed packed.pack` runs them with the programs of
 * that file: on a GPU whose code is there nothing is compiled, elsewhere what lacks is. `packed
 * sm_86 FILE` makes the plans for GPUs of that architecture, which need not be there, and saves
 * their programs; CMakeLists.txt makes the pack of them.
 */
#include <clprims/clprims.h>
#include <stdio.h>

enum { N = 1 << 20 };

typedef struct plans {
    clprims_sort *sort;
    clprims_scan *scan;
    clprims_reduce *reduce;
} plans;

static int failed(void) {
    fprintf(stderr, "%s\n", clprims_last_error()->message);
    return 1;
}

static clprims_status make_plans(plans *p, clprims_context *context) {
    const clprims_sort_desc sort = {.type = CLPRIMS_U32, .max_n = N};
    const clprims_scan_desc scan = {
        .type = CLPRIMS_U32, .accumulator = CLPRIMS_U64, .inclusive = 1, .max_n = N};
    const clprims_reduce_desc greatest = {.type = CLPRIMS_U64, .op = CLPRIMS_MAX, .max_n = N};
    clprims_status status = clprims_sort_create(&p->sort, context, &sort);
    if (status == CLPRIMS_OK) status = clprims_scan_create(&p->scan, context, &scan);
    if (status == CLPRIMS_OK) status = clprims_reduce_create(&p->reduce, context, &greatest);
    return status;
}

/* The sum of random numbers, as the last of their running sums in order. */
static clprims_status run_plans(const plans *p) {
    static uint32_t keys[N], sorted[N];
    static uint64_t sums[N];
    uint64_t last = 0, expected = 0;
    for (uint32_t i = 0; i < N; i++) expected += keys[i] = i * 2654435761u;
    clprims_status status =
        clprims_sort_run(p->sort, &(clprims_sort_arrays){.keys_in = keys, .keys_out = sorted}, N);
    if (status == CLPRIMS_OK)
        status = clprims_scan_run(p->scan, &(clprims_scan_arrays){.in = sorted, .out = sums}, N);
    if (status == CLPRIMS_OK)
        status =
            clprims_reduce_run(p->reduce, &(clprims_reduce_arrays){.in = sums, .out = &last}, N);
    printf("sum %llu, %s\n", (unsigned long long)last, last == expected ? "right" : "wrong");
    return status;
}

int main(int argc, char **argv) {
    const char *pack = argv[1];
    clprims_context_options options = {0};
    clprims_context *context;
    clprims_context_info info;
    plans p = {0};
    if (argc == 3) {
        options.offline_architecture = argv[1];
    } else {
        options.program_packs = &pack;
        options.program_pack_count = argc == 2;
    }
    if (clprims_context_create(&context, &options) != CLPRIMS_OK) return failed();
    if (make_plans(&p, context) != CLPRIMS_OK) return failed();
    if (argc == 3) {
        if (clprims_context_save_programs(context, argv[2]) != CLPRIMS_OK) return failed();
    } else if (run_plans(&p) != CLPRIMS_OK ||
               clprims_context_describe(context, &info) != CLPRIMS_OK) {
        return failed();
    } else {
        printf("%zu programs compiled, %zu found, %zu of them machine code\n", info.programs_built,
               info.programs_found, info.programs_assembled);
    }
    clprims_context_destroy(context);
    return 0;
}
