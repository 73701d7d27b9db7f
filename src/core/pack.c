/* SPDX-License-Identifier: MIT */
/* What is in a pack. */
#include "core/check.h"
#include "core/status.h"
#include "store/entry.h"

#include <string.h>

clprims_status clprims_pack_describe_sized(const void *pack, size_t pack_bytes, size_t first_byte,
                                           clprims_program_info *info, size_t info_bytes) {
    static const char who[] = "pack_describe";
    clp_entry entry;
    clprims_program_info full;
    CLP_TRY(clp_begin(who, "pack", pack));
    if (first_byte >= pack_bytes) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: first_byte = %zu, but the pack has %zu bytes",
                        who, first_byte, pack_bytes);
    }
    if (!clp_entry_read((const char *)pack + first_byte, pack_bytes - first_byte, &entry)) {
        return clp_fail(CLPRIMS_ERR_IO,
                        "%s: no program of clprims %s begins at byte %zu of %zu; the pack is "
                        "damaged or another version's",
                        who, clprims_version(), first_byte, pack_bytes);
    }
    memset(&full, 0, sizeof full); /* no bytes of the stack between members */
    full.bytes = entry.bytes;
    full.binary_bytes = entry.body.count;
    full.kind = (clprims_program_kind)entry.header.kind;
    full.is_whole = clp_entry_is_whole(&entry);
    clp_digest_print(&entry.header.program, full.digest);
    const size_t most = sizeof full.target - 1;
    memcpy(full.target, entry.target.bytes, entry.target.count < most ? entry.target.count : most);
    return clp_give(who, "info", &full, sizeof full, info, info_bytes);
}
