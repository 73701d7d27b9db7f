/* SPDX-License-Identifier: MIT */
/* Segments of one element, or of eight, side by side, which are not looked at one by one, with one
 * among them that is empty, of another length, or at fault. */
#include "segmented/segmented_tries.h"
#include "subjects/runs/subject_buffers.h"

enum { MOST = 60, MOST_ELEMENTS = 10 * MOST };

typedef struct alike_case {
    int64_t each; /* elements of a segment */
    size_t segments, at; /* the segment that is another one */
    int64_t length; /* its; below 0: its end falls */
    bool shifted; /* the one behind it makes up for that: only one offset is another one */
    const char *tuning;
} alike_case;

static void alike_are_right(const void *data) {
    const alike_case *c = data;
    int64_t offsets[MOST + 1] = {3};
    char message[64];
    clprims_segmented_desc desc = {
        .type = CLPRIMS_I32, .max_n = MOST_ELEMENTS, .max_segments = MOST, .tuning = c->tuning};
    clprims_segmented *plan = segmented_plan(&desc);
    for (size_t s = 0; s < c->segments; s++) {
        const bool behind = c->shifted && s == c->at + 1;
        const int64_t made_up = 2 * c->each - c->length;
        offsets[s + 1] = offsets[s] + (s == c->at ? c->length : behind ? made_up : c->each);
    }
    subject_data d = {.of = &subject_segmented,
                      .desc = &desc,
                      .n = {MOST_ELEMENTS, c->segments},
                      .most = {MOST_ELEMENTS, MOST},
                      .offsets = offsets};
    subject_draw(&d);
    if (c->length < 0) segmented_spoil(&d, c->at + 1, offsets[c->at + 1], (int64_t)c->at + 1);
    subject_run_is_right(&d, plan);
    if (c->length < 0) {
        snprintf(message, sizeof message, "segmented: offsets[%zu] = ", c->at + 1);
        expect_contains(clprims_last_error()->message, message);
    }
}

static void add_cases_of(test_cases *cases, int64_t each, size_t segments, size_t at) {
    const struct {
        int64_t length;
        bool shifted;
    } kinds[] = {{each, false}, {0, false}, {each + 1, false}, {each + 8, false},
                 {-1, false},   {0, true},  {2 * each, true}};
    /* By one worker and by several. */
    static const char *const tunings[] = {NULL, "SHARE=20"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const alike_case c = {
            each, segments, at, kinds[k].length, kinds[k].shifted, tunings[(at / 3 + k) % 2]};
        const bool last_is_long = at == segments - 1 && c.length == each + 8;
        if (test_small() && !last_is_long && (segments + at + k) % 31 != 0) continue;
        test_add_row(cases, alike_are_right, c,
                     "segmented/alike/%lld/segments=%zu/at=%zu/length=%lld%s%s", (long long)each,
                     segments, at, (long long)c.length, c.shifted ? "/shifted" : "",
                     c.tuning != NULL ? "/shares" : "");
    }
}

void add_alike_cases(test_cases *cases) {
    for (size_t segments = 7; segments <= MOST; segments += segments < 26 ? 1 : 17) {
        for (size_t at = (segments + 2) % 3; at < segments; at += 3) {
            add_cases_of(cases, 1, segments, at);
            if (segments % 4 == 0) add_cases_of(cases, 8, segments, at);
        }
    }
}
