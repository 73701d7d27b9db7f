/* SPDX-License-Identifier: MIT */
/*
 * Radix sort, least significant digit first (Satish, Harris, Garland, "Designing efficient sorting
 * algorithms for manycore GPUs", 2009). Each pass sorts by one digit, and is stable: keys with the
 * same digit stay in the order in which the passes before have put them. After the last pass, that
 * of the most significant digit, the keys are in order.
 *
 * One kernel counts the digits of all passes in one reading. From the counts follows where the keys
 * of each digit begin (`bases`), and which passes have something to do: live[p] is 0 if all keys
 * have the same digit in pass p, which then does nothing. The host knows nothing of this, as it
 * never waits: every kernel computes from `live` where its pass reads and writes (clp_role), so
 * that the last pass that does something writes the output.
 *
 * Three ways to do a pass: by tiles, one launch each to count, scan and scatter (sort_tile.cl, any
 * GPU); by parts, one for each core of a CPU (sort_serial.cl); in one launch with look-back
 * (sort_onesweep.cl).
 *
 * Arrays: the keys, and CLP_EACH_VALUE: payloads, then the indices, which the first pass makes. A
 * macro with (k) at its end takes the number of an array of arguments and names the kernel's
 * parameters in##k, out##k, ...; the arrays have different types, so that no function could take
 * them.
 */
/* ---- Number of keys ---- */

/* Of a kernel: the number that the host said, or where it stands; none if that is too many. The
 * first kernel of a run reports it. */
#define CLP_N_PARAMETERS ulong most CLP_COUNT_PARAMETERS
#define CLP_N_REPORT_PARAMETERS CLP_N_PARAMETERS, global clp_report *report, ulong report_first
#define CLP_N clp_keys_of(most, counted, counted_first, 0)
#define CLP_N_REPORTED                                                                             \
    clp_keys_of(most, counted, counted_first, report != 0 ? report + report_first : report)

CLP_INLINE ulong clp_keys_of(ulong most, const global ulong *counted, ulong counted_first,
                             global clp_report *report) {
    const ulong n = clp_read_count(most, counted, counted_first, report);
    return n == CLP_REFUSED ? 0 : n;
}

/* ---- Digits ---- */

/* The digit of a pass; the last pass may have fewer bits. */
CLP_INLINE uint clp_digit_of_ordered(CLP_K ordered, uint pass) {
    const uint shift = CLP_BEGIN_BIT + pass * CLP_BITS;
    const uint bits = min((uint)CLP_BITS, (uint)CLP_END_BIT - shift);
    const uint digit = (uint)(ordered >> shift) & ((1u << bits) - 1);
    CLP_ASSERT(digit < CLP_DIGITS);
    return digit;
}

CLP_INLINE uint clp_digit(CLP_K key, uint pass) {
    return clp_digit_of_ordered(clp_ordered(key), pass);
}

/* ---- Passes ---- */

/* Where a pass reads and writes: the input, the output, or the plan's spare copy. */
#define CLP_IN 0
#define CLP_OUT 1
#define CLP_SPARE 2
typedef struct clp_role {
    bool runs;
    bool is_last;
    uint from, to;
} clp_role;

/* Bit p is set if keys differ in the digit of pass p. */
CLP_INLINE ulong clp_live_passes(const global uint *live) {
    ulong mask = 0;
    for (uint pass = 0; pass < CLP_PASSES; pass++) {
        if (live[pass] != 0) mask |= 1ul << pass;
    }
    return mask;
}

/* The role of a pass that some bit of the mask stands for. In place the first of the passes writes
 * to the spare copy, as its input must stay whole until it is read, and an odd number of passes
 * leaves the keys there (clp_copy_role). Otherwise output and spare copy take turns backwards from
 * the last pass, which writes the output. */
static inline clp_role clp_role_of(ulong mask, uint pass, uint in_place) {
    const uint count = (uint)popcount(mask);
    const uint before = (uint)popcount(mask & ((1ul << pass) - 1));
    const uint after = count - before - 1;
    clp_role role;
    role.runs = (mask >> pass & 1) != 0;
    role.is_last = after == 0;
    role.to = (in_place != 0 ? before + 1 : after) % 2 == 0 ? CLP_OUT : CLP_SPARE;
    role.from = before == 0 ? CLP_IN : role.to == CLP_OUT ? CLP_SPARE : CLP_OUT;
    return role;
}

/* What is left to copy behind all passes. */
static inline clp_role clp_copy_role(ulong mask, uint in_place) {
    const bool is_spare = in_place != 0 && popcount(mask) % 2 == 1;
    clp_role role;
    role.runs = mask == 0 || is_spare;
    role.is_last = true;
    role.from = is_spare ? CLP_SPARE : CLP_IN;
    role.to = CLP_OUT;
    return role;
}

/* ---- Arrays ---- */

/* Lists, declarations and steps for each value are macros, here and in the room's other files: the
 * number of the values and their types differ by program, and k is a part of their names. */
#define CLP_VALUE_PARAMETERS(k)                                                                    \
    , const global CLP_VALUE##k##_TYPE *in##k, ulong in_first##k,                                  \
        global CLP_VALUE##k##_TYPE *out##k, ulong out_first##k,                                    \
        global CLP_VALUE##k##_TYPE *spare##k
#define CLP_ARRAY_PARAMETERS                                                                       \
    const global CLP_K *keys_in, ulong keys_in_first, global CLP_K *keys_out,                      \
        ulong keys_out_first, global CLP_K *keys_spare CLP_EACH_VALUE(CLP_VALUE_PARAMETERS)

/* A macro because it chooses among arrays of any type. */
#define CLP_CHOOSE(place, in, in_first, out, out_first, spare)                                     \
    ((place) == CLP_IN ? (in) + (in_first) : (place) == CLP_OUT ? (out) + (out_first) : (spare))

/* CLP_MOVES declares from and to of the keys and of each value for the caller's `role`; makes:
 * whether the indices are still to be made; keeps: whether the pass's keys are wanted. */
#define CLP_VALUE_MOVES(k)                                                                         \
    const global CLP_VALUE##k##_TYPE *from##k =                                                    \
        CLP_CHOOSE(role.from, in##k, in_first##k, out##k, out_first##k, spare##k);                 \
    global CLP_VALUE##k##_TYPE *to##k = role.to == CLP_OUT ? out##k + out_first##k : spare##k;
#define CLP_MOVES                                                                                  \
    const global CLP_K *from =                                                                     \
        CLP_CHOOSE(role.from, keys_in, keys_in_first, keys_out, keys_out_first, keys_spare);       \
    global CLP_K *to = role.to == CLP_OUT ? keys_out + keys_out_first : keys_spare;                \
    const bool makes = role.from == CLP_IN;                                                        \
    const bool keeps = !(CLP_NO_KEYS && role.is_last);                                             \
    CLP_EACH_VALUE(CLP_VALUE_MOVES)

/* Element i of value k, from and to where CLP_MOVES says. */
#define CLP_VALUE_COPY(k) to##k[i] = CLP_VALUE##k##_AT(from##k, makes, i);
