/* SPDX-License-Identifier: MIT */
/*
 * emulated_shares TRIALS: reductions by offsets by tiles in registers, one program of them
 * (PROGRAM), on the machine of machine.h, beside plain C: segments of about one length, of none, of
 * all, arrays that begin anywhere, shares of any size, counts in device memory, refused ones too,
 * offsets at fault.
 */
#include "device_emulated.h"

enum { MOST = 60000, MARGIN = 200, SEGMENTS_MOST = MOST - 1 };
enum { GROUPS = 3, WORKERS_MOST = GROUPS * CLP_SUBGROUPS };

#include "emulated_offsets.h"

static clp_value firsts[WORKERS_MOST], tails[WORKERS_MOST + CLP_GROUP + 1];
static clp_part parts[WORKERS_MOST + CLP_GROUP + 1];
static ulong most_workers, share;

/* One of three mixtures. Empty segments, more than a tile takes, before one that has elements.
 * Segments of one element and one that is so long that only tiles take them. Segments that end with
 * the first tile or one element behind it, then those of one element, and at times a longer one,
 * whose last element may be left when whole steps have taken the others. */
static ulong draw_mixed(ulong s) {
    const uint mix = t.number / 3 % 4, ones = mix == 2 ? 150 : 700;
    if (mix == 0) return s % 600 < 598 ? 0 : 1 + random_below(400);
    if (mix == 1) return s % 32 > 0 ? 1 : 200;
    if (s < 2) return s == 0 ? 5 : CLP_TILE - 5 - random_below(2);
    if (s % ones > 0) return 1;
    if (random_below(4) == 0) return CLP_TILE * (2 + random_below(3)) + 1;
    return 2 + random_below(random_below(2) == 0 ? 3 : 3000);
}

void draw(uint number) {
    draw_arrays(number);
    share = 1 + random_below(random_below(2) == 0 ? 30000 : 3000);
    most_workers = random_below(4) == 0 ? 1 : 1 + random_below(WORKERS_MOST);
}

static void body(void) {
    const ulong work = most_n() + most_segments(), wanted = work / share + (work % share > 0);
    const ulong workers = clamp(wanted, 1ul, most_workers);
    clp_segmented_outputs(data.in, t.in_first, data.offsets, t.offsets_first, data.out, t.out_first,
                          0, 0, 0, 0, &report, 0, most_n(), most_segments(), workers, share, 0, 77,
                          firsts, tails, parts, tickets, t.n_counts ? &counted_n : 0, 0,
                          t.segments_count ? &counted_segments : 0, 0);
}

static void run_once(void) {
    fill_results();
    memset(parts, 99, sizeof parts);
    launch((uint)((most_workers + CLP_SUBGROUPS - 1) / CLP_SUBGROUPS), CLP_GROUP, body);
}
