/* SPDX-License-Identifier: MIT */
/* Which cl/device/device_*.cl works here, and how much local memory there is. */
#ifndef CLP_LAYER_H
#define CLP_LAYER_H

#include <clprims/core.h>

/* Local memory that a work-group may take on an NVIDIA device of that compute capability; 0: not
 * known. */
size_t clp_local_bytes_of(int capability);

/* Sets device.static_local_bytes, by a probe where there may be more than is advertised. */
clprims_status clp_local_memory_find(clprims_context *context);
/* Chooses and probes the layer, setting layer, subgroup_width, groups_progress and reason. */
clprims_status clp_layer_choose(clprims_context *context, clprims_layer wanted);

#endif
