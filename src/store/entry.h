/* SPDX-License-Identifier: MIT */
/*
 * An entry: one built program as bytes. A file of the store is one entry; a pack is entries one
 * behind another, so that two packs one behind another are a pack.
 *
 *   header   whose members say what follows
 *   target   where the program runs, header.target_bytes characters
 *   body     header.body_bytes bytes for clCreateProgramWithBinary
 */
#ifndef CLP_ENTRY_H
#define CLP_ENTRY_H

#include "store/digest.h"

#include <stdbool.h>

/* What a body is. Values are pinned; PTX and machine code made elsewhere get values of their own,
 * and a target that is an architecture. */
enum { CLP_BODY_OF_DRIVER = 1 };

/* Of one byte order: to a machine of the other one the format is unknown. */
typedef struct clp_entry_header {
    char magic[8];
    uint32_t format;
    uint32_t kind; /* of the body */
    uint64_t target_bytes;
    uint64_t body_bytes;
    clp_digest program; /* of the build options and a newline, then the whole text */
    clp_digest checksum; /* of the members before, the target and the body */
} clp_entry_header;

/* Spans of the bytes that it was read from. */
typedef struct clp_entry {
    clp_entry_header header;
    clp_span target, body;
    size_t bytes; /* of the entry; the next one begins behind it */
} clp_entry;

/* Reads the entry that begins the bytes; false if none of this format does. The checksum is still
 * to be looked at. */
bool clp_entry_read(const void *bytes, size_t count, clp_entry *entry);

/* Whether the checksum holds. */
bool clp_entry_is_whole(const clp_entry *entry);

/* Whether it is the program for the target, and whole. target: ends in '\0'. */
bool clp_entry_is(const clp_entry *entry, const clp_digest *program, const char *target);

/* Fills the header. */
clp_entry_header clp_entry_head(const clp_digest *program, const char *target, clp_span body);

/* The digest by which the store names the entry's file. */
clp_digest clp_entry_name(const clp_digest *program, const char *target);

#endif
