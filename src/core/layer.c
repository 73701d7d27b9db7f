/* SPDX-License-Identifier: MIT */
/*
 * Which device layer works here. What a device says of itself is too little on some (NVIDIA
 * advertises no sub-groups, yet has them in PTX) and too much on others, so a small kernel that
 * tries what every layer has (cl/device/probe.cl) has the last word.
 */
#include "core/layer.h"
#include "core/context.h"
#include "core/device.h"
#include "core/launch.h"
#include "core/program.h"
#include "core/status.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

enum { PROBE_GROUP = 64, PROBE_GROUPS = 2, PROBE_ITEMS = PROBE_GROUP * PROBE_GROUPS };

static const char *const probe_bits[] = {"lane numbers", "shuffle",      "shuffle up",
                                         "ballot",       "publish word", "16-byte access"};
enum { PROBE_BITS = sizeof probe_bits / sizeof probe_bits[0] };

/* ---- The probe ---- */

typedef struct probe {
    cl_program program;
    cl_kernel kernel;
    cl_mem found;
    cl_mem state;
    cl_mem data;
    cl_uint words[2 * PROBE_ITEMS];
} probe;

static clprims_status run_probe_on(const clprims_context *context, probe *p) {
    static const char *const parts[] = {"device/probe.cl", NULL};
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_GROUP %d\n", PROBE_GROUP);
    const clprims_status built = clp_program_build(context, "probe", &prelude, parts, &p->program);
    clp_text_free(&prelude);
    CLP_TRY(built);
    CLP_TRY(clp_kernel_create(p->program, "probe", "clp_probe", &p->kernel));
    CLP_TRY(clp_scratch_create(context, "probe", sizeof p->words, true, &p->found));
    CLP_TRY(clp_scratch_create(context, "probe", PROBE_ITEMS * sizeof(cl_ulong), true, &p->state));
    CLP_TRY(clp_scratch_create(context, "probe", PROBE_ITEMS * sizeof(cl_uint4), true, &p->data));
    const clp_argument arguments[] = {CLP_ARGUMENT(p->found), CLP_ARGUMENT(p->state),
                                      CLP_ARGUMENT(p->data)};
    CLP_TRY(clp_kernel_arguments(p->kernel, "probe", arguments, 3));
    const clp_step steps[] = {{p->kernel, PROBE_GROUPS, PROBE_GROUP}};
    CLP_TRY(clp_steps_enqueue(context->queue, "probe", steps, 1, 0, NULL, NULL));
    return clp_download(context, "probe", p->found, p->words, sizeof p->words);
}

static clprims_status run_probe(const clprims_context *context, probe *p) {
    *p = (probe){.program = NULL};
    const clprims_status status = run_probe_on(context, p);
    const cl_mem mems[] = {p->data, p->state, p->found};
    clp_release_buffers(mems, 3);
    if (p->kernel != NULL) clReleaseKernel(p->kernel);
    if (p->program != NULL) clReleaseProgram(p->program);
    return status;
}

/* The name of the first function that failed on some work-item, or NULL. */
static const char *first_failure(const probe *p) {
    cl_uint all = (1u << PROBE_BITS) - 1;
    for (size_t i = 0; i < PROBE_ITEMS; i++) all &= p->words[2 * i];
    for (size_t bit = 0; bit < PROBE_BITS; bit++) {
        if ((all >> bit & 1) == 0) return probe_bits[bit];
    }
    return NULL;
}

static bool width_is_usable(cl_uint width) {
    return width >= 2 && width <= PROBE_GROUP && (width & (width - 1)) == 0;
}

/* ---- The layers ---- */

/* Why the device can't have the layer by its own account, or NULL. */
static const char *ruled_out(const clp_device *device, clprims_layer layer) {
    if (layer == CLPRIMS_LAYER_NVIDIA && !device->is_nvidia) {
        return "the driver is not NVIDIA's own";
    }
    if (layer == CLPRIMS_LAYER_NVIDIA && device->compute_capability < 70) {
        return "the compute capability is below 7.0";
    }
    if (layer == CLPRIMS_LAYER_SUBGROUP && !device->has_subgroups) {
        return "the device has no sub-groups with shuffles and ballots";
    }
    return NULL;
}

static void note(clprims_context *context, const char *layer, const char *why, const char *detail) {
    const size_t used = strlen(context->reason);
    snprintf(context->reason + used, sizeof context->reason - used, "%s%s: %s%s", used ? "; " : "",
             layer, why, detail);
}

static clprims_status probe_with_width(clprims_context *context, size_t width, probe *p) {
    context->subgroup_width = width;
    return run_probe(context, p);
}

/* Sets *works and notes why. A failing status is a fault that no other layer can mend. */
static clprims_status try_layer(clprims_context *context, clprims_layer layer, bool *works) {
    const char *name = clprims_layer_name(layer);
    const char *reason = ruled_out(&context->device, layer);
    probe p;
    *works = false;
    if (reason != NULL) {
        note(context, name, reason, "");
        return CLPRIMS_OK;
    }
    context->layer = layer;
    clprims_status status = probe_with_width(context, layer == CLPRIMS_LAYER_LOCAL ? 1 : 32, &p);
    const cl_uint width = p.words[1];
    if (status == CLPRIMS_OK && layer == CLPRIMS_LAYER_SUBGROUP && width != 32 &&
        width_is_usable(width)) {
        status = probe_with_width(context, width, &p);
    }
    if (status == CLPRIMS_ERR_BUILD && layer != CLPRIMS_LAYER_LOCAL) {
        note(context, name, "the probe does not compile", "");
        clp_clear_error();
        return CLPRIMS_OK;
    }
    CLP_TRY(status);
    const char *failure = first_failure(&p);
    *works = failure == NULL;
    if (*works) {
        note(context, name, "the probe ran right", "");
    } else {
        note(context, name, "the probe failed at ", failure);
    }
    return CLPRIMS_OK;
}

clprims_status clp_layer_choose(clprims_context *context, clprims_layer wanted) {
    const bool is_cpu = context->device.is_cpu;
    for (clprims_layer layer = CLPRIMS_LAYER_NVIDIA; layer <= CLPRIMS_LAYER_LOCAL; layer++) {
        bool works;
        if (wanted != CLPRIMS_LAYER_AUTO && layer != wanted) continue;
        /* Work-items by themselves are what suits CPUs, and their sub-groups gain nothing. */
        if (wanted == CLPRIMS_LAYER_AUTO && is_cpu && layer != CLPRIMS_LAYER_LOCAL) continue;
        CLP_TRY(try_layer(context, layer, &works));
        if (works) {
            context->groups_progress = context->device.is_cpu || context->device.is_nvidia;
            return CLPRIMS_OK;
        }
    }
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED, "context: no layer works on \"%s\": %s",
                    context->device.info.name, context->reason);
}

const char *clprims_layer_name(clprims_layer layer) {
    switch (layer) {
    case CLPRIMS_LAYER_AUTO:
        return "auto";
    case CLPRIMS_LAYER_NVIDIA:
        return "nvidia";
    case CLPRIMS_LAYER_SUBGROUP:
        return "subgroup";
    case CLPRIMS_LAYER_LOCAL:
        return "local";
    }
    return "unknown";
}

/*
 * ---- Local memory: what the driver advertises, or more where the device has more and a kernel
 * that takes it runs right (cl/device/probe_local.cl) ----
 */

/* Plans leave so much of it free. */
enum { KB = 1024, FREE = KB, LOCAL_PROBE_GROUP = 128 };

/* NVIDIA advertises 48 KB on all of them; a multiprocessor keeps 1 KB for itself. */
size_t clp_local_bytes_of(int capability) {
    if (capability < 70) return 0;
    if (capability < 75) return 96 * KB;
    if (capability < 80) return 64 * KB;
    if (capability == 80 || capability == 87) return 163 * KB;
    return capability >= 90 && capability < 120 ? 227 * KB : 99 * KB;
}

typedef struct local_probe {
    cl_program program;
    cl_kernel kernel;
    cl_mem right;
    cl_uint words[LOCAL_PROBE_GROUP];
} local_probe;

static clprims_status run_local_probe(const clprims_context *context, size_t bytes,
                                      local_probe *p) {
    static const char *const parts[] = {"device/probe_local.cl", NULL};
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_GROUP %d\n#define CLP_LOCAL_WORDS %zu\n", LOCAL_PROBE_GROUP,
                 bytes / sizeof(cl_uint));
    const clprims_status built = clp_program_build(context, "probe", &prelude, parts, &p->program);
    clp_text_free(&prelude);
    CLP_TRY(built);
    CLP_TRY(clp_kernel_create(p->program, "probe", "clp_probe_local", &p->kernel));
    CLP_TRY(clp_scratch_create(context, "probe", sizeof p->words, true, &p->right));
    const clp_argument argument = CLP_ARGUMENT(p->right);
    CLP_TRY(clp_kernel_arguments(p->kernel, "probe", &argument, 1));
    const clp_step step = {p->kernel, 1, LOCAL_PROBE_GROUP};
    CLP_TRY(clp_steps_enqueue(context->queue, "probe", &step, 1, 0, NULL, NULL));
    return clp_download(context, "probe", p->right, p->words, sizeof p->words);
}

static bool is_right(const local_probe *p) {
    for (size_t i = 0; i < LOCAL_PROBE_GROUP; i++) {
        if (p->words[i] == 0) return false;
    }
    return true;
}

clprims_status clp_local_memory_find(clprims_context *context) {
    clp_device *device = &context->device;
    const size_t most = clp_local_bytes_of(device->compute_capability);
    local_probe p = {.program = NULL};
    device->static_local_bytes = device->local_bytes;
    if (most <= device->local_bytes) return CLPRIMS_OK;
    const clprims_status status = run_local_probe(context, most - FREE, &p);
    if (p.right != NULL) clReleaseMemObject(p.right);
    if (p.kernel != NULL) clReleaseKernel(p.kernel);
    if (p.program != NULL) clReleaseProgram(p.program);
    if (status == CLPRIMS_ERR_HOST_MEMORY || status == CLPRIMS_ERR_IO) return status;
    if (status == CLPRIMS_OK && is_right(&p)) device->static_local_bytes = most - FREE;
    clp_clear_error();
    return CLPRIMS_OK;
}
