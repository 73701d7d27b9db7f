/* SPDX-License-Identifier: MIT */
/*
 * An entry: one built program as bytes. A file of the store is one entry; a pack is entries one
 * behind another, so that two packs one behind another are a pack.
 *
 *   header   whose members say what follows
 *   target   where the program runs, header.target_bytes characters: device, driver and platform
 *            of a driver's binary, else an architecture, "sm_90"
 *   options  header.options_bytes characters, of the build
 *   body     header.body_bytes bytes for clCreateProgramWithBinary, or what digest is of; machine
 *            code is compressed where that makes it smaller (compress.h)
 */
#ifndef CLP_ENTRY_H
#define CLP_ENTRY_H

#include "store/digest.h"

#include <stdbool.h>

/* What a body is; values are pinned (clprims_program_kind). */
enum { CLP_BODY_OF_DRIVER = 1, CLP_BODY_MACHINE_CODE = 2, CLP_BODY_SOURCE = 3 };

/* Of one byte order: to a machine of the other one the format is unknown. */
typedef struct clp_entry_header {
    char magic[8];
    uint32_t format;
    uint32_t kind; /* of the body */
    uint64_t target_bytes;
    uint64_t options_bytes;
    uint64_t body_bytes;
    uint64_t full_bytes; /* of the body before it was compressed */
    uint64_t is_of_text; /* machine code of a text that an offline context kept */
    clp_digest program; /* of the build options and a newline, then the whole text */
    clp_digest checksum; /* of the members before, the target, the options and the body */
} clp_entry_header;

/* Spans of the bytes that it was read from. */
typedef struct clp_entry {
    clp_entry_header header;
    clp_span target, options, body;
    size_t bytes; /* of the entry */
} clp_entry;

/* Reads the entry that begins the bytes, and moves them to what is behind it; false if none of this
 * format does. The checksum is still to be looked at. */
bool clp_entry_next(clp_span *bytes, clp_entry *entry);

/* Whether the checksum holds. */
bool clp_entry_is_whole(const clp_entry *entry);

/* Whether it is that kind of body for the target. Targets that end in a letter are the architecture
 * before it with all that it has: "sm_90a". target: ends in '\0'. */
bool clp_entry_is_for(const clp_entry *entry, uint32_t kind, const char *target);

/* Whether it is also the program, and whole. */
bool clp_entry_is(const clp_entry *entry, const clp_digest *program, uint32_t kind,
                  const char *target);

/* Of an entry that is to be written: kind, full_bytes, is_of_text, program and the spans are set.
 */
size_t clp_entry_size(const clp_entry *entry);

/* Fills the rest of the header; clp_entry_size() bytes of `out` become the entry. */
void clp_entry_write(clp_entry *entry, void *out);

/* The digest by which the store names the entry's file. */
clp_digest clp_entry_name(const clp_digest *program, const char *target);

#endif
