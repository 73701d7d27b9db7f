/* SPDX-License-Identifier: MIT */
/* From options to a device, from a file to its memory and back, and the timing of what runs. */
#ifndef CLI_DEVICE_H
#define CLI_DEVICE_H

#include "cli/io/npy.h"

#include <clprims/core.h>

/* Each call gives back an exit status, after a message unless it is EXIT_FINE. */

/* Reads --device and --layer, NULL where they are not given, and the environment: CLPRIMS_DEVICE,
 * CLPRIMS_LAYER, CLPRIMS_CL_DIR, CLPRIMS_TUNING and CLPRIMS_PROBED. */
int device_options(const char *device, const char *layer, clprims_context_options *options);

/* Sets the folder that keeps programs: --store's, or for NULL clprims in the user's cache, if there
 * is one. */
int device_store(const char *store, clprims_context_options *options);

/* Start from {0}; device_close is fine in any state. */
typedef struct cli_device {
    clprims_context *context;
    clprims_context_info info;
} cli_device;

int device_open(cli_device *device, const clprims_context_options *options);
void device_close(cli_device *device);

/* Device memory of at least `bytes` bytes; what: the array's name for messages. */
int device_allocate(const cli_device *device, const char *what, size_t bytes, cl_mem *out);

/* Checks elements on their way to the device; `first` is the index of the first one. */
typedef int (*device_check)(const npy_input *input, const void *elements, size_t first,
                            size_t count);

/* Loads an input's elements. check: called for each block of elements; may be NULL. */
int device_load(const cli_device *device, npy_input *input, cl_mem mem, device_check check);

/* An array in device memory and the file that it becomes. */
typedef struct device_result {
    cl_mem mem;
    const char *path;
    npy_array array;
} device_result;

/* Stores up to OUTPUTS_MOST results; of regular files all of them or none. */
int device_store_all(const cli_device *device, const device_result *results, size_t count);

int device_read(const cli_device *device, cl_mem mem, size_t at, size_t bytes, void *out);

/* Sets `count` elements to the one at `value`. */
int device_fill(const cli_device *device, cl_mem mem, const void *value, size_t element_bytes,
                size_t count);

/* Gives memory back; NULL is fine. */
void device_free(const cl_mem *mems, size_t count);

/* Submits one run; the event is that of its end. */
typedef clprims_status (*device_submit)(void *job, cl_command_queue queue, cl_event *event);

/* Runs a job and waits for it. */
int device_run(const cli_device *device, device_submit submit, void *job);

/* Measures a run of a job that has run before: the first run of a process may wait for the driver's
 * compiler. */
int device_measure(const cli_device *device, device_submit submit, void *job, double *seconds);

#endif
