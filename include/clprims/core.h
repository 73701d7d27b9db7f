/* SPDX-License-Identifier: MIT */
/**
 * What every clprims call shares: status, error record, types, operators, buffers, context.
 *
 * Conventions. An out-parameter comes first and is set to NULL on failure. destroy(NULL) is fine.
 * Counts of elements are called n; sizes in bytes end in _bytes. Zero is the default of every
 * member of every structure, so that {0} is a right beginning, and a compound literal names what
 * differs:
 * &(clprims_scan_desc){.type = CLPRIMS_I32, .max_n = n}.
 * Structures may grow at their ends. Each call that takes one is an inline function over a function
 * of the library, whose name ends in _sized and which also takes the structure's sizeof: programs
 * compiled with an older header go on to work. What a shorter structure lacks is zero; what a
 * longer one has beyond the library's must be zero. Bindings call the _sized functions. A structure
 * within another one, and what a device writes, do not grow. The library prints nothing and reads
 * no environment variable. Objects are not locked: use one object from one thread at a time;
 * different plans of one context may be used from different threads at once. Contexts may be
 * created by several threads at once. A process that forks after its first clprims call leaves the
 * child without OpenCL: drivers do not survive a fork, and the child's calls may wait for ever.
 * Fork before, or call exec in the child.
 */
#ifndef CLPRIMS_CORE_H
#define CLPRIMS_CORE_H

/* The default of OpenCL's header, which prints a note where nobody sets it. */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLPRIMS_VERSION_MAJOR 0
#define CLPRIMS_VERSION_MINOR 2
#define CLPRIMS_VERSION_PATCH 0

/* Windows' linker finds functions of a DLL without being told which they are. */
#if defined(_WIN32) && defined(CLPRIMS_EXPORTS)
#define CLPRIMS_API __declspec(dllexport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define CLPRIMS_API __attribute__((visibility("default")))
#else
#define CLPRIMS_API
#endif
#if defined(__GNUC__)
#define CLPRIMS_CHECKED __attribute__((warn_unused_result))
#else
#define CLPRIMS_CHECKED
#endif

/* Of calls that hand a structure's size to the library: a macro would take a compound literal apart
 * at its commas. */
#define CLPRIMS_INLINE CLPRIMS_CHECKED static inline

/** The version of the library that is linked, "major.minor.patch". */
CLPRIMS_API const char *clprims_version(void);

/* ---- Status: whose fault it is ------------------------------------------------------------ */

/**
 * Returned by every call that can fail; the error record says what happened. Values are pinned.
 * "The OpenCL ones" in a comment are HOST_MEMORY, DEVICE_MEMORY and OPENCL; where a context has a
 * cl_dir, creating may also return IO and BUILD.
 */
typedef enum clprims_status {
    CLPRIMS_OK = 0,
    CLPRIMS_ERR_ARGUMENT = 1, /**< the call is wrong: NULL, unknown value, buffer too small */
    CLPRIMS_ERR_TOO_LARGE = 2, /**< n is above the plan's max_n or the device's limits */
    CLPRIMS_ERR_UNSUPPORTED = 3, /**< right, but this device or algorithm can't do it */
    CLPRIMS_ERR_DATA = 4, /**< the data break the primitive's requirement */
    CLPRIMS_ERR_BUILD = 5, /**< OpenCL C text does not compile; see build_log */
    CLPRIMS_ERR_NO_DEVICE = 6, /**< no OpenCL platform, or no device of this name or number */
    CLPRIMS_ERR_HOST_MEMORY = 7, /**< the host is out of memory */
    CLPRIMS_ERR_DEVICE_MEMORY = 8, /**< the device is out of memory or resources */
    CLPRIMS_ERR_OPENCL = 9, /**< any other OpenCL failure; see cl_code */
    CLPRIMS_ERR_IO = 10, /**< a file that an option names can't be read, or is wrong */
    CLPRIMS_ERR_INTERNAL = 11 /**< a fault of the library itself; please report it */
} clprims_status;

/** The enumerator's name, "CLPRIMS_ERR_ARGUMENT"; "unknown status" for any other value. */
CLPRIMS_API const char *clprims_status_name(clprims_status status);

/** The error of the last clprims call of this thread. */
typedef struct clprims_error {
    clprims_status status;
    cl_int cl_code; /**< the OpenCL code behind it, CL_SUCCESS if none */
    const char *message; /**< "scan: n = 5000 exceeds max_n = 4096 ...", "" after success */
    const char *build_log; /**< the log of the OpenCL compiler, "" unless CLPRIMS_ERR_BUILD */
} clprims_error;

/**
 * The calling thread's error record. Every call that returns a status clears it on entry; the
 * strings are valid until the thread's next clprims call.
 */
CLPRIMS_API const clprims_error *clprims_last_error(void);

/* ---- Types and operators ------------------------------------------------------------------ */

/** Element types. Values are pinned. */
typedef enum clprims_type {
    CLPRIMS_TYPE_DEFAULT = 0, /**< the header says what it stands for */
    CLPRIMS_I8 = 1,
    CLPRIMS_I16 = 2,
    CLPRIMS_I32 = 3,
    CLPRIMS_I64 = 4,
    CLPRIMS_U8 = 5,
    CLPRIMS_U16 = 6,
    CLPRIMS_U32 = 7,
    CLPRIMS_U64 = 8,
    CLPRIMS_F32 = 9,
    CLPRIMS_F64 = 10,
    CLPRIMS_STRUCT = 11 /**< the type that clprims_custom names */
} clprims_type;

/** Bytes of one element; 0 for CLPRIMS_TYPE_DEFAULT, CLPRIMS_STRUCT and unknown values. */
CLPRIMS_API size_t clprims_type_bytes(clprims_type type);

/** "int32", "uint8", "float64", ... as NumPy writes them, "struct"; "unknown" for
 *  CLPRIMS_TYPE_DEFAULT and values not listed. */
CLPRIMS_API const char *clprims_type_name(clprims_type type);

/**
 * Binary operators. ADD and MUL of integers wrap. MIN and MAX of floats drop NaN as fmin and fmax
 * do, give some NaN where all operands are NaN, and take -0.0 for less than 0.0; reduce.h has a
 * rule of its own for zeros and NaN. AND, OR and XOR need an integer type.
 */
typedef enum clprims_op {
    CLPRIMS_ADD = 0,
    CLPRIMS_MIN = 1,
    CLPRIMS_MAX = 2,
    CLPRIMS_MUL = 3,
    CLPRIMS_AND = 4,
    CLPRIMS_OR = 5,
    CLPRIMS_XOR = 6,
    CLPRIMS_CUSTOM = 7, /**< the operator that clprims_custom holds */
    CLPRIMS_ARGMIN = 8, /**< index of the least value; of reduce and segmented */
    CLPRIMS_ARGMAX = 9 /**< index of the greatest value; of reduce and segmented */
} clprims_op;

/** "add", "min", ... "custom", "argmin", "argmax"; "unknown" for values not listed. */
CLPRIMS_API const char *clprims_op_name(clprims_op op);

/** How scan, offsets and select work. Values are pinned. */
typedef enum clprims_algorithm {
    /** The fastest that is known to be safe on the device. */
    CLPRIMS_ALGORITHM_AUTO = 0,
    /** One pass, one launch: reads n, writes n. Needs work-groups that, once started, make
     *  progress, and 64-bit atomics. */
    CLPRIMS_ALGORITHM_LOOKBACK = 1,
    /** As LOOKBACK, but a group that waits too long computes what it waits for: no progress of
     *  other groups is needed. Structs, and floats but for MIN and MAX, need fast_floats. */
    CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK = 2,
    /** Several launches: reads 2n, writes n. Needs nothing of the device. Scans take three, five
     * for the largest n; offsets and selections three, a partition six. */
    CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN = 3,
    /** One pass, one launch, by persistent work-groups that prefetch: reads n, writes n, near
     *  the speed of a copy. Arrays that do not start at a multiple of 16 bytes have a kernel of
     * their own, compiled with the plan. Floats have the same bits in every run. Needs the NVIDIA
     * layer. Prefetches are bulk copies from compute capability 9.0 on, asynchronous copies of 16
     * bytes on 8.x, and loads on 7.x. */
    CLPRIMS_ALGORITHM_LOOKAHEAD = 4
} clprims_algorithm;

/** "auto", "lookback", "lookback-fallback", "reduce-then-scan", "lookahead";
 *  "unknown" for values not listed. */
CLPRIMS_API const char *clprims_algorithm_name(clprims_algorithm algorithm);

/**
 * The user's own operator and type, as OpenCL C text. Leave all of it zero when not needed.
 * The text is copied when a plan is created. An operator is called on real elements only, never
 * on padding, and always as op(earlier, later), so it need not be commutative; it must be
 * associative.
 * Of all texts of a description, here and elsewhere: a text has no side effects, because the
 * library evaluates it in any order, and as often as the primitive's header says. A text that the
 * plan has no use for is refused.
 * Parameters of texts, at most 16, are declared as a kernel's are: "global const float *weight,
 * float limit". Their types are scalars and vectors of OpenCL C, size_t (8 bytes; the text gets a
 * ulong), the structure that type_name names, and pointers to global or constant memory; "int *p"
 * is global. Other structures go by pointers: "global const pair *limits". A parameter has any name
 * but a keyword or a type of OpenCL C, the name of an operand of a text of the same description,
 * and names that begin with clp_. clprims_X_set_parameter gives the value of one: for an array a
 * cl_mem, or a clprims_buffer whose `first` counts elements of the pointer's type.
 */
typedef struct clprims_custom {
    const char *op; /**< for CLPRIMS_CUSTOM: an expression of a and b, "a > b ? a : b", which
                         parameters do not reach */
    const char *declarations; /**< types and functions that the expressions use, or NULL */
    const char *type_name; /**< what CLPRIMS_STRUCT stands for; declared in declarations, or a
                                vector type of OpenCL C ("float2", "double16") */
    size_t type_bytes; /**< sizeof of that type on the device, from 1 to 256. A float3 has 16. An
                            element's address is a multiple of the type's alignment where its
                            buffer's own one is. */
    const void *identity; /**< one value e with op(e, x) = op(x, e) = x, or NULL if none */
    int commutative; /**< nonzero allows op(later, earlier) too */
} clprims_custom;

/* ---- Device buffers ----------------------------------------------------------------------- */

/**
 * A place in device memory: element number `first` of `mem`. The element's size comes from the
 * plan. Any offset is allowed. The caller keeps `mem` alive until the event of the call is done.
 */
typedef struct clprims_buffer {
    cl_mem mem;
    size_t first;
} clprims_buffer;

/* ---- Devices ------------------------------------------------------------------------------ */

/** What says where the segments of segmented, segmented sort and top-k begin. Values are pinned. */
typedef enum clprims_segments_by {
    /** Integers of 32 or 64 bits: segments + 1 of them, none less than the one before, in [0, n].
     * Elements before the first offset and from the last one on are in no segment: a scan neither
     * reads nor writes them. */
    CLPRIMS_SEGMENTS_OFFSETS = 0,
    CLPRIMS_SEGMENTS_KEYS = 1, /**< n keys: neighbours that are equal are in one segment; NaN
                                    differs from all */
    CLPRIMS_SEGMENTS_FLAGS = 2, /**< n bytes: an element whose byte is not 0 begins a segment; the
                                     first element does in any case. Flags of other types are keys
                                     of that type with equal = "b == 0". */
    CLPRIMS_SEGMENTS_BITS = 3, /**< as flags, but n bits; the lowest bit of a byte comes first */
    /** No array: each segment has sizes.length elements, as the rows of a matrix have; the last one
     *  has what is left, at least one. */
    CLPRIMS_SEGMENTS_EQUAL = 4
} clprims_segments_by;

/** One OpenCL device of the machine. The strings live in the structure. */
typedef struct clprims_device_info {
    cl_platform_id platform;
    cl_device_id id;
    cl_device_type type;
    char name[128];
    char vendor[128];
    char platform_name[128];
    char version[64];
    char driver[64];
    cl_uint compute_units;
    cl_ulong memory_bytes;
    cl_ulong max_alloc_bytes;
} clprims_device_info;

/**
 * Counts the devices of all platforms.
 * Status: ARGUMENT, NO_DEVICE (no platform, or none with a device), and the OpenCL ones.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_device_count(size_t *count);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_device_describe_sized(size_t number,
                                                                         clprims_device_info *info,
                                                                         size_t info_bytes);

/**
 * Describes device `number`, counted from 0 over all platforms in the loader's order.
 * Status: ARGUMENT, NO_DEVICE (no platform, or no device of the number), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_device_describe(size_t number, clprims_device_info *info) {
    return clprims_device_describe_sized(number, info, sizeof *info);
}

/* ---- Context ------------------------------------------------------------------------------ */

/** Which cl/device/device_*.cl a context compiles its kernels with. */
typedef enum clprims_layer {
    CLPRIMS_LAYER_AUTO = 0, /**< the first of the three that works; LOCAL on CPUs */
    CLPRIMS_LAYER_NVIDIA = 1, /**< inline PTX */
    CLPRIMS_LAYER_SUBGROUP = 2, /**< sub-groups with cl_khr_subgroup_shuffle, or the shuffles of
                                     cl_intel_subgroups or cl_qcom_subgroup_shuffle */
    CLPRIMS_LAYER_LOCAL = 3 /**< local memory and OpenCL 1.2 atomics */
} clprims_layer;

/** "auto", "nvidia", "subgroup", "local"; "unknown" for values not listed. */
CLPRIMS_API const char *clprims_layer_name(clprims_layer layer);

/** Where a context runs. All strings are copied. */
typedef struct clprims_context_options {
    /** A device number, or part of the name of a device, of its platform or of the platform's
     * vendor, in upper or lower case ("POCL"); names of devices are compared first. NULL: a GPU if
     * one works, else a CPU. Not together with context. */
    const char *device;
    cl_context context; /**< the caller's own context to work in, or NULL */
    cl_device_id device_id; /**< which of its devices; needed with context */
    cl_command_queue queue; /**< what create and run() use and wait for, in order or not; NULL: the
                                 context makes one */
    clprims_layer layer;
    const char *cl_dir; /**< a folder to load the kernels (cl/) from; NULL: the library */
    const char *tuning_file; /**< lines that win over the shipped tuning; or NULL */
    /** What `probed` of clprims_context_info says of the same device and driver: what it names is
     *  not probed again. Any of its words alone: "progress=failed" forces the algorithms that need
     *  no progress, "words=probe progress=probe" probes both also where a table knows them, and
     *  "layer=subgroup width=16" gives the sub-groups a width. NULL: everything is probed. */
    const char *probed;
    /** A folder that keeps built programs from process to process, see "Programs that are kept"
     *  below; it is made where its parent exists. NULL: nothing is kept. */
    const char *program_store;
    size_t program_store_bytes; /**< the most that the folder's programs take; 0: 256 MiB */
    const char *const *program_packs; /**< files that clprims_context_save_programs wrote */
    size_t program_pack_count; /**< how many files */
    /** The bytes of a pack, in the application itself for example. They are not copied: keep them
     *  as long as the context. */
    const void *program_pack;
    size_t program_pack_bytes;
    /** The architecture of GPUs that are not there, as ptxas names it: "sm_86", "sm_90a"; of
     *  NVIDIA's, from sm_70 on. The context makes plans, keeps their programs for
     *  clprims_context_save_programs, and runs nothing. Buffers and queues are of the device that
     *  the other options say, PoCL's in a CI job. Without a store and packs. NULL: the device is
     *  there. */
    const char *offline_architecture;
} clprims_context_options;

/**
 * One device, its cl_context, a queue, and what the library learned about them. It keeps the
 * programs that were built for its plans until it is destroyed, so that equal plans compile once;
 * options.program_store keeps them longer. Contexts around one cl_context and one of its devices
 * share their programs, unless they have a store or packs.
 */
typedef struct clprims_context clprims_context;

/** The choices of a context. The pointers belong to the context and live as long as it does. */
typedef struct clprims_context_info {
    cl_context context;
    cl_device_id device_id;
    cl_command_queue queue; /**< in order, with profiling, unless the caller brought one */
    clprims_device_info device;
    clprims_layer layer;
    size_t subgroup_width; /**< work-items of a sub-group; 1 in the local layer */
    const char *reason; /**< why this layer, in words */
    /** What was found, "layer=subgroup width=32 local=49152 words=shown progress=failed": the layer
     *  and the width of its sub-groups, bytes of local memory, whether 64-bit words that a
     *  work-group publishes reach another one whole, and whether a work-group that has started goes
     *  on while others wait for it. Of these two: "shown" or "failed" by a probe with a bounded
     *  wait, or "known" of CPUs and of NVIDIA's driver. AUTO takes single passes where both are
     *  shown or known. options.probed takes the text. */
    const char *probed;
    size_t programs_built; /**< from source, since the context was created */
    size_t programs_found; /**< in the program store or in a pack */
    size_t programs_assembled; /**< those of them that were found as machine code */
} clprims_context_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_context_create_sized(
    clprims_context **out, const clprims_context_options *options, size_t options_bytes);

/**
 * Creates a context on the best device, on a named one, or around the caller's own.
 *
 * options: NULL stands for {0}. Compiles and runs small probe kernels: to
 * see which layer works, and on devices other than CPUs and NVIDIA's what work-groups see of each
 * other. Their waits are bounded; where a driver hangs all the same, say in options.probed what is
 * known. Retains the caller's OpenCL objects until destroyed.
 * Status: ARGUMENT, NO_DEVICE (none, or none of that name), UNSUPPORTED (the forced layer does
 * not work here; the message says why), IO (cl_dir, tuning_file), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_context_create(clprims_context **out,
                                                     const clprims_context_options *options) {
    return clprims_context_create_sized(out, options, sizeof *options);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_context_describe_sized(
    const clprims_context *context, clprims_context_info *info, size_t info_bytes);

/** Fills *info. Status: ARGUMENT. */
CLPRIMS_INLINE clprims_status clprims_context_describe(const clprims_context *context,
                                                       clprims_context_info *info) {
    return clprims_context_describe_sized(context, info, sizeof *info);
}

/** Destroys a context, and the plans that were made in it and not destroyed before: none of them
 *  may be used or destroyed later. Plans over MPI ranks must be destroyed before. Runs in flight
 *  end all the same. NULL is fine. */
CLPRIMS_API void clprims_context_destroy(clprims_context *context);

/* ---- Programs that are kept --------------------------------------------------------------- */

/**
 * Compiling a plan's programs takes from tenths of a second to several seconds. A context looks for
 * each program in its packs, then in its program store, and compiles what is in neither. Both find
 * a program by a SHA-256 digest of its whole text and of its build options, for this very device,
 * driver and platform, so that a change of any of them means compiling again, never a wrong
 * program. A program that is damaged, or that the driver refuses, is compiled as well. What was
 * found costs a read, a digest, and the driver's loading; clprims_context_info counts both ways.
 * The member `programs` of a plan's info says it of that plan: "machine code", "driver's binary" or
 * "source", or several of these words with commas; "none" where it needed none.
 *
 * **The program store** is a folder of one user's, for any number of processes and threads at once.
 * A program is written whole or not at all. The least recently used programs are removed when the
 * folder's programs take more than program_store_bytes; other files of the folder stay. Nothing
 * fails for the store's sake: on a full or read-only disk nothing is kept. A program enters the
 * store when it is built; on a CPU when the context is destroyed, because CPU drivers (PoCL)
 * compile kernels at their first launch, and the store then holds what was launched. PoCL needs
 * about as long for that, once, as it needed to compile; it makes the binaries of its own cache,
 * which must not be removed while a context lives.
 *
 * **A pack** is one file with programs, which an application may ship beside its executable or in
 * it. Packs one behind another are a pack, and so are the files of a store. A pack that can't be
 * read is an empty one. The command `clprims pack` lists, checks, merges and prunes packs.
 *
 * **Machine code ahead of time.** What NVIDIA's driver gives is PTX, which it compiles again at
 * each start; it takes a GPU's machine code as well, which needs no compiling. `clprims pack
 * --assemble sm_86,sm_90a` adds machine code to a pack by NVIDIA's assembler, ptxas, on any
 * machine: to PTX that the driver gave, and to the texts that a context with an
 * offline_architecture kept, by clang. A context takes a program's machine code for its GPU's
 * architecture, else the driver's binary, else the source, without a word. Keep the PTX in the pack
 * for drivers that refuse the machine code.
 * Before sm_90 ptxas takes no more than 48 KB of local memory: programs for an offline_architecture
 * keep to that, as do contexts with their pack. From sm_90a on CUDA 13's ptxas takes all programs.
 *
 * **A kept program is code that runs on the device, and on a CPU in the process itself.** The store
 * is not used where the folder or a file belongs to another user or can be written by others. Packs
 * are read wherever the caller says: whoever can write a pack can run code in the process. The
 * digests notice damage, not forgery.
 */

/** What the bytes of a kept program are. Values are pinned. */
typedef enum clprims_program_kind {
    CLPRIMS_PROGRAM_OF_DRIVER = 1, /**< what the OpenCL driver gave (CL_PROGRAM_BINARIES) */
    CLPRIMS_PROGRAM_MACHINE_CODE = 2, /**< what ptxas made for one of NVIDIA's architectures */
    CLPRIMS_PROGRAM_SOURCE = 3 /**< OpenCL C for an offline_architecture; contexts do not take it */
} clprims_program_kind;

/** A program of a pack. The strings live in the structure. */
typedef struct clprims_program_info {
    size_t bytes; /**< in the pack; the next program begins behind them */
    size_t binary_bytes; /**< the last ones: driver's binary, text, or compressed machine code */
    clprims_program_kind kind;
    int is_whole; /**< nonzero: its checksum holds */
    char digest[65]; /**< of options and text, in hexadecimal */
    char target[768]; /**< what it was built for: device, driver, platform and their versions; of
                           machine code and of texts the architecture, "sm_90a" */
    char options[256]; /**< of the build */
} clprims_program_info;

/**
 * Writes a pack with all programs that the context has built or found, in place of an existing
 * file; a failure leaves that file as it is. Create the plans first; on a CPU, run each once with
 * as many elements as the application will: PoCL compiles kernels for few and for many work-groups.
 * Status: ARGUMENT, IO (path), OPENCL (the driver gives no binaries), HOST_MEMORY.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_context_save_programs(const clprims_context *context, const char *path);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_pack_describe_sized(const void *pack,
                                                                       size_t pack_bytes,
                                                                       size_t first_byte,
                                                                       clprims_program_info *info,
                                                                       size_t info_bytes);

/**
 * Describes the program that begins at byte first_byte of a pack of pack_bytes bytes: 0, and then
 * info->bytes further each time, up to pack_bytes. Needs no device.
 * Status: ARGUMENT; IO (no program of this version of clprims begins there).
 */
CLPRIMS_INLINE clprims_status clprims_pack_describe(const void *pack, size_t pack_bytes,
                                                    size_t first_byte, clprims_program_info *info) {
    return clprims_pack_describe_sized(pack, pack_bytes, first_byte, info, sizeof *info);
}

/** The most bytes of a program in a pack beside its machine code. */
#define CLPRIMS_PROGRAM_HEAD_BYTES 512

/**
 * Makes a program of a pack from machine code for the one that begins at byte first_byte: of
 * code_bytes bytes, for the architecture that ptxas was given (sm_90a). out: where the program
 * goes, behind others of a pack; *out_bytes: the room there, at least code_bytes plus
 * CLPRIMS_PROGRAM_HEAD_BYTES, and then the program's bytes. `clprims pack --assemble` calls it.
 * Needs no device.
 * Status: ARGUMENT; IO (no program of this version of clprims begins there).
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_pack_assembled(
    const void *pack, size_t pack_bytes, size_t first_byte, const char *architecture,
    const void *code, size_t code_bytes, void *out, size_t *out_bytes);

/* ---- Memory ------------------------------------------------------------------------------- */

/*
 * Device buffers for programs that have no OpenCL of their own. All calls use the context's queue
 * behind what was submitted there before, and return when they are done.
 */

/**
 * Creates a buffer of `bytes` bytes, with the bytes that `host` points to; NULL: undefined.
 * out->first is 0. Give it back by clprims_buffer_release.
 * Status: ARGUMENT, DEVICE_MEMORY, and the OpenCL ones.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_buffer_create(clprims_buffer *out,
                                                                 clprims_context *context,
                                                                 size_t bytes, const void *host);

/**
 * Writes n elements of element_bytes bytes each to the place of `buffer`, whose `first` counts
 * elements of that size. n = 0 writes nothing.
 * Status: ARGUMENT (no room for n elements, too), and the OpenCL ones.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_buffer_write(clprims_context *context,
                                                                clprims_buffer buffer,
                                                                size_t element_bytes, size_t n,
                                                                const void *host);

/** Reads n elements, as clprims_buffer_write writes them. Status: as there. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_buffer_read(clprims_context *context,
                                                               clprims_buffer buffer,
                                                               size_t element_bytes, size_t n,
                                                               void *host);

/** Sets n elements to *value. Status: as clprims_buffer_write. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_buffer_fill(clprims_context *context,
                                                               clprims_buffer buffer,
                                                               size_t element_bytes, size_t n,
                                                               const void *value);

/** Releases the buffer, and sets it to {NULL, 0}. OpenCL keeps the memory until commands that were
 *  submitted before are done. NULL and {NULL, 0} are fine. */
CLPRIMS_API void clprims_buffer_release(clprims_buffer *buffer);

/* ---- Tuning ------------------------------------------------------------------------------- */

/** One knob that a tuning text may set. The strings are the library's. */
typedef struct clprims_knob_info {
    const char *key; /**< what a line of a tuning file names: "scan", "scan-lookahead", ... */
    const char *name; /**< "GROUP" */
    const char *meaning; /**< in a few words */
    size_t least, most; /**< the widest range; a device or a plan may narrow it */
    int power_of_two; /**< nonzero: other values are refused */
    int has_default; /**< zero: the default follows from the device or the plan */
    size_t default_value; /**< before the shipped tuning lines; 0 if there is none */
} clprims_knob_info;

/** The number of knobs, of all keys together. */
CLPRIMS_API size_t clprims_knob_count(void);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_knob_describe_sized(size_t number,
                                                                       clprims_knob_info *info,
                                                                       size_t info_bytes);

/**
 * Describes knob `number`, counted from 0; the knobs of a key follow each other.
 * Status: ARGUMENT (no knob of the number, too).
 */
CLPRIMS_INLINE clprims_status clprims_knob_describe(size_t number, clprims_knob_info *info) {
    return clprims_knob_describe_sized(number, info, sizeof *info);
}

/* ---- Profiling ---------------------------------------------------------------------------- */

/**
 * Called once per submitted kernel, in the order of submission. Kernel and event belong to the
 * library: clRetainEvent keeps the event, from which a queue with profiling gives the kernel's
 * time, and clGetKernelInfo gives the kernel's name. The watcher must not call clprims.
 */
typedef void clprims_watcher(void *user, cl_kernel kernel, cl_event event);

/**
 * Sets the watcher of this thread: it is called for every kernel that the thread's calls submit.
 * NULL removes it. No cost when unset. create() may enqueue kernels, too.
 */
CLPRIMS_API void clprims_watch(clprims_watcher *watcher, void *user);

#ifdef __cplusplus
}
#endif

#endif
