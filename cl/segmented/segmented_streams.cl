/* SPDX-License-Identifier: MIT */
/*
 * The variant "sub-group-ring": reductions by offsets on NVIDIA GPUs of compute capability 9.0. A
 * sub-group's share is two streams of bytes, the elements and the ends of segments. Bulk copies
 * bring them into two rings in local memory, a quarter of a ring at a time, ahead of the sub-group,
 * so that no step waits for a load. It gains 1.85 to 1.09 ms for segments of one element, 2^28
 * (H200).
 *
 * A byte stands in its ring where the low bits of its address say. Behind the ring of elements
 * stands once more what the ring begins with, so that a lane's neighbours have no gap.
 *
 * Each quarter has an mbarrier, which its copy completes; lanes wait for it before they read. Lane
 * 0 asks for the next copy into a quarter when all lanes have left it. Every quarter that is waited
 * for has been asked for, so that the waiting ends; and all that was asked for is waited for before
 * the group ends, as no copy may arrive in the local memory of the next one.
 */
#define CLP_QUARTERS 4

/* Elements and ends that a lane merges in a tile: an odd number, so that lanes meet in no bank. */
#define CLP_EACH (CLP_ITEMS - 1)
#define CLP_TILE (32 * CLP_EACH)
#define CLP_MOST_ENDS (16 * CLP_ITEMS) /* of a tile, a multiple of 32 */

/* The most elements that a step takes, and that a lane takes of them, side by side. */
#define CLP_REACH (CLP_IN_RING / 2 / CLP_E_BYTES)
#define CLP_MOST_OWN 64
#define CLP_AGAIN (CLP_MOST_OWN * CLP_E_BYTES)

#if CLP_IN_RING < 2 * CLP_TILE * CLP_E_BYTES || CLP_END_RING < 2 * CLP_MOST_ENDS * CLP_HEAD_BYTES
#error "segmented_streams.cl: half a ring has no room for a tile"
#endif

/* What a sub-group has in local memory. */
typedef struct clp_local_tile {
    uchar ends[CLP_END_RING];
    uchar in[CLP_IN_RING + CLP_AGAIN];
    clp_value totals[CLP_MOST_ENDS]; /* of the segments that end in the tile */
    uchar rows[32 * CLP_ITEMS]; /* a lane's bytes: which of its items are ends */
    uint some[CLP_MOST_ENDS / 32]; /* whether an end's segment has elements, a bit each */
    ulong in_full[CLP_QUARTERS], ends_full[CLP_QUARTERS]; /* mbarriers, completed by copies */
} __attribute__((aligned(128))) clp_local_tile;

/* All lanes have the same one. Places are bytes from `base` on, which is a multiple of the ring's
 * bytes; quarters are counted from there, too. */
typedef struct clp_stream {
    ulong base;
    uint from, to; /* what is copied, multiples of 16 */
    uint at; /* what the sub-group reads next */
    uint there; /* the end of what has been waited for */
    uint asked; /* quarters that are on their way or there */
    uint full_at; /* the place up to which the ring has no room for the next quarter */
} clp_stream;

/* Returns the stream of the bytes at addresses from `first` up to `last`. */
CLP_INLINE clp_stream clp_stream_of(ulong first, ulong last, const uint ring) {
    const uint quarter = ring / CLP_QUARTERS;
    clp_stream stream;
    stream.base = first & ~(ulong)(ring - 1);
    stream.at = (uint)(first - stream.base);
    stream.from = stream.at & ~15u;
    stream.asked = stream.from / quarter;
    if (first < last) {
        stream.to = (uint)(last - stream.base + 15) & ~15u;
        stream.there = stream.asked * quarter;
    } else { /* nothing is copied, and nothing waited for */
        stream.to = 0;
        stream.there = ~0u;
    }
    stream.full_at = 0;
    return stream;
}

/* By one lane. The quarters in front of the first one are taken for arrived. */
CLP_INLINE void clp_begin_stream(const clp_stream *stream, local ulong *full) {
    for (uint q = 0; q < CLP_QUARTERS; q++) {
        clp_mbarrier_set(&full[q], 1);
        if (q < stream->asked) clp_mbarrier_arrive(&full[q]);
    }
}

/* By one lane: the copies of the quarter asked for next. again: bytes that are copied behind the
 * ring, too. */
CLP_INLINE void clp_copy_quarter(const clp_stream *stream, local uchar *to, local ulong *full,
                                 const uint ring, const uint again) {
    const uint quarter = ring / CLP_QUARTERS, place = stream->asked * quarter;
    const uint first = max(stream->from, place);
    const uint bytes = min(stream->to, place + quarter) - first;
    const uint twice = place > 0 && (place & (ring - 1)) == 0 ? min(bytes, again) : 0;
    const global uchar *from = (const global uchar *)(stream->base + first);
    local ulong *mbarrier = &full[stream->asked % CLP_QUARTERS];
    clp_copies_expect(mbarrier, bytes + twice);
    clp_copy(mbarrier, to + (first & (ring - 1)), from, bytes);
    if (twice > 0) clp_copy(mbarrier, to + ring, from, twice);
}

/* Asks for the quarters that have room: all lanes have read what is in front of stream->at. */
CLP_INLINE void clp_ask(clp_stream *stream, local uchar *to, local ulong *full, const uint ring,
                        const uint again) {
    const uint quarter = ring / CLP_QUARTERS;
    if (stream->at < stream->full_at) return;
    clp_subgroup_barrier(); /* quarters read above, overwritten below */
    while (stream->asked < stream->at / quarter + CLP_QUARTERS &&
           stream->asked * quarter < stream->to) {
        if (clp_lane() == 0) clp_copy_quarter(stream, to, full, ring, again);
        stream->asked++;
    }
    const bool is_end = stream->asked * quarter >= stream->to;
    stream->full_at = is_end ? ~0u : (stream->asked - CLP_QUARTERS + 1) * quarter;
}

/* Waits for what stands in front of place `end`, which has been asked for. */
CLP_INLINE void clp_await(clp_stream *stream, local ulong *full, uint end, const uint ring) {
    const uint quarter = ring / CLP_QUARTERS;
    while (stream->there < end) {
        clp_mbarrier_wait(&full[stream->there / quarter % CLP_QUARTERS],
                          stream->there / ring & 1); /* completed by the copies */
        stream->there += quarter;
    }
}

/* Waits for all that has been asked for. */
CLP_INLINE void clp_await_asked(clp_stream *stream, local ulong *full, const uint ring) {
    clp_await(stream, full, stream->asked * (ring / CLP_QUARTERS), ring);
}

/* ---- A place in a share ---- */

#define CLP_FAR 0x7fffffffu /* place of an end that is far ahead, or in front of what is next */

/* What is next in a share, which has fewer than CLP_FAR elements and ends. */
typedef struct clp_place {
    ulong first, segment; /* the next element, the next segment to end */
    uint left, ends_left; /* elements and ends */
    clp_open open;
    clp_stream in, ends;
} clp_place;

static inline const local CLP_E *clp_in_ring(const local clp_local_tile *tile,
                                             const clp_place *place, uint element) {
    const uint at = place->in.at + element * CLP_E_BYTES;
    return (const local CLP_E *)(tile->in + (at & (CLP_IN_RING - 1)));
}

/* Returns the end at a place of the ring, counted from the next element on. */
static inline uint clp_end_at(const local clp_local_tile *tile, const clp_place *place, uint at) {
    const local uchar *from = tile->ends + (at & (CLP_END_RING - 1));
    const ulong ahead = (ulong)(long)*(const local CLP_HEAD *)from - place->first;
    return ahead >> 32 == 0 ? min((uint)ahead, CLP_FAR) : CLP_FAR;
}

/* Stores the total of the e-th segment to end next. is_first: segment 0 is the first that ends in
 * the share; it may have begun before, so that its total goes to the share's part. */
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

CLP_INLINE void clp_go_on(local clp_local_tile *tile, clp_place *place, clp_step step) {
    place->first += step.elements;
    place->left -= step.elements;
    place->in.at += step.elements * CLP_E_BYTES;
    place->segment += step.ends;
    place->ends_left -= step.ends;
    place->ends.at += step.ends * CLP_HEAD_BYTES;
    clp_ask(&place->ends, tile->ends, tile->ends_full, CLP_END_RING, 0);
    clp_ask(&place->in, tile->in, tile->in_full, CLP_IN_RING, CLP_AGAIN);
}
