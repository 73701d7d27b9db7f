/* SPDX-License-Identifier: MIT */
/* Algorithms and knobs of the single passes. */
#include "fuzz/fuzz_passes.h"
#include "engine/single_pass_knobs.h"

#include "fuzz/fuzz.h"

/* ---- Knobs ---- */

static void add_word(char tuning[FUZZ_TUNING], const char *name, size_t value) {
    const size_t length = strlen(tuning);
    snprintf(tuning + length, FUZZ_TUNING - length, "%s%s=%zu", length > 0 ? " " : "", name, value);
}

/* Of groups of single work-items ROWS is the size of a tile; of others its rows are unrolled, so
 * that compilers take long over many. */
static void draw_tile_knobs(bool drops, char tuning[FUZZ_TUNING]) {
    const bool alone = fuzz_coin();
    const bool waves = test_info().layer == CLPRIMS_LAYER_NVIDIA;
    const fuzz_cap caps[] = {{"GROUP", alone ? 1 : 256},
                             {"ROWS", alone ? 65536 : 6},
                             {"WAVE", waves ? 1 : 0},
                             {"SPINS", drops ? 64 : UINT32_MAX}, /* each is waited for in vain */
                             {NULL, 0}};
    add_word(tuning, "GROUP", alone ? 1 : (size_t)1 << fuzz_between(4, 8));
    if (drops) add_word(tuning, "SPINS", fuzz_between(1, 64));
    fuzz_draw_knobs(clp_tile_knobs, CLP_TILE_KNOBS, caps, tuning);
}

static void draw_ring_knobs(char tuning[FUZZ_TUNING]) {
    static const size_t capabilities[] = {70, 75, 80, 86, 90, 100, 120};
    static const fuzz_cap caps[] = {{"SCANNERS", 6}, {"REDUCERS", 6},    {"ROWS", 6},
                                    {"STAGES", 6},   {"SMALL", 1 << 18}, {"FEW", 1 << 16},
                                    {"BURST", 0},    {NULL, 0}};
    fuzz_draw_knobs(clp_ring_knobs, CLP_RING_KNOBS, caps, tuning);
    if (fuzz_coin()) add_word(tuning, "CAPABILITY", capabilities[test_random_below(7)]);
}

clprims_algorithm fuzz_algorithm(void) {
    const bool waits = strstr(test_info().probed, "failed") == NULL;
    if (!waits && fuzz_coin()) return CLPRIMS_ALGORITHM_AUTO;
    if (test_random_below(16) == 0) return CLPRIMS_ALGORITHM_LOOKAHEAD;
    return (clprims_algorithm)fuzz_between(CLPRIMS_ALGORITHM_AUTO,
                                           CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN);
}

void fuzz_draw_pass_knobs(clprims_algorithm algorithm, char tuning[FUZZ_TUNING]) {
    const bool is_auto = algorithm == CLPRIMS_ALGORITHM_AUTO;
    const bool ahead = algorithm == CLPRIMS_ALGORITHM_LOOKAHEAD ||
                       (is_auto && test_info().layer == CLPRIMS_LAYER_NVIDIA);
    const bool drops = algorithm == CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK && fuzz_coin();
    if (ahead) {
        draw_ring_knobs(tuning);
    } else {
        draw_tile_knobs(drops, tuning);
    }
    if (drops) add_word(tuning, "DROP", fuzz_between(2, 9));
    if (test_random_below(4) == 0) add_word(tuning, "DELAY", fuzz_between(2, 50));
    if (test_random_below(4) == 0) add_word(tuning, "RUN", ((size_t)1 << 30) - fuzz_between(1, 4));
}

bool fuzz_can_be_in_place(const char *tuning) {
    return tuning == NULL || strstr(tuning, "DROP=") == NULL;
}
