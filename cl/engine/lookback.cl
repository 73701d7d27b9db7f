/* SPDX-License-Identifier: MIT */
/*
 * Decoupled look-back (Merrill and Garland 2016). Each tile publishes its aggregate. Then it looks
 * at its predecessors, nearest first, and combines their aggregates until one has published an
 * inclusive prefix; that gives its exclusive prefix. It publishes its own inclusive prefix, so that
 * later tiles need not look further.
 *
 * A published value stands in the state, in 64-bit words: 32 bits of the value, and above them a
 * tag of the run's number (30 bits) and the status (2 bits). A reader takes a value only when all
 * its words bear the same tag of this run. So words need no order to one another, and nothing is
 * cleared between runs.
 *
 * Who waits: a tile for its predecessors' aggregates. Why that ends: tiles are numbered by ticket,
 * in the order in which work-groups start (count.cl). A work-group waits only for work-groups that
 * have started, and each publishes its aggregate before it waits. That needs the device to let
 * resident work-groups proceed. CLP_FALLBACK needs no promise: a work-group that polled
 * CLP_SPINS times in vain reduces the missing tile itself.
 *
 * CLP_REPRODUCIBLE: only every CLP_ANCHORS-th tile publishes a prefix, and it publishes nothing
 * else. Each prefix is then the same combination of the same values in every run, whatever was
 * published first.
 *
 * The state is in global memory; local memory serves only clp_shuffle on devices without shuffles.
 */
#if CLP_WINDOW > 64
#error "lookback.cl: CLP_WINDOW exceeds the 64 bits of a ballot"
#endif

#define CLP_DELAY_POLLS 1000

#define CLP_NOTHING 0u
#define CLP_AGGREGATE 1u
#define CLP_PREFIX 2u

/* Where a work-group exchanges values through local memory, its work-items look at a tile each: a
 * GPU waits as long for one word as for many. Each of CLP_SEEN / CLP_FOLDED work-items combines
 * CLP_FOLDED of the values, and one combines what these have, as later tiles wait for that. */
#define CLP_LOOKS_TOGETHER (CLP_SUBGROUP_IS_GROUP && CLP_GROUP > 1 && !CLP_FALLBACK)
#define CLP_MOST_SEEN (CLP_REPRODUCIBLE && CLP_A_BYTES <= 16 ? 64u : 32u)
#define CLP_FOLDED 8u
#define CLP_SEEN (CLP_GROUP < CLP_MOST_SEEN ? (uint)CLP_GROUP : CLP_MOST_SEEN)
#if CLP_LOOKS_TOGETHER
typedef struct clp_seen {
    CLP_A value[CLP_SEEN];
    uint status[CLP_SEEN];
} clp_seen;
#endif

/* The distance of tiles that publish prefixes in a reproducible look-back: what is seen at once. */
#define CLP_ANCHORS (CLP_LOOKS_TOGETHER ? CLP_MOST_SEEN : 32u)

typedef struct clp_look {
    volatile global ulong *state; /* CLP_A_WORDS words a tile */
    uint run; /* the run's number, below 2^30 and not 0 */
    CLP_A start;
    const clp_io *io; /* for the fallback */
    ulong n;
#if CLP_LOOKS_TOGETHER
    local clp_seen *seen;
#endif
} clp_look;

#if CLP_FALLBACK
/* The primitive's, or cl/tile's: the aggregate of a full tile, by the work-items that look back. */
static inline CLP_A clp_tile_reduce_single(const clp_io *io, ulong number, ulong n,
                                           local CLP_A *exchange);
#endif

/* ---- Published values ---- */

/* For tests: delays a publication for far longer than a tile takes. */
static inline void clp_delay(const clp_look *look, uint number) {
    for (uint i = 0; i < CLP_DELAY_POLLS; i++)
        clp_observe(look->state + (ulong)number * CLP_A_WORDS);
}

/* Publishes a tile's value. Partner: clp_observe_value of later tiles. */
static inline void clp_publish_value(const clp_look *look, uint number, uint status, CLP_A value) {
#if CLP_DROP
    if (number % CLP_DROP == 0) return;
#endif
#if CLP_DELAY
    if (number % CLP_DELAY == 0) clp_delay(look, number);
#endif
    const clp_split split = clp_split_value(value);
    const ulong tag = (ulong)(look->run << 2 | status) << 32;
    volatile global ulong *words = look->state + (ulong)number * CLP_A_WORDS;
    for (uint w = 0; w < CLP_A_WORDS; w++) clp_publish(words + w, tag | split.words[w]);
}

/* Publishes an aggregate that is a 32-bit sum, in one word a tile. Partner: clp_part_observe of
 * lookahead.cl. */
static inline void clp_publish_sum(const clp_look *look, uint number, uint sum) {
#if CLP_DELAY
    if (number % CLP_DELAY == 0) clp_delay(look, number);
#endif
    clp_publish(look->state + number, (ulong)(look->run << 2 | CLP_AGGREGATE) << 32 | sum);
}

/* The status of the tile in this run; sets *value unless it is CLP_NOTHING. */
static inline uint clp_observe_value(const clp_look *look, uint number, CLP_A *value) {
    volatile global ulong *words = look->state + (ulong)number * CLP_A_WORDS;
    clp_split split;
    uint tag = 0;
    bool whole = true;
    for (uint w = 0; w < CLP_A_WORDS; w++) {
        const ulong word = clp_observe(words + w);
        split.words[w] = (uint)word;
        whole = whole && (w == 0 || (uint)(word >> 32) == tag);
        tag = (uint)(word >> 32);
    }
    if (!whole || tag >> 2 != look->run) return CLP_NOTHING;
    *value = split.value;
    return tag & 3u;
}

/* The inclusive prefix of tile 0. */
static inline CLP_A clp_first_prefix(const clp_look *look, CLP_A aggregate) {
    return CLP_HAS_START ? clp_op(look->start, aggregate) : aggregate;
}

#if CLP_FALLBACK
/* Reduces a tile whose owner has not published. Tests delay the reduction until the owner may be
 * overwriting the tile in place. */
static inline CLP_A clp_reduce_missing(const clp_look *look, uint number, local CLP_A *exchange) {
#if CLP_DELAY
    for (uint i = 0; i < 4; i++) clp_delay(look, number); /* the owner delays twice */
#endif
    return clp_tile_reduce_single(look->io, number, look->n, exchange);
}

/* The status of a missing tile whose aggregate this work-group computed. If the owner has published
 * meanwhile, it may have begun to overwrite its input in place, and `aggregate` may be wrong: then
 * the owner's value counts. */
static inline uint clp_value_of_missing(const clp_look *look, uint number, CLP_A aggregate,
                                        CLP_A *value) {
    clp_device_fence(); /* partner: the owner's fence between its status and its output */
    const uint status = clp_observe_value(look, number, value);
    if (status != CLP_NOTHING) return status;
    *value = number > 0 ? aggregate : clp_first_prefix(look, aggregate);
    return number > 0 ? CLP_AGGREGATE : CLP_PREFIX;
}
#endif

/* Whether the tile publishes that status. */
static inline bool clp_publishes(uint number, uint status) {
#if CLP_REPRODUCIBLE
    const bool anchor = number == 0 || number % CLP_ANCHORS == CLP_ANCHORS - 1;
    return anchor == (status == CLP_PREFIX);
#else
    return number > 0 || status == CLP_PREFIX;
#endif
}

/* ---- Looking back ---- */

#if CLP_LOOKS_TOGETHER
/* Combines the values that were seen of the tiles from `first` up to the nearest prefix before
 * `end`, a step apart, in the first one's place. */
static inline void clp_fold_seen(local clp_seen *seen, uint first, uint step, uint end) {
    CLP_A value = seen->value[first];
    uint status = seen->status[first];
    for (uint l = first + step; l < end && status != CLP_PREFIX; l += step) {
        value = clp_op(seen->value[l], value);
        status = seen->status[l];
    }
    seen->value[first] = value;
    seen->status[first] = status;
}
#endif

#if CLP_WINDOW == 1
/* One work-item combines what the work-group saw, then one tile at a time. */
static inline CLP_A clp_prefix_before(const clp_look *look, uint number, local CLP_A *exchange) {
    CLP_A prefix;
    bool has_prefix = false;
    uint status = CLP_AGGREGATE;
    uint other = number - 1;
#if CLP_LOOKS_TOGETHER
    const uint seen = min(number, CLP_SEEN);
    clp_fold_seen(look->seen, 0, CLP_FOLDED, seen);
    prefix = look->seen->value[0];
    status = look->seen->status[0];
    has_prefix = true;
    other -= seen;
#endif
    for (; status != CLP_PREFIX; other--) {
        CLP_A value;
        status = clp_observe_value(look, other, &value);
        for (uint polls = 1; status == CLP_NOTHING; polls++) {
#if CLP_FALLBACK
            if (polls >= CLP_SPINS) {
                const CLP_A alone = clp_reduce_missing(look, other, exchange);
                status = clp_value_of_missing(look, other, alone, &value);
                continue;
            }
#else
            (void)polls;
#endif
            status = clp_observe_value(look, other, &value);
        }
        prefix = has_prefix ? clp_op(value, prefix) : value;
        has_prefix = true;
    }
    return prefix;
}
#else
/* Lane 0 gets the combination of lanes last, last - 1, ... 0, in that order. */
static inline CLP_A clp_fold_lanes(CLP_A value, uint last, local CLP_A *exchange) {
    const uint lane = clp_lane();
    for (uint distance = 1; distance < CLP_WINDOW; distance *= 2) {
        const uint higher = lane + distance;
        const CLP_A other = clp_shuffle(value, min(higher, CLP_SUBGROUP - 1u), exchange);
        if (higher <= last) value = clp_op(other, value);
    }
    return value;
}

static inline uint clp_lowest_bit(clp_lanes bits) {
    return 8 * sizeof bits - 1 - (uint)clz(bits & -bits);
}

#if CLP_FALLBACK
/* The sub-group reduces the nearest missing tile. The lane that looks at the tile gets its
 * value. */
static inline uint clp_fall_back(const clp_look *look, uint nearest, clp_lanes missing, uint status,
                                 CLP_A *value, local CLP_A *exchange) {
    const uint lane = clp_lowest_bit(missing);
    const CLP_A total = clp_reduce_missing(look, nearest - lane, exchange);
    return clp_lane() == lane ? clp_value_of_missing(look, nearest - lane, total, value) : status;
}
#endif

/* Lane l polls the tile nearest - l, until the values of all tiles up to the nearest prefix are
 * there. Returns the lane of that prefix, or CLP_WINDOW if no tile of the window has one. Lanes
 * before tile 0 count as prefixes, so that nobody polls for them; tile 0 itself has one. */
static inline uint clp_observe_window(const clp_look *look, uint nearest, CLP_A *value,
                                      local CLP_A *exchange) {
    const uint lane = clp_lane();
    uint status = lane <= nearest && lane < CLP_WINDOW ? CLP_NOTHING : CLP_PREFIX;
    for (uint polls = 1;; polls++) {
        if (status == CLP_NOTHING) status = clp_observe_value(look, nearest - lane, value);
        const clp_lanes missing = clp_ballot(status == CLP_NOTHING);
        const clp_lanes prefixes = clp_ballot(status == CLP_PREFIX && lane < CLP_WINDOW);
        const uint first = prefixes != 0 ? clp_lowest_bit(prefixes) : CLP_WINDOW;
        const bool are_all =
            first >= 8 * sizeof(clp_lanes) - 1; /* a shift by all bits is undefined */
        const clp_lanes needed = are_all ? ~(clp_lanes)0 : ((clp_lanes)2 << first) - 1;
        if ((missing & needed) == 0) return first;
#if CLP_FALLBACK
        if (polls >= CLP_SPINS) {
            status = clp_fall_back(look, nearest, missing & needed, status, value, exchange);
        }
#else
        (void)polls;
#endif
    }
}

/* One sub-group looks at CLP_WINDOW tiles at a time; lane 0 gets the prefix. */
static inline CLP_A clp_prefix_before(const clp_look *look, uint number, local CLP_A *exchange) {
    CLP_A prefix;
    bool has_prefix = false;
    for (uint nearest = number - 1;; nearest -= CLP_WINDOW) {
        CLP_A value = clp_padding();
        const uint first = clp_observe_window(look, nearest, &value, exchange);
        value = clp_fold_lanes(value, min(first, CLP_WINDOW - 1u), exchange);
        prefix = has_prefix ? clp_op(value, prefix) : value;
        has_prefix = true;
        if (first < CLP_WINDOW) return prefix;
    }
}
#endif

/* What a tile can publish without its prefix. The last tile publishes nothing: nobody looks at
 * it. */
static inline void clp_publish_own(const clp_look *look, uint number, CLP_A aggregate) {
    CLP_ASSERT(number < get_num_groups(0)); /* else the state has no room for it */
    if (clp_lane() != 0 || number == get_num_groups(0) - 1) return;
    if (number == 0) {
        clp_publish_value(look, number, CLP_PREFIX, clp_first_prefix(look, aggregate));
    } else if (clp_publishes(number, CLP_AGGREGATE)) {
        clp_publish_value(look, number, CLP_AGGREGATE, aggregate);
    }
}

#if CLP_LOOKS_TOGETHER
/* The part of look-back that all work-items take: publishes the aggregate, looks, and combines what
 * was seen but for the last step, clp_prefix_before, which one work-item takes. */
CLP_INLINE void clp_look_together(clp_look *look, bool works, uint number, CLP_A aggregate,
                                  local clp_seen *seen) {
    const uint item = (uint)get_local_id(0), end = works ? min(number, CLP_SEEN) : 0;
    if (works) clp_publish_own(look, number, aggregate);
    if (item < end) {
        uint status = CLP_NOTHING;
        CLP_A value;
        while (status == CLP_NOTHING) status = clp_observe_value(look, number - 1 - item, &value);
        seen->value[item] = value;
        seen->status[item] = status;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* seen written above, read below by other work-items */
    if (item * CLP_FOLDED < end) {
        clp_fold_seen(seen, item * CLP_FOLDED, 1, min((item + 1) * CLP_FOLDED, end));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* folded above, read by the work-item that goes on */
    look->seen = seen;
}

#define CLP_LOOK_TOGETHER(works, number, aggregate)                                                \
    local clp_seen seen;                                                                           \
    clp_look_together(&look, works, number, aggregate, &seen);
#else
#define CLP_LOOK_TOGETHER(works, number, aggregate)
#endif

/*
 * Publishes the tile's aggregate and finds its exclusive prefix, start included. Called by the
 * first sub-group (by its lane 0 alone if CLP_WINDOW is 1); lane 0 gets the result, which is not
 * set for tile 0 without a start.
 */
static inline CLP_A clp_look_back(const clp_look *look, uint number, CLP_A aggregate,
                                  local CLP_A *exchange) {
    if (!CLP_LOOKS_TOGETHER) clp_publish_own(look, number, aggregate);
    if (number == 0) return look->start;
    const CLP_A prefix = clp_prefix_before(look, number, exchange);
    const bool publisher = clp_lane() == 0 && number < get_num_groups(0) - 1;
    if (publisher && clp_publishes(number, CLP_PREFIX)) {
        clp_publish_value(look, number, CLP_PREFIX, clp_op(prefix, aggregate));
    }
    return prefix;
}
