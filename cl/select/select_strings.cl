/* SPDX-License-Identifier: MIT */
/*
 * Selection of elements of 1 and 2 bytes: what a lane keeps of its rows, which stand side by side,
 * is one string of bytes. It is put together in a register and goes to local memory as words.
 */
#define CLP_MAKES_STRINGS(k) (CLP_HAS_PICKS && !CLP_PARTITION && CLP_VEC * CLP_T##k##_BYTES == 16)

#if CLP_HAS_PICKS
/* ---- Picks ---- */

#define CLP_PICK_BYTES (8 / CLP_PICK_ELEMENTS)
#define CLP_PICK_MASK ((1u << CLP_PICK_ELEMENTS) - 1)

/* The bytes of the kept ones among 8, in order, as clp_choose_bytes takes them: four from bit 0
 * and four from bit 16 on. */
static inline uint clp_pick_of(uint mask) {
    uint pick = 0, next = 0;
    for (uint b = 0; b < 8; b++) {
        if ((mask >> b / CLP_PICK_BYTES & 1) == 0) continue;
        pick |= b << next;
        next += 4;
    }
    return pick;
}

static inline void clp_fill_picks(local uint *picks) {
    for (uint m = (uint)get_local_id(0); m <= CLP_PICK_MASK; m += CLP_GROUP) {
        picks[m] = clp_pick_of(m);
    }
}

/* ---- Strings ---- */

/* A lane's string so far, which ends at bit `end` of the part. */
typedef struct clp_string {
    local uint *part;
    uint end;
    uint unit; /* 1 << end % 32 */
    uint word; /* the last word as far as it is known, with zeros elsewhere */
} clp_string;

static inline clp_string clp_string_at(local uint *part, uint end) {
    const clp_string string = {part, end, clp_shift_pair(0, 1, end), 0};
    return string;
}

/* Appends the kept ones of 8 bytes of elements, and stores the words that are complete. What stands
 * behind the kept ones is cut off by the next unit. */
static inline void clp_append(clp_string *string, uint low, uint high, uint mask) {
    const uint first = low * string->unit + string->word;
    const uint second = clp_shift_pair(low, high, string->end);
    const uint third = clp_shift_pair(high, 0, string->end);
    const uint end = string->end + popcount(mask) * (8 * CLP_PICK_BYTES);
    const uint complete = end / 32 - string->end / 32;
    local uint *to = string->part + string->end / 32;
    if (complete > 0) to[0] = first;
    if (complete > 1) to[1] = second;
    const uint rest = complete > 1 ? third : complete > 0 ? second : first;
    string->end = end;
    string->unit = clp_shift_pair(0, 1, end);
    string->word = rest & (string->unit - 1);
}

/* Words that several strings share: the one that completes it has stored it, with zeros for the
 * others, or the last lane if none completes it; the others add theirs. */
static inline void clp_end_string(const clp_string *string) {
    const bool is_last = clp_lane() == CLP_SUBGROUP - 1;
    local uint *to = string->part + string->end / 32;
    if (is_last && string->unit > 1) *to = string->word;
    clp_subgroup_barrier(); /* words stored above, completed below */
    if (!is_last && string->word != 0) atomic_or((volatile local uint *)to, string->word);
}

/* Kept elements side by side at the start of the part, whose chunks are all there. */
static inline void clp_compact_strings(local uint4 *part, const local clp_note *notes,
                                       const local uint *picks) {
    const uint lane = clp_lane();
    uint4 chunk[CLP_ROWS];
    uint note[CLP_ROWS];
#define CLP_FIRST_MASK(r) (note[r] & CLP_PICK_MASK)
#define CLP_SECOND_MASK(r) (note[r] >> CLP_PICK_ELEMENTS & CLP_PICK_MASK)
#define CLP_TAKE_CHUNK(r) chunk[r] = part[lane * CLP_ROWS + (r)];
#define CLP_TAKE_NOTE(r) note[r] = notes[(r)*CLP_SUBGROUP];
#define CLP_PICK_CHUNK(r)                                                                          \
    {                                                                                              \
        const uint one = picks[CLP_FIRST_MASK(r)], two = picks[CLP_SECOND_MASK(r)];                \
        const uint4 x = chunk[r];                                                                  \
        chunk[r].x = clp_choose_bytes(x.x, x.y, one);                                              \
        chunk[r].y = clp_choose_bytes(x.x, x.y, one >> 16);                                        \
        chunk[r].z = clp_choose_bytes(x.z, x.w, two);                                              \
        chunk[r].w = clp_choose_bytes(x.z, x.w, two >> 16);                                        \
    }
    CLP_EACH_ROW(CLP_TAKE_CHUNK)
    CLP_EACH_ROW(CLP_TAKE_NOTE)
    CLP_EACH_ROW(CLP_PICK_CHUNK)
    clp_subgroup_barrier(); /* the part is read above, overwritten below */
    clp_string string =
        clp_string_at((local uint *)part, (note[0] >> CLP_NOTE_SHIFT) * (8 * CLP_PICK_BYTES));
#define CLP_APPEND_CHUNK(r)                                                                        \
    clp_append(&string, chunk[r].x, chunk[r].y, CLP_FIRST_MASK(r));                                \
    clp_append(&string, chunk[r].z, chunk[r].w, CLP_SECOND_MASK(r));
    CLP_EACH_ROW(CLP_APPEND_CHUNK)
    clp_end_string(&string);
}
#endif
