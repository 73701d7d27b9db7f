/* SPDX-License-Identifier: MIT */
/*
 * Tiles for CPUs: one work-item walks a tile that its cache holds, twice: to reduce it, and to
 * scan it. No barriers. The same functions as in tile.cl.
 */
#define CLP_TILE (CLP_ROWS * CLP_VEC)
#define CLP_SUBGROUPS 1

typedef struct clp_tile {
    const clp_io *io;
    ulong first; /* index of the tile's first element in the scanned range */
    uint count; /* outputs */
    uint loaded; /* inputs */
    CLP_A total;
} clp_tile;

static inline clp_tile clp_tile_load(const clp_io *io, ulong number, ulong n) {
    clp_tile tile;
    tile.io = io;
    tile.first = number * CLP_TILE;
    tile.count = (uint)min((ulong)CLP_TILE, n - tile.first);
    tile.loaded = (uint)min((ulong)CLP_TILE, n - CLP_EXTRA - tile.first);
    return tile;
}

static inline CLP_A clp_tile_item(const clp_tile *tile, uint i) {
#if CLP_EXTRA
    if (i >= tile->loaded) return CLP_IDENTITY;
#endif
    return clp_item_at(tile->io, tile->first + i);
}

/* Sets tile->total. */
static inline void clp_tile_reduce(clp_tile *tile, local CLP_A *exchange) {
    CLP_A total = clp_tile_item(tile, 0);
    for (uint i = 1; i < tile->count; i++) total = clp_op(total, clp_tile_item(tile, i));
    tile->total = total;
}

static inline CLP_A clp_tile_reduce_alone(const clp_io *io, ulong number, ulong n,
                                          local CLP_A *exchange) {
    clp_tile tile = clp_tile_load(io, number, n);
    clp_tile_reduce(&tile, exchange);
    return tile.total;
}

static inline void clp_tile_store(const clp_tile *tile, CLP_A prefix, bool has_prefix,
                                  const clp_io *io) {
    global CLP_OUT *to = io->out + tile->first;
    CLP_A running = prefix;
    uint i = 0;
#if CLP_REPORTS
    clp_conclude(io, tile->first, tile->loaded, tile->loaded < tile->count, prefix,
                 clp_op(prefix, tile->total));
#endif
    if (!has_prefix) {
        running = clp_tile_item(tile, 0);
        to[0] = CLP_STORED(running);
        i = 1;
    }
    for (; i < tile->count; i++) {
        const CLP_A item = clp_tile_item(tile, i);
#if CLP_INCLUSIVE
        running = clp_op(running, item);
        to[i] = CLP_STORED(running);
#else
        to[i] = CLP_STORED(running);
        running = clp_op(running, item);
#endif
    }
}
