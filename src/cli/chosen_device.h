/* SPDX-License-Identifier: MIT */
/* From options to a device, from a file to its memory and back, and the timing of what runs. */
#ifndef CLI_DEVICE_H
#define CLI_DEVICE_H

#include "cli/arguments.h"
#include "cli/io/npy.h"

#include <clprims/core.h>

/* Each call gives back an exit status, after a message unless it is EXIT_FINE. */

/*
 * What the options say, else the environment: CLPRIMS_DEVICE, CLPRIMS_LAYER, CLPRIMS_CL_DIR,
 * CLPRIMS_TUNING and CLPRIMS_PROBED.
 */
int device_options(const cli_settings *common, clprims_context_options *options);

/* Start from {0}; device_close is fine in any state. */
typedef struct cli_device {
    clprims_context *context;
    clprims_context_info info;
} cli_device;

int device_open(cli_device *device, const cli_settings *common);
void device_close(cli_device *device);

/* Device memory of at least `bytes` bytes; what: the array's name for messages. */
int device_allocate(const cli_device *device, const char *what, size_t bytes, cl_mem *out);

int device_load(const cli_device *device, npy_input *input, cl_mem mem);

/* The same, with a look at the elements on their way; `first` is the index of the first one. */
typedef int (*device_check)(const npy_input *input, const void *elements, size_t first,
                            size_t count);
int device_load_checked(const cli_device *device, npy_input *input, cl_mem mem, device_check check);

/* An array in device memory and the file that it becomes. */
typedef struct device_result {
    cl_mem mem;
    const char *path;
    clprims_type type;
    size_t dimensions; /* 1: of `rows` elements; 2: a matrix */
    size_t rows, columns;
    bool is_bool; /* uint8 that becomes NumPy's bool */
} device_result;

/* Stores up to OUTPUTS_MOST results; of regular files all of them or none. */
int device_store_all(const cli_device *device, const device_result *results, size_t count);

/* One alone. */
int device_store(const cli_device *device, cl_mem mem, const char *path, clprims_type type,
                 size_t n);

/* A few bytes; what: their name for messages. */
int device_read(const cli_device *device, const char *what, cl_mem mem, size_t bytes, void *out);
int device_read_at(const cli_device *device, const char *what, cl_mem mem, size_t at, size_t bytes,
                   void *out);

int device_copy(const cli_device *device, cl_mem from, cl_mem to, size_t bytes);

/* Submits commands that set `count` elements to the one at `value`. what: as device_allocate. */
int device_fill(const cli_device *device, const char *what, cl_mem mem, const void *value,
                size_t element_bytes, size_t count);

/* Gives memory back, DEVICE_FREE(job.in.mem, job.out.mem); NULL is fine. */
void device_free(const cl_mem *mems, size_t count);
#define DEVICE_FREE(...)                                                                           \
    device_free((const cl_mem[]){__VA_ARGS__},                                                     \
                sizeof((const cl_mem[]){__VA_ARGS__}) / sizeof(cl_mem))

/* Submits one run; the event is that of its end. */
typedef clprims_status (*device_submit)(void *job, cl_command_queue queue, cl_event *event);

/*
 * Runs a job and waits for it. With seconds, it runs twice and the second time is measured:
 * the first one of a process may wait for the driver's compiler. scratch: memory that the job
 * overwrites.
 */
int device_run(const cli_device *device, device_submit submit, void *job, cl_mem scratch,
               double *seconds);

/* The measured run alone, of a job that has run before. */
int device_measure(const cli_device *device, device_submit submit, void *job, cl_mem scratch,
                   double *seconds);

/* "0.25 ms on the device, 8.389 GB/s (2097152 bytes read and written)" */
void device_print_rate(char *text, size_t size, double seconds, size_t bytes);

#endif
