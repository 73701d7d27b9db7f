/* SPDX-License-Identifier: MIT */
/* From text to kernels: puts a program together, builds it, and reports the compiler's words. */
#include "core/program.h"
#include "cl_sources.h"
#include "core/test_hooks.h"

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

/* Words for which one byte stands in the embedded texts of kernels: 128 for the first one, and so
 * on. cl/embed.cmake reads the words here and replaces them in this order: a word stands in front
 * of the words that are parts of it. Texts are more than half of a program that links the library.
 */
static const char *const packed_words[] = {
    "barrier(CLK_LOCAL_MEM_FENCE)",
    "static inline ",
    "get_local_id(0)",
    "get_group_id(0)",
    "typedef ",
    "(ulong)",
    "#define ",
    "volatile ",
    "(uint)",
    "segment",
    "global ",
    "return ",
    "struct ",
    "const ",
    "ulong ",
    "local ",
    "uint ",
    "count",
    "first",
    "value",
    "bool ",
    "void ",
    "#if ",
    "CLP_",
    "clp_",
    "if (",
    "lane",
    "tile",
};

/* Adds a kernel's text as it was before cl/embed.cmake packed it. */
static void add_packed(const char *packed, clp_text *text) {
    static const char blanks[] = "                               ";
    enum { FIRST_WORD = 128 };
    while (*packed != '\0') {
        const char *end = packed;
        while ((*end >= ' ' && *end <= '~') || *end == '\n') end++;
        clp_text_add_bytes(text, packed, (size_t)(end - packed));
        const unsigned char code = (unsigned char)*end;
        if (code >= FIRST_WORD)
            clp_text_add(text, "%s", packed_words[code - FIRST_WORD]);
        else
            clp_text_add_bytes(text, blanks, code);
        packed = code != '\0' ? end + 1 : end;
    }
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

clprims_status clp_program_add_part(const clprims_context *context, clp_part part, clp_text *text) {
    clp_text_add(text, "\n#line 1 \"cl/%s\"\n", part->name);
    if (context->cl_dir != NULL) return add_from_folder(context->cl_dir, part->name, text);
    add_packed(part->text, text);
    return CLPRIMS_OK;
}

static clp_part layer_file(clprims_layer layer) {
    if (layer == CLPRIMS_LAYER_NVIDIA) return &clp_device_nvidia_cl;
    if (layer == CLPRIMS_LAYER_SUBGROUP) return &clp_device_subgroup_cl;
    return &clp_device_local_cl;
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
static clprims_status list_parts(const clprims_context *context, const clp_part *parts,
                                 clp_part all[MOST_PARTS]) {
    size_t count = DEVICE_PARTS;
    all[0] = &clp_assert_cl;
    all[1] = layer_file(context->layer);
    all[2] = context->layer == CLPRIMS_LAYER_NVIDIA ? &clp_device_nvidia_pipeline_cl
                                                    : &clp_device_portable_cl;
    for (; *parts != NULL && count < MOST_PARTS - 1; parts++) all[count++] = *parts;
    all[count] = NULL;
    if (*parts == NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_INTERNAL, "program: more than %d parts",
                    MOST_PARTS - DEVICE_PARTS - 1);
}

clprims_status clp_program_write(const clprims_context *context, const char *who,
                                 const clp_text *prelude, const clp_part *parts, clp_text *text) {
    clp_part all[MOST_PARTS];
    CLP_TRY(list_parts(context, parts, all));
    add_prelude(context, prelude, text);
    CLP_FAIL_IF(prelude->failed || text->failed, CLPRIMS_ERR_HOST_MEMORY,
                "program: no host memory for its text");
    if (CHECKS_PRELUDES) CLP_TRY(clp_macros_check(who, text->chars, all));
    for (size_t i = 0; all[i] != NULL; i++) {
        clp_macros_add_guards(text, all[i]);
        CLP_TRY(clp_program_add_part(context, all[i], text));
    }
    CLP_FAIL_IF(text->failed, CLPRIMS_ERR_HOST_MEMORY, "program: no host memory for its text");
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

const char *clp_program_language(const clprims_context *context) {
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
             clp_program_language(context), registers);
}

#define TYPE_ASSERTION "_has_the_stated_size[sizeof("

void clp_text_add_type(clp_text *text, const char *name, const char *type, size_t bytes) {
    clp_text_add(text, "typedef char %s" TYPE_ASSERTION "%s) == %zu ? 1 : -1];\n", name, type,
                 bytes);
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

/* Of a text that was not built: refuses the first of the caller's types whose size is not as
 * stated. The library's own types have macros as their sizes. */
static clprims_status check_types(const clprims_context *context, const char *who,
                                  const char *options, const char *text) {
    for (const char *at = text; (at = strstr(at, TYPE_ASSERTION)) != NULL;) {
        const char *type = at + strlen(TYPE_ASSERTION), *end = strstr(type, ") == ");
        const size_t stated = strtoul(end + strlen(") == "), NULL, 10);
        const char *line = at;
        while (line > text && line[-1] != '\n') line--;
        const size_t length = (size_t)(end - type);
        const size_t bytes = stated == 0 ? 0
                                         : size_on_device(context, options, text,
                                                          (size_t)(line - text), type, length);
        at = end;
        if (bytes == stated || bytes == 0) continue;
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: type_bytes = %zu, the device's sizeof is %zu (%.*s)", who, stated,
                        bytes, (int)length, type);
    }
    return CLPRIMS_OK;
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
        status = check_types(context, who, options, chars);
        if (status == CLPRIMS_OK) status = build_failure(program, device, who, chars);
    }
    clReleaseProgram(program);
    return status;
}

/* 1 << clp_origin each. */
static _Thread_local unsigned got;

unsigned clp_program_origins(unsigned origins) {
    const unsigned before = got;
    got = origins;
    return before;
}

/* key: the options on a line of their own, then the text. */
static clprims_status load_or_build(const clprims_context *context, const char *who,
                                    const char *options, clp_text *key, cl_program *out,
                                    clp_origin *origin) {
    const size_t text = strlen(options) + 1;
    const clp_span whole = {key->chars, key->length};
    const bool is_offline = context->device.is_offline;
    cl_program program = clp_store_find(&context->store, options, whole, origin);
    if (*origin == CLP_FROM_SOURCE && !is_offline) {
        CLP_TRY(build(context, who, options, key->chars + text, key->length - text, &program));
    }
    const clprims_status status = clp_programs_add(context->programs, key, program, *origin);
    if (status != CLPRIMS_OK && program != NULL) clReleaseProgram(program);
    CLP_TRY(status);
    *out = program;
    return CLPRIMS_OK;
}

static clprims_status find_or_build(const clprims_context *context, const char *who,
                                    const char *options, clp_text *key, cl_program *out) {
    cl_program program;
    clp_origin origin;
    if (!clp_programs_find(context->programs, key, &program, &origin)) {
        CLP_TRY(load_or_build(context, who, options, key, &program, &origin));
    }
    got |= 1u << origin;
    const cl_int code = program != NULL ? clRetainProgram(program) : CL_SUCCESS;
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: retaining the program failed", who);
    *out = program;
    return CLPRIMS_OK;
}

static clprims_status take_text(const clprims_context *context, const char *who,
                                const char *options, clp_text *key, cl_program *out) {
    CLP_FAIL_IF(key->failed, CLPRIMS_ERR_HOST_MEMORY, "%s: no host memory for a program", who);
    clp_programs_lock(context->programs);
    const clprims_status status = find_or_build(context, who, options, key, out);
    clp_programs_unlock(context->programs);
    return status;
}

clprims_status clp_program_build_limited(const clprims_context *context, const char *who,
                                         const clp_text *prelude, const clp_part *parts,
                                         size_t registers, cl_program *out) {
    char options[128];
    clp_text key = {0};
    choose_options(context, registers, options, sizeof options);
    clp_text_add(&key, "%s\n", options);
    clprims_status status = clp_program_write(context, who, prelude, parts, &key);
    if (status == CLPRIMS_OK) status = take_text(context, who, options, &key, out);
    clp_text_free(&key);
    return status;
}

clprims_status clp_program_build_text(const clprims_context *context, const char *who,
                                      const char *text, cl_program *out) {
    char options[128];
    clp_text key = {0};
    choose_options(context, 0, options, sizeof options);
    clp_text_add(&key, "%s\n%s", options, text);
    const clprims_status status = take_text(context, who, options, &key, out);
    clp_text_free(&key);
    return status;
}

clprims_status clp_program_build(const clprims_context *context, const char *who,
                                 const clp_text *prelude, const clp_part *parts, cl_program *out) {
    return clp_program_build_limited(context, who, prelude, parts, 0, out);
}

clprims_status clp_kernel_create(cl_program program, const char *who, const char *name,
                                 cl_kernel *out) {
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = program != NULL ? clCreateKernel(program, name, &code) : NULL;
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: creating kernel %s failed", who, name);
    *out = kernel;
    return CLPRIMS_OK;
}
