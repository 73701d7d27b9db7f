/* SPDX-License-Identifier: MIT */
/*
 * The programs that a context has built, by their whole text, and the kernels of theirs that were
 * launched: some drivers compile a kernel at its first launch (PoCL, for each size of a group), so
 * a plan's making launches each kernel once.
 */
#include "programs.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    struct entry *next;
    char *key;
    size_t length;
    cl_program program;
    clp_text launched; /* a line for each kernel and group size */
} entry;

/* The lock is held while a program is built: another thread that wants an equal one waits for it.
 */
struct clp_programs {
    pthread_mutex_t lock;
    entry *first;
};

clprims_status clp_programs_create(clp_programs **out) {
    clp_programs *programs = calloc(1, sizeof *programs);
    if (programs == NULL || pthread_mutex_init(&programs->lock, NULL) != 0) {
        free(programs);
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "context: no host memory for its programs");
    }
    *out = programs;
    return CLPRIMS_OK;
}

void clp_programs_forget(clp_programs *programs) {
    while (programs->first != NULL) {
        entry *e = programs->first;
        programs->first = e->next;
        clReleaseProgram(e->program);
        clp_text_free(&e->launched);
        free(e->key);
        free(e);
    }
}

void clp_programs_destroy(clp_programs *programs) {
    if (programs == NULL) return;
    clp_programs_forget(programs);
    pthread_mutex_destroy(&programs->lock);
    free(programs);
}

/* ---- Programs by their text ---- */

void clp_programs_lock(clp_programs *programs) {
    pthread_mutex_lock(&programs->lock);
}

void clp_programs_unlock(clp_programs *programs) {
    pthread_mutex_unlock(&programs->lock);
}

cl_program clp_programs_find(const clp_programs *programs, const clp_text *key) {
    for (const entry *e = programs->first; e != NULL; e = e->next) {
        if (e->length == key->length && memcmp(e->key, key->chars, key->length) == 0) {
            return e->program;
        }
    }
    return NULL;
}

clprims_status clp_programs_add(clp_programs *programs, clp_text *key, cl_program program) {
    entry *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "program: no host memory to keep it");
    }
    *e = (entry){
        .next = programs->first, .key = key->chars, .length = key->length, .program = program};
    *key = (clp_text){0};
    programs->first = e;
    return CLPRIMS_OK;
}

/* ---- Warming up ---- */

static entry *find_program(const clp_programs *programs, cl_program program) {
    entry *e = programs->first;
    while (e != NULL && e->program != program) e = e->next;
    return e;
}

/* The step's line in the entry of its program. */
typedef struct launch {
    cl_program program;
    char line[128];
} launch;

static clprims_status describe(const clp_step *step, const char *who, launch *out) {
    char name[96];
    cl_int code =
        clGetKernelInfo(step->kernel, CL_KERNEL_PROGRAM, sizeof out->program, &out->program, NULL);
    if (code == CL_SUCCESS) {
        code = clGetKernelInfo(step->kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    }
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: asking a kernel's name failed", who);
    snprintf(out->line, sizeof out->line, "\n%s %zu\n", name, step->group);
    return CLPRIMS_OK;
}

static bool has_line(const entry *e, const char *line) {
    return e->launched.chars != NULL && strstr(e->launched.chars, line) != NULL;
}

static clprims_status was_launched(clp_programs *programs, const clp_step *step, const char *who,
                                   bool *was) {
    launch it;
    CLP_TRY(describe(step, who, &it));
    clp_programs_lock(programs);
    const entry *e = find_program(programs, it.program);
    *was = e != NULL && has_line(e, it.line);
    clp_programs_unlock(programs);
    return CLPRIMS_OK;
}

static clprims_status note_launch(clp_programs *programs, const clp_step *step, const char *who) {
    launch it;
    bool failed = false;
    CLP_TRY(describe(step, who, &it));
    clp_programs_lock(programs);
    entry *e = find_program(programs, it.program);
    if (e != NULL && !has_line(e, it.line)) {
        clp_text_add(&e->launched, "%s", it.line);
        failed = e->launched.failed;
        if (failed) clp_text_free(&e->launched);
    }
    clp_programs_unlock(programs);
    if (!failed) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "%s: no host memory for a kernel's name", who);
}

clprims_status clp_steps_warm_up(const clprims_context *context, const char *who,
                                 const clp_step *steps, size_t count) {
    bool all = true;
    for (size_t i = 0; i < count && all; i++) {
        CLP_TRY(was_launched(context->programs, &steps[i], who, &all));
    }
    if (all) return CLPRIMS_OK;
    CLP_TRY(clp_steps_enqueue(context->queue, who, steps, count, 0, NULL, NULL));
    const cl_int code = clFinish(context->queue);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: running its kernels failed", who);
    for (size_t i = 0; i < count; i++) {
        CLP_TRY(note_launch(context->programs, &steps[i], who));
    }
    return CLPRIMS_OK;
}
