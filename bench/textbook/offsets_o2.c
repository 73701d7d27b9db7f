/* SPDX-License-Identifier: MIT */
/* Seed 001's loop at -O2, which CMakeLists.txt sets for this file. */
#include "offsets_loop.h"

offsets_loop *const offsets_at_o2[OFFSETS_TYPES] = {loop_i32, loop_u32, loop_i64};
