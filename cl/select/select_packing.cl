/* SPDX-License-Identifier: MIT */
/*
 * Byte packing: the compaction of elements of 1 and 2 bytes by look-ahead. A lane packs its kept
 * elements into words in registers, by byte permutes from a table, and stores words. A store for
 * each byte would cost one instruction an element.
 *
 * Local memory: the permute table, which all work-items fill before the roles begin, and the
 * scanner's part of the stage, packed in place. The lanes of a sub-group share words at the borders
 * of their parts (clp_end_packing). No work-group waits for another here.
 */
#define CLP_PACKS_BYTES(k) (CLP_HAS_PERMUTES && !CLP_PARTITION && CLP_VEC * CLP_T##k##_BYTES == 16)

/* Whether scanners wait for the prefix before they pack. They then pack to the position that the
 * elements have within 16 bytes of the output, and clp_copy_chunks can store whole vectors. */
#define CLP_PREFIX_FIRST (CLP_HAS_PERMUTES && CLP_VALUES && !CLP_PARTITION)

#if CLP_HAS_PERMUTES
/* ---- The permute table ---- */

#define CLP_PERMUTE_BYTES (8 / CLP_PERMUTE_ELEMENTS)
#define CLP_PERMUTE_MASK ((1u << CLP_PERMUTE_ELEMENTS) - 1)

/* The numbers of the kept bytes among 8, in order, in 4 bits each. clp_choose_bytes takes four of
 * them: from bit 0 on for the low word, from bit 16 on for the high word. */
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

/* A lane's packed bytes; they end at bit `end` of the part. */
typedef struct clp_packer {
    local uint *part;
    uint end;
    uint unit; /* 1 << end % 32: the factor that shifts bytes to `end` */
    uint word; /* the last, incomplete word, with zeros from `end` on and before the lane's part */
} clp_packer;

static inline clp_packer clp_packer_at(local uint *part, uint end) {
    const clp_packer packer = {part, end, clp_shift_pair(0, 1, end), 0};
    return packer;
}

/* Appends the kept elements of 8 bytes, and stores the words that are complete. low and high: the
 * kept bytes; bytes behind them are arbitrary, and `unit - 1` cuts them off at the end. */
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

/* Completes the words that several lanes share. The lane that completes a word has stored it, with
 * zeros for the other lanes' bytes. The last lane stores a word that no lane completes. Every other
 * lane then adds its bytes. */
static inline void clp_end_packing(const clp_packer *packer) {
    const bool is_last = clp_lane() == CLP_SUBGROUP - 1;
    local uint *to = packer->part + packer->end / 32;
    if (is_last && packer->unit > 1) *to = packer->word;
    clp_subgroup_barrier(); /* words stored above, completed below */
    if (!is_last && packer->word != 0) atomic_or((volatile local uint *)to, packer->word);
}

/* The kept elements of a chunk's 8 bytes from byte 8 * which on. */
static inline uint clp_half_mask(uint note, uint which) {
    return note >> which * CLP_PERMUTE_ELEMENTS & CLP_PERMUTE_MASK;
}

/* Packs the kept elements of the part side by side, from byte `from` of the part on. The part's
 * chunks must begin at multiples of 16 bytes. Chunks past the tile's end are read too, but their
 * notes keep no element. */
static inline void clp_compact_packed(local uint4 *part, const local clp_note *notes,
                                      const local uint *permutes, uint from) {
    const uint lane = clp_lane();
    uint4 chunk[CLP_ROWS];
    uint note[CLP_ROWS];
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) chunk[r] = part[lane * CLP_ROWS + r];
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) note[r] = notes[r * CLP_SUBGROUP];
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        const uint one = permutes[clp_half_mask(note[r], 0)],
                   two = permutes[clp_half_mask(note[r], 1)];
        const uint4 x = chunk[r];
        chunk[r].x = clp_choose_bytes(x.x, x.y, one);
        chunk[r].y = clp_choose_bytes(x.x, x.y, one >> 16);
        chunk[r].z = clp_choose_bytes(x.z, x.w, two);
        chunk[r].w = clp_choose_bytes(x.z, x.w, two >> 16);
    }
    clp_subgroup_barrier(); /* the part is read above, overwritten below */
    const uint before = (note[0] >> CLP_NOTE_SHIFT) * CLP_PERMUTE_BYTES;
    clp_packer packer = clp_packer_at((local uint *)part, 8 * (from + before));
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        clp_append(&packer, chunk[r].x, chunk[r].y, clp_half_mask(note[r], 0));
        clp_append(&packer, chunk[r].z, chunk[r].w, clp_half_mask(note[r], 1));
    }
    clp_end_packing(&packer);
}
#endif
