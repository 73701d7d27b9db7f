/* SPDX-License-Identifier: MIT */
/* What tuning lines may name of select: its plan, or one of the kernels of a single pass. */
#include "engine/single_pass_knobs.h"

extern const clp_tuning_key clp_select_keys[];
const clp_tuning_key clp_select_keys[] = {CLP_TILE_KEY("select"),
                                          CLP_RING_KEY("select-lookahead"),
                                          CLP_TILE_KEY("select-small"),
                                          {NULL, NULL, 0}};
