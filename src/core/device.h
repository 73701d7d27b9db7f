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
    bool has_int64_extended_atomics; /* MIN, MAX, AND, OR, XOR */
    bool has_subgroups; /* what device_subgroup.cl needs */
    bool has_ballots;
    int shuffles; /* whose, as CLP_SHUFFLES has it */
    int asks_width; /* how a kernel asks for the width of its sub-groups, as CLP_ASK_SUBGROUP_WIDTH
                     */
    int compute_capability; /* 90 for sm_90; 0 unless is_nvidia */
    bool is_offline; /* described, not there: programs are put together, and nothing runs */
} clp_device;

clprims_status clp_device_inspect(cl_device_id id, clp_device *device);

/* Describes a GPU of that architecture ("sm_90a"), which is not there, in place of `device`, which
 * stays what buffers and queues are of. */
clprims_status clp_device_describe_offline(const char *architecture, clp_device *device);

enum { CLP_MOST_CANDIDATES = 16 };

/* The device that `wanted` names (a number or part of a name), or for NULL the usable ones, best
 * first. ids: room for CLP_MOST_CANDIDATES. NO_DEVICE when there is none. */
clprims_status clp_device_candidates(const char *wanted, cl_device_id *ids, size_t *count);

/* ---- The choice; these functions need public ones alone, so that libclprims-mpi may share them
 * ---- */

/* How well a device fits what is wanted, the better one last. */
typedef enum clp_fit { CLP_FITS_NOT, CLP_FITS, CLP_FITS_BEST } clp_fit;

static inline bool clp_has_part(const char *text, const char *part) {
    const size_t length = strlen(part);
    for (; *text != '\0'; text++) {
        size_t same = 0;
        while (same < length && clp_lower(text[same]) == clp_lower(part[same])) same++;
        if (same == length) return true;
    }
    return length == 0;
}

/* A device's own name fits best, then its platform's, which is the platform's name or that of the
 * platform's vendor. Where no name is wanted (NULL), a GPU fits best. */
static inline clp_fit clp_device_fit(const clprims_device_info *info, const char *wanted) {
    char vendor[128] = "";
    if (wanted == NULL) {
        return (info->type & CL_DEVICE_TYPE_GPU) != 0 ? CLP_FITS_BEST : CLP_FITS;
    }
    if (clp_has_part(info->name, wanted)) return CLP_FITS_BEST;
    clGetPlatformInfo(info->platform, CL_PLATFORM_VENDOR, sizeof vendor - 1, vendor, NULL);
    const bool is_named = clp_has_part(info->platform_name, wanted) || clp_has_part(vendor, wanted);
    return is_named ? CLP_FITS : CLP_FITS_NOT;
}

/* What there is to choose from: `describe` describes device `number` of `count`; false if it does
 * not answer, in which case nobody means it. */
typedef struct clp_devices {
    size_t count;
    bool (*describe)(void *from, size_t number, clprims_device_info *info);
    void *from;
} clp_devices;

/* Returns how many devices fit so well; sets *number to the one that has `turn` of them before it.
 */
static inline size_t clp_device_find(const clp_devices *devices, const char *wanted, clp_fit fit,
                                     size_t turn, size_t *number) {
    size_t fitting = 0;
    for (size_t k = 0; k < devices->count; k++) {
        clprims_device_info info = {0};
        if (!devices->describe(devices->from, k, &info)) continue;
        if (clp_device_fit(&info, wanted) != fit) continue;
        if (fitting == turn) *number = k;
        fitting++;
    }
    return fitting;
}

/* Chooses among the devices that fit best, which take turns; false if none fits. */
static inline bool clp_device_choose(const clp_devices *devices, const char *wanted, size_t turn,
                                     size_t *number) {
    for (clp_fit fit = CLP_FITS_BEST; fit != CLP_FITS_NOT; fit--) {
        const size_t fitting = clp_device_find(devices, wanted, fit, turn, number);
        if (fitting > 0) {
            return clp_device_find(devices, wanted, fit, turn % fitting, number) > 0;
        }
    }
    return false;
}

#endif
