/* SPDX-License-Identifier: MIT */
/* What tuning lines may name of scan: its plan, or one of the kernels of a single pass. */
#include "engine/single_pass_knobs.h"

extern const clp_tuning_key clp_scan_keys[];
const clp_tuning_key clp_scan_keys[] = {CLP_TILE_KEY("scan"),
                                        CLP_RING_KEY("scan-lookahead"),
                                        CLP_TILE_KEY("scan-small"),
                                        CLP_TILE_KEY("scan-few"),
                                        {NULL, NULL, 0}};
