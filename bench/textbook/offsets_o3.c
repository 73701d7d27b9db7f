/* SPDX-License-Identifier: MIT */
/* Seed 001's loop at -O3, which CMakeLists.txt sets for this file. */
#include "offsets_loop.h"

offsets_loop *const offsets_at_o3[OFFSETS_TYPES] = {loop_i32, loop_u32, loop_i64};
