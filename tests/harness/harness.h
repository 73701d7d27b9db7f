/* SPDX-License-Identifier: MIT */
/*
 * What every test program shares: named cases from tables, one context chosen by the environment,
 * guarded memory, random data that replays, expectations that print what they know, and the headers
 * of C that nearly every test needs.
 *
 *   static void ranks_ordered(const void *data) { const size_t n = *(const size_t *)data; ... }
 *   void test_program(test_cases *cases) {
 *       for (...) test_add_row(cases, ranks_ordered, n, "list/int32/ordered/n=%zu", n);
 *   }
 *
 * PROGRAM [PATTERN [PART...]] runs the cases whose names match the pattern and contain none of the
 * parts, e.g. 'scan/uint32*' in-place. The environment: CLPRIMS_DEVICE, CLPRIMS_LAYER (auto,
 * nvidia, subgroup, local), CLPRIMS_CL_DIR, CLPRIMS_TUNING, CLPRIMS_PROBED, CLPRIMS_TEST_STORE (a
 * program store), CLPRIMS_TEST_PACK (a pack) become context options; CLPRIMS_TEST_SEED replays a
 * run; CLPRIMS_TEST_LONG=1 asks for the long tier, CLPRIMS_TEST_SMALL=1 for a small one that an
 * interpreter (Oclgrind) can bear; CLPRIMS_TEST_FIRST_FAILURE=1 ends the program at the first
 * failure; CLPRIMS_TEST_KEEP_PROGRAMS names a folder for the texts of the programs that are built.
 * With CLPRIMS_TEST_OTHER_LAYER=1 a program is skipped where CLPRIMS_LAYER is what the library
 * takes anyway.
 *
 * A failed expectation leaves its case by longjmp: it need free nothing, and expectations belong
 * to the main thread, never to an OpenCL callback. What test_leave() is given is released then,
 * too.
 */
#ifndef TESTS_HARNESS_H
#define TESTS_HARNESS_H

#include <clprims/clprims.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Cases ----------------------------------------------------------------------------------- */

typedef struct test_cases test_cases;

typedef void test_function(const void *data);
typedef void test_plain(void);

/* Adds a case; the data are copied (NULL, 0 for none). Copies are aligned for every type. */
#if defined(__GNUC__)
__attribute__((format(__printf__, 5, 6)))
#endif
void test_add(test_cases *cases, test_function *run, const void *data, size_t data_bytes,
              const char *name, ...);

/* Adds a case of a variable, an array's element or what a pointer points to. */
#define test_add_row(cases, run, row, ...) test_add(cases, run, &(row), sizeof(row), __VA_ARGS__)

/* Adds a case without data. */
#if defined(__GNUC__)
__attribute__((format(__printf__, 3, 4)))
#endif
void test_add_plain(test_cases *cases, test_plain *run, const char *name, ...);

/* Adds a case PREFIX/NAME for each row of an array of structures that begin with the name. */
#define test_add_rows(cases, run, rows, prefix)                                                    \
    test_add_table(cases, run, rows, sizeof(rows), sizeof(rows)[0], prefix)
void test_add_table(test_cases *cases, test_function *run, const void *rows, size_t bytes,
                    size_t row_bytes, const char *prefix);

/* Adds the program's cases, and may look at test_context(), test_long() and test_small(). */
void test_program(test_cases *cases);

/* What main does with them; a program with options of its own has a main of its own, too. */
int test_main(int argc, char **argv, void (*add)(test_cases *cases));

/* Takes an option and its value off the command line; NULL: it is not there. */
const char *test_option(int *argc, char **argv, const char *option);

/* Seconds, from any moment on. */
double test_now(void);

/* Ends the running case as skipped; the reason is shown at the end of tests/run. */
#if defined(__GNUC__)
__attribute__((format(__printf__, 1, 2)))
#endif
void test_skip(const char *reason, ...);

/* Ends the running case as skipped where one of these types is float64 and the device has none. */
void test_needs_types(clprims_type type, clprims_type accumulator);

/* Ends the running case as skipped where the device lacks that many bytes, or a buffer of `most`.
 */
void test_want_memory(size_t bytes, size_t most);

/* One compute unit of the context's device, as a device of its own; the caller releases it. Ends
 * the running case as skipped where the device can't be divided. */
cl_device_id test_sub_device(void);

/* An image of the context, which no call takes for a buffer, until the case ends. Ends the running
 * case as skipped where the device has none. */
cl_mem test_image_create(void);
bool test_has_images(void);

/* A buffer of another context on the same device, until the case ends. */
cl_mem test_foreign_buffer_create(void);

/* What the running case is at, shown if it fails; a later note takes the place of an earlier one.
 */
#if defined(__GNUC__)
__attribute__((format(__printf__, 1, 2)))
#endif
void test_note(const char *format, ...);

/* The same of what the running case is about, shown beside the note. */
#if defined(__GNUC__)
__attribute__((format(__printf__, 1, 2)))
#endif
void test_note_subject(const char *format, ...);

/* What is to be released when the running case ends, also after a failure: buffers, scratch, plans
 * that subjects make. Another thread's is not. The second: the caller releases it now; false: it
 * was not left. */
void test_leave(void (*release)(void *thing), void *thing);
bool test_take_back(const void *thing);

bool test_long(void);
bool test_small(void);

/* The number that all random data of this run come from. */
uint64_t test_seed(void);

/* ---- The context ----------------------------------------------------------------------------- */

/* The options that the environment asks for. */
clprims_context_options test_options(void);

/* The program's one context, created at the first call; ends the program when that fails. */
clprims_context *test_context(void);
clprims_context_info test_info(void);

/* Another one of these options, until the case ends. */
clprims_context *test_context_create(const clprims_context_options *options);

/* Puts the caller's context in the place of that one, until NULL is put there. */
void test_context_replace(clprims_context *context);

/* What runs behind the last case, before the context is destroyed. */
void test_at_end(void (*end)(void));

/* Whether the driver's compiler bears kernels of every shape: that of PoCL 6.0 with LLVM 18
 * ends the process over some (its issue 1608), which no plan of a CPU's own choosing has. */
bool test_bears_shapes(void);

/* Skips the case where it does not. */
void test_want_shapes(void);

/* Whether the driver's compiler bears plans of scan, offsets, select and forest, and list scans of
 * structs, with these knobs: that of Mesa 25.0 miscompiles work-groups of several items or ends the
 * process over them (tests/where/mesa), which no plan of a CPU's own choosing has. The second skips
 * the case where it does not. */
bool test_bears_group(const char *tuning);
void test_want_group(const char *tuning);

/* Skips a case some of whose work-items loop that often, all loops together: Mesa 22.3 ends them
 * after 65535 iterations (tests/where/mesa). */
void test_want_iterations(size_t most);

/* Skips a case in whose work-groups of one the length of a loop depends on what other work-groups
 * do: in those Mesa 22.3 lets the lanes beside the work-item loop on to that end (there, too). */
void test_want_groups_of_one(void);

/* The context's own queue, in order with profiling, and another one, until the case ends. */
cl_command_queue test_queue(void);
cl_command_queue test_queue_create(bool out_of_order);

/* An event that commands wait for until it is opened, and then is gone. */
cl_event test_gate(void);
void test_gate_open(cl_event gate);

/* ---- Random data, the same for one seed and case name ---------------------------------------- */

uint64_t test_random(void);
uint64_t test_random_below(uint64_t bound); /* in [0, bound), bound > 0 */
/* What follows depends on this seed alone. */
void test_random_restart(uint64_t seed);

/*
 * n values for op. Integers are of the whole range (odd for MUL, so that products do not die out).
 * Floats are small integers or powers of two whose combinations are exact in every order while
 * n < 2^20 and the result has the same type, so that a scan can be compared bit by bit.
 */
void test_random_values(clprims_type type, clprims_op op, void *values, size_t n);

/* Stores the low 1, 2, 4 or 8 bytes as element i of integers of that size, on a little-endian host.
 */
void test_store_integer(size_t bytes, void *values, size_t i, uint64_t value);

/* n random bytes. */
void test_random_bytes(void *bytes, size_t n);

/* Puts the sizes in random order. */
void test_shuffle(size_t *sizes, size_t count);

/* n floats or doubles in [0, 1), whose sums round. */
void test_random_unit(clprims_type type, void *values, size_t n);

/* ---- Guarded memory -------------------------------------------------------------------------- */

/*
 * A device buffer with poison in the `first` elements before and in some after the n elements that
 * a call may touch. In the small tier there are none after, so that Oclgrind sees reads as well.
 */
typedef struct test_buffer {
    clprims_buffer at; /* what the library is given */
    size_t n;
    size_t element_bytes;
    size_t bytes; /* of the whole cl_mem */
} test_buffer;

/* A buffer of the context without guards, until the case ends. */
cl_mem test_mem(size_t bytes);
void test_release_mem(void *mem); /* for test_leave() */

/* values NULL: the elements are poison too. */
test_buffer test_buffer_create(const void *values, size_t n, size_t element_bytes, size_t first);
/* The same with poison in `spare` more elements behind those n, which a counted run needs room for.
 */
test_buffer test_buffer_create_roomy(const void *values, size_t n, size_t element_bytes,
                                     size_t first, size_t spare);
/* Copies the n elements out and checks the guards. Waits for test_queue() only. */
void test_buffer_read(const test_buffer *buffer, void *values);
/* Checks that the buffer is as test_buffer_create(values, ...) made it. */
void test_buffer_expect_unchanged(const test_buffer *buffer, const void *values);
void test_buffer_release(test_buffer *buffer);

/* The same for run(): a host array between guards. */
typedef struct test_array {
    void *values;
    size_t bytes;
    unsigned char *memory;
} test_array;

test_array test_array_create(const void *values, size_t n, size_t element_bytes);
void test_array_expect_guards(const test_array *array);
/* Checks that an array made without values is as it was made. */
void test_array_expect_untouched(const test_array *array);
void test_array_free(test_array *array);

/* malloc that fails the case; one byte at least, so that n = 0 gives a pointer too. */
void *test_alloc(size_t n, size_t element_bytes);

/* The same for the rest of the case, which need not free it, but may. */
void *test_scratch(size_t n, size_t element_bytes);
void test_scratch_free(void *memory);

/* ---- Folders and files ----------------------------------------------------------------------- */

enum { TEST_PATH = 512 };

/* An empty folder, and a place in it. */
typedef struct test_folder {
    char folder[TEST_PATH / 2];
    char path[TEST_PATH]; /* folder/name */
} test_folder;

/* The folder is removed, with all that is in it, when the case ends. */
test_folder test_folder_make(const char *name);

/* The number of regular files in a folder, 0 if it is not there; the name of the first one by name
 * goes to `path`, room for TEST_PATH characters, if that is not NULL. */
size_t test_files_in(const char *folder, char *path);

/* A file's bytes and a zero behind them, until the case ends. */
unsigned char *test_file_read(const char *path, size_t *bytes);
void test_file_write(const char *path, const void *bytes, size_t count);

/* ---- Expectations ---------------------------------------------------------------------------- */

/* The call returns CLPRIMS_OK with an empty record. */
#define expect_ok(call) (test_spoil_record(), expect_status_ok(call))
/* The same of a status that was kept. */
#define expect_status_ok(status) test_expect_ok(status, #status, __FILE__, __LINE__)

/* The call returns this status, and the record has it and a message that contains `part`:
 * expect_failure(call, CLPRIMS_ERR_TOO_LARGE, "n = 5000 exceeds max_n = 4096"). */
#define expect_failure(call, status, part)                                                         \
    test_expect_failure(call, status, part, #call, __FILE__, __LINE__)

/* The OpenCL call returns CL_SUCCESS. */
#define expect_cl(call) test_expect_cl(call, #call, __FILE__, __LINE__)

/* n values or elements are equal bit by bit; the first that is not is printed. */
#define expect_values(type, expected, actual, n)                                                   \
    test_expect_values(type, expected, actual, n, __FILE__, __LINE__)
#define expect_elements(expected, actual, n, element_bytes)                                        \
    test_expect_elements(expected, actual, n, element_bytes, __FILE__, __LINE__)

/* `text` contains `part`. */
#define expect_contains(text, part) test_expect_contains(text, part, #text, __FILE__, __LINE__)

/* A small scan, made and run in the context, shows that it works. */
void expect_usable(clprims_context *context);
/* The options give a usable context of this description (whose pointers are gone), or none. */
clprims_context_info expect_context(const clprims_context_options *options);
void expect_no_context(const clprims_context_options *options, clprims_status status,
                       const char *part);

/* Fails the case with a message of its own. */
#define test_fail(...) test_fail_at(__FILE__, __LINE__, __VA_ARGS__)

/* Leaves an error in the record, which the next call clears. */
void test_spoil_record(void);
void test_expect_ok(clprims_status actual, const char *call, const char *file, int line);
void test_expect_failure(clprims_status actual, clprims_status expected, const char *part,
                         const char *call, const char *file, int line);
void test_expect_cl(cl_int code, const char *call, const char *file, int line);
void test_expect_values(clprims_type type, const void *expected, const void *actual, size_t n,
                        const char *file, int line);
void test_expect_elements(const void *expected, const void *actual, size_t n, size_t element_bytes,
                          const char *file, int line);
void test_expect_contains(const char *text, const char *part, const char *what, const char *file,
                          int line);
#if defined(__GNUC__)
__attribute__((format(__printf__, 3, 4)))
#endif
void test_fail_at(const char *file, int line, const char *format, ...);

/* ---- The head of a list ---------------------------------------------------------------------- */

/* As a list's head: the run finds it. */
enum { FIND_HEAD = -1 };

static inline const int64_t *head_given(const int64_t *head) {
    return *head == FIND_HEAD ? NULL : head;
}

#endif
