/* SPDX-License-Identifier: MIT */
/* How much local memory static arrays may take: what the driver advertises, or more where the
 * device has more and a kernel that takes it runs right (cl/probe_local.cl). */
#include "internal.h"

/* Plans leave so much of it free. */
enum { KB = 1024, FREE = KB, GROUP = 128 };

/* NVIDIA advertises 48 KB on all of them; a multiprocessor keeps 1 KB for itself. */
size_t clp_local_bytes_of(int capability) {
    if (capability < 70) return 0;
    if (capability < 75) return 96 * KB;
    if (capability < 80) return 64 * KB;
    if (capability == 80 || capability == 87) return 163 * KB;
    return capability >= 90 && capability < 120 ? 227 * KB : 99 * KB;
}

typedef struct probe {
    cl_program program;
    cl_kernel kernel;
    cl_mem right;
    cl_uint words[GROUP];
} probe;

static clprims_status run_probe(const clprims_context *context, size_t bytes, probe *p) {
    static const char *const parts[] = {"probe_local.cl", NULL};
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_GROUP %d\n#define CLP_LOCAL_WORDS %zu\n", GROUP,
                 bytes / sizeof(cl_uint));
    const clprims_status built = clp_program_build(context, "probe", &prelude, parts, &p->program);
    clp_text_free(&prelude);
    CLP_TRY(built);
    CLP_TRY(clp_kernel_create(p->program, "probe", "clp_probe_local", &p->kernel));
    CLP_TRY(clp_scratch_create(context, "probe", sizeof p->words, true, &p->right));
    const clp_argument argument = CLP_ARGUMENT(p->right);
    CLP_TRY(clp_kernel_arguments(p->kernel, "probe", &argument, 1));
    const clp_step step = {p->kernel, 1, GROUP};
    CLP_TRY(clp_steps_enqueue(context->queue, "probe", &step, 1, 0, NULL, NULL));
    return clp_download(context, "probe", p->right, p->words, sizeof p->words);
}

static bool is_right(const probe *p) {
    for (size_t i = 0; i < GROUP; i++) {
        if (p->words[i] == 0) return false;
    }
    return true;
}

clprims_status clp_local_memory_find(clprims_context *context) {
    clp_device *device = &context->device;
    const size_t most = clp_local_bytes_of(device->compute_capability);
    probe p = {.program = NULL};
    device->static_local_bytes = device->local_bytes;
    if (most <= device->local_bytes) return CLPRIMS_OK;
    const clprims_status status = run_probe(context, most - FREE, &p);
    if (p.right != NULL) clReleaseMemObject(p.right);
    if (p.kernel != NULL) clReleaseKernel(p.kernel);
    if (p.program != NULL) clReleaseProgram(p.program);
    if (status == CLPRIMS_ERR_HOST_MEMORY || status == CLPRIMS_ERR_IO) return status;
    if (status == CLPRIMS_OK && is_right(&p)) device->static_local_bytes = most;
    clp_clear_error();
    return CLPRIMS_OK;
}
