/* SPDX-License-Identifier: MIT */
/*
 * OpenCL and the allocator as a test wants them: counted, and failing when asked to. A program
 * that links faulty.c with -Wl,--wrap=NAME for each wrapped NAME has these in the way of its own
 * calls and of a static clprims' calls, not of the OpenCL driver's.
 */
#ifndef TESTS_FAULTY_H
#define TESTS_FAULTY_H

#include <clprims/core.h>
#include <stdbool.h>

/* What is alive: made or retained, and not released. */
typedef struct faulty_live {
    long blocks; /* of malloc, calloc, realloc */
    long contexts;
    long queues;
    long programs;
    long kernels;
    long buffers;
    long events;
} faulty_live;

faulty_live faulty_count(void);

/*
 * Lets the k-th call from now on fail, k = 1, 2, ...: an allocation with NULL when code is
 * CL_SUCCESS, otherwise an OpenCL call with that code. Releases never fail, nor do questions that
 * a right driver may refuse and the library takes for a no: the texts that describe a device and
 * its platform, and the number of sub-groups, which OpenCL 1.2 does not know.
 */
void faulty_arm(size_t k, cl_int code);

/* The same for the k-th call of one OpenCL function. */
void faulty_arm_call(const char *name, size_t k, cl_int code);

/* Whether, since faulty_arm, a command was submitted and nobody waited for the last of them, by its
 * event or with clFinish. */
bool faulty_left_running(void);

/* The name of the function that failed since, or NULL. Disarms. */
const char *faulty_disarm(void);

/* From now on the first platform is listed a second time, behind the others. */
void faulty_repeat_platform(void);

/* From now on a program of this context that was built serves again for its text. */
void faulty_keep_programs(cl_context context);

/* Whether buffers that are created have junk in them from now on, as they may. */
void faulty_spoil_buffers(bool on);

/* ---- Commands -------------------------------------------------------------------------------- */

enum { FAULTY_MOST_COMMANDS = 200, FAULTY_MOST_WAITS = 4 };

/* A clEnqueue... or clFinish call that succeeded. Events may have been given back since. */
typedef struct faulty_command {
    const char *name; /* of the function */
    cl_uint num_wait;
    cl_event wait[FAULTY_MOST_WAITS]; /* the first of them */
    cl_event event; /* NULL: the caller did not want it */
} faulty_command;

/* Keeps what is enqueued from now on. */
void faulty_record(void);

/* What was enqueued since faulty_record; stops keeping. More than FAULTY_MOST_COMMANDS are counted
 * and not kept. */
const faulty_command *faulty_recorded(size_t *count);

/* Holds an event of each command from now on, wanted or not: of a chain that fails, PoCL 3.1 ends
 * the process over an event that nobody holds. */
void faulty_hold(void);
void faulty_let_go(void);

#endif
