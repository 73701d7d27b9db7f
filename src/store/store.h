/* SPDX-License-Identifier: MIT */
/*
 * Programs that were built before, here or elsewhere: a folder of the user's (the store) and files
 * or bytes that the application brings (packs). Nothing here fails: what is not found, damaged, or
 * refused by the driver is built from source; what can't be written is not kept.
 *
 *   store.h, store.c              from a program's text to what was kept of it, and back
 *   entry.h, entry.c              the bytes of one program: header, checksum
 *   digest.h, digest.c            SHA-256
 *   compress.h, compress.c        smaller machine code
 *   store_files.h, store_files.c  files and folders; on Windows: store_files_windows.c
 *   lock.h                        a lock between threads
 */
#ifndef CLP_STORE_H
#define CLP_STORE_H

#include "store/entry.h"

#include <clprims/core.h>

enum { CLP_TARGET_CHARS = 768 };

typedef struct clp_pack {
    void *owned; /* NULL: the bytes are the caller's */
    clp_span bytes;
} clp_pack;

typedef struct clp_store {
    cl_context context;
    cl_device_id device;
    char target[CLP_TARGET_CHARS]; /* device, driver and platform with their versions */
    char architecture[16]; /* of machine code, "sm_90"; "": no machine code is known for it */
    int folder; /* or CLP_NO_FOLDER */
    uint64_t most_bytes; /* of the folder's files */
    clp_pack *packs;
    size_t pack_count;
} clp_store;

/* Opens the folder and reads the packs that the options name. capability: NVIDIA's, 90 for sm_90,
 * else 0. False: host memory is out. */
bool clp_store_open(clp_store *store, const clprims_context_options *options, cl_context context,
                    const clprims_device_info *device, int capability);

/* Whether there is neither a folder nor a pack. */
bool clp_store_is_empty(const clp_store *store);

/* Whether packs have machine code for the device that was made without one. */
bool clp_store_is_made_ahead(const clp_store *store);

/* Fine for a store of zeros, too. */
void clp_store_close(clp_store *store);

/* Where a program is from. */
typedef enum clp_origin { CLP_FROM_SOURCE, CLP_FROM_DRIVER, CLP_FROM_ASSEMBLER } clp_origin;

/* Below, key: the build options and a newline, then the whole text. */

/* Returns the program, built, or NULL: from machine code where a pack has it, else from what the
 * driver once gave. *origin: CLP_FROM_SOURCE where there is none. */
cl_program clp_store_find(const clp_store *store, const char *options, clp_span key,
                          clp_origin *origin);

/* Keeps a built program in the folder. */
void clp_store_keep(const clp_store *store, clp_span key, cl_program program);

/* Sets *out to the program's entry, of *bytes bytes, which the caller frees. program: NULL where it
 * was not built; the entry then has the key. Returns OpenCL's code, CL_INVALID_BINARY where the
 * driver gives no binary. *out is NULL after a failure, and with CL_SUCCESS where host memory is
 * out. */
cl_int clp_store_entry(const clp_store *store, clp_span key, cl_program program, void **out,
                       size_t *bytes);

#endif
