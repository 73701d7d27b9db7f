/* SPDX-License-Identifier: MIT */
/*
 * Selection: what is read and written, which elements are kept, and the ways out. The scan is over
 * chunks of CLP_VEC elements: a chunk's value is how many of its elements are kept, so its prefix
 * is where they go. Kept elements are first put side by side in local memory, then stored.
 *
 * There are CLP_ARRAYS arrays of the types clp_t0, clp_t1 ..., all selected alike. Run lengths need
 * the place of the last kept element too: then a value is both.
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
    ulong count; /* of the runs that begin */
    ulong behind; /* the last one's first element, plus 1; 0 if none begins */
} clp_heads;

static inline CLP_A clp_kept(ulong count, ulong behind) {
    const CLP_A value = {count, behind};
    return value;
}

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

/* How many are kept; where the number of elements is refused, more than any n. */
typedef ulong clp_report;

static inline void clp_report_count(global clp_report *report, ulong n, bool refused) {
    if (refused) *report = ~0ul;
}

#define CLP_ARRAY_PARAMETERS(k)                                                                    \
    const global clp_t##k *in##k, ulong in##k##_first, global clp_t##k *out##k,                    \
        ulong out##k##_first,
#define CLP_ARRAY_MEMBERS(k)                                                                       \
    const global clp_t##k *in##k;                                                                  \
    global clp_t##k *out##k;
#define CLP_SET_ARRAY(k)                                                                           \
    io.in##k = in##k + in##k##_first;                                                              \
    io.out##k = out##k + out##k##_first;

/* total: how many are kept of all, for a partition; else not read. */
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
    ulong room; /* elements that each output has */
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

/* The same for i > 0, without asking. */
static inline bool clp_keeps_later(const clp_io *io, ulong i) {
#if CLP_BY_RUNS
    return !clp_same(io->in0[i - 1], io->in0[i] CLP_USER(io));
#else
    return clp_keeps(io, i);
#endif
}

/* ---- The ways out ---- */

/* What of `count` elements from output `at` on has room. */
static inline uint clp_fitting(const clp_io *io, ulong at, uint count) {
    return at >= io->room ? 0 : (uint)min((ulong)count, io->room - at);
}

/* Writes the number of all that are kept, and the length of the last run. n: of all inputs. */
static inline void clp_write_count(const clp_io *io, ulong n, CLP_A all) {
    *io->result = clp_count_of(all);
#if CLP_LENGTHS
    const ulong last = all.count - 1;
    if (all.count > 0 && last < io->room) io->lengths[last] = (CLP_LENGTH)(n + 1 - all.behind);
#endif
}

/* The place of kept element k of a part that begins at element `first` and whose kept elements
 * stand at place[0], place[1] ... of it; `at` is k's place among all that are kept. */
static inline void clp_place_out(const clp_io *io, ulong first, const local ushort *place, uint k,
                                 ulong at, CLP_A before) {
#if CLP_INDICES
    if (at < io->room) io->indices[at] = (CLP_INDEX)(first + place[k]);
#endif
#if CLP_LENGTHS
    const ulong previous = k > 0 ? first + place[k - 1] + 1 : before.behind;
    if (at > 0 && at - 1 < io->room) {
        io->lengths[at - 1] = (CLP_LENGTH)(first + place[k] + 1 - previous);
    }
#endif
}
