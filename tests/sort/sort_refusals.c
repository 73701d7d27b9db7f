/* SPDX-License-Identifier: MIT */
/* What sort refuses, with the values in the message, and what describe tells. */
#include "fixtures/key_cases.h"
#include "sort/sort_suite.h"

static clprims_sort_desc u32_desc(void) {
    clprims_sort_desc desc = {.type = CLPRIMS_U32, .max_n = 1000};
    return desc;
}

static void spoil(void *desc, subject_refusal *r) {
    clprims_sort_desc *d = desc;
    SORT_REFUSED(sort)
    ILLEGAL("algorithm", "algorithm = 4", d->algorithm = (clprims_sort_algorithm)4)
    ILLEGAL("window/backward", "bits [9, 8) are no window of the 32 bits", d->begin_bit = 9,
            d->end_bit = 8)
    ILLEGAL("window/empty", "sort: bits [7, 7) are no window", d->begin_bit = d->end_bit = 7)
    ILLEGAL("window/beyond", "bits [0, 33)", d->end_bit = 33)
    ILLEGAL("window/behind", "bits [33, 32)", d->begin_bit = 33)
    ILLEGAL("payloads", "payloads = 5; at most 4", d->payloads = 5)
    ILLEGAL("no-payload_bytes", "payload_bytes[1] = 0; it must be from 1 to 256", d->payloads = 2,
            d->payload_bytes[0] = 16)
    ILLEGAL("large-payload_bytes", "payload_bytes[1] = 257", d->payloads = 2,
            d->payload_bytes[0] = 16, d->payload_bytes[1] = 257)
    ILLEGAL("no-result", "leaves no result", d->no_keys = 1)
    REFUSED("beyond-uint32", TOO_LARGE, "max_n = 4294967297 is beyond the reach of indices",
            d->indices = CLPRIMS_U32, d->max_n = (size_t)UINT32_MAX + 2)
    ILLEGAL("knob-of-groups", "GROUP", d->algorithm = CLPRIMS_SORT_SERIAL, d->tuning = "GROUP=2")
    ILLEGAL("wide-digits", "BITS", d->algorithm = CLPRIMS_SORT_COUNT_SCATTER, d->tuning = "BITS=9")
    REFUSED("single-beyond-tile", UNSUPPORTED,
            "SINGLE = 17 exceeds the tile of GROUP = 8 by ITEMS = 2",
            d->algorithm = CLPRIMS_SORT_COUNT_SCATTER, d->tuning = "GROUP=8 ITEMS=2 SINGLE=17")
    if (test_info().layer != CLPRIMS_LAYER_NVIDIA) {
        REFUSED("onesweep", UNSUPPORTED, "onesweep is for layer nvidia; the context has layer",
                d->algorithm = CLPRIMS_SORT_ONESWEEP)
        return;
    }
    ILLEGAL("onesweep/odd-items", "ITEMS = 7 is not even", d->algorithm = CLPRIMS_SORT_ONESWEEP,
            d->tuning = "ITEMS=7")
    ILLEGAL("onesweep/many-rankers", "RANKERS", d->algorithm = CLPRIMS_SORT_ONESWEEP,
            d->tuning = "RANKERS=31")
    REFUSED("onesweep/local-memory", UNSUPPORTED, "RANKERS = 30, ITEMS = 48 and 20 bytes of a key",
            d->algorithm = CLPRIMS_SORT_ONESWEEP, d->tuning = "RANKERS=30 ITEMS=48",
            d->payloads = 1, d->payload_bytes[0] = 16)
}

/* What describe tells of a run of n keys. passes 0: not told. */
static void expect_described(const clprims_sort_desc *desc, size_t n, const char *variant,
                             size_t passes) {
    clprims_sort_info info = {0};
    clprims_sort *plan = subject_made_plan(&subject_sort, desc);
    expect_ok(clprims_sort_describe(plan, n, &info));
    if (strcmp(info.variant, variant) != 0) {
        test_fail("n = %zu gets %s, not %s", n, info.variant, variant);
    }
    if (passes > 0) assert_int_equal(info.passes, passes);
}

static void describe_is_right(void) {
    clprims_sort_desc desc = u32_desc();
    desc.algorithm = CLPRIMS_SORT_COUNT_SCATTER;
    desc.tuning = "GROUP=8 ITEMS=2 SINGLE=16";
    expect_described(&desc, 16, "single-group", 0);
    desc.payloads = 1;
    desc.payload_bytes[0] = 2;
    desc.tuning = "GROUP=8 ITEMS=3 SINGLE=20 PARTS=2 BITS=7";
    expect_described(&desc, 20, "single-group", 0);
    expect_described(&desc, 21, "count-scan-scatter", 5);
    desc.algorithm = CLPRIMS_SORT_SERIAL;
    desc.tuning = "SINGLE=30 BITS=8";
    expect_described(&desc, 30, "single-group", 0);
    expect_described(&desc, 31, "serial-parts", 4);
    /* Digits of eleven bits, unless the lines of all are too many for a cache. */
    desc.tuning = NULL;
    desc.payloads = 0;
    expect_described(&desc, 31, "single-group", 3);
    desc.payloads = 1;
    desc.payload_bytes[0] = 16;
    expect_described(&desc, 31, "single-group", 4);
    expect_contains(clprims_sort_algorithm_name(CLPRIMS_SORT_AUTO), "auto");
    expect_contains(clprims_sort_algorithm_name(CLPRIMS_SORT_ONESWEEP), "onesweep");
    expect_contains(clprims_sort_algorithm_name((clprims_sort_algorithm)4), "unknown");
}

static void info_is_right(void) {
    clprims_sort_desc desc = u32_desc();
    clprims_sort_info info = {0};
    desc.algorithm = CLPRIMS_SORT_COUNT_SCATTER;
    desc.tuning = "GROUP=8 ITEMS=3 SINGLE=20 PARTS=2 BITS=7";
    desc.payloads = 1;
    desc.payload_bytes[0] = 2;
    clprims_sort *plan = subject_made_plan(&subject_sort, &desc);
    expect_ok(clprims_sort_describe(plan, 1000, &info));
    if (info.passes != 5 || info.digit_bits != 7 || info.group != 8 || info.tile != 24) {
        test_fail("passes = %zu, digit_bits = %zu, group = %zu, tile = %zu", info.passes,
                  info.digit_bits, info.group, info.tile);
    }
    /* Keys and payload, 2 counters of 5 passes and whether keys fall, the passes' bases, 128 digits
     * of 42 tiles, which take 11 vectors of four, 64 notes. */
    const size_t scratch = 1000 * 6 + (2 * (5 * 128 + 1) + 5 * 128 + 128 * 44 + 64) * 4;
    if (info.scratch_bytes != scratch) {
        test_fail("scratch_bytes = %zu, not %zu", info.scratch_bytes, scratch);
    }
    expect_contains(info.reason, "the description asks for it");
}

void sort_add_refusals(test_cases *cases) {
    const clprims_sort_desc good = u32_desc();
    subject_add_refused(cases, &subject_sort, &good, spoil, "sort/refusals/create");
    test_add_plain(cases, describe_is_right, "sort/describe");
    test_add_plain(cases, info_is_right, "sort/describe/info");
}
