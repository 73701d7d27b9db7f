/* SPDX-License-Identifier: MIT */
/* Whether a caller's text names a device. It needs public headers alone, so that libclprims-mpi
 * chooses by the same rule. */
#ifndef CLP_DEVICE_NAME_H
#define CLP_DEVICE_NAME_H

#include "core/ascii.h"

#include <clprims/core.h>
#include <string.h>

/* In what sense the text names the device, the better one last. */
typedef enum clp_naming { CLP_NAMES_OTHERS, CLP_NAMES_PLATFORM, CLP_NAMES_DEVICE } clp_naming;

static inline bool clp_contains_ignoring_case(const char *text, const char *part) {
    const size_t length = strlen(part);
    for (; *text != '\0'; text++) {
        size_t same = 0;
        while (same < length && clp_lower(text[same]) == clp_lower(part[same])) same++;
        if (same == length) return true;
    }
    return length == 0;
}

/* The platform is named by its name and by its vendor's, which is not the device's. */
static inline clp_naming clp_device_naming(const clprims_device_info *info, const char *wanted) {
    char vendor[128] = "";
    if (clp_contains_ignoring_case(info->name, wanted)) return CLP_NAMES_DEVICE;
    clGetPlatformInfo(info->platform, CL_PLATFORM_VENDOR, sizeof vendor - 1, vendor, NULL);
    const bool is_named = clp_contains_ignoring_case(info->platform_name, wanted) ||
                          clp_contains_ignoring_case(vendor, wanted);
    return is_named ? CLP_NAMES_PLATFORM : CLP_NAMES_OTHERS;
}

#endif
