/* SPDX-License-Identifier: MIT */
/*
 * A pass on a CPU: each work-item, one a core, has a part of the keys, and there are no barriers.
 * Keys of one digit are gathered in a line of CLP_LINE keys, in memory that stays in the core's
 * cache, and a full line is written at once (Satish, Kim, Chhugani, Nguyen, Lee, Kim, Dubey, "Fast
 * sort on CPUs and GPUs", 2010): 256 digits written key by key would need more pages and cache
 * lines than a core can hold open. Lines begin at multiples of a cache line of the output, which
 * streaming stores need.
 */
typedef struct clp_part {
    ulong first, end;
} clp_part;

static inline clp_part clp_part_of(ulong n, ulong part, ulong parts) {
    const ulong size = (n + parts - 1) / parts;
    clp_part range;
    range.first = min(n, part * size);
    range.end = min(n, range.first + size);
    return range;
}

/* Counts the digits of all passes, of few keys. counts: CLP_PASSES * CLP_DIGITS. */
CLP_INLINE void clp_count_all(const global CLP_K *keys, clp_part part, CLP_COUNT *counts) {
    for (uint i = 0; i < CLP_PASSES * CLP_DIGITS; i++) counts[i] = 0;
    for (ulong i = part.first; i < part.end; i++) {
        const CLP_K key = keys[i];
        CLP_UNROLL
        for (uint pass = 0; pass < CLP_PASSES; pass++) {
            counts[pass * CLP_DIGITS + clp_digit(key, pass)]++;
        }
    }
}

/* In a part's word of passes: some key is less than the key before it. */
#define CLP_FALLS (1u << 31)

/* The first pass's digits per part, as digits[part][digit]; behind them, per part, the passes whose
 * digits differ from the first key's, and CLP_FALLS. */
CLP_KERNEL(1)
void clp_sort_digits(const global CLP_K *keys, ulong keys_first, CLP_N_REPORT_PARAMETERS,
                     ulong parts, global CLP_COUNT *digits) {
    const ulong n = CLP_N_REPORTED, number = get_global_id(0);
    const clp_part part = clp_part_of(n, number, parts);
    const CLP_K first = n > 0 ? clp_ordered(keys[keys_first]) : 0;
    CLP_COUNT counts[CLP_DIGITS];
    CLP_K differs = 0;
    CLP_K before = part.first > 0 ? clp_compared(keys[keys_first + part.first - 1]) : 0;
    bool falls = false;
    for (uint d = 0; d < CLP_DIGITS; d++) counts[d] = 0;
    for (ulong i = part.first; i < part.end; i++) {
        const CLP_K key = keys[keys_first + i], compared = clp_compared(key);
        counts[clp_digit(key, 0)]++;
        differs |= clp_ordered(key) ^ first;
        falls |= compared < before;
        before = compared;
    }
    for (uint d = 0; d < CLP_DIGITS; d++) digits[number * CLP_DIGITS + d] = counts[d];
    uint mask = falls ? CLP_FALLS : 0;
    for (uint pass = 0; pass < CLP_PASSES; pass++) {
        if (clp_digit_of_ordered(differs, pass) != 0) mask |= 1u << pass;
    }
    digits[parts * CLP_DIGITS + number] = mask;
}

/* By one work-item. digits: of clp_sort_digits. Keys that are in order already need no pass. */
CLP_KERNEL(1)
void clp_sort_live(const global CLP_COUNT *digits, ulong parts, global uint *live) {
    uint mask = 0;
    for (ulong p = 0; p < parts; p++) mask |= (uint)digits[parts * CLP_DIGITS + p];
    for (uint pass = 0; pass < CLP_PASSES; pass++) {
        live[pass] = (mask & CLP_FALLS) != 0 ? mask >> pass & 1 : 0;
    }
}

/* The digits of one pass per part, as counts[part][digit]. */
CLP_KERNEL(1)
void clp_sort_count(const global CLP_K *keys_in, ulong keys_in_first, const global CLP_K *keys_out,
                    ulong keys_out_first, const global CLP_K *keys_spare, CLP_N_PARAMETERS,
                    uint pass, uint in_place, const global uint *live,
                    const global CLP_COUNT *digits, global CLP_COUNT *counts, ulong parts) {
    const ulong n = CLP_N;
    const clp_role role = clp_role_of(clp_live_passes(live), pass, in_place);
    if (!role.runs) return;
    const ulong number = get_global_id(0);
    global CLP_COUNT *own = counts + number * CLP_DIGITS;
    CLP_COUNT found[CLP_DIGITS];
    if (pass == 0) {
        for (uint d = 0; d < CLP_DIGITS; d++) own[d] = digits[number * CLP_DIGITS + d];
        return;
    }
    const global CLP_K *from =
        CLP_CHOOSE(role.from, keys_in, keys_in_first, keys_out, keys_out_first, keys_spare);
    const clp_part part = clp_part_of(n, number, parts);
    for (uint d = 0; d < CLP_DIGITS; d++) found[d] = 0;
    for (ulong i = part.first; i < part.end; i++) found[clp_digit(from[i], pass)]++;
    for (uint d = 0; d < CLP_DIGITS; d++) own[d] = found[d];
}

/* ---- Scatter ---- */

/* A store that leaves the caches alone: Clang's, since OpenCL C has none. */
CLP_INLINE void clp_stream(ulong8 value, global ulong8 *to) {
#if defined(__clang__)
    __builtin_nontemporal_store(value, to);
#else
    *to = value;
#endif
}

#define CLP_CACHE_LINE 64
#define CLP_ALIGNED __attribute__((aligned(CLP_CACHE_LINE)))

/* A full line to its place; the line is aligned. */
CLP_INLINE void clp_write_line(global uchar *to, const uchar *line, uint bytes, bool streams) {
    if (streams && bytes % CLP_CACHE_LINE == 0 && (size_t)to % CLP_CACHE_LINE == 0) {
        for (uint at = 0; at < bytes; at += CLP_CACHE_LINE) {
            clp_stream(*(const ulong8 *)(line + at), (global ulong8 *)(to + at));
        }
    } else {
        for (uint at = 0; at < bytes; at++) to[at] = line[at];
    }
}

/* Where a place of the output is in its digit's line. skew: what makes full lines of keys begin at
 * multiples of a line in memory. */
CLP_INLINE uint clp_in_line(CLP_COUNT place, uint skew) {
    return ((uint)place + skew) & (CLP_LINE - 1);
}

#define CLP_VALUE_LINES(k) CLP_VALUE##k##_TYPE lines##k[CLP_DIGITS * CLP_LINE] CLP_ALIGNED;
#define CLP_VALUE_TO_LINE(k) lines##k[slot] = CLP_VALUE##k##_AT(from##k, makes, i);
#define CLP_VALUE_FROM_LINE(k)                                                                     \
    for (CLP_COUNT p = low; p < high; p++) to##k[p] = lines##k[line + clp_in_line(p, skew)];
#define CLP_VALUE_FROM_FULL_LINE(k)                                                                \
    clp_write_line((global uchar *)(to##k + low), (const uchar *)(lines##k + line),                \
                   CLP_LINE * sizeof(CLP_VALUE##k##_TYPE), streams);

/* Writes what the digit's line holds below place `end`. A macro, as it names the caller's lines of
 * each value. */
#define CLP_EMPTY_LINE(digit, end)                                                                 \
    do {                                                                                           \
        const uint line = (digit)*CLP_LINE;                                                        \
        const CLP_COUNT high = (end);                                                              \
        const CLP_COUNT held = clp_in_line(high - 1, skew) + 1, since = high - start[digit];       \
        const CLP_COUNT low = high - min(held, since);                                             \
        if (high - low == CLP_LINE) {                                                              \
            if (keeps) {                                                                           \
                clp_write_line((global uchar *)(to + low), (const uchar *)(lines + line),          \
                               CLP_LINE *CLP_K_BYTES, streams);                                    \
            }                                                                                      \
            CLP_EACH_VALUE(CLP_VALUE_FROM_FULL_LINE)                                               \
        } else {                                                                                   \
            for (CLP_COUNT p = low; keeps && p < high; p++)                                        \
                to[p] = lines[line + clp_in_line(p, skew)];                                        \
            CLP_EACH_VALUE(CLP_VALUE_FROM_LINE)                                                    \
        }                                                                                          \
    } while (0)

/* Where the part's keys of each digit begin, behind the keys of lower digits and of lower parts;
 * at: the same. */
CLP_INLINE void clp_start_digits(const global CLP_COUNT *counts, ulong number, ulong parts,
                                 CLP_COUNT *start, CLP_COUNT *at) {
    CLP_COUNT before = 0;
    for (uint d = 0; d < CLP_DIGITS; d++) start[d] = at[d] = 0;
    for (ulong p = 0; p < parts; p++) {
        const global CLP_COUNT *part = counts + p * CLP_DIGITS;
        for (uint d = 0; d < CLP_DIGITS; d++) at[d] += part[d];
        for (uint d = 0; p < number && d < CLP_DIGITS; d++) start[d] += part[d];
    }
    for (uint d = 0; d < CLP_DIGITS; d++) {
        const CLP_COUNT count = at[d];
        start[d] += before;
        at[d] = start[d];
        before += count;
    }
}

CLP_KERNEL(1)
void clp_sort_scatter(CLP_ARRAY_PARAMETERS, CLP_N_PARAMETERS, uint pass, uint in_place,
                      const global uint *live, const global CLP_COUNT *counts, ulong parts) {
    const ulong n = CLP_N;
    const clp_role role = clp_role_of(clp_live_passes(live), pass, in_place);
    if (!role.runs) return;
    const ulong number = get_global_id(0);
    const clp_part part = clp_part_of(n, number, parts);
    CLP_COUNT start[CLP_DIGITS], at[CLP_DIGITS];
    CLP_K lines[CLP_DIGITS * CLP_LINE] CLP_ALIGNED;
    CLP_EACH_VALUE(CLP_VALUE_LINES)
    CLP_MOVES
    const uint skew = (uint)((size_t)to / CLP_K_BYTES);
    const bool streams = n >= CLP_STREAM_N;
    clp_start_digits(counts, number, parts, start, at);
    for (ulong i = part.first; i < part.end; i++) {
        const CLP_K key = from[i];
        const uint digit = clp_digit(key, pass);
        const CLP_COUNT place = at[digit]++;
        const uint slot = digit * CLP_LINE + clp_in_line(place, skew);
        CLP_ASSERT(place < n);
        lines[slot] = key;
        CLP_EACH_VALUE(CLP_VALUE_TO_LINE)
        if (clp_in_line(place, skew) == CLP_LINE - 1) CLP_EMPTY_LINE(digit, place + 1);
    }
    for (uint d = 0; d < CLP_DIGITS; d++) {
        if (at[d] > start[d] && clp_in_line(at[d], skew) != 0) CLP_EMPTY_LINE(d, at[d]);
    }
}

/* ---- Few keys ---- */

#define CLP_VALUE_TO_PLACE(k) to##k[place] = CLP_VALUE##k##_AT(from##k, makes, i);

/* The counts of a pass become places; false where one digit has all keys. */
CLP_INLINE bool clp_scan_counts(CLP_COUNT *counts, CLP_COUNT n) {
    CLP_COUNT at = 0;
    bool alike = false;
    for (uint d = 0; d < CLP_DIGITS; d++) {
        const CLP_COUNT count = counts[d];
        alike |= count == n;
        counts[d] = at;
        at += count;
    }
    return !alike;
}

/* A whole run by one work-item. */
CLP_KERNEL(1)
void clp_sort_single(CLP_ARRAY_PARAMETERS, CLP_N_REPORT_PARAMETERS, uint in_place) {
    const ulong n = CLP_N_REPORTED;
    CLP_COUNT counts[CLP_PASSES * CLP_DIGITS];
    clp_part all;
    all.first = 0;
    all.end = n;
    clp_count_all(keys_in + keys_in_first, all, counts);
    ulong mask = 0;
    for (uint pass = 0; pass < CLP_PASSES; pass++) {
        if (clp_scan_counts(counts + pass * CLP_DIGITS, (CLP_COUNT)n)) mask |= 1ul << pass;
    }
    for (uint pass = 0; pass < CLP_PASSES; pass++) {
        const clp_role role = clp_role_of(mask, pass, in_place);
        if (!role.runs) continue;
        CLP_MOVES
        CLP_COUNT *at = counts + pass * CLP_DIGITS;
        for (ulong i = 0; i < n; i++) {
            const CLP_K key = from[i];
            const CLP_COUNT place = at[clp_digit(key, pass)]++;
            CLP_ASSERT(place < n);
            if (keeps) to[place] = key;
            CLP_EACH_VALUE(CLP_VALUE_TO_PLACE)
        }
    }
    const clp_role role = clp_copy_role(mask, in_place);
    if (!role.runs) return;
    CLP_MOVES
    for (ulong i = 0; i < n; i++) {
        const ulong place = i;
        if (keeps) to[i] = from[i];
        CLP_EACH_VALUE(CLP_VALUE_TO_PLACE)
    }
}

CLP_KERNEL(1)
void clp_sort_copy(CLP_ARRAY_PARAMETERS, CLP_N_PARAMETERS, uint in_place, const global uint *live) {
    const ulong n = CLP_N;
    const clp_role role = clp_copy_role(clp_live_passes(live), in_place);
    if (!role.runs) return;
    const clp_part part = clp_part_of(n, get_global_id(0), get_global_size(0));
    CLP_MOVES
    for (ulong i = part.first; i < part.end; i++) {
        const ulong place = i;
        if (keeps) to[i] = from[i];
        CLP_EACH_VALUE(CLP_VALUE_TO_PLACE)
    }
}
