/* SPDX-License-Identifier: MIT */
/* The programs that a context has built: each text once, each kernel launched once. */
#include "core/program.h"

#include "core/check.h"
#include "core/launch.h"
#include "core/test_hooks.h"
#include "store/store_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The programs that a context keeps ---- */

/*
 * A context keeps what it has built, by the whole text, and notes which kernels were launched: some
 * drivers compile a kernel at its first launch (PoCL, for each size of a group), so create launches
 * each kernel once.
 */

typedef struct entry {
    struct entry *next;
    char *key;
    size_t length;
    cl_program program;
    clp_origin origin;
    bool is_stored; /* or was found in the store or in a pack */
    clp_text launched; /* a line for each kernel and group size */
} entry;

/* The lock is held while a program is built: another thread that wants an equal one waits for it.
 */
struct clp_programs {
    clp_lock lock;
    const clp_store *store; /* which may be empty; NULL: contexts share the programs */
    bool compiles_at_launch; /* a CPU's driver: binaries are whole when all kernels were launched */
    entry *first;
    size_t count[CLP_FROM_ASSEMBLER + 1]; /* of each origin */
    cl_context cl; /* where they are shared */
    cl_device_id device;
    size_t contexts; /* that share them */
    clp_programs *next;
};

static clp_programs *all_shared; /* behind the lock of drivers */

static clprims_status create(const clprims_context *context, clp_programs **out) {
    clp_programs *programs = calloc(1, sizeof *programs);
    CLP_FAIL_IF(programs == NULL, CLPRIMS_ERR_HOST_MEMORY,
                "context: no host memory for its programs");
    programs->lock = (clp_lock)CLP_LOCK_INIT;
    programs->compiles_at_launch = context->device.is_cpu;
    programs->contexts = 1;
    *out = programs;
    return CLPRIMS_OK;
}

clprims_status clp_programs_open(const clprims_context *context, clp_programs **out) {
    const cl_device_id device = context->device.info.id;
    if (!clp_store_is_empty(&context->store) || context->device.is_offline) {
        CLP_TRY(create(context, out));
        (*out)->store = &context->store;
        return CLPRIMS_OK;
    }
    clp_programs *shared = all_shared;
    while (shared != NULL && (shared->cl != context->cl || shared->device != device)) {
        shared = shared->next;
    }
    if (shared != NULL) {
        shared->contexts++;
        *out = shared;
        return CLPRIMS_OK;
    }
    CLP_TRY(create(context, out));
    (*out)->cl = context->cl;
    (*out)->device = device;
    (*out)->next = all_shared;
    all_shared = *out;
    return CLPRIMS_OK;
}

static clp_span key_of(const entry *e) {
    return (clp_span){e->key, e->length};
}

static void keep(const clp_programs *programs, const entry *e) {
    if (programs->store != NULL) clp_store_keep(programs->store, key_of(e), e->program);
}

void clp_programs_forget(clp_programs *programs) {
    while (programs->first != NULL) {
        entry *e = programs->first;
        programs->first = e->next;
        if (!e->is_stored) keep(programs, e);
        if (e->program != NULL) clReleaseProgram(e->program);
        clp_text_free(&e->launched);
        free(e->key);
        free(e);
    }
}

void clp_programs_keep(clp_programs *programs) {
    if (programs->store != NULL) clp_programs_forget(programs);
}

void clp_programs_close(clp_programs *programs) {
    if (programs == NULL || --programs->contexts > 0) return;
    clp_programs **at = &all_shared;
    while (*at != NULL && *at != programs) at = &(*at)->next;
    if (*at != NULL) *at = programs->next;
    clp_programs_forget(programs);
    clp_lock_destroy(&programs->lock);
    free(programs);
}

void clp_programs_lock(clp_programs *programs) {
    clp_lock_take(&programs->lock);
}

void clp_programs_unlock(clp_programs *programs) {
    clp_lock_give(&programs->lock);
}

bool clp_programs_find(const clp_programs *programs, const clp_text *key, cl_program *out,
                       clp_origin *origin) {
    for (const entry *e = programs->first; e != NULL; e = e->next) {
        if (e->length != key->length || memcmp(e->key, key->chars, key->length) != 0) continue;
        *out = e->program;
        *origin = e->origin;
        return true;
    }
    return false;
}

clprims_status clp_programs_add(clp_programs *programs, clp_text *key, cl_program program,
                                clp_origin origin) {
    entry *e = calloc(1, sizeof *e);
    CLP_FAIL_IF(e == NULL, CLPRIMS_ERR_HOST_MEMORY, "program: no host memory to keep it");
    *e = (entry){.next = programs->first,
                 .key = key->chars,
                 .length = key->length,
                 .program = program,
                 .origin = origin,
                 .is_stored = origin != CLP_FROM_SOURCE || !programs->compiles_at_launch};
    *key = (clp_text){0};
    programs->first = e;
    programs->count[origin]++;
    if (origin == CLP_FROM_SOURCE && e->is_stored) keep(programs, e);
    return CLPRIMS_OK;
}

void clp_programs_count(clp_programs *programs, clprims_context_info *info) {
    clp_programs_lock(programs);
    info->programs_built = programs->count[CLP_FROM_SOURCE];
    info->programs_assembled = programs->count[CLP_FROM_ASSEMBLER];
    info->programs_found = programs->count[CLP_FROM_DRIVER] + info->programs_assembled;
    clp_programs_unlock(programs);
}

/* ---- Saving ---- */

static clprims_status add_entries(const clprims_context *context, clp_text *pack) {
    static const char who[] = "context_save_programs";
    for (const entry *e = context->programs->first; e != NULL; e = e->next) {
        void *bytes;
        size_t count;
        const cl_int code = clp_store_entry(&context->store, key_of(e), e->program, &bytes, &count);
        if (code != CL_SUCCESS) {
            return clp_fail_cl(code, "%s: the driver gives no binary of a program", who);
        }
        pack->failed = pack->failed || bytes == NULL;
        if (bytes != NULL) clp_text_add_bytes(pack, bytes, count);
        free(bytes);
    }
    if (!pack->failed) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "%s: no host memory for the pack", who);
}

clprims_status clprims_context_save_programs(const clprims_context *context, const char *path) {
    static const char who[] = "context_save_programs";
    clp_text pack = {0};
    CLP_TRY(clp_begin(who, "context", context));
    CLP_TRY(clp_given(who, "path", path));
    clp_programs_lock(context->programs);
    clprims_status status = add_entries(context, &pack);
    clp_programs_unlock(context->programs);
    if (status == CLPRIMS_OK && !clp_file_write(CLP_NO_FOLDER, path, pack.chars, pack.length)) {
        status =
            clp_fail(CLPRIMS_ERR_IO, "%s: \"%s\" can't be written: %s", who, path, strerror(errno));
    }
    clp_text_free(&pack);
    return status;
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

/* OpenCL 2.1's, which the loader may not have, nor the headers: then it is NULL. */
extern CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel,
                                                               cl_device_id device, cl_uint key,
                                                               size_t given_bytes,
                                                               const void *given, size_t bytes,
                                                               void *value, size_t *needed);
#pragma weak clGetKernelSubGroupInfo

/* Whether the kernel's sub-groups are as wide as the probe's, where the driver says it: a compiler
 * may choose for each kernel. */
static clprims_status check_width(const clprims_context *context, const char *who,
                                  const clp_step *step) {
    enum { MAX_SUB_GROUP_SIZE_FOR_NDRANGE = 0x2033 };
    size_t width = 0;
    const bool has_subgroups =
        context->layer == CLPRIMS_LAYER_SUBGROUP && step->group >= context->subgroup_width;
    if (!has_subgroups || clGetKernelSubGroupInfo == NULL) return CLPRIMS_OK;
    const cl_int code = clGetKernelSubGroupInfo(step->kernel, context->device.info.id,
                                                MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof step->group,
                                                &step->group, sizeof width, &width, NULL);
    if (code != CL_SUCCESS || width == context->subgroup_width) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                    "%s: \"%s\" gives a kernel sub-groups of %zu work-items, not the %zu of the "
                    "probe; use the layer local",
                    who, context->device.info.name, width, context->subgroup_width);
}

clprims_status clp_steps_warm_up(const clprims_context *context, const char *who,
                                 const clp_step *steps, size_t count) {
    bool all = true;
    if (context->device.is_offline) return CLPRIMS_OK;
    for (size_t i = 0; i < count && all; i++) {
        CLP_TRY(was_launched(context->programs, &steps[i], who, &all));
    }
    if (all) return CLPRIMS_OK;
    for (size_t i = 0; i < count; i++) CLP_TRY(check_width(context, who, &steps[i]));
    CLP_TRY(clp_steps_enqueue(context->queue, who, steps, count, 0, NULL, NULL));
    const cl_int code = clFinish(context->queue);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: running its kernels failed", who);
    for (size_t i = 0; i < count; i++) {
        CLP_TRY(note_launch(context->programs, &steps[i], who));
    }
    return CLPRIMS_OK;
}
