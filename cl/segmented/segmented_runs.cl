/* SPDX-License-Identifier: MIT */
/*
 * The variant "lookahead": the running value, what is read and written, and the stages of the ring
 * (segmented_lookahead.cl has the roles). The segmented operator makes a scan of runs an ordinary
 * scan (Blelloch): a value is the combination from the last head on, and the number of heads; a
 * value with a head lets nothing in front of it through. By offsets, bits stand in place of the
 * offsets (segmented_marks.cl).
 *
 * A lane has CLP_ROWS neighbours of its segment of a tile: an odd number, so that lanes meet in no
 * bank of local memory, wherever the arrays begin.
 */
#define CLP_ROW 32
#define CLP_SEGMENT (CLP_ROWS * CLP_ROW)
#define CLP_TILE (CLP_SCANNERS * CLP_SEGMENT)

#if CLP_ROWS > 32
#error "segmented_runs.cl: more elements of a lane than a word has bits"
#endif

/* ---- The running value ---- */

typedef struct clp_runs {
    clp_value value; /* of the elements from the last run's first one on */
    uint count; /* runs that begin */
} clp_runs;

static inline clp_runs clp_op(clp_runs a, clp_runs b) {
    if (b.count == 0) b.value = clp_value_op(a.value, b.value);
    b.count += a.count;
    return b;
}

static inline clp_runs clp_padding(void) {
    clp_runs none;
    uchar *bytes = (uchar *)&none;
    for (uint i = 0; i < sizeof none; i++) bytes[i] = 0;
    return none;
}

/* ---- What is read and written ---- */

typedef struct clp_io {
    const global CLP_E *in;
    const global CLP_HEAD *heads;
    global CLP_OUT *out;
    global CLP_HEAD *keys;
    ulong first_bit;
    ulong room; /* runs that fit the outputs */
    global ulong *count;
    global clp_report *report;
    ulong base; /* the first element's number in the array; 0 but by offsets */
    clp_report found; /* what a scan reports */
    clp_value start; /* in front of each run, if there is one */
#ifdef CLP_USER_VALUES
    clp_user user;
#endif
} clp_io;

static inline CLP_OUT clp_result(const clp_io *io, clp_value total) {
#if CLP_STARTS
    return clp_stored(clp_value_op(io->start, total));
#else
    return clp_stored(total);
#endif
}

/* Returns how many of `runs` runs from number `at` on have room in the outputs. */
static inline uint clp_fitting(const clp_io *io, uint at, uint runs) {
    return io->room > at ? (uint)min((ulong)runs, io->room - at) : 0;
}

/* ---- Stages ---- */

/* A stage has the heads and the elements, each in whole lines of 128 bytes and at the place within
 * a line where they come from: a copy between other places is cut up. In front of keys is room for
 * the 16 bytes before them. CLP_LINE_CHUNKS is a macro because the ring's size is a constant. */
#define CLP_LINE_CHUNKS(bytes) (((bytes) + 127) / 128 * 8 + 8)
#define CLP_HEADS_AT (CLP_BY_KEYS ? 8 : 0)
#define CLP_HEADS_OF_TILE (CLP_BY_BITS ? CLP_TILE / 8 + 1 : CLP_TILE * CLP_HEAD_BYTES)
#define CLP_VALUES_AT (CLP_HEADS_AT + CLP_LINE_CHUNKS(CLP_HEADS_OF_TILE))
#define CLP_STAGE_CHUNKS (CLP_VALUES_AT + CLP_LINE_CHUNKS(CLP_TILE * CLP_E_BYTES))

/* What a reducer finds in a segment. */
typedef struct clp_found_runs {
    uint count; /* runs that begin */
    uint first; /* place of the first one's first element; CLP_SEGMENT: there is none */
} clp_found_runs;

/* end: what is open behind the array's last element. */
#define CLP_RING_MEMBERS                                                                           \
    clp_found_runs found[CLP_STAGES][CLP_SCANNERS];                                                \
    clp_value end[CLP_STAGES];
