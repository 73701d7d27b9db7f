/* SPDX-License-Identifier: MIT */
/*
 * The textbook steps: each way that is told of on the road to a fast primitive, as a row of its
 * own beside the library's.
 *
 * A file textbook/<stem>.c without an underscore in its name defines `const textbook_table
 * textbook_<stem>`, and CMake puts it into the one list of tables; textbook/<stem>_*.c are its
 * further files, textbook/<stem>*.cl its kernels. tests/bench/test_textbook.c runs every step of
 * every table at many sizes, and `clprims-bench --suite textbook` prints the tables; neither needs
 * to be told of a new one.
 */
#ifndef TEXTBOOK_H
#define TEXTBOOK_H

#include <clprims/clprims.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TEXTBOOK_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TEXTBOOK_PRINTF(text, first)
#endif

/* ---- Where steps run --------------------------------------------------------------------------
 */

typedef struct textbook_device {
    clprims_context *clprims; /* for the library's own row */
    cl_context context;
    cl_device_id id;
    cl_command_queue queue; /* in order, with profiling */
    bool is_cpu;
    clprims_layer layer;
    size_t lanes; /* of a sub-group; in the local layer, where groups stand for sub-groups, 32 */
} textbook_device;

/* Of a context. */
textbook_device textbook_device_of(clprims_context *context, const clprims_context_info *info);

/* ---- What steps solve -------------------------------------------------------------------------
 */

/* One kind of data, such as "int32" or "random"; what `number` means is the subject's affair. */
typedef struct textbook_variant {
    const char *name;
    int number;
} textbook_variant;

enum { TEXTBOOK_INPUTS = 2, TEXTBOOK_PARTS = 6, TEXTBOOK_POISON = 0xa5 };

/* The report on the device is as long as the library's own; its word 1 is the one that counts. */
enum { TEXTBOOK_REPORT_WORDS = 3, TEXTBOOK_REPORT_WORD = 1 };

/*
 * One problem of n elements (rows, for matrices). Device and host hold the same inputs; a step
 * writes the output of the place where it works and leaves what it has no element for as it was.
 */
typedef struct textbook_problem {
    const textbook_variant *variant;
    size_t n;
    int64_t head; /* of a list */
    size_t in_bytes[TEXTBOOK_INPUTS]; /* 0: the kind lacks this input */
    size_t out_bytes;
    cl_mem in[TEXTBOOK_INPUTS], out;
    cl_mem report; /* ulongs, one of them a count, or where the first fault is, or still poison */
    void *host_in[TEXTBOOK_INPUTS], *host_out;
    uint64_t *host_report;
} textbook_problem;

typedef struct textbook_subject {
    const char *name; /* "scan" */
    /* Sets in_bytes and out_bytes from variant and n. */
    void (*shape)(textbook_problem *problem);
    /* Writes the host's inputs, and head. */
    void (*fill)(textbook_problem *problem);
    /* Writes what the output and the report should be, in plain C; both hold TEXTBOOK_POISON
     * before. */
    void (*twin)(const textbook_problem *problem, void *expected, uint64_t *report);
    /* Bytes that must move: inputs read once, output written once. */
    double (*bytes)(const textbook_problem *problem);
} textbook_subject;

/* ---- Steps ------------------------------------------------------------------------------------
 */

/* What a run that times itself took; parts of it may be named. */
typedef struct textbook_time {
    double seconds;
    size_t part_count;
    struct {
        const char *name;
        double seconds;
    } parts[TEXTBOOK_PARTS];
} textbook_time;

/*
 * One way to solve the subject. Either submit or run is there, the other NULL. All but destroy
 * return false after textbook_fail().
 */
typedef struct textbook_step {
    const char *name; /* "work-efficient"; the library's is "clprims" and stands last */
    int number; /* a parameter, for example elements a work-item; create and run see it */
    size_t most_n; /* the largest n worth the time; 0: any. Never a limit of correctness. */
    bool on_host; /* reads host_in and writes host_out, in place of the device's */
    /* Compiles and allocates for problems of this variant and of up to problem->n elements. */
    bool (*create)(void **state, const textbook_device *device, const textbook_problem *problem,
                   int number);
    /* Enqueues all of one run on device->queue, never waits; *event is of the last command. */
    bool (*submit)(void *state, const textbook_problem *problem, cl_event *event);
    /* Runs once, waits, and says how long it took: for the host and for round trips through it. */
    bool (*run)(void *state, const textbook_problem *problem, textbook_time *time);
    void (*destroy)(void *state); /* NULL is fine */
} textbook_step;

/* Sizes base^first, base^(first + step) ... base^last; with `beside`, each less that many too. */
typedef struct textbook_sizes {
    size_t base;
    unsigned first, last, step;
    size_t beside;
} textbook_sizes;

typedef struct textbook_table {
    const char *seed; /* "004" */
    const char *title; /* "scan, int32" */
    const textbook_subject *subject;
    const textbook_variant *variants;
    size_t variant_count;
    size_t measured_variants; /* how many of them are measured, 0: all; the others are for tests */
    const textbook_step *steps;
    size_t step_count;
    textbook_sizes gpu, cpu; /* as the seed has them, and what a CPU device can bear */
    size_t tested_every; /* of the steps, in tests that are not long; 0: each */
    const size_t *test_sizes; /* NULL: the sizes of tests/bench/test_textbook.c; else 0 ends them */
} textbook_table;

/* All tables; NULL ends them. */
extern const textbook_table *const textbook_tables[];

/* ---- What steps share (textbook.c) ------------------------------------------------------------
 */

/* Notes why a step failed; returns false. */
TEXTBOOK_PRINTF(1, 2) bool textbook_fail(const char *format, ...);
/* What was noted last, "" at first. */
const char *textbook_message(void);
/* Whether an OpenCL call went well; notes it otherwise. */
bool textbook_cl(cl_int code, const char *what);

/* Compiles textbook/<file>, which is embedded, behind the defines, "#define ITEMS 4\n" or "". */
bool textbook_build(const textbook_device *device, const char *file, const char *defines,
                    cl_program *program);
/*
 * The same behind the context's cl/device_*.cl and lanes.cl, for kernels that exchange between
 * lanes or publish words; all of them have work-groups of `group`.
 */
bool textbook_build_lanes(const textbook_device *device, const char *file, size_t group,
                          const char *defines, cl_program *program);
/* The largest group of at most `most` work-items whose sub-groups are no more than its lanes. */
size_t textbook_lanes_group(const textbook_device *device, size_t most);
bool textbook_kernel(cl_program program, const char *name, cl_kernel *kernel);
/* A buffer of `bytes` bytes, at least one. */
bool textbook_buffer(const textbook_device *device, size_t bytes, cl_mem *buffer);

/* An argument of a kernel: TEXTBOOK_ARG(n) for a variable n, cl_mem included. */
typedef struct textbook_arg {
    size_t bytes;
    const void *value;
} textbook_arg;
#define TEXTBOOK_ARG(variable)                                                                     \
    { sizeof(variable), &(variable) }

/*
 * Enqueues `groups` work-groups of `group` work-items, with the arguments that follow. The event
 * may be NULL; without groups it is of a marker.
 */
#define textbook_launch(device, kernel, groups, group, event, ...)                                 \
    textbook_launch_with(device, kernel, groups, group, event,                                     \
                         (const textbook_arg[]){__VA_ARGS__},                                      \
                         sizeof((const textbook_arg[]){__VA_ARGS__}) / sizeof(textbook_arg))
bool textbook_launch_with(const textbook_device *device, cl_kernel kernel, size_t groups,
                          size_t group, cl_event *event, const textbook_arg *args, size_t count);
void textbook_release(cl_program program);
void textbook_release_kernel(cl_kernel kernel);
void textbook_release_buffer(cl_mem buffer);

/* Seconds on the device from the start of one profiled command to the end of another. */
double textbook_event_seconds(cl_event first, cl_event last);
/* Monotonic host time in seconds. */
double textbook_now(void);

/* Spreads an index over 64 bits: the inputs of all subjects come of it. */
uint64_t textbook_scatter(uint64_t i);

#endif
