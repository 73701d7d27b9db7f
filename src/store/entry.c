/* SPDX-License-Identifier: MIT */
#include "store/entry.h"

#include <string.h>

/* Another format, kind of body or digest gets another number: older files are then not read. */
enum { FORMAT = 1 };

static const char magic[8] = "clprims";

static clp_digest checksum_of(const clp_entry_header *header, clp_span target, clp_span body) {
    const clp_span spans[] = {{header, offsetof(clp_entry_header, checksum)}, target, body};
    return clp_digest_of(spans, 3);
}

static bool is_equal(const clp_digest *a, const clp_digest *b) {
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

bool clp_entry_read(const void *bytes, size_t count, clp_entry *entry) {
    clp_entry_header *header = &entry->header;
    if (count < sizeof *header) return false;
    memcpy(header, bytes, sizeof *header);
    count -= sizeof *header;
    if (memcmp(header->magic, magic, sizeof magic) != 0 || header->format != FORMAT) return false;
    if (header->target_bytes > count || header->body_bytes > count - header->target_bytes) {
        return false;
    }
    entry->target = (clp_span){(const char *)bytes + sizeof *header, (size_t)header->target_bytes};
    entry->body = (clp_span){(const char *)entry->target.bytes + entry->target.count,
                             (size_t)header->body_bytes};
    entry->bytes = sizeof *header + entry->target.count + entry->body.count;
    return true;
}

bool clp_entry_is_whole(const clp_entry *entry) {
    const clp_digest checksum = checksum_of(&entry->header, entry->target, entry->body);
    return is_equal(&checksum, &entry->header.checksum);
}

bool clp_entry_is(const clp_entry *entry, const clp_digest *program, const char *target) {
    return entry->header.kind == CLP_BODY_OF_DRIVER && is_equal(&entry->header.program, program) &&
           entry->target.count == strlen(target) &&
           memcmp(entry->target.bytes, target, entry->target.count) == 0 &&
           clp_entry_is_whole(entry);
}

clp_entry_header clp_entry_head(const clp_digest *program, const char *target, clp_span body) {
    const clp_span runs_on = {target, strlen(target)};
    clp_entry_header header = {.format = FORMAT,
                               .kind = CLP_BODY_OF_DRIVER,
                               .target_bytes = runs_on.count,
                               .body_bytes = body.count,
                               .program = *program};
    memcpy(header.magic, magic, sizeof magic);
    header.checksum = checksum_of(&header, runs_on, body);
    return header;
}

clp_digest clp_entry_name(const clp_digest *program, const char *target) {
    static const uint32_t what[] = {FORMAT, CLP_BODY_OF_DRIVER};
    const clp_span spans[] = {
        {what, sizeof what}, {program, sizeof *program}, {target, strlen(target)}};
    return clp_digest_of(spans, 3);
}
