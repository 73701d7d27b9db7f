/* SPDX-License-Identifier: MIT */
/* Buffers, arguments, chains of kernels. */
#ifndef CLP_LAUNCH_H
#define CLP_LAUNCH_H

#include <clprims/core.h>
#include <stdbool.h>

/* What a call is given in device memory: n elements from buffer.first on. */
typedef struct clp_array {
    const char *name; /* for messages */
    clprims_buffer buffer;
    size_t n;
    size_t element_bytes;
} clp_array;

/* Checks that it is a buffer, not an image or a pipe, and of the plan's context. */
clprims_status clp_mem_check(const clprims_context *context, const char *who, const char *name,
                             cl_mem mem);

/* Checks that its buffer is one for the plan, as clp_mem_check does, and holds it. */
clprims_status clp_array_check(const clprims_context *context, const char *who,
                               const clp_array *array);

/* Refuses arrays that share a byte, sub-buffers of one parent included. An empty array shares none.
 */
clprims_status clp_arrays_apart(const char *who, const clp_array *a, const clp_array *b);

/* Whether they begin at the same byte, with elements of one size. */
clprims_status clp_arrays_begin_alike(const char *who, const clp_array *a, const clp_array *b,
                                      bool *alike);

/* Refuses to run on a device that is offline. */
clprims_status clp_check_device(const clprims_context *context, const char *who);

/* Checks what every enqueue is given besides its arrays: that the queue and the events to wait for
 * are of the plan's context, the queue of its device, and that there are as many events as said. */
clprims_status clp_check_submission(const clprims_context *context, const char *who,
                                    cl_command_queue queue, cl_uint num_wait, const cl_event *wait);

/* Device memory for scratch; refuses more than the device's largest allocation. The contents are
 * undefined unless zeroed, which waits for the context's queue. */
clprims_status clp_scratch_create(const clprims_context *context, const char *who, size_t bytes,
                                  bool zeroed, cl_mem *out);

/* Give back what is there; the others are NULL. */
void clp_release_buffers(const cl_mem *buffers, size_t count);
void clp_release_kernels(const cl_kernel *kernels, size_t count);

typedef struct clp_argument {
    size_t bytes;
    const void *value; /* NULL: local memory of that many bytes */
} clp_argument;

#define CLP_ARGUMENT(lvalue)                                                                       \
    { sizeof(lvalue), &(lvalue) }

/* Sets all arguments. INTERNAL in a debug build if the kernel takes more. */
clprims_status clp_kernel_arguments(cl_kernel kernel, const char *who,
                                    const clp_argument *arguments, cl_uint count);

/* INTERNAL in a debug build if the driver says that parameter i has another name. */
clprims_status clp_kernel_check_name(cl_kernel kernel, const char *who, cl_uint i,
                                     const char *name);

/* One kernel of a chain: one-dimensional, groups * group work-items. */
typedef struct clp_step {
    cl_kernel kernel;
    size_t groups;
    size_t group;
} clp_step;

clprims_status clp_queue_is_in_order(cl_command_queue queue, const char *who, bool *in_order);

/* Submits the steps one after another, whatever the queue's order; the event is the last one's.
 * With no steps the event waits for the wait list alone. If a step fails, the steps before it are
 * waited for, as clp_steps_abandon does. */
clprims_status clp_steps_enqueue(cl_command_queue queue, const char *who, const clp_step *steps,
                                 size_t count, cl_uint num_wait, const cl_event *wait,
                                 cl_event *event);

/* Waits for the last command of a chain that failed half-way, so that the caller may give back what
 * the chain uses; NULL: for all of an in-order queue. Not behind a user event that is still to be
 * set: the chain has not begun then, and the caller may be the one who sets it. */
void clp_steps_abandon(cl_command_queue queue, cl_event last, cl_uint num_wait,
                       const cl_event *wait);

/*
 * Launches the steps, of one group each, on the context's queue, and waits, unless this plan or
 * one with the same programs launched all their kernels before: so the first run need not wait for
 * a compiler. The arguments describe a run without elements: the kernels end at once, and write
 * to the plan's own buffers or the first bytes of the context's blank one. In program.c.
 */
clprims_status clp_steps_warm_up(const clprims_context *context, const char *who,
                                 const clp_step *steps, size_t count);

/* Plain arrays on the context's queue, for run(): a buffer with a copy of `bytes` host bytes
 * (bytes > 0; NULL: contents undefined), and the way back, behind all that was submitted before.
 * Both block. */
clprims_status clp_upload(const clprims_context *context, const char *who, const void *host,
                          size_t bytes, cl_mem *out);
clprims_status clp_download(const clprims_context *context, const char *who, cl_mem mem, void *host,
                            size_t bytes);

#endif
