/* SPDX-License-Identifier: MIT */
/* What a device is and can do. */
#ifndef CLP_DEVICE_H
#define CLP_DEVICE_H

#include <clprims/core.h>
#include <stdbool.h>

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

#endif
