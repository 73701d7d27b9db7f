/* SPDX-License-Identifier: MIT */
/* What tuning lines may name of offsets: its plan, or one of the kernels of a single pass. */
#include "engine/single_pass_knobs.h"

extern const clp_tuning_key clp_offsets_keys[];
const clp_tuning_key clp_offsets_keys[] = {CLP_TILE_KEY("offsets"),
                                           CLP_RING_KEY("offsets-lookahead"),
                                           CLP_TILE_KEY("offsets-small"),
                                           {NULL, NULL, 0}};
