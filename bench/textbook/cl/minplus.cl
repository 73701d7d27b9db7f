/* SPDX-License-Identifier: MIT */
/*
 * Seed 003's steps: r[i][j] = min over k of d[i][k] + d[k][j], for n * n floats.
 *
 * V0 and V1 read d itself. V2 to V4 read two copies that are padded with infinity to wide rows, a
 * multiple of 64: d, and t, d turned around; so they are right at every n.
 *
 * V3 and V4 have barriers in a loop, as the seed has them; all work-items take the same turns.
 */
#ifndef TILE
#error "minplus.cl: TILE, rows and columns of a work-group, is not set"
#endif
#define EACH 8 /* rows and columns of a work-item */
#define SIDE (TILE / EACH) /* work-items of a group along one side */
#define DEPTH 4 /* k in local memory at a time */

/* V0: neighbours take neighbouring rows, and read memory a row apart. */
kernel void rows_apart(const global float *d, global float *r, ulong n) {
    const ulong i = get_group_id(0) % ((n + 15) / 16) * 16 + get_local_id(0) % 16;
    const ulong j = get_group_id(0) / ((n + 15) / 16) * 16 + get_local_id(0) / 16;
    if (i >= n || j >= n) return;
    float least = INFINITY;
    for (ulong k = 0; k < n; k++) least = fmin(least, d[n * i + k] + d[n * k + j]);
    r[n * i + j] = least;
}

/* V1: neighbours take neighbouring columns. */
kernel void side_by_side(const global float *d, global float *r, ulong n) {
    const ulong j = get_group_id(0) % ((n + 15) / 16) * 16 + get_local_id(0) % 16;
    const ulong i = get_group_id(0) / ((n + 15) / 16) * 16 + get_local_id(0) / 16;
    if (i >= n || j >= n) return;
    float least = INFINITY;
    for (ulong k = 0; k < n; k++) least = fmin(least, d[n * i + k] + d[n * k + j]);
    r[n * i + j] = least;
}

/* The padded copies; a group a row. */
kernel void pad(const global float *from, global float *d, global float *t, ulong n, ulong wide) {
    const ulong i = get_group_id(0);
    for (ulong j = get_local_id(0); j < wide; j += get_local_size(0)) {
        const float value = i < n && j < n ? from[n * i + j] : INFINITY;
        d[wide * i + j] = value;
        t[wide * j + i] = value;
    }
}

/* The first row and column of a group. */
static inline ulong2 corner(ulong wide) {
    const ulong across = wide / TILE;
    return (ulong2)(get_group_id(0) / across * TILE, get_group_id(0) % across * TILE);
}

static inline void fold(float cell[EACH][EACH], const float *x, const float *y) {
    for (uint a = 0; a < EACH; a++)
        for (uint b = 0; b < EACH; b++) cell[a][b] = fmin(cell[a][b], x[a] + y[b]);
}

static inline void clear(float cell[EACH][EACH]) {
    for (uint a = 0; a < EACH; a++)
        for (uint b = 0; b < EACH; b++) cell[a][b] = INFINITY;
}

/* Cell (a, b) is in row ia + a * SIDE and column ja + b * SIDE of the tile. */
static inline void store_spread(float cell[EACH][EACH], global float *r, ulong2 at, ulong n) {
    const uint ia = get_local_id(0) / SIDE, ja = get_local_id(0) % SIDE;
    for (uint a = 0; a < EACH; a++)
        for (uint b = 0; b < EACH; b++) {
            const ulong i = at.x + a * SIDE + ia, j = at.y + b * SIDE + ja;
            if (i < n && j < n) r[n * i + j] = cell[a][b];
        }
}

/* V2: 8 * 8 results a work-item in registers. */
kernel void in_registers(const global float *d, const global float *t, global float *r, ulong n,
                         ulong wide) {
    const ulong2 at = corner(wide);
    const uint ia = get_local_id(0) / SIDE, ja = get_local_id(0) % SIDE;
    float cell[EACH][EACH], x[EACH], y[EACH];
    clear(cell);
    for (ulong k = 0; k < n; k++) {
        for (uint a = 0; a < EACH; a++) x[a] = t[wide * k + at.x + a * SIDE + ia];
        for (uint b = 0; b < EACH; b++) y[b] = d[wide * k + at.y + b * SIDE + ja];
        fold(cell, x, y);
    }
    store_spread(cell, r, at, n);
}

/* V3: what the group reads goes through local memory. */
kernel void in_local_memory(const global float *d, const global float *t, global float *r, ulong n,
                            ulong wide) {
    local float xx[DEPTH][TILE], yy[DEPTH][TILE];
    const ulong2 at = corner(wide);
    const uint self = (uint)get_local_id(0), ia = self / SIDE, ja = self % SIDE;
    float cell[EACH][EACH], x[EACH], y[EACH];
    clear(cell);
    for (ulong from = 0; from < n; from += DEPTH) {
        for (uint f = 0; f < DEPTH; f++) {
            xx[f][self] = t[wide * (from + f) + at.x + self];
            yy[f][self] = d[wide * (from + f) + at.y + self];
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* xx and yy written above, read below */
        for (uint f = 0; f < DEPTH; f++) {
            for (uint a = 0; a < EACH; a++) x[a] = xx[f][a * SIDE + ia];
            for (uint b = 0; b < EACH; b++) y[b] = yy[f][b * SIDE + ja];
            fold(cell, x, y);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* xx and yy read above, overwritten in the next turn */
    }
    store_spread(cell, r, at, n);
}

static inline void spread(float *to, float4 vector) {
    to[0] = vector.x;
    to[1] = vector.y;
    to[2] = vector.z;
    to[3] = vector.w;
}

/* Four results side by side, as many as are there. */
static inline void store_four(const float *cells, global float *to, ulong there, bool aligned) {
    if (there >= 4 && aligned)
        *(global float4 *)to = (float4)(cells[0], cells[1], cells[2], cells[3]);
    else
        for (uint b = 0; b < 4; b++)
            if (b < there) to[b] = cells[b];
}

/* V4: V3 with 16 bytes an access. Cells of a work-item lie in four chunks of 4 * 4. */
kernel void in_vectors(const global float4 *d, const global float4 *t, global float *r, ulong n,
                       ulong wide) {
    local float4 xx[DEPTH][TILE / 4], yy[DEPTH][TILE / 4];
    const ulong2 at = corner(wide);
    const uint self = (uint)get_local_id(0), ia = self / SIDE, ja = self % SIDE;
    const uint column = self % (TILE / 4), row = self / (TILE / 4);
    float cell[EACH][EACH], x[EACH], y[EACH];
    clear(cell);
    for (ulong from = 0; from < n; from += DEPTH) {
        xx[row][column] = t[(wide * (from + row) + at.x) / 4 + column];
        yy[row][column] = d[(wide * (from + row) + at.y) / 4 + column];
        barrier(CLK_LOCAL_MEM_FENCE); /* xx and yy written above, read below */
        for (uint f = 0; f < DEPTH; f++) {
            for (uint q = 0; q < 2; q++) {
                spread(x + 4 * q, xx[f][q * SIDE + ia]);
                spread(y + 4 * q, yy[f][q * SIDE + ja]);
            }
            fold(cell, x, y);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* xx and yy read above, overwritten in the next turn */
    }
    for (uint a = 0; a < EACH; a++)
        for (uint q = 0; q < 2; q++) {
            const ulong i = at.x + (a / 4 * SIDE + ia) * 4 + a % 4, j = at.y + (q * SIDE + ja) * 4;
            if (i < n && j < n) store_four(cell[a] + 4 * q, r + n * i + j, n - j, n % 4 == 0);
        }
}
