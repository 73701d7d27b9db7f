/* SPDX-License-Identifier: MIT */
/*
 * Single-pass scan by specialised look-back, for devices that hold several work-groups at a time.
 * One sub-group does nothing but look back, from the ticket on, while the others load. These reduce
 * first, publish the aggregate, then scan. They also prefetch a later tile into the device's cache.
 */

/* What a work-group shares. */
typedef struct clp_specialised {
    CLP_A segment[CLP_SCANNERS]; /* aggregates, then what comes before in the tile */
    CLP_A aggregate; /* of the tile */
    CLP_A prefix; /* of the tile */
    uint number; /* of the tile */
    uint arrived; /* sub-groups that have stored their aggregate, plus 1 once they are scanned */
} clp_specialised;

/* The work-item's part of the tile that will be taken CLP_FETCH tickets later. */
static inline void clp_fetch_later(const clp_io *io, uint number, ulong n) {
#if CLP_INPUTS > 0 && CLP_FETCH > 0
    const ulong first = ((ulong)number + CLP_FETCH) * CLP_TILE;
    const ulong bytes = (min(first + CLP_TILE, n) - min(first, n)) * CLP_E_BYTES;
    const ulong step = 128 * CLP_SCANNERS * CLP_SUBGROUP;
    for (ulong at = 128 * get_local_id(0); at < bytes; at += step) {
        clp_fetch_line((const global uchar *)(io->in + first) + at);
    }
#endif
}

/* By the last sub-group to arrive: scans the segments' aggregates and publishes the tile's. */
static inline void clp_publish_tile(const clp_look *look, const clp_tile *tile, uint number,
                                    local clp_specialised *shared, local CLP_A *exchange) {
    const uint lane = clp_lane();
    const bool real = lane < CLP_SCANNERS && clp_is_real(tile, (lane + 1) * CLP_SEGMENT - 1);
    const CLP_A own = shared->segment[min(lane, CLP_SCANNERS - 1u)];
    const CLP_A scanned = clp_subgroup_scan(own, real, exchange);
    if (lane == CLP_SCANNERS - 1) {
        if (number == 0 && get_num_groups(0) > 1) {
            clp_publish_value(look, number, CLP_PREFIX, clp_first_prefix(look, scanned));
        } else if (number < get_num_groups(0) - 1 && clp_publishes(number, CLP_AGGREGATE)) {
            clp_publish_value(look, number, CLP_AGGREGATE, scanned);
        }
        shared->aggregate = scanned;
    }
    const CLP_A lower = clp_shuffle_up(scanned, 1, exchange);
    if (lane < CLP_SCANNERS) shared->segment[lane] = lower;
}

/* Stores the segment's aggregate; the last sub-group to arrive publishes the tile's. */
static inline void clp_arrive(const clp_look *look, clp_tile *tile, uint number,
                              local clp_specialised *shared, local CLP_A *exchange) {
    const uint subgroup = clp_subgroup_number();
    const bool whole = clp_is_real(tile, (subgroup + 1) * CLP_SEGMENT - 1);
    const CLP_A sum = whole ? clp_segment_sum(tile->item, false, exchange) : clp_padding();
    uint before = 0;
    if (clp_lane() == CLP_SUBGROUP - 1) {
        shared->segment[subgroup] = sum;
        mem_fence(CLK_LOCAL_MEM_FENCE); /* segment above, before the arrival */
        before = atomic_inc(&shared->arrived); /* with the other sub-groups' */
    }
    before = clp_shuffle_word(before, CLP_SUBGROUP - 1);
    if (before < CLP_SCANNERS - 1) return;
    mem_fence(CLK_LOCAL_MEM_FENCE); /* all arrivals above, segments read below */
    clp_publish_tile(look, tile, number, shared, exchange);
    clp_subgroup_barrier(); /* aggregate written above, before look-back is told */
    mem_fence(CLK_LOCAL_MEM_FENCE);
    if (clp_lane() == 0) atomic_inc(&shared->arrived); /* look-back waits */
}

/* The look-back sub-group: finds the tile's exclusive prefix, and publishes the inclusive one. */
static inline void clp_find_prefix(const clp_look *look, uint number, local clp_specialised *shared,
                                   local CLP_A *exchange) {
    CLP_A prefix = look->start;
    if (number > 0) prefix = clp_prefix_before(look, number, exchange);
    if (clp_lane() > 0) return;
    shared->prefix = prefix;
    if (number == 0 || number == get_num_groups(0) - 1) return;
    if (!clp_publishes(number, CLP_PREFIX)) return;
    /* until the last to arrive tells */
    while (atomic_add(&shared->arrived, 0) <= CLP_SCANNERS) {
    }
    mem_fence(CLK_LOCAL_MEM_FENCE); /* told above, aggregate read below */
    clp_publish_value(look, number, CLP_PREFIX, clp_op(prefix, shared->aggregate));
}

/* tickets: zero before and after each run. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_lookback_specialised(CLP_IO_PARAMETERS, ulong most_n, CLP_A start,
                                   volatile global ulong *state, volatile global uint *tickets,
                                   uint run CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS) {
    local clp_specialised shared;
    local CLP_A exchange[CLP_EXCHANGE];
    const clp_io io = CLP_IO;
    const ulong n = clp_read_count(most_n, counted, counted_first, io.report);
    if (clp_is_idle(n, CLP_TILE)) return;
    if (get_local_id(0) == 0) {
        shared.number = clp_take_ticket(tickets, n, CLP_TILE);
        shared.arrived = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* number and count written above, read below */
    const uint number = shared.number, subgroup = clp_subgroup_number();
    const clp_look look = {state, run, start, &io, n};
    clp_tile tile;
    if (subgroup < CLP_SCANNERS) {
        tile = clp_tile_load(&io, number, n);
        clp_fetch_later(&io, number, n);
        clp_arrive(&look, &tile, number, &shared, exchange);
        clp_tile_reduce(&tile, exchange);
    } else {
        clp_find_prefix(&look, number, &shared, exchange);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* prefix and segments written above, read below */
    if (subgroup == CLP_SCANNERS) return;
    CLP_A prefix = shared.prefix;
    bool has_prefix = CLP_HAS_START || number > 0;
    if (subgroup > 0 && clp_is_real(&tile, subgroup * CLP_SEGMENT)) {
        prefix = has_prefix ? clp_op(prefix, shared.segment[subgroup]) : shared.segment[subgroup];
        has_prefix = true;
    }
    clp_tile_store(&tile, prefix, has_prefix, &io);
}
