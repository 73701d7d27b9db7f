/* SPDX-License-Identifier: MIT */
/*
 * How a team of CLP_BLOCK_ITEMS work-items, 32 or 128, combines what it has of a row. Work-item t
 * has the lanes (CLP_BLOCK_ITEMS c + t) CLP_LANE_VEC + j for c below CLP_CHUNKS and j below
 * CLP_LANE_VEC, so that each loads vectors and the team loads adjacent ones.
 *
 * Lanes are combined at distances from half the lanes down to 1, or for an operator that need not
 * commute from 1 up: the tree of include/clprims/reduce.h. Work-items exchange values by shuffles
 * where a sub-group holds 32 of them, else through local memory, which then has a value for each
 * lane or work-item of a team.
 */
#define CLP_TEAMS (CLP_GROUP / CLP_BLOCK_ITEMS)
#define CLP_OWN (CLP_CHUNKS * CLP_LANE_VEC) /* lanes that a work-item has */
#define CLP_STRIDE (CLP_BLOCK_ITEMS * CLP_LANE_VEC) /* lanes from a chunk to the next */

#if CLP_OWN * CLP_BLOCK_ITEMS != CLP_LANES
#error "reduce_team.cl: CLP_LANES is not what a team has"
#endif

/* Whether a work-item may combine its own lanes before others: fewer values are exchanged. */
#define CLP_OWN_FIRST (CLP_COMMUTATIVE && (CLP_EXACT || CLP_OWN == 1))

#if CLP_BLOCK_ITEMS > 32 && !CLP_OWN_FIRST
#error "reduce_team.cl: a team of more than 32 takes one lane a work-item, or any order"
#endif

/* ---- Exchange ---- */

#define CLP_TEAM_SHUFFLES (!CLP_SUBGROUP_IS_GROUP && CLP_SUBGROUP % 32 == 0)

#define CLP_VALUE_WORDS ((CLP_VALUE_BYTES + 3) / 4)

typedef union clp_value_split {
    clp_value value;
    uint words[CLP_VALUE_WORDS];
} clp_value_split;

CLP_INLINE clp_value_split clp_split_sum(clp_value value) {
    clp_value_split split;
    split.words[CLP_VALUE_WORDS - 1] = 0;
    split.value = value;
    return split;
}

#if CLP_TEAM_SHUFFLES
/* The work-item's number in its work-group; the lanes of a sub-group have adjacent numbers. */
static inline uint clp_item(void) {
    return clp_subgroup_number() * CLP_SUBGROUP + clp_lane();
}

/* The value of the work-item `distance` above; the last `distance` of 32 get some value that must
 * not be used. All lanes come here. */
static inline clp_value clp_from_above(clp_value value, uint distance) {
    const uint lane = clp_lane();
    const uint from = lane % 32 + distance < 32 ? lane + distance : lane;
    clp_value_split split = clp_split_sum(value);
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
        split.words[w] = clp_shuffle_word(split.words[w], from);
    }
    return split.value;
}
#else
static inline uint clp_item(void) {
    return (uint)get_local_id(0);
}
#endif

static inline uint clp_team_lane(void) {
    return clp_item() % CLP_BLOCK_ITEMS;
}

static inline uint clp_team_number(void) {
    return clp_item() / CLP_BLOCK_ITEMS;
}

/* ---- The fold of a work-item's lanes and its team's ---- */

#if CLP_TEAM_SHUFFLES && CLP_BLOCK_ITEMS == 32
#define CLP_TEAM_EXCHANGE 1
#elif CLP_TEAM_SHUFFLES
#define CLP_TEAM_EXCHANGE CLP_BLOCK_ITEMS
#else
#if !CLP_COMMUTATIVE
#error "reduce_team.cl: an operator that need not commute takes shuffles"
#endif

/* Values that a team has in local memory. */
#if CLP_OWN_FIRST
#define CLP_FOLDED CLP_BLOCK_ITEMS
#else
#define CLP_FOLDED CLP_LANES
#endif
#define CLP_TEAM_EXCHANGE (CLP_TEAMS * CLP_FOLDED)

CLP_INLINE void clp_fold_step(local clp_value *lane, uint d, uint real) {
    for (uint l = clp_team_lane(); l < d && l + d < real; l += CLP_BLOCK_ITEMS) {
        lane[l] = clp_combine_values(lane[l], lane[l + d]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* lanes written above, read by the next step */
}

/* Combines the lanes below `real` at distances from half the lanes down to 1. */
static inline clp_value clp_fold_shared(local clp_value *lane, uint real) {
    barrier(CLK_LOCAL_MEM_FENCE); /* lanes written before, read below */
#if CLP_FOLDED > 32
    clp_fold_step(lane, 64, real);
    clp_fold_step(lane, 32, real);
#endif
    clp_fold_step(lane, 16, real);
    clp_fold_step(lane, 8, real);
    clp_fold_step(lane, 4, real);
    clp_fold_step(lane, 2, real);
    clp_fold_step(lane, 1, real);
    return lane[0];
}
#endif

#if CLP_OWN_FIRST
/* Combines the work-item's own lanes below `real`. */
CLP_INLINE clp_value clp_fold_own(const clp_value *value, uint real) {
    const uint t = clp_team_lane();
    clp_value total = value[0];
#pragma unroll
    for (uint k = 1; k < CLP_OWN; k++) {
        const uint lane = k / CLP_LANE_VEC * CLP_STRIDE + t * CLP_LANE_VEC + k % CLP_LANE_VEC;
        if (lane < real) total = clp_combine_values(total, value[k]);
    }
    return total;
}

/* The number of a team's work-items that have a lane below `real`. */
static inline uint clp_real_items(uint real) {
    return min((real + CLP_LANE_VEC - 1) / CLP_LANE_VEC, (uint)CLP_BLOCK_ITEMS);
}
#endif

#if CLP_OWN_FIRST && CLP_TEAM_SHUFFLES
#if CLP_BLOCK_ITEMS > 32
/* Distances 64 and 32, by 32 work-items: combines the total of work-item t with the three totals
 * that stand 32, 64 and 96 places behind its own. */
CLP_INLINE clp_value clp_fold_far(clp_value total, uint t, uint items,
                                  const local clp_value *place) {
    clp_value next = place[32];
    const clp_value third = place[64], fourth = place[96];
    if (t + 64 < items) total = clp_combine_values(total, third);
    if (t + 96 < items) next = clp_combine_values(next, fourth);
    if (t + 32 < items) total = clp_combine_values(total, next);
    return total;
}
#endif

/* Distances 16 to 1: combines the totals of 32 work-items, right for t = 0. All lanes come here. */
CLP_INLINE clp_value clp_fold_near(clp_value total, uint t, uint items) {
/* Writes the caller's `total`; a macro as CLP_SCAN_STEP is. */
#define CLP_TOTALS_STEP(d)                                                                         \
    {                                                                                              \
        const clp_value above = clp_from_above(total, d);                                          \
        if (t < d && t + d < items) total = clp_combine_values(total, above);                      \
    }
    CLP_TOTALS_STEP(16)
    CLP_TOTALS_STEP(8)
    CLP_TOTALS_STEP(4)
    CLP_TOTALS_STEP(2)
    CLP_TOTALS_STEP(1)
    return total;
}

/* Combines the totals of `items` work-items, right for the team's work-item 0. */
CLP_INLINE clp_value clp_fold_totals(clp_value total, uint items, local clp_value *exchange) {
#if CLP_BLOCK_ITEMS > 32
    const uint t = clp_item();
    if (t >= 32) exchange[t] = total;
    barrier(CLK_LOCAL_MEM_FENCE); /* totals written above, read below */
    if (t < 32) total = clp_fold_far(total, t, items, exchange + t);
    if (clp_subgroup_number() > 0) return total;
#endif
    return clp_fold_near(total, clp_team_lane(), items);
}
#elif CLP_OWN_FIRST
CLP_INLINE clp_value clp_fold_totals(clp_value total, uint items, local clp_value *exchange) {
    local clp_value *const lane = exchange + clp_team_number() * CLP_FOLDED;
    lane[clp_team_lane()] = total;
    return clp_fold_shared(lane, items);
}
#elif !CLP_TEAM_SHUFFLES
CLP_INLINE clp_value clp_team_fold(clp_value *value, uint real, local clp_value *exchange) {
    local clp_value *const lane = exchange + clp_team_number() * CLP_FOLDED;
#pragma unroll
    for (uint k = 0; k < CLP_OWN; k++) {
        lane[k / CLP_LANE_VEC * CLP_STRIDE + clp_team_lane() * CLP_LANE_VEC + k % CLP_LANE_VEC] =
            value[k];
    }
    return clp_fold_shared(lane, real);
}
#elif CLP_COMMUTATIVE
/* Combines the lanes below `real` at distances from half the lanes down to 1: first a work-item's
 * own chunks, then lanes of other work-items, then a vector's own. */
CLP_INLINE clp_value clp_team_fold(clp_value *value, uint real, local clp_value *exchange) {
    const uint t = clp_team_lane();
#pragma unroll
    for (uint h = CLP_CHUNKS / 2; h > 0; h /= 2) {
#pragma unroll
        for (uint k = 0; k < h * CLP_LANE_VEC; k++) {
            const uint lane = k / CLP_LANE_VEC * CLP_STRIDE + t * CLP_LANE_VEC + k % CLP_LANE_VEC;
            if (lane + h * CLP_STRIDE < real) {
                value[k] = clp_combine_values(value[k], value[k + h * CLP_LANE_VEC]);
            }
        }
    }
/* Writes the caller's `value`; a macro as CLP_SCAN_STEP is. */
#define CLP_LANES_STEP(d)                                                                          \
    for (uint j = 0; j < CLP_LANE_VEC; j++) {                                                      \
        const clp_value above = clp_from_above(value[j], d);                                       \
        if (t < d && (t + d) * CLP_LANE_VEC + j < real)                                            \
            value[j] = clp_combine_values(value[j], above);                                        \
    }
    CLP_LANES_STEP(16)
    CLP_LANES_STEP(8)
    CLP_LANES_STEP(4)
    CLP_LANES_STEP(2)
    CLP_LANES_STEP(1)
#pragma unroll
    for (uint h = CLP_LANE_VEC / 2; h > 0; h /= 2) {
#pragma unroll
        for (uint j = 0; j < h; j++) {
            if (t * CLP_LANE_VEC + j + h < real)
                value[j] = clp_combine_values(value[j], value[j + h]);
        }
    }
    return value[0];
}
#else
/* Combines the lanes below `real` in their order, from neighbours up to half the lanes apart. */
CLP_INLINE clp_value clp_team_fold(clp_value *value, uint real, local clp_value *exchange) {
    const uint t = clp_team_lane();
#pragma unroll
    for (uint c = 0; c < CLP_CHUNKS; c++) {
        const uint first = c * CLP_STRIDE + t * CLP_LANE_VEC;
        clp_value *const own = value + c * CLP_LANE_VEC;
#pragma unroll
        for (uint h = 1; h < CLP_LANE_VEC; h *= 2) {
#pragma unroll
            for (uint j = 0; j + h < CLP_LANE_VEC; j += 2 * h) {
                if (first + j + h < real) own[j] = clp_combine_values(own[j], own[j + h]);
            }
        }
#pragma unroll
        for (uint d = 1; d < CLP_BLOCK_ITEMS; d *= 2) {
            const clp_value above = clp_from_above(own[0], d);
            if (t % (2 * d) == 0 && first + d * CLP_LANE_VEC < real) {
                own[0] = clp_combine_values(own[0], above);
            }
        }
    }
#pragma unroll
    for (uint h = 1; h < CLP_CHUNKS; h *= 2) {
#pragma unroll
        for (uint c = 0; c + h < CLP_CHUNKS; c += 2 * h) {
            if ((c + h) * CLP_STRIDE < real) {
                value[c * CLP_LANE_VEC] =
                    clp_combine_values(value[c * CLP_LANE_VEC], value[(c + h) * CLP_LANE_VEC]);
            }
        }
    }
    return value[0];
}
#endif
