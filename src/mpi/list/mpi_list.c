/* SPDX-License-Identifier: MIT */
/* List ranking over ranks: plans, checks, and the steps of a run. */
#include "mpi/list/mpi_list.h"

#include <inttypes.h>

/* ---- The plan ---- */

static clprims_status check_desc(const clprims_mpi *mpi, const clprims_list_desc *desc) {
    CLP_MPI_FAIL_IF(
        desc->link != CLPRIMS_TYPE_DEFAULT && desc->link != CLPRIMS_I64, CLPRIMS_ERR_UNSUPPORTED,
        "mpi_list: links over ranks are int64; desc.link is %s", clprims_type_name(desc->link));
    CLP_MPI_FAIL_IF(desc->result != CLPRIMS_LIST_RANKS && desc->result != CLPRIMS_LIST_ORDER,
                    CLPRIMS_ERR_ARGUMENT,
                    "mpi_list: desc.result = %d is not a value of clprims_list_result",
                    (int)desc->result);
    CLP_MPI_FAIL_IF(desc->algorithm != CLPRIMS_LIST_AUTO || desc->tuning != NULL,
                    CLPRIMS_ERR_UNSUPPORTED,
                    "mpi_list: algorithm and tuning are for one device; over ranks "
                    "they are CLPRIMS_LIST_AUTO and NULL");
    CLP_MPI_FAIL_IF(desc->max_n >= UINT32_MAX, CLPRIMS_ERR_TOO_LARGE,
                    "mpi_list: max_n = %zu exceeds 2^32 - 2, the most of one rank", desc->max_n);
    CLP_MPI_FAIL_IF(mpi->ranks > CLP_MPI_LIST_RANKS, CLPRIMS_ERR_UNSUPPORTED,
                    "mpi_list: %d ranks; %d are the most", mpi->ranks, CLP_MPI_LIST_RANKS);
    return CLPRIMS_OK;
}

static clprims_status create_kernels(clprims_mpi_list *list) {
    static const clp_mpi_kernel kernels[CLP_MPI_LIST_KERNELS] = {
        [CLP_MPI_LIST_GROUP] = {"clp_mpi_list_group", "bbiiibbww"},
        [CLP_MPI_LIST_START] = {"clp_mpi_list_start", "niibbb"},
        [CLP_MPI_LIST_WALK] = {"clp_mpi_list_walk", "nbbbbbbbbiiibbw"},
        [CLP_MPI_LIST_NUMBER] = {"clp_mpi_list_number", "nbbbibw"},
        [CLP_MPI_LIST_START_UNVISITED] = {"clp_mpi_list_start_unvisited", "nbbib"},
        [CLP_MPI_LIST_ARRIVE] = {"clp_mpi_list_arrive", "nbbbibb"},
        [CLP_MPI_LIST_FIND_ENDS] = {"clp_mpi_list_find_ends", "bib"},
        [CLP_MPI_LIST_EXPAND] = {"clp_mpi_list_expand", "nbbbbbilb"},
        [CLP_MPI_LIST_CHECK] = {"clp_mpi_list_check", "blilb"},
        [CLP_MPI_LIST_FIND_LINK] = {"clp_mpi_list_find_link", "blilib"},
        [CLP_MPI_LIST_ADDRESS] = {"clp_mpi_list_address", "bliibibbbw"},
        [CLP_MPI_LIST_COUNT_LINKS] = {"clp_mpi_list_count_links", "bibl"},
        [CLP_MPI_LIST_FIND_SHARED] = {"clp_mpi_list_find_shared", "biiblb"},
        [CLP_MPI_LIST_STORE] = {"clp_mpi_list_store", "biilbl"},
        [CLP_MPI_LIST_PACK] = {"clp_mpi_list_pack", "bbiibibb"}};
    return clp_mpi_plan_kernels(&list->head, NULL, "list_over_ranks.cl", kernels,
                                CLP_MPI_LIST_KERNELS, list->kernels);
}

static clprims_status create_numbers(clprims_mpi_list *list) {
    clp_mpi_plan *head = &list->head;
    const size_t ranks = (size_t)head->mpi->ranks, found = ranks + CLP_MPI_LIST_FOUND;
    CLP_MPI_TRY(clp_mpi_plan_numbers(head, ranks + 1, &list->blocks));
    CLP_MPI_TRY(clp_mpi_plan_numbers(head, ranks + 1, &list->out_blocks));
    CLP_MPI_TRY(clp_mpi_plan_numbers(head, CLP_MPI_LIST_TOLD * ranks, &list->gathered));
    CLP_MPI_TRY(clp_mpi_plan_numbers(head, CLP_MPI_LIST_TOLD * ranks, &list->told));
    CLP_MPI_TRY(clp_mpi_plan_numbers(head, CLP_MPI_LIST_TOLD * ranks, &list->heard));
    for (size_t k = 0; k < 2; k++) {
        const size_t bytes = 2 * ranks * sizeof(cl_uint);
        CLP_MPI_TRY(clp_mpi_plan_buffer(head, bytes, &list->mails[k].counts));
    }
    CLP_MPI_TRY(clp_mpi_plan_parts(head, &list->parts));
    CLP_MPI_TRY(clp_mpi_plan_host(head, found, sizeof(cl_uint), &list->found_host));
    CLP_MPI_TRY(clp_mpi_plan_buffer(head, (ranks + 1) * sizeof(cl_ulong), &list->starts));
    CLP_MPI_TRY(clp_mpi_plan_buffer(head, ranks * sizeof(cl_ulong), &list->table_at));
    return clp_mpi_plan_buffer(head, found * sizeof(cl_uint), &list->found);
}

/* As much as a list in random order needs of what is largest. */
static clprims_status create_rooms(clprims_mpi_list *list) {
    const size_t splitters = (list->max_n >> CLP_MPI_LIST_BITS) + 1;
    const size_t some = splitters + list->max_n / 16 + list->max_n / 64;
    const size_t others = (size_t)list->head.mpi->ranks - 1;
    const size_t word = sizeof(cl_uint), number = sizeof(cl_ulong);
    clp_mpi_plan *head = &list->head;
    clp_mpi_list_level *upper = &list->levels[1];
    CLP_MPI_TRY(clp_mpi_list_grow(head, &list->mail->inbox, some * 3 * word, 0));
    CLP_MPI_TRY(clp_mpi_list_grow(head, &list->mail->outbox, some * 3 * word, 0));
    CLP_MPI_TRY(clp_mpi_list_grow(head, &list->mail->targets, some * word, 0));
    CLP_MPI_TRY(clp_mpi_list_grow(head, &list->table, others * splitters * number, 0));
    CLP_MPI_TRY(clp_mpi_list_grow(head, &upper->link_room, some * number, 0));
    CLP_MPI_TRY(clp_mpi_list_grow(head, &upper->cost_room, some * number, 0));
    CLP_MPI_TRY(clp_mpi_list_grow(head, &upper->record_room, some * number, 0));
    CLP_MPI_TRY(clp_mpi_list_grow(head, &upper->distance_room, some * number, 0));
    if (list->result == CLPRIMS_LIST_RANKS) return CLPRIMS_OK;
    return clp_mpi_list_grow(head, &list->ranks_room, list->max_n * number, 0);
}

_Static_assert(4 * CLP_MPI_LIST_LEVELS + 32 <= CLP_MPI_PLAN_BUFFERS, "the rooms of all levels");

static clprims_status fill(clp_mpi_plan *head, const void *description) {
    clprims_mpi_list *list = (clprims_mpi_list *)head;
    const clprims_list_desc *desc = description;
    CLP_MPI_TRY(check_desc(head->mpi, desc));
    list->result = desc->result;
    list->max_n = desc->max_n;
    list->mail = &list->mails[0];
    head->digest = clp_mpi_digest_list(desc);
    CLP_MPI_TRY(create_numbers(list));
    if (head->mpi->ranks == 1) return clp_mpi_list_single_create(list, desc->max_n);
    CLP_MPI_TRY(create_rooms(list));
    return create_kernels(list);
}

CLP_MPI_PLAN_CREATE(list, fill, clp_mpi_list_take_sizes)

/* ---- What a run is given ---- */

static clprims_status check_buffers(const clprims_mpi_list *list, clprims_buffer next,
                                    clprims_buffer out, size_t n, size_t out_n) {
    const clprims_mpi *mpi = list->head.mpi;
    CLP_MPI_TRY(clp_mpi_check_most(mpi, "n", n, "max_n", list->max_n));
    CLP_MPI_TRY(clp_mpi_check_most(mpi, "out_n", out_n, "max_n", list->max_n));
    CLP_MPI_FAIL_IF(list->result == CLPRIMS_LIST_RANKS && out_n != n, CLPRIMS_ERR_ARGUMENT,
                    "mpi_list: n = %zu and out_n = %zu; ranks are where their elements are", n,
                    out_n);
    CLP_MPI_TRY(clp_mpi_check_room(mpi, "next", next, n, sizeof(int64_t)));
    CLP_MPI_TRY(clp_mpi_check_room(mpi, "out", out, out_n, sizeof(int64_t)));
    CLP_MPI_TRY(clp_mpi_check_apart(mpi, "next and out", next, n, out, out_n));
    return clp_mpi_begin(mpi);
}

/* Collective: what the ranks' blocks have in common. */
static clprims_status check_totals(const clprims_mpi_list *list, int64_t head) {
    const clprims_mpi *mpi = list->head.mpi;
    const uint64_t total = list->blocks[mpi->ranks];
    int64_t first = head;
    clprims_status status = clp_mpi_check_totals(mpi, list->blocks, list->out_blocks);
    MPI_Bcast(&first, 1, MPI_INT64_T, 0, mpi->comm);
    if (status != CLPRIMS_OK) return clp_mpi_agree(mpi, status);
    if (head != first) {
        status = clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                              "mpi_list: head = %" PRId64 ", and rank 0 has head = %" PRId64, head,
                              first);
    } else if (head != CLP_MPI_LIST_FIND_HEAD && (head < 0 || (uint64_t)head >= total)) {
        status =
            clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                         "mpi_list: head = %" PRId64 " is not in [0, n = %" PRIu64 "); -1 finds it",
                         head, total);
    }
    return clp_mpi_agree(mpi, status);
}

static clprims_status write_starts(const clprims_mpi_list *list, const uint64_t *blocks) {
    return clp_mpi_write(list->head.mpi, list->starts, 0,
                         ((size_t)list->head.mpi->ranks + 1) * sizeof *blocks, blocks);
}

/* Level 0 is the caller's list. Its records are where its ranks will be. */
static void describe_level_0(clprims_mpi_list *list, clprims_buffer next, clprims_buffer out,
                             size_t n) {
    const clprims_mpi *mpi = list->head.mpi;
    const bool keeps_ranks = list->result == CLPRIMS_LIST_RANKS;
    clp_mpi_list_level *level = &list->levels[0];
    level->links = level->costs = level->distances = next.mem;
    level->records = keeps_ranks ? out.mem : list->ranks_room.mem;
    level->nodes = (clp_mpi_list_nodes){.links_at = next.first,
                                        .records_at = keeps_ranks ? out.first : 0,
                                        .start = list->blocks[mpi->rank],
                                        .n = (cl_uint)n,
                                        .rank = (cl_uint)mpi->rank,
                                        .ranks = (cl_uint)mpi->ranks,
                                        .bits = CLP_MPI_LIST_BITS};
    for (int r = 0; r < mpi->ranks; r++) {
        list->gathered[r] = list->blocks[r + 1] - list->blocks[r];
    }
    clp_mpi_list_count_nodes(list->head.mpi, level, list->gathered, 1);
}

/* ---- Run ---- */

/* Collective: the position of a node of level 1, which one rank has; of the others UINT32_MAX. */
static clprims_status read_position(const clprims_mpi_list *list, cl_uint node, int64_t *position) {
    clprims_status status = CLPRIMS_OK;
    *position = 0;
    if (node != UINT32_MAX) {
        status = clp_mpi_read(list->head.mpi, list->levels[1].distances, node * sizeof *position,
                              sizeof *position, position);
    }
    CLP_MPI_TRY(clp_mpi_agree(list->head.mpi, status));
    MPI_Allreduce(MPI_IN_PLACE, position, 1, MPI_INT64_T, MPI_SUM, list->head.mpi->comm);
    return CLPRIMS_OK;
}

/* Nodes of a level below which it is not contracted further. */
static uint64_t few_of(int depth) {
    const clp_mpi_list_limits *limits = &clp_mpi_list_limits_now;
    const size_t most = clp_mpi_list_may_be_whole(depth) ? limits->whole : limits->gathered;
    return most < limits->few ? most : limits->few;
}

/* Collective: levels until one has positions; its depth. is_shared: none, the list is malformed. */
static clprims_status contract_all(clprims_mpi_list *list, int *depth, bool *is_shared,
                                   cl_uint *first_element) {
    bool is_ranked = false, is_path = true;
    cl_uint last;
    *depth = 0;
    *is_shared = false;
    list->whole.depth = 0;
    while (!is_ranked) {
        CLP_MPI_TRY(clp_mpi_list_contract(list, *depth, few_of(*depth + 1), is_shared, &last));
        if (*is_shared) return CLPRIMS_OK;
        if (*depth == 0) *first_element = last;
        ++*depth;
        if (is_path && clp_mpi_list_fits_whole(list, *depth)) {
            CLP_MPI_TRY(clp_mpi_list_rank_whole(list, *depth, &is_ranked));
            is_path = is_ranked;
        }
        if (!is_ranked && (list->levels[*depth].total <= clp_mpi_list_limits_now.gathered ||
                           *depth == CLP_MPI_LIST_LEVELS - 1)) {
            is_ranked = true;
            CLP_MPI_TRY(clp_mpi_list_rank_last(list, *depth));
        }
    }
    return CLPRIMS_OK;
}

/* Collective: ranks of level 0, or the fault of links that name an element twice. */
static clprims_status rank_elements(clprims_mpi_list *list, clprims_list_report *report) {
    int depth;
    bool is_shared;
    cl_uint first_element = UINT32_MAX; /* a node of level 1, which ends with it */
    int64_t origin;
    CLP_MPI_TRY(contract_all(list, &depth, &is_shared, &first_element));
    if (is_shared) return clp_mpi_list_find_shared(list, report);
    while (depth > 1) {
        depth--;
        CLP_MPI_TRY(clp_mpi_list_expand(list, depth, 0));
    }
    CLP_MPI_TRY(read_position(list, first_element, &origin));
    return clp_mpi_list_expand(list, 0, origin);
}

/* Elements to the ranks that have their places. */
static clprims_status store_order(const clprims_mpi_list *list, clprims_buffer out) {
    for (int r = 0; r < list->head.mpi->ranks; r++) {
        const uint64_t count = list->parts.to_count[r];
        CLP_MPI_TRY(CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_STORE], (size_t)count,
                                   CLP_MPI_VALUE(list->mail->inbox.mem),
                                   CLP_MPI_INT(list->parts.to_first[r]), CLP_MPI_INT(count),
                                   CLP_MPI_LONG(list->blocks[r]), CLP_MPI_BUFFER(out)));
    }
    return clp_mpi_finish(list->head.mpi);
}

static clprims_status order_elements(clprims_mpi_list *list, clprims_buffer out, size_t out_n) {
    const clp_mpi_list_level *level = &list->levels[0];
    const clp_mpi_list_limit limit = {out_n, UINT64_MAX}; /* all positions of a valid list */
    clp_mpi_list_arrival arrival;
    CLP_MPI_TRY(clp_mpi_agree(list->head.mpi, write_starts(list, list->out_blocks)));
    CLP_MPI_TRY(
        clp_mpi_list_send_pairs(list, level->records, 0, 0, level->nodes.n, limit, &arrival));
    return clp_mpi_agree(list->head.mpi, store_order(list, out));
}

static clprims_status run(clprims_mpi_list *list, clprims_buffer next, clprims_buffer out,
                          int64_t head, size_t n, size_t out_n, clprims_list_report *report) {
    clprims_mpi *mpi = list->head.mpi;
    const clprims_status status = check_buffers(list, next, out, n, out_n);
    CLP_MPI_TRY(clp_mpi_starts(mpi, status, n, list->blocks));
    CLP_MPI_TRY(clp_mpi_starts(mpi, CLPRIMS_OK, out_n, list->out_blocks));
    CLP_MPI_TRY(check_totals(list, head));
    if (list->blocks[mpi->ranks] == 0) return CLPRIMS_OK;
    if (clp_mpi_list_is_single(list)) return clp_mpi_list_run_single(list, next, out, head, report);
    describe_level_0(list, next, out, n);
    CLP_MPI_TRY(clp_mpi_agree(mpi, write_starts(list, list->blocks)));
    CLP_MPI_TRY(clp_mpi_list_check_links(list, report));
    if (report->fault == CLPRIMS_LIST_VALID) CLP_MPI_TRY(rank_elements(list, report));
    if (report->fault == CLPRIMS_LIST_VALID)
        CLP_MPI_TRY(clp_mpi_list_check_path(list, head, report));
    CLP_MPI_TRY(clp_mpi_list_status(list, report));
    if (list->result == CLPRIMS_LIST_RANKS) return CLPRIMS_OK;
    return order_elements(list, out, out_n);
}

clprims_status clprims_mpi_list_run(clprims_mpi_list *list, clprims_buffer next, clprims_buffer out,
                                    int64_t head, size_t n, size_t out_n,
                                    clprims_list_report *report) {
    CLP_MPI_TRY(clp_mpi_plan_enter(list, "mpi_list", "list"));
    clprims_list_report own = {CLPRIMS_LIST_VALID, -1, -1, head};
    const clprims_status status = run(list, next, out, head, n, out_n, &own);
    if (report != NULL) *report = own;
    return status;
}
