/* SPDX-License-Identifier: MIT */
/* A single pass whose tiles publish late, in any order, and whose run numbers are used up; by
 * devices without a single pass these are the usual runs. */
#include "segmented/segmented_tries.h"

enum { MOST_N = 150000 };

/* A work-item for each segment and each block; blocks publish their totals. */
#define BY_TEAMS "DELAY=7 RUN=1073741820 TEAM=1 GROUP=64 BLOCK=1024"

typedef struct late_case {
    clprims_segmented_desc desc;
    segments_shape shape;
} late_case;

/* One plan, more and fewer tiles in turn: words of an earlier run stand where later ones read. */
static void late_tiles_are_right(const void *data) {
    const late_case *c = data;
    static const size_t sizes[] = {MOST_N, 1, 70001, 0, 4352, 20000, MOST_N, 8705};
    clprims_segmented *plan = segmented_plan(&c->desc);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const bool scans = c->desc.kind != CLPRIMS_SEGMENTED_REDUCE;
        segmented_try how = {.desc = &c->desc, .first = k, .in_place = scans && k % 2 == 0};
        if (!scans) how.spare = (int)(k % 3) - 1;
        test_note("run %zu of n = %zu", k, sizes[k]);
        test_segments segments =
            segments_make(c->shape, sizes[k], c->desc.by != CLPRIMS_SEGMENTS_OFFSETS);
        segmented_expect(plan, &how, &segments);
    }
}

void add_late_cases(test_cases *cases) {
    static const struct {
        const char *name;
        clprims_segmented_kind kind;
        clprims_segments_by by;
        clprims_type heads_type, type;
    } kinds[] = {
        {"reduce-keys", CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_U32, CLPRIMS_I32},
        {"reduce-keys-wide", CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_U64,
         CLPRIMS_I64},
        {"inclusive-keys", CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_U32,
         CLPRIMS_I32},
        {"exclusive-flags", CLPRIMS_SEGMENTED_EXCLUSIVE, CLPRIMS_SEGMENTS_FLAGS,
         CLPRIMS_TYPE_DEFAULT, CLPRIMS_F32},
        {"inclusive-bits", CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_BITS, CLPRIMS_TYPE_DEFAULT,
         CLPRIMS_U64},
        {"exclusive-offsets", CLPRIMS_SEGMENTED_EXCLUSIVE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I32,
         CLPRIMS_I32},
        {"reduce-offsets", CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I64,
         CLPRIMS_I64}};
    static const char *const tunings[] = {"DELAY=3 RUN=1073741820", "DELAY=3 CAPABILITY=80",
                                          "DELAY=3 CAPABILITY=70"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && !test_small(); k++) {
        for (size_t t = 0; t < sizeof tunings / sizeof tunings[0]; t++) {
            for (int shape = SEGMENTS_ONES; shape <= SEGMENTS_MIXED; shape++) {
                late_case c = {.shape = (segments_shape)shape};
                c.desc.kind = kinds[k].kind;
                c.desc.by = kinds[k].by;
                c.desc.heads_type = kinds[k].heads_type;
                c.desc.type = kinds[k].type;
                const bool by_offsets = c.desc.by == CLPRIMS_SEGMENTS_OFFSETS;
                c.desc.unique_keys =
                    c.desc.by == CLPRIMS_SEGMENTS_KEYS && c.desc.kind == CLPRIMS_SEGMENTED_REDUCE;
                c.desc.max_n = MOST_N;
                c.desc.max_segments = by_offsets ? 5 * MOST_N : 0;
                c.desc.tuning = tunings[t];
                if (by_offsets && c.desc.kind == CLPRIMS_SEGMENTED_REDUCE) {
                    if (t > 0 || !test_bears_shapes()) continue;
                    c.desc.tuning = BY_TEAMS;
                }
                test_add_row(cases, late_tiles_are_right, c, "segmented/late/%s/%s/%s",
                             kinds[k].name, segments_names[shape], c.desc.tuning);
            }
        }
    }
}
