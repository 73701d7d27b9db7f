/* SPDX-License-Identifier: MIT */
/*
 * Sort: the description that a plan was made of (spec), how its kernels are cut (shape), the plan,
 * a run. cl/sort/sort.cl says how it works. From clprims_sort_enqueue for 2^28 uint32 keys on an
 * NVIDIA GPU to the kernels and back:
 *   sort.c           clprims_sort_enqueue; plan.h has what is between it and submit()
 *   sort_check.c     clp_sort_list_arrays: the buffers that a run has
 *   sort_submit.c    add_sort: more keys than a network or one work-group takes; add_onesweep lists
 *                    six launches, which clp_plan_enqueue_steps submits
 *   sort_onesweep_digits.cl  1: counts the digits of all four passes, and which of them differ
 *   sort_onesweep_pass.cl    2 to 5: a pass, with the look-back of sort_onesweep.cl
 *   sort_onesweep_counts.cl  6: writes the keys, if launch 1 found few distinct ones; else nothing
 * What these kernels stand on:
 *   sort.cl                  how it works; the number of keys; which pass reads and writes where
 *   sort_keys.cl             keys as integers that compare alike
 *   sort_onesweep_keys.cl    keys between passes, words of `live`
 *   cl/engine/count_report.cl  what a counted run reports
 * When the plan is created:
 *   sort.c, sort_check.c     scratch; the checked description and the algorithm
 *   onesweep_shape.c         tiles and counters of onesweep; sort_shape.c: of the other algorithms
 *   sort_knobs.c             what tuning may set
 *   sort_text.c              the prelude; the files of each program
 * Other ways:
 *   sort_onesweep_few.cl     few keys, by the networks of sort_network.cl
 *   sort_onesweep_digits.cl  keys alone, of one byte: written from their counts, without a pass
 *   sort_onesweep_counts.cl  the same for keys of two bytes
 *   sort_copy.cl             in place, after an odd number of passes; keys that are all alike
 *   sort_tile.cl             other GPUs, with sort_sums.cl; sort_serial.cl: CPUs
 *   sort_elements.c, .cl     keys that expressions make of elements; of segmented sort and top-k
 *                            also one key that takes the place of several
 *   sort_then.c              several keys: a sort of the elements' indices by each of them
 *   sort_onesweep_segments.cl  the long segments of a segmented sort
 *
 * Words of these files, as they are used for arrays and numbers:
 *   digits    how often each digit of each pass occurs; bases: where its keys begin in the output
 *   live      what kernels of a run tell each other: first of all, which passes do something
 *   counts    of one pass: the keys of each digit in each tile; of onesweep, the look-back's state
 *   counters  the work-groups that count digits in the first launch
 *   columns   the counters of one digit in the work-group's local memory, for different lanes
 *   small     tiles of runs with far fewer keys than max_n
 */
#ifndef CLP_SORT_PLAN_H
#define CLP_SORT_PLAN_H

#include "core/knobs.h"
#include "core/type.h"
#include "plan/plan.h"

#include <clprims/sort.h>

enum {
    /* payloads, then what moves for elements, then the indices */
    CLP_SORT_VALUES = CLPRIMS_SORT_PAYLOADS + 2,
    /* payloads and elements, where they come by their indices */
    CLP_SORT_MOVED = CLPRIMS_SORT_PAYLOADS + 1,
    CLP_SORT_MOST_PASSES = 16,
    CLP_SORT_TEAM = 16, /* work-items of a team of sort_tile.cl, at most */
    CLP_SORT_MOST_STEPS = 3 * CLP_SORT_MOST_PASSES + 10,
    /* of several keys: each key and its sort, then the ranks */
    CLP_SORT_MAKE_STEPS = CLPRIMS_SORT_KEYS * (1 + CLP_SORT_MOST_STEPS) + 1
};

enum {
    CLP_SORT_GROUP,
    CLP_SORT_ITEMS,
    CLP_SORT_BITS,
    CLP_SORT_PARTS,
    CLP_SORT_LINE,
    CLP_SORT_SINGLE,
    CLP_SORT_STREAM,
    CLP_SORT_KNOBS
};
enum {
    CLP_ONESWEEP_RANKERS,
    CLP_ONESWEEP_ITEMS,
    CLP_ONESWEEP_SINGLE,
    CLP_ONESWEEP_SMALL,
    CLP_ONESWEEP_COUNTED,
    CLP_ONESWEEP_DISTINCT,
    CLP_ONESWEEP_KNOBS
};

/* As cl/sort/sort_onesweep_few.cl has them. */
enum {
    CLP_NETWORK_SINGLE = 2048, /* keys of one work-group */
    CLP_NETWORK_SINGLE_GROUP = 512,
    CLP_NETWORK_WORDS = 4, /* of a lane */
    CLP_NETWORK_TILE = 1024,
    CLP_NETWORK_TILE_GROUP = 256,
    CLP_NETWORK_MERGED = 128, /* keys that a work-group merges */
    CLP_NETWORK_MERGE_GROUP = 512,
    CLP_NETWORK_MOST = 1 << 15
};

/* As cl/sort/sort_onesweep_counts.cl has them. */
enum { CLP_DISTINCT_SLOTS = 512, CLP_DISTINCT_ROW = 256 };

/* sort_knobs.c, which explains them. */
extern const clp_knob clp_sort_knobs[CLP_SORT_KNOBS];
extern const clp_knob clp_onesweep_knobs[CLP_ONESWEEP_KNOBS];

/* Kinds of kernels; a kernel of a pass has an object per pass. */
enum {
    CLP_SORT_KERNEL_SINGLE,
    CLP_SORT_KERNEL_DIGITS,
    CLP_SORT_KERNEL_BASES,
    CLP_SORT_KERNEL_COUNT,
    CLP_SORT_KERNEL_ROWS,
    CLP_SORT_KERNEL_SCATTER,
    CLP_SORT_KERNEL_COPY,
    CLP_SORT_KERNEL_ONESWEEP_DIGITS,
    CLP_SORT_KERNEL_ONESWEEP_PASS,
    CLP_SORT_KERNEL_ONESWEEP_SMALL_PASS,
    CLP_SORT_KERNEL_ONESWEEP_RUNS,
    CLP_SORT_KERNEL_ONESWEEP_DISTINCT,
    CLP_SORT_KERNEL_NETWORK_SINGLE,
    CLP_SORT_KERNEL_NETWORK_TILES,
    CLP_SORT_KERNEL_NETWORK_MERGE,
    CLP_SORT_KERNEL_SEGMENTS_DIGITS,
    CLP_SORT_KERNEL_SEGMENTS_BASES,
    CLP_SORT_KERNEL_SEGMENTS_COPY,
    CLP_SORT_KERNEL_KINDS
};

/* The one key that takes the place of several, where a plan needs one. */
typedef enum clp_sort_combined {
    CLP_SORT_NOT_COMBINED,
    CLP_SORT_PACKED, /* the bits of all keys, in one integer */
    CLP_SORT_RANKS /* the element's place in a sort by all keys */
} clp_sort_combined;

/* A checked description. */
typedef struct clp_sort_spec {
    clprims_type type;
    size_t key_bytes;
    bool descending;
    clprims_sort_floats floats;
    unsigned begin, end; /* bits */
    size_t payloads;
    size_t values; /* payloads, what moves for elements, and the indices as the last of them */
    size_t value_bytes[CLP_SORT_VALUES];
    clprims_type indices; /* DEFAULT: none */
    size_t element_bytes; /* of keys_in and keys_out */
    bool has_expression; /* the keys are made of the elements */
    size_t keys; /* expressions that make them, the most significant first */
    clprims_type key_types[CLPRIMS_SORT_KEYS];
    unsigned key_bits[CLPRIMS_SORT_KEYS]; /* of each key, the number of bits that decide */
    clp_sort_combined combined; /* then type, direction and window are of the combined key */
    bool no_keys; /* the sorted keys are not wanted */
    bool no_elements; /* nor is keys_out */
    clprims_type order; /* DEFAULT: elements move; else their indices do, which are of this type.
                           With several keys nothing else moves */
    size_t max_n;
    clprims_sort_algorithm algorithm; /* never AUTO */
} clp_sort_spec;

/* How a plan's kernels are cut. */
typedef struct clp_sort_shape {
    size_t group; /* 1 for SERIAL */
    size_t items; /* keys of a work-item in a tile */
    size_t bits; /* of a digit */
    size_t digits; /* 1 << bits */
    size_t passes;
    size_t counters; /* work-groups that count all digits; parts of SERIAL */
    size_t line; /* keys that SERIAL gathers per digit before it writes them */
    size_t stream; /* keys from which on SERIAL bypasses the caches */
    size_t single; /* keys that one work-group sorts, at most */
    size_t count_bytes; /* of a counter in device memory */
    size_t rankers; /* ONESWEEP: sub-groups of a group that rank */
    size_t columns; /* ONESWEEP: counters of each digit in local memory, at most one a lane */
    size_t network; /* ONESWEEP: keys that networks sort, at most */
    size_t count_parts; /* ONESWEEP: work-groups that count the same keys of two bytes; 0: digits */
    size_t distinct_n; /* ONESWEEP: keys from which on distinct ones are counted; 0: never */
    size_t table_columns; /* the same: counters of a distinct key in local memory; 0: none */
    size_t small_n; /* ONESWEEP: keys that take the plan's small tiles, at most; 0: it has none */
} clp_sort_shape;

/* sort_elements.c: keys that expressions make of elements. */
typedef struct clp_sort_elements {
    clp_plan *plan; /* owns all that follows */
    const clp_sort_spec *spec; /* of the same plan */
    size_t group; /* work-items of a work-group */
    size_t each; /* elements of a work-item */
    size_t moved; /* arrays that come by their indices */
    cl_program program;
    cl_kernel make[CLPRIMS_SORT_KEYS];
    cl_kernel rank, gather, place;
    cl_mem keys; /* as they were made */
    cl_mem order; /* of a sort, or of ranks: the sorted indices of elements */
    cl_mem before; /* of several keys: the order before the sort by one of them */
    clprims_sort *sorts[CLPRIMS_SORT_KEYS]; /* of several keys: of the indices by each key. Keys of
                                               one type share the first one's, others have NULL */
    cl_mem gathered[CLP_SORT_MOVED]; /* of a sort: what moved, in order, for runs in place */
} clp_sort_elements;

struct clprims_sort {
    clp_plan head;
    clp_sort_spec spec;
    clp_sort_shape shape;
    clp_sort_shape small; /* of passes over up to shape.small_n keys */
    bool always_counted; /* each run reads its number of keys on the device */
    size_t most_segments; /* ONESWEEP: that are sorted each by itself; 0: the keys are one array */
    cl_program program;
    cl_program small_program; /* the pass over small tiles */
    cl_kernel kernels[CLP_SORT_KERNEL_KINDS][CLP_SORT_MOST_PASSES];
    cl_mem digits; /* counts of all digits, per counting work-group or segment; of SERIAL, of the
                      first pass */
    cl_mem bases; /* of each pass: where each digit begins; none of SERIAL */
    cl_mem live; /* of each pass: whether keys differ in its digit */
    cl_mem counts; /* of one pass: per digit and tile; of ONESWEEP, of two passes */
    cl_mem keys; /* a copy of the keys between passes */
    cl_mem found_keys, found_counts; /* distinct keys of each counting work-group */
    cl_mem words; /* tiles of few keys, sorted by networks */
    cl_mem other_keys; /* with no_keys: what takes the place of keys_out */
    cl_mem values[CLP_SORT_VALUES];
    clp_sort_elements elements;
};

/* What a run is asked for. */
typedef struct clp_sort_run {
    clp_call call;
    clprims_sort_buffers buffers;
    size_t n;
    clprims_sort_arrays arrays; /* of a run on plain arrays */
    cl_mem tiles; /* of segments (cl/sort/sort_keys.cl): n and buffers.n are numbers of them */
    bool in_place; /* some output is the place of its input */
} clp_sort_run;

static inline bool clp_sort_has_indices(const clp_sort_spec *spec) {
    return spec->indices != CLPRIMS_TYPE_DEFAULT;
}

/* Whether elements move as payloads do. */
static inline bool clp_sort_moves_elements(const clp_sort_spec *spec) {
    return spec->has_expression && !spec->no_elements && spec->order == CLPRIMS_TYPE_DEFAULT;
}

/* Whether their indices do. */
static inline bool clp_sort_has_order(const clp_sort_spec *spec) {
    return spec->order != CLPRIMS_TYPE_DEFAULT;
}

static inline bool clp_sort_is_serial(const clprims_sort *plan) {
    return plan->spec.algorithm == CLPRIMS_SORT_SERIAL;
}

static inline bool clp_sort_takes_all_bits(const clp_sort_spec *spec) {
    return spec->begin == 0 && spec->end == 8 * spec->key_bytes;
}

/* Whether sorts in local memory move words that hold, below a key, the number of its element: keys
 * are not all that moves, or do not say all. */
static inline bool clp_sort_packs(const clp_sort_spec *spec) {
    const bool is_float = clp_type_is_float(spec->type);
    return spec->values > 0 || !clp_sort_takes_all_bits(spec) ||
           (is_float && spec->floats != CLPRIMS_SORT_TOTAL_ORDER);
}

/* The bytes of a word that networks sort: 4, 8 or 16. */
static inline size_t clp_sort_word_bytes(const clp_sort_spec *spec) {
    const size_t bytes = spec->key_bytes + (clp_sort_packs(spec) ? sizeof(cl_ushort) : 0);
    return bytes <= 4 ? 4 : bytes <= 8 ? 8 : 16;
}

/* log2, rounded up. */
static inline size_t clp_sort_rounds(size_t count) {
    size_t rounds = 0;
    while ((size_t)1 << rounds < count) rounds++;
    return rounds;
}

/* Whether keys have that number of bytes and their counts say all: ONESWEEP can then write the
 * output from the counts. */
static inline bool clp_sort_needs_counts_only(const clp_sort_spec *spec, size_t key_bytes) {
    return spec->key_bytes == key_bytes && spec->values == 0 && clp_sort_takes_all_bits(spec);
}

/* Whether a run of ONESWEEP looks for few distinct keys. */
static inline bool clp_sort_looks_for_distinct(const clprims_sort *plan, size_t n) {
    return plan->shape.table_columns > 0 && n >= plan->shape.distinct_n;
}

/* Whether each run of ONESWEEP writes its output from counts. */
static inline bool clp_sort_writes_runs(const clprims_sort *plan) {
    if (plan->most_segments > 0) return false;
    return clp_sort_needs_counts_only(&plan->spec, 1) || plan->shape.count_parts > 0;
}

/* Whether a run of ONESWEEP may sort tiles by networks and merge them. */
static inline bool clp_sort_merges_tiles(const clprims_sort *plan) {
    return plan->shape.network > CLP_NETWORK_SINGLE && plan->spec.max_n > CLP_NETWORK_SINGLE;
}

static inline bool clp_sort_is_onesweep(const clprims_sort *plan) {
    return plan->spec.algorithm == CLPRIMS_SORT_ONESWEEP;
}

/* Whether a run of n keys takes the kernels for few keys. */
static inline bool clp_sort_is_few(const clprims_sort *plan, size_t n) {
    return n <= (clp_sort_is_onesweep(plan) ? plan->shape.network : plan->shape.single);
}

/* Keys of a tile. SERIAL has no tiles. */
static inline size_t clp_sort_tile(const clp_sort_shape *shape) {
    return (shape->rankers > 0 ? 32 * shape->rankers : shape->group) * shape->items;
}

/* Tiles of n keys; parts of SERIAL. */
static inline size_t clp_sort_tiles(const clprims_sort *plan, const clp_sort_shape *shape,
                                    size_t n) {
    const size_t tile = clp_sort_tile(shape);
    if (clp_sort_is_serial(plan)) return shape->counters;
    return tile == 0 ? 0 : (n + tile - 1) / tile;
}

/* Work-items of a team: a sub-group at most where its width is known, as its atomics are served in
 * order, or there is work to put the keys in order. */
static inline size_t clp_sort_team(const clprims_sort *plan, const clp_sort_shape *shape) {
    const clprims_context *context = plan->head.context;
    const bool knows = context->layer == CLPRIMS_LAYER_SUBGROUP;
    const size_t most = clp_at_most(CLP_SORT_TEAM, knows ? context->subgroup_width : CLP_SORT_TEAM);
    return clp_at_most(most, shape->group);
}

/* Words that the counts of a digit take: vectors of sort_tile.cl, or one for each part. */
static inline size_t clp_sort_row(const clprims_sort *plan, size_t tiles) {
    return clp_sort_is_serial(plan) ? tiles : (tiles + 3) / 4 * 4;
}

/* The shape of the passes of a run that is enqueued for n keys. */
static inline const clp_sort_shape *clp_sort_shape_of(const clprims_sort *plan, size_t n) {
    const bool is_small = plan->shape.small_n > 0 && n <= plan->shape.small_n;
    return is_small ? &plan->small : &plan->shape;
}

/* The most tiles that n keys in that number of segments may have. */
static inline size_t clp_sort_tiles_of_segments(const clp_sort_shape *shape, size_t n,
                                                size_t segments) {
    return n / clp_sort_tile(shape) + segments;
}

/* sort.c: clprims_sort_create, for a plan whose runs are all counted. */
clprims_status clp_sort_create_counted(clprims_sort **out, clprims_context *context,
                                       const clprims_sort_desc *desc);
/* clprims_sort_create, for a plan that sorts segments by ONESWEEP, each by itself, on a device that
 * clp_onesweep_suits. */
clprims_status clp_sort_create_in_segments(clprims_sort **out, clprims_context *context,
                                           const clprims_sort_desc *desc, size_t most_segments);

/* sort_check.c: who is the primitive, for messages. */
/* All but the algorithm and the values behind the payloads. */
clprims_status clp_sort_spec_take(const char *who, const clprims_sort_desc *desc,
                                  clp_sort_spec *spec);
/* The unsigned type of the indices of max_n elements. */
static inline clprims_type clp_sort_index_type(size_t max_n) {
    return max_n > UINT32_MAX ? CLPRIMS_U64 : CLPRIMS_U32;
}

/* What moves besides the payloads. */
void clp_sort_spec_add_values(clp_sort_spec *spec);
clprims_status clp_sort_spec_fill(const clprims_context *context, const clprims_sort_desc *desc,
                                  clp_sort_spec *spec, const char **reason);
/* The arrays that a sort and a sort of segments have in common. An output is in the place of its
 * input where the caller says so. */
enum {
    CLP_SORT_ROW_PAYLOAD_IN,
    CLP_SORT_ROW_KEYS_IN = CLPRIMS_SORT_PAYLOADS,
    CLP_SORT_ROW_PAYLOAD_OUT,
    CLP_SORT_ROW_KEYS_OUT = CLP_SORT_ROW_PAYLOAD_OUT + CLPRIMS_SORT_PAYLOADS,
    CLP_SORT_ROW_INDICES,
    CLP_SORT_ROWS
};

/* The members of a sort's description that descriptions of segmented sort and top-k have, too. */
#define CLP_SORT_LIKE(desc)                                                                        \
    .type = (desc)->type, .floats = (desc)->floats, .indices = (desc)->indices,                    \
    .max_n = (desc)->max_n, .key = (desc)->key, .elements = (desc)->elements,                      \
    .custom = (desc)->custom, .parameters = (desc)->parameters,                                    \
    .then = {(desc)->then[0], (desc)->then[1], (desc)->then[2]},                                   \
    .then_type = {(desc)->then_type[0], (desc)->then_type[1], (desc)->then_type[2]}
_Static_assert(CLPRIMS_SORT_KEYS == 4, "as CLP_SORT_LIKE has them");

/* Where their buffers stand in a run. */
typedef struct clp_sort_places {
    clprims_buffer *payload_in, *keys_in, *payload_out, *keys_out, *indices;
} clp_sort_places;

void clp_sort_list_arrays(const clp_sort_spec *spec, clp_sort_places at,
                          const clprims_sort_arrays *plain, size_t n, clp_run_array *rows);

/* Whether some output was found to be in the place of its input. */
bool clp_sort_is_in_place(const clp_run_array *rows);

/* sort_shape.c: sets plan->shape. Status: UNSUPPORTED for knobs that the device does not allow. */
clprims_status clp_sort_choose_shape(clprims_sort *plan, const char *tuning);
/* Cuts the window into as many passes as digits of at most that many bits need, and digits alike.
 */
void clp_sort_cut_window(const clp_sort_spec *spec, size_t most_bits, clp_sort_shape *shape);

/* onesweep_shape.c: sets plan->shape of ONESWEEP, and plan->small. */
clprims_status clp_onesweep_choose_shape(clprims_sort *plan, const char *tuning);
/* Whether the device can do it with tiles that are worth it. */
bool clp_onesweep_suits(const clprims_context *context, const clp_sort_spec *spec);

/* sort_text.c: builds the plan's programs. */
clprims_status clp_sort_build(clprims_sort *plan);
/* CLP_ORDER of keys of that type, as cl/sort/sort_keys.cl explains it. */
int clp_sort_order(clprims_type type, clprims_sort_floats floats);
/* The type, order and direction of the keys; a payload's type. */
void clp_sort_add_keys(clp_text *text, const clp_sort_spec *spec);
void clp_sort_add_payload(clp_text *text, size_t k, size_t bytes);
/* Words that networks sort, of which a lane has `most` at most. exist: else nothing uses them. */
void clp_sort_add_words(clp_text *text, const clp_sort_spec *spec, bool exist, size_t most);
/* The unsigned type of that number of bytes, a power of two. */
const char *clp_sort_unsigned(size_t bytes);

/* sort_elements.c: does nothing where the keys are the elements. */
/* Whose keys are made of which elements, how many of them, and where that number stands in device
 * memory; {NULL, 0}: it is n. */
typedef struct clp_sort_elements_run {
    clprims_buffer in;
    size_t n;
    clprims_buffer counted;
} clp_sort_elements_run;

/* Status: ARGUMENT, UNSUPPORTED. */
clprims_status clp_sort_elements_check(const clprims_context *context, const char *who,
                                       const clprims_sort_desc *desc, clp_sort_spec *spec);
/* Combines several keys to one, for plans that take one key. */
void clp_sort_combine_keys(clp_sort_spec *spec);
/* Makes what makes the keys, and where spec->order says so what gathers elements; plan: the owner
 * of elements and spec. */
clprims_status clp_sort_elements_create(clp_sort_elements *elements, clp_plan *plan,
                                        const clprims_sort_desc *desc, const clp_sort_spec *spec);
/* What a sort needs besides to move elements by their indices. */
clprims_status clp_sort_elements_create_order(clp_sort_elements *elements);
void clp_sort_elements_release(clp_sort_elements *elements);
/* The type of the indices by which elements come; DEFAULT: they have none. */
clprims_type clp_sort_order_type(const clp_sort_spec *spec);
/* At most CLP_SORT_MAKE_STEPS, which make the keys in elements->keys. */
clprims_status clp_sort_elements_make(clp_sort_elements *elements, const clp_sort_elements_run *run,
                                      clp_step *steps, size_t *count);
/* The same of one of several keys, with the elements in that order; {NULL, 0}: in their own. The
 * step copies the order to elements->before. */
clprims_status clp_sort_elements_make_in_order(clp_sort_elements *elements,
                                               const clp_sort_elements_run *run, size_t key,
                                               clprims_buffer order, clp_step *steps,
                                               size_t *count);
/* The payloads of several keys, and then the elements where they are wanted. */
typedef struct clp_sort_moves {
    clprims_buffer from[CLP_SORT_MOVED], to[CLP_SORT_MOVED];
} clp_sort_moves;

/* Steps that put these in that order, in place through elements->gathered. */
clprims_status clp_sort_elements_move(clp_sort_elements *elements, const clp_sort_elements_run *run,
                                      clprims_buffer order, const clp_sort_moves *moves,
                                      bool in_place, clp_step *steps, size_t *count);

/* sort_then.c: sorts by each of several keys. */
clprims_status clp_sort_then_create_sorts(clp_sort_elements *elements,
                                          const clprims_sort_desc *desc);
/* Steps that write the indices of the elements in the order of all keys. */
clprims_status clp_sort_then_add_order(clp_sort_elements *elements,
                                       const clp_sort_elements_run *run, clprims_buffer order,
                                       clprims_buffer report, clp_step *steps, size_t *count);
/* A plan of sort with several keys. */
clprims_status clp_sort_then_create(clprims_sort *plan, const clprims_sort_desc *desc);
clprims_status clp_sort_then_submit(clprims_sort *plan, const clp_sort_run *run);
clprims_status clp_sort_then_warm_up(clprims_sort *plan, const clp_sort_run *blank);
/* What the sorts of n indices are, as clprims_sort_describe tells. */
clprims_status clp_sort_then_describe(const clprims_sort *plan, size_t n, clprims_sort_info *info);

/* sort_submit.c */
clprims_status clp_sort_create_kernels(clprims_sort *plan);
clprims_status clp_sort_submit(clprims_sort *plan, const clp_sort_run *run);
/* Adds the run's kernels to the chain; at most CLP_SORT_MOST_STEPS. */
clprims_status clp_sort_add_steps(clprims_sort *plan, const clp_sort_run *run, clp_step *steps,
                                  size_t *count);
clprims_status clp_sort_warm_up(clprims_sort *plan);
/* What n keys get, as clprims_sort_info says. */
const char *clp_sort_variant(const clprims_sort *plan, size_t n);

#endif
