/* SPDX-License-Identifier: MIT */
/*
 * The command: its subcommands and what each of them shares. `clprims scan IN.npy -o OUT.npy`, from
 * its words to its file:
 *   main.c             the list of subcommands; finds the one that the first word names
 *   arguments.c        reads the words by the subcommand's table of options; prints --help
 *   values.c           options' values: names of operators and types, numbers
 *   commands/          one file per subcommand or family: its table, its description, its plan
 *   job.c              opens inputs, loads arrays, runs the plan, stores outputs, prints --stats
 *   chosen_device.c    the device: its memory, copies, runs, and their times
 *   io/npy.c           headers of .npy files; npy_header.c parses their text
 *   io/input.c         bytes of files, pipes, standard input
 *   io/output.c        where bytes go; replacement.c replaces a regular file as a whole
 *   message.c          messages and exit statuses
 * Shared by some subcommands: combination.c (operators and their values), list_input.c (lists) and
 * offsets_input.c (segments). Machine code of pack: pack_assemble.c (ptxas), pack_compile.c (clang)
 * and pack_work.c (the folder where both work).
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/chosen_device.h"
#include "cli/io/npy.h"
#include "cli/message.h"

#include <clprims/clprims.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- Tables of options ---- */

/* What a row is. The name of an OUTPUT is checked before any work starts. A PAIR has two values,
 * "LO HI". */
enum { OPTIONAL = 0, REQUIRED = 1, OUTPUT = 2, PAIR = 4, KIND_BITS = 3 };

/* The row belongs to these variants alone of the subcommands that share the table. */
#define OF(variants) ((unsigned)(variants) << KIND_BITS)

/* A row. A name without a leading '-' is an operand. */
typedef struct cli_option {
    const char *name; /* "--op", "-o", "IN.npy" */
    const char *value; /* what the help calls the option's value; NULL for a flag or operand */
    const char *help;
    unsigned kind;
} cli_option;

#define OPTION_IN                                                                                  \
    {                                                                                              \
        "IN.npy", NULL, "one-dimensional array of bool, int8 to uint64, float32 or float64",       \
            REQUIRED                                                                               \
    }
#define OPTION_OUT                                                                                 \
    { "-o", "OUT.npy", "where the result goes; may be the input", REQUIRED | OUTPUT }

typedef struct cli_job cli_job;

typedef struct cli_command {
    const char *name;
    const char *summary; /* a line in the list of subcommands */
    const char *purpose; /* the head of the help */
    const cli_option *options;
    size_t count;
    unsigned variant; /* a bit, where several subcommands share a table; else 0 */
    void (*run)(cli_job *job); /* leaves the exit status in job->status */
} cli_command;

#define OPTIONS(table) .options = (table), .count = sizeof(table) / sizeof *(table)

/* ---- A job: one subcommand at work ---- */

enum { OPTIONS_MOST = 24, MEMORY_MOST = 8 };

/* Start from {0}. It owns files, device and memory; job_close gives all of it back. */
struct cli_job {
    const cli_command *command;
    const cli_option *rows[OPTIONS_MOST]; /* of the subcommand, then the common ones */
    size_t num_own, num_rows;
    const char *texts[OPTIONS_MOST][2]; /* of each row; NULL: not given */
    bool stats; /* --stats */
    int status; /* an exit status; after a failure nothing else is done */
    cli_device device;
    npy_input inputs[INPUTS_MOST];
    size_t num_inputs;
    cl_mem memory[MEMORY_MOST];
    size_t num_memory;
    device_result results[OUTPUTS_MOST];
    size_t num_results;
    double seconds; /* of the measured run */
};

/* Makes a call that returns an exit status, unless something failed before. */
#define JOB_TRY(job, call)                                                                         \
    do {                                                                                           \
        if ((job)->status == EXIT_FINE) (job)->status = (call);                                    \
    } while (0)

/* ---- A plan ---- */

/* The first members of X_plan, which has what a subcommand knows of its run; submit_X, which runs
 * it; and both where there is nothing else. Macros, as each primitive has types of its own. */
#define CLI_PLAN_MEMBERS(x)                                                                        \
    clprims_##x *x;                                                                                \
    clprims_##x##_buffers at;                                                                      \
    size_t n;
#define CLI_SUBMIT(x)                                                                              \
    static clprims_status submit_##x(void *self, cl_command_queue queue, cl_event *event) {        \
        const x##_plan *const p = self;                                                            \
        return clprims_##x##_enqueue(p->x, queue, &p->at, p->n, 0, NULL, event);                   \
    }
#define CLI_PLAN(x)                                                                                \
    typedef struct x##_plan {                                                                      \
        CLI_PLAN_MEMBERS(x)                                                                        \
    } x##_plan;                                                                                    \
    CLI_SUBMIT(x)

/* Creates the primitive of an X_plan. option, text: the user's, which a message is to name, or
 * NULL. */
#define JOB_CREATE(job, x, plan, desc, option, text)                                               \
    JOB_TRY(job, library_exit_with_text(                                                           \
                     clprims_##x##_create(&(plan)->x, (job)->device.context, desc), option, text))

/* ---- arguments.c ---- */

/* Reads the words after the subcommand. Returns whether to go on; not after --help, --version or a
 * reported mistake. */
bool arguments_read(cli_job *job, int argc, char **argv);

/* The value of an option or operand, for a flag its name; NULL: it is not given, or the subcommand
 * has none of that name. */
const char *job_text(const cli_job *job, const char *name);

/* Both values of a PAIR. */
const char *const *job_pair(const cli_job *job, const char *name);

/* Refuses two options together. */
void job_exclude(cli_job *job, const char *one, const char *other);

/* Refuses an output that goes to standard error, where other things are to be printed. */
int arguments_keep_apart(const char *out);

/* ---- values.c ---- */

typedef enum cli_choice {
    CHOICE_OP,
    CHOICE_REDUCTION, /* an operator, argmin or argmax */
    CHOICE_TYPE,
    CHOICE_LAYER
} cli_choice;

/* Sets *value to the enumerator that the text names; NULL leaves it as it is. EXIT_FINE, or
 * EXIT_USAGE after a message that names the option. */
int value_choose(const char *option, const char *text, cli_choice choice, int *value);

/* Calls value_choose for an option. Returns the enumerator, or `standard` without the option. */
int job_choose(cli_job *job, const char *option, cli_choice choice, int standard);

/* One element of a type, clprims_type_bytes(type) bytes at value. */
int value_element(const char *option, const char *text, clprims_type type, void *value);

/* ---- job.c ---- */

/* Each function does nothing after a failure. what: an array's name for messages. */

/* Opens the file that an option names. Without the option the input has no path and no elements. */
npy_input *job_open(cli_job *job, const char *option, npy_use use);

/* Reads what the job's options say of the context. */
int job_options(const cli_job *job, clprims_context_options *options);

/* Opens the device. */
void job_start(cli_job *job);

void job_allocate(cli_job *job, const char *what, size_t bytes, cl_mem *mem);

/* Allocates memory for an input and loads it. */
void job_load(cli_job *job, const char *what, npy_input *input, cl_mem *mem);

/* Notes that memory becomes the file that an option names. Does nothing without the option. */
void job_result(cli_job *job, const char *option, npy_array array, cl_mem mem);

/* Allocates memory for an array and calls job_result. Does nothing without the option. */
void job_output(cli_job *job, const char *what, const char *option, npy_array array, cl_mem *mem);

/* Runs `submit` and waits; with --stats a second run is measured. */
void job_run(cli_job *job, device_submit submit, void *self);

/* Runs `submit`, which changes what it reads, and measures this run with --stats. */
void job_run_once(cli_job *job, device_submit submit, void *self);

/* Runs `submit` with a report, which it allocates and reads. */
void job_run_reported(cli_job *job, device_submit submit, void *self, cl_mem *mem, void *report,
                      size_t bytes);

void job_read(cli_job *job, cl_mem mem, size_t bytes, void *out);

/* Writes all results. */
void job_store(cli_job *job);

/* What a run reads and writes, or of what it computes the sums. */
typedef enum cli_counted { CLI_BYTES, CLI_PAIRS } cli_counted;

/* With --stats, prints "WHAT on DEVICE (LAYER layer): 0.25 ms on the device, 8.389 GB/s (2097152
 * bytes read and written)", or "8.389 G pairs/s". format: of WHAT. */
CLI_PRINTF(4, 5)
void job_print(const cli_job *job, cli_counted counted, size_t count, const char *format, ...);

void job_close(cli_job *job);

/* max_n of a plan for n elements. */
static inline size_t job_most(size_t n) {
    return n > 0 ? n : 1;
}

#endif
