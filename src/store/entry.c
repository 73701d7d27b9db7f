/* SPDX-License-Identifier: MIT */
#include "store/entry.h"

#include <string.h>

/* Another format, kind of body or digest gets another number: older files are then not read. */
enum { FORMAT = 3 };

static const char magic[8] = "clprims";

static clp_digest checksum_of(const clp_entry *entry) {
    const clp_span spans[] = {{&entry->header, offsetof(clp_entry_header, checksum)},
                              entry->target,
                              entry->options,
                              entry->body};
    return clp_digest_of(spans, 4);
}

static bool is_equal(const clp_digest *a, const clp_digest *b) {
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

bool clp_entry_next(clp_span *bytes, clp_entry *entry) {
    clp_entry_header *header = &entry->header;
    const char *first = bytes->bytes;
    if (bytes->count < sizeof *header) return false;
    memcpy(header, first, sizeof *header);
    if (memcmp(header->magic, magic, sizeof magic) != 0 || header->format != FORMAT) return false;
    const uint64_t spans[] = {header->target_bytes, header->options_bytes, header->body_bytes};
    clp_span *const of_entry[] = {&entry->target, &entry->options, &entry->body};
    entry->bytes = sizeof *header;
    for (size_t i = 0; i < 3; i++) {
        if (spans[i] > bytes->count - entry->bytes) return false;
        *of_entry[i] = (clp_span){first + entry->bytes, (size_t)spans[i]};
        entry->bytes += (size_t)spans[i];
    }
    *bytes = (clp_span){first + entry->bytes, bytes->count - entry->bytes};
    return true;
}

bool clp_entry_is_whole(const clp_entry *entry) {
    const clp_digest checksum = checksum_of(entry);
    return is_equal(&checksum, &entry->header.checksum);
}

bool clp_entry_is_for(const clp_entry *entry, uint32_t kind, const char *target) {
    const size_t length = strlen(target);
    const char *own = entry->target.bytes;
    if (entry->header.kind != kind || entry->target.count < length ||
        memcmp(own, target, length) != 0)
        return false;
    const bool has_letter = entry->target.count == length + 1 && own[length] == 'a';
    return entry->target.count == length || (kind == CLP_BODY_MACHINE_CODE && has_letter);
}

bool clp_entry_is(const clp_entry *entry, const clp_digest *program, uint32_t kind,
                  const char *target) {
    return clp_entry_is_for(entry, kind, target) && is_equal(&entry->header.program, program) &&
           clp_entry_is_whole(entry);
}

size_t clp_entry_size(const clp_entry *entry) {
    return sizeof entry->header + entry->target.count + entry->options.count + entry->body.count;
}

void clp_entry_write(clp_entry *entry, void *out) {
    clp_entry_header *header = &entry->header;
    const clp_span spans[] = {{header, sizeof *header}, entry->target, entry->options, entry->body};
    char *to = out;
    memcpy(header->magic, magic, sizeof magic);
    header->format = FORMAT;
    header->target_bytes = entry->target.count;
    header->options_bytes = entry->options.count;
    header->body_bytes = entry->body.count;
    header->checksum = checksum_of(entry);
    for (size_t i = 0; i < 4; i++) {
        memcpy(to, spans[i].bytes, spans[i].count);
        to += spans[i].count;
    }
}

clp_digest clp_entry_name(const clp_digest *program, const char *target) {
    static const uint32_t what[] = {FORMAT, CLP_BODY_OF_DRIVER};
    const clp_span spans[] = {
        {what, sizeof what}, {program, sizeof *program}, {target, strlen(target)}};
    return clp_digest_of(spans, 3);
}
