/* SPDX-License-Identifier: MIT */
/* On GPUs, chains of sums and minima in registers, as many on the way as hide their latency. On
 * CPUs, of whose chains compilers make less than of the product, what the vectors of all cores can
 * do with two operations a cycle, one sum and one minimum. */
#include "inputs/minplus_limit.h"
#include <stdio.h>

enum { CHAINS = 16, TURNS = 2048, GROUP = 256, GROUPS_A_UNIT = 32 };
/* A product and a sum, each waiting for the other: three cycles and one on today's CPUs. */
enum { CLOCK_STEPS = 100000000, CYCLES_A_STEP = 4 };

/* PAIRS pairs a step. */
static const char source[] = "kernel void chain(global T *out, T step, T apart) {\n"
                             "    const uint self = (uint)get_local_id(0);\n"
                             "    T least[16], b[16], x = self * step;\n"
                             "#if PAIRS == 2\n"
                             "    T y = x + apart; /* unknown, or a sum would serve two turns */\n"
                             "#else\n"
                             "    T y = (self + 1) * step;\n"
                             "#endif\n"
                             "    for (int i = 0; i < 16; i++) {\n"
                             "        least[i] = (T)(i + self);\n"
                             "        b[i] = (T)(self * 3 + i) * step;\n"
                             "    }\n"
                             "#pragma unroll 8\n"
                             "    for (int r = 0; r < TURNS; r++) {\n"
                             "#pragma unroll\n"
                             "        for (int i = 0; i < 16; i++) {\n"
                             "            const T sum = x + b[i];\n"
                             "#if PAIRS == 2\n"
                             "            const T other = y + b[(i + 1) % 16];\n"
                             "            least[i] = LEAST(least[i], LEAST(sum, other));\n"
                             "#else\n"
                             "            least[i] = LEAST(least[i], sum);\n"
                             "#endif\n"
                             "        }\n"
                             "        x += step;\n"
                             "#if PAIRS == 2\n"
                             "        y += step;\n"
                             "#endif\n"
                             "    }\n"
                             "    T all = y;\n"
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

static cl_program build(bench *b, minplus_limit limit) {
    char prelude[256];
    snprintf(prelude, sizeof prelude,
             "#define T %s\n#define TURNS %d\n#define PAIRS %d\n#define LEAST(a, b) %s\n",
             limit == LIMIT_FLOAT ? "float" : "int", TURNS, limit == LIMIT_INT ? 2 : 1,
             limit == LIMIT_FLOAT ? "fmin(a, b)" : "min(a, b)");
    const char *texts[] = {prelude, source};
    cl_int code = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(b->info.context, 2, texts, NULL, &code);
    bench_cl(code, "clCreateProgramWithSource");
    bench_cl(clBuildProgram(program, 1, &b->info.device_id, "-cl-std=CL1.2", NULL, NULL),
             "building the chain");
    return program;
}

static void pass_cycles(void *self) {
    uint64_t *x = self;
    for (int i = 0; i < CLOCK_STEPS; i++) *x = *x * 6364136223846793005u + 1442695040888963407u;
}

static double measure_on_cpu(bench *b) {
    uint64_t x = 1;
    const double cycle = bench_host_seconds(pass_cycles, &x) / CLOCK_STEPS / CYCLES_A_STEP;
    return cycle / ((double)native_lanes(b) * (double)b->info.device.compute_units);
}

double minplus_limit_measure(bench *b, minplus_limit limit) {
    chain_job job = {NULL, (size_t)b->info.device.compute_units * GROUPS_A_UNIT * GROUP, GROUP};
    const cl_float small = 1e-9f, far = 1;
    const cl_int one = 1, many = 1 << 20;
    bench_time time = {0};
    cl_int code = CL_SUCCESS;
    bench_step("minplus: the limit");
    if (b->is_cpu) return measure_on_cpu(b);
    cl_program program = build(b, limit);
    cl_mem out = bench_buffer(b, job.items * sizeof(cl_float));
    job.kernel = clCreateKernel(program, "chain", &code);
    bench_cl(code, "clCreateKernel");
    bench_cl(clSetKernelArg(job.kernel, 0, sizeof out, &out), "clSetKernelArg");
    if (limit == LIMIT_FLOAT)
        bench_cl(clSetKernelArg(job.kernel, 1, sizeof small, &small), "clSetKernelArg");
    else
        bench_cl(clSetKernelArg(job.kernel, 1, sizeof one, &one), "clSetKernelArg");
    bench_cl(limit == LIMIT_FLOAT ? clSetKernelArg(job.kernel, 2, sizeof far, &far)
                                  : clSetKernelArg(job.kernel, 2, sizeof many, &many),
             "clSetKernelArg");
    if (bench_once(b, (bench_job){submit, &job}) != CLPRIMS_OK ||
        bench_measure(b, (bench_job){submit, &job}, &time) != CLPRIMS_OK)
        bench_die(BENCH_EXIT_DEVICE, "the chain can't be timed");
    clReleaseKernel(job.kernel);
    clReleaseProgram(program);
    clReleaseMemObject(out);
    const double pairs_a_step = limit == LIMIT_INT ? 2 : 1;
    return time.median / ((double)job.items * CHAINS * TURNS * pairs_a_step);
}
