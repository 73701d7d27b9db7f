/* SPDX-License-Identifier: MIT */
/* Placeholder until below. */
#include "harness/plan.h"
