/* SPDX-License-Identifier: MIT */
/* What --tune measures: a plan for each key of tuning lines, with inputs of its own. */
#ifndef BENCH_TUNE_H
#define BENCH_TUNE_H

#include "harness/bench.h"

enum { TUNE_INPUTS = 2, TUNE_VALUES = 8, TUNE_KNOBS = 10 };

/* A knob with the values that are tried; 0 ends them. */
typedef struct tune_knob {
    const char *name;
    unsigned values[TUNE_VALUES];
} tune_knob;

struct tune_job;

/* How plans of a primitive are made and run. */
typedef struct tune_primitive {
    void (*prepare)(struct tune_job *job); /* sizes of the buffers */
    /* Writes an input, whose memory is zeroed. */
    void (*fill)(struct tune_job *job, int input, void *to);
    clprims_status (*create)(struct tune_job *job);
    clprims_status (*submit)(void *job, cl_command_queue queue, cl_event *event);
    void (*destroy)(struct tune_job *job);
} tune_primitive;

/* A key, and a plan that asks for it. */
typedef struct tune_subject {
    const char *key;
    clprims_type type; /* of the elements or links */
    const tune_primitive *of;
    const tune_knob *gpu, *cpu; /* the knobs that are tried; the last has no name */
    size_t gpu_n, cpu_n; /* elements, or rows of a matrix */
    size_t batch; /* matrices; 0: one */
    int kind; /* for the primitive */
} tune_subject;

extern const tune_subject tune_subjects[];
extern const size_t tune_subject_count;

typedef struct tune_job {
    bench *b;
    const tune_subject *what;
    clprims_context *context; /* of the knobs that are tried now */
    size_t n;
    size_t in_bytes[TUNE_INPUTS], out_bytes;
    cl_mem in[TUNE_INPUTS], out, rest;
    int64_t head; /* of a list */
    void *plan;
} tune_job;

#endif
