/* SPDX-License-Identifier: MIT */
/* What the library's own files share. Core knows no primitive; a primitive knows core alone. */
#ifndef CLP_INTERNAL_H
#define CLP_INTERNAL_H

#include "knobs.h"

#include <clprims/core.h>
#include <stdbool.h>

#if defined(__GNUC__)
#define CLP_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLP_PRINTF(text, first)
#endif

/* ---- status.c: the thread's error record --------------------------------------------------- */

/* Every public function that returns a status calls this first. */
void clp_clear_error(void);

/* Fill the record and return the status. Messages: "scan: <fact with both values>; <remedy>". */
CLP_PRINTF(2, 3) clprims_status clp_fail(clprims_status status, const char *format, ...);

/* The same for a failed OpenCL call; the status follows from the code, whose name is appended. */
CLP_PRINTF(2, 3) clprims_status clp_fail_cl(cl_int code, const char *format, ...);

/* CLPRIMS_ERR_BUILD; the log is copied into the record. */
CLP_PRINTF(2, 3) clprims_status clp_fail_build(const char *log, const char *format, ...);

/* Propagates a failure whose record is filled already. */
#define CLP_TRY(expression)                                                                        \
    do {                                                                                           \
        const clprims_status clp_try_status = (expression);                                        \
        if (clp_try_status != CLPRIMS_OK) return clp_try_status;                                   \
    } while (0)

/* ---- check.c: what every primitive refuses in the same words ------------------------------- */

/*
 * A structure that begins with struct_size, as this library knows it. It grows at its end only, and
 * a new member must not stand in what was padding. Within it may be one structure with a size of
 * its own, which then grows, too.
 */
typedef struct clp_layout {
    const char *init; /* the initializer's name */
    size_t bytes;
    size_t least; /* bytes of what it is of no use without; 0.2.0 had no fewer */
    size_t inner; /* where the inner structure stands; 0: there is none */
    size_t inner_bytes;
    const char *inner_name;
} clp_layout;

/* least_member: the last member that no caller can do without. */
#define CLP_LAYOUT(type, least_member, init)                                                       \
    { init, sizeof(type), CLP_MEMBER_END(type, least_member), 0, 0, NULL }
#define CLP_LAYOUT_AROUND(type, least_member, inner, init)                                         \
    {                                                                                              \
        init, sizeof(type), CLP_MEMBER_END(type, least_member), offsetof(type, inner),             \
            sizeof(((type *)NULL)->inner), #inner                                                  \
    }
#define CLP_MEMBER_END(type, member)                                                               \
    ((offsetof(type, member) + sizeof(((type *)NULL)->member) + 7) / 8 * 8)

/* Copies the caller's structure into *full, whose members hold their defaults: those that an older
 * caller does not know keep them. name: "desc". Status: ARGUMENT for another size. */
clprims_status clp_struct_take(const char *who, const char *name, const clp_layout *layout,
                               const void *given, void *full);

/* The other way round: the caller's structure gets as much of *full as it has room for. */
clprims_status clp_struct_give(const char *who, const char *name, const clp_layout *layout,
                               const void *full, void *given);

/* clp_struct_take of a description, after context and desc have been found to be there. */
clprims_status clp_take_desc(const char *who, const clprims_context *context,
                             const clp_layout *layout, const void *desc, void *full);

/* max_n is neither 0 nor beyond what can be counted. */
clprims_status clp_check_max_n(const char *who, size_t max_n, size_t most);

/* A run's n is within the plan's. */
clprims_status clp_check_n(const char *who, size_t n, size_t max_n);

/* ---- lock.c: discovery, and the making and the end of contexts ------------------------------- */

/* Of the whole process, not to be taken twice. */
void clp_lock_drivers(void);
void clp_unlock_drivers(void);

/* ---- type.c --------------------------------------------------------------------------------- */

bool clp_type_is_float(clprims_type type);

/* The type in OpenCL C, "uchar", "long"; NULL for CLPRIMS_STRUCT and unknown values. */
const char *clp_type_text(clprims_type type);

enum { CLP_INTEGER_CHARS = 24 };

/* Element i of the caller's integers of that type, for a message. */
void clp_print_integer(clprims_type type, const void *values, int64_t i,
                       char text[CLP_INTEGER_CHARS]);

/* The operator as an OpenCL C expression of a and b; NULL for CLPRIMS_CUSTOM. */
const char *clp_op_text(clprims_op op, clprims_type type);

/* Writes the identity of op (not CUSTOM) for a built-in type, clprims_type_bytes(type) bytes. */
void clp_op_identity(clprims_op op, clprims_type type, void *identity);

/* ---- device.c: what a device is and can do -------------------------------------------------- */

typedef struct clp_device {
    clprims_device_info info;
    size_t max_group; /* work-items of a work-group */
    size_t local_bytes; /* as advertised */
    size_t static_local_bytes; /* that static arrays may take, which can be more */
    size_t cache_bytes; /* of its largest cache, as it says; 0: it has none */
    bool is_cpu;
    bool is_nvidia; /* NVIDIA's own driver: inline PTX is worth a probe */
    bool has_float64;
    bool has_int64_atomics;
    bool has_subgroups; /* the extensions that device_subgroup.cl needs */
    bool has_subgroup_width; /* a kernel may ask for the width of its sub-groups */
    int compute_capability; /* 90 for sm_90; 0 unless is_nvidia */
} clp_device;

clprims_status clp_device_inspect(cl_device_id id, clp_device *device);

enum { CLP_MOST_CANDIDATES = 16 };

/* The device that `wanted` names (a number or part of a name), or for NULL the usable ones, best
 * first. ids: room for CLP_MOST_CANDIDATES. NO_DEVICE when there is none. */
clprims_status clp_device_candidates(const char *wanted, cl_device_id *ids, size_t *count);

/* ---- context.c ------------------------------------------------------------------------------ */

enum { CLP_BLANK_BYTES = 4096 };

typedef struct clp_programs clp_programs; /* programs.h */

struct clprims_context {
    cl_context cl;
    cl_command_queue queue;
    clp_programs *programs;
    cl_mem blank; /* CLP_BLANK_BYTES: the arrays of a plan's warm-up, and a list's report */
    clp_device device;
    clprims_layer layer;
    size_t subgroup_width; /* 1 in the local layer */
    bool groups_progress; /* work-groups that have started are known to go on to their end */
    char *cl_dir; /* NULL: the embedded sources */
    char *tuning; /* the text of the caller's tuning file, or NULL */
    char reason[256];
};

/* ---- local_memory.c ---------------------------------------------------------------------------
 */

/* Local memory that a work-group may take on an NVIDIA device of that compute capability; 0: not
 * known. */
size_t clp_local_bytes_of(int capability);

/* Sets device.static_local_bytes, by a probe where there may be more than is advertised. */
clprims_status clp_local_memory_find(clprims_context *context);

/* ---- layer.c: which cl/device_*.cl works here ----------------------------------------------- */

/* Chooses and probes the layer, setting layer, subgroup_width, groups_progress and reason. */
clprims_status clp_layer_choose(clprims_context *context, clprims_layer wanted);

/* ---- text.c: growing text ------------------------------------------------------------------- */

/* Start from {0}. After a failed allocation `failed` stays set and additions do nothing. */
typedef struct clp_text {
    char *chars; /* always ends in '\0'; NULL while empty */
    size_t length;
    size_t capacity;
    bool failed;
} clp_text;

CLP_PRINTF(2, 3) void clp_text_add(clp_text *text, const char *format, ...);
void clp_text_add_bytes(clp_text *text, const char *chars, size_t length);

/* A region of the caller's text, which the compiler's messages then name. */
void clp_text_add_users(clp_text *text, const char *name, const char *chars);

/* The same for an expression. end: the text that ends it, "); }", and meets what is missing there:
 * the compiler's messages place it on the caller's last line. */
void clp_text_add_expression(clp_text *text, const char *name, const char *chars, const char *end);

/* #define name(step) step(0) step(1) ...: loops that every compiler unrolls. */
void clp_text_add_each(clp_text *text, const char *name, size_t count);

void clp_text_free(clp_text *text);

/* Reads a whole file as text. Status: IO with the system's reason, HOST_MEMORY. */
clprims_status clp_text_read_file(const char *path, clp_text *text);

/* ---- operation.c: what is combined and how -------------------------------------------------- */

enum { CLP_LARGEST_VALUE = 256 };

/* Elements, running value and operator of a primitive that combines; sizes and `working` are filled
 * in. The texts are the caller's: they are read during create only. */
typedef struct clp_operation {
    clprims_type type;
    clprims_type accumulator; /* of the output; CLPRIMS_TYPE_DEFAULT before filling: as type */
    clprims_type working; /* of the running value: the accumulator, or 32 bits for narrow ones,
                             in which built-in operators give the same low bits */
    size_t type_bytes;
    size_t accumulator_bytes;
    size_t working_bytes;
    clprims_op op;
    clprims_custom custom;
    const char *input;
    bool has_input_array;
    bool inclusive;
    bool has_start; /* something comes before the first element */
} clp_operation;

/* Checks what the caller set, for messages of `who`, and fills in the rest. init: the value before
 * the first element, or NULL. start: room for CLP_LARGEST_VALUE bytes. */
clprims_status clp_operation_fill(const clprims_context *context, const char *who, const void *init,
                                  clp_operation *operation, void *start);

/* Whether regrouping the operands changes the result's bits. A user's operator on integers is
 * associative by its contract; one on floats or structs may hide rounding. */
bool clp_operation_rounds(const clp_operation *operation);

/* Defines a macro as the built-in type's value with these bits. */
void clp_text_add_bits(clp_text *text, const char *name, clprims_type type, uint64_t bits);

/* The part of a prelude that names types and operator: CLP_E, CLP_A, CLP_OUT, clp_input, clp_op. */
void clp_text_add_operation(clp_text *text, const clp_device *device,
                            const clp_operation *operation);

/* ---- program.c: from text to kernels -------------------------------------------------------- */

/*
 * Builds prelude + device layer + the named parts, in this order. Each part is led by
 * #line, so that compiler messages point home. parts: file names in cl/, NULL at the end.
 * who: the primitive, for messages. The device macros (CLP_SUBGROUP, ...) are added here.
 * The context keeps what was built: an equal text is not built again. The caller gets a reference.
 */
clprims_status clp_program_build(const clprims_context *context, const char *who,
                                 const clp_text *prelude, const char *const *parts,
                                 cl_program *out);

/* The same with at most so many registers a work-item, where the compiler can be told (NVIDIA's,
 * for kernels without a stated group size); 0: its own choice. */
clprims_status clp_program_build_limited(const clprims_context *context, const char *who,
                                         const clp_text *prelude, const char *const *parts,
                                         size_t registers, cl_program *out);

clprims_status clp_kernel_create(cl_program program, const char *who, const char *name,
                                 cl_kernel *out);

/* ---- launch.c: buffers, arguments, chains of kernels ---------------------------------------- */

/* What a call is given in device memory: n elements from buffer.first on. */
typedef struct clp_array {
    const char *name; /* for messages */
    clprims_buffer buffer;
    size_t n;
    size_t element_bytes;
} clp_array;

/* Checks that its buffer is of the plan's context and holds it. */
clprims_status clp_array_check(const clprims_context *context, const char *who,
                               const clp_array *array);

/* Refuses arrays that share a byte, sub-buffers of one parent included; one without a buffer shares
 * none. */
clprims_status clp_arrays_apart(const char *who, const clp_array *a, const clp_array *b);

/* Whether they begin at the same byte, with elements of one size. */
clprims_status clp_arrays_begin_alike(const char *who, const clp_array *a, const clp_array *b,
                                      bool *alike);

/* Checks that a report, where one is wanted, has its place, apart from the arrays. */
clprims_status clp_report_check(const clprims_context *context, const char *who,
                                clprims_buffer report, size_t report_bytes, const clp_array *arrays,
                                size_t count);

/* Checks what every enqueue is given besides its arrays: that the queue and the events to wait for
 * are of the plan's context, the queue of its device, and that there are as many events as said. */
clprims_status clp_check_submission(const clprims_context *context, const char *who,
                                    cl_command_queue queue, cl_uint num_wait, const cl_event *wait);

/* Device memory for scratch; refuses more than the device's largest allocation. The contents are
 * undefined unless zeroed, which waits for the context's queue. */
clprims_status clp_scratch_create(const clprims_context *context, const char *who, size_t bytes,
                                  bool zeroed, cl_mem *out);

/* Give back what is there; the others are NULL. */
void clp_release_buffers(const cl_mem *buffers, size_t count);
void clp_release_kernels(const cl_kernel *kernels, size_t count);

typedef struct clp_argument {
    size_t bytes;
    const void *value; /* NULL: local memory of that many bytes */
} clp_argument;

#define CLP_ARGUMENT(lvalue)                                                                       \
    { sizeof(lvalue), &(lvalue) }

/* Sets all arguments. INTERNAL in a debug build if the kernel takes more. */
clprims_status clp_kernel_arguments(cl_kernel kernel, const char *who,
                                    const clp_argument *arguments, cl_uint count);

/* One kernel of a chain: one-dimensional, groups * group work-items. */
typedef struct clp_step {
    cl_kernel kernel;
    size_t groups;
    size_t group;
} clp_step;

clprims_status clp_queue_is_in_order(cl_command_queue queue, const char *who, bool *in_order);

/* watch.c: whether this thread's kernels are watched, and what the watcher is told. */
bool clp_is_watched(void);
void clp_tell_watcher(cl_kernel kernel, cl_event event);

/* Submits the steps one after another, whatever the queue's order; the event is the last one's.
 * With no steps the event waits for the wait list alone. If a step fails, those before it are
 * waited for, as clp_steps_abandon does. */
clprims_status clp_steps_enqueue(cl_command_queue queue, const char *who, const clp_step *steps,
                                 size_t count, cl_uint num_wait, const cl_event *wait,
                                 cl_event *event);

/* Waits for the last command of a chain that failed half-way, so that the caller may give back what
 * the chain uses; NULL: there is none. Not behind a user event that is still to be set: the chain
 * has not begun then, and the caller may be the one who sets it. */
void clp_steps_abandon(cl_event last, cl_uint num_wait, const cl_event *wait);

/*
 * Launches the steps, of one group each, on the context's queue, and waits, unless this plan or
 * one with the same programs launched all their kernels before: so the first run need not wait for
 * a compiler. The arguments are those of a run without elements: the kernels end at once, and write
 * to the plan's own buffers or the first bytes of the context's blank one. In programs.c.
 */
clprims_status clp_steps_warm_up(const clprims_context *context, const char *who,
                                 const clp_step *steps, size_t count);

/* Plain arrays on the context's queue, for run(): a buffer with a copy of `bytes` host bytes
 * (bytes > 0; NULL: contents undefined), and the way back, behind all that was submitted before.
 * Both block. */
clprims_status clp_upload(const clprims_context *context, const char *who, const void *host,
                          size_t bytes, cl_mem *out);
clprims_status clp_download(const clprims_context *context, const char *who, cl_mem mem, void *host,
                            size_t bytes);

/* ---- tuning.c: knobs ------------------------------------------------------------------------ */

/*
 * Sets the knobs from the shipped tuning lines, the context's tuning file and the plan's own text
 * ("GROUP=256 ROWS=4"), each winning over the one before. Status: ARGUMENT for an unknown knob or
 * an illegal value, with its origin and the legal ones. key: of the registry.
 */
clprims_status clp_knobs_set(const clprims_context *context, const char *key, size_t element_bytes,
                             const char *plan_text, clp_knob *knobs, size_t count);

/* Checks all lines of a tuning file's text, whatever device they are for: their form, and the
 * primitive, the knobs and the values in the registry. Status: IO; the message has the line. */
clprims_status clp_tuning_check(const char *text, const char *path);

/* The same for the tuning that the library has within it. */
clprims_status clp_tuning_check_shipped(void);

/* ---- cl_sources.c, generated at build time from cl/ ------------------------------------------ */

typedef struct clp_source {
    const char *name; /* "scan.cl", "tuning/nvidia.tune" */
    const char *text;
    size_t length;
} clp_source;

extern const clp_source clp_sources[]; /* ends with a NULL name */

#endif
