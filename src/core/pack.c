/* SPDX-License-Identifier: MIT */
/* What is in a pack, and programs with machine code. */
#include "core/check.h"
#include "core/status.h"
#include "store/compress.h"
#include "store/entry.h"

#include <stdlib.h>
#include <string.h>

static clprims_status read_entry(const char *who, const void *pack, size_t pack_bytes,
                                 size_t first_byte, clp_entry *entry) {
    CLP_TRY(clp_begin(who, "pack", pack));
    CLP_FAIL_IF(first_byte >= pack_bytes, CLPRIMS_ERR_ARGUMENT,
                "%s: first_byte = %zu, but the pack has %zu bytes", who, first_byte, pack_bytes);
    clp_span rest = {(const char *)pack + first_byte, pack_bytes - first_byte};
    if (clp_entry_next(&rest, entry)) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_IO,
                    "%s: no program of clprims %s begins at byte %zu of %zu; the pack is damaged "
                    "or another version's",
                    who, clprims_version(), first_byte, pack_bytes);
}

/* What does not fit is cut off. */
static void copy_text(clp_span from, char *to, size_t bytes) {
    const size_t count = from.count < bytes - 1 ? from.count : bytes - 1;
    memcpy(to, from.bytes, count);
    to[count] = '\0';
}

clprims_status clprims_pack_describe_sized(const void *pack, size_t pack_bytes, size_t first_byte,
                                           clprims_program_info *info, size_t info_bytes) {
    static const char who[] = "pack_describe";
    clp_entry entry;
    clprims_program_info full;
    CLP_TRY(read_entry(who, pack, pack_bytes, first_byte, &entry));
    memset(&full, 0, sizeof full); /* no bytes of the stack between members */
    full.bytes = entry.bytes;
    full.binary_bytes = entry.body.count;
    full.kind = (clprims_program_kind)entry.header.kind;
    full.is_whole = clp_entry_is_whole(&entry);
    clp_digest_print(&entry.header.program, full.digest);
    copy_text(entry.target, full.target, sizeof full.target);
    copy_text(entry.options, full.options, sizeof full.options);
    return clp_give(who, "info", &full, sizeof full, info, info_bytes);
}

/* "sm_90", "sm_90a". */
static bool is_architecture(const char *text) {
    if (strncmp(text, "sm_", 3) != 0) return false;
    const size_t digits = strspn(text + 3, "0123456789");
    const char *end = text + 3 + digits;
    return digits >= 2 && digits <= 3 && (*end == '\0' || strcmp(end, "a") == 0);
}

static clprims_status write_code(const char *who, clp_entry *entry, clp_span code, void *out,
                                 size_t *out_bytes) {
    const size_t room = *out_bytes;
    uint8_t *compressed = malloc(code.count + 1);
    const size_t count = compressed != NULL ? clp_compress(code, compressed) : 0;
    entry->header.is_of_text = entry->header.kind == CLP_BODY_SOURCE;
    entry->header.kind = CLP_BODY_MACHINE_CODE;
    entry->header.full_bytes = code.count;
    entry->body = count > 0 ? (clp_span){compressed, count} : code;
    *out_bytes = clp_entry_size(entry);
    const bool fits = *out_bytes <= room;
    if (fits) clp_entry_write(entry, out);
    free(compressed);
    if (fits) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: out has room for %zu bytes; the program has %zu",
                    who, room, *out_bytes);
}

clprims_status clprims_pack_assembled(const void *pack, size_t pack_bytes, size_t first_byte,
                                      const char *architecture, const void *code, size_t code_bytes,
                                      void *out, size_t *out_bytes) {
    static const char who[] = "pack_assembled";
    clp_entry entry;
    CLP_TRY(read_entry(who, pack, pack_bytes, first_byte, &entry));
    CLP_TRY(clp_given(who, "architecture", architecture));
    CLP_TRY(clp_given(who, "code", code));
    CLP_TRY(clp_given(who, "out", out));
    CLP_TRY(clp_given(who, "out_bytes", out_bytes));
    CLP_FAIL_IF(!is_architecture(architecture), CLPRIMS_ERR_ARGUMENT,
                "%s: architecture \"%s\"; give one of NVIDIA's as ptxas names them: sm_90a", who,
                architecture);
    entry.target = (clp_span){architecture, strlen(architecture)};
    return write_code(who, &entry, (clp_span){code, code_bytes}, out, out_bytes);
}
