/* SPDX-License-Identifier: MIT */
/* Forests are ranked by the engine of list scan: tuning lines of their own, the same knobs. */
#include "listscan_engine.h"

extern const clp_tuning_key clp_forest_keys[];
const clp_tuning_key clp_forest_keys[] = {{"forest", clp_listscan_knobs, CLP_LISTSCAN_KNOBS},
                                          {NULL, NULL, 0}};
