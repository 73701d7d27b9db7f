/* SPDX-License-Identifier: MIT */
/* Knobs from tuning lines and texts. */
#ifndef CLP_TUNING_H
#define CLP_TUNING_H

#include "core/knobs.h"

#include <clprims/core.h>

/*
 * Sets the knobs from the shipped tuning lines, the context's tuning file and the plan's own text
 * ("GROUP=256 ROWS=4"), each winning over the one before. Groups that neither the caller's file nor
 * the plan's text sets are halved until the device takes them. Status: ARGUMENT for an unknown knob
 * or an illegal value, with its origin and the legal ones. key: of the registry.
 */
clprims_status clp_knobs_set(const clprims_context *context, const char *key, size_t element_bytes,
                             const char *plan_text, clp_knob *knobs, size_t count);

/* Checks all lines of a tuning file's text, whatever device they are for: their form, and the
 * primitive, the knobs and the values in the registry. Status: IO; the message has the line. */
clprims_status clp_tuning_check(const char *text, const char *path);

/* The same for the tuning that the library has within it. */
clprims_status clp_tuning_check_shipped(void);

#endif
