/* SPDX-License-Identifier: MIT */
/* What the files of test_packs share. */
#ifndef TESTS_PACKS_CASES_H
#define TESTS_PACKS_CASES_H

#include "harness/harness.h"

/* Of a context on the fake GPU. */
clprims_context_options store_options(const char *folder);

/* Programs of a context: built from source, and found. */
typedef struct store_start {
    size_t built, found;
} store_start;

/* Creates a context and destroys it. */
store_start store_begin(const clprims_context_options *options);
void store_expect(const clprims_context_options *options, size_t built, size_t found);

/* How many programs a context has. */
size_t store_programs(void);

/* A fake GPU of NVIDIA's: its number, and what ptxas calls it. */
typedef struct store_gpu {
    const char *number, *architecture;
} store_gpu;

enum { STORE_GPUS = 8 };
extern const store_gpu store_gpus[STORE_GPUS];

/* A context's programs, with those of every plan, whose largest n is `scale` times the usual, or of
 * no plan where it is 0; saved where pack is not NULL. */
clprims_context_info store_plans(const clprims_context_options *options, size_t scale,
                                 const char *pack);

/* A pack's programs, each as machine code that is what the fake driver takes, until the case
 * ends. */
unsigned char *store_assembled(const unsigned char *pack, size_t count, const char *architecture,
                               size_t *bytes);

/* Writes a script that stands in for a tool to the folder; NULL: there is none. */
void store_tool(const test_folder *f, const char *name, const char *script);

/* Runs `clprims pack` from a.pack to out in the folder, with the tools there: its exit status, and
 * what it says on standard error. */
void store_command(const test_folder *f, const char *options, int status, const char *says);

/* packs_folders.c: owners, modes, links, full and read-only folders, the bound. */
void store_add_folders(test_cases *cases);

/* packs_assembled.c */
void store_add_assembled(test_cases *cases);

/* packs_compressed.c */
void store_add_compressed(test_cases *cases);

/* packs_offline.c: contexts for GPUs that are not there. */
void store_add_offline(test_cases *cases);

#endif
