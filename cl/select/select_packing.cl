/* SPDX-License-Identifier: MIT */
/*
 * Byte packing: selection of elements of 1 and 2 bytes. A lane's kept elements are packed into
 * words in registers, by byte permutes from a table, and stored to local memory as words.
 */
#define CLP_PACKS_BYTES(k) (CLP_HAS_PERMUTES && !CLP_PARTITION && CLP_VEC * CLP_T##k##_BYTES == 16)

/* Whether scanners wait for the prefix before they pack, so as to pack to where 16 bytes of the
 * output begin. */
#define CLP_PREFIX_FIRST (CLP_HAS_PERMUTES && CLP_VALUES && !CLP_PARTITION)

#if CLP_HAS_PERMUTES
/* ---- The permute table ---- */

#define CLP_PERMUTE_BYTES (8 / CLP_PERMUTE_ELEMENTS)
#define CLP_PERMUTE_MASK ((1u << CLP_PERMUTE_ELEMENTS) - 1)

/* The bytes of the kept ones among 8, in order, as clp_choose_bytes takes them: four from bit 0
 * and four from bit 16 on. */
static inline uint clp_permute_of(uint mask) {
    uint permute = 0, next = 0;
    for (uint b = 0; b < 8; b++) {
        if ((mask >> b / CLP_PERMUTE_BYTES & 1) == 0) continue;
        permute |= b << next;
        next += 4;
    }
    return permute;
}

static inline void clp_fill_permutes(local uint *permutes) {
    for (uint m = (uint)get_local_id(0); m <= CLP_PERMUTE_MASK; m += CLP_GROUP) {
        permutes[m] = clp_permute_of(m);
    }
}

/* ---- Packing ---- */

/* A lane's packed bytes so far, which end at bit `end` of the part. */
typedef struct clp_packer {
    local uint *part;
    uint end;
    uint unit; /* 1 << end % 32 */
    uint word; /* the last word as far as it is known, with zeros elsewhere */
} clp_packer;

static inline clp_packer clp_packer_at(local uint *part, uint end) {
    const clp_packer packer = {part, end, clp_shift_pair(0, 1, end), 0};
    return packer;
}

/* Appends the kept ones of 8 bytes of elements, and stores the words that are complete. What stands
 * behind the kept ones is cut off by the next unit. */
static inline void clp_append(clp_packer *packer, uint low, uint high, uint mask) {
    const uint first = low * packer->unit + packer->word;
    const uint second = clp_shift_pair(low, high, packer->end);
    const uint third = clp_shift_pair(high, 0, packer->end);
    const uint end = packer->end + popcount(mask) * (8 * CLP_PERMUTE_BYTES);
    const uint complete = end / 32 - packer->end / 32;
    local uint *to = packer->part + packer->end / 32;
    if (complete > 0) to[0] = first;
    if (complete > 1) to[1] = second;
    const uint rest = complete > 1 ? third : complete > 0 ? second : first;
    packer->end = end;
    packer->unit = clp_shift_pair(0, 1, end);
    packer->word = rest & (packer->unit - 1);
}

/* Words that several lanes share: the lane that completes a word has stored it, with zeros for the
 * others, or the last lane if none completes it; the others add theirs. */
static inline void clp_end_packing(const clp_packer *packer) {
    const bool is_last = clp_lane() == CLP_SUBGROUP - 1;
    local uint *to = packer->part + packer->end / 32;
    if (is_last && packer->unit > 1) *to = packer->word;
    clp_subgroup_barrier(); /* words stored above, completed below */
    if (!is_last && packer->word != 0) atomic_or((volatile local uint *)to, packer->word);
}

/* Kept elements side by side from byte `from` of the part on, whose chunks are all there. */
static inline void clp_compact_packed(local uint4 *part, const local clp_note *notes,
                                      const local uint *permutes, uint from) {
    const uint lane = clp_lane();
    uint4 chunk[CLP_ROWS];
    uint note[CLP_ROWS];
#define CLP_FIRST_MASK(r) (note[r] & CLP_PERMUTE_MASK)
#define CLP_SECOND_MASK(r) (note[r] >> CLP_PERMUTE_ELEMENTS & CLP_PERMUTE_MASK)
#define CLP_TAKE_CHUNK(r) chunk[r] = part[lane * CLP_ROWS + (r)];
#define CLP_TAKE_NOTE(r) note[r] = notes[(r)*CLP_SUBGROUP];
#define CLP_PERMUTE_CHUNK(r)                                                                       \
    {                                                                                              \
        const uint one = permutes[CLP_FIRST_MASK(r)], two = permutes[CLP_SECOND_MASK(r)];          \
        const uint4 x = chunk[r];                                                                  \
        chunk[r].x = clp_choose_bytes(x.x, x.y, one);                                              \
        chunk[r].y = clp_choose_bytes(x.x, x.y, one >> 16);                                        \
        chunk[r].z = clp_choose_bytes(x.z, x.w, two);                                              \
        chunk[r].w = clp_choose_bytes(x.z, x.w, two >> 16);                                        \
    }
    CLP_EACH_ROW(CLP_TAKE_CHUNK)
    CLP_EACH_ROW(CLP_TAKE_NOTE)
    CLP_EACH_ROW(CLP_PERMUTE_CHUNK)
    clp_subgroup_barrier(); /* the part is read above, overwritten below */
    const uint before = (note[0] >> CLP_NOTE_SHIFT) * CLP_PERMUTE_BYTES;
    clp_packer packer = clp_packer_at((local uint *)part, 8 * (from + before));
#define CLP_APPEND_CHUNK(r)                                                                        \
    clp_append(&packer, chunk[r].x, chunk[r].y, CLP_FIRST_MASK(r));                                \
    clp_append(&packer, chunk[r].z, chunk[r].w, CLP_SECOND_MASK(r));
    CLP_EACH_ROW(CLP_APPEND_CHUNK)
    clp_end_packing(&packer);
}
#endif
