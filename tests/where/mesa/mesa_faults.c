/* SPDX-License-Identifier: MIT */
/*
 * Faults of Mesa's OpenCL compiler in small kernels, without clprims: each runs in a process of its
 * own, in one work-group of 64 or of 1, and what it writes is compared.
 *
 *   cc -o mesa_faults tests/where/mesa/mesa_faults.c -lOpenCL && tests/on_rusticl ./mesa_faults
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 64, RIGHT, WRONG, NO_DEVICE };

/* in[i] is i + 1. The kernels write out[i]; `expected` is 0 for the same as in[i]. items: of the
 * work-group; 0: ITEMS. */
static const struct {
    const char *name, *text;
    cl_ulong expected;
    size_t items;
} kernels[] = {
    /* What the first item of the loop has stored is lost. */
    {"a union in a loop",
     "typedef struct { long a, b; } pair;\n"
     "typedef union { uint4 words; pair value; } both;\n"
     "static void store(global pair *to, pair value) {\n"
     "    both whole;\n"
     "    whole.value = value;\n"
     "    *(global uint4 *)to = whole.words;\n"
     "}\n"
     "kernel void run(const global ulong *in, global ulong *out) {\n"
     "    if (get_local_id(0) > 0) return;\n"
     "    for (uint i = 0; i < 32; i++) {\n"
     "        const pair value = {in[2 * i], in[2 * i + 1]};\n"
     "        store((global pair *)out + i, value);\n"
     "    }\n"
     "}\n",
     0, 0},
    {"an array of unions that a function returns",
     "typedef union { ulong element[2]; uint4 words; } both;\n"
     "static both load(const global ulong *from) {\n"
     "    both whole;\n"
     "    whole.words = *(const global uint4 *)from;\n"
     "    return whole;\n"
     "}\n"
     "kernel void run(const global ulong *in, global ulong *out) {\n"
     "    both whole[32];\n"
     "    if (get_local_id(0) > 0) return;\n"
     "    for (uint i = 0; i < 32; i++) whole[i] = load(in + 2 * i);\n"
     "    for (uint i = 0; i < 64; i++) out[i] = whole[i / 2].element[i % 2];\n"
     "}\n",
     0, 0},
    /* The compiler ends the process, in the thread of the queue. */
    {"two stores to a member, between barriers",
     "static ulong of_lane(ulong value, uint lane, local ulong *exchange) {\n"
     "    exchange[get_local_id(0)] = value;\n"
     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
     "    const ulong result = exchange[lane];\n"
     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
     "    return result;\n"
     "}\n"
     "typedef struct { ulong item, total; } tile;\n"
     "static void reduce(tile *t, ulong *total, local ulong *exchange) {\n"
     "    *total = of_lane(t->item, 0, exchange);\n"
     "    *total = of_lane(t->item, 63, exchange);\n"
     "}\n"
     "kernel void run(const global ulong *in, global ulong *out) {\n"
     "    local ulong exchange[64], last;\n"
     "    tile t;\n"
     "    t.item = in[get_local_id(0)];\n"
     "    reduce(&t, &t.total, exchange);\n"
     "    if (get_local_id(0) == 0) last = t.total;\n"
     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
     "    out[get_local_id(0)] = last;\n"
     "}\n",
     ITEMS, 0},
    {"an array of structs that a function returns",
     "typedef struct { ulong a, b; } pair;\n"
     "static pair get(pair x) { return x; }\n"
     "kernel void run(const global pair *in, global ulong *out) {\n"
     "    for (uint i = get_local_id(0); i < 32; i += 64) {\n"
     "        pair value[2];\n"
     "        for (uint j = 0; j < 2; j++) value[j] = get(in[i]);\n"
     "        out[2 * i] = value[0].a;\n"
     "        out[2 * i + 1] = value[1].b;\n"
     "    }\n"
     "}\n",
     0, 0},
    /* Loops of an item end after 65535 iterations, all loops of the kernel together. */
    {"a loop of 65600 iterations",
     "kernel void run(const global ulong *in, global ulong *out) {\n"
     "    ulong sum = 0;\n"
     "    for (uint i = 0; i < 65600; i++) sum += in[i % 64] / 64;\n"
     "    out[get_local_id(0)] = sum;\n"
     "}\n",
     65600 / ITEMS, 0},
    /* A vector's lanes without an item loop on to that end, and later loops end at once. */
    {"a loop in a work-group of one",
     "kernel void run(const global ulong *in, global ulong *out) {\n"
     "    uint rounds = 0;\n"
     "    bool busy = true;\n"
     "    while (busy) {\n"
     "        busy = in[get_local_id(0)] == 0;\n"
     "        rounds++;\n"
     "    }\n"
     "    for (uint i = 0; i < 64; i++) out[i] = in[i] + rounds - 1;\n"
     "}\n",
     0, 1}};

static int compare(const cl_ulong *out, cl_ulong expected) {
    for (cl_ulong i = 0; i < ITEMS; i++) {
        const cl_ulong right = expected > 0 ? expected : i + 1;
        if (out[i] == right) continue;
        printf("out[%d] is %llu, not %llu: ", (int)i, (unsigned long long)out[i],
               (unsigned long long)right);
        return WRONG;
    }
    return RIGHT;
}

static int run(size_t number) {
    cl_platform_id platform;
    cl_device_id device;
    cl_ulong in[ITEMS], out[ITEMS] = {0};
    const size_t items = kernels[number].items > 0 ? kernels[number].items : ITEMS;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return NO_DEVICE;
    for (cl_ulong i = 0; i < ITEMS; i++) in[i] = i + 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program =
        clCreateProgramWithSource(context, 1, (const char *[]){kernels[number].text}, NULL, NULL);
    if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL) != CL_SUCCESS)
        return WRONG;
    cl_kernel kernel = clCreateKernel(program, "run", NULL);
    cl_mem from = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof in, in, NULL);
    cl_mem to = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof out, out, NULL);
    clSetKernelArg(kernel, 0, sizeof from, &from);
    clSetKernelArg(kernel, 1, sizeof to, &to);
    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL) !=
            CL_SUCCESS ||
        clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL) != CL_SUCCESS)
        return WRONG;
    return compare(out, kernels[number].expected);
}

int main(void) {
    int faults = 0;
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        int status = 0;
        printf("%s: ", kernels[k].name);
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            const int found = run(k);
            fflush(stdout);
            _exit(found);
        }
        waitpid(child, &status, 0);
        const int found = WIFEXITED(status) ? WEXITSTATUS(status) : WRONG;
        if (found == NO_DEVICE) {
            puts("no device");
            return 77;
        }
        if (WIFSIGNALED(status)) printf("the process ended by signal %d: ", WTERMSIG(status));
        puts(found == RIGHT ? "right" : "WRONG");
        faults += found != RIGHT;
    }
    return faults > 0;
}
