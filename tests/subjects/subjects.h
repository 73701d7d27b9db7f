/* SPDX-License-Identifier: MIT */
/*
 * Test subjects: each primitive is described once, in NAME_subject.c, and every suite iterates over
 * the table of subjects. Only a subject names its primitive's functions and structures: how a plan
 * is made and run, how the data of a run are drawn, with the results of a twin in plain C, and the
 * plans that suites try:
 *
 * - calls: plans with n == max_n, in calls/, and in faults/ dropped and waiting ones;
 * - samples: plans of any size, in sizes/test_octaves.c and load/;
 * - faults: plans whose OpenCL calls are made to fail, in faults/;
 * - launched: plans that warm up, in core/test_create.c;
 * - limits: plans on a small device, in core/memory_limits.c;
 * - kinds: plans of every kind, in core/test_create.c and for what reads programs;
 * - plain: the least description, in core/core_sizes.c and core/core_submissions.c.
 *
 * The fuzzer draws descriptions of its own, and runs their plans with the subjects' data.
 *
 * What runs them is in runs/, also for the tests of each primitive's own:
 *
 * - subject_buffers.h: the data in guarded device buffers and host arrays, and the comparison;
 * - subject_counted.h: runs whose numbers stand in device memory;
 * - subject_refusals.h: descriptions and calls that are refused;
 * - subject_parameters.h: values of parameters, changed between runs.
 *
 * draws/ has data that several subjects draw alike. A new primitive: its file here, and its name in
 * SUBJECTS.
 */
#ifndef TESTS_SUBJECTS_H
#define TESTS_SUBJECTS_H

#include "harness/custom_operators.h"

enum { SUBJECT_SLOTS = 16, SUBJECT_NUMBERS = 4, SUBJECT_PAIRS = 5, SUBJECT_WEIGHTS = 7 };
enum { SUBJECT_DESC_BYTES = 512 }; /* at most */

/* A number that draw() chooses by its data, for example the room for results. */
#define SUBJECT_DRAWN SIZE_MAX

/* ---- The data of one run --------------------------------------------------------------------- */

/* An array of a run. The slots of a subject say which argument it is. */
typedef struct subject_array {
    const char *name; /* as messages have it; NULL: the run has no array here */
    size_t n, bytes; /* elements that the run may touch, of that many bytes */
    void *values; /* what it has before the run; NULL: poison */
    void *expected; /* what the run writes */
    size_t written; /* elements that are written; the ones behind them stay as they are */
    bool is_written, is_report, is_number;
    size_t number; /* which one it is */
    bool is_needed; /* by the call even without elements */
    bool is_optional; /* may be NULL */
    bool is_count; /* of results, which a run on plain arrays gives even without room for them */
    bool is_undefined_behind; /* the elements behind those that are written may be anything */
    bool is_judged; /* by judge() or check(), as there may be several right results */
    bool has_bits; /* `first` counts bits */
    size_t first_bit; /* of those: within the first byte */
    const oracle_twin *twin; /* whose `same` tells right elements; NULL: all bits are compared */
    size_t
        shares; /* an input that lies in the place of this slot, counted from 1; it has no name */
} subject_array;

/* Where two arrays may lie of which at least one is written. */
typedef enum subject_rule { SUBJECT_APART, SUBJECT_SAME_PLACE, SUBJECT_ANYWHERE } subject_rule;

typedef struct subject_pair {
    size_t one, other;
    subject_rule rule;
} subject_pair;

typedef struct subject subject;

typedef struct subject_data subject_data;

struct subject_data {
    const subject *of;
    const void *desc; /* of the plan; its sizes are `most` */
    size_t n[SUBJECT_NUMBERS]; /* of the run */
    size_t most[SUBJECT_NUMBERS]; /* of the plan */
    int variant; /* as the subject has it */
    const int64_t *offsets; /* of segments; NULL: they are drawn */
    const void *how; /* what a case asks of draw(), as the subject has it; NULL: nothing */
    bool counted; /* numbers are read in device memory: arrays have room for `most` */
    size_t by_host; /* the number, counted from 1, that is the host's nonetheless, and the most */
    bool may_be_malformed;
    bool is_plain; /* the run is on plain arrays, of which some calls see more */
    bool in_place; /* each output lies in the place of the input that it may take */
    bool lacks_structure; /* the call is given NULL in place of its buffers or arrays */
    size_t first_bit; /* of arrays of bits */
    const custom_operand *operand; /* the user's operator or input; NULL: there is none */
    /* Fills the input with n elements; NULL: as the operand or the subject does. */
    void (*fill)(const subject_data *d, void *in, size_t n);
    const void *user; /* for fill() */
    /* what draw() sets */
    subject_array at[SUBJECT_SLOTS];
    subject_pair pairs[SUBJECT_PAIRS];
    clprims_status status; /* of a run on plain arrays, which writes nothing unless it is OK */
    const char *part; /* of the message if that is not OK; NULL: any */
    clprims_status verdict; /* of the report */
    int64_t head; /* of a list, as the call is given it */
    /* What parameters of the input expression are set to. */
    uint32_t weight[SUBJECT_WEIGHTS], shift;
    cl_mem weights; /* in device memory, where prepare() needs them */
};

/* A call: where it is submitted, and what it works on. */
typedef struct subject_submission {
    cl_command_queue queue;
    clprims_buffer at[SUBJECT_SLOTS];
    cl_uint num_wait;
    const cl_event *wait;
    cl_event *event;
} subject_submission;

#define SUBJECT_WAITS(s) (s)->num_wait, (s)->wait, (s)->event

/* ---- The plans that suites try --------------------------------------------------------------- */

typedef struct subject_call {
    const char *name;
    const void *desc;
    const char *tuning;
    size_t n[SUBJECT_NUMBERS];
    size_t most[SUBJECT_NUMBERS]; /* 0: the number of the run */
    int variant;
    bool counted;
    bool needs_shapes; /* the tuning is left out where test_bears_shapes() says no */
    const void *nvidia_desc; /* on NVIDIA's layer, with nvidia_tuning; NULL: the same everywhere */
    const char *nvidia_tuning;
} subject_call;

typedef struct subject_sample {
    const char *name;
    const void *desc;
    size_t octaves, long_octaves; /* the largest size of test_octaves; 0: for load/ alone */
} subject_sample;

/* How enqueue is made to fail. */
typedef enum subject_order {
    SUBJECT_NOT_ENQUEUED,
    SUBJECT_IN_ORDER,
    SUBJECT_OUT_OF_ORDER,
    SUBJECT_BOTH_ORDERS /* the second is the case NAME_enqueue/out-of-order */
} subject_order;

typedef struct subject_fault {
    const char *name, *suffix; /* the cases NAME_create, NAME_enqueue, NAME_run, each with suffix */
    const void *desc, *create_desc; /* create_desc: what create is tried with; NULL: desc */
    const char *tuning;
    size_t n[SUBJECT_NUMBERS];
    subject_order order;
    bool is_only_created;
} subject_fault;

typedef struct subject_launch {
    const char *name; /* of the case; plans of one case follow each other */
    const void *desc;
    const char *tuning;
    bool is_long, is_local; /* for the long tier, or for the local layer alone */
    size_t most[SUBJECT_NUMBERS]; /* 0: as limit() has it */
} subject_launch;

typedef struct subject_limit {
    const char *name;
    const void *desc;
} subject_limit;

/* A plan of every kind, for whatever is to be seen of them all (fixtures/plan_kinds.h): each kind
 * in each of the subject's ways, or in the one that it names. */
typedef struct subject_kind {
    const char *name, *way;
    const void *desc;
    const char *tuning;
    size_t most[SUBJECT_NUMBERS]; /* the first is 0: as limit() has it for 2^20 */
} subject_kind;

typedef struct subject_way {
    const char *name, *tuning;
    int number; /* for set_way() */
} subject_way;

/* Of the primitives that make a single pass: each algorithm. */
enum { SUBJECT_PASS_WAYS = 5 };
extern const subject_way subject_pass_ways[SUBJECT_PASS_WAYS];

#define SUBJECT_TABLE(rows) rows, sizeof(rows) / sizeof((rows)[0])

/* ---- A subject ------------------------------------------------------------------------------- */

/* The plans that suites try, a table for each. */
typedef struct subject_tables {
    const subject_call *calls;
    size_t call_count;
    const subject_sample *samples;
    size_t sample_count;
    const subject_fault *faults;
    size_t fault_count;
    const subject_kind *kinds;
    size_t kind_count;
    const subject_launch *launched;
    size_t launched_count;
    const subject_limit *limits;
    size_t limit_count;
    const subject_way *ways;
    size_t way_count;
    void (*set_way)(void *desc, int number);
} subject_tables;

/* What describe tells. */
typedef struct subject_info {
    size_t bytes; /* of it; 0: there is no describe */
    size_t scratch, group, groups, launches; /* places; 0: none */
} subject_info;

/* What is true of some subjects alone. */
typedef struct subject_traits {
    bool tells_numbers; /* check says which number was too large */
    bool has_optional_numbers; /* a counted run's numbers may be the host's */
    bool has_one_launch;
    bool needs_no_max; /* a plan without sizes takes all */
    bool is_square; /* a run of n has n * n elements */
} subject_traits;

/* Members that descriptions of several primitives have: 1 + their places. 0: this one has none. */
typedef struct subject_members {
    size_t type, accumulator, op, custom, input, parameters, no_input_array, result_type;
} subject_members;

/* What the suite over knobs tries. */
typedef struct subject_knobs {
    const char *key, *call; /* of the knobs, and the call that tries them */
    const void *desc; /* of the plans above; NULL: that of the call */
} subject_knobs;

struct subject {
    const char *name; /* "segmented_sort" */
    size_t desc_bytes;
    size_t tuning; /* places in the description */
    size_t max[SUBJECT_NUMBERS]; /* 0: none */
    const void *plain; /* the least description */
    size_t fitting; /* elements that a plan of core/memory_limits.c must be made for; 0: usual */
    subject_members members;
    subject_info info;
    subject_traits traits;
    subject_knobs knobs;
    subject_tables plans;

    clprims_status (*create)(void **plan, clprims_context *context, const void *desc, size_t bytes);
    void (*destroy)(void *plan);
    clprims_status (*describe)(const void *plan, const size_t *n, void *info, size_t bytes);
    clprims_status (*enqueue)(void *plan, const subject_data *d, const subject_submission *s);
    clprims_status (*run)(void *plan, const subject_data *d, void *const *at);
    clprims_status (*check)(const void *report); /* NULL: there is no report */
    clprims_status (*set_parameter)(void *plan, size_t k, size_t bytes, const void *value);
    clprims_status (*prepare)(void *plan, const subject_data *d); /* before a run; NULL: nothing */
    /* The numbers of a plan for n elements, all n unless it says otherwise, and of a run of about n
     * elements by a plan whose numbers are d->most. */
    void (*limit)(size_t n, size_t most[SUBJECT_NUMBERS]);
    void (*limit_of_memory)(size_t n, size_t most[SUBJECT_NUMBERS]); /* NULL: limit() */
    void (*numbers)(subject_data *d, size_t n);
    /* Whether a call refuses the number if it is beyond the plan's; NULL: those with a max are. */
    bool (*is_bounded)(const subject_data *d, size_t k);
    void (*draw)(subject_data *d);
    /* What is wrong with outputs that are judged; NULL: nothing. */
    const char *(*judge)(const subject_data *d, void *const *results);
};

/* All of them. */
/* clang-format off */
#define SUBJECTS(SUBJECT) \
    SUBJECT(scan) SUBJECT(offsets) SUBJECT(select) SUBJECT(reduce) SUBJECT(segmented) \
    SUBJECT(histogram) SUBJECT(merge) SUBJECT(search) SUBJECT(parents) SUBJECT(gather) \
    SUBJECT(scatter) SUBJECT(map) SUBJECT(list) SUBJECT(sort) SUBJECT(segmented_sort) \
    SUBJECT(topk) SUBJECT(topk_rows) SUBJECT(listscan) \
    SUBJECT(forest) SUBJECT(minplus) SUBJECT(paths)
/* clang-format on */

#define SUBJECT_COUNT_ONE(name) +1
#define SUBJECT_DECLARE(name) extern const subject subject_##name;
enum { SUBJECT_COUNT = 0 SUBJECTS(SUBJECT_COUNT_ONE) };
SUBJECTS(SUBJECT_DECLARE)
#undef SUBJECT_COUNT_ONE
#undef SUBJECT_DECLARE

extern const subject *const subjects[SUBJECT_COUNT];

/* The description with these sizes and, unless it is NULL, this tuning, in of->desc_bytes bytes. */
void subject_describe(const subject *of, const void *desc, const char *tuning,
                      const size_t most[SUBJECT_NUMBERS], void *described);

/* A plan of the description with these sizes and, unless it is NULL, this tuning. */
clprims_status subject_create(const subject *of, clprims_context *context, const void *desc,
                              const char *tuning, const size_t most[SUBJECT_NUMBERS], void **plan);

/* A plan for these data. */
clprims_status subject_plan(const subject_data *d, clprims_context *context, const char *tuning,
                            void **plan);

/* A plan for these data in the program's context, until the case ends. */
void *subject_opened_plan(const subject_data *d, const char *tuning);

/* A plan of a description with its sizes, in the program's context, until the case ends. */
void *subject_made_plan(const subject *of, const void *desc);

/* The same; the subject's last plan is kept for neighbouring cases. What the description points to
 * must stay as it is. */
void *subject_kept_plan(const subject *of, const void *desc);
void subject_forget_plans(void);

/* A description as the data of a case, and the head of data that a run of its plan has. */
typedef struct subject_described {
    const subject *of;
    union {
        unsigned char bytes[SUBJECT_DESC_BYTES];
        max_align_t alignment;
    } desc;
} subject_described;

subject_described subject_described_by(const subject *of, const void *desc);
subject_data subject_data_like(const subject_described *c);

/* limit() or its default. */
void subject_limit_for(const subject *of, size_t n, size_t most[SUBJECT_NUMBERS]);

/* Draws the arrays of d, whose first half is set. The numbers were given or drawn before. */
void subject_draw(subject_data *d);
/* Draws the numbers of about n elements, then the arrays. */
void subject_draw_about(subject_data *d, size_t n);
void subject_free(subject_data *d);

/* Lets each output lie in the place of the input that it may take. */
void subject_put_in_place(subject_data *d);

/* The slot of the array of that name; fails the case if there is none. */
size_t subject_slot(const subject_data *d, const char *name);

/* Leaves out an array that the call need not have. */
void subject_leave_out(subject_data *d, const char *name);

subject_rule subject_rule_of(const subject_data *d, size_t one, size_t other);

/* ---- For the subjects ------------------------------------------------------------------------ */

/* The head of a subject's structure. */
#define SUBJECT(prim) SUBJECT_NAMED(#prim, prim)
#define SUBJECT_NAMED(called, prim)                                                                \
    .name = called, .desc_bytes = sizeof(clprims_##prim##_desc),                                   \
    .tuning = offsetof(clprims_##prim##_desc, tuning), .create = create, .destroy = destroy,       \
    .enqueue = enqueue, .run = run, .draw = draw

#define SUBJECT_MAX(prim, member) offsetof(clprims_##prim##_desc, member)

/* The members of a primitive with a type; of one that combines, as scan does. */
#define SUBJECT_MEMBER(prim, member) .members.member = 1 + offsetof(clprims_##prim##_desc, member)
#define SUBJECT_COMBINES(prim)                                                                     \
    SUBJECT_MEMBER(prim, type), SUBJECT_MEMBER(prim, accumulator), SUBJECT_MEMBER(prim, op),       \
        SUBJECT_MEMBER(prim, custom), SUBJECT_MEMBER(prim, input),                                 \
        SUBJECT_MEMBER(prim, parameters), SUBJECT_MEMBER(prim, no_input_array)

/* What describe says: scratch; the work-items of a group; and the number of groups. */
#define SUBJECT_INFO(prim) .describe = describe, .info.bytes = sizeof(clprims_##prim##_info)
#define SUBJECT_SCRATCH(prim) .info.scratch = offsetof(clprims_##prim##_info, scratch_bytes)
#define SUBJECT_GROUP(prim)                                                                        \
    SUBJECT_INFO(prim), SUBJECT_SCRATCH(prim), .info.group = offsetof(clprims_##prim##_info, group)
#define SUBJECT_GROUPS(prim)                                                                       \
    SUBJECT_GROUP(prim), .info.groups = offsetof(clprims_##prim##_info, groups)

/* The tables that each subject has. */
#define SUBJECT_PLANS                                                                              \
    .plans.calls = SUBJECT_TABLE(calls), .plans.samples = SUBJECT_TABLE(samples),                  \
    .plans.faults = SUBJECT_TABLE(faults), .plans.kinds = SUBJECT_TABLE(kinds)

/* The same with `launched`, but where they are in core/create_*.c. */
#define SUBJECT_LAUNCHED_PLANS SUBJECT_PLANS, .plans.launched = SUBJECT_TABLE(launched)

/* Defines create and destroy. A create that fails must set the plan. */
#define SUBJECT_PLAN(prim)                                                                         \
    static clprims_status create(void **plan, clprims_context *context, const void *desc,          \
                                 size_t bytes) {                                                   \
        if (plan == NULL) return clprims_##prim##_create_sized(NULL, context, desc, bytes);        \
        clprims_##prim *made = *plan;                                                              \
        const clprims_status status = clprims_##prim##_create_sized(&made, context, desc, bytes);  \
        *plan = made;                                                                              \
        return status;                                                                             \
    }                                                                                              \
    static void destroy(void *plan) {                                                              \
        clprims_##prim##_destroy(plan);                                                            \
    }

/* The structure of a call. */
#define SUBJECT_GIVEN(d, structure) ((d)->lacks_structure ? NULL : (structure))

/* Define enqueue and run; `...`: the members of the buffers, by s->at and d, and of the arrays, by
 * at and d. */
#define SUBJECT_ENQUEUE(prim, ...)                                                                 \
    static clprims_status enqueue(void *plan, const subject_data *d,                               \
                                  const subject_submission *s) {                                   \
        const clprims_##prim##_buffers buffers = {__VA_ARGS__};                                    \
        return clprims_##prim##_enqueue(plan, s->queue, SUBJECT_GIVEN(d, &buffers),                \
                                        subject_room(d, 0), SUBJECT_WAITS(s));                     \
    }
#define SUBJECT_RUN(prim, ...)                                                                     \
    static clprims_status run(void *plan, const subject_data *d, void *const *at) {                \
        const clprims_##prim##_arrays arrays = {__VA_ARGS__};                                      \
        return clprims_##prim##_run(plan, SUBJECT_GIVEN(d, &arrays), d->n[0]);                     \
    }

/* Defines describe; `...`: the numbers of a run, of n. */
#define SUBJECT_DESCRIBE(prim, ...)                                                                \
    static clprims_status describe(const void *plan, const size_t *n, void *info, size_t bytes) {  \
        return clprims_##prim##_describe_sized(plan, __VA_ARGS__, info, bytes);                    \
    }

/* Defines set_way, which sets one member. */
#define SUBJECT_SET_WAY(prim, member)                                                              \
    static void set_way(void *desc, int number) {                                                  \
        ((clprims_##prim##_desc *)desc)->member = number;                                          \
    }

/* Defines set_parameter. */
#define SUBJECT_PARAMETERS(prim)                                                                   \
    static clprims_status set_parameter(void *plan, size_t k, size_t bytes, const void *value) {   \
        return clprims_##prim##_set_parameter(plan, k, bytes, value);                              \
    }

/* Defines check. */
#define SUBJECT_CHECK(prim)                                                                        \
    static clprims_status check(const void *report) {                                              \
        return clprims_##prim##_check(report);                                                     \
    }

/* A description with the members that are named. */
#define SUBJECT_DESC(prim, ...) (&(const clprims_##prim##_desc){__VA_ARGS__})

/* The same of a primitive that takes the user's texts. */
#define SUBJECT_CUSTOM_DESC(prim, ...) SUBJECT_DESC(prim, __VA_ARGS__)

/* The user's own type and operator of harness/custom_operators.h. */
#define SUBJECT_AFFINE(commutes) SUBJECT_AFFINE_BY("compose(a, b)", commutes)
#define SUBJECT_AFFINE_BY(op, commutes)                                                            \
    .custom = {op,                                                                                 \
               custom_affine_text,                                                                 \
               "affine",                                                                           \
               sizeof custom_affine_identity,                                                      \
               custom_affine_identity,                                                             \
               commutes}

/* Fills the input as d says; false: it leaves that to the subject. */
bool subject_fill_as_told(const subject_data *d, void *in, size_t n);

/* Elements for which an array has room that has n[k] of them. */
size_t subject_room(const subject_data *d, size_t k);

/* An array of n elements and room for more, which the caller fills, and one whose n expected
 * elements the caller sets. `room` counts the n elements as well. No call may read the room behind
 * them, which has bytes of ones: in floats they are NaN. */
void *subject_in(subject_data *d, size_t slot, const char *name, size_t n, size_t room,
                 size_t bytes);
void *subject_out(subject_data *d, size_t slot, const char *name, size_t n, size_t room,
                  size_t bytes);
/* Lets an output that is not written everywhere have something before the run. */
void subject_keep(subject_data *d, size_t slot);
/* Number k as an array; none unless the run is counted. */
void subject_number(subject_data *d, size_t slot, const char *name, size_t k);
void subject_report(subject_data *d, size_t slot, const void *expected, size_t bytes);
void subject_may_overlap(subject_data *d, size_t one, size_t other, subject_rule rule);

/* Bytes of an element of that type, which may be the user's own. */
size_t subject_bytes(clprims_type type, const clprims_custom *custom);

/* Element i as a number without a sign. */
uint64_t subject_load(size_t bytes, const void *values, size_t i);

/* n numbers below bound, or of the whole range if that is 0; numbers that ascend by less than step;
 * count + 1 offsets from 0 to n, mostly of short segments, one of them long. */
void subject_fill(void *values, size_t bytes, size_t n, uint64_t bound);
void subject_ascend(void *values, size_t bytes, size_t n, uint64_t step);
void subject_cut(void *offsets, size_t bytes, size_t n, size_t count);

/* limit() and numbers() where the second number is that of segments. */
void subject_limit_segments(size_t n, size_t most[SUBJECT_NUMBERS]);
void subject_draw_segments(subject_data *d, size_t n);
/* The number that is the length of all segments, where they have one, and how a run of about n
 * elements draws it: at most the plan's number of segments covers the most elements that the run
 * may have. */
enum { SUBJECT_LENGTH = 2 };
void subject_draw_length(subject_data *d, size_t n);
size_t subject_rows(size_t n, size_t length); /* segments of that length */

/* The positions of the numbers in ascending order; of equal numbers the lowest comes first. */
void subject_order_by(const uint64_t *numbers, size_t n, size_t *order);

#endif
