/* SPDX-License-Identifier: MIT */
/*
 * What the programs over MPI ranks share. Every rank runs the same cases. All draw the same random
 * numbers, so each has the whole array and its result by a plain-C twin, and compares its block. A
 * rank whose case fails ends the program on all ranks: the others would wait for it.
 */
#ifndef TESTS_RANKS_H
#define TESTS_RANKS_H

#include "harness/harness.h"

#include <clprims/mpi.h>

/* As test_main. */
int ranks_main(int argc, char **argv, void (*add)(test_cases *cases));

/* The one object of the program, whose chunks are small. */
enum { RANKS_CHUNK = 1000 };
clprims_mpi *ranks_mpi(void);
int ranks_rank(void);
int ranks_count(void);

/* As test_add, test_add_row and test_add_plain. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
void ranks_add(test_cases *cases, test_function *run, const void *data, size_t data_bytes,
               const char *name, ...);
#define ranks_add_row(cases, run, row, ...) ranks_add(cases, run, &(row), sizeof(row), __VA_ARGS__)
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void ranks_add_plain(test_cases *cases, test_plain *run, const char *name, ...);

/* How `total` elements are distributed. */
typedef enum ranks_layout {
    RANKS_EVEN,
    RANKS_UNEVEN, /* blocks of random sizes */
    RANKS_HOLES, /* every other rank has none */
    RANKS_FIRST, /* rank 0 has all */
    RANKS_LAST, /* the last rank has all */
    RANKS_LAYOUTS,
    RANKS_DRAWN = RANKS_LAYOUTS /* one of these, or all on a rank that is drawn */
} ranks_layout;

const char *ranks_layout_name(ranks_layout layout);

/* Where each rank's block begins, and the total. Draws random numbers. */
size_t *ranks_starts(ranks_layout layout, size_t total);

/* This rank's block: by where the blocks begin, and of a layout. */
clprims_mpi_block ranks_own(const size_t *starts);
clprims_mpi_block ranks_block(ranks_layout layout, size_t total);

/* The same where `strips` parts share the elements, of part `strip`; not of a drawn layout. */
clprims_mpi_block ranks_strip(ranks_layout layout, size_t total, int strips, int strip);

/* This rank's block of an array of all ranks, on the device; `first` is drawn. */
test_buffer ranks_buffer(const void *whole, clprims_mpi_block block, size_t bytes);

/* The buffer, which may have more room, begins with this rank's block of the array. */
void ranks_expect_block(const test_buffer *buffer, const void *whole, clprims_mpi_block block,
                        size_t bytes);

/* Element i of the result is element order[i] of the input. */
unsigned char *ranks_reorder(const void *in, const size_t *order, size_t n, size_t bytes);
/* The order itself as integers of that type, of which CLPRIMS_TYPE_DEFAULT has no bytes. */
unsigned char *ranks_positions(const size_t *order, size_t n, clprims_type type);

/* ---- Drawn descriptions, the same on all ranks ---- */

enum { DRAWN_LARGEST = 2000, DRAWN_RUNS = 5 };

/* Elements of all ranks: none, one, as many as ranks, or up to DRAWN_LARGEST. */
size_t drawn_total(void);
bool drawn_coin(void);
clprims_type drawn_integer(void);
const char *drawn_text(clprims_type type); /* of an integer type in OpenCL C */

/* ---- Plans ---- */

/* A primitive over ranks. */
typedef struct ranks_primitive {
    const char *name;
    size_t desc_bytes;
    clprims_status (*create)(void **plan, const void *desc); /* with ranks_mpi() */
    void (*destroy)(void *plan);
} ranks_primitive;

/* clang-format off */
#define RANKS_PRIMITIVES(PRIMITIVE) \
    PRIMITIVE(reduce) PRIMITIVE(scan) PRIMITIVE(select) PRIMITIVE(offsets) PRIMITIVE(sort) \
    PRIMITIVE(list) PRIMITIVE(minplus) PRIMITIVE(paths)
/* clang-format on */
#define RANKS_DECLARE(prim) extern const ranks_primitive ranks_##prim;
RANKS_PRIMITIVES(RANKS_DECLARE)
#undef RANKS_DECLARE

/* The primitive's plan of that number: made of the description when it is first asked for, and kept
 * to the program's end. */
void *ranks_plan(const ranks_primitive *of, size_t number, const void *desc);

/* ---- Expectations ---- */

/* The call returns CLPRIMS_OK with an empty record. */
#define expect_ranks_ok(call) ranks_expect_ok(call, #call, __FILE__, __LINE__)

/* The call returns this status on every rank, and the record has the rank at fault and a message
 * that contains `part`. */
#define expect_ranks_failure(call, status, rank, part)                                             \
    ranks_expect_failure(call, status, rank, part, #call, __FILE__, __LINE__)

void ranks_expect_ok(clprims_status actual, const char *call, const char *file, int line);
void ranks_expect_failure(clprims_status actual, clprims_status expected, int rank,
                          const char *part, const char *call, const char *file, int line);

/* Create refuses the bad description that the last rank has beside good ones of the others. */
void ranks_desc_is_refused(const ranks_primitive *of, const void *good, const void *bad,
                           clprims_status status, const char *part);

/* What no call takes for a buffer: one of another context, or an image where the device has them.
 * It lasts until the case ends. */
enum { RANKS_BAD = 2 };
cl_mem ranks_bad_create(int k);

/* Part of the message that refuses it as the array of that name; valid until the next call. */
const char *ranks_refusal(const char *name, int k);

/* The cases of test_ranks' files. */
void add_block_cases(test_cases *cases);
void add_digest_cases(test_cases *cases);
void add_fault_cases(test_cases *cases);
void add_list_cases(test_cases *cases);
void add_scan_cases(test_cases *cases);
void add_select_cases(test_cases *cases);
void add_sort_cases(test_cases *cases);

/* The cases of test_grids' files. */
void add_grid_cases(test_cases *cases);
void add_path_cases(test_cases *cases);
void add_product_cases(test_cases *cases);
void add_grid_fault_cases(test_cases *cases);

#endif
