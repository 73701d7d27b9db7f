/* SPDX-License-Identifier: MIT */
/*
 * emulated_direct TRIALS: reductions by offsets with a team for each segment, one program of them
 * (PROGRAM), on the machine of machine.h, beside plain C: segments of about one length, of none, of
 * all, arrays that begin anywhere, counts in device memory, refused ones too, offsets at fault.
 * Some groups run at a time, lower ones first.
 */
#include "device_emulated.h"

enum { MOST = 20000, MARGIN = 200, SEGMENTS_MOST = CLP_IS_WIDE ? 900 : MOST - 1 };
enum { AT_ONCE = 3, BLOCKS_MOST = MOST / CLP_LONG_BLOCK + 40 };

#include "emulated_offsets.h"

static ulong words[2 * CLP_MOST_CHECKERS + 3 * BLOCKS_MOST * CLP_VALUE_WORDS];
static uint run_number;

/* Short ones, and one that covers blocks in turn. */
static ulong draw_mixed(ulong s) {
    return s % 40 < 39 ? random_below(4) : random_below(8 * CLP_LONG_BLOCK);
}

void draw(uint number) {
    draw_arrays(number);
}

static void body(void) {
    clp_segmented_direct(data.in, t.in_first, data.offsets, t.offsets_first, data.out, t.out_first,
                         0, 0, 0, 0, &report, 0, most_n(), most_segments(), 1, 1 << 30, 0, 77, 0,
                         (clp_value *)words, 0, tickets, t.n_counts ? &counted_n : 0, 0,
                         t.segments_count ? &counted_segments : 0, 0, run_number);
}

static void run_once(void) {
    const ulong blocks = most_n() / CLP_LONG_BLOCK;
    fill_results();
    run_number++;
    const ulong groups = clp_checkers(most_segments()) + (blocks + CLP_WORKERS - 1) / CLP_WORKERS +
                         (most_segments() + CLP_SEGMENTS - 1) / CLP_SEGMENTS;
    launch_in_turn((unsigned)groups, AT_ONCE, CLP_GROUP, body);
}
