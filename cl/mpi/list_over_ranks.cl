/* SPDX-License-Identifier: MIT */
/*
 * List ranking over ranks (src/mpi/list/mpi_list.h has the method). A node is named by its place:
 * the number of its rank in the upper half, its number on that rank in the lower half.
 *
 * A walk follows links from a splitter until it reaches the next one. When a link leaves the rank,
 * the walk becomes a message to the rank that has the node. Each launch moves every walk on;
 * between launches ranks exchange messages, which clp_mpi_list_group has put in the ranks' order.
 *
 * Local memory: the counts of a work-group's messages to each rank, so that a work-group adds to
 * each common counter once. No work-group waits for another: a walk that goes on for too long is
 * cut after `steps` and goes on in the next launch.
 */

#define CLP_MPI_NO_PLACE (~0ul) /* also the link of a list's last node */
#define CLP_MPI_DROPPED (~0ul - 1) /* record of a node whose link is its own place */
#define CLP_MPI_NO_POSITION LONG_MIN /* position of a node on a cycle */
#define CLP_MPI_NO_RANK (~0u)

/* The nodes of this rank on one level; mpi_list.h has the structure too. */
typedef struct {
    ulong links_at, records_at; /* the first element of either array */
    ulong start; /* level 0: position of the first node in the whole array */
    uint n;
    uint rank, ranks;
    uint bits; /* one splitter in 2^bits nodes */
    uint seed; /* of the splitters' hash */
    uint is_upper; /* not level 0: links are places and have costs */
} clp_mpi_list_nodes;

/* ---- Places ---- */

static inline ulong clp_mpi_place(uint rank, uint number) {
    return (ulong)rank << 32 | number;
}

/* Finds the rank whose block has the position, by binary search. starts: ranks + 1 positions. If
 * several blocks begin at one position, the search ends at the last of them, the only one that is
 * not empty. */
static inline ulong clp_mpi_place_of_position(ulong position, const global ulong *starts,
                                              uint ranks) {
    uint low = 0, high = ranks;
    while (high - low > 1) {
        const uint middle = low + (high - low) / 2;
        if (starts[middle] <= position) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return clp_mpi_place(low, (uint)(position - starts[low]));
}

/* ---- Splitters ---- */

static inline uint clp_mpi_mix(uint value) {
    value = (value ^ value >> 16) * 0x85ebca6bu;
    value = (value ^ value >> 13) * 0xc2b2ae35u;
    return value ^ value >> 16;
}

/* Returns the splitter of a bucket, which is 2^bits adjacent nodes; the last bucket may have fewer.
 * A hash chooses it, so that splitters follow no pattern of the list. */
static inline uint clp_mpi_splitter_of(uint bucket, const clp_mpi_list_nodes *nodes) {
    const uint first = bucket << nodes->bits, size = min(1u << nodes->bits, nodes->n - first);
    const uint offset = clp_mpi_mix(bucket ^ nodes->seed) & ((1u << nodes->bits) - 1);
    return first + (offset < size ? offset : offset % size);
}

static inline bool clp_mpi_is_splitter(uint node, const clp_mpi_list_nodes *nodes) {
    return node == clp_mpi_splitter_of(node >> nodes->bits, nodes);
}

/* ---- Records: the node of the next level from which a walk reached a node, and how far ---- */

typedef struct {
    ulong from;
    long distance; /* 0 if the node itself is a node of the next level */
} clp_mpi_record;

static inline void clp_mpi_store_record(const clp_mpi_list_nodes *nodes, global ulong *records,
                                        global long *distances, uint node, clp_mpi_record record) {
    const ulong at = nodes->records_at + node;
    if (nodes->is_upper) {
        records[at] = record.from;
        distances[at] = record.distance;
    } else { /* one word: 16 bits of the rank, 16 bits of the distance, 32 bits of the number */
        records[at] =
            (record.from >> 32) << 48 | (ulong)record.distance << 32 | (record.from & UINT_MAX);
    }
}

static inline clp_mpi_record clp_mpi_load_record(const clp_mpi_list_nodes *nodes,
                                                 const global ulong *records,
                                                 const global long *distances, uint node) {
    const ulong at = nodes->records_at + node, word = records[at];
    if (nodes->is_upper) return (clp_mpi_record){word, distances[at]};
    return (clp_mpi_record){(word >> 48) << 32 | (word & UINT_MAX), (long)(word >> 32 & 0xffff)};
}

/* ---- Messages: a walk that arrives at a node of the receiver ---- */

typedef struct {
    uint node;
    clp_mpi_record record;
} clp_mpi_message;

/* 32-bit words: three on level 0, five above. */
static inline void clp_mpi_store_message(global uint *messages, ulong i, uint is_upper,
                                         clp_mpi_message message) {
    global uint *words = messages + i * (is_upper ? 5 : 3);
    const uint rank = (uint)(message.record.from >> 32);
    words[0] = message.node;
    words[1] = (uint)message.record.from;
    words[2] = is_upper ? rank : rank << 16 | (uint)message.record.distance;
    if (!is_upper) return;
    words[3] = (uint)message.record.distance;
    words[4] = (uint)(message.record.distance >> 32);
}

static inline clp_mpi_message clp_mpi_load_message(const global uint *messages, ulong i,
                                                   uint is_upper) {
    const global uint *words = messages + i * (is_upper ? 5 : 3);
    const uint number = words[1], third = words[2];
    if (!is_upper) {
        return (clp_mpi_message){words[0], {clp_mpi_place(third >> 16, number), third & 0xffff}};
    }
    return (clp_mpi_message){
        words[0], {clp_mpi_place(third, number), (long)((ulong)words[4] << 32 | words[3])}};
}

/* ---- Counts of messages to each rank ---- */

static inline void clp_mpi_clear_counts(local uint *own, uint ranks) {
    for (uint r = (uint)get_local_id(0); r < ranks; r += (uint)get_local_size(0)) own[r] = 0;
}

static inline void clp_mpi_add_counts(global uint *counts, const local uint *own, uint ranks) {
    for (uint r = (uint)get_local_id(0); r < ranks; r += (uint)get_local_size(0)) {
        if (own[r] > 0) atomic_add(&counts[r], own[r]);
    }
}

/* Groups messages by their target ranks, in the order of the ranks; messages to one rank are
 * adjacent. A work-group reserves positions for all its messages to a rank by one atomic. counts:
 * the number of messages to each rank, then a cursor for each rank, 0 before. */
kernel void clp_mpi_list_group(const global uint *messages, const global uint *targets, uint count,
                               uint ranks, uint words, global uint *counts, global uint *grouped,
                               local uint *own, local uint *first) {
    const uint i = (uint)get_global_id(0);
    const uint target = i < count ? targets[i] : CLP_MPI_NO_RANK;
    uint place = 0;
    clp_mpi_clear_counts(own, ranks);
    barrier(CLK_LOCAL_MEM_FENCE); /* own cleared above, added to below */
    if (target != CLP_MPI_NO_RANK) place = atomic_inc(&own[target]);
    barrier(CLK_LOCAL_MEM_FENCE); /* own counted above, read below */
    for (uint r = (uint)get_local_id(0); r < ranks; r += (uint)get_local_size(0)) {
        uint before = 0;
        for (uint q = 0; q < r; q++) before += counts[q];
        if (own[r] > 0) first[r] = before + atomic_add(&counts[ranks + r], own[r]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* first written above, read below */
    if (target != CLP_MPI_NO_RANK) {
        const ulong to = (ulong)(first[target] + place) * words;
        for (uint w = 0; w < words; w++) grouped[to + w] = messages[(ulong)i * words + w];
    }
}

/* ---- Walks ---- */

/* Writes the messages that start the walks of `count` splitters from bucket `first` on, one
 * work-item for each. The splitter of a bucket is node `bucket` of the next level. */
kernel void clp_mpi_list_start(clp_mpi_list_nodes nodes, uint first, uint count,
                               global ulong *records, global long *distances,
                               global uint *messages) {
    const uint i = (uint)get_global_id(0), bucket = first + i;
    if (i < count) {
        const uint node = clp_mpi_splitter_of(bucket, &nodes);
        const clp_mpi_record record = {clp_mpi_place(nodes.rank, bucket), 0};
        clp_mpi_store_record(&nodes, records, distances, node, record);
        clp_mpi_store_message(messages, i, nodes.is_upper, (clp_mpi_message){node, record});
    }
}

/* The arrays of a level, and the links and costs of the next one. */
typedef struct {
    const global ulong *links;
    const global long *costs;
    const global ulong *starts;
    global ulong *records;
    global long *distances;
    global ulong *next_links;
    global long *next_costs;
} clp_mpi_list_arrays;

/* Walks on, until the next splitter, a node of another rank, the list's end, or for `steps` steps.
 * Changes the message, and returns the rank to which it goes next; CLP_MPI_NO_RANK: the walk has
 * ended. begins: the walk is at its own splitter, where it must not end. */
static inline uint clp_mpi_walk(const clp_mpi_list_nodes *nodes, const clp_mpi_list_arrays *arrays,
                                clp_mpi_message *message, bool begins, uint steps) {
    for (uint step = 0; step < steps; step++) {
        const uint node = message->node;
        if (step > 0 || !begins) {
            if (clp_mpi_is_splitter(node, nodes)) {
                arrays->next_links[node >> nodes->bits] = message->record.from;
                arrays->next_costs[node >> nodes->bits] = message->record.distance;
                return CLP_MPI_NO_RANK;
            }
            /* Where two links name a node, this races with itself, and the list is malformed. */
            clp_mpi_store_record(nodes, arrays->records, arrays->distances, node, message->record);
        }
        const ulong link = arrays->links[nodes->links_at + node];
        if (link == CLP_MPI_NO_PLACE) return CLP_MPI_NO_RANK;
        const ulong to =
            nodes->is_upper ? link : clp_mpi_place_of_position(link, arrays->starts, nodes->ranks);
        message->record.distance += nodes->is_upper ? arrays->costs[node] : 1;
        message->node = (uint)to;
        if ((uint)(to >> 32) != nodes->rank) return (uint)(to >> 32);
    }
    return nodes->rank;
}

kernel void clp_mpi_list_walk(clp_mpi_list_nodes nodes, const global ulong *links,
                              const global long *costs, const global ulong *starts,
                              global ulong *records, global long *distances,
                              global ulong *next_links, global long *next_costs,
                              global uint *messages, uint count, uint begins, uint steps,
                              global uint *targets, global uint *counts, local uint *own) {
    const uint i = (uint)get_global_id(0);
    const clp_mpi_list_arrays arrays = {links,     costs,      starts,    records,
                                        distances, next_links, next_costs};
    clp_mpi_clear_counts(own, nodes.ranks);
    barrier(CLK_LOCAL_MEM_FENCE); /* own cleared above, added to below */
    if (i < count) {
        clp_mpi_message message = clp_mpi_load_message(messages, i, nodes.is_upper);
        const uint target = clp_mpi_walk(&nodes, &arrays, &message, begins != 0, steps);
        clp_mpi_store_message(messages, i, nodes.is_upper, message);
        targets[i] = target;
        if (target != CLP_MPI_NO_RANK) atomic_inc(&own[target]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* own counted above, read below */
    clp_mpi_add_counts(counts, own, nodes.ranks);
}

/* ---- Nodes that no walk has visited: they also are nodes of the next level ---- */

/* Numbers the unvisited nodes from `first` on, with one atomic for each work-group. A node whose
 * link is its own place, a cycle of one, is dropped. counter: 0 before. */
kernel void clp_mpi_list_number(clp_mpi_list_nodes nodes, const global ulong *links,
                                global ulong *records, global long *distances, uint first,
                                global uint *counter, local uint *own) {
    const uint i = (uint)get_global_id(0);
    bool is_kept = false;
    uint place = 0;
    if (get_local_id(0) == 0) own[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* own cleared above, added to below */
    if (i < nodes.n && records[nodes.records_at + i] == CLP_MPI_NO_PLACE) {
        const ulong self = nodes.is_upper ? clp_mpi_place(nodes.rank, i) : nodes.start + i;
        is_kept = links[nodes.links_at + i] != self;
        if (is_kept) place = atomic_inc(&own[0]);
        if (!is_kept) records[nodes.records_at + i] = CLP_MPI_DROPPED;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* own counted above, read below */
    if (get_local_id(0) == 0) own[1] = own[0] > 0 ? atomic_add(counter, own[0]) : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* own[1] written above, read below */
    if (is_kept) {
        const clp_mpi_record record = {clp_mpi_place(nodes.rank, first + own[1] + place), 0};
        clp_mpi_store_record(&nodes, records, distances, i, record);
    }
}

/* The number of a node in the next level, or CLP_MPI_NO_RANK. */
static inline uint clp_mpi_next_number(const clp_mpi_list_nodes *nodes, const global ulong *records,
                                       const global long *distances, uint node) {
    if (records[nodes->records_at + node] == CLP_MPI_DROPPED) return CLP_MPI_NO_RANK;
    const clp_mpi_record record = clp_mpi_load_record(nodes, records, distances, node);
    return record.distance == 0 ? (uint)record.from : CLP_MPI_NO_RANK;
}

/* Writes the messages that start the walks of unvisited nodes. */
kernel void clp_mpi_list_start_unvisited(clp_mpi_list_nodes nodes, const global ulong *records,
                                         const global long *distances, uint first,
                                         global uint *messages) {
    const uint i = (uint)get_global_id(0);
    if (i < nodes.n) {
        const uint number = clp_mpi_next_number(&nodes, records, distances, i);
        if (number != CLP_MPI_NO_RANK && number >= first) {
            const clp_mpi_message message = {i, {clp_mpi_place(nodes.rank, number), 0}};
            clp_mpi_store_message(messages, number - first, nodes.is_upper, message);
        }
    }
}

/* Sets links of the next level, from walks that have ended at its nodes. */
kernel void clp_mpi_list_arrive(clp_mpi_list_nodes nodes, const global ulong *records,
                                const global long *distances, const global uint *messages,
                                uint count, global ulong *next_links, global long *next_costs) {
    const uint i = (uint)get_global_id(0);
    if (i < count) {
        const clp_mpi_message message = clp_mpi_load_message(messages, i, nodes.is_upper);
        const uint number = clp_mpi_next_number(&nodes, records, distances, message.node);
        if (number != CLP_MPI_NO_RANK) {
            next_links[number] = message.record.from;
            next_costs[number] = message.record.distance;
        }
    }
}

/* found: the number of nodes that are the last of a list, and one of these nodes. */
kernel void clp_mpi_list_find_ends(const global ulong *links, uint n, global uint *found) {
    const uint i = (uint)get_global_id(0);
    if (i < n && links[i] == CLP_MPI_NO_PLACE) {
        atomic_inc(&found[0]);
        found[1] = i;
    }
}

/* ---- A level that every rank has whole ---- */

/* Turns places into numbers in the whole level, in which rank r's nodes begin at first[r]. A cost
 * becomes what a position grows by along the link; it is negative if is_backward. */
kernel void clp_mpi_list_pack(const global ulong *links, const global long *costs, uint n,
                              uint rank, const global ulong *first, uint is_backward,
                              global int *whole_links, global int *whole_costs) {
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const ulong link = links[i], at = first[rank] + i;
        const int cost = (int)costs[i];
        whole_links[at] =
            link == CLP_MPI_NO_PLACE ? -1 : (int)(first[link >> 32] + (link & UINT_MAX));
        whole_costs[at] = is_backward ? -cost : cost;
    }
}

/* ---- Expansion ---- */

/* Computes positions from the positions of the next level. own: positions of this rank's nodes.
 * table: positions of the other ranks' splitters, rank r's from table_at[r] on. The positions
 * replace the distances; on level 0 they replace the records. found, on level 0: the list's first
 * element, and the lowest element without a position. */
kernel void clp_mpi_list_expand(clp_mpi_list_nodes nodes, global ulong *records,
                                global long *distances, const global long *own,
                                const global long *table, const global ulong *table_at,
                                uint is_backward, long origin, global uint *found) {
    const uint i = (uint)get_global_id(0);
    if (i < nodes.n) {
        const bool is_dropped = records[nodes.records_at + i] == CLP_MPI_DROPPED;
        long position = CLP_MPI_NO_POSITION;
        if (!is_dropped) {
            const clp_mpi_record record = clp_mpi_load_record(&nodes, records, distances, i);
            const uint rank = (uint)(record.from >> 32), number = (uint)record.from;
            position = rank == nodes.rank ? own[number] : table[table_at[rank] + number];
            if (position != CLP_MPI_NO_POSITION) {
                position += is_backward ? -record.distance : record.distance;
            }
        }
        if (nodes.is_upper) {
            distances[i] = position;
        } else {
            if (position == CLP_MPI_NO_POSITION) {
                atomic_min(&found[1], i);
            } else if (position == origin) {
                found[0] = i;
            }
            records[nodes.records_at + i] = (ulong)(position - origin);
        }
    }
}

/* ---- Faults ---- */

/* found: the lowest element whose link is neither an element nor -1, the lowest tail, the number of
 * tails. */
kernel void clp_mpi_list_check(const global ulong *links, ulong links_at, uint n, ulong total,
                               global uint *found) {
    const uint i = (uint)get_global_id(0);
    if (i < n) {
        const ulong link = links[links_at + i];
        if (link == CLP_MPI_NO_PLACE) {
            atomic_min(&found[1], i);
            atomic_inc(&found[2]);
        } else if (link >= total) {
            atomic_min(&found[0], i);
        }
    }
}

/* found: the lowest element with the link, except element `but`. */
kernel void clp_mpi_list_find_link(const global ulong *links, ulong links_at, uint n, ulong link,
                                   uint but, global uint *found) {
    const uint i = (uint)get_global_id(0);
    if (i < n && i != but && links[links_at + i] == link) atomic_min(found, i);
}

/* ---- Pairs: messages of two words, an element of the receiver and one of the sender ---- */

/* Makes pairs from positions of elements, which are links, or ranks in a list. */
kernel void clp_mpi_list_address(const global ulong *positions, ulong at, uint first, uint count,
                                 const global ulong *starts, uint ranks, global uint *messages,
                                 global uint *targets, global uint *counts, local uint *own) {
    const uint i = (uint)get_global_id(0);
    clp_mpi_clear_counts(own, ranks);
    barrier(CLK_LOCAL_MEM_FENCE); /* own cleared above, added to below */
    if (i < count) {
        const ulong position = positions[at + first + i];
        const ulong to = position == CLP_MPI_NO_PLACE
                             ? position
                             : clp_mpi_place_of_position(position, starts, ranks);
        const uint target = (uint)(to >> 32);
        messages[2 * (ulong)i] = (uint)to;
        messages[2 * (ulong)i + 1] = first + i;
        targets[i] = target;
        if (target != CLP_MPI_NO_RANK) atomic_inc(&own[target]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* own counted above, read below */
    clp_mpi_add_counts(counts, own, ranks);
}

/* Counts the links that name each element. */
kernel void clp_mpi_list_count_links(const global uint *messages, uint count, global uint *named,
                                     ulong named_at) {
    const uint i = (uint)get_global_id(0);
    if (i < count) atomic_inc(&named[named_at + messages[2 * (ulong)i]]);
}

/* found: the sender's lowest element whose link another element has too. */
kernel void clp_mpi_list_find_shared(const global uint *messages, uint first, uint count,
                                     const global uint *named, ulong named_at, global uint *found) {
    const uint i = (uint)get_global_id(0);
    if (i < count) {
        const ulong pair = 2 * ((ulong)first + i);
        if (named[named_at + messages[pair]] > 1) atomic_min(found, messages[pair + 1]);
    }
}

/* Stores elements at their positions. start: the position of the sender's block. */
kernel void clp_mpi_list_store(const global uint *messages, uint first, uint count, ulong start,
                               global ulong *order, ulong order_at) {
    const uint i = (uint)get_global_id(0);
    if (i < count) {
        const ulong pair = 2 * ((ulong)first + i);
        order[order_at + messages[pair]] = start + messages[pair + 1];
    }
}
