/* SPDX-License-Identifier: MIT */
/* Which cl/device/device_*.cl works here, what work-groups see of each other, local memory. */
#ifndef CLP_LAYER_H
#define CLP_LAYER_H

#include <clprims/core.h>

/* Local memory that a work-group may take on an NVIDIA device of that compute capability; 0: not
 * known. */
size_t clp_local_bytes_of(int capability);

/* Checks options.probed by itself, and beside options.layer. */
clprims_status clp_probed_check(const clprims_context_options *options);

/* Chooses the layer and probes what is not told: sets layer, subgroup_width, words_arrive,
 * groups_progress, device.static_local_bytes, reason and probed. */
clprims_status clp_probe(clprims_context *context, clprims_layer wanted, const char *told);

#endif
