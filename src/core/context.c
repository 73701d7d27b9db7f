/* SPDX-License-Identifier: MIT */
/* Contexts: one device, its cl_context, a queue, and the layer that works there. */
#include "core/check.h"
#include "core/launch.h"
#include "core/layer.h"
#include "core/program.h"
#include "core/tuning.h"
#include "store/store_files.h"

#include <stdlib.h>
#include <string.h>

/* ---- Options --------------------------------------------------------------------------------- */

static clprims_status check_kept(const clprims_context_options *options) {
    CLP_FAIL_IF(options->program_store != NULL && options->program_store[0] == '\0',
                CLPRIMS_ERR_ARGUMENT,
                "context: program_store = \"\" names no folder; NULL keeps nothing");
    if (options->program_pack_count > 0) {
        CLP_TRY(clp_given("context", "program_packs", options->program_packs));
    }
    for (size_t i = 0; i < options->program_pack_count; i++) {
        if (options->program_packs[i] != NULL) continue;
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "context: program_packs[%zu] of %zu is NULL", i,
                        options->program_pack_count);
    }
    if (options->program_pack_bytes == 0) return CLPRIMS_OK;
    return clp_given("context", "program_pack", options->program_pack);
}

static clprims_status check_options(const clprims_context_options *options) {
    CLP_TRY(clp_check_enumerator("context", "layer", (int)options->layer, CLPRIMS_LAYER_LOCAL,
                                 "clprims_layer"));
    CLP_FAIL_IF((options->context == NULL) != (options->device_id == NULL), CLPRIMS_ERR_ARGUMENT,
                "context: of context and device_id one is NULL; give both or neither");
    CLP_FAIL_IF(options->queue != NULL && options->context == NULL, CLPRIMS_ERR_ARGUMENT,
                "context: a queue without its context; give context and device_id too");
    CLP_FAIL_IF(options->device != NULL && options->device[0] == '\0', CLPRIMS_ERR_ARGUMENT,
                "context: device = \"\" names none; NULL takes the best one");
    CLP_FAIL_IF(options->context != NULL && options->device != NULL, CLPRIMS_ERR_ARGUMENT,
                "context: device \"%s\" and the caller's own context; give one of them",
                options->device);
    const bool is_kept = options->program_store != NULL || options->program_pack_count > 0 ||
                         options->program_pack_bytes > 0;
    CLP_FAIL_IF(options->offline_architecture != NULL && is_kept, CLPRIMS_ERR_ARGUMENT,
                "context: offline_architecture \"%s\" and a program_store or packs; its programs "
                "are only put together",
                options->offline_architecture);
    return check_kept(options);
}

static clprims_status take_cl_dir(clprims_context *context, const char *cl_dir) {
    struct stat facts;
    if (cl_dir == NULL) return CLPRIMS_OK;
    CLP_FAIL_IF(stat(cl_dir, &facts) != 0 || !S_ISDIR(facts.st_mode), CLPRIMS_ERR_IO,
                "context: cl_dir \"%s\" is not a folder", cl_dir);
    const size_t bytes = strlen(cl_dir) + 1;
    context->cl_dir = malloc(bytes);
    if (context->cl_dir == NULL) return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "context: no memory");
    memcpy(context->cl_dir, cl_dir, bytes);
    return CLPRIMS_OK;
}

static clprims_status take_tuning(clprims_context *context, const char *path) {
    clp_text text = {0};
    if (path == NULL) return CLPRIMS_OK;
    const clprims_status status = clp_text_read_file(path, &text);
    if (status != CLPRIMS_OK) {
        clp_text_free(&text);
        return status;
    }
    context->tuning = text.chars;
    return clp_tuning_check(context->tuning, path);
}

/* ---- The caller's OpenCL objects and our own ------------------------------------------------- */

static clprims_status adopt(clprims_context *context, const clprims_context_options *options) {
    cl_int code = clRetainContext(options->context);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "context: the caller's context is refused");
    context->cl = options->context;
    if (options->queue == NULL) return CLPRIMS_OK;
    code = clRetainCommandQueue(options->queue);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "context: the caller's queue is refused");
    context->queue = options->queue;
    return CLPRIMS_OK;
}

static clprims_status check_adopted(const clprims_context *context, cl_device_id id) {
    cl_device_id ids[64];
    size_t bytes = 0;
    cl_int code = clGetContextInfo(context->cl, CL_CONTEXT_DEVICES, sizeof ids, ids, &bytes);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "context: asking for its devices failed");
    bool found = false;
    for (size_t i = 0; i < bytes / sizeof ids[0]; i++) found = found || ids[i] == id;
    CLP_FAIL_IF(!found, CLPRIMS_ERR_ARGUMENT,
                "context: device_id is not one of the %zu devices of the caller's context",
                bytes / sizeof ids[0]);
    if (context->queue == NULL) return CLPRIMS_OK;
    cl_context queue_context = NULL;
    cl_device_id queue_device = NULL;
    code = clGetCommandQueueInfo(context->queue, CL_QUEUE_CONTEXT, sizeof queue_context,
                                 &queue_context, NULL);
    if (code == CL_SUCCESS) {
        code = clGetCommandQueueInfo(context->queue, CL_QUEUE_DEVICE, sizeof queue_device,
                                     &queue_device, NULL);
    }
    if (code != CL_SUCCESS) return clp_fail_cl(code, "context: asking the queue failed");
    CLP_FAIL_IF(queue_context != context->cl || queue_device != id, CLPRIMS_ERR_ARGUMENT,
                "context: the queue belongs to another context or device");
    return CLPRIMS_OK;
}

static clprims_status create_own(clprims_context *context, cl_device_id id) {
    cl_int code;
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, (cl_context_properties)context->device.info.platform, 0};
    context->cl = clCreateContext(properties, 1, &id, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        context->cl = NULL;
        return clp_fail_cl(code, "context: creating one on \"%s\" failed",
                           context->device.info.name);
    }
    return CLPRIMS_OK;
}

static clprims_status create_queue(clprims_context *context, cl_device_id id) {
    cl_int code;
    context->queue = clCreateCommandQueue(context->cl, id, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS) {
        context->queue = NULL;
        return clp_fail_cl(code, "context: creating a queue on \"%s\" failed",
                           context->device.info.name);
    }
    return CLPRIMS_OK;
}

/* ---- Creation -------------------------------------------------------------------------------- */

static clprims_status open_device(clprims_context *context, cl_device_id id,
                                  const clprims_context_options *options) {
    CLP_TRY(clp_device_inspect(id, &context->device));
    if (options->context != NULL) {
        CLP_TRY(adopt(context, options));
        CLP_TRY(check_adopted(context, id));
    } else {
        CLP_TRY(create_own(context, id));
    }
    if (context->queue == NULL) CLP_TRY(create_queue(context, id));
    if (options->offline_architecture != NULL) {
        CLP_TRY(clp_device_describe_offline(options->offline_architecture, &context->device));
    }
    CLP_FAIL_IF(!clp_store_open(&context->store, options, context->cl, &context->device.info,
                                context->device.compute_capability),
                CLPRIMS_ERR_HOST_MEMORY, "context: no host memory for its packs");
    CLP_TRY(clp_programs_open(context, &context->programs));
    CLP_TRY(clp_scratch_create(context, "context", CLP_BLANK_BYTES, true, &context->blank));
    CLP_TRY(take_cl_dir(context, options->cl_dir));
    CLP_TRY(take_tuning(context, options->tuning_file));
    return clp_probe(context, options->layer, options->probed);
}

static void release(clprims_context *context) {
    if (context->kept.first != NULL) context->kept.destroy(context->kept.first);
    while (context->plans.first != NULL) context->plans.destroy(context->plans.first);
    clp_lock_destroy(&context->lock);
    clp_programs_close(context->programs);
    clp_store_close(&context->store);
    if (context->blank != NULL) clReleaseMemObject(context->blank);
    if (context->queue != NULL) clReleaseCommandQueue(context->queue);
    if (context->cl != NULL) clReleaseContext(context->cl);
    free(context->cl_dir);
    free(context->tuning);
    free(context);
}

static clprims_status create_on(clprims_context **out, cl_device_id id,
                                const clprims_context_options *options) {
    clprims_context *context = calloc(1, sizeof *context);
    CLP_FAIL_IF(context == NULL, CLPRIMS_ERR_HOST_MEMORY, "context: no host memory");
    context->lock = (clp_lock)CLP_LOCK_INIT;
    const clprims_status status = open_device(context, id, options);
    if (status != CLPRIMS_OK) {
        release(context);
        return status;
    }
    *out = context;
    return CLPRIMS_OK;
}

/* A fault that may be the device's or its driver's, after which the next best one is worth a try.
 */
static bool fault_of_device(clprims_status status) {
    return status != CLPRIMS_OK && status != CLPRIMS_ERR_ARGUMENT && status != CLPRIMS_ERR_IO;
}

/* On the first of the candidates that works. */
static clprims_status create_on_any(clprims_context **out, const clprims_context_options *options) {
    cl_device_id ids[CLP_MOST_CANDIDATES];
    size_t count;
    if (options->context != NULL) return create_on(out, options->device_id, options);
    CLP_TRY(clp_device_candidates(options->device, ids, &count));
    clprims_status status = create_on(out, ids[0], options);
    for (size_t i = 1; i < count && fault_of_device(status); i++) {
        clp_clear_error();
        status = create_on(out, ids[i], options);
    }
    return status;
}

clprims_status clprims_context_create_sized(clprims_context **out,
                                            const clprims_context_options *options,
                                            size_t options_bytes) {
    clprims_context_options full = {0};
    CLP_TRY(clp_begin("context", "out", out));
    *out = NULL;
    if (options != NULL) {
        CLP_TRY(clp_take("context", "options", options, options_bytes, &full, sizeof full));
    }
    CLP_TRY(check_options(&full));
    CLP_TRY(clp_probed_check(&full));
    CLP_TRY(clp_tuning_check_shipped());
    clp_lock_drivers();
    const clprims_status status = create_on_any(out, &full);
    clp_unlock_drivers();
    return status;
}

clprims_status clprims_context_describe_sized(const clprims_context *context,
                                              clprims_context_info *info, size_t info_bytes) {
    CLP_TRY(clp_begin("context_describe", "context", context));
    clprims_context_info full;
    memset(&full, 0, sizeof full); /* no bytes of the stack between members */
    full.context = context->cl;
    full.device_id = context->device.info.id;
    full.queue = context->queue;
    full.device = context->device.info;
    full.layer = context->layer;
    full.subgroup_width = context->subgroup_width;
    full.reason = context->reason;
    full.probed = context->probed;
    clp_programs_count(context->programs, &full);
    return clp_give("context_describe", "info", &full, sizeof full, info, info_bytes);
}

void clprims_context_destroy(clprims_context *context) {
    if (context == NULL) return;
    clp_programs_keep(context->programs); /* PoCL compiles for the store: not behind the lock */
    clp_lock_drivers();
    release(context);
    clp_unlock_drivers();
}
