/* SPDX-License-Identifier: MIT */
/* Seed 000's list ranking: sublists begin with the elements below `own` and with head. An element's
 * pair is its sublist and its place there; a sublist's pair is the next one and its length. */

static bool begins_sublist(int element, int head, int own) {
    return element < own || element == head;
}

/* The number of the sublist that an element begins. */
static int sublist_of(int element, int own) {
    return element >= 0 && element < own ? element : element < 0 ? -1 : own;
}

kernel void copy_links(global const int *next, global int2 *pairs, ulong n) {
    const ulong i = get_global_id(0);
    if (i < n) pairs[i].x = next[i];
}

/* One array of pairs: a link is read and overwritten in the same place. */
kernel void walk_packed(global int2 *pairs, global int2 *sublists, int head, int own, int count) {
    const int id = (int)get_global_id(0);
    if (id >= count) return;
    int element = id == own ? head : id, place = 0;
    do {
        const int2 pair = pairs[element];
        pairs[element] = (int2)(id, place++);
        element = pair.x;
    } while (!begins_sublist(element, head, own));
    sublists[id] = (int2)(sublist_of(element, own), place);
}

/* Links in an array of their own: the next load need not wait for the store. */
kernel void walk_apart(global const int *restrict next, global int2 *restrict pairs,
                       global int2 *restrict sublists, int head, int own, int count) {
    const int id = (int)get_global_id(0);
    if (id >= count) return;
    int element = id == own ? head : id, place = 0;
    do {
        const int to = next[element];
        pairs[element] = (int2)(id, place++);
        element = to;
    } while (!begins_sublist(element, head, own));
    sublists[id] = (int2)(sublist_of(element, own), place);
}

/* sublists: each one's first rank, after the scan on the host. */
kernel void add_offsets(global const int2 *pairs, global const int2 *sublists, global int *rank,
                        ulong n) {
    const ulong i = get_global_id(0);
    if (i < n) rank[i] = sublists[pairs[i].x].x + pairs[i].y;
}
