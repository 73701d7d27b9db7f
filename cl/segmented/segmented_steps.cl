/* SPDX-License-Identifier: MIT */
/*
 * Reductions by offsets through rings (segmented_streams.cl), step by step. Where the next segments
 * are of about one length, lanes combine one each, or 2, 4, 8, 16 or 32 lanes one of them, each
 * some neighbours. Where no segment ends soon, all lanes combine what is open. Else the step is a
 * tile of the merge path (segmented_merge.cl). So the grouping of operands depends on the share
 * alone.
 */
#define CLP_FAR 0x7fffffffu /* place of an end that is far ahead, or in front of what is next */

/* Where a share has come to. A share has fewer than CLP_FAR elements and ends. */
typedef struct clp_place {
    ulong first, segment; /* the next element, the next segment to end */
    uint left, ends_left; /* elements and ends */
    clp_open open;
    clp_stream in, ends;
} clp_place;

static inline const local CLP_E *clp_in_ring(const local clp_team_tile *tile,
                                             const clp_place *place, uint element) {
    const uint at = place->in.at + element * CLP_E_BYTES;
    return (const local CLP_E *)(tile->in + (at & (CLP_IN_RING - 1)));
}

/* The end that stands there in the ring, counted from the next element on. */
static inline uint clp_end_at(const local clp_team_tile *tile, const clp_place *place, uint at) {
    const local uchar *from = tile->ends + (at & (CLP_END_RING - 1));
    const ulong ahead = (ulong)(long)*(const local CLP_HEAD *)from - place->first;
    return ahead >> 32 == 0 ? min((uint)ahead, CLP_FAR) : CLP_FAR;
}

/* Stores the total of segment e of those that end next. is_first: the next one is the first that
 * ends in the share; it may have begun before. */
CLP_INLINE void clp_store_total(const clp_run *run, const clp_place *place, uint e, bool is_first,
                                bool has, clp_value total, ulong worker, clp_part *part) {
    if (e > 0 || !is_first) {
        clp_store_segment(run, place->segment + e, has, total, part);
    } else if (has) {
        run->firsts[worker] = total;
    }
}

/* Elements and ends that a step takes from the streams. */
typedef struct clp_step {
    uint elements, ends;
} clp_step;

CLP_INLINE void clp_go_on(local clp_team_tile *tile, clp_place *place, clp_step step) {
    place->first += step.elements;
    place->left -= step.elements;
    place->in.at += step.elements * CLP_E_BYTES;
    place->segment += step.ends;
    place->ends_left -= step.ends;
    place->ends.at += step.ends * CLP_HEAD_BYTES;
    clp_ask(&place->ends, tile->ends, tile->ends_full, CLP_END_RING, 0);
    clp_ask(&place->in, tile->in, tile->in_full, CLP_IN_RING, CLP_AGAIN);
}
