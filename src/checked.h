/* SPDX-License-Identifier: MIT */
/* For tests, which link the static library to get at it. */
#ifndef CLP_CHECKED_H
#define CLP_CHECKED_H

#include <stdbool.h>

/* Programs that are built while it is true check what CLP_ASSERT says, on the device; see
 * cl/assert.cl. Set before any other thread uses the library. */
extern bool clp_checked;

#endif
