/* SPDX-License-Identifier: MIT */
/* From text to kernels: puts a program together, builds it, and reports the compiler's words. */
#include "core/program.h"
#include "core/launch.h"
#include "core/test_hooks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What tests ask for ---- */

bool clp_checked = false;

static _Thread_local clp_test_hooks hooks_set;

void clp_test_hooks_set(const clp_test_hooks *hooks) {
    hooks_set = hooks != NULL ? *hooks : (clp_test_hooks){0};
}

const clp_test_hooks *clp_test_hooks_get(void) {
    return &hooks_set;
}

/* ---- Putting the text together ---- */

static const clp_source *embedded(const char *name) {
    for (const clp_source *source = clp_sources; source->name != NULL; source++) {
        if (strcmp(source->name, name) == 0) return source;
    }
    return NULL;
}

static clprims_status add_from_folder(const char *folder, const char *name, clp_text *text) {
    clp_text path = {0};
    clp_text_add(&path, "%s/%s", folder, name);
    const clprims_status status =
        path.failed ? clp_fail(CLPRIMS_ERR_HOST_MEMORY, "program: no host memory for a path")
                    : clp_text_read_file(path.chars, text);
    clp_text_free(&path);
    return status;
}

static clprims_status add_part(const clprims_context *context, const char *name, clp_text *text) {
    clp_macros_add_guards(text, name);
    clp_text_add(text, "\n#line 1 \"cl/%s\"\n", name);
    if (context->cl_dir != NULL) return add_from_folder(context->cl_dir, name, text);
    const clp_source *source = embedded(name);
    if (source == NULL) return clp_fail(CLPRIMS_ERR_INTERNAL, "program: no source named %s", name);
    clp_text_add_bytes(text, source->text, source->length);
    return CLPRIMS_OK;
}

static const char *layer_file(clprims_layer layer) {
    if (layer == CLPRIMS_LAYER_NVIDIA) return "device/device_nvidia.cl";
    if (layer == CLPRIMS_LAYER_SUBGROUP) return "device/device_subgroup.cl";
    return "device/device_local.cl";
}

/* Clang warns of each call that passes a vector longer than the processor's registers: another
 * compiler might pass it otherwise. The program's functions are its own, and the built-in ones are
 * of the driver's, for the same processor. */
static void silence_vector_calls(clp_text *text) {
    clp_text_add(text, "#ifdef __clang__\n"
                       "#pragma clang diagnostic ignored \"-Wpsabi\"\n"
                       "#endif\n");
}

static void add_prelude(const clprims_context *context, const clp_text *prelude, clp_text *text) {
    const clp_device *device = &context->device;
    if (device->is_cpu) silence_vector_calls(text);
    clp_text_add(text, "#define CLP_SUBGROUP_WIDTH %zu\n", context->subgroup_width);
    clp_text_add(text, "#define CLP_ASK_SUBGROUP_WIDTH %d\n", device->asks_width);
    clp_text_add(text, "#define CLP_SHUFFLES %d\n", device->shuffles);
    clp_text_add(text, "#define CLP_BALLOTS %d\n", device->has_ballots);
    clp_text_add(text, "#define CLP_COMPUTE_CAPABILITY %d\n", device->compute_capability);
    clp_text_add(text, "#define CLP_INT64_ATOMICS %d\n", device->has_int64_atomics);
    clp_text_add(text, "#define CLP_CHECKED %d\n", clp_checked);
    clp_text_add_bytes(text, prelude->chars, prelude->length);
}

enum { DEVICE_PARTS = 3, MOST_PARTS = 32 };

#ifdef NDEBUG
enum { CHECKS_PRELUDES = 0 };
#else
enum { CHECKS_PRELUDES = 1 };
#endif

/* The device's parts, then the caller's; NULL at the end. */
static clprims_status list_parts(const clprims_context *context, const char *const *parts,
                                 const char *all[MOST_PARTS]) {
    size_t count = DEVICE_PARTS;
    all[0] = "device/assert.cl";
    all[1] = layer_file(context->layer);
    all[2] = context->layer == CLPRIMS_LAYER_NVIDIA ? "device/device_nvidia_pipeline.cl"
                                                    : "device/device_portable.cl";
    for (; *parts != NULL && count < MOST_PARTS - 1; parts++) all[count++] = *parts;
    all[count] = NULL;
    if (*parts == NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_INTERNAL, "program: more than %d parts",
                    MOST_PARTS - DEVICE_PARTS - 1);
}

static clprims_status assemble(const clprims_context *context, const char *who,
                               const clp_text *prelude, const char *const *parts, clp_text *text) {
    const char *all[MOST_PARTS];
    CLP_TRY(list_parts(context, parts, all));
    add_prelude(context, prelude, text);
    if (prelude->failed || text->failed) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "program: no host memory for its text");
    }
    if (CHECKS_PRELUDES) CLP_TRY(clp_macros_check(who, text->chars, all));
    for (size_t i = 0; all[i] != NULL; i++) CLP_TRY(add_part(context, all[i], text));
    if (text->failed) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "program: no host memory for its text");
    }
    return CLPRIMS_OK;
}

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

/* ---- Building ---- */

/* Where a line of the whole text stands by its own account: the name and number that the #line
 * before it gives. name: room for bytes characters. */
static size_t place_of_line(const char *text, size_t line, char *name, size_t bytes) {
    size_t number = 1;
    snprintf(name, bytes, "prelude");
    for (size_t at = 1; at < line && *text != '\0'; at++, number++) {
        unsigned long given;
        if (sscanf(text, "#line %lu \"", &given) == 1) {
            const char *start = strchr(text, '"') + 1;
            snprintf(name, bytes, "%.*s", (int)strcspn(start, "\"\n"), start);
            number = (size_t)given - 1;
        }
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return number;
}

/* What stands before the line in the log of a compiler that ignores #line and counts from the start
 * of the whole text: NVIDIA's and Oclgrind's. Of others 0. */
static size_t whole_text_length(const char *log) {
    static const char *const names[] = {"<kernel>:", "input.cl:"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(log, names[i], strlen(names[i])) == 0) return strlen(names[i]);
    }
    return 0;
}

/* The first line of the log that names an error, for the message. */
static void first_error(const char *log, const char *text, char *line, size_t bytes) {
    const char *at = strstr(log, "error");
    if (at == NULL) at = log;
    while (at > log && at[-1] != '\n') at--;
    const int length = (int)strcspn(at, "\n");
    const size_t before = whole_text_length(at);
    if (before == 0) {
        snprintf(line, bytes, "%.*s", length, at);
        return;
    }
    char name[128], *rest;
    const unsigned long absolute = strtoul(at + before, &rest, 10);
    const size_t number = place_of_line(text, (size_t)absolute, name, sizeof name);
    snprintf(line, bytes, "%s:%zu%.*s", name, number, (int)(at + length - rest), rest);
}

/* Whether a compiler or linker found a fault of the text, as against a driver that could not write
 * a file, say. */
static bool blames_text(const char *log) {
    static const char *const words[] = {"rror", "fatal", "ndefined", "nresolved"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(log, words[i]) != NULL) return true;
    }
    return false;
}

static clprims_status build_failure(cl_program program, cl_device_id device, const char *who,
                                    const char *text) {
    size_t bytes = 0;
    char line[512];
    cl_int code = clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *log = code == CL_SUCCESS ? calloc(bytes + 1, 1) : NULL;
    if (log != NULL) {
        code = clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    }
    const char *words = log != NULL && code == CL_SUCCESS ? log : "(the compiler gave no log)";
    first_error(words, text, line, sizeof line);
    const clprims_status status =
        blames_text(words)
            ? clp_fail_build(words, "%s: the OpenCL compiler refuses the program: %s", who, line)
            : clp_fail_cl(CL_BUILD_PROGRAM_FAILURE,
                          "%s: the OpenCL driver failed to build the program and names no error in "
                          "it: \"%s\"; see that the driver can write its cache (PoCL's is "
                          "POCL_CACHE_DIR, or in HOME) and that the disk has room",
                          who, line);
    free(log);
    return status;
}

bool clp_build_failed(clprims_status status) {
    return status != CLPRIMS_OK && clprims_last_error()->cl_code == CL_BUILD_PROGRAM_FAILURE;
}

static const char *language(const clprims_context *context) {
    if (context->layer != CLPRIMS_LAYER_SUBGROUP) return "-cl-std=CL1.2";
    const bool opencl_3 = strncmp(context->device.info.version, "OpenCL 3", 8) == 0;
    return opencl_3 ? "-cl-std=CL3.0" : "-cl-std=CL2.0";
}

/* No warnings, which some drivers print themselves. Debug builds check the names of parameters. */
#ifdef NDEBUG
#define OPTIONS "-w"
#else
#define OPTIONS "-w -cl-kernel-arg-info"
#endif

/* Also the language, and a limit of registers where the compiler knows of one. */
static void choose_options(const clprims_context *context, size_t registers, char *options,
                           size_t bytes) {
    const bool limited = registers > 0 && context->device.is_nvidia;
    snprintf(options, bytes, limited ? OPTIONS " %s -cl-nv-maxrregcount=%zu" : OPTIONS " %s",
             language(context), registers);
}

#define TYPE_ASSERTION "typedef char clp_type_has_type_bytes[sizeof("

void clp_text_add_type(clp_text *text, const clprims_custom *custom) {
    clp_text_add(text, TYPE_ASSERTION "%s) == %zu ? 1 : -1];\n", custom->type_name,
                 custom->type_bytes);
}

/* Returns the device's sizeof of a type, or 0 if it is unknown: a kernel's group has as many
 * work-items, and that number can be asked for without a run. before: what the type stands on. */
static size_t size_on_device(const clprims_context *context, const char *options,
                             const char *before, size_t length, const char *type,
                             size_t type_length) {
    const char *texts[] = {before, "kernel __attribute__((reqd_work_group_size(sizeof(", type,
                           "), 1, 1))) void clp_size(void) {}\n"};
    const size_t lengths[] = {length, 0, type_length, 0};
    const cl_device_id device = context->device.info.id;
    size_t group[3] = {0};
    cl_kernel kernel = NULL;
    cl_program program = clCreateProgramWithSource(context->cl, 4, texts, lengths, NULL);
    if (program == NULL) return 0;
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS) {
        kernel = clCreateKernel(program, "clp_size", NULL);
    }
    if (kernel != NULL) {
        clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof group,
                                 group, NULL);
        clReleaseKernel(kernel);
    }
    clReleaseProgram(program);
    return group[0];
}

/* Of a text that was not built: refuses the caller's type if its size is not as stated. */
static clprims_status check_type(const clprims_context *context, const char *who,
                                 const char *options, const char *text) {
    const char *at = strstr(text, TYPE_ASSERTION);
    if (at == NULL) return CLPRIMS_OK;
    const char *type = at + strlen(TYPE_ASSERTION), *end = strstr(type, ") == ");
    const size_t stated = strtoul(end + strlen(") == "), NULL, 10);
    const size_t bytes =
        size_on_device(context, options, text, (size_t)(at - text), type, (size_t)(end - type));
    if (bytes == 0 || bytes == stated) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: custom.type_bytes = %zu, the device's sizeof is %zu",
                    who, stated, bytes);
}

static clprims_status build(const clprims_context *context, const char *who, const char *options,
                            const char *chars, size_t length, cl_program *out) {
    cl_int code;
    const cl_device_id device = context->device.info.id;
    cl_program program = clCreateProgramWithSource(context->cl, 1, &chars, &length, &code);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: creating the program failed", who);
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (code == CL_SUCCESS) {
        *out = program;
        return CLPRIMS_OK;
    }
    clprims_status status = CLPRIMS_OK;
    if (code != CL_BUILD_PROGRAM_FAILURE) {
        status = clp_fail_cl(code, "%s: building the program failed", who);
    } else {
        status = check_type(context, who, options, chars);
        if (status == CLPRIMS_OK) status = build_failure(program, device, who, chars);
    }
    clReleaseProgram(program);
    return status;
}

/* key: the options on a line of their own, then the text. */
static clprims_status build_and_keep(const clprims_context *context, const char *who,
                                     const char *options, clp_text *key, cl_program *out) {
    const size_t text = strlen(options) + 1;
    cl_program program = NULL;
    CLP_TRY(build(context, who, options, key->chars + text, key->length - text, &program));
    const clprims_status status = clp_programs_add(context->programs, key, program);
    if (status != CLPRIMS_OK) {
        clReleaseProgram(program);
        return status;
    }
    *out = program;
    return CLPRIMS_OK;
}

static clprims_status find_or_build(const clprims_context *context, const char *who,
                                    const char *options, clp_text *key, cl_program *out) {
    cl_program program = clp_programs_find(context->programs, key);
    if (program == NULL) CLP_TRY(build_and_keep(context, who, options, key, &program));
    const cl_int code = clRetainProgram(program);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: retaining the program failed", who);
    *out = program;
    return CLPRIMS_OK;
}

clprims_status clp_program_build_limited(const clprims_context *context, const char *who,
                                         const clp_text *prelude, const char *const *parts,
                                         size_t registers, cl_program *out) {
    char options[128];
    clp_text key = {0};
    choose_options(context, registers, options, sizeof options);
    clp_text_add(&key, "%s\n", options);
    clprims_status status = assemble(context, who, prelude, parts, &key);
    if (status == CLPRIMS_OK) {
        clp_programs_lock(context->programs);
        status = find_or_build(context, who, options, &key, out);
        clp_programs_unlock(context->programs);
    }
    clp_text_free(&key);
    return status;
}

clprims_status clp_program_build(const clprims_context *context, const char *who,
                                 const clp_text *prelude, const char *const *parts,
                                 cl_program *out) {
    return clp_program_build_limited(context, who, prelude, parts, 0, out);
}

clprims_status clp_kernel_create(cl_program program, const char *who, const char *name,
                                 cl_kernel *out) {
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: creating kernel %s failed", who, name);
    *out = kernel;
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
