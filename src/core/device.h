/* SPDX-License-Identifier: MIT */
/* What a device is and can do. */
#ifndef CLP_DEVICE_H
#define CLP_DEVICE_H

#include "core/text.h"

#include <clprims/core.h>
#include <stdbool.h>
#include <string.h>

/* Of the whole process, not to be taken twice. */
void clp_lock_drivers(void);
void clp_unlock_drivers(void);
typedef struct clp_device {
    clprims_device_info info;
    size_t max_group; /* work-items of a work-group */
    size_t local_bytes; /* as advertised */
    size_t static_local_bytes; /* that static arrays may take, which can be more */
    size_t cache_bytes; /* of its largest cache, as it says; 0: it has none */
    bool is_cpu;
    bool is_nvidia; /* NVIDIA's own driver: inline PTX is worth a probe */
    bool has_float64;
    bool has_int64_atomics;
    bool has_subgroups; /* what device_subgroup.cl needs */
    bool has_ballots;
    int shuffles; /* whose, as CLP_SHUFFLES has it */
    int asks_width; /* how a kernel asks for the width of its sub-groups, as CLP_ASK_SUBGROUP_WIDTH
                     */
    int compute_capability; /* 90 for sm_90; 0 unless is_nvidia */
} clp_device;

clprims_status clp_device_inspect(cl_device_id id, clp_device *device);

enum { CLP_MOST_CANDIDATES = 16 };

/* The device that `wanted` names (a number or part of a name), or for NULL the usable ones, best
 * first. ids: room for CLP_MOST_CANDIDATES. NO_DEVICE when there is none. */
clprims_status clp_device_candidates(const char *wanted, cl_device_id *ids, size_t *count);

/* ---- Names; these functions need public ones alone, so that libclprims-mpi may share them ---- */

/* In what sense the text names the device, the better one last. */
typedef enum clp_naming { CLP_NAMES_OTHERS, CLP_NAMES_PLATFORM, CLP_NAMES_DEVICE } clp_naming;

static inline bool clp_has_part(const char *text, const char *part) {
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
    if (clp_has_part(info->name, wanted)) return CLP_NAMES_DEVICE;
    clGetPlatformInfo(info->platform, CL_PLATFORM_VENDOR, sizeof vendor - 1, vendor, NULL);
    const bool is_named = clp_has_part(info->platform_name, wanted) || clp_has_part(vendor, wanted);
    return is_named ? CLP_NAMES_PLATFORM : CLP_NAMES_OTHERS;
}

#endif
