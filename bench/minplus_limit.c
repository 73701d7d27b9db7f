/* SPDX-License-Identifier: MIT */
/* Chains of sums and minima in registers, as many on the way as hide their latency. */
#include "minplus_limit.h"
#include <stdio.h>

enum { CHAINS = 16, TURNS = 2048, GROUP = 256, GROUPS_A_UNIT = 32, CPU_GROUPS = 64 };

/* LEAST is a minimum that CPUs have an instruction for; PAIRS pairs a step. */
static const char source[] =
    "kernel void chain(global W *out, T step) {\n"
    "    const uint self = (uint)get_local_id(0);\n"
    "    W least[16], b[16], x = (W)(self * step), y = (W)((self + 1) * step);\n"
    "    for (int i = 0; i < 16; i++) {\n"
    "        least[i] = (W)(i + self);\n"
    "        b[i] = (W)((T)(self * 3 + i) * step);\n"
    "    }\n"
    "#pragma unroll 8\n"
    "    for (int r = 0; r < TURNS; r++) {\n"
    "#pragma unroll\n"
    "        for (int i = 0; i < 16; i++) {\n"
    "            const W sum = x + b[i];\n"
    "#if PAIRS == 2\n"
    "            const W other = y + b[(i + 1) % 16];\n"
    "            least[i] = LEAST(least[i], LEAST(sum, other));\n"
    "#else\n"
    "            least[i] = LEAST(least[i], sum);\n"
    "#endif\n"
    "        }\n"
    "        x += (W)step;\n"
    "#if PAIRS == 2\n"
    "        y += (W)step;\n"
    "#endif\n"
    "    }\n"
    "    W all = y;\n"
    "    for (int i = 0; i < 16; i++) all += least[i];\n"
    "    out[get_global_id(0)] = all;\n"
    "}\n";

typedef struct chain_job {
    cl_kernel kernel;
    size_t items, group;
} chain_job;

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const chain_job *job = self;
    bench_cl(clEnqueueNDRangeKernel(queue, job->kernel, 1, NULL, &job->items, &job->group, 0, NULL,
                                    event),
             "the chain");
    return CLPRIMS_OK;
}

static cl_uint native_lanes(const bench *b) {
    cl_uint lanes = 1;
    bench_cl(clGetDeviceInfo(b->info.device_id, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, sizeof lanes,
                             &lanes, NULL),
             "clGetDeviceInfo");
    return lanes < 2 ? 1 : lanes < 16 ? lanes : 16;
}

static cl_program build(bench *b, minplus_limit limit, cl_uint lanes) {
    char prelude[256], wide[16] = "";
    const char *type = limit == LIMIT_FLOAT ? "float" : "int";
    const bool compares = limit == LIMIT_FLOAT && b->is_cpu;
    if (lanes > 1) snprintf(wide, sizeof wide, "%u", (unsigned)lanes);
    snprintf(prelude, sizeof prelude,
             "#define T %s\n#define W %s%s\n#define TURNS %d\n#define PAIRS %d\n"
             "#define LEAST(a, b) %s\n",
             type, type, wide, TURNS, limit == LIMIT_INT ? 2 : 1,
             compares               ? "((b) < (a) ? (b) : (a))"
             : limit == LIMIT_FLOAT ? "fmin(a, b)"
                                    : "min(a, b)");
    const char *texts[] = {prelude, source};
    cl_int code = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(b->info.context, 2, texts, NULL, &code);
    bench_cl(code, "clCreateProgramWithSource");
    bench_cl(clBuildProgram(program, 1, &b->info.device_id, "-cl-std=CL1.2", NULL, NULL),
             "building the chain");
    return program;
}

double minplus_limit_measure(bench *b, minplus_limit limit) {
    const cl_uint lanes = b->is_cpu ? native_lanes(b) : 1;
    const size_t group = b->is_cpu ? 1 : GROUP;
    const size_t groups =
        b->is_cpu ? CPU_GROUPS : (size_t)b->info.device.compute_units * GROUPS_A_UNIT;
    chain_job job = {NULL, groups * group, group};
    const cl_float small = 1e-9f;
    const cl_int one = 1;
    bench_time time = {0};
    cl_int code = CL_SUCCESS;
    bench_step("minplus: the limit");
    cl_program program = build(b, limit, lanes);
    cl_mem out = bench_buffer(b, job.items * lanes * sizeof(cl_float));
    job.kernel = clCreateKernel(program, "chain", &code);
    bench_cl(code, "clCreateKernel");
    bench_cl(clSetKernelArg(job.kernel, 0, sizeof out, &out), "clSetKernelArg");
    if (limit == LIMIT_FLOAT)
        bench_cl(clSetKernelArg(job.kernel, 1, sizeof small, &small), "clSetKernelArg");
    else
        bench_cl(clSetKernelArg(job.kernel, 1, sizeof one, &one), "clSetKernelArg");
    if (bench_once(b, (bench_job){submit, &job}) != CLPRIMS_OK ||
        bench_measure(b, (bench_job){submit, &job}, &time) != CLPRIMS_OK)
        bench_die(BENCH_EXIT_DEVICE, "the chain can't be timed");
    clReleaseKernel(job.kernel);
    clReleaseProgram(program);
    clReleaseMemObject(out);
    const double pairs_a_step = limit == LIMIT_INT ? 2 : 1;
    return time.median / ((double)job.items * lanes * CHAINS * TURNS * pairs_a_step);
}
