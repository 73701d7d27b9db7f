/* SPDX-License-Identifier: MIT */
/*
 * Selection (stream compaction): the running value, the inputs and outputs, and the rule that says
 * which elements are kept. Each of the room's kernels follows this file in a program.
 *
 * Selection is a scan of the number of kept elements. The exclusive prefix of a part is the
 * position in the output of the part's first kept element. As in CUB's AgentSelectIf, a work-group
 * first puts its kept elements side by side in local memory and then stores them, so that adjacent
 * lanes store adjacent elements.
 *
 *   select_lookahead.cl    persistent work-groups with roles; large arrays on NVIDIA GPUs
 *   select_single_wave.cl  all work-groups resident at once; small arrays on NVIDIA GPUs
 *   select_lookback.cl     one tile a work-group, by look-back or by levels
 *   select_serial.cl       one work-item a tile; for CPUs
 *
 * There are CLP_ARRAYS arrays, of the types clp_t0, clp_t1 and so on. One decision per index holds
 * for all of them. Run lengths also need the position of the last kept element, so there a value is
 * a pair.
 *
 * This file uses no local memory of its own. No work-group waits for another here.
 */
#if CLP_ARRAYS > 4
#error "select.cl: more than four input arrays"
#endif
#if CLP_BY_FLAGS + CLP_BY_BITS + CLP_BY_VALUE + CLP_BY_RUNS != 1
#error "select.cl: the prelude must set one of CLP_BY_FLAGS, _BITS, _VALUE and _RUNS"
#endif

/* ---- The running value ---- */

#if CLP_LENGTHS
typedef struct clp_heads {
    ulong count; /* the number of runs that begin */
    ulong behind; /* 1 + the index of the last run's first element; 0 if no run begins */
} clp_heads;

static inline CLP_A clp_kept(ulong count, ulong behind) {
    const CLP_A value = {count, behind};
    return value;
}

/* max finds the last run of both: indices of later parts are higher, and 0 means that there is
 * none. */
static inline CLP_A clp_op(CLP_A a, CLP_A b) {
    return clp_kept(a.count + b.count, max(a.behind, b.behind));
}

static inline ulong clp_count_of(CLP_A value) {
    return value.count;
}

static inline ulong clp_behind_of(CLP_A value) {
    return value.behind;
}
#else
static inline CLP_A clp_kept(ulong count, ulong behind) {
    return count;
}

static inline CLP_A clp_op(CLP_A a, CLP_A b) {
    return a + b;
}

static inline ulong clp_count_of(CLP_A value) {
    return value;
}

static inline ulong clp_behind_of(CLP_A value) {
    return 0;
}
#endif

static inline CLP_A clp_padding(void) {
    return clp_kept(0, 0);
}

/* ---- What is read and written ---- */

/* The number of kept elements. If a counted number of elements is refused, the report is greater
 * than any n. */
typedef ulong clp_report;

static inline void clp_report_count(global clp_report *report, ulong n, bool refused) {
    if (refused) *report = ~0ul;
}

/* The lists below are macros because the number of arrays and their types differ by program. */
#define CLP_ARRAY_PARAMETERS(k)                                                                    \
    const global clp_t##k *in##k, ulong in##k##_first, global clp_t##k *out##k,                    \
        ulong out##k##_first,
#define CLP_ARRAY_MEMBERS(k)                                                                       \
    const global clp_t##k *in##k;                                                                  \
    global clp_t##k *out##k;
#define CLP_SET_ARRAY(k)                                                                           \
    io.in##k = in##k + in##k##_first;                                                              \
    io.out##k = out##k + out##k##_first;

/* total: the number of kept elements of all n, which a partition needs to place its rejected
 * elements; not read otherwise. */
#define CLP_IO_PARAMETERS                                                                          \
    CLP_EACH_ARRAY(CLP_ARRAY_PARAMETERS)                                                           \
    const global uchar *flags, ulong flags_first, global CLP_INDEX *indices, ulong indices_first,  \
        global CLP_LENGTH *lengths, ulong lengths_first, global clp_report *result,                \
        ulong result_first, const global ulong *total, ulong room

typedef struct clp_io {
    CLP_EACH_ARRAY(CLP_ARRAY_MEMBERS)
    const global uchar *flags; /* bytes, or bits from bit `shift` of the first byte on */
    uint shift;
    global CLP_INDEX *indices;
    global CLP_LENGTH *lengths;
    global clp_report *result;
    ulong total;
    ulong room; /* the number of elements that each output can hold */
#ifdef CLP_USER_VALUES
    clp_user user;
#endif
} clp_io;

#ifdef CLP_USER_VALUES
#define CLP_SET_USER                                                                               \
    const clp_user user = {CLP_USER_VALUES};                                                       \
    io.user = user;
#else
#define CLP_SET_USER
#endif

/* A macro because it declares the caller's `io` and reads the kernel's parameters. */
#define CLP_SET_IO                                                                                 \
    clp_io io;                                                                                     \
    CLP_EACH_ARRAY(CLP_SET_ARRAY)                                                                  \
    io.flags = flags + (CLP_BY_BITS ? flags_first / 8 : flags_first);                              \
    io.shift = CLP_BY_BITS ? (uint)(flags_first % 8) : 0;                                          \
    io.indices = indices + indices_first;                                                          \
    io.lengths = lengths + lengths_first;                                                          \
    io.result = result + result_first;                                                             \
    io.total = CLP_PARTITION ? *total : 0;                                                         \
    io.room = room;                                                                                \
    CLP_SET_USER

/* ---- Which are kept ---- */

static inline bool clp_keeps(const clp_io *io, ulong i) {
#if CLP_BY_FLAGS
    return io->flags[i] != 0;
#elif CLP_BY_BITS
    return (io->flags[(i + io->shift) / 8] >> (i + io->shift) % 8 & 1) != 0;
#elif CLP_BY_VALUE
    return clp_keep(io->in0[i], i CLP_USER(io));
#else
    return i == 0 || !clp_same(io->in0[i - 1], io->in0[i] CLP_USER(io));
#endif
}

/* clp_keeps for i > 0, which saves runs the test of i. */
static inline bool clp_keeps_later(const clp_io *io, ulong i) {
#if CLP_BY_RUNS
    return !clp_same(io->in0[i - 1], io->in0[i] CLP_USER(io));
#else
    return clp_keeps(io, i);
#endif
}

/* ---- The ways out ---- */

/* The number of the `count` elements from output `at` on that have room. */
static inline uint clp_fitting(const clp_io *io, ulong at, uint count) {
    return at >= io->room ? 0 : (uint)min((ulong)count, io->room - at);
}

/* Writes the number of kept elements and the length of the last run. The last run ends with the
 * input, not with a kept element, so no other step can write its length. all: of the whole input.
 */
static inline void clp_write_count(const clp_io *io, ulong n, CLP_A all) {
    *io->result = clp_count_of(all);
#if CLP_LENGTHS
    const ulong last = all.count - 1;
    if (all.count > 0 && last < io->room) io->lengths[last] = (CLP_LENGTH)(n + 1 - all.behind);
#endif
}

/* What is stored for an element that is kept: its index, or what the caller's text makes of it. */
static inline CLP_INDEX clp_index_out(const clp_io *io, ulong i) {
#if CLP_STORES_X
    const clp_t0 element = io->in0[i];
    return clp_stored(element, element, i CLP_USER(io));
#elif CLP_STORES_TEXT
    return clp_stored(i CLP_USER(io));
#else
    return (CLP_INDEX)i;
#endif
}

/* Writes the index of a kept element, and the length of the run that ends before it.
 * first: the part's first element. place[k]: the position in the part of its kept element k.
 * at: the position of k in the output. before: the value of all earlier parts; its last run is the
 * one that ends before the part's first kept element. */
static inline void clp_place_out(const clp_io *io, ulong first, const local ushort *place, uint k,
                                 ulong at, CLP_A before) {
#if CLP_INDICES
    if (at < io->room) io->indices[at] = clp_index_out(io, first + place[k]);
#endif
#if CLP_LENGTHS
    const ulong previous = k > 0 ? first + place[k - 1] + 1 : before.behind;
    if (at > 0 && at - 1 < io->room) {
        io->lengths[at - 1] = (CLP_LENGTH)(first + place[k] + 1 - previous);
    }
#endif
}
