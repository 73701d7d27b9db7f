/* SPDX-License-Identifier: MIT */
/*
 * What the benchmark's files share: options, device, progress, timing, rows, suites.
 *
 * A suite is one function that measures one subject and reports rows. A new one is a file
 * suites/bench_<subject>.c, one line in suites.h and, for a heading other than its name, one in
 * documents/tables.py. Nothing here is defined in bench.c, which holds main and stands above the
 * suites.
 */
#ifndef BENCH_H
#define BENCH_H

#include <clprims/clprims.h>
#include <stdbool.h>

#if defined(__GNUC__)
#define BENCH_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define BENCH_PRINTF(text, first)
#endif

/* Exit statuses. */
enum { BENCH_EXIT_WRONG = 1, BENCH_EXIT_USAGE = 2, BENCH_EXIT_DEVICE = 3 };

/* ---- options.c ------------------------------------------------------------------------------- */

typedef struct bench_options {
    const char *device;
    const char *layer;
    const char *probed; /* of clprims_context_options */
    const char *cl_dir;
    const char *tuning;
    const char *store; /* folder that keeps programs; NULL: the user's cache */
    const char *pack; /* NULL: none */
    const char *offline; /* the GPU for which the suite create writes the pack; NULL: it measures */
    const char *suites; /* names with commas between; NULL: all */
    const char *algorithms; /* the same, or "all"; NULL: only what AUTO takes */
    const char *only; /* parts of names, with | between; NULL: all */
    bool is_exact; /* `only` is one whole name */
    const char *csv; /* file to write, or NULL */
    const char *trial; /* a module of peers to try, in place of measuring; or NULL */
    const char *commit;
    const char *text;
    size_t least, most; /* limits of n; equal: exactly this n */
    bool sized; /* limits were given */
    bool quick;
    bool brief; /* the usual cases of bench.c's table, at two sizes */
    bool portable; /* the cases of bench.c's table that tell layers apart, each at one size */
    bool tune; /* measure shapes in place of the suites */
    bool alone; /* without peers */
    bool no_store; /* no programs are kept */
    bool spoil; /* every result is changed before it is compared: all must be found wrong */
} bench_options;

/* Reads environment and command line; ends the program for --help and for wrong usage. */
void bench_options_read(bench_options *options, int argc, char **argv);

/* Whether `name` is one of the comma-separated names; a NULL list names none. */
bool bench_names_have(const char *names, const char *name);

enum { BENCH_MAX_SIZES = 64 };

/*
 * The sizes to measure: base^first, base^(first + step), ... up to base^last; with --size, every
 * second power of two or every power of ten within its limits, or the one size that it names; with
 * --brief, a small one and the last.
 * Returns how many.
 */
size_t bench_sizes(const bench_options *options, size_t base, unsigned first, unsigned last,
                   unsigned step, size_t sizes[BENCH_MAX_SIZES]);

/* Whether --only lets this name through, which is the whole one that is printed. */
bool bench_wanted(const bench_options *options, const char *name);

/* ---- support.c ------------------------------------------------------------------------------- */

typedef struct bench bench;

/* Says why on stderr and ends the program with that status. */
BENCH_PRINTF(2, 3) _Noreturn void bench_die(int status, const char *format, ...);

/* Ends the program if an OpenCL call of the benchmark's own failed. */
void bench_cl(cl_int code, const char *what);

/* Memory or the end of the program; bytes may be 0. */
void *bench_alloc(size_t bytes);

/* The same, with all pages touched, on all cores. */
void *bench_alloc_touched(size_t bytes);

/* Monotonic host time in seconds. */
double bench_now(void);

/* Whether one buffer of `each` bytes can be had, and `total` bytes in all. */
bool bench_fits(const bench *b, double each, double total);

/* A device buffer of at least `bytes` bytes, all of them set to 0xa5: touched, and never by
 * chance the right result. */
cl_mem bench_buffer(bench *b, size_t bytes);
void bench_buffer_poison(bench *b, cl_mem buffer, size_t bytes);

/* Reads part of a result that is to be compared; --spoil changes its first byte on the way. */
void bench_read(const bench *b, cl_mem buffer, size_t first_byte, size_t bytes, void *to);
void bench_write(const bench *b, cl_mem buffer, size_t first_byte, size_t bytes, const void *from);
void bench_spoil(const bench *b, void *result, size_t bytes);

/* ---- caches.c --------------------------------------------------------------------------------
 */

/* Gives the drivers empty caches, before the first call of OpenCL; they are removed at the end. */
void bench_caches_empty(void);

/* Empties them again. */
void bench_caches_clear(void);

/* A folder for a program store, which is empty at each call, and removed at the end. */
const char *bench_caches_store(void);

/* ---- progress.c: how far the run is, on stderr: one line that a terminal shows while nothing else
 * is printed, else a line now and then ---- */

void bench_progress_start(void);
void bench_progress_stop(void);

/* Part `part` of so many, from 1 on, begins; it is of this suite. */
void bench_progress_part(const char *suite, size_t part, size_t parts);

/* One more row is there. */
void bench_progress_row(void);

/* What the program is doing now. */
BENCH_PRINTF(1, 2) void bench_step(const char *format, ...);

/* Something is to be printed: the line makes room. Something was printed: it waits a while. */
void bench_progress_hide(void);
void bench_progress_seen(void);

/* ---- measure.c: device times and the copy that they are compared with ------------------------ */

/* Submits itself once; *event is of its last command. */
typedef struct bench_job {
    clprims_status (*submit)(void *self, cl_command_queue queue, cl_event *event);
    void *self;
} bench_job;

typedef struct bench_time {
    double median, least, most; /* seconds on the device */
    double spread; /* half the range of the middle half of the runs */
    size_t runs;
    double wall; /* median of the host's seconds from the call to its end; 0: not measured */
} bench_time;

/* Runs a job once and waits for it. */
clprims_status bench_once(bench *b, bench_job job);

/* Sorts the seconds of the runs, at least one. */
bench_time bench_summarize(double *seconds, size_t runs);

/* Seconds that the timed runs of one job may take; with --brief fewer. */
double bench_budget(const bench *b, double seconds);

/* Times a job that has run before. */
clprims_status bench_measure(bench *b, bench_job job, bench_time *time);

/* Keeps the queue busy while the host submits what is timed. */
void bench_space(bench *b);

/* Seconds of a kernel that does next to nothing. */
double bench_launch_seconds(bench *b);

/* Seconds of a copy that moves `bytes` in all, half of them read and half written. */
double bench_copy_seconds(bench *b, double bytes);

/* The same for a host function, repeated for a while when it is short. */
double bench_host_seconds(void (*work)(void *self), void *self);

/* ---- report.c: the table on stdout and the CSV file ------------------------------------------ */

/* One verified measurement. Zero stands for "not measured" in the seconds. */
typedef struct bench_row {
    const char *suite; /* "scan" */
    const char *name; /* "int32 add exclusive" */
    const char *library; /* NULL: clprims; "CUB"; BENCH_TEXTBOOK */
    const char *method; /* "lookback" */
    const char *variant; /* of the method, "single-wave"; NULL: it has none */
    size_t n;
    double bytes; /* that must move: input read once, result written once */
    bench_time time;
    double copy_seconds;
    double serial_seconds; /* the same job in plain C on the host */
    size_t parts; /* that the work was cut into: a list's sublists; 0: not told */
    const char *fault; /* NULL: verified; else what is wrong or failed */
    bool failed; /* the fault is a call that failed, not a wrong result */
} bench_row;

#define BENCH_TEXTBOOK "textbook"

void bench_csv_open(bench *b);
void bench_csv_close(bench *b);
void bench_table_begin(const char *title);

/* Prints a row and writes it to the CSV file. */
void bench_row_report(bench *b, const bench_row *row);

/* The same after a call of the library's that ended with this status. fault: what the comparison
 * said, "" if all was equal; takes the library's message. */
enum { BENCH_FAULT_CHARS = 256 };
void bench_row_conclude(bench *b, bench_row *row, clprims_status status,
                        char fault[BENCH_FAULT_CHARS]);

/* A remark on its own line of the table. */
BENCH_PRINTF(1, 2) void bench_note(const char *format, ...);

/* "2^20", "10^6" or plain digits; text has at least 24 characters. */
const char *bench_count_text(size_t n, char *text);

/* "12.3 ms"; text has at least 24 characters. */
const char *bench_seconds_text(double seconds, char *text);

/* Notes once that a library was not measured, and why. */
void bench_missing(bench *b, const char *library, const char *why);

/* Prints what bench_missing noted. */
void bench_missing_report(const bench *b);

/* ---- bench_tune.c: in place of the suites -----------------------------------------------------
 */

/* Prints tuning lines for this device. */
void bench_tune(bench *b);

/* ---- peers/modules.c ---------------------------------------------------------------------------
 */

/* What --try does: one small task by each library of a module; returns the exit status. */
int bench_trial(bench *b, const char *module);

/* Tries each module that takes another library to the device, in a process of its own, so that its
 * crash is not the run's. Before this process has a context: NVIDIA's driver may have no device for
 * the children of a process that has one. */
void bench_try_peers(const bench *b);

/* ---- the state of a run ---------------------------------------------------------------------- */

typedef struct bench_tools {
    cl_program program;
    cl_kernel spin, copy16, copy_chunk;
    cl_uint spin_turns;
    cl_mem sink, from, to;
    size_t copy_capacity;
} bench_tools;

struct bench {
    bench_options options;
    clprims_context *context;
    clprims_context_info info;
    bool is_cpu;
    bench_tools tools;
    void *csv; /* FILE */
    char date[16]; /* of the start, UTC */
    size_t rows, wrong, failed, skipped;
    struct {
        char library[24], why[200];
    } missing[16];
    size_t missing_count;
    char last_line[512]; /* the last line of the output, set by a suite; may be empty */
};

/* Builds the kernels of measure.c. */
void bench_tools_create(bench *b);
void bench_tools_destroy(bench *b);

#endif
