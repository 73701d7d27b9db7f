/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "merge/merge_groups.h"
#include "subjects/runs/subject_refusals.h"

enum { LARGEST_TILE_BYTES = 1024 * 63 * 258, N_A = 100, N_B = 50 };

static const clprims_merge_desc good = {.type = CLPRIMS_I32, .max_n = N_A, .max_n_b = N_B};

/* ---- create ---- */

static void needs_little_local_memory(void) {
    cl_ulong bytes = 0;
    expect_cl(clGetDeviceInfo(test_info().device_id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes,
                              NULL));
    if (bytes >= LARGEST_TILE_BYTES) test_skip("the device has room for the largest tile");
}

static void struct_without_text(clprims_merge_desc *d) {
    d->type = CLPRIMS_STRUCT, d->less = "a.x < b.x";
}

static void struct_bytes(clprims_merge_desc *d) {
    struct_without_text(d), d->custom.type_name = "t", d->custom.declarations = "typedef int t;",
                            d->custom.type_bytes = 6;
}

static void spoil(void *desc, subject_refusal *r) {
    clprims_merge_desc *d = desc;
    REFUSED("huge-max_n_b", TOO_LARGE, "max_n_b = 18446744073709551615 exceeds",
            d->max_n_b = SIZE_MAX)
    ILLEGAL("payload", "payload_bytes = 257; it must be at most 256", d->payload_bytes = 257)
    REFUSED("broken-less", BUILD, "elephants", d->less = "a < elephants")
    ILLEGAL("parameters-for-none", "1 parameters, but no text such as desc.less",
            d->parameters = "int number")
    ILLEGAL("bad-parameters", "parameter 0", d->less = "a < b",
            d->parameters = "local struct cat *x")
    ILLEGAL("unread-op", "merge: custom.op = \"a + b\" is never read", d->custom.op = "a + b")
    ILLEGAL("name-of-operand", "\"uint b\", has the name of an operand of desc.less",
            d->less = "a < b", d->parameters = "uint b")
    ILLEGAL("struct-without-less", "needs desc.less", d->type = CLPRIMS_STRUCT)
    ILLEGAL("struct-without-text", "type_name is NULL", struct_without_text(d))
    ILLEGAL("struct-bytes", "custom.type_bytes = 257; it must be", struct_bytes(d),
            d->custom.type_bytes = 257)
    ILLEGAL("struct-of-other-size", "merge: type_bytes = 8, the device's sizeof is 4",
            struct_bytes(d), d->less = "a < b", d->custom.type_bytes = 8)
    REFUSED("tile-too-large", UNSUPPORTED, "need 16515074 bytes", needs_little_local_memory(),
            struct_bytes(d), d->custom.type_bytes = 256, d->tuning = "GROUP=1024 ITEMS=63")
}

/* ---- enqueue ---- */

static clprims_merge *plan_of(const clprims_merge_desc *desc) {
    return subject_made_plan(&subject_merge, desc);
}

/* ---- run, describe, set_parameter ---- */

static void unset_parameter_is_refused(void) {
    clprims_merge_desc desc = good;
    const subject_data signs = {.of = &subject_merge, .desc = &desc, .most = {N_A, N_B}};
    desc.less = "sign * a < sign * b";
    desc.parameters = "int sign";
    clprims_merge *plan = plan_of(&desc);
    subject_unset_is_refused(&signs, plan, "sign");
}

void merge_add_refusals(test_cases *cases) {
    subject_add_refused(cases, &subject_merge, &good, spoil, "merge/refusals/create");
    test_add_plain(cases, unset_parameter_is_refused, "merge/refusals/parameter");
}
