#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Faults of Mesa's OpenCL compiler in small kernels, without clprims: each runs in a process of its own, in
one work-group of 64 or of 1, and what it writes is compared.

  tests/on_rusticl build/python/bin/python tests/where/mesa/mesa_faults.py
"""
import os
import sys

import numpy
import pyopencl

ITEMS = 64

# in[i] is i + 1. The kernels write out[i]: `expected`, or for 0 the same as in[i]. items: of the work-group.
KERNELS = (  # name, text, expected, items
    # What the first item of the loop has stored is lost.
    ("a union in a loop", """
typedef struct { long a, b; } pair;
typedef union { uint4 words; pair value; } both;
static void store(global pair *to, pair value) {
    both whole;
    whole.value = value;
    *(global uint4 *)to = whole.words;
}
kernel void run(const global ulong *in, global ulong *out) {
    if (get_local_id(0) > 0) return;
    for (uint i = 0; i < 32; i++) {
        const pair value = {in[2 * i], in[2 * i + 1]};
        store((global pair *)out + i, value);
    }
}
""", 0, ITEMS),
    ("an array of unions that a function returns", """
typedef union { ulong element[2]; uint4 words; } both;
static both load(const global ulong *from) {
    both whole;
    whole.words = *(const global uint4 *)from;
    return whole;
}
kernel void run(const global ulong *in, global ulong *out) {
    both whole[32];
    if (get_local_id(0) > 0) return;
    for (uint i = 0; i < 32; i++) whole[i] = load(in + 2 * i);
    for (uint i = 0; i < 64; i++) out[i] = whole[i / 2].element[i % 2];
}
""", 0, ITEMS),
    # The compiler ends the process, in the thread of the queue.
    ("two stores to a member, between barriers", """
static ulong of_lane(ulong value, uint lane, local ulong *exchange) {
    exchange[get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong result = exchange[lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}
typedef struct { ulong item, total; } tile;
static void reduce(tile *t, ulong *total, local ulong *exchange) {
    *total = of_lane(t->item, 0, exchange);
    *total = of_lane(t->item, 63, exchange);
}
kernel void run(const global ulong *in, global ulong *out) {
    local ulong exchange[64], last;
    tile t;
    t.item = in[get_local_id(0)];
    reduce(&t, &t.total, exchange);
    if (get_local_id(0) == 0) last = t.total;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = last;
}
""", ITEMS, ITEMS),
    ("an array of structs that a function returns", """
typedef struct { ulong a, b; } pair;
static pair get(pair x) { return x; }
kernel void run(const global pair *in, global ulong *out) {
    for (uint i = get_local_id(0); i < 32; i += 64) {
        pair value[2];
        for (uint j = 0; j < 2; j++) value[j] = get(in[i]);
        out[2 * i] = value[0].a;
        out[2 * i + 1] = value[1].b;
    }
}
""", 0, ITEMS),
    # Loops of an item end after 65535 iterations, all loops of the kernel together.
    ("a loop of 65600 iterations", """
kernel void run(const global ulong *in, global ulong *out) {
    ulong sum = 0;
    for (uint i = 0; i < 65600; i++) sum += in[i % 64] / 64;
    out[get_local_id(0)] = sum;
}
""", 65600 // ITEMS, ITEMS),
    # A vector's lanes without an item loop on to that end, and later loops end at once.
    ("a loop in a work-group of one", """
kernel void run(const global ulong *in, global ulong *out) {
    uint rounds = 0;
    bool busy = true;
    while (busy) {
        busy = in[get_local_id(0)] == 0;
        rounds++;
    }
    for (uint i = 0; i < 64; i++) out[i] = in[i] + rounds - 1;
}
""", 0, 1),
)


def run(text, expected, items):
    context = pyopencl.create_some_context(interactive=False)
    queue = pyopencl.CommandQueue(context)
    given = numpy.arange(1, ITEMS + 1, dtype=numpy.uint64)
    out = numpy.zeros_like(given)
    copied = pyopencl.mem_flags.COPY_HOST_PTR
    buffers = [pyopencl.Buffer(context, copied, hostbuf=array) for array in (given, out)]
    kernel = pyopencl.Program(context, text).build("-cl-std=CL1.2").run
    kernel(queue, (items,), (items,), *buffers)
    pyopencl.enqueue_copy(queue, out, buffers[1])
    right = numpy.full_like(given, expected) if expected else given
    for i in numpy.flatnonzero(out != right)[:1]:
        print(f"out[{i}] is {out[i]}, not {right[i]}: ", end="")
    return (out != right).any()


def main():
    faults = 0
    for name, text, expected, items in KERNELS:
        print(f"{name}: ", end="", flush=True)
        child = os.fork()
        if child == 0:
            found = 1
            try:
                found = int(run(text, expected, items))
            finally:
                sys.stdout.flush()
                os._exit(found)
        status = os.waitpid(child, 0)[1]
        if os.WIFSIGNALED(status):
            print(f"the process ended by signal {os.WTERMSIG(status)}: ", end="")
        print("WRONG" if status else "right")
        faults += status != 0
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
