/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "scan/scan_cases.h"
#include "subjects/runs/subject_refusals.h"

static const clprims_scan_desc good = {.type = CLPRIMS_I32, .max_n = 4096};

/* ---- create ---- */

static void struct_without_text(clprims_scan_desc *d) {
    d->type = CLPRIMS_STRUCT, d->op = CLPRIMS_CUSTOM, d->custom.op = "a";
}

static void struct_of_odd_size(clprims_scan_desc *d) {
    struct_without_text(d), d->custom.declarations = "typedef struct { char c[6]; } six;",
                            d->custom.type_name = "six", d->custom.type_bytes = 6;
}

/* An algorithm of every device, with these knobs. */
static void by_levels(clprims_scan_desc *d, const char *tuning) {
    d->algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
    d->tuning = tuning;
}

static void wide_levels(clprims_scan_desc *d) {
    by_levels(d, "GROUP=1 ROWS=1");
    struct_without_text(d);
    d->custom.declarations = "typedef struct { int a[64]; } wide;";
    d->custom.type_name = "wide";
    d->custom.type_bytes = 256;
    d->inclusive = 1;
    d->max_n = UINT32_MAX / 2;
}

static void spoil(void *desc, subject_refusal *r) {
    clprims_scan_desc *d = desc;
    ILLEGAL("argmin", "scan: op = 8 (argmin) is for reduce and segmented only",
            d->op = CLPRIMS_ARGMIN)
    ILLEGAL("strange-algorithm", "algorithm = 7", d->algorithm = (clprims_algorithm)7)
    ILLEGAL("previous-of-exclusive", "scan: desc.result names previous", d->result = "r - previous")
    ILLEGAL("custom-exclusive", "init or custom.identity", d->op = CLPRIMS_CUSTOM,
            d->custom.op = "a + b")
    ILLEGAL("struct-by-add", "op = 0 (add) is not defined for structs", struct_of_odd_size(d),
            d->custom.type_bytes = 8, d->op = CLPRIMS_ADD)
    ILLEGAL("struct-from-int", "from int32 to struct", struct_of_odd_size(d),
            d->custom.type_bytes = 8, d->type = CLPRIMS_I32, d->accumulator = CLPRIMS_STRUCT)
    ILLEGAL("struct-of-wrong-size", "the device's sizeof is 12", struct_of_odd_size(d),
            d->custom.declarations = "typedef struct { int a; int b; int c; } six;",
            d->custom.type_bytes = 8, d->inclusive = 1)
    REFUSED("broken-declarations", BUILD,
            "declarations:", d->custom.declarations = "int good;\nint half(")
    REFUSED("scratch-too-large", TOO_LARGE, "allocates at most", wide_levels(d))
    ILLEGAL("many-rows", "for GROUP=64 it must be at most 64", by_levels(d, "GROUP=64 ROWS=65"))
    REFUSED("many-tiles", TOO_LARGE, "more than 2147483647 tiles", by_levels(d, "GROUP=1 ROWS=1"),
            d->max_n = SIZE_MAX / 2)
    REFUSED("reproducible-fallback", UNSUPPORTED, "fast_floats", d->type = CLPRIMS_F32,
            d->algorithm = CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK)
    REFUSED("reproducible-struct-fallback", UNSUPPORTED, "fast_floats", struct_of_odd_size(d),
            d->custom.type_bytes = 8, d->inclusive = 1,
            d->algorithm = CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK)
}

void add_refusal_cases(test_cases *cases) {
    if (test_small()) return; /* host code, which Oclgrind does not look at */
    subject_add_refused(cases, &subject_scan, &good, spoil, "scan/refused");
}
