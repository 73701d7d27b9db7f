/* SPDX-License-Identifier: MIT */
/* What a variant is in every primitive that has it. */
#include "engine/variants.h"

const clp_variant_traits clp_variants[CLP_VARIANTS] = {
    [CLP_SERIAL_TILE] = {"serial-tile", "", CLP_SHAPE_SERIAL, .serial = CLP_SERIAL_TILE},
    [CLP_SERIAL_TILE_FALLBACK] = {"serial-tile-fallback", "", CLP_SHAPE_SERIAL, .falls_back = true,
                                  .serial = CLP_SERIAL_TILE_FALLBACK},
    [CLP_LOOKBACK] = {"lookback", "", CLP_SHAPE_GROUP, .serial = CLP_SERIAL_TILE},
    [CLP_LOOKBACK_FALLBACK] = {"lookback-fallback", "", CLP_SHAPE_GROUP, .falls_back = true,
                               .serial = CLP_SERIAL_TILE_FALLBACK},
    [CLP_SINGLE_WAVE] = {"single-wave", "-small", CLP_SHAPE_GROUP, .needs_nvidia = true,
                         .is_wave = true, .serial = CLP_SERIAL_TILE},
    [CLP_SINGLE_WAVE_SMALL] = {"single-wave-small", "-few", CLP_SHAPE_GROUP, .needs_nvidia = true,
                               .is_wave = true, .serial = CLP_SERIAL_TILE},
    [CLP_LOOKAHEAD] = {"lookahead", "-lookahead", CLP_SHAPE_RING, .needs_nvidia = true,
                       .serial = CLP_LOOKAHEAD},
    [CLP_LEVELS] = {"levels", "", CLP_SHAPE_GROUP, .by_levels = true, .serial = CLP_LEVELS_SERIAL},
    [CLP_LEVELS_SERIAL] = {"levels-serial", "", CLP_SHAPE_SERIAL, .by_levels = true,
                           .serial = CLP_LEVELS_SERIAL},
};
