/* SPDX-License-Identifier: MIT */
/*
 * Equal files of a large store, by 128-bit hashes: one sort orders the hashes by the high half and,
 * where high halves are equal, by the low half; then a selection makes one hash and the number of
 * its files of each run of equal hashes.
 */
#include "call.h"

#include <clprims/clprims.h>
#include <stdio.h>

enum { FILES = 300000, CONTENTS = 100000 };
static cl_ulong2 hash[FILES], distinct[FILES]; /* s[1] is the high half */
static cl_uint files[FILES]; /* that have distinct[k] */

static size_t on_device(clprims_context *context) {
    /* A vector type of OpenCL C is a structure that needs no declaration. */
    const clprims_custom type = {.type_name = "ulong2", .type_bytes = sizeof(cl_ulong2)};
    clprims_sort *sort;
    clprims_select *unique;
    size_t count = 0;

    /* `key` says by what an element x is sorted, and `then` what decides where keys are equal. */
    clprims_sort_desc order = {.type = CLPRIMS_U64, .elements = CLPRIMS_STRUCT, .max_n = FILES};
    order.custom = type, order.key = "x.s1", order.then[0] = "x.s0";
    call(clprims_sort_create(&sort, context, &order));
    call(clprims_sort_run(sort, &(clprims_sort_arrays){.keys_in = hash, .keys_out = hash}, FILES));

    /* The first hash of each run is kept; `equal` says whether b goes on with the run of a. */
    clprims_select_desc runs = {.by = CLPRIMS_SELECT_RUNS, .arrays = 1, .max_n = FILES};
    runs.type[0] = CLPRIMS_STRUCT, runs.custom = type, runs.lengths = CLPRIMS_U32;
    runs.equal = "a.s0 == b.s0 && a.s1 == b.s1";
    const clprims_select_arrays arrays = {
        .in = {hash}, .out = {distinct}, .lengths = files, .count = &count};
    call(clprims_select_create(&unique, context, &runs));
    call(clprims_select_run(unique, &arrays, FILES));
    return count;
}

int main(void) {
    static cl_uint expected[CONTENTS]; /* files of each content */
    size_t contents = 0, wrong = 0;
    clprims_context *context;
    for (cl_uint i = 0; i < FILES; i++) {
        const cl_uint content = i * 2654435761u % CONTENTS;
        contents += expected[content]++ == 0;
        hash[i].s[1] = content % 1000; /* high halves are often equal */
        hash[i].s[0] = content * 0x9e3779b97f4a7c15u; /* odd, so that it can be inverted */
    }
    call(clprims_context_create(&context, NULL));
    const size_t count = on_device(context);
    clprims_context_destroy(context);
    for (size_t k = 0; k < count; k++) {
        const cl_ulong content = distinct[k].s[0] * 0xf1de83e19937733du;
        wrong += content >= CONTENTS || files[k] != expected[content];
    }
    wrong += count != contents;
    printf("%d files, %zu contents, %s plain C\n", FILES, count, wrong ? "unlike" : "as by");
    return wrong != 0;
}
