/* SPDX-License-Identifier: MIT */
/*
 * OpenCL's built-in functions that the kernels call, in clang's own terms for NVIDIA's and AMD's
 * GPUs: what a program links with before it becomes PTX or AMD's machine code. A function that is
 * missing here is named by the assembler or the linker, as an unresolved one.
 */
#define BUILTIN __attribute__((overloadable, always_inline))

/* ---- Work-items; groups have one dimension, but for those of tiles ---- */

#define OF_DIMENSION(name, x, y, z)                                                                \
    size_t BUILTIN name(uint dimension) {                                                          \
        return (uint)(dimension == 0 ? x : dimension == 1 ? y : z);                                \
    }
#ifdef __AMDGCN__
OF_DIMENSION(get_local_id, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
             __builtin_amdgcn_workitem_id_z())
OF_DIMENSION(get_local_size, __builtin_amdgcn_workgroup_size_x(),
             __builtin_amdgcn_workgroup_size_y(), __builtin_amdgcn_workgroup_size_z())
OF_DIMENSION(get_group_id, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
             __builtin_amdgcn_workgroup_id_z())
OF_DIMENSION(get_num_groups, __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(),
             __builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y(),
             __builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z())
#define FENCE() __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup")
#define BARRIER() FENCE(), __builtin_amdgcn_s_barrier(), FENCE()
#else
OF_DIMENSION(get_local_id, __nvvm_read_ptx_sreg_tid_x(), __nvvm_read_ptx_sreg_tid_y(),
             __nvvm_read_ptx_sreg_tid_z())
OF_DIMENSION(get_local_size, __nvvm_read_ptx_sreg_ntid_x(), __nvvm_read_ptx_sreg_ntid_y(),
             __nvvm_read_ptx_sreg_ntid_z())
OF_DIMENSION(get_group_id, __nvvm_read_ptx_sreg_ctaid_x(), __nvvm_read_ptx_sreg_ctaid_y(),
             __nvvm_read_ptx_sreg_ctaid_z())
OF_DIMENSION(get_num_groups, __nvvm_read_ptx_sreg_nctaid_x(), __nvvm_read_ptx_sreg_nctaid_y(),
             __nvvm_read_ptx_sreg_nctaid_z())
#define FENCE() __nvvm_membar_cta()
#define BARRIER() __syncthreads()
#endif

/* An offset of the range, which the library never gives, is left out. */
size_t BUILTIN get_global_id(uint dimension) {
    return get_group_id(dimension) * get_local_size(dimension) + get_local_id(dimension);
}

size_t BUILTIN get_global_size(uint dimension) {
    return get_num_groups(dimension) * get_local_size(dimension);
}

void BUILTIN barrier(cl_mem_fence_flags flags) {
    (void)flags;
    BARRIER();
}

void BUILTIN mem_fence(cl_mem_fence_flags flags) {
    (void)flags;
    FENCE();
}

/* ---- Numbers ---- */

#define ORDER(type)                                                                                \
    type BUILTIN min(type a, type b) {                                                             \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    type BUILTIN max(type a, type b) {                                                             \
        return a > b ? a : b;                                                                      \
    }                                                                                              \
    type BUILTIN clamp(type x, type least, type most) {                                            \
        return min(max(x, least), most);                                                           \
    }
ORDER(int)
ORDER(uint)
ORDER(long)
ORDER(ulong)
ORDER(double)

float BUILTIN fmin(float a, float b) {
    return __builtin_fminf(a, b);
}

float BUILTIN fmax(float a, float b) {
    return __builtin_fmaxf(a, b);
}

double BUILTIN fmax(double a, double b) {
    return __builtin_fmax(a, b);
}

uint BUILTIN abs_diff(uint a, uint b) {
    return a > b ? a - b : b - a;
}

uint BUILTIN rotate(uint word, uint distance) {
    return __builtin_rotateleft32(word, distance);
}

uint BUILTIN popcount(uint word) {
    return (uint)__builtin_popcount(word);
}

ulong BUILTIN popcount(ulong word) {
    return (ulong)__builtin_popcountl(word);
}

uint BUILTIN clz(uint word) {
    return word == 0 ? 32 : (uint)__builtin_clz(word);
}

ulong BUILTIN clz(ulong word) {
    return word == 0 ? 64 : (ulong)__builtin_clzl(word);
}

int BUILTIN signbit(float x) {
    return as_int(x) < 0;
}

int BUILTIN signbit(double x) {
    return as_long(x) < 0;
}

/* ---- Vectors in arrays of their elements ---- */

uint4 BUILTIN vload4(size_t i, const local uint *from) {
    from += 4 * i;
    return (uint4)(from[0], from[1], from[2], from[3]);
}

uint4 BUILTIN vload4(size_t i, const global uint *from) {
    from += 4 * i;
    return (uint4)(from[0], from[1], from[2], from[3]);
}

void BUILTIN vstore4(int4 vector, size_t i, local int *to) {
    to += 4 * i;
    to[0] = vector.x, to[1] = vector.y, to[2] = vector.z, to[3] = vector.w;
}

uint8 BUILTIN vload8(size_t i, const uint *from) {
    from += 8 * i;
    return (uint8)(from[0], from[1], from[2], from[3], from[4], from[5], from[6], from[7]);
}

void BUILTIN vstore8(uint8 vector, size_t i, uint *to) {
    to += 8 * i;
    to[0] = vector.s0, to[1] = vector.s1, to[2] = vector.s2, to[3] = vector.s3;
    to[4] = vector.s4, to[5] = vector.s5, to[6] = vector.s6, to[7] = vector.s7;
}

/* ---- Atomic operations ---- */

#define ATOMICS(space)                                                                             \
    uint BUILTIN atomic_add(volatile space uint *at, uint value) {                                 \
        return __sync_fetch_and_add(at, value);                                                    \
    }                                                                                              \
    uint BUILTIN atomic_inc(volatile space uint *at) {                                             \
        return __sync_fetch_and_add(at, 1u);                                                       \
    }                                                                                              \
    uint BUILTIN atomic_or(volatile space uint *at, uint value) {                                  \
        return __sync_fetch_and_or(at, value);                                                     \
    }                                                                                              \
    uint BUILTIN atomic_and(volatile space uint *at, uint value) {                                 \
        return __sync_fetch_and_and(at, value);                                                    \
    }                                                                                              \
    uint BUILTIN atomic_min(volatile space uint *at, uint value) {                                 \
        return __sync_fetch_and_umin(at, value);                                                   \
    }                                                                                              \
    uint BUILTIN atomic_max(volatile space uint *at, uint value) {                                 \
        return __sync_fetch_and_umax(at, value);                                                   \
    }                                                                                              \
    uint BUILTIN atomic_xchg(volatile space uint *at, uint value) {                                \
        return __sync_lock_test_and_set(at, value);                                                \
    }                                                                                              \
    int BUILTIN atomic_xchg(volatile space int *at, int value) {                                   \
        return __sync_lock_test_and_set(at, value);                                                \
    }                                                                                              \
    uint BUILTIN atomic_cmpxchg(volatile space uint *at, uint old, uint value) {                   \
        return __sync_val_compare_and_swap(at, old, value);                                        \
    }
ATOMICS(local)
ATOMICS(global)

#define LEAST(at, value) __atomic_fetch_min(at, value, __ATOMIC_SEQ_CST)
#define MOST(at, value) __atomic_fetch_max(at, value, __ATOMIC_SEQ_CST)
#define ATOMICS_OF_LONGS(type, name, operation)                                                    \
    type BUILTIN name(volatile global type *at, type value) {                                      \
        return operation(at, value);                                                               \
    }
ATOMICS_OF_LONGS(ulong, atom_add, __sync_fetch_and_add)
ATOMICS_OF_LONGS(ulong, atom_and, __sync_fetch_and_and)
ATOMICS_OF_LONGS(ulong, atom_or, __sync_fetch_and_or)
ATOMICS_OF_LONGS(ulong, atom_xor, __sync_fetch_and_xor)
ATOMICS_OF_LONGS(ulong, atom_xchg, __sync_lock_test_and_set)
ATOMICS_OF_LONGS(ulong, atom_min, LEAST)
ATOMICS_OF_LONGS(ulong, atom_max, MOST)

ulong BUILTIN atom_cmpxchg(volatile global ulong *at, ulong old, ulong value) {
    return __sync_val_compare_and_swap(at, old, value);
}

ulong BUILTIN atom_cmpxchg(volatile local ulong *at, ulong old, ulong value) {
    return __sync_val_compare_and_swap(at, old, value);
}
